/* process_reef.c: the coral reef, and the sea above it. */
#include "limits.h"
#include "parameter_rows.h"
#include "process.h"

#include <string.h>

static const otok_parameter parameters[] = {
    REAL("reef", otok_reef, dt, "tau, dt", "s", 0.01, 0, 1e12, OPEN_LOW, "K16 chapter 4",
         "time step"),
    CHOICE("reef", otok_reef, law, "carbon|light_saturation", OTOK_REEF_CARBON,
           "K16 chapter 4; Bosscher & Schlager 1992",
           "carbon: growth by light and carbon, with the keys calcification, uptake, max_depth and "
           "carbon; light_saturation, years of a reef: growth by light alone, with max_growth, "
           "surface_light and saturating_light, absorption 0.1 and min_depth 0.5"),
    REAL("reef", otok_reef, calcification, "kappa_B", "m s-1", 0.25, 0, 1e6, 0, "K16 eq. 4.2",
         "growth rate at carbon 1 in full light; growth is carbon^2 times this"),
    REAL("reef", otok_reef, absorption, "kappa_A", "m-1", 10, 0, 1e6, 0, "K16 eq. 4.2",
         "absorption of light by water"),
    REAL("reef", otok_reef, uptake, "kappa_U", "1", 0.04, 0, 1e6, 0, "K16 eq. 4.4",
         "carbon used per unit of growth"),
    REAL("reef", otok_reef, min_depth, "G", "m", 0.001, 0, HUGE_LENGTH, 0, "K16 eq. 4.2",
         "the reef stops growing at this depth; at least 1e-6"),
    REAL("reef", otok_reef, max_depth, "", "m", INFINITY, 0, INFINITY, OPEN_LOW, "K16 eq. 4.2",
         "no growth below this depth"),
    REAL("reef", otok_reef, carbon, "O_0", "1", 0.25, 0, 1e6, 0, "K17 eq. 28",
         "inorganic carbon at the start and in edge cells"),
    REAL("reef", otok_reef, max_growth, "G_m", "m s-1", 0.01 / OTOK_YEAR, 0, 1e6, 0,
         "G_m tanh(I_0/I_k exp(-g kappa_A))", "growth rate in full light; default: 10 mm/yr"),
    REAL("reef", otok_reef, surface_light, "I_0", "umol m-2 s-1", 2000, 0, 1e6, 0,
         "Bosscher & Schlager 1992", "light at the surface of the sea"),
    REAL("reef", otok_reef, saturating_light, "I_k", "umol m-2 s-1", 250, 0, 1e6, OPEN_LOW,
         "Bosscher & Schlager 1992", "light at which growth begins to saturate"),
    REAL("reef", otok_reef, rubble, "", "1", NAN, 0, 1, 0, "",
         "share of the growth that is loose and joins the first of `layers`; the rest joins the "
         "second; default: all joins the first"),
    REAL("reef", otok_reef, sheltered_growth, "e_min", "1", 0.09, 0, 1, 0,
         "e_min + (1 - e_min)(1 - exp(-p/e_ref))",
         "share of the growth in still water; needs `waves` in the phase"),
    REAL("reef", otok_reef, exposure_scale, "e_ref", "1", 0.1, 0, 1e6, OPEN_LOW,
         "p: the field exposure", "exposure to waves at which growth comes to its full rate"),
    REAL(
        "reef", otok_reef, burial_scale, "s_ref", "m s-1", 0.1 / 2650 / 86400, 0, 1e6, OPEN_LOW,
        "exp(-s/s_ref)",
        "supply s of a river's sediment, in height of ground per time, at which growth falls to "
        "1/e, in phases with incision and marine_diffusion; the default, 13.8 mm/yr of rock, is 10 "
        "mg cm-2 day-1 (Rogers 1990)"),
    STRUCTS(
        "reef", otok_reef, "producers", nproducers, producers, "producer", 0, OTOK_PRODUCERS - 1,
        LINE, "",
        "[{max_growth: ...}, ...] up to two more producers of carbonate; the keys above are the "
        "first, and the rates of all add up"),
    REAL("reef", otok_reef, denudation, "", "m s-1", 0, 0, 1e6, 0, "",
         "rate at which reef above the sea dissolves (karst), such as 50 mm/kyr; the rock below "
         "its layers never does"),
    BOOL("reef", otok_reef, age, "",
         "keeps when the reef of a cell last grew in the field reef_time, from which reef_age "
         "follows; in all phases with a reef or in none"),
    REAL("reef", otok_reef, sea_rise, "kappa_W", "m s-1", 0, -1000, 1000, 0, "K17 section 2.4",
         "rate at which the sea rises: W = W0 + n dt sea_rise"),
    SERIES("reef", otok_reef, sea_history, "W(t)", "m", -HUGE_LENGTH, HUGE_LENGTH, "K16 chapter 4",
           "sea level over the time of the phase, in place of sea_rise: points, a file, or {saw: "
           "...} or {pleistocene: START}"),
};

static int is_of_waves(const char *key)
{
    return strcmp(key, "sheltered_growth") == 0 || strcmp(key, "exposure_scale") == 0;
}

/* Do rivers bring sediment to the sea of the phase? */
static int gets_sediment(const otok_phase *phase)
{
    return phase->processes & OTOK_INCISION && phase->processes & OTOK_MARINE_DIFFUSION;
}

static int unused(const otok_phase *phase, const char *key)
{
    const otok_reef *r = &phase->reef;
    return (!(phase->processes & OTOK_WAVES) && is_of_waves(key)) ||
           (!gets_sediment(phase) && strcmp(key, "burial_scale") == 0) ||
           (r->sea_history.n && strcmp(key, "sea_rise") == 0) ||
           otok_law_of_key("reef", key, r->law) != r->law;
}

double otok_scenario_carbon(const otok_scenario *s)
{
    for (int p = 0; p < s->nphases; p++)
        if (s->phases[p].processes & OTOK_REEF_GROWTH && s->phases[p].reef.law == OTOK_REEF_CARBON)
            return s->phases[p].reef.carbon;
    return NAN;
}

int otok_scenario_dates_reef(const otok_scenario *s)
{
    for (int p = 0; p < s->nphases; p++)
        if (s->phases[p].processes & OTOK_REEF_GROWTH) return s->phases[p].reef.age;
    return -1;
}

static otok_status check_law(const otok_phase *phase, const otok_node *map)
{
    const otok_reef *r = &phase->reef;
    static const char *const names[] = {"carbon", "light_saturation"};
    for (int i = 0; map && i < map->n; i++) {
        const otok_node *given = map->items[i];
        const int law = otok_law_of_key("reef", given->key, r->law);
        if (law == r->law && !(phase->processes & OTOK_WAVES) && is_of_waves(given->key))
            return otok_node_fail(given, "the phase has no waves that the reef could be sheltered "
                                         "from; add `waves: {}` to it, or leave this key out");
        if (law != r->law)
            return otok_node_fail(
                given,
                "only `law: %s` has this key, and the law is %s; leave it out, or write `law: %s`",
                names[law], names[r->law], names[law]);
    }
    if (map && r->law == OTOK_REEF_LIGHT && !otok_node_find(map, "dt"))
        return otok_node_fail(
            map,
            "`dt` is missing: a reef by light grows for thousands of years; write `dt: 100 yr`");
    return OTOK_OK;
}

static otok_status check(const otok_phase *phase, otok_grid grid, const otok_node *phase_map)
{
    const otok_reef *r = &phase->reef;
    const otok_node *map = otok_node_find(phase_map, "reef");
    char least[64], most[64];
    (void)grid;
    OTOK_TRY(check_law(phase, map));
    if (r->min_depth < 1e-6)
        return otok_node_fail(
            otok_blame(map, "min_depth", NULL),
            "%.15g m lets a reef reach the surface: there it fills the last of the water, and "
            "takes uptake of the carbon however little it grows; allowed: at least 1e-06 m",
            r->min_depth);
    if (r->law == OTOK_REEF_CARBON && r->min_depth >= r->max_depth)
        return otok_node_fail(
            otok_blame(map, "max_depth", "min_depth", NULL),
            "nothing can grow: min_depth %s must be below max_depth %s",
            otok_as_given(otok_node_find(map, "min_depth"), r->min_depth, 15, "m", least),
            otok_as_given(otok_node_find(map, "max_depth"), r->max_depth, 15, "m", most));
    if (r->sea_history.n && otok_node_find(map, "sea_rise"))
        return otok_node_fail(otok_blame(map, "sea_rise", "sea_history", NULL),
                              "sea_rise and sea_history both set the sea level; keep one");
    return OTOK_OK;
}

static double sea(const otok_phase *phase, double start, double clock, double passed)
{
    const otok_reef *r = &phase->reef;
    return r->sea_history.n ? otok_series_at(&r->sea_history, clock + passed)
                            : start + passed * r->sea_rise;
}

/* The level and the time at the end of the iteration. */
static void step(otok_step *out, const otok_phase *phase, const otok_now *now)
{
    const otok_moment *m = &now->moment;
    out->sea_to = (float)sea(phase, m->sea_level, m->clock, m->next - m->clock);
    if (phase->reef.law == OTOK_REEF_LIGHT) otok_phase_set_knots(out, phase, now);
    if (phase->reef.age) otok_step_dated(out, now);
}

/* Producer n: the reef's own keys, then those of its list. */
static struct otok_producer producer(const otok_phase *phase, int n)
{
    const otok_reef *r = &phase->reef;
    const struct otok_producer own = {r->max_growth, r->absorption, r->saturating_light,
                                      r->sheltered_growth};
    struct otok_producer p = n ? r->producers[n - 1] : own;
    if (!(phase->processes & OTOK_WAVES)) p.sheltered_growth = 1;
    return p;
}

/* The most that all grow [m/s]. */
static double most_growth(const otok_phase *phase)
{
    double most = 0;
    for (int n = 0; n <= phase->reef.nproducers; n++)
        most += producer(phase, n).max_growth * fmax(producer(phase, n).sheltered_growth, 1);
    return most;
}

static void light_coefficients(otok_light_coefficients *out, const otok_phase *phase)
{
    const otok_reef *r = &phase->reef;
    out->growth = (float)(most_growth(phase) * r->dt);
    out->absorption = 0;
    out->swell = (float)(1 / r->exposure_scale);
    out->min_depth = (float)r->min_depth;
    out->rock = isnan(r->rubble) ? 0 : (float)(1 - r->rubble);
    out->dissolves = (float)(r->denudation * r->dt);
    out->n = 1 + r->nproducers;
    for (int n = 0; n < out->n; n++) {
        const struct otok_producer p = producer(phase, n);
        out->absorption = fmaxf(out->absorption, (float)p.absorption);
        out->of[n] = (otok_producer_coefficients){
            (float)(p.max_growth * r->dt), (float)p.sheltered_growth,
            (float)(r->surface_light / p.saturating_light), (float)p.absorption};
    }
}

static void coefficients(otok_coefficients *all, const otok_phase *phase, double spacing, double dt)
{
    const otok_reef *r = &phase->reef;
    otok_reef_coefficients *out = &all->reef;
    (void)spacing, (void)dt;
    out->dt = (float)r->dt;
    out->calcification = (float)r->calcification;
    out->absorption = (float)r->absorption;
    out->uptake = (float)r->uptake;
    out->min_depth = (float)r->min_depth;
    out->max_depth = (float)r->max_depth;
    out->carbon = (float)r->carbon;
    light_coefficients(&all->light, phase);
}

static void program(otok_builder *b, const otok_phase *phase, const int *edges)
{
    (void)edges;
    if (phase->reef.age) otok_program_stage(b, OTOK_STAGE_PARTS_BEGIN);
    if (phase->reef.law == OTOK_REEF_LIGHT) {
        static const otok_stage by[] = {OTOK_STAGE_REEF_LIGHT, OTOK_STAGE_REEF_TWO,
                                        OTOK_STAGE_REEF_THREE};
        otok_program_stage(b, by[phase->reef.nproducers]);
        if (phase->reef.age) otok_program_stage(b, OTOK_STAGE_REEF_DATED);
        if (phase->reef.denudation > 0) otok_program_stage(b, OTOK_STAGE_KARST);
        return;
    }
    otok_program_stage(b, OTOK_STAGE_REEF_GROWTH);
    otok_program_halo(b, OTOK_TERRAIN_CHANGE, OTOK_HALO_WALL);
    otok_program_halo(b, OTOK_CARBON, OTOK_HALO_COPY);
    otok_program_stage(b, OTOK_STAGE_CARBON);
    otok_program_swap(b, OTOK_CARBON, OTOK_CARBON_NEXT);
    if (phase->reef.age) otok_program_stage(b, OTOK_STAGE_REEF_DATED); /* one pass stays one */
}

/* An iteration takes kU min(c dt, g - G) / g of the carbon O. At no depth is this more than kU x /
   (1 + x), with x = c dt / G at the crest. x grows with O^2, so that carbon below O0 can be worse.
   Where shallower ground grows faster, bumps grow at every wavelength, at the rate kA kB O^2 exp(-G
   kA) in still carbon. That is the reef itself, not an error. */
static void predict_carbon(otok_limits *to, const otok_phase *phase, otok_grid grid)
{
    const otok_reef *r = &phase->reef;
    const double light = r->calcification * exp(-r->min_depth * r->absorption), full = r->carbon;
    const double x = light * full * full * r->dt / r->min_depth; /* for carbon O0 */
    if (x > 0) {
        const double taken = r->uptake / full * (x < 1 ? x / (1 + x) : sqrt(x) / 2);
        const double most = r->uptake > 2 * full ? full / (r->uptake - full)
                                                 : 4 * full * full / (r->uptake * r->uptake);
        otok_limit_add(
            to, "carbon at the crest", "kU c dt / (G + c dt) / O", OTOK_PROVEN, taken, 1,
            r->uptake > 0 ? r->dt * most / x : NAN,
            "beyond it one iteration can use up all carbon of a cell, which is then set to 0");
    }
    otok_limits_reef(to, phase, grid);
    const double rate = r->absorption * light * r->carbon * r->carbon;
    if (rate > 0)
        otok_limit_add(
            to, "growth of bumps", "kA kB O^2 exp(-G kA)", OTOK_HEURISTIC, NAN, NAN, NAN,
            "physical, at every dt: light favours what stands higher, e-fold in %.3g s (%.3g "
            "iterations) at the crest; needs a lateral scale to be independent of l",
            1 / rate, 1 / (rate * r->dt));
    otok_limit_add(to, "mixing of carbon", "", OTOK_PROVEN, NAN, NAN, NAN,
                   "the mean of the neighbours flips a checkerboard of carbon without damping it; "
                   "growth and edges do. One mean an iteration spreads carbon by l^2/(4 dt), so "
                   "that where carbon runs short the reef depends on dt and l");
}

/* The most that the sea moves within an interval [m]. Jumps come between two sweeps if there are
   several iterations from one to the next. */
static double most_of_sea(const otok_phase *phase, double interval)
{
    const otok_series *h = &phase->reef.sea_history;
    const double step = phase->reef.dt, end = step * (double)phase->iterations;
    double most = h->n ? 0 : fabs(phase->reef.sea_rise) * interval;
    for (int i = 1; i < h->n && h->at[i - 1].time < end; i++) {
        const double lasts = h->at[i].time - h->at[i - 1].time,
                     moves = fabs(h->at[i].value - h->at[i - 1].value);
        if (lasts >= step || interval > step)
            most = fmax(most, moves * (lasts > interval ? interval / lasts : 1));
    }
    return most;
}

/* Between two sweeps the waves stay. On five profiles of cones, 128 to 160 cells of 50 to 150 m,
   the reef and the ground differed from those of a sweep every 25 years by at most 1.1 % where a
   reef could grow by 1.5 m from one to the next, by 1.2 to 9 % at 2 m; where the sea moved by 9 m,
   by 0.9 %, at 14 m 2 %, 29 m 5 %. */
static void predict_sweeps(otok_limits *to, const otok_phase *phase)
{
    const double interval = (double)phase->waves.every * phase->reef.dt,
                 grows = most_growth(phase) * interval, moves = most_of_sea(phase, interval);
    otok_limit_add(to, "growth between waves", "every G_m dt", OTOK_MEASURED, grows, 1.5,
                   1.5 / (grows / phase->reef.dt),
                   "metres; beyond it the reef grows in the shelter of its earlier form; lower "
                   "`waves.every` first");
    if (moves > 0)
        otok_limit_add(to, "sea between waves", "every |dW/dt| dt", OTOK_MEASURED, moves, 10,
                       10 / (moves / phase->reef.dt),
                       "metres; beyond it waves keep to an earlier sea; lower `waves.every` first");
}

/* x / cosh^2(x), the change of the rate with the depth over G_m kappa_A, is at most 0.4477. */
static void predict_light(otok_limits *to, const otok_phase *phase)
{
    const otok_reef *r = &phase->reef;
    const double most = most_growth(phase) * r->dt;
    double bumps = 0;
    for (int n = 0; n <= r->nproducers; n++)
        bumps += 0.4477 * producer(phase, n).max_growth * producer(phase, n).absorption *
                 fmax(producer(phase, n).sheltered_growth, 1);
    if (!(most > 0)) return;
    otok_limit_add(to, "growth of an iteration", "G_m dt", OTOK_MEASURED, most, 10,
                   10 / (most / r->dt),
                   "metres; up to it columns are within 1e-3 of the law's integral; where more of "
                   "the sea's history turns within an iteration, the %d turns that bend it most "
                   "are followed",
                   OTOK_KNOTS);
    if (phase->processes & OTOK_WAVES) predict_sweeps(to, phase);
    if (bumps > 0)
        otok_limit_add(to, "growth of bumps", "G_m kA max(x / cosh^2 x)", OTOK_HEURISTIC, NAN, NAN,
                       NAN,
                       "physical, at every dt: light favours what is higher, e-fold in at least "
                       "%.3g yr (%.3g iterations)",
                       1 / bumps / OTOK_YEAR, 1 / (bumps * r->dt));
}

static void predict(otok_limits *to, const otok_phase *phase, otok_grid grid)
{
    if (phase->reef.law == OTOK_REEF_LIGHT)
        predict_light(to, phase);
    else
        predict_carbon(to, phase, grid);
}

static otok_status check_producer(otok_scenario *s, otok_phase *phase, int i, const otok_node *item)
{
    const otok_node *sheltered = otok_node_find(item, "sheltered_growth");
    (void)s, (void)i;
    if (!sheltered || phase->processes & OTOK_WAVES) return OTOK_OK;
    return otok_node_fail(sheltered,
                          "the phase has no waves; add `waves: {}` to it, or leave this key out");
}

const otok_process otok_process_reef = {OTOK_PROCESS_ROW(REEF_GROWTH, reef),
                                        .dithers = 1,
                                        .levels = -1,
                                        OTOK_PROCESS_TIME(reef, CLOCK),
                                        .item = check_producer,
                                        .unused = unused,
                                        .check = check,
                                        .sea = sea,
                                        .step = step,
                                        .coefficients = coefficients,
                                        .program = program,
                                        .predict = predict};
