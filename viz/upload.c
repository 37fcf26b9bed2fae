/* upload.c: uploads fields to textures: within the device if simulation and OpenGL share it, else
   through a buffer. The driver keeps the old contents of the buffer as long as it needs them, so
   nobody waits. */
#include "upload.h"
#include "arrange.h"
#include "core/clock.h"
#include "known.h"
#include "sampler.h"
#include "sim/derived.h"
#include "sim/sim.h"

#include <epoxy/gl.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct otok_upload {
    size_t cells;
    GLuint buffer;
    float *terrain, *x, *y, *depth; /* on the host; x, y, depth once they are needed */
    int is_current;                 /* `terrain` is what is shown             */
    int no_interop;                 /* simulation and OpenGL share no device  */
    int roads, base; /* the slot of roads was filled; and what bottoms of layers are told above */
    int style, field, colours; /* that the range was found for */
    double ranged;             /* when it was                            */
    otok_spread seen;          /* of the values of this state, or of all recorded ones so far */
    double derived, took;      /* when x was derived, and how long that took [s] */
    otok_sampler sample;       /* its program is 0 until it is needed    */
};

otok_status otok_upload_create(otok_upload **out, otok_grid grid)
{
    otok_upload *f = *out = calloc(1, sizeof *f);
    if (!f) return OTOK_FAIL(OTOK_NOMEM, "no memory to show fields");
    f->cells = (size_t)grid.nx * (size_t)grid.ny;
    f->style = -1;
    f->terrain = malloc(f->cells * sizeof *f->terrain);
    if (!f->terrain) {
        free(f);
        *out = NULL;
        return OTOK_FAIL(OTOK_NOMEM, "no memory for a map of %lld x %lld cells", (long long)grid.nx,
                         (long long)grid.ny);
    }
    glCreateBuffers(1, &f->buffer);
    return OTOK_OK;
}

void otok_upload_destroy(otok_upload *f)
{
    if (!f) return;
    glDeleteBuffers(1, &f->buffer);
    if (f->sample.program) otok_sampler_destroy(&f->sample);
    free(f->terrain);
    free(f->x);
    free(f->y);
    free(f->depth);
    free(f);
}

static otok_status upload_field(const otok_upload *f, otok_live *live, otok_slot slot, int field)
{
    const GLsizeiptr bytes = (GLsizeiptr)(f->cells * sizeof(float));
    const GLuint texture = otok_scene_texture(live->scene, slot);
    otok_status status = OTOK_OK;
    glNamedBufferData(f->buffer, bytes, NULL, GL_STREAM_DRAW);
    float *to = glMapNamedBuffer(f->buffer, GL_WRITE_ONLY);
    if (!to) return OTOK_FAIL(OTOK_NOMEM, "OpenGL has no memory for a map of %zu cells", f->cells);
    if (field == OTOK_TERRAIN)
        memcpy(to, f->terrain, (size_t)bytes);
    else
        status = otok_known_fetch(live, field, to);
    glUnmapNamedBuffer(f->buffer);
    if (status != OTOK_OK) return status;
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, f->buffer);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTextureSubImage2D(texture, 0, 0, 0, (GLsizei)live->grid.nx, (GLsizei)live->grid.ny, GL_RED,
                        GL_FLOAT, NULL);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    live->host_bytes += bytes;
    return OTOK_OK;
}

static void map_range(const float *map, size_t n, float out[2])
{
    float low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        low = map[i] < low ? map[i] : low;
        high = map[i] > high ? map[i] : high;
    }
    out[0] = low, out[1] = high;
}

/* Fills one slot: on the device if possible, else through the host. */
static otok_status fill_slot(otok_upload *f, otok_live *live, otok_slot slot, int field)
{
    float ends[2] = {0, 0};
    if (field < 0 || !otok_known_has(live, field)) {
        otok_scene_upload(live->scene, slot, NULL);
        return OTOK_OK;
    }
    live->direct = 0;
    if (live->sim && live->interop && !f->no_interop) {
        const otok_status status =
            otok_sim_show(live->sim, (otok_field)field, otok_scene_texture(live->scene, slot),
                          slot == OTOK_SLOT_TERRAIN ? ends : NULL);
        if (status != OTOK_OK && status != OTOK_USAGE) return status;
        f->no_interop = status == OTOK_USAGE;
        if (f->no_interop) snprintf(live->apart, sizeof live->apart, "%s", otok_why());
        live->direct = status == OTOK_OK;
    }
    if (!live->direct) {
        if (field == OTOK_TERRAIN) OTOK_TRY(otok_known_fetch(live, field, f->terrain));
        OTOK_TRY(upload_field(f, live, slot, field));
        if (slot == OTOK_SLOT_TERRAIN) map_range(f->terrain, f->cells, ends);
    }
    if (!isfinite(ends[0]) || !isfinite(ends[1]))
        ends[0] = 0, ends[1] = 1; /* it diverged, and is looked at all the same */
    if (slot == OTOK_SLOT_TERRAIN) f->is_current = !live->direct;
    otok_scene_filled(live->scene, slot, ends[0], ends[1]);
    return OTOK_OK;
}

const float *otok_upload_terrain(otok_upload *f, otok_live *live)
{
    if (!f->is_current &&
        (!live->rests || otok_known_fetch(live, OTOK_TERRAIN, f->terrain) != OTOK_OK))
        return NULL;
    f->is_current = 1;
    return f->terrain;
}

double otok_upload_border(const otok_upload *f, const otok_live *live)
{
    const GLsizei nx = (GLsizei)live->grid.nx, ny = (GLsizei)live->grid.ny,
                  most = nx > ny ? nx : ny;
    const GLsizei strips[4][4] = {
        {0, 0, nx, 1}, {0, ny - 1, nx, 1}, {0, 0, 1, ny}, {nx - 1, 0, 1, ny}};
    const GLuint texture = otok_scene_texture(live->scene, OTOK_SLOT_TERRAIN);
    double high = -INFINITY;
    if (f->is_current) return otok_arrange_border(f->terrain, live->grid);
    float *strip = malloc((size_t)most * sizeof *strip);
    for (int k = 0; strip && k < 4; k++) {
        const GLsizei *s = strips[k], n = s[2] * s[3];
        glGetTextureSubImage(texture, 0, s[0], s[1], 0, s[2], s[3], 1, GL_RED, GL_FLOAT,
                             (GLsizei)((size_t)n * sizeof *strip), strip);
        for (GLsizei i = 0; i < n; i++)
            high = fmax(high, strip[i]);
    }
    free(strip);
    return high;
}

/* The spread of the values in the textures, of which the device gives a sample, and the ends. */
static otok_status spread_on_device(otok_upload *f, otok_live *live, const otok_look *look,
                                    int field, int second, otok_spread *out)
{
    static float x[OTOK_SPREAD_SAMPLE], depth[OTOK_SPREAD_SAMPLE];
    const int64_t step = otok_spread_step((int64_t)f->cells);
    const otok_holes *holes = otok_known_holes(live);
    float ends[2];
    if (!f->sample.program) OTOK_TRY(otok_sampler_create(&f->sample));
    const int64_t n = otok_sampler_read(&f->sample, live->scene, live->grid, second >= 0, x, depth);
    for (int64_t h = 0; h < holes->n; h++)
        for (int64_t k = (holes->runs[2 * h] + step - 1) / step;
             k < n && k * step < holes->runs[2 * h] + holes->runs[2 * h + 1]; k++)
            x[k] = NAN;
    OTOK_TRY(otok_spread_find(out, look, x, NULL, depth, n, NULL, 0));
    if (second >= 0) return OTOK_OK;
    OTOK_TRY(otok_sim_show(live->sim, (otok_field)field,
                           otok_scene_texture(live->scene, OTOK_SLOT_VALUE_X), ends));
    out->least = (double)ends[0], out->most = (double)ends[1];
    if (look->share == 1) out->low = out->least, out->high = out->most;
    return OTOK_OK;
}

static otok_status make_room(const otok_upload *f, float **map)
{
    if (!*map) *map = malloc(f->cells * sizeof **map);
    return *map ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for a map of %zu cells", f->cells);
}

static otok_status spread_on_host(otok_upload *f, otok_live *live, const otok_look *look, int field,
                                  int second, otok_spread *out)
{
    const int by_water = look->by_water && otok_known_has(live, OTOK_WATER);
    OTOK_TRY(make_room(f, &f->x));
    if (second >= 0) OTOK_TRY(make_room(f, &f->y));
    if (by_water) OTOK_TRY(make_room(f, &f->depth));
    if (field < OTOK_FIELDS) OTOK_TRY(otok_known_fetch(live, field, f->x)); /* else it is made */
    if (second >= 0) OTOK_TRY(otok_known_fetch(live, second, f->y));
    if (by_water) OTOK_TRY(otok_known_fetch(live, OTOK_WATER, f->depth));
    const otok_holes *holes = otok_known_holes(live);
    return otok_spread_find(out, look, f->x, second >= 0 ? f->y : NULL, by_water ? f->depth : NULL,
                            (int64_t)f->cells, holes->runs, holes->n);
}

/* Finds the range of the colours, which is done rarely. A range stays as long as it fits. */
static otok_status find_range(otok_upload *f, otok_live *live, int field, int second)
{
    const otok_look *look = second >= 0 ? otok_known_info(otok_known_find("speed"))->look
                                        : otok_known_info(field)->look;
    otok_spread spread;
    OTOK_TRY((live->direct && field < OTOK_FIELDS ? spread_on_device : spread_on_host)(
        f, live, look, field, second, &spread));
    if (live->recorded.n && f->style == (int)live->shot.style && f->field == live->field)
        otok_spread_join(&f->seen, &spread); /* recorded states have one range */
    else
        f->seen = spread;
    spread = f->seen;
    otok_shot found = live->shot;
    found.colours = live->colours;
    const int refused =
        otok_arrange_scale(&found, look, &spread, live->sea_level, live->low, live->high);
    const int other =
        f->style != (int)live->shot.style || f->field != live->field || f->colours != found.colours;
    if (refused) {
        found.colours = live->colours;
        if (otok_arrange_scale(&found, look, &spread, live->sea_level, NAN, NAN) != OTOK_OK)
            return OTOK_OK; /* nothing finite: the old range stays */
        if (other)
            otok_live_report(live,
                             "--low or --high is beyond the values, %.4g to %.4g, and is ignored",
                             spread.least, spread.most);
    }
    double *kept = live->range;
    const double was = kept[1] - kept[0], now = found.high - found.low;
    const int keeps =
        !other && now > 0.75 * was && now < 1.1 * was && fabs(found.low - kept[0]) < 0.1 * was;
    if (!keeps) kept[0] = found.low, kept[1] = found.high;
    live->shot.colours = found.colours, live->shot.logs = found.logs;
    live->shot.angles = found.angles;
    live->shot.low = kept[0], live->shot.high = kept[1];
    live->shot.beyond = (spread.least < kept[0]) | (spread.most > kept[1]) << 1;
    f->style = (int)live->shot.style, f->field = live->field, f->colours = found.colours;
    return OTOK_OK;
}

/* Uploads the layers through the slot of values, which these styles do not show. */
static otok_status upload_layers(otok_upload *f, otok_live *live, int anew)
{
    const int n =
        live->nlayers > 0 && otok_known_has(live, OTOK_TERRAIN_BASE) ? live->nlayers - 1 : 0;
    if (live->shot.style != OTOK_STYLE_ISLAND && live->shot.style != OTOK_STYLE_LAYERS)
        return OTOK_OK;
    otok_scene_layers(live->scene, n);
    for (int i = f->base && !anew ? 0 : -1; n > 0 && i < n; i++) {
        OTOK_TRY(fill_slot(f, live, OTOK_SLOT_VALUE_X,
                           i < 0 ? OTOK_TERRAIN_BASE : OTOK_LAYER_BOTTOM + i));
        otok_scene_layer(live->scene, i);
    }
    f->base = 1;
    return OTOK_OK;
}

/* The fields of water are on the device already, also when the style shows one of them. */
static otok_status fill_values(otok_upload *f, otok_live *live, otok_slot slot, int field)
{
    static const struct {
        int field;
        otok_slot slot;
    } water[] = {{OTOK_WATER, OTOK_SLOT_WATER},
                 {OTOK_VELOCITY_X, OTOK_SLOT_FLOW_X},
                 {OTOK_VELOCITY_Y, OTOK_SLOT_FLOW_Y},
                 {OTOK_SEDIMENT, OTOK_SLOT_SEDIMENT}};
    for (int i = 0; i < 4; i++)
        if (field == water[i].field && otok_known_has(live, field)) {
            otok_scene_copy(live->scene, slot, water[i].slot);
            return OTOK_OK;
        }
    return fill_slot(f, live, slot, field);
}

/* A derived field is made on the host. While more states follow it may be of an earlier one, so
   that it costs a fifth of the time at most; a picture that is saved has its own. */
static otok_status derive_values(otok_upload *f, otok_live *live, int field, int anew)
{
    const double began = otok_clock();
    live->old_values = !anew && live->may_lag && began - f->derived < 4 * f->took;
    if (live->old_values) return OTOK_OK;
    OTOK_TRY(make_room(f, &f->x));
    OTOK_TRY(otok_known_fetch(live, field, f->x));
    OTOK_TRY(otok_scene_values(live->scene, f->x, otok_known_holes(live)));
    f->derived = otok_clock();
    f->took = f->derived - began;
    return OTOK_OK;
}

static otok_status upload_values(otok_upload *f, otok_live *live, int anew)
{
    const int field = otok_style_field(live->shot.style, live->field),
              second = otok_style_second(live->shot.style);
    live->legend[0] = 0;
    live->old_values = 0;
    if (field < 0) live->shot.colours = live->colours >= 0 ? live->colours : OTOK_COLOURS_OWN;
    live->shot.hillshade = otok_style_hillshade(live->shot.style);
    OTOK_TRY(field >= OTOK_FIELDS && otok_known_has(live, field)
                 ? derive_values(f, live, field, anew)
                 : fill_values(f, live, OTOK_SLOT_VALUE_X, field));
    OTOK_TRY(fill_values(f, live, OTOK_SLOT_VALUE_Y, second));
    if (live->shot.style == OTOK_STYLE_LAYERS) {
        otok_arrange_layers(live->legend, live->layers, live->nlayers);
        live->shot.low = 0, live->shot.high = live->nlayers;
        live->shot.beyond = live->shot.logs = live->shot.angles = 0;
        f->style = OTOK_STYLE_LAYERS;
    }
    if (field < 0) return OTOK_OK;
    const otok_field_info *info = otok_known_info(field);
    otok_arrange_legend(live->legend, live->shot.style, info->name, info->unit);
    if (!otok_known_has(live, field) || (second >= 0 && !otok_known_has(live, second))) {
        live->legend[0] = 0;
        return OTOK_OK;
    }
    const double now = otok_clock();
    if (anew || now - f->ranged > 1 || f->style != (int)live->shot.style ||
        f->field != live->field) {
        OTOK_TRY(find_range(f, live, field, second));
        f->ranged = now;
    }
    return OTOK_OK;
}

/* Uploads bridges and mouths of tunnels, on the ground as it was at the beginning. */
static otok_status upload_structures(const otok_upload *f, otok_live *live)
{
    static const int fields[3] = {OTOK_TERRAIN, OTOK_ROAD, OTOK_ROAD_HEIGHT};
    if (!otok_known_has(live, OTOK_ROAD) || !otok_known_has(live, OTOK_ROAD_HEIGHT))
        return otok_scene_structures(live->scene, NULL, NULL, NULL);
    float *maps = malloc(3 * f->cells * sizeof *maps);
    if (!maps) return OTOK_FAIL(OTOK_NOMEM, "no memory for bridges and tunnels");
    otok_status status = OTOK_OK;
    for (int i = 0; i < 3 && status == OTOK_OK; i++)
        status = otok_known_fetch(live, fields[i], maps + (size_t)i * f->cells);
    if (status == OTOK_OK)
        status = otok_scene_structures(live->scene, maps, maps + f->cells, maps + 2 * f->cells);
    free(maps);
    return status;
}

/* The maps that a state changes. */
static otok_status fill_state_maps(otok_upload *f, otok_live *live, int anew)
{
    OTOK_TRY(fill_slot(f, live, OTOK_SLOT_TERRAIN, OTOK_TERRAIN));
    if (live->shot.style == OTOK_STYLE_ISLAND) {
        OTOK_TRY(fill_slot(f, live, OTOK_SLOT_WETNESS, OTOK_WETNESS));
        OTOK_TRY(fill_slot(f, live, OTOK_SLOT_REEF, OTOK_REEF));
        OTOK_TRY(fill_slot(f, live, OTOK_SLOT_CHANGE, OTOK_TERRAIN_CHANGE));
    }
    OTOK_TRY(fill_slot(f, live, OTOK_SLOT_WATER, OTOK_WATER));
    OTOK_TRY(fill_slot(f, live, OTOK_SLOT_FLOW_X, OTOK_VELOCITY_X));
    OTOK_TRY(fill_slot(f, live, OTOK_SLOT_FLOW_Y, OTOK_VELOCITY_Y));
    OTOK_TRY(fill_slot(f, live, OTOK_SLOT_SEDIMENT, OTOK_SEDIMENT));
    return f->roads && !anew ? OTOK_OK : fill_slot(f, live, OTOK_SLOT_ROAD, OTOK_ROAD);
}

/* The same, all at once where they stay on the device. */
static otok_status fill_state_maps_at_once(otok_upload *f, otok_live *live, int anew)
{
    const int direct = live->sim && live->interop && !f->no_interop &&
                       otok_sim_show_together(live->sim, 1) == OTOK_OK;
    if (!direct) return fill_state_maps(f, live, anew);
    const otok_status status = fill_state_maps(f, live, anew),
                      ended = otok_sim_show_together(live->sim, 0);
    return status == OTOK_OK ? ended : status;
}

otok_status otok_upload_fields(otok_upload *f, otok_live *live, int anew)
{
    live->sea_level = !isnan(live->sea) ? live->sea
                      : live->sim       ? otok_sim_sea_level(live->sim)
                                        : otok_checkpoint_sea_level(live->checkpoint);
    OTOK_TRY(fill_state_maps_at_once(f, live, anew));
    if (anew) OTOK_TRY(otok_scene_holes(live->scene, otok_known_holes(live)));
    const otok_style style = live->shot.style;
    live->shot.sea_level =
        style == OTOK_STYLE_ISLAND || style == OTOK_STYLE_WATER ? live->sea_level : NAN;
    if (!f->roads || anew) OTOK_TRY(upload_structures(f, live));
    f->roads = 1;
    OTOK_TRY(upload_layers(f, live, anew));
    return upload_values(f, live, anew);
}
