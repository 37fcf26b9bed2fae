/* render_water.c - claim: of one moment there is one picture, of another moment another one;
   ripples run with the water, within a third of its speed, and those of still water before the
   wind; bubbles and strands of white water run with it, through riffles that stand; the sea's waves
   move as far as waves of other moments are apart; still water is greener than the sea; a fast film
   has no colour of speed, a river has it. By colours made directly and deferred;
   riffles and the sea of fine pictures by deferred ones, of fast pictures by direct ones.
   CHECK_ONCE */
#include "core/colours.h"
#include "drawing.h"

#include <math.h>
#include <string.h>

enum { N = 64, SPACING = 2, SIDE = 256, MOST = 24, ASIDE = 8, BLOCK = 8 };

static unsigned char rgb[SIDE * SIDE * 3], other[SIDE * SIDE * 3];
static float terrain[N * N], water[N * N], speed_x[N * N], speed_y[N * N];
static otok_canvas *canvas;

static otok_shot from_above(double distance)
{
    otok_shot shot;
    otok_shot_defaults(&shot);
    shot.camera = (otok_camera){.target = {SPACING * N / 2.0, SPACING * N / 2.0, 5},
                                .azimuth = 180,
                                .elevation = 25,
                                .distance = distance,
                                .angle = 20};
    shot.clouds = 0;
    return shot;
}

static void draw(otok_scene *scene, otok_shot shot, double moment, unsigned char *out)
{
    shot.moment = moment;
    otok_scene_draw(scene, canvas, &shot, NULL);
    otok_canvas_read(canvas, out);
}

/* Green at a pixel, less its mean some pixels to the left and to the right. */
static double detail(const unsigned char *picture, int i, int j)
{
    const unsigned char *p = picture + 3 * (j * SIDE + i) + 1;
    return p[0] - 0.5 * (p[-3 * ASIDE] + p[3 * ASIDE]);
}

/* How far to the right the second picture is from the first one, where their details differ least
   [pixels]. Only as far away as the middle is. */
static int moved(void)
{
    double best = INFINITY;
    int at = 0;
    for (int shift = -MOST; shift <= MOST; shift++) {
        double sum = 0;
        for (int j = 9 * SIDE / 20; j < 11 * SIDE / 20; j++)
            for (int i = MOST + ASIDE; i < SIDE - MOST - ASIDE; i++) {
                const double d = detail(other, i + shift, j) - detail(rgb, i, j);
                sum += d * d;
            }
        if (sum < best) best = sum, at = shift;
    }
    return at;
}

/* Water over a level ground, at one speed along x. */
static void fill(otok_scene *scene, float speed, float depth)
{
    for (int i = 0; i < N * N; i++)
        terrain[i] = 1, water[i] = depth, speed_x[i] = speed, speed_y[i] = 0;
    terrain[0] = 0, terrain[N * N - 1] = 40;
    otok_scene_upload(scene, OTOK_SLOT_TERRAIN, terrain);
    otok_scene_upload(scene, OTOK_SLOT_WATER, water);
    otok_scene_upload(scene, OTOK_SLOT_FLOW_X, speed_x);
    otok_scene_upload(scene, OTOK_SLOT_FLOW_Y, speed_y);
}

static void ripples(otok_scene *scene)
{
    const double distance = 110, pixel = 2 * distance * tan(10 * 3.14159265 / 180) / SIDE,
                 seconds = 0.4;
    otok_shot shot = from_above(distance);
    const float speeds[2] = {4, -4};
    for (int k = 0; k < 2; k++) {
        fill(scene, speeds[k], 4);
        draw(scene, shot, 1, rgb);
        draw(scene, shot, 1, other);
        CHECK(memcmp(rgb, other, sizeof rgb) == 0, "one moment, two pictures");
        draw(scene, shot, 1 + seconds, other);
        const double expected = speeds[k] * seconds / pixel;
        CHECK(fabs(moved() - expected) <= fabs(expected) / 3,
              "ripples moved by %d pixels, the water by %g", moved(), expected);
    }
    fill(scene, 0, 4);
    draw(scene, shot, 1, rgb);
    draw(scene, shot, 1.25, other); /* later they are other ones, for long ones run faster */
    CHECK(moved() > 0, "ripples of still water moved by %d pixels, wind goes to the right",
          moved());
    shot.camera.elevation = 88; /* it mirrors little then */
    double blue[2];
    for (int k = 0; k < 2; k++) {
        double sum[3] = {0};
        shot.sea_level = k ? 30 : NAN;
        draw(scene, shot, 0, rgb);
        for (int i = 0; i < SIDE * SIDE * 3; i++)
            sum[i % 3] += rgb[i];
        blue[k] = sum[2] / sum[1];
    }
    CHECK(blue[0] < blue[1], "still water is %g times as blue as green, the sea %g times", blue[0],
          blue[1]);
}

/* The mean green of a square of the picture. */
static double square(const unsigned char *picture, int i, int j)
{
    double sum = 0;
    for (int y = 0; y < BLOCK; y++)
        for (int x = 0; x < BLOCK; x++)
            sum += picture[3 * ((j * BLOCK + y) * SIDE + i * BLOCK + x) + 1];
    return sum / (BLOCK * BLOCK);
}

/* What differs in a picture from a mean one, about a middle grey. */
static void unlike(unsigned char *picture, const float *mean)
{
    for (int i = 0; i < SIDE * SIDE * 3; i++)
        picture[i] = (unsigned char)(128 + 0.49f * ((float)picture[i] - mean[i]));
}

/* A river of 1.5 m, whose bed is hardly seen, at 12 m/s is three times as fast as its waves, so it
   breaks. In half a second the water is two and a half squares farther on, and bars of broken
   water, which are several squares long, are where they were. In a tenth of a second what differs
   from the mean of some moments moves by half a square, which tells where to. */
static void riffles(otok_scene *scene)
{
    enum { ACROSS = SIDE / BLOCK, FARTHEST = 4, MOMENTS = 8 };
    static float mean[SIDE * SIDE * 3];
    const double distance = 220, pixel = 2 * distance * tan(10 * 3.14159265 / 180) / SIDE;
    otok_shot shot = from_above(distance);
    double best = INFINITY;
    int at = 0;
    shot.camera.elevation = 80;
    fill(scene, 12, 1.5f);
    memset(mean, 0, sizeof mean);
    for (int k = 0; k < MOMENTS; k++) {
        draw(scene, shot, 2 + 0.7 * k, rgb);
        for (int i = 0; i < SIDE * SIDE * 3; i++)
            mean[i] += (float)rgb[i] / MOMENTS;
    }
    draw(scene, shot, 1, rgb);
    draw(scene, shot, 1.1, other);
    unlike(rgb, mean);
    unlike(other, mean);
    const double expected = 12 * 0.1 / pixel;
    CHECK(fabs(moved() - expected) <= fmax(expected / 3, 1),
          "white water moved by %d pixels, the water by %g", moved(), expected);
    draw(scene, shot, 1, rgb);
    draw(scene, shot, 1.5, other);
    for (int shift = -FARTHEST; shift <= FARTHEST; shift++) {
        double sum = 0;
        for (int j = ACROSS / 4; j < 3 * ACROSS / 4; j++)
            for (int i = ACROSS / 4; i < 3 * ACROSS / 4; i++) {
                const double d = square(other, i + shift, j) - square(rgb, i, j);
                sum += d * d;
            }
        if (sum < best) best = sum, at = shift;
    }
    CHECK(at == 0, "riffles moved by %d squares of %g m", at, BLOCK * pixel);
}

/* How far apart two moments are, a colour on the average. */
static double apart(otok_scene *scene, otok_shot shot, double moment)
{
    double sum = 0;
    draw(scene, shot, 1, rgb);
    draw(scene, shot, moment, other);
    for (int i = 0; i < SIDE * SIDE * 3; i++)
        sum += abs(rgb[i] - other[i]);
    return sum / (SIDE * SIDE * 3);
}

/* The waves of the peak are 4.6 m long and take 1.7 s. On dry land no moment differs from another.
 */
static void sea(otok_scene *scene, int fast)
{
    otok_shot shot = from_above(110);
    shot.sea_level = 30;
    shot.fast = fast;
    const double soon = apart(scene, shot, 3), later = apart(scene, shot, 60);
    CHECK(soon > 0.5 * later, "after two seconds the sea differs by %g, after a minute by %g", soon,
          later);
    CHECK(later > 0, "the sea stands still");
    shot.sea_level = NAN;
    otok_scene_upload(scene, OTOK_SLOT_WATER, NULL);
    CHECK(apart(scene, shot, 60) == 0, "dry land differs by %g", apart(scene, shot, 60));
    otok_scene_upload(scene, OTOK_SLOT_WATER, water);
}

/* How colourful the middle is: the largest less the smallest of red, green and blue. */
static int colourful(void)
{
    const unsigned char *p = rgb + 3 * (SIDE / 2 * SIDE + SIDE / 2);
    int low = 255, high = 0;
    for (int c = 0; c < 3; c++)
        low = p[c] < low ? p[c] : low, high = p[c] > high ? p[c] : high;
    return high - low;
}

/* The film is 4 cm deep, a fiftieth of a cell, as the runoff of a storm is. */
static void speeds(otok_scene *scene)
{
    otok_shot shot = from_above(110);
    shot.style = OTOK_STYLE_SPEED;
    shot.colours = otok_colours_find("batlow");
    shot.low = 0, shot.high = 4;
    for (int deep = 0; deep < 2; deep++) {
        fill(scene, 2, deep ? 1 : 0.04f);
        otok_scene_copy(scene, OTOK_SLOT_VALUE_X, OTOK_SLOT_FLOW_X);
        otok_scene_copy(scene, OTOK_SLOT_VALUE_Y, OTOK_SLOT_FLOW_Y);
        draw(scene, shot, 0, rgb);
        CHECK(deep ? colourful() > 40 : colourful() < 12, "the speed of %s has a colour of %d",
              deep ? "a river" : "a film", colourful());
    }
}

static void draw_water(otok_scene *scene, otok_canvas *on, int deferred)
{
    canvas = on;
    ripples(scene);
    if (deferred) riffles(scene);
    sea(scene, !deferred);
    speeds(scene);
}

int main(void)
{
    drawing_both_ways((otok_grid){N, N, SPACING}, SIDE, SIDE, draw_water);
    return check_failures != 0;
}
