/* crop_shapes.c: crop keeps the map inside a rectangle, circle, ellipse or polygon and puts
   `outside` elsewhere, whatever the spacing. */
#include "base_scene.h"

enum { NX = 90, NY = 70 };

static const double star[] = {20.1,  10.2,  170.3, 20.4, 60.2, 61,
                              150.1, 130.9, 90.6,  75,   30.4, 120.8};
static const int corners = 6;

/* The winding number about a point, by the angles that the edges subtend. */
static int surrounded(double x, double y)
{
    double angle = 0;
    for (int n = 0; n < corners; n++) {
        const double *a = star + 2 * n, *b = star + 2 * ((n + 1) % corners);
        const double ax = a[0] - x, ay = a[1] - y, bx = b[0] - x, by = b[1] - y;
        angle += atan2(ax * by - ay * bx, ax * bx + ay * by);
    }
    return fabs(angle) > 3;
}

static int inside(int shape, double x, double y)
{
    const double u = fabs(x - 80), v = fabs(y - 60);
    switch (shape) {
    case OTOK_CROP_RECTANGLE: return u <= 55 && v <= 30;
    case OTOK_CROP_CIRCLE: return hypot(u, v) <= 30;
    case OTOK_CROP_ELLIPSE: return u * u / (55 * 55) + v * v / (30 * 30) <= 1;
    default: return surrounded(x, y);
    }
}

int main(void)
{
    static otok_base_plan plan;
    for (int shape = OTOK_CROP_RECTANGLE; shape <= OTOK_CROP_POLYGON; shape++) {
        otok_generator base[] = {
            SIMPLEX(40, 3),
            {.kind = OTOK_GEN_CROP,
             .as.crop = {
                 .x = 80, .y = 60, .width = 110, .height = 60, .outside = -9, .shape = shape}}};
        if (shape == OTOK_CROP_POLYGON)
            base[1].nnumbers = 2 * corners, base[1].numbers = (double *)star;
        static float whole[NY][NX];
        int kept = 0, wrong = 0;
        scene(&plan, (otok_grid){NX, NY, 2}, 1, base, 1);
        for (int n = 0; n < NX * NY; n++)
            whole[n / NX][n % NX] = scene_cell(&plan, n % NX, n / NX);
        scene(&plan, (otok_grid){NX, NY, 2}, 1, base, 2);
        for (int n = 0; n < NX * NY; n++) {
            const int i = n % NX, j = n / NX, in = inside(shape, 2 * i + 1, 2 * j + 1);
            kept += in;
            wrong += scene_cell(&plan, i, j) != (in ? whole[j][i] : -9);
        }
        CHECK(wrong == 0, "shape %d: %d cells are wrong", shape, wrong);
        CHECK(kept > 500 && kept < NX * NY / 2, "shape %d keeps %d cells", shape, kept);
    }
    return check_failures != 0;
}
