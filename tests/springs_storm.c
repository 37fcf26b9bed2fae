/* springs_storm.c - claim: rain over time, from a file of maps, gives the bits and books of one
   phase per map with that map alone, however the file stores its steps: also after a restart within
   a map, iteration by iteration, in bands, with steps that follow the water, and after a change of
   the clock. Maps that meet within an iteration count by their shares, so that all their rain
   falls. */
#include "io/hdf.h"
#include "springs_file.h"

#include <math.h>

enum { NX = 33, NY = 21, MAPS = 4, EACH = 6, CELLS = NX * NY };
static const double lasts = 1.5; /* a map [s] */

static float map[MAPS][CELLS];

static void write_text(hid_t object, const char *name, const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, strlen(text));
    const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, type, text);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
}

static void write_set(hid_t file, const char *name, int rank, const hsize_t *shape,
                      const hsize_t *chunk, hid_t type, const void *values, const char *units)
{
    const hid_t space = H5Screate_simple(rank, shape, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
    if (chunk) {
        H5Pset_chunk(how, rank, chunk);
        H5Pset_shuffle(how);
        H5Pset_deflate(how, 4);
    }
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    if (set < 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) exit(1);
    if (*units) write_text(set, "units", units);
    H5Dclose(set);
    H5Pclose(how);
    H5Sclose(space);
}

/* In one piece, or in chunks of so many steps. */
static void write_storm(const char *name, int chunk)
{
    char path[64];
    double time[MAPS], x[NX], y[NY];
    const hsize_t shape[] = {MAPS, NY, NX}, chunks[] = {(hsize_t)chunk, 8, 16};
    for (int n = 0; n < MAPS; n++)
        time[n] = 1000 + n * lasts;
    for (int i = 0; i < NX; i++)
        x[i] = 5 * (i + 0.5);
    for (int j = 0; j < NY; j++)
        y[j] = 5 * (j + 0.5);
    snprintf(path, sizeof path, "%s/%s", springs_folder, name);
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    write_set(file, "rain", 3, shape, chunk ? chunks : NULL, H5T_NATIVE_FLOAT, map, "m s-1");
    write_set(file, "time", 1, shape, NULL, H5T_NATIVE_DOUBLE, time, "s since 2026-07-12");
    write_set(file, "x", 1, shape + 2, NULL, H5T_NATIVE_DOUBLE, x, "m");
    write_set(file, "y", 1, shape + 1, NULL, H5T_NATIVE_DOUBLE, y, "m");
    H5Fclose(file);
}

/* A scenario with one phase and the file, or (NULL) with a phase per map. */
static otok_scenario *storm(const char *file, const char *hydraulic)
{
    char text[4096], rain[256];
    int n = snprintf(text, sizeof text,
                     "otok: 1\nseed: 9\ngrid: {nx: %d, ny: %d, spacing: 5}\nedges: {top: open}\n"
                     "base:\n  - simplex: {wavelength: 60, amplitude: 8}\nphases:\n",
                     NX, NY);
    for (int m = 0; m < (file ? 1 : MAPS); m++) {
        if (file)
            snprintf(rain, sizeof rain, "map: {raster: {file: %s/%s, over_time: true}}",
                     springs_folder, file);
        else
            snprintf(rain, sizeof rain, "rate: 1, map: %s/m%d.asc", springs_folder, m);
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  - {name: p%d, iterations: %d, rain: {%s}, rivers: [{x: 80, y: 50, "
                      "radius: 12, discharge: 2}], hydraulic: {capacity: 1, dissolve: 0.2, %s}}\n",
                      m, file ? MAPS * EACH : EACH, rain, hydraulic);
    }
    return scene_load(text, NULL, 0);
}

static scene_end run_whole(const otok_scenario *s, const char *backend)
{
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_run(sim, otok_scenario_iterations(s)));
    const scene_end e = scene_ended(sim);
    otok_sim_destroy(sim);
    return e;
}

static void compare(const scene_end *found, const scene_end *wanted, const char *how)
{
    CHECK(found->print == wanted->print, "%s: %016llx, not %016llx", how,
          (unsigned long long)found->print, (unsigned long long)wanted->print);
    CHECK(memcmp(&found->ledger, &wanted->ledger, sizeof wanted->ledger) == 0,
          "%s: the ledgers differ, rain %.17g and %.17g", how, found->ledger.rain,
          wanted->ledger.rain);
}

/* One by one, and from checkpoints within maps and between them. */
static void restart(const otok_scenario *s, const char *backend, const scene_end *wanted)
{
    char path[64];
    otok_sim *sim = scene_sim(s, backend);
    snprintf(path, sizeof path, "%s/state.vtkhdf", springs_folder);
    for (int n = 0; n < MAPS * EACH; n++) {
        if (n % 4 == 3 || n == EACH) {
            MUST(otok_sim_wait(sim));
            MUST(otok_sim_save(sim, path));
            otok_sim *other = scene_sim(s, backend);
            MUST(otok_sim_load(other, path));
            MUST(otok_sim_run(other, MAPS * EACH - n));
            scene_check_end(other, wanted, "from a checkpoint");
            MUST(otok_sim_load(other, path)); /* its buffers hold the last map */
            MUST(otok_sim_run(other, MAPS * EACH - n));
            scene_check_end(other, wanted, "back to a checkpoint");
            otok_sim_destroy(other);
        }
        MUST(otok_sim_start(sim, 1));
    }
    MUST(otok_sim_wait(sim));
    scene_check_end(sim, wanted, "one by one");
    otok_sim_destroy(sim);
    springs_remove("state.vtkhdf");
}

static void check_phases(const char *backend, const char *hydraulic)
{
    static const char *const files[] = {"piece.nc", "one.nc", "three.nc"};
    char bands[64];
    otok_scenario *s = storm(NULL, hydraulic);
    const scene_end phases = run_whole(s, backend);
    CHECK(phases.ledger.rain > 0 && phases.ledger.water_out > 0, "no rain, or none leaves");
    otok_scenario_destroy(s);
    snprintf(bands, sizeof bands, "%s/3", backend);
    for (int f = 0; f < 3; f++) {
        s = storm(files[f], hydraulic);
        scene_end e = run_whole(s, backend);
        compare(&e, &phases, files[f]);
        if (f == 0) {
            e = run_whole(s, bands);
            compare(&e, &phases, "three bands");
            restart(s, backend, &phases);
        }
        otok_scenario_destroy(s);
    }
}

/* The same rain, if each of the last two maps has twice as many iterations of half the length. */
static void check_change(const char *backend)
{
    otok_scenario *s = storm(NULL, "dt: 0.25"), *t = storm("piece.nc", "dt: 0.25");
    otok_sim *one = scene_sim(s, backend), *other = scene_sim(t, backend);
    MUST(otok_sim_run(one, 2 * EACH));
    MUST(otok_sim_run(other, 2 * EACH));
    for (int m = 2; m < MAPS; m++) {
        char path[64], iterations[16];
        snprintf(path, sizeof path, "phases.p%d.hydraulic.dt", m);
        MUST(otok_sim_change(one, path, "0.125"));
        snprintf(path, sizeof path, "phases.p%d.iterations", m);
        snprintf(iterations, sizeof iterations, "%d", 2 * EACH);
        MUST(otok_sim_change(one, path, iterations));
    }
    MUST(otok_sim_change(other, "phases.p0.hydraulic.dt", "0.125"));
    MUST(otok_sim_change(other, "phases.p0.iterations", "36"));
    MUST(otok_sim_run(one, 4 * EACH));
    MUST(otok_sim_run(other, 4 * EACH));
    const scene_end a = scene_ended(one), b = scene_ended(other);
    compare(&b, &a, "after a change of the clock");
    CHECK(otok_sim_change(other, "phases.p0.iterations", "37") == OTOK_DATA &&
              strstr(otok_why(), "covers 0 s to 6 s"),
          "beyond the file: %s", otok_why());
    otok_sim_destroy(one);
    scene_destroy(other, s);
    otok_scenario_destroy(t);
}

/* Five iterations of 1.2 s for four maps of 1.5 s. */
static void check_shares(const char *backend)
{
    static float water[CELLS];
    otok_scenario *s = scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 5}\nphases:\n  - {name: p0, "
                             "iterations: 5, rain: {map: {raster: {file: %s/one.nc, over_time: "
                             "true}}}, hydraulic: {dt: 1.2, gravity: 1e-40, evaporation: 0}}\n",
                             NX, NY, springs_folder);
    otok_sim *sim = scene_sim(s, backend);
    scene_run(sim, 5, OTOK_WATER, water);
    int wrong = 0;
    double all = 0;
    for (int i = 0; i < CELLS; i++) {
        double sum = 0;
        for (int m = 0; m < MAPS; m++)
            sum += lasts * (double)map[m][i];
        wrong += !(fabs((double)water[i] - sum) <= 1e-6 * sum + 1e-30); /* flows by denormals */
        all += 25 * sum;
    }
    CHECK(!wrong, "%d depths are not the integral of their rain", wrong);
    const scene_end e = scene_ended(sim);
    CHECK(fabs(e.ledger.rain_nominal - all) < 1e-9 * all && fabs(e.ledger.rain - all) < 1e-6 * all,
          "rain %.9g, nominal %.9g, in the file %.9g", e.ledger.rain, e.ledger.rain_nominal, all);
    scene_destroy(sim, s);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    static const char *const files[] = {"piece.nc", "one.nc", "three.nc", "m0.asc",
                                        "m1.asc",   "m2.asc", "m3.asc"};
    springs_begin();
    for (int m = 0; m < MAPS; m++) {
        for (int n = 0; n < CELLS; n++)
            map[m][n] = (float)(n * (17 + m) % 19) / 4096;
        springs_write(files[3 + m], NX, NY, 5, "", map[m]);
    }
    for (int f = 0; f < 3; f++)
        write_storm(files[f], (int[]){0, 1, 3}[f]);
    check_phases(backend, "dt: 0.25");
    check_phases(backend, "law: shallow_water, dt: 0.25, courant: 0.2");
    check_change(backend);
    check_shares(backend);
    for (int f = 0; f < 7; f++)
        springs_remove(files[f]);
    springs_end();
    return check_failures != 0;
}
