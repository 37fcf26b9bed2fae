/* spikes_definition.c: a strict extremum among the Moore neighbours that exist becomes the mean of
   the cells present, from old values (M13 section 3.1.4); nothing else moves. */
#include "base_scene.h"

enum { N = 32, SIDE = N + 1 };

static float before[SIDE * SIDE], after[SIDE * SIDE], again[SIDE * SIDE];
static double heights[SIDE * SIDE];

static void make(int nx, int ny, int filters, float *map)
{
    static otok_base_plan plan;
    const otok_backend *cpu = NULL;
    otok_generator base[3] = {DIAMOND_SQUARE(0, 1, 0.5, 5)};
    base[0].nnumbers = SIDE * SIDE, base[0].numbers = heights;
    base[1].kind = base[2].kind = OTOK_GEN_SPIKES;
    MUST(otok_backend_find(&cpu, "cpu"));
    scene(&plan, (otok_grid){nx, ny, 1}, 0, base, 1 + filters);
    scene_make(cpu, &plan, (otok_box){0, nx, 0, ny}, map);
}

/* Compares one filtering of a map; returns how many cells moved. */
static int check(const char *what, const float *old, const float *new, int nx, int ny)
{
    int moved = 0, wrong = 0;
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            const float here = old[j * nx + i];
            double sum = 0, above = INFINITY, below = INFINITY;
            int n = 0;
            for (int y = j - 1; y <= j + 1; y++)
                for (int x = i - 1; x <= i + 1; x++) {
                    if (x < 0 || x >= nx || y < 0 || y >= ny) continue;
                    const double there = old[y * nx + x];
                    sum += there;
                    n++;
                    if (x == i && y == j) continue;
                    above = fmin(above, here - there);
                    below = fmin(below, there - here);
                }
            const int spike = above > 0 || below > 0;
            moved += spike;
            wrong += spike ? fabs(new[j * nx + i] - sum / n) > 1e-5 * fabs(sum / n)
                           : memcmp(&new[j * nx + i], &here, sizeof here) != 0;
        }
    CHECK(wrong == 0, "%s: %d cells are wrong, %d were spikes", what, wrong, moved);
    return moved;
}

int main(void)
{
    uint64_t state = 5;
    for (int n = 0; n < SIDE * SIDE; n++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        heights[n] =
            100 + (double)(state >> 59); /* few values, so that many neighbours are equal */
    }
    static const int sizes[][2] = {{SIDE, SIDE}, {SIDE, 1}, {1, SIDE}, {2, 2}, {7, 20}};
    for (int s = 0; s < 5; s++) {
        const int nx = sizes[s][0], ny = sizes[s][1];
        make(nx, ny, 0, before);
        make(nx, ny, 1, after);
        make(nx, ny, 2, again);
        const int moved = check("one filter", before, after, nx, ny);
        check("two filters", after, again, nx, ny);
        CHECK(moved > nx * ny / 20 && moved < nx * ny, "%d spikes of %d cells", moved, nx * ny);
    }
    make(1, 1, 0, before);
    make(1, 1, 1, after);
    CHECK(before[0] == after[0], "a lone cell moved from %g to %g", before[0], after[0]);
    return check_failures != 0;
}
