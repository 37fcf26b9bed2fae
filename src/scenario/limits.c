/* limits.c: the flow and the standing water that limits are estimated from, and how a row becomes a
   limit. */
#include "limits.h"
#include "../core/usual_units.h"
#include "program.h"

#include <math.h>
#include <string.h>

double otok_relaxed_share(double kappa, double dt, int rates)
{
    return rates == OTOK_PER_SECOND ? -expm1(-kappa * dt) : kappa;
}

/* Waves are stable up to this value of dt^2 A g / l^3. One-way pipes lose their inertia every
   second step. */
double otok_wave_bound(const otok_hydraulic *h, otok_grid g)
{
    return (h->pipes == OTOK_ONE_WAY ? 0.25 : 0.5) * (g.nx == 1 || g.ny == 1 ? 2 : 1) * h->theta;
}

double otok_depth_limit(const otok_hydraulic *h, otok_grid g)
{
    return h->area == OTOK_AREA_DEPTH
               ? otok_wave_bound(h, g) * g.spacing * g.spacing / (h->dt * h->dt * h->gravity)
               : 0;
}

/* ---- rain and rivers ---- */

/* The seconds between two iterations of a phase, each counted with the factor of its rain. */
static double rain_between(const otok_phase *p, int64_t from, int64_t to)
{
    return otok_series_between(&p->rain.history, (double)from * p->hydraulic.dt,
                               (double)to * p->hydraulic.dt);
}

static double largest_factor(const otok_phase *p)
{
    return p->rain.history.n ? otok_series_largest(&p->rain.history) : 1;
}

/* The seconds that rain of the largest rate needs for what falls in the phase. */
static double rain_time(const otok_phase *p)
{
    double raining = p->rain.nspans ? 0 : rain_between(p, 0, p->iterations);
    for (int i = 0; i < p->rain.nspans; i++)
        raining += rain_between(p, p->rain.during[i].from, p->rain.during[i].to);
    return raining > 0 ? raining / largest_factor(p) : 0;
}

/* The largest rate [m/s]. */
static double rain_of(const otok_phase *p)
{
    if (!(p->processes & OTOK_RAIN)) return 0;
    return p->maps & MAP_BIT(OTOK_MAP_RAIN) ? NAN : p->rain.rate * largest_factor(p);
}

/* Half the longer side: the mean path of water on a plane that drains along it. */
static double path_of(otok_grid g)
{
    return 0.5 * g.spacing * (double)(g.nx > g.ny ? g.nx : g.ny);
}

/* ---- flow ---- */

static double manning_depth(double q, double n, double slope)
{
    return pow(n * q / sqrt(slope), 0.6);
}

/* A source of flow replaces one that brings less. */
static void prefer(otok_flow *flow, const otok_flow *other)
{
    if (other->discharge > 0 && !(flow->discharge >= other->discharge)) *flow = *other;
}

/* With Manning's friction in pipes as deep as the water, the depth of uniform flow; evaporation
   keeps rain from becoming deeper than rate / evaporation. Without friction a cell an iteration. */
static void finish_flow(otok_flow *flow, const otok_hydraulic *h, double most)
{
    flow->speed = h->manning == 0 ? INFINITY : NAN;
    flow->depth = NAN;
    if (h->manning == 0 || h->area != OTOK_AREA_DEPTH) return;
    flow->depth = fmin(manning_depth(flow->discharge, h->manning, flow->slope), most);
    flow->speed = sqrt(flow->slope) * pow(flow->depth, 2.0 / 3.0) / h->manning;
    flow->discharge = flow->speed * flow->depth;
}

static otok_flow flow_of_rain(const otok_limits *to, const otok_phase *p, double path)
{
    char rain[64];
    const otok_parameter rate = {.group = "rain", .key = "rate", .unit = "m s-1"};
    const char *given =
        otok_scenario_given(to->scenario, &to->scenario->phases[to->phase].rain.rate);
    otok_flow flow = {.discharge = rain_of(p) * path, .slope = to->site->slope, .length = path};
    finish_flow(&flow, &p->hydraulic, rain_of(p) / p->hydraulic.evaporation);
    snprintf(flow.read, sizeof flow.read, "rain of %s over a path of %.4g m, ",
             otok_usual_text(&rate, given, rain_of(p), 4, rain), path);
    return flow;
}

/* A river at a point is as wide as its cell. */
static otok_flow flow_of_rivers(const otok_phase *p, const otok_site *site, double path,
                                otok_grid g)
{
    otok_flow flow = {.slope = site->slope, .length = path};
    for (int r = 0; r < p->nrivers; r++) {
        const otok_river *river = &p->rivers[r];
        const double line =
            otok_river_is_line(river) ? hypot(river->to_x - river->x, river->to_y - river->y) : 0;
        const double width = fmax(line + 2 * river->radius, g.spacing),
                     most = otok_river_largest(river), q = most / width;
        if (!(q > flow.discharge)) continue;
        flow.discharge = q;
        snprintf(flow.read, sizeof flow.read, "a river of %.3g m3/s over %.3g m, ", most, width);
    }
    for (int side = 0; side < OTOK_SIDES && p->processes & OTOK_BEYOND_SIDES; side++) {
        const otok_series *enters = &p->sides.discharge[side];
        const double width = otok_side_width(p, side, g),
                     most = enters->n ? otok_series_largest(enters) : 0;
        if (!(most / width > flow.discharge)) continue;
        flow.discharge = most / width;
        snprintf(flow.read, sizeof flow.read, "%.3g m3/s over %.3g m of a side, ", most, width);
    }
    finish_flow(&flow, &p->hydraulic, INFINITY);
    return flow;
}

/* Water that is there at the start and whose surface slopes. */
static otok_flow flow_of_water(const otok_phase *p, const otok_site *site, double path)
{
    const otok_hydraulic *h = &p->hydraulic;
    otok_flow flow = {.slope = site->surface, .length = path, .known = 1};
    flow.depth = site->water_mean;
    flow.speed =
        h->manning == 0 ? INFINITY : sqrt(flow.slope) * pow(flow.depth, 2.0 / 3.0) / h->manning;
    if (h->manning > 0 && h->area != OTOK_AREA_DEPTH) flow.speed = NAN;
    flow.discharge = flow.speed * flow.depth;
    snprintf(flow.read, sizeof flow.read, "the water at the start, %.3g m deep, ", flow.depth);
    return flow;
}

double otok_flow_speed(const otok_scene *scene, double dt)
{
    return isinf(scene->flow.speed) ? scene->grid.spacing / dt : scene->flow.speed;
}

/* ---- standing water ---- */

/* The depth of the lowest cells if this much water, a mean over the grid, lies on the ground. */
static double basin_depth(const double *heights, double water)
{
    double volume = 0;
    for (int n = 1; n < OTOK_SITE_HEIGHTS; n++) {
        const double more = (heights[n] - heights[n - 1]) * n / OTOK_SITE_HEIGHTS;
        if (volume + more >= water)
            return heights[n - 1] - heights[0] + (water - volume) * OTOK_SITE_HEIGHTS / n;
        volume += more;
    }
    return heights[OTOK_SITE_HEIGHTS - 1] - heights[0] + water - volume;
}

/* The depth of the deepest pond that rain and rivers of the phase fill. A hollow that is not full
   is counted as a cone. */
static double pond_depth(const otok_phase *p, const otok_site *site, otok_grid g)
{
    const double cells = site->cells ? (double)site->cells : (double)g.nx * (double)g.ny;
    const double area = g.spacing * g.spacing * cells;
    const double dries = p->hydraulic.evaporation;
    const double length = (double)p->iterations * p->hydraulic.dt,
                 time = (p->processes & OTOK_RAIN ? rain_time(p) : length) *
                        (double)otok_phase_runs(p);
    double rate = p->maps & MAP_BIT(OTOK_MAP_RAIN) ? 0 : rain_of(p);
    for (int r = 0; r < p->nrivers; r++) {
        const otok_river *river = &p->rivers[r];
        rate +=
            (river->hydrograph ? otok_river_volume(river, 0, length) / length : river->discharge) /
            area;
    }
    if (p->hydraulic.sea == OTOK_SEA_BASE_LEVEL) return 0; /* their way out */
    const double water = dries > 0 ? -expm1(-dries * time) * rate / dries : rate * time;
    if (!(water > 0) || !(site->hollow > 0)) return 0;
    if (isinf(site->hollow)) return basin_depth(site->heights, water);
    return site->hollow * fmin(1, cbrt(water / site->hollow_rain));
}

double otok_stage_depth(const otok_phase *phase, const otok_site *site)
{
    double depth = 0;
    for (int r = 0; r < phase->nrivers; r++)
        if (phase->rivers[r].level.n) depth = site->held;
    for (int side = 0; side < OTOK_SIDES && site->cells && phase->processes & OTOK_BEYOND_SIDES;
         side++)
        for (int i = 0; i < phase->sides.level[side].n; i++)
            depth = fmax(depth, phase->sides.level[side].at[i].value - site->lowest[side]);
    return isfinite(depth) ? depth : 0;
}

/* ---- rows ---- */

otok_scene otok_scene_of(const otok_limits *to, const otok_phase *phase, otok_grid grid)
{
    otok_scene s = {
        .scenario = to->scenario,
        .phase = phase,
        .site = to->site,
        .sea = to->sea,
        .digit = to->digit,
        .grid = grid,
        .at = to->phase,
        .flow = {.discharge = NAN, .depth = NAN, .slope = NAN, .length = NAN, .speed = NAN}};
    if (!(phase->processes & OTOK_HYDRAULIC) || to->site->cells == 0) return s;
    const double path = path_of(grid);
    const otok_flow rain = flow_of_rain(to, phase, path),
                    rivers = flow_of_rivers(phase, to->site, path, grid);
    if (to->site->slope > 0) {
        prefer(&s.flow, &rain);
        prefer(&s.flow, &rivers);
    }
    if (to->phase == 0 && to->site->surface > 0) {
        const otok_flow water = flow_of_water(phase, to->site, path);
        prefer(&s.flow, &water);
    }
    if (s.flow.read[0]) {
        const size_t n = strlen(s.flow.read);
        snprintf(s.flow.read + n, sizeof s.flow.read - n, "slope %.3g (mean of the %s)",
                 s.flow.slope, s.flow.known ? "surface" : "base");
    }
    const double pond = pond_depth(phase, to->site, grid);
    s.stage = otok_stage_depth(phase, to->site);
    s.standing = to->phase == 0 ? to->site->water : 0;
    s.is_pond = pond > s.standing;
    if (s.is_pond) s.standing = pond;
    return s;
}

/* The largest time step of a row, between a thousandth and a thousand times the present one. */
static double largest_dt(const otok_limit_row *row, const otok_scene *scene, double dt)
{
    double value, bound, low = 1e-3 * dt, high = 1e3 * dt;
    char read[128];
    row->numbers(&value, &bound, read, scene, low);
    if (!(value <= bound)) return NAN;
    row->numbers(&value, &bound, read, scene, high);
    if (value <= bound) return NAN;
    for (int n = 0; n < 60; n++) {
        const double middle = sqrt(low * high);
        row->numbers(&value, &bound, read, scene, middle);
        if (value <= bound)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void otok_limit_rows_add(otok_limits *to, const otok_limit_row *rows, int n,
                         const otok_scene *scene, double dt)
{
    for (int i = 0; i < n; i++) {
        double value, bound;
        char read[128] = "";
        const int how = rows[i].numbers(&value, &bound, read, scene, dt);
        if (how == OTOK_LIMIT_NONE || !(value - value == 0)) continue;
        otok_limit_add(to, rows[i].name, rows[i].symbol,
                       how == OTOK_LIMIT_GUESSED ? OTOK_HEURISTIC : rows[i].certainty, value, bound,
                       rows[i].is_of_dt == 1 ? largest_dt(&rows[i], scene, dt) : NAN, "%s",
                       rows[i].text);
        otok_limit_reads(to, "%s%s", read,
                         scene->at > 0 ? "; earlier phases change the ground" : "");
        to->at[to->n - 1].is_slow = rows[i].is_of_dt == OTOK_SLOW_LATER ||
                                    (rows[i].is_of_dt == OTOK_SLOW && scene->at == 0);
    }
}
