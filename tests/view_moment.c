/* view_moment.c - claim: waves move in a live view while states follow each other, by no more than
   a tenth of a second from one to the next; at rest, and in a file, the picture is that of its
   state alone. */
#include "drawing.h"
#include "scene.h"
#include "viz/frame.h"

enum { W = 96, H = 64, BYTES = 3 * W * H, STATES = 4 };

static otok_live live;
static otok_view_frame frame;
static otok_canvas *canvas;
static unsigned char saved[2][BYTES], seen[BYTES], later[BYTES];
static int nsaved;

static otok_status keep(const char *path, int width, int height, unsigned char *rgb)
{
    (void)path;
    if (width * height * 3 == BYTES && nsaved < 2) memcpy(saved[nsaved++], rgb, BYTES);
    return OTOK_OK;
}

static void read_picture(unsigned char *out)
{
    otok_view_frame_draw_onto(&live, canvas);
    otok_canvas_read(canvas, out);
}

int main(void)
{
    otok_gl *gl = drawing_begin();
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: 64, ny: 64}\nsea: {level: 8}\nbase:\n"
              "  - cone: {height: 20, radius: 20, power: 1}\n"
              "phases:\n  - {name: a, iterations: 100000, thermal: {dt: 0.2, talus: 80}}\n");
    otok_live_defaults(&live);
    live.scenario = s;
    live.backend = "cpu";
    live.slice_exact = 1;
    live.write_picture = keep;
    MUST(otok_view_frame_create(&frame, ""));
    MUST(otok_view_frame_fit(&frame, W, H));
    MUST(otok_canvas_create(&canvas, W, H));
    MUST(otok_live_begin(&live, W, H));
    otok_live_frame_begin(&live);
    const double first = live.shot.moment;
    read_picture(seen);
    MUST(otok_view_frame_save(&frame, &live, "a.png"));
    live.running = 1;
    for (int64_t until = live.shows + STATES; live.shows < until;) {
        otok_live_frame_end(&live);
        otok_live_frame_begin(&live);
    }
    live.running = 0;
    const double moment = live.shot.moment;
    CHECK(moment > first && moment <= first + 0.1 * STATES + 1e-9, "%g s after %g in %d states",
          moment, first, STATES);
    live.shot.moment =
        first + 2; /* states may follow each other faster than a wave moves a pixel */
    read_picture(later);
    CHECK(memcmp(seen, later, BYTES) != 0, "two seconds later the sea is the same");
    live.shot.moment = moment;
    otok_live_frame_begin(&live);
    CHECK(live.shot.moment == 0, "at rest waves have run for %g s", live.shot.moment);
    read_picture(later);
    CHECK(memcmp(seen, later, BYTES) == 0, "at rest the picture is not that of its state");
    live.running = 1;
    otok_live_frame_begin(&live);
    CHECK(live.shot.moment >= moment, "waves jump back to %g s", live.shot.moment);
    live.running = 0;
    otok_live_frame_begin(&live);
    MUST(otok_view_frame_save(&frame, &live, "b.png"));
    CHECK(nsaved == 2 && memcmp(saved[0], saved[1], BYTES) == 0,
          "the ground is the same, but the saved picture is not");
    otok_live_end(&live);
    otok_scenario_destroy(s);
    otok_canvas_destroy(canvas);
    otok_view_frame_destroy(&frame);
    otok_gl_destroy(gl);
    return check_failures != 0;
}
