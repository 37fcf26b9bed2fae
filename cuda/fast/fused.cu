/* fused.cu: the fused strategy: an iteration is a few kernels, each a whole family of stages in one
   pass over memory. This file recognises programs and divides them among warps; the kernels are in
   the files of the families. Stages in no family run by plain kernels between the passes. At 4096²
   hydraulic erosion is 2.4 times as fast as by plain kernels, thermal 4.6 times (one H200). */
#include "fused.h"

#include "scenario/program.h"
#include "scenario/scenario.h"

#include <stdlib.h>
#include <string.h>

static const otok_fused_family *const families[] = {
    &otok_fused_conservative, &otok_fused_advection_mix, &otok_fused_advection,
    &otok_fused_signed,       &otok_fused_around,        &otok_fused_held,
    &otok_fused_shallow,      &otok_fused_stepped,       &otok_fused_thermal,
    &otok_fused_marine,       &otok_fused_marine_layered};

/* These ops need no pass of their own: halos are made where they are used, and what happens at
   sides together with the rest. */
static bool aside(const otok_op &op)
{
    return op.kind == otok_op::OTOK_OP_HALO ||
           (op.kind == otok_op::OTOK_OP_STAGE && otok_stage_is_of_sides(op.a));
}

static int skip(const otok_program *program, int at)
{
    while (at < program->nops && aside(program->ops[at]))
        at++;
    return at;
}

/* The index in the program after the family's last op, or -1 if its ops do not come next. */
static int follow(const otok_program *program, int at, const otok_fused_family *family)
{
    for (int n = 0; n < family->nops; n++) {
        at = skip(program, at);
        const otok_op *op = &program->ops[at], *wanted = &family->ops[n];
        if (at == program->nops || op->kind != wanted->kind || op->a != wanted->a ||
            op->b != wanted->b)
            return -1;
        at++;
    }
    return at;
}

/* The segments of the program, in order, and their number; 0 if no family is among them. A family
   of hydraulic erosion books rain and evaporation from the water that its last pass left, so that
   no plain stage may change the water too. */
int otok_fused_segments(otok_fused_segment *out, const otok_program *program, bool walls)
{
    int count = 0, families_used = 0;
    bool hydraulic = false, waters = false;
    for (int at = 0; at < program->nops;) {
        const otok_fused_family *family = NULL;
        int next = -1;
        for (size_t f = 0; next < 0 && f < sizeof families / sizeof families[0]; f++) {
            if (walls && !families[f]->walls) continue;
            next = follow(program, at, families[f]);
            if (next >= 0) family = families[f];
        }
        if (family) {
            families_used++;
            hydraulic |= family->partner != 0;
            out[count++] = {family, at, next};
            at = next;
            continue;
        }
        const otok_op op = program->ops[at];
        if (op.kind == otok_op::OTOK_OP_STAGE)
            waters |= otok_set_has(otok_stage_infos[op.a].writes, OTOK_WATER) ||
                      otok_set_has(otok_stage_infos[op.a].writes, OTOK_WATER_NEXT);
        if (count > 0 && !out[count - 1].family && out[count - 1].upto == at)
            out[count - 1].upto++;
        else
            out[count++] = {NULL, at, at + 1};
        at++;
    }
    return families_used == 0 || (hydraulic && waters) ? 0 : count;
}

/* Does a plain stage of the program read velocities? */
bool otok_fused_has_racers(const otok_program *program, const otok_fused_segment *segments,
                           int count)
{
    bool reads = false;
    for (int s = 0; s < count; s++)
        for (int n = segments[s].from; !segments[s].family && n < segments[s].upto; n++)
            reads |= program->ops[n].kind == otok_op::OTOK_OP_STAGE &&
                     otok_set_has(otok_stage_infos[program->ops[n].a].reads, OTOK_VELOCITY_X);
    return reads;
}

/* Allocates second buffers, with zero ghosts as the outflows have. False: not enough memory. */
static bool partners(const otok_patch *patch, unsigned wanted)
{
    otok_cuda_own *own = otok_cuda_own_of(patch);
    const otok_view *v = &patch->view;
    const ptrdiff_t offset = v->at[OTOK_TERRAIN_BASE] - own->memory[OTOK_TERRAIN_BASE];
    const size_t bytes = ((size_t)(v->ny + 1) * (size_t)v->pitch + (size_t)offset) * sizeof(float);
    for (int n = 0; n < OTOK_SIDES; n++) {
        if (!(wanted >> n & 1) || own->spare_memory[n]) continue;
        if (cudaMalloc((void **)&own->spare_memory[n], bytes) != cudaSuccess ||
            cudaMemsetAsync(own->spare_memory[n], 0, bytes, own->stream) != cudaSuccess) {
            cudaGetLastError();
            return false;
        }
        own->spare[n] = own->spare_memory[n] + offset;
    }
    return true;
}

static bool can(const otok_patch *patch, const otok_program *program, const otok_coefficients *k)
{
    otok_fused_segment segments[OTOK_MAX_OPS];
    unsigned wanted = 0;
    const bool walls = otok_has_walls(patch);
    const int count = otok_fused_segments(segments, program, walls);
    bool all = count > 0;
    for (int n = 0; n < count; n++) {
        const otok_fused_family *family = segments[n].family;
        wanted |= family ? otok_fused_partners(family, otok_open_sides(patch)) : 0;
        if (family && walls) all &= family->code(k, otok_open_sides(patch), true) != NULL;
    }
    return all && partners(patch, wanted);
}

static bool pays(const otok_patch *patch, const otok_program *, const otok_coefficients *)
{
    return (int64_t)patch->view.nx * patch->view.ny >= 1 << 18;
}

/* The number of whole strips in a row (otok_strip_whole); -2 or -4 if rows of 2 or 4 members make
   up a strip; 0 otherwise. */
int otok_fused_whole_strips(const otok_patch *patch, const otok_fused_family *family)
{
    if (!family->batch_whole) return 0;
    if (2 * patch->view.nx == OTOK_STRIP_WHOLE) return -2;
    if (4 * patch->view.nx == OTOK_STRIP_WHOLE) return -4;
    const int strips = patch->view.nx / OTOK_STRIP_WHOLE;
    const bool whole =
        strips > 0 && strips <= family->batch_whole && patch->view.nx == strips * OTOK_STRIP_WHOLE;
    return whole && OTOK_STRIP_WARPS % strips == 0 ? strips : 0;
}

/* The rows of a chunk of a strip at the side, whose warps have more to do. The percentages are
   measured. */
static int rows_of_side(int rows, int reach, const otok_fused_family *family)
{
    const int percent =
        family == &otok_fused_conservative || family == &otok_fused_thermal ? 86 : 92;
    const int shorter = (rows + reach) * percent / 100 - reach;
    return shorter > 0 ? shorter : 1;
}

/* The number of chunks of the rows that a band shares. */
static int shared_chunks(const otok_view *v, int rows)
{
    return (v->shared[0] + rows - 1) / rows + (v->shared[1] + rows - 1) / rows;
}

/* The device's multiprocessors, and how many blocks of a kernel they have at once. */
static otok_status room_for(int *out, int *multiprocessors, const void *code, int shared)
{
    int device = 0, processors = 0, blocks = 0;
    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    *multiprocessors = processors;
    CUDA_TRY(cudaFuncSetAttribute(code, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, code, 32 * OTOK_STRIP_WARPS,
                                                           shared));
    *out = processors * blocks;
    return OTOK_OK;
}

/* Chooses the division into chunks of rows that the device is expected to finish first. A wave of
   warps takes as long as a chunk has rows, plus the rows with which it starts up. The last wave of
   a batch takes a quarter longer, because its slowest warps end late. Every member of a batch has
   blocks of its own, so that a warp without a chunk takes room too. If there are other ensembles,
   their blocks fill the last wave. The heights of a single grid's chunks differ by a row, and their
   mean counts, because each multiprocessor has some of both; if they are low, it takes no more
   warps than are enough. */
enum { LOW_CHUNK = 128 };

otok_status otok_fused_frame(otok_frame *g, const otok_patch *patch, const otok_batch *batch,
                             const otok_fused_family *family, const void *code)
{
    const otok_view *v = &patch->view;
    int blocks = 0, processors = 0;
    OTOK_TRY(room_for(&blocks, &processors, code, otok_fused_shared(family, patch)));
    const int64_t room = (int64_t)blocks * OTOK_STRIP_WARPS;
    int64_t least = INT64_MAX;
    *g = {};
    g->nx = v->nx, g->ny = v->ny, g->pitch = (int)v->pitch;
    const int whole = batch ? otok_fused_whole_strips(patch, family) : 0;
    const bool may = family->flush || (batch && family->batch_flush && !otok_open_sides(patch));
    const bool flush =
        may && patch->edges[OTOK_LEFT] != OTOK_PERIODIC && patch->edges[OTOK_LEFT] != OTOK_OPEN;
    const bool even =
        flush && !otok_open_sides(patch) && (v->nx - 2 * OTOK_LANE) % OTOK_STRIP_OWN == 0;
    g->before = !flush;
    const int columns = flush && v->nx > 2 * OTOK_LANE ? v->nx - 2 * OTOK_LANE : v->nx;
    g->strips = whole < 0 ? 1 : whole ? whole : (columns + OTOK_STRIP_OWN - 1) / OTOK_STRIP_OWN;
    g->members = whole < 0 ? -whole : 1;
    const int64_t groups = batch ? (batch->n + g->members - 1) / g->members : 1;
    g->wrap_x = patch->edges[OTOK_LEFT] == OTOK_PERIODIC;
    g->wrap_y = patch->edges[OTOK_BOTTOM] == OTOK_PERIODIC;
    g->open = otok_open_sides(patch);
    g->own = otok_own_from(v), g->end = v->ny - v->shared[1];
    const int own_rows = otok_own_rows(v);
    const int64_t enough = (int64_t)processors * family->enough;
    const bool limited =
        !batch && g->strips <= enough && (int64_t)own_rows * g->strips < LOW_CHUNK * enough;
    for (int chunks = 1; chunks <= own_rows && chunks <= 4096; chunks++) {
        const int rows = (own_rows + chunks - 1) / chunks;
        const int side =
            !batch && g->strips > 2 && !even ? rows_of_side(rows, family->reach, family) : 0;
        const int side_chunks = side ? (own_rows + side - 1) / side : 0;
        const int inner = (side ? g->strips - 2 : g->strips) * (chunks + shared_chunks(v, rows));
        const int own = side ? inner + 2 * (side_chunks + shared_chunks(v, side)) : inner;
        const int of_one = (own + OTOK_STRIP_WARPS - 1) / OTOK_STRIP_WARPS;
        const int64_t warps = batch ? of_one * OTOK_STRIP_WARPS * groups : own;
        const int64_t waves = (warps + room - 1) / room,
                      all = batch ? warps * batch->beside : warps;
        const int64_t taken =
            batch && batch->beside > 1 ? (all > room ? all : room) : (batch ? 4 : 32) * waves + 1;
        const int64_t cost =
            taken * (batch ? 16 * rows : 16 * own_rows / chunks) + taken * 16 * family->reach;
        if (cost >= least || (limited && chunks > 1 && warps > enough)) continue;
        least = cost;
        g->rows = rows;
        g->chunks = chunks;
        g->longer = batch ? chunks : own_rows - chunks * (rows - 1);
        g->side_chunks = side_chunks;
        g->side_rows = side;
        g->sides_from = inner;
        g->blocks = of_one;
    }
    return OTOK_OK;
}

/* Sets the pass's frame and code. */
static otok_status known_frame(otok_fused_pass *pass, const otok_patch *patch,
                               const otok_coefficients *coefficients)
{
    const otok_fused_family *family = pass->family;
    otok_cuda_own *own = otok_cuda_own_of(patch);
    const int open = otok_open_sides(patch);
    const void *code = pass->code = family->code(coefficients, open, otok_has_walls(patch));
    pass->shared = otok_fused_shared(family, patch);
    if (!own->frames) own->frames = calloc(1, sizeof(otok_fused_kept));
    otok_fused_kept *k = (otok_fused_kept *)own->frames;
    if (!k) return OTOK_FAIL(OTOK_NOMEM, "cuda: no host memory for a patch");
    int n = 0;
    while (n < k->n && k->of[n].code != code)
        n++;
    if (n == k->n) {
        OTOK_TRY(otok_fused_frame(&pass->frame, patch, NULL, family, code));
        if (n < (int)(sizeof k->of / sizeof k->of[0])) k->of[k->n++] = {code, pass->frame};
    } else {
        pass->frame = k->of[n].frame;
    }
    return OTOK_OK;
}

/* Iteration n; `passes` are those of the families. */
static otok_status iterate(otok_patch *patch, const otok_program *program,
                           const otok_coefficients *k, const otok_fused_segment *segments,
                           int count, const otok_fused_pass *passes, int n, int nsteps)
{
    const otok_step *steps = otok_cuda_own_of(patch)->started;
    for (int s = 0; s < count; s++) {
        if (segments[s].family)
            CUDA_TRY(segments[s].family->start(patch, &passes[s], k, steps, n, nsteps));
        else
            OTOK_TRY(otok_cuda_ops(patch, NULL, program, k, segments[s].from, segments[s].upto,
                                   &steps[n]));
    }
    return OTOK_OK;
}

static otok_status start(otok_patch *patch, const otok_program *program, const otok_coefficients *k,
                         int nsteps)
{
    otok_fused_segment segments[OTOK_MAX_OPS];
    otok_fused_pass passes[OTOK_MAX_OPS];
    const int count = otok_fused_segments(segments, program, otok_has_walls(patch));
    bool all = true;
    for (int s = 0; s < count; s++)
        all &= segments[s].family != NULL;
    const bool races = otok_fused_has_racers(program, segments, count);
    for (int s = 0; s < count; s++) {
        if (!segments[s].family) continue;
        otok_fused_pass *pass = &passes[s];
        *pass = {};
        pass->family = segments[s].family, pass->races = races, pass->alone = count == 1;
        OTOK_TRY(known_frame(pass, patch, k));
    }
    if (!all) OTOK_TRY(otok_cuda_upload(patch, nsteps));
    for (int n = 0; n < nsteps; n++) {
        OTOK_TRY(iterate(patch, program, k, segments, count, passes, n, nsteps));
        if (!all) OTOK_TRY(otok_cuda_advance(patch, NULL));
    }
    return OTOK_OK;
}

static int bytes(const otok_program *program)
{
    otok_fused_segment segments[OTOK_MAX_OPS];
    int sum = 0;
    const int count = otok_fused_segments(segments, program, false);
    for (int s = 0; s < count; s++) {
        otok_program plain = {};
        for (int n = segments[s].from; !segments[s].family && n < segments[s].upto; n++)
            plain.ops[plain.nops++] = program->ops[n];
        sum += segments[s].family ? segments[s].family->bytes : otok_program_bytes(&plain);
    }
    return sum;
}

const otok_cuda_strategy otok_cuda_strategy_fused = {"fused", can, pays, start, bytes, false};
