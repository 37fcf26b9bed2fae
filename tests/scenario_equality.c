/* scenario_equality.c - claim: every scenario of experiments/, on a small grid of odd size but with
   all its iterations, gives the same fingerprint on the backend under test as on the CPU, one stage
   after the other, at ten places on the way (without phases: of the base terrain). On the CPU: as
   with one thread, on a smaller grid. A second argument, for a checker of memory: the smaller grid,
   and a tenth of the iterations. */
#include "scenario/scenario.h"
#include "scene.h"

#include <glob.h>
#include <omp.h>

enum { PLACES = 10 };

static void simulate(const otok_scenario *s, const char *backend, uint64_t *prints)
{
    const int64_t end = otok_scenario_iterations(s);
    otok_sim *sim = scene_sim(s, backend);
    for (int n = 0; n < PLACES; n++) {
        MUST(otok_sim_run(sim, end * (n + 1) / PLACES - otok_sim_iteration(sim)));
        prints[n] = scene_fingerprint(sim);
    }
    otok_sim_destroy(sim);
}

/* The file of a raster is not committed; tests/raster_base.c has rasters. */
static int has_raster(const char *path)
{
    otok_scenario *s;
    if (otok_scenario_load(&s, path, NULL, 0) != OTOK_OK) return 0; /* the caller reports it */
    const int has = strstr(otok_scenario_text(s), "raster:") != NULL;
    otok_scenario_destroy(s);
    return has;
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    /* the third set where rivers would lie outside */
    const int tenth = argc > 2, small = tenth || strcmp(backend, "cpu") == 0;
    const char *const sets[] = {small ? "grid.nx=29" : "grid.nx=47",
                                small ? "grid.ny=23" : "grid.ny=38",
                                small ? "grid.spacing=44" : "grid.spacing=28"};
    uint64_t expected[PLACES], found[PLACES];
    glob_t files; /* scenarios alone: other YAML files lie deeper */
    CHECK(glob("experiments/*/*.yaml", 0, NULL, &files) == 0 && files.gl_pathc >= 5,
          "%zu scenarios under experiments/", files.gl_pathc);
    for (size_t n = 0; n < files.gl_pathc; n++) {
        otok_scenario *s = NULL;
        if (has_raster(files.gl_pathv[n])) continue;
        const int coast = small && strstr(files.gl_pathv[n], "/cliffs/"); /* needs its sea */
        const int wide = coast || (otok_scenario_load(&s, files.gl_pathv[n], sets, 2) != OTOK_OK &&
                                   strstr(otok_why(), "outside the domain"));
        const int failed =
            !s && otok_scenario_load(&s, files.gl_pathv[n], sets, wide ? 3 : 2) != OTOK_OK;
        const char *const far[] = {sets[0], sets[1], "grid.spacing=600"};
        if (failed && (!strstr(otok_why(), "outside the domain") ||
                       otok_scenario_load(&s, files.gl_pathv[n], far, 3) != OTOK_OK)) {
            const int lacks = strstr(otok_why(), "was built without") != NULL;
            CHECK(lacks, "%s", otok_why()); /* units need UDUNITS */
            continue;
        }
        for (int i = 0; tenth && i < s->nphases; i++)
            s->phases[i].iterations = (s->phases[i].iterations + 9) / 10;
        const int threads = omp_get_max_threads();
        omp_set_num_threads(strcmp(backend, "cpu") == 0 ? 1 : threads);
        simulate(s, "cpu:plain", expected);
        omp_set_num_threads(strcmp(backend, "cpu") == 0 ? 3 : threads);
        simulate(s, backend, found);
        omp_set_num_threads(threads);
        for (int i = 0; i < PLACES; i++)
            CHECK(expected[i] == found[i], "%s, place %d of %d: %016llx, expected %016llx",
                  files.gl_pathv[n], i + 1, PLACES, (unsigned long long)found[i],
                  (unsigned long long)expected[i]);
        CHECK(expected[0] != expected[PLACES - 1] || otok_scenario_iterations(s) == 0,
              "%s: nothing happens", files.gl_pathv[n]);
        otok_scenario_destroy(s);
    }
    globfree(&files);
    return check_failures != 0;
}
