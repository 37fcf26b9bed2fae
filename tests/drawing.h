/* drawing.h: what tests that draw begin with. They are built where views are. */
#ifndef OTOK_TESTS_DRAWING_H
#define OTOK_TESTS_DRAWING_H

#include "check.h"
#include "viz/gl.h"
#include "viz/scene.h"

#include <stdlib.h>

#ifdef __SANITIZE_ADDRESS__
/* Drivers keep memory to the end. */
const char *__lsan_default_options(void);
const char *__lsan_default_options(void)
{
    return "detect_leaks=0";
}
#endif

/* A context without a display; where there is none the test is skipped. */
static inline otok_gl *drawing_begin(void)
{
    otok_gl *gl;
    if (otok_gl_create(&gl) == OTOK_OK) return gl;
    printf("skipped: %s\n", otok_why());
    exit(77);
}

/* Calls `draw` with a scene and a canvas for colours made directly, and again for deferred ones,
   each in a context of its own. OpenGL must not complain. */
typedef void drawing(otok_scene *scene, otok_canvas *canvas, int deferred);

static inline void drawing_both_ways(otok_grid grid, int width, int height, drawing *draw)
{
    for (int deferred = 0; deferred < 2; deferred++) {
        otok_gl *gl = drawing_begin();
        otok_scene *scene;
        otok_canvas *canvas;
        const char *first;
        MUST(otok_canvas_create(&canvas, width, height));
        MUST(otok_scene_create(&scene, grid,
                               deferred ? OTOK_SHADING_DEFERRED : OTOK_SHADING_DIRECT));
        draw(scene, canvas, deferred);
        CHECK(otok_gl_log_count(gl, &first) == 0, "%s", first);
        otok_scene_destroy(scene);
        otok_canvas_destroy(canvas);
        otok_gl_destroy(gl);
    }
}

#endif
