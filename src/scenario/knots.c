/* knots.c: how long uplift has lasted; and where the level of the sea or the rate of uplift turns
   within an iteration. There the growth of reefs by light is split, so that it is that of shorter
   steps. */
#include "process.h"

#include <math.h>

double otok_phase_lifts(const otok_phase *phase, double clock)
{
    const otok_uplift *u = &phase->uplift;
    if (!(phase->processes & OTOK_UPLIFT)) return 0;
    return u->history.n ? otok_series_integral(&u->history, clock) : clock;
}

/* Of an iteration: what is nearer to its ends is at them. Jumps of the sea and bends that are
   smaller than these [m] are none. */
static const double near = 1e-6, least_jump = 1e-3, least_bend = 1e-6;

enum { CANDIDATES = 64 };

/* A time of an iteration of a phase. */
typedef struct place {
    double time, sea, lifted;
    int chosen;
} place;

typedef struct search {
    const otok_phase *phase;
    double from, to, near;
    double rise; /* metres of a second of uplift */
    place at[CANDIDATES + 2];
    int n, is_full;
} search;

/* Adds the place of a time, with the sea just before it or just after it. */
static void add(search *s, double time, double sea_time)
{
    const otok_reef *r = &s->phase->reef;
    const place *first = &s->at[0];
    const double lifted = otok_phase_lifts(s->phase, time) - otok_phase_lifts(s->phase, s->from),
                 sea = r->sea_history.n ? otok_series_at(&r->sea_history, sea_time)
                                        : first->sea + r->sea_rise * (time - s->from);
    if (s->n > CANDIDATES) {
        s->is_full = 1;
        return;
    }
    s->at[s->n++] = (place){time, sea, lifted, 0};
}

/* Adds a time at which a series turns, twice if the sea jumps there. */
static void add_turn(search *s, double time)
{
    const otok_series *h = &s->phase->reef.sea_history;
    const double before = time - s->near, after = time + s->near;
    const int jumps =
        h->n && fabs(otok_series_at(h, after) - otok_series_at(h, before)) > least_jump;
    if (jumps) add(s, time, before);
    if (time < s->to) add(s, time, jumps ? after : time);
}

/* A jump at the start, of which rounding of the clock made the level before it that of the start.
 */
static void add_start(search *s)
{
    const otok_series *h = &s->phase->reef.sea_history;
    const double after = s->from + s->near;
    if (h->n && fabs(otok_series_at(h, after) - s->at[0].sea) > least_jump) add(s, s->from, after);
}

static double next_turn(const search *s, double after)
{
    const otok_series *sea = &s->phase->reef.sea_history, *uplift = &s->phase->uplift.history;
    const int rises = s->phase->processes & OTOK_UPLIFT && uplift->n;
    return fmin(sea->n ? otok_series_turn(sea, after) : INFINITY,
                rises ? otok_series_turn(uplift, after) : INFINITY);
}

/* The places in order of time: the start of the iteration, its turns, or equal parts if there are
   too many of them, and the end. */
static void find(search *s, const otok_step *step)
{
    const place first = {s->from, (double)step->sea, 0, 1};
    s->at[s->n++] = first;
    if (next_turn(s, s->from - s->near) < s->from + s->near) add_start(s);
    for (double t = next_turn(s, s->from + s->near); t <= s->to + s->near && !s->is_full;
         t = next_turn(s, t + s->near))
        add_turn(s, fabs(t - s->to) <= s->near ? s->to : t);
    if (s->is_full) s->n = 1;
    for (int i = 1; s->is_full && i < CANDIDATES; i++) {
        const double t = s->from + (s->to - s->from) * i / CANDIDATES;
        add(s, t, t);
    }
    const double lifted = otok_phase_lifts(s->phase, s->to) - otok_phase_lifts(s->phase, s->from);
    s->at[s->n++] = (place){s->to, (double)step->sea_to, lifted, 1};
}

/* How far place i is from the lines between the chosen places beside it [m]. */
static double bend(const search *s, int i)
{
    const place *p = &s->at[i], *a = p - 1, *b = p + 1;
    while (!a->chosen)
        a--;
    while (!b->chosen)
        b++;
    const double share = b->time > a->time ? (p->time - a->time) / (b->time - a->time) : 0;
    return fabs(p->sea - a->sea - share * (b->sea - a->sea)) +
           s->rise * fabs(p->lifted - a->lifted - share * (b->lifted - a->lifted));
}

/* Chooses the place that is farthest from the lines. Returns 0 if none is far. */
static int choose(search *s)
{
    double most = least_bend;
    place *found = NULL;
    for (int i = 1; i < s->n - 1; i++)
        if (!s->at[i].chosen && bend(s, i) > most) {
            most = bend(s, i);
            found = &s->at[i];
        }
    if (found) found->chosen = 1;
    return found != NULL;
}

void otok_phase_set_knots(otok_step *out, const otok_phase *phase, const otok_now *now)
{
    search s = {.phase = phase, .from = now->moment.clock, .to = now->moment.next};
    const double dt = s.to - s.from, rate = phase->uplift.rate;
    s.near = near * dt;
    out->nknots = 0;
    if (next_turn(&s, s.from - s.near) > s.to + s.near) return;
    s.rise = isnan(rate) ? 1 / dt : fabs(rate); /* of a map: as if it were a metre in all */
    find(&s, out);
    for (int n = 0; n < OTOK_KNOTS && choose(&s); n++)
        out->nknots++;
    for (int i = 1, n = 0; i < s.n - 1; i++)
        if (s.at[i].chosen)
            out->knots[n++] = (otok_knot){(float)((s.at[i].time - s.from) / dt), (float)s.at[i].sea,
                                          (float)s.at[i].lifted};
}
