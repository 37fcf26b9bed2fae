/* picture_kinds.c - claim: PNG pictures of every kind (gray, colour, palette; 1 to 16 bits; alpha;
   interlaced) come as the same three channels of 8 bits; a file whose chunk says that it has 2 GB
   is refused before memory is taken for it, as a picture and as heights. */
#include "checkpoint_sample.h"
#include "io/image.h"
#include "io/raster.h"

#include <png.h>

#include <sys/resource.h>

enum { NX = 11, NY = 9, LEVELS = 16 };

static char path[160];

/* Channel k of pixel (i, j): a multiple of 17, which 4, 8 and 16 bits can all say. */
static int level(int kind, int i, int j, int k)
{
    const int colour = kind & PNG_COLOR_MASK_COLOR;
    return (3 * i + 5 * j + (colour ? k * (i + 2) : 0)) % LEVELS;
}

static void write_png(int kind, int bits, int interlaced)
{
    static unsigned char rows[NY][NX * 8];
    png_bytep pointers[NY];
    FILE *file = fopen(path, "wb");
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!file || !info || setjmp(png_jmpbuf(png))) exit(1);
    png_init_io(png, file);
    png_set_IHDR(png, info, NX, NY, bits, kind, interlaced, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_color palette[LEVELS];
    for (int n = 0; n < LEVELS; n++)
        palette[n] = (png_color){(png_byte)(17 * n), (png_byte)(17 * n), (png_byte)(17 * n)};
    if (kind == PNG_COLOR_TYPE_PALETTE) png_set_PLTE(png, info, palette, LEVELS);
    png_write_info(png, info);
    const int alpha = kind & PNG_COLOR_MASK_ALPHA ? 1 : 0,
              colours = kind == PNG_COLOR_TYPE_RGB || kind == PNG_COLOR_TYPE_RGB_ALPHA ? 3 : 1;
    memset(rows, 0, sizeof rows);
    for (int j = 0; j < NY; j++) {
        pointers[j] = rows[j];
        for (int n = 0; n < NX * (colours + alpha); n++) {
            const int i = n / (colours + alpha), k = n % (colours + alpha),
                      v = k == colours ? 9 : level(colours == 3 ? kind : 0, i, j, k);
            if (bits == 4) rows[j][n / 2] |= (unsigned char)(v << (n % 2 ? 0 : 4));
            if (bits == 8)
                rows[j][n] = (unsigned char)(kind == PNG_COLOR_TYPE_PALETTE ? v : 17 * v);
            if (bits == 16) rows[j][2 * n] = rows[j][2 * n + 1] = (unsigned char)(17 * v);
        }
    }
    png_write_image(png, pointers);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    fclose(file);
}

static void read_back(int kind, int bits, int interlaced)
{
    otok_picture p;
    int wrong = 0;
    write_png(kind, bits, interlaced);
    MUST(otok_picture_read(&p, path));
    CHECK(p.width == NX && p.height == NY && p.channels == 3 && p.bits == 8,
          "%lld x %lld, %d channels of %d bits", (long long)p.width, (long long)p.height,
          p.channels, p.bits);
    for (int n = 0; n < NX * NY * 3; n++) {
        const int of = kind == PNG_COLOR_TYPE_RGB || kind == PNG_COLOR_TYPE_RGB_ALPHA ? kind : 0;
        wrong += p.pixels[n] != 17 * level(of, n / 3 % NX, n / 3 / NX, n % 3);
    }
    CHECK(wrong == 0, "kind %d, %d bits, interlaced %d: %d channels differ", kind, bits, interlaced,
          wrong);
    free(p.pixels);
}

/* Peak memory in bytes. */
static double peak(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return 1024.0 * (double)use.ru_maxrss;
}

static void endless_chunk(void)
{
    char bytes[64];
    otok_picture picture;
    otok_raster raster;
    FILE *file = fopen("tests/fuzz/seeds/picture_png/length", "rb");
    const size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file) fclose(file);
    FILE *copy = fopen(path, "wb");
    if (!copy || fwrite(bytes, 1, size, copy) != size || fclose(copy) != 0) exit(1);
    const double before = peak();
    CHECK(otok_picture_read(&picture, path) == OTOK_DATA && strstr(otok_why(), "2004117524 bytes"),
          "a picture: '%s'", otok_why());
    CHECK(otok_raster_read(&raster, path, 0, 1) == OTOK_DATA &&
              strstr(otok_why(), "2004117524 bytes"),
          "heights: '%s'", otok_why());
    CHECK(peak() - before < 100e6, "%.0f MB", (peak() - before) / 1e6);
}

int main(void)
{
    const char *directory = sample_directory();
    snprintf(path, sizeof path, "%s/a.png", directory);
    for (int interlaced = 0; interlaced < 2; interlaced++) {
        read_back(PNG_COLOR_TYPE_GRAY, 4, interlaced);
        read_back(PNG_COLOR_TYPE_GRAY, 8, interlaced);
        read_back(PNG_COLOR_TYPE_GRAY, 16, interlaced);
        read_back(PNG_COLOR_TYPE_GRAY_ALPHA, 8, interlaced);
        read_back(PNG_COLOR_TYPE_PALETTE, 4, interlaced);
        read_back(PNG_COLOR_TYPE_PALETTE, 8, interlaced);
        read_back(PNG_COLOR_TYPE_RGB, 8, interlaced);
        read_back(PNG_COLOR_TYPE_RGB, 16, interlaced);
        read_back(PNG_COLOR_TYPE_RGB_ALPHA, 8, interlaced);
        read_back(PNG_COLOR_TYPE_RGB_ALPHA, 16, interlaced);
    }
    endless_chunk();
    sample_clean(directory);
    return check_failures != 0;
}
