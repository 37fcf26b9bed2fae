/* view_words.c - claim: words on pictures take any bytes, such as those of a file's name: a letter that the font lacks is drawn as
   a question mark. */
#include "check.h"

#ifdef OTOK_WITH_VIZ
#include "viz/gl.h"
#include "viz/overlay.h"

#ifdef __SANITIZE_ADDRESS__
/* Drivers keep memory to the end. */
const char *__lsan_default_options(void);
const char *__lsan_default_options(void)
{
    return "detect_leaks=0";
}
#endif

enum { WIDTH = 160, HEIGHT = 24, BYTES = 3 * WIDTH * HEIGHT };

static void draw(const otok_overlay *o, const otok_canvas *c, const char *words, unsigned char rgb[BYTES])
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
    otok_gl *gl;
    otok_canvas *canvas;
    otok_overlay overlay;
    if (otok_gl_create(&gl) != OTOK_OK) {
        printf("skipped: %s\n", otok_why());
        return 77;
    }
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

#else

int main(void)
{
    printf("skipped: this build draws no views\n");
    return 77;
}

#endif
