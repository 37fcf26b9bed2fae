/* study_designs.c - claim: the rows of a design are what its name says: a grid in row-major order
   with both ends, one point of a latin hypercube in every slice of every axis, Morris trajectories
   that move each axis once by half of the levels, Saltelli blocks whose rows share columns as they
   should; and a row is the same whichever were asked for before. */
#include "check.h"
#include "study/design.h"

#include <math.h>

enum { AXES = 5, MOST = 4096 };

static double rows[MOST][OTOK_MAX_AXES];

/* Fills `rows`, then asks again backwards: nothing may differ. */
static int64_t fill_rows(const otok_design *d)
{
    const int64_t n = otok_design_rows(d);
    CHECK(n > 0 && n <= MOST, "%lld rows", (long long)n);
    for (int64_t i = 0; i < n; i++)
        otok_design_row(d, i, rows[i]);
    for (int64_t i = n - 1; i >= 0; i--) {
        double again[OTOK_MAX_AXES];
        otok_design_row(d, i, again);
        for (int a = 0; a < d->naxes; a++) {
            CHECK(again[a] == rows[i][a], "kind %d, row %lld depends on the rows before it",
                  d->kind, (long long)i);
            CHECK(again[a] >= 0 && again[a] <= 1, "kind %d, row %lld: %g", d->kind, (long long)i,
                  again[a]);
        }
    }
    return n;
}

static void grid(void)
{
    const otok_design d = {.kind = OTOK_DESIGN_GRID, .naxes = 3, .points = {2, 1, 3}};
    CHECK(fill_rows(&d) == 6, "2 x 1 x 3 points");
    for (int i = 0; i < 6; i++)
        CHECK(rows[i][0] == i / 3 && rows[i][1] == 0 && rows[i][2] == i % 3 * 0.5,
              "grid row %d: %g %g %g", i, rows[i][0], rows[i][1], rows[i][2]);
    const otok_design huge = {
        .kind = OTOK_DESIGN_GRID, .naxes = 3, .points = {1 << 30, 1 << 30, 2}};
    CHECK(otok_design_rows(&huge) == -1, "2^61 members are not refused");
}

static void lhs(int64_t n, uint64_t seed)
{
    const otok_design d = {.kind = OTOK_DESIGN_LHS, .naxes = AXES, .seed = seed, .rows = n};
    fill_rows(&d);
    for (int a = 0; a < AXES; a++) {
        static int in[MOST];
        int64_t in_place = 0;
        memset(in, 0, sizeof in);
        for (int64_t i = 0; i < n; i++) {
            const int64_t slice = (int64_t)(rows[i][a] * (double)n);
            in[slice]++;
            in_place += slice == i;
        }
        for (int64_t i = 0; i < n; i++)
            CHECK(in[i] == 1, "%lld rows, axis %d: %d points in slice %lld", (long long)n, a, in[i],
                  (long long)i);
        CHECK(n < 20 || in_place < n / 4, "axis %d is not shuffled", a);
    }
}

static void morris(void)
{
    const otok_design d = {
        .kind = OTOK_DESIGN_MORRIS, .naxes = AXES, .seed = 3, .trajectories = 50, .levels = 6};
    const double jump = 3.0 / 5;
    int firsts[AXES] = {0}, ups = 0;
    CHECK(fill_rows(&d) == 50 * (AXES + 1), "50 trajectories");
    for (int t = 0; t < 50; t++) {
        int moved[AXES] = {0};
        for (int k = 1; k <= AXES; k++)
            for (int a = 0; a < AXES; a++) {
                const double *now = rows[t * (AXES + 1) + k],
                             step = now[a] - now[a - OTOK_MAX_AXES];
                CHECK(fabs(now[a] * 5 - nearbyint(now[a] * 5)) < 1e-12, "%g is no level of 6",
                      now[a]);
                if (step == 0) continue;
                CHECK(fabs(fabs(step) - jump) < 1e-12, "a step of %g", step);
                moved[a]++;
                ups += step > 0;
                if (k == 1) firsts[a]++;
            }
        for (int a = 0; a < AXES; a++)
            CHECK(moved[a] == 1, "trajectory %d moves axis %d %d times", t, a, moved[a]);
    }
    for (int a = 0; a < AXES; a++)
        CHECK(firsts[a] > 0, "no trajectory of 50 moves axis %d first", a);
    CHECK(ups > 75 && ups < 175, "%d of 250 steps go up", ups);
}

/* Which of A, B each column of a block comes from. */
static void saltelli(int second)
{
    const otok_design d = {.kind = OTOK_DESIGN_SALTELLI,
                           .naxes = AXES,
                           .seed = 9,
                           .base = 16,
                           .second_order = second,
                           .scramble = 1};
    const int block = second ? 2 * AXES + 2 : AXES + 2;
    CHECK(fill_rows(&d) == 16 * block, "16 base rows");
    for (int base = 0; base < 16; base++) {
        double(*r)[OTOK_MAX_AXES] = rows + base * block;
        const double *from_a = r[0], *from_b = r[block - 1];
        for (int row = 1; row < block - 1; row++)
            for (int a = 0; a < AXES; a++) {
                const int b = row <= AXES ? a == row - 1 : a != row - AXES - 1;
                CHECK(r[row][a] == (b ? from_b : from_a)[a], "block %d, row %d, axis %d", base, row,
                      a);
            }
        for (int a = 0; a < AXES; a++)
            CHECK(from_a[a] != from_b[a], "block %d: A equals B in axis %d", base, a);
    }
}

/* A scrambled sequence of 2^m points still has one in each of 2^m slices of every axis, and another
 * seed has other points. */
static void sobol(void)
{
    otok_design d = {
        .kind = OTOK_DESIGN_SOBOL, .naxes = AXES, .seed = 1, .rows = 256, .scramble = 1};
    double before[AXES];
    fill_rows(&d);
    memcpy(before, rows[7], sizeof before);
    for (int a = 0; a < AXES; a++) {
        int in[256] = {0};
        for (int i = 0; i < 256; i++)
            in[(int)(rows[i][a] * 256)]++;
        for (int i = 0; i < 256; i++)
            CHECK(in[i] == 1, "axis %d: %d points in slice %d", a, in[i], i);
    }
    d.seed = 2;
    fill_rows(&d);
    CHECK(memcmp(before, rows[7], sizeof before) != 0, "two seeds have the same points");
}

int main(void)
{
    grid();
    lhs(1, 5);
    lhs(37, 5);
    lhs(1000, UINT64_C(1) << 40);
    morris();
    saltelli(0);
    saltelli(1);
    sobol();
    return check_failures != 0;
}
