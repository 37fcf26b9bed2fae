/* requests.c: see requests.h. */
#include "requests.h"
#include "core/status.h"
#include "scenario/scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int change_value(otok_live *live, const char *path, const char *value)
{
    if (otok_sim_change(live->sim, path, value) == OTOK_OK) {
        live->dirty = live->altered = 1;
        return 1;
    }
    live->refused++;
    otok_live_report(live, "%.390s", otok_why());
    return 0;
}

/* ---- rain: the phase has it as long as it is asked for, then what it had; the next phase, too, if
 * it is still asked for ---- */

/* Copies the value that the newest change of a path replaced. */
static void copy_replaced_value(const otok_live *live, const char *path, char *out, size_t size)
{
    const int64_t now = otok_sim_iteration(live->sim);
    for (int i = otok_sim_changes(live->sim) - 1; i >= 0; i--) {
        const otok_change *c = otok_sim_change_at(live->sim, i);
        if (c->iteration != now || strcmp(c->path, path) != 0) continue;
        snprintf(out, size, "%s", c->before);
        return;
    }
}

/* A phase that is over cannot change any more. What it had before is put back when the simulation
   begins again with the present values. */
static void remember(otok_live *live, const char *path, const char *value)
{
    if (live->nundone == OTOK_LIVE_CHANGES ||
        asprintf(&live->undone[live->nundone], "%s=%s", path, value) < 0)
        otok_live_report(live, "no room to remember what %s was", path);
    else
        live->nundone++;
}

static void put_back(otok_live *live, int over, const char *path, const char *value)
{
    if (over)
        remember(live, path, value);
    else
        change_value(live, path, value);
}

/* Gives the phase that it rains on, which may be over, what it had before. */
static void end_rain(otok_live *live, int over)
{
    otok_rain_by_hand *r = &live->rain;
    char rate[OTOK_TEXT_SIZE], during[OTOK_TEXT_SIZE];
    if (!r->on) return;
    r->on = 0;
    const char *name = otok_scenario_phase(otok_sim_scenario(live->sim), r->phase);
    snprintf(rate, sizeof rate, r->had ? "phases.%s.rain.rate" : "phases.%s.rain", name);
    snprintf(during, sizeof during, "phases.%s.rain.during", name);
    if (!r->had) put_back(live, over, rate, "off");
    if (r->had && r->before[0]) put_back(live, over, rate, r->before);
    if (r->had && r->during[0]) put_back(live, over, during, r->during);
}

/* If the phase has a raster of rain, it stays, and only the rate and the times change. */
static void apply_rain(otok_live *live)
{
    otok_rain_by_hand *r = &live->rain;
    char rate[OTOK_TEXT_SIZE], during[OTOK_TEXT_SIZE], value[64];
    const int phase = otok_sim_phase_index(live->sim);
    if (r->phase != phase) end_rain(live, 1);
    if (live->rains == r->on || phase < 0) return;
    otok_live_report(live, live->rains ? "rain on" : "rain off");
    if (!live->rains) {
        end_rain(live, 0);
        return;
    }
    const char *name = otok_scenario_phase(otok_sim_scenario(live->sim), phase);
    snprintf(rate, sizeof rate, "phases.%s.rain.rate", name);
    snprintf(during, sizeof during, "phases.%s.rain.during", name);
    snprintf(value, sizeof value, "%.6g", r->rate);
    r->on = 1;
    r->phase = phase;
    r->had = otok_scenario_has_process(otok_sim_scenario(live->sim), phase, "rain");
    r->before[0] = r->during[0] = 0;
    if (change_value(live, rate, value))
        copy_replaced_value(live, rate, r->before, sizeof r->before);
    if (r->had && change_value(live, during, "null"))
        copy_replaced_value(live, during, r->during, sizeof r->during);
}

/* ---- water ---- */

/* The river that is poured is the last one of its phase, which may be over. */
static void end_pour(otok_live *live, int over)
{
    char path[OTOK_TEXT_SIZE];
    if (!live->poured.on) return;
    live->poured.on = 0;
    const otok_phase *phase = &otok_sim_scenario(live->sim)->phases[live->poured.phase];
    char *text = otok_rivers_text(phase, phase->nrivers - 1, NULL);
    snprintf(path, sizeof path, "phases.%.63s.rivers", phase->name);
    if (text) put_back(live, over, path, text);
    free(text);
}

static void apply_brush(otok_live *live)
{
    const otok_brush *b = &live->brush;
    otok_brush *was = &live->poured;
    const int phase = otok_sim_phase_index(live->sim);
    if (was->phase != phase) end_pour(live, 1);
    const int same = b->on == was->on &&
                     (!b->on || (hypot(b->x - was->x, b->y - was->y) < 0.5 * live->grid.spacing &&
                                 b->radius == was->radius && b->discharge == was->discharge));
    if (same) return;
    if (b->on != was->on) otok_live_report(live, b->on ? "pouring" : "pouring off");
    *was = *b;
    was->phase = phase;
    live->altered = 1;
    if (otok_sim_pour(live->sim, b->x, b->y, b->radius, b->on ? b->discharge : 0) != OTOK_OK)
        otok_live_report(live, "%.390s", otok_why());
}

/* ---- what a simulation begins with: its base, and droplets, which count the iterations ---- */

/* The key of droplets that a path names, "" for all of them; NULL: it is another path. */
static const char *droplets_key(const char *path)
{
    const char *at = strncmp(path, "phases.", 7) == 0 ? strstr(path, ".droplets") : NULL;
    if (!at || strchr(path + 7, '.') != at) return NULL;
    at += strlen(".droplets");
    return *at == '.' ? at + 1 : *at ? NULL : at;
}

static int begins_anew(const char *path)
{
    const char *key = droplets_key(path);
    return strncmp(path, "base.", 5) == 0 || strcmp(path, "seed") == 0 ||
           (key && (!*key || strcmp(key, "count") == 0 || strcmp(key, "batch") == 0));
}

int otok_requests_change_base(const otok_live *live)
{
    for (int i = 0; i < live->nchanges; i++)
        if (begins_anew(live->changes[i].path)) return 1;
    return 0;
}

/* Another number of droplets, or of droplets in a batch, gives another number of iterations.
   Returns the text that sets it, as for --set. NULL: the change does not affect them, or there is
   no memory. */
static char *iterations_setting(const otok_scenario *now, const otok_live_change_text *c)
{
    const char *key = droplets_key(c->path);
    char *out = NULL;
    for (int p = 0; key && *key && p < now->nphases; p++) {
        const char *name = now->phases[p].name;
        const otok_droplets *d = &now->phases[p].droplets;
        const double value = fmax(strtod(c->value, NULL), 1);
        if (strncmp(c->path + 7, name, strlen(name)) != 0 || c->path[7 + strlen(name)] != '.')
            continue;
        const double count = strcmp(key, "count") == 0 ? value : (double)d->count,
                     batch = strcmp(key, "batch") == 0 ? value : (double)d->batch;
        if (asprintf(&out, "phases.%s.iterations=%.0f", name, ceil(count / batch)) < 0) return NULL;
        return out;
    }
    return NULL;
}

/* The changes that make another base leave the queue. The others stay. What is poured or rained by
   hand is no value of the scenario. */
otok_status otok_requests_scenario(otok_live *live, otok_scenario **out)
{
    end_rain(live, 1);
    end_pour(live, 1);
    const otok_scenario *now = otok_sim_scenario(live->sim);
    char *sets[3 * OTOK_LIVE_CHANGES];
    int n = live->nundone, kept = 0;
    otok_status status = OTOK_OK;
    *out = NULL;
    for (int i = 0; i < n; i++) /* what was there first is put back last */
        sets[i] = live->undone[n - 1 - i];
    for (int i = 0; i < live->nchanges; i++) {
        const otok_live_change_text *c = &live->changes[i];
        if (!begins_anew(c->path)) {
            live->changes[kept++] = *c;
            continue;
        }
        if (status == OTOK_OK && asprintf(&sets[n++], "%s=%s", c->path, c->value) < 0) {
            sets[--n] = NULL;
            status = OTOK_FAIL(OTOK_NOMEM, "no memory for a change");
        }
        if (status == OTOK_OK && (sets[n] = iterations_setting(now, c))) n++;
    }
    live->nchanges = kept;
    if (status == OTOK_OK)
        status = otok_scenario_read(out, otok_scenario_text(now), now->path,
                                    (const char *const *)sets, n);
    while (n > live->nundone)
        free(sets[--n]);
    return status;
}

/* ---- what is asked for ---- */

otok_status otok_live_change(otok_live *live, const char *path, const char *value)
{
    if (live->nchanges == OTOK_LIVE_CHANGES)
        return OTOK_FAIL(OTOK_USAGE, "more than %d changes at once", OTOK_LIVE_CHANGES);
    otok_live_change_text *c = &live->changes[live->nchanges];
    if (strlen(path) >= sizeof c->path || strlen(value) >= sizeof c->value)
        return OTOK_FAIL(OTOK_USAGE, "%.60s: a value of more than %zu bytes", path,
                         sizeof c->value - 1);
    strcpy(c->path, path);
    strcpy(c->value, value);
    live->nchanges++;
    return OTOK_OK;
}

void otok_requests_add(otok_live *live, const char *path, const char *value)
{
    if (otok_live_change(live, path, value) == OTOK_OK) return;
    live->refused++;
    otok_live_report(live, "%s", otok_why());
}

/* ---- rivers ---- */

void otok_requests_rivers(otok_live *live, int without, const otok_river *more)
{
    const int p = live->sim ? otok_sim_phase_index(live->sim) : -1;
    const otok_phase *phase = p < 0 ? NULL : &otok_sim_scenario(live->sim)->phases[p];
    char path[OTOK_TEXT_SIZE];
    if (!phase || live->poured.on) return; /* what is poured is the last of the rivers, and goes */
    char *text = otok_rivers_text(phase, without, more);
    snprintf(path, sizeof path, "phases.%.63s.rivers", phase->name);
    if (text) otok_requests_add(live, path, text);
    free(text);
}

static void apply_springs(otok_live *live)
{
    const otok_brush *b = &live->brush;
    if (!live->springs) return;
    live->springs = 0;
    if (!b->seen) {
        otok_live_report(live, "no ground under the cursor: no river there");
        return;
    }
    const otok_river river = otok_river_at(b->x, b->y, b->radius, b->discharge);
    otok_requests_rivers(live, -1, &river);
    otok_live_report(live, "a river of %.4g m3/s", river.discharge);
}

void otok_requests_reset(otok_live *live)
{
    live->rain.on = live->poured.on = 0;
}

void otok_requests_forget(otok_live *live)
{
    otok_requests_reset(live);
    while (live->nundone > 0)
        free(live->undone[--live->nundone]);
}

static int has_water(const otok_scenario *s)
{
    for (int p = 0; p < s->nphases; p++)
        if (otok_scenario_has_process(s, p, "hydraulic")) return 1;
    return 0;
}

/* Nothing would come of water at the end, and in a phase without `hydraulic`. */
static void refuse_water(otok_live *live, const otok_scenario *s, int p)
{
    const int asked = live->rains || live->pours || live->brush.on || live->springs;
    if (asked && !has_water(s))
        otok_live_report(live, "no water flows: no phase has `hydraulic`");
    else if (asked)
        otok_live_report(live, "%s %.80s no water flows: go back, or restart",
                         p < 0 ? "after" : "in phase",
                         p < 0 ? "the last iteration" : otok_scenario_phase(s, p));
    live->rains = live->pours = live->brush.on = live->springs = 0;
    end_rain(live, 1);
    end_pour(live, 1);
}

void otok_requests_apply(otok_live *live)
{
    const otok_scenario *s = otok_sim_scenario(live->sim);
    const int p = otok_sim_iteration(live->sim) < otok_sim_end(live->sim)
                      ? otok_sim_phase_index(live->sim)
                      : -1;
    live->flows = p >= 0 && otok_scenario_has_process(s, p, "hydraulic");
    if (!live->flows) refuse_water(live, s, p);
    apply_springs(live);
    for (int i = 0; i < live->nchanges; i++)
        change_value(live, live->changes[i].path, live->changes[i].value);
    live->nchanges = 0;
    apply_rain(live);
    apply_brush(live);
}
