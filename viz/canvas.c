/* canvas.c: a framebuffer to draw pictures into. */
#include "gl.h"

#include <epoxy/gl.h>

#include <stdlib.h>
#include <string.h>

struct otok_canvas {
    GLuint frame, colour, depth;
    int width, height;
};

otok_status otok_canvas_create(otok_canvas **out, int width, int height)
{
    GLint side;
    *out = NULL;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &side);
    if (width < 1 || height < 1 || width > side || height > side)
        return OTOK_FAIL(OTOK_USAGE, "a picture of %d x %d pixels: this device draws 1..%d along a side", width, height, side);
    otok_canvas *c = *out = calloc(1, sizeof *c);
    if (!c) return OTOK_FAIL(OTOK_NOMEM, "no memory for a canvas");
    c->width = width;
    c->height = height;
    glCreateRenderbuffers(1, &c->colour);
    glCreateRenderbuffers(1, &c->depth);
    glNamedRenderbufferStorage(c->colour, GL_SRGB8_ALPHA8, width, height);
    glNamedRenderbufferStorage(c->depth, GL_DEPTH_COMPONENT32F, width, height);
    glCreateFramebuffers(1, &c->frame);
    glNamedFramebufferRenderbuffer(c->frame, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, c->colour);
    glNamedFramebufferRenderbuffer(c->frame, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, c->depth);
    if (glCheckNamedFramebufferStatus(c->frame, GL_DRAW_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE) return OTOK_OK;
    otok_canvas_destroy(c);
    *out = NULL;
    return OTOK_FAIL(OTOK_DEVICE, "this device cannot draw %d x %d pixels", width, height);
}

void otok_canvas_destroy(otok_canvas *c)
{
    if (!c) return;
    glDeleteFramebuffers(1, &c->frame);
    glDeleteRenderbuffers(1, &c->colour);
    glDeleteRenderbuffers(1, &c->depth);
    free(c);
}

void otok_canvas_bind(const otok_canvas *c)
{
    glBindFramebuffer(GL_FRAMEBUFFER, c->frame);
}

void otok_canvas_copy(const otok_canvas *from, const otok_canvas *to)
{
    const int same = from->width == to->width && from->height == to->height;
    glDisable(GL_FRAMEBUFFER_SRGB);
    glBlitNamedFramebuffer(from->frame, to->frame, 0, 0, from->width, from->height, 0, 0, to->width, to->height,
                           GL_COLOR_BUFFER_BIT, same ? GL_NEAREST : GL_LINEAR);
}

void otok_canvas_present(const otok_canvas *c)
{
    glDisable(GL_FRAMEBUFFER_SRGB);
    glBlitNamedFramebuffer(c->frame, 0, 0, 0, c->width, c->height, 0, 0, c->width, c->height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
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
        glReadPixels(0, c->height - 1 - j, c->width, 1, GL_RGB, GL_UNSIGNED_BYTE, rgb + (size_t)j * row);
}
