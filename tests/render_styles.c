/* render_styles.c - claim: without a display, every style draws a picture that is not uniform and
   without a word from OpenGL above a notification; the camera changes it; a symmetric island under
   the sun overhead gives a symmetric picture; the fixed and the adaptive mesh show the same island
   without cracks; the vertical shortcut and the absorption change the sea, the slope of rock and
   the tiling the island. All of it with colours made directly and deferred, which give the same
   picture, of a block too. Each in a context of its own, for a driver may have to say that a second
   scene needs other code than the first. CHECK_ONCE */
#include "drawing.h"
#include "viz/scene.h"

#include <math.h>

enum { N = 64, W = 160, H = 120 };

static otok_canvas *canvas;
static unsigned char rgb[W * H * 3], other[W * H * 3];

static void draw(otok_scene *scene, const otok_shot *view, const char *legend, unsigned char *out)
{
    otok_scene_draw(scene, canvas, view, legend);
    otok_canvas_read(canvas, out);
}

/* Mean difference of two pictures, in steps of 255. */
static double difference(const unsigned char *a, const unsigned char *b)
{
    double sum = 0;
    for (int i = 0; i < W * H * 3; i++)
        sum += abs(a[i] - b[i]);
    return sum / (W * H * 3);
}

static int colours(const unsigned char *p)
{
    static unsigned char seen[4096];
    int n = 0;
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < W * H; i++, p += 3)
        seen[(p[0] >> 4) << 8 | (p[1] >> 4) << 4 | p[2] >> 4] = 1;
    for (int i = 0; i < 4096; i++)
        n += seen[i];
    return n;
}

static void styles(otok_gl *gl, otok_scene *scene, const otok_shot *standard)
{
    for (int style = 0; style < OTOK_STYLES; style++) {
        otok_shot view = *standard;
        const char *first;
        view.style = (otok_style)style;
        draw(scene, &view, style == OTOK_STYLE_FIELD ? "reef [m]" : NULL, rgb);
        CHECK(otok_gl_log_count(gl, &first) == 0, "%s: %s", otok_style_name(style), first);
        const int least = style == OTOK_STYLE_LAYERS ? 4 : 12; /* one layer, on paper */
        CHECK(colours(rgb) > least, "%s: %d colours", otok_style_name(style), colours(rgb));
        CHECK(otok_style_find(otok_style_name(style)) == style, "%s", otok_style_name(style));
        view.camera.azimuth += 35;
        draw(scene, &view, NULL, other);
        CHECK(difference(rgb, other) > 1, "%s: another side differs by %g", otok_style_name(style),
              difference(rgb, other));
    }
}

/* The picture, turned left to right, is itself: seen from the south with the sun overhead; tiles
   and waves are not symmetric, so a style without them. */
static void symmetry(otok_scene *scene, otok_shot view)
{
    view.style = OTOK_STYLE_FIELD;
    view.camera.azimuth = 180;
    view.camera.target[0] = 5 * N;
    view.sun_elevation = 90;
    draw(scene, &view, NULL, rgb);
    for (int i = 0; i < W * H * 3; i++)
        other[i] = rgb[(i / 3 / W * W + W - 1 - i / 3 % W) * 3 + i % 3];
    CHECK(difference(rgb, other) < 0.5, "left and right differ by %g", difference(rgb, other));
}

/* A crack would show the ground of the picture, which is blue, within the yellow land. */
static void cracks(otok_scene *scene, otok_shot view)
{
    view.style = OTOK_STYLE_FIELD;
    view.low = -2, view.high = -1; /* all of it yellow */
    view.camera.elevation = 60;
    view.camera.distance *= 0.3;
    view.camera.target[0] = view.camera.target[1] = 5 * N;
    view.camera.target[2] = 60;
    double error[2] = {0, 20};
    for (int k = 0; k < 2; k++) {
        int cold = 0;
        view.screen_error = error[k];
        view.level = k ? 64 : 7;
        draw(scene, &view, NULL, k ? other : rgb);
        const unsigned char *p = k ? other : rgb;
        for (int i = 0; i < W * H; i++)
            cold += p[3 * i + 2] > 190 && p[3 * i + 2] >= p[3 * i];
        CHECK(cold == 0, "%d pixels of sky in the terrain at screen error %g", cold, error[k]);
    }
    CHECK(difference(rgb, other) < 12, "the coarse mesh differs from the fixed one by %g",
          difference(rgb, other));
}

static void sea(otok_scene *scene, otok_shot view)
{
    draw(scene, &view, NULL, rgb);
    view.vertical = 1;
    draw(scene, &view, NULL, other);
    CHECK(difference(rgb, other) > 0.05, "the vertical shortcut differs by %g",
          difference(rgb, other));
    view.vertical = 0;
    view.absorption *= 8;
    draw(scene, &view, NULL, other);
    CHECK(difference(rgb, other) > 1, "a murky sea differs by %g", difference(rgb, other));
    view.sea_level = NAN;
    draw(scene, &view, NULL, other);
    CHECK(difference(rgb, other) > 10, "without a sea differs by %g", difference(rgb, other));
}

/* The slope of rock and the tiling of textures change the island, and no map of values. */
static void materials(otok_scene *scene, const otok_shot *standard)
{
    for (int k = 0; k < 4; k++) {
        otok_shot view = *standard;
        view.style = k / 2 ? OTOK_STYLE_FIELD : OTOK_STYLE_ISLAND;
        draw(scene, &view, NULL, rgb);
        *(k % 2 ? &view.tiling : &view.rock_slope) = k % 2 ? 2 : 25;
        draw(scene, &view, NULL, other);
        const double apart = difference(rgb, other);
        CHECK(k / 2 ? apart == 0 : apart > 0.5, "%s, style %s: differs by %g",
              k % 2 ? "tiling" : "slope of rock", otok_style_name((int)view.style), apart);
    }
}

/* Keeps the pictures made directly, and compares the others with them; colours may be rounded
 * otherwise in a few places. */
static void alike(otok_scene *scene, const otok_shot *standard, int deferred)
{
    static unsigned char direct[2 * OTOK_STYLES][W * H * 3];
    for (int style = 0; style < 2 * OTOK_STYLES; style++) {
        otok_shot view = *standard;
        int apart = 0;
        view.style = (otok_style)(style / 2);
        view.block = style % 2;
        draw(scene, &view, NULL, deferred ? other : direct[style]);
        if (!deferred) continue;
        for (int i = 0; i < W * H * 3; i++)
            apart += abs(direct[style][i] - other[i]) > 2;
        CHECK(apart <= W * H * 3 / 1000, "%s: direct and deferred differ in %d places",
              otok_style_name(style / 2), apart);
    }
}

int main(void)
{
    static float cone[N * N], flow[N * N];
    double points[N * N][3];
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            const float x = (float)i - (N - 1) / 2.0f, y = (float)j - (N - 1) / 2.0f,
                        r = hypotf(x, y);
            cone[j * N + i] = 130 - 4 * r + 6 * cosf(0.7f * r);
            flow[j * N + i] = fabsf(x) / N - 0.1f;
            points[j * N + i][0] = 10 * (i + 0.5), points[j * N + i][1] = 10 * (j + 0.5),
                           points[j * N + i][2] = cone[j * N + i];
        }
    otok_shot view;
    otok_shot_defaults(&view);
    view.sea_level = 40;
    view.absorption = 0.05;
    view.low = -0.1;
    view.high = 0.4;
    otok_camera_fit(&view.camera, (const double(*)[3])points, N * N, W, H);
    for (int deferred = 0; deferred < 2; deferred++) {
        otok_gl *gl = drawing_begin();
        otok_scene *scene;
        otok_canvas *none;
        const char *first;
        MUST(otok_canvas_create(&canvas, W, H));
        MUST(otok_scene_create(&scene, (otok_grid){N, N, 10},
                               deferred ? OTOK_SHADING_DEFERRED : OTOK_SHADING_DIRECT));
        for (int slot = 0; slot < OTOK_SLOTS; slot++)
            otok_scene_upload(scene, (otok_slot)slot,
                              slot == OTOK_SLOT_TERRAIN ? cone
                              : slot == OTOK_SLOT_ROAD  ? NULL
                                                        : flow);
        styles(gl, scene, &view);
        symmetry(scene, view);
        cracks(scene, view);
        sea(scene, view);
        materials(scene, &view);
        alike(scene, &view, deferred);
        CHECK(otok_gl_log_count(gl, &first) == 0, "%s", first);
        CHECK(otok_canvas_create(&none, 1 << 20, H) == OTOK_USAGE &&
                  strstr(otok_why(), "1048576 x"),
              "%s", otok_why());
        otok_scene_destroy(scene);
        otok_canvas_destroy(canvas);
        otok_gl_destroy(gl);
    }
    return check_failures != 0;
}
