/* font.h: letters of DejaVu Sans, drawn by stb_truetype. The font is a file of the system. Without
   it otok_font_of returns NULL, and callers have letters of their own. */
#ifndef OTOK_FONT_H
#define OTOK_FONT_H

typedef struct otok_font otok_font;

/* A letter: its rectangle in pixels, y down, and in the atlas. */
typedef struct otok_glyph {
    float x0, y0, x1, y1;
    int u0, v0, u1, v1;
} otok_glyph;

/* The file of the font; NULL: there is none. */
const char *otok_font_file(void);

/* Letters with so many pixels from line to line. They stay until the program ends. Only one thread
   may call this. */
const otok_font *otok_font_of(int pixels);

/* Their atlas, a byte a pixel. */
const unsigned char *otok_font_atlas(const otok_font *font, int *width, int *height);

enum { OTOK_FONT_LETTERS = 120 };

/* Lays out the letters of a line whose upper left corner is at x, y, and returns how many there
   are. The font has the letters of ASCII. Any other letter, whatever its bytes, becomes a question
   mark. */
int otok_font_line(const otok_font *font, float x, float y, const char *text,
                   otok_glyph out[OTOK_FONT_LETTERS]);
float otok_font_width(const otok_font *font, const char *text);

/* Copies the letters of ASCII alone, at most OTOK_FONT_LETTERS of them. */
void otok_font_plain(char out[OTOK_FONT_LETTERS + 1], const char *text);

/* Covers a share of 255 of a pixel. */
void otok_font_blend(unsigned char *pixel, const unsigned char ink[3], int share);

/* Draws a line into a picture of sRGB bytes, row 0 at the top. `ink` covers what is there. */
void otok_font_print(const otok_font *font, unsigned char *rgb, int width, int height, float x,
                     float y, const unsigned char ink[3], const char *text);

#endif
