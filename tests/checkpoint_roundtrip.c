/* checkpoint_roundtrip.c - claim: what is read is what was written, bit for bit, for every field,
 * number and text, at any size. CHECK_ONCE */
#include "checkpoint_sample.h"

#include <hdf5.h>

static void same_text(const char *what, const char *a, const char *b)
{
    CHECK(a && b && strcmp(a, b) == 0, "%s: '%s' became '%s'", what, a ? a : "NULL",
          b ? b : "NULL");
}

static void same(const otok_snapshot *a, const otok_snapshot *b)
{
    const size_t bytes = (size_t)(a->grid.nx * a->grid.ny) * sizeof(float);
    CHECK(a->grid.nx == b->grid.nx && a->grid.ny == b->grid.ny &&
              a->grid.spacing == b->grid.spacing,
          "grid %lld x %lld", (long long)b->grid.nx, (long long)b->grid.ny);
    CHECK(a->iteration == b->iteration && a->time == b->time && a->sea_level == b->sea_level &&
              a->seed == b->seed && a->fingerprint == b->fingerprint,
          "iteration %lld time %g", (long long)b->iteration, b->time);
    CHECK(memcmp(&a->ledger, &b->ledger, sizeof a->ledger) == 0, "the ledger differs");
    CHECK(memcmp(a->sums, b->sums, sizeof a->sums) == 0, "a sum differs");
    CHECK(a->nlayers == b->nlayers && memcmp(a->layers, b->layers, sizeof a->layers) == 0 &&
              memcmp(a->layer_start, b->layer_start, sizeof a->layer_start) == 0,
          "%d layers became %d, or their names or books differ", a->nlayers, b->nlayers);
    CHECK(memcmp(&a->water_start, &b->water_start, 2 * sizeof(otok_sum)) == 0, "a start differs");
    CHECK((b->has | UINT64_C(1) << OTOK_TERRAIN) == (a->has | UINT64_C(1) << OTOK_TERRAIN),
          "fields %#llx", (unsigned long long)b->has);
    for (int f = 0; f < OTOK_FIELDS; f++)
        if (a->maps[f])
            CHECK(b->maps[f] && memcmp(a->maps[f], b->maps[f], bytes) == 0, "field %s differs",
                  otok_field_at(f)->name);
    same_text("scenario", a->scenario, b->scenario);
    same_text("title", a->title, b->title);
    same_text("parent", a->parent, b->parent);
    same_text("command", a->command, b->command);
    same_text("backend", a->backend, b->backend);
    same_text("device", a->device, b->device);
    same_text("stability", a->stability, b->stability);
    CHECK(strlen(b->date) == 20 && strlen(b->id) == 36 && b->host[0], "date '%s' id '%s'", b->date,
          b->id);
}

static void check_roundtrip(const char *path, int64_t nx, int64_t ny, uint64_t has)
{
    otok_snapshot a, b;
    sample_make(&a, nx, ny, has, (uint64_t)(nx * 1000 + ny));
    MUST(otok_checkpoint_write(path, &a));
    MUST(otok_checkpoint_read(&b, path));
    same(&a, &b);
    if (has >> OTOK_TERRAIN_BASE & 1) {
        float *terrain = malloc((size_t)(nx * ny) * sizeof *terrain);
        otok_snapshot_terrain(&a, terrain);
        CHECK(b.maps[OTOK_TERRAIN] &&
                  memcmp(terrain, b.maps[OTOK_TERRAIN], (size_t)(nx * ny) * sizeof *terrain) == 0,
              "derived terrain");
        free(terrain);
    }
    otok_snapshot_destroy(&b);
    MUST(otok_checkpoint_header(&b, path));
    CHECK(b.iteration == a.iteration && !b.maps[0] && !b.maps[OTOK_TERRAIN],
          "a header has no maps");
    otok_snapshot_destroy(&b);
    otok_snapshot_destroy(&a);
    const ssize_t objects = H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL);
    CHECK(objects == 0, "%zd HDF5 objects are open", objects);
}

/* A scenario beyond the 64 KiB of an ordinary attribute. */
static void long_text(const char *path)
{
    otok_snapshot a, b;
    sample_make(&a, 3, 4, 1, 5);
    a.scenario = realloc(a.scenario, 300001);
    memset(a.scenario, 'y', 300000);
    a.scenario[300000] = 0;
    MUST(otok_checkpoint_write(path, &a));
    MUST(otok_checkpoint_read(&b, path));
    same_text("long scenario", a.scenario, b.scenario);
    otok_snapshot_destroy(&a);
    otok_snapshot_destroy(&b);
}

int main(void)
{
    const char *directory = sample_directory();
    char path[128];
    snprintf(path, sizeof path, "%s/a.vtkhdf", directory);
    const uint64_t terrain = UINT64_C(1) << OTOK_TERRAIN;
    check_roundtrip(path, 1, 1, ALL_FIELDS);
    check_roundtrip(path, 1, 7, ALL_FIELDS);
    check_roundtrip(path, 7, 1, ALL_FIELDS);
    check_roundtrip(path, 17, 33, ALL_FIELDS);
    check_roundtrip(path, 300, 260, ALL_FIELDS);
    check_roundtrip(path, 1025, 3, 1 << OTOK_TERRAIN_BASE | terrain);
    check_roundtrip(path, 5, 6, 1 << OTOK_TERRAIN_BASE | 1 << OTOK_REEF | terrain);
    check_roundtrip(path, 5, 6,
                    1 << OTOK_TERRAIN_CHANGE | UINT64_C(1) << OTOK_LAYER_BOTTOM |
                        UINT64_C(1) << OTOK_LAYER | terrain);
    check_roundtrip(path, 5, 6, terrain);
    long_text(path);
    H5close(); /* a program may: HDF5 forgets what was registered with it */
    check_roundtrip(path, 3, 2, terrain);
    otok_snapshot a;
    sample_make(&a, 8, 8, ALL_FIELDS, 1);
    a.maps[OTOK_WATER][5] = 1.5f;
    CHECK(otok_checkpoint_write(path, &a) == OTOK_INTERNAL,
          "a state that is not the one of its fingerprint was written");
    otok_snapshot_destroy(&a);
    sample_clean(directory);
    return check_failures != 0;
}
