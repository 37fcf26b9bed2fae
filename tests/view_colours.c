/* view_colours.c - claim: colour maps are even in lightness: sequential ones grow lighter or darker
   all the way, diverging ones to both sides of their middle, those of sea and land to the coast and
   from it on; the coast's colour is the shore's; both ends of cyclic ones are one colour; names are
   found. `view_colours print` prints the
   maps for python_colours.py. */
#include "check.h"
#include "core/colours.h"

#include <math.h>
#include <string.h>

static float colours[OTOK_COLOURS][3];

/* CIE L*, 0..100. */
static double lightness(int i)
{
    const double y = 0.2126 * colours[i][0] + 0.7152 * colours[i][1] + 0.0722 * colours[i][2];
    return y > 0.008856 ? 116 * cbrt(y) - 16 : 903.3 * y;
}

/* How far it goes back on the way from one colour to another. */
static double step_back(int from, int to)
{
    double worst = 0, most = lightness(from);
    const double sign = lightness(to) > lightness(from) ? 1 : -1;
    for (int i = from; i <= to; i++) {
        worst = fmax(worst, sign * (most - lightness(i)));
        if (sign * (lightness(i) - most) > 0) most = lightness(i);
    }
    return worst;
}

/* The middle of a map of sea and land is the shore, that of a diverging one is 0. */
static void middles(void)
{
    const otok_spread of = {-10, 200, -10, 200};
    const struct {
        const char *name;
        double sea, low, high;
    } cases[] = {{"oleron", 60, -80, 200}, {"topo", 60, -80, 200},        {"topo", 150, -50, 350},
                 {"topo", 300, -50, 200},  {"topo", -INFINITY, -50, 200}, {"vik", 60, -200, 200},
                 {"batlow", 60, -50, 200}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        otok_scale v;
        MUST(otok_scale_set(&v, otok_field_at(OTOK_TERRAIN)->look, &of,
                            otok_colours_find(cases[i].name), cases[i].sea, NAN, NAN));
        CHECK(v.low == cases[i].low && v.high == cases[i].high, "%s, sea at %g: %g to %g",
              cases[i].name, cases[i].sea, v.low, v.high);
    }
}

/* A line for each map: its name, what it is for, and its colours in linear light. */
static int print(void)
{
    static const char *const kinds[] = {"sequential", "diverging", "topography", "cyclic"};
    for (int m = 0; otok_colours_name(m); m++) {
        otok_colours_fill(m, colours);
        printf("%s %s", otok_colours_name(m), kinds[otok_colours_kind_of(m)]);
        for (int i = 0; i < 3 * OTOK_COLOURS; i++)
            printf(" %.6g", (double)colours[i / 3][i % 3]);
        putchar('\n');
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "print") == 0) return print();
    middles();
    const int middle = OTOK_COLOURS / 2, last = OTOK_COLOURS - 1;
    CHECK(otok_colours_find("viridisch") == -1 && otok_colours_find("otok") == OTOK_COLOURS_OWN,
          "names");
    for (int m = 0; otok_colours_name(m); m++) {
        CHECK(otok_colours_find(otok_colours_name(m)) == m, "%s is not found",
              otok_colours_name(m));
        otok_colours_fill(m, colours);
        const int one = otok_colours_kind_of(m) == OTOK_COLOURS_SEQUENTIAL;
        const double worst =
            one ? step_back(0, last) : fmax(step_back(0, middle - 2), step_back(middle + 2, last));
        CHECK(worst < 1, "%s goes back by %.2f of L*", otok_colours_name(m), worst);
        for (int i = 0; i < 3 && otok_colours_kind_of(m) == OTOK_COLOURS_CYCLIC; i++)
            CHECK(fabsf(colours[0][i] - colours[last][i]) < 0.005f, "%s: ends that differ",
                  otok_colours_name(m));
        CHECK(fabs(lightness(last) - lightness(0)) > 40 || !one, "%s spans %.0f of L*",
              otok_colours_name(m), fabs(lightness(last) - lightness(0)));
    }
    return check_failures != 0;
}
