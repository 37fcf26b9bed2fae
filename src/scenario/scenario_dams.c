/* scenario_dams.c: the key `dams` of a phase. */
#include "process.h"
#include "scenario_items.h"

#include <math.h>

/* ---- the faces of a line ---- */

/* A piece of the line in cells, its middles at whole numbers, `n` cells along and `lines` across
   it: the faces that it crosses along one axis. */
typedef struct piece {
    double from[2], to[2], part;
    int64_t size[2];
} piece;

static void cross(const piece *s, int up, otok_dam_face_found *found, void *user)
{
    const int along = up, over = !up; /* the faces lie between cells along it, one in each line */
    const double low = fmin(s->from[over], s->to[over]), high = fmax(s->from[over], s->to[over]),
                 slope = (s->to[along] - s->from[along]) / (s->to[over] - s->from[over]);
    const int64_t first = (int64_t)fmax(0, ceil(low)),
                  end = (int64_t)fmin((double)s->size[over], ceil(high));
    for (int64_t line = first; line < end; line++) {
        const double at = floor(s->from[along] + ((double)line - s->from[over]) * slope);
        if (at < 0 || at >= (double)(s->size[along] - 1)) continue;
        if (up)
            found(user, up, line, (int64_t)at, s->part);
        else
            found(user, up, (int64_t)at, line, s->part);
    }
}

void otok_dam_each_face(const otok_dam *dam, otok_grid g, otok_dam_face_found *found, void *user)
{
    static const double aside[2] = {7.548776662466927e-7, 5.698402909980532e-7};
    for (int n = 0; n + 1 < dam->npoints; n++) {
        const struct otok_dam_corner *a = &dam->line[n], *b = a + 1;
        const double dx = fabs(b->x - a->x), dy = fabs(b->y - a->y);
        const piece s = {{a->x / g.spacing - 0.5 + aside[0], a->y / g.spacing - 0.5 + aside[1]},
                         {b->x / g.spacing - 0.5 + aside[0], b->y / g.spacing - 0.5 + aside[1]},
                         hypot(dx, dy) / (dx + dy),
                         {g.nx, g.ny}};
        cross(&s, 0, found, user);
        cross(&s, 1, found, user);
    }
}

/* ---- reading ---- */

static void count(void *user, int up, int64_t i, int64_t j, double part)
{
    (void)up, (void)i, (void)j, (void)part;
    ++*(int64_t *)user;
}

int64_t otok_dam_faces(const otok_dam *dam, otok_grid grid)
{
    int64_t n = 0;
    otok_dam_each_face(dam, grid, count, &n);
    return n;
}

static otok_status check_water(const otok_phase *phase, const otok_node *list)
{
    const otok_hydraulic *h = &phase->hydraulic;
    if (!(phase->processes & OTOK_HYDRAULIC) || h->pipes != OTOK_SIGNED ||
        h->area != OTOK_AREA_DEPTH || h->law == OTOK_LAW_PUBLISHED)
        return otok_node_fail(list, "dams hold water that has a depth of flow at a face; write "
                                    "`hydraulic: {law: shallow_water}`, or `law: local_inertia` "
                                    "with `area: depth`, or leave dams out");
    if (h->sea == OTOK_SEA_IGNORED) return OTOK_OK;
    return otok_node_fail(list, "a sea that is a base level stands behind dams too; leave "
                                "`hydraulic.sea` out, and write the level beyond a side, such as "
                                "`sides: {left_level: [[0, 1]]}`");
}

static otok_status check_dam(otok_scenario *s, otok_phase *phase, int i, const otok_node *item)
{
    otok_dam *dam = &phase->dams[i];
    OTOK_TRY(check_water(phase, item->parent));
    if (dam->history.n ? !isnan(dam->crest) : isnan(dam->crest))
        return otok_node_fail(otok_blame(item, "history", "crest", NULL),
                              dam->history.n
                                  ? "crest and history both give the height of the dam; keep one"
                                  : "`crest` is missing; write {crest: 12.5 m, line: [[x, y], "
                                    "[x, y]]}, or a history of the crest");
    if (!otok_node_find(item, "line"))
        return otok_node_fail(item, "`line` is missing; write {crest: 12.5 m, line: [[x, y], "
                                    "[x, y]]}, with as many corners as you like");
    OTOK_TRY(otok_items_read(s, phase, dam, otok_parameter_find("dam", "line"), item, NULL));
    if (otok_dam_faces(dam, s->grid)) return OTOK_OK;
    return otok_node_fail(otok_node_find(item, "line"),
                          "the line passes between no two cells of the grid, which is %.9g m wide "
                          "and %.9g m high with cells of %.9g m; give two corners or more, from "
                          "its lower left one",
                          (double)s->grid.nx * s->grid.spacing,
                          (double)s->grid.ny * s->grid.spacing, s->grid.spacing);
}

otok_status otok_dams_read(otok_scenario *s, otok_phase *phase, const otok_node *map)
{
    return otok_items_read(s, phase, phase, otok_parameter_find("phase", "dams"), map, check_dam);
}
