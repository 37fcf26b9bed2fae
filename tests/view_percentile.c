/* view_percentile.c - claim: the value that 99.5 % of the cells of a map stay below is the same
   number, found by OpenGL in textures and on the host. CHECK_ONCE */
#include "drawing.h"
#include "viz/arrange.h"
#include "viz/percentile.h"

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

static void compare(int64_t nx, int64_t ny, int zero)
{
    const otok_grid grid = {nx, ny, 1};
    float *x = calloc((size_t)(nx * ny), sizeof *x), *y = calloc((size_t)(nx * ny), sizeof *y);
    unsigned seed = (unsigned)nx;
    otok_scene *scene;
    otok_percentile percentile;
    double range[2];
    if (!zero) sow(x, nx * ny, &seed), sow(y, nx * ny, &seed);
    MUST(otok_scene_create(&scene, grid, OTOK_SHADING_BEST));
    MUST(otok_percentile_create(&percentile));
    otok_scene_upload(scene, OTOK_SLOT_VALUE_X, x);
    otok_scene_upload(scene, OTOK_SLOT_VALUE_Y, y);
    otok_arrange_range(OTOK_STYLE_VELOCITY_X, x, NULL, nx * ny, &(otok_holes){0}, range);
    const double one = otok_percentile_high(&percentile, scene, grid, 0);
    CHECK(one == range[1] && -one == range[0], "%lld x %lld: %.9g, not %.9g", (long long)nx,
          (long long)ny, one, range[1]);
    otok_arrange_range(OTOK_STYLE_SPEED, x, y, nx * ny, &(otok_holes){0}, range);
    const double two = otok_percentile_high(&percentile, scene, grid, 1);
    CHECK(fabs(two - range[1]) <= 1e-6 * range[1], "%lld x %lld: speed %.9g, not %.9g",
          (long long)nx, (long long)ny, two, range[1]);
    otok_percentile_destroy(&percentile);
    otok_scene_destroy(scene);
    free(x);
    free(y);
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
