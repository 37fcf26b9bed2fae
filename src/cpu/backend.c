/* backend.c: memory and control of the CPU backend. */
#include "../core/diagnostics_rows.h"
#include "cpu.h"

#include "../core/status.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALIGN = 32,
    NARROW = 256
}; /* floats: 128 bytes; also the room left of column 0 for its ghost */

typedef struct own {
    void *droplets; /* first, for droplets.c */
    float *memory[OTOK_BUFFERS];
    uint8_t *wetness;
    uint64_t *droplets_put, *droplets_upto;
    otok_step *steps;
    int now;
    otok_sum sums[OTOK_SUMS];
} own;

static otok_status describe(char *text, size_t size)
{
    snprintf(text, size, "%d threads", omp_get_max_threads());
    return OTOK_OK;
}

static void destroy(otok_patch *patch)
{
    own *o = patch->own;
    if (!o) return;
    for (int b = 0; b < OTOK_BUFFERS; b++)
        free(o->memory[b]);
    free(o->wetness);
    free(o->droplets_put);
    free(o->droplets_upto);
    free(o->droplets);
    free(o->steps);
    free(o);
    patch->own = NULL;
}

/* Rows of a narrow grid lie close together: a whole line of the cache for each would be many times
 * its cells. */
static ptrdiff_t pitch_of(int64_t nx)
{
    const int64_t step = nx < NARROW ? nx < ALIGN ? 1 : 8 : ALIGN;
    return (nx + 2 + step - 1) / step * step;
}

/* Zero pages touched by the threads that will use them, of rows and a ghost beyond the last. */
static void *zeroed(size_t rows, size_t row_bytes)
{
    const size_t last = ALIGN * sizeof(uint64_t);
    char *memory = aligned_alloc(128, (rows * row_bytes + last + 127) / 128 * 128);
    if (!memory) return NULL;
#pragma omp parallel for schedule(static)
    for (size_t r = 0; r < rows; r++)
        memset(memory + r * row_bytes, 0, row_bytes + (r == rows - 1 ? last : 0));
    return memory;
}

/* The buffers among `needed` that are not there; 0: no memory for all of them. */
static int allocate(otok_patch *patch, uint64_t needed)
{
    otok_view *v = &patch->view;
    own *o = patch->own;
    const size_t rows = (size_t)v->ny + 2, offset = (size_t)v->pitch + ALIGN;
    int complete = 1;
    for (int b = 0; b < OTOK_BUFFERS; b++) {
        if (b == OTOK_WETNESS || !(needed >> b & 1) || v->at[b]) continue;
        o->memory[b] = zeroed(rows, (size_t)v->pitch * sizeof(float));
        v->at[b] = o->memory[b] ? o->memory[b] + offset : NULL;
        complete &= o->memory[b] != NULL;
    }
    if (needed >> OTOK_WETNESS & 1 && !v->wetness) {
        o->wetness = zeroed(rows, (size_t)v->pitch);
        v->wetness = o->wetness ? o->wetness + offset : NULL;
        complete &= o->wetness != NULL;
    }
    return complete;
}

/* With what lies behind the last row, and the rows that the diagnostics of the patch need. */
static uint64_t room(int64_t nx, int64_t ny, uint64_t needed, int droplets)
{
    const uint64_t cells = (uint64_t)pitch_of(nx) * ((uint64_t)ny + 2) + 2 * ALIGN;
    uint64_t bytes =
        droplets > 0 ? cells * sizeof(uint64_t) + (uint64_t)droplets * cpu_droplet_bytes() : 0;
    for (int b = 0; b < OTOK_BUFFERS; b++)
        if (needed >> b & 1) bytes += cells * (b == OTOK_WETNESS ? 1 : sizeof(float));
    const uint64_t lookers =
        ny < omp_get_max_threads() ? (uint64_t)ny : (uint64_t)omp_get_max_threads();
    return bytes + lookers * otok_diagnostics_room((int)nx) * sizeof(float);
}

static otok_status too_large(const otok_view *v)
{
    return OTOK_FAIL(OTOK_NOMEM,
                     "a grid of %d x %d cells does not fit in memory; use a smaller grid", v->nx,
                     v->ny);
}

static otok_status create(otok_patch *patch, uint64_t needed, int max_steps)
{
    otok_view *v = &patch->view;
    own *o = calloc(1, sizeof *o);
    if (!o) return OTOK_FAIL(OTOK_NOMEM, "no memory for a patch");
    patch->own = o;
    v->pitch = pitch_of(v->nx);
    const size_t rows = (size_t)v->ny + 2, offset = (size_t)v->pitch + ALIGN;
    int complete = (o->steps = calloc((size_t)max_steps, sizeof *o->steps)) != NULL;
    memset(v->at, 0, sizeof v->at);
    v->wetness = NULL;
    complete &= allocate(patch, needed);
    v->droplets_put = v->droplets_upto = NULL;
    if (patch->droplets > 0) {
        o->droplets_put = zeroed(rows, (size_t)v->pitch * sizeof *o->droplets_put);
        o->droplets = malloc((size_t)patch->droplets * cpu_droplet_bytes());
        v->droplets_put = o->droplets_put ? o->droplets_put + offset : NULL;
        complete &= o->droplets_put && o->droplets;
    }
    v->steps = o->steps;
    v->now = &o->now;
    v->sums = o->sums;
    if (complete) return OTOK_OK;
    destroy(patch);
    return too_large(v);
}

static otok_status extend(otok_patch *patch, uint64_t needed)
{
    return allocate(patch, needed) ? OTOK_OK : too_large(&patch->view);
}

typedef struct transfer {
    const otok_view *view;
    int buffer;
    const float *in;
    float *out;
} transfer;

static void put_rows(void *task, int y0, int y1)
{
    const transfer *t = task;
    const otok_view *v = t->view;
    for (int j = y0; j < y1; j++) {
        const float *from = t->in + (size_t)(j - otok_own_from(v)) * (size_t)v->nx;
        if (t->buffer == OTOK_WETNESS)
            for (int i = 0; i < v->nx; i++)
                v->wetness[j * v->pitch + i] = (uint8_t)from[i];
        else
            memcpy(v->at[t->buffer] + j * v->pitch, from, (size_t)v->nx * sizeof *from);
    }
}

static otok_status put(otok_patch *patch, int buffer, const float *map)
{
    cpu_share(&patch->view, put_rows,
              &(transfer){.view = &patch->view, .buffer = buffer, .in = map});
    if (buffer == OTOK_TERRAIN_BASE) cpu_halo(patch, buffer, OTOK_HALO_COPY);
    return OTOK_OK;
}

static void get_rows(void *task, int y0, int y1)
{
    const transfer *t = task;
    const otok_view *v = t->view;
    for (int j = y0; j < y1; j++) {
        float *to = t->out + (size_t)(j - otok_own_from(v)) * (size_t)v->nx;
        if (t->buffer == OTOK_WETNESS)
            for (int i = 0; i < v->nx; i++)
                to[i] = v->wetness[j * v->pitch + i];
        else
            memcpy(to, v->at[t->buffer] + j * v->pitch, (size_t)v->nx * sizeof *to);
    }
}

static otok_status get(otok_patch *patch, int buffer, float *map)
{
    cpu_share(&patch->view, get_rows,
              &(transfer){.view = &patch->view, .buffer = buffer, .out = map});
    return OTOK_OK;
}

static otok_status cell(otok_patch *patch, int buffer, int i, int j, float *out)
{
    const otok_view *v = &patch->view;
    const ptrdiff_t at = (otok_own_from(v) + j) * v->pitch + i;
    *out = buffer == OTOK_WETNESS ? v->wetness[at] : v->at[buffer][at];
    return OTOK_OK;
}

static otok_status snapshot(otok_patch *patch, uint64_t which, float *const *maps,
                            otok_arrival *out)
{
    *out = (otok_arrival){0};
    for (int b = 0; b < OTOK_STORED; b++)
        if (which >> b & 1) get(patch, b, maps[b]);
    return OTOK_OK;
}

static otok_status starts(otok_patch *patch, const uint64_t *upto)
{
    own *o = patch->own;
    const size_t bytes = (size_t)patch->view.nx * (size_t)patch->view.ny * sizeof *upto;
    if (!o->droplets_upto) o->droplets_upto = malloc(bytes);
    if (!o->droplets_upto) return OTOK_FAIL(OTOK_NOMEM, "no memory for where droplets start");
    memcpy(o->droplets_upto, upto, bytes);
    patch->view.droplets_upto = o->droplets_upto;
    return OTOK_OK;
}

typedef struct turn {
    const otok_patch *patch;
    cpu_stage *stage;
    const otok_coefficients *k;
} turn;

static void stage_rows(void *task, int y0, int y1)
{
    const turn *t = task;
    otok_sum sums[OTOK_SUMS] = {{0, 0}};
    otok_patch mine = *t->patch;
    mine.view.sums = sums;
    t->stage(&mine, (otok_box){0, mine.view.nx, y0, y1}, t->k);
    cpu_add_sums(&t->patch->view, sums);
}

/* A stage on the rows that belong to other bands: what it books is theirs to book. */
static void stage_shared(const otok_patch *patch, cpu_stage *stage, const otok_coefficients *k)
{
    otok_sum sums[OTOK_SUMS];
    otok_patch mine = *patch;
    const int nx = mine.view.nx, ny = mine.view.ny, below = mine.view.shared[0],
              above = mine.view.shared[1];
    mine.view.sums = sums;
    if (below) stage(&mine, (otok_box){0, nx, 0, below}, k);
    if (above) stage(&mine, (otok_box){0, nx, ny - above, ny}, k);
}

static void iterate(otok_patch *patch, const otok_program *program, const otok_coefficients *k)
{
    otok_view *v = &patch->view;
    for (int n = 0; n < program->nops; n++) {
        const otok_op op = program->ops[n];
        cpu_stage *const stage = op.kind == OTOK_OP_STAGE ? cpu_stages[op.a] : NULL;
        if (op.kind == OTOK_OP_HALO) cpu_halo(patch, op.a, (otok_halo)op.b);
        if (op.kind == OTOK_OP_SWAP) cpu_swap(v, op.a, op.b);
        if (op.kind != OTOK_OP_STAGE) continue;
        if (stage && otok_stage_infos[op.a].reach == OTOK_ANYWHERE)
            stage(patch, (otok_box){0, v->nx, 0, v->ny}, k);
        else {
            cpu_share(v, stage_rows, &(turn){patch, stage, k});
            stage_shared(patch, stage, k);
        }
    }
}

static otok_status run_steps(otok_patch *patch, const otok_program *program,
                             const otok_coefficients *k, const otok_step *steps, int nsteps,
                             int fused)
{
    own *o = patch->own;
    const int fuses = fused && cpu_can_fuse(patch, program);
    memcpy(o->steps, steps, (size_t)nsteps * sizeof *steps);
    for (o->now = 0; o->now < nsteps; o->now++)
        fuses ? cpu_fused(patch, program, k) : iterate(patch, program, k);
    return OTOK_OK;
}

static otok_status run_plain(otok_patch *patch, const otok_program *program,
                             const otok_coefficients *k, const otok_step *steps, int nsteps)
{
    return run_steps(patch, program, k, steps, nsteps, 0);
}

static otok_status run_fused(otok_patch *patch, const otok_program *program,
                             const otok_coefficients *k, const otok_step *steps, int nsteps)
{
    return run_steps(patch, program, k, steps, nsteps, 1);
}

static otok_status time_plain(otok_patch *patch, const otok_program *program,
                              const otok_coefficients *k, const otok_step *steps, int nsteps,
                              double *seconds)
{
    const double before = omp_get_wtime();
    const otok_status status = run_plain(patch, program, k, steps, nsteps);
    *seconds = omp_get_wtime() - before;
    return status;
}

static otok_status time_fused(otok_patch *patch, const otok_program *program,
                              const otok_coefficients *k, const otok_step *steps, int nsteps,
                              double *seconds)
{
    const double before = omp_get_wtime();
    const otok_status status = run_fused(patch, program, k, steps, nsteps);
    *seconds = omp_get_wtime() - before;
    return status;
}

static otok_status copy_rate(size_t bytes, double *rate)
{
    enum { ROW = 1 << 16 };
    const size_t rows = bytes / ROW + 1;
    char *from = zeroed(rows, ROW), *to = zeroed(rows, ROW);
    double best = 0;
    for (int repeat = 0; repeat < 7 && from && to; repeat++) {
        const double before = omp_get_wtime();
#pragma omp parallel for schedule(static)
        for (size_t r = 0; r < rows; r++)
            memcpy(to + r * ROW, from + r * ROW, ROW);
        const double speed = 2.0 * (double)(rows * ROW) / (omp_get_wtime() - before);
        best = speed > best ? speed : best;
    }
    free(from);
    free(to);
    if (best == 0) return OTOK_FAIL(OTOK_NOMEM, "no memory to copy %zu bytes", bytes);
    *rate = best;
    return OTOK_OK;
}

static otok_status sums(otok_patch *patch, otok_sum *out)
{
    memcpy(out, patch->view.sums, OTOK_SUMS * sizeof *out);
    return OTOK_OK;
}

static otok_status set_sums(otok_patch *patch, const otok_sum *in)
{
    memcpy(patch->view.sums, in, OTOK_SUMS * sizeof *in);
    return OTOK_OK;
}

static const char *strategy_plain(const otok_patch *patch, const otok_program *program,
                                  const otok_coefficients *k)
{
    (void)patch, (void)program, (void)k;
    return "plain";
}

static const char *strategy_fused(const otok_patch *patch, const otok_program *program,
                                  const otok_coefficients *k)
{
    (void)k;
    return cpu_can_fuse(patch, program) ? "fused" : "plain";
}

static int bytes_plain(const otok_patch *patch, const otok_program *program,
                       const otok_coefficients *k)
{
    (void)patch, (void)program, (void)k;
    return 0;
}

static int bytes_fused(const otok_patch *patch, const otok_program *program,
                       const otok_coefficients *k)
{
    (void)k;
    return cpu_can_fuse(patch, program) ? cpu_fused_bytes(program) : 0;
}

static otok_status start_plain(otok_patch *patch, const otok_program *program,
                               const otok_coefficients *k, const otok_step *steps, int at,
                               int nsteps, int joins)
{
    (void)joins;
    return run_plain(patch, program, k, steps + at, nsteps);
}

static otok_status start_fused(otok_patch *patch, const otok_program *program,
                               const otok_coefficients *k, const otok_step *steps, int at,
                               int nsteps, int joins)
{
    (void)joins;
    return run_fused(patch, program, k, steps + at, nsteps);
}

static otok_status wait_for(otok_patch *patch)
{
    (void)patch;
    return OTOK_OK;
}

static otok_status release_rows(otok_patch *from, const otok_patch *to)
{
    (void)from;
    (void)to;
    return OTOK_OK;
}

static otok_status copy_rows(otok_patch *to, int to_row, const otok_patch *from, int from_row,
                             int rows, uint64_t which)
{
    const otok_view *a = &to->view, *b = &from->view;
    const size_t floats = (size_t)a->nx + 2;
    for (int r = 0; r < rows; r++) {
        const ptrdiff_t at = (to_row + r) * a->pitch - 1, source = (from_row + r) * b->pitch - 1;
        for (int f = 0; f < OTOK_BUFFERS; f++)
            if (which >> f & 1 && f != OTOK_WETNESS)
                memcpy(a->at[f] + at, b->at[f] + source, floats * sizeof(float));
        if (which >> OTOK_WETNESS & 1) memcpy(a->wetness + at, b->wetness + source, floats);
    }
    return OTOK_OK;
}

/* Between rows of a patch and memory, both ways: what `out` is for take_rows, `in` for give_rows.
 */
static void move_rows(const otok_view *v, int row, int rows, uint64_t which, char *out,
                      const char *in)
{
    const size_t cells = (size_t)v->nx + 2;
    for (int f = 0; f <= OTOK_BUFFERS; f++) {
        const int buffer = f < OTOK_BUFFERS ? f : OTOK_WETNESS;
        const size_t cell = buffer == OTOK_WETNESS ? 1 : sizeof(float), bytes = cells * cell;
        if (!(which >> buffer & 1) || f == OTOK_WETNESS) continue;
        char *first = buffer == OTOK_WETNESS ? (char *)v->wetness : (char *)v->at[buffer];
        for (int r = 0; r < rows; r++) {
            char *cells_at = first + ((row + r) * v->pitch - 1) * (ptrdiff_t)cell;
            if (out) memcpy(out, cells_at, bytes), out += bytes;
            if (in) memcpy(cells_at, in, bytes), in += bytes;
        }
    }
}

static otok_status take_rows(otok_patch *from, int row, int rows, uint64_t which, void *bytes)
{
    move_rows(&from->view, row, rows, which, bytes, NULL);
    return OTOK_OK;
}

static otok_status give_rows(otok_patch *to, int row, int rows, uint64_t which, const void *bytes)
{
    move_rows(&to->view, row, rows, which, NULL, bytes);
    return OTOK_OK;
}

#define BACKEND(NAME, STRATEGY)                                                                    \
    {                                                                                              \
        .name = NAME, .host = {malloc, free}, .describe = describe, .create = create,              \
        .room = room, .extend = extend, .destroy = destroy, .put = put, .get = get, .cell = cell,  \
        .snapshot = snapshot, .starts = starts, .base = cpu_base, .run = run_##STRATEGY,           \
        .time = time_##STRATEGY, .strategy = strategy_##STRATEGY, .bytes = bytes_##STRATEGY,       \
        .copy_rate = copy_rate, .measure = cpu_measure, .diagnose = cpu_diagnose, .sums = sums,    \
        .set_sums = set_sums, .start = start_##STRATEGY, .wait = wait_for, .copy_rows = copy_rows, \
        .release_rows = release_rows, .take_rows = take_rows, .give_rows = give_rows               \
    }

const otok_backend otok_backend_cpu = BACKEND("cpu", fused);
const otok_backend otok_backend_cpu_fused = BACKEND("cpu:fused", fused);
const otok_backend otok_backend_cpu_plain = BACKEND("cpu:plain", plain);
