/* rivers.c: see springs.h. The rivers of a phase as maps of what they bring to each cell. */
#include "../core/status.h"
#include "springs.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static int clamped(double value, int low, int high)
{
    return value <= low ? low : value >= high ? high : (int)value;
}

/* A map of the cells of a box, to which values are added, or in which they replace others. */
typedef struct target {
    float *map;
    otok_box box;
    int replaces;
} target;

static void put_value(const target *to, int i, int j, float value)
{
    float *at = &to->map[(ptrdiff_t)(j - to->box.y0) * (to->box.x1 - to->box.x0) + i - to->box.x0];
    *at = to->replaces ? value : *at + value;
}

/* How far from its place or line a river reaches: on a line the nearest cells at least, those of a
   side on either end of the grid alike. */
static double reach_of(const otok_river *r, double l)
{
    return otok_river_is_line(r) ? fmax(r->radius, l / 2) * (1 + 1e-9) : r->radius;
}

/* The cells of a box whose centre can lie within the reach of a river. */
static otok_box box_of(const otok_river *r, double l, otok_box b)
{
    const int line = otok_river_is_line(r);
    const double reach = reach_of(r, l), x = line ? r->to_x : r->x, y = line ? r->to_y : r->y;
    return (otok_box){clamped((fmin(r->x, x) - reach) / l - 1, b.x0, b.x1),
                      clamped((fmax(r->x, x) + reach) / l + 2, b.x0, b.x1),
                      clamped((fmin(r->y, y) - reach) / l - 1, b.y0, b.y1),
                      clamped((fmax(r->y, y) + reach) / l + 2, b.y0, b.y1)};
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

/* Counts the cells of `b` that a river covers. Puts `value` into each if there is a target. */
static int64_t spread_river(const target *to, const otok_river *r, otok_grid g, otok_box b,
                            float value, const otok_holes *walls)
{
    const otok_box in = box_of(r, g.spacing, b);
    int64_t n = 0;
    for (int j = in.y0; j < in.y1; j++)
        for (int i = in.x0; i < in.x1; i++) {
            if (!covers(r, g, walls, i, j)) continue;
            n++;
            if (to) put_value(to, i, j, value);
        }
    return n;
}

static int64_t cells_of(const otok_river *r, otok_grid g, const otok_holes *walls)
{
    return spread_river(NULL, r, g, (otok_box){0, (int)g.nx, 0, (int)g.ny}, 0, walls);
}

/* The cell in which a river is that covers the centre of none. */
static otok_box source_of(const otok_river *r, otok_grid g)
{
    const int i = clamped(r->x / g.spacing, 0, (int)g.nx - 1),
              j = clamped(r->y / g.spacing, 0, (int)g.ny - 1);
    return (otok_box){i, i + 1, j, j + 1};
}

/* What a river brings in an iteration [m^3], or for a factor of 1 of its hydrograph. */
static double brings(const otok_river *r, const otok_phase *phase)
{
    return r->hydrograph ? 1 : phase->hydraulic.dt * r->discharge;
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
        const int i = source_of(r, g).x0, j = source_of(r, g).y0;
        if (cells)
            spread_river(to, r, g, box, value, walls);
        else if (i >= box.x0 && i < box.x1 && j >= box.y0 && j < box.y1)
            put_value(to, i, j, value);
    }
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
    return most / (g.spacing * g.spacing);
}

/* Does a river bring water to this cell? alone: it covers no cell. */
static int reaches(const otok_river *r, int alone, otok_grid g, const otok_holes *walls, int i,
                   int j)
{
    const otok_box at = source_of(r, g);
    return alone ? i == at.x0 && j == at.y0 : covers(r, g, walls, i, j);
}

/* Do two rivers bring water to the same cell? */
static int meet(const otok_river *one, const otok_river *other, otok_grid g,
                const otok_holes *walls)
{
    const int alone = !cells_of(one, g, walls), lonely = !cells_of(other, g, walls);
    const otok_box in =
        box_of(one, g.spacing, box_of(other, g.spacing, (otok_box){0, (int)g.nx, 0, (int)g.ny}));
    for (int j = in.y0; j < in.y1; j++)
        for (int i = in.x0; i < in.x1; i++)
            if (reaches(one, alone, g, walls, i, j) && reaches(other, lonely, g, walls, i, j))
                return 1;
    return 0;
}

/* A cell has one hydrograph. */
static otok_status check_meeting(const otok_scenario *s, const otok_phase *p,
                                 const otok_holes *walls)
{
    for (int n = 0; n < p->nrivers; n++)
        for (int m = 0; m < n; m++)
            if (p->rivers[m].hydrograph != p->rivers[n].hydrograph &&
                meet(&p->rivers[m], &p->rivers[n], s->grid, walls))
                return OTOK_FAIL(OTOK_DATA,
                                 "%s: phases.%s.rivers: rivers %d and %d have different histories "
                                 "and share a cell; move one or make it smaller, or add their "
                                 "histories up",
                                 s->path, p->name, m + 1, n + 1);
    return OTOK_OK;
}

static otok_status check_walls(const otok_scenario *s, const otok_phase *p, const otok_holes *walls)
{
    for (int n = 0; n < p->nrivers && walls->n; n++) {
        const otok_river *r = &p->rivers[n];
        const otok_box at = source_of(r, s->grid);
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
        OTOK_TRY(check_meeting(s, &s->phases[p], walls));
    }
    return OTOK_OK;
}
