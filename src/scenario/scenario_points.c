/* scenario_points.c: the points of rivers, gauges, cones and crops in coordinates of a map: `at`,
   for a line also `to`, and their `system`; the corners `line` of dams. They become x and y, metres
   from the lower left corner of the grid, so that a point stays where it is when the grid changes.
 */
#include "scenario_points.h"
#include "scenario_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct points {
    otok_scenario *scenario;
    int n;
    otok_point_given *all;
} points;

static const char *const keys[] = {"x", "y", "to_x", "to_y"};

otok_status (*otok_scenario_find_place)(otok_georeference *out, const otok_scenario *scenario);

/* ---- what is given ---- */

static otok_status put_number(otok_node *item, const char *key, double value)
{
    char text[32];
    otok_node *node = otok_node_create(item->source, item->line);
    if (!node) return otok_node_no_memory();
    OTOK_TRY(otok_node_put(item, key, node));
    return otok_node_becomes(node, otok_number_text(value, text));
}

static int is_raster(const otok_node *item)
{
    return item->key && strcmp(item->key, "raster") == 0;
}

/* A raster keeps the place of the grid's middle: it is found in the raster's own system. */
static otok_status place_raster(const otok_point_given *p)
{
    if (p->n != 2)
        return otok_node_fail(p->item, "a raster has one place, not both ends of a line");
    otok_node *system = otok_node_create(p->item->source, p->item->line);
    if (!system) return otok_node_no_memory();
    OTOK_TRY(otok_node_put(p->item, "at_system", system));
    OTOK_TRY(otok_node_becomes(system, p->system));
    OTOK_TRY(put_number(p->item, "at_x", p->at[0]));
    return put_number(p->item, "at_y", p->at[1]);
}

/* A raster is placed at once; another point or line waits for the place of the grid. */
static otok_status keep(points *all, const otok_point_given *p)
{
    if (is_raster(p->item)) return place_raster(p);
    for (int k = 0; k < p->n && !p->corners; k++)
        OTOK_TRY(put_number(p->item, keys[k], 0));
    otok_point_given *more = realloc(all->all, (size_t)(all->n + 1) * sizeof *more);
    if (!more) return otok_node_no_memory();
    all->all = more;
    all->all[all->n++] = *p;
    return OTOK_OK;
}

static otok_status read_system(otok_point_given *p, const otok_node *system, const otok_node *at)
{
    if (system && *p->system)
        return otok_node_fail(system, "the file tells the system of its points: %s", p->system);
    if (system) OTOK_TRY(otok_value_text(p->system, OTOK_POINT_SYSTEM, system));
    if (strcmp(p->system, "map") == 0 || strcmp(p->system, OTOK_LONLAT) == 0 ||
        (strncmp(p->system, "EPSG:", 5) == 0 && atoi(p->system + 5) > 0))
        return OTOK_OK;
    return otok_node_fail(system ? system : at,
                          "`system` of the point is %s; write system: lonlat for longitude and "
                          "latitude in degrees, map for the coordinates of the base's raster, "
                          "or a number such as EPSG:25833",
                          *p->system ? "unknown" : "missing");
}

/* Takes `at`, `to` and `system` out of an item, and puts numbers for its x and y in their place. */
static otok_status take(points *all, otok_node *item)
{
    const otok_node *at = otok_node_find(item, "at"), *to = otok_node_find(item, "to");
    otok_point_given p = {.item = item, .n = to ? 4 : 2};
    if (!at) return OTOK_OK;
    for (int k = 0; k < 4; k++)
        if (otok_node_find(item, keys[k]))
            return otok_node_fail(at, "`at` and `%s` both give the place; keep one", keys[k]);
    if (at->kind == OTOK_NODE_MAP) {
        OTOK_TRY(otok_point_file(&p, all->scenario, at));
        if (to) return otok_node_fail(to, "`at` names a feature, which has both ends");
    } else {
        OTOK_TRY(otok_point_pair(p.at, at));
        if (to) OTOK_TRY(otok_point_pair(p.at + 2, to));
    }
    OTOK_TRY(read_system(&p, otok_node_find(item, "system"), at));
    otok_node_remove(item, "at");
    otok_node_remove(item, "to");
    otok_node_remove(item, "system");
    return keep(all, &p);
}

/* Takes `system` out of a dam, whose `line` is in that system or in a file. */
static otok_status take_line(points *all, otok_node *item)
{
    const otok_node *line = otok_node_find(item, "line"), *system = otok_node_find(item, "system");
    otok_point_given p = {.item = item, .corners = 1};
    if (!line || (line->kind != OTOK_NODE_MAP && !system)) return OTOK_OK;
    if (line->kind == OTOK_NODE_MAP)
        OTOK_TRY(otok_point_file(&p, all->scenario, line));
    else
        OTOK_TRY(otok_point_corners(&p, line, line));
    OTOK_TRY(read_system(&p, system, line));
    otok_node_remove(item, "system");
    return keep(all, &p);
}

static int may_have_point(const otok_node *node)
{
    const char *name = node->key ? node->key : node->parent ? node->parent->key : NULL;
    return node->kind == OTOK_NODE_MAP && name &&
           (node->key ? strcmp(name, "cone") == 0 || strcmp(name, "crop") == 0 || is_raster(node)
                      : strcmp(name, "rivers") == 0 || strcmp(name, "gauges") == 0);
}

static otok_status take_all(points *all, otok_node *node)
{
    const int is_dam = node->kind == OTOK_NODE_MAP && !node->key && node->parent &&
                       node->parent->key && strcmp(node->parent->key, "dams") == 0;
    if (may_have_point(node)) OTOK_TRY(take(all, node));
    if (is_dam) OTOK_TRY(take_line(all, node));
    for (int i = 0; i < node->n; i++)
        OTOK_TRY(take_all(all, node->items[i]));
    return OTOK_OK;
}

/* ---- where it is ---- */

/* From the system of a point to that of the grid, or back. */
static otok_status move(double *x, double *y, const otok_point_given *p,
                        const otok_georeference *place, int back)
{
    const char *own = strcmp(p->system, OTOK_LONLAT) == 0 ? OTOK_WGS84 : p->system;
    int moved = 1;
    if (strcmp(own, "map") == 0) return OTOK_OK;
    if (!place->wkt)
        return otok_node_fail(p->item,
                              "the base's raster does not say its coordinate system; give it one, "
                              "such as a .prj, or write system: map");
    OTOK_TRY(otok_georeference_move(x, y, back ? place->wkt : own, back ? own : place->wkt,
                                    "the point", &moved));
    if (moved) return OTOK_OK;
    return otok_node_fail(p->item,
                          "%.15g, %.15g has no place in the system of the base's raster, or this "
                          "build cannot find it (it needs GDAL); longitude comes first",
                          p->at[0], p->at[1]);
}

static otok_status fail_outside(const otok_point_given *p, int k, const double by[2], otok_grid g,
                                const otok_georeference *place)
{
    double corner[2][2] = {{place->west, place->north - place->height * (double)g.ny},
                           {place->west + place->width * (double)g.nx, place->north}};
    char side[2][48] = {"", ""};
    for (int i = 0; i < 2; i++) {
        OTOK_TRY(move(&corner[i][0], &corner[i][1], p, place, 1));
        if (by[i] != 0)
            snprintf(side[i], sizeof side[i], "%.6g m %s", fabs(by[i]),
                     i ? (by[i] < 0 ? "south" : "north") : (by[i] < 0 ? "west" : "east"));
    }
    const double x = p->at[k + 1], y = p->at[k];
    const int swapped =
        x >= corner[0][0] && x <= corner[1][0] && y >= corner[0][1] && y <= corner[1][1];
    return otok_node_fail(p->item,
                          "the point %.12g, %.12g is %s%s%s of the grid, whose lower left corner "
                          "is %.10g, %.10g and whose upper right one is %.10g, %.10g (%s)%s",
                          y, x, side[0], *side[0] && *side[1] ? " and " : "", side[1], corner[0][0],
                          corner[0][1], corner[1][0], corner[1][1], p->system,
                          swapped ? "; the two are swapped: x or longitude comes first" : "");
}

/* Appends a corner to a line. */
static otok_status put_corner(otok_node *line, const double at[2])
{
    otok_node *corner = otok_node_create(line->source, line->line);
    if (!corner) return otok_node_no_memory();
    OTOK_TRY(otok_node_put(line, NULL, corner));
    corner->kind = OTOK_NODE_LIST;
    OTOK_TRY(put_number(corner, NULL, at[0]));
    return put_number(corner, NULL, at[1]);
}

static otok_status settle(const otok_point_given *p, otok_grid g, const otok_georeference *place)
{
    const otok_node *given = p->corners ? otok_node_find(p->item, "line") : NULL;
    otok_node *line = given ? otok_node_create(given->source, given->line) : NULL;
    if (given && !line) return otok_node_no_memory();
    if (line) line->kind = OTOK_NODE_LIST;
    if (line) OTOK_TRY(otok_node_put(p->item, "line", line));
    for (int k = 0; k < p->n; k += 2) {
        double at[2] = {p->at[k], p->at[k + 1]}, by[2] = {0, 0};
        OTOK_TRY(move(&at[0], &at[1], p, place, 0));
        if (otok_georeference_is_geographic(place)) { /* 350 is -10 */
            const double middle = place->west + 0.5 * place->width * (double)g.nx;
            at[0] = middle + remainder(at[0] - middle, 360);
        }
        at[0] = (at[0] - place->west) / place->width;
        at[1] = (at[1] - place->north) / place->height + (double)g.ny;
        for (int i = 0; i < 2; i++) {
            const double end = (double)(i ? g.ny : g.nx) * g.spacing;
            at[i] = rint(at[i] * g.spacing * 1e6) / 1e6; /* to a micrometre */
            by[i] = at[i] < 0 ? at[i] : at[i] > end ? at[i] - end : 0;
        }
        if (line) OTOK_TRY(put_corner(line, at)); /* it may begin beyond the grid */
        if (line) continue;
        if (by[0] != 0 || by[1] != 0) return fail_outside(p, k, by, g, place);
        OTOK_TRY(put_number(p->item, keys[k], at[0]));
        OTOK_TRY(put_number(p->item, keys[k + 1], at[1]));
    }
    return OTOK_OK;
}

/* The place of the base, read without the points. */
static otok_status find_place(otok_georeference *out, const points *all, const otok_node *root)
{
    otok_scenario s = *all->scenario;
    const otok_node *base = otok_node_find(root, "base");
    s.base = NULL;
    s.nbase = 0;
    otok_status status = base ? otok_base_read(&s, base) : OTOK_OK;
    if (status == OTOK_OK && otok_scenario_find_place) status = otok_scenario_find_place(out, &s);
    otok_base_destroy(s.base, s.nbase);
    if (status != OTOK_OK || out->known) return status;
    return otok_node_fail(all->all[0].item,
                          "the base has no raster with a place on Earth, in which `at` could be; "
                          "write x and y, metres from the lower left corner");
}

otok_status otok_points_read(otok_scenario *s, otok_node *root)
{
    points all = {.scenario = s};
    otok_georeference place = {0};
    otok_status status = take_all(&all, root);
    if (status == OTOK_OK && all.n) status = find_place(&place, &all, root);
    for (int i = 0; i < all.n && status == OTOK_OK; i++)
        status = settle(&all.all[i], s->grid, &place);
    otok_georeference_destroy(&place);
    free(all.all);
    return status;
}
