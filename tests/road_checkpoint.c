/* road_checkpoint.c - claim: a road in a checkpoint is the road of the maps; the file names its
   parent, opens its ledger anew and is whole; a simulation that begins from it keeps the road and
   restarts with it; the run that it was built after refuses it; files of the centre line hold the
   centre line. CHECK_ONCE */
#include "checkpoint_sample.h"
#include "road_scene.h"
#include "sim/sim.h"

static const char text[] =
    "otok: 1\nseed: 5\ngrid: {nx: 60, ny: 40, spacing: 2}\nbase: [simplex: {wavelength: 60, "
    "octaves: 3, amplitude: 6}]\n%sphases: [{name: a, iterations: 30, rain: {rate: 0.001}, "
    "hydraulic: {dt: 0.05}, thermal: {dt: 0.1}}]\n";
static char before[128], after[128], later[128], line[192];

static void simulate(const char *initial, const char *from, int64_t n, const char *to)
{
    otok_scenario *s = scene(text, initial);
    otok_sim *sim = scene_sim(s, "cpu");
    if (from) MUST(otok_sim_load(sim, from));
    MUST(otok_sim_run(sim, n));
    if (to) MUST(otok_sim_save(sim, to));
    scene_destroy(sim, s);
}

static int same(const float *a, const float *b, int64_t cells)
{
    return memcmp(a, b, (size_t)cells * sizeof *a) == 0;
}

/* The road by the maps, beside the road by the files. */
static void build(const otok_road_request *request)
{
    otok_snapshot a, b;
    otok_road *road, *again;
    MUST(otok_road_run(&road, request, before, after));
    MUST(otok_checkpoint_read(&a, before));
    MUST(otok_checkpoint_read(&b, after));
    const int64_t cells = a.grid.nx * a.grid.ny;
    float *mark = calloc((size_t)cells, sizeof *mark),
          *height = calloc((size_t)cells, sizeof *height), *depth = malloc((size_t)cells * 4);
    for (int64_t i = 0; i < cells; i++) { /* of the sea, or of water on land */
        const float ground = a.maps[OTOK_TERRAIN_BASE][i] + a.maps[OTOK_TERRAIN_CHANGE][i];
        depth[i] = fmaxf((float)a.sea_level - ground, a.maps[OTOK_WATER][i]);
    }
    const otok_road_maps maps = {
        a.grid, a.maps[OTOK_TERRAIN_BASE], a.maps[OTOK_TERRAIN_CHANGE], mark, height, depth};
    MUST(otok_road_create(&again, request, &maps));
    CHECK(road->cut == again->cut && road->fill == again->fill && road->cut > 0, "%g, %g",
          road->cut, again->cut);
    CHECK(same(mark, b.maps[OTOK_ROAD], cells) && same(height, b.maps[OTOK_ROAD_HEIGHT], cells),
          "another road");
    for (int f = 0; f < OTOK_ROAD; f++)
        CHECK(!a.maps[f] == !b.maps[f] && (!a.maps[f] || same(a.maps[f], b.maps[f], cells)),
              "field %s", otok_field_at(f)->name);
    CHECK(strcmp(b.parent, before) == 0 && strcmp(b.scenario, a.scenario) == 0 &&
              b.iteration == 30 && b.time == a.time,
          "'%s', %lld", b.parent, (long long)b.iteration);
    CHECK(b.ledger.solid_error == 0 && b.ledger.rain == 0 &&
              b.ledger.solid == b.ledger.solid_start && b.ledger.water == a.ledger.water,
          "the ledger: %g, %g", b.ledger.solid, b.ledger.solid_start);
    const double moved = b.ledger.solid - a.ledger.solid;
    CHECK(fabs(moved - (road->fill - road->cut)) < 1e-3, "the ledger moved by %g, the road by %g",
          moved, road->fill - road->cut);
    free(mark);
    free(depth);
    free(height);
    otok_snapshot_destroy(&a);
    otok_snapshot_destroy(&b);
    otok_road_destroy(again);

    for (int csv = 0; csv < 2; csv++) {
        snprintf(line, sizeof line, "%s.%s", after, csv ? "csv" : "geojson");
        MUST(otok_road_save(road, line));
        FILE *file = fopen(line, "r");
        char row[256];
        int64_t n = 0;
        while (file && fgets(row, sizeof row, file)) {
            double x, y, z;
            if (sscanf(row, csv ? "%lf,%lf,%lf" : " [%lf, %lf, %lf", &x, &y, &z) != 3) continue;
            CHECK(n < road->npoints && fabs(x - road->points[n].x) < 1e-6 &&
                      fabs(y - road->points[n].y) < 1e-6 && fabs(z - road->points[n].z) < 1e-6,
                  "%s: point %lld", line, (long long)n);
            n++;
        }
        if (file) fclose(file);
        CHECK(n == road->npoints, "%s: %lld points of %lld", line, (long long)n,
              (long long)road->npoints);
    }
    CHECK(otok_road_save(road, "road.dxf") == OTOK_USAGE, "a .dxf was written");
    CHECK(otok_road_save(road, "/none/road.csv") == OTOK_IO && strstr(otok_why(), "/none/road.csv"),
          "%s", otok_why());
    otok_road_destroy(road);
}

/* Simulated on, in one go and in two, the road is there and the bits are the same. */
static void check_restart(const char *directory)
{
    char initial[192], middle[128], end[128];
    otok_snapshot a, b;
    snprintf(initial, sizeof initial, "initial: {file: %s}\n", after);
    snprintf(middle, sizeof middle, "%s/middle.vtkhdf", directory);
    snprintf(end, sizeof end, "%s/end.vtkhdf", directory);
    simulate(initial, NULL, 30, later);
    simulate(initial, NULL, 11, middle);
    simulate(initial, middle, 19, end);
    CHECK(print_of(later) == print_of(end), "a restart changed bits");
    MUST(otok_checkpoint_read(&a, after));
    MUST(otok_checkpoint_read(&b, later));
    CHECK(b.maps[OTOK_ROAD] && same(a.maps[OTOK_ROAD], b.maps[OTOK_ROAD], 2400) &&
              same(a.maps[OTOK_ROAD_HEIGHT], b.maps[OTOK_ROAD_HEIGHT], 2400),
          "the road was lost");
    CHECK(!same(a.maps[OTOK_TERRAIN], b.maps[OTOK_TERRAIN], 2400), "nothing happened");
    otok_snapshot_destroy(&a);
    otok_snapshot_destroy(&b);
}

int main(void)
{
    const char *directory = sample_directory();
    otok_road_request request;
    otok_road *road;
    snprintf(before, sizeof before, "%s/before.vtkhdf", directory);
    snprintf(after, sizeof after, "%s/after.vtkhdf", directory);
    snprintf(later, sizeof later, "%s/later.vtkhdf", directory);
    simulate("", NULL, 30, before);
    otok_road_request_defaults(&request);
    CHECK(request.step == 4 && request.max_grade == INFINITY && isnan(request.from.x) &&
              request.nvia == 0,
          "defaults");
    request.from = (otok_point){5, 5, 0};
    request.to = (otok_point){110, 70, 0};
    build(&request);
    check_restart(directory);

    otok_scenario *s = scene(text, "");
    otok_sim *sim = scene_sim(s, "cpu");
    CHECK(otok_sim_load(sim, after) == OTOK_DATA && strstr(otok_why(), "initial.file"), "%s",
          otok_why());
    scene_destroy(sim, s);

    request.to.x = 5000;
    CHECK(otok_road_run(&road, &request, before, "/tmp/otok-never.vtkhdf") == OTOK_USAGE && !road,
          "%s", otok_why());
    CHECK(access("/tmp/otok-never.vtkhdf", F_OK) != 0, "a failed road left a file");
    sample_clean(directory);
    return check_failures != 0;
}
