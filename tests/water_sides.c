/* water_sides.c - claim: open sides do what `sides` says, under both laws that have a depth of
   flow. A normal depth, by its own slope or by the bed's, keeps uniform flow uniform to the side;
   at a critical side the depth has Froude number 1; a lake at the level of the water beyond stays
   still to the last bit, and a basin follows a slow tide. The ledger has what left and what
   entered. Flow to each of the four sides is the same, bit for bit; with a river along all of
   a side, each row has the same depths within 1e-5 (rounding differs from cell to cell).
   Predict reads the levels. */
#include "channel.h"

enum { N = 80, WIDE = 3 };
static const char *const laws[] = {"shallow_water", "local_inertia"};

/* The number along the line of cell i from the source, when the line falls to this side. */
static int place(int side, int i)
{
    return side == OTOK_LEFT || side == OTOK_BOTTOM ? N - 1 - i : i;
}

/* The cell of a channel that is i from the source, in a row or column of it. */
static int cell(int side, int wide, int i, int row)
{
    const int upright = side == OTOK_BOTTOM || side == OTOK_TOP;
    return upright ? place(side, i) * wide + row : row * N + place(side, i);
}

/* Steady flow of q = 1 m^2/s in a channel with the slope 0.002 that falls to a side; depths from
   the source on, which the cells across have alike. A river at a point feeds a channel of one
   row, a river along the bottom side a wider one, which flows to the top. */
static void flow_to(float *d, const char *backend, const char *law, int side, int wide,
                    const char *kind)
{
    const double l = 5, slope = 0.002;
    const int upright = side == OTOK_BOTTOM || side == OTOK_TOP;
    static float h[WIDE * N], line[WIDE * N];
    char edges[32], river[160], more[300];
    for (int i = 0; i < N; i++)
        for (int row = 0; row < wide; row++) {
            h[cell(side, wide, i, row)] = (float)(slope * l * (N - i));
            line[cell(side, wide, i, row)] = 0.8f;
        }
    const double x = (place(side, 0) + 0.5) * l;
    snprintf(edges, sizeof edges, "%s: open", channel_sides[side]);
    if (wide > 1)
        snprintf(river, sizeof river, "x: 0, y: 0, to_x: %g, to_y: 0", wide * l);
    else
        snprintf(river, sizeof river, "x: %g, y: %g", upright ? 2.5 : x, upright ? x : 2.5);
    snprintf(more, sizeof more, "rivers: [{%s, discharge: %g}], sides: {%s: %s},", river, wide * l,
             channel_sides[side], kind);
    const channel c = {upright ? wide : N, upright ? N : wide, l, 0.5, 0.03, edges, more,
                       .law = law};
    otok_sim *sim = channel_start(backend, &c, h, line);
    MUST(otok_sim_run(sim, 6000));
    const double left = channel_leaves(sim, &c, 100) / (wide * l);
    const otok_ledger after = scene_ledger(sim);
    MUST(otok_sim_get(sim, OTOK_WATER, line));
    for (int i = 0; i < N; i++) {
        d[i] = line[cell(side, wide, i, 0)];
        for (int row = 1; row < wide; row++) {
            const float other = line[cell(side, wide, i, row)];
            CHECK(fabsf(other / d[i] - 1) < 1e-5f, "%s to %s: %g m in row %d of cell %d, not %g",
                  law, channel_sides[side], (double)other, row, i, (double)d[i]);
        }
    }
    CHECK(fabs(left - 1) < 1e-3 && after.water_entered == 0, "%s, %s: %g of the river leaves", law,
          kind, left);
    CHECK(fabs(after.water_error) < 1e-4 * after.rivers, "%s, %s: %g m3 unexplained", law, kind,
          after.water_error);
    channel_end(sim);
}

static void check_flows(const char *backend, const char *law)
{
    const double normal = pow(0.03 / sqrt(0.002), 0.6), critical = cbrt(1 / GRAVITY);
    const struct {
        const char *kind;
        double depth;
        int from; /* the first cell that has it */
    } flows[] = {{"normal_depth", normal, N / 2},
                 {"normal_depth, right_slope: 0.002", normal, N / 2},
                 {"critical", critical, N - 1}};
    for (int n = 0; n < 3; n++) {
        float d[N];
        double worst = 0;
        flow_to(d, backend, law, OTOK_RIGHT, 1, flows[n].kind);
        for (int i = flows[n].from; i < N; i++)
            worst = fmax(worst, fabs((double)d[i] / flows[n].depth - 1));
        CHECK_FOUND(worst < 1e-3, "%s, %s: the depth is %.2g off", law, flows[n].kind, worst);
    }
    float right[N], other[N];
    flow_to(right, backend, law, OTOK_RIGHT, 1, "normal_depth");
    for (int side = 0; side < OTOK_SIDES; side++) {
        flow_to(other, backend, law, side, 1, "normal_depth");
        CHECK(memcmp(right, other, sizeof right) == 0, "%s: flow to %s differs", law,
              channel_sides[side]);
    }
    flow_to(other, backend, law, OTOK_TOP, WIDE, "normal_depth");
    for (int i = 0; i < N; i++)
        CHECK(fabsf(other[i] / right[i] - 1) < 1e-5f, "%s: %g m from a river along a side, not %g",
              law, (double)other[i], (double)right[i]);
}

/* The largest step that predict gives is that of the highest level, 3 m above the ground. */
static void check_predicted(const otok_scenario *s, const char *law)
{
    static otok_site site;
    otok_limit all[OTOK_LIMITS];
    otok_site_read(&site, s);
    const int n = otok_predict(all, s, 0, &site);
    int found = 0;
    for (int i = 0; i < n; i++)
        if (strstr(all[i].read, "at a side")) {
            const double most = 10 / sqrt(GRAVITY * 3);
            found = 1;
            CHECK(fabs(all[i].dt / most - 1) < 1e-6, "%s: %s has a step of %g s, expected %g", law,
                  all[i].name, all[i].dt, most);
        }
    CHECK(found, "%s: no limit reads the level of a side", law);
}

/* A basin of 200 m, 2 m deep; beyond it the water rises to 3 m in an hour and falls to 1 m in two.
   The far end follows within the tide of the time of a wave to there and back, 128 s at a depth of
   1 m: 0.07 m. */
static void check_tide(const char *backend, const char *law)
{
    enum { M = 20 };
    static float h[M], d[M];
    for (int i = 0; i < M; i++)
        d[i] = 2;
    const channel c = {M,
                       1,
                       10,
                       1,
                       0.03,
                       "left: open",
                       "sides: {left_level: [[0, 2], [3600, 3], [10800, 1]]},",
                       .law = law};
    otok_sim *sim = channel_start(backend, &c, h, d);
    check_predicted(channel_scenario, law);
    for (int n = 1; n <= 3; n++) {
        scene_run(sim, 3600, OTOK_WATER, d);
        const double level = n == 1 ? 3 : n == 2 ? 2 : 1;
        CHECK(fabs((double)d[M - 1] - level) < 0.07, "%s: %g m after %d h, beyond it %g m", law,
              (double)d[M - 1], n, level);
    }
    const otok_ledger l = scene_ledger(sim);
    const double came = l.water_entered - l.water_out;
    CHECK(l.water_entered > 1900 && fabs(came - (l.water - l.water_start)) < 1e-4 * l.water_start,
          "%s: %g m3 entered, %g left, %g m3 more are there", law, l.water_entered, l.water_out,
          l.water - l.water_start);
    channel_end(sim);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    for (int n = 0; n < 2; n++) {
        check_flows(backend, laws[n]);
        channel_check_lake(backend, laws[n],
                           "sides: {left_level: [[0, 3]], right_level: [[0, 3]], bottom_level: "
                           "[[0, 3]], top_level: [[0, 3]]},");
        check_tide(backend, laws[n]);
    }
    return check_failures != 0;
}
