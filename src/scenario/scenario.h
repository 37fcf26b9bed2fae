/* scenario.h: the contents of a scenario, resolved and checked, as plain data. scenario_read.c
   reads it. The parameter table (parameters.c) describes the values of each group. */
#ifndef OTOK_SCENARIO_H
#define OTOK_SCENARIO_H

#include "../core/state.h"
#include "../model/coefficients.h"
#include "dams.h"
#include "rivers.h"

enum { OTOK_MAX_RIVERS = 256, OTOK_MAX_GAUGES = 128, OTOK_MOST_INFLOWS = 16 };
enum { OTOK_MAX_PHASES = 64, OTOK_MAX_SPANS = 64, OTOK_MAX_RASTERS = 8, OTOK_MOST_WAVES = 16 };

/* Bits of otok_phase.processes: the groups that are given in the phase. */
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

enum { OTOK_LAW_PUBLISHED, OTOK_LAW_LOCAL_INERTIA, OTOK_LAW_SHALLOW_WATER }; /* law          */
enum { OTOK_ONE_WAY, OTOK_SIGNED };                                          /* pipes        */
enum { OTOK_AREA_CONSTANT, OTOK_AREA_DEPTH };                                /* area         */
enum { OTOK_ROUTING_RANDOM, OTOK_ROUTING_STEEPEST };                         /* incision.routing */
enum { OTOK_BASE_SIDES, OTOK_BASE_SEA, OTOK_BASE_NONE };             /* incision.base_level */
enum { OTOK_DEPRESSIONS_CARVE, OTOK_DEPRESSIONS_LAKE };              /* incision.depressions */
enum { OTOK_SEA_IGNORED, OTOK_SEA_BASE_LEVEL, OTOK_SEA_CONNECTED };  /* hydraulic.sea */
enum { OTOK_DAMPING_THETA, OTOK_DAMPING_COURANT };                   /* damping      */
enum { OTOK_BED_STEPS_SMOOTH, OTOK_BED_STEPS_CRITICAL };             /* bed_steps    */
enum { OTOK_FRICTION_VECTOR, OTOK_FRICTION_AXIS };                   /* friction     */
enum { OTOK_PER_SECOND, OTOK_PER_ITERATION };                        /* rates        */
enum { OTOK_CAPACITY_SPEED, OTOK_CAPACITY_SPEED_DEPTH };             /* capacity_law */
enum { OTOK_CONSERVATIVE, OTOK_SEMI_LAGRANGIAN, OTOK_NO_TRANSPORT }; /* transport    */
enum { OTOK_SLOPE_CENTRAL, OTOK_SLOPE_DOWNHILL, OTOK_SLOPE_CENTRAL_ONE_SPACING }; /* slope      */

enum { OTOK_FREE, OTOK_NORMAL_DEPTH, OTOK_CRITICAL, OTOK_RATING, OTOK_WAVES_LEAVE = 1 }; /* sides */

enum { OTOK_SHARE, OTOK_EXCESS };                /* law      */
enum { OTOK_CLOCK_OWN, OTOK_CLOCK_PHASE };       /* clock    */
enum { OTOK_DIAGONAL_SQRT2, OTOK_DIAGONAL_ONE }; /* diagonal */

enum { OTOK_REEF_CARBON, OTOK_REEF_LIGHT }; /* law */

enum { OTOK_LOSSES_DEPOSIT, OTOK_LOSSES_AS_PUBLISHED }; /* losses */

#define PROCESS(NAME, group, ...)                                                                  \
    typedef struct otok_##group {                                                                  \
        __VA_ARGS__                                                                                \
    } otok_##group;
#include "processes.def"
#undef PROCESS

typedef struct otok_phase {
    char start[OTOK_TEXT_SIZE]; /* a date; "": not given */
    char name[OTOK_TEXT_SIZE];  /* fewer than OTOK_NAME_SIZE letters, digits, _ and - */
    int64_t iterations;
    int processes; /* bits above */
    int mix_reef_and_erosion;
    int parts;     /* keeps what each process did to the ground, in fields of its own */
    int reversed;  /* its processes come in reverse order (otok_phase_order): a twin's */
    uint64_t maps; /* its parameters that are maps, MAP_BIT */
    int turns; /* OTOK_TO_SPEEDS, OTOK_TO_FLOWS: water of the phases before it keeps the other */
    struct otok_cycle {
        int64_t times; /* the phases from `first` to this one run so often; 0, 1: once */
        char from[OTOK_TEXT_SIZE]; /* name of that phase; "": this one */
        int first;
    } cycle;
    int64_t runs; /* how often it runs, by its cycle; see otok_phase_runs */
    int nrivers, ndams;
    otok_river rivers[OTOK_MAX_RIVERS];
    otok_dam dams[OTOK_DAMS];
#define PROCESS(NAME, group, ...) otok_##group group;
#include "processes.def"
#undef PROCESS
} otok_phase;

/* The rivers of a phase as a value of `rivers` in one line (malloc), without one of them (-1: with
   all) and with one more (NULL: none). */
char *otok_rivers_text(const otok_phase *phase, int without, const otok_river *more);

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

enum { OTOK_FIT_EXACT, OTOK_FIT_STRETCH }; /* fit  */
enum { OTOK_FILL_WALL, OTOK_FILL_NEAREST, OTOK_FILL_CONSTANT, OTOK_FILL_REFUSE };
enum { OTOK_REPROJECT_NONE, OTOK_REPROJECT_AUTO };                    /* reproject */
enum { OTOK_POSITIVE_OF_FILE, OTOK_POSITIVE_UP, OTOK_POSITIVE_DOWN }; /* positive */
typedef struct {
    char file[OTOK_TEXT_SIZE];     /* resolved path */
    char variable[OTOK_TEXT_SIZE]; /* of a NetCDF or HDF5 file; "": its only map */
    double low, high;              /* heights of black and white [m]; NAN: those in the file */
    double nodata;                 /* NAN: as the file says */
    double highest;                /* [m] */
    double fill_height;
    int fit, fill, reproject, positive, over_time;
    int maximum;       /* of the file's cells below a cell, not their mean */
    double at_x, at_y; /* the middle of the grid in coordinates of a map; NAN: not given */
    char at_system[OTOK_TEXT_SIZE]; /* theirs: lonlat, map or EPSG:NUMBER */
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
    int line;         /* in the scenario, for messages */
    int map;          /* index of a raster among the rasters of the scenario */
    int stream;       /* its random stream: its position in the file, counted depth first from 0 */
    int nwith, nmask; /* nested pipelines: the operand of a blend or of upsample; the mask of a
                         combination */
    struct otok_generator *with, *mask;
    int nnumbers; /* a list of numbers: sown heights in rows from the bottom (NAN: not sown), or the
                     corners of a polygon */
    double *numbers;
} otok_generator;

/* A layer of the ground. */
typedef struct otok_layer {
    char name[OTOK_TEXT_SIZE]; /* fewer than OTOK_NAME_SIZE - 8 small letters, digits and _ */
    double erodibility, talus; /* talus NAN: the phase's [degrees] */
    int nthickness;            /* 0 for the last layer, which has no bottom */
    otok_generator *thickness;
} otok_layer;

/* The fields whose initial values a scenario may give. */
enum { OTOK_INITIAL_MAPS = 3 };
extern const otok_field otok_initial_fields[OTOK_INITIAL_MAPS];

/* A pipeline that makes a map: of a field at iteration 0 (erodibility, one of otok_initial_fields),
   or of a parameter of a phase (core/maps.def). */
typedef struct otok_map {
    int buffer, phase; /* phase -1: of a field */
    int line;          /* of its key in the file; 0: from --set */
    int n;
    otok_generator *list;
} otok_map;

/* A gauge at a point, or along a line, a cross section. */
typedef struct otok_gauge {
    char name[OTOK_TEXT_SIZE]; /* fewer than OTOK_NAME_SIZE letters, digits, _ and - */
    double x, y, to_x, to_y;   /* [m]; to_x, to_y NAN: at a point */
} otok_gauge;
int otok_gauge_is_section(const otok_gauge *gauge);

/* A number that the scenario or a study asks of a state: an expression (expression.h). */
enum { OTOK_MAX_RESPONSES = 32 };
typedef struct otok_response {
    char name[OTOK_NAME_SIZE], text[OTOK_TEXT_SIZE];
} otok_response;

/* What uplift has raised the ground by [m]; NaN: by a map, not a number. */
typedef struct otok_rise {
    double in_part, alone; /* in phases with `parts`, and without */
} otok_rise;

/* The state of the calendar at a change of the scenario during the run, from which it continues. If
   nothing changed, all is 0, except the sea level and the kind of pipes at the start. */
typedef struct otok_anchor {
    int64_t at;             /* finished iterations                                              */
    double time, sea_level; /* time [s], level [m] */
    double clock;           /* clock since the start of the present phase [s] */
    int pipes; /* kind of pipes of all water, before the anchor and after; -1: no water yet */
    otok_rise rise;
} otok_anchor;

/* When a run is audited: shares of its iterations, ascending. n = 0: it is not. */
typedef struct otok_audit_moments {
    int n;
    double at[OTOK_AUDIT_WINDOWS];
} otok_audit_moments;

/* A number with its unit, as it was given, beside its value in the unit of the table. */
typedef struct otok_worded {
    const void *at; /* the value in a struct of the scenario */
    double value;
    char text[80];
} otok_worded;

enum { OTOK_UNSAID = 8 }; /* of otok_parameter.open, bit 3 */

struct otok_scenario {
    int users; /* beside its owner; changed atomically, by otok_scenario_use and _destroy */
    char *path, *directory, *stem; /* of the file: "a/island.yaml" -> "a", "island" */
    char *text;                    /* otok_scenario_text */
    char title[OTOK_TEXT_SIZE], start[OTOK_TEXT_SIZE];
    int64_t seed;
    otok_grid grid;
    int edges[OTOK_SIDES]; /* otok_edge */
    double sea_level;      /* at iteration 0 [m] */
    int nbase;
    otok_generator *base;
    int nlayers; /* top down; 0: one kind of ground */
    otok_layer layers[OTOK_MAX_LAYERS];
    char
        initial[OTOK_TEXT_SIZE]; /* path of a file with initial fields, resolved; "" if not given */
    int nmaps;
    otok_map *maps;   /* those of fields are used instead of that file's */
    uint64_t carried; /* for a resumed run, which has no `initial`: the fields that the checkpoint
                         brought */
    int nphases;
    otok_phase *phases;
    int ngauges;
    otok_gauge *gauges;
    int nresponses;
    otok_response *responses;
    otok_anchor anchor;
    int nchanges; /* changes of values after iteration 0; the other members of this struct hold the
                     values at iteration 0 */
    otok_change *changes;
    int timed;   /* the times of all changes are given in seconds, and no change alters the clock */
    int64_t end; /* iterations after all changes */
    otok_set later; /* buffers that the changes need, see otok_program_buffers        */
    otok_audit_moments audit;
    int ngiven;
    otok_worded *given;
    struct otok_output {
        int64_t every, keep; /* iterations (0: first and last only); checkpoints kept (0: all) */
        int64_t gauges;      /* iterations between two samples of the gauges */
        uint64_t fields;     /* bit f: field f is written, besides those that a restart needs; by
                                default all */
    } output;
};

/* The phase, by name or number, of a path "phases.NAME.key"; afterwards the path begins with
   ".key". nphases: no phase has this name. -1: the path is not of a phase. */
int otok_scenario_phase_of(const otok_scenario *scenario, const char **path);

/* The struct of a group by its name in the parameter table, for code that reads by the table. */
void *otok_phase_group(otok_phase *phase, const char *group); /* NULL: no such group */

/* The number of droplets in the largest batch of any phase; 0: no droplets. */
int otok_scenario_batch(const otok_scenario *scenario);

/* A process that needs the grid in one piece; NULL: there is none. */
const char *otok_scenario_undivided(const otok_scenario *scenario);

/* A copy of the scenario that has pipeline p as its base: 0 is the base itself, 1 + i the thickness
   of layer i; then follow the maps. The copy shares everything with the original and must not be
   destroyed. 0: there is no such pipeline. The other functions give the number of pipelines, and
   the buffer of what one makes. */
int otok_scenario_pipeline(otok_scenario *out, const otok_scenario *scenario, int p);
int otok_scenario_pipelines(const otok_scenario *scenario);
int otok_pipeline_buffer(const otok_scenario *scenario, int p);

/* The map of a buffer, and of a phase or -1; NULL: not given. Whether both are made alike. */
const otok_map *otok_scenario_map(const otok_scenario *scenario, int buffer, int phase);
int otok_map_is_same(const otok_map *one, const otok_map *other);

/* The map that a parameter of a phase may be, -1: none; the parameter that a map may be. */
int otok_map_of(const char *group, const char *key);
const otok_parameter *otok_map_parameter(int map);

/* Gives the phase a number in place of a map. */
void otok_map_number(otok_phase *phase, int map, double value);

/* What the buffer of a map holds for n values of the map. */
void otok_map_coefficients(float *out, const float *values, size_t n, int map,
                           const otok_phase *phase, double spacing);

/* Bits of the state fields that the scenario's ground needs besides base and change. */
uint64_t otok_scenario_ground(const otok_scenario *scenario);

/* Do its phases with a reef have `age`? -1: there are none. */
int otok_scenario_dates_reef(const otok_scenario *s);

/* The carbon at the start: that of the first reef with the law carbon; NAN without one. */
double otok_scenario_carbon(const otok_scenario *scenario);

/* Bits of otok_initial_fields that are given as maps. */
uint64_t otok_scenario_initial(const otok_scenario *scenario);

/* The text of a number that was given with a unit, "30 mm/h", by the place of its value in the
   structs of the scenario; NULL: it had none, or another value is there now. */
const char *otok_scenario_given(const otok_scenario *scenario, const void *value);

/* The same of a parameter of a phase. */
const char *otok_phase_given(const otok_scenario *scenario, int phase,
                             const otok_parameter *parameter);

/* The canonical text of a resolved scenario (malloc). Numbers have the units they were given with.
 */
char *otok_scenario_write(const otok_scenario *scenario);

/* The size of its part before the list of changes, which comes last [bytes]. */
size_t otok_scenario_values_size(const char *text);

/* The value of a parameter in a group of values, such as a generator or a process of a phase. A
   choice gives its number; NAN: the value is not a number. */
double otok_parameter_value(const otok_parameter *p, const void *group);

/* The values of a canonical text together with these changes (malloc). */
char *otok_scenario_with_changes(const char *values, const otok_change *changes, int n);

/* Compares two canonical texts as settings for a resumed run, except `title`, `output` and
   `changes`. NULL: they are equal. Otherwise a text of this thread that names the first different
   key and both values. */
const char *otok_scenario_difference(const char *mine, const char *theirs);

/* Are two texts of the value at a path equal, or one number in two units: "36 mm/h", "1.0e-05"? */
int otok_value_is_same(const char *path, const char *a, const char *b);

/* process_uplift.c. What uplift raises the ground by between two iterations [m]; from 0: with
   earlier values, too. NAN: by a map. */
otok_rise otok_scenario_rise(const otok_scenario *s, int64_t from, int64_t upto);

/* ---- values that change during a run; scenario_change.c ---- */

/* The scenario of a simulation with one value changed after n iterations. `before` is the old
   value; `after` (or NULL) is the new one, with the points of its files (malloc). Neither the given
   scenarios nor the result have a list of changes. */
otok_status otok_scenario_change(otok_scenario **out, char **before, char **after,
                                 const otok_scenario *from, int64_t n, const char *path,
                                 const char *value);

/* A copy of the scenario with the first n of these changes made, and the buffers that it and all
   versions on the way need. */
otok_status otok_scenario_changed(otok_scenario **out, otok_set *buffers,
                                  const otok_scenario *scenario, const otok_change *changes, int n);

/* The buffers of the ground and of the programs of all phases, without changes. */
otok_status otok_scenario_buffers(otok_set *out, const otok_scenario *scenario);

/* otok_change_make copies the strings; `before` may be NULL: not known. otok_changes_destroy
   destroys n changes and their array; n = -1: a single change. */
otok_status otok_change_make(otok_change *out, int64_t iteration, const char *path,
                             const char *before, const char *after);
void otok_changes_destroy(otok_change *changes, int n);

/* Says what of a scenario is no error, and hardly meant: files that cover a part of their phase,
   units of titles outside brackets, water that the maxima do not see. */
void otok_scenario_warn(const otok_scenario *scenario, void (*say)(void *user, const char *text),
                        void *user);

#include "calendar.h"

#endif
