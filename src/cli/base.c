/* base.c: `otok base`: writes only the base terrain of a scenario, as a checkpoint at iteration 0.
 */
#include "../core/clock.h"
#include "../sim/sim.h"
#include "cli.h"
#include "options.h"
#include "text.h"

#include <getopt.h>
#include <stdio.h>

static int is_late(void *user)
{
    const double *end = user;
    return otok_clock() >= *end;
}

int cli_base(int argc, char **argv)
{
    double seconds = 0;
    const char *out = NULL, *backend = "auto";
    cli_sets sets = {.n = 0};
    const cli_option table[] = {
        CLI_OUTPUT("FILE.vtkhdf", "the checkpoint to write", &out),
        CLI_SETS(&sets),
        CLI_BACKEND(&backend),
        CLI_MAX_TIME(
            &seconds,
            "write nothing and exit with 75 if it takes longer than T, such as 90, 30m or 23h50m"),
        {0}};
    const cli_command command = {
        .name = "base",
        .operands = "SCENARIO.yaml -o FILE.vtkhdf [options]",
        .about = "Write the state at iteration 0: the base terrain, and all fields that the phases "
                 "of the scenario need.",
        .examples = "experiments/island/island.yaml -o base.vtkhdf && otok export base.vtkhdf "
                    "-o base.png",
        .needs = "one scenario",
        .options = table};
    const int code = cli_options(&command, argc, argv);
    if (code >= 0) return code;
    double end = otok_clock() + seconds;
    if (!out) return cli_usage("base", "needs -o FILE.vtkhdf, the file to write");
    if (!cli_ends(out, ".vtkhdf"))
        return cli_usage("base", "%s: only .vtkhdf is written; otok export makes a picture of it",
                         out);
    otok_scenario *scenario;
    otok_sim *sim = NULL;
    otok_status status = otok_scenario_load(&scenario, argv[optind], sets.at, sets.n);
    if (status != OTOK_OK) return cli_fail("base", status);
    status = otok_scenario_not_input(scenario, out);
    if (status == OTOK_OK)
        status = otok_sim_create_until(&sim, scenario, backend, seconds > 0 ? is_late : NULL, &end);
    if (status == OTOK_OK) status = otok_sim_save(sim, out);
    if (status == OTOK_OK) {
        const int64_t cells = scenario->grid.nx * scenario->grid.ny;
        cli_no_data(cells - otok_sim_open_cells(sim), cells, sim->filled, sim->raster_cells, 0);
    }
    for (int n = 0; status == OTOK_OK && otok_sim_note_at(sim, n); n++)
        fprintf(stderr, "otok base: %s\n", cli_plain(otok_sim_note_at(sim, n)));
    if (status == OTOK_OK)
        fprintf(stderr, "base terrain: %.3f ms on %s\n", 1e3 * otok_sim_base_seconds(sim),
                otok_sim_device(sim));
    otok_sim_destroy(sim);
    otok_scenario_destroy(scenario);
    return status == OTOK_OK ? 0 : cli_fail("base", status);
}
