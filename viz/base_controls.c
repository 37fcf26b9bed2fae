/* base_controls.c: see base_controls.h. */
#include "base_controls.h"
#include "requests.h"
#include "scenario/scenario_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The values of a walk over the scenario. */
typedef struct walk {
    otok_base_control *at;
    int n;
    otok_grid grid;
    double relief; /* the largest height that a generator names [m] */
} walk;

/* The axis, x or y, of a key that is a place along it; else 0. */
static char axis_of(const otok_parameter *p)
{
    const char *key = strncmp(p->key, "to_", 3) == 0 ? p->key + 3 : p->key;
    return strcmp(key, "x") == 0 || strcmp(key, "y") == 0 ? *key : 0;
}

/* Sets the range of a slider. Places span the map, lengths and heights up to three times their
   first value, and pure numbers a small range if they have one. */
static void set_range(otok_base_control *c, const walk *w)
{
    const otok_parameter *p = c->parameter;
    const char axis = axis_of(p);
    const double big = fabs(c->value) > 0 ? fabs(c->value)
                       : p->standard > 0  ? p->standard
                                          : w->relief;
    const double width = (double)w->grid.nx * w->grid.spacing,
                 height = (double)w->grid.ny * w->grid.spacing;
    c->low = c->value < 0 ? -3 * big : 0;
    c->high = 3 * big;
    if (axis) c->low = 0, c->high = axis == 'x' ? width : height;
    if (strcmp(p->unit, "1") == 0 && p->high <= 100) {
        if (c->value < 0) c->low = fmax(p->low, -3 * fmax(big, 1));
        c->high = fmin(p->high, 3 * fmax(big, 1));
    }
    if (strcmp(p->group, "sea") == 0) c->low = c->value - w->relief, c->high = c->value + w->relief;
    if (strcmp(p->key, "seed") == 0) c->low = 0, c->high = 999;
    if (p->kind == OTOK_INT) c->high = fmax(c->high, c->value + 8);
    c->low = fmin(otok_clamp(c->low, p->low, p->high), c->value);
    c->high = fmax(otok_clamp(c->high, p->low, p->high), c->value);
    if (p->open & 1 && c->low <= p->low) c->low = p->low + 0.001 * (c->high - p->low);
}

static void add_control(walk *w, const otok_parameter *p, const void *group, const char *path,
                        const char *title)
{
    const double value = p->offset == (size_t)-1 ? NAN : otok_parameter_value(p, group);
    if (isnan(value) || w->n == OTOK_BASE_CONTROLS) return;
    otok_base_control *c = &w->at[w->n];
    c->parameter = p;
    c->value = c->first = value;
    const int size = snprintf(c->path, sizeof c->path, "%s%s%s", path, *path ? "." : "", p->key);
    if (size >= (int)sizeof c->path) return; /* deeper than a panel can show */
    snprintf(c->title, sizeof c->title, "%s", title);
    if (strcmp(p->unit, "m") == 0 && !axis_of(p) && strcmp(p->key, "radius") != 0 &&
        strcmp(p->key, "wavelength") != 0 && isfinite(value))
        w->relief = fmax(w->relief, fabs(value));
    w->n++;
}

static void add_group(walk *w, const char *name, const void *group, const char *path,
                      const char *title)
{
    for (int i = 0; otok_parameter_at(i); i++)
        if (strcmp(otok_parameter_at(i)->group, name) == 0)
            add_control(w, otok_parameter_at(i), group, path, title);
}

static void add_pipeline(walk *w, otok_generator *list, int n, const char *path, const char *title)
{
    for (int i = 0; i < n; i++) {
        const char *name = otok_generator_names[list[i].kind];
        char inner[2 * OTOK_BASE_PATH], words[2 * OTOK_BASE_TITLE];
        snprintf(inner, sizeof inner, "%s.%d.%s", path, i, name);
        snprintf(words, sizeof words, "%s%s%d %s", title, *title ? ": " : "", i + 1, name);
        words[OTOK_BASE_TITLE - 1] = 0;
        add_group(w, name, &list[i].as, inner, words);
        char deeper[2 * OTOK_BASE_PATH];
        snprintf(deeper, sizeof deeper, "%.150s.with", inner);
        add_pipeline(w, list[i].with, list[i].nwith, deeper, words);
        snprintf(deeper, sizeof deeper, "%.150s.mask", inner);
        add_pipeline(w, list[i].mask, list[i].nmask, deeper, words);
    }
}

/* A control that is shown already keeps its range, so that its slider does not move under the
   hand. */
static void set_ranges(const otok_base_controls *was, walk *w)
{
    for (int i = 0; i < w->n; i++) {
        otok_base_control *c = &w->at[i];
        const otok_base_control *old = i < was->n ? &was->at[i] : NULL;
        if (!old || strcmp(old->path, c->path) != 0) {
            set_range(c, w);
            continue;
        }
        c->first = old->first;
        c->low = fmin(old->low, c->value);
        c->high = fmax(old->high, c->value);
    }
}

void otok_base_controls_update(otok_base_controls *b, const otok_live *live)
{
    const otok_scenario *s = otok_sim_scenario(live->sim);
    const int now = otok_sim_phase_index(live->sim);
    const otok_phase *phase = now < 0 ? NULL : &s->phases[now];
    if (b->text && b->refused == live->refused && strcmp(b->text, otok_scenario_text(s)) == 0)
        return;
    otok_base_control *fresh = calloc(OTOK_BASE_CONTROLS, sizeof *fresh);
    char *text = strdup(otok_scenario_text(s));
    if (!fresh || !text) {
        free(fresh);
        free(text);
        return;
    }
    walk w = {.at = fresh, .grid = otok_scenario_grid(s), .relief = 10};
    add_control(&w, otok_parameter_find("", "seed"), s, "", "");
    add_control(&w, otok_parameter_find("sea", "level"), &s->sea_level, "sea", "sea");
    add_pipeline(&w, s->base, s->nbase, "base", "");
    b->base_end = w.n;
    b->rivers = phase ? phase->nrivers : 0;
    b->sea_moves = phase && phase->processes & OTOK_REEF_GROWTH && phase->reef.sea_history.n > 0;
    for (int i = 0; i < b->rivers; i++) {
        char path[OTOK_BASE_PATH], title[32];
        snprintf(path, sizeof path, "phases.%.63s.rivers.%d", phase->name, i);
        snprintf(title, sizeof title, "river %d", i + 1);
        add_group(&w, "river", &phase->rivers[i], path, title);
    }
    set_ranges(b, &w);
    memcpy(b->at, fresh, sizeof b->at);
    b->n = w.n;
    b->refused = live->refused;
    free(b->text);
    b->text = text;
    free(fresh);
}

void otok_base_controls_reset(otok_base_controls *b)
{
    free(b->text);
    memset(b, 0, sizeof *b);
}

/* ---- requests ---- */

static void copy_choice(const otok_parameter *p, int n, char *out, size_t size)
{
    const char *word = p->choices;
    while (n-- > 0 && strchr(word, '|'))
        word = strchr(word, '|') + 1;
    snprintf(out, size, "%.*s", (int)strcspn(word, "|"), word);
}

static void write_value(const otok_base_control *c, double value, int digits, char out[64])
{
    const otok_parameter *p = c->parameter;
    if (p->kind == OTOK_CHOICE)
        copy_choice(p, (int)value, out, 64);
    else if (p->kind == OTOK_BOOL)
        strcpy(out, value != 0 ? "true" : "false");
    else
        snprintf(out, 64, "%.*g", p->kind == OTOK_INT ? 15 : digits, value);
}

void otok_base_control_move(otok_base_control *c, double value, int digits)
{
    const otok_parameter *p = c->parameter;
    char text[64];
    value = otok_clamp(value, p->low,
                       p->kind == OTOK_BOOL || p->kind == OTOK_CHOICE ? INFINITY : p->high);
    if (p->kind == OTOK_INT) value = floor(value + 0.5);
    write_value(c, value, digits, text);
    c->value = p->kind == OTOK_REAL ? strtod(text, NULL) : value;
}

void otok_base_control_ask(const otok_base_control *c, otok_live *live)
{
    char text[64];
    write_value(c, c->value, 15, text);
    otok_requests_add(live, c->path, text);
}

void otok_base_control_set(otok_base_control *c, otok_live *live, double value, int digits)
{
    const double before = c->value;
    otok_base_control_move(c, value, digits);
    if (c->value != before) otok_base_control_ask(c, live);
}

void otok_base_river_remove(otok_live *live, int i)
{
    otok_requests_rivers(live, i, NULL);
}
