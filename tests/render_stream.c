/* render_stream.c - claim: water of a thirtieth of a cell is seen where it streams over gentle
   ground; standing, or on a steep slope, it is a film and is not; deeper water is seen anyway.
   CHECK_ONCE */
#include "drawing.h"
#include "viz/scene.h"

enum { N = 64, W = 120, H = 90, SPACING = 2 };

static otok_canvas *canvas;
static otok_scene *scene;

/* The pixels in which a tilted plane with water differs from one without. */
static int wet_pixels(float slope, float depth, float speed)
{
    static float ground[N * N], water[N * N], along[N * N], across[N * N];
    static unsigned char wet[W * H * 3], dry[W * H * 3];
    otok_shot shot;
    otok_shot_defaults(&shot);
    shot.style = OTOK_STYLE_PHONG;
    shot.camera = (otok_camera){.target = {N, N, 100 + slope * N},
                                .azimuth = 180,
                                .elevation = 50,
                                .distance = 170,
                                .angle = 40};
    int n = 0;
    for (int i = 0; i < N * N; i++) {
        ground[i] = 100 + slope * SPACING * (float)(i % N);
        water[i] = depth;
        along[i] = -speed;
    }
    otok_scene_upload(scene, OTOK_SLOT_TERRAIN, ground);
    for (int with = 0; with < 2; with++) {
        otok_scene_upload(scene, OTOK_SLOT_WATER, with ? water : NULL);
        otok_scene_upload(scene, OTOK_SLOT_FLOW_X, with ? along : NULL);
        otok_scene_upload(scene, OTOK_SLOT_FLOW_Y, with ? across : NULL);
        otok_scene_draw(scene, canvas, &shot, NULL);
        otok_canvas_read(canvas, with ? wet : dry);
    }
    for (int i = 0; i < W * H; i++) {
        int apart = 0;
        for (int c = 0; c < 3; c++)
            apart += abs(wet[3 * i + c] - dry[3 * i + c]);
        n += apart > 6;
    }
    return n;
}

int main(void)
{
    otok_gl *gl = drawing_begin();
    const char *first;
    MUST(otok_canvas_create(&canvas, W, H));
    MUST(otok_scene_create(&scene, (otok_grid){N, N, SPACING}, OTOK_SHADING_DIRECT));
    const int deep = wet_pixels(0.05f, 0.5f, 0), stream = wet_pixels(0.05f, 0.07f, 6),
              standing = wet_pixels(0.05f, 0.07f, 0), steep = wet_pixels(0.6f, 0.07f, 6);
    CHECK(deep > W * H / 8, "deep water: %d pixels", deep);
    CHECK(stream > deep * 9 / 10, "a stream: %d pixels of %d", stream, deep);
    CHECK(standing == 0, "a standing film: %d pixels", standing);
    CHECK(steep == 0, "a film on a steep slope: %d pixels", steep);
    CHECK(otok_gl_log_count(gl, &first) == 0, "%s", first);
    otok_scene_destroy(scene);
    otok_canvas_destroy(canvas);
    otok_gl_destroy(gl);
    return check_failures != 0;
}
