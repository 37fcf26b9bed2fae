/* library_sizes.c - claim: programs go on with a newer library and with an older one. A call writes
   no more of a struct than the program has, and 0 beyond what the library has; of a struct that it
   reads it needs no more than the program has. Structs whose calls do not know their size keep it:
   to add a member, give those calls a size, as otok_sim_measure has it (otok.h, conventions). */
#include "road_scene.h"
#include "scenario_file.h"

#define KEEPS(type, bytes) _Static_assert(sizeof(type) == (bytes), "this struct does not grow")
KEEPS(otok_grid, 24);
KEEPS(otok_loan, 56);
KEEPS(otok_layer_ledger, OTOK_NAME_SIZE + 48);
KEEPS(otok_derived_from, 16 + 8 * OTOK_FIELDS + 8 + 24);
KEEPS(otok_look, 48);
KEEPS(otok_scale, 40);
KEEPS(otok_axis_about, 40);
KEEPS(otok_point, 24);

enum { MORE = 64, UNTOUCHED = 0xA5 };

static otok_scenario *scenario;
static otok_sim *sim;
static otok_study *study;
static otok_checkpoint *checkpoint;
static landscape land;

static otok_status fill_ledger(void *out, size_t size)
{
    uint64_t fingerprint;
    return (otok_sim_measure)(sim, out, &fingerprint, size);
}

static otok_status fill_diagnosis(void *out, size_t size)
{
    return (otok_sim_diagnose)(sim, out, size);
}

static otok_status fill_island(void *out, size_t size)
{
    return (otok_checkpoint_island)(out, checkpoint, size);
}

static otok_status fill_site(void *out, size_t size)
{
    (otok_site_read)(out, scenario, size);
    return OTOK_OK;
}

static otok_status fill_binding(void *out, size_t size)
{
    return !(otok_predict_binding)(out, scenario, NULL, size, 0);
}

static otok_status fill_step(void *out, size_t size)
{
    return !(otok_predict_dt)(out, scenario, 0, "", NULL, size, 0);
}

static otok_status fill_estimate(void *out, size_t size)
{
    return (otok_run_estimate)(out, scenario, "cpu", size);
}

static otok_status fill_bench(void *out, size_t size)
{
    const int repeats = size < sizeof(otok_bench); /* once in earnest, because it copies 1 GiB */
    const otok_status status = (otok_bench_run)(out, scenario, "cpu", 2, repeats, size);
    return repeats ? status : status != OTOK_USAGE;
}

static otok_status fill_request(void *out, size_t size)
{
    (otok_road_request_defaults)(out, size);
    return OTOK_OK;
}

static otok_status fill_cost(void *out, size_t size)
{
    return (otok_study_estimate)(out, study, size);
}

static char edge_folder[sizeof file_path + 16];
static const otok_study_options edge_options = {
    .directory = edge_folder, .backend = "cpu", .shard = 1, .shards = 1, .resume = 1};

static otok_status fill_edge(void *out, size_t size)
{
    snprintf(edge_folder, sizeof edge_folder, "%s/edge", file_folder);
    return (otok_study_edge)(out, study, &edge_options, 3, 1, size, sizeof edge_options);
}

static otok_status fill_ray(void *out, size_t size)
{
    snprintf(edge_folder, sizeof edge_folder, "%s/ray", file_folder);
    return (otok_study_ray)(out, study, &edge_options, 3, 1, size, sizeof edge_options);
}

/* A program whose struct has 16 bytes, and one whose struct has more than the library's. */
static void check_filled(const char *name, otok_status (*fill)(void *, size_t), size_t whole)
{
    static unsigned char out[1 << 14];
    const size_t sizes[] = {16, whole + MORE};
    for (int s = 0; s < 2; s++) {
        size_t touched = 0, beyond = 0;
        memset(out, UNTOUCHED, sizeof out);
        const otok_status status = fill(out, sizes[s]);
        CHECK(status == OTOK_OK, "%s of %zu bytes: %s", name, sizes[s], otok_why());
        for (size_t i = sizes[s]; i < sizeof out; i++)
            touched += out[i] != UNTOUCHED;
        for (size_t i = whole; i < sizes[s]; i++)
            beyond += out[i] != 0;
        CHECK(touched == 0, "%s of %zu bytes: %zu bytes after it changed", name, sizes[s], touched);
        CHECK(beyond == 0, "%s of %zu bytes: %zu bytes that the library does not know are not 0",
              name, sizes[s], beyond);
    }
}

/* Limits lie as far apart as the program's struct is large, with the same numbers. */
static void check_limits(void)
{
    enum { OLD = offsetof(otok_limit, dt) };
    otok_limit all[OTOK_LIMITS], old[OTOK_LIMITS];
    const int n = otok_predict(all, scenario, 0, NULL);
    CHECK(n > 1 && (otok_predict)(old, scenario, 0, NULL, OLD, 0) == n, "%d limits", n);
    for (int i = 0; i < n; i++)
        CHECK(memcmp(&all[i], (char *)old + (size_t)i * OLD, OLD) == 0,
              "limit %d of a shorter struct", i);
}

/* An older program does not know the mean depth: limits that need it are left out, none is NaN. */
static void check_site(void)
{
    otok_site site;
    otok_limit whole[OTOK_LIMITS], old[OTOK_LIMITS];
    otok_site_read(&site, scenario);
    const int n = otok_predict(whole, scenario, 0, &site),
              m = (otok_predict)(old, scenario, 0, &site, sizeof *old,
                                 offsetof(otok_site, hollow_rain)),
              none = otok_predict(old, scenario, 0, NULL);
    CHECK(site.cells == 64 && n == m && n > none, "%d limits, %d of a shorter site, %d of none", n,
          m, none);
}

/* A request of a program that knows keys up to `verge`: the others have their defaults. */
static void check_road(void)
{
    otok_road *whole, *old;
    otok_road_request part;
    memset(&part, UNTOUCHED, sizeof part);
    land.request.from = landscape_point(&land, 3, 3);
    land.request.to = landscape_point(&land, 28, 25);
    memcpy(&part, &land.request, offsetof(otok_road_request, subdivisions));
    const otok_road_maps maps = {land.grid, land.base,        land.change,
                                 land.road, land.road_height, NULL};
    MUST((otok_road_create)(&old, &part, &maps, offsetof(otok_road_request, subdivisions),
                            offsetof(otok_road_maps, water)));
    memset(land.change, 0, sizeof(float) * 32 * 32);
    memset(land.road, 0, sizeof(float) * 32 * 32);
    memset(land.road_height, 0, sizeof(float) * 32 * 32);
    MUST(otok_road_create(&whole, &land.request, &maps));
    CHECK(old->length > 0 && old->length == whole->length && old->cut == whole->cut &&
              old->request->balance == whole->request->balance &&
              old->request->bridge_height == land.request.bridge_height && !old->request->via,
          "%g m, cut %g, and %g m, cut %g", old->length, old->cut, whole->length, whole->cut);
    otok_road_destroy(old);
    otok_road_destroy(whole);
}

int main(void)
{
    static const char text[] =
        "otok: 1\ngrid: {nx: 8, ny: 8, spacing: 1}\nbase: [{simplex: {}}]\ninitial: {water: 0.2}\n"
        "phases: [{name: a, iterations: 20, hydraulic: {dt: 0.01}}, {name: b, iterations: 5, reef: "
        "{}}]\nsea: {level: 0}\n";
    static const char varied[] =
        "study: 1\nscenario: s.yaml\ndesign: {kind: grid, points: 2}\nvary: "
        "{phases.a.hydraulic.dt: {from: 0.01, to: 100, scale: log}}\n";
    char path[sizeof file_path + 16];
    file_create();
    file_write(varied, strlen(varied));
    snprintf(path, sizeof path, "%s/s.yaml", file_folder);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) return 1;
    MUST(otok_scenario_load(&scenario, path, NULL, 0));
    MUST(otok_study_load(&study, file_path));
    MUST(otok_sim_create(&sim, scenario, "cpu"));
    MUST(otok_sim_watch(sim));
    MUST(otok_sim_run(sim, 5));
    snprintf(path, sizeof path, "%s/s.vtkhdf", file_folder);
    MUST(otok_sim_save(sim, path));
    MUST(otok_checkpoint_load(&checkpoint, path));
    land = landscape_make(32, 32, 4);
    landscape_hills(&land, 20, 0, 7);

    check_filled("otok_ledger", fill_ledger, sizeof(otok_ledger));
    check_filled("otok_diagnosis", fill_diagnosis, sizeof(otok_diagnosis));
    check_filled("otok_island", fill_island, sizeof(otok_island));
    check_filled("otok_site", fill_site, sizeof(otok_site));
    check_filled("otok_limit, binding", fill_binding, sizeof(otok_limit));
    check_filled("otok_limit, of the step", fill_step, sizeof(otok_limit));
    check_filled("otok_estimate", fill_estimate, sizeof(otok_estimate));
    check_filled("otok_bench", fill_bench, sizeof(otok_bench));
    check_filled("otok_road_request", fill_request, sizeof(otok_road_request));
    check_filled("otok_study_cost", fill_cost, sizeof(otok_study_cost));
    check_filled("otok_verdict_edge, edge", fill_edge, sizeof(otok_verdict_edge));
    check_filled("otok_verdict_edge, ray", fill_ray, sizeof(otok_verdict_edge));
    check_limits();
    check_site();
    check_road();
    landscape_free(&land, NULL);
    otok_checkpoint_destroy(checkpoint);
    otok_sim_destroy(sim);
    otok_study_destroy(study);
    otok_scenario_destroy(scenario);
    snprintf(path, sizeof path, "rm -r %s", file_folder);
    CHECK(system(path) == 0, "%s", path);
    return check_failures > 0;
}
