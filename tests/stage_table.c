/* stage_table.c - claim: what stages.def says of a stage is so. A stage gives the same when all
   that it does not read is changed, changes only what it writes, and depends on no cell beyond its
   reach. One that says CARRIED moves the layers with the ground. Droplets, which move anywhere, are
   left out. Beside walls (core/walls.h) there is room for all that a stage reads of its
   neighbours. */
#include "core/walls.h"
#include "cpu/cpu.h"
#include "states.h"

enum { NX = 25, NY = 20 };

static otok_patch one, other;

static size_t bytes_of(int b)
{
    return b == OTOK_WETNESS ? 1 : sizeof(float);
}

/* Row j of a buffer, from its ghost on; wetness is kept in bytes. */
static char *row_of(const otok_view *v, int b, int j)
{
    return b == OTOK_WETNESS ? (char *)(v->wetness + j * v->pitch - 1)
                             : (char *)(v->at[b] + j * v->pitch - 1);
}

/* Makes `other` a copy of `one`, ghosts included. */
static void copy(otok_set needed)
{
    for (int b = 0; b < OTOK_BUFFERS; b++)
        for (int j = -1; otok_set_has(needed, b) && j <= NY; j++)
            memcpy(row_of(&other.view, b, j), row_of(&one.view, b, j), (NX + 2) * bytes_of(b));
}

/* Changes the cells of a buffer of `other` for which `keep` is 0. */
static void spoil(int b, int (*keep)(int i, int j), uint32_t *x)
{
    for (int j = -1; j <= NY; j++)
        for (int i = -1; i <= NX; i++) {
            char *cell = row_of(&other.view, b, j) + (size_t)(i + 1) * bytes_of(b);
            const float number = 0.01f + draw(x);
            if (keep(i, j)) continue;
            if (b == OTOK_WETNESS)
                *(uint8_t *)cell = (uint8_t)(255 * number);
            else
                memcpy(cell, &number, sizeof number);
        }
}

static int no_cell(int i, int j)
{
    (void)i, (void)j;
    return 0;
}

static int checkerboard(int i, int j)
{
    return (i + j) & 1;
}

static int blocks(int i, int j) /* of 3 x 3 cells, two cells apart */
{
    return (i + 5) % 5 < 3 && (j + 5) % 5 < 3;
}

static int middles(int i, int j)
{
    return (i + 5) % 5 == 1 && (j + 5) % 5 == 1;
}

static int every_cell(int i, int j)
{
    (void)i, (void)j;
    return 1;
}

/* The first cell in which a buffer differs between the two, -1: none. */
static int differs(const otok_view *a, const otok_view *b, int buffer, int (*where)(int i, int j))
{
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            const size_t at = (size_t)(i + 1) * bytes_of(buffer);
            if (where(i, j) &&
                memcmp(row_of(a, buffer, j) + at, row_of(b, buffer, j) + at, bytes_of(buffer)) != 0)
                return j * NX + i;
        }
    return -1;
}

static void run(otok_patch *patch, int stage, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    cpu_stages[stage](patch, (otok_box){0, NX, 0, NY}, k);
    /* Nobody reads the other pipes of a cell out of which nothing slides (core/slides.h). */
    for (int n = 0; n < NX * NY && stage == OTOK_STAGE_THERMAL_OUTFLOW_LAYERED; n++)
        for (int b = OTOK_PIPE_LEFT + 1; b <= OTOK_PIPE_TOP_RIGHT; b++) {
            const ptrdiff_t at = n / NX * v->pitch + n % NX;
            if (v->at[OTOK_PIPE_LEFT][at] < 0) v->at[b][at] = NAN;
        }
}

/* A stage that carries the layers moves their bottoms as it moved the ground, to the last digit,
   and lays nothing down. */
static void check_carried(const char *stage, const char *phase, float was[][NY][NX + 2],
                          otok_sum booked)
{
    const otok_view *v = &one.view;
    int moved = 0, behind = 0;
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            const ptrdiff_t at = j * v->pitch + i;
            const float rise = v->at[OTOK_TERRAIN_CHANGE][at] - was[OTOK_TERRAIN_CHANGE][j][i + 1];
            moved |= rise != 0;
            for (int k = OTOK_LAYER_BOTTOM; k < OTOK_LAYER_BOTTOM + ground.nlayers - 1; k++)
                behind += !(fabsf(v->at[k][at] - was[k][j][i + 1] - rise) <= 0x1p-23f);
        }
    CHECK(!behind, "%s: %s: %d bottoms of layers stay behind", phase, stage, behind);
    CHECK(moved && memcmp(&booked, &v->sums[OTOK_SUM_DEPOSITED], sizeof booked) == 0,
          "%s: %s moves nothing, or books it as deposited", phase, stage);
}

/* `one` is before the stage when this begins, and after it when it ends. */
static void check_stage(int stage, const prepared *with, const char *phase, uint32_t *x)
{
    const otok_stage_info *info = &otok_stage_infos[stage];
    const otok_set read = otok_set_or(info->reads, otok_set_or(info->seldom, info->given)),
                   spoilt = otok_set_without(with->needed, read),
                   writes = otok_stage_changes(stage);
    const int reads = !otok_set_is_empty(info->reads) && info->reach != OTOK_ANYWHERE;
    int (*const keep)(int, int) = info->reach == OTOK_HERE ? checkerboard : blocks;
    int (*const kept)(int, int) = info->reach == OTOK_HERE ? checkerboard : middles;
    CHECK(otok_set_is_empty(otok_set_without(otok_stage_touches(info), with->needed)),
          "%s: %s touches buffers that the program does not have", phase, info->name);
    copy(with->needed);
    for (int b = 0; b < OTOK_BUFFERS; b++)
        if (otok_set_has(spoilt, b)) spoil(b, no_cell, x);
    run(&other, stage, &with->k);
    static float kept_maps[OTOK_BUFFERS][NY][NX + 2];
    for (int b = 0; b < OTOK_BUFFERS; b++)
        for (int j = 0; otok_set_has(with->needed, b) && j < NY; j++)
            memcpy(kept_maps[b][j], row_of(&one.view, b, j), (NX + 2) * bytes_of(b));
    const otok_sum booked = one.view.sums[OTOK_SUM_DEPOSITED];
    run(&one, stage, &with->k);
    if (info->layers == OTOK_STAGE_CARRIED && otok_set_has(with->needed, OTOK_LAYER_BOTTOM))
        check_carried(info->name, phase, kept_maps, booked);
    for (int b = 0; b < OTOK_BUFFERS; b++) {
        if (!otok_set_has(with->needed, b)) continue;
        const int written = otok_set_has(writes, b);
        if (otok_set_has(info->writes, b)) {
            const int cell = differs(&one.view, &other.view, b, every_cell);
            CHECK(cell < 0, "%s: %s: %s, cell %d depends on what it is said not to read", phase,
                  info->name, otok_buffer_name(b), cell);
        }
        for (int j = 0; !written && j < NY; j++)
            CHECK(memcmp(kept_maps[b][j], row_of(&one.view, b, j), (NX + 2) * bytes_of(b)) == 0,
                  "%s: %s changes `%s`, which it is said not to write", phase, info->name,
                  otok_buffer_name(b));
    }
    for (int b = 0; b < OTOK_BUFFERS; b++) /* again from before, all but some cells changed */
        for (int j = 0; otok_set_has(with->needed, b) && j < NY; j++)
            memcpy(row_of(&other.view, b, j), kept_maps[b][j], (NX + 2) * bytes_of(b));
    for (int b = 0; b < OTOK_BUFFERS; b++)
        if (otok_set_has(with->needed, b) && reads) spoil(b, keep, x);
    run(&other, stage, &with->k);
    for (int b = 0; b < OTOK_BUFFERS; b++) {
        if (!otok_set_has(info->writes, b) || !reads) continue;
        const int cell = differs(&one.view, &other.view, b, kept);
        CHECK(cell < 0, "%s: %s: %s, cell %d depends on cells beyond the reach of the stage", phase,
              info->name, otok_buffer_name(b), cell);
    }
}

static void start(otok_patch *patch, const otok_backend *cpu, const prepared *with,
                  const int *edges)
{
    static float map[NX * NY];
    memset(patch, 0, sizeof *patch);
    patch->view.nx = patch->view.global_nx = NX;
    patch->view.ny = patch->view.global_ny = NY;
    memcpy(patch->edges, edges, sizeof patch->edges);
    MUST(cpu->create(patch, with->needed, STEPS));
    for (int b = 0; b < OTOK_BUFFERS; b++) {
        uint32_t x = 88172645u + (uint32_t)b;
        for (int n = 0; n < NX * NY; n++)
            map[n] = b < OTOK_STORED || b >= OTOK_MAPS || b == OTOK_SPRINGS ||
                             b == OTOK_SPRING_OF || (b >= OTOK_DAM_RIGHT && b <= OTOK_DAM_PART_TOP)
                         ? value(b, &x)
                         : draw(&x);
        if (otok_set_has(with->needed, b)) MUST(cpu->put(patch, b, map));
    }
}

static void check_phase(const otok_backend *cpu, const otok_phase *phase,
                        const otok_scenario *layers, const int *edges)
{
    static const int zero = 0;
    otok_step steps[STEPS];
    prepared with;
    uint32_t x = 521288629u;
    describe_steps(steps);
    steps[1].turns = 1;
    prepare(&with, phase, layers, edges, 1);
    start(&one, cpu, &with, edges);
    start(&other, cpu, &with, edges);
    one.view.steps = other.view.steps = &steps[1];
    one.view.now = other.view.now = &zero;
    for (int n = 0; n < with.program.nops; n++) {
        const otok_op op = with.program.ops[n];
        if (op.kind == OTOK_OP_HALO) cpu_halo(&one, op.a, (otok_halo)op.b);
        if (op.kind == OTOK_OP_SWAP)
            cpu_swap(&one.view, op.a, op.b), cpu_swap(&other.view, op.a, op.b);
        if (op.kind == OTOK_OP_STAGE) check_stage(op.a, &with, phase->name, &x);
    }
    cpu->destroy(&one);
    cpu->destroy(&other);
}

int main(void)
{
    static const int edges[][OTOK_SIDES] = {{OTOK_CLOSED, OTOK_CLOSED, OTOK_CLOSED, OTOK_CLOSED},
                                            {OTOK_OPEN, OTOK_OPEN, OTOK_OPEN, OTOK_OPEN},
                                            {OTOK_PERIODIC, OTOK_PERIODIC, OTOK_OPEN, OTOK_CLOSED}};
    const otok_backend *cpu = check_backend("cpu:plain");
    describe_phases();
    for (int s = 0; s < OTOK_STAGES; s++) {
        const otok_stage_info *i = &otok_stage_infos[s];
        const int n = otok_set_size(otok_stage_around(i));
        CHECK(i->reach != OTOK_BESIDE || n <= OTOK_WALLED_READS, "%s reads %d buffers", i->name, n);
    }
    for (int n = 0; n < nphases; n++)
        for (int e = 0; e < 3 && !(phases[n].processes & OTOK_DROPLETS); e++) {
            check_phase(cpu, &phases[n], NULL, edges[e]);
            check_phase(cpu, &phases[n], &ground, edges[e]);
        }
    return check_failures > 0;
}
