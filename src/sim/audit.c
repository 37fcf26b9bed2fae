/* audit.c: see audit.h. */
#include "audit.h"

#include "../core/status.h"
#include "../scenario/process.h"

#include <float.h>
#include <math.h>
#include <string.h>

otok_status otok_audit_create(otok_audit *out, otok_sim *run, const otok_judge *judge, int slot)
{
    *out = (otok_audit){.run = run};
    otok_look_begin(out, judge);
    if (!out->windows.n) return OTOK_OK;
    OTOK_TRY(otok_scenario_twin(&out->halved, run->root, (otok_halves){1, 0, OTOK_HALVES_SHARES}));
    return slot < 0 ? OTOK_OK : otok_sim_create_twin(&out->twin, &out->halved->scenario, run, slot);
}

void otok_audit_destroy(otok_audit *a)
{
    otok_sim_destroy(a->twin);
    otok_twin_destroy(a->halved);
    *a = (otok_audit){.run = a->run};
}

/* Until the window starts, its part, or that part ends. */
static int64_t until(const otok_audit *a)
{
    if (a->at >= a->windows.n) return INT64_MAX;
    return a->windows.starts[a->at] + (a->part + a->open) * a->windows.length - a->run->iteration;
}

int64_t otok_audit_until(const otok_audit *a)
{
    return otok_audit_is_within(a) ? until(a) : otok_least(until(a), otok_look_until(a));
}

int64_t otok_audit_twin_left(const otok_audit *a)
{
    if (!a->open) return 0;
    return 2 * (a->run->iteration + until(a)) - a->twin->iteration;
}

int otok_audit_is_due(otok_twins *pair, otok_audit *a, otok_judge *j, int opens)
{
    if (!a->windows.n) return 0; /* there is no audit, nor need there be a run */
    if (opens) otok_look_decide(a, j);
    const int now = until(a) == 0 && a->open != opens, ends = now && !opens;
    *pair = (otok_twins){.run = otok_sim_patch(a->run)};
    pair->twin = !now ? pair->run : a->twin ? otok_sim_patch(a->twin) : NULL;
    if (ends) pair->lifted = (float)otok_look_rise(a, a->run->iteration - a->windows.length);
    return opens ? now : ends ? !otok_audit_twin_left(a) : otok_look_is_due(a, j);
}

otok_status otok_audit_enter(otok_audit *a)
{
    a->open = 1;
    a->twin->halves_sweeps = a->part;
    memset(a->booked, 0, sizeof a->booked);
    return otok_sim_replay(a->twin, 2 * a->run->iteration);
}

/* ---- figures ---- */

static double share(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

/* The iterations that a window stands for: from half-way to the one before, to half-way to the
   next. */
static double weight(const otok_audit *a)
{
    const otok_audit_windows *w = &a->windows;
    const int64_t here = w->starts[a->at], end = otok_scenario_iterations(a->run->root);
    const double from = a->at == 0 ? 0 : 0.5 * (double)(w->starts[a->at - 1] + here);
    return (a->at == w->n - 1 ? (double)end : 0.5 * (double)(here + w->starts[a->at + 1])) - from;
}

/* The phase of a window. */
static int phase_of(const otok_audit *a, int window)
{
    return otok_scenario_moment(a->run->root, a->windows.starts[window]).phase;
}

/* That of the present one, and its coefficients. */
static const otok_phase *phase(const otok_audit *a)
{
    return &a->run->root->phases[phase_of(a, a->at)];
}

static const otok_coefficients *coefficients(const otok_audit *a)
{
    return &a->run->coefficients[phase_of(a, a->at)];
}

/* Does suspended sediment stay in its cell, or spread no farther than it diffuses? Elsewhere it
   would be laid down for good. */
static int stays(const otok_audit *a)
{
    const otok_hydraulic *h = &phase(a)->hydraulic;
    return phase(a)->processes & OTOK_HYDRAULIC && h->transport == OTOK_NO_TRANSPORT &&
           h->diffusion_sweeps == 0;
}

/* The least share of a difference in dissolved sediment that an iteration evens out. */
static double dissolved(const otok_sim *run, float share)
{
    double least = otok_sim_has(run, OTOK_ERODIBILITY) ? 0 : 1;
    for (int i = 0; i < run->root->nlayers; i++)
        least = fmin(least, run->root->layers[i].erodibility);
    return share * least;
}

/* Iterations of the window's part of the run that still count at the end of its phase, if each
   evens out this share of a difference. The last window counts itself at least. */
static double left_of(const otok_audit *a, double share)
{
    const otok_audit_windows *w = &a->windows;
    const otok_scenario *root = a->run->root;
    const double part = weight(a), least = a->at == w->n - 1 ? (double)w->length : 0;
    const otok_moment m = otok_scenario_moment(root, w->starts[a->at]);
    const double left = (double)(root->phases[m.phase].iterations - m.within);
    const double most = share > 0 ? -expm1(-share * part) / share : part;
    return fmax(least, most * exp(-share * fmax(0, left - part)));
}

/* By how many iterations of the window the sediment differs at the end. Erosion takes a share of
   what water can carry and lacks, deposition a share of what it has too much. So a difference of
   sediment, of which the ground has the rest, evens out by that share an iteration: while ground
   rises by the share that is deposited, else by the share that is dissolved. */
static double remembered(const otok_audit *a, const double *s)
{
    const otok_erosion_coefficients *k = &coefficients(a)->erosion;
    const double settling = share(s[OTOK_TWINS_SETTLING_APART], s[OTOK_TWINS_SEDIMENT_APART]);
    if (!(settling >= 0)) return 0;
    return settling * left_of(a, k->deposit) +
           (1 - settling) * left_of(a, dissolved(a->run, k->dissolve));
}

/* Does a phase level the ground, and do nothing by which bumps grow? */
static int levels(const otok_phase *p)
{
    int some = 0, none = 0;
    for (int i = 0; i < OTOK_PROCESSES; i++) {
        const int by = p->processes & otok_processes[i]->bit ? otok_processes[i]->levels : 0;
        some |= by > 0;
        none |= by < 0;
    }
    return some && !none;
}

/* Ground that levels goes the same way at every step, sooner or later. If its rate is wrong by a
   share e while it stands for w iterations, it is ahead by w e iterations. At the end the ground
   moves as in the last window, and so the lead makes that much less difference than w e times the
   rate of its own time, if the ground moves less at last. Not under marine diffusion: what it lifts
   out of the water stays there, and so does a difference of it. */
static void note_lead(const otok_audit *a, otok_judge *j)
{
    otok_window *last = &j->windows[a->at];
    int n = a->at;
    while (n > 0 && phase_of(a, n - 1) == phase_of(a, n))
        n--;
    if (n == a->at) j->lead = 0; /* of an earlier phase */
    if (!levels(phase(a))) return;
    if (last->moved > 0) j->lead += last->weight * last->moved_apart / last->moved;
    if (phase(a)->processes & (OTOK_MARINE_DIFFUSION | OTOK_SEABED)) return;
    for (const double before = n < a->at ? last[-1].moved : 0; n < a->at; n++) {
        otok_window *w = &j->windows[n];
        const double counted = fmin(w->moved, before); /* its difference is a share of this */
        if (counted > 0) w->moved_apart *= fmin(w->moved, last->moved) / counted;
    }
}

/* A slow limit is about growth at another rate. Growth that is at rest at the end, such as that of
   reefs at their crest, has grown as much at any rate. So the limit counts as the ground still
   moves in the last window, relative to its mean. */
static void note_rest(const otok_audit *a, otok_judge *j)
{
    double moved = 0, all = 0;
    j->looks.rest = 0;
    if (a->at < a->windows.n - 1 || a->run->root->nphases > 1 ||
        !(a->run->root->phases[0].processes & OTOK_REEF_GROWTH))
        return;
    for (int n = 0; n <= a->at; n++) {
        moved += j->windows[n].weight * j->windows[n].moved;
        all += j->windows[n].weight;
    }
    if (moved > 0) j->looks.rest = fmin(1, fmax(DBL_MIN, j->windows[a->at].moved * all / moved));
}

/* What slides of law share leave stays as it is. So the ground of a window differs for good: by its
   roughness, and each iteration anew by what was lowered and raised. */
static void note_slides(const otok_audit *a, otok_judge *j, const double *s)
{
    const double amount = 2 * (double)coefficients(a)->thermal.amount,
                 counts = amount > OTOK_AUDIT_SLIDE ? 1 / OTOK_AUDIT_BROKEN : 1,
                 times = counts / (double)a->windows.length,
                 rough =
                     share(fabs(otok_audit_by(s, OTOK_TWINS_ROUGH_ONE)), s[OTOK_TWINS_ROUGH_ONE]);
    j->rough_apart = fmax(j->rough_apart, counts * rough);
    j->looks.slid[0] = times * otok_audit_by(s, OTOK_TWINS_LOWERED_ONE);
    j->looks.slid[1] = times * otok_audit_by(s, OTOK_TWINS_RAISED_ONE);
    j->lowered_apart += weight(a) * j->looks.slid[0];
    j->raised_apart += weight(a) * j->looks.slid[1];
    j->changed = s[OTOK_TWINS_LOWERED_ONE] + s[OTOK_TWINS_RAISED_ONE];
}

/* What changes with the interval of the sweeps of waves, and with the step. A window that is
   shorter than an interval shows nothing. */
static void note_sweeps(const otok_audit *a, otok_judge *j, const double *s)
{
    otok_window *w = &j->windows[j->audited - 1];
    w->shaped = s[OTOK_TWINS_SHAPED_ONE];
    w->shaped_apart = s[OTOK_TWINS_SHAPED_APART];
    if (w->shaped > 0 && a->windows.length >= phase(a)->waves.every) j->shown[OTOK_ACT_SWEEPS] = 1;
}

static void add_window(const otok_audit *a, otok_judge *j, otok_window window, otok_amounts amounts)
{
    j->looks.starts[j->audited] = (double)a->windows.starts[a->at];
    j->looks.is_event[j->audited] = a->is_event;
    j->looks.opened = a->events;
    j->amounts[j->audited] = amounts;
    j->windows[j->audited++] = window;
}

/* What was booked of an amount by the run, or by its twin. */
static double booked(const otok_audit *a, int of, int sum)
{
    return otok_fixed_value(a->booked[of][sum].hi, a->booked[of][sum].lo);
}

/* Water that infiltrates or evaporates leaves no trace in the flow: of the same flow another share
   may be gone. Depths are compared of water that stands. */
static otok_amounts amounts_of(const otok_audit *a, const double *s, int is_still)
{
    static const int books[OTOK_AMOUNT_KINDS] = {
        [OTOK_AMOUNT_EVAPORATED] = OTOK_SUM_EVAPORATED,
        [OTOK_AMOUNT_INFILTRATED] = OTOK_SUM_WATER_INFILTRATED,
        [OTOK_AMOUNT_ENTERED] = OTOK_SUM_WATER_ENTERED,
    };
    otok_amounts v = {.depth = is_still ? otok_audit_most(s, OTOK_TWINS_DEPTH_ONE) : 0,
                      .depth_more = is_still ? otok_audit_by(s, OTOK_TWINS_DEPTH_ONE) : 0,
                      .came = booked(a, 0, OTOK_SUM_RAIN) + booked(a, 0, OTOK_SUM_RIVERS) +
                              booked(a, 0, OTOK_SUM_WATER_ENTERED)};
    for (int k = 0; k < OTOK_AMOUNT_KINDS; k++) {
        v.of[k] = booked(a, 0, books[k]);
        v.more[k] = v.of[k] - booked(a, 1, books[k]);
    }
    return v;
}

static void note_step(const otok_audit *a, otok_judge *j, const double *s)
{
    const double one = s[OTOK_TWINS_MOVED_ONE], other = s[OTOK_TWINS_MOVED_OTHER],
                 suspended = stays(a) ? otok_audit_by(s, OTOK_TWINS_SEDIMENT_ONE) : 0,
                 sediment = otok_audit_most(s, OTOK_TWINS_SEDIMENT_ONE),
                 cuts = (phase(a)->processes & OTOK_INCISION) != 0;
    const int still = otok_look_is_still(a, s),
              moves = !still && a->windows.starts[a->at] > 0; /* at first it comes from rest */
    j->carried += suspended * remembered(a, s);
    j->held = stays(a) ? (double)a->windows.length * sediment : 0;
    if ((still || moves) && (s[OTOK_TWINS_WET] > 0 || otok_audit_most(s, OTOK_TWINS_DEPTH_ONE) > 0))
        j->shown[OTOK_ACT_WATER] = 1;
    if (fmax(one, other) > 0) j->shown[OTOK_ACT_GROUND] = 1;
    memset(j->looks.slid, 0, sizeof j->looks.slid);
    if (phase(a)->processes & OTOK_THERMAL && phase(a)->thermal.law == OTOK_SHARE)
        note_slides(a, j, s);
    add_window(a, j,
               (otok_window){.weight = weight(a),
                             .flow = moves ? otok_audit_most(s, OTOK_TWINS_FLOW_ONE) : 0,
                             .flow_apart = moves ? s[OTOK_TWINS_FLOW_APART] : 0,
                             .flow_more = moves ? otok_audit_by(s, OTOK_TWINS_FLOW_ONE) : 0,
                             .moved = fmax(one, other),
                             .moved_apart = fmax(0, fabs(one - other) - fabs(suspended)),
                             .sediment = sediment,
                             .sediment_apart = s[OTOK_TWINS_SEDIMENT_APART]},
               amounts_of(a, s, still));
    j->receivers[0] += cuts * weight(a) * s[OTOK_TWINS_RIVERS];
    j->receivers[1] += cuts * weight(a) * s[OTOK_TWINS_RIVERS_APART];
    note_lead(a, j);
    note_rest(a, j);
}

void otok_audit_note(otok_audit *a, otok_judge *j, const otok_audit_sums *found)
{
    double s[OTOK_TWINS_SUMS];
    otok_audit_values(s, found);
    if (a->open) (a->part ? note_sweeps : note_step)(a, j, s);
    otok_look_note(a, j, s, a->open ? s[OTOK_TWINS_SHAPED_ONE] / (double)a->windows.length : NAN);
    if (!a->open) return;
    a->open = 0;
    a->part = a->part + 1 < a->windows.parts[a->at] ? a->part + 1 : 0;
    a->at += !a->part;
    a->is_event &= a->part > 0;
}

void otok_audit_pass(otok_audit *a, otok_judge *j)
{
    if (!a->part) add_window(a, j, (otok_window){.weight = 0}, (otok_amounts){0});
    a->at++;
    a->open = a->part = a->is_event = 0;
}
