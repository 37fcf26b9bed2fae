/* view_section.c - claim: a section of a view has the heights of ground and water along its line,
   interpolated between the middles of cells and those of the border beyond them; its end follows
   the cursor until it is set; it follows the state that is shown, and ends when told to. CHECK_ONCE
 */
#include "drawing.h"
#include "scene.h"
#include "viz/section.h"

#include <math.h>

static otok_live live;
static otok_profile profile;

/* The same by hand: bilinear. */
static double at(const float *map, double x, double y)
{
    const double u = fmin(fmax(x / 4 - 0.5, 0), 15), v = fmin(fmax(y / 4 - 0.5, 0), 15);
    const int i = (int)fmin(u, 14), j = (int)fmin(v, 14);
    const double s = u - i, t = v - j;
    return (1 - t) * ((1 - s) * (double)map[16 * j + i] + s * (double)map[16 * j + i + 1]) +
           t * ((1 - s) * (double)map[16 * j + 16 + i] + s * (double)map[16 * j + 17 + i]);
}

static void compare(double x0, double y0, double x1, double y1)
{
    static float ground[256], water[256];
    MUST(otok_sim_get(live.sim, OTOK_TERRAIN, ground));
    MUST(otok_sim_get(live.sim, OTOK_WATER, water));
    CHECK(otok_section_profile(&live, &profile), "no profile: %s", live.message);
    CHECK(fabs(profile.length - hypot(x1 - x0, y1 - y0)) < 1e-9, "%g m", profile.length);
    for (int k = 0; k < OTOK_SECTION_POINTS; k++) {
        const double t = (double)k / (OTOK_SECTION_POINTS - 1), x = x0 + t * (x1 - x0),
                     y = y0 + t * (y1 - y0), h = at(ground, x, y), w = h + at(water, x, y);
        CHECK(fabs((double)profile.ground[k] - h) < 1e-4 &&
                  fabs((double)profile.surface[k] - w) < 1e-4,
              "at %g, %g: ground %g, not %g; water at %g, not %g", x, y, (double)profile.ground[k],
              h, (double)profile.surface[k], w);
    }
}

static void frame(int64_t more)
{
    live.steps = more;
    do {
        otok_live_frame_begin(&live);
        otok_live_frame_end(&live);
    } while (!live.rests || live.steps > 0);
    otok_live_frame_begin(&live);
}

int main(void)
{
    otok_gl *gl = drawing_begin();
    otok_scenario *s = scene("otok: 1\ngrid: {nx: 16, ny: 16, spacing: 4}\nbase:\n"
                             "  - cone: {height: 9, radius: 20}\nphases:\n"
                             "  - {name: a, iterations: 90, hydraulic: {}, rain: {rate: 0.01}}\n");
    otok_live_defaults(&live);
    live.scenario = s;
    live.backend = "cpu";
    MUST(otok_live_begin(&live, 64, 48));
    frame(3);
    otok_section_press(&live);
    CHECK(live.section.ends == 0 && strstr(live.message, "no ground"), "%s", live.message);
    live.brush.seen = 1, live.brush.x = 3, live.brush.y = 1;
    otok_section_press(&live);
    CHECK(!otok_section_profile(&live, &profile), "a line without a length has a profile");
    live.brush.x = 50, live.brush.y = 33;
    compare(3, 1, 50, 33);
    live.brush.x = 63.9, live.brush.y = 20;
    compare(3, 1, 63.9, 20);
    otok_section_press(&live);
    live.brush.x = 5;
    compare(3, 1, 63.9, 20);
    const float before = profile.surface[256];
    frame(20);
    compare(3, 1, 63.9, 20);
    CHECK(profile.surface[256] != before, "the water of another state is the same");
    otok_section_press(&live);
    CHECK(!otok_section_profile(&live, &profile), "the section stays");
    otok_live_end(&live);
    otok_scenario_destroy(s);
    otok_gl_destroy(gl);
    return check_failures != 0;
}
