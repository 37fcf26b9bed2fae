/* water_front.c - claim: under `area: depth` no cell is faster along an axis than the water at the faster of its two faces there,
   also where a front is just filling it: a dam that breaks over a dry plane and over a dry slope, one-way and signed pipes, with
   and without friction, at two time steps. Face speeds are worked out here, from depths before and flows after an iteration. */
#include "scene.h"

#include <math.h>

enum { NX = 48, NY = 6, STEPS = 120 };

static float water[NY][NX], ground[NY][NX], out[4][NY][NX], u[NY][NX], w[NY][NX];

static double depth_between(int j, int i, int b, int a)
{
    const double one = ground[j][i], other = ground[b][a];
    return fmax(0, fmax(one + water[j][i], other + water[b][a]) - fmax(one, other));
}

/* Speed through the face between a cell and the next one in x or y; 0 at a closed side. */
static double face_speed(int j, int i, int dj, int di, int is_signed, double l)
{
    const int b = j + dj, a = i + di;
    if (j < 0 || i < 0 || b >= NY || a >= NX) return 0;
    const int ahead = di ? OTOK_RIGHT : OTOK_TOP, back = di ? OTOK_LEFT : OTOK_BOTTOM;
    const double flow = is_signed ? out[ahead][j][i] : (double)out[ahead][j][i] - out[back][b][a];
    const double d = depth_between(j, i, b, a);
    return d > 0 ? fabs(flow) / (l * d) : 0;
}

static void check(const char *backend, int is_signed, double slope, const char *values)
{
    const double l = 2;
    const int fields[] = {OTOK_OUTFLOW_LEFT, OTOK_OUTFLOW_RIGHT, OTOK_OUTFLOW_BOTTOM, OTOK_OUTFLOW_TOP};
    otok_scenario *s =
        scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: %g}\nphases: [{name: a, iterations: %d, hydraulic: {pipes: %s, area: "
              "depth, evaporation: 0, capacity: 0, %s}}]\n",
              NX, NY, l, STEPS, is_signed ? "signed" : "one_way", values);
    otok_sim *sim;
    double fastest = 0;
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            ground[j][i] = (float)(slope * l * (NX - i));
            water[j][i] = i < 10 + j ? 0.5f : 0;
        }
    MUST(otok_sim_create(&sim, s, backend));
    MUST(otok_sim_set(sim, OTOK_TERRAIN, ground[0]));
    MUST(otok_sim_set(sim, OTOK_WATER, water[0]));
    for (int n = 0; n < STEPS; n++) {
        MUST(otok_sim_run(sim, 1));
        MUST(otok_sim_get(sim, OTOK_VELOCITY_X, u[0]));
        MUST(otok_sim_get(sim, OTOK_VELOCITY_Y, w[0]));
        for (int side = 0; side < 4; side++)
            if (otok_sim_has(sim, (otok_field)fields[side])) MUST(otok_sim_get(sim, (otok_field)fields[side], out[side][0]));
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++) {
                const double x = fmax(face_speed(j, i - 1, 0, 1, is_signed, l), face_speed(j, i, 0, 1, is_signed, l));
                const double y = fmax(face_speed(j - 1, i, 1, 0, is_signed, l), face_speed(j, i, 1, 0, is_signed, l));
                CHECK(fabs(u[j][i]) <= x * 1.0001 && fabs(w[j][i]) <= y * 1.0001,
                      "%s, slope %g, %s, iteration %d, cell %d, %d: %g, %g m/s, at its faces %g, %g",
                      is_signed ? "signed" : "one-way", slope, values, n, i, j, (double)u[j][i], (double)w[j][i], x, y);
                fastest = fmax(fastest, fabs(u[j][i]));
            }
        MUST(otok_sim_get(sim, OTOK_WATER, water[0]));
        if (check_failures > 5) exit(1);
    }
    CHECK(fastest > 0.1, "nothing flows: %g m/s", fastest);
    otok_sim_destroy(sim);
    otok_scenario_destroy(s);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    static const char *const values[] = {"dt: 0.1, manning: 0.05", "dt: 0.02, manning: 0.05",
                                         "dt: 0.1, manning: 0.05, friction: axis", "dt: 0.05"};
    for (int is_signed = 0; is_signed < 2; is_signed++)
        for (int slope = 0; slope < 2; slope++)
            for (size_t n = 0; n < sizeof values / sizeof values[0]; n++)
                check(backend, is_signed, 0.02 * slope, values[n]);
    return check_failures > 0;
}
