/* scenario_audit.c: the key `audit` of a scenario, and the windows of its audit (sim/audit.h). */
#include "scenario_audit.h"

#include "program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* From states at these shares of the iterations; most happens early. */
static const double moments[] = {0, 1.0 / 64, 1.0 / 16, 1.0 / 4, 1.0 / 2};

/* The iterations of a window: of a long run; the least; as a share of the run. */
enum { LONGEST = 24, SHORTEST = 6, SHARE = 320 };
/* A twin runs twice as many iterations as its window has. In a run that is too short for shorter
   windows the twins of the moments and events run 1/COST of its iterations, but two windows there
   are. Phases without a window get one, up to one for each APART iterations of the run. */
enum { COST = 20, FEWEST = 2, APART = 64 };
/* Windows at events, besides those at the moments; and the runs of phases whose events count. */
enum { MOST_EVENTS = 8, VISITS = 1000 };
/* The longest interval of sweeps of waves that a window is lengthened to. */
enum { MOST_SWEPT = 2 * LONGEST };

/* ---- the key ---- */

static int is_default(const otok_audit_moments *m)
{
    return m->n == sizeof moments / sizeof moments[0] &&
           memcmp(m->at, moments, sizeof moments) == 0;
}

static otok_status read_moments(otok_audit_moments *m, const otok_node *list)
{
    m->n = list->n;
    if (list->n < 1 || list->n > OTOK_AUDIT_WINDOWS)
        return otok_node_fail(list, "%d moments; allowed: 1 to %d", list->n, OTOK_AUDIT_WINDOWS);
    for (int i = 0; i < list->n; i++) {
        const otok_node *item = list->items[i];
        const char *text = item->kind == OTOK_NODE_SCALAR && item->text ? item->text : "";
        char *end, shown[64];
        m->at[i] = strtod(text, &end);
        if (!*text || *end || !(m->at[i] >= 0 && m->at[i] < 1) || (i && m->at[i] <= m->at[i - 1]))
            return otok_node_fail(item,
                                  "%s stands where a share of the run is needed; write increasing "
                                  "numbers from 0 to below 1, such as [0, 0.1, 0.5]",
                                  otok_node_show(item, shown));
    }
    return OTOK_OK;
}

otok_status otok_audit_read(otok_audit_moments *out, const otok_node *node)
{
    static const char *const on[] = {"on", "true", "yes"}, *const off[] = {"off", "false", "no"};
    char shown[64];
    out->n = sizeof moments / sizeof moments[0];
    memcpy(out->at, moments, sizeof moments);
    if (!node || otok_node_is_null(node)) return OTOK_OK;
    if (node->kind == OTOK_NODE_LIST) return read_moments(out, node);
    for (int i = 0; node->kind == OTOK_NODE_SCALAR && i < 3; i++) {
        if (strcmp(node->text, on[i]) == 0) return OTOK_OK;
        if (strcmp(node->text, off[i]) != 0) continue;
        out->n = 0;
        return OTOK_OK;
    }
    return otok_node_fail(node, "%s; write `on`, `off`, or moments such as [0, 0.1, 0.5]",
                          otok_node_show(node, shown));
}

void otok_audit_write(FILE *out, const otok_audit_moments *m)
{
    if (is_default(m)) return;
    if (m->n == 0) fputs("audit: off\n", out);
    for (int i = 0; i < m->n; i++)
        fprintf(out, "%s%.17g%s", i ? ", " : "audit: [", m->at[i], i == m->n - 1 ? "]\n" : "");
}

/* ---- the windows ---- */

/* Can each iteration from `from` to `upto` be split in two? Sweeps of the seabed alone cannot, nor
   batches of an odd number of droplets. */
static int splits(const otok_scenario *s, int64_t from, int64_t upto)
{
    for (otok_visit v = {0}; v.phase < s->nphases && v.begin < upto; otok_visit_next(&v, s)) {
        const otok_phase *phase = &s->phases[v.phase];
        if (from >= v.begin + phase->iterations) continue;
        if (phase->processes & OTOK_DROPLETS && phase->droplets.batch % 2) return 0;
        if (!(phase->processes & ~OTOK_SEABED)) return 0;
    }
    return 1;
}

int otok_scenario_splits(const otok_scenario *s)
{
    for (int i = 0; i < s->nphases; i++) {
        const otok_phase *phase = &s->phases[i];
        if (phase->processes & OTOK_DROPLETS && phase->droplets.batch % 2) return 0;
        if (phase->processes & OTOK_SEABED && phase->seabed.sweeps % 2) return 0;
    }
    return 1;
}

int otok_scenario_has(const otok_scenario *s, int processes)
{
    int all = 0;
    for (int p = 0; p < s->nphases; p++)
        all |= s->phases[p].processes;
    return (all & processes) != 0;
}

/* The first iteration from `start` on such that no checkpoint falls within the window, since a run
   may be continued from there. */
static int64_t between_checkpoints(const otok_scenario *s, int64_t start, int64_t length)
{
    const int64_t every = s->output.every;
    if (every == 0 || start % every == 0) return start;
    const int64_t next = (start / every + 1) * every;
    return next < start + length ? next : start;
}

static int ascending(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* ---- events: what the scenario names beforehand ---- */

/* An event: the iteration at which a forcing is strongest, and the water that it brings [m3/s]; 0:
   it brings none. */
typedef struct event {
    int64_t at;
    double strength;
} event;

typedef struct events {
    const otok_scenario *s;
    const otok_visit *visit;
    int64_t length; /* of a window */
    int n;
    event all[MOST_EVENTS + 1]; /* the strongest first */
} events;

/* Adds an event whose window begins at an iteration of the present run of a phase. */
static void add_event(events *e, double within, double strength)
{
    const int64_t all = e->s->phases[e->visit->phase].iterations, last = all - e->length,
                  at = within < (double)last ? (int64_t)fmax(within, 0) : last;
    if (last < 0) return;
    int i = e->n < MOST_EVENTS ? e->n++ : MOST_EVENTS;
    for (; i > 0 && e->all[i - 1].strength < strength; i--)
        e->all[i] = e->all[i - 1];
    e->all[i] = (event){e->visit->begin + at, strength};
}

/* Where a series is greatest, which begins or ends at a point of it (`strength`: of the value 1);
   or, with strength 0, where a level moves fastest. */
static void add_peak(events *e, const otok_series *h, double strength, int moves)
{
    const otok_phase *p = &e->s->phases[e->visit->phase];
    const double step = otok_phase_step(p), end = step * (double)p->iterations;
    double most = h->n && !moves ? h->at[0].value : 0, time = h->n ? h->at[0].time : 0;
    int differs = 0;
    for (int i = 1; i < h->n && h->at[i - moves].time < end; i++) {
        const double lasts = fmax(h->at[i].time - h->at[i - 1].time, step),
                     found =
                         moves ? fabs(h->at[i].value - h->at[i - 1].value) / lasts : h->at[i].value;
        differs |= h->at[i].value != h->at[0].value;
        if (!(found > most)) continue;
        most = found;
        time = moves ? 0.5 * (h->at[i].time + h->at[i - 1].time) : h->at[i].time;
    }
    if ((moves ? most > 0 : differs) && step > 0)
        add_event(e, time / step - 0.5 * (double)e->length, strength * most);
}

/* Spans of rain end with most water; histories have peaks; the sea turns. */
static void add_events(events *e)
{
    const otok_phase *p = &e->s->phases[e->visit->phase];
    const otok_grid g = e->s->grid;
    const double area = g.spacing * g.spacing * (double)g.nx * (double)g.ny,
                 rate = p->rain.rate * area;
    for (int i = 0; p->processes & OTOK_RAIN && i < p->rain.nspans; i++)
        if (p->rain.during[i].to > p->rain.during[i].from)
            add_event(e, (double)(p->rain.during[i].to - e->length), rate);
    if (p->processes & OTOK_RAIN) add_peak(e, &p->rain.history, rate, 0);
    for (int i = 0; i < p->nrivers; i++)
        add_peak(e, &p->rivers[i].history, 1, 0), add_peak(e, &p->rivers[i].level, 0, 0);
    for (int i = 0; p->processes & OTOK_BEYOND_SIDES && i < OTOK_SIDES; i++) {
        add_peak(e, &p->sides.level[i], 0, 0);
        add_peak(e, &p->sides.discharge[i], 1, 0);
    }
    if (p->processes & OTOK_REEF_GROWTH) add_peak(e, &p->reef.sea_history, 0, 1);
    if (p->processes & OTOK_UPLIFT) add_peak(e, &p->uplift.history, 0, 1);
}

/* Adds the strongest events that no window shows yet. */
static int event_starts(const otok_scenario *s, int64_t length, int64_t *out, int n, int64_t most)
{
    events e = {.s = s, .length = length};
    int visits = 0;
    for (otok_visit v = {0}; v.phase < s->nphases && visits < VISITS;
         otok_visit_next(&v, s), visits++) {
        e.visit = &v;
        add_events(&e);
    }
    for (int i = 0; i < e.n && n < most; i++) {
        int seen = 0;
        for (int k = 0; k < n; k++)
            seen |= llabs(out[k] - e.all[i].at) < length;
        if (!seen) out[n++] = e.all[i].at;
    }
    return n;
}

/* The wanted starts, ascending: events, unless the moments are given; those of the run; the middle
   of each phase that has none. */
static int wanted_starts(const otok_scenario *s, int64_t end, int64_t length, int64_t *out)
{
    const otok_audit_moments *m = &s->audit;
    const int64_t all = end / APART < FEWEST ? FEWEST : end / APART,
                  some = end / (2 * COST * SHORTEST), short_most = some < FEWEST ? FEWEST : some,
                  most = is_default(m) && end < SHARE * SHORTEST ? short_most : all;
    int n = is_default(m) ? event_starts(s, length, out, 0, otok_least(MOST_EVENTS, (most + 1) / 2))
                          : 0;
    for (int i = m->n - 1; i > 0 && n < most - 1; i--) /* of a short run the late ones */
        out[n++] = (int64_t)floor(m->at[i] * (double)end);
    out[n++] = (int64_t)floor(m->at[0] * (double)end);
    for (otok_visit v = {0}; v.phase < s->nphases && n < OTOK_AUDIT_WINDOWS && n < all;
         otok_visit_next(&v, s)) {
        const int64_t its = s->phases[v.phase].iterations;
        int has = 0;
        for (int i = 0; i < n; i++)
            has |= out[i] >= v.begin && out[i] < v.begin + its;
        if (!has) out[n++] = v.begin + its / 2;
    }
    qsort(out, (size_t)n, sizeof *out, ascending);
    return n;
}

int64_t otok_scenario_swept(const otok_scenario *s)
{
    int64_t most = 0;
    for (int p = 0; p < s->nphases; p++)
        if (otok_phase_has_working_waves(&s->phases[p]) && s->phases[p].waves.every > most)
            most = s->phases[p].waves.every;
    return most;
}

int64_t otok_scenario_sweeps(const otok_scenario *s)
{
    int64_t n = 0;
    for (otok_visit v = {0}; v.phase < s->nphases; otok_visit_next(&v, s))
        if (otok_phase_has_working_waves(&s->phases[v.phase]))
            n += s->phases[v.phase].iterations / s->phases[v.phase].waves.every;
    return n;
}

/* Two parts fit into a phase with waves. */
static int parts_of(const otok_scenario *s, int64_t start, int64_t length)
{
    const otok_moment m = otok_scenario_moment(s, start);
    return m.phase < s->nphases && otok_phase_has_working_waves(&s->phases[m.phase]) &&
                   m.within + 2 * length <= s->phases[m.phase].iterations
               ? 2
               : 1;
}

/* The iterations of a part of a window. */
static int64_t length_of(const otok_scenario *s, int64_t end)
{
    const int64_t every = s->output.every, swept = otok_scenario_swept(s), parts = swept ? 2 : 1,
                  share = end / SHARE > SHORTEST ? end / SHARE : SHORTEST;
    int64_t length = otok_least(share, LONGEST);
    if (length < swept) length = otok_least(swept, MOST_SWEPT);
    if (every) length = otok_least(length, every / parts);
    return otok_least(length, end / 4);
}

int otok_scenario_audit_parts(const otok_scenario *s, int64_t start, int64_t length)
{
    const int parts = parts_of(s, start, length);
    const int64_t upto = start + parts * length;
    return upto <= otok_scenario_iterations(s) && splits(s, start, upto) &&
                   between_checkpoints(s, start, parts * length) == start
               ? parts
               : 0;
}

otok_audit_windows otok_scenario_audit(const otok_scenario *s)
{
    const int64_t end = otok_scenario_iterations(s), every = s->output.every;
    int64_t starts[OTOK_AUDIT_WINDOWS], upto = 0;
    otok_audit_windows w = {.length = length_of(s, end), .follows = is_default(&s->audit)};
    if (s->audit.n == 0 || w.length < 1 || (every && every < SHORTEST && every < end)) return w;
    const int n = wanted_starts(s, end, w.length, starts);
    for (int i = 0; i < n; i++) {
        int64_t start = starts[i] > upto ? starts[i] : upto;
        const int parts = parts_of(s, start, w.length);
        start = between_checkpoints(s, start, parts * w.length);
        if (start + parts * w.length > end || !splits(s, start, start + parts * w.length)) continue;
        w.parts[w.n] = parts;
        w.starts[w.n++] = start;
        upto = start + parts * w.length;
    }
    return w;
}
