/* export_png.c - claim: gray pictures hold the value of each cell, rounded half up, north at the
   top, at 8 and 16 bits; a relief is as large as asked, with a blue sea and land that is not; grids
   come back with the same bits; failures leave nothing. */
#include "checkpoint_sample.h"
#include "io/image.h"

#include <math.h>
#include <png.h>

#include <signal.h>
#include <sys/resource.h>

static const char *directory;
static char path[128];

/* Reads a PNG back; the caller frees the pixels. */
static unsigned char *read_back(int *width, int *height, int *channels, int *bits, char *words,
                                size_t room)
{
    FILE *file = fopen(path, "rb");
    if (!file) exit(1);
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    if (setjmp(png_jmpbuf(png))) exit(1);
    png_init_io(png, file);
    png_read_png(png, info, PNG_TRANSFORM_IDENTITY, NULL);
    *width = (int)png_get_image_width(png, info);
    *height = (int)png_get_image_height(png, info);
    *channels = png_get_channels(png, info);
    *bits = png_get_bit_depth(png, info);
    const size_t row = png_get_rowbytes(png, info);
    unsigned char *pixels = malloc(row * (size_t)*height);
    for (int j = 0; j < *height; j++)
        memcpy(pixels + (size_t)j * row, png_get_rows(png, info)[j], row);
    png_textp text;
    const int n = png_get_text(png, info, &text, NULL);
    size_t used = 0;
    words[0] = 0;
    for (int i = 0; i < n && used < room; i++)
        used += (size_t)snprintf(words + used, room - used, "%s=%s;", text[i].key, text[i].text);
    png_destroy_read_struct(&png, &info, NULL);
    fclose(file);
    return pixels;
}

static void gray(int bits, float last)
{
    const double white = bits == 8 ? 255 : 65535;
    const int expected[2][3] = {{0, 1, 2}, {(int)white, (int)white, 0}}; /* bottom row first */
    /* low = -1, high = white - 1: a value v is the level v + 1 */
    const float map[6] = {-1.0f, -0.5f, 0.75f, (float)white - 1, 1e30f, last};
    MUST(otok_image_gray(path, map, (otok_grid){3, 2, 1}, "terrain", "m",
                         &(otok_scale){.low = -1, .high = white - 1}, bits));
    int width, height, channels, depth;
    char words[512];
    unsigned char *p = read_back(&width, &height, &channels, &depth, words, sizeof words);
    const int clear = isnan(last) != 0; /* the pixel without data is transparent, no other one */
    CHECK(width == 3 && height == 2 && channels == 1 + clear && depth == bits,
          "%d x %d, %d channels of %d bits", width, height, channels, depth);
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 3; i++) {
            const int at = ((1 - j) * 3 + i) * channels,
                      found = bits == 8 ? p[at] : p[2 * at] << 8 | p[2 * at + 1],
                      alpha = clear ? p[bits == 8 ? at + 1 : 2 * at + 2] : 255;
            CHECK(alpha == (clear && j == 1 && i == 2 ? 0 : 255), "cell %d, %d: alpha %d", i, j,
                  alpha);
            CHECK(found == expected[j][i], "%d bits, cell %d, %d: %d, not %d", bits, i, j, found,
                  expected[j][i]);
        }
    char high[64];
    snprintf(high, sizeof high, "otok_high=%.17g;", white - 1);
    CHECK(strstr(words, "otok_low=-1;") && strstr(words, high) && strstr(words, "Title=terrain;") &&
              strstr(words, "otok_unit=m;otok_spacing=1;"),
          "words: %s", words);
    free(p);
}

static void relief(int scale)
{
    enum { N = 48 };
    static float cone[N * N];
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            cone[j * N + i] = 40 - 4 * hypotf((float)i - 23.5f, (float)j - 23.5f);
    const otok_relief in = {{N, N, 2}, cone, NULL, 0, scale, NULL, NULL};
    MUST(otok_image_relief(path, &in));
    int width, height, channels, depth;
    char words[512];
    unsigned char *p = read_back(&width, &height, &channels, &depth, words, sizeof words);
    CHECK(width == N * scale && height == N * scale && channels == 3 && depth == 8,
          "%d x %d, %d x %d bits", width, height, channels, depth);
    char scales[64];
    snprintf(scales, sizeof scales, "otok_spacing=%.9g;otok_low=", 2.0 / scale);
    CHECK(strstr(words, scales) && strstr(words, "otok_unit=m;otok_sea=0;"), "words: %s", words);
    const unsigned char *sea = p + 3 * (scale * width + scale),
                        *north_west = p + 3 * (18 * scale * width + 18 * scale);
    const unsigned char *south_east = p + 3 * (29 * scale * width + 29 * scale);
    CHECK(sea[2] > sea[0] + 40, "the sea is %d %d %d", sea[0], sea[1], sea[2]);
    CHECK(north_west[1] >= north_west[2], "land is %d %d %d", north_west[0], north_west[1],
          north_west[2]);
    CHECK(north_west[1] > south_east[1] + 30, "lit slope %d, shaded slope %d", north_west[1],
          south_east[1]);
    free(p);
}

static void ascii(void)
{
    enum { NX = 31, NY = 17 };
    float map[NX * NY];
    uint64_t state = 4;
    for (int i = 0; i < NX * NY; i++)
        map[i] = sample_float(&state);
    MUST(otok_ascii_write(path, map, (otok_grid){NX, NY, 2.5}, NULL));
    FILE *file = fopen(path, "r");
    int nx = 0, ny = 0;
    double size = 0;
    if (!file ||
        fscanf(file, "ncols %d nrows %d xllcorner 0 yllcorner 0 cellsize %lf NODATA_value -9999",
               &nx, &ny, &size) != 3)
        exit(1);
    CHECK(nx == NX && ny == NY && size == 2.5, "%d x %d of %g", nx, ny, size);
    int wrong = 0;
    for (int j = NY - 1; j >= 0; j--)
        for (int i = 0; i < NX; i++) {
            float value;
            wrong += fscanf(file, "%f", &value) != 1 ||
                     memcmp(&value, &map[j * NX + i], sizeof value) != 0;
        }
    CHECK(wrong == 0, "%d values came back with other bits", wrong);
    fclose(file);
}

/* A full disk: the earlier file stays, nothing else does. */
static void full_disk(void)
{
    enum { N = 200 };
    static float map[N * N];
    uint64_t state = 9;
    for (int i = 0; i < N * N; i++)
        map[i] = sample_float(&state);
    const otok_relief relief = {{N, N, 1}, map, NULL, 0, 1, NULL, NULL};
    MUST(otok_file_replace(path, "the earlier file"));
    struct rlimit was, small;
    getrlimit(RLIMIT_FSIZE, &was);
    small = was;
    small.rlim_cur = 9000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    CHECK(otok_image_gray(path, map, relief.grid, "x", "1", &(otok_scale){.low = 0, .high = 1000},
                          16) == OTOK_IO &&
              strstr(otok_why(), "File too large"),
          "%s", otok_why());
    CHECK(otok_image_relief(path, &relief) == OTOK_IO && strstr(otok_why(), "File too large"), "%s",
          otok_why());
    CHECK(otok_ascii_write(path, map, relief.grid, NULL) == OTOK_IO &&
              strstr(otok_why(), "File too large"),
          "%s", otok_why());
    setrlimit(RLIMIT_FSIZE, &was);
    char text[32] = "", temporary[160];
    FILE *file = fopen(path, "r");
    if (file && !fgets(text, sizeof text, file)) text[0] = 0;
    if (file) fclose(file);
    CHECK(strcmp(text, "the earlier file") == 0, "it became '%s'", text);
    snprintf(temporary, sizeof temporary, "%s/.a.png.tmp", directory);
    CHECK(access(temporary, F_OK) != 0, "%s stayed", temporary);
}

int main(void)
{
    directory = sample_directory();
    snprintf(path, sizeof path, "%s/a.png", directory);
    gray(8, -7), gray(8, NAN);
    gray(16, -7), gray(16, NAN);
    relief(1);
    relief(3);
    ascii();
    full_disk();
    const float map[4] = {0, 1, 2, 3};
    const otok_grid grid = {2, 2, 1};
    CHECK(otok_image_gray(path, map, grid, "x", "1", &(otok_scale){.low = 1, .high = 1}, 8) ==
              OTOK_USAGE,
          "no range");
    CHECK(otok_image_gray(path, map, grid, "x", "1", &(otok_scale){.low = 0, .high = 1}, 4) ==
              OTOK_USAGE,
          "4 bits");
    CHECK(otok_image_gray("/none/a.png", map, grid, "x", "1", &(otok_scale){.low = 0, .high = 1},
                          8) == OTOK_IO &&
              strstr(otok_why(), "/none/a.png"),
          "'%s'", otok_why());
    CHECK(otok_ascii_write("/dev/full", map, grid, NULL) == OTOK_IO, "/dev/full was replaced");
    sample_clean(directory);
    return check_failures != 0;
}
