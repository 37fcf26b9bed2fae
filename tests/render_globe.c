/* render_globe.c - claim: the globe has each place of its map where a globe has it: the map's
   middle faces the south of the eye's circle, east is at the right, north is up, the pole is one
   point, and the left border goes on at the right one without a seam; the sphere is as wide as its
   distance says. CHECK_ONCE */
#include "drawing.h"
#include "viz/scene.h"

#include <math.h>

enum { NX = 128, NY = 64, SIDE = 200 };

static otok_scene *scene;
static otok_canvas *canvas;
static float ground[NX * NY], values[NX * NY];
static unsigned char rgb[SIDE * SIDE * 3];

static void draw(double azimuth, double elevation)
{
    otok_shot shot;
    otok_shot_defaults(&shot);
    shot.style = OTOK_STYLE_FIELD;
    shot.low = -1, shot.high = 1; /* blue below 0, red above */
    shot.camera.azimuth = azimuth, shot.camera.elevation = elevation;
    shot.globe = OTOK_GLOBE_DISTANCE;
    otok_scene_upload(scene, OTOK_SLOT_TERRAIN, ground);
    otok_scene_upload(scene, OTOK_SLOT_VALUE_X, values);
    otok_scene_draw(scene, canvas, &shot, NULL);
    otok_canvas_read(canvas, rgb);
}

/* By how much a pixel, at shares of the picture from its upper left corner, is redder than blue. */
static int red_at(double x, double y)
{
    const unsigned char *p = rgb + 3 * ((int)(y * SIDE) * SIDE + (int)(x * SIDE));
    return p[0] - p[2];
}

/* A patch of the map at shares of its width and height, red or blue. */
static void mark(double x, double y, float value)
{
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++)
            if (fabs((i + 0.5) / NX - x) < 0.04 && fabs((j + 0.5) / NY - y) < 0.06)
                values[j * NX + i] = value;
}

static void check_positions(void)
{
    memset(values, 0, sizeof values);
    mark(0.5, 0.5, 1);
    draw(180, 0);
    CHECK(red_at(0.5, 0.5) > 60, "the map's middle is not seen from the south: %d",
          red_at(0.5, 0.5));
    draw(0, 0);
    CHECK(abs(red_at(0.5, 0.5)) < 30, "it is seen from the north, too: %d", red_at(0.5, 0.5));
    memset(values, 0, sizeof values);
    mark(0.6, 0.5, 1), mark(0.4, 0.5, -1), mark(0.5, 0.65, 1), mark(0.5, 0.35, -1);
    draw(180, 0);
    CHECK(red_at(0.745, 0.5) > 60 && red_at(0.255, 0.5) < -60, "east %d, west %d",
          red_at(0.745, 0.5), red_at(0.255, 0.5));
    CHECK(red_at(0.5, 0.31) > 60 && red_at(0.5, 0.69) < -60, "north %d, south %d",
          red_at(0.5, 0.31), red_at(0.5, 0.69));
    memset(values, 0, sizeof values);
    for (int i = 0; i < 6 * NX; i++)
        values[(NY - 6) * NX + i] = 1;
    draw(77, 89);
    CHECK(red_at(0.5, 0.5) > 60, "no pole from above it: %d", red_at(0.5, 0.5));
}

/* Waves around it look the same where the borders meet as in the map's middle. */
static void seam(void)
{
    static unsigned char there[SIDE * SIDE * 3];
    int most = 0;
    memset(values, 0, sizeof values);
    for (int i = 0; i < NX * NY; i++)
        ground[i] = 100 * sinf(2 * 3.14159265f * (float)(i % NX) / NX * 32);
    draw(180, 0);
    memcpy(there, rgb, sizeof there);
    draw(0, 0);
    for (int x = SIDE / 4; x < 3 * SIDE / 4; x++)
        for (int k = 0; k < 3; k++) {
            const int i = 3 * (SIDE / 2 * SIDE + x) + k, difference = abs(there[i] - rgb[i]);
            most = difference > most ? difference : most;
        }
    CHECK(most <= 2, "where the borders meet, a pixel differs by %d", most);
    memset(ground, 0, sizeof ground);
}

/* Pixels of the middle row that are no sky. */
static void width(void)
{
    int n = 0;
    memset(values, 0, sizeof values);
    draw(180, 0);
    for (int x = 0; x < SIDE; x++)
        n += rgb[3 * (SIDE / 2 * SIDE + x)] > 60; /* of chalk, but for the darkest edge */
    otok_shot shot;
    otok_shot_defaults(&shot);
    const double d = OTOK_GLOBE_DISTANCE,
                 right = SIDE / sqrt(d * d - 1) / tan(shot.camera.angle * 3.14159265 / 360);
    CHECK(n > 0.9 * right && n <= right + 1, "%d pixels wide, not %.1f", n, right);
}

int main(void)
{
    otok_gl *gl = drawing_begin();
    const otok_grid grid = {.nx = NX, .ny = NY, .spacing = 1000};
    MUST(otok_scene_create(&scene, grid, OTOK_SHADING_BEST));
    MUST(otok_canvas_create(&canvas, SIDE, SIDE));
    check_positions();
    seam();
    width();
    otok_canvas_destroy(canvas);
    otok_scene_destroy(scene);
    otok_gl_destroy(gl);
    return check_failures != 0;
}
