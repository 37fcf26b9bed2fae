/* backend_generators.c: every generator, alone and nested in others, gives the bits of the CPU on
   every backend, with any number of threads, and whatever patch of the grid is made. */
#include "base_scene.h"

#include <omp.h>

enum { NX = 157, NY = 131 };

static float whole[NY * NX], part[NY * NX];
static double sown[] = {10, 20, 30, NAN, 200, 5, 1, NAN, 3},
              triangle[] = {10, 10, 290, 40, 120, 250};

#define PARTS(pipeline) .with = pipeline, .nwith = sizeof pipeline / sizeof *pipeline

static otok_generator simple[] = {
    CONSTANT(7),
    CONE(120, 160, 1.6, 150, 130),
    SIMPLEX(60, 8, .stream = 1),
    {.kind = OTOK_GEN_DIAMOND_SQUARE,
     .as.diamond_square = {-60, 60, 0.55, 8, 3, 4, 0},
     .stream = 2},
    {.kind = OTOK_GEN_DIAMOND_SQUARE, .as.diamond_square = {-60, 60, 0.7, 6, 9, 0, 1}, .stream = 3},
    {.kind = OTOK_GEN_MIDPOINT,
     .as.diamond_square = {0, 90, 0.5, 8, 0, 0, 0},
     .stream = 4,
     .nnumbers = 9,
     .numbers = sown},
    {.kind = OTOK_GEN_DIAMOND_SQUARE,
     .as.diamond_square = {-60, 60, 0.6, 10, 433, 876, 0},
     .stream = 12,
     .nnumbers = 9,
     .numbers = sown},
    FAULTS(4, 0.03, 0.5, 100, .stream = 5),
    PLANET(4, 0.8, 100, .stream = 6),
};
enum { SIMPLE = sizeof simple / sizeof *simple };

/* Noise made coarse and fine again, its spikes filtered twice, as the mask of a blend with faults
 * that are cut to a triangle. */
static otok_generator coarse[] = {
    {.kind = OTOK_GEN_DIAMOND_SQUARE, .as.diamond_square = {0, 1, 0.6, 7, 0, 0, 0}, .stream = 7},
    {.kind = OTOK_GEN_SPIKES},
    SIMPLEX(50, 3, .stream = 8, .combine = OTOK_ADD)};
static otok_generator mask[] = {{.kind = OTOK_GEN_UPSAMPLE, .as.upsample = {3}, PARTS(coarse)},
                                {.kind = OTOK_GEN_SPIKES},
                                {.kind = OTOK_GEN_SPIKES, .combine = OTOK_MAX}};
static otok_generator with[] = {FAULTS(0.3, 0, 0, 40, .stream = 9),
                                {.kind = OTOK_GEN_CROP,
                                 .as.crop = {.shape = OTOK_CROP_POLYGON},
                                 .nnumbers = 6,
                                 .numbers = triangle}};
static otok_generator nested[] = {
    {.kind = OTOK_GEN_DIAMOND_SQUARE, .as.diamond_square = {0, 150, 0.5, 8, 0, 0, 0}, .stream = 10},
    {.kind = OTOK_GEN_SPIKES},
    {.kind = OTOK_GEN_POWER_BLEND,
     .as.power_blend = {0.4, 100},
     PARTS(with),
     .mask = mask,
     .nmask = 3},
    PLANET(2, 1, 30, .stream = 11, .combine = OTOK_ADD),
    {.kind = OTOK_GEN_SPIKES},
    {.kind = OTOK_GEN_CROP, .as.crop = {140, 130, 250, 240, -5, OTOK_CROP_ELLIPSE}},
    CRATER(110)};

static otok_scenario *scenario;

static void make(const otok_backend *backend, otok_box box, float *map)
{
    static otok_base_plan plan;
    MUST(otok_base_compile(scenario, box, &plan));
    scene_make(backend, &plan, box, map);
    otok_base_plan_destroy(&plan);
}

static void try(const char *what, const otok_backend *tested, const otok_backend *cpu,
                otok_generator *base, int n)
{
    static const otok_box boxes[] = {
        {0, NX, 0, NY}, {0, 51, 0, 72}, {51, NX, 0, 72}, {0, 149, 72, NY}, {149, NX, 72, 73}};
    const int threads = omp_get_max_threads();
    scenario->base = base;
    scenario->nbase = n;
    omp_set_num_threads(1);
    make(cpu, boxes[0], whole);
    omp_set_num_threads(3);
    for (size_t b = 0; b < sizeof boxes / sizeof *boxes; b++) {
        const otok_box box = boxes[b];
        const int nx = box.x1 - box.x0, ny = box.y1 - box.y0;
        int wrong = 0;
        make(tested, box, part);
        for (int k = 0; k < nx * ny; k++)
            wrong += memcmp(&part[k], &whole[(box.y0 + k / nx) * NX + box.x0 + k % nx],
                            sizeof(float)) != 0;
        CHECK(wrong == 0, "%s: %d of %d cells from (%d, %d) differ", what, wrong, nx * ny, box.x0,
              box.y0);
    }
    omp_set_num_threads(threads);
    double sum = 0, squares = 0;
    for (int k = 0; k < NX * NY; k++) {
        sum += whole[k] / (NX * NY);
        squares += (double)whole[k] * whole[k] / (NX * NY);
    }
    CHECK(base->kind == OTOK_GEN_CONSTANT || squares - sum * sum > 0.01, "%s: flat", what);
}

int main(int argc, char **argv)
{
    const otok_backend *tested = CHECK_BACKEND(argc, argv), *cpu = NULL;
    MUST(otok_backend_find(&cpu, "cpu"));
    scenario = calloc(1, sizeof *scenario);
    if (!scenario) return 1;
    scenario->grid = (otok_grid){NX, NY, 2};
    scenario->seed = 42;
    for (int n = 0; n < SIMPLE; n++) {
        char what[32];
        snprintf(what, sizeof what, "generator %d", n);
        try(what, tested, cpu, &simple[n], 1);
    }
    for (int n = 1; n <= 7; n++) {
        char what[32];
        snprintf(what, sizeof what, "%d nested generators", n);
        try(what, tested, cpu, nested, n);
    }
    try("upsampling", tested, cpu, mask, 1);
    try("mask", tested, cpu, mask, 3);
    free(scenario);
    return check_failures != 0;
}
