/* renderer.c: sums samples in linear light on the host. */
#include "renderer.h"

#include <math.h>
#include <stdlib.h>

/* The sequence of Roberts (2018), -0.5..0.5. For every n its first n points are spread evenly. The
   first one is the middle. */
static double sample_offset(int k, double step)
{
    const double x = 0.5 + k * step;
    return x - floor(x) - 0.5;
}

otok_status otok_renderer_create(otok_renderer *e, otok_grid grid, int width, int height,
                                 int samples)
{
    *e = (otok_renderer){.grid = grid, .width = width, .height = height, .samples = samples};
    otok_status status = otok_gl_create(&e->gl);
    if (status == OTOK_OK) status = otok_canvas_create(&e->canvas, width, height);
    if (status == OTOK_OK) status = otok_scene_create(&e->scene, grid, OTOK_SHADING_BEST);
    if (status == OTOK_OK) status = otok_inset_create(&e->map);
    if (status != OTOK_OK) otok_renderer_destroy(e);
    return status;
}

void otok_renderer_destroy(otok_renderer *e)
{
    if (e->map.program) otok_inset_destroy(&e->map);
    otok_scene_destroy(e->scene);
    otok_canvas_destroy(e->canvas);
    otok_gl_destroy(e->gl);
    *e = (otok_renderer){0};
}

static float light_of(unsigned char byte)
{
    const float s = (float)byte / 255;
    return s <= 0.04045f ? s / 12.92f : powf((s + 0.055f) / 1.055f, 2.4f);
}

static unsigned char byte_of(float light)
{
    const float s = light <= 0.0031308f ? 12.92f * light : 1.055f * powf(light, 1 / 2.4f) - 0.055f;
    return (unsigned char)(255 * s + 0.5f);
}

otok_status otok_renderer_draw(const otok_renderer *e, const otok_shot *shot, const char *legend,
                               int map, unsigned char *rgb)
{
    const size_t n = (size_t)e->width * (size_t)e->height * 3;
    otok_shot part = *shot;
    float light[256], *sum = e->samples > 1 ? calloc(n, sizeof *sum) : NULL;
    if (e->samples > 1 && !sum)
        return OTOK_FAIL(OTOK_NOMEM, "no memory for a picture of %d x %d pixels", e->width,
                         e->height);
    for (int i = 0; i < 256; i++)
        light[i] = light_of((unsigned char)i);
    part.sharpness = fmin(sqrt(e->samples), 2);
    for (int k = 0; k < e->samples; k++) {
        part.shift[0] = shot->shift[0] + sample_offset(k, 0.7548776662466927);
        part.shift[1] = shot->shift[1] + sample_offset(k, 0.5698402909980532);
        otok_scene_draw(e->scene, e->canvas, &part, *legend ? legend : NULL);
        if (map) otok_inset_draw(&e->map, e->grid, e->width, e->height);
        otok_canvas_read(e->canvas, rgb);
        for (size_t i = 0; sum && i < n; i++)
            sum[i] += light[rgb[i]];
    }
    for (size_t i = 0; sum && i < n; i++)
        rgb[i] = byte_of(sum[i] / (float)e->samples);
    free(sum);
    return OTOK_OK;
}
