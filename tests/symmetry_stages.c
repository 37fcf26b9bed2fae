/* symmetry_stages.c - claim: every stage, over a plain ground and over layers, on every kind of
   side and on sides of several kinds, turns a mirrored, turned or transposed state into the
   mirrored, turned or transposed result, bit for bit, and books the same sums. CHECK_STRATEGIES: by
   each strategy. Droplets are left out: where they start is drawn by the cell's number. CHECK_SLOW
 */
#include "square.h"
#include "states.h"

enum { CELLS = 1960 };

static const int sizes[][2] = {
    {1, 1}, {2, 5}, {33, 17}, {140, 14}};  /* the last but one for `few` */
static const int symmetries[] = {1, 4, 6}; /* a mirror, a transposition, a quarter turn */
static const int edges[][OTOK_SIDES] = {
    {OTOK_CLOSED, OTOK_CLOSED, OTOK_CLOSED, OTOK_CLOSED},
    {OTOK_OPEN, OTOK_OPEN, OTOK_OPEN, OTOK_OPEN},
    {OTOK_PERIODIC, OTOK_PERIODIC, OTOK_OPEN, OTOK_CLOSED},
    {OTOK_CLOSED, OTOK_OPEN, OTOK_CLOSED, OTOK_CLOSED},
    {OTOK_PERIODIC, OTOK_PERIODIC, OTOK_PERIODIC, OTOK_PERIODIC},
};

/* A state and its surroundings: maps by buffer. */
typedef struct state {
    int nx, ny, edges[OTOK_SIDES];
    int is_signed; /* pipes */
    otok_set fields;
    float map[OTOK_BUFFERS][CELLS];
    otok_sum sums[OTOK_SUMS];
} state;

static int side_of(int x, int y)
{
    return x < 0 ? OTOK_LEFT : x > 0 ? OTOK_RIGHT : y < 0 ? OTOK_BOTTOM : OTOK_TOP;
}

static const int step_x[] = {-1, 1, 0, 0}, step_y[] = {0, 0, -1, 1};

/* What flows out of a cell over a side: as one-way pipes keep it, or through the face that signed
 * pipes keep in the cell before it.
 */
static float flow(const state *s, int cell, int side)
{
    const int i = cell % s->nx, j = cell / s->nx;
    if (!s->is_signed || side == OTOK_RIGHT || side == OTOK_TOP)
        return s->map[OTOK_OUTFLOW_LEFT + side][cell];
    const int at_border = side == OTOK_LEFT ? i == 0 : j == 0;
    if (at_border && s->edges[side] == OTOK_CLOSED) return 0;
    if (at_border && s->edges[side] == OTOK_OPEN) return s->map[OTOK_OUTFLOW_LEFT + side][cell];
    const int before = side == OTOK_LEFT ? cell + (at_border ? s->nx - 1 : -1)
                                         : cell + (at_border ? s->nx * (s->ny - 1) : -s->nx);
    return 0.0f - s->map[side == OTOK_LEFT ? OTOK_OUTFLOW_RIGHT : OTOK_OUTFLOW_TOP][before];
}

/* What a map of thin dams has of the face of a cell at a side; `map`: of right faces. */
static float dam(const state *s, int cell, int side, int map)
{
    const int i = cell % s->nx, j = cell / s->nx, wraps = s->edges[side] == OTOK_PERIODIC;
    int at = cell;
    if (side == OTOK_LEFT) at = i ? cell - 1 : wraps ? cell + s->nx - 1 : -1;
    if (side == OTOK_BOTTOM) at = j ? cell - s->nx : wraps ? cell + s->nx * (s->ny - 1) : -1;
    return at < 0 ? 0 : s->map[map + (side > OTOK_RIGHT)][at];
}

/* The side that comes to lie at each side. */
static void sides_before(int symmetry, int *was)
{
    for (int side = 0; side < OTOK_SIDES; side++) {
        int x = step_x[side], y = step_y[side];
        rectangle_direction(symmetry, &x, &y);
        was[side] = side_of(x, y);
    }
}

/* Moves what a phase has by side. size: of the grid before. */
static void turn_sides(int symmetry, const int *size, otok_coefficients *k, otok_step *steps)
{
    const otok_side_coefficients old = k->sides;
    int was[OTOK_SIDES], falls = 0;
    sides_before(symmetry, was);
    for (int side = 0; side < OTOK_SIDES; side++) {
        k->sides.kind[side] = old.kind[was[side]];
        k->sides.fall[side] = old.fall[was[side]];
        k->sides.power[side] = old.power[was[side]];
        k->sides.zero[side] = old.zero[was[side]];
        k->sides.froude2[side] = old.froude2[was[side]];
        int along_x = side > OTOK_RIGHT, along_y = !along_x;
        rectangle_direction(symmetry, &along_x, &along_y);
        const int n = size[was[side] <= OTOK_RIGHT], back = along_x + along_y < 0,
                  first = old.first[was[side]], end = old.end[was[side]];
        k->sides.first[side] = back ? n - end : first;
        k->sides.end[side] = back ? n - first : end;
        falls |= (k->pipes.critical.falls >> was[side] & 1) << side;
    }
    k->pipes.critical.falls = k->shallow.critical.falls = falls;
    for (int n = 0; n < STEPS; n++) {
        const otok_step before = steps[n];
        for (int side = 0; side < OTOK_SIDES; side++)
            steps[n].levels[side] = before.levels[was[side]],
            steps[n].enters[side] = before.enters[was[side]];
    }
}

static void transform(int symmetry, const state *from, state *to)
{
    to->nx = symmetry & 4 ? from->ny : from->nx;
    to->ny = symmetry & 4 ? from->nx : from->ny;
    to->fields = from->fields;
    to->is_signed = from->is_signed;
    int was[OTOK_SIDES];
    sides_before(symmetry, was);
    for (int side = 0; side < OTOK_SIDES; side++)
        to->edges[side] = from->edges[was[side]];
    int ux = 1, uy = 0, wx = 0, wy = 1;
    rectangle_direction(symmetry, &ux, &uy);
    rectangle_direction(symmetry, &wx, &wy);
    memcpy(to->sums, from->sums, sizeof to->sums);
    for (int cell = 0; cell < to->nx * to->ny; cell++) {
        const int i = cell % to->nx, j = cell / to->nx,
                  source = rectangle_source(symmetry, from->nx, from->ny, i, j);
        for (int b = 0; b < OTOK_BUFFERS; b++)
            if (otok_set_has(from->fields, b)) to->map[b][cell] = from->map[b][source];
        for (int b = OTOK_VELOCITY_X; b <= OTOK_WAVE_X; b += OTOK_WAVE_X - OTOK_VELOCITY_X) {
            const float u = from->map[b][source], w = from->map[b + 1][source];
            to->map[b][cell] = ((float)ux * u + (float)uy * w) + 0.0f;
            to->map[b + 1][cell] = ((float)wx * u + (float)wy * w) + 0.0f;
        }
        for (int up = 0; up < 2; up++)
            for (int map = OTOK_DAM_RIGHT; map <= OTOK_DAM_PART_RIGHT; map += 2)
                to->map[map + up][cell] = dam(from, source, was[up ? OTOK_TOP : OTOK_RIGHT], map);
        for (int side = 0; side < OTOK_SIDES; side++) {
            const int kept =
                !to->is_signed || side == OTOK_RIGHT || side == OTOK_TOP ||
                (to->edges[side] == OTOK_OPEN && (side == OTOK_LEFT ? i == 0 : j == 0));
            to->map[OTOK_OUTFLOW_LEFT + side][cell] = kept ? flow(from, source, was[side]) : 0;
        }
    }
}

/* A random state that could be: nothing flows over closed sides, and nothing in over open ones. */
static void make_random_state(state *s, const int *size, const int *edge, const otok_phase *phase,
                              otok_set fields)
{
    s->nx = size[0], s->ny = size[1], s->fields = fields;
    s->is_signed = (phase->processes & OTOK_HYDRAULIC) && phase->hydraulic.pipes == OTOK_SIGNED;
    memcpy(s->edges, edge, sizeof s->edges);
    for (int b = 0; b < OTOK_BUFFERS; b++) {
        uint32_t x = 2463534242u + (uint32_t)b;
        for (int cell = 0; cell < s->nx * s->ny; cell++) {
            float v = value(b, &x);
            const int side = b - OTOK_OUTFLOW_LEFT, i = cell % s->nx, j = cell / s->nx;
            if (side >= 0 && side < OTOK_SIDES) {
                const int last = side == OTOK_LEFT     ? i == 0
                                 : side == OTOK_RIGHT  ? i == s->nx - 1
                                 : side == OTOK_BOTTOM ? j == 0
                                                       : j == s->ny - 1;
                const int leads_out = last && edge[side] != OTOK_PERIODIC;
                if (s->is_signed && !leads_out)
                    v = side == OTOK_RIGHT || side == OTOK_TOP ? 2 * v - 0.3f : 0;
                if (last && edge[side] == OTOK_CLOSED) v = 0;
            }
            const int up = b == OTOK_DAM_TOP || b == OTOK_DAM_PART_TOP; /* none beyond a side */
            if (b >= OTOK_DAM_RIGHT && b <= OTOK_DAM_PART_TOP &&
                edge[up ? OTOK_TOP : OTOK_RIGHT] != OTOK_PERIODIC &&
                (up ? j == s->ny - 1 : i == s->nx - 1))
                v = 0;
            s->map[b][cell] = v;
        }
    }
    memset(s->sums, 0, sizeof s->sums);
}

static void run(const otok_backend *backend, state *s, const prepared *with, const otok_step *steps)
{
    otok_patch patch = {.view = {.nx = s->nx, .ny = s->ny, .global_nx = s->nx, .global_ny = s->ny}};
    memcpy(patch.edges, s->edges, sizeof patch.edges);
    MUST(backend->create(&patch, with->needed, STEPS));
    poison(&patch, backend, with->needed);
    for (int b = 0; b < OTOK_BUFFERS; b++)
        if (otok_set_has(with->needed, b)) MUST(backend->put(&patch, b, s->map[b]));
    MUST(backend->run(&patch, &with->program, &with->k, steps, STEPS));
    for (int b = 0; b < OTOK_STORED; b++)
        if (otok_set_has(with->needed, b)) MUST(backend->get(&patch, b, s->map[b]));
    MUST(backend->sums(&patch, s->sums));
    backend->destroy(&patch);
}

static void compare(const state *expected, const state *found, int symmetry, const char *where)
{
    for (int b = 0; b < OTOK_STORED; b++)
        for (int cell = 0; cell < found->nx * found->ny && otok_set_has(found->fields, b); cell++)
            if (!isfinite(found->map[b][cell]) ||
                memcmp(&expected->map[b][cell], &found->map[b][cell], sizeof(float)) != 0) {
                CHECK(0, "%s, symmetry %d: field %d, cell %d is %.9g, expected %.9g", where,
                      symmetry, b, cell, (double)found->map[b][cell],
                      (double)expected->map[b][cell]);
                break;
            }
    for (int n = 0; n < OTOK_SUMS; n++)
        CHECK(memcmp(&expected->sums[n], &found->sums[n], sizeof(otok_sum)) == 0,
              "%s, symmetry %d: sum %d differs", where, symmetry, n);
}

int main(int argc, char **argv)
{
    const otok_backend *backend = CHECK_BACKEND(argc, argv);
    const int few = argc > 2 && strcmp(argv[2], "few") == 0;
    static state start, result, moved, expected;
    otok_step steps[STEPS];
    describe_phases();
    describe_steps(steps);
    for (size_t s = few ? 2 : 0; s < sizeof sizes / sizeof sizes[0] - (size_t)few; s++)
        for (size_t e = few ? 2 : 0; e < (few ? 4 : sizeof edges / sizeof edges[0]); e++)
            for (int n = 0; n < 2 * nphases; n++) {
                const otok_phase *phase = &phases[n / 2];
                const otok_scenario *layers = n % 2 ? &ground : NULL;
                if (phase->processes & (OTOK_DROPLETS | OTOK_INCISION))
                    continue; /* rivers are drawn by cell */
                char where[128];
                prepared with;
                snprintf(where, sizeof where, "%.40s%s, %d x %d, edges %zu", phase->name,
                         layers ? " in layers" : "", sizes[s][0], sizes[s][1], e);
                prepare(&with, phase, layers, edges[e], 1.5);
                make_random_state(&start, sizes[s], edges[e], phase, with.needed);
                result = start;
                run(backend, &result, &with, steps);
                for (int t = 0; t < 3; t++) {
                    const int symmetry = symmetries[t];
                    transform(symmetry, &start, &moved);
                    prepare(&with, phase, layers, moved.edges, 1.5);
                    otok_step turned[STEPS];
                    memcpy(turned, steps, sizeof turned);
                    turn_sides(symmetry, sizes[s], &with.k, turned);
                    run(backend, &moved, &with, turned);
                    transform(symmetry, &result, &expected);
                    expected.fields = otok_set_and(expected.fields, with.needed);
                    moved.fields = otok_set_and(moved.fields, with.needed);
                    compare(&expected, &moved, symmetry, where);
                }
            }
    return check_failures != 0;
}
/* CHECK_STRATEGIES */
