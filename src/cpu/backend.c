/* backend.c: memory and control of the CPU backend. */
#include "../core/audit.h"
#include "../core/diagnostics_rows.h"
#include "../core/patch_size.h"
#include "cpu.h"

#include "../core/memory.h"
#include "../core/status.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Floats: 128 bytes, also the room left of column 0; and 1 KiB. */
enum { ALIGN = 32, NARROW = 256, LARGE_PAGE = 2 << 20, LARGE = 8 * LARGE_PAGE };

typedef struct own {
    void *droplets; /* the first member, as cpu_droplet_room expects */
    void *memory[OTOK_BUFFERS];
    uint64_t *droplets_put, *droplets_upto;
    otok_step *steps;
    int now, fuses; /* fuses: the strategy "fused" is wanted */
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
    free(o->droplets_put);
    free(o->droplets_upto);
    free(o->droplets);
    free(o->steps);
    free(o);
    patch->own = NULL;
}

/* Rows of a narrow grid are not padded to a cache line, which would hold many times their cells. */
static ptrdiff_t pitch_of(int64_t nx)
{
    const int64_t step = nx < NARROW ? nx < ALIGN ? 1 : 8 : ALIGN;
    return (nx + 2 + step - 1) / step * step;
}

/* Zeroed rows, and a ghost after the last one. Each thread zeroes the pages that it will use. Large
   pages, where the system has them, are faster to make and to find. */
static void *zeroed(size_t rows, size_t row_bytes)
{
    const size_t last = ALIGN * sizeof(uint64_t), bytes = rows * row_bytes + last,
                 unit = bytes >= LARGE ? LARGE_PAGE : 128;
    char *memory = aligned_alloc(unit, (bytes + unit - 1) / unit * unit);
    if (!memory) return NULL;
    if (unit == LARGE_PAGE) madvise(memory, bytes, MADV_HUGEPAGE);
#pragma omp parallel for schedule(static)
    for (size_t r = 0; r < rows; r++)
        memset(memory + r * row_bytes, 0, row_bytes + (r == rows - 1 ? last : 0));
    return memory;
}

/* Bytes of a cell of a buffer. */
static size_t cell_bytes(int buffer)
{
    return buffer == OTOK_WETNESS ? 1 : sizeof(float);
}

/* The left ghost of a row of a buffer. */
static char *ghost_of(const otok_view *v, int buffer, int row)
{
    char *first = buffer == OTOK_WETNESS ? (char *)v->wetness : (char *)v->at[buffer];
    return first + (row * v->pitch - 1) * (ptrdiff_t)cell_bytes(buffer);
}

/* Allocates the missing buffers among `needed`. Returns 0 if there is no memory for all of them. */
static int allocate(otok_patch *patch, otok_set needed)
{
    otok_view *v = &patch->view;
    own *o = patch->own;
    const size_t rows = (size_t)v->ny + 2, offset = (size_t)v->pitch + ALIGN;
    int complete = 1;
    for (int b = 0; b < OTOK_BUFFERS; b++) {
        if (!otok_set_has(needed, b) || o->memory[b]) continue;
        o->memory[b] = zeroed(rows, (size_t)v->pitch * cell_bytes(b));
        if (!o->memory[b])
            complete = 0;
        else if (b == OTOK_WETNESS)
            v->wetness = (uint8_t *)o->memory[b] + offset;
        else
            v->at[b] = (float *)o->memory[b] + offset;
    }
    return complete;
}

/* Includes the ghost after the last row, and the rows that the diagnostics need. */
static uint64_t room(int64_t nx, int64_t ny, otok_set needed, int droplets)
{
    const uint64_t cells = (uint64_t)pitch_of(nx) * ((uint64_t)ny + 2) + 2 * ALIGN;
    uint64_t bytes =
        droplets > 0 ? cells * sizeof(uint64_t) + (uint64_t)droplets * cpu_droplet_bytes() : 0;
    for (int b = 0; b < OTOK_BUFFERS; b++)
        if (otok_set_has(needed, b)) bytes += cells * cell_bytes(b);
    const int64_t threads = ny < omp_get_max_threads() ? ny : omp_get_max_threads();
    return bytes + (uint64_t)threads * otok_diagnostics_room((int)nx) * sizeof(float);
}

static otok_status too_large(const otok_view *v)
{
    return OTOK_FAIL(OTOK_NOMEM,
                     "a grid of %d x %d cells does not fit in memory; use a smaller grid", v->nx,
                     v->ny);
}

static otok_status create(otok_patch *patch, otok_set needed, int max_steps, int fuses)
{
    otok_view *v = &patch->view;
    OTOK_TRY(otok_patch_check(v));
    own *o = calloc(1, sizeof *o);
    if (!o) return OTOK_FAIL(OTOK_NOMEM, "no memory for a patch");
    patch->own = o;
    o->fuses = fuses;
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

static otok_status create_plain(otok_patch *patch, otok_set needed, int max_steps)
{
    return create(patch, needed, max_steps, 0);
}

static otok_status create_fused(otok_patch *patch, otok_set needed, int max_steps)
{
    return create(patch, needed, max_steps, 1);
}

static otok_status extend(otok_patch *patch, otok_set needed)
{
    return allocate(patch, needed) ? OTOK_OK : too_large(&patch->view);
}

/* A dense map to put into a buffer, or to get from it. */
typedef struct transfer {
    const otok_view *view;
    int buffer;
    const float *in; /* NULL: get */
    float *out;
} transfer;

static void transfer_rows(void *task, int y0, int y1)
{
    const transfer *t = task;
    const otok_view *v = t->view;
    for (int j = y0; j < y1; j++) {
        const size_t first = (size_t)(j - otok_own_from(v)) * (size_t)v->nx;
        char *cells = ghost_of(v, t->buffer, j) + cell_bytes(t->buffer);
        uint8_t *wetness = (uint8_t *)cells;
        if (t->buffer != OTOK_WETNESS && t->in)
            memcpy(cells, t->in + first, (size_t)v->nx * sizeof(float));
        else if (t->buffer != OTOK_WETNESS)
            memcpy(t->out + first, cells, (size_t)v->nx * sizeof(float));
        else
            for (int i = 0; i < v->nx; i++)
                if (t->in)
                    wetness[i] = (uint8_t)t->in[first + (size_t)i];
                else
                    t->out[first + (size_t)i] = wetness[i];
    }
}

static otok_status put(otok_patch *patch, int buffer, const float *map)
{
    cpu_share(&patch->view, transfer_rows,
              &(transfer){.view = &patch->view, .buffer = buffer, .in = map});
    if (buffer == OTOK_TERRAIN_BASE || buffer == OTOK_WALLS)
        cpu_halo(patch, buffer, OTOK_HALO_COPY);
    return OTOK_OK;
}

static otok_status get(otok_patch *patch, int buffer, float *map)
{
    cpu_share(&patch->view, transfer_rows,
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

/* Passes over rows know no walls. */
static int fuses(const otok_patch *patch, const otok_program *program)
{
    const own *o = patch->own;
    return o->fuses && !patch->view.at[OTOK_WALLS] && cpu_can_fuse(patch, program);
}

static otok_status run(otok_patch *patch, const otok_program *program, const otok_coefficients *k,
                       const otok_step *steps, int nsteps)
{
    own *o = patch->own;
    const int fused = fuses(patch, program);
    memcpy(o->steps, steps, (size_t)nsteps * sizeof *steps);
    for (o->now = 0; o->now < nsteps; o->now++)
        fused ? cpu_fused(patch, program, k) : cpu_plain(patch, program, k);
    return OTOK_OK;
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

static const char *strategy(const otok_patch *patch, const otok_program *program,
                            const otok_coefficients *k)
{
    (void)k;
    return fuses(patch, program) ? "fused" : "plain";
}

static int bytes(const otok_patch *patch, const otok_program *program, const otok_coefficients *k)
{
    (void)k;
    return fuses(patch, program) ? cpu_fused_bytes(program) : 0;
}

static otok_status start(otok_patch *patch, const otok_program *program, const otok_coefficients *k,
                         const otok_step *steps, int at, int nsteps, int joins)
{
    (void)joins;
    return run(patch, program, k, steps + at, nsteps);
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

/* Whole buffers, with their ghosts. */
static otok_status part(const otok_twins *pair)
{
    const otok_view *from = &pair->run->view, *to = &pair->twin->view;
    const size_t before = (size_t)from->pitch + 1,
                 cells = ((size_t)from->ny + 2) * (size_t)from->pitch + 1;
    for (int b = 0; b < OTOK_STORED; b++)
        if (b != OTOK_WETNESS && from->at[b])
            memcpy(to->at[b] - before, from->at[b] - before, cells * sizeof(float));
    if (from->wetness) memcpy(to->wetness - before, from->wetness - before, cells);
    memcpy(to->at[OTOK_CHANGE_START] - before, from->at[OTOK_TERRAIN_CHANGE] - before,
           cells * sizeof(float));
    return OTOK_OK;
}

static otok_status left(uint64_t *bytes)
{
    const double free = otok_memory_free("");
    *bytes = free > 0 ? (uint64_t)free : UINT64_MAX; /* 0: unknown */
    return OTOK_OK;
}

static otok_status copy_rows(otok_patch *to, int to_row, const otok_patch *from, int from_row,
                             int rows, otok_set which)
{
    for (int b = 0; b < OTOK_BUFFERS; b++)
        for (int r = 0; r < rows && otok_set_has(which, b); r++)
            memcpy(ghost_of(&to->view, b, to_row + r), ghost_of(&from->view, b, from_row + r),
                   ((size_t)to->view.nx + 2) * cell_bytes(b));
    return OTOK_OK;
}

/* Copies rows of a patch to `out` (take_rows) or from `in` (give_rows), the wetness last. */
static void move_rows(const otok_view *v, int row, int rows, otok_set which, char *out,
                      const char *in)
{
    for (int n = 0; n <= OTOK_BUFFERS; n++) {
        const int b = n < OTOK_BUFFERS ? n : OTOK_WETNESS;
        const size_t bytes = ((size_t)v->nx + 2) * cell_bytes(b);
        if (!otok_set_has(which, b) || n == OTOK_WETNESS) continue;
        for (int r = 0; r < rows; r++) {
            if (out) memcpy(out, ghost_of(v, b, row + r), bytes), out += bytes;
            if (in) memcpy(ghost_of(v, b, row + r), in, bytes), in += bytes;
        }
    }
}

static otok_status take_rows(otok_patch *from, int row, int rows, otok_set which, void *bytes)
{
    move_rows(&from->view, row, rows, which, bytes, NULL);
    return OTOK_OK;
}

static otok_status give_rows(otok_patch *to, int row, int rows, otok_set which, const void *bytes)
{
    move_rows(&to->view, row, rows, which, NULL, bytes);
    return OTOK_OK;
}

#define BACKEND(NAME, STRATEGY)                                                                    \
    {                                                                                              \
        .name = NAME, .host = {malloc, free}, .describe = describe, .create = create_##STRATEGY,   \
        .room = room, .extend = extend, .destroy = destroy, .put = put, .get = get, .cell = cell,  \
        .snapshot = snapshot, .starts = starts, .base = cpu_base, .run = run,                      \
        .strategy = strategy, .bytes = bytes, .copy_rate = copy_rate, .fastest = cpu_fastest,      \
        .measure = cpu_measure, .diagnose = cpu_diagnose, .sums = sums, .set_sums = set_sums,      \
        .part = part, .compare = cpu_compare, .left = left, .start = start, .wait = wait_for,      \
        .rows = {                                                                                  \
            .copy = copy_rows,                                                                     \
            .release = release_rows,                                                               \
            .take = take_rows,                                                                     \
            .give = give_rows                                                                      \
        }                                                                                          \
    }

const otok_backend otok_backend_cpu = BACKEND("cpu", fused);
const otok_backend otok_backend_cpu_fused = BACKEND("cpu:fused", fused);
const otok_backend otok_backend_cpu_plain = BACKEND("cpu:plain", plain);
