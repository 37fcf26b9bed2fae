/* overlay.h: the legend of a style that shows values: a bar in its colours with numbers, name and
 * unit. */
#ifndef OTOK_OVERLAY_H
#define OTOK_OVERLAY_H

#include "../src/core/status.h"

#include <epoxy/gl.h>

typedef struct otok_overlay {
    GLuint program, array, buffer, letters;
    float least; /* pixels from line to line at least, where the screen's are small; 0: 11 */
} otok_overlay;

otok_status otok_overlay_create(otok_overlay *out);
void otok_overlay_destroy(otok_overlay *overlay);

typedef struct otok_legend {
    const char *words; /* as the legend of otok_scene_draw */
    double low, high;
    int is_log;   /* the bar is even in the logarithm, and has powers of ten */
    int beyond;   /* bits: an arrow below, an arrow above, for values beyond the colours */
    int is_paper; /* it has paper for itself, and needs no panel */
    int paper;    /* draws so many pixels of paper at the right edge, or what the words need */
} otok_legend;

/* Draws the legend over the right edge of the picture, with `high` at the top. */
void otok_overlay_draw(const otok_overlay *overlay, int width, int height,
                       const otok_legend *legend);

/* How wide it is at most, with its margins, in a picture of this height [pixels]; least: as above,
   and 0 in files. */
int otok_overlay_width(float least, int height, const char *words);

/* Shapes and words that are drawn in one call, in pixels from the upper left corner. begin: 0: no
   memory. draw frees it. A line of words is 12 sizes high. */
enum {
    OTOK_INK_PANEL = -1,
    OTOK_INK_DARK = -2,
    OTOK_INK_PAPER = -4,
    OTOK_INK_GROUND = -5,
    OTOK_INK_WATER = -6,
    OTOK_INK_SEA = -7
};
typedef struct otok_ink otok_ink;
otok_ink *otok_ink_begin(const otok_overlay *overlay, int height);
float otok_ink_size(const otok_ink *ink);
void otok_ink_box(otok_ink *ink, int kind, double x0, double y0, double x1, double y1);
void otok_ink_triangle(otok_ink *ink, int kind, const double corners[3][2]);
void otok_ink_words(otok_ink *ink, double x, double y, const char *words);
double otok_ink_width(const otok_ink *ink, const char *words);
void otok_ink_draw(const otok_overlay *overlay, otok_ink *ink, int width, int height);

/* Draws lines of text on a panel whose upper left corner is at x, y pixels from that of the
   picture. If y is below 0, the lower edge of the panel is so far from that of the picture. */
void otok_overlay_words(const otok_overlay *overlay, int width, int height, double x, double y,
                        const char *text);

/* Breaks lines of text that are wider than `room` pixels: at spaces, else after a slash. size: that
   of the text's memory. What cannot be broken stays. */
void otok_overlay_wrap(const otok_overlay *overlay, int height, double room, char *text,
                       size_t size);

#endif
