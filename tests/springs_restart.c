/* springs_restart.c - claim: phases with rain maps and rivers of their own, of constant discharge
   or with a history, or with none, give the same bits and books whether run through, iteration by
   iteration, or saved and loaded in the middle of a phase. */
#include "springs_file.h"

enum { NX = 45, NY = 31, END = 50 };

static const char form[] =
    "otok: 1\nseed: 9\ngrid: {nx: 45, ny: 31, spacing: 2}\nedges: {top: open}\nbase:\n  - simplex: "
    "{wavelength: 40, amplitude: 8}\n"
    "phases:\n"
    "  - {name: both, iterations: 12, rain: {rate: 0.02, map: %s/one.asc, during: [[2, 9]]}, "
    "rivers: [{x: 30, y: 20, radius: 5, discharge: 3}], hydraulic: {dt: 0.07, capacity: 1, "
    "dissolve: 0.2}}\n"
    "  - {name: rivers, iterations: 10, rain: {rate: 0.01}, rivers: [{x: 70, y: 50, discharge: 2}, "
    "{x: 20, y: 20, radius: 7, history: [[0.1, 0], [0.23, 30], [0.4, 4]]}], hydraulic: {dt: "
    "0.05}}\n"
    "  - {name: plain, iterations: 6, rain: {rate: 0.01}, hydraulic: {dt: 0.07}}\n"
    "  - {name: slide, iterations: 4, thermal: {dt: 0.1}}\n"
    "  - {name: map, iterations: 10, rain: {rate: 0.03, map: %s/two.asc}, hydraulic: {dt: 0.06}}\n"
    "  - {name: again, iterations: 8, rain: {rate: 0.02, map: %s/two.asc}, rivers: [{x: 20, y: 40, "
    "radius: 5, history: {between: steps, points: [[0, 3], [0.2, 9]]}}], hydraulic: {dt: 0.07}}\n";

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    static const int places[] = {0, 5, 12, 15, 25, 30, 37, 42, 46};
    static float map[NX * NY];
    char file[64];
    springs_begin();
    snprintf(file, sizeof file, "%s/state.vtkhdf", springs_folder);
    for (int m = 0; m < 2; m++) {
        for (int n = 0; n < NX * NY; n++)
            map[n] = (float)(n * (m ? 31 : 17) % 19) / 8;
        springs_write(m ? "two.asc" : "one.asc", NX, NY, 2, "", map);
    }
    otok_scenario *s = scene(form, springs_folder, springs_folder, springs_folder);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_run(sim, END));
    const scene_end whole = scene_ended(sim);
    CHECK(whole.ledger.rain > 0 && whole.ledger.rivers > 0, "no rain or no rivers");
    otok_sim_destroy(sim);

    sim = scene_sim(s, backend);
    for (int n = 0; n < END; n++)
        MUST(otok_sim_run(sim, 1));
    scene_check_end(sim, &whole, "one by one");
    for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
        char how[64];
        snprintf(how, sizeof how, "loaded at %d", places[p]);
        otok_sim *early = scene_sim(s, backend), *fresh = scene_sim(s, backend);
        MUST(otok_sim_run(early, places[p]));
        MUST(otok_sim_save(early, file));
        MUST(otok_sim_load(sim, file)); /* its buffers hold the water of the last phase */
        MUST(otok_sim_load(fresh, file));
        MUST(otok_sim_run(sim, END - places[p]));
        MUST(otok_sim_run(fresh, END - places[p]));
        scene_check_end(sim, &whole, how);
        scene_check_end(fresh, &whole, how);
        otok_sim_destroy(early);
        otok_sim_destroy(fresh);
    }
    scene_destroy(sim, s);
    springs_remove("state.vtkhdf");
    springs_remove("one.asc");
    springs_remove("two.asc");
    springs_end();
    return check_failures != 0;
}
