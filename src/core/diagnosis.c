/* diagnosis.c: the diagnosis of a run in a few lines. */
#include "sized.h"
#include "status.h"
#include "verdict.h"

#include <math.h>
#include <stdio.h>

static void print_first(FILE *out, int64_t after, int64_t first)
{
    if (first >= 0)
        fprintf(out, ", first between iterations %lld and %lld", (long long)after,
                (long long)first);
}

/* One figure of the audit; NAN: none. */
static void print_figure(FILE *out, const char *name, double share, const char *end)
{
    if (isnan(share))
        fprintf(out, "%s -%s", name, end);
    else
        fprintf(out, "%s %.2g %%%s", name, 100 * share, end);
}

static int is_audited(const otok_diagnosis *f)
{
    return !(isnan(f->audit_speed) && isnan(f->audit_ground) && isnan(f->audit_sediment) &&
             isnan(f->audit_sweeps));
}

static void print_audit(FILE *out, const otok_diagnosis *f)
{
    static const char *const uncompared[] = {"", "where rivers are", "responses",
                                             "where rivers are, and responses"};
    fputs("changes with the step: ", out);
    if (is_audited(f)) {
        print_figure(out, "water", f->audit_speed, ", ");
        print_figure(out, "ground", f->audit_ground, ", ");
        print_figure(out, "sediment", f->audit_sediment, "");
        if (!isnan(f->audit_sweeps))
            print_figure(out, "; with the sweeps of waves:", f->audit_sweeps, "");
        if (!isnan(f->audit_rivers)) print_figure(out, "; receivers", f->audit_rivers, "");
    } else {
        fputs("not audited", out);
    }
    if (f->texture > 1)
        fprintf(out, "; the ground that slides leave, by %.2g times its bound", f->texture);
    if (f->slow > 1)
        fprintf(out, "; what adds up over the run: %.2g times a limit that otok predict names",
                f->slow);
    else if (f->broken > 1)
        fprintf(out, "; the step is %.2g times a limit that otok predict names", f->broken);
    if (f->verdict == OTOK_STEP_DEPENDENT && f->proof < 1 && is_audited(f))
        fprintf(out, "; bounds %.2g %%, %.2g %% and %.2g %%, because %s",
                100 * OTOK_AUDIT_SPEED * f->proof, 100 * OTOK_AUDIT_GROUND * f->proof,
                100 * OTOK_AUDIT_SEDIMENT * f->proof,
                f->proof < 0.2 ? "a limit of the step is broken"
                               : "pipes of constant area are known to depend on the step");
    if (f->uncompared > 0 && f->uncompared < 4)
        fprintf(out, "; %s: not compared", uncompared[f->uncompared]);
    if (f->uncompared || otok_is_doubtful(f->doubt, f->proof))
        fputs("; --refine tells them for the whole run", out);
    fputc('\n', out);
}

/* Is the step far below what its limits allow? Then a smaller one rounds more often, and helps
   nothing. */
static int is_short(const otok_diagnosis *f)
{
    const double deep = f->deepest_limit > 0 ? sqrt(f->deepest / f->deepest_limit) : 0;
    return (f->broken > 0 || f->deepest_limit > 0) && fmax(f->broken, deep) < OTOK_SHORT_STEP;
}

static int has_lost(const otok_diagnosis *f)
{
    return f->verdict == OTOK_NON_CONSERVATIVE && f->lost_kind > OTOK_LOST_NOTHING &&
           f->lost_kind <= OTOK_LOST_DISPLACED;
}

/* What helps against water that crosses whole cells, given the water that the phases have. */
static const char *faster_steps(const otok_diagnosis *f)
{
    if (f->water & OTOK_WATER_COURANT)
        return "lower `dt` where an iteration has all its 1024 steps of water (otok predict and "
               "otok inspect tell), else `courant`";
    if (f->water & OTOK_WATER_FRICTION && !(f->water & OTOK_WATER_PLAIN))
        return "lower dt, or let steps follow the water: `courant: 0.7`";
    return otok_verdict_about(OTOK_SPEED_LIMITED)->remedy;
}

static int has_unseen(const otok_diagnosis *f)
{
    return f->verdict == OTOK_NOT_AUDITED && f->unseen > OTOK_UNSEEN_NOTHING &&
           f->unseen < OTOK_UNSEENS;
}

/* Why a run is not audited, and what to do about it. */
static const struct {
    const char *why, *remedy;
} unseen[OTOK_UNSEENS] = {
#define OTOK_UNSEEN_AS(NAME, ...) [OTOK_UNSEEN_##NAME] = {__VA_ARGS__},
#include "verdicts.def"
};

/* A share of the run from which a window sees the moment that was missed. */
static double before(const otok_diagnosis *f)
{
    const double share = (double)f->unseen_at / fmax(1, (double)f->iterations);
    return floor(100 * fmax(0, share - 0.05)) / 100;
}

static const char *unseen_remedy(const otok_diagnosis *f)
{
    static _Thread_local char text[128];
    if (f->unseen != OTOK_UNSEEN_MOMENT) return unseen[f->unseen].remedy;
    snprintf(text, sizeof text,
             "otok run --refine tells; or add %.2f, a share of the run, to `audit`", before(f));
    return text;
}

/* What makes ground less rough, of the processes that the run has. */
static const char *ruined_remedy(const otok_diagnosis *f)
{
    static const struct {
        int moves, without;
        const char *words;
    } all[] = {
        {OTOK_MOVES_WATER, 0,
         "lower capacity or dissolve, or use `slope: downhill`, `capacity_law: speed_depth`"},
        {OTOK_MOVES_DROPLETS, 0, "run fewer droplets"},
        {OTOK_MOVES_SLIDES, 0, "lower the rate or the dt of `thermal`"},
        {OTOK_MOVES_REEF, 0, "lower the rate of the reef"},
        {OTOK_MOVES_WIND, 0, "lower the flux or the dt of `wind`"},
        {OTOK_MOVES_RIVERS, OTOK_MOVES_SLIDES,
         "add `thermal` or another process that levels slopes, because rivers alone cut them as "
         "steep as cells are small"},
    };
    static _Thread_local char text[512];
    size_t n = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (f->movers & all[i].moves && !(f->movers & all[i].without))
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n ? "; " : "", all[i].words);
    return n ? text : otok_verdict_about(OTOK_RUINED)->remedy;
}

static const char *lost_remedy(int kind)
{
    if (kind == OTOK_LOST_DISPLACED)
        return "use `displace_water: false`, or a `transport` that carries sediment along with the "
               "water";
    if (kind > OTOK_LOST_SEDIMENT)
        return "add what you change with `book`, which the ledger knows; if you changed nothing, "
               "report it, with the scenario";
    if (kind == OTOK_LOST_SEDIMENT)
        return "rounding makes less than this: report it, with the scenario";
    return kind == OTOK_LOST_GROUND
               ? "what moves in a step is near the last digit of the ground: raise the dt of the "
                 "process that moves it, or give the base less height; if neither helps, report it"
               : "what a step brings is near the last digit of what it adds to: raise dt, or bring "
                 "it in fewer iterations; if neither helps, report it";
}

const char *(otok_diagnosis_remedy)(const otok_diagnosis *diagnosis, size_t size)
{
    if (OTOK_GIVEN(diagnosis)) return NULL;
    otok_diagnosis all;
    otok_sized_copy(&all, sizeof all, diagnosis, size);
    diagnosis = &all;
    if (has_lost(diagnosis)) return lost_remedy((int)diagnosis->lost_kind);
    if (diagnosis->verdict == OTOK_NON_CONSERVATIVE && is_short(diagnosis))
        return "use `transport: conservative`, or a larger dt: it is far below its limits, and "
               "each step rounds what it moves";
    if (has_unseen(diagnosis)) return unseen_remedy(diagnosis);
    if (diagnosis->verdict == OTOK_RUINED) return ruined_remedy(diagnosis);
    if (diagnosis->verdict == OTOK_SPEED_LIMITED) return faster_steps(diagnosis);
    if (diagnosis->verdict != OTOK_STEP_DEPENDENT)
        return otok_verdict_about(diagnosis->verdict)->remedy;
    if (diagnosis->texture > 1) return "lower the dt of the slides, or use `law: excess` for them";
    if (diagnosis->slow > 1)
        return "do what otok predict says of the limit: give a reef less `uptake`; where a change "
               "is below the last digit of the ground, a longer step";
    if (diagnosis->water & OTOK_WATER_COURANT)
        return "halve dt and `courant` until the water changes by less than 2.5 %, the ground 4 %, "
               "sediment 2 %: dt alone leaves the steps of water";
    if (diagnosis->proof < 0.2) return "lower dt below the limit that otok predict names";
    if (diagnosis->audit_sweeps > OTOK_AUDIT_SWEEPS) return "lower `waves.every`, or dt";
    if (diagnosis->proof < 1)
        return "use `law: local_inertia`, whose water converges, or halve dt until the audit "
               "keeps these bounds";
    return otok_verdict_about(diagnosis->verdict)->remedy;
}

/* What the ledger books as lost. */
static void print_lost(FILE *out, const otok_diagnosis *f)
{
    static const char *const names[] = {"", "", "rain", "rivers", "uplift"};
    if (f->lost_kind == OTOK_LOST_GROUND)
        fprintf(out, "rounding %s %.4g m3 of ground, of %.4g m3 that moved from cell to cell",
                f->lost > 0 ? "made" : "lost", fabs(f->lost), f->lost_of);
    else if (f->lost_kind == OTOK_LOST_DISPLACED)
        fprintf(out,
                "displace_water made %.4g m3 of water, as sediment was laid down where less was "
                "left, of %.4g m3 that came",
                f->lost, f->lost_of);
    else if (f->lost_kind > OTOK_LOST_SEDIMENT)
        fprintf(out, "%.4g m3 of %s %s without `book`, by fields that were set or lent",
                fabs(f->lost), f->lost_kind == OTOK_UNBOOKED_WATER ? "water" : "solids",
                f->lost > 0 ? "came" : "went");
    else if (f->lost_kind == OTOK_LOST_SEDIMENT)
        fprintf(out, "water %s %.4g m3 of sediment, of %.4g m3 that it carried",
                f->lost > 0 ? "made" : "lost", fabs(f->lost), f->lost_of);
    else
        fprintf(out, "%s brought %.4g m3 of the %.4g m3 that the scenario says",
                names[f->lost_kind], f->lost_of + f->lost, f->lost_of);
}

/* What changes most with the step, beside its bound. */
static void print_largest(FILE *out, const otok_diagnosis *f)
{
    const double found[] = {f->audit_speed, f->audit_ground, f->audit_sediment, f->audit_sweeps},
                 bounds[] = {OTOK_AUDIT_SPEED * f->proof, OTOK_AUDIT_GROUND * f->proof,
                             OTOK_AUDIT_SEDIMENT * f->proof, OTOK_AUDIT_SWEEPS};
    static const char *const names[] = {"water", "ground", "sediment", "the sweeps of waves"};
    int most = -1;
    for (int i = 0; i < 4; i++)
        if (found[i] > bounds[i] && (most < 0 || found[i] / bounds[i] > found[most] / bounds[most]))
            most = i;
    if (most >= 0)
        fprintf(out, ", %s by %.2g %%, more than %.2g %%", names[most], 100 * found[most],
                100 * bounds[most]);
}

static void print_verdict(FILE *out, const otok_diagnosis *f)
{
    const otok_verdict_words *about = otok_verdict_about(f->verdict);
    fprintf(out, "verdict: %s", otok_verdict_name(f->verdict));
    if (f->cells > 0)
        fprintf(out, ", in %lld cell%s", (long long)f->cells, f->cells > 1 ? "s" : "");
    if (f->share > 0 && about->share[0] && !has_lost(f))
        fprintf(out, ", %.3g%s %s", (f->verdict == OTOK_GROWING ? 1 : 100) * f->share,
                f->verdict == OTOK_GROWING ? "" : " %", about->share);
    if (f->verdict == OTOK_STEP_DEPENDENT) print_largest(out, f);
    print_first(out, f->after, f->first);
    if (f->cell_x >= 0)
        fprintf(out, ", worst in cell (%lld, %lld)", (long long)f->cell_x, (long long)f->cell_y);
    fputs(": ", out);
    if (has_lost(f))
        print_lost(out, f);
    else
        fputs(has_unseen(f) ? unseen[f->unseen].why : about->meaning, out);
    if (has_unseen(f) && f->unseen == OTOK_UNSEEN_MOMENT)
        fprintf(out, ", which ends at iteration %lld", (long long)f->unseen_at);
    if (f->since) fprintf(out, " (since iteration %lld)", (long long)f->since);
    fputc('\n', out);
    if (otok_diagnosis_remedy(f)[0]) fprintf(out, "what to do: %s\n", otok_diagnosis_remedy(f));
}

static void print_diagnosis(FILE *out, const otok_diagnosis *f)
{
    print_verdict(out, f);
    print_audit(out, f);
    if (!(f->deepest_limit > 0)) return;
    fprintf(out, "deepest water: %.4g m after iteration %lld; the limit %s is %.4g m%s", f->deepest,
            (long long)f->deepest_at,
            f->water & OTOK_WATER_COURANT ? "at the last step of water then" : "at this dt",
            f->deepest_limit, f->deep_first < 0 ? "" : ": BROKEN");
    print_first(out, f->deep_after, f->deep_first);
    fputc('\n', out);
}

char *(otok_diagnosis_text)(const otok_diagnosis *diagnosis, char out[OTOK_DIAGNOSIS_SIZE],
                            size_t size)
{
    if (OTOK_GIVEN(diagnosis, out)) return NULL;
    otok_diagnosis all;
    otok_sized_copy(&all, sizeof all, diagnosis, size);
    diagnosis = &all;
    FILE *text = diagnosis->samples ? fmemopen(out, OTOK_DIAGNOSIS_SIZE, "w") : NULL;
    out[0] = 0;
    if (!text) return out;
    print_diagnosis(text, diagnosis);
    fclose(text);
    out[OTOK_DIAGNOSIS_SIZE - 1] = 0;
    return out;
}
