/* font.c: see font.h. */
#include "font.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wsign-compare"
#include <stb/stb_truetype.h>
#pragma GCC diagnostic pop

enum { FIRST = ' ', LETTERS = '~' - FIRST + 1, SIZES = 8, MOST_BYTES = 1 << 22 };

struct otok_font {
    int pixels, width, height;
    float ascent;
    unsigned char *atlas;
    stbtt_packedchar letters[LETTERS];
};

const char *otok_font_file(void)
{
    static const char *const files[] = {
        "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",   /* Debian, Ubuntu */
        "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf", /* Fedora */
        "/usr/share/fonts/TTF/DejaVuSans.ttf",               /* Arch */
        "/usr/share/fonts/dejavu/DejaVuSans.ttf"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        FILE *there = fopen(files[i], "rb");
        if (!there) continue;
        fclose(there);
        return files[i];
    }
    return NULL;
}

/* The file's bytes, once. */
static const unsigned char *bytes_of_file(void)
{
    static unsigned char *bytes;
    static int tried;
    const char *path = tried ? NULL : otok_font_file();
    tried = 1;
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (!file) return bytes;
    unsigned char *room = malloc(MOST_BYTES);
    if (room && fread(room, 1, MOST_BYTES, file) > 1024)
        bytes = room;
    else
        free(room);
    fclose(file);
    return bytes;
}

static otok_font *bake_font(int pixels)
{
    const unsigned char *bytes = bytes_of_file();
    otok_font *f = bytes ? calloc(1, sizeof *f) : NULL;
    stbtt_pack_context pack;
    stbtt_fontinfo info;
    int ascent, descent, gap;
    if (!f) return NULL;
    f->pixels = pixels;
    f->width = f->height = 16 * pixels < 128 ? 128 : 16 * pixels;
    f->atlas = calloc(1, (size_t)f->width * (size_t)f->height);
    int good = f->atlas && stbtt_InitFont(&info, bytes, 0) &&
               stbtt_PackBegin(&pack, f->atlas, f->width, f->height, 0, 1, NULL);
    if (good) {
        good = stbtt_PackFontRange(&pack, bytes, 0, (float)pixels, FIRST, LETTERS, f->letters);
        stbtt_PackEnd(&pack);
        stbtt_GetFontVMetrics(&info, &ascent, &descent, &gap);
        f->ascent = roundf((float)ascent * stbtt_ScaleForPixelHeight(&info, (float)pixels));
    }
    if (good) return f;
    free(f->atlas);
    free(f);
    return NULL;
}

const otok_font *otok_font_of(int pixels)
{
    static otok_font *kept[SIZES];
    static int next;
    for (int i = 0; i < SIZES; i++)
        if (kept[i] && kept[i]->pixels == pixels) return kept[i];
    if (next == SIZES) return kept[SIZES - 1]; /* nobody needs more sizes */
    otok_font *fresh = bake_font(pixels);
    if (fresh) kept[next++] = fresh;
    return fresh;
}

const unsigned char *otok_font_atlas(const otok_font *font, int *width, int *height)
{
    *width = font->width;
    *height = font->height;
    return font->atlas;
}

void otok_font_plain(char out[OTOK_FONT_LETTERS + 1], const char *text)
{
    int n = 0;
    for (const unsigned char *c = (const unsigned char *)text; *c && n < OTOK_FONT_LETTERS; c++)
        if ((*c & 0xc0) != 0x80) out[n++] = *c >= FIRST && *c <= '~' ? (char)*c : '?';
    out[n] = 0;
}

int otok_font_line(const otok_font *f, float x, float y, const char *text,
                   otok_glyph out[OTOK_FONT_LETTERS])
{
    char plain[OTOK_FONT_LETTERS + 1];
    float line = y + f->ascent;
    int n = 0;
    otok_font_plain(plain, text);
    for (const char *c = plain; *c; c++, n++) {
        stbtt_aligned_quad q;
        const stbtt_packedchar *l = &f->letters[*c - FIRST];
        stbtt_GetPackedQuad(f->letters, f->width, f->height, *c - FIRST, &x, &line, &q, 1);
        out[n] = (otok_glyph){q.x0, q.y0, q.x1, q.y1, l->x0, l->y0, l->x1, l->y1};
    }
    return n;
}

float otok_font_width(const otok_font *f, const char *text)
{
    char plain[OTOK_FONT_LETTERS + 1];
    float x = 0;
    otok_font_plain(plain, text);
    for (const char *c = plain; *c; c++)
        x += f->letters[*c - FIRST].xadvance;
    return x;
}

void otok_font_blend(unsigned char *pixel, const unsigned char ink[3], int share)
{
    for (int i = 0; i < 3; i++)
        pixel[i] = (unsigned char)((pixel[i] * (255 - share) + ink[i] * share + 127) / 255);
}

void otok_font_print(const otok_font *f, unsigned char *rgb, int width, int height, float x,
                     float y, const unsigned char ink[3], const char *text)
{
    otok_glyph glyphs[OTOK_FONT_LETTERS];
    const int n = otok_font_line(f, x, y, text, glyphs);
    for (int k = 0; k < n; k++) {
        const otok_glyph *g = &glyphs[k];
        const int left = (int)lroundf(g->x0), top = (int)lroundf(g->y0);
        for (int v = g->v0; v < g->v1; v++)
            for (int u = g->u0; u < g->u1; u++) {
                const int i = left + u - g->u0, j = top + v - g->v0;
                if (i < 0 || j < 0 || i >= width || j >= height) continue;
                otok_font_blend(rgb + 3 * ((size_t)j * (size_t)width + (size_t)i), ink,
                                f->atlas[v * f->width + u]);
            }
    }
}
