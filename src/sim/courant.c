/* courant.c: phases with hydraulic.courant. An iteration has 1, 2, 4, ... equal steps of water, or
   some of each: as many as signals need that may cross this share of a cell in a step. They follow
   from the state alone, at moments that follow from the steps before. So they are the same on every
   backend, in bands and after a restart, which begins with a whole iteration. The other processes
   of the phase run once, with the last step of water. */
#include "courant.h"

#include "../core/status.h"
#include "../scenario/process.h"
#include "site.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The state is asked after so many steps. */
enum { APART = 4 };

/* An iteration in ticks, its finest steps. */
typedef struct iteration {
    otok_sim *sim;
    const otok_phase *phase;
    otok_phase water; /* the same, with its rain and hydraulic processes alone and dt of a step */
    otok_moment moment;
    otok_step whole; /* the values of the iteration */
    double tick;     /* [s] */
    double rate;     /* depth that rain and a river bring at most [m/s] */
    double beyond;   /* depth beyond the sides [m] */
    int at, p;       /* finished ticks; the phase */
} iteration;

/* The largest depth that rain brings to a cell in a second, in the iteration of a moment. */
static double rain_rate(const otok_sim *sim, const otok_moment *at)
{
    const otok_phase *phase = &sim->scenario->phases[at->phase];
    const otok_rain *rain = &phase->rain;
    const otok_made *map =
        otok_springs_map(&sim->springs, sim->scenario->phases, at->phase, OTOK_MAP_RAIN);
    double high = map ? 0 : 1;
    if (!(phase->processes & OTOK_RAIN)) return 0;
    const otok_shares shares = map ? otok_springs_shares(map, at) : (otok_shares){1, 0, 0, 0};
    for (int64_t n = shares.first; n <= shares.last; n++)
        high = fmax(high, map->of[n].high);
    return rain->rate * (rain->history.n ? otok_series_largest(&rain->history) : 1) * high;
}

/* The depth that the level of a side has beyond it at most during the iteration: it can be above
   all water inside. The ground of an iteration's start counts, as a restart finds it. */
static otok_status depth_beyond(double *out, const iteration *n)
{
    otok_sim *sim = n->sim;
    const otok_grid g = sim->scenario->grid;
    const otok_series *level = n->phase->sides.level;
    double lowest[OTOK_SIDES];
    *out = 0;
    if (!otok_phase_has_levels(n->phase)) return OTOK_OK;
    float *ground = malloc(2 * otok_sim_cells(sim) * sizeof *ground);
    if (!ground) return OTOK_FAIL(OTOK_NOMEM, "no memory for the ground at the sides");
    float *walls = sim->holes.n ? ground + otok_sim_cells(sim) : NULL;
    const otok_status status = otok_sim_get(sim, OTOK_TERRAIN, ground);
    if (status == OTOK_OK && walls) otok_sim_walls(sim, walls);
    if (status == OTOK_OK) otok_site_sides(lowest, ground, walls, g.nx, g.ny);
    for (int side = 0; side < OTOK_SIDES && status == OTOK_OK; side++)
        if (level[side].n)
            *out = fmax(*out, otok_series_highest(&level[side], n->moment.clock, n->moment.next) -
                                  lowest[side]);
    free(ground);
    return status;
}

/* The longest step that begins here [ticks], for signals of this speed and those in the water that
   comes until the state is asked again. */
static int longest(const iteration *n, double speed, double wave)
{
    const double l = n->sim->scenario->grid.spacing;
    int step = OTOK_FINEST_STEPS;
    for (; step > 1; step /= 2) {
        const double dt = step * n->tick, deep = n->rate * APART * dt;
        if (n->at % step == 0 &&
            (speed + sqrt(wave * deep)) * dt <= n->phase->hydraulic.courant * l)
            break;
    }
    return step;
}

/* The values of a step of water: those of the iteration but for what water needs. */
static otok_step values(iteration *n, int step, int at)
{
    otok_step water, out = n->whole;
    otok_now now = {.scenario = n->sim->scenario, .moment = n->moment};
    const int64_t steps = OTOK_FINEST_STEPS / step;
    now.iteration = n->sim->iteration * steps + at / step; /* of a run with steps of this length */
    now.moment.clock = n->moment.clock + at * n->tick;
    now.moment.next = n->moment.clock + (at + step) * n->tick;
    otok_phase_set_step(&water, &n->water, &now);
    out.rain = water.rain;
    out.phase = water.phase;
    out.turns = water.turns && at == 0;
    out.rivers = water.rivers;
    memcpy(out.levels, water.levels, sizeof out.levels);
    out.rivers.of[0] = 1.0f / (float)steps;
    return out;
}

/* Runs steps of water, and with the last one of the iteration the other processes. */
static otok_status run_steps(iteration *n, int step, int count)
{
    otok_sim *sim = n->sim;
    otok_coefficients k = sim->coefficients[n->p];
    n->water.hydraulic.dt = step * n->tick;
    otok_process_hydraulic.coefficients(&k, &n->water, sim->scenario->grid.spacing,
                                        n->water.hydraulic.dt);
    k.sides.most = k.shallow.most;
    k.pipes.share = k.shallow.share = (float)step / OTOK_FINEST_STEPS;
    for (int i = 0; i < count; i++)
        sim->steps[i] = values(n, step, n->at + i * step);
    n->at += count * step;
    sim->water_dt = n->water.hydraulic.dt;
    sim->water_steps += count;
    const int whole = n->at == OTOK_FINEST_STEPS;
    if (count > whole)
        OTOK_TRY(sim->backend->run(&sim->patch, &sim->waters[n->p], &k, sim->steps, count - whole));
    return whole
               ? sim->backend->run(&sim->patch, &sim->programs[n->p], &k, sim->steps + count - 1, 1)
               : OTOK_OK;
}

static otok_status run_all(iteration *n)
{
    otok_sim *sim = n->sim;
    const otok_grid g = sim->scenario->grid;
    const float wave = (float)((g.nx == 1 || g.ny == 1 ? 1 : 2) * n->phase->hydraulic.gravity);
    int64_t booked = 0; /* cells, since the sums were carried */
    while (n->at < OTOK_FINEST_STEPS) {
        float speed;
        OTOK_TRY(sim->backend->fastest(&sim->patch, wave, &speed));
        const double fastest = fmax((double)speed, sqrt((double)wave * n->beyond));
        const int step = longest(n, fastest, (double)wave),
                  left = (OTOK_FINEST_STEPS - n->at) / step, count = left < APART ? left : APART;
        OTOK_TRY(run_steps(n, step, count));
        booked += count * g.nx * g.ny;
        if (booked < INT64_C(1) << 30 && n->at < OTOK_FINEST_STEPS) continue;
        OTOK_TRY(otok_sim_carry(sim));
        booked = 0;
    }
    return OTOK_OK;
}

otok_status otok_sim_run_courant(otok_sim *sim)
{
    iteration n = {.sim = sim, .moment = otok_sim_moment(sim)};
    int length;
    OTOK_TRY(otok_sim_prepare(sim, 1, &n.p, &length));
    n.phase = &sim->scenario->phases[n.p];
    n.whole = sim->steps[0];
    n.water = *n.phase;
    n.water.processes &= OTOK_HYDRAULIC | OTOK_RAIN | OTOK_BEYOND_SIDES;
    n.tick = n.phase->hydraulic.dt / OTOK_FINEST_STEPS;
    n.rate =
        rain_rate(sim, &n.moment) + otok_springs_rate(n.phase, sim->scenario->grid, &sim->holes);
    OTOK_TRY(depth_beyond(&n.beyond, &n));
    OTOK_TRY(run_all(&n));
    otok_sim_pass(sim, 1);
    return OTOK_OK;
}

int otok_sim_has_courant(const otok_sim *sim)
{
    const int p = otok_sim_moment(sim).phase;
    return p < sim->scenario->nphases && otok_phase_has_courant(&sim->scenario->phases[p]);
}
