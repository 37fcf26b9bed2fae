/* water_thin_dams.c - claim: under both laws with a depth of flow, with `bed_steps: critical` or
   without, a thin dam holds water up to its crest, to the bit, also water as high on both sides and
   above it. It passes 0.95 to 1.05 of a weir's flow 1.705 H^1.5, and where the water beyond stands
   h > 2/3 H over the crest, h sqrt(2 g (H - h)) within 5 %. A closed line of any shape, through
   middles of cells too and beside cells without data, lets nothing out. Along a diagonal a dam
   passes what its length passes. Flow over each of the four sides of a dam is the same, bit for
   bit, in bands and after a restart too. A breach keeps the ledger to 1e-6 of the water. */
#include "channel.h"
#include "springs_file.h"

static const char *const laws[] = {"shallow_water", "shallow_water, bed_steps: critical",
                                   "local_inertia", "local_inertia, bed_steps: critical"};

/* ---- a weir of a face in a channel of 1 m cells ---- */

enum { LONG = 80, AT = 40 };

/* The flow of a weir per metre by the head and the height of the water beyond over its crest. */
static double of_level(double head, double over)
{
    return over > 2.0 / 3 * head ? over * sqrt(2 * GRAVITY * (head - over))
                                 : 1.705 * pow(head, 1.5);
}

/* The same by the depth d beyond a weir `high` above its ground: the water beside the crest is the
   lower, as the jet becomes as slow and keeps its momentum (Borda). */
static double of_jet(double head, double high, double d)
{
    double low = 2.0 / 3 * head, most = d - high;
    for (int n = 0; n < 60 && low < most; n++) {
        const double over = 0.5 * (low + most), q = of_level(head, over), deep = high + over;
        const double force = 0.5 * GRAVITY * (deep * deep - d * d) + q * q * (1 / over - 1 / d);
        *(force < 0 ? &low : &most) = over;
    }
    return of_level(head, fmin(low, most));
}

/* A river of q per metre goes over a crest of 1 m. Beyond it stands `beyond` m of water, or the
   ground is 3 m deeper (NAN). */
static void check_weir(const char *backend, const char *law, double q, double beyond)
{
    float h[LONG], d[LONG];
    char more[300];
    snprintf(more, sizeof more,
             "rivers: [{x: 0.5, y: 0.5, discharge: %.9g}], dams: [{crest: 1, line: [[%d, -1], [%d, "
             "2]]}], sides: {right%s},",
             q, AT, AT, isnan(beyond) ? ": critical" : "_level: [[0, 1]]");
    const channel c = {LONG, 1, 1, 0.04, 0, "right: open", more, .law = law};
    for (int i = 0; i < LONG; i++) {
        h[i] = i >= AT && isnan(beyond) ? -3 : 0;
        d[i] = i < AT ? 1.2f : isnan(beyond) ? 0 : (float)beyond;
    }
    otok_sim *sim = channel_start(backend, &c, h, d);
    if (!isnan(beyond)) {
        char set[64];
        snprintf(set, sizeof set, "[[0, %.9g]]", beyond);
        MUST(otok_sim_change(sim, "phases.phase1.sides.right_level", set));
    }
    MUST(otok_sim_run(sim, isnan(beyond) ? 12000 : 20000));
    const double out = channel_leaves(sim, &c, 400);
    MUST(otok_sim_get(sim, OTOK_WATER, d));
    const double v = q / (double)d[AT - 3], head = (double)d[AT - 3] - 1 + v * v / (2 * GRAVITY),
                 over = isnan(beyond) ? 0 : (double)d[AT + 1] - 1;
    const double right = strncmp(law, "shallow", 7) == 0 ? of_jet(head, 1, (double)d[AT + 12])
                                                         : of_level(head, over);
    CHECK_FOUND(fabs(out / q - 1) < 0.01, "%s, %g m2/s: %g leaves, not steady", law, q, out);
    CHECK_FOUND(fabs(q / right - 1) < 0.05, "%s, %g m2/s, h/H %.2f: %.3f of the weir's flow", law,
                q, over / head, q / right);
    channel_end(sim);
}

/* ---- lakes ---- */

enum { N = 30 };

static void rough(float *h)
{
    for (int n = 0; n < N * N; n++)
        h[n] = (float)((n * 7919 % 61) * 0.03125) * ((n / N) % 3 ? 1 : 0.25f);
}

/* Water at rest on rough ground, `low` and `high` beside a dam across, none of it over the crest,
   or as high on both sides. */
static void check_rest(const char *backend, const char *law, float low, float high)
{
    float h[N * N], d[N * N], now[N * N];
    const channel c = {N,
                       N,
                       2,
                       0.1,
                       0.03,
                       "left: open, top: open",
                       "dams: [{crest: 5, line: [[-3, 11.3], [24, 31], [70, 48.7]]}],",
                       .law = law};
    rough(h);
    for (int n = 0; n < N * N; n++) {
        const double x = n % N + 0.5, y = n / N + 0.5;
        const int above =
            y > (x < 12 ? 5.65 + (x + 1.5) * 9.85 / 13.5 : 15.5 + (x - 12) * 8.85 / 23);
        const int rim = n % N == 0 || n / N == N - 1;
        if (rim) h[n] = 9;
        d[n] = rim ? 0 : fmaxf(0, (above ? high : low) - h[n]);
    }
    channel_run(now, backend, &c, h, d, 500);
    int moved = 0;
    for (int n = 0; n < N * N; n++)
        moved += memcmp(&d[n], &now[n], sizeof d[n]) != 0;
    CHECK(!moved, "%s: a lake at %g and %g m moves in %d cells", law, (double)low, (double)high,
          moved);
}

/* ---- closed lines ---- */

/* Is a point inside a polygon? */
static int is_inside(const double *line, int corners, double x, double y)
{
    int in = 0;
    for (int n = 0, m = corners - 1; n < corners; m = n++) {
        const double *a = line + 2 * n, *b = line + 2 * m;
        if ((a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) * (b[0] - a[0]) / (b[1] - a[1]))
            in = !in;
    }
    return in;
}

/* Is cell n inside, as lines are taken aside? */
static int contains(const double *line, int corners, int n)
{
    return is_inside(line, corners, n % N + 0.5 - 7.548776662466927e-7,
                     n / N + 0.5 - 5.698402909980532e-7);
}

/* A ring around the middle; `on`: its corners are middles of cells, or of faces. */
static void check_ring(const char *backend, const char *law, int corners, double on, uint32_t *x,
                       int walled)
{
    float h[N * N], d[N * N], now[N * N];
    double line[2 * 16];
    char more[1000] = "dams: [{crest: 30, line: [", root[200] = "";
    for (int n = 0; n <= corners; n++) {
        *x = *x * 1664525u + 1013904223u;
        const double turn = 2 * 3.14159265 * n / corners, far = 6 + (*x >> 8) * 0x1p-24 * 7;
        line[2 * n] = 15 + far * cos(turn), line[2 * n + 1] = 15 + far * sin(turn);
        for (int k = 0; k < 2 && on >= 0; k++)
            line[2 * n + k] = floor(line[2 * n + k]) + on;
        if (n == corners) line[2 * n] = line[0], line[2 * n + 1] = line[1];
        sprintf(more + strlen(more), "%s[%.9g, %.9g]", n ? ", " : "", line[2 * n], line[2 * n + 1]);
    }
    strcat(more, "]}],");
    for (int n = 0; n < N * N; n++) {
        h[n] = 0;
        now[n] = walled && n / N == 15 && n % N > 13 ? -9999 : 0;
        d[n] = contains(line, corners, n) && hypot(n % N - 14.5, n / N - 14.5) < 5 ? 6 : 0;
        if (now[n] < 0) d[n] = 0;
    }
    if (walled) {
        springs_write("base.asc", N, N, 1, "NODATA_value -9999\n", now);
        snprintf(root, sizeof root, "base: [{raster: {file: %s/base.asc}}]", springs_folder);
    }
    const channel c = {N, N, 1, 0.05, 0, NULL, more, law, root};
    otok_sim *sim = channel_start(backend, &c, h, d);
    scene_run(sim, 1, OTOK_WATER, d);
    double inside = 0, leaked = 0, first = 0;
    for (int n = 0; n < N * N; n++)
        first += (double)d[n];
    scene_run(sim, 1500, OTOK_WATER, now);
    for (int n = 0; n < N * N; n++) {
        const int in = contains(line, corners, n);
        *(in ? &inside : &leaked) += (double)now[n];
    }
    CHECK(leaked == 0 && fabs(inside / first - 1) < 1e-3 && first > 300,
          "%s, ring of %d corners: %g of %g m leaves, %g stays", law, corners, leaked, first,
          inside);
    channel_end(sim);
}

/* ---- along a diagonal ---- */

/* What passes in a second from a basin that is 0.5 m above the crest, across the other half of a
   square of 40 m. */
static double half_flow(const char *backend, const char *law, int diagonal)
{
    enum { M = 40 };
    static float h[M * M], d[M * M];
    char more[100];
    double beyond[2] = {0, 0};
    snprintf(more, sizeof more, "dams: [{crest: 4, line: [[%g, 0], [%g, 40]]}],",
             diagonal ? 0.5 : 20, diagonal ? 40.5 : 20);
    const channel c = {M, M, 1, 0.05, 0, NULL, more, .law = law};
    for (int n = 0; n < M * M; n++)
        d[n] = (diagonal ? n % M <= n / M : n % M < 20) ? 4.5f : 0;
    otok_sim *sim = channel_start(backend, &c, h, d);
    for (int k = 0; k < 2; k++) {
        scene_run(sim, 20, OTOK_WATER, d);
        for (int n = 0; n < M * M; n++)
            beyond[k] += (diagonal ? n % M <= n / M : n % M < 20) ? 0 : (double)d[n];
    }
    channel_end(sim);
    return (beyond[1] - beyond[0]) / (20 * c.dt);
}

static void check_diagonal(const char *backend, const char *law)
{
    const double straight = half_flow(backend, law, 0) / 40,
                 across = half_flow(backend, law, 1) / (40 * sqrt(2));
    CHECK_FOUND(fabs(across / straight - 1) < 0.1, "%s: %g m2/s straight, %g along a diagonal", law,
                straight, across);
}

/* ---- a breach ---- */

enum { W = 15 };

/* A river fills a basin behind a bent dam that falls, towards a side. Depths as seen from that
   side, and the bits of all water. */
static void breach(float *d, const char *backend, const char *law, int side, int again)
{
    static const double line[][2] = {{16, -1}, {20.6, 33.3}, {14.2, 61}};
    static float h[W * W], map[W * W];
    char edges[32], more[500];
    double corner[3][2];
    for (int n = 0; n < 3; n++) {
        const double in = side % 2 ? 4 * W - line[n][0] : line[n][0];
        corner[n][side / 2] = in, corner[n][!(side / 2)] = line[n][1];
    }
    snprintf(edges, sizeof edges, "%s: open", channel_sides[side]);
    snprintf(more, sizeof more,
             "rivers: [{x: 30, y: 30, radius: 9, discharge: 60}], dams: [{history: [[0, 3], [300, "
             "3], [400, 1]], line: [[%.9g, %.9g], [%.9g, %.9g], [%.9g, %.9g]]}],",
             corner[0][0], corner[0][1], corner[1][0], corner[1][1], corner[2][0], corner[2][1]);
    for (int n = 0; n < W * W; n++)
        map[n] = 0;
    const channel c = {W, W, 4, 0.3, 0.03, edges, more, .law = law};
    otok_sim *sim = channel_start(backend, &c, h, map);
    MUST(otok_sim_run(sim, 150)); /* it is not full yet */
    const double early = scene_ledger(sim).water_out;
    CHECK(early == 0, "%s, %s: %g m3 leave before the breach", law, channel_sides[side], early);
    MUST(otok_sim_run(sim, 1050));
    if (again) sim = channel_resume(sim, "cpu:plain");
    scene_run(sim, 800, OTOK_WATER, map);
    const otok_ledger l = scene_ledger(sim);
    CHECK_FOUND(fabs(l.water_error) < 1e-6 * l.rivers && l.water_out > 1000,
                "%s: %g m3 of %g are missing", law, l.water_error, l.rivers);
    channel_turn(d, map, W, side);
    channel_end(sim);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    uint32_t x = 7;
    springs_begin();
    for (int n = 0; n < 4; n++) {
        static const double flows[] = {0.3, 1, 3}, deep[] = {1.25, 1.4, 1.6};
        for (int k = 0; k < 3; k++)
            check_weir(backend, laws[n], flows[k], NAN);
        for (int k = 0; k < 3; k++)
            check_weir(backend, laws[n], 0.6, deep[k]);
        check_rest(backend, laws[n], 0, 5);
        check_rest(backend, laws[n], 3, 4.5f);
        check_rest(backend, laws[n], 6.5f, 6.5f);
        for (int corners = 3; corners < 15; corners++)
            check_ring(backend, laws[n], corners,
                       corners % 3 == 0   ? 0.5
                       : corners % 3 == 1 ? 0
                                          : -1,
                       &x, corners % 4 == 3);
        check_diagonal(backend, laws[n]);
        channel_check_sides(breach, W, backend, laws[n]);
    }
    channel_check_sides(breach, W, backend, "shallow_water, bed_steps: critical, courant: 0.6");
    springs_remove("base.asc");
    springs_end();
    return check_failures > 0;
}
