/* predict.c: `otok predict`: the stability limits of a scenario as a table or JSON. The limits are
 * those of otok_predict. */
#include "../core/usual_units.h"
#include "../scenario/process.h"
#include "../scenario/program.h"
#include "../sim/sim.h"
#include "cli.h"
#include "options.h"
#include "text.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const certainties[] = {"proven", "measured", "heuristic"};

static int is_number(double x)
{
    return x == x;
}

/* Limits with a number first, then the others. */
static void table(const otok_limit *limits, int n)
{
    int numbers = 0;
    for (int i = 0; i < n; i++) {
        const otok_limit *l = &limits[i];
        char dt[48] = "-";
        if (!is_number(l->value)) continue;
        if (!numbers++)
            printf("  %-20s %-34s %10s %8s %8s     %-12s %s\n", "limit", "", "value", "bound",
                   "margin", "largest dt", "certainty");
        if (is_number(l->dt)) otok_time_words(dt, l->dt);
        if (is_number(l->dt) && !strstr(dt, "yr")) snprintf(dt, sizeof dt, "%.4g s", l->dt);
        const double margin = otok_limit_margin(l);
        printf("  %-20s %-34s %10.4g %8.4g %8.3g %-3s %-12s %s\n", l->name, l->symbol, l->value,
               l->bound, margin, margin > 1 ? "!" : "", dt, certainties[l->certainty]);
        if (l->read[0]) printf("      from %s\n", cli_plain(l->read));
        if (margin > 1) printf("      %s\n", cli_plain(l->text));
    }
    for (int i = 0; i < n; i++)
        if (!is_number(limits[i].value))
            printf("  %s (%s): %s\n", limits[i].name, certainties[limits[i].certainty],
                   cli_plain(limits[i].text));
}

/* ---- what to do ---- */

enum { MOST_ADVICE = 64 };

/* The largest steps by phase and process, the most urgent last. */
typedef struct advice {
    otok_limit all[MOST_ADVICE];
    int n;
} advice;

static void add_advice(advice *a, const otok_limit *l)
{
    int i = a->n < MOST_ADVICE ? a->n++ : MOST_ADVICE - 1;
    for (; i > 0 && a->all[i - 1].dt / a->all[i - 1].now < l->dt / l->now; i--)
        a->all[i] = a->all[i - 1];
    a->all[i] = *l;
}

/* Those of the groups of a phase, each once. */
static void read_advice(advice *a, const otok_limit *limits, int n, const otok_scenario *scenario,
                        const otok_site *site)
{
    for (int i = 0; i < n; i++) {
        otok_limit l;
        int again = 0;
        for (int k = 0; k < i; k++)
            again |= strcmp(limits[k].group, limits[i].group) == 0;
        if (!again && otok_predict_dt(&l, scenario, limits[i].phase, limits[i].group, site))
            add_advice(a, &l);
    }
}

/* Four digits, not above the number. */
static double rounded_down(double x)
{
    const double digit = pow(10, floor(log10(x)) - 3);
    return floor(x / digit * (1 + 1e-12)) * digit;
}

static void print_phase(int phase, const otok_scenario *scenario)
{
    if (otok_scenario_phases(scenario) > 1)
        printf("phase %s: ", cli_plain(otok_scenario_phase(scenario, phase)));
}

/* The step whose limit it is, or that of the clock, as the scenario gives it. */
static const char *step_given(const otok_limit *l, const otok_scenario *scenario)
{
    const otok_phase *phase = &scenario->phases[l->phase];
    for (int i = 0; i < OTOK_PROCESSES; i++) {
        const otok_process *p = otok_processes[i];
        if (!(phase->processes & p->bit) ||
            (l->group[0] ? strcmp(p->group, l->group) != 0 : p->pace != OTOK_PACE_CLOCK))
            continue;
        const char *given = otok_scenario_given(scenario, (const char *)phase + p->dt);
        if (given) return given;
    }
    return NULL;
}

static void print_step(const otok_limit *l, const otok_scenario *scenario)
{
    char words[48] = "", step[64], *unit;
    otok_time_words(words, l->dt);
    otok_usual_text(otok_parameter_find("hydraulic", "dt"), step_given(l, scenario), l->dt, 17,
                    step);
    const double number = strtod(step, &unit);
    const int in_years = strstr(words, "yr") && strcmp(unit, " s") == 0;
    print_phase(l->phase, scenario);
    printf("use %s%sdt <= %.4g%s (%s%s%s%s)\n", l->group, l->group[0] ? "." : "",
           rounded_down(number), unit, l->name, l->certainty == OTOK_HEURISTIC ? ", heuristic" : "",
           in_years ? ", " : "", in_years ? words : "");
}

static void print_binding(const otok_scenario *scenario, const otok_site *site)
{
    otok_limit l;
    char text[CLI_BINDING_SIZE];
    if (!cli_binding(&l, scenario, site)) return;
    printf("binding: %s%s\n", cli_binding_text(text, &l, scenario),
           otok_limit_margin(&l) > 1 && !is_number(l.dt) ? "; no smaller dt keeps it" : "");
}

/* With `courant` the dt of the clock may stay where no limit asks for a smaller one. */
static int may_stay(const otok_limit *l, const otok_scenario *scenario)
{
    return !l->group[0] && l->dt >= l->now && otok_phase_has_courant(&scenario->phases[l->phase]);
}

static void print_kept(const advice *a, int phase, const otok_scenario *scenario)
{
    const otok_phase *p = &scenario->phases[phase];
    if (!otok_phase_has_courant(p)) return;
    for (int i = 0; i < a->n; i++)
        if (a->all[i].phase == phase && !a->all[i].group[0] && !may_stay(&a->all[i], scenario))
            return;
    print_phase(phase, scenario);
    printf("courant chooses the steps of water; dt may stay %.4g s\n", otok_phase_step(p));
}

static void print(const otok_scenario *scenario, const otok_site *site)
{
    advice steps = {.n = 0};
    for (int p = 0; p < otok_scenario_phases(scenario); p++) {
        otok_limit limits[OTOK_LIMITS];
        const int n = otok_predict(limits, scenario, p, site);
        printf("phase %s\n", cli_plain(otok_scenario_phase(scenario, p)));
        table(limits, n);
        read_advice(&steps, limits, n, scenario, site);
    }
    print_binding(scenario, site);
    for (int p = 0; p < otok_scenario_phases(scenario); p++)
        print_kept(&steps, p, scenario);
    for (int i = 0; i < steps.n; i++)
        if (!may_stay(&steps.all[i], scenario)) print_step(&steps.all[i], scenario);
}

int cli_predict(int argc, char **argv)
{
    otok_scenario *scenario;
    int strict = 0, as_json = 0;
    cli_sets sets = {.n = 0};
    const cli_option table[] = {
        CLI_SETS(&sets),
        CLI_OPTION("strict", 0, NULL, "exit with 65 if a proven or measured limit is broken",
                   CLI_FLAG, &strict),
        CLI_OPTION("json", 0, NULL, "print a JSON array instead of the table", CLI_FLAG, &as_json),
        {0}};
    const cli_command command = {
        .name = "predict",
        .operands = "SCENARIO.yaml [options]",
        .about = "Print the limits of stability of each phase, and run nothing. If the grid has at "
                 "most 2^20 cells, otok makes the terrain and the water of iteration 0 for the "
                 "limits that depend on slopes, depths and flows. The column `from` names the "
                 "inputs. A row has the value, its bound, the margin, the largest time step that "
                 "keeps the limit, and the certainty of the limit. The margin is the value over "
                 "the bound; above 1 the limit is broken. A heuristic limit is a warning. The last "
                 "lines are the limit that binds, the proven or measured one with the largest "
                 "margin, and for each clock and each step of "
                 "a process the largest dt that keeps all limits that depend on it.",
        .examples = "experiments/published/k17.yaml",
        .needs = "one scenario",
        .options = table};
    const int code = cli_options(&command, argc, argv);
    if (code >= 0) return code;
    const otok_status status = otok_scenario_load(&scenario, argv[optind], sets.at, sets.n);
    if (status == OTOK_OK) otok_scenario_warn(scenario, cli_note, "predict");
    if (status != OTOK_OK) return cli_fail("predict", status);
    const otok_status inputs = otok_scenario_inputs(scenario);
    if (inputs != OTOK_OK) {
        otok_scenario_destroy(scenario);
        return cli_fail("predict", inputs);
    }
    otok_site site;
    otok_limit binding;
    otok_site_read(&site, scenario);
    if (!site.cells)
        fprintf(stderr,
                "otok predict: the ground was not read: %s; limits that need it are left out\n",
                cli_plain(site.why));
    const int broken =
        otok_predict_binding(&binding, scenario, &site) && otok_limit_margin(&binding) > 1;
    char *text = as_json ? otok_predict_text(scenario, &site) : NULL;
    if (text)
        puts(text);
    else
        print(scenario, &site);
    free(text);
    otok_scenario_destroy(scenario);
    return broken && strict ? otok_exit_code(OTOK_DATA) : 0;
}
