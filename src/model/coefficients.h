/* coefficients.h: the numbers of a phase that the cell functions need. The host computes them once
   in double and rounds them to float (scenario/coefficients.c). Lengths are in metres, times in
   seconds. NAN: the parameter is a map (core/maps.def). */
#ifndef OTOK_COEFFICIENTS_H
#define OTOK_COEFFICIENTS_H

#include <stdint.h>

typedef struct otok_water_coefficients {
    float pipe;      /* dt A g / l */
    float l2_dt;     /* l^2 / dt */
    float dt_l2;     /* dt / l^2 */
    float l;         /* cell size */
    float dry;       /* a cell deeper than this is wet */
    float keep;      /* 1 - evaporation dt, the factor of stage 7 */
    float part;      /* evaporation dt if it is below 2^-11, else 0 */
    int wetness_max; /* upper limit of the wetness counter */
    int by_depth;    /* area: depth */
    int exact;       /* depths after the flow are exact in the mean (bed_steps: critical) */
} otok_water_coefficients;

/* Critical flow over steps of the bed; laws shallow_water and local_inertia. */
typedef struct otok_critical_coefficients {
    float critical2; /* 8/27 g */
    float head;      /* 1 / 2g */
    int falls;       /* a bit an otok_side: the ground beyond it goes on falling, if it is open */
    int holds;       /* 0: another law, without that bound */
} otok_critical_coefficients;

typedef struct otok_pipe_coefficients {
    float pipe;                 /* dt A g / l; under area: depth dt g, for A = l d */
    float friction;             /* dt g n^2 / l */
    float l2_dt;                /* l^2 / dt */
    float lean;                 /* (1 - theta) / 2; under damping: courant the most of it */
    float lean_flow, lean_wave; /* damping: courant: dt / (2 l^2), dt^2 g / (4 l^2); else 0 */
    float share;                /* of dt in that of a map of n: 1, less with courant */
    int by_depth;               /* area: depth */
    int vector;                 /* friction: vector, and Manning's n is not 0 */
    float l;
    otok_critical_coefficients critical;
} otok_pipe_coefficients;

/* law: shallow_water. */
typedef struct otok_shallow_coefficients {
    float pull;  /* dt g / l */
    float rough; /* dt g n^2 */
    float bed;   /* g n^2 l */
    float l;
    float dt_l2; /* dt / l^2 */
    float l2_dt; /* l^2 / dt */
    float most;  /* l / dt */
    float dry;
    float share; /* of dt in that of a map of n: 1, less with courant */
    otok_critical_coefficients critical;
} otok_shallow_coefficients;

/* Open sides of a kind of their own (otok_side_kind), by otok_side. */
typedef struct otok_side_coefficients {
    int kind[4];
    float fall[4];           /* root of the slope; NAN: of the bed's */
    int first[4], end[4];    /* the cells of an open part, from the left or the bottom on */
    float power[4], zero[4]; /* rating curve: exponent, level without flow [m] */
    float froude2[4];        /* g Fr^2 of a discharge that enters */
    float smooth;            /* 1 / n */
    float per_l;             /* 1 / l */
    float pull;              /* dt g / l: over a coefficient of a map of Manning's n 1 / n^2 */
    float gravity;
    float l, most; /* most: l / dt */
    int speeds;    /* law: shallow_water */
} otok_side_coefficients;

typedef struct otok_erosion_coefficients {
    float per_length; /* 1/l, or 1/2l for central differences */
    float sin2_min;   /* sin^2 of the smallest tilt */
    float capacity;   /* kappa_S of K17 */
    float swift;      /* C counts speeds up to sqrt(swift d), those of Froude 10; 0: all */
    float dissolve;   /* share of C - s taken in one step */
    float deposit;    /* share of s - C laid down */
    float dry;
    int downhill;    /* slope: 1 downhill, 0 central */
    int times_depth; /* capacity_law: speed_depth */
    int displace_water;
    int to_sea;   /* sea: base_level */
    float sill;   /* l / OTOK_SILL */
    float lowest; /* the ground that water cuts no lower than, of the step, with to_sea [m] */
} otok_erosion_coefficients;

typedef struct otok_transport_coefficients {
    float dt_l2;  /* dt / l^2 */
    float carry;  /* dt / l^2, smaller by 2^-20 of itself, so that rounding never lets an emptied
                     cell give more than it has */
    float dt_l;   /* dt / l */
    float spread; /* D dt / l^2 */
    int conservative;
    float dry;
} otok_transport_coefficients;

typedef struct otok_infiltration_coefficients {
    float rate;    /* K dt [m] */
    float suction; /* suction head times moisture deficit [m] */
} otok_infiltration_coefficients;

typedef struct otok_thermal_coefficients {
    float amount;         /* dt rate, halved for law share */
    float talus;          /* tan(talus) l */
    float talus_diagonal; /* tan(talus) times the diagonal */
    int excess;           /* law: excess */
} otok_thermal_coefficients;

typedef struct otok_creep_coefficients {
    float share; /* D dt / l^2 */
} otok_creep_coefficients;

/* Waves; by kind of direction (OTOK_WAVE_KINDS in waves.h), and by group and quarter turn. */
typedef struct otok_wave_coefficients {
    float swift;      /* g / c^2, with c the group speed in deep water [1/m] */
    float rough;      /* 2 / (3 pi) f_w H g^2 / c^4 [1/m] */
    float breaks;     /* gamma / H [1/m] */
    float full;       /* greatest energy that wind makes, over that of the open sea */
    float way[3];     /* through a cell [m] */
    float gain[3];    /* energy that wind adds on that way, over that of the open sea */
    float lean[3];    /* share of the flux that comes across from the diagonal cell */
    float keep[3];    /* 1 - lean, exactly */
    float weight[16]; /* of group g and quarter q: 4 g + q; their sum is 1 */
    int groups;       /* of four directions */
} otok_wave_coefficients;

typedef struct otok_coast_coefficients {
    float abrades; /* k_w P_open dt [m^2] */
    float drifts;  /* k_l P_open dt / l [m] */
    float beach;   /* 1 / (2 l beach_slope) [1/m] */
    float closure; /* closure_depth */
    float shore;   /* shore_depth */
    float runup;   /* of the waves of the open sea [m] */
} otok_coast_coefficients;

typedef struct otok_marine_coefficients {
    float share;     /* K dt / l^2 */
    float steepness; /* 2 / tidal_range */
    float per_base;  /* 1 / wave_base */
} otok_marine_coefficients;

typedef struct otok_uplift_coefficients {
    double rate; /* [m/s] */
} otok_uplift_coefficients;

enum { OTOK_INFLOWS = 16 };

/* A river from beyond the map: the column and row of the cell that it enters, and its area in 2^-16
   of a cell. */
typedef struct otok_inflow_coefficients {
    int i, j;
    uint64_t units;
} otok_inflow_coefficients;

typedef struct otok_incision_coefficients {
    float rate;                            /* K dt l^(2m - n) */
    float m, n;                            /* exponents of the area and of the slope */
    float diagonal, threshold, deposition; /* 2^(-n/2); in metres of a step; G */
    int random;                            /* routing: random */
    int rains, flows;  /* areas count by a map of rain; by that, with inflows or spread */
    float spread;      /* exponent of multiple flow directions; 0: areas go along receivers */
    int lakes, deltas; /* hollows are lakes; rivers bring sediment to the sea */
    float plume;       /* exp(-l / L), L: of one of its OTOK_PLUME_ROUNDS */
    int ninflows;
    otok_inflow_coefficients inflows[OTOK_INFLOWS];
} otok_incision_coefficients;

enum { OTOK_LAYERS = 8 }; /* the largest number of layers; equal to OTOK_MAX_LAYERS */

/* The kinds of rock of the ground, from the top down; n >= 1. */
typedef struct otok_layer_coefficients {
    int n;
    float erodibility[OTOK_LAYERS];
    float talus[OTOK_LAYERS];          /* as in otok_thermal_coefficients */
    float talus_diagonal[OTOK_LAYERS]; /* likewise */
    float most_slide;                  /* limit of `amount` times erodibility */
} otok_layer_coefficients;

typedef struct otok_reef_coefficients {
    float dt;
    float calcification; /* kappa_B */
    float absorption;    /* kappa_A [1/m] */
    float uptake;        /* kappa_U */
    float min_depth, max_depth;
    float carbon; /* O0 */
} otok_reef_coefficients;

enum { OTOK_LIGHT_SUBSTEPS = 4096 }; /* the largest number of substeps of an iteration */

enum { OTOK_PRODUCERS = 3 }; /* of a reef, at most */

/* What makes carbonate by light. */
typedef struct otok_producer_coefficients {
    float growth; /* G_m dt [m] */
    float still;  /* e_min, the share of it in still water; 1 without waves */
    float light;  /* I_0 / I_k */
    float absorption;
} otok_producer_coefficients;

/* law: light_saturation. */
typedef struct otok_light_coefficients {
    float growth;     /* the most that all producers grow in an iteration [m] */
    float absorption; /* the largest of theirs */
    float swell;      /* 1 / e_ref */
    float buried;     /* 1 / what rivers bring in a step at which growth falls to 1/e [1/m] */
    float min_depth;
    float rock;      /* share of the growth that joins the second layer; 0: all joins the first */
    float dissolves; /* denudation of exposed reef in an iteration [m] */
    int n;           /* producers */
    otok_producer_coefficients of[OTOK_PRODUCERS];
} otok_light_coefficients;

typedef struct otok_droplet_coefficients {
    float per_length; /* 1 / 2l */
    float push;       /* dt / density */
    float dt_l;       /* dt / l */
    float glide;      /* 1 - dt friction */
    float exchange;   /* dt deposition_rate */
    float keep;       /* 1 - dt evaporation */
    float min_volume; /* a droplet ends below it */
    int deposit;      /* losses: deposit */
    int max_steps;    /* a droplet ends after so many steps */
    int batch;        /* droplets that run at the same time */
    int by_rain;      /* starts are drawn by a map of rain */
} otok_droplet_coefficients;

typedef struct otok_wind_coefficients {
    float flux;      /* K dt / l */
    float x, y;      /* of the direction to which it blows */
    float thickness; /* h0 */
} otok_wind_coefficients;

/* The depths [m] that count as arrived, and as flooded. */
typedef struct otok_maxima_coefficients {
    float arrival, duration;
} otok_maxima_coefficients;

/* All coefficients: ROW(type, member). Only stages over layers read `layers`. */
#define OTOK_COEFFICIENTS(ROW)                                                                     \
    ROW(otok_water_coefficients, water)                                                            \
    ROW(otok_pipe_coefficients, pipes)                                                             \
    ROW(otok_shallow_coefficients, shallow)                                                        \
    ROW(otok_side_coefficients, sides)                                                             \
    ROW(otok_erosion_coefficients, erosion)                                                        \
    ROW(otok_transport_coefficients, transport)                                                    \
    ROW(otok_infiltration_coefficients, infiltration)                                              \
    ROW(otok_thermal_coefficients, thermal)                                                        \
    ROW(otok_creep_coefficients, creep)                                                            \
    ROW(otok_wave_coefficients, waves)                                                             \
    ROW(otok_incision_coefficients, incision)                                                      \
    ROW(otok_uplift_coefficients, uplift)                                                          \
    ROW(otok_reef_coefficients, reef)                                                              \
    ROW(otok_light_coefficients, light)                                                            \
    ROW(otok_coast_coefficients, coast)                                                            \
    ROW(otok_marine_coefficients, marine)                                                          \
    ROW(otok_wind_coefficients, wind)                                                              \
    ROW(otok_maxima_coefficients, maxima)                                                          \
    ROW(otok_droplet_coefficients, droplets)                                                       \
    ROW(otok_layer_coefficients, layers)

typedef struct otok_coefficients {
#define OTOK_ROW(type, member) type member;
    OTOK_COEFFICIENTS(OTOK_ROW)
#undef OTOK_ROW
} otok_coefficients;

#endif
