/* render_trees.c - claim: near the eye trees stand one by one and higher than the canopy, against
   the sky; none stand on a road, where the eye is far, in a view that hurries, or in another style;
   another picture of the same place shows the same trees; colours made directly and deferred give
   the same picture. */
#include "drawing.h"
#include "viz/scene.h"

enum { N = 96, W = 200, H = 120, SPACING = 4 };

static otok_canvas *canvas;
static unsigned char rgb[W * H * 3], again[W * H * 3], direct[W * H * 3];

/* Pixels above the horizon, which is the middle, that are darker and greener than the sky. */
static int against_the_sky(otok_scene *scene, const otok_shot *shot, unsigned char *out)
{
    int n = 0;
    otok_scene_draw(scene, canvas, shot, NULL);
    otok_canvas_read(canvas, out);
    for (int i = 0; i < W * (H / 2 - 3); i++)
        n += out[3 * i + 2] < out[3 * i + 1];
    return n;
}

static void trees(otok_scene *scene, int deferred)
{
    static float road[N * N];
    otok_shot shot;
    otok_shot_defaults(&shot);
    /* The canopy is at most 2.2 cells high: the eye is above it. */
    shot.camera = (otok_camera){
        .target = {200, 200, 100 + 2.5 * SPACING}, .azimuth = 180, .distance = 60, .angle = 40};
    const int seen = against_the_sky(scene, &shot, rgb);
    CHECK(seen > 200, "%d pixels of trees near the eye", seen);
    CHECK(against_the_sky(scene, &shot, again) == seen && memcmp(rgb, again, sizeof rgb) == 0,
          "the same view again is another picture");
    int apart = 0;
    for (int i = 0; i < W * H * 3; i++)
        apart += abs(direct[i] - rgb[i]) > 2;
    if (!deferred) memcpy(direct, rgb, sizeof direct);
    CHECK(!deferred || apart <= W * H * 3 / 200, "direct and deferred differ in %d places", apart);

    otok_shot other = shot;
    other.fast = 1;
    CHECK(against_the_sky(scene, &other, again) == 0, "trees in a view that hurries");
    other = shot;
    other.style = OTOK_STYLE_PHONG;
    CHECK(against_the_sky(scene, &other, again) == 0, "trees in another style");
    other = shot;
    other.camera.distance = 8000;
    other.camera.angle = 1.2; /* past the peak in the corner */
    CHECK(against_the_sky(scene, &other, again) == 0, "trees far away");
    for (int i = 0; i < N * N; i++)
        road[i] = 1;
    otok_scene_upload(scene, OTOK_SLOT_ROAD, road);
    CHECK(against_the_sky(scene, &shot, again) == 0, "trees on a road");
    otok_scene_upload(scene, OTOK_SLOT_ROAD, NULL);
}

int main(void)
{
    static float plain[N * N];
    for (int i = 0; i < N * N; i++)
        plain[i] = 100;
    plain[0] = 0, plain[1] = 600; /* out of the picture; the plain is low land, where forest is */
    for (int deferred = 0; deferred < 2; deferred++) {
        otok_gl *gl = drawing_begin();
        otok_scene *scene;
        const char *first;
        MUST(otok_canvas_create(&canvas, W, H));
        MUST(otok_scene_create(&scene, (otok_grid){N, N, SPACING},
                               deferred ? OTOK_SHADING_DEFERRED : OTOK_SHADING_DIRECT));
        otok_scene_upload(scene, OTOK_SLOT_TERRAIN, plain);
        trees(scene, deferred);
        CHECK(otok_gl_log_count(gl, &first) == 0, "%s", first);
        otok_scene_destroy(scene);
        otok_canvas_destroy(canvas);
        otok_gl_destroy(gl);
    }
    return check_failures != 0;
}
