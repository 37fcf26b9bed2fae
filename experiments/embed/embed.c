/* embed.c: a simulation inside another program: a scenario from memory, a pond from an array, a
 * run, a field back out. */
#include <otok.h>
#include <stdio.h>

enum { NX = 64, NY = 48 };

static const char text[] = "otok: 1\n"
                           "grid: {nx: 64, ny: 48, spacing: 10}\n"
                           "base: [{cone: {height: 120, radius: 250}}]\n"
                           "phases: [{name: flood, iterations: 200, hydraulic: {dt: 0.1}}]\n";

int main(void)
{
    static float water[NY][NX];
    otok_scenario *scenario = NULL;
    otok_sim *sim = NULL;
    otok_ledger ledger = {0};
    uint64_t fingerprint = 0;
    for (int i = 20; i < 40; i++)
        water[24][i] = 2.0f;
    otok_status status = otok_scenario_read(&scenario, text, "flood.yaml", NULL, 0);
    if (status == OTOK_OK) status = otok_sim_create(&sim, scenario, "cpu");
    if (status == OTOK_OK) status = otok_sim_set(sim, OTOK_WATER, &water[0][0]);
    if (status == OTOK_OK) status = otok_sim_run(sim, 200);
    if (status == OTOK_OK) status = otok_sim_get(sim, OTOK_WATER, &water[0][0]);
    if (status == OTOK_OK) status = otok_sim_measure(sim, &ledger, &fingerprint);
    if (status != OTOK_OK) fprintf(stderr, "embed: %s\n", otok_why());
    float deepest = 0;
    for (int n = 0; n < NX * NY; n++)
        deepest = (&water[0][0])[n] > deepest ? (&water[0][0])[n] : deepest;
    if (status == OTOK_OK)
        printf("%.3f m3 of water, at most %.3f m deep, fingerprint %016llx\n", ledger.water,
               (double)deepest, (unsigned long long)fingerprint);
    otok_sim_destroy(sim);
    otok_scenario_destroy(scenario);
    return otok_exit_code(status);
}
