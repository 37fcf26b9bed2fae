/* verdict.c: see verdict.h. */
#include "verdict.h"

#include <math.h>
#include <stdio.h>

static const char *const names[OTOK_VERDICTS] = {"stable",   "growing", "non_conservative", "speed_limited", "chattering",
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

static void see(otok_judge *j, otok_verdict what, int holds, const otok_sample *sample, int64_t cell)
{
    struct otok_seen *s = &j->seen[what];
    s->now = holds;
    if (!holds) return;
    if (!s->held++) {
        s->first = (int64_t)sample->iteration;
        s->cell = cell;
    }
}

void otok_judge_note(otok_judge *j, const otok_sample *s, const otok_suspects *where)
{
    j->looks++;
    if (2 * s->iteration <= j->until) j->rough_middle = s->ground_roughness;
    j->rough_end = s->ground_roughness;
    const int too_rough =
        s->ground_roughness > OTOK_TOO_ROUGH * j->spacing && s->ground_roughness > OTOK_TOO_ROUGH * j->rough_start;
    see(j, OTOK_DIVERGED, s->not_finite > 0 || !(s->highest <= OTOK_BEYOND) || too_rough, s,
        where->not_finite >= 0 ? where->not_finite : where->changed);
    see(j, OTOK_NON_CONSERVATIVE,
        fabs(s->water_error) > OTOK_LOST || fabs(s->solid_error) > OTOK_LOST || s->leak > OTOK_LOST ||
            fabs(s->drift) > OTOK_DRIFTED,
        s, -1);
    if (s->wet > 0) {
        see(j, OTOK_CHATTERING, s->roughness > OTOK_CHATTER * s->depth && s->flips > OTOK_CHATTER * s->depth, s, where->rough);
        see(j, OTOK_SPEED_LIMITED, s->fast > OTOK_FAST_SHARE, s, where->fast);
    }
    see(j, OTOK_GROWING, j->rough_start > 0 && s->ground_roughness > OTOK_GROWN * j->rough_start, s, where->changed);
}

/* Did the ground's roughness grow, and not only at first? */
static int grows(const otok_judge *j)
{
    if (!j->seen[OTOK_GROWING].now || !(j->rough_middle > 0)) return 0;
    return log(j->rough_end / j->rough_middle) > OTOK_STILL_GROWING * log(j->rough_end / j->rough_start);
}

otok_verdict otok_judge_verdict(const otok_judge *j, int64_t *iteration, int64_t *cell)
{
    *iteration = *cell = -1;
    for (int v = OTOK_DIVERGED; v > OTOK_STABLE; v--) { /* the worst first */
        const struct otok_seen *s = &j->seen[v];
        int holds = s->held > 0 && (s->now || (double)s->held > OTOK_HELD * (double)j->looks);
        if (v == OTOK_DIVERGED) holds = s->held > 0;
        if (v == OTOK_GROWING) holds = grows(j);
        if (!holds) continue;
        *iteration = s->first;
        *cell = s->cell;
        return (otok_verdict)v;
    }
    return OTOK_STABLE;
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
