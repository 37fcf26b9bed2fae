/* export_movie.c - claim: a movie holds every step of every field in order of iteration, bit for
   bit, with its times; a directory, a series and a list of files give the same; a full disk, a
   missing field, another grid leave the earlier file and nothing else.
 */
#include "checkpoint_sample.h"
#include "io/movie.h"

#include <hdf5.h>

#include <signal.h>
#include <sys/resource.h>

enum { N = 4, NX = 130, NY = 77, CELLS = NX * NY };

static const char *directory;
static char path[160], *files[N];
static otok_snapshot states[N];

static void write_states(uint64_t has)
{
    for (int k = 0; k < N; k++) {
        sample_make(&states[k], NX, NY, has, (uint64_t)k + 1);
        states[k].iteration = 100 * (k + 1);
        states[k].time = 1.25 * k;
        states[k].sea_level = 8 - k;
        files[k] = otok_checkpoint_name(directory, "a", states[k].iteration);
        MUST(otok_checkpoint_write(files[k], &states[k]));
    }
    MUST(otok_checkpoint_series(directory, "a"));
}

static void same(const char *what, uint64_t fields)
{
    static float map[N][CELLS];
    double times[N] = {-1}, seas[N] = {-1};
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    CHECK(file >= 0, "%s: cannot be opened", what);
    for (int f = 0; f < OTOK_FIELDS; f++) {
        char text[OTOK_NAME_SIZE];
        const char *name = otok_snapshot_name(&states[0], f, text);
        const int there = H5Lexists(file, name, H5P_DEFAULT) > 0;
        CHECK(there == (int)(fields >> f & 1), "%s: field %s %s", what, name,
              there ? "too many" : "missing");
        if (!there) continue;
        const hid_t d = H5Dopen2(file, name, H5P_DEFAULT);
        CHECK(H5Dread(d, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, map) >= 0, "%s: unread",
              what);
        H5Dclose(d);
        for (int k = 0; k < N; k++)
            CHECK(!states[k].maps[f] || memcmp(map[k], states[k].maps[f], sizeof map[k]) == 0,
                  "%s: step %d of %s differs", what, k, name);
    }
    hid_t d = H5Dopen2(file, "VTKHDF/Steps/Values", H5P_DEFAULT);
    H5Dread(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, times);
    H5Dclose(d);
    d = H5Dopen2(file, "sea_level", H5P_DEFAULT);
    H5Dread(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, seas);
    H5Dclose(d);
    H5Fclose(file);
    for (int k = 0; k < N; k++)
        CHECK(times[k] == 1.25 * k && seas[k] == 8 - k, "%s: step %d at %g, sea %g", what, k,
              times[k], seas[k]);
}

static void check_found(const char *place, uint64_t fields)
{
    char **found;
    int n;
    MUST(otok_movie_find(&found, &n, place));
    CHECK(n == N, "%s: %d files", place, n);
    MUST(otok_movie_write(path, found, n, 0));
    otok_movie_forget(found, n);
    same(place, fields);
}

static void refused(otok_status expected, char **which, int n, uint64_t fields, const char *said)
{
    MUST(otok_file_replace(path, "the earlier file"));
    CHECK(otok_movie_write(path, which, n, fields) == expected && strstr(otok_why(), said), "'%s'",
          otok_why());
    char text[32] = "", temporary[200];
    FILE *file = fopen(path, "r");
    if (file && !fgets(text, sizeof text, file)) text[0] = 0;
    if (file) fclose(file);
    CHECK(strcmp(text, "the earlier file") == 0, "%s: it became '%s'", said, text);
    snprintf(temporary, sizeof temporary, "%s/.movie.vtkhdf.tmp", directory);
    CHECK(access(temporary, F_OK) != 0, "%s: %s stayed", said, temporary);
    const ssize_t objects = H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL);
    CHECK(objects == 0, "%s: %zd HDF5 objects are open", said, objects);
}

static void full_disk(void)
{
    struct rlimit was, small;
    getrlimit(RLIMIT_FSIZE, &was);
    small = was;
    signal(SIGXFSZ, SIG_IGN);
    for (rlim_t limit = 1000; limit < 1600000; limit = limit * 3 + 17) {
        small.rlim_cur = limit;
        setrlimit(RLIMIT_FSIZE, &small);
        refused(OTOK_IO, files, N, 0, "File too large");
    }
    setrlimit(RLIMIT_FSIZE, &was);
}

int main(void)
{
    const uint64_t fields = ALL_FIELDS | UINT64_C(1) << OTOK_TERRAIN;
    char place[200], *other[2], *turned[N];
    otok_snapshot s;
    directory = sample_directory();
    snprintf(path, sizeof path, "%s/movie.vtkhdf", directory);
    write_states(ALL_FIELDS);
    check_found(directory, fields);
    snprintf(place, sizeof place, "%s/a.vtkhdf.series", directory);
    check_found(place, fields);
    for (int k = 0; k < N; k++)
        turned[k] = files[(k + 2) % N];
    MUST(otok_movie_write(path, turned, N, UINT64_C(1) << OTOK_WATER));
    same("a list out of order", UINT64_C(1) << OTOK_WATER);
    CHECK(otok_checkpoint_read(&s, path) == OTOK_DATA, "a movie is taken for a checkpoint");
    full_disk();
    refused(OTOK_USAGE, files, 1, 0, "needs 2 checkpoints");
    other[0] = files[0];
    other[1] = files[0];
    refused(OTOK_DATA, other, 2, 0, "are both of iteration 100");
    sample_make(&s, NX, NY + 1, 1, 9);
    other[1] = otok_checkpoint_name(directory, "b", 7);
    MUST(otok_checkpoint_write(other[1], &s));
    refused(OTOK_DATA, other, 2, 0, "all checkpoints of a movie need the same grid");
    otok_snapshot_destroy(&s);
    sample_make(&s, NX, NY, 1, 9);
    MUST(otok_checkpoint_write(other[1], &s));
    refused(OTOK_DATA, other, 2, UINT64_C(1) << OTOK_WATER, "has no field water");
    otok_snapshot_destroy(&s);
    char **found;
    int n;
    CHECK(otok_movie_find(&found, &n, directory) == OTOK_USAGE &&
              strstr(otok_why(), "name the .vtkhdf.series"),
          "'%s'", otok_why());
    CHECK(otok_movie_find(&found, &n, "/none") == OTOK_IO, "'%s'", otok_why());
    CHECK(otok_movie_write(files[0], files, N, 0) == OTOK_USAGE &&
              strstr(otok_why(), "is the file that is read"),
          "'%s'", otok_why());
    free(other[1]);
    for (int k = 0; k < N; k++) {
        otok_snapshot_destroy(&states[k]);
        free(files[k]);
    }
    sample_clean(directory);
    return check_failures != 0;
}
