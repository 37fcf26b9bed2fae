/* shot.c: see shot.h. */
#include "shot.h"

#include "../core/colours.h"
#include "../core/words.h"
#include "../io/checkpoint.h"
#include "../io/image.h"
#include "../sim/dated.h"
#include "../sim/sim.h"
#include "text.h"
#include "viz/chart.h"
#include "viz/contours.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cli_shot_defaults(cli_shot *out)
{
    *out = (cli_shot){.samples = 8,
                      .style = -1,
                      .low = NAN,
                      .high = NAN,
                      .sea = NAN,
                      .distance = NAN,
                      .target = {NAN, NAN, NAN},
                      .exaggeration = 1};
    otok_shot_defaults(&out->view);
    otok_arrange_first(&out->view);
    out->view.absorption = NAN;
    out->view.colours = -1;
    out->view.hillshade = NAN;
}

/* The number of a word; -1: the nearest word is in the text of the failure. */
static otok_status read_word(int *out, int found, const char *(*word_at)(int), const char *name,
                             const char *text)
{
    otok_words all = {0};
    *out = found;
    if (found >= 0) return OTOK_OK;
    for (int i = 0; word_at(i); i++)
        otok_words_add(&all, word_at(i));
    return OTOK_FAIL(OTOK_USAGE, "--%s %s: no such %s; the nearest is `%s`, and --help lists all",
                     name, text, name, otok_words_nearest(&all, text));
}

otok_status cli_read_style(void *style, const char *name, const char *text)
{
    return read_word(style, otok_style_find(text), otok_style_name, name, text);
}

otok_status cli_read_colours(void *map, const char *name, const char *text)
{
    return read_word(map, otok_colours_find(text), otok_colours_name, name, text);
}

/* Two or three numbers with commas; the third stays NAN where it is missing. */
static otok_status read_numbers(double *out, int most, const char *name, const char *text)
{
    char *end;
    int n = 0;
    for (const char *at = text; n < most; at = end + 1) {
        out[n++] = strtod(at, &end);
        if (end == at || !isfinite(out[n - 1])) n = -1;
        if (n < 0 || *end != ',') break;
    }
    return n >= 2 && !*end ? OTOK_OK
                           : OTOK_FAIL(OTOK_USAGE, "--%s %s: needs 2%s numbers separated by commas",
                                       name, text, most > 2 ? " or 3" : "");
}

otok_status cli_read_target(void *xyz, const char *name, const char *text)
{
    return read_numbers(xyz, 3, name, text);
}

otok_status cli_read_sun(void *view, const char *name, const char *text)
{
    otok_shot *v = view;
    double x[2] = {0};
    OTOK_TRY(read_numbers(x, 2, name, text));
    v->sun_azimuth = x[0];
    v->sun_elevation = x[1];
    return x[1] >= 1 && x[1] <= 90
               ? OTOK_OK
               : OTOK_FAIL(OTOK_USAGE, "--%s %s: its elevation is not in 1..90", name, text);
}

otok_status cli_read_globe(void *view, const char *name, const char *text)
{
    (void)name, (void)text;
    ((otok_shot *)view)->globe = OTOK_GLOBE_DISTANCE;
    return OTOK_OK;
}

otok_status cli_read_sea(void *level, const char *name, const char *text)
{
    *(double *)level = -INFINITY;
    return strcmp(text, "none") == 0 ? OTOK_OK : cli_number(level, name, text, -1e9, 1e9);
}

otok_status cli_read_tessellation(void *view, const char *name, const char *text)
{
    otok_shot *v = view;
    v->screen_error = 0;
    return cli_number(&v->level, name, text, 1, 64);
}

/* Options of the view that exclude each other. */
static otok_status check_view(const cli_shot *r)
{
    if (r->plan && (!isnan(r->distance) || !isnan(r->target[0]) || r->view.globe > 0))
        return OTOK_FAIL(OTOK_USAGE, "--ortho shows the whole map from above; leave out "
                                     "--distance, --target and --globe");
    if (r->exaggeration != 1 && (r->plan || r->chart || r->view.globe > 0))
        return OTOK_FAIL(OTOK_USAGE, "--exaggeration changes heights as seen from the side; leave "
                                     "out --ortho, --chart and --globe");
    if (r->view.globe > 0 && (r->chart || r->view.style == OTOK_STYLE_WIREFRAME))
        return OTOK_FAIL(OTOK_USAGE, "--globe has no --chart and no wireframe");
    return OTOK_OK;
}

otok_status cli_shot_check(cli_shot *r, int width, int height)
{
    if (!r->size.width) r->size = (cli_size){width, height};
    if (r->minus && !r->field) r->field = "terrain";
    if (r->field && r->style >= 0 && r->style != OTOK_STYLE_FIELD)
        return OTOK_FAIL(OTOK_USAGE, "--field goes with --style field alone");
    if (!r->field && r->style == OTOK_STYLE_FIELD)
        return OTOK_FAIL(OTOK_USAGE, "--style field needs --field NAME");
    if (r->field) r->style = OTOK_STYLE_FIELD;
    if (r->style >= 0) r->view.style = (otok_style)r->style;
    if (isnan(r->view.hillshade)) r->view.hillshade = otok_style_hillshade(r->view.style);
    if (r->view.colours < 0 && !otok_style_is_data(r->view.style))
        r->view.colours = OTOK_COLOURS_OWN; /* no values choose them (otok_arrange_scale) */
    return check_view(r);
}

void cli_shot_end(cli_shot *r)
{
    free(r->difference);
    r->difference = NULL;
}

/* What the style shows of a checkpoint: one map or two, and their name and unit. */
typedef struct values {
    const float *x, *y; /* NULL: none */
    const char *name, *unit;
    const otok_look *look;
} values;

static otok_status find_values(const cli_shot *r, const char *path, otok_checkpoint *c, values *out)
{
    *out = (values){0};
    const int field =
        otok_style_field(r->view.style, r->field ? otok_checkpoint_find(c, r->field) : -1);
    const int second = otok_style_second(r->view.style);
    if (field < 0 && !r->field) return OTOK_OK;
    out->name = r->field ? r->field : otok_field_at(field)->name;
    if (field < 0) return cli_no_field(path, out->name);
    const otok_status status = r->difference ? OTOK_OK : otok_checkpoint_derive(c, field);
    if (status != OTOK_OK) return otok_fail_in(status, "%s", path);
    out->x = r->difference ? r->difference : otok_checkpoint_map(c, field);
    out->y = second < 0 ? NULL : otok_checkpoint_map(c, second);
    if (!out->x || (second >= 0 && !out->y)) return cli_no_field(path, out->name);
    out->unit = otok_checkpoint_info(c, field)->unit;
    out->look = second >= 0 ? otok_derived_at(otok_derived_find("speed"))->look
                            : otok_checkpoint_info(c, field)->look;
    return OTOK_OK;
}

static otok_status subtract(cli_shot *r, const char *path, otok_checkpoint *a, otok_checkpoint *b)
{
    const otok_grid g = otok_checkpoint_grid(a), other = otok_checkpoint_grid(b);
    const int64_t n = g.nx * g.ny;
    values v, w;
    if (g.nx != other.nx || g.ny != other.ny || g.spacing != other.spacing)
        return OTOK_FAIL(OTOK_DATA, "%s: --minus: its grid is not that of %s", r->minus, path);
    OTOK_TRY(find_values(r, path, a, &v));
    OTOK_TRY(find_values(r, r->minus, b, &w));
    if (v.x && strcmp(v.unit, w.unit) != 0)
        return OTOK_FAIL(OTOK_DATA, "%s: --minus: its %s is in %s, that of %s in %s", r->minus,
                         w.name, w.unit, path, v.unit);
    r->difference = malloc((size_t)n * sizeof *r->difference);
    if (!r->difference) return OTOK_FAIL(OTOK_NOMEM, "no memory for a difference");
    for (int64_t i = 0; i < n; i++)
        r->difference[i] = v.look->sign == 3 ? remainderf(v.x[i] - w.x[i], 360)
                                             : v.x[i] - w.x[i]; /* the way around */
    return OTOK_OK;
}

otok_status cli_shot_subtract(cli_shot *r, const char *path, otok_checkpoint *c)
{
    otok_checkpoint *other = NULL;
    if (!r->minus) return OTOK_OK;
    OTOK_TRY(otok_checkpoint_load(&other, r->minus));
    const otok_status status = subtract(r, path, c, other);
    otok_checkpoint_destroy(other);
    return status;
}

static int find_layers(const otok_checkpoint *c, const char *names[OTOK_MAX_LAYERS])
{
    int n = 0;
    while (n < OTOK_MAX_LAYERS && (names[n] = otok_checkpoint_layer(c, n)))
        n++;
    return n;
}

otok_status cli_shot_values(const cli_shot *r, const char *path, otok_checkpoint *c,
                            const otok_look **look, otok_spread *spread, char legend[OTOK_LEGEND])
{
    const otok_grid g = otok_checkpoint_grid(c);
    const char *names[OTOK_MAX_LAYERS];
    char unit[32];
    values v;
    *spread = (otok_spread){0};
    *look = NULL;
    legend[0] = 0;
    OTOK_TRY(find_values(r, path, c, &v));
    if (v.x) {
        const otok_holes *holes = otok_checkpoint_holes(c);
        *look = r->minus ? otok_look_of_differences() : v.look;
        OTOK_TRY(otok_spread_find(spread, *look, v.x, v.y, otok_checkpoint_map(c, OTOK_WATER),
                                  g.nx * g.ny, holes->runs, holes->n));
        otok_arrange_legend(legend, r->view.style, v.name, v.unit);
    }
    otok_arrange_unit(unit, v.x ? v.unit : "");
    if (r->minus) snprintf(legend, OTOK_LEGEND, "difference of %.60s [%s]", v.name, unit);
    if (r->view.style != OTOK_STYLE_LAYERS) return OTOK_OK;
    const int n = find_layers(c, names);
    if (n == 0) return OTOK_FAIL(OTOK_DATA, "%s: its ground has no layers", path);
    spread->high = spread->most = n;
    otok_arrange_layers(legend, names, n);
    return OTOK_OK;
}

void cli_shot_page(cli_shot *r, otok_shot *view, char legend[OTOK_LEGEND])
{
    int least[2];
    const int lost = otok_chart_page(view, r->size.width, r->size.height, legend, r->map, r->chart,
                                     r->plan, least);
    if (!lost) return;
    fprintf(stderr, "otok: --size %dx%d has no room beside the map:", r->size.width,
            r->size.height);
    if (lost & 1)
        fprintf(stderr, " no legend%s below %d pixels of width;", r->map ? ", no small map" : "",
                least[0]);
    if (lost & 2) fprintf(stderr, " no scale bar below %d pixels of height;", least[1]);
    if (lost == 4 || lost == 6)
        fprintf(stderr, " no small map below %d pixels of height;", OTOK_LEAST_INSET);
    fputs(" they are left out\n", stderr);
    if (lost & 1) legend[0] = 0;
    if (lost & 2) r->chart = 0;
    if (lost & 5) r->map = 0;
}

double cli_shot_sea(const cli_shot *r, const otok_checkpoint *c)
{
    return isnan(r->sea) ? otok_checkpoint_sea_level(c) : r->sea;
}

otok_grid cli_shot_grid(const cli_shot *r, otok_grid grid)
{
    grid.spacing /= r->exaggeration;
    return grid;
}

void cli_shot_arrange(const cli_shot *r, const otok_checkpoint *c, double turn, otok_shot *v)
{
    const otok_grid g = cli_shot_grid(r, otok_checkpoint_grid(c));
    const float *h = otok_checkpoint_map(c, OTOK_TERRAIN);
    const double w = cli_shot_sea(r, c);
    const int width = v->page[2] ? v->page[2] : r->size.width,
              height = v->page[2] ? v->page[3] : r->size.height;
    if (isnan(v->absorption)) v->absorption = otok_checkpoint_absorption(c);
    if (isnan(v->absorption)) v->absorption = 0.15;
    otok_arrange_sea(v, h, g, w);
    if (r->plan)
        otok_arrange_plan(v, h, g, width, height);
    else if (turn != 0)
        otok_arrange_turn(v, h, g, w, width, height, turn);
    else
        otok_arrange_camera(v, h, g, w, width, height);
    if (!isnan(r->target[0])) {
        const double at[3] = {r->target[0] / r->exaggeration, r->target[1] / r->exaggeration,
                              r->target[2]};
        const int64_t x = (int64_t)fmin(fmax(at[0] / g.spacing, 0), (double)(g.nx - 1));
        const int64_t y = (int64_t)fmin(fmax(at[1] / g.spacing, 0), (double)(g.ny - 1));
        memcpy(v->camera.target, at, sizeof at);
        if (isnan(r->target[2]))
            v->camera.target[2] = fmax(h[y * g.nx + x], isnan(v->sea_level) ? -INFINITY : w);
    }
    if (!isnan(r->distance)) v->camera.distance = r->distance / r->exaggeration;
    const double asked = v->camera.elevation;
    if (turn == 0 && v->globe == 0 && otok_arrange_above(v, h, g))
        fprintf(stderr,
                "otok: --elevation %g puts the camera below the ground or the sea; %g is used\n",
                asked, v->camera.elevation);
}

otok_status cli_shot_contours(const cli_shot *r, const otok_checkpoint *c, const otok_shot *view,
                              unsigned char *rgb)
{
    const int is_data = otok_style_is_data(view->style);
    if (!r->chart || !(view->contours > 0) || (is_data && !view->page[2])) return OTOK_OK;
    const otok_contours from = {.grid = otok_checkpoint_grid(c),
                                .terrain = otok_checkpoint_map(c, OTOK_TERRAIN),
                                .water = is_data ? NULL : otok_checkpoint_map(c, OTOK_WATER),
                                .holes = otok_checkpoint_holes(c),
                                .map = r->map};
    return otok_contours_label(rgb, r->size.width, r->size.height, view, &from);
}

otok_status cli_shot_chart(const cli_shot *r, const char *path, const otok_shot *view,
                           unsigned char *rgb)
{
    otok_snapshot s;
    char words[160], time[48], date[48];
    if (!r->chart) return OTOK_OK;
    OTOK_TRY(otok_checkpoint_header(&s, path));
    otok_time_words(time, s.time);
    const int n = snprintf(words, sizeof words, "iteration %lld, %s", (long long)s.iteration, time);
    if (otok_snapshot_date(date, &s, s.time))
        snprintf(words + n, sizeof words - (size_t)n, ", %s", date);
    otok_snapshot_destroy(&s);
    return otok_chart_draw(rgb, r->size.width, r->size.height, view, words);
}

/* Files keep the heights of bottoms above terrain_base. */
static void upload_layers(const otok_checkpoint *c, int nlayers, otok_scene *scene)
{
    const int n = nlayers > 0 && otok_checkpoint_map(c, OTOK_TERRAIN_BASE) ? nlayers - 1 : 0;
    otok_scene_layers(scene, n);
    for (int i = -1; n > 0 && i < n; i++) {
        otok_scene_upload(
            scene, OTOK_SLOT_VALUE_X,
            otok_checkpoint_map(c, i < 0 ? OTOK_TERRAIN_BASE : OTOK_LAYER_BOTTOM + i));
        otok_scene_layer(scene, i);
    }
}

otok_status cli_shot_upload(const cli_shot *r, const char *path, otok_checkpoint *c,
                            otok_scene *scene)
{
    static const int fields[OTOK_SLOT_VALUE_X] = {
        OTOK_TERRAIN,    OTOK_WETNESS,    OTOK_REEF,     OTOK_ROAD,          OTOK_WATER,
        OTOK_VELOCITY_X, OTOK_VELOCITY_Y, OTOK_SEDIMENT, OTOK_TERRAIN_CHANGE};
    const char *names[OTOK_MAX_LAYERS];
    const int nlayers = find_layers(c, names);
    const otok_grid grid = otok_checkpoint_grid(c);
    values v;
    if (r->view.globe > 0 && grid.nx != 2 * grid.ny)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: --globe: a planet's map is twice as wide as high, this one has %lld "
                         "x %lld cells",
                         path, (long long)grid.nx, (long long)grid.ny);
    OTOK_TRY(find_values(r, path, c, &v));
    for (int i = 0; i < OTOK_SLOT_VALUE_X; i++)
        otok_scene_upload(scene, (otok_slot)i, otok_checkpoint_map(c, fields[i]));
    upload_layers(c, nlayers, scene);
    OTOK_TRY(otok_scene_holes(scene, otok_checkpoint_holes(c)));
    OTOK_TRY(otok_scene_structures(scene, otok_checkpoint_map(c, OTOK_TERRAIN),
                                   otok_checkpoint_map(c, OTOK_ROAD),
                                   otok_checkpoint_map(c, OTOK_ROAD_HEIGHT)));
    otok_scene_upload(scene, OTOK_SLOT_VALUE_X, NULL);
    otok_scene_upload(scene, OTOK_SLOT_VALUE_Y, v.y);
    if (v.x) OTOK_TRY(otok_scene_values(scene, v.x, otok_checkpoint_holes(c)));
    return OTOK_OK;
}

otok_status cli_shot_write(const char *path, cli_size size, unsigned char *rgb, const char *title,
                           const otok_shot *v)
{
    char low[32] = "", high[32] = "";
    if (v) snprintf(low, sizeof low, "%.9g", v->low);
    if (v) snprintf(high, sizeof high, "%.9g", v->high);
    const char *words[] = {
        "Title", title,     "Software", "otok",     v ? "otok_from" : NULL,
        low,     "otok_to", high,       "otok_map", v ? otok_colours_name(v->colours) : NULL,
        NULL};
    const otok_picture picture = {size.width, size.height, 3, 8, rgb};
    return otok_png_write(path, &picture, words);
}
