/* render_shadow.c - claim: on the sea beyond the map lies the shadow of the land on it: away from
   the sun and as long as the land is high, and nowhere else. By colours made directly and deferred.
   CHECK_ONCE */
#include "drawing.h"

#include <math.h>
#include <string.h>

enum { N = 64, SPACING = 4, SIDE = 300, ACROSS = N * SPACING };

static const double degree = 3.14159265358979323846 / 180, HIGH = 60, AT = 0.8 * ACROSS;
static unsigned char shaded[SIDE * SIDE * 3], open[SIDE * SIDE * 3];

/* From above, so that the picture is a map. */
static otok_shot from_above(void)
{
    otok_shot shot;
    otok_shot_defaults(&shot);
    shot.camera = (otok_camera){.target = {1.5 * ACROSS, ACROSS / 2.0, 0},
                                .azimuth = 180,
                                .elevation = 89,
                                .distance = 2200,
                                .angle = 22};
    shot.sea_level = 0;
    shot.clouds = 0;
    shot.sun_azimuth = 285;
    shot.sun_elevation = 18;
    return shot;
}

/* How much darker a place is in the shadow, in green, over some pixels: 0 for not at all. */
static double darker(const otok_camera *camera, double x, double y)
{
    enum { NEAR = 3 };
    otok_frame f;
    double clip[4], with = 0, without = 0;
    otok_camera_frame(camera, SIDE, SIDE, &f);
    for (int k = 0; k < 4; k++)
        clip[k] = f.to_clip[k] * x + f.to_clip[4 + k] * y + f.to_clip[12 + k];
    const int i = (int)(SIDE * (0.5 + 0.5 * clip[0] / clip[3])),
              j = (int)(SIDE * (0.5 - 0.5 * clip[1] / clip[3]));
    CHECK(i >= NEAR && j >= NEAR && i < SIDE - NEAR && j < SIDE - NEAR, "%g, %g is not seen", x, y);
    for (int b = j - NEAR; b <= j + NEAR; b++)
        for (int a = i - NEAR; a <= i + NEAR; a++)
            with += shaded[3 * (b * SIDE + a) + 1], without += open[3 * (b * SIDE + a) + 1];
    return 1 - with / without;
}

static void look(otok_scene *scene, otok_canvas *canvas)
{
    otok_shot shot = from_above();
    for (int k = 0; k < 2; k++) {
        shot.shadows = k;
        otok_scene_draw(scene, canvas, &shot, NULL);
        otok_canvas_read(canvas, k ? shaded : open);
    }
    const double length = HIGH / tan(shot.sun_elevation * degree),
                 x = -sin(shot.sun_azimuth * degree), y = -cos(shot.sun_azimuth * degree);
    for (double part = 0.4; part < 2.5; part += 0.35) { /* of the shadow's length */
        const double at_x = AT + part * length * x, at_y = ACROSS / 2.0 + part * length * y,
                     dark = darker(&shot.camera, at_x, at_y);
        CHECK(at_x > ACROSS, "%g is on the map", at_x);
        CHECK(part < 1 ? dark > 0.1 : fabs(dark) < 0.01,
              "at %g of its length the shadow takes %g of the light", part, dark);
        if (part > 1) continue; /* beside it there is none, and there was none straight on */
        for (int side = -1; side <= 1; side += 2)
            CHECK(fabs(darker(&shot.camera, at_x - 60 * side * y, at_y + 60 * side * x)) < 0.01,
                  "a shadow beside the shadow, at %g of its length", part);
    }
}

static void draw_shadows(otok_scene *scene, otok_canvas *canvas, int deferred)
{
    static float terrain[N * N];
    (void)deferred;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            const double away = hypot((i + 0.5) * SPACING - AT, (j + 0.5 - N / 2.0) * SPACING);
            terrain[j * N + i] = (float)fmax(HIGH * (1 - away / 30), -30);
        }
    otok_scene_upload(scene, OTOK_SLOT_TERRAIN, terrain);
    look(scene, canvas);
}

int main(void)
{
    drawing_both_ways((otok_grid){N, N, SPACING}, SIDE, SIDE, draw_shadows);
    return check_failures != 0;
}
