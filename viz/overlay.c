/* overlay.c: rectangles and letters in pixels. The letters of stb_easy_font are drawn as small rectangles. */
#include "overlay.h"
#include "patches.h"
#include "shader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stb/stb_easy_font.h>

enum { MOST_QUADS = 4096, STRIPS = 64, MOST_LABELS = 16 };
static const float text_kind = -2, panel_kind = -1;

typedef struct ink {
    float *at; /* x, y, kind */
    int n;     /* vertices   */
} ink;

static void corner(ink *k, float x, float y, float kind)
{
    float *p = k->at + (size_t)3 * (size_t)k->n++;
    p[0] = x, p[1] = y, p[2] = kind;
}

static void rectangle(ink *k, float x0, float y0, float x1, float y1, float bottom, float top)
{
    if (k->n + 6 > 6 * MOST_QUADS) return;
    corner(k, x0, y0, top), corner(k, x1, y0, top), corner(k, x1, y1, bottom);
    corner(k, x0, y0, top), corner(k, x1, y1, bottom), corner(k, x0, y1, bottom);
}

/* The font has ASCII's letters alone; another letter, whatever its bytes, is a question mark. */
static void plain(char out[128], const char *words)
{
    size_t n = 0;
    for (const unsigned char *c = (const unsigned char *)words; *c && n < 120; c++)
        if ((*c & 0xc0) != 0x80) out[n++] = *c >= ' ' && *c <= '~' ? (char)*c : '?';
    out[n] = 0;
}

static void write_text(ink *k, float x, float y, float size, const char *words)
{
    static struct {
        float x, y, z;
        unsigned char colour[4];
    } quads[4 * 1024];
    char text[128];
    plain(text, words);
    const int n = stb_easy_font_print(0, 0, text, NULL, quads, sizeof quads);
    for (int i = 0; i < n; i++)
        rectangle(k, x + size * quads[4 * i].x, y + size * quads[4 * i].y, x + size * quads[4 * i + 2].x,
                  y + size * quads[4 * i + 2].y, text_kind, text_kind);
}

static float width_of(float size, const char *words)
{
    char text[128];
    plain(text, words);
    return size * (float)stb_easy_font_width(text);
}

otok_status otok_overlay_create(otok_overlay *out)
{
    static const char *const files[OTOK_SHADER_FILES] = {"overlay.vert", "value.glsl", "overlay.frag"};
    otok_array_create(&out->array, &out->buffer, 2, 1);
    return otok_program_create(&out->program, files);
}

void otok_overlay_destroy(otok_overlay *overlay)
{
    glDeleteProgram(overlay->program);
    glDeleteVertexArrays(1, &overlay->array);
    glDeleteBuffers(1, &overlay->buffer);
}

/* A number at its place of the bar. */
static int write_number(double v, double low, double high, char text[32], float *at)
{
    const double most = fmax(fabs(low), fabs(high)), share = high > low && high - low < INFINITY ? most / (high - low) : 1;
    const int digits = 3 + (int)fmin(fmax(ceil(log10(share)), 1), 9); /* that tell numbers of the range apart */
    snprintf(text, 32, "%.*g", digits, fabs(v) < 1e-9 * (high - low) ? 0 : v);
    *at = high > low ? (float)((v - low) / (high - low)) : 0.5f;
    return 1;
}

/* The least of 1, 2 and 5 times a power of ten that is no less. */
static double round_step(double least)
{
    const double power = pow(10, floor(log10(least))), times = least / power;
    return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

/* What stands beside the bar: its lower and upper end, and round numbers between, `room` apart at least, a share of the bar; or the
   names of equal parts, the highest first. */
static int write_labels(const char *names, double low, double high, double room, char text[MOST_LABELS][32], float at[MOST_LABELS])
{
    int n = 0;
    for (; *names && n < MOST_LABELS; n++) {
        const size_t length = strcspn(++names, "\n");
        snprintf(text[n], sizeof text[n], "%.*s", (int)length, names);
        names += length;
    }
    for (int i = 0; i < n; i++)
        at[i] = 1 - ((float)i + 0.5f) / (float)n;
    if (n) return n;
    n += write_number(low, low, high, text[n], &at[n]);
    if (!(high > low && high - low < INFINITY)) return n;
    const double least = room * (high - low), step = round_step(fmax(least, (high - low) / 7)), first = ceil((low + least) / step);
    for (int i = 0; (first + i) * step <= high - least && n < MOST_LABELS - 1; i++)
        n += write_number((first + i) * step, low, high, text[n], &at[n]);
    return n + write_number(high, low, high, text[n], &at[n]);
}

static void legend(ink *k, float width, float height, const char *words, double low, double high)
{
    const float size = fmaxf(1, floorf(height / 360)), pad = 6 * size, bar = 12 * size, tall = floorf(0.4f * height);
    const int first = (int)strcspn(words, "\n"), named = words[first] != 0;
    char text[MOST_LABELS][32], title[128];
    float at[MOST_LABELS], wide = 0;
    snprintf(title, sizeof title, "%.*s", first, words);
    const int n = write_labels(words + first, low, high, 10 * size / tall, text, at), strips = named ? n : STRIPS;
    for (int i = 0; i < n; i++)
        wide = fmaxf(wide, bar + pad + width_of(size, text[i]));
    wide = fmaxf(wide, width_of(size, title));
    const float x = width - wide - 3 * pad, y = 5 * pad;
    rectangle(k, x - pad, y - 4 * pad, x + wide + pad, y + tall + 2 * pad, panel_kind, panel_kind);
    write_text(k, x, y - 3 * pad, size, title);
    for (int i = 0; i < strips; i++) { /* the shares of tint() are not linear in colour: many short strips; a name has one colour */
        const float from = (float)i / (float)strips, to = (float)(i + 1) / (float)strips, middle = (from + to) / 2;
        rectangle(k, x, y + tall * (1 - to), x + bar, y + tall * (1 - from), named ? middle : from, named ? middle : to);
    }
    for (int i = 0; i < n; i++) {
        const float line = y + tall * (1 - at[i]);
        rectangle(k, x + bar, line - 0.5f * size, x + bar + 0.5f * pad, line + 0.5f * size, text_kind, text_kind);
        write_text(k, x + bar + pad, line - 4 * size, size, text[i]);
    }
}

static void pour(const otok_overlay *o, const ink *k, int width, int height)
{
    glNamedBufferData(o->buffer, (GLsizeiptr)((size_t)k->n * 3 * sizeof(float)), k->at, GL_STREAM_DRAW);
    glUseProgram(o->program);
    glUniform2f(0, (float)width, (float)height);
    glBindVertexArray(o->array);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDrawArrays(GL_TRIANGLES, 0, k->n);
    glDisable(GL_BLEND);
}

void otok_overlay_draw(const otok_overlay *o, int width, int height, const char *title, double low, double high)
{
    ink k = {malloc((size_t)18 * MOST_QUADS * sizeof(float)), 0};
    if (!k.at) return;
    legend(&k, (float)width, (float)height, title, low, high);
    pour(o, &k, width, height);
    free(k.at);
}

void otok_overlay_words(const otok_overlay *o, int width, int height, double x, double y, const char *text)
{
    enum { LEADING = 13, COLUMN = 84 };
    ink k = {malloc((size_t)18 * MOST_QUADS * sizeof(float)), 0};
    const float size = fmaxf(1, floorf((float)height / 360)), pad = 6 * size;
    float wide = 0, tall = 0;
    char line[128];
    if (!k.at) return;
    for (int pass = 0; pass < 2; pass++) { /* the size of the panel, then what is on it */
        const float left = (float)x, top = (float)y < 0 ? (float)height + (float)y - tall - 2 * pad : (float)y;
        if (pass) rectangle(&k, left, top, left + wide + 2 * pad, top + tall + 2 * pad, panel_kind, panel_kind);
        float aside = 0;
        tall = 0;
        for (const char *at = text; *at;) {
            const size_t n = strcspn(at, "\t\n");
            snprintf(line, sizeof line, "%.*s", (int)n, at);
            if (pass) write_text(&k, left + pad + aside, top + pad + tall, size, line);
            wide = fmaxf(wide, aside + width_of(size, line));
            aside = at[n] == '\t' ? COLUMN * size : 0;
            at += n + (at[n] != 0);
            if (!aside) tall += LEADING * size;
        }
    }
    pour(o, &k, width, height);
    free(k.at);
}
