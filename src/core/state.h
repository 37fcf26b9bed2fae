/* state.h: patches of a grid, their buffers, boxes of cells, and the list of steps of an
   iteration. All backends share it. It holds no physics. */
#ifndef OTOK_STATE_H
#define OTOK_STATE_H

#include "../model/math.h"
#include "../otok.h"
#include "stages.h"

/* The sides of a grid, and what lies beyond each of them. */
typedef enum { OTOK_LEFT, OTOK_RIGHT, OTOK_BOTTOM, OTOK_TOP, OTOK_SIDES } otok_side;
typedef enum { OTOK_CLOSED, OTOK_OPEN, OTOK_PERIODIC } otok_edge;

/* The float buffers of a patch: the state fields with the numbers of otok_field (OTOK_WETNESS is
   unused), scratch, and the parameters of the phase that are maps. */
enum {
    OTOK_BEFORE_SCRATCH = OTOK_STORED - 1,
#define SCRATCH(NAME, ...) OTOK_##NAME,
#include "scratch.def"
    OTOK_MAPS,
    OTOK_MAPS_BEFORE = OTOK_MAPS - 1,
#define MAP(NAME, ...) OTOK_MAP_##NAME,
#include "maps.def"
#undef MAP
    OTOK_MAPS_END,
    OTOK_BUFFERS = OTOK_MAPS_END
};
enum {
#define WITHIN(NAME, process, OF, words) OTOK_##NAME = OTOK_##OF,
#include "scratch.def"
};

#ifdef __cplusplus
extern "C" {
#endif
/* The name of a buffer, with its process, for messages; never NULL. */
const char *otok_buffer_name(int buffer);
#ifdef __cplusplus
}
#endif

#define MAP_BIT(map) BIT((map)-OTOK_MAPS) /* for sets of maps alone: otok_phase.maps */

/* What one iteration brings by each number of the phase's rivers. power 0: a hydrograph [m^3], and
   number 0 is 1: rivers of constant discharge. Below 0: a level [m]. Else of * (height of the water
   over `zero`)^power leaves [m^3]; zero NAN: over the ground. */
enum { OTOK_HYDROGRAPHS = 16 };
typedef struct otok_volumes {
    float of[OTOK_HYDROGRAPHS];
    float power[OTOK_HYDROGRAPHS], zero[OTOK_HYDROGRAPHS]; /* [m] */
} otok_volumes;

enum { OTOK_DAMS = 16 }; /* the most thin dams of a phase */

/* Where the sea's level or the rate of uplift turns within an iteration: after this share of it,
   the sea's level there [m], and the seconds of uplift until then. Between knots both are lines. */
enum { OTOK_KNOTS = 8 };
typedef struct otok_knot {
    float at, sea, lifted;
} otok_knot;

/* The values of one iteration that are the same in all cells: ROW(type, member, unit). `rain` is
   the depth of rain, to be multiplied by the map if there is one. `phase` is that of the dithers
   (model/dither.h). `sea` is the sea level, `sea_to` that after the iteration. The batch has so
   many `droplets`; `first_droplet` is the number of its first one, over all phases. Uplift since
   the start of the run goes from `uplift_from` to `uplift_to` times its rate. `turns`: the water
   keeps something else from here on (otok_phase.turns). `waves`: they are due. `begin`, `end`: the
   times before and after the iteration, if the phase dates its reef or its maxima. `iteration`: its
   number, over all phases. `draw`: a hash of the seed, by which rivers are routed; `drains`,
   `held`: bits of the sides over which they leave, and of those that are held against uplift;
   `rainfall`: a factor of the rain on what they drain. */
#define OTOK_STEP_VALUES(ROW)                                                                      \
    ROW(float, rain, "m")                                                                          \
    ROW(uint32_t, phase, "1")                                                                      \
    ROW(float, sea, "m")                                                                           \
    ROW(float, sea_to, "m")                                                                        \
    ROW(int64_t, first_droplet, "1")                                                               \
    ROW(int, droplets, "1")                                                                        \
    ROW(double, uplift_from, "s")                                                                  \
    ROW(double, uplift_to, "s")                                                                    \
    ROW(int, turns, "1")                                                                           \
    ROW(int, waves, "1")                                                                           \
    ROW(float, begin, "s")                                                                         \
    ROW(float, end, "s")                                                                           \
    ROW(float, wind, "m3 s-3")                                                                     \
    ROW(int64_t, iteration, "1")                                                                   \
    ROW(uint32_t, draw, "1")                                                                       \
    ROW(int, drains, "1")                                                                          \
    ROW(int, held, "1")                                                                            \
    ROW(float, rainfall, "1")

typedef struct otok_step {
#define OTOK_ROW(type, member, unit) type member;
    OTOK_STEP_VALUES(OTOK_ROW)
#undef OTOK_ROW
    otok_volumes rivers;      /* factors of the springs */
    float levels[OTOK_SIDES]; /* of the water beyond sides that have one [m] */
    float
        enters[OTOK_SIDES];  /* over sides with a discharge [m^2/s]; the factor of a rating curve */
    float crests[OTOK_DAMS]; /* of thin dams [m] */
    int nknots;              /* of a phase whose reef grows by light */
    otok_knot knots[OTOK_KNOTS];
} otok_step;

/* What a global stage reads if it exists: its inputs and the walls of the grid. */
OTOK_FN otok_set otok_stage_inputs(otok_stage stage)
{
    const otok_stage_info *info = &otok_stage_infos[stage];
    otok_set in = otok_set_or(info->reads, info->given);
    otok_set_add(&in, OTOK_WALLS);
    return in;
}

/* The bottoms of layers that a stage may write: those of `given`, unless another stage follows that
   moves them. */
OTOK_FN otok_set otok_stage_bottoms(const otok_stage_info *stage)
{
    const otok_set none = {{0}};
    return stage->layers == OTOK_STAGE_FOLLOWED
               ? none
               : otok_set_and(stage->given,
                              otok_set_range(OTOK_LAYER_BOTTOM, OTOK_LAYER_BOTTOM_LAST + 1));
}

/* All that a stage may write. */
OTOK_FN otok_set otok_stage_changes(int stage)
{
    const otok_stage_info *info = &otok_stage_infos[stage];
    return otok_set_or(otok_set_or(info->writes, info->seldom), otok_stage_bottoms(info));
}

/* What a stage reads of its neighbours; if it is there, also maps, and if it is FOLLOWED, all that
   is given. */
OTOK_FN otok_set otok_stage_around(const otok_stage_info *info)
{
    const otok_set maps = otok_set_range(OTOK_MAPS, OTOK_MAPS_END),
                   given = info->layers == OTOK_STAGE_FOLLOWED ? info->given
                                                               : otok_set_and(info->given, maps);
    return otok_set_without(otok_set_or(info->reads, given),
                            otok_set_or(info->writes, info->seldom));
}

/* Knot p of an iteration; after the last one it is the end. */
OTOK_FN otok_knot otok_knot_of(const otok_step *step, int p)
{
    const otok_knot end = {1.0f, step->sea_to, (float)(step->uplift_to - step->uplift_from)};
    return p < step->nknots ? step->knots[p] : end;
}

/* How many times what iteration n of a run moves is booked. Fast kernels have time for one of 64:
   one of each 64, at places that multiples of the golden ratio spread over whatever repeats. So
   ground_moved is exact for 256 iterations, and then an estimate. Until any iteration, 64 times
   those that count are all but 64 at most. So it is wrong by at most 64 times what the moves of
   iterations change from one to the next, and the last of them, together (summation by parts). */
enum { OTOK_MOVES_ALL = 256 };
OTOK_FN int otok_moves_count(int64_t n)
{
    const uint32_t place = (uint32_t)(n >> 6) * 0x9e3779b9u >> 26;
    return n < OTOK_MOVES_ALL ? 1 : (uint32_t)n % 64 == place ? 64 : 0;
}

/* Does a stage do anything in this iteration? */
OTOK_FN int otok_stage_is_due(otok_stage stage, const otok_step *step)
{
    return (stage != OTOK_STAGE_WAVES && stage != OTOK_STAGE_WAVES_SPENT) || step->waves;
}

/* Sums over the grid. Each is a pair of integers (hi, lo) with the value hi*2^-8 + lo*2^-39
   metres, see model/fixed.h. */
enum {
    OTOK_SUM_NOTHING = -1,
#define OTOK_ENTRY(...)
#define OTOK_BOOK(SUM, ...) OTOK_SUM_##SUM,
#include "../otok_ledger.def"
    OTOK_SUM_DEPOSITED, /* laid on a ground in layers, without the reef */
    OTOK_SUM_ERODED,    /* taken from layer 0; add i for layer i */
    OTOK_SUM_ERODED_LAST = OTOK_SUM_ERODED + OTOK_MAX_LAYERS - 1,
    OTOK_SUMS
};

typedef struct otok_sum {
    int64_t hi, lo;
} otok_sum;

/* A rectangle of nx x ny cells of a grid, with a ring of ghost cells around it. Cell (i, j) of a
   buffer is at[b][j*pitch + i], -1 <= i <= nx, -1 <= j <= ny. A band of a grid also computes
   `shared` rows of the bands below and above it. What it computes there is not booked, measured,
   diagnosed or copied to the host. Kernels take it by value. */
typedef struct otok_view {
    int nx, ny;
    ptrdiff_t pitch; /* floats from row to row, a multiple of 32 */
    int x0, y0;      /* global index of cell (0,0) */
    int global_nx;   /* global index of a cell: otok_row_of(j)*global_nx + x0+i */
    int global_ny;
    int shared[2];           /* rows at the bottom and at the top that belong to other bands */
    int origin, period;      /* global rows from `origin` on repeat after `period`; 0: they do not
                                repeat */
    float *at[OTOK_BUFFERS]; /* NULL for buffers that no phase needs */
    uint8_t *wetness;        /* the same layout, one byte a cell, pitch bytes a row */
    const otok_step *steps;  /* the segment's schedule, if the backend can read it */
    const int *now;          /* index of the present iteration in `steps` */
    otok_sum *sums;          /* OTOK_SUMS bookings */
    uint64_t *droplets_upto; /* sums of weights of cells 0..c, dense, by which droplets start
                                (sim/starts.h); NULL: anywhere */
    uint64_t *droplets_put;  /* what droplets leave in a cell in a step [2^-39 m], laid out as
                                the buffers; 0 between steps */
} otok_view;

/* The global row of row j. */
OTOK_FN int otok_row_of(const otok_view *v, int j)
{
    const int row = v->y0 + j, end = v->origin + v->period;
    return v->period && row >= end ? v->origin + (row - v->origin) % v->period : row;
}

/* What the rivers bring to a cell in an iteration [m], with its values of OTOK_SPRING_OF and
   OTOK_SPRINGS. */
OTOK_FN float otok_spring(const otok_volumes *rivers, float of, float spring)
{
    return rivers->of[(int)of] * spring;
}

/* The coefficient of a parameter in a cell: a number, or NAN if there is a map. */
OTOK_FN float otok_map_at(const otok_view *v, int map, float number, ptrdiff_t at)
{
    return number == number ? number : v->at[map][at];
}

/* The rows that the patch owns: the first, and their number. */
OTOK_FN int otok_own_from(const otok_view *v)
{
    return v->shared[0];
}

OTOK_FN int otok_own_rows(const otok_view *v)
{
    return v->ny - v->shared[0] - v->shared[1];
}

/* The state fields among these buffers, as bits; the maps among them that a phase has, of
   otok_phase.maps. */
OTOK_FN uint64_t otok_set_fields(otok_set buffers)
{
    return buffers.word[0] & (BIT(OTOK_STORED) - 1);
}

OTOK_FN otok_set otok_set_maps(uint64_t bits)
{
    otok_set s = {{0}};
    for (int map = OTOK_MAPS; map < OTOK_MAPS_END; map++)
        if (bits >> (map - OTOK_MAPS) & 1) otok_set_add(&s, map);
    return s;
}

/* How to get host memory for copies to and from a backend. It is page-locked for a GPU. take
   returns NULL if there is no memory. */
typedef struct otok_memory {
    void *(*take)(size_t bytes);
    void (*give)(void *memory); /* accepts NULL */
} otok_memory;

/* A copy to the host that may not have arrived yet. wait returns when it has; any one thread
   calls it once. NULL: it has arrived. */
typedef struct otok_arrival {
    otok_status (*wait)(void *ticket);
    void *ticket;
} otok_arrival;

/* A box of owned cells: x0 <= i < x1, y0 <= j < y1. */
typedef struct otok_box {
    int x0, x1, y0, y1;
} otok_box;

/* The value of a ghost cell beyond a side that is not periodic. */
typedef enum otok_halo {
    OTOK_HALO_COPY, /* the edge cell's value, corners after x */
    OTOK_HALO_DRY,  /* the edge cell's value; 0 outside an open edge */
    OTOK_HALO_ZERO, /* 0: nothing flows in */
    OTOK_HALO_WALL, /* +infinity: there is no cell */
    /* Flows through the right faces of cells. Beyond the left and right sides: 0 if the side is
       closed; if it is open, the ghost keeps what a stage gave it. Beyond the others: as COPY. */
    OTOK_HALO_RIGHTWARD,
    OTOK_HALO_UPWARD /* the same for flows through the top faces */
} otok_halo;

/* One operation of a program. A program is the list of operations of an iteration. */
typedef struct otok_op {
    enum { OTOK_OP_STAGE, OTOK_OP_HALO, OTOK_OP_SWAP } kind;
    int a, b; /* STAGE: a = otok_stage. HALO: a = buffer, b = otok_halo. SWAP: a, b = buffers whose
                 pointers change places */
} otok_op;

enum { OTOK_MAX_OPS = 512 };

typedef struct otok_program {
    int nops;
    otok_op ops[OTOK_MAX_OPS];
} otok_program;

#endif
