/* view_home.c - claim: the request to see everything brings the camera back once; afterwards it is
   free. A camera that sees everything still does so in a style without the sea, and back; one that
   was moved stays. */
#include "drawing.h"
#include "scene.h"
#include "viz/live.h"

static otok_live live;

/* The distance of the camera once a style is shown. */
static double distance_in(otok_style style)
{
    live.shot.style = style;
    otok_live_frame_begin(&live);
    if (live.fit_camera) otok_live_fit_camera(&live, 64, 48);
    return live.shot.camera.distance;
}

int main(void)
{
    otok_gl *gl = drawing_begin();
    otok_scenario *s = scene("otok: 1\ngrid: {nx: 64, ny: 64}\nsea: {level: 1}\n"
                             "base:\n  - cone: {height: 9, radius: 20}\n"
                             "phases:\n  - {name: a, iterations: 900, thermal: {}}\n");
    otok_live_defaults(&live);
    live.scenario = s;
    live.backend = "cpu";
    MUST(otok_live_begin(&live, 64, 48));
    const double home = live.shot.camera.target[0];
    live.shot.camera.target[0] += 5;
    live.fit_camera = 1;
    otok_live_fit_camera(&live, 64, 48);
    CHECK(live.shot.camera.target[0] == home, "%g, not %g", live.shot.camera.target[0], home);
    CHECK(!live.fit_camera, "it is still asked for");
    const double island = distance_in(OTOK_STYLE_ISLAND), all = distance_in(OTOK_STYLE_PHONG);
    CHECK(all > 1.2 * island, "the whole map from %g m, the island from %g m", all, island);
    CHECK(distance_in(OTOK_STYLE_FIELD) == all, "another distance for the same map");
    CHECK(distance_in(OTOK_STYLE_ISLAND) == island, "the way back ends elsewhere");
    live.shot.camera.distance = 50;
    CHECK(distance_in(OTOK_STYLE_PHONG) == 50, "a moved camera does not stay");
    otok_live_end(&live);
    otok_scenario_destroy(s);
    otok_gl_destroy(gl);
    return check_failures != 0;
}
