/* parameters.c: the one table of parameters. The rows of a process are in process_<group>.c. The
   scenario reader, --set, the attributes of files and the reference of the keys use this table.
   Lists of kind OTOK_LIST are here for the reference only: each has a reader of its own. */
#include "parameter_rows.h"
#include "process.h"
#include "river_rows.h"

#include <string.h>

#define EDGES "closed|open|periodic"
#define EDGE(key, side)                                                                            \
    CHOICE_AT("edges", key, sizeof(int) * (side), EDGES, OTOK_CLOSED, "",                          \
              "what is beyond this side")

/* Groups that share a struct. */
#define MIDPOINT(group)                                                                            \
    INT(group, otok_diamond_square, levels, "n", 0, 0, 15, "M13 section 3.1",                      \
        "the lattice has 2^levels + 1 points a side, one a cell; 0: as many as cover the grid"),   \
        REAL(group, otok_diamond_square, low, "", "m", -75, -HUGE_LENGTH, HUGE_LENGTH, 0,          \
             "M13 section 3.1", "least random height of the corners and the first level"),         \
        REAL(group, otok_diamond_square, high, "", "m", 75, -HUGE_LENGTH, HUGE_LENGTH, 0,          \
             "M13 section 3.1", "greatest random height of the corners and the first level"),      \
        REAL(group, otok_diamond_square, gain, "k", "1", 0.5, 0, 1, 0, "M13 section 3.1",          \
             "factor of the random range from level to level; less is smoother"),                  \
        INT(group, otok_diamond_square, offset_x, "", 0, 0, 1 << 15, "M13 section 3.1.2",          \
            "points of the lattice left of the first cell"),                                       \
        INT(group, otok_diamond_square, offset_y, "", 0, 0, 1 << 15, "M13 section 3.1.2",          \
            "points of the lattice below the first cell"),                                         \
        BOOL(group, otok_diamond_square, tile, "",                                                 \
             "opposite borders are equal, and the lattice repeats without a seam"),                \
        LIST(group, "sown", "", "m", "M13 section 3.1.1",                                          \
             "rows of 2^d + 1 heights, the top row first, spread over the lattice and kept "       \
             "exactly; null: drawn as usual")
#define FAULTS(group, source)                                                                      \
    INT(group, otok_faults, count, "n", 128, 1, 1 << 20, source, "number of faults"),              \
        REAL(group, otok_faults, height, "delta h", "m", 5, 0, HUGE_LENGTH, 0, source,             \
             "the first fault lifts one side by this and lowers the other"),                       \
        REAL(group, otok_faults, step, "const", "m", 0.04, 0, HUGE_LENGTH, 0, source,              \
             "decrease in displacement from one fault to the next"),                               \
        REAL(group, otok_faults, floor, "", "m", 0, 0, HUGE_LENGTH, 0, "",                         \
             "every fault moves at least this much")

typedef struct otok_scenario scenario;
typedef struct otok_output output;
typedef otok_gauge gauge;
typedef otok_road_request request;

static const otok_parameter scenario_rows[] = {
    ROW("", "otok", "", "1", OTOK_INT, NULL, NAN, 1, 1, 0, (size_t)-1, "",
        "version of the scenario format, always 1"),
    TEXT("", scenario, title, "title", "one line that names the run in files and pictures"),
    ROW("", "start", "", "", OTOK_TEXT, NULL, 0, 0, 0, OTOK_UNSAID, offsetof(scenario, start), "",
        "the date at iteration 0, such as 2023-08-04T06:00Z, or its age, such as -400 kyr, for "
        "files "
        "with dates or ages"),
    INT("", scenario, seed, "", 0, 0, 9007199254740991.0, "", "seed of all random streams"),
    LIST("", "base", "", "", "K17 eq. 1-5; M13 chapter 3; J16",
         "pipeline of generators, top to bottom; each changes the map so far"),
    LIST("", "audit", "", "", "",
         "in windows that start at these shares of the run, 16 at most, a twin with half the time "
         "step, "
         "and half the interval of waves, shows how much the result depends on them; `on`, the "
         "default: [0, 0.015625, 0.0625, 0.25, "
         "0.5]; `off`: none"),
    STRUCTS("", scenario, "phases", nphases, phases, "phase", 0, OTOK_MAX_PHASES, OWNED, "",
            "what is simulated, in order"),
    STRUCTS("", scenario, "gauges", ngauges, gauges, "gauge", 0, OTOK_MAX_GAUGES, OWNED, "",
            "places whose water, and the column of whose reef, is sampled; otok export writes the "
            "series as CSV"),
    LIST("", "responses", "", "", "",
         "names with expressions over the fields, such as reef_area: area(reef > 0.5); otok run, "
         "inspect and study print their values"),
    ROW("", "changes", "", "", OTOK_LIST, "change", 0, 0, 0, 0, 0, "",
        "values of phases that change during the run, in the order of iterations"),
    ROW("change", "at", "", "1", OTOK_INT, NULL, 0, 0, HUGE_COUNT, 0,
        offsetof(otok_change, iteration), "",
        "finished iterations of all phases, or a time with its unit, `3 h`; the change acts from "
        "the "
        "next iteration on"),
    LIST("change", "path", "", "", "", "as for --set: phases.NAME.GROUP.KEY, or phases.NAME.GROUP"),
    LIST("change", "value", "", "", "",
         "the new value; `off` takes a process away, a map such as {talus: 35} adds it"),

    LIST("", "erodibility", "", "1", "",
         "a number or a pipeline like `base`: factor of dissolution, sliding and incision; below 0 "
         "counts as "
         "0"),
    STRUCTS("", scenario, "layers", nlayers, layers, "layer", 1, OTOK_MAX_LAYERS, NAMED,
            "Stava et al. 2008",
            "kinds of rock, top down; the last is bottomless; deposits join the first"),
    NAME("layer", otok_layer, SMALL_NAME, 32, GIVEN,
         "small letters, digits and _; fields layer_NAME (thickness) and bottom_NAME"),
    LIST("layer", "thickness", "", "m", "",
         "a number or a pipeline; the generators of `base` give its map again; below 0 counts as "
         "0; the last layer has none"),
    REAL("layer", otok_layer, erodibility, "", "1", 1, 0, 1e6, 0, "Stava et al. 2008",
         "factor of dissolution, sliding and incision"),
    REAL("layer", otok_layer, talus, "", "degree", NAN, 0, 89.9, 0, "",
         "steeper slopes of this layer slide; default: the phase's"),

    INT("grid", otok_grid, nx, "", 512, 1, 1 << 20, "", "number of cells from left to right"),
    INT("grid", otok_grid, ny, "", 512, 1, 1 << 20, "", "number of cells from bottom to top"),
    REAL("grid", otok_grid, spacing, "l", "m", 1, 0, HUGE_LENGTH, OPEN_LOW, "",
         "cell size, also the length of a pipe"),
    EDGE("left", OTOK_LEFT),
    EDGE("right", OTOK_RIGHT),
    EDGE("bottom", OTOK_BOTTOM),
    EDGE("top", OTOK_TOP),
    ROW("sea", "level", "W", "m", OTOK_REAL, NULL, 0, -HUGE_LENGTH, HUGE_LENGTH, 0, 0, "K17 eq. 23",
        "sea level at the start; hydraulic erosion ignores it, incision ends at it"),
    ROW("initial", "file", "", "", OTOK_TEXT, NULL, 0, 0, 0, 0, offsetof(scenario, initial), "",
        "HDF5 or NetCDF-4 file whose fields replace the initial ones: a checkpoint, or maps of "
        "their "
        "names; relative to the scenario's file"),
    LIST("initial", "water", "", "m", "",
         "a number or a pipeline like `base`, in place of the file's; below 0 counts as 0"),
    LIST("initial", "sediment", "", "m", "", "a number or a pipeline, as for water"),
    LIST("initial", "carbon", "", "1", "",
         "a number or a pipeline, as for water; also in place of reef.carbon"),

    CHOICE("generator", otok_generator, combine, "replace|add|multiply|max|min|lerp", OTOK_REPLACE,
           "", "how the result joins the map so far"),
    LIST("generator", "mask", "", "1", "",
         "pipeline, starting from 0, whose result (clamped to 0..1) weighs the combination"),
    LIST("generator", "with", "h_B", "", "K17 eq. 4",
         "pipeline, starting from 0: the second operand of power_blend; what upsample makes finer"),
    REAL("constant", otok_constant, height, "", "m", 0, -HUGE_LENGTH, HUGE_LENGTH, 0, "",
         "height everywhere"),
    REAL("cone", otok_cone, height, "H", "m", 100, -HUGE_LENGTH, HUGE_LENGTH, 0, "K17 eq. 1-2",
         "height at the centre"),
    REAL("cone", otok_cone, radius, "R", "m", 400, 0, 1e9, OPEN_LOW, "K17 eq. 1-2",
         "the height is 0 beyond it"),
    REAL("cone", otok_cone, power, "p", "1", 1, 0, 100, OPEN_LOW, "K17 eq. 1-2",
         "1: a straight cone; more: a rounder top"),
    REAL("cone", otok_cone, x, "", "m", NAN, -1e9, 1e9, 0, "",
         "centre; default: the middle of the domain"),
    REAL("cone", otok_cone, y, "", "m", NAN, -1e9, 1e9, 0, "",
         "centre; default: the middle of the domain"),
    INT("simplex", otok_simplex, octaves, "N", 8, 1, 32, "K17 eq. 3", "number of octaves"),
    REAL("simplex", otok_simplex, wavelength, "", "m", 256, 0, 1e9, OPEN_LOW, "K17 eq. 3",
         "wavelength of octave 0"),
    REAL("simplex", otok_simplex, lacunarity, "", "1", 2, 0, 16, OPEN_LOW, "K17 eq. 3",
         "factor of the frequency from octave to octave"),
    REAL("simplex", otok_simplex, gain, "", "1", 0.5, -1, 1, 0, "K17 eq. 3",
         "factor of the amplitude from octave to octave"),
    REAL("simplex", otok_simplex, amplitude, "", "m", 1, -HUGE_LENGTH, HUGE_LENGTH, 0, "K17 eq. 3",
         "amplitude of octave 0; an octave is about -1..1 times its amplitude"),
    REAL("power_blend", otok_power_blend, strength, "kappa_N", "1", 0.5, -100, 100, 0, "K17 eq. 4",
         "strength of the blend; 0 leaves the map as it is"),
    REAL("power_blend", otok_power_blend, reference, "H_ref", "m", 1, 0, HUGE_LENGTH, OPEN_LOW,
         "K17 eq. 4",
         "reference height, unchanged by the blend; the cone's height if heights are in metres (1 "
         "in the paper)"),
    REAL("crater", otok_crater, level, "kappa_C", "m", 100, -HUGE_LENGTH, HUGE_LENGTH, 0,
         "K17 eq. 5", "heights above it are mirrored downwards"),
    TEXT("raster", otok_raster_generator, file, "file",
         "heights: PNG in gray, Esri ASCII, NetCDF-4, HDF5, or what GDAL reads; relative to the "
         "scenario's file"),
    TEXT("raster", otok_raster_generator, variable, "variable",
         "map in a NetCDF or HDF5 file that has several; default: its only one, or `terrain`"),
    BOOL("raster", otok_raster_generator, over_time, "",
         "`rain.map` alone: the variable has the dimensions (time, y, x), and its maps of rain, in "
         "a unit such as mm h-1 or kg m-2 s-1, follow one another from the start of the phase on"),
    CHOICE("raster", otok_raster_generator, fit, "exact|stretch", OTOK_FIT_EXACT, "",
           "exact: size and spacing are the grid's; stretch: bilinear over the grid, means of the "
           "cells of a finer file, which keeps "
           "the place only if the outer edges fit"),
    CHOICE("raster", otok_raster_generator, reproject, "none|auto", OTOK_REPROJECT_NONE, "",
           "auto: warps the raster to its UTM zone and the grid's spacing, middle on middle, or to "
           "the place of an earlier raster (needs GDAL)"),
    REAL("raster", otok_raster_generator, at_x, "", "1", NAN, -1e12, 1e12, 0, "",
         "x or longitude of the grid's middle, with at_y and at_system: the cells around it are "
         "read; written as `at: [13.41, 52.52]` with a `system`, as of rivers"),
    REAL("raster", otok_raster_generator, at_y, "", "1", NAN, -1e12, 1e12, 0, "",
         "y or latitude of the grid's middle"),
    ROW("raster", "at_system", "", "", OTOK_TEXT, NULL, 0, 0, 0, OTOK_UNSAID,
        offsetof(otok_raster_generator, at_system), "",
        "the system of at_x and at_y: lonlat, map (the file's own) or EPSG:NUMBER"),
    BOOL("raster", otok_raster_generator, maximum, "",
         "true: under `fit: stretch` and `reproject: auto` a cell has the greatest height of the "
         "file's cells in it, so that dikes keep theirs, and no mean"),
    REAL("raster", otok_raster_generator, low, "", "m", NAN, -HUGE_LENGTH, HUGE_LENGTH, 0, "",
         "height of black (PNG); default: the file's otok_low"),
    REAL("raster", otok_raster_generator, high, "", "m", NAN, -HUGE_LENGTH, HUGE_LENGTH, 0, "",
         "height of white (PNG); default: the file's otok_high"),
    REAL("raster", otok_raster_generator, nodata, "", "1", NAN, -1e39, 1e39, 0, "",
         "number in the file that means no data, beside the one that the file declares"),
    CHOICE("raster", otok_raster_generator, positive, "of_file|up|down", OTOK_POSITIVE_OF_FILE, "",
           "where numbers above 0 are; up: heights; down: depths; of_file: as the file tells"),
    REAL("raster", otok_raster_generator, highest, "", "m", 12000, 0, HUGE_LENGTH, 0, "",
         "heights beyond it, up or down, are refused: they mean no data more often than heights"),
    CHOICE("raster", otok_raster_generator, fill, "wall|nearest|constant|refuse", OTOK_FILL_WALL,
           "",
           "what cells without data become; wall: no cells, as beyond closed edges; nearest: "
           "ground as high as the nearest cell; constant, or a height itself: ground of "
           "fill_height; refuse: an error"),
    REAL("raster", otok_raster_generator, fill_height, "", "m", 0, -HUGE_LENGTH, HUGE_LENGTH, 0, "",
         "height of filled cells under `fill: constant`"),

    MIDPOINT("diamond_square"),
    MIDPOINT("midpoint"),
    FAULTS("faults", "J16 algorithm 1"),
    FAULTS("planet", "J16 conclusion"),
    REAL("planet", otok_faults, offset, "", "1", 0, 0, 1, 0, "",
         "greatest distance of a fault's plane from the centre, as a share of the radius; 0: each "
         "plane halves the sphere, and antipodes mirror each other"),
    CHOICE("crop", otok_crop, shape, "rectangle|circle|ellipse|polygon", OTOK_CROP_RECTANGLE,
           "M13 section 3.1.2",
           "part of the map so far that is kept; a circle is as wide as the smaller of width and "
           "height"),
    REAL("crop", otok_crop, x, "", "m", NAN, -1e9, 1e9, 0, "",
         "middle of the shape; default: the middle of the domain"),
    REAL("crop", otok_crop, y, "", "m", NAN, -1e9, 1e9, 0, "",
         "middle of the shape; default: the middle of the domain"),
    REAL("crop", otok_crop, width, "", "m", NAN, 0, 1e12, OPEN_LOW, "",
         "size of the whole shape; default: the domain's"),
    REAL("crop", otok_crop, height, "", "m", NAN, 0, 1e12, OPEN_LOW, "",
         "size of the whole shape; default: the domain's"),
    LIST("crop", "points", "", "m", "M13 section 3.1.2",
         "[[x, y], ...] corners of a polygon, in order; even-odd fill rule"),
    REAL("crop", otok_crop, outside, "", "m", 0, -HUGE_LENGTH, HUGE_LENGTH, 0, "",
         "height outside the shape"),
    INT("upsample", otok_upsample, factor, "m", 2, 1, 1024, "",
        "cells of `with` are this many times larger, and joined by bicubic (Catmull-Rom) "
        "interpolation"),

    NAME("phase", otok_phase, ANY_NAME, OTOK_NAME_SIZE - 1, 0,
         "for messages and --set; by default phase1, phase2, ..."),
    ROW("phase", "start", "", "", OTOK_TEXT, NULL, 0, 0, 0, OTOK_UNSAID,
        offsetof(otok_phase, start), "",
        "the date or the age when it begins, for files with them; default: of the first phase, the "
        "scenario's"),
    INT("phase", otok_phase, iterations, "", NAN, 1, HUGE_COUNT, "",
        "number of iterations; each runs all processes of the phase; droplets set their own "
        "number"),
    BOOL("phase", otok_phase, mix_reef_and_erosion, "K17",
         "allows a reef in a phase with erosion, which damages the reef"),
    BOOL("phase", otok_phase, parts, "",
         "adds up what processes do to the ground in fields change_by_...; slower"),
    STRUCTS(
        "phase", otok_phase, "rivers", nrivers, rivers, "river", 0, OTOK_MAX_RIVERS, PLAIN,
        "M13 section 4.2.1",
        "sources of water, its levels and its ways out, at points or along lines; need `hydraulic` "
        "in the phase"),
    STRUCTS("phase", otok_phase, "dams", ndams, dams, "dam", 0, OTOK_DAMS, PLAIN, "",
            "thin dams, dikes and walls between cells; need a law with a depth of flow"),
    LIST("phase", "cycle", "", "", "", "repeats the phase, or the phases up to it, by its keys"),
    INT("cycle", struct otok_cycle, times, "", 1, 1, 10000, "",
        "how often the phases from `from` to this one run, one round after another"),
    TEXT("cycle", struct otok_cycle, from, "from",
         "name of an earlier phase, the first of a round; default: this one"),

    NAME("gauge", gauge, ANY_NAME, OTOK_NAME_SIZE - 1, GIVEN,
         "letters, digits, _ and -; must be given"),
    REAL("gauge", gauge, x, "", "m", NAN, 0, 1e12, GIVEN, "",
         "position from the left edge; must be given"),
    REAL("gauge", gauge, y, "", "m", NAN, 0, 1e12, GIVEN, "",
         "position from the bottom edge; must be given"),
    REAL("gauge", gauge, to_x, "", "m", NAN, 0, 1e12, 0, "",
         "other end of a cross section, whose discharge is sampled: from the left of the line to "
         "its right, seen from x, y; default: depth, level and velocity at the point, and the "
         "column of its reef"),
    REAL("gauge", gauge, to_y, "", "m", NAN, 0, 1e12, 0, "", "likewise"),

    REAL("dam", otok_dam, crest, "", "m", NAN, -HUGE_LENGTH, HUGE_LENGTH, 0, "",
         "height up to which it holds water, which passes over it as over a weir; it or `history` "
         "must be given"),
    SERIES("dam", otok_dam, history, "", "m", -HUGE_LENGTH, HUGE_LENGTH, "",
           "the crest over the time of the phase, such as a breach, [[0 h, 12], [1 h, 12], [2 h, "
           "5]], or a CSV file"),
    STRUCTS("dam", otok_dam, "line", npoints, line, "corner", 1, OTOK_DAM_POINTS, BARE, "",
            "its corners, [[x, y], ...] from the lower left corner of the grid, with a `system` in "
            "coordinates of a map, or {file: dikes.geojson, name: NAME}; must be given"),
    REAL("corner", struct otok_dam_corner, x, "", "m", NAN, -1e12, 1e12, GIVEN, "",
         "position from the left edge"),
    REAL("corner", struct otok_dam_corner, y, "", "m", NAN, -1e12, 1e12, GIVEN, "",
         "position from the bottom edge"),

    RIVER_ROWS};

static const otok_parameter others[] = {
    ROW("span", "from", "", "1", OTOK_WHEN, NULL, 0, 0, HUGE_COUNT, 0,
        offsetof(struct otok_span, from), "", "first iteration with rain, or a time"),
    ROW("span", "to", "", "1", OTOK_WHEN, NULL, 0, 0, HUGE_COUNT, 0, offsetof(struct otok_span, to),
        "", "first iteration without, or a time"),
    REAL_AT("weight", "weight", 0, "", "1", 1, 0, 1e6, 0, "",
            "of a direction of the rose, clockwise from the top"),

    REAL("inflow", struct otok_inflow, x, "", "m", NAN, 0, 1e12, GIVEN, "",
         "position from the left edge of the cell that the river enters; must be given"),
    REAL("inflow", struct otok_inflow, y, "", "m", NAN, 0, 1e12, GIVEN, "",
         "position from the bottom edge; must be given"),
    REAL("inflow", struct otok_inflow, area, "A", "m2", NAN, 0, 1e15, GIVEN, "",
         "area that the river drains beyond the map, times its rain over that for which K holds; "
         "must be given"),

    REAL("producer", struct otok_producer, max_growth, "G_m", "m s-1", NAN, 0, 1e6, GIVEN,
         "G_m tanh(I_0/I_k exp(-g kappa_A))", "growth rate in full light; must be given"),
    REAL("producer", struct otok_producer, absorption, "kappa_A", "m-1", 0.1, 0, 1e6, 0, "",
         "absorption of its light by water; the smaller, the deeper it grows"),
    REAL("producer", struct otok_producer, saturating_light, "I_k", "umol m-2 s-1", 250, 0, 1e6,
         OPEN_LOW, "", "light at which its growth begins to saturate"),
    REAL("producer", struct otok_producer, sheltered_growth, "e_min", "1", 0.09, 0, 10, 0, "",
         "its growth in still water over that in the open sea; above 1 it prefers still water; "
         "needs `waves` in the phase"),

    LIST("road", "from", "A", "m", "M13 section 7.1",
         "x,y of the beginning; --from of `otok road`, like all keys of this group"),
    LIST("road", "to", "B", "m", "M13 section 7.1", "x,y of the end"),
    LIST("road", "via", "", "m", "", "x,y of a way point; may be repeated, in order"),
    INT("road", request, step, "k", 4, 1, 4096, "M13 section 7.1",
        "cells from node to node of the search"),
    REAL("road", request, max_grade, "", "1", INFINITY, 0, INFINITY, 0, "",
         "steepest edge of the search, up or down"),
    REAL("road", request, reuse, "", "1", 1, 0.01, 1, 0, "",
         "cost per metre on an existing road, relative to open ground; 1: no preference"),
    REAL("road", request, width, "pathWidth", "m", 8, 0, HUGE_LENGTH, OPEN_LOW, "M13 section 7.3",
         "width of the bed; at least 1.5 cells"),
    REAL("road", request, verge, "", "m", 8, 0, HUGE_LENGTH, 0, "M13 section 7.4",
         "width of the verge, from the bed to the unchanged terrain"),
    INT("road", request, subdivisions, "", 3, 0, 8, "M13 section 7.2",
        "passes that round the route"),
    INT("road", request, smoothing, "", 1, 0, 64, "M13 section 7.5",
        "passes that smooth bed and verge"),
    REAL("road", request, bridge_height, "", "m", INFINITY, 0, INFINITY, 0, "M13 chapter 9",
         "a bed higher above the ground than this is a bridge"),
    REAL("road", request, tunnel_depth, "", "m", INFINITY, 0, INFINITY, 0, "M13 chapter 9",
         "a bed deeper in the ground than this is a tunnel"),
    REAL("road", request, turn_radius, "", "m", 0, 0, HUGE_LENGTH, 0, "",
         "least radius of bends, at most 0.8 steps; 0: no limit"),
    REAL("road", request, ford, "", "m", 0.02, 0, INFINITY, 0, "",
         "water no deeper than this is no obstacle; deeper water, and the sea, is bridged"),
    REAL("road", request, clearance, "", "m", 1, 0, HUGE_LENGTH, 0, "",
         "height of a bridge above deeper water"),
    REAL("road", request, water_cost, "", "1", 10, 1, 1e6, 0, "",
         "cost per metre over deeper water, relative to ground"),
    INT("road", request, balance, "", 0, 0, 1, "",
        "1: the road is raised or lowered between its ends until cut and fill are equal"),

    INT("output", output, every, "", 0, 0, HUGE_COUNT, "",
        "iterations between checkpoints; 0: first and last only"),
    INT("output", output, gauges, "", 10, 1, HUGE_COUNT, "",
        "iterations between two samples of the `gauges`"),
    INT("output", output, keep, "", 0, 0, HUGE_COUNT, "",
        "number of newest checkpoints to keep (0: all); two more may exist while being written"),
    LIST("output", "fields", "", "", "",
         "`all`, or names; fields that a restart needs are always written, so only `terrain` can "
         "be left out"),
};

/* The rows of the processes come between these two parts. */
enum {
    SCENARIO_ROWS = sizeof scenario_rows / sizeof scenario_rows[0],
    OTHERS = sizeof others / sizeof others[0]
};

int otok_parameter_count(void)
{
    int n = SCENARIO_ROWS + OTHERS + otok_study_nparameters;
    for (int p = 0; p < OTOK_PROCESSES; p++)
        n += otok_processes[p]->nparameters;
    return n;
}

const otok_parameter *otok_parameter_at(int i)
{
    if (i < SCENARIO_ROWS) return i >= 0 ? &scenario_rows[i] : NULL;
    i -= SCENARIO_ROWS;
    for (int p = 0; p < OTOK_PROCESSES; i -= otok_processes[p++]->nparameters)
        if (i < otok_processes[p]->nparameters) return &otok_processes[p]->parameters[i];
    if (i < OTHERS) return &others[i];
    i -= OTHERS;
    return i < otok_study_nparameters ? &otok_study_parameters[i] : NULL;
}

const otok_parameter *otok_parameter_find(const char *group, const char *key)
{
    if (OTOK_GIVEN(group, key)) return NULL;
    const otok_parameter *p;
    for (int i = 0; (p = otok_parameter_at(i)); i++)
        if (strcmp(p->group, group) == 0 && strcmp(p->key, key) == 0) return p;
    return NULL;
}
