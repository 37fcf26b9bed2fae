/* droplets_count.c - claim: a phase of n droplets has as many iterations as batches, the last may
   be smaller, and droplets are counted through the phases: a phase of 30 is phases of 13 and 17,
   and no droplet begins where another did. */
#include "scenario/scenario.h"
#include "scene.h"

#define LAND                                                                                       \
    "otok: 1\nseed: 2\ngrid: {nx: 60, ny: 50}\nsea: {level: -100}\nbase:\n  - simplex: "           \
    "{wavelength: 30, amplitude: 9}\nphases:\n"
#define THIRTEEN "  - droplets: {count: 13, batch: 1}\n"
#define SEVENTEEN "  - droplets: {count: 17, batch: 1}\n"

static uint64_t print_of(const char *text, const char *backend, int64_t iterations)
{
    otok_scenario *s = scene_load(text, NULL, 0),
                  *again = scene_load(otok_scenario_text(s), NULL, 0);
    CHECK(otok_scenario_iterations(s) == iterations, "%lld iterations, expected %lld",
          (long long)otok_scenario_iterations(s), (long long)iterations);
    CHECK(otok_scenario_iterations(again) == iterations, "%lld iterations when read back",
          (long long)otok_scenario_iterations(again));
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_run(sim, iterations));
    const uint64_t print = scene_fingerprint(sim);
    scene_destroy(sim, s);
    otok_scenario_destroy(again);
    return print;
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    const uint64_t thirty = print_of(LAND "  - droplets: {count: 30, batch: 1}\n", backend, 30);
    CHECK(print_of(LAND THIRTEEN "  - {iterations: 2, seabed: }\n" SEVENTEEN, backend, 32) ==
              thirty,
          "13 and 17 are not 30");
    CHECK(print_of(LAND SEVENTEEN THIRTEEN, backend, 30) == thirty, "17 and 13 are not 30");
    CHECK(print_of(LAND SEVENTEEN, backend, 17) != print_of(LAND SEVENTEEN SEVENTEEN, backend, 34),
          "the same droplets twice");
    const uint64_t eleven = print_of(LAND "  - droplets: {count: 30, batch: 11}\n", backend, 3);
    CHECK(eleven ==
              print_of(LAND "  - {iterations: 3, droplets: {count: 30, batch: 11}}\n", backend, 3),
          "iterations given too");
    CHECK(eleven != print_of(LAND "  - droplets: {count: 33, batch: 11}\n", backend, 3),
          "the last batch is full");
    /* After one step, while none has met another, it is all one in which batches they fell. */
    const uint64_t alone =
        print_of(LAND "  - droplets: {count: 30, batch: 1, max_steps: 1}\n", backend, 30);
    for (int batch = 4; batch < 30; batch += 5) {
        char text[512];
        snprintf(text, sizeof text, LAND "  - droplets: {count: 30, batch: %d, max_steps: 1}\n",
                 batch);
        CHECK(print_of(text, backend, (30 + batch - 1) / batch) == alone,
              "batches of %d hold other droplets", batch);
    }
    return check_failures != 0;
}
