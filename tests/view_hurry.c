/* view_hurry.c - claim: pictures of a simulation that runs may have the light of some pictures ago,
   but the one in which it stands has its own, as a picture that is saved always has, though nothing
   else changed; and so has a recorded state, also the shelter of its sea. CHECK_ONCE */
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

/* A lagoon, then a deep sea with an islet. Bytes of the second fast picture that differ from those
   of a picture without hurry. */
static int left_of_a_lagoon(int hurry)
{
    enum { SIDE = 64 };
    static float lagoon[SIDE * SIDE], deep[SIDE * SIDE];
    const otok_grid grid = {.nx = SIDE, .ny = SIDE, .spacing = 20};
    otok_scene *s;
    otok_shot shot;
    int n = 0;
    MUST(otok_scene_create(&s, grid, OTOK_SHADING_BEST));
    otok_shot_defaults(&shot);
    shot.camera = (otok_camera){
        .target = {640, 640, 0}, .azimuth = 200, .elevation = 40, .distance = 2500, .angle = 32};
    shot.style = OTOK_STYLE_ISLAND, shot.sea_level = 0, shot.fast = 2, shot.clouds = 0;
    for (int c = 0; c < SIDE * SIDE; c++) {
        const double r = hypot(c % SIDE - 31.5, c / SIDE - 31.5);
        lagoon[c] = r < 20 ? -8 : r < 24 ? 3 : -60;
        deep[c] = r < 3 ? 5 : -60;
    }
    shot.hurry = 8;
    otok_scene_upload(s, OTOK_SLOT_TERRAIN, lagoon);
    otok_scene_draw(s, v.canvas, &shot, NULL);
    for (int k = 0; k < 2; k++) {
        shot.hurry = k ? 0 : hurry;
        otok_scene_upload(s, OTOK_SLOT_TERRAIN, deep);
        otok_scene_draw(s, v.canvas, &shot, NULL);
        otok_canvas_read(v.canvas, k ? exact : shown);
    }
    for (int i = 0; i < BYTES; i++)
        n += shown[i] != exact[i];
    otok_scene_destroy(s);
    return n;
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
    const int stale = left_of_a_lagoon(8), recorded = left_of_a_lagoon(1);
    CHECK(stale > 100, "%d bytes differ in a hurry: this lagoon shows nothing", stale);
    CHECK(recorded == 0, "a recorded state: %d bytes are those of the one before", recorded);
    return viewing_end(&v);
}
