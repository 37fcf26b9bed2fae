/* mouths.c: what rivers bring to the sea, and where it settles. See core/mouths.h. */
#include "../core/mouths.h"

#include "rivers.h"

typedef struct task {
    const otok_view *v;
    float sea, f;
    int open;
} task;

static void begin_rows(void *what, int y0, int y1)
{
    const otok_view *v = ((const task *)what)->v;
    for (int j = y0; j < y1; j++)
        for (int i = 0; i < v->nx; i++) {
            const ptrdiff_t at = j * v->pitch + i;
            otok_numbers(v, OTOK_RIVER_BASIN)[at] = otok_river_parent(v, (otok_spot){i, j});
            otok_naturals(v, OTOK_RIVER_LOW)[at] = otok_naturals(v, OTOK_RIVER_PASS)[at] = 0;
        }
}

static void shorten_rows(void *what, int y0, int y1)
{
    const otok_view *v = ((const task *)what)->v;
    for (int j = y0; j < y1; j++)
        for (ptrdiff_t at = j * v->pitch; at < j * v->pitch + v->nx; at++)
            otok_ways_shorten(otok_numbers(v, OTOK_RIVER_BASIN), (int)at + 1);
}

/* By one thread. */
static void add_up(const otok_view *v)
{
    uint32_t *low = otok_naturals(v, OTOK_RIVER_LOW), *high = otok_naturals(v, OTOK_RIVER_PASS);
    for (int j = 0; j < v->ny; j++)
        for (ptrdiff_t at = j * v->pitch; at < j * v->pitch + v->nx; at++) {
            const uint64_t lost = otok_river_lost(v, at);
            if (!lost) continue;
            const int to = otok_root_of(otok_numbers(v, OTOK_RIVER_BASIN), (int)at + 1) - 1;
            const uint64_t sum = ((uint64_t)high[to] << 32 | low[to]) + lost;
            low[to] = (uint32_t)sum;
            high[to] = (uint32_t)(sum >> 32);
        }
}

static void bring_rows(void *what, int y0, int y1)
{
    const task *t = what;
    for (int j = y0; j < y1; j++)
        for (ptrdiff_t at = j * t->v->pitch; at < j * t->v->pitch + t->v->nx; at++)
            otok_river_brings(t->v, at, t->sea);
}

static void spread_rows(void *what, int y0, int y1)
{
    const task *t = what;
    for (int j = y0; j < y1; j++)
        otok_plume_along(t->v, otok_plume_line_of(t->v, 0, j, t->open), t->sea, t->f);
}

/* The share of the columns that is that of the rows. */
static void spread_columns(void *what, int y0, int y1)
{
    const task *t = what;
    const int64_t nx = t->v->nx, ny = t->v->ny;
    for (int i = (int)(y0 * nx / ny); i < (int)(y1 * nx / ny); i++)
        otok_plume_along(t->v, otok_plume_line_of(t->v, 1, i, t->open), t->sea, t->f);
}

void cpu_river_mouths(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const otok_step *step = &v->steps[*v->now];
    task t = {v, step->sea, k->incision.plume, otok_open_of(patch->edges)};
    (void)b;
    cpu_share(v, begin_rows, &t);
    cpu_share(v, shorten_rows, &t);
    add_up(v);
    cpu_share(v, bring_rows, &t);
    for (int round = 0; round < OTOK_PLUME_ROUNDS; round++) {
        cpu_share(v, spread_rows, &t);
        cpu_share(v, spread_columns, &t);
    }
    cpu_river_clear(v);
}

void cpu_river_deltas(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view view = patch->view, *v = &view; /* a copy, which no store can change */
    (void)k;
    for (int j = b.y0; j < b.y1; j++) {
        const otok_row_phases p = otok_row_phases_of(v, j);
        const float *change = v->at[OTOK_TERRAIN_CHANGE] + j * v->pitch,
                    *next = v->at[OTOK_CHANGE_NEXT] + j * v->pitch;
#pragma omp simd
        for (int i = b.x0; i < b.x1; i++)
            otok_cell_settled(v, j * v->pitch + i, otok_row_phase(&p, i));
        for (int sum = OTOK_SUM_RIVER_OUT; sum <= OTOK_SUM_RIVER_SETTLED; sum++) {
            const int sign = sum == OTOK_SUM_RIVER_OUT ? 1 : -1;
            cpu_book_row(v, sum, sign, change, b);
            cpu_book_row(v, sum, -sign, next, b);
        }
    }
}
