/* rounding_kept.c - claim: the library gives the same bits whatever rounding, flush-to-zero and
   denormals-are-zero its caller and the threads of OpenMP have set, and after every call the caller
   and these threads have their own again. */
#include "scenario_file.h"
#include "scene.h"

#include <fenv.h>
#include <omp.h>
#ifdef __x86_64__
#include <xmmintrin.h>
#endif

enum { NX = 200, NY = 170, CELLS = NX * NY };

static const char text[] = "otok: 1\nseed: 5\ngrid: {nx: 200, ny: 170, spacing: 2.3}\nedges: "
                           "{left: open}\nsea: {level: 4.1}\n"
                           "base: [{cone: {height: 31, radius: 170, power: 1.3}}, {simplex: "
                           "{octaves: 3, wavelength: 37, amplitude: 3, combine: add}}]\n"
                           "phases:\n"
                           "  - {name: rain, iterations: 12, rain: {rate: 0.02}, hydraulic: {dt: "
                           "0.07, dissolve: 0.3, deposit: 0.2}, thermal: {dt: 0.1}}\n"
                           "  - {name: drops, iterations: 1, droplets: {count: 300, batch: 300}}\n"
                           "  - {name: reef, iterations: 7, reef: {dt: 0.013, sea_rise: 0.37}}\n"
                           "  - {name: rest, iterations: 5, thermal: {dt: 0.1}}\n";
static const char study_text[] =
    "study: 1\nscenario: bad.yaml\ndesign: {kind: grid, points: 7}\n"
    "vary: {phases.rain.hydraulic.dt: {from: 0.011, to: 0.77, scale: log}}\nmonitor: {every: 10}\n";

/* Everything that a program sees. */
typedef struct seen {
    uint64_t base, end;
    double time, sea, margin;
    otok_ledger ledger;
    otok_limit limits[OTOK_LIMITS];
    char scenario[8192], predicted[16384], values[7][OTOK_VALUE_SIZE], way[OTOK_VALUE_SIZE];
    float cell[OTOK_FIELDS], map[CELLS], loaded[CELLS], road[CELLS];
    otok_study_cost cost;
    double length, energy;
} seen;

static void spoil_modes(void)
{
    fesetround(FE_UPWARD);
#ifdef __x86_64__
    _mm_setcsr(_mm_getcsr() | 0x8040); /* flush-to-zero, denormals-are-zero */
#endif
}

static int mode(void)
{
#ifdef __x86_64__
    return (int)(_mm_getcsr() & 0xffc0) | fegetround() << 16;
#else
    return fegetround();
#endif
}

static int mine;

/* A call after which this thread's mode is what it was. */
#define CALL(call)                                                                                 \
    do {                                                                                           \
        MUST(call);                                                                                \
        CHECK(mode() == mine, "%s: the mode is %x, was %x", #call, (unsigned)mode(),               \
              (unsigned)mine);                                                                     \
    } while (0)

static void roads(seen *out)
{
    static float zeros[CELLS], change[CELLS], height[CELLS];
    otok_road_request request;
    otok_road *road;
    otok_road_request_defaults(&request);
    request.from = (otok_point){21, 33, 0};
    request.to = (otok_point){411, 322, 0};
    memset(change, 0, sizeof change);
    memset(out->road, 0, sizeof out->road);
    memcpy(zeros, out->map, sizeof zeros);
    const otok_road_maps maps = {{NX, NY, 2.3}, zeros, change, out->road, height, NULL};
    memset(height, 0, sizeof height);
    CALL(otok_road_create(&road, &request, &maps));
    out->length = road->length;
    out->energy = road->energy;
    otok_road_destroy(road);
}

static void studies(seen *out)
{
    static char path[sizeof file_path + 16];
    otok_study *study;
    snprintf(path, sizeof path, "%s/study.yaml", file_folder);
    FILE *file = fopen(path, "w");
    if (!file || fputs(study_text, file) < 0 || fclose(file) != 0) exit(1);
    CALL(otok_study_load(&study, path));
    for (int row = 0; row < 7; row++)
        otok_study_value(study, row, 0, out->values[row]);
    otok_study_ray_value(study, 0, 0.3, out->way);
    CALL(otok_study_estimate(&out->cost, study));
    otok_study_destroy(study);
    unlink(path);
}

static void call_library(seen *out, const char *backend)
{
    static char path[sizeof file_path + 16];
    otok_scenario *s, *copy;
    otok_sim *sim;
    otok_checkpoint *checkpoint;
    memset(out, 0, sizeof *out);
    CALL(file_load(&s, text, "phases.rain.hydraulic.capacity=0.7"));
    studies(out);
    CALL(otok_scenario_copy(&copy, s));
    snprintf(out->scenario, sizeof out->scenario, "%s", otok_scenario_text(copy));
    otok_site site;
    otok_site_read(&site, copy);
    char *predicted = otok_predict_text(copy, &site);
    snprintf(out->predicted, sizeof out->predicted, "%s", predicted ? predicted : "");
    free(predicted);
    CHECK(otok_predict(out->limits, copy, 0, &site) > 0, "no limits");
    out->margin = otok_limit_margin(&out->limits[0]);
    CALL(otok_sim_create(&sim, copy, backend));
    CALL(otok_sim_measure(sim, &out->ledger, &out->base));
    for (int n = 0; n < CELLS; n++)
        out->map[n] = (float)(n % 50) * 0x1p-147f; /* water in denormal numbers */
    CALL(otok_sim_set(sim, OTOK_WATER, out->map));
    CALL(otok_sim_run(sim, 3));
    CALL(otok_sim_change(sim, "phases.rain.hydraulic.capacity", "0.3"));
    CALL(otok_sim_pour(sim, 100, 120, 17, 0.7));
    CALL(otok_sim_run(sim, 20));
    CALL(otok_sim_measure(sim, &out->ledger, &out->end));
    out->time = otok_sim_time(sim);
    out->sea = otok_sim_sea_level(sim);
    CALL(otok_sim_cell(sim, 77, 55, out->cell));
    CALL(otok_sim_get(sim, OTOK_TERRAIN, out->map));
    snprintf(path, sizeof path, "%s/c.vtkhdf", file_folder);
    CALL(otok_sim_save(sim, path));
    CALL(otok_checkpoint_load(&checkpoint, path));
    memcpy(out->loaded, otok_checkpoint_map(checkpoint, OTOK_TERRAIN), sizeof out->loaded);
    CALL(otok_sim_load(sim, path));
    otok_checkpoint_destroy(checkpoint);
    unlink(path);
    roads(out);
    scene_destroy(sim, copy);
    otok_scenario_destroy(s);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    static seen right, spoilt;
    int other = 0;
    file_create();
    omp_set_num_threads(2);
    mine = mode();
    call_library(&right, backend);
#pragma omp parallel
    spoil_modes();
    mine = mode();
    call_library(&spoilt, backend);
#pragma omp parallel reduction(+ : other)
    other += mode() != mine;
    CHECK(other == 0, "%d threads of OpenMP have another mode than before", other);
    fesetenv(FE_DFL_ENV);
    CHECK(right.base == spoilt.base && right.end == spoilt.end,
          "fingerprints %llx, %llx, not %llx, %llx", (unsigned long long)spoilt.base,
          (unsigned long long)spoilt.end, (unsigned long long)right.base,
          (unsigned long long)right.end);
    CHECK(memcmp(&right, &spoilt, sizeof right) == 0,
          "other numbers: time %.17g, %.17g; sea %.17g, %.17g; energy %.17g, %.17g", right.time,
          spoilt.time, right.sea, spoilt.sea, right.energy, spoilt.energy);
    file_remove();
    return check_failures != 0;
}
