/* fields_derived.c - claim: derived fields are what core/fields.def says, on planes, a cone, a
   channel and a river with known answers; of parts, too; what uplift moved is neither erosion nor
   deposition; walls and cells without a value are NaN; what a state lacks is named. */
#include "scene.h"

#include <math.h>

enum { NX = 12, NY = 9, CELLS = NX * NY };
#define L 4.0

static float terrain[NY][NX], water[NY][NX], u[NY][NX], v[NY][NX], change[NY][NX], reef[NY][NX],
    out[NY][NX], flow[4][NY][NX];
static unsigned char walls[NY][NX];

/* A scenario with these edges and words of the hydraulic group. */
static const char *scenario(const char *edges, const char *hydraulic)
{
    static char text[512];
    snprintf(text, sizeof text,
             "otok: 1\ngrid: {nx: %d, ny: %d, spacing: %g}\nedges: {left: %s, right: %s}\n"
             "base: [{constant: {height: 1}}]\nphases:\n  - {name: a, iterations: 9, hydraulic: "
             "{dt: 0.1, %s}}\n",
             NX, NY, L, edges, edges, hydraulic);
    return text;
}

static otok_derived_from state(const char *text)
{
    otok_derived_from from = {.scenario = text, .iteration = 5};
    from.maps[OTOK_TERRAIN] = &terrain[0][0];
    from.maps[OTOK_WATER] = &water[0][0];
    from.maps[OTOK_VELOCITY_X] = &u[0][0];
    from.maps[OTOK_VELOCITY_Y] = &v[0][0];
    from.maps[OTOK_TERRAIN_CHANGE] = &change[0][0];
    from.maps[OTOK_REEF] = &reef[0][0];
    for (int side = 0; side < 4; side++)
        from.maps[OTOK_OUTFLOW_LEFT + side] = &flow[side][0][0];
    return from;
}

static void derive(const char *name, const otok_derived_from *from)
{
    MUST(otok_derive(otok_derived_find(name), from, &out[0][0]));
}

/* All cells with a value are within `most` of it. */
static void check_all(const char *what, double wanted, double most)
{
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++)
            CHECK(fabs((double)out[j][i] - wanted) <= most, "%s: %.9g at %d, %d, not %.9g", what,
                  (double)out[j][i], i, j, wanted);
}

/* Planes that fall to all sides: slope and aspect in every cell, at the edges too. */
static void check_planes(void)
{
    const otok_derived_from from = state(scenario("closed", "law: published"));
    for (int turn = 0; turn < 24; turn++) {
        const double a = turn * M_PI / 12, fall = 0.3;
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++)
                terrain[j][i] = (float)(-fall * L * (i * sin(a) + j * cos(a)));
        derive("slope", &from);
        check_all("slope of a plane", fall, 2e-6);
        derive("aspect", &from);
        for (int k = 0; k < CELLS; k++) { /* 0 and 360 are one direction */
            const double off = remainder((double)(&out[0][0])[k] - 15 * turn, 360);
            CHECK(fabs(off) < 1e-3 && (&out[0][0])[k] >= 0 && (&out[0][0])[k] < 360,
                  "aspect %g of a plane to %d degrees", (double)(&out[0][0])[k], 15 * turn);
        }
        derive("curvature", &from);
        for (int j = 1; j < NY - 1; j++)
            for (int i = 1; i < NX - 1; i++)
                CHECK(fabs((double)out[j][i]) < 1e-5, "curvature of a plane: %g",
                      (double)out[j][i]);
        CHECK(isnan(out[0][3]) && isnan(out[4][0]), "curvature at an edge");
    }
    memset(terrain, 0, sizeof terrain);
    derive("slope", &from);
    check_all("slope of level ground", 0, 0);
    derive("aspect", &from);
    CHECK(isnan(out[3][3]), "level ground faces %g", (double)out[3][3]);
}

/* z = -S r: slope S, and the curvature of a cone, -S/r, to the order of (l/r)^2; aspect away from
   its top. A wall beside a cell is none of its neighbours. */
static void check_cone(void)
{
    otok_derived_from from = state(scenario("closed", "law: published"));
    const double x0 = -9.3, y0 = 4.2;
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++)
            terrain[j][i] = (float)(-0.5 * L * hypot(i - x0, j - y0));
    derive("curvature", &from);
    for (int j = 1; j < NY - 1; j++)
        for (int i = 1; i < NX - 1; i++) {
            const double r = L * hypot(i - x0, j - y0), wanted = -0.5 / r;
            CHECK(fabs((double)out[j][i] - wanted) < 0.02 * -wanted, "curvature %g, not %g",
                  (double)out[j][i], wanted);
        }
    walls[4][5] = 1;
    from.walls = &walls[0][0];
    terrain[4][5] = 1e6f;
    derive("slope", &from);
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++)
            CHECK(walls[j][i] ? isnan(out[j][i]) : fabs((double)out[j][i] - 0.5) < 0.01,
                  "slope %g at %d, %d of a cone with a wall", (double)out[j][i], i, j);
    walls[4][5] = 0;
}

/* Uniform flow in a channel, by hand, and a dry bank. */
static void check_channel(void)
{
    const double d = 0.8, n = 0.03, ux = 1.2, uy = -0.9, speed = 1.5;
    const char *text = scenario("closed", "law: local_inertia, manning: 0.03, gravity: 9.81");
    const otok_derived_from from = state(text);
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            terrain[j][i] = 3;
            water[j][i] = i < 6 ? (float)d : 0;
            u[j][i] = i < 6 ? (float)ux : 0;
            v[j][i] = i < 6 ? (float)uy : 0;
            change[j][i] = (float)(i - 6);
            reef[j][i] = 0.5f;
        }
    const struct {
        const char *name;
        double wet, dry;
    } known[] = {{"water_surface", 3 + d, 3},
                 {"speed", speed, 0},
                 {"unit_discharge", speed * d, 0},
                 {"froude", speed / sqrt(9.81 * d), 0},
                 {"shear_stress", 1000 * 9.81 * n * n * speed * speed / cbrt(d), 0}};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        derive(known[k].name, &from);
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++) {
                const double wanted = i < 6 ? known[k].wet : known[k].dry;
                CHECK(fabs((double)out[j][i] - wanted) <= 1e-6 * fabs(wanted), "%s: %.9g, not %.9g",
                      known[k].name, (double)out[j][i], wanted);
            }
    }
    derive("erosion_depth", &from);
    CHECK(out[2][0] == 6.5f && out[2][6] == 0.5f && out[2][8] == 0, "erosion %g",
          (double)out[2][0]);
    derive("deposit_depth", &from);
    CHECK(out[2][0] == 0 && out[2][6] == 0 && out[2][8] == 1.5f, "deposit %g", (double)out[2][8]);
}

/* Every row flows to the right; its first cell has the area l^2, the next one twice as much. In
   row 4 half of the flow of cell 5 goes up, into row 5. */
static void fill_rows(int sign)
{
    memset(flow, 0, sizeof flow);
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            terrain[j][i] = (float)(NX - i);
            water[j][i] = 0.5f;
            flow[OTOK_OUTFLOW_RIGHT - OTOK_OUTFLOW_LEFT][j][i] = i < NX - 1 ? 2 : 0;
        }
    flow[OTOK_OUTFLOW_TOP - OTOK_OUTFLOW_LEFT][4][5] = 2;
    if (sign) return;
    for (int j = 0; j < NY; j++) /* of two pipes the difference flows */
        for (int i = 0; i < NX - 1; i++) {
            flow[OTOK_OUTFLOW_RIGHT - OTOK_OUTFLOW_LEFT][j][i] = 5;
            flow[0][j][i + 1] = 3;
        }
}

static void check_drainage(void)
{
    const char *laws[] = {"law: published", "law: local_inertia", "law: shallow_water"};
    double sum = 0;
    for (int law = 0; law < 3; law++) {
        const otok_derived_from from = state(scenario("closed", laws[law]));
        fill_rows(law);
        derive("drainage_area", &from);
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++) {
                const int moved = j == 4 && i > 5 ? -3 : j == 5 && i >= 5 ? 3 : 0;
                const double wanted = (i + 1 + moved) * L * L;
                CHECK(fabs((double)out[j][i] - wanted) < 1e-4, "%s: area %g at %d, %d, not %g",
                      laws[law], (double)out[j][i], i, j, wanted);
            }
        sum = 0;
        for (int j = 0; j < NY; j++)
            sum += (double)out[j][NX - 1];
        CHECK(fabs(sum - CELLS * L * L) < 1e-3, "the last column drains %g of %g", sum,
              CELLS * L * L);
    }
    /* Round and round: no cell is first, the highest one begins, and no area counts twice. */
    const otok_derived_from from = state(scenario("periodic", "law: local_inertia"));
    fill_rows(1);
    flow[OTOK_OUTFLOW_TOP - OTOK_OUTFLOW_LEFT][4][5] = 0;
    for (int j = 0; j < NY; j++)
        flow[OTOK_OUTFLOW_RIGHT - OTOK_OUTFLOW_LEFT][j][NX - 1] = 2;
    derive("drainage_area", &from);
    for (int i = 0; i < NX; i++)
        CHECK(fabs((double)out[3][i] - (i + 1) * L * L) < 1e-4, "a circle: %g at %d",
              (double)out[3][i], i);
}

/* What uplift moved is neither erosion nor deposition: a state of creep has the depths of the same
   creep without it, whatever the phases say of it. */
static const char creep[] = "name: a, iterations: 40, creep: {diffusivity: 0.02 m2/yr, dt: 1 kyr}";

static otok_status depths_of(otok_sim *sim, const char *text, int64_t iteration, const char *name)
{
    otok_derived_from from = {.scenario = text, .iteration = iteration};
    MUST(otok_sim_get(sim, OTOK_TERRAIN_CHANGE, &change[0][0]));
    from.maps[OTOK_TERRAIN_CHANGE] = &change[0][0];
    if (otok_sim_get(sim, OTOK_CHANGE_BY_UPLIFT, &u[0][0]) == OTOK_OK)
        from.maps[OTOK_CHANGE_BY_UPLIFT] = &u[0][0];
    return otok_derive(otok_derived_find(name), &from, &out[0][0]);
}

static otok_sim *creeping(otok_scenario **s, const char *phases)
{
    *s = scene("otok: 1\ngrid: {nx: %d, ny: %d, spacing: 50}\nbase: [{cone: {height: 50, radius: "
               "500}}]\n%s",
               NX, NY, phases);
    return scene_sim(*s, "cpu");
}

static void check_uplift(const char *phases, int is_known)
{
    static const char *const names[] = {"erosion_depth", "deposit_depth"};
    static float alone[NY][NX];
    char still[256];
    otok_scenario *one, *other;
    snprintf(still, sizeof still, "phases: [{%s}]\n", creep);
    otok_sim *plain = creeping(&one, still), *lifted = creeping(&other, phases);
    MUST(otok_sim_run(plain, 40));
    MUST(otok_sim_run(lifted, otok_scenario_iterations(other)));
    for (int k = 0; k < 2; k++) {
        MUST(depths_of(plain, otok_scenario_text(one), 40, names[k]));
        memcpy(alone, out, sizeof out);
        const otok_status status =
            depths_of(lifted, otok_scenario_text(other), otok_scenario_iterations(other), names[k]);
        if (!is_known) {
            CHECK(status == OTOK_DATA && strstr(otok_why(), "`parts: true`"), "%s: %d %s", phases,
                  status, otok_why());
            continue;
        }
        double most = 0, apart = 0;
        CHECK(status == OTOK_OK, "%s: %s", phases, otok_why());
        for (int n = 0; n < CELLS; n++) {
            const double is = (double)(&out[0][0])[n], was = (double)(&alone[0][0])[n];
            most = fmax(most, was);
            apart = fmax(apart, fabs(is - was));
        }
        CHECK(most > 0.05 && apart < 1e-3, "%s of %s: %g m off at most %g", names[k], phases, apart,
              most);
    }
    scene_destroy(plain, one);
    scene_destroy(lifted, other);
}

static void check_lifted(void)
{
    char text[1024];
    static const char *const known[] = {
        "rate: -1 mm/yr", "rate: 3 mm/yr, history: [[0, 1], [30 kyr, -1], [40 kyr, 0]]"};
    for (int k = 0; k < 2; k++) {
        snprintf(text, sizeof text, "phases: [{%s, uplift: {%s}}]\n", creep, known[k]);
        check_uplift(text, 1);
    }
    snprintf(text, sizeof text,
             "phases: [{%s, uplift: {%s}}]\nchanges: [{at: 11, path: "
             "phases.a.uplift.rate, value: -3 mm/yr}, {at: 23, path: phases.a.creep.diffusivity, "
             "value: 0.02 m2/yr}]\n",
             creep, known[0]);
    check_uplift(text, 1);
    check_uplift(
        "phases:\n  - {name: up, iterations: 3, uplift: {rate: 1 mm/yr, dt: 1 kyr}, parts: "
        "true}\n  - {name: a, iterations: 5, creep: {diffusivity: 0.02 m2/yr, dt: 1 kyr}, uplift: "
        "{rate: -2 mm/yr}, cycle: {times: 8, from: up}}\n",
        1);
    snprintf(text, sizeof text,
             "phases: [{%s, uplift: {rate: {constant: {height: -3e-11}}}, parts: "
             "true}]\n",
             creep);
    check_uplift(text, 1);
    snprintf(text, sizeof text, "phases: [{%s, uplift: {rate: {constant: {height: -3e-11}}}}]\n",
             creep);
    check_uplift(text, 0);
}

/* Maps of a part, and of larger cells: of their own size, and with no neighbour round the other
   side. What drains into a part is refused. */
static void check_parts(void)
{
    enum { PX = 5, PY = 3 };
    float part[PY][PX], got[PY + 1][PX];
    otok_derived_from from = state(scenario("periodic", "law: local_inertia"));
    for (int j = 0; j < PY; j++)
        for (int i = 0; i < PX; i++)
            part[j][i] = (float)(-0.25 * 2 * L * (i + j));
    from.maps[OTOK_TERRAIN] = &part[0][0];
    from.grid = (otok_grid){PX, PY, 2 * L};
    for (int i = 0; i < PX; i++)
        got[PY][i] = -7; /* beyond the map */
    MUST(otok_derive(otok_derived_find("slope"), &from, &got[0][0]));
    for (int j = 0; j <= PY; j++)
        for (int i = 0; i < PX; i++)
            CHECK(fabs((double)got[j][i] - (j < PY ? 0.25 * sqrt(2) : -7)) < 1e-6,
                  "slope %g of a part at %d, %d", (double)got[j][i], i, j);
    CHECK(otok_derive(otok_derived_find("drainage_area"), &from, NULL) == OTOK_DATA &&
              strstr(otok_why(), "into a part is unknown"),
          "%s", otok_why());
    from.grid.spacing = -L;
    CHECK(otok_derive(otok_derived_find("slope"), &from, NULL) == OTOK_USAGE, "cells of -4 m");
}

static void check_refusals(void)
{
    otok_derived_from from = state(scenario("closed", "law: local_inertia, manning: 0"));
    CHECK(otok_derive(otok_derived_find("shear_stress"), &from, &out[0][0]) == OTOK_DATA &&
              strstr(otok_why(), "`hydraulic.manning` is 0"),
          "%s", otok_why());
    from.maps[OTOK_WATER] = NULL;
    CHECK(otok_derive(otok_derived_find("froude"), &from, &out[0][0]) == OTOK_DATA &&
              strstr(otok_why(), "froude needs water"),
          "%s", otok_why());
    from.scenario = "otok: 1\ngrid: {nx: 12, ny: 9}\nphases: [{iterations: 2, creep: {}}]\n";
    CHECK(otok_derive(otok_derived_find("drainage_area"), &from, &out[0][0]) == OTOK_DATA, "%s",
          otok_why());
    from.scenario = NULL;
    CHECK(otok_derive(0, &from, &out[0][0]) == OTOK_DATA, "a slope without a scenario");
    CHECK(otok_derive(-1, &from, &out[0][0]) == OTOK_USAGE, "field -1");
    CHECK(otok_derived_find("lava") == -1 && otok_derived_at(-1) == NULL, "lava");
    for (int i = 0; otok_derived_at(i); i++)
        CHECK(otok_field_find(otok_derived_at(i)->name) < 0 &&
                  strchr(otok_derived_at(i)->long_name, ':'),
              "%s has the name of a field, or no definition", otok_derived_at(i)->name);
}

int main(void)
{
    check_planes();
    check_cone();
    check_channel();
    check_drainage();
    check_lifted();
    check_parts();
    check_refusals();
    return check_failures > 0;
}
