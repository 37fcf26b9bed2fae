/* plan.h: what must be done to make a base terrain, as plain data. Made by base/compile.c, carried
   out by backends, read by base.h. Lengths are in cells of the map that is being made, so a plan
   holds no grid.

   A plan is a list of passes. Most pipelines need one: EVALUATE every cell of the terrain. What
   reads neighbours (spikes, upsample) reads a map that an earlier pass has evaluated; FILL makes a
   lattice by diamond-square. */
#ifndef OTOK_PLAN_H
#define OTOK_PLAN_H

#include "diamond_square.h"
#include "noise.h"

enum { OTOK_BASE_OPS = 256, OTOK_BASE_OCTAVES = 512, OTOK_BASE_STACK = 16, OTOK_BASE_MAPS = 32 };

typedef enum otok_base_kind {
    OTOK_BASE_START, /* pushes 0: a pipeline of its own begins, the mask or the operand of the op
                        after its end */
    OTOK_BASE_CONSTANT,
    OTOK_BASE_CONE,
    OTOK_BASE_SIMPLEX,
    OTOK_BASE_MIDPOINT, /* a point of a lattice */
    OTOK_BASE_FAULTS,
    OTOK_BASE_PLANET,
    OTOK_BASE_MAP,         /* the same cell of a map */
    OTOK_BASE_SPIKES,      /* it and its neighbours there */
    OTOK_BASE_UPSAMPLE,    /* a place in a coarser map */
    OTOK_BASE_POWER_BLEND, /* takes its operand from the stack */
    OTOK_BASE_CRATER,
    OTOK_BASE_CROP,
    OTOK_BASE_RASTER
} otok_base_kind;

typedef enum otok_base_combine {
    OTOK_BASE_REPLACE,
    OTOK_BASE_ADD,
    OTOK_BASE_MULTIPLY,
    OTOK_BASE_MAX,
    OTOK_BASE_MIN
} otok_base_combine;

typedef enum otok_base_shape {
    OTOK_BASE_RECTANGLE,
    OTOK_BASE_ELLIPSE,
    OTOK_BASE_POLYGON
} otok_base_shape;

typedef struct otok_base_cone {
    float x, x_rest, y, y_rest; /* centre: index of a cell, in two parts, for small cones far out */
    float height;               /* [m] */
    float scale;                /* spacing / radius */
    float power;
} otok_base_cone;

/* Faults of a plane or a planet. `table` counts numbers of plan->table. */
typedef struct otok_base_faults {
    int table, n; /* n lines or planes, each normal, offset, rise: four or five numbers */
    int nx, ny;   /* of the domain */
    int columns,
        rows; /* table: cosine and sine of every column's longitude, of every row's latitude */
} otok_base_faults;

typedef struct otok_base_crop {
    int shape, table, n;                 /* n edges (x0, y0, y1, slope) of a polygon */
    float x, y, half_width, half_height; /* middle: index of a cell; [cells] */
    float outside;                       /* [m] */
} otok_base_crop;

/* Heights from a file, a row of the whole domain after the other from `table` on. */
typedef struct otok_base_raster {
    int map, nx, ny;
    int64_t table;
} otok_base_raster;

typedef struct otok_base_op {
    int kind, combine;
    int masked; /* takes its mask from the stack, from under its operand */
    union {
        float constant; /* [m] */
        otok_base_cone cone;
        struct {
            int from, to; /* half-open, into plan->octaves */
        } simplex;
        struct {
            int map, x, y; /* the point that is cell (0,0) */
            int period;    /* in points; 0: none */
        } midpoint;
        otok_base_faults faults;
        struct {
            int map, factor; /* factor: of UPSAMPLE */
        } map;
        struct {
            float strength, reference; /* 1, m */
        } power_blend;
        float crater; /* [m] */
        otok_base_crop crop;
        otok_base_raster raster;
    } as;
} otok_base_op;

/* The cells (x0,y0)..(x0+nx-1,y0+ny-1) of a grid, in dense rows. */
typedef struct otok_base_map {
    int x0, y0, nx, ny;
    float *at; /* the backend's */
} otok_base_map;

/* 2^levels + 1 points a side; tile: 2^levels, and the first again. */
typedef struct otok_midpoint_fill {
    int levels, tile, midpoint;
    uint32_t stream;
    int sown, sown_depth; /* into plan->table: the points of this depth, NaN: not sown; -1: none */
    float low[OTOK_LEVELS + 1], span[OTOK_LEVELS + 1]; /* of the random part, by depth [m] */
} otok_midpoint_fill;

typedef enum otok_base_pass_kind { OTOK_BASE_EVALUATE, OTOK_BASE_FILL } otok_base_pass_kind;

typedef struct otok_base_pass {
    int kind;
    int map;                 /* to be made; -1: the terrain of the patch */
    int from, to;            /* EVALUATE: half-open, into plan->ops */
    otok_midpoint_fill fill; /* FILL */
} otok_base_pass;

typedef struct otok_base_plan {
    uint32_t seed[2]; /* low, high */
    int nops, noctaves, npasses, nmaps;
    int64_t ntable;
    otok_base_op ops[OTOK_BASE_OPS];
    otok_octave octaves[OTOK_BASE_OCTAVES];
    otok_base_pass passes[OTOK_BASE_MAPS + 1];
    otok_base_map maps[OTOK_BASE_MAPS];
    float *table;
} otok_base_plan;

#endif
