/* view_home.c - claim: the request to see everything brings the camera back once; afterwards it is
   free. A camera that sees everything still does so in a style without the sea, and back; one that
   was moved stays. A legend covers nothing of the map. A globe fits a narrow
   picture. CHECK_ONCE */
#include "drawing.h"
#include "scene.h"
#include "viz/frame.h"

#include <math.h>
#include <string.h>

static otok_live live;

/* The distance of the camera once a style is shown. */
static double distance_in(otok_style style)
{
    live.shot.style = style;
    otok_live_frame_begin(&live);
    if (live.fit_camera) otok_live_fit_camera(&live, 64, 48);
    return live.shot.camera.distance;
}

static double along(const float *direction, const double *from_eye)
{
    return (double)direction[0] * from_eye[0] + (double)direction[1] * from_eye[1] +
           (double)direction[2] * from_eye[2];
}

/* In a small window with the panel in its right half the corners of the map are left of the legend,
   whose words are as wide as `words`. */
static void check_legend(const char *words)
{
    enum { WIDE = 640, HIGH = 480 };
    live.covered = 308;
    snprintf(live.legend, sizeof live.legend, "%s", words);
    const otok_view_frame frame = {.width = WIDE, .height = HIGH};
    const int beside = otok_view_frame_beside(&frame, &live);
    otok_frame f;
    live.fit_camera = 1;
    otok_live_fit_camera(&live, WIDE - beside, HIGH);
    otok_camera_frame(&live.shot.camera, WIDE, HIGH, &f);
    CHECK(beside > live.covered + 40, "%s: %d pixels beside the view", words, beside);
    for (int corner = 0; corner < 4; corner++) {
        const double p[3] = {corner % 2 ? 64 - (double)f.eye[0] : -(double)f.eye[0],
                             corner / 2 ? 64 - (double)f.eye[1] : -(double)f.eye[1],
                             -(double)f.eye[2]};
        const double wide = (double)(f.right[0] * f.right[0] + f.right[1] * f.right[1] +
                                     f.right[2] * f.right[2]),
                     x = 0.5 * WIDE * (1 + along(f.right, p) / wide / along(f.forward, p)) -
                         0.5 * beside;
        CHECK(x > 0 && x < WIDE - beside, "%s: a corner of the map is at %g of %d pixels", words, x,
              WIDE - beside);
    }
}

/* A globe fits a picture that is narrower than high, and the camera of the level map stays. */
static void fit_globe(void)
{
    const otok_camera before = live.shot.camera;
    for (int width = 160; width <= 960; width *= 2) {
        live.shot.globe = OTOK_GLOBE_DISTANCE;
        live.fit_camera = 3;
        otok_live_fit_camera(&live, width, 480);
        const double d = live.shot.globe, disc = 1 / sqrt(d * d - 1),
                     half = tan(live.shot.camera.angle * M_PI / 360) * fmin(width / 480.0, 1);
        CHECK(disc > 0.8 * half && disc < half, "%d pixels wide: the globe has %g of %g", width,
              disc, half);
    }
    CHECK(memcmp(&before, &live.shot.camera, sizeof before) == 0, "another camera of the map");
    live.shot.globe = 0;
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
    distance_in(OTOK_STYLE_FIELD);
    check_legend("slope");
    check_legend("unit_discharge [m2/s]");
    fit_globe();
    otok_live_end(&live);
    otok_scenario_destroy(s);
    otok_gl_destroy(gl);
    return check_failures != 0;
}
