/* controls.c: see controls.h. */
#include "controls.h"
#include "core/clock.h"
#include "requests.h"
#include "scenario/scenario.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const otok_switch otok_switches[OTOK_SWITCHES] = {
    {"hydraulic", "hydraulic", {NULL, NULL}, "the process: water"},
    {"thermal", "thermal", {NULL, NULL}, "the process: slides"},
    {"seabed", "seabed", {NULL, NULL}, "the process: smooth seabed"},
    {"creep", "creep", {NULL, NULL}, "the process: ground rounds off"},
    {"reef", "reef", {NULL, NULL}, "the process: coral"},
    {"droplets", "droplets", {NULL, NULL}, "the process: single drops; begins again"},
    {"mixing", "phase", {"mix_reef_and_erosion", NULL}, "reef and erosion in one phase"},
    {"falling", "rain", {"rate", NULL}, "stage 1 of water: rain"},
    {"outflow",
     "hydraulic",
     {"gravity", NULL},
     "stage 2 of water: its slope drives it; without this stage it just flows on"},
    {"erosion",
     "hydraulic",
     {"dissolve", "deposit"},
     "stage 4 of water: takes ground and puts it down"},
    {"transport", "hydraulic", {"transport", NULL}, "stage 5 of water: carries sediment"},
    {"diffusion",
     "hydraulic",
     {"diffusion_sweeps", "diffusivity"},
     "stage 6 of water: sediment spreads"},
    {"drying", "hydraulic", {"evaporation", NULL}, "stage 7 of water: evaporation"},
};

static int parameter_index(const char *group, const char *key)
{
    int i = 0;
    while (otok_parameter_at(i) != otok_parameter_find(group, key))
        i++;
    return i;
}

static void parameter_path(const otok_controls *d, const char *group, const char *key,
                           char out[OTOK_TEXT_SIZE])
{
    const int own = strcmp(group, "phase") == 0;
    snprintf(out, OTOK_TEXT_SIZE, "phases.%s%s%s%s%s", d->name, own ? "" : ".", own ? "" : group,
             *key ? "." : "", key);
}

/* ---- looking ---- */

/* Keeps what the newest change took away that switched a process off. */
static void keep_switched_off(otok_controls *d, const otok_live *live, int s)
{
    char path[OTOK_TEXT_SIZE];
    parameter_path(d, otok_switches[s].group, "", path);
    for (int i = otok_sim_changes(live->sim) - 1; i >= 0; i--) {
        const otok_change *c = otok_sim_change_at(live->sim, i);
        if (strcmp(c->path, path) != 0 || strcmp(c->after, "off") != 0) continue;
        free(d->before[s]);
        d->before[s] = strdup(c->before);
        return;
    }
}

/* A change of the same number at the same iteration takes the place of the newest. */
static const char *newest_change(const otok_live *live)
{
    const otok_change *c = otok_sim_change_at(live->sim, otok_sim_changes(live->sim) - 1);
    return c ? c->after : NULL;
}

static void read_values(otok_controls *d, const otok_live *live, int phase)
{
    const otok_scenario *s = otok_sim_scenario(live->sim);
    const int fresh = d->phase != phase || !d->name[0];
    d->phase = phase;
    if (phase >= 0) snprintf(d->name, sizeof d->name, "%s", otok_scenario_phase(s, phase));
    for (int i = 0; i < OTOK_CONTROLS; i++) {
        const otok_parameter *p = otok_parameter_at(i);
        const int own = p && strcmp(p->group, "phase") == 0;
        const int there = p && phase >= 0 && (own || otok_scenario_has_process(s, phase, p->group));
        d->value[i] = there && strcmp(p->key, "fit") != 0 ? otok_scenario_value(s, phase, p) : NAN;
        const char *given = there ? otok_phase_given(s, phase, p) : NULL;
        snprintf(d->given[i], sizeof d->given[i], "%s", given ? given : "");
        if (fresh) d->first[i] = d->value[i];
    }
    for (int k = 0; k < OTOK_SWITCHES; k++) {
        if (fresh) {
            d->numbers[k][0] = d->numbers[k][1] = NAN;
            free(d->before[k]);
            d->before[k] = NULL;
        }
        if (!otok_switches[k].keys[0]) keep_switched_off(d, live, k);
    }
    d->nlimits = phase >= 0 ? otok_predict(d->limits, s, phase, NULL) : 0;
    d->changes = otok_sim_changes(live->sim);
    d->newest = newest_change(live);
    d->refused = live->refused;
    d->begun = live->begun;
}

void otok_controls_update(otok_controls *d, const otok_live *live)
{
    const int phase = otok_sim_phase_index(live->sim);
    const double now = otok_clock();
    if (!d->name[0] || d->begun != live->begun || d->phase != phase ||
        d->changes != otok_sim_changes(live->sim) || d->newest != newest_change(live) ||
        d->refused != live->refused || live->iteration < d->at)
        read_values(d, live, phase);
    if (d->measured_at > 0 &&
        (now - d->measured_at < 0.5 || (d->at == live->iteration && now - d->measured_at < 5)))
        return;
    uint64_t fingerprint;
    if (otok_sim_measure(live->sim, &d->ledger, &fingerprint) != OTOK_OK)
        d->ledger.water_error = d->ledger.solid_error = NAN;
    d->at = live->iteration;
    d->measured_at = now;
}

void otok_controls_reset(otok_controls *d)
{
    for (int k = 0; k < OTOK_SWITCHES; k++)
        free(d->before[k]);
    memset(d, 0, sizeof *d);
}

/* ---- one control ---- */

int otok_control_exists(const otok_controls *d, int i)
{
    return i >= 0 && i < OTOK_CONTROLS && otok_parameter_at(i) && !isnan(d->value[i]);
}

typedef struct scale {
    enum { LINEAR, DECADES, SIGNED } kind;
    double low, high;
    int zero;
} scale;

static double smaller_of(double a, double b)
{
    return a < b ? a : b;
}

static scale slider_scale(const otok_parameter *p, double first)
{
    const double given = first > 0 && isfinite(first) ? first : p->standard;
    const double typical = given > 0 && isfinite(given) ? given : 1,
                 most = smaller_of(p->high, 1000 * typical);
    const int small = p->high <= 100 && p->high <= 1000 * typical;
    if (p->low < 0 && !small) return (scale){SIGNED, 0, most, 1};
    if (p->low < 0 || small) return (scale){LINEAR, p->low, p->high, 1};
    double bottom = typical / 1000 > p->low ? typical / 1000 : p->low;
    if (p->kind == OTOK_INT && bottom < 1) bottom = 1;
    return (scale){DECADES, bottom, most, p->low <= 0 && !(p->open & 1)};
}

enum { WHOLE = 15 };

static double round_if_integer(const otok_parameter *p, double value)
{
    return p->kind == OTOK_INT ? floor(value + 0.5) : value;
}

double otok_control_value(const otok_controls *d, int i, double position)
{
    const otok_parameter *p = otok_parameter_at(i);
    const scale s = slider_scale(p, d->first[i]);
    const double t = 2 * position - 1;
    if (s.kind == LINEAR) return round_if_integer(p, s.low + position * (s.high - s.low));
    if (s.kind == SIGNED) return round_if_integer(p, s.high * t * t * t);
    return s.zero && position < 0.02 ? 0
                                     : round_if_integer(p, s.low * pow(s.high / s.low, position));
}

double otok_control_position(const otok_controls *d, int i, double value)
{
    const scale s = slider_scale(otok_parameter_at(i), d->first[i]);
    double position = 0;
    if (s.kind == LINEAR) position = (value - s.low) / (s.high - s.low);
    if (s.kind == SIGNED) position = 0.5 + 0.5 * cbrt(value / s.high);
    if (s.kind == DECADES && value > s.low) position = log(value / s.low) / log(s.high / s.low);
    return position < 0 ? 0 : smaller_of(position, 1);
}

void otok_control_text(int i, double value, int digits, char out[OTOK_CONTROL_TEXT])
{
    const otok_parameter *p = otok_parameter_at(i);
    if (p->kind == OTOK_CHOICE)
        otok_choice_text(p, (int)value, out);
    else if (p->kind == OTOK_BOOL)
        strcpy(out, value != 0 ? "true" : "false");
    else if (isinf(value))
        strcpy(out, value > 0 ? ".inf" : "-.inf");
    else if (p->kind == OTOK_INT)
        snprintf(out, OTOK_CONTROL_TEXT, "%.0f", value);
    else
        snprintf(out, OTOK_CONTROL_TEXT, "%.*g", digits, value);
}

void otok_control_set(otok_controls *d, otok_live *live, int i, double value, int digits)
{
    char path[OTOK_TEXT_SIZE], text[OTOK_CONTROL_TEXT];
    const otok_parameter *p = otok_parameter_at(i);
    parameter_path(d, p->group, p->key, path);
    otok_control_text(i, value, digits, text);
    if (p->kind == OTOK_REAL && isfinite(value)) value = strtod(text, NULL);
    if (value == d->value[i]) return;
    d->value[i] = value;
    otok_requests_add(live, path, text);
}

void otok_control_type(const otok_controls *d, otok_live *live, int i, const char *text)
{
    char path[OTOK_TEXT_SIZE];
    const otok_parameter *p = otok_parameter_at(i);
    parameter_path(d, p->group, p->key, path);
    otok_requests_add(live, path, text);
}

/* ---- switches ---- */

static int has_group(const otok_controls *d, const char *group)
{
    for (int i = 0; otok_parameter_at(i); i++)
        if (strcmp(otok_parameter_at(i)->group, group) == 0 && otok_control_exists(d, i)) return 1;
    return 0;
}

/* The value of a stage that is off: 0; the least number if 0 is not allowed; or the word `none`,
   which is the last one. */
static double off_value(const otok_parameter *p)
{
    int words = 0;
    for (const char *c = p->choices; c && *c; c++)
        words += *c == '|';
    return p->kind == OTOK_CHOICE ? words : p->open & 1 ? 1e-30 : 0;
}

int otok_switch_exists(const otok_controls *d, int s)
{
    return !otok_switches[s].keys[0] || has_group(d, otok_switches[s].group);
}

int otok_switch_is_on(const otok_controls *d, int s)
{
    const otok_switch *w = &otok_switches[s];
    if (!w->keys[0]) return has_group(d, w->group);
    for (int k = 0; k < 2 && w->keys[k]; k++) {
        const int i = parameter_index(w->group, w->keys[k]);
        if (d->value[i] != off_value(otok_parameter_at(i))) return 1;
    }
    return 0;
}

/* Switched on again, a stage gets its earlier value, else the default, else a small one. */
static void set_stage(otok_controls *d, otok_live *live, int s, int on)
{
    const otok_switch *w = &otok_switches[s];
    const int was_seen = !isnan(d->numbers[s][0]);
    for (int k = 0; k < 2 && w->keys[k]; k++) {
        const int i = parameter_index(w->group, w->keys[k]);
        const otok_parameter *p = otok_parameter_at(i);
        const double off = off_value(p), little = p->kind == OTOK_REAL ? 0.001 : 1;
        double *kept = &d->numbers[s][k], next = off;
        if (!on) *kept = d->value[i];
        if (on && (was_seen || k)) next = isnan(*kept) ? p->standard : *kept;
        if (on && next == off && !k && isnan(*kept))
            next = p->standard != off ? p->standard : little;
        otok_control_set(d, live, i, next, WHOLE);
    }
}

static void append_text(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void append_text(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list values;
    va_start(values, format);
    vsnprintf(text + used, size - used, format, values);
    va_end(values);
}

/* Droplets cannot change during a run, because an iteration is a batch of them. Their earlier
   values are kept here. A phase without droplets gets as many as it has iterations for. */
static void set_droplets(otok_controls *d, otok_live *live, int s, const char *path, int on)
{
    enum { BATCH = 2048 };
    char text[1024] = "{", value[OTOK_CONTROL_TEXT];
    const double iterations = d->value[parameter_index("phase", "iterations")];
    for (int i = 0; !on && otok_parameter_at(i); i++) {
        const otok_parameter *p = otok_parameter_at(i);
        if (strcmp(p->group, otok_switches[s].group) != 0 || !otok_control_exists(d, i)) continue;
        otok_control_text(i, d->value[i], WHOLE, value);
        append_text(text, sizeof text, "%s%s: %s", text[1] ? ", " : "", p->key, value);
    }
    if (on) append_text(text, sizeof text, "count: %.0f, batch: %d", BATCH * iterations, BATCH);
    append_text(text, sizeof text, "}");
    if (!on) {
        free(d->before[s]);
        d->before[s] = strdup(text);
    }
    otok_requests_add(live, path, !on ? "off" : d->before[s] ? d->before[s] : text);
}

void otok_switch_set(otok_controls *d, otok_live *live, int s, int on)
{
    char path[OTOK_TEXT_SIZE];
    if (otok_switches[s].keys[0]) {
        set_stage(d, live, s, on);
        return;
    }
    const char *had = d->before[s] && strcmp(d->before[s], "off") != 0 ? d->before[s] : "{}";
    parameter_path(d, otok_switches[s].group, "", path);
    if (strcmp(otok_switches[s].group, "droplets") == 0)
        set_droplets(d, live, s, path, on);
    else
        otok_requests_add(live, path, on ? had : "off");
}
