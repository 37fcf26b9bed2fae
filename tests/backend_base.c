/* backend_base.c: every backend evaluates a base to the bits of the cell function itself, wherever
   its patch lies in the grid, and renews the ghosts of the base with it: water run over them
   afterwards keeps the bits too. */
#include "base_scene.h"
#include "scenario/program.h"

enum { NX = 211, NY = 173, X0 = 1000, Y0 = 77 };

static float map[NY * NX], water[NY * NX];

static otok_patch patch_of(const otok_backend *backend, otok_set needed, const int *edges)
{
    otok_patch patch = {.view = {.nx = NX, .ny = NY, .x0 = X0, .y0 = Y0, .global_nx = 5000}};
    memcpy(patch.edges, edges, sizeof patch.edges);
    MUST(backend->create(&patch, needed, 1));
    return patch;
}

/* The outflows after one iteration of rain on the base. */
static void rain_on(const otok_backend *backend, const otok_base_plan *code, const int *edges,
                    float *out)
{
    static const otok_phase phase = {
        .name = "rain",
        .processes = OTOK_HYDRAULIC,
        .hydraulic = {
            .dt = 0.1, .gravity = 9.81, .pipe_area = 1, .wetness_max = 255, .dry_depth = 1e-6}};
    const otok_step step = {.rain = 0.5f};
    otok_program program;
    otok_coefficients k;
    MUST(otok_program_for_phase(&program, &phase, edges));
    otok_coefficients_for_phase(&k, &phase, 2);
    otok_patch patch = patch_of(backend, otok_program_buffers(&program), edges);
    double seconds;
    MUST(backend->base(&patch, code, &seconds));
    MUST(backend->get(&patch, OTOK_TERRAIN_BASE, map));
    MUST(backend->run(&patch, &program, &k, &step, 1));
    MUST(backend->get(&patch, OTOK_WATER, out));
    backend->destroy(&patch);
}

int main(int argc, char **argv)
{
    const otok_backend *tested = CHECK_BACKEND(argc, argv), *cpu = NULL;
    static const int edges[][OTOK_SIDES] = {
        {OTOK_CLOSED, OTOK_OPEN, OTOK_CLOSED, OTOK_OPEN},
        {OTOK_PERIODIC, OTOK_PERIODIC, OTOK_PERIODIC, OTOK_PERIODIC}};
    static otok_base_plan code;
    static float expected[NY * NX];
    otok_generator mask[] = {SIMPLEX(90, 3, .stream = 2)}, noise[] = {SIMPLEX(60, 8, .stream = 4)};
    otok_generator base[] = {
        CONE(120, 160, 1.6, 2200, 330),
        SIMPLEX(25, 5, .stream = 1, .combine = OTOK_ADD, .mask = mask, .nmask = 1),
        BLEND(0.35, 120, .stream = 3, .with = noise, .nwith = 1),
        CRATER(95, .stream = 5),
    };
    MUST(otok_backend_find(&cpu, "cpu"));
    scene(&code, (otok_grid){5000, 300, 2}, 42, base, 4);
    for (size_t e = 0; e < sizeof edges / sizeof edges[0]; e++) {
        rain_on(cpu, &code, edges[e], expected);
        rain_on(tested, &code, edges[e], water);
        int wrong = 0;
        for (int n = 0; n < NX * NY; n++) {
            const float h = scene_cell(&code, X0 + n % NX, Y0 + n / NX);
            wrong += memcmp(&map[n], &h, sizeof h) != 0;
        }
        CHECK(wrong == 0, "edges %zu: %d heights of %d", e, wrong, NX * NY);
        CHECK(memcmp(expected, water, sizeof water) == 0,
              "edges %zu: the water on the base differs", e);
        float least = INFINITY, most = -INFINITY;
        for (int n = 0; n < NX * NY; n++) {
            least = fminf(least, map[n]);
            most = fmaxf(most, map[n]);
        }
        CHECK(most - least > 50, "edges %zu: a base from %g to %g is no trial", e, (double)least,
              (double)most);
    }
    return check_failures != 0;
}
