/* checkpoint_chunks.c - claim: chunks packed by threads are what HDF5's own filters would have
   made, padding too, but for the choice of the deflater; HDF5 reads them; their bytes do not depend
   on the number of threads; a flipped bit in them is noticed. */
#include "check.h"
#include "io/chunks.h"
#include "io/hdf_disk.h"

#include <libdeflate.h>

#include <math.h>
#include <unistd.h>

enum { KINDS = 6 };

static char path[] = "/tmp/otok-chunks-XXXXXX";

/* What computed fields are like, and what they are not. */
static float value(int kind, int64_t i, uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    const uint32_t random = (uint32_t)(*state >> 32);
    float any;
    memcpy(&any, &random, sizeof any);
    switch (kind) {
    case 0: return 0.0f;
    case 1: return any; /* no plane shrinks; NaN among them */
    case 2: return 100.0f + (float)(random >> 8) * 0x1p-24f;
    case 3: return (float)(i % 100);
    case 4: return i % 3000 < 1400 ? 0.0f : sinf((float)i);
    default: return i < 40000 ? any : -INFINITY;
    }
}

/* What HDF5's deflater finds and ours does not look for. */
static int has_repeats(int kind)
{
    return kind == 3 || kind == 4;
}

static hid_t dataset(hid_t file, const char *name, otok_grid grid, const hsize_t chunk[2])
{
    const hsize_t shape[2] = {(hsize_t)grid.ny, (hsize_t)grid.nx};
    const hid_t space = H5Screate_simple(2, shape, NULL), made = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(made, 2, chunk);
    H5Pset_shuffle(made);
    H5Pset_deflate(made, 1);
    H5Pset_fletcher32(made);
    const hid_t d = H5Dcreate2(file, name, H5T_IEEE_F32LE, space, H5P_DEFAULT, made, H5P_DEFAULT);
    H5Pclose(made);
    H5Sclose(space);
    return d;
}

/* A chunk as stored: its bytes and their number. */
static size_t raw(hid_t d, const hsize_t at[2], unsigned char *out, size_t room)
{
    hsize_t size = 0;
    uint32_t skipped = 1;
    if (H5Dget_chunk_storage_size(d, at, &size) < 0 || size > room ||
        H5Dread_chunk(d, H5P_DEFAULT, at, &skipped, out) < 0)
        exit(1);
    CHECK(skipped == 0, "filters were left out: %#x", skipped);
    return (size_t)size;
}

/* Of a raw chunk: the shuffled planes within. */
static void inflate(unsigned char *planes, size_t bytes, const unsigned char *in, size_t size)
{
    struct libdeflate_decompressor *tool = libdeflate_alloc_decompressor();
    const enum libdeflate_result result =
        libdeflate_zlib_decompress(tool, in, size - 4, planes, bytes, NULL);
    CHECK(result == LIBDEFLATE_SUCCESS, "not one whole zlib stream: %d", (int)result);
    libdeflate_free_decompressor(tool);
}

static void compare(hid_t ours, hid_t theirs, hid_t alone, otok_grid grid, const hsize_t chunk[2],
                    int kind)
{
    const size_t bytes = 4 * (size_t)(chunk[0] * chunk[1]), room = 2 * bytes + 100;
    unsigned char *a = malloc(room), *b = malloc(room), *pa = malloc(bytes), *pb = malloc(bytes);
    for (hsize_t y = 0; y < (hsize_t)grid.ny; y += chunk[0])
        for (hsize_t x = 0; x < (hsize_t)grid.nx; x += chunk[1]) {
            const hsize_t at[2] = {y, x};
            const size_t na = raw(ours, at, a, room), nb = raw(theirs, at, b, room);
            inflate(pa, bytes, a, na);
            inflate(pb, bytes, b, nb);
            CHECK(memcmp(pa, pb, bytes) == 0, "kind %d, chunk at %d, %d: other planes", kind,
                  (int)y, (int)x);
            const size_t most = has_repeats(kind) ? bytes + bytes / 100 : nb + nb / 8 + bytes / 100;
            CHECK(na < most + 256, "kind %d: %zu bytes where HDF5 takes %zu", kind, na, nb);
            CHECK(raw(alone, at, b, room) == na && memcmp(a, b, na) == 0,
                  "kind %d: other bytes by one thread", kind);
        }
    free(a);
    free(b);
    free(pa);
    free(pb);
}

static void check_read(hid_t d, const float *map, float *again, size_t bytes, int kind)
{
    memset(again, 1, bytes);
    CHECK(H5Dread(d, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, again) >= 0,
          "kind %d: HDF5 cannot read it", kind);
    CHECK(memcmp(map, again, bytes) == 0, "kind %d: HDF5 reads something else", kind);
}

/* The file in which the test writes: a draft that gets its name at once. */
static hid_t create(int *error)
{
    otok_draft *draft;
    MUST(otok_file_begin(&draft, path));
    const hid_t file = otok_disk_create(draft, H5P_DEFAULT, error);
    MUST(otok_file_commit(draft, path));
    return file;
}

static void check_shape(int64_t nx, int64_t ny, hsize_t cx, hsize_t cy, int threads)
{
    const otok_grid grid = {nx, ny, 1};
    const hsize_t chunk[2] = {cy, cx};
    const size_t bytes = (size_t)(nx * ny) * sizeof(float);
    float *maps[KINDS], *again = malloc(bytes);
    otok_chunked many[KINDS], one[KINDS];
    hid_t theirs[KINDS];
    uint64_t state = (uint64_t)(nx + ny);
    double packing = 0, writing = 0;
    int error;
    otok_hdf_enter();
    const hid_t file = create(&error);
    for (int k = 0; k < KINDS; k++) {
        char name[3][16];
        for (int n = 0; n < 3; n++)
            snprintf(name[n], sizeof name[n], "%d_%d", k, n);
        maps[k] = malloc(bytes);
        for (int64_t i = 0; i < nx * ny; i++)
            maps[k][i] = value(k, i, &state);
        many[k] = (otok_chunked){dataset(file, name[0], grid, chunk), maps[k]};
        one[k] = (otok_chunked){dataset(file, name[1], grid, chunk), maps[k]};
        theirs[k] = dataset(file, name[2], grid, chunk);
        CHECK(H5Dwrite(theirs[k], H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, maps[k]) >= 0,
              "HDF5 cannot write");
    }
    MUST(otok_chunks_write(many, KINDS, grid, chunk, threads, &packing, &writing));
    MUST(otok_chunks_write(one, KINDS, grid, chunk, 1, &packing, &writing));
    H5Fflush(file, H5F_SCOPE_LOCAL);
    for (int k = 0; k < KINDS; k++) {
        check_read(many[k].dataset, maps[k], again, bytes, k);
        compare(many[k].dataset, theirs[k], one[k].dataset, grid, chunk, k);
        free(maps[k]);
    }
    CHECK(H5Fclose(file) >= 0 && error == 0, "the file was not finished: %d", error);
    otok_hdf_leave();
    free(again);
}

/* One bit of one chunk's stored bytes: inflating alone need not see it, the checksum does. */
static void damage(void)
{
    const otok_grid grid = {300, 200, 1};
    const hsize_t chunk[2] = {200, 300}, at[2] = {0, 0};
    const size_t room = 1 << 20, bytes = 300 * 200 * sizeof(float);
    float *map = calloc(1, bytes), *again = malloc(bytes);
    unsigned char *data = malloc(room);
    double packing = 0, writing = 0;
    int error;
    otok_hdf_enter();
    const hid_t file = create(&error);
    const otok_chunked c = {dataset(file, "a", grid, chunk), map};
    MUST(otok_chunks_write(&c, 1, grid, chunk, 2, &packing, &writing));
    const size_t size = raw(c.dataset, at, data, room);
    data[size / 2] ^= 16;
    CHECK(H5Dwrite_chunk(c.dataset, H5P_DEFAULT, 0, at, size, data) >= 0, "cannot damage it");
    CHECK(H5Dread(c.dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, again) < 0,
          "a flipped bit was not noticed");
    const char *const words =
        H5_VERSION_GE(1, 14, 0) ? "filter returned failure during read" : "Fletcher32";
    CHECK(strstr(otok_hdf_why(), words), "noticed otherwise: %s", otok_hdf_why());
    H5Fclose(file);
    otok_hdf_leave();
    free(map);
    free(again);
    free(data);
}

int main(void)
{
    const int file = mkstemp(path);
    if (file < 0) return 77;
    close(file);
    check_shape(1, 1, 1, 1, 4);
    check_shape(1, 9, 1, 5, 2);
    check_shape(17, 33, 17, 17, 3);
    check_shape(301, 299, 151, 150, 7);
    check_shape(1025, 700, 513, 350, 2);
    check_shape(800, 600, 300, 300, 5);
    damage();
    unlink(path);
    return check_failures != 0;
}
