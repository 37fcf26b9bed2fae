/* coefficients.h: what the cell functions need of a phase, worked out once on the host in double
   and rounded to float (scenario/coefficients.c). Lengths in metres, times in seconds. */
#ifndef OTOK_COEFFICIENTS_H
#define OTOK_COEFFICIENTS_H

typedef struct otok_water_coefficients {
    float pipe;      /* dt A g / l */
    float l2_dt;     /* l^2 / dt */
    float dt_l2;     /* dt / l^2 */
    float l;         /* cell size */
    float dry;       /* a cell deeper than this is wet */
    float keep;      /* 1 - evaporation dt */
    float part;      /* evaporation dt where it is below 2^-11, else 0 */
    int wetness_max; /* of the wetness counter */
    int by_depth;    /* area: depth */
} otok_water_coefficients;

typedef struct otok_pipe_coefficients {
    float pipe;     /* dt A g / l; under area: depth dt g, for A = l d */
    float friction; /* dt g n^2 / l */
    float l2_dt;    /* l^2 / dt */
    float lean;     /* (1 - theta) / 2 */
    int by_depth;   /* area: depth */
    int vector;     /* friction: vector, and there is friction */
} otok_pipe_coefficients;

typedef struct otok_erosion_coefficients {
    float per_length; /* 1/l, or 1/2l for central differences */
    float sin2_min;   /* sin^2 of the smallest tilt */
    float capacity;   /* kappa_S of K17 */
    float dissolve;   /* share of C - s taken in one step */
    float deposit;    /* share of s - C laid down */
    float dry;
    int downhill;    /* slope: 1 downhill, 0 central */
    int times_depth; /* capacity_law: speed_depth */
    int displace_water;
} otok_erosion_coefficients;

typedef struct otok_transport_coefficients {
    float dt_l2;  /* dt / l^2 */
    float carry;  /* dt / l^2, less 2^-20 of it: a cell that is emptied must not give more than it
                     has, by rounding */
    float dt_l;   /* dt / l */
    float spread; /* D dt / l^2 */
    int conservative;
    float dry;
} otok_transport_coefficients;

typedef struct otok_thermal_coefficients {
    float amount;         /* dt rate, halved for law share */
    float talus;          /* tan(talus) l */
    float talus_diagonal; /* tan(talus) times the diagonal */
    int excess;           /* law: excess */
} otok_thermal_coefficients;

typedef struct otok_creep_coefficients {
    float share; /* D dt / l^2 */
} otok_creep_coefficients;

enum { OTOK_LAYERS = 8 }; /* at most; equal to OTOK_MAX_LAYERS */

/* The kinds of rock of the ground, top down; n >= 1. */
typedef struct otok_layer_coefficients {
    int n;
    float erodibility[OTOK_LAYERS];
    float talus[OTOK_LAYERS];          /* as in otok_thermal_coefficients */
    float talus_diagonal[OTOK_LAYERS]; /* likewise */
    float most_slide;                  /* of `amount` times erodibility */
} otok_layer_coefficients;

typedef struct otok_reef_coefficients {
    float dt;
    float calcification; /* kappa_B */
    float absorption;    /* kappa_A [1/m] */
    float uptake;        /* kappa_U */
    float min_depth, max_depth;
    float carbon; /* O0 */
} otok_reef_coefficients;

typedef struct otok_droplet_coefficients {
    float per_length; /* 1 / 2l */
    float push;       /* dt / density */
    float dt_l;       /* dt / l */
    float glide;      /* 1 - dt friction */
    float exchange;   /* dt deposition_rate */
    float keep;       /* 1 - dt evaporation */
    float min_volume; /* a droplet ends below it */
    int deposit;      /* losses: deposit */
    int max_steps;    /* a droplet ends after it */
    int batch;        /* droplets at a time */
    int by_rain;      /* they start by a rain map */
} otok_droplet_coefficients;

/* All of them: ROW(type, member). `layers` is of layered stages only. */
#define OTOK_COEFFICIENTS(ROW)                                                                     \
    ROW(otok_water_coefficients, water)                                                            \
    ROW(otok_pipe_coefficients, pipes)                                                             \
    ROW(otok_erosion_coefficients, erosion)                                                        \
    ROW(otok_transport_coefficients, transport)                                                    \
    ROW(otok_thermal_coefficients, thermal)                                                        \
    ROW(otok_creep_coefficients, creep)                                                            \
    ROW(otok_reef_coefficients, reef)                                                              \
    ROW(otok_droplet_coefficients, droplets)                                                       \
    ROW(otok_layer_coefficients, layers)

typedef struct otok_coefficients {
#define OTOK_ROW(type, member) type member;
    OTOK_COEFFICIENTS(OTOK_ROW)
#undef OTOK_ROW
} otok_coefficients;

#endif
