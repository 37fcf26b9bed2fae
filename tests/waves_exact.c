/* waves_exact.c - claim: waves obey their laws. Over deep water wind raises them by JONSWAP's law
   of fetch within 1e-6 over 64 cells (as many roundings make 0.7e-6 at most), up to 0.24 U^2/g; on
   a shelf without friction H = gamma d within 1e-6; friction over a flat bed is the exact decay
   within 1e-5, from Airy's velocity at the bed within 1 % of it for y < 3. Over a random bed, in
   each direction, what comes in and what wind adds is what is lost and what leaves, within 1e-5.
   The shadow of an island is symmetric to the bit and lies away from where the waves come from.
   Ground, sides and rose mirrored, transposed or turned give the exposure so moved, bit for bit.
   Lines longer than a block of a GPU, along both axes, give the bits of the CPU, twice. */
#include "core/wave_sweep.h"
#include "scenario/process.h"
#include "scene.h"
#include "square.h"

#include <math.h>

enum { N = 64, CELLS = N * N };
static const double g = 9.81, height = 2, period = 10;

static const char *backend;
static float ground[CELLS], exposure[CELLS];

/* One sweep over `ground`, N x N or N x 1 cells of l metres, by these keys of `waves`. */
static otok_scenario *sweep(int nx, int ny, double l, const char *edges, const char *waves)
{
    otok_scenario *s = scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: %g}\nedges: %s\nsea: "
                             "{level: 0}\nbase: [{constant: {height: 0}}]\nphases: [{iterations: "
                             "1, waves: {%s}}]\n",
                             nx, ny, l, edges, waves);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_set(sim, OTOK_TERRAIN_CHANGE, ground));
    scene_run(sim, 1, OTOK_EXPOSURE, exposure);
    otok_sim_destroy(sim);
    return s;
}

static void flat(float h)
{
    for (int n = 0; n < CELLS; n++)
        ground[n] = h;
}

static double worse(double worst, double found, double expected)
{
    return fmax(worst, fabs(found / expected - 1));
}

static void check_fetch(void)
{
    double worst = 0;
    flat(-500);
    otok_scenario_destroy(
        sweep(N, 1, 1000, "{right: open}", "wind: 15, directions: 4, rose: [0, 0, 0, 1]"));
    for (int i = 0; i < N; i++) {
        const double fetch = 1000.0 * (i + 1);
        const double expected = 1.6e-3 * sqrt(g * fetch / (15 * 15)) * 15 * 15 / g;
        worst = worse(worst, height * sqrt((double)exposure[i]), expected);
    }
    CHECK(worst < 1e-6, "the law of fetch is %g off", worst);
    otok_scenario_destroy(
        sweep(N, 1, 1e6, "{right: open}", "wind: 15, directions: 4, rose: [0, 0, 0, 1]"));
    worst = worse(0, height * sqrt((double)exposure[N - 1]), 0.24 * 15 * 15 / g);
    CHECK(worst < 1e-6, "the full height is %g off", worst);
}

static void check_breaking(void)
{
    double worst = 0;
    for (int n = 0; n < N; n++)
        ground[n] = -0.05f * (float)(1 + n % 20);
    otok_scenario_destroy(
        sweep(N, 1, 50, "{left: open}", "friction: 0, directions: 4, rose: [0, 0, 0, 1]"));
    for (int i = 0; i < N; i++) {
        double least = 1e9; /* broken flux stays where it becomes deeper */
        for (int k = 0; k <= i; k++) {
            const double d = -(double)ground[k], speed = sqrt(g * d) / (g * period / (4 * M_PI));
            least = fmin(least, pow(0.6 * d / height, 2) * speed);
        }
        worst = worse(worst, sqrt((double)exposure[i]), sqrt(least));
    }
    CHECK(worst < 1e-6, "breaking is %g off", worst);
}

static double airy(double d)
{
    const double w = 2 * M_PI / period;
    double k = w * w / g;
    for (int n = 0; n < 200; n++)
        k = 0.5 * (k + w * w / (g * tanh(k * d)));
    return w / (2 * sinh(k * d));
}

static void check_friction(void)
{
    double worst = 0, rubs = 0;
    for (int d = 2; d <= 70; d++) {
        flat((float)-d);
        otok_scenario_destroy(
            sweep(N, 1, 20, "{left: open}", "breaking: 10, directions: 4, rose: [0, 0, 0, 1]"));
        const double c = g * period / (4 * M_PI), speed = fmin(c, sqrt(g * d)),
                     y = pow(2 * M_PI / period, 2) * d / g;
        const double phi = 0.5 * sqrt(g / d) * exp(-y * (1 / 3.0 + 0.085 * y));
        const double rho = 1025, open = rho * g * height * height / 16 * c;
        const double a =
            2 / (3 * M_PI) * rho * 0.2 * pow(phi, 3) * pow(16 / (rho * g * speed), 1.5);
        if (y < 3) rubs = worse(rubs, phi, airy(d));
        for (int i = 0; i < N; i++)
            worst =
                worse(worst, (double)exposure[i], pow(1 + 0.5 * a * sqrt(open) * 20 * (i + 1), -2));
    }
    CHECK(worst < 1e-5, "friction is %g off", worst);
    CHECK(rubs < 0.01, "the velocity at the bed is %g off Airy's", rubs);
}

/* The energy of a direction over the present ground [flux of the open sea times cells]. */
static void check_books(int directions, int from)
{
    static const int edges[OTOK_SIDES] = {OTOK_OPEN, OTOK_OPEN, OTOK_OPEN, OTOK_OPEN};
    static float maps[OTOK_WAVE_MOST + 1][CELLS], zero[CELLS];
    char keys[200] = "";
    otok_view v = {.nx = N, .ny = N, .pitch = N};
    otok_coefficients k;
    double in = 0, wind = 0, lost = 0, out = 0;
    int wrong = 0, way = 0;
    snprintf(keys, sizeof keys, "wind: 10, directions: %d, rose: [", directions);
    for (int i = 0; i < directions; i++)
        strcat(keys, i == from ? i ? ", 1" : "1" : i ? ", 0" : "0");
    strcat(keys, "]");
    otok_scenario *s = sweep(N, N, 50, "{left: open, right: open, bottom: open, top: open}", keys);
    otok_coefficients_for_phase(&k, &s->phases[0], 50);
    while (!(k.waves.weight[way] > 0))
        way++;
    const otok_wave_sweep w = otok_wave_sweep_of(&v, way / 4, way % 4, otok_ways_in_of(edges));
    v.at[OTOK_TERRAIN_BASE] = zero;
    v.at[OTOK_TERRAIN_CHANGE] = ground;
    for (int b = OTOK_WAVE_SPEED; b <= OTOK_WAVE_MOST; b++)
        v.at[b] = maps[b];
    for (int n = 0; n < w.lines; n++)
        for (int j = 0; j < w.cells; j++) {
            const ptrdiff_t line = w.first + n * w.along, at = line + j * w.across;
            otok_wave_lay_bed(&v, at, 0, k.waves);
            const otok_wave_bed bed = otok_wave_bed_at(&v, at);
            const float enters = otok_wave_entering(&v, &w, exposure + (n ? line - w.along : line),
                                                    w.across, n, j, k.waves),
                        grown = otok_wave_grows(enters, bed, w.kind, k.waves),
                        leaves = otok_wave_leaves(grown, bed, w.kind, k.waves);
            const double lean = (double)k.waves.lean[w.kind];
            wrong += leaves != exposure[at];
            wind += (double)grown - (double)enters;
            lost += (double)grown - (double)leaves;
            in += n == 0 ? 1 : j == 0 ? lean : 0;
            out += n == w.lines - 1 ? (double)leaves : j == w.cells - 1 ? lean * (double)leaves : 0;
        }
    CHECK(!wrong, "%d cells are not what the laws make of them", wrong);
    CHECK(fabs(in + wind - lost - out) < 1e-5 * (in + wind) && lost > 0.1 * in && wind > 0,
          "waves from %d of %d: %g in, %g by wind, %g lost, %g out", from, directions, in, wind,
          lost, out);
    otok_scenario_destroy(s);
}

static void random_ground(void)
{
    uint64_t x = 7;
    for (int n = 0; n < CELLS; n++) {
        const int i = n % N - 30, j = n / N - 25;
        const float far = sqrtf((float)(i * i + j * j));
        ground[n] = (far < 8 ? 3.0f : -0.8f * far) + 8 * scene_random(&x);
    }
}

/* An island in waves from the left, then from the top. */
static void check_shadow(void)
{
    static const char *const roses[] = {"[0, 0, 0, 1]", "[1, 0, 0, 0]"};
    static const char open[] = "{left: open, right: open, bottom: open, top: open}";
    char keys[100];
    for (int n = 0; n < CELLS; n++) {
        const float i = (float)(n % N) - 31.5f, j = (float)(n / N) - 31.5f;
        ground[n] = 10 - 0.5f * sqrtf(i * i + j * j);
    }
    for (int way = 0; way < 2; way++) {
        snprintf(keys, sizeof keys, "friction: 0, directions: 4, rose: %s", roses[way]);
        otok_scenario_destroy(sweep(N, N, 20, open, keys));
        const int before = way ? 60 * N + 32 : 32 * N + 3, behind = way ? 3 * N + 32 : 32 * N + 60;
        CHECK(exposure[before] > 0.5f && exposure[behind] == 0, "way %d: %g before, %g behind", way,
              (double)exposure[before], (double)exposure[behind]);
        for (int n = 0; n < CELLS; n++) {
            const int i = n % N, j = n / N, other = way ? j * N + N - 1 - i : (N - 1 - j) * N + i;
            CHECK(exposure[n] == exposure[other], "way %d: the shadow differs in %d, %d", way, i,
                  j);
        }
    }
}

/* The direction, of 16 clockwise from the top, that waves of the moved map came from. */
static int direction_before(int symmetry, int from)
{
    static const int x[] = {0, 1, 2, 3, 4, 3, 2, 1}, y[] = {4, 3, 2, 1, 0, -1, -2, -3};
    int a = from < 8 ? x[from] : -x[from - 8], b = from < 8 ? y[from] : -y[from - 8];
    rectangle_direction(symmetry, &a, &b);
    for (int n = 0; n < 8; n++) {
        if (a == x[n] && b == y[n]) return n;
        if (a == -x[n] && b == -y[n]) return n + 8;
    }
    return -1;
}

/* The sides of a moved map of which one was closed at the bottom. */
static const char *sides_of(int symmetry)
{
    static const char *const names[] = {"left", "right", "bottom", "top"};
    static const int x[] = {-1, 1, 0, 0}, y[] = {0, 0, -1, 1};
    static char text[100];
    text[0] = 0;
    for (int side = 0; side < OTOK_SIDES; side++) {
        int a = x[side], b = y[side];
        rectangle_direction(symmetry, &a, &b);
        snprintf(text + strlen(text), 20, "%s%s: %s", side ? ", " : "{", names[side],
                 b < 0 ? "closed" : "open");
    }
    return strcat(text, "}");
}

static void check_turned(int directions)
{
    static float start[CELLS], first[CELLS], moved[CELLS];
    static const int symmetries[] = {0, 1, 4, 6};
    random_ground();
    memcpy(start, ground, sizeof start);
    for (int t = 0; t < 4; t++) {
        char keys[400] = "";
        int differs = 0;
        snprintf(keys, sizeof keys, "wind: 8, directions: %d, rose: [", directions);
        for (int i = 0; i < directions; i++) {
            const int was = direction_before(symmetries[t], i * (16 / directions));
            snprintf(keys + strlen(keys), 20, "%s%d", i ? ", " : "", 1 + was * was % 7);
        }
        strcat(keys, "]");
        square_move(symmetries[t], N, start, ground);
        otok_scenario_destroy(sweep(N, N, 50, sides_of(symmetries[t]), keys));
        if (t == 0) memcpy(first, exposure, sizeof first);
        square_move(symmetries[t], N, first, moved);
        for (int n = 0; n < CELLS; n++)
            differs += moved[n] != exposure[n];
        CHECK(!differs, "%d directions, symmetry %d: %d cells differ", directions, symmetries[t],
              differs);
    }
}

/* Two sweeps of 16 directions over a long grid. */
static void run_long(float *out, int nx, int ny, const char *on, const float *bed)
{
    otok_scenario *s = scene(
        "otok: 1\ngrid: {nx: %d, ny: %d, spacing: 50}\nedges: {left: open, bottom: open, top: "
        "open}\nsea: {level: 0}\nbase: [{constant: {height: 0}}]\nphases: [{iterations: 2, "
        "waves: {every: 1, wind: 9, directions: 16}}]\n",
        nx, ny);
    otok_sim *sim = scene_sim(s, on);
    MUST(otok_sim_set(sim, OTOK_TERRAIN_CHANGE, bed));
    scene_run(sim, 2, OTOK_EXPOSURE, out);
    scene_destroy(sim, s);
}

static void check_long(void)
{
    enum { LONG = 700, SHORT = 37 };
    static float bed[LONG * SHORT], here[LONG * SHORT], there[LONG * SHORT];
    uint64_t x = 9;
    for (int n = 0; n < LONG * SHORT; n++)
        bed[n] = -6 + 7 * scene_random(&x);
    for (int up = 0; up < 2; up++) {
        int differs = 0;
        run_long(here, up ? SHORT : LONG, up ? LONG : SHORT, backend, bed);
        run_long(there, up ? SHORT : LONG, up ? LONG : SHORT, "cpu:plain", bed);
        for (int n = 0; n < LONG * SHORT; n++)
            differs += here[n] != there[n] || !(here[n] >= 0);
        CHECK(!differs, "up %d: %d cells differ from the CPU", up, differs);
    }
}

int main(int argc, char **argv)
{
    backend = CHECK_BACKEND(argc, argv)->name;
    check_fetch();
    check_breaking();
    check_friction();
    random_ground();
    for (int i = 0; i < 16; i++)
        check_books(16, i);
    check_books(4, 3);
    check_shadow();
    for (int n = 4; n <= 16; n *= 2)
        check_turned(n);
    check_long();
    return check_failures > 0;
}
