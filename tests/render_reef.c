/* render_reef.c - claim: the swell breaks on the reef that faces it, and neither on a reef behind
   that one nor on a lee shore; grooves of sand stand in the outer slope that faces the swell, at
   distances that vary by a quarter of their mean at least, and none in the lee slope. What breakers
   and grooves are is told by the same picture with another reef far before the outer one, which
   takes both from it and is too far from the others to change a pixel there. By colours made
   directly and deferred. CHECK_ONCE */
#include "drawing.h"

#include <math.h>

enum { N = 128, SPACING = 4, SIDE = 400, ALONG = 240 };

/* The water behind one more reef is calmer, which alone takes a red of 2 from the outer reef and a
   green that varies by 0.9 from its slope, in a picture without breakers and grooves: three times
   as much is asked. */
static const double LEAST_RED = 6, LEAST_GREEN = 2.7;
static const double swell[2] = {0.8, 0.6}; /* where it runs to */

static unsigned char open[SIDE * SIDE * 3], closed[SIDE * SIDE * 3]; /* without and with it */

/* Of a profile along the swell, from the middle of the map [cells]: perhaps one more reef, an outer
   reef, water, a reef before land, land, a reef behind it. */
static double profile(double at, int more)
{
    static const double x[] = {-90, -62, -56, -46, -44, -34, -28, -25, -13,
                               -10, -4,  0,   12,  22,  28,  44,  90},
                        z[] = {-40,  -40,  -0.6, -0.6, -25.2, -0.6, -0.6, -16, -16,
                               -0.6, -0.6, 20,   20,   -0.6,  -0.6, -40,  -40};
    int i = 0;
    if (!more && at < -44) return fmax(-40, -25.2 + 2.46 * (at + 44));
    while (i < 15 && at > x[i + 1])
        i++;
    return z[i] + (z[i + 1] - z[i]) * fmin(fmax((at - x[i]) / (x[i + 1] - x[i]), 0), 1);
}

/* What one more reef takes from a channel of the picture at a place: `along` the swell from the
   middle and `beside` it [cells]. */
static double taken(const otok_camera *camera, double along, double beside, int channel)
{
    otok_frame f;
    otok_camera_frame(camera, SIDE, SIDE, &f);
    const double x = SPACING * (N / 2.0 + along * swell[0] - beside * swell[1]),
                 y = SPACING * (N / 2.0 + along * swell[1] + beside * swell[0]);
    double clip[4];
    for (int k = 0; k < 4; k++)
        clip[k] = f.to_clip[k] * x + f.to_clip[4 + k] * y + f.to_clip[12 + k];
    const int i = (int)(SIDE * (0.5 + 0.5 * clip[0] / clip[3])),
              j = (int)(SIDE * (0.5 - 0.5 * clip[1] / clip[3]));
    if (i < 0 || j < 0 || i >= SIDE || j >= SIDE) return NAN;
    return open[3 * (j * SIDE + i) + channel] - closed[3 * (j * SIDE + i) + channel];
}

/* Red, which only foam sends back much of, across a reef's edge. */
static double foam(const otok_camera *camera, double from, double to)
{
    double sum = 0;
    int n = 0;
    for (double along = from; along <= to; along += 0.25)
        for (double beside = -30; beside <= 30; beside += 0.25, n++)
            sum += taken(camera, along, beside, 0);
    return sum / n;
}

/* Green in a line along a slope, its mean over three cells down it, which grooves stay in and
   single corals do not, less its mean over a fifth of the line; its standard deviation. */
static double line(const otok_camera *camera, double along, double out[ALONG])
{
    double raw[ALONG] = {0}, sum = 0;
    for (int i = 0; i < ALONG; i++)
        for (int k = -6; k <= 6; k++)
            raw[i] += taken(camera, along + 0.25 * k, 0.25 * (i - ALONG / 2), 1) / 13;
    for (int i = 0; i < ALONG; i++) {
        double mean = 0;
        int n = 0;
        for (int k = i - ALONG / 10; k <= i + ALONG / 10; k++)
            if (k >= 0 && k < ALONG) mean += raw[k], n++;
        out[i] = raw[i] - mean / n;
        sum += out[i] * out[i];
    }
    return sqrt(sum / ALONG);
}

/* Standard deviation of the distances from groove to groove, over their mean; how many. */
static double unevenness(const double green[ALONG], int *n)
{
    double gap[ALONG], mean = 0, sum = 0;
    int last = -1;
    *n = 0;
    for (int i = 1; i < ALONG; i++)
        if (green[i - 1] <= 0 && green[i] > 0) {
            if (last >= 0) gap[(*n)++] = i - last;
            last = i;
        }
    for (int i = 0; i < *n; i++)
        mean += gap[i] / *n;
    for (int i = 0; i < *n; i++)
        sum += (gap[i] - mean) * (gap[i] - mean) / *n;
    return *n ? sqrt(sum) / mean : 0;
}

static void look(otok_scene *scene, otok_canvas *canvas, const otok_shot *shot, int more,
                 unsigned char *rgb)
{
    static float terrain[N * N];
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            const double along = (i + 0.5 - N / 2.0) * swell[0] + (j + 0.5 - N / 2.0) * swell[1];
            terrain[j * N + i] = (float)profile(along, more);
        }
    terrain[0] = -60, terrain[N * N - 1] = 140; /* a hundredth of the relief is 2 m */
    otok_scene_upload(scene, OTOK_SLOT_TERRAIN, terrain);
    otok_scene_draw(scene, canvas, shot, NULL);
    otok_canvas_read(canvas, rgb);
}

static void reefs(otok_scene *scene, otok_canvas *canvas)
{
    otok_shot shot;
    double windward[ALONG], lee[ALONG];
    int n;
    otok_shot_defaults(&shot);
    shot.camera = (otok_camera){.target = {SPACING * N / 2.0, SPACING * N / 2.0, 0},
                                .azimuth = 180,
                                .elevation = 89,
                                .distance = 1200,
                                .angle = 22};
    shot.sea_level = 0;
    shot.absorption = 0.03;
    shot.clouds = 0;
    shot.sun_elevation = 60;
    look(scene, canvas, &shot, 0, open);
    look(scene, canvas, &shot, 1, closed);
    const double outer = foam(&shot.camera, -35, -32), inner = foam(&shot.camera, -11, -8),
                 behind = foam(&shot.camera, 24, 27);
    CHECK(outer > LEAST_RED && inner == 0 && behind == 0,
          "one more reef takes a red of %g from the outer one, %g from the inner one, %g from the "
          "lee",
          outer, inner, behind);
    const double rough = line(&shot.camera, -36.5, windward),
                 smooth = line(&shot.camera, 30.5, lee), uneven = unevenness(windward, &n);
    CHECK(rough > LEAST_GREEN && smooth == 0, "grooves of %g to windward, of %g in the lee", rough,
          smooth);
    CHECK(n >= 4 && uneven > 0.25, "%d grooves at distances that vary by %g of their mean", n,
          uneven);
}

static void draw_reefs(otok_scene *scene, otok_canvas *canvas, int deferred)
{
    static float reef[N * N];
    (void)deferred;
    for (int i = 0; i < N * N; i++)
        reef[i] = 30;
    otok_scene_upload(scene, OTOK_SLOT_REEF, reef);
    reefs(scene, canvas);
}

int main(void)
{
    drawing_both_ways((otok_grid){N, N, SPACING}, SIDE, SIDE, draw_reefs);
    return check_failures != 0;
}
