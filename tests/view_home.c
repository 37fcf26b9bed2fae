/* view_home.c - claim: the request to see everything brings the camera back once; afterwards it is
 * free. */
#include "drawing.h"
#include "scene.h"
#include "viz/live.h"

static otok_live live;

int main(void)
{
    otok_gl *gl = drawing_begin();
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: 16, ny: 16}\nbase:\n  - cone: {height: 9, radius: 20}\n"
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
    otok_live_end(&live);
    otok_scenario_destroy(s);
    otok_gl_destroy(gl);
    return check_failures != 0;
}
