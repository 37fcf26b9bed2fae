/* compile.c: turns the tree of generators into a plan. Masks and operands come before the
   generator that takes them. A map that is needed whole gets a pass of its own. Metres become
   cells, in double. It evaluates nothing. A generator whose map comes from elsewhere needs a map
   (add_map), a pass that fills it, and an op OTOK_BASE_MAP. */
#include "compile.h"

#include "../core/status.h"
#include "tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One pipeline on its way to the ops of one pass. */
typedef struct builder {
    const otok_scenario *scenario;
    otok_base_plan *plan;
    otok_grid grid; /* the grid of the map's cells; coarser inside upsample */
    otok_box box;   /* the cells that are needed */
    int top;        /* of the stack, after the ops so far */
    int nops;
    otok_base_op *ops;
} builder;

/* Is there room for n more ops, besides those of finished passes? */
static otok_status check_room(const otok_base_plan *plan, int n)
{
    if (plan->nops + n <= OTOK_BASE_OPS) return OTOK_OK;
    return OTOK_FAIL(OTOK_DATA, "the base has more than %d generators and pipelines; use fewer",
                     OTOK_BASE_OPS);
}

static otok_status append(builder *b, otok_base_op op)
{
    OTOK_TRY(check_room(b->plan, b->nops + 1));
    b->ops[b->nops++] = op;
    return OTOK_OK;
}

static otok_status add_map(otok_base_plan *plan, otok_box box, int *map)
{
    if (plan->nmaps == OTOK_BASE_MAPS)
        return OTOK_FAIL(
            OTOK_DATA,
            "the base has more than %d lattices, spike filters and upsamplings; use fewer",
            OTOK_BASE_MAPS);
    *map = plan->nmaps++;
    plan->maps[*map] =
        (otok_base_map){.x0 = box.x0, .y0 = box.y0, .nx = box.x1 - box.x0, .ny = box.y1 - box.y0};
    return OTOK_OK;
}

static otok_base_cone cone(const otok_cone *given, const otok_grid *domain, const otok_grid *grid)
{
    const double x =
        (isnan(given->x) ? (double)domain->nx / 2 * domain->spacing : given->x) / grid->spacing;
    const double y =
        (isnan(given->y) ? (double)domain->ny / 2 * domain->spacing : given->y) / grid->spacing;
    otok_base_cone k = {0};
    k.x = (float)(x - 0.5); /* centre of cell i: i + 1/2 */
    k.x_rest = (float)(x - 0.5 - k.x);
    k.y = (float)(y - 0.5);
    k.y_rest = (float)(y - 0.5 - k.y);
    k.height = (float)given->height;
    k.scale = (float)(grid->spacing / given->radius);
    k.power = (float)given->power;
    return k;
}

/* Half a cell's step along a skewed axis, modulo one turn of the lattice. */
static uint64_t fixed(double lattice_cells)
{
    return (uint64_t)llround(lattice_cells * 0x1p40);
}

static otok_status octaves(builder *b, const otok_generator *g)
{
    const double most = 618033.988749895; /* the most lattice cells a cell; finer noise is white
                                             noise. The number is not round, so cells never line
                                             up */
    const otok_simplex *s = &g->as.simplex;
    double amplitude = s->amplitude, frequency = b->grid.spacing / s->wavelength;
    if (b->plan->noctaves + s->octaves > OTOK_BASE_OCTAVES)
        return OTOK_FAIL(OTOK_DATA, "the base has more than %d octaves of noise; use fewer",
                         OTOK_BASE_OCTAVES);
    for (int n = 0; n < (int)s->octaves; n++) {
        const double half = fmin(frequency, most) / 2, skew = (sqrt(3.0) - 1) / 2;
        b->plan->octaves[b->plan->noctaves++] =
            (otok_octave){fixed(half * (1 + skew)), fixed(half * skew), (float)amplitude,
                          (uint32_t)g->stream * 32u + (uint32_t)n};
        frequency *= s->lacunarity;
        amplitude *= s->gain;
    }
    return OTOK_OK;
}

static otok_status pipeline(builder *b, const otok_generator *generators, int n, const char *name);

/* A pipeline whose value stays on the stack. */
static otok_status inner(builder *b, const otok_generator *generators, int n, const char *name)
{
    if (++b->top == OTOK_BASE_STACK)
        return OTOK_FAIL(OTOK_DATA, "`%s` is nested more than %d deep; use flatter pipelines", name,
                         OTOK_BASE_STACK - 1);
    OTOK_TRY(append(b, (otok_base_op){.kind = OTOK_BASE_START}));
    return pipeline(b, generators, n, name);
}

/* Adds a pass for the cells `box` of a grid before the current one. */
static otok_status add_pass(const builder *outer, otok_grid grid, otok_box box, int map,
                            const otok_generator *generators, int n, const char *name)
{
    otok_base_plan *plan = outer->plan;
    builder b = {.scenario = outer->scenario, .plan = plan, .grid = grid, .box = box};
    b.ops = malloc(OTOK_BASE_OPS * sizeof *b.ops);
    if (!b.ops) return OTOK_FAIL(OTOK_NOMEM, "no memory for the base terrain");
    otok_status status = pipeline(&b, generators, n, name);
    if (status == OTOK_OK) status = check_room(plan, b.nops); /* inner passes have used some */
    if (status == OTOK_OK) {
        memcpy(plan->ops + plan->nops, b.ops, (size_t)b.nops * sizeof *b.ops);
        plan->passes[plan->npasses++] = (otok_base_pass){
            .kind = OTOK_BASE_EVALUATE, .map = map, .from = plan->nops, .to = plan->nops + b.nops};
        plan->nops += b.nops;
    }
    free(b.ops);
    return status;
}

static int clamp(int64_t value, int64_t high)
{
    return (int)(value < 0 ? 0 : value > high ? high : value);
}

/* A box and `ring` cells around it, within the grid. */
static otok_box grown(otok_box box, otok_grid grid, int ring)
{
    return (otok_box){clamp(box.x0 - ring, grid.nx), clamp(box.x1 + ring, grid.nx),
                      clamp(box.y0 - ring, grid.ny), clamp(box.y1 + ring, grid.ny)};
}

/* Adds the `with` of upsample, on a grid that is `factor` times coarser, as far as the cubics
   over the box reach. */
static otok_status coarse(const builder *b, const otok_generator *g, int *map)
{
    const int m = (int)g->as.upsample.factor;
    const otok_grid grid = {(b->grid.nx + m - 1) / m, (b->grid.ny + m - 1) / m,
                            b->grid.spacing * m};
    const otok_box box = {b->box.x0 / m, (b->box.x1 - 1) / m + 1, b->box.y0 / m,
                          (b->box.y1 - 1) / m + 1};
    const otok_box reach = grown(box, grid, 2);
    OTOK_TRY(add_map(b->plan, reach, map));
    return add_pass(b, grid, reach, *map, g->with, g->nwith, "with");
}

static otok_status midpoint(const builder *b, const otok_generator *g, otok_base_op *op)
{
    const otok_diamond_square *d = &g->as.diamond_square;
    const int side = (1 << d->levels) + 1;
    op->as.midpoint.x = (int)d->offset_x;
    op->as.midpoint.y = (int)d->offset_y;
    op->as.midpoint.period = d->tile ? side - 1 : 0;
    if (!d->tile && (d->offset_x + b->grid.nx > side || d->offset_y + b->grid.ny > side))
        return OTOK_FAIL(
            OTOK_DATA,
            "a lattice of %d levels does not cover the grid; use more levels or `tile: true`",
            (int)d->levels);
    OTOK_TRY(add_map(b->plan, (otok_box){0, side, 0, side}, &op->as.midpoint.map));
    otok_base_pass *pass = &b->plan->passes[b->plan->npasses++];
    *pass = (otok_base_pass){.kind = OTOK_BASE_FILL, .map = op->as.midpoint.map};
    return otok_table_midpoint(b->plan, g, &pass->fill);
}

/* Adds one generator. `before` is the map that it filters, if it is spikes. */
static otok_status generator(builder *b, const otok_generator *g, int before)
{
    static const otok_base_kind kinds[] = {
        [OTOK_GEN_CONSTANT] = OTOK_BASE_CONSTANT, [OTOK_GEN_CONE] = OTOK_BASE_CONE,
        [OTOK_GEN_SIMPLEX] = OTOK_BASE_SIMPLEX,   [OTOK_GEN_DIAMOND_SQUARE] = OTOK_BASE_MIDPOINT,
        [OTOK_GEN_MIDPOINT] = OTOK_BASE_MIDPOINT, [OTOK_GEN_FAULTS] = OTOK_BASE_FAULTS,
        [OTOK_GEN_PLANET] = OTOK_BASE_PLANET,     [OTOK_GEN_POWER_BLEND] = OTOK_BASE_POWER_BLEND,
        [OTOK_GEN_CRATER] = OTOK_BASE_CRATER,     [OTOK_GEN_CROP] = OTOK_BASE_CROP,
        [OTOK_GEN_SPIKES] = OTOK_BASE_SPIKES,     [OTOK_GEN_UPSAMPLE] = OTOK_BASE_UPSAMPLE,
        [OTOK_GEN_RASTER] = OTOK_BASE_RASTER,     [OTOK_GENERATORS] = OTOK_BASE_START,
    };
    static const otok_base_combine combine[] = {
        [OTOK_REPLACE] = OTOK_BASE_REPLACE,   [OTOK_ADD] = OTOK_BASE_ADD,
        [OTOK_MULTIPLY] = OTOK_BASE_MULTIPLY, [OTOK_MAX] = OTOK_BASE_MAX,
        [OTOK_MIN] = OTOK_BASE_MIN,           [OTOK_LERP] = OTOK_BASE_REPLACE,
    };
    const int top = b->top;
    otok_base_op op = {.combine = combine[g->combine], .masked = g->nmask > 0};
    if (op.masked)
        OTOK_TRY(inner(b, g->mask, g->nmask, "mask"));
    else if (g->combine == OTOK_LERP)
        return OTOK_FAIL(
            OTOK_DATA,
            "`combine: lerp` needs a `mask`; give one, or leave `combine` out to replace the map");
    op.kind = kinds[g->kind];
    switch (g->kind) {
    case OTOK_GEN_CONSTANT: op.as.constant = (float)g->as.constant.height; break;
    case OTOK_GEN_CONE: op.as.cone = cone(&g->as.cone, &b->scenario->grid, &b->grid); break;
    case OTOK_GEN_SIMPLEX:
        op.as.simplex.from = b->plan->noctaves;
        OTOK_TRY(octaves(b, g));
        op.as.simplex.to = b->plan->noctaves;
        break;
    case OTOK_GEN_DIAMOND_SQUARE:
    case OTOK_GEN_MIDPOINT: OTOK_TRY(midpoint(b, g, &op)); break;
    case OTOK_GEN_FAULTS: OTOK_TRY(otok_table_faults(b->plan, g, &b->grid, &op.as.faults)); break;
    case OTOK_GEN_PLANET: OTOK_TRY(otok_table_planet(b->plan, g, &b->grid, &op.as.faults)); break;
    case OTOK_GEN_POWER_BLEND:
        OTOK_TRY(inner(b, g->with, g->nwith, "with"));
        op.as.power_blend.strength = (float)g->as.power_blend.strength;
        op.as.power_blend.reference = (float)g->as.power_blend.reference;
        break;
    case OTOK_GEN_CRATER: op.as.crater = (float)g->as.crater.level; break;
    case OTOK_GEN_CROP: OTOK_TRY(otok_table_crop(b->plan, g, &b->grid, &op.as.crop)); break;
    case OTOK_GEN_SPIKES: op.as.map.map = before; break;
    case OTOK_GEN_UPSAMPLE:
        op.as.map.factor = (int)g->as.upsample.factor;
        OTOK_TRY(coarse(b, g, &op.as.map.map));
        break;
    case OTOK_GEN_RASTER:
        if (b->grid.spacing != b->scenario->grid.spacing)
            return OTOK_FAIL(
                OTOK_DATA,
                "%s: a raster cannot stand inside `upsample`; use `fit: stretch` on the fine grid",
                b->scenario->path);
        op.as.raster = (otok_base_raster){
            .map = g->map, .nx = (int)b->scenario->grid.nx, .ny = (int)b->scenario->grid.ny};
        break;
    case OTOK_GENERATORS: return OTOK_FAIL(OTOK_INTERNAL, "a generator without a kind");
    }
    b->top = top;
    return append(b, op);
}

static otok_status add_generators(builder *b, const otok_generator *generators, int from, int n,
                                  int before, const char *name)
{
    for (int k = from; k < n; k++) {
        const otok_status status = generator(b, &generators[k], before);
        if (status != OTOK_OK) return otok_fail_in(status, "%s[%d]", name, k);
    }
    return OTOK_OK;
}

/* Puts the part of a pipeline before its last `spikes` into a map, with a pass of its own. */
static otok_status pipeline(builder *b, const otok_generator *generators, int n, const char *name)
{
    int last = n - 1, before = -1;
    while (last >= 0 && generators[last].kind != OTOK_GEN_SPIKES)
        last--;
    if (last < 0) return add_generators(b, generators, 0, n, before, name);
    const otok_box ring = grown(b->box, b->grid, 1);
    OTOK_TRY(add_map(b->plan, ring, &before));
    OTOK_TRY(add_pass(b, b->grid, ring, before, generators, last, name));
    OTOK_TRY(append(b, (otok_base_op){.kind = OTOK_BASE_MAP, .as.map.map = before}));
    return add_generators(b, generators, last, n, before, name);
}

otok_status otok_base_compile(const otok_scenario *scenario, otok_box box, otok_base_plan *out)
{
    memset(out, 0, sizeof *out);
    out->seed[0] = (uint32_t)scenario->seed;
    out->seed[1] = (uint32_t)((uint64_t)scenario->seed >> 32);
    const builder b = {.scenario = scenario, .plan = out};
    return add_pass(&b, scenario->grid, box, -1, scenario->base, scenario->nbase, "base");
}

otok_status otok_base_plan_rasters(otok_base_plan *plan, float *const *maps, otok_grid grid)
{
    const int64_t cells = grid.nx * grid.ny;
    int64_t placed[OTOK_MAX_RASTERS];
    for (int m = 0; m < OTOK_MAX_RASTERS && maps[m]; m++) {
        float *more = realloc(plan->table, (size_t)(plan->ntable + cells) * sizeof *more);
        if (!more)
            return OTOK_FAIL(OTOK_NOMEM, "no memory for a raster of %lld x %lld cells",
                             (long long)grid.nx, (long long)grid.ny);
        plan->table = more;
        memcpy(more + plan->ntable, maps[m], (size_t)cells * sizeof *more);
        placed[m] = plan->ntable;
        plan->ntable += cells;
    }
    for (int n = 0; n < plan->nops; n++)
        if (plan->ops[n].kind == OTOK_BASE_RASTER)
            plan->ops[n].as.raster.table = placed[plan->ops[n].as.raster.map];
    return OTOK_OK;
}

void otok_base_plan_destroy(otok_base_plan *plan)
{
    free(plan->table);
    plan->table = NULL;
}

uint64_t otok_base_plan_bytes(const otok_base_plan *plan)
{
    uint64_t bytes = 0;
    for (int m = 0; m < plan->nmaps; m++)
        bytes += (uint64_t)plan->maps[m].nx * (uint64_t)plan->maps[m].ny * sizeof(float);
    return bytes;
}
