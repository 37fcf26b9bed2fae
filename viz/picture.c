/* picture.c: sums samples in linear light on the host. */
#include "picture.h"

#include <math.h>
#include <stdlib.h>

/* The sequence of Roberts (2018), -0.5..0.5: for every n its first n points are spread evenly. The first is the middle. */
static double aside(int k, double step)
{
    const double x = 0.5 + k * step;
    return x - floor(x) - 0.5;
}

static void take(otok_scene *scene, const otok_canvas *canvas, const otok_shot *shot, int width, int height, const char *legend,
                 unsigned char *rgb)
{
    otok_canvas_bind(canvas);
    otok_scene_draw(scene, shot, width, height, legend);
    otok_canvas_read(canvas, rgb);
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

otok_status otok_picture_draw(otok_scene *scene, const otok_canvas *canvas, const otok_shot *shot, int width, int height,
                              int samples, const char *legend, unsigned char *rgb)
{
    const size_t n = (size_t)width * (size_t)height * 3;
    otok_shot part = *shot;
    float light[256], *sum = samples > 1 ? calloc(n, sizeof *sum) : NULL;
    if (samples > 1 && !sum) return OTOK_FAIL(OTOK_NOMEM, "no memory for a picture of %d x %d pixels", width, height);
    for (int i = 0; i < 256; i++)
        light[i] = light_of((unsigned char)i);
    part.sharpness = fmin(sqrt(samples), 2);
    for (int k = 0; k < samples; k++) {
        part.shift[0] = aside(k, 0.7548776662466927);
        part.shift[1] = aside(k, 0.5698402909980532);
        take(scene, canvas, &part, width, height, legend, rgb);
        for (size_t i = 0; sum && i < n; i++)
            sum[i] += light[rgb[i]];
    }
    for (size_t i = 0; sum && i < n; i++)
        rgb[i] = byte_of(sum[i] / (float)samples);
    free(sum);
    return OTOK_OK;
}
