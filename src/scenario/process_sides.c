/* process_sides.c: what is beyond the open sides of the grid for the water of a phase. The stages
   of hydraulic erosion do it. */
#include "../core/side_flows.h"
#include "parameter_rows.h"
#include "process.h"

#define SIDE(key, n)                                                                               \
    CHOICE_AT("sides", #key, offsetof(otok_sides, kind[n]), "free|normal_depth|critical",          \
              OTOK_FREE, "",                                                                       \
              "what leaves over this open side; free: over a drop; normal_depth: Manning's "       \
              "uniform flow of this depth; critical: flow of Froude number 1"),                    \
        REAL_AT("sides", #key "_slope", offsetof(otok_sides, slope[n]), "S", "1", NAN, 0, 10,      \
                OPEN_LOW, "u = d^(2/3) sqrt(S) / n",                                               \
                "slope of that uniform flow; default: that of the bed before the side, no flow "   \
                "where it rises"),                                                                 \
        SERIES_AT("sides", #key "_level", offsetof(otok_sides, level[n]), "", "m", -HUGE_LENGTH,   \
                  HUGE_LENGTH, "",                                                                 \
                  "height of the water surface beyond this open side over the time of the phase, " \
                  "such as [[0 h, 1], [6 h, 3]], or a CSV file: water leaves and enters")

static const otok_parameter parameters[] = {SIDE(left, OTOK_LEFT), SIDE(right, OTOK_RIGHT),
                                            SIDE(bottom, OTOK_BOTTOM), SIDE(top, OTOK_TOP)};
enum { ROWS_OF_SIDE = 3 };

/* Refuses what contradicts the other keys of a side. */
static otok_status check_side(const otok_scenario *s, const otok_phase *p, int side,
                              const otok_node *map)
{
    const otok_sides *sides = &p->sides;
    const otok_parameter *rows = &parameters[ROWS_OF_SIDE * side];
    const char *kind = rows[0].key, *slope = rows[1].key, *level = rows[2].key;
    const int normal = sides->kind[side] == OTOK_NORMAL_DEPTH, has_level = sides->level[side].n > 0;
    if (!isnan(sides->slope[side]) && !normal)
        return otok_node_fail(otok_node_find(map, slope),
                              "%s is the slope of a normal depth; write `%s: normal_depth`, or "
                              "leave it out",
                              slope, kind);
    if (has_level && sides->kind[side] != OTOK_FREE)
        return otok_node_fail(otok_blame(map, level, kind, NULL),
                              "%s and %s both say what is beyond the side; keep one", kind, level);
    if (normal && p->hydraulic.manning == 0)
        return otok_node_fail(otok_node_find(map, kind),
                              "a normal depth follows from friction, and `hydraulic.manning` is 0; "
                              "give it a value, or write `%s: critical`",
                              kind);
    if ((has_level || sides->kind[side] != OTOK_FREE) && s->edges[side] != OTOK_OPEN)
        return otok_node_fail(otok_blame(map, kind, level, NULL),
                              "the side is %s; write `edges: {%s: open}`",
                              s->edges[side] == OTOK_CLOSED ? "closed" : "periodic", kind);
    return OTOK_OK;
}

otok_status otok_sides_check(const otok_scenario *s, const otok_phase *p, const otok_node *map)
{
    const otok_node *sides = otok_node_find(map, "sides");
    if (!(p->processes & OTOK_BEYOND_SIDES)) return OTOK_OK;
    if (!(p->processes & OTOK_HYDRAULIC))
        return otok_node_fail(sides, "sides are for water; add `hydraulic: {law: shallow_water}`");
    if (p->hydraulic.pipes != OTOK_SIGNED || p->hydraulic.area != OTOK_AREA_DEPTH)
        return otok_node_fail(sides,
                              "%s have no depth of flow at a side; write `law: shallow_water` or "
                              "`law: local_inertia`, or leave sides out",
                              p->hydraulic.pipes == OTOK_SIGNED ? "pipes of constant area"
                                                                : "one-way pipes");
    for (int side = 0; side < OTOK_SIDES; side++)
        OTOK_TRY(check_side(s, p, side, sides));
    return OTOK_OK;
}

/* Levels in the middle of the iteration. */
static void step(otok_step *out, const otok_phase *phase, const otok_now *now)
{
    for (int side = 0; side < OTOK_SIDES; side++)
        if (phase->sides.level[side].n)
            out->levels[side] = (float)otok_series_at(&phase->sides.level[side],
                                                      0.5 * (now->moment.clock + now->moment.next));
}

static void coefficients(otok_coefficients *all, const otok_phase *phase, double l, double dt)
{
    static const int kinds[] = {[OTOK_FREE] = OTOK_SIDE_FREE,
                                [OTOK_NORMAL_DEPTH] = OTOK_SIDE_NORMAL,
                                [OTOK_CRITICAL] = OTOK_SIDE_CRITICAL};
    const otok_hydraulic *h = &phase->hydraulic;
    otok_side_coefficients *out = &all->sides;
    (void)dt;
    for (int side = 0; side < OTOK_SIDES; side++) {
        out->kind[side] =
            phase->sides.level[side].n ? OTOK_SIDE_LEVEL : kinds[phase->sides.kind[side]];
        out->fall[side] = (float)sqrt(phase->sides.slope[side]);
    }
    out->smooth = (float)(h->manning == 0 ? 0 : 1 / h->manning);
    out->per_l = (float)(1 / l);
    out->pull = (float)(h->dt * h->gravity / l);
    out->gravity = (float)h->gravity;
    out->l = (float)l;
    out->most = (float)(l / h->dt);
    out->speeds = h->law == OTOK_LAW_SHALLOW_WATER;
}

const otok_process otok_process_sides = {OTOK_PROCESS_ROW(BEYOND_SIDES, sides), .step = step,
                                         .coefficients = coefficients};
