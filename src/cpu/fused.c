/* fused.c: the fused strategy for a program: an iteration passes over the memory once. Its
   stages follow each other up the rows of a band, each some rows (its lag) behind the one
   before. So what one stage leaves is still in the cache when the next one comes. Sums, and so
   bits, are those of the plain strategy.

   A stage that reads neighbours needs the stages before it to be one row ahead, and the stages
   after it not to have begun there. So the lag grows by a row before and after it, and stays the
   same between two stages that read their own cell only. Each thread has a band of rows. At the
   border between two bands a stage stops short by as many rows as its lag. When all bands are
   done, a second pass does these rows, stage after stage, border by border. A grid that wraps in
   y has one more border. */
#include "cpu.h"

#include <omp.h>
#include <string.h>

enum { MOST = 64 }; /* operations of a program that can be fused */

typedef struct step {
    cpu_stage *stage; /* NULL: this step is a halo */
    int buffer, mode, lag;
    otok_patch patch; /* with the buffers as the swaps before this step left them */
} step;

static int wraps(const otok_patch *patch)
{
    return patch->edges[OTOK_BOTTOM] == OTOK_PERIODIC;
}

/* The lag of an operation after one with the lag `lag`. *near: did that one read neighbours; then:
   does this one? */
static int next_lag(int lag, int *near, otok_op op)
{
    const int before = *near;
    *near = op.kind == OTOK_OP_STAGE && otok_stage_infos[op.a].reach == OTOK_BESIDE;
    return lag + (before || *near);
}

/* The lag of the last operation; -1 if the program cannot be fused. */
static int last_lag(const otok_patch *patch, const otok_program *program)
{
    int lag = wraps(patch), near = 0;
    if (program->nops > MOST) return -1;
    for (int n = 0; n < program->nops; n++) {
        const otok_op op = program->ops[n];
        if (op.kind == OTOK_OP_STAGE && otok_stage_infos[op.a].reach == OTOK_ANYWHERE) return -1;
        if (op.kind != OTOK_OP_SWAP) lag = next_lag(lag, &near, op);
    }
    return lag;
}

/* One band a thread, or fewer, because the borders of a band must not meet. */
static int bands(const otok_patch *patch, const otok_program *program)
{
    const int lag = last_lag(patch, program), most = lag < 0 ? 0 : patch->view.ny / (2 * lag + 2);
    const int threads = cpu_threads(&patch->view);
    return most < threads ? most : threads;
}

int cpu_can_fuse(const otok_patch *patch, const otok_program *program)
{
    return bands(patch, program) > 0;
}

/* The operations as one thread sees them, with sums of its own. */
static int list_steps(step *steps, const otok_patch *patch, const otok_program *program,
                      otok_sum *sums)
{
    otok_patch now = *patch;
    int count = 0, lag = wraps(patch), near = 0;
    now.view.sums = sums;
    for (int n = 0; n < program->nops; n++) {
        const otok_op op = program->ops[n];
        if (op.kind == OTOK_OP_SWAP) {
            cpu_swap(&now.view, op.a, op.b);
            continue;
        }
        step *s = &steps[count++];
        s->stage = op.kind == OTOK_OP_STAGE ? cpu_stages[op.a] : NULL;
        s->buffer = op.a;
        s->mode = op.b;
        s->lag = lag = next_lag(lag, &near, op);
        s->patch = now;
    }
    return count;
}

/* Runs a stage on rows of other bands (y0 >= y1: none). Those bands book what happens there. */
static void unbooked(const otok_patch *patch, cpu_stage *stage, int y0, int y1,
                     const otok_coefficients *k)
{
    otok_sum sums[OTOK_SUMS];
    otok_patch mine = *patch;
    mine.view.sums = sums;
    if (y0 < y1) stage(&mine, (otok_box){0, mine.view.nx, y0, y1}, k);
}

static void rows(const step *s, int y0, int y1, const otok_coefficients *k)
{
    const otok_view *v = &s->patch.view;
    if (y0 >= y1) return;
    if (s->stage) {
        const int own = otok_own_from(v), end = own + otok_own_rows(v);
        unbooked(&s->patch, s->stage, y0, y1 < own ? y1 : own, k);
        unbooked(&s->patch, s->stage, y0 > end ? y0 : end, y1, k);
        const int from = y0 > own ? y0 : own, to = y1 < end ? y1 : end;
        if (from < to) s->stage(&s->patch, (otok_box){0, v->nx, from, to}, k);
        return;
    }
    cpu_halo_sides(&s->patch, s->buffer, (otok_halo)s->mode, y0, y1);
    if (wraps(&s->patch)) return;
    if (y0 == 0) cpu_halo_end(&s->patch, s->buffer, (otok_halo)s->mode, OTOK_BOTTOM);
    if (y1 == v->ny) cpu_halo_end(&s->patch, s->buffer, (otok_halo)s->mode, OTOK_TOP);
}

/* Runs all stages over the rows y0..y1 except those near a border. Short rows are done several
   at a time. */
static void run_rows(const step *steps, int count, int y0, int y1, const otok_coefficients *k)
{
    const otok_view *v = &steps[0].patch.view;
    const int start_border = y0 > 0 || wraps(&steps[0].patch),
              end_border = y1 < v->ny || wraps(&steps[0].patch);
    const int chunk = 1 + 2048 / v->nx, last = steps[count - 1].lag;
    for (int front = y0; front < y1 + last; front += chunk)
        for (const step *s = steps; s < steps + count; s++) {
            const int first = start_border ? y0 + s->lag : y0, end = end_border ? y1 - s->lag : y1;
            const int from = front - s->lag, to = from + chunk;
            rows(s, from > first ? from : first, to < end ? to : end, k);
        }
}

/* Runs all stages on the rows that the passes left out on both sides of the border before row y. */
static void run_border(const step *steps, int count, int y, const otok_coefficients *k)
{
    const int ny = steps[0].patch.view.ny;
    for (const step *s = steps; s < steps + count; s++) {
        rows(s, y == 0 ? ny - s->lag : y - s->lag, y == 0 ? ny : y, k);
        rows(s, y, y + s->lag, k);
        if (s->stage || y > 0) continue;
        cpu_halo_end(&s->patch, s->buffer, (otok_halo)s->mode, OTOK_BOTTOM);
        cpu_halo_end(&s->patch, s->buffer, (otok_halo)s->mode, OTOK_TOP);
    }
}

/* The bands of a thread: its own of several, or the only one. */
static void bands_of(const otok_patch *patch, const otok_program *program,
                     const otok_coefficients *k, int count)
{
    const int ny = patch->view.ny, first = wraps(patch) ? 0 : 1;
    const int from = count > 1 ? omp_get_thread_num() : 0,
              by = count > 1 ? omp_get_num_threads() : 1;
    otok_sum sums[OTOK_SUMS] = {{0, 0}};
    step steps[MOST];
    const int nsteps = list_steps(steps, patch, program, sums);
    for (int n = from; n < count; n += by)
        run_rows(steps, nsteps, (int)((int64_t)ny * n / count),
                 (int)((int64_t)ny * (n + 1) / count), k);
    if (count > 1) {
#pragma omp barrier
    }
    for (int n = from; n < count; n += by)
        if (n >= first) run_border(steps, nsteps, (int)((int64_t)ny * n / count), k);
    cpu_add_sums(&patch->view, sums);
}

void cpu_fused(otok_patch *patch, const otok_program *program, const otok_coefficients *k)
{
    const int count = bands(patch, program);
    if (count == 1) { /* no parallel region: its end costs more than a stage of few cells */
        bands_of(patch, program, k, 1);
    } else {
#pragma omp parallel num_threads(count)
        {
            OTOK_ROUNDING;
            bands_of(patch, program, k, count);
        }
    }
    for (int n = 0; n < program->nops; n++)
        if (program->ops[n].kind == OTOK_OP_SWAP)
            cpu_swap(&patch->view, program->ops[n].a, program->ops[n].b);
}

/* Each buffer is read once, unless the iteration itself made it, and written once. */
int cpu_fused_bytes(const otok_program *program)
{
    int buffer[OTOK_BUFFERS], bytes = 0;
    otok_set read = {{0}}, written = {{0}};
    for (int b = 0; b < OTOK_BUFFERS; b++)
        buffer[b] = b;
    for (int n = 0; n < program->nops; n++) {
        const otok_op op = program->ops[n];
        if (op.kind == OTOK_OP_SWAP) {
            const int other = buffer[op.a];
            buffer[op.a] = buffer[op.b];
            buffer[op.b] = other;
        }
        if (op.kind != OTOK_OP_STAGE || otok_stage_infos[op.a].reach == OTOK_ANYWHERE) continue;
        const otok_stage_info e = otok_stage_infos[op.a];
        for (int b = 0; b < OTOK_BUFFERS; b++)
            if (otok_set_has(e.reads, b) && !otok_set_has(written, buffer[b]))
                otok_set_add(&read, buffer[b]);
        for (int b = 0; b < OTOK_BUFFERS; b++)
            if (otok_set_has(e.writes, b)) otok_set_add(&written, buffer[b]);
    }
    for (int b = 0; b < OTOK_BUFFERS; b++)
        bytes += (otok_set_has(read, b) + otok_set_has(written, b)) * (b == OTOK_WETNESS ? 1 : 4);
    return bytes;
}
