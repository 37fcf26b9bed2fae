/* base.h: the base terrain of one cell: a small stack machine over the generators of a pipeline (K17 eq. 1-5). A pure function of
   (code, global cell): same bits everywhere, any tiling. base/compile.c makes the code from a scenario and checks it; nothing is
   checked here. Lengths are in cells; rasters are maps of the whole grid. */
#ifndef OTOK_BASE_H
#define OTOK_BASE_H

#include "math.h"
#include "noise.h"

enum { OTOK_BASE_OPS = 256, OTOK_BASE_OCTAVES = 512, OTOK_BASE_STACK = 16, OTOK_BASE_MAPS = 8 };

typedef enum otok_base_kind {
    OTOK_BASE_START, /* pushes 0: a pipeline of its own begins, the mask or the operand of the op after its end */
    OTOK_BASE_CONSTANT,
    OTOK_BASE_CONE,
    OTOK_BASE_SIMPLEX,
    OTOK_BASE_POWER_BLEND, /* takes its operand from the stack */
    OTOK_BASE_CRATER,
    OTOK_BASE_MAP /* a map read from a file */
} otok_base_kind;

typedef enum otok_base_combine {
    OTOK_BASE_REPLACE,
    OTOK_BASE_ADD,
    OTOK_BASE_MULTIPLY,
    OTOK_BASE_MAX,
    OTOK_BASE_MIN
} otok_base_combine;

typedef struct otok_base_cone {
    float x, x_rest, y, y_rest; /* centre: index of a cell, in two parts, for small cones far out */
    float height;               /* [m]               */
    float scale;                /* spacing / radius  */
    float power;
} otok_base_cone;

typedef struct otok_base_op {
    int kind, combine;
    int masked; /* takes its mask from the stack, from under its operand */
    union {
        float constant; /* [m] */
        otok_base_cone cone;
        struct {
            int from, to; /* half-open, into code->octaves */
        } simplex;
        struct {
            float strength, reference; /* 1, m */
        } power_blend;
        float crater; /* [m] */
        int map;      /* into code->maps */
    } as;
} otok_base_op;

typedef struct otok_base_code {
    uint32_t seed[2]; /* low, high */
    int nops, noctaves;
    int nmaps, width, height;          /* maps in use, cells of each */
    const float *maps[OTOK_BASE_MAPS]; /* of the whole grid, where the evaluator can read them; the caller sets them [m] */
    otok_base_op ops[OTOK_BASE_OPS];
    otok_octave octaves[OTOK_BASE_OCTAVES];
} otok_base_code;

/* h = H (1 - (r/R)^p) for r < R, else 0 (K17 eq. 1-2). */
OTOK_FN float otok_base_cone_height(otok_base_cone k, int i, int j)
{
    const float x = ((float)i - k.x) - k.x_rest, y = ((float)j - k.y) - k.y_rest;
    const float r = sqrtf(x * x + y * y) * k.scale;
    return r < 1.0f ? k.height * (1.0f - otok_powf(r, k.power)) : 0.0f;
}

/* h_B = sum of amplitude_i noise_i (K17 eq. 3). */
OTOK_FN float otok_base_simplex_height(const otok_base_code *code, int from, int to, int i, int j)
{
    float sum = 0.0f;
    for (int n = from; n < to; n++)
        sum = fmaf(code->octaves[n].amplitude, otok_noise(code->seed, &code->octaves[n], i, j), sum);
    return sum;
}

/* h = Href (max(h_A, 0)/Href)^(1 + h_B kappa_N), exponents <= 0 as the smallest positive, 0^p = 0 (K17 eq. 4). */
OTOK_FN float otok_base_power_blend(float a, float b, float strength, float reference)
{
    const float exponent = 1.0f + b * strength;
    return reference * otok_powf(otok_positive(a) / reference, exponent <= 0.0f ? otok_from_bits(1u) : exponent);
}

/* h > kappa_C ? 2 kappa_C - h : h (K17 eq. 5). */
OTOK_FN float otok_base_crater_height(float h, float level)
{
    return h > level ? 2.0f * level - h : h;
}

/* What a generator makes of the map so far and its operand. */
OTOK_FN float otok_base_value(const otok_base_code *code, const otok_base_op *op, float map, float operand, int i, int j)
{
    switch (op->kind) {
    case OTOK_BASE_CONSTANT: return op->as.constant;
    case OTOK_BASE_CONE: return otok_base_cone_height(op->as.cone, i, j);
    case OTOK_BASE_SIMPLEX: return otok_base_simplex_height(code, op->as.simplex.from, op->as.simplex.to, i, j);
    case OTOK_BASE_POWER_BLEND:
        return otok_base_power_blend(map, operand, op->as.power_blend.strength, op->as.power_blend.reference);
    case OTOK_BASE_MAP: return code->maps[op->as.map][(int64_t)j * code->width + i];
    default: return otok_base_crater_height(map, op->as.crater);
    }
}

OTOK_FN float otok_base_combined(int combine, float map, float value)
{
    switch (combine) {
    case OTOK_BASE_ADD: return map + value;
    case OTOK_BASE_MULTIPLY: return map * value;
    case OTOK_BASE_MAX: return otok_larger(map, value);
    case OTOK_BASE_MIN: return otok_smaller(map, value);
    default: return value;
    }
}

/* Height of global cell (i, j) [m]. */
OTOK_FN float otok_base_cell(const otok_base_code *code, int i, int j)
{
    float stack[OTOK_BASE_STACK];
    int top = 0;
    stack[0] = 0.0f;
    for (int n = 0; n < code->nops; n++) {
        const otok_base_op *op = &code->ops[n];
        if (op->kind == OTOK_BASE_START) {
            stack[++top] = 0.0f;
            continue;
        }
        const float operand = op->kind == OTOK_BASE_POWER_BLEND ? stack[top--] : 0.0f;
        const float mask = op->masked ? stack[top--] : 1.0f;
        const float map = stack[top];
        const float combined = otok_base_combined(op->combine, map, otok_base_value(code, op, map, operand, i, j));
        const float mixed = mask > 0.0f ? map + mask * (combined - map) : map;
        stack[top] = mask >= 1.0f ? combined : mixed;
    }
    return stack[0] + 0.0f; /* + 0: no -0 in the state */
}

#endif
