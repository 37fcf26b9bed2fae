/* predict.c: `otok predict`: the stability limits of a scenario as a table or JSON. The limits are
 * study/predict.c's. */
#include "cli.h"
#include "text.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

static const char usage[] = "usage: otok predict SCENARIO.yaml [options]\n\n"
                            "      --set path=value    changes a key of the scenario\n"
                            "      --strict            exits with 65 if a limit is broken\n"
                            "      --json              prints a JSON array, not the table\n\n"
                            "Prints the stability limits of the schemes of each phase: the value, "
                            "its bound, the margin (value over bound; above 1 the\n"
                            "limit is broken), the largest time step that keeps the limit, and how "
                            "certain the limit is. Runs nothing.\n\n"
                            "example: otok predict experiments/published/k17.yaml\n";

static const char *const certainties[] = {"proven", "measured", "heuristic"};

static int is_number(double x)
{
    return x == x;
}

/* Numbers first, then what has none. */
static void table(const otok_limit *limits, int n)
{
    int numbers = 0;
    for (int i = 0; i < n; i++) {
        const otok_limit *l = &limits[i];
        char dt[32] = "-";
        if (!is_number(l->value)) continue;
        if (!numbers++)
            printf("  %-20s %-28s %10s %8s %8s     %-12s %s\n", "limit", "", "value", "bound",
                   "margin", "largest dt", "certainty");
        if (is_number(l->dt)) snprintf(dt, sizeof dt, "%.4g s", l->dt);
        const double margin = otok_limit_margin(l);
        printf("  %-20s %-28s %10.4g %8.4g %8.3g %-3s %-12s %s\n", l->name, l->symbol, l->value,
               l->bound, margin, margin > 1 ? "!" : "", dt, certainties[l->certainty]);
        if (margin > 1) printf("      %s\n", l->text);
    }
    for (int i = 0; i < n; i++)
        if (!is_number(limits[i].value))
            printf("  %s (%s): %s\n", limits[i].name, certainties[limits[i].certainty],
                   limits[i].text);
}

static void print(const otok_scenario *scenario)
{
    otok_limit binding;
    for (int p = 0; p < otok_scenario_phases(scenario); p++) {
        otok_limit limits[OTOK_LIMITS];
        const int n = otok_predict(limits, scenario, p);
        printf("phase %s\n", otok_scenario_phase(scenario, p));
        table(limits, n);
    }
    if (otok_predict_binding(&binding, scenario))
        printf("binding: phase %s, %s: margin %.3g\n", otok_scenario_phase(scenario, binding.phase),
               binding.name, otok_limit_margin(&binding));
}

int cli_predict(int argc, char **argv)
{
    static const struct option known[] = {{"set", 1, 0, 's'},
                                          {"strict", 0, 0, 'x'},
                                          {"json", 0, 0, 'j'},
                                          {"help", 0, 0, 'h'},
                                          {0, 0, 0, 0}};
    const char *sets[256];
    otok_scenario *scenario;
    int c, nsets = 0, strict = 0, as_json = 0;
    optind = 1;
    opterr = 0;
    while ((c = getopt_long(argc, argv, ":h", known, NULL)) != -1)
        switch (c) {
        case 's':
            if (nsets == 256) return cli_usage("predict", "more than 256 --set");
            sets[nsets++] = optarg;
            break;
        case 'x': strict = 1; break;
        case 'j': as_json = 1; break;
        case 'h': fputs(usage, stdout); return 0;
        default: return cli_option("predict", c, argv);
        }
    if (optind != argc - 1) return cli_usage("predict", "name one scenario");
    const otok_status status = otok_scenario_load(&scenario, argv[optind], sets, nsets);
    if (status != OTOK_OK) return cli_fail("predict", status);
    otok_limit binding;
    const int broken = otok_predict_binding(&binding, scenario) && otok_limit_margin(&binding) > 1;
    char *text = as_json ? otok_predict_text(scenario) : NULL;
    if (text)
        puts(text);
    else
        print(scenario);
    free(text);
    otok_scenario_destroy(scenario);
    return broken && strict ? otok_exit_code(OTOK_DATA) : 0;
}
