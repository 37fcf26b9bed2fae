/* render_works.c - claim: a bridge stands on piers over what it crosses, and a tunnel has a dark
   mouth at either end, directly and deferred alike; without them the picture is another, and a
   scene forgets them. CHECK_ONCE */
#include "drawing.h"

#include <math.h>

enum { N = 48, W = 240, H = 160 };

static otok_canvas *canvas;
static float ground[N * N], road[N * N], height[N * N];
static unsigned char bare[W * H * 3], built[2][W * H * 3], again[W * H * 3];

/* A level road along the middle, over a gorge and through a ridge. */
static void make_road(void)
{
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            const int gorge = i >= 10 && i < 22, ridge = i >= 32 && i < 40, at = j * N + i;
            ground[at] = gorge ? 6 : ridge ? 27 : 20;
            if (j < 21 || j > 26) continue;
            road[at] = gorge ? OTOK_ROAD_BRIDGE : ridge ? OTOK_ROAD_TUNNEL : OTOK_ROAD_BED;
            height[at] = 20;
        }
}

static int differ(const unsigned char *a, const unsigned char *b, int by)
{
    int n = 0;
    for (int i = 0; i < W * H * 3; i++)
        n += abs(a[i] - b[i]) > by;
    return n;
}

static int dark(const unsigned char *p)
{
    int n = 0;
    for (int i = 0; i < W * H; i++)
        n += p[3 * i] < 45 && p[3 * i + 1] < 60 && p[3 * i + 2] < 100;
    return n;
}

static void draw(otok_scene *scene, const otok_shot *view, unsigned char *out)
{
    otok_scene_draw(scene, canvas, view, NULL);
    otok_canvas_read(canvas, out);
}

static void draw_works(otok_scene *scene, otok_canvas *on, int deferred)
{
    otok_shot view;
    canvas = on;
    otok_shot_defaults(&view);
    view.camera.target[0] = view.camera.target[1] = N;
    view.camera.target[2] = 20;
    view.camera.azimuth = 240;
    view.camera.elevation = 14;
    view.camera.distance = 110;
    otok_scene_upload(scene, OTOK_SLOT_TERRAIN, ground);
    otok_scene_upload(scene, OTOK_SLOT_ROAD, road);
    draw(scene, &view, bare);
    MUST(otok_scene_structures(scene, ground, road, height));
    draw(scene, &view, built[deferred]);
    CHECK(differ(bare, built[deferred], 8) > W * H / 50, "a bridge of %d places",
          differ(bare, built[deferred], 8));
    CHECK(dark(built[deferred]) > dark(bare) + 30, "a mouth of %d dark pixels, %d without",
          dark(built[deferred]), dark(bare));
    MUST(otok_scene_structures(scene, NULL, NULL, NULL));
    draw(scene, &view, again);
    CHECK(differ(bare, again, 0) == 0, "works that were taken away are seen");
}

int main(void)
{
    make_road();
    drawing_both_ways((otok_grid){N, N, 2}, W, H, draw_works);
    CHECK(differ(built[0], built[1], 2) <= W * H * 3 / 1000,
          "direct and deferred differ in %d places", differ(built[0], built[1], 2));
    return check_failures != 0;
}
