/* view_words.c - claim: words on pictures take any bytes, such as those of a file's name: a letter
   that the font lacks is drawn as a question mark. */
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

int main(void)
{
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
    otok_overlay_destroy(&overlay);
    otok_canvas_destroy(canvas);
    otok_gl_destroy(gl);
    return check_failures != 0;
}
