/* routing.c: where each cell drains, and how many cells drain through it. What joins basins is done
   by one thread; its lists are in buffers of the stage. See core/routing.h. */
#include "rivers.h"

typedef cpu_river_task task;

static CPU_RIVER_CELLS(drain_rows, {
    if (!otok_is_wall(v, at)) otok_way_put(v, at, otok_first_way(v, s, t->r));
    otok_numbers(v, OTOK_RIVER_BASIN)[at] = otok_first_basin(v, s, t->r);
});

CPU_RIVER_CELLS(cpu_river_shorten,
                otok_ways_shorten(otok_numbers(v, OTOK_RIVER_BASIN), (int)at + 1));

static CPU_RIVER_CELLS(find_rows, otok_numbers(v, OTOK_RIVER_BASIN)[at] =
                                      otok_root_of(otok_numbers(v, OTOK_RIVER_BASIN), (int)at + 1));

/* ---- basins ---- */

/* The pits, as places, and the rim. */
typedef struct lists {
    int *pits, npits, *rim, nrim;
} lists;

static void list_pits(const otok_view *v, lists *l)
{
    int *basins = otok_numbers(v, OTOK_RIVER_BASIN), *numbers = l->rim; /* not in use yet */
    for (int j = 0; j < v->ny; j++)
        for (ptrdiff_t at = j * v->pitch; at < j * v->pitch + v->nx; at++)
            if (basins[at] == (int)at + 1) {
                otok_pit_begin(v, l->npits);
                l->pits[l->npits++] = (int)at;
                numbers[at] = l->npits;
            }
    for (int j = 0; j < v->ny; j++)
        for (ptrdiff_t at = j * v->pitch; at < j * v->pitch + v->nx; at++)
            if (basins[at]) basins[at] = numbers[basins[at] - 1];
}

static void look_everywhere(const otok_view *v, lists *l, otok_routing r)
{
    for (int j = 0; j < v->ny; j++)
        for (int i = 0; i < v->nx; i++)
            l->nrim += otok_rim_look(v, (otok_spot){i, j}, 1, r, l->rim + l->nrim);
}

static void look_along_rim(const otok_view *v, lists *l, int round, otok_routing r)
{
    int left = 0;
    for (int n = 0; n < l->nrim; n++) {
        l->rim[left] = l->rim[n];
        left += otok_rim_again(v, round, r, l->rim + left);
    }
    l->nrim = left;
}

/* Parts hook on over their lowest passes; the number of those that do. */
static int hook(const otok_view *v, const lists *l, int round, otok_routing r)
{
    int hooked = 0;
    for (int n = 0; n < l->npits; n++)
        hooked += otok_part_hook(v, n, round, r);
    for (int n = 0; n < l->npits; n++)
        otok_part_join(v, n, round);
    return hooked;
}

/* Parts that nothing joins to the outside get their lowest pit as exit. */
static void end_closed(const otok_view *v, const lists *l, otok_routing r)
{
    for (int n = 0; n < l->npits; n++)
        otok_pass_lower(v, otok_numbers(v, OTOK_RIVER_PART)[n],
                        otok_pit_order(v, l->pits[n], r.draw));
    for (int n = 0; n < l->npits; n++)
        otok_part_end(v, n, r.draw);
}

static CPU_RIVER_CELLS(lake_rows, otok_lake_put(v, at));

static CPU_RIVER_CELLS(spread_rows,
                       otok_naturals(v, OTOK_RIVER_AREA)[at] = otok_spread_ways(v, s, t->r));

static void join_basins(const otok_view *v, otok_routing r)
{
    lists l = {otok_numbers(v, OTOK_RIVER_AREA), 0, otok_numbers(v, OTOK_RIVER_CUT), 0};
    int round = 1;
    list_pits(v, &l);
    if (!l.npits) return;
    look_everywhere(v, &l, r);
    while (hook(v, &l, round, r) && round < OTOK_ROUNDS)
        look_along_rim(v, &l, ++round, r);
    end_closed(v, &l, r);
    for (; round > 0; round--)
        for (int n = 0; n < l.npits; n++)
            otok_part_turn(v, n, round, r.wraps);
    for (int n = 0; r.lakes && n < l.npits; n++)
        otok_lake_begin(v, n, r);
    for (int n = 0; r.lakes && n < l.npits; n++)
        otok_lake_rise(v, n);
    for (int n = 0; n < l.npits; n++)
        otok_pit_carve(v, n, r.wraps);
}

void cpu_routing(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    task t = cpu_river_task_of(patch, k);
    (void)b;
    cpu_share(v, drain_rows, &t);
    cpu_share(v, cpu_river_shorten, &t);
    cpu_share(v, find_rows, &t);
    join_basins(v, t.r);
    if (t.r.lakes) cpu_share(v, lake_rows, &t);
    if (k->incision.spread > 0.0f)
        cpu_share(v, spread_rows, &t);
    else
        cpu_river_areas(&t);
    cpu_river_clear(v);
    cpu_river_wipe(v, OTOK_RIVER_CUT);
}

void cpu_routing_lakes(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    cpu_routing(patch, b, k);
}

/* ---- cuts ---- */

/* Work for cpu_share: in each tile whose first row is among these. */
#define TILES(name, ...)                                                                           \
    void name(void *what, int y0, int y1)                                                          \
    {                                                                                              \
        task *const all = what;                                                                    \
        const otok_view *const v = all->v;                                                         \
        for (int j = (y0 + OTOK_RIVER_TILE - 1) & -OTOK_RIVER_TILE; j < y1; j += OTOK_RIVER_TILE)  \
            for (int i = 0; i < v->nx; i += OTOK_RIVER_TILE) {                                     \
                const otok_tile t = otok_tile_of(v, (otok_spot){i, j});                            \
                __VA_ARGS__;                                                                       \
            }                                                                                      \
    }

/* Composes the maps of a tile, in rounds that double the way of each. */
static void compose(const task *what, otok_tile t)
{
    const otok_view *v = what->v;
    otok_incision_map maps[2][OTOK_RIVER_CELLS];
    int next[2][OTOK_RIVER_CELLS], now = 0, left = 1;
    const int cells = (t.ny - 1) * OTOK_RIVER_TILE + t.nx;
    for (int n = 0; n < cells; n++) {
        const otok_spot s = otok_tile_spot(t, n);
        const int is_in = otok_tile_has(t, s.i, s.j);
        next[0][n] = is_in ? otok_tile_next(v, t, s) : ~n;
        maps[0][n] = !is_in        ? otok_incision_still()
                     : what->again ? otok_settle_map(v, s, what->r, what->k)
                                   : otok_cell_map(v, s, what->r);
    }
    for (; left; now = !now) {
        left = 0;
        for (int n = 0; n < cells; n++) {
            const int to = next[now][n];
            next[!now][n] = to < 0 ? to : next[now][to];
            maps[!now][n] =
                to < 0 ? maps[now][n] : otok_incision_joined(maps[now][n], maps[now][to]);
            left |= next[!now][n] >= 0;
        }
    }
    for (int n = 0; n < cells; n++) {
        const otok_spot s = otok_tile_spot(t, n);
        if (otok_tile_has(t, s.i, s.j)) otok_cell_composed(v, t, s, ~next[now][n], maps[now][n]);
    }
}

static TILES(compose_rows, compose(all, t));

static TILES(begin_gates, {
    for (int n = 0; n < otok_gates_of(t); n++)
        otok_gate_begin(v, t, n);
});

/* One round of all gates, by one thread; `left` becomes the number of those that have not arrived.
 */
static TILES(double_gates, {
    for (int n = 0; n < otok_gates_of(t); n++)
        all->left += otok_gate_double(v, otok_gate_place(v, t, n), all->back);
});

static CPU_RIVER_CELLS(incise_rows, v->at[OTOK_RIVER_CUT][at] = otok_cell_change(v, at));

void cpu_river_compose(task *t)
{
    cpu_share(t->v, compose_rows, t);
    cpu_share(t->v, begin_gates, t);
    t->back = 1;
    do {
        t->back = !t->back;
        t->left = 0;
        double_gates(t, 0, t->v->ny);
    } while (t->left || !t->back);
}

void cpu_river_cuts(const otok_patch *patch, otok_box b, const otok_coefficients *k)
{
    task t = cpu_river_task_of(patch, k);
    (void)b;
    cpu_river_compose(&t);
    cpu_share(t.v, incise_rows, &t);
    cpu_river_clear(t.v);
}
