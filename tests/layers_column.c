/* layers_column.c - claim: erosion and sliding take the layers of a column from the top down, each
   at its own rate and each layer's unused share of the step passing on; what layers lose is what
   the ground lost; one layer of erodibility 1 gives the bits of a ground without layers. */
#include "scene.h"

#include "model/layers.h"

#include <math.h>

static uint64_t state = 1;

static float random_between(float low, float high)
{
    return low + (high - low) * scene_random(&state);
}

static otok_layer_coefficients some_layers(int n)
{
    otok_layer_coefficients k = {.n = n, .most_slide = 0.125f};
    for (int i = 0; i < n; i++) {
        k.erodibility[i] = scene_random(&state) < 0.2f ? 0 : random_between(0, 3);
        k.talus[i] = random_between(0, 2);
        k.talus_diagonal[i] = k.talus[i] * sqrtf(2);
    }
    return k;
}

static otok_bottoms some_bottoms(float ground, int n)
{
    otok_bottoms b = {{0}};
    for (int i = 0; i < n - 1; i++)
        b.at[i] = ground -= scene_random(&state) < 0.3f ? 0 : powf(10, random_between(-6, 0));
    return b;
}

/* Layers below one that is left are as they were, and the books say what each lost. */
static void check_order(float was, otok_bottoms b, float is, int n)
{
    const otok_bottoms cut = otok_layers_cut(b, is);
    otok_layer_books books = {{0}, {0}};
    otok_layers_book(&books, was, b, is, cut, n);
    double sum = 0, above = was, above_cut = is;
    for (int i = 0; i < n; i++) {
        const double bottom = i < n - 1 ? b.at[i] : -100, bottom_cut = i < n - 1 ? cut.at[i] : -100;
        const double lost = otok_fixed_value(books.hi[1 + i], books.lo[1 + i]);
        CHECK(above_cut - bottom_cut >= 0, "layer %d is %g m thick", i, above_cut - bottom_cut);
        CHECK(above_cut == bottom_cut || bottom_cut == bottom,
              "layer %d is left, and its bottom fell", i);
        CHECK(is > was || fabs((above - bottom) - (above_cut - bottom_cut) - lost) < 1e-11,
              "layer %d lost %g, booked %g", i, (above - bottom) - (above_cut - bottom_cut), lost);
        sum += lost;
        above = bottom;
        above_cut = bottom_cut;
    }
    if (is <= was)
        CHECK(fabs(sum - ((double)was - is)) < 1e-11, "lost %g, booked %g", (double)was - is, sum);
    if (is > was)
        CHECK(otok_fixed_value(books.hi[0], books.lo[0]) > 0, "a deposit of %g is not booked",
              (double)(is - was));
}

/* The rule in double, as the passing of time: a layer of thickness t lasts for t / (k lack) of the
 * step. */
static double dissolved(float ground, otok_bottoms b, double lack, double map, double dissolve,
                        const otok_layer_coefficients *k)
{
    double left = 1, sum = 0, top = ground;
    for (int i = 0; i < k->n && left > 0; i++) {
        const double rate = fmin(dissolve * map * k->erodibility[i], 1) * lack;
        const double t = i < k->n - 1 ? top - b.at[i] : INFINITY, lasts = rate > 0 ? t / rate
                                                                          : t > 0  ? INFINITY
                                                                                   : 0;
        const double used = fmin(left, lasts);
        sum += used * rate;
        left -= used;
        if (i < k->n - 1) top = b.at[i];
    }
    return sum;
}

static void erosion(void)
{
    for (int trial = 0; trial < 300000 && check_failures < 5; trial++) {
        const int n = 1 + trial % OTOK_LAYERS;
        const otok_layer_coefficients layers = some_layers(n);
        const otok_erosion_coefficients k = {.dissolve = random_between(0, 1),
                                             .deposit = random_between(0, 1)};
        const float change = random_between(-9, 9), s = random_between(0, 1),
                    capacity = random_between(0, 3), map = random_between(0, 2);
        const otok_bottoms b = some_bottoms(change, n);
        const otok_eroded e = otok_erosion_layered(change, b, s, 1, capacity, map, k, layers);
        check_order(change, b, e.change, n);
        const double lack = (double)capacity - s;
        const double expected =
            lack > 0 ? dissolved(change, b, lack, map, k.dissolve, &layers) : k.deposit * lack;
        CHECK(fabs((double)e.s - s - expected) < 4e-6, "%d layers: dissolved %.9g, expected %.9g",
              n, (double)e.s - s, expected);
    }
}

static otok_moore some_heights(void)
{
    otok_moore h;
    float *at = &h.here;
    for (int i = 0; i < 9; i++)
        at[i] = scene_random(&state) < 0.1f && i ? INFINITY : random_between(0, 6);
    return h;
}

static void sliding(void)
{
    for (int trial = 0; trial < 300000 && check_failures < 5; trial++) {
        const int n = 1 + trial % OTOK_LAYERS;
        const otok_layer_coefficients layers = some_layers(n);
        const otok_thermal_coefficients k = {.amount = random_between(0, 0.125f),
                                             .excess = trial & 1};
        const otok_moore h = some_heights();
        const float change = random_between(-9, 9), map = random_between(0, 2);
        const otok_bottoms b = some_bottoms(change, n);
        const otok_slide s = otok_thermal_outflow_layered(h, change, b, map, k, layers);
        check_order(change, b, s.change, n);
        double left = 1, expected = 0,
               top = change; /* as above, with what each layer alone would lose */
        for (int i = 0; i < n && left > 0; i++) {
            const double whole =
                (double)change - otok_slide_of_layer(i, h, change, map, k, layers).change;
            const double t = i < n - 1 ? top - b.at[i] : INFINITY,
                         used = t <= 0      ? 0
                                : whole > 0 ? fmin(left, t / whole)
                                            : left;
            expected += used * whole;
            left -= used;
            if (i < n - 1) top = b.at[i];
        }
        const double lost = (double)change - s.change;
        CHECK(fabs(lost - expected) < 4e-6, "%d layers: slid %.9g, expected %.9g", n, lost,
              expected);
        CHECK(fabs((double)otok_sum_eight(s.pipe) - lost) < 1e-6, "slid %.9g, sent %.9g", lost,
              (double)otok_sum_eight(s.pipe));
    }
}

static void one_layer(void)
{
    const otok_bottoms none = {{0}};
    for (int trial = 0; trial < 300000 && check_failures < 5; trial++) {
        otok_layer_coefficients layers = {
            .n = 1, .erodibility = {1}, .talus = {random_between(0, 2)}, .most_slide = 0.125f};
        layers.talus_diagonal[0] = layers.talus[0] * 1.4f;
        const otok_erosion_coefficients k = {.dissolve = random_between(0, 1),
                                             .deposit = random_between(0, 1),
                                             .displace_water = trial & 1};
        const otok_thermal_coefficients t = {random_between(0, 0.125f), layers.talus[0],
                                             layers.talus_diagonal[0], trial & 1};
        const float change = random_between(-9, 9),
                    s = random_between(0, 1) * powf(10, random_between(-9, 0)),
                    capacity = random_between(0, 2);
        const otok_eroded a = otok_erosion(change, s, 1, capacity, k);
        const otok_eroded b = otok_erosion_layered(change, none, s, 1, capacity, 1, k, layers);
        CHECK(memcmp(&a, &b, sizeof a) == 0, "eroded to %.9g, without layers %.9g",
              (double)b.change, (double)a.change);
        const otok_moore h = some_heights();
        const otok_slide c = otok_thermal_outflow(h, change, t),
                         d = otok_thermal_outflow_layered(h, change, none, 1, t, layers);
        CHECK(memcmp(&c, &d, sizeof c) == 0, "slid to %.9g, without layers %.9g", (double)d.change,
              (double)c.change);
    }
}

int main(void)
{
    erosion();
    sliding();
    one_layer();
    return check_failures != 0;
}
