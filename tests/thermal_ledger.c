/* thermal_ledger.c - claim: debris that slides is lost nowhere in the books: what the rounding of
   the ground that takes it made is an entry of its own, nothing is left unexplained, not one unit
   of the fixed point, under both laws, on a ground in layers, beside hydraulic erosion, and
   whatever the lengths of the runs. With `small`, for a checker of memory, in shorter runs. */
#include "scene.h"

#include <math.h>

static const char pile[] =
    "otok: 1\ngrid: {nx: 61, ny: 47, spacing: 1}\nedges: {left: periodic, right: periodic}\n"
    "base: [{cone: {height: 30, radius: 14}}, {simplex: {wavelength: 20, amplitude: 2, combine: "
    "add}}]\n"
    "%sphases: [{name: slide, iterations: 3000, %sthermal: {dt: 0.1, talus: 30, law: %s, rate: "
    "0.2}}]\n";

static void check_slide(const char *backend, const char *ground, const char *beside,
                        const char *law, int small)
{
    const int64_t runs[] = {1, 2, 0, small ? 100 : 1000, 1, small ? 196 : 1996};
    otok_scenario *s = scene(pile, ground, beside, law);
    otok_ledger l;
    int64_t done = 0;
    otok_sim *sim = scene_sim(s, backend);
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        MUST(otok_sim_run(sim, runs[i]));
        l = scene_ledger(sim);
        done += runs[i];
        CHECK(l.solid_error == 0, "%s%s%s: %g m3 unexplained after %lld iterations", ground, beside,
              law, l.solid_error, (long long)done);
        CHECK(l.solid == l.solid_start + l.ground_rounded, "%s%s%s: %.17g is not %.17g + %g m3",
              ground, beside, law, l.solid, l.solid_start, l.ground_rounded);
    }
    CHECK(l.ground_rounded != 0 && fabs(l.ground_rounded) < 1e-5 * l.solid, "%s%s%s: %g m3 rounded",
          ground, beside, law, l.ground_rounded);
    scene_destroy(sim, s);
}

int main(int argc, char **argv)
{
    static const char *const grounds[] = {"", "layers: [{name: soil, thickness: 2, erodibility: 2, "
                                              "talus: 20}, {name: rock, erodibility: 0.5}]\n"};
    static const char *const beside[] = {"", "hydraulic: {}, "}, *const laws[] = {"excess",
                                                                                  "share"};
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    for (int n = 0; n < 8; n++)
        check_slide(backend, grounds[n & 1], beside[n >> 1 & 1], laws[n >> 2],
                    CHECK_SMALL(argc, argv));
    return check_failures != 0;
}
