/* backend_equality.c: every stage, on every kind of edge and on awkward sizes, leaves the same bits
   on every backend. The reference is the CPU with one thread and one call of run; what is compared
   with it has many threads, or a GPU, and several calls. Looks at what is left find the same. With
   a second argument, `few`, three grids only, for an emulated GPU and for compute-sanitizer, two
   of them for every second phase in layers and for the others without, and a strategy is tried on
   the programs that it carries out, for `plain` has the others; `small`, without the larger ones,
   and with one mixed edge on those of middle size, for ASan; `0/4`, the first of each four phases.
   Several backends, `cuda:fused,cuda:plain`, share the reference. Plain kernels of the CPU, which
   are the reference itself, run with more threads alone. CHECK_STRATEGIES, CHECK_SHARED: also by
   each strategy for a program. */
#include "states.h"

#include <omp.h>

static const int sizes[][2] = {{1, 1},     {1, 9},     {9, 1},     {2, 2},
                               {17, 33},   {100, 37},  {300, 21},  {248, 30},
                               {331, 101}, {513, 128}, {331, 203}, {512, 512}};
static const int edges[][OTOK_SIDES] = {
    {OTOK_CLOSED, OTOK_CLOSED, OTOK_CLOSED, OTOK_CLOSED},
    {OTOK_OPEN, OTOK_OPEN, OTOK_OPEN, OTOK_OPEN},
    {OTOK_PERIODIC, OTOK_PERIODIC, OTOK_PERIODIC, OTOK_PERIODIC},
    {OTOK_PERIODIC, OTOK_PERIODIC, OTOK_OPEN, OTOK_CLOSED},
    {OTOK_CLOSED, OTOK_OPEN, OTOK_PERIODIC, OTOK_PERIODIC},
};

static float *map, *other, *walls;

enum { ALONE, LAYERED, WALLED, KINDS };

static void start(const otok_backend *backend, otok_patch *patch, const prepared *with,
                  const int *size, const int *edge)
{
    memset(patch, 0, sizeof *patch);
    patch->view.nx = size[0], patch->view.ny = size[1];
    patch->view.x0 = 3, patch->view.y0 = 5; /* as if cut out of a larger grid */
    patch->view.global_nx = size[0] + 11, patch->view.global_ny = size[1] + 16;
    memcpy(patch->edges, edge, sizeof patch->edges);
    patch->seed = -3;
    patch->droplets = BATCH;
    MUST(backend->create(patch, with->needed, STEPS));
    poison(patch, backend, with->needed);
    for (int b = 0; b < OTOK_BUFFERS; b++) {
        uint32_t x = 2463534242u + (uint32_t)b;
        if (!otok_set_has(with->needed, b)) continue;
        const int walled = otok_set_has(with->needed, OTOK_WALLS);
        for (int n = 0; n < size[0] * size[1]; n++) {
            map[n] = value(b, &x);
            if (!walled || b == OTOK_TERRAIN_BASE) continue;
            if (walls[n] == OTOK_IN_WALL || is_blocked(walls, size[0], size[1], edge, b, n))
                map[n] = 0;
        }
        MUST(backend->put(patch, b, b == OTOK_WALLS ? walls : map));
    }
    otok_sum sums[OTOK_SUMS];
    for (int s = 0; s < OTOK_SUMS; s++)
        sums[s] = (otok_sum){1000 + s, -1000000007 * (int64_t)s};
    MUST(backend->set_sums(patch, sums));
}

/* What global stages keep for themselves: nobody else finds there what they left. */
static otok_set private_of(const otok_program *program)
{
    otok_set all = {0};
    for (int n = 0; n < program->nops; n++) {
        const otok_stage_info *stage = &otok_stage_infos[program->ops[n].a];
        if (program->ops[n].kind == OTOK_OP_STAGE && stage->reach == OTOK_ANYWHERE)
            all = otok_set_or(all, stage->seldom);
    }
    return all;
}

static void compare(const otok_backend *cpu, otok_patch *expected, const otok_backend *tested,
                    otok_patch *found, const prepared *with, const char *where)
{
    const otok_set private = private_of(&with->program);
    const size_t cells = (size_t)expected->view.nx * (size_t)expected->view.ny;
    const int plain = strstr(tested->name, ":plain") != NULL; /* then scratch is the same too */
    otok_sum a[OTOK_SUMS], b[OTOK_SUMS];
    MUST(cpu->sums(expected, a));
    MUST(tested->sums(found, b));
    for (int s = 0; s < OTOK_SUMS; s++)
        CHECK(a[s].hi == b[s].hi && a[s].lo == b[s].lo,
              "%s: sum %d is (%lld, %lld), expected (%lld, %lld)", where, s, (long long)b[s].hi,
              (long long)b[s].lo, (long long)a[s].hi, (long long)a[s].lo);
    for (int f = 0; f < OTOK_BUFFERS; f++) {
        if (!otok_set_has(with->needed, f) || (f >= OTOK_STORED && !plain)) continue;
        if (f >= OTOK_STORED && otok_set_has(private, f)) continue;
        otok_field_summary c, d;
        MUST(cpu->get(expected, f, map));
        MUST(tested->get(found, f, other));
        size_t n = 0;
        while (n < cells && memcmp(map + n, other + n, sizeof *map) == 0)
            n++;
        CHECK(n == cells, "%s: %s, cell %zu is %.9g, expected %.9g", where, otok_buffer_name(f), n,
              (double)other[n], (double)map[n]);
        MUST(cpu->measure(expected, f, &c));
        MUST(tested->measure(found, f, &d));
        CHECK(memcmp(&c, &d, sizeof c) == 0, "%s: %s: the summary differs", where,
              otok_buffer_name(f));
        CHECK(f >= OTOK_STORED || c.not_finite == 0, "%s: %s: %lld values are not finite", where,
              otok_buffer_name(f), (long long)c.not_finite);
    }
}

static void compare_diagnostics(const otok_diagnostics_result *a, const otok_diagnostics_result *b,
                                const char *where)
{
    for (int n = 0; n < OTOK_DIAGNOSTICS_SUMS; n++)
        CHECK(a->diagnostics.sums[n] == b->diagnostics.sums[n],
              "%s: a sample's sum %d is %lld, expected %lld", where, n,
              (long long)b->diagnostics.sums[n], (long long)a->diagnostics.sums[n]);
    for (int n = 0; n < OTOK_DIAGNOSTICS_MOSTS; n++)
        CHECK(a->diagnostics.most[n] == b->diagnostics.most[n],
              "%s: a sample's most %d is %llx, expected %llx", where, n,
              (unsigned long long)b->diagnostics.most[n],
              (unsigned long long)a->diagnostics.most[n]);
    CHECK(memcmp(a, b, sizeof *a) == 0, "%s: diagnostics differ", where);
}

/* Are there kernels on chip for a flow per face of this phase? Over steps with friction along the
   vector of the flow, and between sides that are not open. */
static int is_on_chip(const otok_phase *phase, const int *sides)
{
    const otok_hydraulic *h = &phase->hydraulic;
    int open = 0;
    for (int side = 0; side < OTOK_SIDES; side++)
        open |= sides[side] == OTOK_OPEN;
    if (h->bed_steps == OTOK_BED_STEPS_CRITICAL &&
        (open || (h->law != OTOK_LAW_SHALLOW_WATER && h->friction != OTOK_FRICTION_VECTOR)))
        return 0;
    return phase->processes == OTOK_HYDRAULIC && h->pipes == OTOK_SIGNED && !phase->turns &&
           h->sea != OTOK_SEA_BASE_LEVEL && h->transport == OTOK_CONSERVATIVE && h->theta == 1 &&
           h->damping == OTOK_DAMPING_THETA && !phase->ndams && !phase->nrivers;
}

/* Of `few`: awkward sizes, every kind of edge once, and between sides that are not open, where
   water over steps is on chip. */
static int is_few(const otok_backend *tested, size_t size, size_t edge)
{
    return (size == 1 && edge == 1) || (size == 2 && edge == 4) || (size == 4 && edge == 3) ||
           (strcmp(tested->name, "cuda:fused") == 0 && size == 7 && edge == 0) || /* whole strips */
           (strcmp(tested->name, "cuda:resident") == 0 && size == 5 && edge % 2 == 0 && edge < 3);
}

/* Is this grid for this backend? A CPU has three threads from 32,768 cells on and five from 65,536,
   and rows of more than 510 cells in two parts; the reference itself differs by its threads alone.
   The two mixed edges have every kind of side along x and along y: larger grids of a CPU have
   these, the largest of them one in turn. Rows of 300 cells and the largest grid are for GPUs. */
static int is_tried(const otok_backend *tested, size_t size, size_t edge, size_t phase, int few,
                    int small)
{
    const int cells = sizes[size][0] * sizes[size][1], mixed = edge >= 3;
    const int is_gpu = strncmp(tested->name, "cuda", 4) == 0;
    if (few) return is_few(tested, size, edge);
    if (small) return cells < 1000 || (cells < 10000 && edge == 3 + size % 2);
    if (strcmp(tested->name, "cpu:plain") == 0) return cells == 331 * 101 && mixed;
    if (cells < 10000) return is_gpu || cells != 300 * 21;
    if (is_gpu) return cells == 331 * 203 || (cells == 512 * 512 && mixed);
    return (cells == 331 * 101 && mixed) || (cells == 513 * 128 && edge == 3 + phase % 2);
}

static void check_strategy(const otok_backend *tested, const char *strategy,
                           const otok_phase *phase, const int *sides, int kind, const char *where)
{
    const int layered = kind == LAYERED, walled = kind == WALLED;
    const int fuses =
        phase->processes == OTOK_MARINE_DIFFUSION ||
        (!layered &&
         (strncmp(phase->name, "signed", 6) == 0 || strncmp(phase->name, "between", 7) == 0 ||
          strcmp(phase->name, "local, steps") == 0 ||
          strcmp(phase->name, "local, steps, theta") == 0 ||
          (strncmp(phase->name, "shallow", 7) == 0 && !(phase->processes & OTOK_BEYOND_SIDES) &&
           phase->hydraulic.transport == OTOK_CONSERVATIVE)));
    const int taken = !fuses || walled || strcmp(tested->name, "cuda:fused") != 0;
    CHECK(taken || strcmp(strategy, "fused") == 0, "%s: the %s strategy", where, strategy);
    static const char *const between[] = {
        "conservative",         "published",    "signed, depth", "shallow water",
        "shallow water, steps", "local, steps", "thermal share"};
    for (size_t n = 0; walled && n < sizeof between / sizeof between[0]; n++)
        CHECK(strcmp(phase->name, between[n]) != 0 || strcmp(tested->name, "cuda:fused") != 0 ||
                  strcmp(strategy, "fused") == 0,
              "%s: the %s strategy", where, strategy);
    const int on_chip =
        kind == ALONE && is_on_chip(phase, sides) && strcmp(tested->name, "cuda:resident") == 0;
    CHECK(!on_chip || strcmp(strategy, "resident") == 0, "%s: the %s strategy", where, strategy);
}

/* The reference of one phase on one grid, once it was asked for, and its diagnostics. */
typedef struct reference {
    otok_patch patch;
    otok_diagnostics_result seen;
    int exists;
} reference;

static void ask(const otok_backend *cpu, reference *expected, const otok_phase *phase,
                const prepared *with, const otok_step *steps, const int *size, const int *edge)
{
    if (expected->exists) return;
    omp_set_num_threads(1);
    start(cpu, &expected->patch, with, size, edge);
    MUST(cpu->run(&expected->patch, &with->program, &with->k, steps, STEPS));
    expected->seen = diagnose(cpu, &expected->patch, phase, with->needed);
    expected->exists = 1;
}

/* One phase, on one grid. */
static void try(const otok_backend *cpu, const otok_backend *const *tested, const otok_phase *phase,
                int kind, size_t s, size_t e, int few)
{
    static const char *const kinds[] = {"", " in layers", " between walls"};
    prepared with;
    reference expected = {0};
    otok_step steps[STEPS];
    describe_steps(steps);
    prepare(&with, phase, kind == LAYERED ? &ground : NULL, edges[e], 1.5);
    if (kind == WALLED) {
        place_walls(walls, sizes[s][0], sizes[s][1], edges[e], (uint32_t)e);
        otok_set_add(&with.needed, OTOK_WALLS);
    }
    for (; *tested; tested++) {
        char where[160];
        otok_patch found;
        snprintf(where, sizeof where, "%s: %.40s%s, %d x %d, edges %zu", (*tested)->name,
                 phase->name, kinds[kind], sizes[s][0], sizes[s][1], e);
        omp_set_num_threads(5);
        start(*tested, &found, &with, sizes[s], edges[e]);
        const char *strategy = (*tested)->strategy(&found, &with.program, &with.k);
        check_strategy(*tested, strategy, phase, edges[e], kind, where);
        if (!few || strcmp(strategy, "plain") != 0 || strstr((*tested)->name, ":plain")) {
            ask(cpu, &expected, phase, &with, steps, sizes[s], edges[e]);
            omp_set_num_threads(5);
            MUST((*tested)->run(&found, &with.program, &with.k, steps, 2));
            MUST((*tested)->run(&found, &with.program, &with.k, steps + 2, 0));
            MUST((*tested)->run(&found, &with.program, &with.k, steps + 2,
                                STEPS - 2)); /* on chip a reef's tiles talk every 4 */
            compare(cpu, &expected.patch, *tested, &found, &with, where);
            const otok_diagnostics_result seen = diagnose(*tested, &found, phase, with.needed);
            compare_diagnostics(&expected.seen, &seen, where);
        }
        (*tested)->destroy(&found);
    }
    if (expected.exists) cpu->destroy(&expected.patch);
}

/* The backends of a list, such as `cuda:fused,cuda:resident`, and NULL. */
static void find_all(const otok_backend **tested, size_t most, char *list)
{
    size_t n = 0;
    for (char *name = strtok(list, ","); name && n + 1 < most; name = strtok(NULL, ","))
        tested[n++] = check_backend(name);
    tested[n] = NULL;
}

int main(int argc, char **argv)
{
    const otok_backend *tested[6], *cpu = NULL; /* argv[1]: CHECK_BACKEND, or some of them */
    char cpus[] = "cpu";
    int turn = 0, turns = 1;
    find_all(tested, sizeof tested / sizeof tested[0], argc > 1 ? argv[1] : cpus);
    MUST(otok_backend_find(&cpu, "cpu:plain"));
    const int few = argc > 2 && strcmp(argv[2], "few") == 0,
              small = argc > 2 && strcmp(argv[2], "small") == 0;
    const int shared = argc > 2 && sscanf(argv[2], "%d/%d", &turn, &turns) == 2;
    const int is_gpu = strncmp(tested[0]->name, "cuda", 4) == 0; /* no other way knows walls */
    if (!tested[0] || (argc > 2 && !few && !small && !shared)) return 2;
    map = malloc(sizeof *map * 1000 * 660);
    other = malloc(sizeof *other * 1000 * 660);
    walls = malloc(sizeof *walls * 1000 * 660);
    if (!map || !other || !walls) return 1;
    describe_phases();
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (size_t e = 0; e < sizeof edges / sizeof edges[0]; e++)
            for (int p = 0; p < nphases; p++) {
                const int cells = sizes[s][0] * sizes[s][1];
                const int drops = phases[p].processes & OTOK_DROPLETS; /* see walls_everywhere.c */
                const otok_backend *some[6];
                size_t n = 0;
                for (size_t t = 0; tested[t]; t++)
                    if (is_tried(tested[t], s, e, (size_t)p, few, small)) some[n++] = tested[t];
                some[n] = NULL;
                if (!n || p % turns != turn) continue;
                for (int kind = 0; kind < KINDS; kind++)
                    if ((kind == ALONE || cells <= 10000) &&
                        (kind != WALLED || (is_gpu && !drops)) &&
                        (!few || cells > 9 || (p + kind) % 2 == (int)s % 2))
                        try(cpu, some, &phases[p], kind, s, e, few);
            }
    free(map);
    free(other);
    free(walls);
    return check_failures != 0;
}
