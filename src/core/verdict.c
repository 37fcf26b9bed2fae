/* verdict.c: see verdict.h. */
#include "verdict.h"

#include <math.h>

/* What a sample shows of a verdict. */
typedef struct sign {
    int holds;
    int64_t cell, cells;
    double share;
} sign;

/* Notes a sign at iteration `at`. `before` is the iteration of the sample before. */
static void record(otok_seen *s, sign found, int64_t before, int64_t at)
{
    s->now = found.holds;
    if (!found.holds) return;
    if (!s->held || found.cells > s->cells) {
        s->cell = found.cell;
        s->cells = found.cells;
    }
    if (!s->held++) {
        s->after = before;
        s->first = at;
    }
}

static void judge(otok_judge *j, otok_verdict v, sign found, int64_t before)
{
    record(&j->seen[v], found, before, j->last);
    if (found.holds && found.share > j->shares[v]) j->shares[v] = found.share;
}

/* Notes the deepest water so far, relative to the limit of its phase if there is one. */
static void note_depth(otok_judge *j, const otok_suspects *where)
{
    const double share = where->depth_limit > 0 ? where->depth / where->depth_limit : 0;
    const double most = j->deepest_limit > 0 ? j->deepest / j->deepest_limit : 0;
    if (!(share > most || (most == 0 && where->depth > j->deepest))) return;
    j->deepest = where->depth;
    j->deepest_limit = where->depth_limit;
    j->deepest_at = j->last;
}

/* ---- the signs of a sample ---- */

static sign diverged(const otok_judge *j, const otok_sample *s, const otok_suspects *where)
{
    const int too_rough = s->ground_roughness > OTOK_TOO_ROUGH * j->spacing &&
                          s->ground_roughness > OTOK_TOO_ROUGH * j->rough_start;
    return (sign){s->not_finite > 0 || !(s->highest <= OTOK_BEYOND) || too_rough,
                  where->not_finite >= 0 ? where->not_finite : where->changed, -1, 0};
}

static sign ruined(const otok_judge *j, const otok_sample *s, const otok_suspects *where)
{
    const int tower = s->prominence > OTOK_TOWER * j->spacing &&
                      s->prominence > OTOK_TOWER_GROWN * j->prominence_start;
    const int rough = s->ground_roughness > OTOK_ROUGH * j->spacing &&
                      s->ground_roughness > OTOK_RUIN_GROWN * j->rough_start;
    const int peaks = s->peaks - j->peaks_start > OTOK_PEAKS * j->cells;
    return (sign){tower || rough || peaks, where->prominent, (int64_t)s->peaks,
                  s->peaks / j->cells};
}

/* Are the means over all wet cells those of water that chatters? */
static int chatters_all_over(const otok_sample *s)
{
    return s->roughness > OTOK_CHATTER * s->depth && s->flips > OTOK_CHATTER * s->depth;
}

static sign rolling(const otok_sample *s, const otok_suspects *where)
{
    return (sign){s->beyond > OTOK_ROLL_BEYOND && s->rolling > OTOK_ROLL_SHARE &&
                      !chatters_all_over(s) && s->chatter <= OTOK_ROLL_CHATTERS * s->wet,
                  where->rolled, where->rolling_cells, s->beyond};
}

static sign chattering(const otok_sample *s, const otok_suspects *where)
{
    const int cells = s->chatter >= OTOK_CHATTER_CELLS && s->chatter > OTOK_CHATTER_SHARE * s->wet;
    return (sign){cells || chatters_all_over(s),
                  where->flipped >= 0 ? where->flipped : where->rough, (int64_t)s->chatter,
                  s->chatter / s->wet};
}

/* What the ledger cannot explain, or books as lost. */
static sign non_conservative(const otok_sample *s, const otok_lost *lost)
{
    const double missing = fmax(fmax(fabs(s->water_error), fabs(s->solid_error)), s->leak);
    const int fails = missing > OTOK_LOST || fabs(s->drift) > OTOK_DRIFTED,
              is_booked = lost->times > 1;
    return (sign){fails || is_booked, -1, -1,
                  fmax(fails ? fmax(missing, fabs(s->drift)) : 0,
                       is_booked && lost->of > 0 ? fabs(lost->by) / lost->of : 0)};
}

static void note_swing(otok_swing *s, double depth)
{
    const double by = depth - s->depth, least = fmin(fabs(by), fmin(fabs(s->by), fabs(s->before)));
    if (s->by * by < 0 && s->before * s->by < 0)
        s->most = fmax(s->most, least / fmax(depth, s->depth));
    *s = (otok_swing){depth, by, s->by, s->most};
}

void otok_judge_note(otok_judge *j, const otok_sample *s, const otok_suspects *where)
{
    const int64_t before = j->samples++ ? j->last : j->since;
    j->last = (int64_t)s->iteration;
    if (s->wet > 0) j->acts[OTOK_ACT_WATER] = 1;
    if (s->change > 0 || s->ground_roughness != j->rough_start) j->acts[OTOK_ACT_GROUND] = 1;
    if (2 * s->iteration <= j->until) j->rough_middle = s->ground_roughness;
    j->rough_end = s->ground_roughness;
    judge(j, OTOK_DIVERGED, diverged(j, s, where), before);
    judge(j, OTOK_RUINED, ruined(j, s, where), before);
    judge(j, OTOK_NON_CONSERVATIVE, non_conservative(s, &where->lost), before);
    if (where->lost.times > fmax(1, j->lost.times)) j->lost = where->lost;
    if (s->wet > 0) {
        judge(j, OTOK_ROLLING, rolling(s, where), before);
        judge(j, OTOK_CHATTERING, chattering(s, where), before);
        judge(j, OTOK_SPEED_LIMITED,
              (sign){s->fast > OTOK_FAST_SHARE, where->fast, where->fast_cells, s->fast}, before);
    }
    record(
        &j->deep,
        (sign){where->depth_limit > 0 && where->depth > where->depth_limit, where->deepest, -1, 0},
        before, j->last);
    note_depth(j, where);
    note_swing(&j->swing, where->depth);
    judge(j, OTOK_GROWING,
          (sign){j->rough_start > 0 && s->ground_roughness > OTOK_GROWN * j->rough_start &&
                     (s->wet > 0 || s->prominence > OTOK_GROWN * j->prominence_start),
                 where->changed, -1, s->ground_roughness / j->rough_start},
          before);
}

/* ---- the verdict ---- */

/* Whether the ground's roughness grew, and not only at first. */
static int grows(const otok_judge *j)
{
    if (!j->seen[OTOK_GROWING].now || !(j->rough_middle > 0)) return 0;
    return log(j->rough_end / j->rough_middle) >
           OTOK_STILL_GROWING * log(j->rough_end / j->rough_start);
}

static int held(const otok_seen *s, const otok_judge *j)
{
    return s->held > 0 && (s->now || (double)s->held > OTOK_HELD * (double)j->samples);
}

static int rolls(const otok_seen *s, const otok_judge *j)
{
    const double least = s->now ? OTOK_ROLL_AT_LAST : OTOK_ROLL_HELD;
    return (double)s->held > least * (double)j->samples;
}

static int is_broken(const otok_judge *j)
{
    return j->broken > 1 || held(&j->deep, j);
}

static int is_plain(const otok_judge *j)
{
    return (int)j->water & OTOK_WATER_PLAIN;
}

/* The share of their bounds that the audit's figures may reach. */
static double proof(const otok_judge *j)
{
    return is_broken(j) ? OTOK_AUDIT_BROKEN : is_plain(j) ? OTOK_AUDIT_PLAIN : 1;
}

/* Over its bound: how much what slides of law share leave depends on the step. */
static double texture(const otok_judge *j)
{
    const double net = fmax(fabs(j->lowered_apart), fabs(j->raised_apart)),
                 all = OTOK_AUDIT_NET * j->changed;
    return fmax(j->rough_apart / OTOK_AUDIT_TEXTURE, all > 0 ? net / all : 0);
}

static double slow_of(const otok_judge *j)
{
    return j->looks.rest > 0 ? j->slow * j->looks.rest : j->slow;
}

/* The largest figure that tells of the step, over its bound; of what lasts, or of water and
   sediment too. */
static double step_figure(const otok_judge *j, int flows)
{
    const otok_audit_figures f = otok_judge_figures(j);
    const double ground = fmax(f.ground / OTOK_AUDIT_GROUND, f.sweeps / OTOK_AUDIT_SWEEPS),
                 all = fmax(f.speed / OTOK_AUDIT_SPEED, f.sediment / OTOK_AUDIT_SEDIMENT);
    if (j->broken > 1 && !j->audited) return INFINITY;
    return fmax(fmax(slow_of(j), texture(j)),
                fmax(0, (flows ? fmax(ground, all) : ground) / proof(j)));
}

double otok_judge_missed(const otok_judge *j)
{
    const otok_looks *l = &j->looks;
    for (int k = 0; k < OTOK_LOOK_KINDS; k++)
        if (l->most[k] > OTOK_LOOK_TIMES * l->shown[k]) return l->at[k];
    return l->missed;
}

/* Did something happen that no window of the audit saw, or is a limit broken whose effect none may
   show? */
static otok_unseen unseen_by(const otok_judge *j)
{
    const int moves = j->acts[OTOK_ACT_GROUND] > 0;
    if (!(j->audits > 0)) return OTOK_UNSEEN_NOTHING;
    if (!j->audited) return OTOK_UNSEEN_NO_WINDOW;
    if (j->broken > 1) return OTOK_UNSEEN_LIMIT;
    if (j->deep.held > 0) return OTOK_UNSEEN_DEEP; /* if only for a short time */
    if (otok_judge_missed(j) > 0) return OTOK_UNSEEN_MOMENT;
    if (j->acts[OTOK_ACT_WATER] > j->shown[OTOK_ACT_WATER]) return OTOK_UNSEEN_WATER;
    if (j->acts[OTOK_ACT_GROUND] > j->shown[OTOK_ACT_GROUND]) return OTOK_UNSEEN_GROUND;
    return moves && j->acts[OTOK_ACT_SWEEPS] > j->shown[OTOK_ACT_SWEEPS] ? OTOK_UNSEEN_SWEEPS
                                                                         : OTOK_UNSEEN_NOTHING;
}

/* The verdict if the result depends on its step, or if it does not. */
static otok_verdict verdict_if(const otok_judge *j, int depends)
{
    for (int v = OTOK_DIVERGED; v > OTOK_STABLE; v--) { /* the worst first */
        const otok_seen *s = &j->seen[v];
        int holds = held(s, j);
        if (v == OTOK_DIVERGED) holds = s->held > 0;
        if (v == OTOK_ROLLING) holds = rolls(s, j);
        if (v == OTOK_STEP_DEPENDENT) holds = depends;
        if (v == OTOK_GROWING) holds = grows(j);
        if (holds) return (otok_verdict)v;
    }
    return unseen_by(j) ? OTOK_NOT_AUDITED : OTOK_STABLE;
}

otok_verdict otok_judge_verdict(const otok_judge *j)
{
    return verdict_if(j, step_figure(j, 1) > 1);
}

double otok_judge_doubt(const otok_judge *j, int flows)
{
    const otok_verdict otherwise = verdict_if(j, 0);
    if (otherwise != OTOK_STABLE && otherwise != OTOK_NOT_AUDITED) return NAN;
    const int is_known = unseen_by(j) || (j->audited && proof(j) < 1);
    return fmax(step_figure(j, flows), is_known ? OTOK_DOUBT_LEAST : 0);
}

int otok_is_doubtful(double doubt, double share)
{
    return doubt >= OTOK_DOUBT_LEAST && doubt * share <= OTOK_DOUBT_MOST;
}

double otok_judge_change(const otok_judge *j)
{
    return OTOK_DOUBT_CHANGE * (proof(j) < 1 || slow_of(j) > 1 ? OTOK_DOUBT_PLAIN : 1);
}

/* ---- the audit ---- */

static double share_of(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

/* How much the sediment that is suspended at the end will differ. `moved`: of the ground, times
   iterations. */
static double carried_apart(const otok_judge *j, double moved)
{
    const double all = fmax(j->held, OTOK_AUDIT_LITTLE * moved);
    return j->held > 0 ? share_of(fabs(j->carried), all) : NAN;
}

/* How much of the ground's roughness at the end comes from the lead. It falls then as it fell, on
   average, in the second half of the run. */
static double left_apart(const otok_judge *j)
{
    if (!(j->lead > 0 && j->rough_end > 0 && j->rough_middle > j->rough_end)) return NAN;
    return j->lead * log(j->rough_middle / j->rough_end) / (0.5 * j->until);
}

/* The largest difference of a volume. Differences of opposite sign cancel in the result, too. */
static double amounts_apart(const otok_judge *j)
{
    double came = 0, most = NAN, depth = 0, still = 0;
    for (int64_t n = 0; n < j->audited; n++) {
        const otok_amounts *v = &j->amounts[n];
        came += j->windows[n].weight * v->came;
        depth += j->windows[n].weight * v->depth;
        still += j->windows[n].weight * fabs(v->depth_more);
    }
    for (int k = 0; k < OTOK_AMOUNT_KINDS; k++) {
        double all = 0, more = 0;
        for (int64_t n = 0; n < j->audited; n++) {
            all += j->windows[n].weight * j->amounts[n].of[k];
            more += j->windows[n].weight * j->amounts[n].more[k];
        }
        if (all > OTOK_AUDIT_LITTLE * came) most = fmax(most, share_of(fabs(more), all));
    }
    return fmax(most, share_of(still, depth));
}

otok_audit_figures otok_judge_figures(const otok_judge *j)
{
    otok_window all = {.weight = 0};
    double *sums = (double *)&all; /* a window is doubles alone, of which the weight is the first */
    for (int64_t n = 0; n < j->audited; n++) {
        const double *window = (const double *)&j->windows[n];
        for (size_t f = 1; f < sizeof all / sizeof *sums; f++)
            sums[f] += window[0] * window[f];
    }
    const double elsewhere = share_of(all.flow_apart, all.flow),
                 more = OTOK_AUDIT_WAVES * share_of(fabs(all.flow_more), all.flow);
    return (otok_audit_figures){
        fmax(elsewhere < more ? elsewhere : more, amounts_apart(j)),
        fmax(share_of(all.moved_apart, all.moved), left_apart(j)),
        fmax(share_of(all.sediment_apart, all.sediment), carried_apart(j, all.moved)),
        share_of(all.shaped_apart, all.shaped), share_of(j->receivers[1], j->receivers[0])};
}

otok_diagnosis otok_judge_diagnosis(const otok_judge *j, int64_t nx)
{
    static const otok_seen never = {.after = -1, .first = -1, .cell = -1, .cells = -1};
    const otok_audit_figures audit = otok_judge_figures(j);
    const otok_verdict v = otok_judge_verdict(j);
    const int is_seen = v > OTOK_STABLE && v < OTOK_REFUSED && j->seen[v].held;
    const otok_seen *s = is_seen ? &j->seen[v] : &never, *deep = j->deep.held ? &j->deep : &never;
    const int64_t code = j->audits > 1 ? (int64_t)j->audits - 1 : 0;
    return (otok_diagnosis){.samples = j->samples,
                            .since = j->since,
                            .until = j->last,
                            .verdict = v,
                            .after = s->after,
                            .first = s->first,
                            .cell_x = s->cell < 0 ? -1 : s->cell % nx,
                            .cell_y = s->cell < 0 ? -1 : s->cell / nx,
                            .cells = s->cells,
                            .share = is_seen ? j->shares[v] : 0,
                            .audit_speed = audit.speed,
                            .audit_ground = audit.ground,
                            .audit_sediment = audit.sediment,
                            .audit_sweeps = audit.sweeps,
                            .audit_rivers = audit.rivers,
                            .slow = slow_of(j),
                            .texture = texture(j),
                            .broken = j->broken,
                            .doubt = otok_judge_doubt(j, 1),
                            .proof = proof(j),
                            .deepest = j->deepest,
                            .deepest_limit = j->deepest_limit,
                            .deepest_at = j->deepest_at,
                            .deep_after = deep->after,
                            .deep_first = deep->first,
                            .lost_kind = (int64_t)j->lost.kind,
                            .lost = j->lost.by,
                            .lost_of = j->lost.of,
                            .uncompared = code % OTOK_UNCOMPARED,
                            .water = (int64_t)j->water,
                            .unseen = unseen_by(j),
                            .unseen_at = (int64_t)otok_judge_missed(j),
                            .iterations = (int64_t)j->until,
                            .movers = code / OTOK_UNCOMPARED};
}

int otok_judge_is_sound(const otok_judge *j)
{
    const int64_t *counts = (const int64_t *)j;
    for (int n = 0; n < OTOK_JUDGE_COUNTS; n++)
        if (counts[n] < -1 || counts[n] > INT64_C(1) << 53) return 0;
    return 1;
}

static int same(double a, double b)
{
    return a > 0 && b > 0 && a < b * OTOK_SAME_RATE && b < a * OTOK_SAME_RATE;
}

otok_verdict otok_verdict_growth(const double rates[3])
{
    if (isnan(rates[1])) return OTOK_GROWING;
    if (!same(rates[0], rates[1])) return OTOK_GROWING_NUMERICAL;
    return isnan(rates[2]) || same(rates[1], rates[2]) ? OTOK_GROWING_PHYSICAL : OTOK_GROWING_GRID;
}
