/* raster_base.c - claim: a raster is the base of every backend bit for bit, alone, combined and as
   a mask; `fit: stretch` is bilinear, or means of a finer file, with the file's outer edges, and
   keeps its place if cells then fit the grid; size and spacing that differ are refused with what
   to write; the georeference and the filled cells come into checkpoints and back.
 */
#include "base/raster.h"
#include "checkpoint_sample.h"
#include "scene.h"

#include <math.h>

enum { NX = 37, NY = 21 };

static char directory[64];

static void write_grid(const char *name, int nx, int ny, double size, const char *hole)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    if (!file) exit(1);
    fprintf(file,
            "NCOLS %d\nNROWS %d\nXLLCORNER 1000.5\nYLLCENTER 2003\nCELLSIZE %g\nNODATA_VALUE -1\n",
            nx, ny, size);
    for (int j = ny - 1; j >= 0; j--)
        for (int i = 0; i < nx; i++)
            if (hole && i == 3 && j == 2)
                fprintf(file, "%s\n", hole);
            else
                fprintf(file, "%.9g ", (double)(sinf((float)(i * 7 + j * 3)) * 40 + 50));
    fclose(file);
}

static float height(int i, int j)
{
    return sinf((float)(i * 7 + j * 3)) * 40 + 50;
}

static otok_sim *simulate(const char *backend, otok_scenario *s)
{
    otok_sim *sim = scene_sim(s, backend);
    return sim;
}

static void same_on(const char *backend)
{
    static float map[NX * NY], cpu[NX * NY];
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 3}\nbase:\n  - raster: {file: %s/a.asc}\n",
              NX, NY, directory);
    otok_sim *sim = simulate(backend, s);
    MUST(otok_sim_get(sim, OTOK_TERRAIN_BASE, map));
    int wrong = 0;
    for (int n = 0; n < NX * NY; n++)
        wrong += n != 2 * NX + 3 && map[n] != height(n % NX, n / NX);
    CHECK(wrong == 0, "%d heights differ from the file's", wrong);
    CHECK(map[2 * NX + 3] == height(3, 1), "the hole is %g, below it is %g",
          (double)map[2 * NX + 3], (double)height(3, 1));
    scene_destroy(sim, s);
    s = scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 3}\nbase:\n  - cone: {radius: 60}\n  - "
              "raster: {file: %s/a.asc, combine: add, mask: [{raster: {file: %s/b.asc, fit: "
              "stretch}}, {constant: {height: 0.01, combine: multiply}}]}\n",
              NX, NY, directory, directory);
    for (int b = 0; b < 2; b++) {
        sim = simulate(b ? backend : "cpu", s);
        MUST(otok_sim_get(sim, OTOK_TERRAIN_BASE, b ? map : cpu));
        otok_sim_destroy(sim);
    }
    CHECK(memcmp(map, cpu, sizeof map) == 0, "two rasters, one a mask, differ from the cpu's");
    CHECK(cpu[0] != height(0, 0) && cpu[5] != cpu[6], "the mask does nothing");
    otok_scenario_destroy(s);
}

/* The mean of three rows of the file, of which each of the grid's has as much. */
static double of_three(int i, int row)
{
    return ((double)height(i, 3 * row) + (double)height(i, 3 * row + 1) +
            (double)height(i, 3 * row + 2)) /
           3;
}

static void stretched(void)
{
    static float map[74 * 7];
    otok_scenario *s = scene("otok: 1\ngrid: {nx: 74, ny: 7, spacing: 5}\nbase:\n  - raster: "
                             "{file: %s/a.asc, fit: stretch}\n",
                             directory);
    otok_base_rasters r;
    MUST(otok_base_rasters_read(&r, s, "m", &(otok_raster_place){0}));
    memcpy(map, r.maps[0], sizeof map);
    CHECK(fabs((double)map[0] - of_three(0, 0)) < 1e-5 &&
              fabs((double)map[73] - of_three(36, 0)) < 1e-5,
          "edges %g %g", (double)map[0], (double)map[73]);
    const double expected = 0.75 * of_three(10, 1) + 0.25 * of_three(11, 1); /* centre 10.25 */
    CHECK(fabs((double)map[74 + 21] - expected) < 1e-5, "%.9g, not %.9g", (double)map[74 + 21],
          expected);
    CHECK(!r.georeference.known, "cells of %g m on a grid of 5 m", r.georeference.width);
    otok_base_rasters_destroy(&r);
    otok_scenario_destroy(s);
    otok_raster_place place = {0};
    s = scene("otok: 1\ngrid: {nx: 74, ny: 42, spacing: 1.5}\nbase:\n  - raster: {file: %s/a.asc, "
              "fit: stretch}\n",
              directory);
    MUST(otok_base_rasters_read(&r, s, "m", &place));
    otok_georeference_destroy(&place.at);
    CHECK(r.georeference.known && r.georeference.width == 1.5 && r.georeference.height == 1.5 &&
              r.georeference.west == 1000.5 && r.georeference.north == 2001.5 + 63,
          "georeference %g %g", r.georeference.width, r.georeference.height);
    otok_base_rasters_destroy(&r);
    otok_scenario_destroy(s);
}

static void refused(const char *grid, const char *more, const char *said)
{
    otok_scenario *s =
        scene("otok: 1\ngrid: %s\nbase:\n  - raster: {file: %s/a.asc%s}\n", grid, directory, more);
    otok_sim *sim;
    otok_estimate estimate;
    CHECK(otok_sim_create(&sim, s, "cpu") == OTOK_DATA && strstr(otok_why(), said), "%s: '%s'",
          grid, otok_why());
    CHECK(!sim && otok_run_estimate(&estimate, s, "cpu") == OTOK_DATA, "a dry run lets %s pass",
          grid);
    otok_scenario_destroy(s);
}

static void checkpointed(void)
{
    char path[128];
    snprintf(path, sizeof path, "%s/c.vtkhdf", directory);
    otok_scenario *s = scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 3}\nbase:\n  - raster: "
                             "{file: %s/a.asc, fill: constant, fill_height: 7}\n",
                             NX, NY, directory);
    otok_sim *sim = simulate("cpu", s);
    otok_snapshot found;
    MUST(otok_sim_save(sim, path));
    MUST(otok_checkpoint_read(&found, path));
    CHECK(found.filled == 1 && found.maps[OTOK_TERRAIN][2 * NX + 3] == 7, "%lld filled",
          (long long)found.filled);
    CHECK(found.georeference.known && found.georeference.west == 1000.5 &&
              found.georeference.north == 2001.5 + 63 && found.georeference.width == 3 &&
              found.georeference.height == 3,
          "georeference %g %g", found.georeference.west, found.georeference.north);
    CHECK(found.georeference.wkt &&
              strcmp(found.georeference.wkt, "PROJCS[\"test\",UNIT[\"metre\",1]]") == 0,
          "wkt %s", found.georeference.wkt);
    MUST(otok_sim_load(sim, path));
    MUST(otok_sim_save(sim, path));
    otok_snapshot_destroy(&found);
    MUST(otok_checkpoint_header(&found, path));
    CHECK(found.georeference.known && found.georeference.wkt && found.filled == 1,
          "the georeference is lost after a restart");
    otok_snapshot_destroy(&found);
    scene_destroy(sim, s);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    char prj[96];
    strcpy(directory, sample_directory());
    write_grid("a.asc", NX, NY, 3, "-1");
    write_grid("b.asc", 5, 9, 11, NULL);
    snprintf(prj, sizeof prj, "%s/a.prj", directory);
    MUST(otok_file_replace(prj, "PROJCS[\"test\",UNIT[\"metre\",1]]\n"));
    same_on(backend);
    stretched();
    refused("{nx: 36, ny: 21, spacing: 3}", "",
            "has 37 x 21 cells, the grid 36 x 21; write `grid: {nx: 37, ny: 21, spacing: 3}`");
    refused("{nx: 37, ny: 21, spacing: 4}", "", "its cells are 3 m, the grid's spacing is 4");
    refused("{nx: 37, ny: 21, spacing: 3}", ", fill: refuse", "1 of its cells have no data");
    refused("{nx: 37, ny: 21, spacing: 3}", ", low: 3", "`low` and `high` are for PNG");
    checkpointed();
    sample_clean(directory);
    return check_failures != 0;
}
