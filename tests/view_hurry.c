/* view_hurry.c - claim: pictures of a simulation that runs may have the light of some pictures ago,
   but the one in which it stands has its own, as a picture that is saved always has, though nothing
   else changed. CHECK_ONCE */
#include "viewing.h"

enum { W = 160, H = 120, BYTES = 3 * W * H };

static viewing v;
static unsigned char shown[BYTES], exact[BYTES];

/* Bytes of the picture that is shown that differ from the picture of its state. */
static int differing_bytes(void)
{
    int n = 0;
    otok_canvas_read(v.frame.scene, shown);
    viewing_read(&v, exact);
    for (int i = 0; i < BYTES; i++)
        n += shown[i] != exact[i];
    return n;
}

/* Frames until so many other states were shown. */
static void show_states(int states)
{
    const int64_t until = v.live.shows + states;
    do {
        otok_live_frame_begin(&v.live);
        MUST(otok_view_frame_draw(&v.frame, &v.live));
        if (v.live.shows < until) otok_live_frame_end(&v.live);
    } while (v.live.shows < until);
}

int main(void)
{
    viewing_begin(
        &v,
        "otok: 1\ngrid: {nx: 64, ny: 64}\nbase:\n  - cone: {height: 60, radius: 20, power: 3}\n"
        "phases:\n  - {name: a, iterations: 100000, thermal: {dt: 0.2, talus: 10}}\n",
        20, W, H);
    v.live.shot.sun_elevation = 12;
    MUST(otok_live_begin(&v.live, W, H));
    v.live.running = 1;
    show_states(3);
    CHECK(v.frame.hurried, "a running simulation is drawn as slowly as one at rest");
    const int old = differing_bytes();
    CHECK(old > 100, "%d bytes differ: its light is new", old);
    show_states(3);
    CHECK(v.frame.hurried && v.live.rests, "no rest");
    v.live.running = 0;
    otok_live_frame_begin(&v.live);
    MUST(otok_view_frame_draw(&v.frame, &v.live));
    CHECK(!v.frame.hurried, "still in a hurry");
    const int rests = differing_bytes();
    CHECK(rests == 0, "at rest %d bytes differ from the picture of the state", rests);
    return viewing_end(&v);
}
