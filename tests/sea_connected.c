/* sea_connected.c - claim: with `sea: connected` the sea is exactly in the cells below its level
   that are joined, cell beside cell, to an open side of the grid. That holds over random ground
   near the threshold of percolation, in a labyrinth of one cell's width, across periodic sides, and
   from every open side, in 1, 2, 3 and 7 bands; corners join nothing, and closed sides let nothing
   in. Land below the sea that it does not reach stays dry until the sea is above its dike. Without
   an open side the key is refused. */
#include "scene.h"

#include <stdlib.h>

enum { NX = 61, NY = 47, CELLS = NX * NY };

static const char *backend;
static float ground[CELLS], water[CELLS];
static int sea_in[CELLS], list[CELLS];

/* A plain search from the open sides. */
static void search(const char *sides, float level)
{
    int n = 0;
    const int wide = sides[0] == 'p', high = sides[2] == 'p';
    for (int c = 0; c < CELLS; c++) {
        const int i = c % NX, j = c / NX;
        const int at_open = (i == 0 && sides[0] == 'o') || (i == NX - 1 && sides[1] == 'o') ||
                            (j == 0 && sides[2] == 'o') || (j == NY - 1 && sides[3] == 'o');
        sea_in[c] = at_open && ground[c] < level;
        if (sea_in[c]) list[n++] = c;
    }
    while (n > 0) {
        const int c = list[--n];
        for (int way = 0; way < 4; way++) {
            int i = c % NX + (way == 0) - (way == 1), j = c / NX + (way == 2) - (way == 3);
            if (wide) i = (i + NX) % NX;
            if (high) j = (j + NY) % NY;
            if (i < 0 || i >= NX || j < 0 || j >= NY) continue;
            const int beside = j * NX + i;
            if (sea_in[beside] || !(ground[beside] < level)) continue;
            sea_in[beside] = 1;
            list[n++] = beside;
        }
    }
}

static const char *word(char side)
{
    return side == 'o' ? "open" : side == 'p' ? "periodic" : "closed";
}

static otok_scenario *load(const char *sides, double level)
{
    return scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 10}\nsea: {level: %g}\n"
                 "edges: {left: %s, right: %s, bottom: %s, top: %s}\n"
                 "base: [{constant: {height: 0}}]\nphases: [{iterations: 3, hydraulic: {dt: 0.1, "
                 "sea: connected, capacity: 0, evaporation: 0}}]\n",
                 NX, NY, level, word(sides[0]), word(sides[1]), word(sides[2]), word(sides[3]));
}

/* One iteration: over a ground without water nothing flows but the sea's own. */
static void check(const char *what, const char *sides, double level)
{
    int wrong = 0, in = 0;
    otok_scenario *s = load(sides, level);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_TERRAIN_BASE, ground));
    scene_run(sim, 1, OTOK_WATER, water);
    search(sides, (float)level);
    for (int c = 0; c < CELLS; c++) {
        const float depth = sea_in[c] ? (float)level - ground[c] : 0;
        wrong += water[c] != depth;
        in += sea_in[c];
    }
    CHECK(!wrong, "%s, %s: %d of %d cells hold another depth; the sea is in %d", what, sides, wrong,
          CELLS, in);
    scene_destroy(sim, s);
}

/* Ground of which a share is below 0. */
static void make_random(uint64_t seed, float share)
{
    for (int c = 0; c < CELLS; c++)
        ground[c] = scene_random(&seed) < share ? -1 - (float)(c % 7) : 1;
}

/* One way of a cell's width, up and down through the whole grid. */
static void make_labyrinth(void)
{
    for (int c = 0; c < CELLS; c++) {
        const int i = c % NX, j = c / NX, turn = i / 2 % 2 ? 0 : NY - 1;
        ground[c] = i % 2 == 0 || j == turn ? -2 : 3;
    }
}

/* A polder behind a dike, whose crest is at 2 m; its corner touches the sea. */
static void make_polder(void)
{
    for (int c = 0; c < CELLS; c++) {
        const int i = c % NX, j = c / NX, dx = abs(i - 30), dy = abs(j - 20);
        ground[c] = dx <= 8 && dy <= 8 ? dx == 8 || dy == 8 ? 2 : -3 : -5;
    }
    ground[(20 + 8) * NX + 30 + 8] = -5;
    ground[(20 + 7) * NX + 30 + 7] = -3;
}

static void check_all(void)
{
    static const char *const sides[] = {"occc", "cocc", "ccoc", "ccco", "oooo", "ppoc", "ocpp"};
    for (size_t n = 0; n < sizeof sides / sizeof sides[0]; n++) {
        make_random(1 + n / 3, 0.58f + 0.01f * (float)n);
        check("random", sides[n], 0);
    }
    make_labyrinth();
    check("labyrinth", "occc", 0);
    check("labyrinth", "cocc", 0);
    make_polder();
    check("polder", "oooo", 0);
    CHECK(!sea_in[20 * NX + 30], "the sea is in the polder");
    check("flooded polder", "oooo", 2.5);
    CHECK(sea_in[20 * NX + 30], "no sea in the flooded polder");
}

int main(int argc, char **argv)
{
    static const int bands[] = {1, 2, 3, 7};
    const char *one = CHECK_BACKEND(argc, argv)->name;
    char name[64];
    for (size_t n = 0; n < sizeof bands / sizeof bands[0]; n++) {
        snprintf(name, sizeof name, "%s/%d", one, bands[n]);
        backend = n ? name : one;
        check_all();
    }
    scene_refused(":5: phases.0.hydraulic.sea: no side is open",
                  "otok: 1\ngrid: {nx: 8, ny: 8}\nbase: [{constant: {height: 0}}]\nphases:\n- "
                  "{iterations: 1, hydraulic: {sea: connected}}\n");
    return check_failures > 0;
}
