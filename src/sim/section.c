/* section.c: see section.h. */
#include "section.h"

#include "../core/status.h"

#include <math.h>

/* A line on its way through squares [of the size of a cell]: it crosses square (i, j), in which the
   share `part` of it lies, from `begin` to `end`. */
typedef struct crossing {
    double x, y, dx, dy, begin, end, part;
    int i, j, next_i, next_j;
} crossing;

/* `less`: by how much the squares are left of the cells, and below them. */
static crossing start_of(const otok_gauge *g, double l, double less)
{
    const double x = g->x / l - less, y = g->y / l - less;
    return (crossing){.x = x,
                      .y = y,
                      .dx = g->to_x / l - less - x,
                      .dy = g->to_y / l - less - y,
                      .next_i = (int)floor(x),
                      .next_j = (int)floor(y)};
}

/* The share of the way to the end at which the line leaves the square. */
static double leaves(double from, double way, int square)
{
    return way > 0 ? (square + 1 - from) / way : way < 0 ? (square - from) / way : INFINITY;
}

/* Goes on to the next square from `first` on; 0: there is none. */
static int next_square(crossing *c, otok_grid grid, int first)
{
    c->begin = c->end;
    c->i = c->next_i, c->j = c->next_j;
    if (c->begin >= 1 || c->i < first || c->j < first || c->i >= grid.nx || c->j >= grid.ny)
        return 0;
    const double by_x = leaves(c->x, c->dx, c->i), by_y = leaves(c->y, c->dy, c->j);
    c->end = fmin(1, fmin(by_x, by_y));
    c->part = c->end > c->begin ? c->end - c->begin : 0;
    if (by_x <= by_y)
        c->next_i += c->dx > 0 ? 1 : -1;
    else
        c->next_j += c->dy > 0 ? 1 : -1;
    return 1;
}

/* The cell that is at (i, j), beyond periodic sides too. Beyond another side there is the cell at
   the side, whose flow across a closed one is mirrored. */
static otok_status read_beyond(otok_section_cell *out, const otok_scenario *s, int i, int j,
                               otok_section_read *read, void *user)
{
    const int nx = (int)s->grid.nx, ny = (int)s->grid.ny, out_x = i < 0 || i >= nx,
              out_y = j < 0 || j >= ny, side_x = s->edges[i < 0 ? OTOK_LEFT : OTOK_RIGHT],
              side_y = s->edges[j < 0 ? OTOK_BOTTOM : OTOK_TOP];
    if (out_x) i = (side_x == OTOK_PERIODIC) == (i < 0) ? nx - 1 : 0;
    if (out_y) j = (side_y == OTOK_PERIODIC) == (j < 0) ? ny - 1 : 0;
    const otok_status status = read(user, i, j, out);
    if (out_x && side_x == OTOK_CLOSED) out->u = -out->u;
    if (out_y && side_y == OTOK_CLOSED) out->v = -out->v;
    return status;
}

/* The four cells around a square of middles: [up][right]. */
typedef struct square {
    int i, j;
    otok_section_cell at[2][2];
} square;

static otok_status read_square(square *out, const square *last, int i, int j,
                               const otok_scenario *s, otok_section_read *read, void *user)
{
    *out = (square){.i = i, .j = j};
    for (int up = 0; up < 2; up++)
        for (int right = 0; right < 2; right++) {
            const int y = j + up - last->j, x = i + right - last->i;
            if ((x == 0 || x == 1) && (y == 0 || y == 1))
                out->at[up][right] = last->at[y][x];
            else
                OTOK_TRY(read_beyond(&out->at[up][right], s, i + right, j + up, read, user));
        }
    return OTOK_OK;
}

/* Between two cells: the mean flow per width, along x or along y. */
static double flow_between(const otok_section_cell *a, const otok_section_cell *b, int up)
{
    return 0.5 * (a->depth * (up ? a->v : a->u) + b->depth * (up ? b->v : b->u));
}

/* The energy head at a place in a square, by the wet cells around it; of dry ground its height; of
   walls NAN. */
static double head_at(const square *q, double x, double y, double gravity)
{
    double sum = 0, share = 0, ground = 0, dry = 0;
    for (int up = 0; up < 2; up++)
        for (int right = 0; right < 2; right++) {
            const otok_section_cell *c = &q->at[up][right];
            const double w = (right ? x : 1 - x) * (up ? y : 1 - y);
            if (isnan(c->level)) continue;
            ground += w * c->level;
            dry += w;
            if (!(c->depth > 0)) continue;
            sum += w * (c->level + (c->u * c->u + c->v * c->v) / (2 * gravity));
            share += w;
        }
    return share > 0 ? sum / share : ground / dry;
}

static double gravity_of(const otok_scenario *s)
{
    for (int p = 0; p < s->nphases; p++)
        if (s->phases[p].processes & OTOK_HYDRAULIC) return s->phases[p].hydraulic.gravity;
    return 9.81;
}

otok_status otok_section_measure(otok_section *out, const otok_gauge *line, const otok_scenario *s,
                                 otok_section_read *read, void *user)
{
    const double l = s->grid.spacing, gravity = gravity_of(s);
    double sum = 0, flows = 0, mean = 0, way = 0;
    square now = {.i = -9, .j = -9}, last;
    *out = (otok_section){0, 0};
    for (crossing c = start_of(line, l, 0.5); next_square(&c, s->grid, -1);) {
        last = now;
        OTOK_TRY(read_square(&now, &last, c.i, c.j, s, read, user));
        const double at = 0.5 * (c.begin + c.end), x = c.x + at * c.dx - c.i,
                     y = c.y + at * c.dy - c.j;
        const double u = (1 - x) * flow_between(&now.at[0][0], &now.at[1][0], 0) +
                         x * flow_between(&now.at[0][1], &now.at[1][1], 0),
                     v = (1 - y) * flow_between(&now.at[0][0], &now.at[0][1], 1) +
                         y * flow_between(&now.at[1][0], &now.at[1][1], 1);
        const double flow = (u * c.dy - v * c.dx) * c.part * l, head = head_at(&now, x, y, gravity);
        out->discharge += flow;
        if (!(c.part > 0) || isnan(head)) continue;
        sum += fabs(flow) * head;
        flows += fabs(flow);
        mean += c.part * head;
        way += c.part;
    }
    out->head = flows > 0 ? sum / flows : mean / way;
    return OTOK_OK;
}

int otok_gauge_is_walled(const otok_gauge *g, otok_grid grid, const otok_holes *walls)
{
    crossing c = start_of(g, grid.spacing, 0);
    if (!otok_gauge_is_section(g))
        return otok_holes_have(walls, (int64_t)c.next_j * grid.nx + c.next_i);
    while (next_square(&c, grid, 0))
        if (c.part > 0 && !otok_holes_have(walls, (int64_t)c.j * grid.nx + c.i)) return 0;
    return 1;
}
