/* render_trees.c - claim: near the eye trees stand one by one and higher than the canopy, against
   the sky; none stand on a road, where the eye is far, in a view that hurries, or in another style;
   another picture of the same place shows the same trees; colours made directly and deferred give
   the same picture; trees throw shadows on open ground beside them, away from the sun, and none
   where they are gone; high up they are narrower, and at the shore they have crowns on bare trunks;
   their hue is that of the canopy far away; both are redder in the lee of the wind and greener
   where it blows against a slope; strip by strip the picture is the same; where cells are wide no
   tree is higher than 30 m; on a hill of 64, 128, 512 and 1024 cells a side the same trees stand at
   the same places, to a pixel. CHECK_ONCE */
#include "drawing.h"
#include "viz/trees.h"

#include <epoxy/gl.h>
#include <math.h>

enum { N = 96, W = 200, H = 120 };
#define SPACING (OTOK_TREES_SITE / 1.7) /* of the cells [m]; cameras count in them */
#define EYE (2.5 * SPACING)

static otok_canvas *canvas;
static int cells; /* along a side of the hill */
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
    /* The canopy is at most 14.5 m high: the eye is above it. */
    shot.camera = (otok_camera){.target = {50 * SPACING, 50 * SPACING, 100 + EYE},
                                .azimuth = 180,
                                .distance = 15 * SPACING,
                                .angle = 40};
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
    other.camera.distance = 2000 * SPACING;
    other.camera.angle = 1.2; /* past the peak in the corner */
    CHECK(against_the_sky(scene, &other, again) == 0, "trees far away");
    for (int i = 0; i < N * N; i++)
        road[i] = 1;
    otok_scene_upload(scene, OTOK_SLOT_ROAD, road);
    CHECK(against_the_sky(scene, &shot, again) == 0, "trees on a road");
    otok_scene_upload(scene, OTOK_SLOT_ROAD, NULL);
}

/* How much darker shadows make the left (0) and the right half of a strip in the middle. */
static void darker(otok_scene *scene, otok_shot shot, double sun, double out[2])
{
    double sum[2] = {0};
    shot.sun_azimuth = sun;
    for (int lit = 0; lit < 2; lit++) {
        shot.shadows = !lit;
        otok_scene_draw(scene, canvas, &shot, NULL);
        otok_canvas_read(canvas, lit ? again : rgb);
    }
    for (int j = 0; j < H; j++)
        for (int i = W / 2 - 12; i < W / 2 + 12; i++)
            sum[i >= W / 2] += again[3 * (j * W + i) + 1] - rgb[3 * (j * W + i) + 1];
    for (int k = 0; k < 2; k++)
        out[k] = sum[k] / (12 * H);
}

static void shadows(otok_scene *scene)
{
    static float road[N * N];
    double east[2], west[2];
    otok_shot shot;
    otok_shot_defaults(&shot);
    shot.sun_elevation = 45;
    shot.camera = (otok_camera){.target = {50 * SPACING, 50 * SPACING, 100},
                                .azimuth = 180,
                                .elevation = 80,
                                .distance = 15 * SPACING,
                                .angle = 40};
    for (int i = 0; i < N * N; i++)
        road[i] = abs(2 * (i % N) - 99) < 4; /* four cells wide, its middle at the 50th */
    otok_scene_upload(scene, OTOK_SLOT_ROAD, road);
    darker(scene, shot, 90, east);
    darker(scene, shot, 270, west);
    CHECK(east[1] > 3 && east[1] > 2 * east[0] && west[0] > 3 && west[0] > 2 * west[1],
          "shadows on a road: %g left and %g right with the sun in the east, %g and %g in the west",
          east[0], east[1], west[0], west[1]);
    for (int i = 0; i < N * N; i++)
        road[i] = 1;
    otok_scene_upload(scene, OTOK_SLOT_ROAD, road);
    darker(scene, shot, 90, east);
    CHECK(fabs(east[0]) + fabs(east[1]) < 0.01, "shadows without trees: %g and %g", east[0],
          east[1]);
    otok_scene_upload(scene, OTOK_SLOT_ROAD, NULL);
}

/* How wide trees are against the sky on average [pixels], near the ground and above. */
static void widths(otok_scene *scene, double height, double above_sea, double out[2])
{
    static float land[N * N];
    otok_shot shot;
    otok_shot_defaults(&shot);
    shot.camera = (otok_camera){.target = {50 * SPACING, 50 * SPACING, height + EYE},
                                .azimuth = 180,
                                .distance = 15 * SPACING,
                                .angle = 40};
    shot.clouds = 0;
    if (above_sea > 0) shot.sea_level = height - above_sea;
    for (int i = 0; i < N * N; i++)
        land[i] = (float)height;
    land[0] = 0, land[1] = 600;
    otok_scene_upload(scene, OTOK_SLOT_TERRAIN, land);
    against_the_sky(scene, &shot, rgb);
    for (int part = 0; part < 2; part++) {
        int n = 0, runs = 0;
        for (int j = part ? H / 2 - 30 : H / 2 - 12; j < (part ? H / 2 - 12 : H / 2 - 4); j++)
            for (int i = 1; i < W; i++) {
                const unsigned char *p = rgb + 3 * (j * W + i);
                n += p[2] < p[1];
                runs += p[2] < p[1] && p[-1] >= p[-2];
            }
        out[part] = n / (double)(runs ? runs : 1);
    }
}

static void species(otok_scene *scene)
{
    double low[2], high[2], shore[2];
    widths(scene, 100, 0, low);
    widths(scene, 420, 0, high);
    widths(scene, 100, 3.6, shore);
    CHECK(high[0] < 0.5 * low[0] && high[1] > 0.5 && low[1] < 0.5,
          "on high ground trees are %g pixels wide and %g above, on low ground %g and %g", high[0],
          high[1], low[0], low[1]);
    CHECK(shore[1] > 1.1 * shore[0] && low[1] < 2, "at the shore trees are %g wide, and %g above",
          shore[0], shore[1]);
}

/* Red and blue over green, of the whole picture. */
static void hue_of(otok_scene *scene, const otok_shot *shot, double out[2])
{
    double sum[3] = {0};
    otok_scene_draw(scene, canvas, shot, NULL);
    otok_canvas_read(canvas, rgb);
    for (int i = 0; i < W * H * 3; i++)
        sum[i % 3] += rgb[i];
    out[0] = sum[0] / sum[1];
    out[1] = sum[2] / sum[1];
}

/* Blurred textures leave no trees, but the canopy. */
static void hues(otok_scene *scene, double height)
{
    static float land[N * N];
    double near[2], far[2];
    otok_shot shot;
    otok_shot_defaults(&shot);
    shot.haze = 0;
    shot.camera = (otok_camera){.target = {50 * SPACING, 37.5 * SPACING, height},
                                .azimuth = 200,
                                .elevation = 50,
                                .distance = 37.5 * SPACING,
                                .angle = 40};
    for (int i = 0; i < N * N; i++)
        land[i] = (float)height;
    land[0] = 0, land[1] = 600;
    otok_scene_upload(scene, OTOK_SLOT_TERRAIN, land);
    hue_of(scene, &shot, near);
    shot.sharpness = 0.02;
    hue_of(scene, &shot, far);
    CHECK(fabs(near[0] / far[0] - 1) < 0.08 && fabs(near[1] / far[1] - 1) < 0.08,
          "at %g m red and blue over green are %g and %g of trees, %g and %g of their canopy",
          height, near[0], near[1], far[0], far[1]);
}

/* A ridge and a valley along y in the light of a sun overhead, which is the same on both of its
   sides: only their leaves differ. Wind comes from the left. First the canopy alone, then with
   trees. */
static void sides(otok_scene *scene)
{
    static float land[N * N];
    otok_shot shot;
    otok_shot_defaults(&shot);
    shot.haze = 0;
    shot.clouds = 0;
    shot.sun_elevation = 90;
    shot.camera = (otok_camera){.target = {50 * SPACING, 50 * SPACING, 150},
                                .azimuth = 180,
                                .elevation = 89.9,
                                .distance = 37.5 * SPACING,
                                .angle = 40};
    for (int trees = 0; trees < 2; trees++) {
        double sum[2][3] = {{0}}; /* of what faces the wind, and of what does not */
        shot.sharpness = trees ? 1 : 0.02;
        for (int valley = 0; valley < 2; valley++) {
            for (int i = 0; i < N * N; i++)
                land[i] = (valley ? 80 : 180) +
                          (valley - 0.5f) * (float)SPACING * fabsf((float)(i % N) - 49.5f);
            land[0] = 0, land[1] = 600;
            otok_scene_upload(scene, OTOK_SLOT_TERRAIN, land);
            otok_scene_draw(scene, canvas, &shot, NULL);
            otok_canvas_read(canvas, rgb);
            for (int i = 0; i < W * H * 3; i++)
                sum[(i / 3 % W >= W / 2) ^ valley][i % 3] += rgb[i];
        }
        const double wind = sum[0][0] / sum[0][1], lee = sum[1][0] / sum[1][1];
        CHECK(lee > wind, "red over green of %s: %g in the lee, %g before the wind",
              trees ? "trees" : "a canopy", lee, wind);
    }
}

/* A picture that is drawn strip by strip, as the viewer draws it, has the shadows of a whole one.
 */
static void strips(otok_scene *scene)
{
    otok_shot shot;
    otok_shot_defaults(&shot);
    shot.camera = (otok_camera){.target = {50 * SPACING, 50 * SPACING, 100},
                                .azimuth = 180,
                                .elevation = 80,
                                .distance = 15 * SPACING,
                                .angle = 40};
    otok_scene_draw(scene, canvas, &shot, NULL);
    otok_canvas_read(canvas, rgb);
    shot.camera.azimuth = 90; /* the map of shadows is of another view */
    otok_scene_draw(scene, canvas, &shot, NULL);
    shot.camera.azimuth = 180;
    glEnable(GL_SCISSOR_TEST);
    for (int y = 0; y < H; y += H / 4) {
        glScissor(0, y, W, H / 4);
        otok_scene_draw(scene, canvas, &shot, NULL);
    }
    glDisable(GL_SCISSOR_TEST);
    otok_canvas_read(canvas, again);
    CHECK(memcmp(rgb, again, sizeof rgb) == 0, "strips make another picture");
}

static void draw_forest(otok_scene *scene, otok_canvas *on, int deferred)
{
    static float plain[N * N];
    for (int i = 0; i < N * N; i++)
        plain[i] = 100;
    plain[0] = 0, plain[1] = 600; /* out of the picture; the plain is low land, where forest is */
    canvas = on;
    otok_scene_upload(scene, OTOK_SLOT_TERRAIN, plain);
    trees(scene, deferred);
    shadows(scene);
    strips(scene);
    if (deferred) return; /* trees() found the same colours */
    species(scene);
    hues(scene, 100);
    hues(scene, 300);
    hues(scene, 420);
    sides(scene);
}

/* Where cells are 90 m wide. */
static void draw_wide(otok_scene *scene, otok_canvas *on, int deferred)
{
    static float plain[N * N];
    otok_shot shot;
    (void)deferred;
    for (int i = 0; i < N * N; i++)
        plain[i] = 100;
    plain[0] = 0, plain[1] = 600;
    canvas = on;
    otok_scene_upload(scene, OTOK_SLOT_TERRAIN, plain);
    otok_shot_defaults(&shot);
    shot.camera =
        (otok_camera){.target = {4000, 4000, 106}, .azimuth = 180, .distance = 30, .angle = 40};
    const int low = against_the_sky(scene, &shot, rgb);
    shot.camera.target[2] = 116.5;
    const int high = against_the_sky(scene, &shot, rgb);
    CHECK(low > 200 && high == 0, "%d and %d pixels of trees, seen from 6 and 16.5 m", low, high);
}

/* Pixels of trees against the sky that have none within a pixel in another picture. */
static int apart(const unsigned char *one, const unsigned char *other)
{
    int n = 0;
    for (int j = 1; j < H / 2 - 3; j++)
        for (int i = 1; i < W - 1; i++) {
            int near = one[3 * (j * W + i) + 2] >= one[3 * (j * W + i) + 1];
            for (int k = 0; k < 9; k++) {
                const unsigned char *p = other + 3 * ((j + k / 3 - 1) * W + i + k % 3 - 1);
                near |= p[2] < p[1];
            }
            n += !near;
        }
    return n;
}

/* The same low hill on finer and finer cells. */
static void draw_hill(otok_scene *scene, otok_canvas *on, int deferred)
{
    static float hill[1024 * 1024];
    static unsigned char first[W * H * 3];
    static int seen;
    otok_shot shot;
    (void)deferred;
    for (int i = 0; i < cells * cells; i++) {
        const double x = (i % cells + 0.5) / cells - 0.5, y = (i / cells + 0.5) / cells - 0.5;
        hill[i] = (float)(96 + 4 * cos(3 * x) * cos(3 * y));
    }
    hill[0] = 0, hill[1] = 600;
    canvas = on;
    otok_scene_upload(scene, OTOK_SLOT_TERRAIN, hill);
    otok_shot_defaults(&shot);
    shot.camera = (otok_camera){.target = {50 * SPACING, 50 * SPACING, 100 + EYE},
                                .azimuth = 180,
                                .distance = 15 * SPACING,
                                .angle = 40};
    const int n = against_the_sky(scene, &shot, rgb);
    if (cells == 64) memcpy(first, rgb, sizeof first), seen = n;
    const int lost = apart(first, rgb), new = apart(rgb, first);
    CHECK(n > 100 && lost <= 0.02 * seen && new <= 0.02 * seen,
          "on %d cells %d of %d pixels of trees are away, and %d are new", cells, lost, seen, new);
}

int main(void)
{
    drawing_both_ways((otok_grid){N, N, SPACING}, W, H, draw_forest);
    drawing_both_ways((otok_grid){N, N, 90}, W, H, draw_wide);
    for (cells = 64; cells <= 1024; cells *= cells == 128 ? 4 : 2)
        drawing_both_ways((otok_grid){cells, cells, N * SPACING / cells}, W, H, draw_hill);
    return check_failures != 0;
}
