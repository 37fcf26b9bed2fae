/* scenario_point_files.c: points and lines, in the scenario, a GeoJSON or a CSV. */
#include "scenario_points.h"
#include "scenario_read.h"
#include "series_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

otok_status otok_point_pair(double out[2], const otok_node *node)
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
static void read_crs(otok_point_given *p, const otok_node *root)
{
    const otok_node *crs = otok_node_find(root, "crs");
    const char *name = text_of(crs ? otok_node_find(crs, "properties") : NULL, "name"),
               *number = strrchr(name, ':');
    if (strcasestr(name, "EPSG") && number)
        snprintf(p->system, OTOK_POINT_SYSTEM, "EPSG:%.20s", number + 1);
    else
        strcpy(p->system, OTOK_LONLAT);
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

otok_status otok_point_corners(otok_point_given *p, const otok_node *list, const otok_node *at)
{
    if (list->n > OTOK_DAM_POINTS)
        return otok_node_fail(at,
                              "%d corners; allowed: at most %d; simplify the line, or cut it "
                              "into several",
                              list->n, OTOK_DAM_POINTS);
    for (p->n = 0; p->n < 2 * list->n; p->n += 2)
        OTOK_TRY(otok_point_pair(p->at + p->n, list->items[p->n / 2]));
    return OTOK_OK;
}

/* A point, or a line by its ends, or by its corners. A MultiPoint or MultiLineString of one is that
 * one. */
static otok_status read_shape(otok_point_given *p, const otok_node *feature, const char *name,
                              const otok_node *at)
{
    const otok_node *shape = otok_node_find(feature, "geometry"),
                    *where = shape ? otok_node_find(shape, "coordinates") : NULL;
    const char *type = text_of(shape, "type");
    if (strncmp(type, "Multi", 5) == 0 && where && where->n == 1)
        type += 5, where = where->items[0];
    p->n = strcmp(type, "LineString") == 0 && where && where->n > 1 ? 4 : 2;
    if (!where || (p->n == 2 && (p->corners || strcmp(type, "Point") != 0)))
        return otok_node_fail(at, "the geometry of `%s` is %s; one %sLineString has a place here",
                              name, *type ? type : "null", p->corners ? "" : "Point or one ");
    if (p->corners) return otok_point_corners(p, where, at);
    OTOK_TRY(otok_point_pair(p->at, p->n == 4 ? where->items[0] : where));
    return p->n == 4 ? otok_point_pair(p->at + 2, where->items[where->n - 1]) : OTOK_OK;
}

/* The feature of a GeoJSON with this name. */
static otok_status read_geojson(otok_point_given *p, const otok_node *root, const char *name,
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
static otok_status read_row(otok_point_given *p, otok_sheet *t, const char *name,
                            const otok_node *at)
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
    if (!is_map) strcpy(p->system, OTOK_LONLAT);
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

otok_status otok_point_file(otok_point_given *p, const otok_scenario *s, const otok_node *at)
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
