/* egl.c: makes a context by EGL. It tries devices first: the GPU that CUDA counts first, so that
   fields need not leave it, other GPUs, software; and then the surfaceless platform. */
#include "gl.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEVICES = 64 };

struct otok_gl {
    EGLDisplay display;
    EGLContext context;
    int messages;
    char first[400];
};

typedef struct ear {
    int *messages;
    char *first;
} ear;

/* A remark that NVIDIA's driver makes now and then: it has compiled a program once more, for the
   state in which it is used. */
static const GLuint nvidia_recompiles = 131218;

static void GLAPIENTRY count_message(GLenum source, GLenum type, GLuint id, GLenum severity,
                                     GLsizei length, const GLchar *text, const void *user)
{
    const ear *e = user;
    (void)source, (void)length;
    if (severity == GL_DEBUG_SEVERITY_NOTIFICATION ||
        (type == GL_DEBUG_TYPE_PERFORMANCE && id == nvidia_recompiles))
        return;
    if ((*e->messages)++ == 0) snprintf(e->first, 400, "%s", text);
}

void otok_gl_listen(int *messages, char *first)
{
    static ear only;
    only = (ear){messages, first};
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(count_message, &only);
}

static int make_context(otok_gl *gl, EGLDisplay display)
{
    static const EGLint wanted[] = {EGL_CONTEXT_MAJOR_VERSION,
                                    4,
                                    EGL_CONTEXT_MINOR_VERSION,
                                    5,
                                    EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                    EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                    EGL_CONTEXT_OPENGL_DEBUG,
                                    EGL_TRUE,
                                    EGL_NONE};
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL)) return 0;
    if (epoxy_has_egl_extension(display, "EGL_KHR_surfaceless_context") &&
        eglBindAPI(EGL_OPENGL_API)) {
        const EGLContext context =
            eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wanted);
        if (context != EGL_NO_CONTEXT &&
            eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
            gl->display = display;
            gl->context = context;
            return 1;
        }
        if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
    }
    eglTerminate(display);
    return 0;
}

/* 0 for the first GPU of CUDA, 1 for other GPUs, 2 for software. */
static int rank_of(EGLDeviceEXT device)
{
    const char *extensions = eglQueryDeviceStringEXT(device, EGL_EXTENSIONS);
    EGLAttrib ordinal = -1;
    if (!extensions) return 1;
    if (strstr(extensions, "EGL_MESA_device_software")) return 2;
    return !strstr(extensions, "EGL_NV_device_cuda") ||
           !eglQueryDeviceAttribEXT(device, EGL_CUDA_DEVICE_NV, &ordinal) || ordinal != 0;
}

static int begin_on_device(otok_gl *gl)
{
    EGLDeviceEXT devices[MOST_DEVICES];
    EGLint n = 0;
    if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device") ||
        !epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_device_enumeration") ||
        !eglQueryDevicesEXT(MOST_DEVICES, devices, &n))
        return 0;
    for (int rank = 0; rank < 3; rank++)
        for (int i = 0; i < n; i++)
            if (rank_of(devices[i]) == rank &&
                make_context(gl,
                             eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL)))
                return 1;
    return 0;
}

static int begin_surfaceless(otok_gl *gl)
{
    return epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless") &&
           make_context(gl, eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA,
                                                     EGL_DEFAULT_DISPLAY, NULL));
}

otok_status otok_gl_create(otok_gl **out)
{
    otok_gl *gl = *out = calloc(1, sizeof *gl);
    if (!gl) return OTOK_FAIL(OTOK_NOMEM, "no memory for a context");
    if (!epoxy_has_egl() || (!begin_on_device(gl) && !begin_surfaceless(gl))) {
        free(gl);
        *out = NULL;
        return OTOK_FAIL(OTOK_DEVICE, "no OpenGL 4.5 without a display here; install libegl1 and a "
                                      "driver: the GPU's own, or Mesa's for "
                                      "the CPU (Debian: libegl-mesa0 libgl1-mesa-dri)");
    }
    otok_gl_listen(&gl->messages, gl->first);
    return OTOK_OK;
}

void otok_gl_destroy(otok_gl *gl)
{
    if (!gl) return;
    eglMakeCurrent(gl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(gl->display, gl->context);
    eglTerminate(gl->display);
    free(gl);
}

const char *otok_gl_device(const otok_gl *gl)
{
    (void)gl;
    return (const char *)glGetString(GL_RENDERER);
}

int otok_gl_log_count(const otok_gl *gl, const char **first)
{
    if (first) *first = gl->first;
    return gl->messages;
}
