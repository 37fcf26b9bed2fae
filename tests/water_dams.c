/* water_dams.c - claim: under `law: shallow_water` dam breaks run at the speed of the exact
   solutions, on dry ground (Ritter 1892) and on water (Stoker 1957), however the dam lies on the
   grid; a column of water spreads as a disc; and a basin of parabolic shape swings (Thacker 1981).
 */
#include "channel.h"

/* ---- on dry ground ---- */

/* L1 error of the depth over (c t d0), c = sqrt(g d0). The front runs at 2 c: `courant` is that of
   its tip. */
static void check_ritter(const char *backend, double courant)
{
    enum { N = 400 };
    static float h[N], d[N];
    const double deep = 1, wave = sqrt(GRAVITY * deep);
    const channel c = {N, 1, 1, .dt = courant / (2 * wave)};
    for (int i = 0; i < N; i++)
        d[i] = i < N / 2 ? (float)deep : 0;
    const int steps = (int)(180 / courant);
    const double t = steps * c.dt;
    channel_run(d, backend, &c, h, d, steps);
    double missed = 0;
    for (int i = 0; i < N; i++) {
        const double x = (i + 0.5 - N / 2) / t, v = 2 * wave - x;
        const double exact = x < -wave ? deep : x > 2 * wave ? 0 : v * v / (9 * GRAVITY);
        missed += fabs((double)d[i] - exact);
    }
    const double error = missed / (wave * t * deep);
    CHECK_FOUND(error < 0.03, "dry bed, C %g: L1 error %.4f", courant, error);
}

/* ---- on water ---- */

/* The plateau behind the shock: its depth, the speed of the water and of the shock. */
typedef struct plateau {
    double depth, speed, shock;
} plateau;

static plateau stoker(double deep, double shallow)
{
    double low = shallow, high = deep;
    plateau p = {0};
    for (int n = 0; n < 100; n++) {
        p.depth = 0.5 * (low + high);
        p.speed = 2 * (sqrt(GRAVITY * deep) - sqrt(GRAVITY * p.depth));
        const double jump =
            (p.depth - shallow) * sqrt(GRAVITY * (p.depth + shallow) / (2 * p.depth * shallow));
        if (p.speed > jump)
            low = p.depth;
        else
            high = p.depth;
    }
    p.shock = p.speed * p.depth / (p.depth - shallow);
    return p;
}

enum { SQUARE = 200 };

/* Along the normal of the dam through the middle of a square, which no side has reached yet: the
   depth of the plateau from the middle of the dam's place to 0.8 of the shock's way, and the shock,
   where the depth is half-way between plateau and the water before it. */
static void check_stoker(const char *backend, double dx, double dy)
{
    enum { N = SQUARE };
    static float h[N * N], d[N * N];
    const double deep = 1, before = 0.1, length = hypot(dx, dy);
    const channel c = {N, N, 1, .dt = 0.9 / 6.1}; /* of the plateau, on a diagonal */
    for (int n = 0; n < N * N; n++)
        d[n] = dx * (n % N - N / 2 + 0.5) + dy * (n / N - N / 2 + 0.5) < 0 ? (float)deep
                                                                           : (float)before;
    const plateau exact = stoker(deep, before);
    const int steps = (int)(60 / exact.shock / c.dt);
    const double way = exact.shock * steps * c.dt;
    channel_run(d, backend, &c, h, d, steps);
    double sum = 0, place = 0, worst = 0;
    int count = 0;
    for (int n = 0; n < N * N; n++) {
        const double x = n % N - N / 2 + 0.5, y = n / N - N / 2 + 0.5;
        const double along = (dx * x + dy * y) / length, across = (dx * y - dy * x) / length;
        if (fabs(across) > 3) continue;
        if (along > place && (double)d[n] > 0.5 * (exact.depth + before)) place = along;
        if (along < 0.5 * way || along > 0.8 * way) continue;
        sum += (double)d[n];
        worst = fmax(worst, fabs((double)d[n] / exact.depth - 1));
        count++;
    }
    const double depth = sum / count / exact.depth, shock = (place + 0.5) / way;
    CHECK_FOUND(fabs(depth - 1) < 0.01, "wet bed, (%g, %g): plateau %.4f", dx, dy, depth);
    CHECK_FOUND(fabs(shock - 1) < 0.025, "wet bed, (%g, %g): shock at %.4f of its way", dx, dy,
                shock);
}

/* ---- a disc ---- */

/* How far the front is along an axis and along a diagonal, and how uneven a ring behind it is. */
static void check_disc(const char *backend)
{
    enum { N = 201, MIDDLE = N / 2 };
    static float h[N * N], d[N * N];
    const channel c = {N, N, 1, .dt = 0.9 / 2 / sqrt(2 * GRAVITY)};
    for (int n = 0; n < N * N; n++)
        d[n] = hypot(n % N - MIDDLE, n / N - MIDDLE) < 25 ? 1 : 0.2f;
    channel_run(d, backend, &c, h, d, (int)(16 / c.dt));
    double axis = 0, diagonal = 0, ring[2] = {INFINITY, 0};
    for (int i = 0; MIDDLE + i < N; i++) {
        if (d[MIDDLE * N + MIDDLE + i] > 0.25f) axis = i;
        if (d[(MIDDLE + i) * N + MIDDLE + i] > 0.25f) diagonal = i * sqrt(2.0);
    }
    const double radius = 0.8 * axis;
    for (int n = 0; n < 64; n++) {
        const double x = MIDDLE + radius * cos(n * M_PI / 32),
                     y = MIDDLE + radius * sin(n * M_PI / 32);
        const int i = (int)x, j = (int)y;
        const double a = x - i, b = y - j;
        const float *at = d + j * N + i;
        const double deep = (1 - b) * ((1 - a) * (double)at[0] + a * (double)at[1]) +
                            b * ((1 - a) * (double)at[N] + a * (double)at[N + 1]);
        ring[0] = fmin(ring[0], deep);
        ring[1] = fmax(ring[1], deep);
    }
    const double uneven = (ring[1] - ring[0]) / (ring[1] + ring[0]);
    CHECK_FOUND(fabs(axis - diagonal) <= sqrt(2.0), "disc: front at %g and %.1f", axis, diagonal);
    CHECK_FOUND(uneven < 0.03, "disc: a ring is uneven by %.4f", uneven);
}

/* ---- a basin ---- */

/* h = d0 x^2 / a^2: the surface stays plane and swings with the period 2 pi a / sqrt(2 g d0). What
   is left after three periods of the way that the middle of the water goes. */
static void check_thacker(const char *backend)
{
    enum { N = 200 };
    static float h[N], d[N];
    const double a = 50, deep = 10, swing = 0.1 * a, omega = sqrt(2 * GRAVITY * deep) / a;
    const channel c = {N, 1, 1, .dt = 0.7 / sqrt(GRAVITY * deep) / 1.2};
    for (int i = 0; i < N; i++) {
        const double x = i - N / 2 + 0.5;
        h[i] = (float)(deep * x * x / (a * a));
        const double surface = deep + deep * swing * (2 * x - swing) / (a * a);
        d[i] = (float)fmax(0, surface - (double)h[i]);
    }
    otok_sim *sim = channel_start(backend, &c, h, d);
    const int steps = (int)(2 * M_PI / omega / c.dt + 0.5);
    double most = 0;
    for (int n = 0; n < 3 * steps + steps / 8; n++) {
        MUST(otok_sim_run(sim, 1));
        if (n < 3 * steps - steps / 8) continue;
        double sum = 0, at = 0;
        MUST(otok_sim_get(sim, OTOK_WATER, d));
        for (int i = 0; i < N; i++) {
            sum += (double)d[i];
            at += (double)d[i] * (i - N / 2 + 0.5);
        }
        most = fmax(most, at / sum);
    }
    CHECK_FOUND(most / swing > 0.85 && most / swing < 1.02, "basin: %.4f of the swing is left",
                most / swing);
    channel_end(sim);
}

CHECK_SLOW

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    for (double courant = 0.3; courant < 1; courant += 0.3)
        check_ritter(backend, courant);
    check_stoker(backend, 1, 0);
    check_stoker(backend, 2, 1);
    check_stoker(backend, 1, 1);
    check_disc(backend);
    check_thacker(backend);
    return check_failures != 0;
}
