/* raster_files.c - claim: PNG of 8 and 16 bits and Esri ASCII grids come back as they were written,
   georeference and holes too; holes get the value of the nearest cell; what is truncated, foreign
   or lacks its heights is refused with what to do, and nothing is read twice. CHECK_ONCE */
#include "checkpoint_sample.h"
#include "io/image.h"
#include "io/raster.h"

#include <sys/resource.h>

enum { NX = 41, NY = 23, CELLS = NX * NY };

static char path[160];
static float map[CELLS];

static void png(int bits)
{
    const double white = bits == 8 ? 255 : 65535, low = -12.5, high = 803.25;
    const otok_grid grid = {NX, NY, 2};
    otok_raster r;
    uint64_t state = 3;
    for (int n = 0; n < CELLS; n++)
        map[n] = (float)(low + (high - low) *
                                   ((double)(sample_next(&state) % (uint64_t)(white + 1)) / white));
    MUST(otok_image_gray(path, map, grid, "terrain", "m", &(otok_scale){.low = low, .high = high},
                         bits));
    MUST(otok_raster_read(&r, path, NAN, NAN));
    CHECK(r.nx == NX && r.ny == NY && !r.missing && !r.georeference.known, "%lld x %lld",
          (long long)r.nx, (long long)r.ny);
    CHECK(memcmp(map, r.map, sizeof map) == 0, "heights of %d bits differ", bits);
    otok_raster_destroy(&r);
    MUST(otok_raster_read(&r, path, 0, white));
    const double level = (map[5 * NX + 7] - low) / (high - low) * white;
    CHECK(r.map[5 * NX + 7] == (float)floor(level + 0.5), "given heights: %g, not %g",
          (double)r.map[5 * NX + 7], level);
    otok_raster_destroy(&r);
}

static void ascii(const otok_georeference *georeference)
{
    otok_raster r;
    uint64_t state = 8;
    for (int n = 0; n < CELLS; n++)
        map[n] = sample_float(&state);
    map[3 * NX + 5] = NAN;
    MUST(otok_ascii_write(path, map, (otok_grid){NX, NY, 2.5}, georeference));
    MUST(otok_raster_read(&r, path, NAN, NAN));
    int wrong = 0;
    for (int n = 0; n < CELLS; n++)
        wrong += isnan(map[n]) ? !isnan(r.map[n]) : memcmp(&map[n], &r.map[n], sizeof map[n]) != 0;
    CHECK(wrong == 0 && r.missing == 1, "%d heights differ, %lld missing", wrong,
          (long long)r.missing);
    const otok_georeference local = {1, 0, 2.5 * NY, 2.5, 2.5, NULL},
                            *p = georeference ? georeference : &local;
    CHECK(r.georeference.known && r.georeference.west == p->west &&
              fabs(r.georeference.north - p->north) < 1e-9 && r.georeference.width == p->width &&
              r.georeference.height == p->height,
          "georeference %.17g %.17g %.17g %.17g", r.georeference.west, r.georeference.north,
          r.georeference.width, r.georeference.height);
    otok_raster_destroy(&r);
}

/* Against a search of all cells. */
static void filled(void)
{
    otok_raster r = {.nx = NX, .ny = NY, .map = malloc(sizeof map)};
    uint64_t state = 11;
    for (int n = 0; n < CELLS; n++) {
        map[n] = sample_next(&state) % 16 == 0 ? (float)n : NAN;
        r.missing += isnan(map[n]);
    }
    memcpy(r.map, map, sizeof map);
    MUST(otok_raster_fill(&r, "a test"));
    int far = 0, moved = 0;
    for (int n = 0; n < CELLS; n++) {
        int best = 1 << 30;
        for (int k = 0; k < CELLS; k++) {
            const int dx = k % NX - n % NX, dy = k / NX - n / NX;
            if (!isnan(map[k]) && dx * dx + dy * dy < best) best = dx * dx + dy * dy;
        }
        const int from = (int)r.map[n], dx = from % NX - n % NX, dy = from / NX - n / NX;
        far += isnan(r.map[n]) || isnan(map[from]) || dx * dx + dy * dy != best;
        moved += !isnan(map[n]) && r.map[n] != map[n];
    }
    CHECK(far == 0 && moved == 0, "%d cells not from the nearest, %d with data changed", far,
          moved);
    for (int n = 0; n < CELLS; n++)
        r.map[n] = NAN;
    r.missing = CELLS;
    CHECK(otok_raster_fill(&r, "a test") == OTOK_DATA, "filled from nothing");
    otok_raster_destroy(&r);
}

static void refused(const char *what, const char *text, size_t size, otok_status expected,
                    const char *said)
{
    otok_raster r;
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(text, 1, size, file) != size || fclose(file) != 0) exit(1);
    CHECK(otok_raster_read(&r, path, NAN, NAN) == expected && strstr(otok_why(), said) && !r.map,
          "%s: '%s'", what, otok_why());
}

/* Every beginning of a good PNG is refused. */
static void truncated(void)
{
    static char bytes[1 << 16];
    for (int n = 0; n < CELLS; n++)
        map[n] = (float)(n * 37 % 101);
    MUST(otok_image_gray(path, map, (otok_grid){NX, NY, 1}, "x", "m",
                         &(otok_scale){.low = 0, .high = 100}, 16));
    FILE *file = fopen(path, "rb");
    const size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file) fclose(file);
    CHECK(size > 200, "%zu bytes", size);
    for (size_t n = 8; n < size; n += 7)
        refused("a truncated PNG", bytes, n, OTOK_DATA, path);
    bytes[size / 2] = (char)(bytes[size / 2] ^ 64);
    refused("a PNG with another bit", bytes, size, OTOK_DATA, "damaged");
}

#define TEXT(what, text, said) refused(what, text, sizeof(text) - 1, OTOK_DATA, said)

/* Peak memory in bytes. */
static double peak(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return 1024.0 * (double)use.ru_maxrss;
}

/* A PNG whose chunk says that it has 2 GB is refused before memory is used for it. */
static void endless_chunk(void)
{
    otok_raster raster;
    const double before = peak();
    CHECK(otok_raster_read(&raster, "tests/fuzz/seeds/raster_png/length", 0, 1) == OTOK_DATA &&
              (strstr(otok_why(), "2004117524 bytes") || strstr(otok_why(), "Read Error")),
          "'%s'", otok_why());
    CHECK(peak() - before < 100e6, "%.0f MB", (peak() - before) / 1e6);
}

int main(void)
{
    const char *directory = sample_directory();
    otok_raster r;
    snprintf(path, sizeof path, "%s/a", directory);
    png(8);
    png(16);
    ascii(NULL);
    ascii(&(otok_georeference){1, -84.25, 36.5, 0.125, 0.125, NULL});
    ascii(&(otok_georeference){1, 500000, 4069260, 90, 30, NULL});
    filled();
    truncated();
    const unsigned char white[2] = {0, 255};
    MUST(otok_png_write(path, &(otok_picture){2, 1, 1, 8, (unsigned char *)white}, NULL));
    CHECK(otok_raster_read(&r, path, NAN, NAN) == OTOK_DATA &&
              strstr(otok_why(), "give `low` and `high`"),
          "'%s'", otok_why());
    const unsigned char red[3] = {255, 0, 0};
    MUST(otok_png_write(path, &(otok_picture){1, 1, 3, 8, (unsigned char *)red}, NULL));
    CHECK(otok_raster_read(&r, path, 0, 1) == OTOK_DATA && strstr(otok_why(), "in gray only"),
          "'%s'", otok_why());
    endless_chunk();
    TEXT("an empty file", "", "the file is empty");
    TEXT("a letter", "Dear reader,\n", path);
    TEXT("no rows", "ncols 3\ncellsize 2\n1 2 3\n", "begins with lines");
    TEXT("half a cell", "ncols 3.5\nnrows 1\n1 2 3\n", "begins with lines");
    TEXT("too large", "ncols 2000000\nnrows 1\n1 2 3\n", "2000000 x 1 cells");
    TEXT("too few", "ncols 3\nnrows 2\ncellsize 1\n1 2 3\n4 5\n", "row 2, column 3: the file ends");
    TEXT("a word", "ncols 3\nnrows 2\ncellsize 1\n1 2 3\n4 x 6\n", "row 2, column 2: not a number");
    TEXT("too many", "ncols 1\nnrows 1\ncellsize 1\n1 2\n", "more values");
    TEXT("no cell size", "ncols 1\nnrows 1\ncellsize 0\n1\n", "is not valid");
    CHECK(otok_raster_read(&r, "/none/a.tif", NAN, NAN) == OTOK_IO &&
              strstr(otok_why(), "/none/a.tif"),
          "'%s'", otok_why());
    CHECK(otok_raster_read(&r, directory, NAN, NAN) == OTOK_IO, "a directory: '%s'", otok_why());
    sample_clean(directory);
    return check_failures != 0;
}
