/* water_front.c - claim: where water runs down a dry plane, no cell is much faster than Manning's
   speed. A sheet of uniform depth and speed is let go: its front and all water behind it keep that
   speed in the exact solution, for a front of constant form has no other. Down an axis and down the
   diagonal, two steps. Not with theta below 1, which leans flow on water
   that stands beside dry land and drives films of less than a millimetre ahead of the front.
   CHECK_SLOW */
#include "scene.h"

#include <math.h>

enum { N = 72, DEEP = 16 };

static float terrain[N * N], water[N * N], u[N * N], w[N * N];

/* Where a cell's centre lies along the fall line [m]. */
static double distance_along(int i, int j, int diagonal, double l)
{
    return diagonal ? (i + j) * l / sqrt(2) : i * l;
}

static otok_scenario *plane(double dt, double l)
{
    return scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: %g}\nedges: {left: closed}\nphases: "
                 "[{name: a, iterations: 100000, hydraulic: {dt: %g, manning: 0.05, evaporation: "
                 "0, capacity: 0, dissolve: 0, deposit: 0, pipes: signed, area: depth}}]\n",
                 N, N, l, dt);
}

static otok_sim *released(const char *backend, const otok_scenario *s, int diagonal, double l,
                          double slope, double depth)
{
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            const double x = distance_along(i, j, diagonal, l);
            terrain[j * N + i] = (float)(slope * (2 * N * l - x));
            water[j * N + i] = x < DEEP * l * (diagonal ? 2 : 1) ? (float)depth : 0;
        }
    otok_sim *sim = scene_sim(s, backend);
    scene_set(sim, terrain, water);
    return sim;
}

/* The fastest cell ever in the middle of the grid, which closed sides do not touch, over Manning's
 * speed of the sheet; the front has to reach the end of the middle. */
static double fastest_cell(const char *backend, double dt, int diagonal)
{
    const double l = 4, slope = 1.0 / 50, depth = 0.04;
    const double speed = pow(depth, 2.0 / 3) * sqrt(slope) / 0.05;
    otok_scenario *s = plane(dt, l);
    otok_sim *sim = released(backend, s, diagonal, l, slope, depth);
    double most = 0;
    int reached = 0;
    const int64_t iterations = (int64_t)(24 * l / (speed * dt));
    for (int64_t n = 0; n < iterations; n++) {
        scene_run(sim, 1, OTOK_VELOCITY_X, u);
        MUST(otok_sim_get(sim, OTOK_VELOCITY_Y, w));
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) {
                const double v = hypot(u[j * N + i], w[j * N + i]);
                if (diagonal && abs(i - j) > N / 4) continue;
                most = fmax(most, v);
                reached |= v > 0 &&
                           distance_along(i, j, diagonal, l) > (DEEP * (diagonal ? 2 : 1) + 12) * l;
            }
    }
    CHECK(reached, "dt %g: the front has not come far", dt);
    scene_destroy(sim, s);
    return most / speed;
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    for (int diagonal = 0; diagonal < 2; diagonal++)
        for (double dt = 1; dt > 0.04; dt /= 5) {
            const double most = fastest_cell(backend, dt, diagonal);
            CHECK_FOUND(most < 1.25 && most > 0.9, "dt %g, %s: %g of Manning's speed", dt,
                        diagonal ? "diagonal" : "axis", most);
        }
    return check_failures != 0;
}
