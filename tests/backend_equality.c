/* backend_equality.c: every stage, on every kind of edge and on awkward sizes, leaves the same bits on every backend. The reference
   is the CPU with one thread and one call of run; what is compared with it has many threads, or a GPU, and several calls. Looks at
   what is left find the same. With a second argument, `few`, three grids only, for an emulated GPU and for compute-sanitizer;
   `small`, without the two largest, for ASan. CHECK_WAYS: also by each way through a program. */
#include "check.h"
#include "core/program.h"

#include <math.h>
#include <omp.h>

enum { STEPS = 7, MOST = 64, BATCH = 700 };

static const int sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {2, 2}, {17, 33}, {100, 37}, {300, 21}, {331, 203}, {512, 512}};
static const int edges[][OTOK_SIDES] = {
    {OTOK_CLOSED, OTOK_CLOSED, OTOK_CLOSED, OTOK_CLOSED},         {OTOK_OPEN, OTOK_OPEN, OTOK_OPEN, OTOK_OPEN},
    {OTOK_PERIODIC, OTOK_PERIODIC, OTOK_PERIODIC, OTOK_PERIODIC}, {OTOK_PERIODIC, OTOK_PERIODIC, OTOK_OPEN, OTOK_CLOSED},
    {OTOK_CLOSED, OTOK_OPEN, OTOK_PERIODIC, OTOK_PERIODIC},
};

static otok_phase phases[MOST];
static int nphases;

/* The ground of every second run. */
static const otok_scenario ground = {.grid = {0, 0, 1.5},
                                     .nlayers = 3,
                                     .layers = {{.name = "soil", .erodibility = 3, .talus = 20},
                                                {.name = "cap", .erodibility = 0.2, .talus = 60},
                                                {.name = "rock", .erodibility = 1, .talus = NAN}}};

static void describe_phases(void)
{
    const otok_hydraulic plain = {.dt = 0.05,
                                  .gravity = 9.81,
                                  .pipe_area = 1,
                                  .capacity = 0.3,
                                  .dissolve = 0.2,
                                  .deposit = 0.4,
                                  .evaporation = 0.1,
                                  .min_tilt = 1,
                                  .dry_depth = 1e-6,
                                  .wetness_max = 200,
                                  .transport = OTOK_CONSERVATIVE};
    const otok_thermal share = {.dt = 0.1, .talus = 30, .rate = 1, .law = OTOK_SHARE, .diagonal = OTOK_DIAGONAL_SQRT2};
    const otok_reef reef = {
        .dt = 0.5, .calcification = 0.5, .absorption = 0.3, .uptake = 0.04, .min_depth = 0.001, .max_depth = 8, .carbon = 0.25};
    const otok_droplets drops = {.dt = 1.2,
                                 .density = 1,
                                 .friction = 0.05,
                                 .deposition_rate = 0.1,
                                 .evaporation = 0.01,
                                 .min_volume = 0.5,
                                 .count = STEPS * BATCH,
                                 .batch = BATCH,
                                 .max_steps = 64};
    otok_phase *p = phases;
    *p++ = (otok_phase){.name = "conservative", .processes = OTOK_HYDRAULIC, .hydraulic = plain};

    *p = (otok_phase){.name = "semi-lagrangian", .processes = OTOK_HYDRAULIC, .hydraulic = plain};
    p->hydraulic.transport = OTOK_SEMI_LAGRANGIAN;
    p->hydraulic.diffusion_sweeps = 2;
    p->hydraulic.slope = OTOK_SLOPE_DOWNHILL;
    p->hydraulic.capacity_law = OTOK_CAPACITY_SPEED_DEPTH;
    p++;

    *p = (otok_phase){.name = "displacing", .processes = OTOK_HYDRAULIC | OTOK_THERMAL, .hydraulic = plain, .thermal = share};
    p->hydraulic.displace_water = 1;
    p->hydraulic.diffusivity = 2;
    p->hydraulic.rates = OTOK_PER_ITERATION;
    p->hydraulic.slope = OTOK_SLOPE_CENTRAL_ONE_SPACING;
    p++;

    *p++ = (otok_phase){.name = "springs", .processes = OTOK_HYDRAULIC, .nrivers = 1, .hydraulic = plain}; /* and a rain map */
    static const struct {
        const char *name;
        int pipes, area, transport;
        double manning;
    } kinds[] = {
        {"one-way, constant, friction", OTOK_ONE_WAY, OTOK_AREA_CONSTANT, OTOK_CONSERVATIVE, 0.05},
        {"one-way, depth, semi-lagrangian", OTOK_ONE_WAY, OTOK_AREA_DEPTH, OTOK_SEMI_LAGRANGIAN, 0},
        {"signed, constant", OTOK_SIGNED, OTOK_AREA_CONSTANT, OTOK_CONSERVATIVE, 0},
        {"signed, depth, friction", OTOK_SIGNED, OTOK_AREA_DEPTH, OTOK_CONSERVATIVE, 0.05},
    };
    for (int n = 0; n < 4; n++) {
        *p = (otok_phase){.processes = OTOK_HYDRAULIC, .hydraulic = plain};
        strcpy(p->name, kinds[n].name);
        p->hydraulic.pipes = kinds[n].pipes;
        p->hydraulic.area = kinds[n].area;
        p->hydraulic.transport = kinds[n].transport;
        p++->hydraulic.manning = kinds[n].manning;
    }
    *p = (otok_phase){.name = "signed, constant, friction", .processes = OTOK_HYDRAULIC, .hydraulic = plain};
    p->hydraulic.pipes = OTOK_SIGNED;
    p->hydraulic.manning = 0.03;
    p->hydraulic.displace_water = 1;
    p->hydraulic.slope = OTOK_SLOPE_DOWNHILL;
    p++;

    *p = (otok_phase){.name = "signed, depth", .processes = OTOK_HYDRAULIC | OTOK_THERMAL, .hydraulic = plain, .thermal = share};
    p->hydraulic.pipes = OTOK_SIGNED;
    p->hydraulic.area = OTOK_AREA_DEPTH;
    p->hydraulic.capacity_law = OTOK_CAPACITY_SPEED_DEPTH;
    p++;

    *p = (otok_phase){.name = "published", .processes = OTOK_HYDRAULIC, .hydraulic = plain};
    p->hydraulic.transport = OTOK_SEMI_LAGRANGIAN;
    p->hydraulic.diffusion_sweeps = 1;
    p++;

    *p = (otok_phase){.name = "advection", .processes = OTOK_HYDRAULIC | OTOK_THERMAL, .hydraulic = plain, .thermal = share};
    p->hydraulic.transport = OTOK_SEMI_LAGRANGIAN;
    p->hydraulic.displace_water = 1;
    p->hydraulic.capacity_law = OTOK_CAPACITY_SPEED_DEPTH;
    p++;

    *p = (otok_phase){.name = "displacing downhill", .processes = OTOK_HYDRAULIC, .hydraulic = plain};
    p->hydraulic.displace_water = 1;
    p->hydraulic.slope = OTOK_SLOPE_DOWNHILL;
    p++;

    *p = (otok_phase){.name = "both erosions", .processes = OTOK_HYDRAULIC | OTOK_THERMAL, .hydraulic = plain, .thermal = share};
    p->hydraulic.displace_water = 1;
    p++;

    *p = (otok_phase){.name = "both, downhill", .processes = OTOK_HYDRAULIC | OTOK_THERMAL, .hydraulic = plain, .thermal = share};
    p->hydraulic.slope = OTOK_SLOPE_DOWNHILL;
    p->hydraulic.capacity_law = OTOK_CAPACITY_SPEED_DEPTH;
    p++;

    *p++ = (otok_phase){.name = "thermal share", .processes = OTOK_THERMAL, .thermal = share};

    *p = (otok_phase){.name = "thermal excess", .processes = OTOK_THERMAL, .thermal = share};
    p->thermal.law = OTOK_EXCESS;
    p->thermal.diagonal = OTOK_DIAGONAL_ONE;
    p++;

    *p++ = (otok_phase){.name = "droplets", .processes = OTOK_DROPLETS, .droplets = drops};

    *p = (otok_phase){.name = "droplets lost", .processes = OTOK_DROPLETS | OTOK_THERMAL, .thermal = share, .droplets = drops};
    p->droplets.losses = OTOK_LOSSES_AS_PUBLISHED;
    p->droplets.max_steps = 9;
    p++;

    *p++ = (otok_phase){.name = "seabed", .processes = OTOK_SEABED, .seabed = {.sweeps = 3}};
    *p++ = (otok_phase){.name = "reef alone", .processes = OTOK_REEF_GROWTH, .reef = reef};
    *p++ = (otok_phase){.name = "reef", .processes = OTOK_REEF_GROWTH | OTOK_SEABED, .seabed = {.sweeps = 1}, .reef = reef};
    nphases = (int)(p - phases);
}

/* Marsaglia's xorshift; 0 <= x < 1. */
static float draw(uint32_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 17;
    *x ^= *x << 5;
    return (float)(*x >> 8) * 0x1p-24f;
}

static float value(int buffer, uint32_t *x)
{
    const float a = draw(x), b = draw(x);
    switch (buffer) {
    case OTOK_TERRAIN_BASE: return 20 * a;
    case OTOK_TERRAIN_CHANGE: return 2 * a - 1;
    case OTOK_WATER:
        return b < 0.3f ? 0 : b < 0.4f ? 1e-7f * a : b < 0.5f ? 1e-40f * a : a; /* denormals too: long dry spells end there */
    case OTOK_SEDIMENT: return b < 0.2f ? 0 : 0.1f * a;
    case OTOK_OUTFLOW_LEFT:
    case OTOK_OUTFLOW_RIGHT:
    case OTOK_OUTFLOW_BOTTOM:
    case OTOK_OUTFLOW_TOP: return b < 0.3f ? 0 : 0.3f * a;
    case OTOK_VELOCITY_X:
    case OTOK_VELOCITY_Y: return 4 * a - 2;
    case OTOK_CARBON: return 0.5f * a;
    case OTOK_REEF: return 2 * a;
    case OTOK_RAIN_MAP: return b < 0.3f ? 0 : 3 * a;
    case OTOK_SPRINGS: return b < 0.7f ? 0 : 0.02f * a;
    case OTOK_WETNESS: return floorf(256 * a);
    case OTOK_ERODIBILITY: return 2 * a;
    case OTOK_LAYER_BOTTOM: return 0.6f + 0.3f * a; /* in some cells the ground is below it: no soil there */
    case OTOK_LAYER_BOTTOM + 1: return 0.3f + 0.3f * a;
    default: return NAN; /* scratch: whoever reads before writing shows it */
    }
}

static float *map, *other;
static uint64_t needed;

static void start(const otok_backend *backend, otok_patch *patch, const int *size, const int *edge)
{
    memset(patch, 0, sizeof *patch);
    patch->view.nx = size[0], patch->view.ny = size[1];
    patch->view.x0 = 3, patch->view.y0 = 5, patch->view.global_nx = size[0] + 11; /* as if cut out of a larger grid */
    memcpy(patch->edges, edge, sizeof patch->edges);
    patch->comm = &otok_comm_solo;
    patch->seed = -3;
    patch->droplets = BATCH;
    MUST(backend->create(patch, needed, STEPS));
    for (int b = 0; b < OTOK_BUFFERS; b++) {
        uint32_t x = 2463534242u + (uint32_t)b;
        if (!(needed >> b & 1)) continue;
        for (int n = 0; n < size[0] * size[1]; n++)
            map[n] = value(b, &x);
        MUST(backend->put(patch, b, map));
    }
    otok_sum sums[OTOK_SUMS];
    for (int s = 0; s < OTOK_SUMS; s++)
        sums[s] = (otok_sum){1000 + s, -1000000007 * (int64_t)s};
    MUST(backend->set_sums(patch, sums));
}

static void compare(const otok_backend *cpu, otok_patch *expected, const otok_backend *tested, otok_patch *found, const char *where)
{
    const size_t cells = (size_t)expected->view.nx * (size_t)expected->view.ny;
    const int plain = strstr(tested->name, ":plain") != NULL; /* then scratch is the same too */
    otok_sum a[OTOK_SUMS], b[OTOK_SUMS];
    MUST(cpu->sums(expected, a));
    MUST(tested->sums(found, b));
    for (int s = 0; s < OTOK_SUMS; s++)
        CHECK(a[s].hi == b[s].hi && a[s].lo == b[s].lo, "%s: sum %d is (%lld, %lld), expected (%lld, %lld)", where, s,
              (long long)b[s].hi, (long long)b[s].lo, (long long)a[s].hi, (long long)a[s].lo);
    for (int f = 0; f < OTOK_BUFFERS; f++) {
        if (!(needed >> f & 1) || (f >= OTOK_STORED && !plain)) continue;
        otok_census c, d;
        MUST(cpu->get(expected, f, map));
        MUST(tested->get(found, f, other));
        size_t n = 0;
        while (n < cells && memcmp(map + n, other + n, sizeof *map) == 0)
            n++;
        CHECK(n == cells, "%s: buffer %d, cell %zu is %.9g, expected %.9g", where, f, n, (double)other[n], (double)map[n]);
        MUST(cpu->measure(expected, f, &c));
        MUST(tested->measure(found, f, &d));
        CHECK(memcmp(&c, &d, sizeof c) == 0, "%s: buffer %d: the census differs", where, f);
        CHECK(f >= OTOK_STORED || c.not_finite == 0, "%s: buffer %d: %lld values are not finite", where, f,
              (long long)c.not_finite);
    }
}

static otok_findings look(const otok_backend *backend, otok_patch *patch, const otok_phase *phase)
{
    const otok_view *v = &patch->view;
    otok_survey survey = {.patch = patch, .fields = needed & ((UINT64_C(1) << OTOK_STORED) - 1)};
    survey.maps = (otok_look_maps){.nx = v->nx, .ny = v->ny, .flows = (phase->processes & OTOK_HYDRAULIC) != 0};
    survey.maps.wrap_x = patch->edges[OTOK_LEFT] == OTOK_PERIODIC;
    survey.maps.wrap_y = patch->edges[OTOK_BOTTOM] == OTOK_PERIODIC;
    survey.maps.is_signed = phase->hydraulic.pipes == OTOK_SIGNED;
    survey.maps.k = (otok_detect_coefficients){.arrived = 0.05f, .fast = 4.0f, .dry = 0.01f};
    MUST(backend->look(patch, &survey));
    return survey.found;
}

static void compare_looks(const otok_findings *a, const otok_findings *b, const char *where)
{
    for (int n = 0; n < OTOK_LOOK_SUMS; n++)
        CHECK(a->look.sums[n] == b->look.sums[n], "%s: a look's sum %d is %lld, expected %lld", where, n,
              (long long)b->look.sums[n], (long long)a->look.sums[n]);
    for (int n = 0; n < OTOK_LOOK_MOSTS; n++)
        CHECK(a->look.most[n] == b->look.most[n], "%s: a look's most %d is %llx, expected %llx", where, n,
              (unsigned long long)b->look.most[n], (unsigned long long)a->look.most[n]);
    CHECK(memcmp(a, b, sizeof *a) == 0, "%s: looks differ", where);
}

/* Of `few`: awkward sizes, every kind of edge once. */
static int is_few(size_t size, size_t edge)
{
    return (size == 1 && edge == 1) || (size == 2 && edge == 4) || (size == 4 && edge == 3);
}

int main(int argc, char **argv)
{
    const int few = argc > 2 && strcmp(argv[2], "few") == 0, small = argc > 2 && !few;
    const otok_backend *tested = CHECK_BACKEND(argc, argv), *cpu = NULL;
    MUST(otok_backend_find(&cpu, "cpu:plain"));
    map = malloc(sizeof *map * 512 * 512);
    other = malloc(sizeof *other * 512 * 512);
    if (!map || !other) return 1;
    describe_phases();
    otok_step steps[STEPS];
    for (int n = 0; n < STEPS; n++)
        steps[n] = (otok_step){n % 3 ? 0.01f : 0, 10 + 0.25f * (float)n, INT64_C(1) << (8 * n), n ? BATCH - 100 * n : BATCH};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0] - (small ? 2 : 0); s++)
        for (size_t e = sizes[s][0] < 512 ? 0 : 3; e < sizeof edges / sizeof edges[0]; e++) /* the largest: mixed edges only */
            for (int n = 0; n < 2 * nphases; n++) {
                const int p = n / 2, layered = n % 2;
                if (few && !is_few(s, e)) continue;
                if (layered && sizes[s][0] * sizes[s][1] > 10000) continue;
                char where[128];
                otok_program program;
                otok_coefficients k;
                otok_patch expected, found;
                snprintf(where, sizeof where, "%.40s%s, %d x %d, edges %zu", phases[p].name, layered ? " in layers" : "",
                         sizes[s][0], sizes[s][1], e);
                MUST(otok_program_for_phase(&program, &phases[p], edges[e]));
                otok_coefficients_for_phase(&k, &phases[p], 1.5);
                needed = otok_program_buffers(&program);
                if (layered) {
                    otok_program_layer(&program);
                    otok_coefficients_for_layers(&k, &ground, &phases[p]);
                    needed |= otok_scenario_ground(&ground) | UINT64_C(1) << OTOK_ERODIBILITY;
                }
                omp_set_num_threads(1);
                start(cpu, &expected, sizes[s], edges[e]);
                MUST(cpu->run(&expected, &program, &k, steps, STEPS));
                omp_set_num_threads(5);
                start(tested, &found, sizes[s], edges[e]);
                const char *way = tested->way(&found, &program, &k);
                const int taken = layered || strncmp(phases[p].name, "signed", 6) != 0 || strcmp(tested->name, "cuda:fused") != 0;
                CHECK(taken || strcmp(way, "fused") == 0, "%s: the %s way", where, way);
                MUST(tested->run(&found, &program, &k, steps, 2));
                MUST(tested->run(&found, &program, &k, steps + 2, 0));
                MUST(tested->run(&found, &program, &k, steps + 2, STEPS - 2)); /* on chip a reef's tiles talk every 4 */
                compare(cpu, &expected, tested, &found, where);
                const otok_findings seen = look(tested, &found, &phases[p]);
                omp_set_num_threads(1);
                const otok_findings see = look(cpu, &expected, &phases[p]);
                compare_looks(&see, &seen, where);
                cpu->destroy(&expected);
                tested->destroy(&found);
            }
    free(map);
    free(other);
    return check_failures != 0;
}
