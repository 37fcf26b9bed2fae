/* view_hurry.c - claim: pictures of a simulation that runs may have the light of some pictures ago,
   but the one in which it stands has its own, as a picture that is saved always has, though nothing
   else changed. */
#include "drawing.h"
#include "scene.h"
#include "viz/frame.h"

enum { W = 160, H = 120, BYTES = 3 * W * H };

static otok_live live;
static otok_view_frame frame;
static otok_canvas *canvas;
static unsigned char shown[BYTES], exact[BYTES];

/* Bytes of the picture that is shown that differ from the picture of its state. */
static int differing_bytes(void)
{
    int n = 0;
    otok_canvas_read(frame.scene, shown);
    otok_view_frame_draw_onto(&live, canvas);
    otok_canvas_read(canvas, exact);
    for (int i = 0; i < BYTES; i++)
        n += shown[i] != exact[i];
    return n;
}

/* Frames until so many other states were shown. */
static void show_states(int states)
{
    const int64_t until = live.shows + states;
    do {
        otok_live_frame_begin(&live);
        MUST(otok_view_frame_draw(&frame, &live));
        if (live.shows < until) otok_live_frame_end(&live);
    } while (live.shows < until);
}

int main(void)
{
    otok_gl *gl = drawing_begin();
    otok_scenario *s = scene(
        "otok: 1\ngrid: {nx: 64, ny: 64}\nbase:\n  - cone: {height: 60, radius: 20, power: 3}\n"
        "phases:\n  - {name: a, iterations: 100000, thermal: {dt: 0.2, talus: 10}}\n");
    otok_live_defaults(&live);
    live.scenario = s;
    live.backend = "cpu";
    live.slice_exact = 20;
    live.shot.sun_elevation = 12;
    MUST(otok_view_frame_create(&frame, ""));
    MUST(otok_view_frame_fit(&frame, W, H));
    MUST(otok_canvas_create(&canvas, W, H));
    MUST(otok_live_begin(&live, W, H));
    live.running = 1;
    show_states(3);
    CHECK(frame.hurried, "a running simulation is drawn as slowly as one at rest");
    const int old = differing_bytes();
    CHECK(old > 100, "%d bytes differ: its light is new", old);
    show_states(3);
    CHECK(frame.hurried && live.rests, "no rest");
    live.running = 0;
    otok_live_frame_begin(&live);
    MUST(otok_view_frame_draw(&frame, &live));
    CHECK(!frame.hurried, "still in a hurry");
    const int rests = differing_bytes();
    CHECK(rests == 0, "at rest %d bytes differ from the picture of the state", rests);
    otok_live_end(&live);
    otok_scenario_destroy(s);
    otok_canvas_destroy(canvas);
    otok_view_frame_destroy(&frame);
    otok_gl_destroy(gl);
    return check_failures != 0;
}
