/* process_conformance.c - claim: every process of the list, with the strengths at which a step
   shows, has the same bits where it should: by a map of one value in place of a number, by a series
   of one value, in bands, over periodic sides from wherever it is looked at, turned and mirrored
   with its direction, and on each side of walls that divide the grid. It keeps to the clock of its
   phase as its row and the words of its `dt` say. With a second argument, for an emulated GPU or
   sanitizers, with one value of each choice. */
#include "dithers.h"
#include "square.h"

#include "bands/bands.h"

static const char CLOCKED[] = "beside another clock";

static void check_same(const trial *a, const trial *b, const char *what)
{
    static outcome one, other;
    char name[4 * WORDS];
    snprintf(name, sizeof name, "%s", trial_name(a));
    if (!trial_run(a, &one) || !trial_run(b, &other)) {
        CHECK(0, "%s: %s or %s: %s", what, name, trial_name(b), otok_why());
        return;
    }
    const int paced = strcmp(what, CLOCKED) == 0, field = outcome_differs(&one, &other);
    for (int f = 0; paced && f <= OTOK_LAYER_LAST; f++)
        CHECK(!otok_field_at(f) || outcome_apart(&one, &other, f) <= outcome_dithered(a, &one, f),
              "%s: %s differs by %g: %s; %s", what, otok_field_at(f)->name,
              outcome_apart(&one, &other, f), name, trial_name(b));
    CHECK(paced || field < 0, "%s: %s differs by %g: %s; %s", what, otok_field_at(abs(field))->name,
          outcome_apart(&one, &other, abs(field)), name, trial_name(b));
}

static int is_refused(const trial *t)
{
    otok_scenario *s = trial_scenario(t);
    otok_scenario_destroy(s);
    return !s;
}

/* ---- maps and series ---- */

static const struct {
    const char *group, *key;
} maps[] = {
#define MAP(NAME, group, key, ...) {#group, #key},
#include "core/maps.def"
#undef MAP
};
enum { MAPS = sizeof maps / sizeof *maps };
static int mapped[MAPS];

/* The number of a key, or one that shows, as a float has it. */
static double number_of(const trial *t, const otok_parameter *p)
{
    otok_scenario *s = trial_scenario(t);
    const char *values = (const char *)otok_phase_group(&s->phases[0], p->group);
    const double v = *(const double *)(values + p->offset);
    otok_scenario_destroy(s);
    return v > 0 ? (double)(float)v : 0.0625;
}

static void check_maps(const trial *t)
{
    for (int m = 0; m < MAPS; m++) {
        const otok_parameter *p = otok_parameter_find(maps[m].group, maps[m].key);
        char text[80], number[32];
        trial by_number = *t, by_map = *t;
        /* rain by a map is rounded by the place of its cell: springs_map */
        if (strcmp(p->group, t->process->group) != 0 || p->kind != OTOK_REAL) continue;
        const double v = number_of(t, p);
        snprintf(text, sizeof text, "[{constant: {height: %s}}]", otok_number_text(v, number));
        trial_number(&by_number, p->key, v);
        trial_set(&by_map, p->key, text);
        if (is_refused(&by_map)) continue;
        check_same(&by_number, &by_map, "a map of one value");
        mapped[m] = 1;
    }
}

/* A factor of 1, or the level of the sea that is, changes nothing; another value does. */
static void check_series(const trial *t)
{
    for (int i = 0; i < t->process->nparameters; i++) {
        const otok_parameter *p = &t->process->parameters[i];
        const int is_factor = strcmp(p->unit, "1") == 0;
        const double one = is_factor ? 1 : 6;
        static outcome same, other;
        trial still = *t, moves = *t;
        char text[96];
        if (p->kind != OTOK_SERIES) continue;
        snprintf(text, sizeof text, "[[0, %g], [1e12, %g]]", one, one);
        trial_set(&still, p->key, text);
        otok_scenario *s = trial_scenario(&still);
        if (!s) continue;
        if (is_factor || t->process->sea) check_same(t, &still, "a series of one value");
        snprintf(text, sizeof text, "[[0, %g], [%.17g, %g], [1e12, %g]]", one,
                 2 * otok_phase_step(&s->phases[0]), 1.5 * one, 1.5 * one);
        otok_scenario_destroy(s);
        trial_set(&moves, p->key, text);
        if (!trial_run(&still, &same) || !trial_run(&moves, &other))
            CHECK(0, "%s: %s", trial_name(&moves), otok_why());
        CHECK(outcome_differs(&same, &other) >= 0, "%s: %s does nothing", trial_name(t), p->key);
    }
}

/* ---- bands ---- */

static void check_bands(const trial *t, const char *bands)
{
    trial cut = *t;
    cut.backend = bands;
    check_same(t, &cut, "in bands");
}

/* ---- scenes that are turned ---- */

/* Where a direction, as steps (x, y), comes to lie. */
static void turned_direction(int symmetry, int *x, int *y)
{
    for (int sx = -1; sx <= 1; sx++)
        for (int sy = -1; sy <= 1; sy++) {
            int wx = sx, wy = sy;
            rectangle_direction(symmetry, &wx, &wy);
            if (wx == *x && wy == *y) {
                *x = sx, *y = sy;
                return;
            }
        }
}

/* Of n directions clockwise from the top, the one that i was. */
static int direction_before(int symmetry, int i, int n)
{
    if (symmetry & 4) i = (5 * n / 4 - i) % n;
    if (symmetry & 1) i = (n - i) % n;
    if (symmetry & 2) i = (3 * n / 2 - i) % n;
    return i;
}

/* The text of keys with the names of sides, and with the directions that rows declare, turned. */
static void turn_text(int symmetry, const char *from, char *out)
{
    static const char *const sides[] = {"left", "right", "bottom", "top"};
    static const int x[] = {-1, 1, 0, 0}, y[] = {0, 0, -1, 1};
    while (*from) {
        int done = 0;
        for (int s = 0; s < OTOK_SIDES && !done; s++) {
            const size_t length = strlen(sides[s]);
            int tx = x[s], ty = y[s], to = 0;
            if (strncmp(from, sides[s], length) != 0) continue;
            turned_direction(symmetry, &tx, &ty);
            while (x[to] != tx || y[to] != ty)
                to++;
            out += sprintf(out, "%s", sides[to]);
            from += length, done = 1;
        }
        for (int p = 0; p < OTOK_PROCESSES && !done; p++) {
            const char *key = otok_processes[p]->direction;
            if (!key || strncmp(from, key, strlen(key)) != 0) continue;
            double weight[64];
            from += strlen(key) + 2;
            out += sprintf(out, "%s: ", key);
            const int n = direction_weights(&from, weight);
            for (int i = 0; i < n; i++)
                out +=
                    sprintf(out, "%s%g", i ? ", " : "[", weight[direction_before(symmetry, i, n)]);
            if (!n) { /* degrees */
                int is = 0;
                while (direction_before(symmetry, is, 360) != (int)weight[0] % 360)
                    is++;
                out += sprintf(out, "%d", is);
            }
            done = 1;
        }
        if (!done) *out++ = *from++;
    }
    *out = 0;
}

static void turn_trial(int symmetry, const trial *from, trial *to)
{
    turn_text(symmetry, from->keys, to->keys);
    turn_text(symmetry, from->beside, to->beside);
    turn_text(symmetry, from->edges, to->edges);
    for (int m = 0; m < from->nmore; m++)
        turn_text(symmetry, from->more[m], to->more[m]);
}

static void turn_map(int symmetry, int nx, int ny, const float *from, float *to)
{
    const int wide = symmetry & 4 ? ny : nx;
    for (int n = 0; n < nx * ny; n++)
        to[n] = from[rectangle_source(symmetry, nx, ny, n % wide, n / wide)];
}

/* Does a field keep its values when a scene is turned? Others are along an axis or through a
   side. */
static int is_scalar(int field)
{
    static const char *const ends[] = {"_x", "_y", "_left", "_right", "_bottom", "_top"};
    const char *name = otok_field_at(field)->name;
    for (int n = 0; n < 6; n++) {
        const size_t a = strlen(name), b = strlen(ends[n]);
        if (a > b && strcmp(name + a - b, ends[n]) == 0) return 0;
    }
    return 1;
}

static void check_turned(const trial *t)
{
    static const int symmetries[] = {1, 4, 6}; /* a mirror, a transposition, a quarter turn */
    static float ground[CELLS], water[CELLS], expected[CELLS];
    static outcome still, moved;
    if (!trial_run(t, &still)) exit(1);
    for (int k = 0; k < 3; k++) {
        const int symmetry = symmetries[k];
        trial other = *t;
        turn_trial(symmetry, t, &other);
        turn_map(symmetry, NX, NY, hills, ground);
        turn_map(symmetry, NX, NY, ponds, water);
        other.ground = ground, other.water = water;
        if (symmetry & 4) other.nx = NY, other.ny = NX;
        if (!trial_run(&other, &moved)) CHECK(0, "%s: %s", trial_name(&other), otok_why());
        for (int f = 0; f <= OTOK_LAYER_LAST; f++) {
            if (!otok_field_at(f) || !is_scalar(f)) continue;
            turn_map(symmetry, NX, NY, still.at[f], expected);
            CHECK(memcmp(expected, moved.at[f], sizeof expected) == 0,
                  "%s: %s is not turned by symmetry %d; if the process has a direction, name it "
                  "in .direction and give it in a row of setups",
                  trial_name(t), otok_field_at(f)->name, symmetry);
        }
    }
}

/* Moves a map by (a, b) cells over sides that wrap. */
static void shift(float *to, const float *from, int a, int b)
{
    for (int n = 0; n < CELLS; n++)
        to[(n / NX + b) % NY * NX + (n % NX + a) % NX] = from[n];
}

/* 0: the setup does not go with these sides. */
static int check_shift(const trial *t, const char *edges, int a, int b)
{
    static float ground[CELLS], water[CELLS], expected[CELLS];
    static outcome still, moved;
    trial one = *t, other;
    strcpy(one.edges, edges);
    if (!trial_run(&one, &still)) return 0;
    other = one;
    shift(ground, hills, a, b);
    shift(water, ponds, a, b);
    other.ground = ground, other.water = water;
    if (!trial_run(&other, &moved)) exit(1);
    for (int f = 0; f <= OTOK_LAYER_LAST; f++) {
        static outcome as;
        shift(expected, still.at[f], a, b);
        memcpy(as.at[f], expected, sizeof expected);
        CHECK(memcmp(expected, moved.at[f], sizeof expected) == 0 ||
                  outcome_apart(&as, &moved, f) <= outcome_dithered(t, &as, f),
              "%s: %s depends on where its scene begins", trial_name(&one), otok_field_at(f)->name);
    }
    return 1;
}

/* On a torus; what needs open sides, on tubes along either axis. 0: on none. */
static int check_shifted(const trial *t)
{
    static const char torus[] = "edges: {left: periodic, right: periodic, bottom: periodic, top: "
                                "periodic}",
                      tube[] = "edges: {left: open, right: open, bottom: periodic, top: periodic}";
    trial across = *t;
    char edges[WORDS / 4];
    if (check_shift(t, torus, 5, 7)) return 1;
    if (!check_shift(t, tube, 0, 7)) return 0;
    turn_text(4, tube, edges);
    turn_trial(4, t, &across);
    return check_shift(&across, edges, 5, 0);
}

/* Columns WALL and WALL + 1 are walls; the part on their left is as alone with a closed side. */
enum { WALL = 13 };

static void check_walls(const trial *t)
{
    static float part[CELLS], water[CELLS];
    static outcome whole, alone;
    trial walled = *t, left = *t;
    snprintf(walled.walls, sizeof walled.walls, "base: [{raster: {file: %s}}]", springs_path);
    strcpy(left.edges, "edges: {left: open, right: closed, bottom: open, top: open}");
    strcpy(walled.edges, "edges: {left: open, right: closed, bottom: open, top: open}");
    left.nx = WALL;
    for (int n = 0; n < WALL * NY; n++) {
        part[n] = hills[n / WALL * NX + n % WALL];
        water[n] = ponds[n / WALL * NX + n % WALL];
    }
    left.ground = part, left.water = water;
    walled.ground = hills;
    if (is_refused(&left)) return;
    if (!trial_run(&walled, &whole) || !trial_run(&left, &alone)) {
        CHECK(0, "%s: %s", trial_name(&walled), otok_why());
        return;
    }
    for (int f = 0; f <= OTOK_LAYER_LAST; f++)
        for (int n = 0; n < WALL * NY; n++) {
            const float *one = &whole.at[f][n / WALL * NX + n % WALL], *other = &alone.at[f][n];
            if (memcmp(one, other, sizeof *one) == 0) continue;
            if (fabs((double)*one - (double)*other) <= outcome_dithered(t, &whole, f)) continue;
            CHECK(0, "%s: %s of cell %d is %.9g, and %.9g where the walls are the end",
                  trial_name(&walled), otok_field_at(f)->name, n, (double)*one, (double)*other);
            break;
        }
}

/* ---- clocks ---- */

/* Processes that go at their own pace, as published. */
static const char own[] = "thermal";

/* Beside a clock of four of its steps a process makes four, or one, or is refused. */
static void check_pace(const trial *t)
{
    static const char *const words[] = {"time step", "longest time step", "time step"};
    const otok_process *p = t->process;
    const char *last = t->nmore ? t->more[t->nmore - 1] : "", *dt = strstr(last, ".dt=");
    const otok_parameter *row = otok_parameter_find(p->group, "dt");
    if (!p->dt) return;
    CHECK(strncmp(row->help, words[p->pace], strlen(words[p->pace])) == 0 &&
              (p->pace == OTOK_PACE_OWN) == (strcmp(p->group, own) == 0),
          "%s goes by %d, and its dt is the %s", p->group, (int)p->pace, row->help);
    if (!dt || *t->beside) return;
    trial beside = *t, alone = *t;
    snprintf(beside.beside, sizeof beside.beside, "%s: {dt: %.17g}",
             p == &otok_process_uplift ? "infiltration: {}, hydraulic" : "uplift",
             4 * strtod(dt + 4, NULL));
    alone.n = p->pace == OTOK_PACE_DIVIDED ? 4 * t->n : t->n;
    if (p->pace == OTOK_PACE_CLOCK)
        CHECK(is_refused(&beside) && strstr(otok_why(), "dt"), "%s is accepted: %s",
              trial_name(&beside), otok_why());
    else
        check_same(&alone, &beside, CLOCKED);
}

int main(int argc, char **argv)
{
    static trial trials[TRIALS];
    static float ground[CELLS];
    const char *place = CHECK_BACKEND(argc, argv)->name;
    const int few = argc > 2 || strncmp(place, "cpu", 3) != 0; /* other kernels are plain alike */
    char bands[2][64];
    trials_begin(place);
    springs_begin();
    for (int n = 0; n < CELLS; n++)
        ground[n] = n % NX == WALL || n % NX == WALL + 1 ? -9999 : hills[n];
    springs_write("walls.asc", NX, NY, SPACING, "NODATA_value -9999\n", ground);
    snprintf(bands[0], sizeof bands[0], "%s:plain/2", place);
    snprintf(bands[1], sizeof bands[1], "%s/3", place);
    for (int p = 0; p < OTOK_PROCESSES; p++) {
        const otok_process *process = otok_processes[p];
        int shifted = 0, nsetups;
        const int all = trials_of(process, trials, &nsetups), n = few ? nsetups : all;
        for (int i = 0; i < n; i++) {
            const trial *t = &trials[i];
            int field;
            const double done = trial_effect(t, &field);
            CHECK(i >= nsetups || done > 0.01 || (done > 1e-3 && trial_margin(t) > 0.2),
                  "%s changes a share of %g: give it a row of setups", trial_name(t), done);
            check_maps(t);
            check_series(t);
            if (i < nsetups) check_pace(t);
            otok_bands_shape(3, NULL);
            for (int b = 0; b < 2; b++)
                check_bands(t, bands[b]);
            if (t->with->marks & NUMBERED) {
                shifted = 1;
                continue;
            }
            trial mixed = *t;
            strcpy(mixed.edges, "edges: {left: closed, right: open, bottom: periodic, top: "
                                "periodic}");
            check_turned(t);
            if (!is_refused(&mixed)) check_turned(&mixed);
            if (!(t->with->marks & DITHERED)) check_walls(t);
            shifted |= t->with->marks & DITHERED || check_shifted(t);
        }
        CHECK(shifted, "%s: no setup goes with periodic sides", process->group);
    }
    for (int m = 0; m < MAPS; m++)
        CHECK(mapped[m] || strcmp(maps[m].group, "rain") == 0, "%s.%s: no setup has a map of it",
              maps[m].group, maps[m].key);
    springs_remove("walls.asc");
    springs_end();
    return check_failures > 0;
}
