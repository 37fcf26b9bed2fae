/* embed.c: a scenario from a text, a pond from an array, a run, and the water back out. */
#include <otok.h>
#include <stdio.h>

static const char text[] = "otok: 1\ngrid: {nx: 64, ny: 48, spacing: 10}\n"
                           "base: [{cone: {height: 120, radius: 250}}]\n"
                           "phases: [{name: flood, iterations: 50, hydraulic: {dt: 0.1}}]\n";

int main(void)
{
    static float water[48][64] = {[4] = {[30] = 40.0f}}; /* [ny][nx], metres */
    otok_scenario *scenario = NULL;
    otok_sim *sim = NULL;
    otok_ledger ledger = {0};
    uint64_t fingerprint = 0;
    otok_status status = otok_scenario_read(&scenario, text, "flood.yaml", NULL, 0);
    if (status == OTOK_OK) status = otok_sim_create(&sim, scenario, "cpu");
    if (status == OTOK_OK) status = otok_sim_set(sim, OTOK_WATER, &water[0][0]);
    if (status == OTOK_OK) status = otok_sim_run(sim, 50);
    if (status == OTOK_OK) status = otok_sim_get(sim, OTOK_WATER, &water[0][0]);
    if (status == OTOK_OK) status = otok_sim_measure(sim, &ledger, &fingerprint);
    if (status == OTOK_OK)
        printf("%.3f m3 of water, %.3f m deep where it began, fingerprint %016llx\n", ledger.water,
               (double)water[4][30], (unsigned long long)fingerprint);
    else
        fprintf(stderr, "embed: %s\n", otok_why());
    otok_sim_destroy(sim);
    otok_scenario_destroy(scenario);
    return otok_exit_code(status);
}
