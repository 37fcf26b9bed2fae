/* look.c: see audit.h. A look is a comparison of the run with itself. It costs a part of an
   iteration. */
#include "audit.h"

#include "../scenario/process.h"

#include <math.h>
#include <string.h>

void otok_audit_values(double out[OTOK_TWINS_SUMS], const otok_audit_sums *sums)
{
    for (int k = 0; k < OTOK_TWINS_SUMS; k++)
        out[k] = otok_fixed_value(sums->of[k].hi, sums->of[k].lo);
}

/* The looks of a run; the least and the most iterations between two. */
enum { LOOKS = 128, LEAST = 32, MOST = 200 };
/* Windows that looks open: in a phase; the share of the time of those in a run. */
enum { IN_PHASE = 8, SHARE = 20 };
/* Ground that would move less in the whole run, on average, does not count [cell sizes]. */
static const double little = 1e-6;
/* Water is still below this share of the speed of its waves. */
static const double still = 1e-3;

static int64_t end_of(const otok_audit *a)
{
    return otok_scenario_iterations(a->run->root);
}

static int64_t interval(const otok_audit *a)
{
    const int64_t share = end_of(a) / LOOKS;
    return share < LEAST ? LEAST : otok_least(share, MOST);
}

/* The first look after n iterations. */
static int64_t next_look(const otok_audit *a, int64_t n)
{
    const int64_t every = a->run->root->output.every, apart = interval(a),
                  next = otok_least((n / apart + 1) * apart, end_of(a));
    return every ? otok_least(next, (n / every + 1) * every) : next;
}

int64_t otok_look_until(const otok_audit *a)
{
    if (!a->windows.n) return INT64_MAX; /* there is no audit, nor need there be a run */
    const int64_t n = a->run->iteration;
    return n >= end_of(a) ? INT64_MAX : next_look(a, n) - n;
}

int otok_look_is_due(const otok_audit *a, const otok_judge *j)
{
    if (!a->windows.n) return 0;
    const int64_t n = a->run->iteration;
    return n > 0 && !otok_audit_is_within(a) && j->looks.last != (double)n &&
           next_look(a, n - 1) == n;
}

/* ---- how strong the run is ---- */

/* The phase of the last iteration. */
static const otok_phase *phase_of(const otok_audit *a)
{
    const otok_scenario *now = a->run->scenario;
    return &now->phases[otok_scenario_moment(now, a->run->iteration - 1).phase];
}

int otok_look_is_still(const otok_audit *a, const double *s)
{
    const double depth = otok_audit_most(s, OTOK_TWINS_DEPTH_ONE), wet = s[OTOK_TWINS_WET],
                 wave = sqrt(phase_of(a)->hydraulic.gravity * depth / wet),
                 speed = otok_audit_most(s, OTOK_TWINS_FLOW_ONE) / depth;
    return !(wet > 0 && depth > 0 && speed / wave > still);
}

double otok_look_rise(const otok_audit *a, int64_t from)
{
    const otok_rise rise = otok_scenario_rise(a->run->scenario, from, a->run->iteration);
    return isnan(rise.alone + rise.in_part) ? 0 : rise.alone + rise.in_part;
}

/* How fast the ground moved since the last look [m/iteration, sum of all cells]: what was lowered
   and raised beyond uplift, and how its roughness changed, which what slides over raised ground
   changes, too. */
static double ground(const otok_audit *a, const otok_looks *l, const double *s)
{
    const double changed = fabs(s[OTOK_TWINS_LOWERED_ONE] - l->lowered) +
                           fabs(s[OTOK_TWINS_RAISED_ONE] - l->raised),
                 rough = fabs(s[OTOK_TWINS_ROUGH_ONE] - l->rough),
                 rise = 1.01 * fabs(otok_look_rise(a, (int64_t)l->last)),
                 lifted = rise * (double)otok_sim_open_cells(a->run);
    return (fmax(0, changed - lifted) + fmax(0, rough - 0.5 * rise * a->shore)) /
           ((double)a->run->iteration - l->last);
}

/* Walls stay when the ground beside them rises: a face between them changes the roughness of both
   its cells by a quarter of that. */
static double shore_of(const otok_sim *run)
{
    const int64_t nx = run->root->grid.nx, cells = nx * run->root->grid.ny;
    double faces = 0;
    for (int64_t n = 0; run->holes.n && n < cells; n++) {
        const int wall = otok_holes_have(&run->holes, n);
        faces += n % nx && wall != otok_holes_have(&run->holes, n - 1);
        faces += n >= nx && wall != otok_holes_have(&run->holes, n - nx);
    }
    return faces;
}

static void begin_phase(otok_judge *j, double phase)
{
    otok_looks *l = &j->looks;
    l->missed = otok_judge_missed(j);
    memset(l->now, 0, sizeof l->now);
    memset(l->most, 0, sizeof l->most);
    memset(l->shown, 0, sizeof l->shown);
    l->phase = phase;
}

/* A window shows the present strength. */
static void show(otok_looks *l)
{
    for (int k = 0; k < OTOK_LOOK_KINDS; k++)
        l->shown[k] = fmax(l->shown[k], l->now[k]);
}

void otok_look_shift(otok_judge *j, const otok_audit_sums *before, const otok_audit_sums *after)
{
    double then[OTOK_TWINS_SUMS], now[OTOK_TWINS_SUMS];
    otok_audit_values(then, before);
    otok_audit_values(now, after);
    j->looks.lowered += now[OTOK_TWINS_LOWERED_ONE] - then[OTOK_TWINS_LOWERED_ONE];
    j->looks.raised += now[OTOK_TWINS_RAISED_ONE] - then[OTOK_TWINS_RAISED_ONE];
    j->looks.rough += now[OTOK_TWINS_ROUGH_ONE] - then[OTOK_TWINS_ROUGH_ONE];
}

void otok_look_note(const otok_audit *a, otok_judge *j, const double *s, double moved)
{
    otok_looks *l = &j->looks;
    const otok_scenario *now = a->run->scenario;
    const int64_t n = a->run->iteration;
    const otok_moment m = otok_scenario_moment(now, n - 1);
    const int is_first = l->phase == 0, ends = moved == moved,
              flows = phase_of(a)->processes & OTOK_HYDRAULIC && !otok_look_is_still(a, s);
    if (ends) show(l);
    if (l->phase != m.phase + 1 && m.visit.round == 0) begin_phase(j, m.phase + 1);
    const double floor = little * now->grid.spacing * (double)otok_sim_open_cells(a->run) /
                         (double)end_of(a),
                 rate = !is_first ? ground(a, l, s)
                        : ends    ? moved
                                  : 0;
    l->now[OTOK_LOOK_GROUND] = rate > floor ? rate : 0;
    l->now[OTOK_LOOK_FLOW] = flows ? s[OTOK_TWINS_FLOW_ONE] : 0;
    for (int k = 0; k < OTOK_LOOK_KINDS; k++)
        if (l->now[k] > l->most[k]) {
            l->most[k] = l->now[k];
            l->at[k] = (double)n;
        }
    if (ends) show(l);
    l->lowered = s[OTOK_TWINS_LOWERED_ONE];
    l->raised = s[OTOK_TWINS_RAISED_ONE];
    l->rough = s[OTOK_TWINS_ROUGH_ONE];
    l->last = (double)n;
}

/* ---- windows ---- */

/* Moves the starts and parts of the windows from i on by one place. */
static void move(otok_audit_windows *w, int i, int by)
{
    const size_t n = (size_t)(w->n - i - (by < 0)), from = (size_t)(i + (by < 0));
    memmove(&w->starts[(int)from + by], &w->starts[from], n * sizeof *w->starts);
    memmove(&w->parts[(int)from + by], &w->parts[from], n * sizeof *w->parts);
    w->n += by;
}

/* The windows of this phase that looks opened: their number, and the first. */
static int events_since(const otok_judge *j, int64_t phase_begins, int *first)
{
    int found = 0;
    for (int i = 0; i < j->audited; i++)
        if (j->looks.is_event[i] > 0 && j->looks.starts[i] >= (double)phase_begins)
            *first = found++ ? *first : i;
    return found;
}

/* Drops the first of them, which is the weakest: each is stronger than those before. The next
   window stands for its part of the run, too. */
static void drop(otok_audit *a, otok_judge *j, int i)
{
    otok_looks *l = &j->looks;
    const int n = (int)j->audited;
    move(&a->windows, i, -1);
    a->at--;
    j->audited--;
    if (i < n - 1) j->windows[i + 1].weight += j->windows[i].weight;
    for (; i < n - 1; i++) {
        j->windows[i] = j->windows[i + 1];
        j->amounts[i] = j->amounts[i + 1];
        l->starts[i] = l->starts[i + 1];
        l->is_event[i] = l->is_event[i + 1];
    }
}

/* The part of the run that the last window stands for ends half-way to this one. */
static void share_weight(otok_audit *a, otok_judge *j, int64_t here)
{
    const otok_audit_windows *w = &a->windows;
    if (j->audited == 0) return;
    otok_window *last = &j->windows[j->audited - 1];
    const double end = a->at == w->n ? (double)end_of(a)
                                     : 0.5 * (double)(w->starts[a->at - 1] + w->starts[a->at]),
                 less = end - 0.5 * (double)(w->starts[a->at - 1] + here);
    last->weight -= less;
    j->lowered_apart -= less * j->looks.slid[0];
    j->raised_apart -= less * j->looks.slid[1];
}

static void insert(otok_audit *a, otok_judge *j, int parts)
{
    otok_audit_windows *w = &a->windows;
    const int64_t here = a->run->iteration, until = here + parts * w->length;
    while (a->at < w->n && w->starts[a->at] < until) /* shown by this one */
        move(w, a->at, -1);
    share_weight(a, j, here);
    move(w, a->at, 1);
    w->starts[a->at] = here;
    w->parts[a->at] = parts;
    a->events++;
    a->is_event = 1;
}

static int asks(const otok_looks *l)
{
    int some = 0;
    for (int k = 0; k < OTOK_LOOK_KINDS; k++)
        some |= l->now[k] > OTOK_LOOK_TIMES * l->shown[k];
    return some;
}

void otok_look_decide(otok_audit *a, otok_judge *j)
{
    const otok_audit_windows *w = &a->windows;
    const int64_t here = a->run->iteration, end = end_of(a);
    if (!w->follows || otok_audit_is_within(a) || here == 0 || here >= end ||
        j->looks.last != (double)here || !asks(&j->looks) ||
        (a->at < w->n && w->starts[a->at] == here))
        return;
    const int parts = otok_scenario_audit_parts(a->run->root, here, w->length);
    const double share = (double)end / SHARE / (double)(2 * w->length * (parts ? parts : 1)),
                 most = fmax(1, fmin(IN_PHASE, share)), spent = (double)here / (double)end;
    const int64_t begins = otok_scenario_moment(a->run->root, here).visit.begin;
    /* Half of them at any time, so that the first rise does not use up all. */
    if (!parts || a->events >= 0.5 * most * (1 + spent)) return;
    int first = 0, events = events_since(j, begins, &first);
    const int has_room = events < IN_PHASE && w->n < OTOK_AUDIT_WINDOWS;
    if (!has_room && !events) return;
    if (!has_room) drop(a, j, first);
    insert(a, j, parts);
}

void otok_look_begin(otok_audit *a, const otok_judge *j)
{
    otok_audit_windows planned = otok_scenario_audit(a->run->root), *w = &a->windows;
    *w = planned;
    a->shore = planned.n ? shore_of(a->run) : 0;
    if (!planned.n || !j || !j->audited) return;
    if (!j->looks.phase) { /* of an earlier version */
        a->at = (int)j->audited;
        return;
    }
    w->n = a->at = (int)j->audited;
    for (int i = 0; i < a->at; i++) {
        w->starts[i] = (int64_t)j->looks.starts[i];
        w->parts[i] = 1;
    }
    a->events = (int)j->looks.opened;
    for (int i = 0; i < planned.n && w->n < OTOK_AUDIT_WINDOWS; i++)
        if (planned.starts[i] >= a->run->iteration) {
            w->starts[w->n] = planned.starts[i];
            w->parts[w->n++] = planned.parts[i];
        }
}
