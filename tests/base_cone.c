/* base_cone.c: a cone is K17 eq. 1-2 in double, its middle symmetric to the bit, also far out on
 * the largest grid. */
#include "base_scene.h"

static void against_formula(otok_grid grid, double h, double radius, double p, double x, double y)
{
    static otok_base_plan code;
    otok_generator base[] = {CONE(h, radius, p, x, y)};
    scene(&code, grid, 0, base, 1);
    const double l = grid.spacing, cx = isnan(x) ? (double)grid.nx * l / 2 : x,
                 cy = isnan(y) ? (double)grid.ny * l / 2 : y;
    const int64_t reach = (int64_t)(radius / l) + 2, i0 = (int64_t)(cx / l), j0 = (int64_t)(cy / l);
    double worst = 0;
    int inside = 0;
    for (int64_t j = j0 - reach; j <= j0 + reach; j += reach > 300 ? 3 : 1)
        for (int64_t i = i0 - reach; i <= i0 + reach; i++) {
            const double r = hypot(((double)i + 0.5) * l - cx, ((double)j + 0.5) * l - cy) / radius;
            const double want = r < 1 ? h * (1 - pow(r, p)) : 0,
                         got = scene_cell(&code, (int)i, (int)j);
            worst = fmax(worst, fabs(got - want) / fabs(h));
            inside += got != 0;
        }
    CHECK(worst < 2e-7 * fmax(1, p), "radius %g, power %g: off by %g of the height", radius, p,
          worst);
    CHECK(inside > 10, "%d cells", inside);
}

int main(void)
{
    against_formula((otok_grid){512, 512, 2.0}, 120, 450, 1.6, NAN, NAN);
    against_formula((otok_grid){101, 64, 0.5}, 10, 20, 1, NAN, NAN);
    against_formula((otok_grid){128, 128, 1.0}, -35, 40, 3, 40.25, 80.5);
    against_formula((otok_grid){128, 128, 1.0}, 5, 30, 0.25, 70, 60);
    against_formula((otok_grid){128, 128, 1.0}, 5, 30, 100, -8, 60);
    against_formula((otok_grid){1 << 20, 1 << 20, 1.0}, 100, 25, 2, 1048000.3, 1047999.7);

    static otok_base_plan code;
    otok_generator base[] = {CONE(120, 200, 1.6, NAN, NAN)};
    scene(&code, (otok_grid){300, 301, 1.7}, 0, base, 1);
    int odd = 0;
    for (int j = 0; j < 301; j++)
        for (int i = 0; i < 300; i++)
            odd += scene_cell(&code, i, j) != scene_cell(&code, 299 - i, j) ||
                   scene_cell(&code, i, j) != scene_cell(&code, i, 300 - j);
    CHECK(odd == 0, "%d cells differ from their mirror images", odd);
    return check_failures != 0;
}
