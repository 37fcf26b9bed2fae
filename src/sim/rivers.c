/* rivers.c: see springs.h. The rivers of a phase as maps of what they bring to each cell. Where
   rivers with different hydrographs meet, the cell has a number of its own. */
#include "../core/status.h"
#include "springs.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static int clamped(double value, int low, int high)
{
    return value <= low ? low : value >= high ? high : (int)value;
}

/* A map of the cells of a box, to which values are added, or in which they replace others; what is
   beyond is left out. */
typedef struct target {
    float *map;
    otok_box box;
    int replaces;
} target;

static void put_value(const target *to, int i, int j, float value)
{
    const otok_box b = to->box;
    if (i < b.x0 || i >= b.x1 || j < b.y0 || j >= b.y1) return;
    float *at = &to->map[(ptrdiff_t)(j - b.y0) * (b.x1 - b.x0) + i - b.x0];
    *at = to->replaces ? value : *at + value;
}

/* How far from its place or line a river reaches: on a line the nearest cells at least, those of a
   side on either end of the grid alike. */
static double reach_of(const otok_river *r, double l)
{
    return otok_river_is_line(r) ? fmax(r->radius, l / 2) * (1 + 1e-9) : r->radius;
}

/* The cells whose centre can lie within the reach of a river; alone: it covers the centre of none,
   and is in one cell. */
static otok_box box_of(const otok_river *r, int alone, otok_grid g)
{
    const int line = otok_river_is_line(r), nx = (int)g.nx, ny = (int)g.ny;
    const double l = g.spacing, reach = reach_of(r, l), x = line ? r->to_x : r->x,
                 y = line ? r->to_y : r->y;
    const int i = clamped(r->x / l, 0, nx - 1), j = clamped(r->y / l, 0, ny - 1);
    if (alone) return (otok_box){i, i + 1, j, j + 1};
    return (otok_box){clamped((fmin(r->x, x) - reach) / l - 1, 0, nx),
                      clamped((fmax(r->x, x) + reach) / l + 2, 0, nx),
                      clamped((fmin(r->y, y) - reach) / l - 1, 0, ny),
                      clamped((fmax(r->y, y) + reach) / l + 2, 0, ny)};
}

/* Is the cell no wall, with its centre within the reach? */
static int covers(const otok_river *r, otok_grid g, const otok_holes *walls, int i, int j)
{
    const double reach = reach_of(r, g.spacing);
    double x = (i + 0.5) * g.spacing - r->x, y = (j + 0.5) * g.spacing - r->y;
    if (otok_river_is_line(r)) { /* from its nearest point */
        const double dx = r->to_x - r->x, dy = r->to_y - r->y,
                     at = fmin(1, fmax(0, (x * dx + y * dy) / (dx * dx + dy * dy)));
        x -= at * dx;
        y -= at * dy;
    }
    return x * x + y * y <= reach * reach && !(walls->n && otok_holes_have(walls, j * g.nx + i));
}

/* Does a river bring water to this cell? */
static int reaches(const otok_river *r, int alone, otok_grid g, const otok_holes *walls, int i,
                   int j)
{
    const otok_box at = box_of(r, 1, g);
    return alone ? i == at.x0 && j == at.y0 : covers(r, g, walls, i, j);
}

/* Counts the cells to which a river brings water. Puts `value` into each if there is a target. */
static int64_t spread_river(const target *to, const otok_river *r, int alone, otok_grid g,
                            float value, const otok_holes *walls)
{
    const otok_box in = box_of(r, alone, g);
    int64_t n = 0;
    for (int j = in.y0; j < in.y1; j++)
        for (int i = in.x0; i < in.x1; i++) {
            if (!reaches(r, alone, g, walls, i, j)) continue;
            n++;
            if (to) put_value(to, i, j, value);
        }
    return n;
}

static int64_t cells_of(const otok_river *r, otok_grid g, const otok_holes *walls)
{
    return spread_river(NULL, r, 0, g, 0, walls);
}

/* What a river brings in an iteration [m^3], or for a factor of 1 of its hydrograph. */
static double brings(const otok_river *r, const otok_phase *phase)
{
    return r->hydrograph ? 1 : phase->hydraulic.dt * r->discharge;
}

/* ---- rivers that meet ---- */

static int is_in(const otok_meeting *set, int river)
{
    return (int)(set->of[river / 64] >> river % 64 & 1);
}

/* The rivers that bring water to a cell. */
static otok_meeting rivers_at(const otok_meetings *m, const otok_phase *phase, otok_grid g,
                              const otok_holes *walls, int i, int j)
{
    otok_meeting set = {{0}};
    for (int n = 0; n < phase->nrivers; n++)
        if (otok_river_kind_of(&phase->rivers[n]) == OTOK_RIVER_FLOWS &&
            reaches(&phase->rivers[n], !m->cells[n], g, walls, i, j))
            set.of[n / 64] |= BIT(n % 64);
    return set;
}

/* Do they come by different hydrographs? *first: the first of them. */
static int differ(const otok_meeting *set, const otok_phase *phase, int *first)
{
    *first = -1;
    for (int n = 0; n < phase->nrivers; n++) {
        if (!is_in(set, n)) continue;
        if (*first < 0) *first = n;
        if (phase->rivers[n].hydrograph != phase->rivers[*first].hydrograph) return 1;
    }
    return 0;
}

/* The place of a set in the list, at whose end it is put if it is new; -1: the list is full. */
static int place_of(otok_meetings *m, const otok_meeting *set)
{
    int at = 0;
    while (at < m->n && memcmp(&m->at[at], set, sizeof *set) != 0)
        at++;
    if (at < m->n) return at;
    m->is_full |= m->first + at >= OTOK_HYDROGRAPHS;
    if (m->is_full) return -1;
    m->at[m->n++] = *set;
    return at;
}

/* The cells in which a river is the first of several with different hydrographs. Puts the number of
   each meeting, or the depth per volume of it, into them if there is a target. */
static void meet_river(otok_meetings *m, const target *to, int river, const otok_phase *phase,
                       otok_grid g, const otok_holes *walls)
{
    const otok_box in = box_of(&phase->rivers[river], !m->cells[river], g);
    for (int j = in.y0; j < in.y1; j++)
        for (int i = in.x0; i < in.x1; i++) {
            int first, at;
            const otok_meeting set = rivers_at(m, phase, g, walls, i, j);
            if (!differ(&set, phase, &first) || first != river || (at = place_of(m, &set)) < 0)
                continue;
            if (to)
                put_value(&(target){to->map, to->box, 1}, i, j,
                          to->replaces ? (float)(m->first + at)
                                       : (float)(1 / (g.spacing * g.spacing)));
        }
}

static otok_meetings meetings_of(const target *to, const otok_phase *phase, otok_grid g,
                                 const otok_holes *walls)
{
    otok_meetings m = {.first = 1};
    int differs = 0;
    for (int n = 0; n < phase->nrivers; n++) {
        const int number = phase->rivers[n].hydrograph;
        m.first = number < m.first ? m.first : number + 1;
        differs |= number != phase->rivers[0].hydrograph;
        m.cells[n] = cells_of(&phase->rivers[n], g, walls);
    }
    for (int n = 0; n < phase->nrivers && differs; n++)
        meet_river(&m, to, n, phase, g, walls);
    return m;
}

otok_meetings otok_springs_meetings(const otok_phase *phase, otok_grid g, const otok_holes *walls)
{
    return meetings_of(NULL, phase, g, walls);
}

void otok_springs_volumes(otok_volumes *out, const otok_meetings *m, const otok_phase *phase,
                          const otok_moment *now)
{
    for (int at = 0; at < m->n; at++) {
        double volume = 0;
        for (int n = 0; n < phase->nrivers; n++) {
            const otok_river *r = &phase->rivers[n];
            if (!is_in(&m->at[at], n)) continue;
            volume +=
                (r->hydrograph ? otok_river_volume(r, now->clock, now->next) : brings(r, phase)) /
                (double)(m->cells[n] ? m->cells[n] : 1);
        }
        out->of[m->first + at] = (float)volume;
        out->power[m->first + at] = 0;
    }
}

/* Puts the depths of the rivers, or the numbers of their hydrographs, into a map of zeros. */
static void fill(const target *to, const otok_phase *phase, otok_grid g, const otok_holes *walls)
{
    const otok_box box = to->box;
    const double l = g.spacing;
    memset(to->map, 0, (size_t)(box.x1 - box.x0) * (size_t)(box.y1 - box.y0) * sizeof *to->map);
    for (int n = 0; n < phase->nrivers; n++) {
        const otok_river *r = &phase->rivers[n];
        const int64_t cells = cells_of(r, g, walls);
        const double depth = brings(r, phase) / (l * l) / (double)(cells ? cells : 1);
        const float value = to->replaces ? (float)r->hydrograph : (float)depth;
        spread_river(to, r, !cells, g, value, walls);
    }
    meetings_of(to, phase, g, walls);
}

void otok_springs_rivers(float *map, const otok_phase *phase, otok_grid g, otok_box box,
                         const otok_holes *walls)
{
    fill(&(target){map, box, 0}, phase, g, walls);
}

void otok_springs_hydrographs(float *map, const otok_phase *phase, otok_grid g, otok_box box,
                              const otok_holes *walls)
{
    fill(&(target){map, box, 1}, phase, g, walls);
}

double otok_springs_rate(const otok_phase *phase, otok_grid g, const otok_holes *walls)
{
    double most = 0;
    for (int n = 0; n < phase->nrivers; n++) {
        const int64_t cells = cells_of(&phase->rivers[n], g, walls);
        most = fmax(most, otok_river_largest(&phase->rivers[n]) / (double)(cells ? cells : 1));
    }
    const otok_meetings m = meetings_of(NULL, phase, g, walls);
    for (int at = 0; at < m.n; at++) {
        double all = 0;
        for (int n = 0; n < phase->nrivers; n++)
            if (is_in(&m.at[at], n))
                all +=
                    otok_river_largest(&phase->rivers[n]) / (double)(m.cells[n] ? m.cells[n] : 1);
        most = fmax(most, all);
    }
    return most / (g.spacing * g.spacing);
}

/* The first cell of a river, in rows from the bottom, that another one reaches too (any for NULL),
   and has a value below `most`; -1: none. */
static int64_t first_of(const otok_river *r, const otok_river *other, const float *map, float most,
                        otok_grid g, const otok_holes *walls)
{
    const int alone = !cells_of(r, g, walls), other_alone = other && !cells_of(other, g, walls);
    const otok_box in = box_of(r, alone, g);
    for (int64_t j = in.y0; j < in.y1; j++)
        for (int64_t i = in.x0; i < in.x1; i++)
            if (reaches(r, alone, g, walls, (int)i, (int)j) &&
                (!other || reaches(other, other_alone, g, walls, (int)i, (int)j)) &&
                (!map || map[j * g.nx + i] < most))
                return j * g.nx + i;
    return -1;
}

double otok_springs_stage(const otok_phase *phase, otok_grid g, const otok_holes *walls,
                          const float *ground, double from, double to)
{
    double depth = 0;
    for (int n = 0; n < phase->nrivers; n++) {
        const otok_river *r = &phase->rivers[n];
        const double level = r->level.n ? otok_series_highest(&r->level, from, to) : -INFINITY;
        for (int64_t at; (at = first_of(r, NULL, ground, (float)(level - depth), g, walls)) >= 0;)
            depth = level - (double)ground[at];
    }
    return depth;
}

/* A cell that a river holds or lets out has no other river, but for one of a level, too. */
static otok_status check_held(const otok_scenario *s, const otok_phase *p, const otok_holes *walls)
{
    for (int n = 0; n < p->nrivers; n++)
        for (int k = 0; k < p->nrivers; k++) {
            const otok_river *r = &p->rivers[n], *other = &p->rivers[k];
            if (k == n || otok_river_kind_of(r) == OTOK_RIVER_FLOWS ||
                (r->level.n && other->level.n))
                continue;
            const int64_t at = first_of(r, other, NULL, 0, s->grid, walls);
            if (at < 0) continue;
            return OTOK_FAIL(OTOK_DATA,
                             "%s: phases.%s.rivers: rivers %d and %d share the cell at x %.9g m, y "
                             "%.9g m, where one of them holds a level or lets water out; move them "
                             "apart, or make them smaller",
                             s->path, p->name, n + 1, k + 1,
                             ((double)(at % s->grid.nx) + 0.5) * s->grid.spacing,
                             ((double)(at / s->grid.nx) + 0.5) * s->grid.spacing);
        }
    return OTOK_OK;
}

/* Each hydrograph, and each meeting, has a number. */
static otok_status check_meetings(const otok_scenario *s, const otok_phase *p,
                                  const otok_holes *walls)
{
    const otok_meetings m = otok_springs_meetings(p, s->grid, walls);
    if (!m.is_full) return OTOK_OK;
    return OTOK_FAIL(OTOK_DATA,
                     "%s: phases.%s.rivers: rivers with different histories meet in cells of %.9g "
                     "m, in more than %d combinations besides the %d histories; allowed: at most "
                     "%d of both; move rivers apart, make them smaller, or give them the same "
                     "history",
                     s->path, p->name, s->grid.spacing, m.n, m.first - 1, OTOK_HYDROGRAPHS - 1);
}

static otok_status check_walls(const otok_scenario *s, const otok_phase *p, const otok_holes *walls)
{
    for (int n = 0; n < p->incision.ninflows && walls->n; n++) {
        const struct otok_inflow *in = &p->incision.inflows[n];
        const double l = s->grid.spacing;
        if (otok_holes_have(walls, (int64_t)(in->y / l) * s->grid.nx + (int64_t)(in->x / l)))
            return OTOK_FAIL(OTOK_DATA,
                             "%s: phases.%s.incision.inflows.%d: x %.9g m, y %.9g m is among cells "
                             "without data, which are walls; move it",
                             s->path, p->name, n, in->x, in->y);
    }
    for (int n = 0; n < p->nrivers && walls->n; n++) {
        const otok_river *r = &p->rivers[n];
        const otok_box at = box_of(r, 1, s->grid);
        if (cells_of(r, s->grid, walls) || !otok_holes_have(walls, at.y0 * s->grid.nx + at.x0))
            continue;
        return OTOK_FAIL(OTOK_DATA,
                         "%s: phases.%s.rivers: river %d at x %.9g m, y %.9g m, radius %.9g m "
                         "is among cells without data, which are walls; move it",
                         s->path, p->name, n + 1, r->x, r->y, r->radius);
    }
    return OTOK_OK;
}

otok_status otok_springs_check(const otok_scenario *s, const otok_holes *walls)
{
    for (int p = 0; p < s->nphases; p++) {
        OTOK_TRY(check_walls(s, &s->phases[p], walls));
        OTOK_TRY(check_meetings(s, &s->phases[p], walls));
        OTOK_TRY(check_held(s, &s->phases[p], walls));
    }
    return OTOK_OK;
}
