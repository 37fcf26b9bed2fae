/* road_files.c: writes the centre line of a road as GeoJSON or CSV, and a checkpoint with a road.
 * roads.c makes roads. */

#include "../core/rounding.h"
#include "../core/status.h"
#include "../io/checkpoint.h"
#include "../io/file.h"
#include "../model/fixed.h"
#include "../scenario/scenario_read.h"
#include "../sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- the centre line ---- */

static void property(FILE *out, const char *name, double value)
{
    if (isfinite(value))
        fprintf(out, ",\n   \"%s\": %.9g", name, value);
    else
        fprintf(out, ",\n   \"%s\": null", name);
}

static void write_geojson(FILE *out, const otok_road *r)
{
    const otok_road_request *q = r->request;
    fprintf(out,
            "{\"type\": \"Feature\",\n \"properties\": {\n   \"source\": \"otok %s\",\n   "
            "\"coordinates\": \"metres from the left "
            "and bottom edges of the map, height in metres\"",
            otok_version());
#define OF(from, name) #name, (double)(from)->name
    const struct {
        const char *name;
        double value;
    } properties[] = {{OF(r, length)},        {OF(r, energy)},        {OF(r, steepest_grade)},
                      {OF(r, cut)},           {OF(r, fill)},          {OF(r, bridge_length)},
                      {OF(r, tunnel_length)}, {OF(r, shared_length)}, {OF(r, water_length)},
                      {OF(r, least_radius)},  {OF(r, deepest_cut)},   {OF(r, highest_fill)},
                      {OF(r, search_energy)}, {OF(q, step)},          {OF(q, max_grade)},
                      {OF(q, width)},         {OF(q, verge)},         {OF(q, subdivisions)},
                      {OF(q, smoothing)},     {OF(q, bridge_height)}, {OF(q, tunnel_depth)},
                      {OF(q, turn_radius)},   {OF(q, ford)},          {OF(q, clearance)},
                      {OF(q, water_cost)},    {OF(q, balance)}};
#undef OF
    for (size_t i = 0; i < sizeof properties / sizeof properties[0]; i++)
        property(out, properties[i].name, properties[i].value);
    fputs("},\n \"geometry\": {\"type\": \"LineString\", \"coordinates\": [", out);
    for (int64_t i = 0; i < r->npoints; i++)
        fprintf(out, "%s\n  [%.9g, %.9g, %.9g]", i ? "," : "", r->points[i].x, r->points[i].y,
                r->points[i].z);
    fputs("]}}\n", out);
}

static void write_csv(FILE *out, const otok_road *r)
{
    fputs("x,y,z\n", out);
    for (int64_t i = 0; i < r->npoints; i++)
        fprintf(out, "%.9g,%.9g,%.9g\n", r->points[i].x, r->points[i].y, r->points[i].z);
}

static int ends(const char *name, const char *ending)
{
    const size_t n = strlen(name), m = strlen(ending);
    return n > m && strcasecmp(name + n - m, ending) == 0;
}

otok_status otok_road_save(const otok_road *road, const char *path)
{
    OTOK_TRY(OTOK_GIVEN(road, path));
    OTOK_ROUNDING;
    const int geojson = ends(path, ".geojson") || ends(path, ".json");
    if (!geojson && !ends(path, ".csv"))
        return OTOK_FAIL(OTOK_USAGE,
                         "%s: unknown kind of file; a centre line is a .geojson or a .csv", path);
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out) geojson ? write_geojson(out, road) : write_csv(out, road);
    const otok_status status = otok_text_finish(out, &text)
                                   ? otok_file_replace(path, text)
                                   : OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a road", path);
    free(text);
    return status;
}

/* ---- a checkpoint with a road ---- */

/* Walls hold no stock. */
static otok_sum stock(const otok_snapshot *s, int field)
{
    otok_sum sum = {0, 0};
    for (int64_t i = 0; s->maps[field] && i < s->grid.nx * s->grid.ny; i++) {
        if (s->holes.n && otok_holes_have(&s->holes, i)) continue;
        const otok_fixed f = otok_fixed_from(s->maps[field][i]);
        sum.hi += f.hi;
        sum.lo += f.lo;
    }
    return sum;
}

/* Routes know no walls. In these nothing was changed or built before. */
static otok_status check_walls(const otok_snapshot *s, const char *from)
{
    int64_t built = 0;
    for (int64_t k = 0; k < s->holes.n; k++)
        for (int64_t i = s->holes.runs[2 * k], n = s->holes.runs[2 * k + 1]; n > 0; i++, n--)
            built += s->maps[OTOK_ROAD][i] != 0 || s->maps[OTOK_TERRAIN_CHANGE][i] != 0;
    if (!built) return OTOK_OK;
    return OTOK_FAIL(OTOK_DATA,
                     "%s: the road would lie in %lld cells without data, which are walls; lead it "
                     "round them with --via X,Y, or give them a height with `fill` of their raster",
                     from, (long long)built);
}

/* Opens a new ledger, because earthworks come from outside the model. */
static void open_ledger(otok_snapshot *s)
{
    const double area = s->grid.spacing * s->grid.spacing;
    const otok_sum base = stock(s, OTOK_TERRAIN_BASE), change = stock(s, OTOK_TERRAIN_CHANGE),
                   sediment = stock(s, OTOK_SEDIMENT);
    s->water_start = stock(s, OTOK_WATER);
    s->solid_start =
        (otok_sum){base.hi + change.hi + sediment.hi, base.lo + change.lo + sediment.lo};
    memset(s->sums, 0, sizeof s->sums);
    s->ledger = (otok_ledger){0};
    s->ledger.water = s->ledger.water_start =
        otok_fixed_value(s->water_start.hi, s->water_start.lo) * area;
    s->ledger.solid = s->ledger.solid_start =
        otok_fixed_value(s->solid_start.hi, s->solid_start.lo) * area;
    s->ledger.suspended = otok_fixed_value(sediment.hi, sediment.lo) * area;
    s->ledger.nlayers = s->nlayers;
    otok_sum top = change;
    for (int i = 0; i < s->nlayers; i++) {
        const int last = i == s->nlayers - 1;
        const otok_sum bottom =
            last ? (otok_sum){-base.hi, -base.lo} : stock(s, OTOK_LAYER_BOTTOM + i);
        otok_layer_ledger *layer = &s->ledger.layers[i];
        s->layer_start[i] = (otok_sum){top.hi - bottom.hi, top.lo - bottom.lo};
        memcpy(layer->name, s->layers[i], sizeof layer->name);
        layer->now = layer->start =
            otok_fixed_value(s->layer_start[i].hi, s->layer_start[i].lo) * area;
        top = bottom;
    }
}

/* Takes the cut from the layers top down, and adds the fill to the first layer. */
static void cut_layers(otok_snapshot *s)
{
    for (int f = OTOK_LAYER_BOTTOM; f <= OTOK_LAYER_BOTTOM_LAST; f++)
        for (int64_t i = 0; s->maps[f] && i < s->grid.nx * s->grid.ny; i++)
            s->maps[f][i] = otok_smaller(s->maps[f][i], s->maps[OTOK_TERRAIN_CHANGE][i]);
}

static int replace(char **slot, const char *text)
{
    free(*slot);
    *slot = strdup(text);
    return *slot != NULL;
}

static otok_status add_map(otok_snapshot *s, int field)
{
    if (!s->maps[field]) s->maps[field] = calloc((size_t)(s->grid.nx * s->grid.ny), sizeof(float));
    if (!s->maps[field])
        return OTOK_FAIL(OTOK_NOMEM, "no memory for a map of %lld x %lld cells",
                         (long long)s->grid.nx, (long long)s->grid.ny);
    s->has |= BIT(field);
    return OTOK_OK;
}

/* Computes the depth of water on land or of the sea. */
static otok_status find_depth(float **out, const otok_snapshot *s)
{
    const int64_t cells = s->grid.nx * s->grid.ny;
    float *depth = *out = malloc((size_t)cells * sizeof *depth);
    if (!depth) return OTOK_FAIL(OTOK_NOMEM, "no memory for a map of %lld cells", (long long)cells);
    for (int64_t i = 0; i < cells; i++) {
        const float water = s->maps[OTOK_WATER] ? s->maps[OTOK_WATER][i] : 0,
                    sea = (float)s->sea_level -
                          (s->maps[OTOK_TERRAIN_BASE][i] + s->maps[OTOK_TERRAIN_CHANGE][i]);
        depth[i] = fmaxf(fmaxf(water, sea), 0);
    }
    return OTOK_OK;
}

static otok_status build_into(otok_road **out, otok_snapshot *s, const otok_road_request *request,
                              size_t size, const char *from)
{
    char device[256];
    const otok_backend *here;
    if (!s->maps[OTOK_TERRAIN_BASE] || !s->maps[OTOK_TERRAIN_CHANGE])
        return OTOK_FAIL(
            OTOK_DATA,
            "%s: has no terrain_base and terrain_change; give a checkpoint that otok wrote", from);
    OTOK_TRY(add_map(s, OTOK_ROAD));
    OTOK_TRY(add_map(s, OTOK_ROAD_HEIGHT));
    float *depth;
    OTOK_TRY(find_depth(&depth, s));
    const otok_road_maps maps = {s->grid,
                                 s->maps[OTOK_TERRAIN_BASE],
                                 s->maps[OTOK_TERRAIN_CHANGE],
                                 s->maps[OTOK_ROAD],
                                 s->maps[OTOK_ROAD_HEIGHT],
                                 depth};
    const otok_status status = (otok_road_create)(out, request, &maps, size, sizeof maps);
    free(depth);
    OTOK_TRY(status);
    OTOK_TRY(check_walls(s, from));
    cut_layers(s);
    otok_snapshot_derive(s);
    open_ledger(s);
    OTOK_TRY(otok_backend_find(&here, "cpu"));
    OTOK_TRY(here->describe(device, sizeof device));
    if (!replace(&s->parent, from) || !replace(&s->command, otok_command()) ||
        !replace(&s->backend, here->name) || !replace(&s->device, device))
        return OTOK_FAIL(OTOK_NOMEM, "no memory for the provenance of a checkpoint");
    s->fingerprint = otok_snapshot_fingerprint(s);
    return OTOK_OK;
}

otok_status(otok_road_run)(otok_road **out, const otok_road_request *request, const char *from,
                           const char *to, size_t size)
{
    OTOK_TRY(OTOK_GIVEN(out));
    OTOK_ROUNDING;
    otok_snapshot s;
    *out = NULL;
    OTOK_TRY(OTOK_GIVEN(request, from, to));
    OTOK_TRY(otok_file_not_input(to, from));
    OTOK_TRY(otok_checkpoint_read(&s, from));
    otok_status status = build_into(out, &s, request, size, from);
    if (status == OTOK_OK) status = otok_checkpoint_write(to, &s);
    otok_snapshot_destroy(&s);
    if (status != OTOK_OK) {
        otok_road_destroy(*out);
        *out = NULL;
    }
    return status;
}
