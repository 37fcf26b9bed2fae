/* process_incision.c: rivers that cut the ground, on the clock of years. */
#include "../core/mouths.h"
#include "parameter_rows.h"
#include "process.h"

#include <string.h>

enum { SINGLE, MULTIPLE }; /* incision.area */

static const otok_parameter parameters[] = {
    REAL("incision", otok_incision, dt, "dt", "s", NAN, 0, 1e12, OPEN_LOW, "",
         "longest time step; default: that of the phase"),
    REAL("incision", otok_incision, erodibility, "K", "s-1", 1e-5 / OTOK_YEAR, 0, 1, 0,
         "dh/dt = -K A^m S",
         "how fast a river cuts by the area A that it drains, in m2, and its slope S, or a map of "
         "it; its unit is m^(1 - 2m) s-1, written as that of a rate, such as 1e-5 yr-1, for any m; "
         "the "
         "erodibility of the ground and of its top layer are factors of it; the default is 1e-5 "
         "/yr"),
    REAL("incision", otok_incision, m, "m", "1", 0.5, 0, 2, 0, "A^m", "exponent of the area"),
    REAL("incision", otok_incision, n, "n", "1", 1, 0.25, 4, 0, "S^n",
         "exponent of the slope; the step is solved in rounds if it is not 1"),
    REAL("incision", otok_incision, threshold, "c", "m s-1", 0, 0, 1000, 0,
         "dh/dt = -max(0, K A^m S^n - c)", "of K A^m S^n: below it a river does not cut"),
    REAL("incision", otok_incision, deposition, "G", "1", 0, 0, 10, 0,
         "dh/dt = -K A^m S^n + G/A Q (Yuan et al. 2019)",
         "how much of what it carries a river lays down: Q is what was cut and not laid upstream, "
         "with the cell itself, by volume and time; 0: nothing"),
    REAL("incision", otok_incision, plume, "L", "m", 500, 0, HUGE_LENGTH, OPEN_LOW, "exp(-x/L)",
         "length over which the sediment of a river settles in the sea beyond its mouth, in phases "
         "with marine_diffusion; at most 10,000 cells"),
    CHOICE("incision", otok_incision, routing, "random|steepest", OTOK_ROUTING_RANDOM, "",
           "to which of the lower neighbours a cell drains; random: by a hash of cell and seed, as "
           "likely as the way there is steep, so that rivers run in all directions; steepest: down "
           "the steepest way"),
    CHOICE(
        "incision", otok_incision, base_level, "sides|sea|none", OTOK_BASE_SIDES, "",
        "sides: rivers end at open sides, which keep their height, and in the sea; sea: in the sea "
        "alone; none: at open sides, which rise with the rest, and in the sea"),
    CHOICE(
        "incision", otok_incision, depressions, "carve|lake", OTOK_DEPRESSIONS_CARVE, "",
        "what a hollow is; carve: rivers cut its slopes, and their sediment passes; lake: a lake "
        "up to its outlet, whose bed no river cuts and which keeps the sediment"),
    STRUCTS("incision", otok_incision, "inflows", ninflows, inflows, "inflow", 0, OTOK_MOST_INFLOWS,
            LINE, "A", "[{x: ..., y: ..., area: ...}, ...] rivers that enter the map"),
    CHOICE("incision", otok_incision, area, "single|multiple", SINGLE, "",
           "how a cell passes the area A on; single: to its receiver; multiple: to all lower "
           "neighbours, in proportion to S^p (Freeman 1991), so that hillslopes spread it"),
    REAL("incision", otok_incision, partition, "p", "1", 1.1, 0.1, 20, 0, "S^p (Freeman 1991)",
         "exponent of `area: multiple`; the larger, the less A spreads"),
};

static int spreads(const otok_phase *phase)
{
    return phase->incision.area == MULTIPLE;
}

/* Units of 2^-16 cells have 64 bits in sums. */
static const double most_cells = 0x1p40;

/* Is the cell with this place, in cells, at an open side? */
static int is_at_outlet(const otok_scenario *s, double i, double j)
{
    const int open = otok_sides_of(s->edges, OTOK_OPEN);
    return (i < 1 && open >> OTOK_LEFT & 1) || (j < 1 && open >> OTOK_BOTTOM & 1) ||
           (i >= (double)(s->grid.nx - 1) && open >> OTOK_RIGHT & 1) ||
           (j >= (double)(s->grid.ny - 1) && open >> OTOK_TOP & 1);
}

static otok_status check_inflow(otok_scenario *s, otok_phase *phase, int i, const otok_node *item)
{
    const struct otok_inflow *in = &phase->incision.inflows[i];
    const double l = s->grid.spacing, ends[] = {in->x, in->y, NAN, NAN};
    char own[64], most[64];
    OTOK_TRY(otok_line_check(s, ends, 1, item));
    if (phase->incision.base_level != OTOK_BASE_SEA && is_at_outlet(s, in->x / l, in->y / l))
        return otok_node_fail(item, "rivers leave over the side on which it is, so this one would "
                                    "never run over the map; move it inwards by a cell, or close "
                                    "the side");
    if (in->area <= most_cells * l * l) return OTOK_OK;
    const otok_node *area = otok_node_find(item, "area");
    return otok_node_fail(area, "%s are more than 2^40 cells; allowed: at most %s",
                          otok_as_given(area, in->area, 15, "m2", own),
                          otok_as_given(area, most_cells * l * l, 15, "m2", most));
}

static otok_status check(const otok_phase *phase, otok_grid grid, const otok_node *map)
{
    const otok_node *plume = otok_node_find(otok_node_find(map, "incision"), "plume");
    char own[64], most[64];
    if (spreads(phase) && phase->incision.deposition > 0)
        return otok_node_fail(
            otok_blame(otok_node_find(map, "incision"), "area", "deposition", NULL),
            "G/A Q needs the area along the receivers, which carry Q; allowed: "
            "single with `deposition`; take one of both out");
    if (phase->incision.plume > 1e4 * grid.spacing)
        return otok_node_fail(otok_blame(otok_node_find(map, "incision"), "plume", NULL),
                              "a plume of %s is longer than 10,000 cells; allowed: at most %s",
                              otok_as_given(plume, phase->incision.plume, 15, "m", own),
                              otok_as_given(plume, 1e4 * grid.spacing, 15, "m", most));
    if (grid.nx * grid.ny <= OTOK_PASSES) return OTOK_OK;
    return otok_node_fail(
        otok_node_find(map, "incision"),
        "incision routes rivers on at most %d cells, and the grid has %lld; use a "
        "smaller or a coarser grid",
        OTOK_PASSES, (long long)(grid.nx * grid.ny));
}

static int meets_sea(const otok_phase *phase)
{
    return (phase->processes & OTOK_MARINE_DIFFUSION) != 0;
}

/* Is an area no number of cells: is there a map of rain, or a river from beyond, or is it spread?
 */
static int flows(const otok_phase *phase)
{
    return phase->maps & MAP_BIT(OTOK_MAP_RAIN) || phase->incision.ninflows > 0 || spreads(phase);
}

/* Does sediment of rivers settle anywhere? */
static int settles_down(const otok_phase *phase)
{
    return meets_sea(phase) || phase->incision.depressions == OTOK_DEPRESSIONS_LAKE;
}

static int unused(const otok_phase *phase, const char *key)
{
    return (strcmp(key, "plume") == 0 && !meets_sea(phase)) ||
           (strcmp(key, "partition") == 0 && !spreads(phase));
}

static double rate(const otok_incision *i, double l, double dt)
{
    return i->erodibility * dt * pow(l, 2 * i->m - i->n);
}

/* Is a step more than one linear solution? */
static int settles(const otok_incision *i)
{
    return i->n != 1 || i->threshold > 0 || i->deposition > 0;
}

static void coefficients(otok_coefficients *out, const otok_phase *phase, double l, double dt)
{
    const otok_incision *i = &phase->incision;
    out->incision.rate = (float)rate(i, l, dt);
    out->incision.m = (float)i->m;
    out->incision.n = (float)i->n;
    out->incision.diagonal = (float)pow(0.5, i->n / 2);
    out->incision.threshold = (float)(i->threshold * dt);
    out->incision.deposition = (float)i->deposition;
    out->incision.random = i->routing == OTOK_ROUTING_RANDOM;
    out->incision.rains = (phase->maps & MAP_BIT(OTOK_MAP_RAIN)) != 0;
    out->incision.flows = flows(phase);
    out->incision.spread = spreads(phase) ? (float)i->partition : 0.0f;
    out->incision.lakes = i->depressions == OTOK_DEPRESSIONS_LAKE;
    out->incision.deltas = meets_sea(phase);
    out->incision.ninflows = i->ninflows;
    for (int n = 0; n < i->ninflows; n++)
        out->incision.inflows[n] =
            (otok_inflow_coefficients){(int)(i->inflows[n].x / l), (int)(i->inflows[n].y / l),
                                       (uint64_t)round(i->inflows[n].area / (l * l) * 0x1p16)};
    out->incision.plume = (float)exp(-l * sqrt(OTOK_PLUME_ROUNDS) / i->plume);
    if (meets_sea(phase) && phase->processes & OTOK_REEF_GROWTH) /* of a step of incision */
        out->light.buried = (float)(1 / (phase->reef.burial_scale * dt));
}

static void step(otok_step *out, const otok_phase *phase, const otok_now *now)
{
    const uint64_t seed = (uint64_t)now->scenario->seed;
    const int base = phase->incision.base_level;
    const int open = otok_sides_of(now->scenario->edges, OTOK_OPEN);
    out->draw = otok_mixed((uint32_t)seed ^ otok_mixed((uint32_t)(seed >> 32)));
    out->drains = base == OTOK_BASE_SEA ? 0 : open;
    out->held = base == OTOK_BASE_SIDES ? open : 0;
}

/* A program has the steps of an iteration one after the other; sides are held once. */
static void program(otok_builder *b, const otok_phase *phase, const int *edges)
{
    int held = phase->incision.base_level != OTOK_BASE_SIDES || !(phase->processes & OTOK_UPLIFT);
    (void)edges;
    for (int n = 0; n < b->program->nops; n++)
        held |= b->program->ops[n].kind == OTOK_OP_STAGE &&
                b->program->ops[n].a == OTOK_STAGE_HOLD_SIDES;
    if (!held) otok_program_stage(b, OTOK_STAGE_HOLD_SIDES);
    otok_program_stage(b, phase->incision.depressions == OTOK_DEPRESSIONS_LAKE
                              ? OTOK_STAGE_ROUTING_LAKES
                              : OTOK_STAGE_ROUTING);
    if (flows(phase))
        otok_program_stage(b, spreads(phase) ? OTOK_STAGE_RIVER_SPREADS : OTOK_STAGE_RIVER_FLOWS);
    otok_program_stage(b, OTOK_STAGE_RIVER_RATES);
    otok_program_stage(b, settles(&phase->incision) ? OTOK_STAGE_RIVER_SETTLES
                                                    : OTOK_STAGE_RIVER_CUTS);
    otok_program_stage(b, settles(&phase->incision) ? OTOK_STAGE_RIVER_MOVES : OTOK_STAGE_INCISION);
    if (settles_down(phase)) otok_program_stage(b, OTOK_STAGE_RIVER_MOUTHS);
    otok_program_swap(b, OTOK_TERRAIN_CHANGE, OTOK_CHANGE_NEXT);
    if (!settles_down(phase)) return;
    otok_program_stage(b, OTOK_STAGE_RIVER_DELTAS);
    otok_program_swap(b, OTOK_TERRAIN_CHANGE, OTOK_CHANGE_NEXT);
}

static const double KM2 = 1e6; /* [m2] */

static void predict(otok_limits *to, const otok_phase *phase, otok_grid grid)
{
    const otok_incision *i = &phase->incision;
    const double cells = (double)grid.nx * (double)grid.ny;
    if (isnan(i->erodibility)) return; /* a map that is not made yet */
    const double c = i->erodibility * to->dt * pow(KM2, i->m) / grid.spacing;
    otok_limit_add(to, "incision", "", OTOK_PROVEN, NAN, NAN, NAN,
                   "the solve is implicit, so that no step is too long for it; the network of "
                   "rivers may depend on the step, which `--refine` tells%s",
                   settles(i) ? "; each step is solved in up to 24 rounds, and what they leave is "
                                "`not settled` in the ledger"
                              : "");
    otok_limit_add(to, "routing", "", OTOK_HEURISTIC, NAN, NAN, NAN,
                   "rivers are routed once a step, after or before the other processes: `--refine` "
                   "tells what the reverse order changes (`reversed`)");
    if (i->routing == OTOK_ROUTING_RANDOM)
        otok_limit_add(to, "seed", "", OTOK_HEURISTIC, NAN, NAN, NAN,
                       "the seed draws the network: between two seeds of seven landscapes Hack's "
                       "exponent differed by 0.015, relief by 2.1 %% and theta by 0.001 (medians); "
                       "a study over `seed` tells for this one");
    if (i->n == 1 && c > 0 && cells * grid.spacing * grid.spacing >= KM2)
        otok_limit_add(to, "rivers", "C = K dt A^m / l at 1 km2", OTOK_HEURISTIC, c, 0.25,
                       0.25 / c * to->dt,
                       "beyond it relief and Hack's exponent of seven landscapes depended on the "
                       "step, theta did not; --refine tells for this one");
}

/* Numbers without units that leave no river its work: is one meant that has another unit? */
static void warn(const otok_scenario *s, const otok_phase *phase,
                 void (*say)(void *user, const char *text), void *user)
{
    const otok_incision *i = &phase->incision;
    const double l = s->grid.spacing, dt = otok_process_step(&otok_process_incision, phase);
    double cells = (double)(s->grid.nx * s->grid.ny);
    char text[OTOK_TEXT_SIZE + 400];
    for (int n = 0; n < i->ninflows; n++) {
        cells += i->inflows[n].area / (l * l);
        if (!(i->inflows[n].area < l * l) || i->inflows[n].area == 0) continue;
        snprintf(text, sizeof text,
                 "warning: phases.%s.incision.inflows.%d: area %.9g m2 is less than one cell of "
                 "%.9g m2 and adds next to nothing to its river; a number is in m2: write `%.9g "
                 "km2` if that is meant",
                 phase->name, n, i->inflows[n].area, l * l, i->inflows[n].area);
        say(user, text);
    }
    if (rate(i, l, dt) > 1e3) {
        snprintf(text, sizeof text,
                 "warning: phases.%s.incision.erodibility: with %.9g s-1 K dt l^(2m - n) is %.3g: "
                 "rivers of a single cell cut down to the next one in a step; a number is in s-1: "
                 "write `%.9g yr-1` if that is meant",
                 phase->name, i->erodibility, rate(i, l, dt), i->erodibility);
        say(user, text);
    }
    if (i->erodibility * pow(cells * l * l, i->m) < i->threshold) {
        snprintf(text, sizeof text,
                 "warning: phases.%s.incision.threshold: %.9g m s-1 is more than K A^m with all "
                 "areas of the map, so no river cuts that is less steep than 1; a number is in m "
                 "s-1: write `%.9g mm/yr` if that is meant",
                 phase->name, i->threshold, i->threshold);
        say(user, text);
    }
}

const otok_process otok_process_incision = {OTOK_PROCESS_ROW(INCISION, incision),
                                            OTOK_PROCESS_TIME(incision, DIVIDED),
                                            .item = check_inflow,
                                            .unused = unused,
                                            .check = check,
                                            .step = step,
                                            .coefficients = coefficients,
                                            .part = OTOK_STAGE_PART_WATER,
                                            .program = program,
                                            .predict = predict,
                                            .warn = warn};
