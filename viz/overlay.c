/* overlay.c: draws rectangles and letters, in pixels. The letters of stb_easy_font are drawn as
   small rectangles. */
#include "overlay.h"
#include "font.h"
#include "patches.h"
#include "shader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stb/stb_easy_font.h>

enum { MOST_QUADS = 4096, STRIPS = 64, MOST_LABELS = 16, FLOATS = 5, LETTERS_UNIT = 30 };
static const float paper_kind = -4, letter_kind = -3, text_kind = -2, panel_kind = -1;

/* What is drawn in one call, in letters of one size. */
typedef struct otok_ink {
    float *at; /* x, y, kind, and of a letter its corner in the atlas */
    int n;     /* vertices */
    float
        size; /* of a stroke of the simple letters, and of margins: a twelfth of a line [pixels] */
    const otok_font *font;
    int wide, tall; /* of the atlas */
} ink;

/* Lines have a 50th of the height of the picture. The simple letters have whole pixels. */
static ink ink_of(float least, int height)
{
    const int pixels = (int)fmaxf(fmaxf(11, least), roundf((float)height / 50));
    ink k = {.font = otok_font_of(pixels)};
    k.size = k.font ? (float)pixels / 12 : fmaxf(1, floorf((float)height / 360));
    if (k.font) otok_font_atlas(k.font, &k.wide, &k.tall);
    return k;
}

static int begin_ink(ink *k, const otok_overlay *o, int height)
{
    *k = ink_of(o->least, height);
    k->at = malloc((size_t)6 * FLOATS * MOST_QUADS * sizeof(float));
    return k->at != NULL;
}

static void add_corner(ink *k, float x, float y, float kind, float u, float v)
{
    float *p = k->at + (size_t)FLOATS * (size_t)k->n++;
    p[0] = x, p[1] = y, p[2] = kind, p[3] = u, p[4] = v;
}

static void add_rectangle(ink *k, float x0, float y0, float x1, float y1, float bottom, float top)
{
    if (k->n + 6 > 6 * MOST_QUADS) return;
    add_corner(k, x0, y0, top, 0, 0), add_corner(k, x1, y0, top, 0, 0),
        add_corner(k, x1, y1, bottom, 0, 0);
    add_corner(k, x0, y0, top, 0, 0), add_corner(k, x1, y1, bottom, 0, 0),
        add_corner(k, x0, y1, bottom, 0, 0);
}

static void write_letters(ink *k, float x, float y, const char *words)
{
    otok_glyph glyphs[OTOK_FONT_LETTERS];
    const int n = otok_font_line(k->font, x, y, words, glyphs);
    for (int i = 0; i < n && k->n + 6 <= 6 * MOST_QUADS; i++) {
        const otok_glyph *g = &glyphs[i];
        const float u0 = (float)g->u0 / (float)k->wide, v0 = (float)g->v0 / (float)k->tall;
        const float u1 = (float)g->u1 / (float)k->wide, v1 = (float)g->v1 / (float)k->tall;
        add_corner(k, g->x0, g->y0, letter_kind, u0, v0),
            add_corner(k, g->x1, g->y0, letter_kind, u1, v0);
        add_corner(k, g->x1, g->y1, letter_kind, u1, v1),
            add_corner(k, g->x0, g->y0, letter_kind, u0, v0);
        add_corner(k, g->x1, g->y1, letter_kind, u1, v1),
            add_corner(k, g->x0, g->y1, letter_kind, u0, v1);
    }
}

/* A line whose letters without tails are about 8 sizes high, from y on down. */
static void write_text(ink *k, float x, float y, const char *words)
{
    static struct {
        float x, y, z;
        unsigned char colour[4];
    } quads[4 * 1024];
    char text[OTOK_FONT_LETTERS + 1];
    if (k->font) {
        write_letters(k, x, y - 2 * k->size, words);
        return;
    }
    otok_font_plain(text, words);
    const int n = stb_easy_font_print(0, 0, text, NULL, quads, sizeof quads);
    for (int i = 0; i < n; i++)
        add_rectangle(k, x + k->size * quads[4 * i].x, y + k->size * quads[4 * i].y,
                      x + k->size * quads[4 * i + 2].x, y + k->size * quads[4 * i + 2].y, text_kind,
                      text_kind);
}

static float text_width(const ink *k, const char *words)
{
    char text[OTOK_FONT_LETTERS + 1];
    if (k->font) return otok_font_width(k->font, words);
    otok_font_plain(text, words);
    return k->size * (float)stb_easy_font_width(text);
}

otok_status otok_overlay_create(otok_overlay *out)
{
    *out = (otok_overlay){0};
    otok_array_create(&out->array, &out->buffer, 2, 3);
    glCreateTextures(GL_TEXTURE_2D, 1, &out->letters);
    glTextureParameteri(out->letters, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTextureParameteri(out->letters, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return otok_program_create(
        &out->program, OTOK_FILES("overlay.vert", "value.glsl", "overlay.frag"), OTOK_FAST_ASKED);
}

void otok_overlay_destroy(otok_overlay *overlay)
{
    glDeleteProgram(overlay->program);
    glDeleteTextures(1, &overlay->letters);
    glDeleteVertexArrays(1, &overlay->array);
    glDeleteBuffers(1, &overlay->buffer);
}

/* A number, or ten to it, at its place of the bar. */
static int write_number(double v, double low, double high, int is_log, char text[32], float *at)
{
    const double most = fmax(fabs(low), fabs(high)),
                 share = high > low && high - low < INFINITY ? most / (high - low) : 1;
    const int digits =
        3 + (int)fmin(fmax(ceil(log10(share)), 1), 9); /* that tell numbers of the range apart */
    const double shown = fabs(v) < 1e-9 * (high - low) ? 0 : v;
    snprintf(text, 32, "%.*g", is_log ? 3 : digits, is_log ? pow(10, shown) : shown);
    *at = high > low ? (float)((v - low) / (high - low)) : 0.5f;
    return 1;
}

/* The least of 1, 2 and 5 times a power of ten that is no less. */
static double round_step(double least)
{
    const double power = pow(10, floor(log10(least))), times = least / power;
    return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

/* The labels of the bar: its lower and upper end, and round numbers between that are at least
   `room`, a share of the bar, apart; or the names of equal parts, the highest first. */
static int write_labels(const char *names, const otok_legend *l, double room,
                        char text[MOST_LABELS][32], float at[MOST_LABELS])
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
    const double low = l->is_log ? log10(l->low) : l->low,
                 high = l->is_log ? log10(l->high) : l->high;
    n += write_number(low, low, high, l->is_log, text[n], &at[n]);
    if (!(high > low && high - low < INFINITY)) return n;
    const double least = room * (high - low), part = fmax(least, (high - low) / 7),
                 step = round_step(l->is_log ? fmax(part, 1) : part),
                 first = ceil((low + least) / step);
    for (int i = 0; (first + i) * step <= high - least && n < MOST_LABELS - 1; i++)
        n += write_number((first + i) * step, low, high, l->is_log, text[n], &at[n]);
    return n + write_number(high, low, high, l->is_log, text[n], &at[n]);
}

/* The arrow of values beyond an end of the bar, from x on; its tip is at `tip`. */
static void add_arrow(ink *k, float x, float wide, float base, float tip, float share)
{
    if (k->n + 3 > 6 * MOST_QUADS) return;
    add_corner(k, x, base, share, 0, 0), add_corner(k, x + wide, base, share, 0, 0);
    add_corner(k, x + 0.5f * wide, tip, share, 0, 0);
}

/* The title: a line for the name, and one for the unit if both are long. */
static float write_title(ink *k, float x, float y, const char *words, int first)
{
    char title[128];
    snprintf(title, sizeof title, "%.*s", first, words);
    char *unit = strrchr(title, '[');
    const int breaks = unit && unit > title && first > 16;
    if (breaks) unit[-1] = 0;
    if (y >= 0) write_text(k, x, breaks ? y - 13 * k->size : y, title);
    if (y >= 0 && breaks) write_text(k, x, y, unit);
    const float wide = text_width(k, title);
    return breaks ? fmaxf(wide, text_width(k, unit)) : wide;
}

static void add_legend(ink *k, float width, float height, const otok_legend *l)
{
    const float size = k->size, pad = 6 * size, bar = 12 * size, tall = floorf(0.4f * height);
    const int first = (int)strcspn(l->words, "\n"), named = l->words[first] != 0;
    char text[MOST_LABELS][32];
    float at[MOST_LABELS], wide = 0;
    const int n = write_labels(l->words + first, l, 14 * size / tall, text, at),
              strips = named ? n : STRIPS, below = !named && (l->beyond & 1),
              above = !named && (l->beyond & 2);
    for (int i = 0; i < n; i++)
        wide = fmaxf(wide, bar + pad + text_width(k, text[i]));
    wide = fmaxf(wide, write_title(k, 0, -1, l->words, first));
    const float x = width - wide - 3 * pad, y = 9 * pad;
    if (l->paper)
        add_rectangle(k, fminf(x - 2 * pad, width - (float)l->paper), 0, width, height, paper_kind,
                      paper_kind);
    else if (!l->is_paper)
        add_rectangle(k, x - pad, y - 8 * pad, x + wide + pad, y + tall + 4 * pad, panel_kind,
                      panel_kind);
    write_title(k, x, y - 5 * pad, l->words, first);
    if (above) add_arrow(k, x, bar, y, y - bar, 1);
    if (below) add_arrow(k, x, bar, y + tall, y + tall + bar, 0);
    for (int i = 0; i < strips; i++) { /* the shares of tint() are not linear in colour: many short
                                          strips; a name has one colour */
        const float from = (float)i / (float)strips, to = (float)(i + 1) / (float)strips,
                    middle = (from + to) / 2;
        add_rectangle(k, x, y + tall * (1 - to), x + bar, y + tall * (1 - from),
                      named ? middle : from, named ? middle : to);
    }
    for (int i = 0; i < n; i++) {
        const float line = y + tall * (1 - at[i]);
        add_rectangle(k, x + bar, line - 0.5f * size, x + bar + 0.5f * pad, line + 0.5f * size,
                      text_kind, text_kind);
        write_text(k, x + bar + pad, line - 4 * size, text[i]);
    }
}

int otok_overlay_width(float least, int height, const char *words)
{
    ink k = ink_of(least, height);
    const int first = (int)strcspn(words, "\n");
    float wide = write_title(&k, 0, -1, words, first);
    char name[128];
    for (const char *at = words + first; *at; at += strcspn(at, "\n")) {
        at++;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "\n"), at);
        wide = fmaxf(wide, 18 * k.size + text_width(&k, name));
    }
    if (!words[first]) wide = fmaxf(wide, 18 * k.size + text_width(&k, "-0.00025"));
    return (int)ceilf(wide + 30 * k.size);
}

static void draw_ink(const otok_overlay *o, const ink *k, int width, int height)
{
    glNamedBufferData(o->buffer, (GLsizeiptr)((size_t)k->n * FLOATS * sizeof(float)), k->at,
                      GL_STREAM_DRAW);
    if (k->font) {
        int wide, tall;
        const unsigned char *atlas = otok_font_atlas(k->font, &wide, &tall);
        glActiveTexture(GL_TEXTURE0 + LETTERS_UNIT);
        glBindTexture(GL_TEXTURE_2D, o->letters);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, wide, tall, 0, GL_RED, GL_UNSIGNED_BYTE, atlas);
        glActiveTexture(GL_TEXTURE0);
    }
    glUseProgram(o->program);
    glUniform2f(0, (float)width, (float)height);
    glBindVertexArray(o->array);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDrawArrays(GL_TRIANGLES, 0, k->n);
    glDisable(GL_BLEND);
}

void otok_overlay_draw(const otok_overlay *o, int width, int height, const otok_legend *legend)
{
    ink k;
    if (!begin_ink(&k, o, height)) return;
    add_legend(&k, (float)width, (float)height, legend);
    draw_ink(o, &k, width, height);
    free(k.at);
}

void otok_overlay_wrap(const otok_overlay *o, int height, double room, char *text, size_t size)
{
    const ink k = ink_of(o->least, height);
    char line[128];
    size_t used = strlen(text), from = 0, at = 0; /* at: where the line may break */
    for (size_t i = 0; i < used; i++) {
        const int ends = text[i + 1] == 0 || strchr(" /\n", text[i + 1]) != NULL;
        snprintf(line, sizeof line, "%.*s", (int)(i + 1 - from), text + from);
        const int is_wide = i + 1 - from >= sizeof line ||
                            (double)text_width(&k, line) + 12 * (double)k.size > room;
        if (ends && at > from && is_wide) {
            if (text[at] != ' ') {
                if (used + 1 >= size) return;
                memmove(text + at + 1, text + at, used++ + 1 - at);
            }
            text[at] = '\n', from = at + 1;
        }
        if (text[i] == '\n') from = i + 1;
        if (text[i + 1] == ' ') at = i + 1;
        if (text[i] == '/') at = i + 1;
    }
}

void otok_overlay_words(const otok_overlay *o, int width, int height, double x, double y,
                        const char *text)
{
    enum { LEADING = 13, LETTER = 9, COLUMN = 96 }; /* LETTER: with half of a tail */
    ink k;
    char line[128];
    if (!begin_ink(&k, o, height)) return;
    const float size = k.size, pad = 6 * size;
    float wide = 0, tall = 0;
    for (int pass = 0; pass < 2; pass++) { /* the size of the panel, then what is on it */
        const float left = (float)x,
                    top = (float)y < 0 ? (float)height + (float)y - tall - 2 * pad : (float)y;
        if (pass)
            add_rectangle(&k, left, top, left + wide + 2 * pad, top + tall + 2 * pad, panel_kind,
                          panel_kind);
        float aside = 0;
        tall = 0;
        for (const char *at = text; *at;) {
            const size_t n = strcspn(at, "\t\n");
            snprintf(line, sizeof line, "%.*s", (int)n, at);
            if (pass) write_text(&k, left + pad + aside, top + pad + tall, line);
            wide = fmaxf(wide, aside + text_width(&k, line));
            aside = at[n] == '\t' ? COLUMN * size : 0;
            at += n + (at[n] != 0);
            if (!aside) tall += LEADING * size;
        }
        tall -= (LEADING - LETTER) * size; /* nothing is below the last line */
    }
    draw_ink(o, &k, width, height);
    free(k.at);
}

otok_ink *otok_ink_begin(const otok_overlay *o, int height)
{
    ink *k = malloc(sizeof *k);
    if (k && begin_ink(k, o, height)) return k;
    free(k);
    return NULL;
}

float otok_ink_size(const otok_ink *k)
{
    return k->size;
}

void otok_ink_box(otok_ink *k, int kind, double x0, double y0, double x1, double y1)
{
    add_rectangle(k, (float)x0, (float)y0, (float)x1, (float)y1, (float)kind, (float)kind);
}

void otok_ink_triangle(otok_ink *k, int kind, const double p[3][2])
{
    if (k->n + 3 > 6 * MOST_QUADS) return;
    for (int i = 0; i < 3; i++)
        add_corner(k, (float)p[i][0], (float)p[i][1], (float)kind, 0, 0);
}

void otok_ink_words(otok_ink *k, double x, double y, const char *words)
{
    write_text(k, (float)x, (float)y, words);
}

double otok_ink_width(const otok_ink *k, const char *words)
{
    return (double)text_width(k, words);
}

void otok_ink_draw(const otok_overlay *o, otok_ink *k, int width, int height)
{
    draw_ink(o, k, width, height);
    free(k->at);
    free(k);
}
