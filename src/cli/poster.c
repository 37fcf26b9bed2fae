/* poster.c: see poster.h. Lengths are shares of the height of the sheet. Text flows into boxes; if
   it does not fit, a last line says so. */
#include "poster.h"

#include "../io/checkpoint.h"
#include "../io/image.h"
#include "../scenario/scenario_read.h"
#include "text.h"
#include "viz/chart.h"
#include "viz/colours.h"
#include "viz/font.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct sheet {
    int width, height;
    unsigned char *rgb;
} sheet;

typedef struct box {
    int x, y, width, height;
} box;

static const unsigned char paper[3] = {250, 250, 248}, ink[3] = {22, 32, 42},
                           pale[3] = {80, 90, 100};

/* ---- pictures ---- */

static void paste(sheet *s, box b, const unsigned char *rgb)
{
    for (int j = 0; j < b.height; j++)
        memcpy(s->rgb + 3 * ((size_t)(b.y + j) * (size_t)s->width + (size_t)b.x),
               rgb + 3 * (size_t)j * (size_t)b.width, 3 * (size_t)b.width);
}

static otok_status draw_shot(sheet *s, box b, cli_shot *r, int aside, const char *path,
                             const otok_checkpoint *c)
{
    otok_renderer renderer;
    otok_shot view = r->view;
    double range[2];
    char legend[OTOK_LEGEND];
    r->size = (cli_size){b.width, b.height};
    OTOK_TRY(cli_shot_range(r, path, c, range));
    OTOK_TRY(otok_arrange_colours(&view, range, cli_shot_sea(r, c), r->low, r->high));
    cli_shot_arrange(r, c, 0, &view);
    if (aside) { /* room for the legend at the right */
        view.shift[0] = -0.09 * b.width;
        view.camera.distance *= 1.25;
    }
    OTOK_TRY(
        otok_renderer_create(&renderer, otok_checkpoint_grid(c), b.width, b.height, r->samples));
    unsigned char *rgb = malloc((size_t)b.width * (size_t)b.height * 3);
    otok_status status = rgb ? cli_shot_upload(r, path, c, renderer.scene, legend)
                             : OTOK_FAIL(OTOK_NOMEM, "no memory for a picture");
    if (status == OTOK_OK) status = otok_renderer_draw(&renderer, &view, legend, r->map, rgb);
    if (status == OTOK_OK) status = cli_shot_chart(r, path, &view, rgb);
    if (status == OTOK_OK) paste(s, b, rgb);
    otok_renderer_destroy(&renderer);
    free(rgb);
    return status;
}

/* Draws heights from above, with about 15 contours. If there is a sea, the middle of the colours is
   its level. */
static otok_status draw_map(sheet *s, box b, const cli_shot *r, const char *path,
                            const otok_checkpoint *c)
{
    const otok_grid g = otok_checkpoint_grid(c);
    const float *h = otok_checkpoint_map(c, OTOK_TERRAIN);
    const double sea = isnan(r->sea) ? otok_checkpoint_sea_level(c) : r->sea;
    double low = INFINITY, high = -INFINITY;
    char unused[32];
    cli_shot map;
    cli_shot_defaults(&map);
    map.samples = r->samples;
    map.field = "terrain";
    map.view.style = OTOK_STYLE_FIELD;
    map.chart = 1;
    for (int64_t i = 0; i < g.nx * g.ny; i++) {
        low = fmin(low, h[i]);
        high = fmax(high, h[i]);
    }
    const double reach = fmax(high - sea, sea - low);
    const int coast = sea > low && sea < high;
    map.view.colours = otok_colours_find(coast ? "oleron" : "batlow");
    map.low = coast ? sea - reach : low;
    map.high = coast ? sea + reach : fmax(high, low + 1e-3);
    map.view.contours = otok_chart_length(fmax(high - low, 1e-3) / 12, unused);
    map.view.hillshade = 0.7;
    map.view.camera.azimuth = 180;
    map.view.camera.elevation = 90;
    map.view.camera.angle = 8; /* nearly a parallel projection */
    return draw_shot(s, b, &map, 1, path, c);
}

/* ---- text ---- */

/* The letters of the next line of a text that is at most `width` pixels wide. It ends after a comma
   or colon if that fills half of it, or between words, but not between a number and its unit. */
static size_t letters_of_line(const otok_font *font, const char *text, float width)
{
    char words[OTOK_FONT_LETTERS + 1];
    size_t item = 0, word = 0;
    for (size_t n = 0; n <= OTOK_FONT_LETTERS; n++) {
        if (text[n] && text[n] != ' ' && n < OTOK_FONT_LETTERS) continue;
        snprintf(words, sizeof words, "%.*s", (int)n, text);
        const float wide = otok_font_width(font, words);
        if (word && wide > width) break;
        const char last = n ? text[n - 1] : ' ';
        if (!text[n]) return n;
        if ((last == ',' || last == ':') && wide > width / 2) item = n;
        if (!word || !isdigit((unsigned char)last)) word = n;
    }
    return item ? item : word;
}

/* Prints a text in lines, the later ones indented. Returns the height in pixels; -1: it did not
 * fit.
 */
static int print_wrapped(sheet *s, box b, const otok_font *font, int line,
                         const unsigned char colour[3], const char *text)
{
    char words[OTOK_FONT_LETTERS + 1];
    int used = 0;
    for (const char *at = text; *at;) {
        const int aside = at == text ? 0 : line;
        const size_t n = letters_of_line(font, at, (float)(b.width - aside));
        if (used + line > b.height) return -1;
        snprintf(words, sizeof words, "%.*s", (int)n, at);
        otok_font_print(font, s->rgb, s->width, s->height, (float)(b.x + aside),
                        (float)(b.y + used), colour, words);
        used += line;
        at += n + (at[n] == ' ');
    }
    return used;
}

/* Prints the lines of a text, one after the other, in columns. */
static void flow_lines(sheet *s, box b, int columns, int line, const char *text)
{
    const otok_font *font = otok_font_of(line);
    const int gap = 2 * line, wide = (b.width - (columns - 1) * gap) / columns;
    char *copy = strdup(text), *rest = copy;
    int column = 0, used = 0;
    for (char *at = copy ? strsep(&rest, "\n") : NULL; at && column < columns;) {
        const int last = column == columns - 1, head = *at == '*';
        const box room = {b.x + column * (wide + gap), b.y + used, wide,
                          b.height - used - (last ? line : 0)};
        const int alone = head && room.height < 3 * line; /* keeps a heading with what follows it */
        const int took =
            alone ? -1 : print_wrapped(s, room, font, line, head ? ink : pale, at + head);
        if (took >= 0) {
            used += took;
            at = strsep(&rest, "\n");
            continue;
        }
        if (last)
            print_wrapped(s, (box){room.x, b.y + b.height - line, wide, line}, font, line, ink,
                          "... otok inspect --scenario has all");
        column++;
        used = 0;
    }
    free(copy);
}

static void value_text(const otok_parameter *p, const void *values, char out[OTOK_TEXT_SIZE])
{
    const double value = otok_parameter_value(p, values);
    const char *text = (const char *)values + p->offset;
    if (p->kind == OTOK_TEXT)
        snprintf(out, OTOK_TEXT_SIZE, "%s", strrchr(text, '/') ? strrchr(text, '/') + 1 : text);
    else if (p->kind == OTOK_CHOICE)
        otok_choice_text(p, (int)value, out);
    else if (p->kind == OTOK_BOOL)
        strcpy(out, value != 0 ? "true" : "false");
    else
        snprintf(out, OTOK_TEXT_SIZE, p->kind == OTOK_INT ? "%.0f" : "%.5g", value);
}

static int is_standard(const otok_parameter *p, const void *values)
{
    const double value = otok_parameter_value(p, values);
    if (p->kind == OTOK_TEXT) return !((const char *)values)[p->offset];
    return isnan(value) || value == p->standard;
}

/* "cone: height 200 m, radius 310 m": the values that are not the defaults. */
static void print_group(FILE *out, const char *title, const char *group, const void *values)
{
    const char *comma = ": ";
    fputs(title, out);
    for (int i = 0; otok_parameter_at(i); i++) {
        const otok_parameter *p = otok_parameter_at(i);
        char text[OTOK_TEXT_SIZE];
        if (strcmp(p->group, group) != 0 || p->kind == OTOK_LIST || p->kind == OTOK_SERIES ||
            p->offset == (size_t)-1)
            continue;
        if (is_standard(p, values)) continue;
        value_text(p, values, text);
        fprintf(out, "%s%s %s%s%s", comma, p->key, text,
                *p->unit && strcmp(p->unit, "1") != 0 ? " " : "",
                strcmp(p->unit, "1") == 0 ? "" : p->unit);
        comma = ", ";
    }
    fputc('\n', out);
}

static void print_base(FILE *out, const otok_generator *list, int n, int depth)
{
    for (int i = 0; i < n; i++) {
        char title[64];
        snprintf(title, sizeof title, "%*s%s", 4 * depth, "", otok_generator_names[list[i].kind]);
        print_group(out, title, otok_generator_names[list[i].kind], &list[i].as);
        print_base(out, list[i].with, list[i].nwith, depth + 1);
        print_base(out, list[i].mask, list[i].nmask, depth + 1);
    }
}

static void print_phases(FILE *out, const otok_scenario *s)
{
    for (int p = 0; p < s->nphases; p++) {
        otok_phase *phase = &s->phases[p];
        fprintf(out, "*%s, %" PRId64 " iterations\n", phase->name, phase->iterations);
        for (int i = 0; otok_parameter_at(i); i++) {
            const char *group = otok_parameter_at(i)->group;
            if (i && strcmp(otok_parameter_at(i - 1)->group, group) == 0) continue;
            if (strcmp(group, "rivers") != 0 && otok_scenario_has_process(s, p, group))
                print_group(out, group, group, otok_phase_group(phase, group));
        }
        for (int r = 0; r < phase->nrivers; r++)
            print_group(out, "river", "rivers", &phase->rivers[r]);
    }
}

/* Prints the parameters that are not the defaults. They are left out if the scenario cannot be read
   because its rasters are elsewhere. */
static void print_parameters(FILE *out, const otok_snapshot *c, const char *path)
{
    otok_scenario *s;
    fprintf(out, "*base\n");
    if (otok_scenario_read(&s, c->scenario, path, NULL, 0) != OTOK_OK) {
        fprintf(out, "%s\n", otok_why());
        return;
    }
    print_base(out, s->base, s->nbase, 0);
    for (int i = 0; i < s->nlayers; i++)
        print_group(out, s->layers[i].name, "layer", &s->layers[i]);
    print_phases(out, s);
    otok_scenario_destroy(s);
}

static void print_results(FILE *out, const otok_snapshot *c)
{
    const otok_diagnosis found = otok_judge_diagnosis(&c->judge, c->grid.nx);
    fputs("*verdict\n", out);
    if (c->watched)
        cli_diagnosis(out, &found);
    else
        fputs("no run has sampled this state\n", out);
    for (int side = 0; side < 2; side++) {
        fprintf(out, "*ledger of %s, m3\n", side == OTOK_LEDGER_WATER ? "water" : "solids");
        for (int i = 0; i < OTOK_LEDGER_ENTRIES; i++) {
            const otok_ledger_entry *e = otok_ledger_at(i);
            const double value = otok_ledger_value(&c->ledger, i);
            if ((int)e->side == side && e->sign != 'n' && (value != 0 || e->sign == 'e'))
                fprintf(out, "%s: %.6g\n", e->label, value);
        }
    }
}

static otok_status write_text(sheet *s, box left, box right, box foot, int line,
                              const otok_snapshot *c, const char *path)
{
    char *text[2] = {NULL, NULL}, words[OTOK_FONT_LETTERS + 1];
    size_t size;
    for (int k = 0; k < 2; k++) {
        FILE *out = open_memstream(&text[k], &size);
        if (!out) return OTOK_FAIL(OTOK_NOMEM, "no memory for the text of a poster");
        if (k == 0)
            print_parameters(out, c, path);
        else
            print_results(out, c);
        fclose(out);
        if (text[k]) flow_lines(s, k ? right : left, k ? 2 : 3, line, text[k]);
        free(text[k]);
    }
    snprintf(words, sizeof words, "%.34s, %.20s, %.20s   fingerprint %016" PRIx64, c->version,
             c->date, c->backend, c->fingerprint);
    print_wrapped(s, foot, otok_font_of(line), line, pale, words);
    return OTOK_OK;
}

/* ---- the sheet ---- */

static otok_status compose(sheet *s, const cli_shot *r, const char *path, const otok_checkpoint *c,
                           const otok_snapshot *state)
{
    const double u = s->height / 1485.0;
    const int margin = (int)(50 * u), line = (int)fmax(11, 22 * u), title = (int)fmax(14, 52 * u),
              gap = (int)(30 * u);
    const int top = margin + title + 2 * line, inner = s->width - 2 * margin,
              wide = (int)(0.63 * inner), tall = (int)(0.52 * s->height);
    const int below = top + tall + gap, room = s->height - below - margin - 2 * line,
              aside = margin + wide + gap;
    char words[OTOK_FONT_LETTERS + 1];
    cli_shot picture = *r;
    if (!otok_font_of(line))
        return OTOK_FAIL(OTOK_DEVICE,
                         "no font for the text of a poster; install fonts-dejavu-core");
    memset(s->rgb, paper[0], (size_t)s->width * (size_t)s->height * 3);
    print_wrapped(s, (box){margin, margin, inner, title}, otok_font_of(title), title, ink,
                  *state->title ? state->title : path);
    snprintf(words, sizeof words,
             "iteration %" PRId64 ", %.6g s   %" PRId64 " x %" PRId64
             " cells of %g m   seed %" PRId64 "   sea %g m",
             state->iteration, state->time, state->grid.nx, state->grid.ny, state->grid.spacing,
             state->seed, state->sea_level);
    print_wrapped(s, (box){margin, margin + title, inner, line}, otok_font_of(line), line, pale,
                  words);
    OTOK_TRY(draw_shot(s, (box){margin, top, wide, tall}, &picture, 0, path, c));
    OTOK_TRY(draw_map(s, (box){aside, top, s->width - margin - aside, tall}, r, path, c));
    return write_text(s, (box){margin, below, wide, room},
                      (box){aside, below, s->width - margin - aside, room},
                      (box){margin, s->height - margin - line, inner, line}, line, state, path);
}

otok_status cli_poster(const cli_shot *r, const char *path, const char *output)
{
    sheet s = {r->size.width, r->size.height, NULL};
    otok_checkpoint *c = NULL;
    otok_snapshot state = {0};
    if (s.width < 640 || s.height < 480)
        return OTOK_FAIL(OTOK_USAGE, "--size %dx%d: a poster has at least 640x480 pixels", s.width,
                         s.height);
    s.rgb = malloc((size_t)s.width * (size_t)s.height * 3);
    otok_status status =
        s.rgb ? otok_checkpoint_load(&c, path) : OTOK_FAIL(OTOK_NOMEM, "no memory for a poster");
    if (status == OTOK_OK) status = otok_checkpoint_header(&state, path);
    if (status == OTOK_OK) status = compose(&s, r, path, c, &state);
    if (status == OTOK_OK) {
        const char *words[] = {"Title", otok_checkpoint_title(c), "Software", "otok", NULL};
        status = otok_png_write(output, &(otok_picture){s.width, s.height, 3, 8, s.rgb}, words);
    }
    otok_snapshot_destroy(&state);
    otok_checkpoint_destroy(c);
    free(s.rgb);
    return status;
}
