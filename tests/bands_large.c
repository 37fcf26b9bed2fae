/* bands_large.c - claim: a grid larger than a patch runs in bands, each of which is a patch, with
   the bits of a grid in one piece; where it has too few bands, or droplets, it is refused, and the
   text says why and what helps. Where cells are numbered through a grid of 65,536 x 65,536, the
   last rows have the fingerprint, the terrain, the dithers and the places of a reference in 64
   bits. */
#include "scene.h"

#include "../src/bands/bands.h"
#include "../src/base/compile.h"
#include "../src/core/patch_size.h"
#include "../src/model/base.h"
#include "../src/model/dither.h"
#include "../src/scenario/scenario.h"
#include "../src/sim/sim.h"

static const char island[] =
    "otok: 1\nseed: 5\ngrid: {nx: %lld, ny: %lld, spacing: 2}\nedges: {top: open}\n"
    "sea: {level: 3}\nbase: [{cone: {height: 60, radius: 500}}, {simplex: {wavelength: 60, "
    "amplitude: 6, combine: add}}]\nphases:\n"
    "  - {name: flow, iterations: 9, rain: {rate: 0.1}, hydraulic: {dt: 0.05}, thermal: {dt: "
    "0.05}}\n%s";
static const char drops[] = "  - {name: drops, iterations: 1, droplets: {count: 9, batch: 9}}\n";

/* ---- small grids that are larger than a patch, for a lower limit ---- */

static uint64_t ended(const otok_scenario *s, const char *backend, otok_diagnostics_result *found)
{
    otok_diagnostics_request request = {.prints = 0};
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_run(sim, otok_scenario_iterations(s)));
    request.patch = &sim->patch;
    request.fields = sim->fields;
    request.maps =
        (otok_diagnostics_maps){.nx = (int)s->grid.nx, .ny = (int)s->grid.ny, .flows = 1};
    request.maps.k = (otok_detect_coefficients){.arrived = 0.0125f,
                                                .fast = 30.0f,
                                                .dry = 1e-5f,
                                                .tall = 0.1f,
                                                .flip = 0.01f,
                                                .pull_deep = 1.0f,
                                                .gravity = 0.1f,
                                                .crossed = 80.0f,
                                                .steep = 1e-4f};
    MUST(sim->backend->diagnose(&sim->patch, &request));
    *found = request.found;
    const uint64_t fingerprint = scene_fingerprint(sim);
    otok_sim_destroy(sim);
    return fingerprint;
}

static void refused(const otok_scenario *s, const char *backend, const char *words)
{
    otok_sim *sim = NULL;
    otok_estimate estimate;
    otok_status status = otok_sim_create(&sim, s, backend);
    CHECK(status == OTOK_USAGE && strstr(otok_why(), words), "%s: %d: %s", backend, (int)status,
          otok_why());
    status = otok_run_estimate(&estimate, s, backend);
    CHECK(status == OTOK_USAGE && strstr(otok_why(), words), "%s: %d: %s", backend, (int)status,
          otok_why());
}

static void run_small(const char *place)
{
    char two[64], three[64];
    otok_diagnostics_result whole, banded;
    otok_scenario *s = scene(island, 60LL, 601LL, ""), *with = scene(island, 60LL, 601LL, drops);
    snprintf(two, sizeof two, "%s/2", place);
    snprintf(three, sizeof three, "%s/3", place);
    const uint64_t expected = ended(s, place, &whole);
    otok_patch_limit(otok_patch_numbers(60, (601 + 2) / 3 + 2 * OTOK_BANDS_DEPTH));
    refused(s, place, "60 x 601 cells is too large for 1 band, ");
    refused(s, two, "cut it into 3 or more: --bands 3 ");
    refused(with, three, "leave the droplets out");
    const uint64_t fingerprint = ended(s, three, &banded);
    CHECK(fingerprint == expected, "%s: %016llx, not %016llx", three,
          (unsigned long long)fingerprint, (unsigned long long)expected);
    CHECK(memcmp(&whole.diagnostics, &banded.diagnostics, sizeof whole.diagnostics) == 0,
          "%s: other diagnostics", three);
    otok_patch_limit(otok_patch_numbers(60, 2 * OTOK_BANDS_DEPTH));
    refused(s, three, "too large for any number of bands");
    otok_patch_limit(0);
    otok_scenario_destroy(s);
    otok_scenario_destroy(with);
}

/* The limits as they are, on grids that nobody allocates. */
static void ask_large(const char *place)
{
    const otok_backend *one, *three;
    char name[64];
    snprintf(name, sizeof name, "%s/3", place);
    MUST(otok_backend_find(&one, place));
    MUST(otok_backend_find(&three, name));
    MUST(otok_backend_takes(one, 46240, 46240, "droplets"));
    MUST(otok_backend_takes(three, 65536, 65536, NULL));
    CHECK(otok_backend_takes(one, 46341, 46341, NULL) == OTOK_USAGE, "one piece of 46341^2");
    CHECK(otok_backend_takes(one, 65536, 65536, NULL) == OTOK_USAGE &&
              strstr(otok_why(), "--bands 3 "),
          "%s", otok_why());
    CHECK(otok_backend_takes(three, 65536, 65536, "droplets") == OTOK_USAGE, "droplets on 65536^2");
    otok_scenario_destroy(scene(island, 65536LL, 65536LL, ""));
}

/* ---- the last rows of a grid of 65,536 x 65,536 ---- */

enum { SIDE = 65536, ROWS = 3, BUFFERS = 3 };

static const int buffers[BUFFERS] = {OTOK_TERRAIN_BASE, OTOK_WATER, OTOK_WATER_NEXT};
static float map[ROWS * SIDE], other[ROWS * SIDE];

static void create(const otok_backend *backend, otok_patch *patch)
{
    memset(patch, 0, sizeof *patch);
    patch->view.nx = SIDE, patch->view.ny = ROWS;
    patch->view.y0 = SIDE - ROWS;
    patch->view.global_nx = patch->view.global_ny = SIDE;
    otok_set needed = otok_set_of(BIT(OTOK_TERRAIN_CHANGE) | BIT(OTOK_SEDIMENT));
    for (int b = 0; b < BUFFERS; b++)
        otok_set_add(&needed, buffers[b]);
    MUST(backend->create(patch, needed, 1));
}

/* The finaliser of splitmix64 over the place of the cell, in 64 bits from the start. */
static uint64_t print_of(const float *values, int field)
{
    uint64_t sum = 0;
    for (uint64_t j = 0; j < ROWS; j++)
        for (uint64_t i = 0; i < SIDE; i++) {
            const uint64_t place = (SIDE - ROWS + j) * (uint64_t)SIDE + i;
            uint32_t bits;
            memcpy(&bits, &values[j * SIDE + i], sizeof bits);
            uint64_t z = ((uint64_t)field << 32) + bits;
            z += (place + 1) * UINT64_C(0x9e3779b97f4a7c15);
            z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
            z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
            sum += z ^ z >> 31;
        }
    return sum;
}

static void check_print(const otok_backend *backend, otok_patch *patch, int buffer)
{
    otok_field_summary found;
    MUST(backend->get(patch, buffer, map));
    MUST(backend->measure(patch, buffer, &found));
    const uint64_t expected = print_of(map, buffer);
    CHECK(found.fingerprint == expected, "buffer %d: %016llx, not %016llx", buffer,
          (unsigned long long)found.fingerprint, (unsigned long long)expected);
}

static void make_terrain(const otok_backend *backend, otok_patch *patch)
{
    otok_scenario *s = scene("otok: 1\nseed: 7\ngrid: {nx: %d, ny: %d, spacing: 1}\nbase:\n"
                             "  - cone: {height: 120, radius: 40000, power: 1.6, x: 60000, y: "
                             "65500}\n  - simplex: {wavelength: 75, octaves: 3, combine: add}\n"
                             "  - faults: {count: 9, combine: add}\nphases: []\n",
                             SIDE, SIDE);
    otok_base_plan *plan = calloc(1, sizeof *plan);
    double seconds;
    if (!plan) exit(1);
    MUST(otok_base_compile(s, (otok_box){0, SIDE, 0, SIDE}, plan));
    MUST(backend->base(patch, plan, &seconds));
    check_print(backend, patch, OTOK_TERRAIN_BASE);
    for (int n = 0; n < ROWS * SIDE; n += 61) {
        const float expected =
            otok_base_cell(plan, &plan->passes[0], n % SIDE, SIDE - ROWS + n / SIDE);
        CHECK(map[n] == expected, "the terrain of cell %d is %g, not %g", n, (double)map[n],
              (double)expected);
    }
    otok_base_plan_destroy(plan);
    free(plan);
    otok_scenario_destroy(s);
}

/* Rain of less than a place of the depth: every cell shows its dither. */
static void rain(const otok_backend *backend, otok_patch *patch)
{
    const otok_program program = {1, {{OTOK_OP_STAGE, OTOK_STAGE_WATER_IN, 0}}};
    const otok_step step = {.rain = 3e-7f, .phase = 12345};
    static otok_coefficients none;
    for (int n = 0; n < ROWS * SIDE; n++)
        other[n] = 1.0f + (float)(n % 97) * 0.03125f;
    MUST(backend->put(patch, OTOK_WATER, other));
    MUST(backend->run(patch, &program, &none, &step, 1));
    check_print(backend, patch, OTOK_WATER_NEXT);
    for (int n = 0; n < ROWS * SIDE; n++) {
        const int64_t i = n % SIDE, j = SIDE - ROWS + n / SIDE;
        const uint32_t a = (uint32_t)(i < SIDE - 1 - i ? i : SIDE - 1 - i),
                       b = (uint32_t)(SIDE - 1 - j),
                       phase = 12345u + 0x68b1cbu * a + 0x68b1cbu * b + 0x596065u * (a < b ? a : b);
        const float d = other[n], more = fmaf(otok_binade(d), otok_dither(phase), 3e-7f),
                    expected = d + more > d ? d + more : d;
        CHECK(map[n] == expected, "rain in cell %d: %.9g, not %.9g", n, (double)map[n],
              (double)expected);
    }
}

static void check_deepest(const otok_backend *backend, otok_patch *patch)
{
    const int at = 1 * SIDE + 60000;
    otok_diagnostics_request request = {.patch = patch};
    request.maps = (otok_diagnostics_maps){.nx = SIDE, .ny = ROWS, .first = SIDE - ROWS};
    MUST(backend->get(patch, OTOK_WATER, map));
    map[at] = 5000;
    MUST(backend->put(patch, OTOK_WATER, map));
    MUST(backend->diagnose(patch, &request));
    const int64_t found = otok_diagnostics_cell(
                      request.found.diagnostics.most[OTOK_DIAGNOSTICS_DEEPEST]),
                  expected = (int64_t)(SIDE - ROWS) * SIDE + at;
    CHECK(found == expected, "the deepest cell is %lld, not %lld", (long long)found,
          (long long)expected);
}

/* ---- places in bands of that grid, with a backend that has no memory ---- */

static otok_status none_sums(otok_patch *patch, otok_sum *out)
{
    (void)patch;
    memset(out, 0, OTOK_SUMS * sizeof *out);
    return OTOK_OK;
}

/* The upper right cell of each band has changed most, by its number. */
static otok_status corner(otok_patch *patch, otok_diagnostics_request *r)
{
    const int row = r->maps.first + patch->view.ny - patch->view.shared[1] - 1;
    CHECK(row >= 0 && row < SIDE / 2, "a band counts from row %d", row);
    CHECK((row & 1) == 1, "the parity of row %d", row); /* each band ends below an even row */
    const uint32_t cell = (uint32_t)((int64_t)row * SIDE + SIDE - 1);
    r->found = (otok_diagnostics_result){0};
    r->found.diagnostics.most[OTOK_DIAGNOSTICS_CHANGED] =
        otok_diagnostics_key(1000u + (uint32_t)patch->slot, cell);
    r->found.diagnostics.most[OTOK_DIAGNOSTICS_NOT_FINITE] = otok_diagnostics_key(0, cell);
    r->found.diagnostics.most[OTOK_DIAGNOSTICS_HIGHEST] = 77;
    return OTOK_OK;
}

static void place_corners(void)
{
    const otok_backend inner = {.name = "none", .diagnose = corner, .sums = none_sums};
    const int first[] = {0, 21846, 43692, SIDE};
    otok_patch patches[4] = {{.slot = 0}, {.slot = 1}, {.slot = 2}};
    otok_bands bands = {.inner = &inner, .upto = 3, .patches = patches};
    otok_diagnostics_request request = {.maps = {.nx = SIDE, .ny = SIDE}};
    MUST(otok_cut_make(&bands.cut, SIDE, 3, first, OTOK_BANDS_DEPTH, 0));
    for (int n = 0; n < 3; n++) {
        patches[n].view.nx = SIDE;
        patches[n].view.ny = otok_cut_height(&bands.cut, n);
        patches[n].view.shared[0] = bands.cut.below[n];
        patches[n].view.shared[1] = bands.cut.above[n];
    }
    MUST(otok_bands_diagnose(&bands, &request));
    const uint64_t *most = request.found.diagnostics.most;
    const int64_t last = otok_diagnostics_cell(most[OTOK_DIAGNOSTICS_CHANGED]),
                  earliest = otok_diagnostics_cell(most[OTOK_DIAGNOSTICS_NOT_FINITE]);
    CHECK(last == (INT64_C(1) << 32) - 1, "the cell that changed most is %lld", (long long)last);
    CHECK(most[OTOK_DIAGNOSTICS_CHANGED] >> 32 == 1002, "by another value");
    CHECK(earliest == 21846 * (int64_t)SIDE - 1, "the first bad cell is %lld", (long long)earliest);
    CHECK(most[OTOK_DIAGNOSTICS_HIGHEST] == 77, "what has no place has moved");
    otok_cut_destroy(&bands.cut);
}

int main(int argc, char **argv)
{
    const otok_backend *backend = CHECK_BACKEND(argc, argv);
    otok_patch patch;
    run_small(backend->name);
    ask_large(backend->name);
    create(backend, &patch);
    make_terrain(backend, &patch);
    rain(backend, &patch);
    check_deepest(backend, &patch);
    backend->destroy(&patch);
    place_corners();
    return check_failures != 0;
}
