/* process_sides.c: what is beyond the open sides of the grid for the water of a phase. The stages
   of hydraulic erosion do it. */
#include "../core/side_flows.h"
#include "parameter_rows.h"
#include "process.h"

/* A key of the left side says what it means; those of other sides mean the same. */
#define FULL(key, text) text
#define SAME(key, text) "as `left" key "`"

#define SIDE(key, n, HELP)                                                                         \
    CHOICE_AT("sides", #key, offsetof(otok_sides, kind[n]), "free|normal_depth|critical|rating",   \
              OTOK_FREE, "",                                                                       \
              HELP("", "what leaves over this open side; free: over a drop; normal_depth: "        \
                       "Manning's uniform flow of this depth; critical: flow of Froude number 1; " \
                       "rating: by a rating curve")),                                              \
        REAL_AT("sides", #key "_slope", offsetof(otok_sides, slope[n]), "S", "1", NAN, 0, 10,      \
                OPEN_LOW, "u = d^(2/3) sqrt(S) / n",                                               \
                HELP("_slope", "slope of that uniform flow; default: that of the bed before the "  \
                               "side, no flow where it rises")),                                   \
        SERIES_AT("sides", #key "_level", offsetof(otok_sides, level[n]), "", "m", -HUGE_LENGTH,   \
                  HUGE_LENGTH, "",                                                                 \
                  HELP("_level",                                                                   \
                       "height of the water surface beyond this open side over the time "          \
                       "of the phase, such as [[0 h, 1], [6 h, 3]], or a CSV file: "               \
                       "water leaves and enters")),                                                \
        CHOICE_AT("sides", #key "_waves", offsetof(otok_sides, waves[n]), "held|leave", 0,         \
                  "u = 2 (sqrt(g d) - sqrt(g d_0))",                                               \
                  HELP("_waves", "held: waves come back from that level; leave: they go out")),    \
        SERIES_AT("sides", #key "_discharge", offsetof(otok_sides, discharge[n]), "Q", "m3 s-1",   \
                  0, 1e9, "",                                                                      \
                  HELP("_discharge", "discharge that enters over this open side with its "         \
                                     "momentum, as a hydrograph")),                                \
        REAL_AT("sides", #key "_froude", offsetof(otok_sides, froude[n]), "Fr", "1", NAN, 0, 100,  \
                OPEN_LOW, "",                                                                      \
                HELP("_froude", "Froude number at which it enters where it is deeper then than "   \
                                "the water there; default: 1")),                                   \
        REAL_AT("sides", #key "_rating", offsetof(otok_sides, rating[n]), "a", "m3 s-1", NAN, 0,   \
                1e9, OPEN_LOW, "Q = a (h - h_0)^b",                                                \
                HELP("_rating", "discharge 1 m above the level without flow")),                    \
        REAL_AT("sides", #key "_rating_exponent", offsetof(otok_sides, exponent[n]), "b", "1",     \
                NAN, 0, 10, OPEN_LOW, "Q = a (h - h_0)^b",                                         \
                HELP("_rating_exponent", "default: 1.5, that of a weir")),                         \
        REAL_AT("sides", #key "_rating_zero", offsetof(otok_sides, zero[n]), "h_0", "m", NAN,      \
                -HUGE_LENGTH, HUGE_LENGTH, 0, "Q = a (h - h_0)^b",                                 \
                HELP("_rating_zero", "level without flow")),                                       \
        REAL_AT("sides", #key "_from", offsetof(otok_sides, from[n]), "", "m", NAN, 0, 1e12, 0,    \
                "",                                                                                \
                HELP("_from", "start of the part that is open, from the left or the bottom end; "  \
                              "beside it is a wall; default: that end")),                          \
        REAL_AT("sides", #key "_to", offsetof(otok_sides, to[n]), "", "m", NAN, 0, 1e12, OPEN_LOW, \
                "", HELP("_to", "end of that part; default: the other end of the side"))

static const otok_parameter parameters[] = {
    SIDE(left, OTOK_LEFT, FULL), SIDE(right, OTOK_RIGHT, SAME), SIDE(bottom, OTOK_BOTTOM, SAME),
    SIDE(top, OTOK_TOP, SAME)};
enum { KIND, SLOPE, LEVEL, WAVES, DISCHARGE, FROUDE, RATING, EXPONENT, ZERO, FROM, TO, ROWS };

/* The cells of the part of a side that is open, from `first` to before `end`. */
static void open_part(int *first, int *end, const otok_sides *s, int side, otok_grid g)
{
    const double cells = (double)(side == OTOK_LEFT || side == OTOK_RIGHT ? g.ny : g.nx);
    const double from = s->from[side] > 0 ? s->from[side] / g.spacing : 0,
                 to = s->to[side] > 0 ? s->to[side] / g.spacing : cells;
    *first = (int)fmin(cells, ceil(from - 0.5));
    *end = (int)fmin(cells, ceil(to - 0.5));
}

void otok_side_part(int *first, int *end, const otok_phase *p, int side, otok_grid g)
{
    open_part(first, end, &p->sides, side, g);
}

double otok_side_width(const otok_phase *p, int side, otok_grid g)
{
    int first, end;
    open_part(&first, &end, &p->sides, side, g);
    return (end - first) * g.spacing;
}

int otok_side_is_given(const otok_phase *p, int side)
{
    const otok_sides *s = &p->sides;
    return p->processes & OTOK_BEYOND_SIDES &&
           (s->kind[side] != OTOK_FREE || s->level[side].n || otok_side_has_ghosts(p, side));
}

int otok_side_has_ghosts(const otok_phase *p, int side)
{
    const otok_sides *s = &p->sides;
    return p->processes & OTOK_BEYOND_SIDES &&
           (s->level[side].n || s->discharge[side].n || s->from[side] > 0 || s->to[side] > 0);
}

/* Keys that belong to another one. */
static otok_status check_belongs(const otok_sides *s, int side, const otok_parameter *rows,
                                 const otok_node *map)
{
    const char *kind = rows[KIND].key;
    const struct {
        int key, fits, given;
        const char *what, *remedy;
    } all[] = {{SLOPE, s->kind[side] == OTOK_NORMAL_DEPTH, !isnan(s->slope[side]),
                "is the slope of a normal depth", ": normal_depth"},
               {RATING, s->kind[side] == OTOK_RATING, !isnan(s->rating[side]),
                "is of a rating curve", ": rating"},
               {EXPONENT, s->kind[side] == OTOK_RATING, !isnan(s->exponent[side]),
                "is of a rating curve", ": rating"},
               {ZERO, s->kind[side] == OTOK_RATING, !isnan(s->zero[side]), "is of a rating curve",
                ": rating"},
               {WAVES, s->level[side].n, s->waves[side], "is of a level beyond the side",
                "_level: [[0, 1.5]]"},
               {FROUDE, s->discharge[side].n, !isnan(s->froude[side]), "is of a discharge",
                "_discharge: [[0, 5]]"}};
    for (size_t n = 0; n < sizeof all / sizeof all[0]; n++)
        if (all[n].given && !all[n].fits)
            return otok_node_fail(otok_node_find(map, rows[all[n].key].key),
                                  "%s %s; write `%s%s`, or leave it out", rows[all[n].key].key,
                                  all[n].what, kind, all[n].remedy);
    return OTOK_OK;
}

/* The part must be on the side, and hold the middle of a cell. */
static otok_status check_part(const otok_scenario *s, const otok_sides *sides, int side,
                              const otok_parameter *rows, const otok_node *map)
{
    const int upright = side == OTOK_LEFT || side == OTOK_RIGHT;
    const double length = (double)(upright ? s->grid.ny : s->grid.nx) * s->grid.spacing;
    int first, end;
    for (int key = FROM; key <= TO; key++) {
        const double at = key == FROM ? sides->from[side] : sides->to[side];
        if (at > length)
            return otok_node_fail(otok_node_find(map, rows[key].key),
                                  "%.9g m is beyond the end of the side; allowed: at most %.9g m",
                                  at, length);
    }
    open_part(&first, &end, sides, side, s->grid);
    if (first < end) return OTOK_OK;
    return otok_node_fail(otok_blame(map, rows[TO].key, rows[FROM].key, NULL),
                          "%s to %s holds the middle of no cell; make it longer than a cell of "
                          "%.9g m, with %s above %s",
                          rows[FROM].key, rows[TO].key, s->grid.spacing, rows[TO].key,
                          rows[FROM].key);
}

/* Refuses what contradicts the other keys of a side. */
static otok_status check_side(const otok_scenario *s, const otok_phase *p, int side,
                              const otok_node *map)
{
    const otok_sides *sides = &p->sides;
    const otok_parameter *rows = &parameters[ROWS * side];
    const char *kind = rows[KIND].key, *level = rows[LEVEL].key, *flow = rows[DISCHARGE].key;
    const int has_level = sides->level[side].n > 0, has_flow = sides->discharge[side].n > 0;
    OTOK_TRY(check_belongs(sides, side, rows, map));
    if ((has_level || has_flow) && (sides->kind[side] != OTOK_FREE || (has_level && has_flow)))
        return otok_node_fail(otok_blame(map, has_level ? level : flow,
                                         sides->kind[side] != OTOK_FREE ? kind : flow, NULL),
                              "%s and %s both say what is beyond the side; keep one",
                              sides->kind[side] != OTOK_FREE ? kind : flow,
                              has_level ? level : flow);
    if (sides->kind[side] == OTOK_NORMAL_DEPTH && p->hydraulic.manning == 0)
        return otok_node_fail(otok_node_find(map, kind),
                              "a normal depth follows from friction, and `hydraulic.manning` is 0; "
                              "give it a value, or write `%s: critical`",
                              kind);
    if (sides->kind[side] == OTOK_RATING &&
        (isnan(sides->rating[side]) || isnan(sides->zero[side])))
        return otok_node_fail(otok_node_find(map, kind),
                              "a rating curve Q = a (h - h_0)^b needs a and h_0; write %s and %s",
                              rows[RATING].key, rows[ZERO].key);
    if (otok_side_is_given(p, side) && s->edges[side] != OTOK_OPEN)
        return otok_node_fail(
            otok_blame(map, kind, level, flow, rows[FROM].key, rows[TO].key, NULL),
            "the side is %s; write `edges: {%s: open}`",
            s->edges[side] == OTOK_CLOSED ? "closed" : "periodic", kind);
    return check_part(s, sides, side, rows, map);
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

/* Levels in the middle of the iteration; the mean of a discharge. */
static void step(otok_step *out, const otok_phase *phase, const otok_now *now)
{
    const otok_sides *s = &phase->sides;
    const double from = now->moment.clock, to = now->moment.next;
    for (int side = 0; side < OTOK_SIDES; side++) {
        const double width = otok_side_width(phase, side, now->scenario->grid);
        if (s->level[side].n)
            out->levels[side] = (float)otok_series_at(&s->level[side], 0.5 * (from + to));
        out->enters[side] = (float)(s->kind[side] == OTOK_RATING ? s->rating[side] / width : 0);
        if (s->discharge[side].n)
            out->enters[side] =
                (float)(otok_series_between(&s->discharge[side], from, to) / (to - from) / width);
    }
}

static int kind_of(const otok_sides *s, int side)
{
    static const int kinds[] = {[OTOK_FREE] = OTOK_SIDE_FREE,
                                [OTOK_NORMAL_DEPTH] = OTOK_SIDE_NORMAL,
                                [OTOK_CRITICAL] = OTOK_SIDE_CRITICAL,
                                [OTOK_RATING] = OTOK_SIDE_RATING};
    if (s->level[side].n)
        return s->waves[side] == OTOK_WAVES_LEAVE ? OTOK_SIDE_WAVES : OTOK_SIDE_LEVEL;
    return s->discharge[side].n ? OTOK_SIDE_INFLOW : kinds[s->kind[side]];
}

static void coefficients(otok_coefficients *all, const otok_phase *phase, double l, double dt)
{
    const otok_hydraulic *h = &phase->hydraulic;
    const otok_sides *s = &phase->sides;
    const otok_grid any = {INT32_MAX, INT32_MAX, l};
    otok_side_coefficients *out = &all->sides;
    (void)dt;
    for (int side = 0; side < OTOK_SIDES; side++) {
        const double froude = s->froude[side] > 0 ? s->froude[side] : 1;
        out->kind[side] = kind_of(s, side);
        out->fall[side] = (float)sqrt(s->slope[side]);
        open_part(&out->first[side], &out->end[side], s, side, any);
        out->power[side] = (float)(s->exponent[side] > 0 ? s->exponent[side] : 1.5);
        out->zero[side] = (float)s->zero[side];
        out->froude2[side] = (float)(h->gravity * froude * froude);
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
