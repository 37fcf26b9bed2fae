/* view_style.c - claim: a style that is chosen while the simulation runs is shown with its own
   values, from the next rest on, not before with those of the style before. CHECK_ONCE */
#include "drawing.h"
#include "scene.h"
#include "viz/frame.h"

enum { W = 96, H = 60 };

static otok_live live;
static otok_view_frame frame;
static unsigned char before[W * H * 3], now[W * H * 3];

static void draw(unsigned char *rgb)
{
    MUST(otok_view_frame_draw(&frame, &live));
    otok_canvas_read(frame.sheet, rgb);
}

int main(void)
{
    otok_gl *gl = drawing_begin();
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: 16, ny: 16}\nbase:\n  - cone: {height: 9, radius: 20}\n"
              "phases:\n  - {name: a, iterations: 900, rain: {rate: 0.1}, hydraulic: {}}\n");
    otok_live_defaults(&live);
    live.scenario = s;
    live.backend = "cpu";
    live.shot.style = OTOK_STYLE_PHONG;
    MUST(otok_view_frame_create(&frame, ""));
    MUST(otok_view_frame_fit(&frame, W, H));
    MUST(otok_live_begin(&live, W, H));
    live.steps = 1;
    otok_live_frame_begin(&live);
    otok_live_frame_end(&live);
    CHECK(!live.rests, "it does not run: %s", live.message);
    draw(before);
    live.shot.style = OTOK_STYLE_FIELD;
    draw(now);
    CHECK(memcmp(before, now, sizeof now) == 0, "another style, without its values");
    do
        otok_live_frame_begin(&live);
    while (!live.rests);
    draw(now);
    CHECK(memcmp(before, now, sizeof now) != 0, "the style before");
    otok_live_end(&live);
    otok_view_frame_destroy(&frame);
    otok_scenario_destroy(s);
    otok_gl_destroy(gl);
    return check_failures != 0;
}
