/* backend_tiles.c - claim: what stays on chip has the bits of the CPU's plain loops in tiles of
   every height, up to the tallest grid that fits, because each height has a kernel of its own; in
   one column of tiles or in two. With a second argument: on one kind of edge.  CHECK_CUDA */
#include "states.h"

static int columns; /* of the grid */

static const int edges[][OTOK_SIDES] = {
    {OTOK_OPEN, OTOK_CLOSED, OTOK_PERIODIC, OTOK_PERIODIC},
    {OTOK_PERIODIC, OTOK_PERIODIC, OTOK_OPEN, OTOK_CLOSED},
};

static void start(const otok_backend *backend, otok_patch *patch, const prepared *with,
                  const int *edge, int ny)
{
    memset(patch, 0, sizeof *patch);
    patch->view.nx = patch->view.global_nx = columns;
    patch->view.ny = patch->view.global_ny = ny;
    memcpy(patch->edges, edge, sizeof patch->edges);
    patch->seed = 5;
    MUST(backend->create(patch, with->needed, STEPS));
}

static void fill(const otok_backend *backend, otok_patch *patch, otok_set needed, float *map)
{
    for (int b = 0; b < OTOK_BUFFERS; b++) {
        uint32_t x = 88172645u + (uint32_t)b;
        for (int n = 0; n < columns * patch->view.ny; n++)
            map[n] = value(b, &x);
        if (otok_set_has(needed, b)) MUST(backend->put(patch, b, map));
    }
}

static int is_on_chip(const otok_backend *backend, const prepared *with, const int *edge, int ny)
{
    otok_patch patch;
    start(backend, &patch, with, edge, ny);
    const int is = strcmp(backend->strategy(&patch, &with->program, &with->k), "resident") == 0;
    backend->destroy(&patch);
    return is;
}

/* The most rows, an even number, of a grid that stays on chip. */
static int most_rows(const otok_backend *backend, const prepared *with, const int *edge)
{
    int fits = 4, too_many = 1 << 14;
    while (too_many - fits > 2) {
        const int rows = (fits + too_many) / 4 * 2;
        *(is_on_chip(backend, with, edge, rows) ? &fits : &too_many) = rows;
    }
    return fits;
}

static void check(const otok_backend *cpu, const otok_backend *backend, const prepared *with,
                  const int *edge, int ny, const char *where)
{
    otok_step steps[STEPS];
    otok_patch expected, found;
    otok_sum a[OTOK_SUMS], b[OTOK_SUMS];
    const size_t cells = (size_t)columns * (size_t)ny;
    float *const map = malloc(cells * sizeof *map), *const other = malloc(cells * sizeof *other);
    if (!map || !other) abort();
    describe_steps(steps);
    start(cpu, &expected, with, edge, ny);
    start(backend, &found, with, edge, ny);
    fill(cpu, &expected, with->needed, map);
    fill(backend, &found, with->needed, map);
    MUST(cpu->run(&expected, &with->program, &with->k, steps, STEPS));
    MUST(backend->run(&found, &with->program, &with->k, steps, STEPS));
    for (int f = 0; f < OTOK_STORED; f++) {
        if (!otok_set_has(with->needed, f)) continue;
        MUST(cpu->get(&expected, f, map));
        MUST(backend->get(&found, f, other));
        size_t n = 0;
        while (n < cells && memcmp(map + n, other + n, sizeof *map) == 0)
            n++;
        CHECK(n == cells, "%s, %d rows: field %d, row %zu, column %zu is %.9g, expected %.9g",
              where, ny, f, n / (size_t)columns, n % (size_t)columns, (double)other[n],
              (double)map[n]);
    }
    MUST(cpu->sums(&expected, a));
    MUST(backend->sums(&found, b));
    CHECK(memcmp(a, b, sizeof a) == 0, "%s, %d rows: the sums differ", where, ny);
    cpu->destroy(&expected);
    backend->destroy(&found);
    free(map);
    free(other);
}

int main(int argc, char **argv)
{
    static const double parts[] = {1, 0.93, 0.8, 0.5}; /* of the most rows: a kernel each */
    const otok_backend *cpu = NULL, *backend = CHECK_CUDA(argc, argv);
    int tried = 0;
    MUST(otok_backend_find(&backend, "cuda:resident"));
    MUST(otok_backend_find(&cpu, "cpu:plain"));
    describe_phases();
    for (int p = 0; p < nphases; p++)
        for (int e = 0; e < 2; e++) {
            prepared with;
            if (argc > 2 && e != p % 2) continue;
            prepare(&with, &phases[p], NULL, edges[e], 1.5);
            columns = p / 2 % 2 == e ? 37 : 101;
            if (phases[p].processes & OTOK_DROPLETS || !is_on_chip(backend, &with, edges[e], 8))
                continue;
            const int most = most_rows(backend, &with, edges[e]);
            for (size_t n = 0; n < sizeof parts / sizeof parts[0]; n++)
                check(cpu, backend, &with, edges[e], (int)(most * parts[n]) / 2 * 2,
                      phases[p].name);
            printf("%-24s %d columns, up to %d rows\n", phases[p].name, columns, most);
            tried++;
        }
    CHECK(tried > 0, "nothing stays on chip");
    return check_failures != 0;
}
