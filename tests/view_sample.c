/* view_sample.c - claim: the range of the values of a map is the same, found in a sample that
   OpenGL takes of its textures and in the map on the host, with the water's depth and without.
   CHECK_ONCE
   */
#include "drawing.h"
#include "viz/sampler.h"

#include <math.h>

/* Of both signs and many magnitudes, with a few far out, and zeros. */
static void sow(float *map, int64_t cells, unsigned *seed)
{
    for (int64_t i = 0; i < cells; i++) {
        *seed = *seed * 1664525u + 1013904223u;
        const float share = (float)(*seed >> 8) * 0x1p-24f - 0.4f;
        map[i] = *seed % 7 == 0 ? 0 : share * expf(12 * share) * (*seed % 1001 == 0 ? 1e6f : 1);
    }
}

static float values[OTOK_SPREAD_SAMPLE], weights[OTOK_SPREAD_SAMPLE];

static void compare(int64_t nx, int64_t ny, int zero)
{
    const otok_grid grid = {nx, ny, 1};
    const otok_look *const looks[] = {otok_field_at(OTOK_TERRAIN_CHANGE)->look,
                                      otok_field_at(OTOK_VELOCITY_X)->look};
    float *maps[3];
    unsigned seed = (unsigned)nx;
    otok_scene *scene;
    otok_sampler sample;
    MUST(otok_scene_create(&scene, grid, OTOK_SHADING_BEST));
    MUST(otok_sampler_create(&sample));
    for (int m = 0; m < 3; m++) {
        maps[m] = calloc((size_t)(nx * ny), sizeof *maps[m]);
        if (!zero) sow(maps[m], nx * ny, &seed);
        otok_scene_upload(scene, m < 2 ? OTOK_SLOT_VALUE_X + m : OTOK_SLOT_WATER, maps[m]);
    }
    for (int n = 0; n < 4; n++) {
        const int two = n & 1;
        otok_spread host, device;
        const int64_t k = otok_sampler_read(&sample, scene, grid, two, values, weights);
        MUST(otok_spread_find(&device, looks[n / 2], values, NULL, weights, k, NULL, 0));
        MUST(otok_spread_find(&host, looks[n / 2], maps[0], two ? maps[1] : NULL, maps[2], nx * ny,
                              NULL, 0));
        const double apart = two ? 1e-6 * host.high : 0;
        CHECK(fabs(device.low - host.low) <= apart && fabs(device.high - host.high) <= apart,
              "%lld x %lld, %d: %.9g to %.9g, not %.9g to %.9g", (long long)nx, (long long)ny, n,
              device.low, device.high, host.low, host.high);
    }
    otok_sampler_destroy(&sample);
    otok_scene_destroy(scene);
    for (int m = 0; m < 3; m++)
        free(maps[m]);
}

int main(void)
{
    otok_gl *gl = drawing_begin();
    const char *first;
    compare(2, 2, 0);
    compare(37, 29, 0);
    compare(256, 256, 0); /* every cell is in the sample */
    compare(613, 419, 0); /* every fourth                */
    compare(64, 64, 1);
    CHECK(otok_gl_log_count(gl, &first) == 0, "%s", first);
    otok_gl_destroy(gl);
    return check_failures != 0;
}
