/* faults_sum.c: the fault fractal equals n passes over the map, one for each line (J16, algorithm
   1), and its lines go in every direction, vertical ones too, within half the domain's diagonal. */
#include "base_scene.h"

enum { NX = 120, NY = 90, COUNT = 128, MANY = 20000 };

static otok_base_plan plan;
static double passes[NY][NX];

/* A map of zeros; every line lifts one side and lowers the other, then dh falls. Cells within
   rounding of a line are left out (NAN). */
static void naive(const float *lines, double spacing)
{
    double dh = 4;
    for (int n = 0; n < COUNT; n++, lines += 4, dh = fmax(0.5, dh - 0.03))
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++) {
                const double x = (i + 0.5 - NX / 2.0) * spacing, y = (j + 0.5 - NY / 2.0) * spacing;
                const double above = lines[0] * x + lines[1] * y - lines[2] * spacing / 2;
                passes[j][i] += fabs(above) < 1e-5 * spacing ? NAN : above > 0 ? dh : -dh;
            }
}

static void against_passes(void)
{
    otok_generator base[] = {FAULTS(4, 0.03, 0.5, COUNT, .stream = 2)};
    scene(&plan, (otok_grid){NX, NY, 7.5}, 12, base, 1);
    naive(plan.table + plan.ops[0].as.faults.table, 7.5);
    double worst = 0, most = 0;
    int compared = 0;
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            if (isnan(passes[j][i])) continue;
            worst = fmax(worst, fabs(scene_cell(&plan, i, j) - passes[j][i]));
            most = fmax(most, fabs(passes[j][i]));
            compared++;
        }
    CHECK(worst < 1e-3 && most > 20 && compared > NX * NY * 9 / 10,
          "off by %g of at most %g m in %d cells", worst, most, compared);
    CHECK(plan.npasses == 1 && plan.nops == 1, "%d passes of %d ops over the map", plan.npasses,
          plan.nops);
}

static void directions(void)
{
    otok_generator base[] = {FAULTS(1, 0, 0, MANY)};
    scene(&plan, (otok_grid){NX, NY, 1}, 5, base, 1);
    const float *line = plan.table + plan.ops[0].as.faults.table;
    const double reach = hypot(NX, NY), pi = acos(-1);
    int bins[36] = {0}, vertical = 0, outside = 0, far = 0;
    for (int n = 0; n < MANY; n++, line += 4) {
        const int bin = (int)floor((atan2(line[1], line[0]) + pi) / (2 * pi) * 36);
        bins[bin < 36 ? bin : 35]++;
        vertical +=
            fabs(line[1]) < sin(0.25 * pi / 180); /* within a quarter of a degree of vertical */
        outside += fabs(line[2]) > reach;
        far += fabs(line[2]) > 0.9 * reach;
        CHECK(fabs(hypot(line[0], line[1]) - 1) < 1e-6, "normal %g %g", line[0], line[1]);
    }
    for (int b = 0; b < 36; b++) /* 4 standard deviations */
        CHECK(fabs(bins[b] - MANY / 36.0) < 4 * sqrt(MANY / 36.0), "%d normals of %d in sector %d",
              bins[b], MANY, b);
    CHECK(fabs(vertical - MANY / 360.0) < 4 * sqrt(MANY / 360.0), "%d vertical lines of %d",
          vertical, MANY);
    CHECK(outside == 0 && fabs(far - MANY / 10.0) < 4 * sqrt(MANY / 10.0),
          "%d lines outside, %d of %d far out", outside, far, MANY);
}

/* "Strictly above rises, else falls": a cell on the line falls. */
static void on_the_line(void)
{
    CHECK(otok_fault_line(0, 1, 0, 3, 2, 3, 8) == -2 && otok_fault_line(0, 1, 0, 3, 2, 4, 8) == 2,
          "the line itself must fall");
}

int main(void)
{
    against_passes();
    directions();
    on_the_line();
    return check_failures != 0;
}
