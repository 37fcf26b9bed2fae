/* mouths.c: what rivers bring to the sea, and where it settles. See core/mouths.h. */
#include "../core/mouths.h"

#include "rivers.h"

static CPU_RIVER_CELLS(begin_rows, otok_mouth_begin(v, s, t->k.lakes));

static CPU_RIVER_CELLS(bring_rows, otok_river_brings(v, at, t->r.sea, t->k));

static CPU_RIVER_CELLS(keep_rows, otok_plume_kept(v, at, t->r.sea, t->again == OTOK_PLUMES - 1));

/* By one thread, as what follows. */
static void add_up(const otok_view *v, int lakes)
{
    for (int j = 0; j < v->ny; j++)
        for (ptrdiff_t at = j * v->pitch; at < j * v->pitch + v->nx; at++) {
            const uint64_t lost = otok_river_lost(v, at), room = otok_lake_room(v, at, lakes);
            const ptrdiff_t to = lost || room ? otok_mouth_of(v, at) : at;
            if (lost) cpu_river_add(v, OTOK_RIVER_LOW, OTOK_RIVER_PASS, to, lost);
            if (room) cpu_river_add(v, OTOK_RIVER_PART, OTOK_RIVER_HOOK, to, room);
        }
}

/* What lakes have no room for, from those to which none drains down. */
static void spill(const otok_view *v)
{
    int *left = otok_numbers(v, OTOK_RIVER_ROUND), *next = otok_numbers(v, OTOK_RIVER_OVER);
    for (int j = 0; j < v->ny; j++)
        for (int i = 0; i < v->nx; i++) {
            const ptrdiff_t at = j * v->pitch + i;
            if (!otok_is_outlet(v, (otok_spot){i, j}, 1)) continue;
            next[at] = (int)otok_mouth_of(v, otok_river_next(v, (otok_spot){i, j}) - 1) + 1;
            left[next[at] - 1]++;
        }
    for (int j = 0; j < v->ny; j++)
        for (ptrdiff_t n = j * v->pitch; n < j * v->pitch + v->nx; n++)
            for (ptrdiff_t at = n; next[at] && left[at] == 0; at = next[at] - 1) {
                left[at] = -1;
                left[next[at] - 1]--;
                cpu_river_add(
                    v, OTOK_RIVER_LOW, OTOK_RIVER_PASS, next[at] - 1,
                    otok_lake_spills(v, at, otok_wide_get(v, OTOK_RIVER_LOW, OTOK_RIVER_PASS, at)));
            }
}

static void spread_rows(void *what, int y0, int y1)
{
    const cpu_river_task *t = what;
    for (int j = y0; j < y1; j++)
        otok_plume_along(t->v, otok_plume_line_of(t->v, 0, j, t->open), t->r.sea, t->k.plume);
}

/* The share of the columns that is that of the rows. */
static void spread_columns(void *what, int y0, int y1)
{
    const cpu_river_task *t = what;
    const int64_t nx = t->v->nx, ny = t->v->ny;
    for (int i = (int)(y0 * nx / ny); i < (int)(y1 * nx / ny); i++)
        otok_plume_along(t->v, otok_plume_line_of(t->v, 1, i, t->open), t->r.sea, t->k.plume);
}

void cpu_river_mouths(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    cpu_river_task t = cpu_river_task_of(patch, k);
    (void)b;
    cpu_share(v, begin_rows, &t);
    cpu_share(v, cpu_river_shorten, &t);
    add_up(v, t.k.lakes);
    if (t.k.lakes) spill(v);
    cpu_share(v, bring_rows, &t);
    for (t.again = 0; t.k.deltas && t.again < OTOK_PLUMES; t.again++) {
        for (int round = 0; round < OTOK_PLUME_ROUNDS; round++) {
            cpu_share(v, spread_rows, &t);
            cpu_share(v, spread_columns, &t);
        }
        cpu_share(v, keep_rows, &t);
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
