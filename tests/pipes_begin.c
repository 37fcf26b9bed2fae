/* pipes_begin.c - claim: where a checkpoint begins a scenario with other pipes, the net flow
   through every face stays; flows that fit already are not touched. Speeds are those of the flows
   at the depth of their faces, and at most a cell an iteration. A phase of another law within a
   scenario does the same. */
#include "scenario/scenario.h"
#include "scene.h"

#include <math.h>

enum { NX = 37, NY = 23, CELLS = NX * NY };

typedef struct flows {
    float at[4][CELLS]; /* in the order of otok_side */
} flows;

static void get(otok_sim *sim, flows *f)
{
    memset(f, 0, sizeof *f);
    for (int side = 0; side < 4; side++)
        if (otok_sim_has(sim, (otok_field)(OTOK_OUTFLOW_LEFT + side)))
            MUST(otok_sim_get(sim, (otok_field)(OTOK_OUTFLOW_LEFT + side), f->at[side]));
}

/* Net flow through the right and top faces, and out over the left and bottom sides. */
static void net(const flows *f, const int *edges, flows *out)
{
    memset(out, 0, sizeof *out);
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            const int n = j * NX + i, wraps = edges[OTOK_LEFT] == OTOK_PERIODIC,
                      rolls = edges[OTOK_BOTTOM] == OTOK_PERIODIC;
            const float from_right = i + 1 < NX ? f->at[OTOK_LEFT][n + 1]
                                     : wraps    ? f->at[OTOK_LEFT][n + 1 - NX]
                                                : 0;
            const float from_top = j + 1 < NY ? f->at[OTOK_BOTTOM][n + NX]
                                   : rolls    ? f->at[OTOK_BOTTOM][i]
                                              : 0;
            out->at[OTOK_RIGHT][n] = f->at[OTOK_RIGHT][n] - from_right;
            out->at[OTOK_TOP][n] = f->at[OTOK_TOP][n] - from_top;
            out->at[OTOK_LEFT][n] = i == 0 && !wraps ? f->at[OTOK_LEFT][n] : 0;
            out->at[OTOK_BOTTOM][n] = j == 0 && !rolls ? f->at[OTOK_BOTTOM][n] : 0;
        }
}

#define FIRST "rain: {rate: 0.01}, hydraulic: {dt: 0.1}"
#define SECOND "rain: {rate: 0.01}, hydraulic: {dt: 0.1, pipes: signed, area: depth}"

#define THIRD "rain: {rate: 0.01}, hydraulic: {dt: 0.1, law: shallow_water}"

static otok_scenario *valley(const char *edges, const char *initial, const char *phases)
{
    return scene("otok: 1\nseed: 8\ngrid: {nx: %d, ny: %d}\nedges: {%s}\nbase:\n  - simplex: "
                 "{wavelength: 20, amplitude: 5}\n"
                 "%s\nphases: [%s]\n",
                 NX, NY, edges, initial, phases);
}

/* Flows through the faces whose speed is `speeds`, as pipes as deep as the water carry them: the
   depth of a face is the highest surface above the higher ground. Cells are 1 m wide. */
static void carried(otok_sim *sim, const int *edges, const flows *speeds, flows *out)
{
    static float h[CELLS], d[CELLS];
    MUST(otok_sim_get(sim, OTOK_TERRAIN, h));
    MUST(otok_sim_get(sim, OTOK_WATER, d));
    for (int n = 0; n < CELLS; n++)
        for (int side = 0; side < 4; side++) {
            const int i = n % NX, j = n / NX, up = side > 1, last = up ? j == NY - 1 : i == NX - 1,
                      back = side == OTOK_LEFT || side == OTOK_BOTTOM;
            const int wraps = edges[side] == OTOK_PERIODIC, step = up ? NX : 1;
            const int next = back || (last && !wraps) ? -1
                             : last                   ? n + step - (up ? NX * NY : NX)
                                                      : n + step;
            const float high = next >= 0 ? fmaxf(h[n], h[next]) : h[n],
                        top = next >= 0 ? fmaxf(h[n] + d[n], h[next] + d[next]) : h[n] + d[n];
            out->at[side][n] = speeds->at[side][n] * fmaxf(0, top - high);
        }
}

/* Begins a scenario with `file`, and replaces the file by its start. */
static void begin(const char *backend, const char *edges, const char *file, const char *phase,
                  flows *begun)
{
    char initial[128];
    snprintf(initial, sizeof initial, "initial: {file: %s}", file);
    otok_scenario *s = valley(edges, initial, phase);
    otok_sim *sim = scene_sim(s, backend);
    get(sim, begun);
    MUST(otok_sim_save(sim, file));
    scene_destroy(sim, s);
}

/* From signed pipes to speeds and back; `kept`: the flows in the file. */
static void check_speeds(const char *backend, const char *edges, const char *file, otok_sim *sim,
                         const flows *kept)
{
    static flows speeds, through, back, again;
    begin(backend, edges, file, "{iterations: 30, " THIRD "}", &speeds);
    carried(sim, otok_sim_scenario(sim)->edges, &speeds, &through);
    begin(backend, edges, file, "{iterations: 30, " THIRD "}", &again);
    CHECK(memcmp(&again, &speeds, sizeof again) == 0, "%s: speeds changed into speeds", edges);
    begin(backend, edges, file, "{iterations: 30, " SECOND "}", &back);
    double most = 0, fastest = 0;
    for (int side = 0; side < 4; side++)
        for (int n = 0; n < CELLS; n++) {
            const double speed = fabs((double)speeds.at[side][n]), flow = (double)back.at[side][n];
            fastest = fmax(fastest, speed);
            most = fmax(most, fabs(flow - (double)through.at[side][n]) - 1e-4 * fabs(flow));
            if (speed > 0 && speed < 9.99) /* neither dry nor cut to a cell an iteration */
                most = fmax(most, fabs(flow - (double)kept->at[side][n]) - 1e-6 * fabs(flow));
        }
    /* 10 m/s times what rounding makes of heights of 8 m here: 2^-20 m */
    CHECK(most < 1e-5 && fastest > 0.1 && fastest <= 10,
          "%s: flows, speeds and flows differ by %g; speeds up to %g", edges, most, fastest);
}

static void check(const char *backend, const char *edges)
{
    static flows before, kept, after, joined;
    char file[] = "/tmp/otok-pipes-XXXXXX.vtkhdf";
    if (mkstemps(file, 7) < 0) exit(1);
    otok_scenario *s = valley(edges, "", "{iterations: 40, " FIRST "}");
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_run(sim, 40));
    MUST(otok_sim_save(sim, file));
    get(sim, &before);
    net(&before, s->edges, &kept);

    begin(backend, edges, file, "{iterations: 30, " FIRST "}", &after);
    CHECK(memcmp(&after, &before, sizeof after) == 0,
          "%s: one-way flows changed into one-way flows", edges);
    begin(backend, edges, file, "{iterations: 30, " SECOND "}", &joined);
    CHECK(memcmp(&joined, &kept, sizeof kept) == 0, "%s: signed flows are not the net ones", edges);
    begin(backend, edges, file, "{iterations: 30, " SECOND "}", &after);
    CHECK(memcmp(&after, &joined, sizeof after) == 0, "%s: signed flows changed into signed flows",
          edges);
    begin(backend, edges, file, "{iterations: 30, " FIRST "}", &before);
    net(&before, s->edges, &after);
    CHECK(memcmp(&after, &kept, sizeof kept) == 0, "%s: one-way flows have another net flow",
          edges);
    int lower = 0, higher = 0;
    for (int n = 0; n < CELLS; n++) {
        lower += kept.at[OTOK_RIGHT][n] < 0;
        higher += kept.at[OTOK_RIGHT][n] > 0;
        for (int side = 0; side < 4; side++)
            CHECK(before.at[side][n] >= 0, "%s: one-way flow %g", edges,
                  (double)before.at[side][n]);
    }
    CHECK(lower > CELLS / 4 && higher > CELLS / 4, "%s: %d flows to the left, %d to the right",
          edges, lower, higher);
    check_speeds(backend, edges, file, sim, &kept);
    scene_destroy(sim, s);
    unlink(file);
}

#define DRY_SECOND "hydraulic: {dt: 0.1, pipes: signed, area: depth, evaporation: 0}"
#define DRY_THIRD "hydraulic: {dt: 0.1, law: shallow_water, bed_steps: smooth}" /* no dither */

/* A phase of the other law goes on as a scenario does that begins with the file of its start: the
   same bits in what faces keep after an iteration. */
static void check_turn(const char *backend, const char *edges, const char *first, const char *next)
{
    static flows turned, begun;
    char file[] = "/tmp/otok-pipes-XXXXXX.vtkhdf", phases[300], initial[128];
    if (mkstemps(file, 7) < 0) exit(1);
    snprintf(phases, sizeof phases, "{iterations: 40, %s}, {iterations: 9, %s}", first, next);
    otok_scenario *s = valley(edges, "initial: {water: 1}", phases);
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_run(sim, 40));
    MUST(otok_sim_save(sim, file));
    MUST(otok_sim_run(sim, 1));
    get(sim, &turned);
    scene_destroy(sim, s);
    snprintf(phases, sizeof phases, "{iterations: 9, %s}", next);
    snprintf(initial, sizeof initial, "initial: {file: %s}", file);
    s = valley(edges, initial, phases);
    MUST(otok_sim_create(&sim, s, backend));
    MUST(otok_sim_run(sim, 1));
    get(sim, &begun);
    CHECK(memcmp(&turned, &begun, sizeof turned) == 0 && turned.at[OTOK_RIGHT][CELLS / 2] != 0,
          "%s: %s after %s", edges, next, first);
    scene_destroy(sim, s);
    unlink(file);
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    const char *const sides[] = {"left: closed", "left: open, right: open, bottom: open, top: open",
                                 "left: periodic, right: periodic, bottom: open"};
    for (int n = 0; n < 3; n++) {
        check_turn(backend, sides[n], DRY_SECOND, DRY_THIRD);
        check_turn(backend, sides[n], DRY_THIRD, DRY_SECOND);
    }
    check(backend, "left: closed");
    check(backend, "left: open, right: open, bottom: open, top: open");
    check(backend, "left: periodic, right: periodic, bottom: open");
    check(backend, "bottom: periodic, top: periodic, left: open");
    return check_failures != 0;
}
