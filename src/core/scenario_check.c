/* scenario_check.c: values that are each in range and cannot be meant together. What is merely unstable is stability's to say. */
#include "scenario_read.h"

#include <math.h>
#include <stdarg.h>

/* The node to name: of the given keys of a map the one from the command line, else the first present, else the map itself. */
static const otok_node *blame(const otok_node *map, ...)
{
    const otok_node *first = NULL;
    va_list keys;
    va_start(keys, map);
    for (const char *key = va_arg(keys, const char *); key; key = va_arg(keys, const char *)) {
        const otok_node *node = otok_node_find(map, key);
        if (node && (!first || (first->line && !node->line))) first = node;
    }
    va_end(keys);
    return first ? first : map;
}

static otok_status check_grid(const otok_scenario *s, const otok_node *root)
{
    const otok_node *grid = otok_node_find(root, "grid");
    const int64_t cells = s->grid.nx * s->grid.ny;
    if (cells < INT64_C(1) << 31) return OTOK_OK;
    return otok_node_fail(blame(grid, "nx", "ny", NULL), "%lld x %lld cells are too many; allowed: nx ny below 2147483648",
                          (long long)s->grid.nx, (long long)s->grid.ny);
}

static otok_status check_edges(const otok_scenario *s, const otok_node *root)
{
    static const char *const names[OTOK_SIDES] = {"left", "right", "bottom", "top"};
    const otok_node *edges = otok_node_find(root, "edges");
    for (int side = 0; side < OTOK_SIDES; side++)
        if (s->edges[side] == OTOK_PERIODIC && s->edges[side ^ 1] != OTOK_PERIODIC)
            return otok_node_fail(otok_node_find(edges, names[side]),
                                  "periodic joins two sides; make `%s` periodic too, or neither", names[side ^ 1]);
    return OTOK_OK;
}

static otok_status check_rate(double rate, const char *key, const otok_node *map)
{
    if (rate <= 1) return OTOK_OK;
    return otok_node_fail(blame(map, key, "rates", NULL),
                          "%s = %.15g with `rates: per_iteration` moves more than there is; allowed: at most 1", key, rate);
}

static otok_status check_hydraulic(const otok_hydraulic *h, double l, const otok_node *map)
{
    if (h->rates == OTOK_PER_ITERATION) {
        OTOK_TRY(check_rate(h->dissolve, "dissolve", map));
        OTOK_TRY(check_rate(h->deposit, "deposit", map));
    }
    if (h->area == OTOK_AREA_DEPTH && otok_node_find(map, "pipe_area"))
        return otok_node_fail(blame(map, "pipe_area", "area", NULL),
                              "pipe_area and `area: depth` both give the pipes' cross-section; keep one");
    if (h->theta < 1 && h->pipes == OTOK_ONE_WAY)
        return otok_node_fail(blame(map, "theta", "pipes", NULL),
                              "theta below 1 takes means of signed flows; add `pipes: signed`, or take theta out");
    const double spread = h->diffusivity * h->dt / (l * l);
    if (spread > 0.25)
        return otok_node_fail(blame(map, "diffusivity", "dt", NULL),
                              "diffusivity dt / spacing^2 = %.15g spreads more than there is; allowed: at most 0.25, so "
                              "diffusivity <= %.6g m2 s-1 at this dt",
                              spread, 0.25 * l * l / h->dt);
    if (h->evaporation * h->dt > 1)
        return otok_node_fail(
            blame(map, "evaporation", "dt", NULL),
            "evaporation dt = %.15g dries more than there is; allowed: at most 1, so evaporation <= %.6g s-1 at this dt",
            h->evaporation * h->dt, 1 / h->dt);
    return OTOK_OK;
}

/* Rain and rivers bring water, which only the hydraulic process moves; droplets start by a map. */
static otok_status check_rain(const otok_phase *p, const otok_node *map)
{
    const otok_node *rain = otok_node_find(map, "rain");
    if (p->processes & OTOK_RAIN && !(p->processes & (OTOK_HYDRAULIC | OTOK_DROPLETS)))
        return otok_node_fail(p->rain.map[0] ? otok_node_find(rain, "map") : rain,
                              "rain needs water that flows; add `hydraulic: {}` or `droplets: {}` to the phase");
    if (!p->rain.map[0] && (!isnan(p->rain.low) || !isnan(p->rain.high)))
        return otok_node_fail(blame(rain, "low", "high", NULL), "low and high are of a map; add `map: FILE`, or take them out");
    return OTOK_OK;
}

static otok_status check_inside(double at, double end, const char *key, const otok_node *river)
{
    if (at <= end) return OTOK_OK;
    return otok_node_fail(otok_node_find(river, key), "%.15g m is outside the domain; allowed: at least 0, at most %.15g m", at,
                          end);
}

static otok_status check_rivers(const otok_phase *p, otok_grid g, const otok_node *map)
{
    const otok_node *list = otok_node_find(map, "rivers");
    if (p->nrivers && !(p->processes & OTOK_HYDRAULIC))
        return otok_node_fail(list, "rivers need water that flows; add `hydraulic: {}` to the phase");
    for (int i = 0; i < p->nrivers; i++) {
        OTOK_TRY(check_inside(p->rivers[i].x, (double)g.nx * g.spacing, "x", list->items[i]));
        OTOK_TRY(check_inside(p->rivers[i].y, (double)g.ny * g.spacing, "y", list->items[i]));
    }
    return OTOK_OK;
}

static otok_status check_thermal(const otok_thermal *t, double l, const otok_node *map)
{
    const double most = t->law == OTOK_EXCESS ? 1 : 2, amount = t->dt * otok_thermal_rate(t, l);
    if (t->diffusivity > 0 && otok_node_find(map, "rate"))
        return otok_node_fail(blame(map, "diffusivity", "rate", NULL),
                              "rate and diffusivity both say how fast debris slides; keep one");
    if (amount <= most) return OTOK_OK;
    if (t->diffusivity > 0)
        return otok_node_fail(blame(map, "diffusivity", "dt", NULL),
                              "diffusivity dt / spacing^2 = %.15g moves more than the whole drop; allowed: at most %g with `law: "
                              "%s`, so diffusivity <= %.6g m2 s-1 at this dt",
                              amount, most, t->law == OTOK_EXCESS ? "excess" : "share", most * l * l / t->dt);
    return otok_node_fail(
        blame(map, "rate", "dt", NULL),
        "rate dt = %.15g moves more than the whole drop; allowed: at most %g with `law: %s`, so rate <= %.6g s-1 at this dt",
        amount, most, t->law == OTOK_EXCESS ? "excess" : "share", most / t->dt);
}

static otok_status check_share(double rate, double dt, double most, const char *key, const otok_node *map)
{
    if (rate * dt <= most) return OTOK_OK;
    return otok_node_fail(blame(map, key, "dt", NULL),
                          "%s dt = %.15g is more than there is; allowed: at most %g, so %s <= %.6g s-1 at this dt", key, rate * dt,
                          most, key, most / dt);
}

static otok_status check_droplets(const otok_droplets *d, const otok_node *map)
{
    OTOK_TRY(check_share(d->friction, d->dt, 1, "friction", map));
    OTOK_TRY(check_share(d->deposition_rate, d->dt, 1, "deposition_rate", map));
    return check_share(d->evaporation, d->dt, 0.999, "evaporation", map);
}

static otok_status check_reef(const otok_reef *r, const otok_node *map)
{
    if (r->min_depth < 1e-6)
        return otok_node_fail(
            blame(map, "min_depth", NULL),
            "%.15g m lets a reef reach the surface: there it fills the last of the water, and takes uptake of the carbon "
            "however little it grows; allowed: at least 1e-06 m",
            r->min_depth);
    if (r->min_depth >= r->max_depth)
        return otok_node_fail(blame(map, "max_depth", "min_depth", NULL),
                              "nothing can grow: min_depth %.15g m must be below max_depth %.15g m", r->min_depth, r->max_depth);
    if (r->nsea && otok_node_find(map, "sea_rise"))
        return otok_node_fail(blame(map, "sea_rise", "sea_history", NULL), "sea_rise and sea_history both rule the sea; keep one");
    return OTOK_OK;
}

static otok_status check_phase(const otok_phase *p, otok_grid grid, const otok_node *map)
{
    const double l = grid.spacing;
    const int erosion = OTOK_HYDRAULIC | OTOK_THERMAL | OTOK_SEABED | OTOK_DROPLETS;
    if (p->processes & OTOK_REEF_GROWTH && p->processes & erosion && !p->mix_reef_and_erosion)
        return otok_node_fail(otok_node_find(map, "reef"), "erosion in the same phase spoils the reef; give the reef a phase of "
                                                           "its own, or write `mix_reef_and_erosion: true` in this one");
    OTOK_TRY(check_rain(p, map));
    OTOK_TRY(check_rivers(p, grid, map));
    if (p->processes & OTOK_HYDRAULIC) OTOK_TRY(check_hydraulic(&p->hydraulic, l, otok_node_find(map, "hydraulic")));
    if (p->processes & OTOK_THERMAL) OTOK_TRY(check_thermal(&p->thermal, l, otok_node_find(map, "thermal")));
    if (p->processes & OTOK_DROPLETS) OTOK_TRY(check_droplets(&p->droplets, otok_node_find(map, "droplets")));
    if (p->processes & OTOK_REEF_GROWTH) OTOK_TRY(check_reef(&p->reef, otok_node_find(map, "reef")));
    return OTOK_OK;
}

otok_status otok_scenario_check(const otok_scenario *scenario, const otok_node *root)
{
    OTOK_TRY(check_grid(scenario, root));
    OTOK_TRY(check_edges(scenario, root));
    const otok_node *phases = otok_node_find(root, "phases");
    for (int i = 0; i < scenario->nphases; i++) {
        if (scenario->nlayers && scenario->phases[i].processes & OTOK_DROPLETS)
            return otok_node_fail(otok_node_find(phases->items[i], "droplets"),
                                  "droplets do not know layers; leave `layers` out, `erodibility` they obey");
        OTOK_TRY(check_phase(&scenario->phases[i], scenario->grid, phases->items[i]));
    }
    return OTOK_OK;
}
