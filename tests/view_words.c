/* view_words.c - claim: words on pictures take any bytes, such as those of a file's name: a letter
   that the font lacks is drawn as a question mark; they are larger where pixels are smaller; and
   they stand in the middle of their panel's height. CHECK_ONCE */
#include "drawing.h"
#include "viz/overlay.h"

enum { WIDTH = 160, HEIGHT = 24, BYTES = 3 * WIDTH * HEIGHT };

static void draw(const otok_overlay *o, const otok_canvas *c, const char *words,
                 unsigned char rgb[BYTES])
{
    otok_canvas_bind(c);
    glViewport(0, 0, WIDTH, HEIGHT);
    glClear(GL_COLOR_BUFFER_BIT);
    otok_overlay_words(o, WIDTH, HEIGHT, 0, 0, words);
    otok_canvas_read(c, rgb);
}

/* Columns of the middle row that the panel covers. */
static int width_of(const unsigned char rgb[BYTES])
{
    int n = 0;
    for (int i = 0; i < WIDTH; i++)
        n += rgb[(HEIGHT / 2 * WIDTH + i) * 3] > 0;
    return n;
}

/* Pale rows above the letters and below them. */
static void margins(const unsigned char rgb[BYTES], int *above, int *below)
{
    int first = HEIGHT, last = -1, end = -1;
    for (int j = 0; j < HEIGHT; j++) {
        int darkest = 255;
        for (int i = 0; i < width_of(rgb); i++)
            darkest = rgb[(j * WIDTH + i) * 3] < darkest ? rgb[(j * WIDTH + i) * 3] : darkest;
        if (darkest > 0) end = j;
        if (darkest == 0 || darkest > 150) continue;
        first = j < first ? j : first;
        last = j;
    }
    *above = first, *below = end - last;
}

/* A message is broken into lines that fit, and nothing of it is lost. */
static void check_wrap(const otok_overlay *o, const otok_canvas *c)
{
    static const char said[] = "saved /made/by/somebody/in/island_00000686.vtkhdf";
    static unsigned char rgb[BYTES];
    char text[100], line[100], *out = line;
    int lines = 0;
    snprintf(text, sizeof text, "%s", said);
    otok_overlay_wrap(o, HEIGHT, 1000, text, sizeof text);
    CHECK(strcmp(text, said) == 0, "broken without need: %s", text);
    otok_overlay_wrap(o, HEIGHT, 145, text, sizeof text);
    for (const char *at = text, *s = said; *s; lines++) {
        for (out = line; *at && *at != '\n'; s++)
            CHECK((*out++ = *at++) == *s, "%s: lost before %s", text, s);
        *out = 0;
        s += *s == ' ';
        at += *at == '\n';
        draw(o, c, line, rgb);
        CHECK(width_of(rgb) <= 145, "%s: %d pixels", line, width_of(rgb));
    }
    CHECK(lines > 1, "%s: %d lines", text, lines);
}

int main(void)
{
    int above, below;
    static unsigned char one[BYTES], other[BYTES];
    otok_gl *gl = drawing_begin();
    otok_canvas *canvas;
    otok_overlay overlay;
    MUST(otok_canvas_create(&canvas, WIDTH, HEIGHT));
    MUST(otok_overlay_create(&overlay));
    draw(&overlay, canvas, "saved jo?e/a??.png", one);
    draw(&overlay, canvas,
         "saved jo\xc5\xbe"
         "e/a\x7f\xff.png",
         other);
    CHECK(memcmp(one, other, BYTES) == 0, "letters that the font lacks are no question marks");
    draw(&overlay, canvas, "saved joze/a.png", other);
    CHECK(memcmp(one, other, BYTES) != 0, "no words were drawn");
    draw(&overlay, canvas, "I", one);
    margins(one, &above, &below);
    CHECK(above > 2 && abs(above - below) <= 2, "%d rows above the letters, %d below them", above,
          below);
    check_wrap(&overlay, canvas);
    overlay.least = 22; /* the screen's pixels are half as wide */
    draw(&overlay, canvas, "I", other);
    CHECK(width_of(other) > 1.4 * width_of(one), "words are %d pixels wide, on small pixels %d",
          width_of(one), width_of(other));
    otok_overlay_destroy(&overlay);
    otok_canvas_destroy(canvas);
    otok_gl_destroy(gl);
    return check_failures != 0;
}
