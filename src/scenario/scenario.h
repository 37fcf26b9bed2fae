/* scenario.h: what a scenario says, resolved and checked, as plain data. scenario_read.c reads it.
   The parameter table (parameters.c) describes the values of each group. */
#ifndef OTOK_SCENARIO_H
#define OTOK_SCENARIO_H

#include "../core/state.h"

enum { OTOK_MAX_RIVERS = 256 };
enum {
    OTOK_MAX_PHASES = 64,
    OTOK_MAX_SPANS = 64,
    OTOK_MAX_SEA_POINTS = 4096,
    OTOK_MAX_RASTERS = 8
};

/* Bits of otok_phase.processes: which groups stand in the phase. */
enum {
#define PROCESS(NAME, ...) OTOK_BIT_OF_##NAME,
#include "processes.def"
#undef PROCESS
};
enum {
#define PROCESS(NAME, ...) OTOK_##NAME = 1 << OTOK_BIT_OF_##NAME,
#include "processes.def"
#undef PROCESS
};

typedef struct otok_river {
    double x, y, radius, discharge; /* [m, m, m, m^3/s] */
} otok_river;

enum { OTOK_ONE_WAY, OTOK_SIGNED };                                               /* pipes        */
enum { OTOK_AREA_CONSTANT, OTOK_AREA_DEPTH };                                     /* area         */
enum { OTOK_FRICTION_VECTOR, OTOK_FRICTION_AXIS };                                /* friction     */
enum { OTOK_PER_SECOND, OTOK_PER_ITERATION };                                     /* rates        */
enum { OTOK_CAPACITY_SPEED, OTOK_CAPACITY_SPEED_DEPTH };                          /* capacity_law */
enum { OTOK_CONSERVATIVE, OTOK_SEMI_LAGRANGIAN, OTOK_NO_TRANSPORT };              /* transport    */
enum { OTOK_SLOPE_CENTRAL, OTOK_SLOPE_DOWNHILL, OTOK_SLOPE_CENTRAL_ONE_SPACING }; /* slope      */

enum { OTOK_SHARE, OTOK_EXCESS };                /* law      */
enum { OTOK_DIAGONAL_SQRT2, OTOK_DIAGONAL_ONE }; /* diagonal */

enum { OTOK_LOSSES_DEPOSIT, OTOK_LOSSES_AS_PUBLISHED }; /* losses */

#define PROCESS(NAME, group, ...)                                                                  \
    typedef struct otok_##group {                                                                  \
        __VA_ARGS__                                                                                \
    } otok_##group;
#include "processes.def"
#undef PROCESS

typedef struct otok_phase {
    char name[OTOK_TEXT_SIZE]; /* fewer than OTOK_NAME_SIZE letters, digits, _ and - */
    int64_t iterations;
    int processes; /* bits above */
    int mix_reef_and_erosion;
    int nrivers;
    otok_river rivers[OTOK_MAX_RIVERS];
#define PROCESS(NAME, group, ...) otok_##group group;
#include "processes.def"
#undef PROCESS
} otok_phase;

/* ---- base terrain: a tree of generators ---- */

typedef enum {
    OTOK_GEN_CONSTANT,
    OTOK_GEN_CONE,
    OTOK_GEN_SIMPLEX,
    OTOK_GEN_POWER_BLEND,
    OTOK_GEN_CRATER,
    OTOK_GEN_DIAMOND_SQUARE,
    OTOK_GEN_MIDPOINT,
    OTOK_GEN_FAULTS,
    OTOK_GEN_PLANET,
    OTOK_GEN_CROP,
    OTOK_GEN_SPIKES,
    OTOK_GEN_UPSAMPLE,
    OTOK_GEN_RASTER,
    OTOK_GENERATORS
} otok_generator_kind;
typedef enum { OTOK_REPLACE, OTOK_ADD, OTOK_MULTIPLY, OTOK_MAX, OTOK_MIN, OTOK_LERP } otok_combine;

typedef struct {
    double height;
} otok_constant;
typedef struct {
    double height, radius, power, x, y;
} otok_cone; /* x, y NAN: the middle of the domain */
typedef struct {
    double wavelength, lacunarity, gain, amplitude;
    int64_t octaves;
} otok_simplex;
typedef struct {
    double strength, reference;
} otok_power_blend;
typedef struct {
    double level;
} otok_crater;
typedef struct {
    double low, high, gain;
    int64_t levels, offset_x, offset_y;
    int tile;
} otok_diamond_square; /* midpoint too */
typedef struct {
    double height, step, floor, offset;
    int64_t count;
} otok_faults; /* planet too; only that has offset */
enum {
    OTOK_CROP_RECTANGLE,
    OTOK_CROP_CIRCLE,
    OTOK_CROP_ELLIPSE,
    OTOK_CROP_POLYGON
}; /* shape        */
typedef struct {
    double x, y, width, height, outside;
    int shape;
} otok_crop;
typedef struct {
    int64_t factor;
} otok_upsample;

enum { OTOK_FIT_EXACT, OTOK_FIT_STRETCH };                        /* fit  */
enum { OTOK_FILL_NEAREST, OTOK_FILL_CONSTANT, OTOK_FILL_REFUSE }; /* fill */
typedef struct {
    char file[OTOK_TEXT_SIZE]; /* resolved path */
    double low, high;          /* heights of black and white [m]; NAN: those in the file */
    double fill_height;
    int fit, fill;
} otok_raster_generator;

typedef struct otok_generator {
    otok_generator_kind kind;
    otok_combine combine;
    union {
        otok_constant constant;
        otok_cone cone;
        otok_simplex simplex;
        otok_power_blend power_blend;
        otok_crater crater;
        otok_diamond_square diamond_square;
        otok_faults faults;
        otok_crop crop;
        otok_upsample upsample;
        otok_raster_generator raster;
    } as;
    int map;          /* a raster's place among the rasters of the scenario */
    int stream;       /* its random stream: its place in the file, counted depth first from 0 */
    int nwith, nmask; /* pipelines of its own: operand of a blend or what is upsampled, mask of a
                         combination */
    struct otok_generator *with, *mask;
    int nnumbers; /* a list of its own: sown heights in rows from the bottom (NAN: not sown),
                     corners of a polygon */
    double *numbers;
} otok_generator;

/* A layer of the ground. */
typedef struct otok_layer {
    char name[OTOK_TEXT_SIZE]; /* fewer than OTOK_NAME_SIZE - 8 small letters, digits and _ */
    double erodibility, talus; /* talus NAN: the phase's [degrees] */
    int nthickness;            /* 0 for the last layer, which is bottomless */
    otok_generator *thickness;
} otok_layer;

/* The fields that a scenario may say the start of, and the pipeline of one: n = 0, not given. */
enum { OTOK_INITIAL_MAPS = 3 };
extern const otok_field otok_initial_fields[OTOK_INITIAL_MAPS];
typedef struct otok_initial_map {
    int n;
    otok_generator *list;
} otok_initial_map;

/* Where the calendar of a scenario that was changed while it ran goes on from: what the one before
   came to. All 0, and the sea level and pipes of the start, where nothing changed. */
typedef struct otok_anchor {
    int64_t at; /* finished iterations                                              */
    double time, sea_level, phase_time; /* [s], [m]; reef time of the phase that goes on [s] */
    double clock; /* clock since the start of that phase [s]                          */
    int pipes;    /* kind of the flow that the state has, see otok_scenario_flow_kind */
} otok_anchor;

struct otok_scenario {
    char *path, *directory, *stem; /* of the file: "a/island.yaml" -> "a", "island" */
    char *text;                    /* otok_scenario_text */
    char title[OTOK_TEXT_SIZE];
    int64_t seed;
    otok_grid grid;
    int edges[OTOK_SIDES]; /* otok_edge */
    double sea_level;      /* at iteration 0 [m] */
    int nbase;
    otok_generator *base;
    int nerodibility; /* 0: 1 everywhere */
    otok_generator *erodibility;
    int nlayers; /* top down; 0: one kind of ground */
    otok_layer layers[OTOK_MAX_LAYERS];
    char initial[OTOK_TEXT_SIZE]; /* file with initial fields, resolved path; "" for none */
    otok_initial_map
        initial_maps[OTOK_INITIAL_MAPS]; /* of otok_initial_fields, in place of that file's */
    uint64_t carried; /* of a resumed run, which has no `initial`: the fields that it brought */
    int nphases;
    otok_phase *phases;
    otok_anchor anchor;
    int nchanges; /* of values after iteration 0; the members of this struct are those of iteration
                     0 */
    otok_change *changes;
    int timed;      /* their times are given in seconds, and they leave the clock as it is */
    int64_t end;    /* iterations with all changes made                               */
    uint64_t later; /* buffers that the changes need, see otok_program_buffers        */
    int rain_lines[OTOK_MAX_PHASES]; /* where each phase's rain.map stands in the file, for
                                        messages; 0: in --set, or nowhere */
    struct otok_output {
        int64_t every, keep; /* iterations (0: first and last only); checkpoints kept (0: all) */
        uint64_t fields; /* bit f: field f is written besides what restart needs; all by default */
    } output;
};

/* The phase, by name or number, of a path "phases.NAME.key"; the path then begins with ".key".
   nphases: there is none of that name; -1: another path. */
int otok_scenario_phase_of(const otok_scenario *scenario, const char **path);

/* The group structs by the parameter table's group name, for readers that go by the table. */
void *otok_phase_group(otok_phase *phase, const char *group); /* NULL: no such group */

/* Droplets in the largest batch of any phase; 0: there are none. */
int otok_scenario_batch(const otok_scenario *scenario);
/* A copy of the scenario whose base is pipeline p: 0 the base itself, 1 the erodibility, 2 + i the
   thickness of layer i, then initial_maps. It shares everything with the original: not to be
   destroyed. 0: there is no such pipeline. */
enum {
    OTOK_PIPELINE_INITIAL = 2 + OTOK_MAX_LAYERS,
    OTOK_PIPELINES = OTOK_PIPELINE_INITIAL + OTOK_INITIAL_MAPS
};
int otok_scenario_pipeline(otok_scenario *out, const otok_scenario *scenario, int p);

/* The state fields that the scenario's ground needs beyond base and change; bits. */
uint64_t otok_scenario_ground(const otok_scenario *scenario);

/* The fields of initial_maps that are given; bits. */
uint64_t otok_scenario_initial(const otok_scenario *scenario);

/* Canonical text of a resolved scenario (malloc; the caller's). */
char *otok_scenario_write(const otok_scenario *scenario);

/* Its part before the list of changes, which comes last [bytes]. */
size_t otok_scenario_values_size(const char *text);

/* Of a group of values, such as a generator or a phase's process; choices by their number, NAN: it
 * is no number. */
double otok_parameter_value(const otok_parameter *p, const void *group);

/* The values of a canonical text and these changes (malloc; the caller's). */
char *otok_scenario_with_changes(const char *values, const otok_change *changes, int n);

/* Compares two canonical texts as settings for a resumed run, `title`, `output` and `changes`
   aside. NULL when equal; else a text of this thread that names the first key that differs and both
   values. */
const char *otok_scenario_difference(const char *mine, const char *theirs);

/* ---- the calendar: pure functions of the scenario, so that a restart cannot drift ---- */

typedef struct otok_moment {
    int phase;         /* index of the phase that iteration n belongs to; nphases at the very end */
    int64_t within;    /* iterations of that phase already finished                              */
    double time;       /* [s] */
    double sea_level;  /* [m] */
    double phase_time; /* what the reef's dt come to in that phase, at the very end in the last one
                          [s] */
    double clock;      /* since the start of that phase [s] */
} otok_moment;

/* The state of clock and sea after n finished iterations. */
otok_moment otok_scenario_moment(const otok_scenario *scenario, int64_t n);

/* The number of finished iterations whose time is nearest to this one; -1: the scenario ends
 * before. */
int64_t otok_scenario_iteration_at(const otok_scenario *scenario, double time);

/* The iterations of rain that is given in seconds, as so many iterations of the phase are done and
   took so long. Each end is the nearest one, so that the amount is right within one time step. */
void otok_phase_place_rain(otok_phase *phase, int64_t done, double clock);

/* What one iteration of the phase adds to the clock [s]. */
double otok_phase_step(const otok_phase *phase);

/* The same phase in twice the iterations of half the time steps. */
void otok_phase_halve_steps(otok_phase *phase);

/* The kind of pipes (OTOK_ONE_WAY, OTOK_SIGNED) of a phase, -1 where no water flows; and that of
   the flow which the state has after n iterations: of the last one with water before. */
int otok_pipes_of_phase(const otok_scenario *scenario, int phase);
int otok_scenario_flow_kind(const otok_scenario *scenario, int64_t n);

/* ---- values that change on the way; scenario_change.c ---- */

/* The scenario of a simulation with one value changed after n iterations; `before`: its old value,
   `after` (or NULL): the new one without units (malloc). Those that it is made of have no list of
   changes, nor has the result. */
otok_status otok_scenario_change(otok_scenario **out, char **before, char **after,
                                 const otok_scenario *from, int64_t n, const char *path,
                                 const char *value);

/* The first n of these changes made to a scenario, and the buffers that it and those on the way
   need; *out is a copy even for n = 0. */
otok_status otok_scenario_changed(otok_scenario **out, uint64_t *buffers,
                                  const otok_scenario *scenario, const otok_change *changes, int n);

/* Buffers of its ground and all its phases' programs, changes aside. */
otok_status otok_scenario_buffers(uint64_t *out, const otok_scenario *scenario);

/* Copies of the strings; `before` may be NULL: not known. Destroys n and their array; n = -1: one
 * alone. */
otok_status otok_change_make(otok_change *out, int64_t iteration, const char *path,
                             const char *before, const char *after);
void otok_changes_destroy(otok_change *changes, int n);

#endif
