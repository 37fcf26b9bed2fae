/* scenario_points.c: the points of rivers, gauges, cones and crops in coordinates of a map: `at`,
   for a line also `to`, and their `system`. They become x and y, metres from the lower left corner
   of the grid, so that a point stays where it is when the grid changes. */
#include "scenario_points.h"
#include "scenario_read.h"
#include "series_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SYSTEM = 64 };
#define LONLAT "lonlat"

typedef struct point {
    otok_node *item;
    double at[4]; /* x, y of a point, or of both ends of a line */
    int n;        /* 2 or 4 */
    char system[SYSTEM];
} point;

typedef struct points {
    otok_scenario *scenario;
    int n;
    point *all;
} points;

static const char *const keys[] = {"x", "y", "to_x", "to_y"};

otok_status (*otok_scenario_find_place)(otok_georeference *out, const otok_scenario *scenario);

/* ---- what is given ---- */

static otok_status read_pair(double out[2], const otok_node *node)
{
    static const otok_parameter range = {.unit = "1", .low = -1e12, .high = 1e12};
    if (node->kind != OTOK_NODE_LIST || node->n < 2 || node->n > 3)
        return otok_node_fail(node, "not a point; write [x, y], or [longitude, latitude]");
    OTOK_TRY(otok_value_real(&out[0], node->items[0], &range));
    return otok_value_real(&out[1], node->items[1], &range);
}

static const char *text_of(const otok_node *map, const char *key)
{
    const otok_node *node = map ? otok_node_find(map, key) : NULL;
    return node && node->kind == OTOK_NODE_SCALAR && node->text ? node->text : "";
}

/* The system of a GeoJSON: longitude and latitude, unless its older `crs` names another. */
static void read_crs(point *p, const otok_node *root)
{
    const otok_node *crs = otok_node_find(root, "crs");
    const char *name = text_of(crs ? otok_node_find(crs, "properties") : NULL, "name"),
               *number = strrchr(name, ':');
    if (strcasestr(name, "EPSG") && number)
        snprintf(p->system, SYSTEM, "EPSG:%.20s", number + 1);
    else
        strcpy(p->system, LONLAT);
}

/* Has a feature of a GeoJSON this name? Programs write the property as name, Name or NAME. */
static int is_named(const otok_node *feature, const char *name)
{
    const otok_node *about = otok_node_find(feature, "properties");
    int found = strcmp(text_of(feature, "id"), name) == 0;
    for (int i = 0; about && i < about->n; i++)
        found |= about->items[i]->key && strcasecmp(about->items[i]->key, "name") == 0 &&
                 strcmp(text_of(about, about->items[i]->key), name) == 0;
    return found;
}

/* A point, or a line by its ends. A MultiPoint or MultiLineString of one is that one. */
static otok_status read_shape(point *p, const otok_node *feature, const char *name,
                              const otok_node *at)
{
    const otok_node *shape = otok_node_find(feature, "geometry"),
                    *where = shape ? otok_node_find(shape, "coordinates") : NULL;
    const char *type = text_of(shape, "type");
    if (strncmp(type, "Multi", 5) == 0 && where && where->n == 1)
        type += 5, where = where->items[0];
    p->n = strcmp(type, "LineString") == 0 && where && where->n > 1 ? 4 : 2;
    if (!where || (p->n == 2 && strcmp(type, "Point") != 0))
        return otok_node_fail(
            at, "the geometry of `%s` is %s; one Point or one LineString has a place here", name,
            *type ? type : "null");
    OTOK_TRY(read_pair(p->at, p->n == 4 ? where->items[0] : where));
    return p->n == 4 ? read_pair(p->at + 2, where->items[where->n - 1]) : OTOK_OK;
}

/* The feature of a GeoJSON with this name. */
static otok_status read_geojson(point *p, const otok_node *root, const char *name,
                                const otok_node *at)
{
    const otok_node *list = otok_node_find(root, "features"), *found = NULL;
    for (int i = 0; list && i < list->n; i++) {
        if (!is_named(list->items[i], name)) continue;
        if (found) return otok_node_fail(at, "two features have the name `%s`; rename one", name);
        found = list->items[i];
    }
    if (!found)
        return otok_node_fail(at, "the file has no feature whose property `name` is `%s`", name);
    read_crs(p, root);
    return read_shape(p, found, name, at);
}

static int column_of(const otok_sheet *t, const char *const names[])
{
    for (int c = 0; t->titles && c < t->columns; c++)
        for (int i = 0; names[i]; i++)
            if (strcasecmp(t->titles[c], names[i]) == 0) return c;
    return -1;
}

/* The row of a CSV with this name. */
static otok_status read_row(point *p, otok_sheet *t, const char *name, const otok_node *at)
{
    static const char *const
        names[] = {"name", "id", "station", NULL},
        *const lon[] = {"lon", "longitude", "lng", NULL}, *const lat[] = {"lat", "latitude", NULL},
        *const x[] = {"x", "easting", "east", NULL}, *const y[] = {"y", "northing", "north", NULL};
    const int is_map = column_of(t, lon) < 0, who = column_of(t, names);
    const int column[2] = {column_of(t, is_map ? x : lon), column_of(t, is_map ? y : lat)};
    if (who < 0 || column[0] < 0 || column[1] < 0)
        return otok_sheet_fail(t, t->title_line, at,
                               "a table of points has the columns name, lon, lat, or name, x, y");
    if (!is_map) strcpy(p->system, LONLAT);
    OTOK_TRY(otok_sheet_decimals(t, column, 0, at));
    p->n = 0;
    for (int row = 0; row < t->n; row++) {
        char *const *cells = t->cells + (size_t)row * (size_t)t->columns;
        if (strcmp(cells[who], name) != 0) continue;
        if (p->n) return otok_sheet_fail(t, t->lines[row], at, "a second `%s`; rename one", name);
        for (int k = 0; k < 2; k++) {
            char *end;
            p->at[k] = strtod(cells[column[k]], &end);
            if (end == cells[column[k]] || *end || !isfinite(p->at[k]))
                return otok_sheet_fail(t, t->lines[row], at, "\"%.40s\" is not a coordinate",
                                       cells[column[k]]);
        }
        p->n = 2;
    }
    if (p->n) return OTOK_OK;
    return otok_sheet_fail(t, t->title_line, at, "no row has the name `%s`", name);
}

/* `at: {file: stations.geojson, name: weir}`. */
static otok_status read_file(point *p, otok_scenario *s, const otok_node *at)
{
    char path[OTOK_TEXT_SIZE], *bytes;
    size_t size;
    otok_words words = {0};
    const otok_node *file = otok_node_find(at, "file");
    otok_words_add(&words, "file");
    otok_words_add(&words, "name");
    OTOK_TRY(otok_words_check(&words, at));
    if (!file || !*text_of(at, "name"))
        return otok_node_fail(at, "write {file: stations.geojson, name: NAME}");
    OTOK_TRY(otok_value_text(path, sizeof path, file));
    OTOK_TRY(otok_scenario_resolve(s, path, file));
    OTOK_TRY(otok_text_read(&bytes, &size, path));
    otok_status status;
    if (size > 4 && strcasecmp(path + strlen(path) - 4, ".csv") == 0) {
        otok_sheet table = {0};
        const otok_dialect dialect = {0};
        status = otok_sheet_read(&table, bytes, &dialect, path, file);
        if (status == OTOK_OK) status = read_row(p, &table, text_of(at, "name"), file);
        otok_sheet_destroy(&table);
    } else {
        otok_node *root = NULL; /* JSON is YAML */
        status = otok_node_parse(&root, path, 1, bytes, size);
        if (status == OTOK_OK) status = read_geojson(p, root, text_of(at, "name"), file);
        otok_node_destroy(root);
    }
    free(bytes);
    return status;
}

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
static otok_status place_raster(const point *p)
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

/* Takes `at`, `to` and `system` out of an item, and puts numbers for its x and y in their place. */
static otok_status take(points *all, otok_node *item)
{
    const otok_node *at = otok_node_find(item, "at"), *to = otok_node_find(item, "to"),
                    *system = otok_node_find(item, "system");
    point p = {.item = item, .n = to ? 4 : 2};
    if (!at) return OTOK_OK;
    for (int k = 0; k < 4; k++)
        if (otok_node_find(item, keys[k]))
            return otok_node_fail(at, "`at` and `%s` both give the place; keep one", keys[k]);
    if (at->kind == OTOK_NODE_MAP) {
        OTOK_TRY(read_file(&p, all->scenario, at));
        if (to) return otok_node_fail(to, "`at` names a feature, which has both ends");
    } else {
        OTOK_TRY(read_pair(p.at, at));
        if (to) OTOK_TRY(read_pair(p.at + 2, to));
    }
    if (system && *p.system)
        return otok_node_fail(system, "the file tells the system of its points: %s", p.system);
    if (system) OTOK_TRY(otok_value_text(p.system, SYSTEM, system));
    if (strcmp(p.system, "map") != 0 && strcmp(p.system, LONLAT) != 0 &&
        (strncmp(p.system, "EPSG:", 5) != 0 || atoi(p.system + 5) <= 0))
        return otok_node_fail(system ? system : at,
                              "`system` of the point is %s; write system: lonlat for longitude and "
                              "latitude in degrees, map for the coordinates of the base's raster, "
                              "or a number such as EPSG:25833",
                              *p.system ? "unknown" : "missing");
    otok_node_remove(item, "at");
    otok_node_remove(item, "to");
    otok_node_remove(item, "system");
    if (is_raster(item)) return place_raster(&p);
    for (int k = 0; k < p.n; k++)
        OTOK_TRY(put_number(item, keys[k], 0));
    point *more = realloc(all->all, (size_t)(all->n + 1) * sizeof *more);
    if (!more) return otok_node_no_memory();
    all->all = more;
    all->all[all->n++] = p;
    return OTOK_OK;
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
    if (may_have_point(node)) OTOK_TRY(take(all, node));
    for (int i = 0; i < node->n; i++)
        OTOK_TRY(take_all(all, node->items[i]));
    return OTOK_OK;
}

/* ---- where it is ---- */

/* From the system of a point to that of the grid, or back. */
static otok_status move(double *x, double *y, const point *p, const otok_georeference *place,
                        int back)
{
    const char *own = strcmp(p->system, LONLAT) == 0 ? OTOK_WGS84 : p->system;
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

static otok_status fail_outside(const point *p, int k, const double by[2], otok_grid g,
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

static otok_status settle(const point *p, otok_grid g, const otok_georeference *place)
{
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
