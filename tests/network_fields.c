/* network_fields.c - claim: area, length, order, slope, chi and steepness along receivers are those
   of a walk down from every cell, on a network with a known order, that ends in the sea and crosses
   a periodic side; theta, hack and k_sn of a run are those of least squares and a median. */
#include "scene.h"

#include <math.h>

enum { NX = 12, NY = 9, CELLS = NX * NY };
static const double spacing = 4, exponent = 0.4, sea = 1;
static const int to_x[] = {0, -1, 0, 1, -1, 1, -1, 0, 1}, to_y[] = {0, 1, 1, 1, 0, 0, -1, -1, -1};

static float terrain[CELLS], receiver[CELLS], out[CELLS];

/* The cell downstream; -1: none. */
static int below(int cell, int nx, int ny, const float *ways)
{
    const int way = (int)ways[cell];
    const int x = (cell % nx + to_x[way] + nx) % nx, y = (cell / nx + to_y[way] + ny) % ny;
    return way ? y * nx + x : -1;
}

static double far(int way)
{
    return spacing * hypot(to_x[way], to_y[way]);
}

/* A trunk along row 4 to the left, over the periodic side to its end at x = NX - 2, below the sea;
   columns drain into it, and a corner by a diagonal. */
static void build(void)
{
    for (int i = 0; i < CELLS; i++) {
        const int x = (i % NX + 2) % NX, y = i / NX; /* x: from the end on */
        receiver[i] = y > 4 ? 7 : y < 4 ? 2 : x ? 4 : 0;
        terrain[i] = (float)(3 * (x + abs(y - 4)) + (x || y != 4) * 0.1 * (i % 7));
    }
    receiver[CELLS - 3] = 6; /* the farthest column: its top to the next one */
}

static void derive(const char *name, const char *text, float *map)
{
    otok_derived_from from = {.scenario = text, .iteration = 1};
    from.maps[OTOK_TERRAIN] = terrain;
    from.maps[OTOK_RECEIVER] = receiver;
    MUST(otok_derive(otok_derived_find(name), &from, map));
}

static void is_near(const char *name, int cell, double wanted)
{
    CHECK(fabs((double)out[cell] - wanted) <= 2e-6 * fabs(wanted),
          "%s is %.9g in cell %d, not %.9g", name, (double)out[cell], cell, wanted);
}

static void check_network(void)
{
    static double drained[CELLS], longest[CELLS];
    char text[512];
    snprintf(text, sizeof text,
             "otok: 1\ngrid: {nx: %d, ny: %d, spacing: %g}\nedges: {left: periodic, right: "
             "periodic}\nsea: {level: %g}\nphases: [{iterations: 1, incision: {dt: 1, m: %g}}]\n",
             NX, NY, spacing, sea, exponent);
    build();
    for (int i = 0; i < CELLS; i++) {
        double length = 0;
        for (int at = i; at >= 0; at = below(at, NX, NY, receiver)) {
            drained[at] += spacing * spacing;
            longest[at] = fmax(longest[at], length);
            length += far((int)receiver[at]);
        }
    }
    derive("drainage_area", text, out);
    for (int i = 0; i < CELLS; i++)
        is_near("area", i, drained[i]);
    derive("river_length", text, out);
    for (int i = 0; i < CELLS; i++)
        is_near("length", i, longest[i]);
    derive("chi", text, out);
    for (int i = 0; i < CELLS; i++) {
        double chi = 0;
        for (int at = i; receiver[at] > 0; at = below(at, NX, NY, receiver))
            chi += pow(drained[at], -exponent) * far((int)receiver[at]);
        is_near("chi", i, chi);
    }
    for (int steep = 0; steep < 2; steep++) {
        derive(steep ? "steepness" : "river_slope", text, out);
        for (int i = 0; i < CELLS; i++) {
            const int next = below(i, NX, NY, receiver);
            const double fall =
                next < 0 ? NAN : (double)terrain[i] - fmax((double)terrain[next], sea);
            if (next < 0)
                CHECK(isnan(out[i]), "a slope of %g where a river ends", (double)out[i]);
            else
                is_near("slope", i,
                        fall / far((int)receiver[i]) * (steep ? pow(drained[i], exponent) : 1));
        }
    }
    derive("stream_order", text, out);
    for (int i = 0; i < CELLS; i++) { /* x: from the farthest column on */
        const int x = NX - 1 - (i % NX + 2) % NX, y = i / NX;
        is_near("order", i, y == 4 ? (x ? 3 : 2) : x == 1 && y > 4 && y < NY - 1 ? 2 : 1);
    }
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct fit {
    double n, x, y, xx, xy;
} fit;

static void add(fit *f, double x, double y)
{
    f->n++, f->x += x, f->y += y, f->xx += x * x, f->xy += x * y;
}

static double power(const fit *f)
{
    return (f->n * f->xy - f->x * f->y) / (f->n * f->xx - f->x * f->x);
}

static void check_responses(void)
{
    enum { N = 48, ALL = N * N };
    static float h[ALL], ways[ALL], areas[ALL], lengths[ALL];
    static double steep[ALL];
    fit slope_fit = {0}, length_fit = {0};
    int n = 0;
    double got[3];
    const double least = 20 * spacing * spacing;
    otok_scenario *s =
        scene("otok: 1\nseed: 7\ngrid: {nx: %d, ny: %d, spacing: %g}\nedges: {left: open, right: "
              "open, bottom: open, top: open}\nbase: [{simplex: {amplitude: 1, wavelength: "
              "20}}]\nphases: [{name: a, iterations: 20, uplift: {dt: 1 kyr, rate: 1 mm/yr}, "
              "incision: {erodibility: 1e-4 yr-1, m: %g}}]\n",
              N, N, spacing, exponent);
    otok_sim *sim = scene_sim(s, "cpu");
    scene_run(sim, 20, OTOK_TERRAIN, h);
    MUST(otok_sim_get(sim, OTOK_RECEIVER, ways));
    otok_derived_from from = {.scenario = otok_scenario_text(s), .iteration = 20};
    from.maps[OTOK_RECEIVER] = ways;
    MUST(otok_derive(otok_derived_find("drainage_area"), &from, areas));
    MUST(otok_derive(otok_derived_find("river_length"), &from, lengths));
    for (int i = 0; i < ALL; i++) {
        const int next = below(i, N, N, ways);
        if (!((double)areas[i] > least)) continue;
        add(&length_fit, log((double)areas[i]), log((double)lengths[i]));
        if (next < 0) continue;
        const double slope = ((double)h[i] - (double)h[next]) / far((int)ways[i]);
        if (slope > 0) add(&slope_fit, log((double)areas[i]), log(slope));
        steep[n++] = slope * pow((double)areas[i], exponent);
    }
    qsort(steep, (size_t)n, sizeof *steep, by_size);
    const char *const names[] = {"theta", "hack", "k_sn"};
    const double wanted[] = {-power(&slope_fit), power(&length_fit),
                             (steep[(n - 1) / 2] + steep[n / 2]) / 2};
    for (int k = 0; k < 3; k++) {
        char expression[64];
        snprintf(expression, sizeof expression, "%s(%.17g)", names[k], least);
        MUST(otok_sim_response(sim, expression, &got[k]));
        CHECK(n > 100 && fabs(got[k] / wanted[k] - 1) < 2e-4, "%s is %.9g, not %.9g", expression,
              got[k], wanted[k]);
    }
    scene_destroy(sim, s);
}

int main(void)
{
    check_network();
    check_responses();
    return check_failures > 0;
}
