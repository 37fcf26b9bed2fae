/* audit.c: see audit.h. */
#include "audit.h"

#include "../core/status.h"
#include "../model/fixed.h"

#include <math.h>
#include <string.h>

/* Water that is slower than this share of its waves is still: its speed is that of ripples, and has
   no bearing on the result. */
static const double still = 1e-3;

otok_status otok_audit_create(otok_audit *out, otok_sim *run, int64_t audited)
{
    *out = (otok_audit){.run = run, .windows = otok_scenario_audit(run->root)};
    out->at = (int)audited;
    return out->windows.n ? otok_scenario_halve(&out->halved, run->root, 1) : OTOK_OK;
}

static void end_audit(otok_audit *a)
{
    otok_sim_destroy(a->twin);
    if (a->halved.phases) otok_halved_destroy(&a->halved);
    a->twin = NULL;
    a->windows.n = a->open = 0;
}

void otok_audit_destroy(otok_audit *a)
{
    end_audit(a);
}

int64_t otok_audit_until(const otok_audit *a)
{
    if (a->at >= a->windows.n) return INT64_MAX;
    const int64_t start = a->windows.starts[a->at];
    return (a->open ? start + a->windows.length : start) - a->run->iteration;
}

int otok_audit_starts(const otok_audit *a)
{
    return !a->open && otok_audit_until(a) == 0;
}

int otok_audit_ends(const otok_audit *a)
{
    return a->open && otok_audit_until(a) == 0;
}

int64_t otok_audit_twin_left(const otok_audit *a)
{
    if (!a->open) return 0;
    return 2 * (a->windows.starts[a->at] + a->windows.length) - a->twin->iteration;
}

otok_status otok_audit_enter(otok_audit *a)
{
    a->open = 1;
    return otok_sim_replay(a->twin, 2 * a->run->iteration);
}

/* ---- figures ---- */

static double value(const otok_audit_sums *s, int which)
{
    return otok_fixed_value(s->of[which].hi, s->of[which].lo);
}

static double share(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

static double more(const otok_audit_sums *s, int which)
{
    return fmax(value(s, which), value(s, which + 1));
}

/* The mean speed of the water relative to that of its waves. */
static double pace(const otok_audit_sums *s, double gravity)
{
    const double depth = more(s, OTOK_TWINS_DEPTH_ONE);
    const double mean = share(depth, value(s, OTOK_TWINS_WET));
    return share(more(s, OTOK_TWINS_FLOW_ONE), depth) / sqrt(gravity * mean);
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

/* Water at the start of a run comes from rest, and has no speed yet. */
static int has_speed(const otok_audit *a, const otok_audit_sums *s)
{
    const otok_scenario *now = a->run->scenario;
    const int p = otok_scenario_moment(now, a->run->iteration - 1).phase;
    return a->windows.starts[a->at] > 0 && pace(s, now->phases[p].hydraulic.gravity) > still;
}

void otok_audit_note(otok_audit *a, otok_judge *j, const otok_audit_sums *s)
{
    const double one = value(s, OTOK_TWINS_MOVED_ONE), other = value(s, OTOK_TWINS_MOVED_OTHER);
    const int moves = has_speed(a, s);
    j->windows[j->audited++] = (otok_window){
        .weight = weight(a),
        .flow = moves ? more(s, OTOK_TWINS_FLOW_ONE) : 0,
        .flow_apart = moves ? value(s, OTOK_TWINS_FLOW_APART) : 0,
        .flow_more = moves ? value(s, OTOK_TWINS_FLOW_ONE) - value(s, OTOK_TWINS_FLOW_OTHER) : 0,
        .moved = fmax(one, other),
        .moved_apart = fabs(one - other),
        .sediment = more(s, OTOK_TWINS_SEDIMENT_ONE),
        .sediment_apart = value(s, OTOK_TWINS_SEDIMENT_APART)};
    a->open = 0;
    a->at++;
}

/* ---- a run alone ---- */

/* Is there memory for a twin, and for what the run itself may still need? */
static int has_room(const otok_sim *run)
{
    const otok_grid g = run->root->grid;
    uint64_t left = 0;
    const uint64_t needs =
        run->backend->room(g.nx, g.ny, run->buffers | BIT(OTOK_CHANGE_START), run->patch.droplets);
    return run->backend->left(&left) == OTOK_OK && left / 2 >= needs;
}

static otok_status make_twin(otok_audit *a)
{
    if (a->twin) return OTOK_OK;
    if (!has_room(a->run)) return OTOK_FAIL(OTOK_NOMEM, "no memory for a second state");
    return otok_sim_create_twin(&a->twin, &a->halved.scenario, a->run, -1);
}

static otok_status run_twin(otok_audit *a)
{
    const otok_twins pair = {otok_sim_patch(a->run), otok_sim_patch(a->twin)};
    OTOK_TRY(otok_audit_enter(a));
    OTOK_TRY(a->run->backend->part(&pair));
    return otok_sim_run(a->twin, otok_audit_twin_left(a));
}

/* A window that nobody audited, because the run was continued from a checkpoint without one, or its
   state was set. */
static void pass_window(otok_audit *a, otok_judge *j)
{
    j->windows[j->audited++] = (otok_window){.weight = 0};
    a->at++;
}

void otok_audit_abandon(otok_audit *a, otok_judge *judge)
{
    if (a->open) pass_window(a, judge);
    a->open = 0;
}

otok_status otok_audit_open(otok_audit *a, otok_judge *judge)
{
    while (!a->open && otok_audit_until(a) < 0)
        pass_window(a, judge);
    if (!otok_audit_starts(a)) return OTOK_OK;
    otok_status status = make_twin(a);
    if (status == OTOK_NOMEM) {
        end_audit(a);
        return OTOK_OK;
    }
    if (status == OTOK_OK) status = run_twin(a);
    return status;
}

otok_status otok_audit_close(otok_audit *a, otok_judge *judge)
{
    if (!otok_audit_ends(a)) return OTOK_OK;
    const otok_twins pair = {otok_sim_patch(a->run), otok_sim_patch(a->twin)};
    otok_audit_sums apart;
    OTOK_TRY(a->run->backend->compare(&pair, &apart));
    otok_audit_note(a, judge, &apart);
    if (a->at == a->windows.n) end_audit(a); /* gives its memory back */
    return OTOK_OK;
}

otok_status otok_audit_run(otok_audit *a, otok_judge *judge, int64_t n)
{
    while (n > 0) {
        OTOK_TRY(otok_audit_open(a, judge));
        const int64_t until = otok_audit_until(a), most = n < until ? n : until;
        OTOK_TRY(otok_sim_run(a->run, most));
        OTOK_TRY(otok_audit_close(a, judge));
        n -= most;
    }
    return OTOK_OK;
}

/* ---- in a slot ---- */

otok_status otok_audit_twin_in_slot(otok_audit *a, int slot)
{
    return a->windows.n ? otok_sim_create_twin(&a->twin, &a->halved.scenario, a->run, slot)
                        : OTOK_OK;
}
