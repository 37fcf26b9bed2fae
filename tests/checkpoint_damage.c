/* checkpoint_damage.c - claim: a damaged or foreign file is refused with OTOK_DATA, or, where the
   damage hit nothing that counts, gives the very data that were written; never a crash, and nothing
   stays open. A ledger's entry that a file of another version lacks is 0. CHECK_ONCE */
#include "checkpoint_sample.h"
#include "io/checkpoint_table.h"

#include <hdf5.h>
#include <math.h>

/* For LeakSanitizer: HDF5 itself loses memory when it gives up on a damaged file. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5";
}

static const char *path;
static otok_snapshot good;

static void store(const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0) exit(77);
}

static int equal(const otok_snapshot *s)
{
    const size_t bytes = (size_t)(good.grid.nx * good.grid.ny) * sizeof(float);
    int same = s->grid.nx == good.grid.nx && s->grid.ny == good.grid.ny &&
               s->grid.spacing == good.grid.spacing && s->time == good.time &&
               s->sea_level == good.sea_level && s->iteration == good.iteration &&
               s->seed == good.seed && s->has == good.has &&
               memcmp(s->sums, good.sums, sizeof s->sums) == 0 &&
               memcmp(&s->ledger, &good.ledger, sizeof s->ledger) == 0 &&
               memcmp(&s->water_start, &good.water_start, 2 * sizeof(otok_sum)) == 0 &&
               strcmp(s->scenario, good.scenario) == 0 && strcmp(s->title, good.title) == 0 &&
               strcmp(s->command, good.command) == 0;
    for (int f = 0; f < OTOK_FIELDS; f++)
        if (good.maps[f]) same = same && memcmp(s->maps[f], good.maps[f], bytes) == 0;
    return same;
}

/* 1 when it was read (and is equal), 0 when it was refused. */
static int attempt(const char *what, size_t at)
{
    otok_snapshot s;
    const otok_status status = otok_checkpoint_read(&s, path);
    CHECK(status == OTOK_OK || status == OTOK_DATA, "%s at %zu: status %d: %s", what, at,
          (int)status, otok_why());
    CHECK(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) == 0, "%s at %zu: objects stay open", what,
          at);
    if (status == OTOK_OK) CHECK(equal(&s), "%s at %zu: other data were read as good", what, at);
    if (status != OTOK_OK)
        CHECK(strstr(otok_why(), path) && s.has == 0, "%s at %zu: the text '%s'", what, at,
              otok_why());
    otok_snapshot_destroy(&s);
    return status == OTOK_OK;
}

static void refused(const char *what, const char *word)
{
    CHECK(attempt(what, 0) == 0, "%s was accepted", what);
    CHECK(strstr(otok_why(), word), "%s: '%s' does not say '%s'", what, otok_why(), word);
}

/* Opens the good file for an act of vandalism with HDF5's own means. */
static hid_t open_copy(const void *data, size_t size)
{
    store(data, size);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
}

static void replace(hid_t file, const char *name, int rank, hsize_t ny, hsize_t nx, hid_t type,
                    int chunked)
{
    const hsize_t shape[3] = {ny, nx, 1}, chunks[3] = {ny < 8 ? ny : 8, nx < 8 ? nx : 8, 1};
    H5Ldelete(file, name, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(rank, shape, NULL), made = H5Pcreate(H5P_DATASET_CREATE);
    if (chunked) H5Pset_chunk(made, rank, chunks);
    if (chunked) H5Pset_deflate(made, 1);
    H5Dclose(H5Dcreate2(file, name, type, space, H5P_DEFAULT, made, H5P_DEFAULT));
    H5Pclose(made);
    H5Sclose(space);
    H5Fclose(file);
}

/* Of "otok", or of the root: "/". */
static void set_in(const char *where, hid_t file, const char *name, hid_t type, const void *value)
{
    const hid_t group = H5Gopen2(file, where, H5P_DEFAULT),
                attribute = H5Aopen(group, name, H5P_DEFAULT);
    if (H5Awrite(attribute, type, value) < 0) exit(77);
    H5Aclose(attribute);
    H5Gclose(group);
    H5Fclose(file);
}

static void set_number(hid_t file, const char *name, hid_t type, const void *value)
{
    set_in("otok", file, name, type, value);
}

/* Numbers that no fingerprint of fields covers, each altered as HDF5's own tools would. */
static void numbers(const void *data, size_t size)
{
    static const char *const sums[] = {"rain", "smoothed", "droplets_rounded", "water_start",
                                       "solid_start"};
    static const char *const whole[] = {"otok_iteration", "otok_seed", "otok_raster_filled",
                                        "ledger_not_finite"};
    static const char *const ledger[] = {"ledger_water", "ledger_solid_error"};
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++) {
        set_number(open_copy(data, size), sums[i], H5T_NATIVE_INT64, (const int64_t[2]){12, 34});
        refused(sums[i], "checksum");
    }
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++) {
        set_in("/", open_copy(data, size), whole[i], H5T_NATIVE_INT64, &(int64_t){7});
        refused(whole[i], "checksum");
    }
    for (size_t i = 0; i < sizeof ledger / sizeof ledger[0]; i++) {
        set_in("/", open_copy(data, size), ledger[i], H5T_NATIVE_DOUBLE, &(double){0.25});
        refused(ledger[i], "checksum");
    }
    set_number(open_copy(data, size), "time", H5T_NATIVE_DOUBLE, &(double){12.75});
    refused("another time", "checksum");
    set_number(open_copy(data, size), "sea_level", H5T_NATIVE_DOUBLE, &(double){-0.0});
    refused("another sea level", "checksum");
    set_number(open_copy(data, size), "spacing", H5T_NATIVE_DOUBLE, &(double){3});
    refused("another spacing", "checksum");
    set_number(open_copy(data, size), "nx", H5T_NATIVE_INT64, &(int64_t){1 << 20});
    refused("a false width", "checksum");
}

static void forget(hid_t file, const char *where, const char *name)
{
    const hid_t group = H5Gopen2(file, where, H5P_DEFAULT);
    if (H5Adelete(group, name) < 0) exit(77);
    H5Gclose(group);
}

/* A file of an otok whose ledgers had no reef and no erosion of layers. */
static void check_older(void)
{
    otok_snapshot old, read;
    char hash[OTOK_SHA256_SIZE];
    sample_make(&old, 17, 33, ALL_FIELDS, 4);
    MUST(otok_checkpoint_write(path, &old));
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    forget(file, "/otok", "reef");
    forget(file, "/", "ledger_reef");
    forget(file, "/", "ledger_layer_eroded");
    H5Fclose(file);
    CHECK(otok_checkpoint_read(&read, path) == OTOK_DATA && strstr(otok_why(), "checksum"),
          "entries went unnoticed: %s", otok_why());
    old.absent_sums = BIT(OTOK_SUM_REEF);
    for (int i = 0; i < OTOK_LEDGER_ENTRIES; i++)
        if (strcmp(otok_ledger_at(i)->name, "reef") == 0) old.absent_entries = BIT(i);
    for (int i = 0; i < OTOK_LAYER_ENTRIES; i++)
        if (strcmp(otok_layer_entries[i].name, "eroded") == 0) old.absent_layers = BIT(i);
    MUST(otok_header_sum(&old, hash));
    file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t group = H5Gopen2(file, "otok", H5P_DEFAULT);
    H5Adelete(group, "header_sha256");
    if (otok_hdf_put_text(group, "header_sha256", hash) < 0) exit(77);
    H5Gclose(group);
    H5Fclose(file);
    for (int turn = 0; turn < 2; turn++) { /* the second file is what is written of the first */
        MUST(otok_checkpoint_read(&read, path));
        CHECK(read.sums[OTOK_SUM_REEF].hi == 0 && read.sums[OTOK_SUM_REEF].lo == 0 &&
                  read.ledger.reef == 0 && read.ledger.layers[1].eroded == 0,
              "turn %d: an entry that the file lacks is not 0", turn);
        CHECK(read.ledger.rain == old.ledger.rain &&
                  read.ledger.layers[1].deposited == old.ledger.layers[1].deposited &&
                  memcmp(&read.sums[OTOK_SUM_SMOOTHED], &old.sums[OTOK_SUM_SMOOTHED],
                         sizeof old.sums[0]) == 0,
              "turn %d: other entries change", turn);
        MUST(otok_checkpoint_write(path, &read));
        otok_snapshot_destroy(&read);
    }
    otok_snapshot_destroy(&old);
}

static void check_edited(const void *data, size_t size)
{
    replace(open_copy(data, size), "water", 2, 33, 18, H5T_IEEE_F32LE, 1);
    refused("another shape", "shape");
    replace(open_copy(data, size), "water", 3, 33, 17, H5T_IEEE_F32LE, 1);
    refused("another rank", "shape");
    replace(open_copy(data, size), "water", 2, 33, 17, H5T_IEEE_F64LE, 1);
    refused("another type", "float32");
    replace(open_copy(data, size), "water", 2, 33, 17, H5T_IEEE_F32LE, 0);
    refused("another layout", "chunks");
    replace(open_copy(data, size), "water", 2, 33, 17, H5T_IEEE_F32LE, 1);
    refused("chunks never written", "incomplete");
    hid_t file = open_copy(data, size);
    H5Ldelete(file, "water", H5P_DEFAULT);
    H5Fclose(file);
    refused("a field is gone", "fingerprint");
    file = open_copy(data, size);
    H5Ldelete(file, "water", H5P_DEFAULT);
    H5Lcreate_soft("/sediment", file, "water", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    refused("a soft link", "'water' is damaged, or a soft");
    file = open_copy(data, size);
    H5Lcreate_external("/etc/passwd", "/x", file, "reef", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    refused("an external link", "external");
    file = open_copy(data, size);
    H5Ldelete(file, "otok", H5P_DEFAULT);
    H5Fclose(file);
    refused("no group of ours", "not a checkpoint of otok");
    set_number(open_copy(data, size), "format", H5T_NATIVE_INT64,
               &(int64_t){OTOK_CHECKPOINT_FORMAT + 1});
    refused("a later format", "format 3");
    set_number(open_copy(data, size), "nx", H5T_NATIVE_INT64, &(int64_t){-1});
    refused("a negative width", "range");
    set_number(open_copy(data, size), "spacing", H5T_NATIVE_DOUBLE, &(double){NAN});
    refused("no spacing", "range");
    file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    refused("a foreign HDF5 file", "not a checkpoint of otok");
    store("otok: 1\ntitle: a scenario\n", 26);
    refused("a scenario", "not an HDF5 file");
    store("", 0);
    refused("an empty file", "empty");
}

/* Values that a failed run may hold, and wetness that is no count, are written but not accepted. */
static void values(void)
{
    const float bad[3] = {NAN, INFINITY, -INFINITY};
    const float was = good.maps[OTOK_WATER][7];
    for (int i = 0; i < 3; i++) {
        good.maps[OTOK_WATER][7] = bad[i];
        good.fingerprint = otok_snapshot_fingerprint(&good);
        MUST(otok_checkpoint_write(path, &good));
        refused("a value that is not finite", "water");
    }
    good.maps[OTOK_WATER][7] = was;
    good.maps[OTOK_WETNESS][7] = 1.5f;
    good.fingerprint = otok_snapshot_fingerprint(&good);
    MUST(otok_checkpoint_write(path, &good));
    refused("half a count", "wetness");
}

int main(int argc, char **argv)
{
    const size_t step =
        argc > 1 ? strtoul(argv[1], NULL, 10) : 41; /* 1: every byte, some minutes */
    const char *directory = sample_directory();
    char name[128];
    snprintf(name, sizeof name, "%s/a.vtkhdf", directory);
    path = name;
    sample_make(&good, 17, 33,
                1 << OTOK_TERRAIN_BASE | 1 << OTOK_TERRAIN_CHANGE | 1 << OTOK_WATER |
                    1 << OTOK_WETNESS | UINT64_C(1) << OTOK_TERRAIN,
                9);
    MUST(otok_checkpoint_write(path, &good));
    static unsigned char data[1 << 18];
    FILE *file = fopen(path, "rb");
    const size_t size = file ? fread(data, 1, sizeof data, file) : 0;
    if (file) fclose(file);
    CHECK(size > 1000 && size < sizeof data, "%zu bytes", size);
    for (size_t cut = 0; cut < size; cut += step * 37) {
        store(data, cut);
        CHECK(attempt("cut", cut) == 0, "a file cut at %zu was accepted", cut);
    }
    int flips = 0, harmless = 0;
    for (size_t at = 0; at < size; at += step, flips++) {
        const unsigned char was = data[at];
        data[at] ^= (unsigned char)(1 << (at / step) % 8);
        store(data, size);
        harmless += attempt("flip", at);
        data[at] = was;
    }
    CHECK(harmless < flips, "no flip was noticed");
    printf("%d bits flipped, %d of them harmless\n", flips, harmless);
    check_edited(data, size);
    numbers(data, size);
    values();
    check_older();
    otok_snapshot_destroy(&good);
    sample_clean(directory);
    return check_failures != 0;
}
