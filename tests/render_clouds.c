/* render_clouds.c - claim: an eye well above the clouds looks down on them over the sea, and they
   leave the map free; while it rises past them none are seen, and below them they are in the sky.
   They stand in the sky over a block, too, and throw the same shadows on it as on the open map,
   none where shadows are off. Seen from above, a block has neither, and in a picture that shows no
   sky it has no shadows of them. Pictures of several samples
   a pixel have no more grain of the march through them than those of one. CHECK_ONCE */
#include "drawing.h"

#include <math.h>
#include <string.h>

enum { N = 64, W = 160, H = 120, SPACING = 4, SIDE = N * SPACING };

static otok_canvas *canvas;
static otok_scene *scene;
static unsigned char clear[W * H * 3], cloudy[W * H * 3];

/* Pixels that clouds change, in the rows from one up to another. */
static int changed(otok_shot shot, int from, int to)
{
    int n = 0;
    for (int k = 0; k < 2; k++) {
        shot.clouds = k ? 0.6 : 0;
        otok_scene_draw(scene, canvas, &shot, NULL);
        otok_canvas_read(canvas, k ? cloudy : clear);
    }
    for (int i = from * W; i < to * W; i++)
        n += abs(cloudy[3 * i] - clear[3 * i]) > 12;
    return n;
}

/* The slab begins half a side above the sea and is a quarter thick. */
static void sea(otok_shot shot)
{
    shot.sea_level = 5;
    shot.shadows = 0;
    shot.camera = (otok_camera){
        .target = {SIDE / 2, SIDE / 2, 5}, .elevation = 90, .distance = 6 * SIDE, .angle = 50};
    CHECK(changed(shot, 0, H) > W * H / 8, "clouds below change %d pixels", changed(shot, 0, H));
    int before = 0, n = 0;
    for (int j = H / 2 - 8; j < H / 2 + 8; j++)
        for (int i = W / 2 - 8; i < W / 2 + 8; i++, n++)
            before += abs(cloudy[3 * (j * W + i)] - clear[3 * (j * W + i)]) > 1;
    CHECK(before == 0, "clouds stand before %d of %d pixels of the map", before, n);
    shot.camera.distance = 0.85 * SIDE;
    CHECK(changed(shot, 0, H) == 0, "an eye that rises past the clouds sees them");
    shot.camera = (otok_camera){
        .target = {SIDE / 2, SIDE / 2, 20}, .elevation = 1, .distance = SIDE, .angle = 50};
    CHECK(changed(shot, 0, H / 2 - 10) > W, "clouds in the sky change %d pixels",
          changed(shot, 0, H / 2 - 10));
}

/* A block and the open map in one view from below the clouds: where they are the same under a clear
   sky, pixel for pixel, clouds darken the same of them. */
static void shadows(otok_shot shot)
{
    static unsigned char open[W * H * 3], open_clear[W * H * 3];
    int darker = 0, lighter = 0, apart = 0;
    shot.sea_level = 5;
    shot.haze = 0;
    shot.camera = (otok_camera){
        .target = {SIDE / 2, SIDE / 2, 10}, .elevation = 12, .distance = SIDE / 2, .angle = 50};
    CHECK(changed(shot, H / 2, H) > 0, "clouds throw no shadows on the open map");
    memcpy(open, cloudy, sizeof open);
    memcpy(open_clear, clear, sizeof open_clear);
    shot.block = 1;
    changed(shot, 0, H);
    for (int i = W * H / 2 * 3; i < W * H * 3; i++) {
        if (clear[i] != open_clear[i]) continue;
        const int k = i / 3 * 3, less = clear[k] + clear[k + 1] + clear[k + 2] - cloudy[k] -
                                        cloudy[k + 1] - cloudy[k + 2];
        darker += cloudy[i] < clear[i] - 3;
        lighter += less < -3;
        apart += abs(cloudy[i] - open[i]) > 1;
    }
    CHECK(darker > W && lighter == 0, "clouds darken a block in %d places, lighten it in %d",
          darker, lighter);
    CHECK(apart == 0, "under clouds a block differs from the open map in %d places", apart);
    shot.shadows = 0;
    CHECK(changed(shot, H / 2, H) == 0, "clouds darken a block though shadows are off");
    shot.shadows = 1;
    shot.camera.elevation = 60;
    CHECK(changed(shot, 0, H) == 0, "clouds darken a block in a picture without a sky");
    shot.block = 0;
    CHECK(changed(shot, 0, H) > 0, "from above clouds throw no shadows on the open map");
}

static void block(otok_shot shot)
{
    shot.camera = (otok_camera){
        .target = {SIDE / 2, SIDE / 2, 12}, .elevation = 1, .distance = SIDE / 8, .angle = 50};
    CHECK(changed(shot, 0, H / 2 - 10) > W, "clouds over a block change %d pixels of the sky",
          changed(shot, 0, H / 2 - 10));
    shot.camera = (otok_camera){
        .target = {SIDE / 2, SIDE / 2, 12}, .elevation = 60, .distance = 3 * SIDE, .angle = 50};
    CHECK(changed(shot, 0, H) == 0, "clouds above a block, or their shadows, below the eye");
}

/* How much clouds differ from texel to texel, a texel being two pixels wide, but for what varies
   evenly. */
static double grain(otok_shot shot)
{
    double sum = 0;
    int n = 0;
    changed(shot, 0, H);
    for (int j = 0; j < H; j++)
        for (int i = 2; i < W - 2; i++) {
            const int k = 3 * (j * W + i);
            if (abs(cloudy[k] - clear[k]) <= 12) continue;
            sum += fabs(cloudy[k] - 0.5 * (cloudy[k - 6] + cloudy[k + 6]));
            n++;
        }
    CHECK(n > W, "clouds in %d pixels", n);
    return sum / n;
}

/* `sharpness` beyond 1 is for pictures of several samples, whose clouds are as soft. */
static void soft(otok_shot shot)
{
    shot.sea_level = 5;
    shot.camera = (otok_camera){
        .target = {SIDE / 2, SIDE / 2, 5}, .elevation = 35, .distance = 3 * SIDE, .angle = 50};
    for (int k = 0; k < 2; k++) {
        shot.sharpness = 1;
        const double one = grain(shot);
        shot.sharpness = 2;
        const double several = grain(shot);
        CHECK(0.6 * several <= one, "clouds %s have a grain of %g, each of several samples of %g",
              k ? "above" : "below", one, several);
        shot.camera.elevation = 1, shot.camera.distance = SIDE;
    }
}

static void draw_clouds(otok_scene *of, otok_canvas *on, int deferred)
{
    static float land[N * N];
    otok_shot shot;
    (void)deferred;
    for (int i = 0; i < N * N; i++) {
        const int x = i % N, y = i / N, inside = x > 8 && x < N - 8 && y > 8 && y < N - 8;
        land[i] = inside ? 10 : 0;
    }
    scene = of, canvas = on;
    otok_shot_defaults(&shot);
    otok_scene_upload(scene, OTOK_SLOT_TERRAIN, land);
    sea(shot);
    block(shot);
    shadows(shot);
    soft(shot);
}

int main(void)
{
    drawing_both_ways((otok_grid){N, N, SPACING}, W, H, draw_clouds);
    return check_failures != 0;
}
