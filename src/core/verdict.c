/* verdict.c: see verdict.h. */
#include "verdict.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const names[OTOK_VERDICTS] = {
    "stable",   "growing", "non_conservative", "speed_limited", "chattering",
    "diverged", "refused", "growing_physical", "growing_grid",  "growing_numerical"};

const char *otok_verdict_name(otok_verdict verdict)
{
    return (int)verdict >= 0 && verdict < OTOK_VERDICTS ? names[verdict] : "none";
}

const char *otok_verdict_meanings(char out[OTOK_VERDICT_MEANINGS])
{
    int n = snprintf(out, OTOK_VERDICT_MEANINGS, "none");
    for (int v = 0; v < OTOK_VERDICTS; v++)
        n += snprintf(out + n, (size_t)(OTOK_VERDICT_MEANINGS - n), " %s", names[v]);
    return out;
}

/* Notes a sign at iteration `at`. `before` is the iteration of the sample before. */
static void record_sign(otok_seen *s, int holds, int64_t before, int64_t at, int64_t cell)
{
    s->now = holds;
    if (!holds) return;
    if (!s->held++) {
        s->after = before;
        s->first = at;
        s->cell = cell;
    }
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

void otok_judge_note(otok_judge *j, const otok_sample *s, const otok_suspects *where)
{
    const int64_t before = j->samples++ ? j->last : j->since, at = j->last = (int64_t)s->iteration;
    if (2 * s->iteration <= j->until) j->rough_middle = s->ground_roughness;
    j->rough_end = s->ground_roughness;
    const int too_rough = s->ground_roughness > OTOK_TOO_ROUGH * j->spacing &&
                          s->ground_roughness > OTOK_TOO_ROUGH * j->rough_start;
    record_sign(&j->seen[OTOK_DIVERGED],
                s->not_finite > 0 || !(s->highest <= OTOK_BEYOND) || too_rough, before, at,
                where->not_finite >= 0 ? where->not_finite : where->changed);
    record_sign(&j->seen[OTOK_NON_CONSERVATIVE],
                fabs(s->water_error) > OTOK_LOST || fabs(s->solid_error) > OTOK_LOST ||
                    s->leak > OTOK_LOST || fabs(s->drift) > OTOK_DRIFTED,
                before, at, -1);
    if (s->wet > 0) {
        record_sign(&j->seen[OTOK_CHATTERING],
                    s->roughness > OTOK_CHATTER * s->depth && s->flips > OTOK_CHATTER * s->depth,
                    before, at, where->rough);
        record_sign(&j->seen[OTOK_SPEED_LIMITED], s->fast > OTOK_FAST_SHARE, before, at,
                    where->fast);
    }
    record_sign(&j->deep, where->depth_limit > 0 && where->depth > where->depth_limit, before, at,
                where->deepest);
    note_depth(j, where);
    record_sign(&j->seen[OTOK_GROWING],
                j->rough_start > 0 && s->ground_roughness > OTOK_GROWN * j->rough_start, before, at,
                where->changed);
}

/* Whether the ground's roughness grew, and not only at first. */
static int grows(const otok_judge *j)
{
    if (!j->seen[OTOK_GROWING].now || !(j->rough_middle > 0)) return 0;
    return log(j->rough_end / j->rough_middle) >
           OTOK_STILL_GROWING * log(j->rough_end / j->rough_start);
}

otok_verdict otok_judge_verdict(const otok_judge *j, int64_t *iteration, int64_t *cell)
{
    *iteration = *cell = -1;
    for (int v = OTOK_DIVERGED; v > OTOK_STABLE; v--) { /* the worst first */
        const otok_seen *s = &j->seen[v];
        int holds = s->held > 0 && (s->now || (double)s->held > OTOK_HELD * (double)j->samples);
        if (v == OTOK_DIVERGED) holds = s->held > 0;
        if (v == OTOK_GROWING) holds = grows(j);
        if (!holds) continue;
        *iteration = s->first;
        *cell = s->cell;
        return (otok_verdict)v;
    }
    return OTOK_STABLE;
}

/* ---- the audit ---- */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of the first `windows` values, without those that are NAN; NAN: all are. */
static double median(const double *values, int64_t windows)
{
    double sorted[OTOK_AUDIT_WINDOWS];
    size_t n = 0;
    for (int64_t w = 0; w < windows; w++)
        if (!isnan(values[w])) sorted[n++] = values[w];
    qsort(sorted, n, sizeof *sorted, ascending);
    return n == 0 ? NAN : n % 2 ? sorted[n / 2] : 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]);
}

otok_audit_figures otok_judge_figures(const otok_judge *j)
{
    double moved = 0, differs = 0;
    for (int64_t w = 0; w < j->audited; w++) {
        moved += j->audit_moved[w];
        differs += j->audit_differs[w];
    }
    return (otok_audit_figures){median(j->audit_speed, j->audited),
                                moved > 0 ? differs / moved : NAN,
                                median(j->audit_sediment, j->audited)};
}

int otok_audit_differs(otok_audit_figures f)
{
    return f.speed > OTOK_AUDIT_SPEED || f.ground > OTOK_AUDIT_GROUND ||
           f.sediment > OTOK_AUDIT_SEDIMENT;
}

otok_diagnosis otok_judge_diagnosis(const otok_judge *j, int64_t nx)
{
    int64_t first, cell;
    otok_diagnosis f = {.samples = j->samples,
                        .since = j->since,
                        .until = j->last,
                        .after = -1,
                        .deep_after = -1,
                        .deep_first = -1};
    f.verdict = otok_judge_verdict(j, &first, &cell);
    f.first = first;
    if (f.verdict != OTOK_STABLE) f.after = j->seen[f.verdict].after;
    f.cell_x = cell < 0 ? -1 : cell % nx;
    f.cell_y = cell < 0 ? -1 : cell / nx;
    f.deepest = j->deepest;
    f.deepest_limit = j->deepest_limit;
    f.deepest_at = j->deepest_at;
    if (j->deep.held) {
        f.deep_after = j->deep.after;
        f.deep_first = j->deep.first;
    }
    return f;
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
