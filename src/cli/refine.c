/* refine.c: `otok run --refine`: what it prints after a run. */
#include "cli.h"

#include "../core/clock.h"
#include "../core/status.h"
#include "../scenario/program.h"
#include "../sim/refine.h"
#include "signals.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A difference above this share is worth a remark. */
#define FOLLOWS 0.05

typedef struct view {
    int quiet, run;
    double until, printed;
} view;

static int poll(void *user, int run, int64_t done, int64_t iterations)
{
    view *v = user;
    const double now = otok_clock();
    if (v->run != run || now - v->printed >= 10) {
        if (!v->quiet && iterations > 0)
            fprintf(stderr, "refinement, %s: iteration %lld of %lld\n", otok_refine_runs[run].name,
                    (long long)done, (long long)iterations);
        v->printed = now;
        if (iterations > 0) v->run = run;
    }
    return cli_signals_asked() || now >= v->until;
}

/* ---- the table ---- */

/* Two digits; what rounding makes is 0. */
static const char *percent(char out[32], double share, int sign)
{
    const double p = 100 * share, size = fabs(p);
    const char plus[2] = {sign && p > 0 && size >= 1e-3 ? '+' : 0, 0};
    if (size < 1e-3)
        snprintf(out, 32, "0 %%");
    else
        snprintf(out, 32, size < 99.5 ? "%s%.2g %%" : "%s%.0f %%", plus, p);
    return out;
}

/* Is it a response near 0, which is no scale for its differences? */
static int is_near_zero(const otok_refinement *r, int f)
{
    int is = r->values[f] == 0;
    for (int run = OTOK_REFINE_STEP; run < OTOK_REFINE_RUNS; run++)
        is |= r->done[run] && fabs(r->apart[f][run]) >= 1;
    return is && f >= OTOK_REFINE_FIGURES;
}

/* A share, or the difference itself, in the unit of `this run`. */
static const char *difference(char out[32], const otok_refinement *r, int f, int run, int sign)
{
    const double own = r->values[f], apart = r->apart[f][run];
    if (!is_near_zero(r, f)) return percent(out, apart, sign);
    snprintf(out, 32, "%+.3g", own != 0 ? apart * fabs(own) : apart);
    return out;
}

/* Has a row something to say? Figures of 0 have not; a response of 0 that does not stay so has. */
static int has_row(const otok_refinement *r, int f)
{
    int differs = r->values[f] != 0;
    for (int run = OTOK_REFINE_STEP; run < OTOK_REFINE_RUNS && f >= OTOK_REFINE_FIGURES; run++)
        differs |= r->done[run] && r->apart[f][run] != 0;
    return differs && !isnan(r->values[f]);
}

static void print_head(const otok_refinement *r)
{
    printf("refinement: how far finer runs of the same time are from this one, on its cells\n");
    printf("%-25s  %15s", "", "this run");
    for (int run = OTOK_REFINE_STEP; run < OTOK_REFINE_RUNS; run++)
        if (r->done[run]) printf("  %10s", otok_refine_runs[run].name);
    puts(r->done[OTOK_REFINE_TWICE] ? "   order" : "");
}

static void print_row(const otok_refinement *r, int f, const char *name, const char *unit,
                      int by_cell)
{
    char value[64], share[32];
    if (!has_row(r, f)) return;
    snprintf(value, sizeof value, "%.6g %-2s", r->values[f], unit);
    printf("%-25s  %15s", name, value);
    for (int run = OTOK_REFINE_STEP; run < OTOK_REFINE_RUNS; run++)
        if (r->done[run]) printf("  %10s", difference(share, r, f, run, !by_cell));
    if (r->done[OTOK_REFINE_TWICE] && by_cell && isnan(r->order[f]))
        printf("  %6s", "-");
    else if (r->done[OTOK_REFINE_TWICE] && by_cell)
        printf("  %6.2f", r->order[f]);
    putchar('\n');
}

/* What follows l/dt, as the speed of water without friction, may seem to converge while that ratio
   is kept. */
static void print_ratio(const otok_refinement *r)
{
    int follows = 0;
    for (int f = 0; f < OTOK_REFINE_FIGURES; f++)
        follows |= otok_refine_figures[f].by_cell && r->apart[f][OTOK_REFINE_STEP] > FOLLOWS &&
                   r->apart[f][OTOK_REFINE_STEP] > r->apart[f][OTOK_REFINE_CELLS];
    if (follows)
        puts("Half the step alone makes more difference than with cells half as wide: the result "
             "follows l/dt.");
}

static void print_reasons(const otok_refinement *r, const char *prefix)
{
    for (int run = OTOK_REFINE_STEP; run < OTOK_REFINE_RUNS; run++) {
        const int again = run > OTOK_REFINE_STEP && strcmp(r->why[run], r->why[run - 1]) == 0;
        if (r->why[run][0] && !again)
            printf("%s%s: not compared: %s\n", prefix, otok_refine_runs[run].name,
                   cli_plain(r->why[run]));
    }
}

static void print_table(const otok_refinement *r, const otok_scenario *s)
{
    int done = 0;
    for (int run = OTOK_REFINE_STEP; run < OTOK_REFINE_RUNS; run++)
        done += r->done[run];
    if (done) {
        print_head(r);
        for (int f = 0; f < OTOK_REFINE_FIGURES; f++)
            print_row(r, f, otok_refine_figures[f].name, otok_refine_figures[f].unit,
                      otok_refine_figures[f].by_cell);
        for (int n = 0; n < s->nresponses; n++)
            print_row(r, OTOK_REFINE_FIGURES + n, s->responses[n].name, "", 0);
        print_ratio(r);
    }
    print_reasons(r, "");
}

otok_status cli_refine(const otok_scenario *scenario, const char *directory, const char *backend,
                       int quiet, double until)
{
    otok_refinement r;
    view v = {.quiet = quiet, .until = until};
    const otok_refine_options how = {
        .directory = directory, .backend = backend, .poll = poll, .user = &v};
    const otok_status status = otok_refine(&r, scenario, &how);
    if (status == OTOK_OK || status == OTOK_STOPPED) print_table(&r, scenario);
    if (status != OTOK_STOPPED) return status;
    return OTOK_FAIL(OTOK_STOPPED, "the run is complete, but its refinement was stopped; run again "
                                   "with --resume to refine it");
}

otok_status cli_refine_plan(const otok_scenario *scenario)
{
    otok_refinement r;
    int cost = 0, follows = 0;
    for (int p = 0; p < scenario->nphases; p++)
        follows |= otok_phase_has_courant(&scenario->phases[p]);
    OTOK_TRY(otok_refine_plan(&r, scenario));
    printf("# refinement:");
    for (int run = OTOK_REFINE_STEP; run < OTOK_REFINE_RUNS; run++) {
        if (r.why[run][0] || r.unneeded[run]) continue;
        printf("%s %s", cost ? ";" : "", otok_refine_runs[run].name);
        const otok_halves h = otok_refine_runs[run].halves;
        cost += 1 << (h.steps + (follows ? 3 : 2) * h.cells); /* steps of water follow the cells */
    }
    printf("; %d times the work of the run, after it\n", cost);
    print_reasons(&r, "# ");
    return OTOK_OK;
}
