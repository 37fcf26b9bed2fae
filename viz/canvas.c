/* canvas.c: a framebuffer to draw pictures into. */
#include "gl.h"

#include <epoxy/gl.h>

#include <stdlib.h>

struct otok_canvas {
    GLuint frame, colour, bytes; /* one memory, in sRGB and as bytes */
    GLuint geometry, kind, depth;
    int width, height;
};

static GLuint create_texture(GLenum format, int width, int height)
{
    GLuint t;
    glCreateTextures(GL_TEXTURE_2D, 1, &t);
    glTextureStorage2D(t, 1, format, width, height);
    glTextureParameteri(t, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTextureParameteri(t, GL_TEXTURE_MAG_FILTER, GL_NEAREST); /* integers have no other */
    return t;
}

static int is_complete(GLuint frame)
{
    return glCheckNamedFramebufferStatus(frame, GL_DRAW_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

otok_status otok_canvas_create(otok_canvas **out, int width, int height)
{
    GLint side;
    *out = NULL;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &side);
    if (width < 1 || height < 1 || width > side || height > side)
        return OTOK_FAIL(OTOK_USAGE,
                         "a picture of %d x %d pixels: this device draws 1..%d along a side", width,
                         height, side);
    otok_canvas *c = *out = calloc(1, sizeof *c);
    if (!c) return OTOK_FAIL(OTOK_NOMEM, "no memory for a canvas");
    c->width = width;
    c->height = height;
    c->bytes = create_texture(GL_RGBA8, width, height);
    c->kind = create_texture(GL_R32UI, width, height);
    c->depth = create_texture(GL_DEPTH_COMPONENT32F, width, height);
    glGenTextures(1, &c->colour); /* a view's name must be new */
    glTextureView(c->colour, GL_TEXTURE_2D, c->bytes, GL_SRGB8_ALPHA8, 0, 1, 0, 1);
    glCreateFramebuffers(1, &c->frame);
    glNamedFramebufferTexture(c->frame, GL_COLOR_ATTACHMENT0, c->colour, 0);
    glNamedFramebufferTexture(c->frame, GL_DEPTH_ATTACHMENT, c->depth, 0);
    glCreateFramebuffers(1, &c->geometry);
    glNamedFramebufferTexture(c->geometry, GL_COLOR_ATTACHMENT0, c->kind, 0);
    glNamedFramebufferTexture(c->geometry, GL_DEPTH_ATTACHMENT, c->depth, 0);
    if (is_complete(c->frame) && is_complete(c->geometry)) return OTOK_OK;
    otok_canvas_destroy(c);
    *out = NULL;
    return OTOK_FAIL(OTOK_DEVICE, "this device cannot draw %d x %d pixels", width, height);
}

void otok_canvas_destroy(otok_canvas *c)
{
    if (!c) return;
    glDeleteFramebuffers(2, (const GLuint[]){c->frame, c->geometry});
    glDeleteTextures(4, (const GLuint[]){c->colour, c->bytes, c->kind, c->depth});
    free(c);
}

void otok_canvas_size(const otok_canvas *c, int *width, int *height)
{
    *width = c->width;
    *height = c->height;
}

void otok_canvas_bind(const otok_canvas *c)
{
    glBindFramebuffer(GL_FRAMEBUFFER, c->frame);
}

void otok_canvas_clear(const otok_canvas *c)
{
    glBindFramebuffer(GL_FRAMEBUFFER, c->frame);
    glClearBufferfv(GL_DEPTH, 0, (const GLfloat[1]){0});
}

void otok_canvas_geometry(const otok_canvas *c)
{
    glBindFramebuffer(GL_FRAMEBUFFER, c->geometry);
    glClearBufferuiv(GL_COLOR, 0, (const GLuint[4]){0});
    glClearBufferfv(GL_DEPTH, 0, (const GLfloat[1]){0});
}

void otok_canvas_bind_textures(const otok_canvas *c, unsigned first)
{
    glBindTextureUnit(first, c->kind);
    glBindTextureUnit(first + 1, c->depth);
    glBindImageTexture(0, c->bytes, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
}

void otok_canvas_copy(const otok_canvas *from, const otok_canvas *to)
{
    const int same = from->width == to->width && from->height == to->height;
    glDisable(GL_FRAMEBUFFER_SRGB);
    glBlitNamedFramebuffer(from->frame, to->frame, 0, 0, from->width, from->height, 0, 0, to->width,
                           to->height, GL_COLOR_BUFFER_BIT, same ? GL_NEAREST : GL_LINEAR);
}

void otok_canvas_present(const otok_canvas *c)
{
    glDisable(GL_FRAMEBUFFER_SRGB);
    glBlitNamedFramebuffer(c->frame, 0, 0, 0, c->width, c->height, 0, 0, c->width, c->height,
                           GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

float otok_canvas_depth(const otok_canvas *c, int x, int y)
{
    float depth = 0;
    if (x < 0 || y < 0 || x >= c->width || y >= c->height) return 0;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, c->frame);
    glReadPixels(x, c->height - 1 - y, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &depth);
    return depth;
}

void otok_canvas_read(const otok_canvas *c, unsigned char *rgb)
{
    const size_t row = (size_t)c->width * 3;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, c->frame);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    for (int j = 0; j < c->height; j++)
        glReadPixels(0, c->height - 1 - j, c->width, 1, GL_RGB, GL_UNSIGNED_BYTE,
                     rgb + (size_t)j * row);
}
