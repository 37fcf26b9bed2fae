/* planet_halves.c: faults of a planet are planes through a sphere: each halves it, antipodes mirror
   each other, the poles are points, left meets right, and every cell is the sum over planes at its
   longitude and latitude. */
#include "base_scene.h"

enum { NX = 240, NY = 121, COUNT = 500 };

static otok_base_plan plan;

static void planet(double offset, int count, int64_t seed)
{
    otok_generator base[] = {PLANET(3, offset, count)};
    scene(&plan, (otok_grid){NX, NY, 1}, seed, base, 1);
}

static void against_angles(double offset)
{
    const double pi = acos(-1);
    int compared = 0, wrong = 0;
    planet(offset, COUNT, 8);
    for (int j = 0; j < NY; j += 7)
        for (int i = 0; i < NX; i += 11) {
            const double a = 2 * pi * (i + 0.5) / NX, b = pi * (j + 0.5) / NY - pi / 2;
            const double p[3] = {cos(b) * cos(a), cos(b) * sin(a), sin(b)};
            const float *plane = plan.table + plan.ops[0].as.faults.table;
            double h = 0, nearest = 1;
            for (int n = 0; n < COUNT; n++, plane += 5) {
                const double above = plane[0] * p[0] + plane[1] * p[1] + plane[2] * p[2] - plane[3];
                nearest = fmin(nearest, fabs(above));
                h += above > 0 ? 3 : -3;
            }
            if (nearest < 1e-6) continue;
            compared++;
            wrong += scene_cell(&plan, i, j) != (float)h;
        }
    CHECK(wrong == 0 && compared > 300, "offset %g: %d cells of %d differ", offset, wrong,
          compared);
}

static void halves(void)
{
    int wrong = 0;
    for (int64_t seed = 0; seed < 20; seed++) {
        planet(0, 1, seed);
        int high = 0;
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++) {
                const float h = scene_cell(&plan, i, j),
                            there = scene_cell(&plan, (i + NX / 2) % NX, NY - 1 - j);
                wrong += h != -there;
                high += h > 0;
            }
        CHECK(high == NX * NY / 2, "seed %d: %d cells of %d are high", (int)seed, high, NX * NY);
    }
    CHECK(wrong == 0, "%d cells do not mirror their antipodes", wrong);
}

/* Mean step between neighbouring columns i - 1 and i, and the range of a row. */
static double step(int i)
{
    double sum = 0;
    for (int j = 0; j < NY; j++)
        sum += fabs(scene_cell(&plan, i, j) - scene_cell(&plan, (i + NX - 1) % NX, j));
    return sum / NY;
}

static double range(int j)
{
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < NX; i++) {
        least = fmin(least, scene_cell(&plan, i, j));
        most = fmax(most, scene_cell(&plan, i, j));
    }
    return most - least;
}

static void seams(void)
{
    planet(1, COUNT, 3);
    double mean = 0;
    for (int i = 0; i < NX; i++)
        mean += step(i) / NX;
    CHECK(mean > 1 && step(0) < 2 * mean, "step over the seam %g m, elsewhere %g m", step(0), mean);
    /* A ring of radius pi/(2 NY) around a pole meets about COUNT times that share of the planes. */
    CHECK(range(0) < 60 && range(NY - 1) < 60 && range(NY / 2) > 100,
          "ranges: south %g m, equator %g m, north %g m", range(0), range(NY / 2), range(NY - 1));
}

int main(void)
{
    against_angles(0);
    against_angles(1);
    halves();
    seams();
    return check_failures != 0;
}
