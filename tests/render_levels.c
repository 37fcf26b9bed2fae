/* render_levels.c - claim: however finely patches are divided, a rough map of 512 x 512 cells is
   drawn whole and where it lies. What a pixel sees lies between the lowest and the highest ground
   nearby, as far away as a piece of the mesh is wide; on its way there the pixel's ray has not gone
   below the lowest; and outlines are as at level 4, but for two pixels. With `small`, for a
   checker of memory, at every third level. CHECK_ONCE */
#include "drawing.h"
#include "viz/scene.h"

#include <epoxy/gl.h>
#include <math.h>

enum { N = 512, PATCH = 16, W = 320, H = 240 };

static float ground[N * N], low[N * N], high[N * N], row[N * N], lowest = INFINITY,
                                                                 highest = -INFINITY;

/* Hills on which no cell is as high as its neighbours. */
static void make_ground(void)
{
    uint32_t random = 1;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            random = random * 1664525u + 1013904223u;
            ground[j * N + i] = 50 * sinf(0.03f * (float)i) * cosf(0.02f * (float)j) +
                                12 * (float)(random >> 8) / (1 << 24);
            lowest = fminf(lowest, ground[j * N + i]);
            highest = fmaxf(highest, ground[j * N + i]);
        }
}

static int inside(int i)
{
    return i < 0 ? 0 : i < N ? i : N - 1;
}

/* The least (sign 1) or greatest (sign -1) of the ground within r cells. */
static void spread(float *out, int r, float sign)
{
    for (int pass = 0; pass < 2; pass++) {
        const float *from = pass ? row : ground;
        float *to = pass ? out : row;
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                float most = INFINITY;
                for (int k = -r; k <= r; k++) {
                    const float here =
                        sign * from[pass ? inside(j + k) * N + i : j * N + inside(i + k)];
                    most = here < most ? here : most;
                }
                to[j * N + i] = sign * most;
            }
    }
}

/* On the map: 1, well within it: 2. */
static int is_on_map(const double *p)
{
    const double edge = fmin(fmin(p[0], N - p[0]), fmin(p[1], N - p[1]));
    return (edge >= 0) + (edge > 1);
}

static int cell(const double *p)
{
    return inside((int)p[1]) * N + inside((int)p[0]);
}

/* How a pixel's ray, which goes down, breaks the claim; NULL: it does not. The map is a block whose
   walls hang down by an eighth of its relief; one sees what lies behind it, below its bottom. */
static const char *what_is_wrong(const otok_frame *f, int x, int y, float depth)
{
    const double far = depth > 0 ? f->to_clip[14] / depth : INFINITY,
                 bottom = lowest - 0.1 * (highest - lowest);
    const double right = 2 * (x + 0.5) / W - 1, up = 2 * (y + 0.5) / H - 1;
    double ray[3], p[3];
    for (int k = 0; k < 3; k++)
        ray[k] = f->forward[k] + right * f->right[k] + up * f->up[k];
    if (!(ray[2] < 0)) return "goes up";
    const double end = fmin(far - 1, (bottom - f->eye[2]) / ray[2]);
    for (double way = (highest - f->eye[2]) / ray[2]; way < end;
         way++) { /* by the width of a cell */
        for (int k = 0; k < 3; k++)
            p[k] = f->eye[k] + way * ray[k];
        if (is_on_map(p) > 1 && p[2] < low[cell(p)]) return "sees through the ground";
    }
    if (!(depth > 0)) return NULL;
    for (int k = 0; k < 3; k++)
        p[k] = f->eye[k] + far * ray[k];
    if (is_on_map(p) > 1 && p[2] < low[cell(p)]) return "sees ground that is too low";
    if (is_on_map(p) > 0 && p[2] > high[cell(p)]) return "sees ground that is too high";
    return NULL;
}

int main(int argc, char **argv)
{
    const size_t each = CHECK_SMALL(argc, argv) ? 3 : 1;
    static float depths[W * H];
    static unsigned char coarse[W * H];
    const double levels[] = {4, 1, 7, 0, 8, 12, 64, 16, 32}; /* 0: adaptive */
    const double corners[4][3] = {{0, 0, 0}, {N, 0, 0}, {0, N, 0}, {N, N, 0}};
    otok_gl *gl = drawing_begin();
    otok_canvas *canvas;
    otok_scene *scene;
    otok_frame frame;
    otok_shot view;
    make_ground();
    otok_shot_defaults(&view);
    view.style = OTOK_STYLE_FIELD;
    view.low = -60, view.high = 60;
    otok_camera_fit(&view.camera, corners, 4, W, H);
    otok_camera_frame(&view.camera, W, H, &frame);
    MUST(otok_canvas_create(&canvas, W, H));
    MUST(otok_scene_create(&scene, (otok_grid){N, N, 1}, OTOK_SHADING_BEST));
    otok_scene_upload(scene, OTOK_SLOT_TERRAIN, ground);
    otok_scene_upload(scene, OTOK_SLOT_VALUE_X, ground);
    for (size_t l = 0; l < sizeof levels / sizeof *levels; l += each) {
        const int pieces = levels[l] == 0  ? 1
                           : levels[l] < 2 ? 2
                                           : (int)levels[l]; /* of a patch's edge, at least */
        int faults = 0, others = 0;
        const char *first = NULL;
        view.screen_error = levels[l] == 0;
        view.level = levels[l] == 0 ? 64 : levels[l];
        spread(low, (PATCH + pieces - 1) / pieces + 2,
               1); /* a texel more for heights between texels, and one for rounding */
        spread(high, (PATCH + pieces - 1) / pieces + 2, -1);
        otok_scene_draw(scene, canvas, &view, NULL);
        glReadPixels(0, 0, W, H, GL_DEPTH_COMPONENT, GL_FLOAT, depths);
        for (int i = 0; i < W * H; i++) {
            const char *now = what_is_wrong(&frame, i % W, i / W, depths[i]);
            faults += now != NULL;
            first = first ? first : now;
            if (l == 0) coarse[i] = depths[i] > 0;
            others += coarse[i] != (depths[i] > 0);
        }
        CHECK(!faults, "level %g: %d of %d pixels are wrong; the first %s", levels[l], faults,
              W * H, first);
        CHECK(others <= 2 * 2 * (W + H),
              "level %g: %d pixels see ground where level 4 sees none, or none where it does",
              levels[l], others);
    }
    CHECK(otok_gl_log_count(gl, &(const char *){NULL}) == 0, "OpenGL says something");
    otok_scene_destroy(scene);
    otok_canvas_destroy(canvas);
    otok_gl_destroy(gl);
    return check_failures != 0;
}
