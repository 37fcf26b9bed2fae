/* droplet_plane.c - claim: on a plane a droplet goes the way that its equations have in closed
   form: speed, place, volume and sediment, straight down the slope. With F = 1 - dt friction and K
   = 1 - dt evaporation the speed before step n is a (K^-n - F^n) F / (1/K - F), where a = dt sin /
   density; and what it gathers is a sum over those speeds. */
#include "check.h"
#include "model/droplet.h"

#include <math.h>

static void check_plane(double hx, double hy, double dt, double friction, double evaporation,
                        double density, double l)
{
    const double F = 1 - dt * friction, K = 1 - dt * evaporation, rate = 0.1 * dt,
                 steep = sqrt(1 + hx * hx + hy * hy);
    const double g = sqrt(hx * hx + hy * hy), a = dt * g / steep / density;
    const otok_droplet_coefficients k = {(float)(0.5 / l),
                                         (float)(dt / density),
                                         (float)(dt / l),
                                         (float)F,
                                         (float)rate,
                                         (float)K,
                                         0.01f,
                                         1,
                                         1000,
                                         1,
                                         0};
    otok_droplet d = {0, 0, 0.5f, 0.5f, 0, 0, 1, 0, 0};
    double x = 0.5 * l, y = 0.5 * l, sediment = 0;
    int i = 0, j = 0;
    for (int n = 0; n < 40; n++) {
        const float right = (float)(hx * l), top = (float)(hy * l);
        const double before = a * F * (pow(K, -n) - pow(F, n)) / (1 / K - F),
                     now = before + a * pow(K, -n);
        d = otok_droplet_move(d, (otok_cross){0, -right, right, -top, top}, k);
        i += d.i;
        j += d.j;
        x -= dt * now * hx / g;
        y -= dt * now * hy / g;
        CHECK(fabs((i + (double)d.x) * l - x) < 1e-4 * (1 + fabs(x)) &&
                  fabs((j + (double)d.y) * l - y) < 1e-4 * (1 + fabs(y)),
              "step %d: at (%g, %g), expected (%g, %g)", n, (i + (double)d.x) * l,
              (j + (double)d.y) * l, x, y);
        CHECK(d.x >= 0 && d.x < 1 && d.y >= 0 && d.y < 1, "step %d: (%g, %g) is not in the cell", n,
              (double)d.x, (double)d.y);
        const double speed = hypot((double)d.u, (double)d.w),
                     c = pow(K, n) * now * F * 0.25; /* 0.25 m down each step */
        CHECK(fabs(speed - now * F) < 1e-5 * (1 + now), "step %d: speed %g, expected %g", n, speed,
              now * F);
        const otok_droplet_step s = otok_droplet_exchange(&d, 0.0f, 0.25f, 1.0f, 0, k);
        sediment += rate * (c - sediment);
        CHECK(fabs((double)d.sediment - sediment) < 1e-4 * (1e-3 + sediment),
              "step %d: sediment %g, expected %g", n, (double)d.sediment, sediment);
        CHECK(fabs((double)d.volume - pow(K, n + 1)) < 1e-5, "step %d: volume %g, expected %g", n,
              (double)d.volume, pow(K, n + 1));
        const double carried = (double)(int64_t)d.solid * 0x1p-39;
        CHECK(fabs(carried - pow(K, n + 1) * sediment) < 1e-4 * (1e-3 + sediment),
              "step %d: %g m carried, %g m in the water", n, carried, pow(K, n + 1) * sediment);
        CHECK(!s.ended && !s.put && !s.out && !s.lost, "step %d: ended", n);
    }
}

int main(void)
{
    check_plane(0.5, 0.25, 0.1, 0.05, 0.01, 1, 1);
    check_plane(-0.3, 0.4, 1.2, 0.05, 0.001, 1, 2);
    check_plane(2, -1, 0.5, 0.5, 0.02, 3, 0.5);
    check_plane(1e-3, 0, 1, 0, 0.001, 1, 30);
    return check_failures != 0;
}
