/* view_scale.c - claim: pictures of values have colours with round ends that hold 99 % of the
   cells, or of the water where its speed is shown; signs are symmetric around 0; what is beyond the
   ends is known; units are printed as quotients; the page leaves paper for legend and chart; a plan
   has one scale; a camera below the ground rises above it. CHECK_ONCE */
#include "check.h"
#include "core/colours.h"
#include "viz/arrange.h"
#include "viz/chart.h"

#include <math.h>

enum { CELLS = 1000, N = 50 };

static float x[CELLS], y[CELLS], depth[CELLS], ground[N][N];

static void check_spread(void)
{
    otok_spread s;
    int64_t runs[] = {500, 1};
    for (int i = 0; i < CELLS; i++)
        x[i] = (float)i - 300, y[i] = 0, depth[i] = i < 10 ? 1.0f : 0;
    x[500] = 1e9f, x[20] = NAN;
    MUST(otok_spread_find(&s, otok_field_at(OTOK_SEDIMENT)->look, x, NULL, NULL, CELLS, runs, 1));
    CHECK(s.least == -300 && s.most == 699, "%g to %g", s.least, s.most);
    CHECK(fabs(s.low + 295) <= 1 && fabs(s.high - 694) <= 1, "99 %%: %g to %g", s.low, s.high);
    /* ten cells have all of the water */
    MUST(otok_spread_find(&s, otok_field_at(OTOK_VELOCITY_X)->look, x, y, depth, CELLS, NULL, 0));
    CHECK(s.low == 291 && s.high == 300 && s.most == 1e9, "water: %g to %g of %g", s.low, s.high,
          s.most);
}

static const otok_look *look_of(const char *name)
{
    const int field = otok_field_find(name);
    return (field < 0 ? otok_derived_at(otok_derived_find(name)) : otok_field_at(field))->look;
}

static void check_scale(void)
{
    static const struct {
        otok_style style;
        const char *field;
        otok_spread s;
        double low, high; /* asked for */
        double from, to;
        int beyond;
        const char *colours;
    } cases[] = {
        {OTOK_STYLE_FIELD, "reef", {3.2, 96, 1, 99}, NAN, NAN, 0, 100, 0, "batlow"},
        {OTOK_STYLE_FIELD, "reef", {3.2, 96, -1, 120}, NAN, NAN, 0, 100, 3, "batlow"},
        {OTOK_STYLE_FIELD, "terrain_change", {-3.7, 0.1, -9, 0.2}, NAN, NAN, -4, 4, 1, "vik"},
        {OTOK_STYLE_FIELD, "terrain_change", {-3.7, 0.1, -9, 0.2}, NAN, 20, -20, 20, 0, "vik"},
        {OTOK_STYLE_FIELD, "terrain_change", {-3.7, 0.1, -9, 0.2}, -1, NAN, -1, 1, 1, "vik"},
        {OTOK_STYLE_FIELD, "terrain_change", {0, 0, -3, 0}, NAN, NAN, -3, 3, 0, "vik"},
        {OTOK_STYLE_FIELD, "terrain_change", {0, 0, 0, 0}, NAN, NAN, -1, 1, 0, "vik"},
        {OTOK_STYLE_FIELD, "outflow_top", {-3, 5, -3, 5}, NAN, NAN, -6, 6, 0, "vik"},
        {OTOK_STYLE_FIELD, "outflow_top", {0, 5, 0, 5}, NAN, NAN, 0, 5, 0, "batlow"},
        {OTOK_STYLE_FIELD, "erodibility", {7, 7, 7, 7}, NAN, NAN, 0, 7, 0, "batlow"},
        {OTOK_STYLE_FIELD, "terrain", {12, 96, 12, 96}, NAN, NAN, 0, 100, 0, "batlow"},
        {OTOK_STYLE_FIELD, "terrain", {-12, 96, -12, 96}, NAN, NAN, -100, 100, 0, "oleron"},
        {OTOK_STYLE_FIELD, "wetness", {3, 4, 0, 7}, NAN, NAN, 0, 255, 0, "batlow"},
        {OTOK_STYLE_FIELD, "drainage_area", {30, 2e5, 30, 2e5}, NAN, NAN, 10, 1e6, 0, "batlow"},
        {OTOK_STYLE_SPEED, "speed", {0.4, 8.7, 0, 10}, NAN, NAN, 0, 10, 0, "batlow"},
        {OTOK_STYLE_WATER, "water", {0.01, 0.37, 0, 2}, NAN, NAN, 0, 0.4, 2, "otok"},
        {OTOK_STYLE_FIELD, "water", {0.01, 0.37, 0, 2}, NAN, NAN, 0, 0.4, 2, "deep"},
        {OTOK_STYLE_FIELD, "aspect", {2, 358, 0, 359}, NAN, NAN, 0, 360, 0, "vikO"},
        {OTOK_STYLE_FIELD, "aspect", {2, 358, 0, 359}, 90, 180, 90, 180, 3, "vikO"},
        {OTOK_STYLE_VELOCITY_X, "velocity_x", {-2.2, 1, -3.5, 1}, NAN, NAN, -3, 3, 1, "vik"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        otok_shot v = {.style = cases[i].style, .colours = -1};
        MUST(otok_arrange_scale(&v, look_of(cases[i].field), &cases[i].s, 0, cases[i].low,
                                cases[i].high));
        CHECK(fabs(v.low - cases[i].from) < 1e-9 && fabs(v.high - cases[i].to) < 1e-9,
              "case %zu: %g to %g", i, v.low, v.high);
        CHECK(v.beyond == cases[i].beyond, "case %zu: beyond %d", i, v.beyond);
        CHECK(strcmp(otok_colours_name(v.colours), cases[i].colours) == 0, "case %zu: %s", i,
              otok_colours_name(v.colours));
    }
    otok_shot v = {.style = OTOK_STYLE_FIELD, .colours = -1};
    CHECK(otok_arrange_scale(&v, look_of("reef"), &cases[0].s, 0, 5, 5) == OTOK_USAGE, "5 to 5");
}

static void check_units(void)
{
    static const char *const units[][2] = {{"m", "m"},
                                           {"m s-1", "m/s"},
                                           {"m3 s-1", "m3/s"},
                                           {"m-1", "1/m"},
                                           {"m2 s-1", "m2/s"},
                                           {"1", "1"},
                                           {"s m-1/3", "s m-1/3"},
                                           {"Pa", "Pa"},
                                           {"kg m s-2", "kg m/s2"},
                                           {"", "1"}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        char out[32];
        otok_arrange_unit(out, units[i][0]);
        CHECK(strcmp(out, units[i][1]) == 0, "%s becomes %s", units[i][0], out);
    }
}

static void check_cameras(void)
{
    const otok_grid g = {N, N, 10};
    otok_shot v = {.style = OTOK_STYLE_FIELD, .camera.angle = 32};
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            ground[j][i] = 40 * (float)(i > 25);
    int least[2], page[4];
    CHECK(otok_chart_page(&v, 800, 600, "water [m]", 1, 1, 0, least) == 0, "no room at 800 x 600");
    memcpy(page, v.page, sizeof page);
    CHECK(otok_chart_page(&v, 300, 240, "water [m]", 1, 1, 0, least) == 0, "%d x %d", least[0],
          least[1]);
    CHECK(v.page[2] > 0 && v.page[2] >= 180, "a view of %d pixels", v.page[2]);
    memset(v.page, 0, sizeof v.page);
    CHECK(otok_chart_page(&v, 208, 130, "velocity_x [m/s]", 1, 1, 0, least) == 7 && !v.page[2],
          "legend and scale on a picture of 208 x 130 pixels");
    CHECK(otok_chart_page(&v, 208, 170, "velocity_x [m/s]", 1, 1, 0, least) == 5 &&
              v.page[2] == 208 && v.page[1] > 30,
          "only the scale bar has room");
    memcpy(v.page, page, sizeof page);
    CHECK(v.page[0] == 0 && v.page[1] > 30 && v.page[2] > 500 && v.page[2] < 740 &&
              v.page[1] + v.page[3] == 600,
          "page %d %d %d %d", v.page[0], v.page[1], v.page[2], v.page[3]);
    otok_arrange_plan(&v, &ground[0][0], g, v.page[2], v.page[3]);
    otok_frame f;
    otok_camera_frame(&v.camera, v.page[2], v.page[3], &f);
    double most = 0;
    for (int i = 0; i <= N; i++) { /* places of a row on a line of the picture */
        const double p[3] = {10.0 * i, 250, i > 25 ? 40 : 0};
        double clip[4] = {0};
        for (int r = 0; r < 4; r++)
            clip[r] = f.to_clip[r] * p[0] + f.to_clip[4 + r] * p[1] + f.to_clip[8 + r] * p[2] +
                      f.to_clip[12 + r];
        const double wanted = (p[0] - 250) / (1.03 * 250 * v.page[2] / v.page[3]);
        most = fmax(most, fabs(clip[0] / clip[3] - wanted) * v.page[2] / 2);
    }
    CHECK(most < 0.05, "a plan is %g pixels off", most);
    v.camera =
        (otok_camera){.target = {400, 250, 0}, .azimuth = 90, .elevation = 5, .distance = 80};
    CHECK(otok_arrange_above(&v, &ground[0][0], g) == 1, "the camera stays below the ground");
    const double up = 80 * sin(v.camera.elevation * M_PI / 180);
    CHECK(up > 40 && v.camera.elevation < 90.01, "the camera is %g m up", up);
    v.camera.elevation = 60, v.camera.distance = 300;
    CHECK(otok_arrange_above(&v, &ground[0][0], g) == 0 && v.camera.elevation == 60,
          "a camera above the ground moves");
}

int main(void)
{
    check_spread();
    check_scale();
    check_units();
    check_cameras();
    return check_failures > 0;
}
