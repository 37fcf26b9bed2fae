/* render_cliffs.c - claim: a cliff 15 m high above a shallow sea is rock, darker than the sand of a
   beach and without wood, on cells of 10, 20 and 40 m alike, where it is steep or as gentle as a
   hill; a beach stays sand. By colours made directly and deferred. CHECK_ONCE */
#include "drawing.h"

#include <math.h>

enum { SIDE = 1600, SHORE = SIDE / 2, W = 240, H = 160, MOST = SIDE / 10 };

static int cells; /* along a side of the map */
static unsigned char rgb[W * H * 3];

/* The mean colour of a strip along the coast, from one distance behind it to another [m]. */
static void strip(const otok_camera *camera, double from, double to, double out[3])
{
    otok_frame f;
    int n = 0;
    otok_camera_frame(camera, W, H, &f);
    out[0] = out[1] = out[2] = 0;
    for (double x = SHORE + from; x <= SHORE + to; x += 0.5)
        for (double y = SIDE / 2.0 - 120; y <= SIDE / 2.0 + 120; y += 2, n++) {
            double clip[4];
            for (int k = 0; k < 4; k++)
                clip[k] = f.to_clip[k] * x + f.to_clip[4 + k] * y + f.to_clip[12 + k];
            const int i = (int)(W * (0.5 + 0.5 * clip[0] / clip[3])),
                      j = (int)(H * (0.5 - 0.5 * clip[1] / clip[3]));
            for (int c = 0; c < 3; c++)
                out[c] += rgb[3 * (j * W + i) + c];
        }
    for (int c = 0; c < 3; c++)
        out[c] /= n;
}

static void coast(otok_scene *scene, otok_canvas *canvas, int deferred)
{
    static float land[MOST * MOST];
    const double l = (double)SIDE / cells;
    double colour[2][3];
    otok_shot shot;
    otok_shot_defaults(&shot);
    shot.sea_level = 0;
    shot.clouds = 0;
    shot.camera = (otok_camera){.target = {SHORE, SIDE / 2.0, 0},
                                .azimuth = 270,
                                .elevation = 80,
                                .distance = 600,
                                .angle = 40};
    for (int beach = 0; beach < 2; beach++) {
        for (int n = 0; n < cells * cells; n++) {
            const double x = (n % cells + 0.5) * l - SHORE, gentle = 0.04 * x;
            land[n] = (float)(beach ? fmax(gentle, -5) : x < 0 ? -5 : 15 + gentle);
        }
        land[0] = -60, land[cells * cells - 1] = 140;
        otok_scene_upload(scene, OTOK_SLOT_TERRAIN, land);
        otok_scene_draw(scene, canvas, &shot, NULL);
        otok_canvas_read(canvas, rgb);
        strip(&shot.camera, beach ? 4 : 0, beach ? 20 : 0.4 * l, colour[beach]);
    }
    const double *cliff = colour[0], *sand = colour[1];
    CHECK(cliff[0] < 0.8 * sand[0] && cliff[0] > cliff[1],
          "cells of %g m, %s: a cliff of red %.0f, green %.0f; a beach of red %.0f, green %.0f", l,
          deferred ? "deferred" : "directly", cliff[0], cliff[1], sand[0], sand[1]);
}

int main(void)
{
    for (cells = SIDE / 40; cells <= MOST; cells *= 2)
        drawing_both_ways((otok_grid){cells, cells, (double)SIDE / cells}, W, H, coast);
    return check_failures != 0;
}
