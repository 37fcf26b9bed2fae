/* plan.h: how to make a base terrain, as plain data. base/compile.c makes the plan, backends carry
   it out, base.h reads it. Lengths are in cells of the map that is being made, so that a plan does
   not depend on a grid. A plan is a list of passes. Most pipelines need one pass: EVALUATE every
   cell of the terrain. Generators that read neighbours (spikes, upsample) read a map that an
   earlier pass has evaluated. FILL makes a lattice by diamond-square. */
#ifndef OTOK_PLAN_H
#define OTOK_PLAN_H

#include "diamond_square.h"
#include "noise.h"

enum { OTOK_BASE_OPS = 256, OTOK_BASE_OCTAVES = 512, OTOK_BASE_STACK = 16, OTOK_BASE_MAPS = 32 };

typedef enum otok_base_kind {
    OTOK_BASE_START, /* pushes 0: a nested pipeline begins, the mask or the operand of the op after
                        its end */
    OTOK_BASE_CONSTANT,
    OTOK_BASE_CONE,
    OTOK_BASE_SIMPLEX,
    OTOK_BASE_MIDPOINT, /* a point of a lattice */
    OTOK_BASE_FAULTS,
    OTOK_BASE_PLANET,
    OTOK_BASE_MAP,         /* the same cell of a map */
    OTOK_BASE_SPIKES,      /* that cell and its neighbours */
    OTOK_BASE_UPSAMPLE,    /* a point of a coarser map */
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
    float x, x_rest, y,
        y_rest; /* index of the centre's cell, in two parts, for small cones far from the origin */
    float height; /* [m] */
    float scale;  /* spacing / radius */
    float power;
} otok_base_cone;

/* Faults of a plane or a planet. `table` is an index into plan->table. */
typedef struct otok_base_faults {
    int table, n; /* n lines or planes, each with normal, offset and rise: four or five numbers */
    int nx, ny;   /* of the domain */
    int columns, rows; /* indices into the table: cosine and sine of the longitude of every column,
                          of the latitude of every row */
} otok_base_faults;

typedef struct otok_base_crop {
    int shape, table, n;                 /* a polygon has n edges (x0, y0, y1, slope) */
    float x, y, half_width, half_height; /* index of the middle's cell; half sides [cells] */
    float outside;                       /* [m] */
} otok_base_crop;

/* Heights from a file, in rows over the whole domain, from `table` on. */
typedef struct otok_base_raster {
    int map, nx, ny;
    int64_t table;
} otok_base_raster;

typedef struct otok_base_op {
    int kind, combine;
    int masked; /* takes its mask from the stack, below its operand */
    union {
        float constant; /* [m] */
        otok_base_cone cone;
        struct {
            int from, to; /* half-open, into plan->octaves */
        } simplex;
        struct {
            int map, x, y; /* cell (0,0) is this point of the map */
            int period;    /* in points; 0: not periodic */
        } midpoint;
        otok_base_faults faults;
        struct {
            int map, factor; /* factor: for UPSAMPLE */
        } map;
        struct {
            float strength, reference; /* 1, m */
        } power_blend;
        float crater; /* [m] */
        otok_base_crop crop;
        otok_base_raster raster;
    } as;
} otok_base_op;

/* The cells (x0,y0)..(x0+nx-1,y0+ny-1) of a grid, in rows without gaps. */
typedef struct otok_base_map {
    int x0, y0, nx, ny;
    float *at; /* memory of the backend */
} otok_base_map;

/* A lattice has 2^levels + 1 points a side; with `tile` 2^levels, and then the first again. */
typedef struct otok_midpoint_fill {
    int levels, tile, midpoint;
    uint32_t stream;
    int sown, sown_depth; /* index into plan->table: the points of this depth, NaN where nothing is
                             sown; -1: none */
    float low[OTOK_LEVELS + 1], span[OTOK_LEVELS + 1]; /* range of the random part, by depth [m] */
} otok_midpoint_fill;

typedef enum otok_base_pass_kind { OTOK_BASE_EVALUATE, OTOK_BASE_FILL } otok_base_pass_kind;

typedef struct otok_base_pass {
    int kind;
    int map;                 /* the map to make; -1: the terrain of the patch */
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
