/* compile.c: flattens the tree of generators, masks and operands before the generator that takes them, and turns metres into cells
   in double. It evaluates nothing. */
#include "compile.h"

#include "../core/status.h"

#include <math.h>
#include <string.h>

_Static_assert((int)OTOK_BASE_MAPS == (int)OTOK_MAX_RASTERS, "a map for every raster");

typedef struct builder {
    const otok_scenario *scenario;
    otok_base_code *code;
    int top; /* of the stack, after the ops so far */
} builder;

static otok_status append(builder *b, otok_base_op op)
{
    if (b->code->nops == OTOK_BASE_OPS)
        return OTOK_FAIL(OTOK_DATA, "the base has more than %d generators and pipelines; use fewer", OTOK_BASE_OPS);
    b->code->ops[b->code->nops++] = op;
    return OTOK_OK;
}

static otok_base_cone cone(const otok_cone *given, const otok_grid *grid)
{
    const double x = isnan(given->x) ? (double)grid->nx / 2 : given->x / grid->spacing;
    const double y = isnan(given->y) ? (double)grid->ny / 2 : given->y / grid->spacing;
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
    const double most =
        618033.988749895; /* lattice cells a cell; finer is white noise just as well. No round number: cells never line up */
    const otok_simplex *s = &g->as.simplex;
    double amplitude = s->amplitude, frequency = b->scenario->grid.spacing / s->wavelength;
    if (b->code->noctaves + s->octaves > OTOK_BASE_OCTAVES)
        return OTOK_FAIL(OTOK_DATA, "the base has more than %d octaves of noise; use fewer", OTOK_BASE_OCTAVES);
    for (int n = 0; n < (int)s->octaves; n++) {
        const double half = fmin(frequency, most) / 2, skew = (sqrt(3.0) - 1) / 2;
        b->code->octaves[b->code->noctaves++] =
            (otok_octave){fixed(half * (1 + skew)), fixed(half * skew), (float)amplitude, (uint32_t)g->stream * 32u + (uint32_t)n};
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
        return OTOK_FAIL(OTOK_DATA, "`%s` is nested more than %d deep; use flatter pipelines", name, OTOK_BASE_STACK - 1);
    OTOK_TRY(append(b, (otok_base_op){.kind = OTOK_BASE_START}));
    return pipeline(b, generators, n, name);
}

static otok_status generator(builder *b, const otok_generator *g)
{
    static const otok_base_combine combine[] = {
        [OTOK_REPLACE] = OTOK_BASE_REPLACE, [OTOK_ADD] = OTOK_BASE_ADD, [OTOK_MULTIPLY] = OTOK_BASE_MULTIPLY,
        [OTOK_MAX] = OTOK_BASE_MAX,         [OTOK_MIN] = OTOK_BASE_MIN, [OTOK_LERP] = OTOK_BASE_REPLACE,
    };
    const int top = b->top;
    otok_base_op op = {.combine = combine[g->combine], .masked = g->nmask > 0};
    if (op.masked)
        OTOK_TRY(inner(b, g->mask, g->nmask, "mask"));
    else if (g->combine == OTOK_LERP)
        return OTOK_FAIL(OTOK_DATA, "`combine: lerp` needs a `mask`; give one, or leave `combine` out to replace the map");
    switch (g->kind) {
    case OTOK_GEN_CONSTANT:
        op.kind = OTOK_BASE_CONSTANT;
        op.as.constant = (float)g->as.constant.height;
        break;
    case OTOK_GEN_CONE:
        op.kind = OTOK_BASE_CONE;
        op.as.cone = cone(&g->as.cone, &b->scenario->grid);
        break;
    case OTOK_GEN_SIMPLEX:
        op.kind = OTOK_BASE_SIMPLEX;
        op.as.simplex.from = b->code->noctaves;
        OTOK_TRY(octaves(b, g));
        op.as.simplex.to = b->code->noctaves;
        break;
    case OTOK_GEN_POWER_BLEND:
        OTOK_TRY(inner(b, g->with, g->nwith, "with"));
        op.kind = OTOK_BASE_POWER_BLEND;
        op.as.power_blend.strength = (float)g->as.power_blend.strength;
        op.as.power_blend.reference = (float)g->as.power_blend.reference;
        break;
    case OTOK_GEN_CRATER:
        op.kind = OTOK_BASE_CRATER;
        op.as.crater = (float)g->as.crater.level;
        break;
    case OTOK_GEN_RASTER:
        op.kind = OTOK_BASE_MAP;
        op.as.map = g->map;
        if (g->map >= b->code->nmaps) b->code->nmaps = g->map + 1;
        break;
    case OTOK_GENERATORS: return OTOK_FAIL(OTOK_INTERNAL, "a generator without a kind");
    }
    b->top = top;
    return append(b, op);
}

static otok_status pipeline(builder *b, const otok_generator *generators, int n, const char *name)
{
    for (int k = 0; k < n; k++) {
        const otok_status status = generator(b, &generators[k]);
        if (status != OTOK_OK) return otok_fail_in(status, "%s[%d]", name, k);
    }
    return OTOK_OK;
}

otok_status otok_base_compile(const otok_scenario *scenario, otok_base_code *out)
{
    memset(out, 0, sizeof *out);
    out->seed[0] = (uint32_t)scenario->seed;
    out->seed[1] = (uint32_t)((uint64_t)scenario->seed >> 32);
    out->width = (int)scenario->grid.nx;
    out->height = (int)scenario->grid.ny;
    builder b = {.scenario = scenario, .code = out};
    return pipeline(&b, scenario->base, scenario->nbase, "base");
}
