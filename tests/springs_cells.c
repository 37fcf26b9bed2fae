/* springs_cells.c - claim: a river's water goes in equal shares to the cells of the grid with their
   centre within its radius, as many as the circle of lattice points has; to the cell it lies in
   where there is none; rivers that overlap add up; along a line the
   cells within half a cell of it at least share the water, and walls get none; a patch gets its
   part of the whole. A hydrograph
   has a number in each cell of its rivers, and rivers that meet have one of their own. CHECK_ONCE
 */
#include "check.h"
#include "sim/springs.h"

#include <math.h>

enum { NX = 57, NY = 44 };

static otok_grid grid = {NX, NY, 2};
static const otok_box all = {0, NX, 0, NY};
static otok_phase phase; /* dt 0.5 s: 8 m3/s are 1 m on one cell of 4 m2 */

static void make_map(int nrivers, const otok_river *rivers, float *map)
{
    memset(&phase, 0, sizeof phase);
    phase.processes = OTOK_HYDRAULIC;
    phase.hydraulic.dt = 0.5;
    phase.nrivers = nrivers;
    memcpy(phase.rivers, rivers, sizeof *rivers * (size_t)nrivers);
    otok_springs_rivers(map, &phase, grid, all, &(otok_holes){0});
}

static int wet(const float *map, double *sum)
{
    int n = 0;
    *sum = 0;
    for (int c = 0; c < NX * NY; c++) {
        n += map[c] > 0;
        *sum += (double)map[c];
    }
    return n;
}

/* Gauss's circle problem: lattice points within a whole radius of a lattice point (OEIS A000328).
 */
#define RIVER(...)                                                                                 \
    {                                                                                              \
        __VA_ARGS__, NAN, NAN, NAN, NAN, NAN, NAN, {0}, {0}, 0                                     \
    }

static void check_circles(void)
{
    static const int expected[] = {1, 5, 13, 29, 49, 81, 113, 149, 197, 253, 317};
    float map[NX * NY];
    double sum;
    for (int r = 0; r <= 10; r++) {
        make_map(1, &(otok_river)RIVER(51, 41, 2.0 * r, 8), map); /* the centre of cell (25, 20) */
        const int n = wet(map, &sum);
        CHECK(n == expected[r], "radius %d cells: %d cells, expected %d", r, n, expected[r]);
        CHECK(map[20 * NX + 25] == (float)(1.0 / expected[r]), "a share of %d is %.9g", n,
              (double)map[20 * NX + 25]);
        CHECK(map[20 * NX + 25 + r] > 0 && map[20 * NX + 25 + r + 1] == 0,
              "radius %d ends elsewhere", r);
    }
    make_map(1, &(otok_river)RIVER(0, 0, 6, 8),
             map); /* a quarter of the disc lies on the grid: n counts only that */
    CHECK(wet(map, &sum) == 8 && map[0] == 0.125f, "%d cells at the corner, %g each",
          wet(map, &sum), (double)map[0]);
}

static void check_nearest(void)
{
    static const otok_river rivers[] = {RIVER(50.3, 41.9, 0, 8), RIVER(50.01, 40.01, 1.3, 8),
                                        RIVER(114, 88, 0, 8), RIVER(52, 42, 0.5, 8)};
    static const int cells[] = {20 * NX + 25, 20 * NX + 25, NX * NY - 1, 21 * NX + 26};
    float map[NX * NY];
    double sum;
    for (int n = 0; n < 4; n++) {
        make_map(1, &rivers[n], map);
        CHECK(wet(map, &sum) == 1 && map[cells[n]] == 1, "river %d: %d cells, %g in its own", n,
              wet(map, &sum), (double)map[cells[n]]);
    }
}

/* Along each side, on grids whose size is rounded; on a part of one; along a row, with a radius;
   and from corner to corner of 9 cells. A wall gets nothing. */
static void check_lines(void)
{
    const struct {
        double x, y, to_x, to_y, radius; /* in cells */
        otok_box cells;
        int n;
    } lines[] = {{0, 0, 0, NY, 0, {0, 1, 0, NY}, NY},
                 {NX, NY, NX, 0, 0, {NX - 1, NX, 0, NY}, NY},
                 {0, 0, NX, 0, 0, {0, NX, 0, 1}, NX},
                 {NX, NY, 0, NY, 0, {0, NX, NY - 1, NY}, NX},
                 {0, 12, 0, 20, 0, {0, 1, 12, 20}, 8},
                 {5.5, 7.5, 20.5, 7.5, 0, {5, 21, 7, 8}, 16},
                 {5.5, 7.5, 20.5, 7.5, 1, {4, 22, 6, 9}, 3 * 16 + 2},
                 {0, 0, 9, 9, 0, {0, 9, 0, 9}, 9}};
    const double spacings[] = {2, 0.1, 30.87, 1e-3};
    for (int k = 0; k < 4; k++)
        for (size_t n = 0; n < sizeof lines / sizeof lines[0]; n++) {
            const double l = spacings[k];
            const otok_river river = {.x = lines[n].x * l,
                                      .y = lines[n].y * l,
                                      .radius = lines[n].radius * l,
                                      .discharge = 8,
                                      .to_x = lines[n].to_x * l,
                                      .to_y = lines[n].to_y * l};
            float map[NX * NY];
            double sum;
            grid.spacing = l;
            make_map(1, &river, map);
            const otok_box b = lines[n].cells;
            int in = 0;
            for (int j = b.y0; j < b.y1; j++)
                for (int i = b.x0; i < b.x1; i++)
                    in += map[j * NX + i] == (float)(0.5 * 8 / (l * l) / lines[n].n);
            CHECK(wet(map, &sum) == lines[n].n && in == lines[n].n,
                  "line %zu, cells of %g m: %d cells, %d where they should be, expected %d", n, l,
                  wet(map, &sum), in, lines[n].n);
        }
    grid.spacing = 2;
    const otok_river left = {.discharge = 8, .to_y = 2 * NY};
    float map[NX * NY];
    double sum;
    make_map(1, &left, map);
    otok_springs_rivers(map, &phase, grid, all, &(otok_holes){1, (int64_t[]){5 * NX, 4}});
    CHECK(wet(map, &sum) == NY - 1 && map[5 * NX] == 0 && map[0] == (float)(1.0 / (NY - 1)),
          "beside a wall: %d cells, %g each", wet(map, &sum), (double)map[0]);
}

static void check_overlap(void)
{
    static const otok_river rivers[] = {RIVER(51, 41, 6, 232), RIVER(53, 41, 0, 8),
                                        RIVER(51, 41, 6, 29)};
    float map[NX * NY];
    double sum;
    make_map(3, rivers, map);
    CHECK(wet(map, &sum) == 29, "%d cells", wet(map, &sum));
    CHECK(map[20 * NX + 25] == 1.125f && map[20 * NX + 26] == 2.125f, "%g and %g",
          (double)map[20 * NX + 25], (double)map[20 * NX + 26]);
}

static void check_patches(void)
{
    static const otok_river rivers[] = {RIVER(51, 41, 17, 5), RIVER(20, 60, 30, 3),
                                        RIVER(60.5, 40.2, 0, 1)};
    static const int x[] = {0, 19, 26, NX}, y[] = {0, 20, 21, NY};
    float map[NX * NY], part[NX * NY];
    make_map(3, rivers, map);
    for (int b = 0; b < 3; b++)
        for (int a = 0; a < 3; a++) {
            const otok_box box = {x[a], x[a + 1], y[b], y[b + 1]};
            otok_springs_rivers(part, &phase, grid, box, &(otok_holes){0});
            const size_t width = (size_t)(box.x1 - box.x0);
            for (int j = box.y0; j < box.y1; j++)
                CHECK(memcmp(part + (size_t)(j - box.y0) * width, map + j * NX + box.x0,
                             width * sizeof *map) == 0,
                      "row %d of patch %d, %d differs from the whole", j, a, b);
        }
}

/* Rivers with a hydrograph: its number and the depth per volume in each cell. Where two different
   ones meet, the cell has the number after theirs, which brings the sum of their shares. */
static void check_hydrographs(void)
{
    otok_river rivers[] = {RIVER(51, 41, 6, NAN), RIVER(81, 41, 0, NAN), RIVER(81, 61, 4, 8)};
    otok_scenario s = {.path = "s.yaml", .grid = grid, .nphases = 1, .phases = &phase};
    float map[NX * NY], of[NX * NY];
    rivers[0].hydrograph = 1;
    rivers[1].hydrograph = 2;
    make_map(3, rivers, map);
    otok_springs_hydrographs(of, &phase, grid, all, &(otok_holes){0});
    CHECK(of[20 * NX + 25] == 1 && of[20 * NX + 40] == 2 && of[30 * NX + 40] == 0 && of[0] == 0,
          "hydrographs %g %g %g", (double)of[20 * NX + 25], (double)of[20 * NX + 40],
          (double)of[30 * NX + 40]);
    CHECK(map[20 * NX + 25] == (float)(0.25 / 29) && map[20 * NX + 40] == 0.25f,
          "%g and %g m per m3", (double)map[20 * NX + 25], (double)map[20 * NX + 40]);
    CHECK(otok_springs_check(&s, &(otok_holes){0}) == OTOK_OK, "%s", otok_why());
    phase.rivers[1].x = 57;
    CHECK(otok_springs_check(&s, &(otok_holes){0}) == OTOK_OK, "%s", otok_why());
    const otok_meetings m = otok_springs_meetings(&phase, grid, &(otok_holes){0});
    CHECK(m.n == 1 && m.first == 3 && m.at[0].of[0] == 3, "%d meetings from %d", m.n, m.first);
    make_map(3, rivers, map);
    phase.rivers[1].x = 57;
    otok_springs_rivers(map, &phase, grid, all, &(otok_holes){0});
    otok_springs_hydrographs(of, &phase, grid, all, &(otok_holes){0});
    CHECK(of[20 * NX + 28] == 3 && map[20 * NX + 28] == 0.25f && of[20 * NX + 25] == 1,
          "where two meet: %g, %g m per m3", (double)of[20 * NX + 28], (double)map[20 * NX + 28]);
    phase.rivers[1].hydrograph = 1;
    CHECK(otok_springs_check(&s, &(otok_holes){0}) == OTOK_OK, "%s", otok_why());
}

int main(void)
{
    check_circles();
    check_nearest();
    check_lines();
    check_overlap();
    check_patches();
    check_hydrographs();
    return check_failures != 0;
}
