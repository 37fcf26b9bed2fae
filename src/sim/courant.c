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
enum { APART = OTOK_COURANT_STEPS };

/* An iteration in ticks, its finest steps. */
typedef struct otok_courant {
    otok_sim *sim;
    const otok_phase *phase;
    otok_phase water; /* the same, with OTOK_COURANT_PROCESSES alone and dt of a step */
    otok_moment moment;
    otok_step whole; /* the values of the iteration */
    otok_coefficients k;
    double tick;   /* [s] */
    double rate;   /* depth that rain and a river bring at most [m/s] */
    double beyond; /* depth beyond the sides [m] */
    int at, p;     /* ticks of the steps that were chosen; the phase */
    int given, left,
        next; /* steps: given as jobs; chosen and not given, from this one of sim->steps */
    int under_way, water_alone; /* water_alone: the phase has no other process */
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

/* The depth that the level of a side has beyond it, or that of a river in its cells, at most during
   the iteration: it can be above all water inside. The ground of an iteration's start counts, as a
   restart finds it. */
static otok_status depth_beyond(double *out, const iteration *n)
{
    otok_sim *sim = n->sim;
    const otok_grid g = sim->scenario->grid;
    const otok_series *level = n->phase->sides.level;
    double lowest[OTOK_SIDES];
    *out = 0;
    int held = otok_phase_has_levels(n->phase);
    for (int r = 0; r < n->phase->nrivers; r++)
        held |= n->phase->rivers[r].level.n > 0;
    if (!held) return OTOK_OK;
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
    if (status == OTOK_OK)
        *out = fmax(*out, otok_springs_stage(n->phase, g, &sim->holes, ground, n->moment.clock,
                                             n->moment.next));
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
    otok_springs_volumes(&water.rivers, &n->sim->springs.meetings, &n->water, &now.moment);
    out.rain = water.rain;
    out.phase = water.phase;
    out.turns = water.turns && at == 0;
    out.rivers = water.rivers;
    if (n->phase->maxima.times) {
        out.begin = (float)(n->moment.time + at * n->tick);
        out.end = (float)(n->moment.time + (at + step) * n->tick);
    }
    memcpy(out.levels, water.levels, sizeof out.levels);
    memcpy(out.enters, water.enters, sizeof out.enters);
    memcpy(out.crests, water.crests, sizeof out.crests);
    out.rivers.of[0] = 1.0f / (float)steps;
    return out;
}

/* Nothing that was booked since they were seen last can have made the fine parts of sums so large
   that carrying them changes something: in a step a cell adds less than 2^33 to one. */
static int carries(const otok_sim *sim)
{
    return sim->uncarried == 0 || sim->uncarried >= INT64_C(1) << 28;
}

static void choose(iteration *n, int step)
{
    otok_sim *sim = n->sim;
    const otok_grid g = sim->scenario->grid;
    const int left = (OTOK_FINEST_STEPS - n->at) / step;
    n->left = left < APART ? left : APART;
    n->k = sim->coefficients[n->p];
    n->water.hydraulic.dt = step * n->tick;
    otok_process_hydraulic.coefficients(&n->k, &n->water, g.spacing, n->water.hydraulic.dt);
    n->k.sides.most = n->k.shallow.most;
    n->k.pipes.share = n->k.shallow.share = (float)step / OTOK_FINEST_STEPS;
    for (int i = 0; i < n->left; i++)
        sim->steps[i] = values(n, step, n->at + i * step);
    n->at += n->left * step;
    sim->water_dt = n->water.hydraulic.dt;
    sim->water_steps += n->left;
    if (sim->uncarried) sim->uncarried += n->left * g.nx * g.ny;
}

int otok_courant_is_under_way(const otok_sim *sim)
{
    return sim->courant && sim->courant->under_way;
}

int otok_courant_asks(const otok_sim *sim, float *wave)
{
    const otok_grid g = sim->scenario->grid;
    if (!otok_courant_is_under_way(sim) || sim->courant->left > 0) return 0;
    *wave = (float)((g.nx == 1 || g.ny == 1 ? 1 : 2) * sim->courant->phase->hydraulic.gravity);
    return 1;
}

void otok_courant_answer(otok_sim *sim, float speed)
{
    float wave;
    if (!otok_courant_asks(sim, &wave)) return;
    iteration *n = sim->courant;
    choose(n, longest(n, fmax((double)speed, sqrt((double)wave * n->beyond)), (double)wave));
}

/* The last step of an iteration is that of all processes. */
void otok_courant_next(otok_job *out, otok_sim *sim, int *first, int *must_carry)
{
    iteration *n = sim->courant;
    const int ends = n->at == OTOK_FINEST_STEPS, apart = ends && !n->water_alone && n->left > 1,
              whole = ends && !apart, count = apart ? n->left - 1 : n->left;
    *first = n->given == 0;
    *out = (otok_job){.patch = &sim->patch,
                      .program = whole ? &sim->programs[n->p] : &sim->waters[n->p],
                      .k = &n->k,
                      .steps = sim->steps + n->next,
                      .nsteps = count};
    n->given += count;
    n->left -= count;
    n->next = n->left > 0 ? n->next + count : 0;
    *must_carry = whole && carries(sim);
    if (!whole) return;
    const int64_t uncarried = sim->uncarried;
    otok_sim_pass(sim, 1);
    sim->uncarried = uncarried;
    n->under_way = 0;
}

otok_status otok_courant_begin(otok_sim *sim)
{
    if (!sim->courant && !(sim->courant = malloc(sizeof *sim->courant)))
        return OTOK_FAIL(OTOK_NOMEM, "no memory for the steps of water");
    iteration *n = sim->courant;
    int length;
    n->sim = sim;
    n->moment = otok_sim_moment(sim);
    n->under_way = n->at = n->given = n->left = n->next = 0;
    OTOK_TRY(otok_sim_prepare(sim, 1, &n->p, &length));
    n->phase = &sim->scenario->phases[n->p];
    n->whole = sim->steps[0];
    n->water = *n->phase;
    n->water.processes &= OTOK_COURANT_PROCESSES;
    n->water_alone = n->water.processes == n->phase->processes;
    n->tick = n->phase->hydraulic.dt / OTOK_FINEST_STEPS;
    n->rate =
        rain_rate(sim, &n->moment) + otok_springs_rate(n->phase, sim->scenario->grid, &sim->holes);
    OTOK_TRY(depth_beyond(&n->beyond, n));
    n->under_way = 1;
    return OTOK_OK;
}

otok_status otok_sim_run_courant(otok_sim *sim)
{
    const int64_t cells = (int64_t)otok_sim_cells(sim);
    int64_t booked = 0; /* cells, since the sums were carried: a member of a study has fewer */
    OTOK_TRY(otok_courant_begin(sim));
    while (otok_courant_is_under_way(sim)) {
        otok_job job;
        float wave, speed;
        int first, must_carry;
        if (otok_courant_asks(sim, &wave)) {
            if (booked >= INT64_C(1) << 30) {
                OTOK_TRY(otok_sim_carry(sim));
                booked = 0;
            }
            OTOK_TRY(sim->backend->fastest(&sim->patch, wave, &speed));
            otok_courant_answer(sim, speed);
        }
        otok_courant_next(&job, sim, &first, &must_carry);
        OTOK_TRY(sim->backend->run(job.patch, job.program, job.k, job.steps, job.nsteps));
        booked += job.nsteps * cells;
        if (must_carry) OTOK_TRY(otok_sim_carry(sim));
    }
    return OTOK_OK;
}

int otok_sim_has_courant(const otok_sim *sim)
{
    const int p = otok_sim_moment(sim).phase;
    return p < sim->scenario->nphases && otok_phase_has_courant(&sim->scenario->phases[p]);
}
