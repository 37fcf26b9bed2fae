/* midpoint_recursion.c: diamond-square and midpoint displacement equal a plain implementation of
   M13 chapter 3 in double: borders are means of three, tiles wrap, what is sown stays to the bit,
   and a lattice keeps its points when it gets more levels. */
#include "base_scene.h"

enum { LEVELS = 6, N = 1 << LEVELS, SIDE = N + 1 };

static const uint32_t seed[2] = {77, 0};
static double want[SIDE][SIDE];
static float got[SIDE * SIDE];

static double uniform(int depth, int u, int v, int tile)
{
    if (tile) u %= 1 << depth, v %= 1 << depth;
    return (otok_random(seed[0], seed[1], 96, (uint64_t)v << 32 | (uint32_t)u, (uint32_t)depth)
                .v[0] >>
            8) *
           0x1p-24;
}

static double sum;
static int count;

/* One neighbour more, if there is one. */
static void add_neighbour(int x, int y, int tile)
{
    if (tile) x = (x + N) % N, y = (y + N) % N;
    if (x < 0 || x > N || y < 0 || y > N) return;
    sum += want[y][x];
    count++;
}

static void point(const otok_generator *g, int depth, int x, int y, double scale)
{
    const otok_diamond_square *d = &g->as.diamond_square;
    const int h = N >> depth, side = (int)lround(sqrt(g->nnumbers)),
              gap = side > 1 ? N / (side - 1) : 0;
    const int centre = x / h % 2 && y / h % 2, flat = y / h % 2 == 0;
    sum = count = 0;
    if (depth && centre)
        for (int k = 0; k < 4; k++)
            add_neighbour(x + (k % 2 ? h : -h), y + (k / 2 ? h : -h), d->tile);
    if (depth && !centre && (g->kind == OTOK_GEN_DIAMOND_SQUARE || flat))
        add_neighbour(x - h, y, d->tile), add_neighbour(x + h, y, d->tile);
    if (depth && !centre && (g->kind == OTOK_GEN_DIAMOND_SQUARE || !flat))
        add_neighbour(x, y - h, d->tile), add_neighbour(x, y + h, d->tile);
    want[y][x] = (count ? sum / count : 0) +
                 (d->low + (d->high - d->low) * uniform(depth, x / h, y / h, d->tile)) * scale;
    if (gap && x % gap == 0 && y % gap == 0 && !isnan(g->numbers[y / gap * side + x / gap]))
        want[y][x] = g->numbers[y / gap * side + x / gap];
}

static void plain(const otok_generator *g)
{
    double scale = 1;
    for (int k = 0; k < 4; k++)
        point(g, 0, k % 2 * N, k / 2 * N, 1);
    for (int depth = 1; depth <= LEVELS; depth++, scale *= g->as.diamond_square.gain) {
        const int h = N >> depth;
        for (int y = h; y < N; y += 2 * h)
            for (int x = h; x < N; x += 2 * h)
                point(g, depth, x, y, scale);
        for (int y = 0; y <= N; y += h)
            for (int x = (y / h + 1) % 2 * h; x <= N; x += 2 * h)
                point(g, depth, x, y, scale);
    }
}

static void make(otok_generator g, int nx, int ny, float *map)
{
    static otok_base_plan plan;
    const otok_backend *cpu = NULL;
    MUST(otok_backend_find(&cpu, "cpu"));
    scene(&plan, (otok_grid){nx, ny, 1}, 77, &g, 1);
    scene_make(cpu, &plan, (otok_box){0, nx, 0, ny}, map);
}

static void compare(const char *what, otok_generator g)
{
    double worst = 0, least = 1e9, most = -1e9;
    g.stream = 3;
    g.as.diamond_square.levels = LEVELS;
    plain(&g);
    make(g, SIDE, SIDE, got);
    for (int n = 0; n < SIDE * SIDE; n++) {
        worst = fmax(worst, fabs(got[n] - want[n / SIDE][n % SIDE]));
        least = fmin(least, want[n / SIDE][n % SIDE]);
        most = fmax(most, want[n / SIDE][n % SIDE]);
    }
    CHECK(worst < 1e-4 && most - least > 50, "%s: off by %g m between %g and %g m", what, worst,
          least, most);
}

static int same(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

int main(void)
{
    otok_generator square = DIAMOND_SQUARE(-75, 75, 0.5), one_sided = DIAMOND_SQUARE(0, 150, 0.7),
                   tile = DIAMOND_SQUARE(-75, 75, 0.6);
    tile.as.diamond_square.tile = 1;
    otok_generator midpoint = square, tiled_midpoint = tile;
    midpoint.kind = tiled_midpoint.kind = OTOK_GEN_MIDPOINT;
    compare("diamond-square", square);
    compare("0..150", one_sided);
    compare("midpoint", midpoint);
    compare("tiled midpoint", tiled_midpoint);
    compare("tile", tile);
    int seams = 0;
    for (int n = 0; n < SIDE; n++)
        seams += !same(got[n * SIDE], got[n * SIDE + N]) + !same(got[n], got[N * SIDE + n]);
    CHECK(seams == 0, "%d points of opposite borders differ", seams);

    double corners[] = {11, 22, 33, 44}, hills[25];
    for (int n = 0; n < 25; n++)
        hills[n] = n % 3 ? 300.1 + n : NAN;
    otok_generator sown = square;
    sown.nnumbers = 4, sown.numbers = corners;
    compare("given corners", sown);
    sown.nnumbers = 25, sown.numbers = hills;
    compare("sown hills", sown);
    for (int n = 0; n < 25; n++)
        if (n % 3) {
            const float h = got[n / 5 * (N / 4) * SIDE + n % 5 * (N / 4)];
            CHECK(h == (float)hills[n], "hill %d became %.9g", n, h);
        }

    /* Any window of the lattice, and a tile again and again. */
    static float window[40 * 30], twice[2 * N * 2 * N], deeper[(2 * N + 1) * (2 * N + 1)];
    square.as.diamond_square.levels = tile.as.diamond_square.levels = LEVELS;
    make(square, SIDE, SIDE, got);
    square.as.diamond_square.offset_x = 25, square.as.diamond_square.offset_y = 17;
    make(square, 40, 30, window);
    int wrong = 0;
    for (int n = 0; n < 40 * 30; n++)
        wrong += !same(window[n], got[(n / 40 + 17) * SIDE + n % 40 + 25]);
    CHECK(wrong == 0, "%d points of a window differ", wrong);
    square.as.diamond_square.offset_x = square.as.diamond_square.offset_y = 0;
    square.as.diamond_square.levels = LEVELS + 1;
    make(square, 2 * N + 1, 2 * N + 1, deeper);
    for (int n = wrong = 0; n < SIDE * SIDE; n++)
        wrong += !same(got[n], deeper[n / SIDE * 2 * (2 * N + 1) + n % SIDE * 2]);
    CHECK(wrong == 0, "%d points moved when a level was added", wrong);
    make(tile, SIDE, SIDE, got);
    tile.as.diamond_square.offset_x = 5;
    make(tile, 2 * N, 2 * N, twice);
    for (int n = wrong = 0; n < 4 * N * N; n++)
        wrong += !same(twice[n], got[n / (2 * N) % N * SIDE + (n % (2 * N) + 5) % N]);
    CHECK(wrong == 0, "%d points of a repeated tile differ", wrong);
    return check_failures != 0;
}
