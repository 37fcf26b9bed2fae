/* parameters.c: the one table of parameters. The scenario reader, --set, the attributes of files and the documents' reference come
   from it. Lists (kind OTOK_LIST) stand here for the documents; scenario_read.c reads each by hand. */
#include "../study/study.h"
#include "scenario.h"

#include <math.h>
#include <string.h>

#define OPEN_LOW 1
#define OPEN_HIGH 2
#define HUGE_LENGTH 1e6
#define HUGE_COUNT 1e12

#define REAL(group, type, key, symbol, unit, standard, low, high, open, equation, help)                                            \
    {                                                                                                                              \
        group, #key, symbol, unit, OTOK_REAL, NULL, standard, low, high, open, offsetof(type, key), equation, help                 \
    }
#define INT(group, type, key, symbol, standard, low, high, equation, help)                                                         \
    {                                                                                                                              \
        group, #key, symbol, "1", OTOK_INT, NULL, standard, low, high, 0, offsetof(type, key), equation, help                      \
    }
#define CHOICE(group, type, key, choices, standard, equation, help)                                                                \
    {                                                                                                                              \
        group, #key, "", "", OTOK_CHOICE, choices, standard, 0, 0, 0, offsetof(type, key), equation, help                          \
    }
#define BOOL(group, type, key, equation, help)                                                                                     \
    {                                                                                                                              \
        group, #key, "", "", OTOK_BOOL, NULL, 0, 0, 1, 0, offsetof(type, key), equation, help                                      \
    }
#define TEXT(group, type, member, key, help)                                                                                       \
    {                                                                                                                              \
        group, key, "", "", OTOK_TEXT, NULL, 0, 0, 0, 0, offsetof(type, member), "", help                                          \
    }
#define LIST(group, key, symbol, unit, equation, help)                                                                             \
    {                                                                                                                              \
        group, key, symbol, unit, OTOK_LIST, NULL, 0, 0, 0, 0, 0, equation, help                                                   \
    }

#define EDGES "closed|open|periodic"
#define EDGE(key, side)                                                                                                            \
    {                                                                                                                              \
        "edges", key, "", "", OTOK_CHOICE, EDGES, OTOK_CLOSED, 0, 0, 0, sizeof(int) * (side), "", "what lies beyond this side"     \
    }

/* Groups that share a struct. */
#define LATTICE(group)                                                                                                             \
    INT(group, otok_diamond_square, levels, "n", 0, 0, 15, "M13 section 3.1",                                                      \
        "the lattice has 2^levels + 1 points a side, one a cell; 0: as many as cover the grid"),                                   \
        REAL(group, otok_diamond_square, low, "", "m", -75, -HUGE_LENGTH, HUGE_LENGTH, 0, "M13 section 3.1",                       \
             "least random height of the corners and the first level"),                                                            \
        REAL(group, otok_diamond_square, high, "", "m", 75, -HUGE_LENGTH, HUGE_LENGTH, 0, "M13 section 3.1",                       \
             "greatest random height of the corners and the first level"),                                                         \
        REAL(group, otok_diamond_square, gain, "k", "1", 0.5, 0, 1, 0, "M13 section 3.1",                                          \
             "random range from level to level; less is smoother"),                                                                \
        INT(group, otok_diamond_square, offset_x, "", 0, 0, 1 << 15, "M13 section 3.1.2",                                          \
            "points of the lattice left of the first cell"),                                                                       \
        INT(group, otok_diamond_square, offset_y, "", 0, 0, 1 << 15, "M13 section 3.1.2",                                          \
            "points of the lattice below the first cell"),                                                                         \
        BOOL(group, otok_diamond_square, tile, "", "opposite borders are one, and the lattice repeats without a seam"),            \
        LIST(group, "sown", "", "m", "M13 section 3.1.1",                                                                          \
             "rows of 2^d + 1 heights, the top row first, spread over the lattice and kept exactly; null: drawn as usual")
#define FAULTS(group, source)                                                                                                      \
    INT(group, otok_faults, count, "n", 128, 1, 1 << 20, source, "how many faults"),                                               \
        REAL(group, otok_faults, height, "delta h", "m", 5, 0, HUGE_LENGTH, 0, source,                                             \
             "what the first fault lifts one side by and lowers the other"),                                                       \
        REAL(group, otok_faults, step, "const", "m", 0.04, 0, HUGE_LENGTH, 0, source, "what every next fault moves less"),         \
        REAL(group, otok_faults, floor, "", "m", 0, 0, HUGE_LENGTH, 0, "", "what a fault moves at least")

typedef struct otok_study study;
typedef struct otok_scenario scenario;
typedef struct otok_output output;
typedef otok_road_request request;

static const otok_parameter table[] = {
    {"", "otok", "", "1", OTOK_INT, NULL, NAN, 1, 1, 0, (size_t)-1, "", "version of the scenario format, always 1"},
    TEXT("", scenario, title, "title", "one line that names the run in files and pictures"),
    INT("", scenario, seed, "", 0, 0, 9007199254740991.0, "", "of every random stream"),
    LIST("", "base", "", "", "K17 eq. 1-5; M13 chapter 3; J16", "pipeline of generators, top to bottom, each takes the map so far"),
    LIST("", "phases", "", "", "", "what is simulated, one after the other"),
    LIST("", "changes", "", "", "", "values of phases that change while they run, in the order of iterations"),
    {"change", "at", "", "1", OTOK_INT, NULL, 0, 0, HUGE_COUNT, 0, offsetof(otok_change, iteration), "",
     "finished iterations of all phases; it acts from the next one on"},
    LIST("change", "path", "", "", "", "as for --set: phases.NAME.GROUP.KEY, or phases.NAME.GROUP"),
    LIST("change", "value", "", "", "", "the new value; `off` takes a process away, a map such as {talus: 35} adds it"),

    LIST("", "erodibility", "", "1", "",
         "a number or a pipeline like `base`: a factor of what dissolves and slides; below 0 counts as 0"),
    LIST("", "layers", "", "", "Stava et al. 2008", "kinds of rock, top down; the last is bottomless; deposits join the first"),
    {"layer", "name", "", "", OTOK_TEXT, NULL, 0, 0, 0, 0, offsetof(otok_layer, name), "",
     "small letters, digits and _; fields layer_NAME (thickness) and bottom_NAME"},
    LIST("layer", "thickness", "", "m", "",
         "a number or a pipeline; the generators of `base` give its map again; below 0 counts as 0; the last layer has none"),
    REAL("layer", otok_layer, erodibility, "", "1", 1, 0, 1e6, 0, "Stava et al. 2008", "factor of what dissolves and slides"),
    REAL("layer", otok_layer, talus, "", "degree", NAN, 0, 89.9, 0, "", "steeper slopes of it slide; the phase's unless given"),

    INT("grid", otok_grid, nx, "", 512, 1, 1 << 20, "", "cells from left to right"),
    INT("grid", otok_grid, ny, "", 512, 1, 1 << 20, "", "cells from bottom to top"),
    REAL("grid", otok_grid, spacing, "l", "m", 1, 0, HUGE_LENGTH, OPEN_LOW, "", "cell size, also the length of a pipe"),
    EDGE("left", OTOK_LEFT),
    EDGE("right", OTOK_RIGHT),
    EDGE("bottom", OTOK_BOTTOM),
    EDGE("top", OTOK_TOP),
    {"sea", "level", "W", "m", OTOK_REAL, NULL, 0, -HUGE_LENGTH, HUGE_LENGTH, 0, 0, "K17 eq. 23",
     "sea level at the start; erosion ignores the sea"},
    {"initial", "file", "", "", OTOK_TEXT, NULL, 0, 0, 0, 0, offsetof(scenario, initial), "",
     "checkpoint whose fields replace the initial ones; relative to the scenario's file"},

    CHOICE("generator", otok_generator, combine, "replace|add|multiply|max|min|lerp", OTOK_REPLACE, "",
           "how the result joins the map so far"),
    LIST("generator", "mask", "", "1", "", "pipeline, starting from 0, whose result (clamped to 0..1) weighs the combination"),
    LIST("generator", "with", "h_B", "", "K17 eq. 4",
         "pipeline, starting from 0: the second operand of power_blend; what upsample makes finer"),
    REAL("constant", otok_constant, height, "", "m", 0, -HUGE_LENGTH, HUGE_LENGTH, 0, "", "the same everywhere"),
    REAL("cone", otok_cone, height, "H", "m", 100, -HUGE_LENGTH, HUGE_LENGTH, 0, "K17 eq. 1-2", "at the centre"),
    REAL("cone", otok_cone, radius, "R", "m", 400, 0, 1e9, OPEN_LOW, "K17 eq. 1-2", "0 beyond it"),
    REAL("cone", otok_cone, power, "p", "1", 1, 0, 100, OPEN_LOW, "K17 eq. 1-2", "1 a straight cone, more a rounder top"),
    REAL("cone", otok_cone, x, "", "m", NAN, -1e9, 1e9, 0, "", "centre; the middle of the domain unless given"),
    REAL("cone", otok_cone, y, "", "m", NAN, -1e9, 1e9, 0, "", "centre; the middle of the domain unless given"),
    INT("simplex", otok_simplex, octaves, "N", 8, 1, 32, "K17 eq. 3", "how many are added"),
    REAL("simplex", otok_simplex, wavelength, "", "m", 256, 0, 1e9, OPEN_LOW, "K17 eq. 3", "of octave 0"),
    REAL("simplex", otok_simplex, lacunarity, "", "1", 2, 0, 16, OPEN_LOW, "K17 eq. 3", "frequency from octave to octave"),
    REAL("simplex", otok_simplex, gain, "", "1", 0.5, -1, 1, 0, "K17 eq. 3", "amplitude from octave to octave"),
    REAL("simplex", otok_simplex, amplitude, "", "m", 1, -HUGE_LENGTH, HUGE_LENGTH, 0, "K17 eq. 3",
         "of octave 0, each about -1..1 times it"),
    REAL("power_blend", otok_power_blend, strength, "kappa_N", "1", 0.5, -100, 100, 0, "K17 eq. 4", "0 leaves the map as it is"),
    REAL("power_blend", otok_power_blend, reference, "H_ref", "m", 1, 0, HUGE_LENGTH, OPEN_LOW, "K17 eq. 4",
         "height that stays; 1 as printed, the cone's height for metres"),
    REAL("crater", otok_crater, level, "kappa_C", "m", 100, -HUGE_LENGTH, HUGE_LENGTH, 0, "K17 eq. 5",
         "what rises above it is turned down"),
    TEXT("raster", otok_raster_generator, file, "file",
         "heights: PNG in gray, Esri ASCII, or what GDAL reads; relative to the scenario's file"),
    CHOICE("raster", otok_raster_generator, fit, "exact|stretch", OTOK_FIT_EXACT, "",
           "size and spacing are the grid's, or the file is stretched over it, bilinear"),
    REAL("raster", otok_raster_generator, low, "", "m", NAN, -HUGE_LENGTH, HUGE_LENGTH, 0, "",
         "height of black (PNG); the file's otok_low unless given"),
    REAL("raster", otok_raster_generator, high, "", "m", NAN, -HUGE_LENGTH, HUGE_LENGTH, 0, "",
         "height of white (PNG); the file's otok_high unless given"),
    CHOICE("raster", otok_raster_generator, fill, "nearest|constant|refuse", OTOK_FILL_NEAREST, "",
           "what cells without data become"),
    REAL("raster", otok_raster_generator, fill_height, "", "m", 0, -HUGE_LENGTH, HUGE_LENGTH, 0, "", "under `fill: constant`"),

    LATTICE("diamond_square"),
    LATTICE("midpoint"),
    FAULTS("faults", "J16 algorithm 1"),
    FAULTS("planet", "J16 conclusion"),
    REAL("planet", otok_faults, offset, "", "1", 0, 0, 1, 0, "",
         "planes pass the centre of the sphere at most this share of the radius away; 0: each halves it, and antipodes mirror each "
         "other"),
    CHOICE("crop", otok_crop, shape, "rectangle|circle|ellipse|polygon", OTOK_CROP_RECTANGLE, "M13 section 3.1.2",
           "what is kept of the map so far; a circle is as wide as the smaller of width and height"),
    REAL("crop", otok_crop, x, "", "m", NAN, -1e9, 1e9, 0, "", "middle of the shape; the middle of the domain unless given"),
    REAL("crop", otok_crop, y, "", "m", NAN, -1e9, 1e9, 0, "", "middle of the shape; the middle of the domain unless given"),
    REAL("crop", otok_crop, width, "", "m", NAN, 0, 1e12, OPEN_LOW, "", "of the whole shape; the domain's unless given"),
    REAL("crop", otok_crop, height, "", "m", NAN, 0, 1e12, OPEN_LOW, "", "of the whole shape; the domain's unless given"),
    LIST("crop", "points", "", "m", "M13 section 3.1.2",
         "[[x, y], ...] corners of a polygon, in order; inside is what an odd number of its edges surrounds"),
    REAL("crop", otok_crop, outside, "", "m", 0, -HUGE_LENGTH, HUGE_LENGTH, 0, "", "height outside the shape"),
    INT("upsample", otok_upsample, factor, "m", 2, 1, 1024, "",
        "cells of `with` are this many times larger, and joined by bicubic (Catmull-Rom) interpolation"),

    {"phase", "name", "", "", OTOK_TEXT, NULL, 0, 0, 0, 0, offsetof(otok_phase, name), "",
     "for messages and --set; by default phase1, phase2, ..."},
    INT("phase", otok_phase, iterations, "", NAN, 1, HUGE_COUNT, "",
        "how many, of every process of the phase together; droplets bring their own number"),
    BOOL("phase", otok_phase, mix_reef_and_erosion, "K17", "allow a reef in a phase with erosion, which spoils it"),

    REAL("rain", otok_rain, rate, "r, kappa_r", "m s-1", 0, 0, 1000, 0, "K16 eq. 3.1",
         "water falling on every cell; with a map, what its values are multiplied by"),
    TEXT("rain", otok_rain, map, "map",
         "rain from place to place, 0 and more, no cell without data: PNG in gray, Esri ASCII, or what GDAL reads; relative to the "
         "scenario's file; droplets start by it, whatever the rate"),
    CHOICE("rain", otok_rain, fit, "exact|stretch", OTOK_FIT_EXACT, "",
           "size and spacing of the map are the grid's, or it is stretched over the grid, bilinear"),
    REAL("rain", otok_rain, low, "", "1", NAN, 0, 1e6, 0, "", "value of black (PNG); the file's otok_low unless given"),
    REAL("rain", otok_rain, high, "", "1", NAN, 0, 1e6, 0, "", "value of white (PNG); the file's otok_high unless given"),
    LIST("rain", "during", "", "1", "", "[[from, to), ...] iterations of the phase in which it rains; always unless given"),

    REAL("rivers", otok_river, x, "", "m", NAN, 0, 1e12, 0, "M13 section 4.2.1", "of a source, from the left edge; must be given"),
    REAL("rivers", otok_river, y, "", "m", NAN, 0, 1e12, 0, "M13 section 4.2.1",
         "of a source, from the bottom edge; must be given"),
    REAL("rivers", otok_river, radius, "", "m", 0, 0, 1e9, 0, "",
         "cells of the grid with their centre within it get equal shares; where there is none, the cell of the source gets all"),
    REAL("rivers", otok_river, discharge, "Q", "m3 s-1", NAN, 0, 1e9, 0, "",
         "water that the source gives, in every iteration of the phase; must be given"),

    REAL("hydraulic", otok_hydraulic, dt, "tau, dt", "s", 0.1, 0, 1e6, OPEN_LOW, "K17 section 2.2.1", "time step"),
    REAL("hydraulic", otok_hydraulic, gravity, "g", "m s-2", 9.81, 0, 1000, OPEN_LOW, "K16 eq. 3.2", ""),
    REAL("hydraulic", otok_hydraulic, pipe_area, "A, kappa_A", "m2", 1, 0, 1e12, OPEN_LOW, "K16 eq. 3.2",
         "cross-section of the virtual pipes; not with `area: depth`"),
    CHOICE("hydraulic", otok_hydraulic, pipes, "one_way|signed", OTOK_ONE_WAY, "K16 eq. 3.2; O'Brien & Hodgins 1995",
           "two between neighbours, one each way, stable to S = 1/4; or one for both ways, to S = 1/2"),
    CHOICE("hydraulic", otok_hydraulic, area, "constant|depth", OTOK_AREA_CONSTANT, "K16 eq. 3.2; Bates et al. 2010",
           "of the pipes: pipe_area, waves run at sqrt(g A / l); or l times the depth of the face, sqrt(g d)"),
    REAL("hydraulic", otok_hydraulic, manning, "n", "s m-1/3", 0, 0, 10, 0, "f divided by 1 + dt g n^2 q / d^(7/3)",
         "friction of the bed; 0 none"),
    CHOICE("hydraulic", otok_hydraulic, friction, "vector|axis", OTOK_FRICTION_VECTOR, "q of manning",
           "the length of the flow's vector at the face; or the pipe's own flow alone, 11 % too fast down a slope at 15 degrees to "
           "the grid, 19 % at 45"),
    REAL("hydraulic", otok_hydraulic, theta, "theta", "1", 1, 0.5, 1, 0, "theta f + (1 - theta) (f_before + f_after) / 2",
         "of signed pipes: below 1 their old flow leans on that of the pipes before and behind, which damps the sawtooth of bores "
         "(de Almeida et al. 2012); at a closed side there is no flow, and a pipe over an open one stands for the one behind it"),
    REAL("hydraulic", otok_hydraulic, capacity, "kappa_S (K17), kappa_C (K16)", "s", 1, 0, 1e6, 0, "K16 eq. 3.12",
         "sediment that flowing water can hold; 1/m more under speed_depth"),
    REAL("hydraulic", otok_hydraulic, dissolve, "kappa_E (K17), kappa_S (K16)", "s-1", 0.01, 0, 1e6, 0, "K16 eq. 3.16",
         "erosion rate; pure number under per_iteration"),
    REAL("hydraulic", otok_hydraulic, deposit, "kappa_D", "s-1", 0.05, 0, 1e6, 0, "K16 eq. 3.16",
         "deposition rate; pure number under per_iteration"),
    CHOICE("hydraulic", otok_hydraulic, rates, "per_second|per_iteration", OTOK_PER_SECOND, "k = 1 - exp(-kappa dt), or kappa",
           "how dissolve and deposit are meant"),
    REAL("hydraulic", otok_hydraulic, evaporation, "kappa_T (K17), kappa_E (K16)", "s-1", 0.02, 0, 1e6, 0, "K16 eq. 3.21",
         "share of the water lost in a second"),
    REAL("hydraulic", otok_hydraulic, min_tilt, "alpha_min", "degree", 0.1, 0, 90, 0, "K16 chapter 3",
         "least slope that the capacity sees"),
    CHOICE("hydraulic", otok_hydraulic, capacity_law, "speed|speed_depth", OTOK_CAPACITY_SPEED, "K16 eq. 3.12; M13 eq. 4.10",
           "C = kappa |v| sin(alpha), or times the depth; speed makes no river network, see experiments/drainage"),
    CHOICE("hydraulic", otok_hydraulic, transport, "conservative|semi_lagrangian", OTOK_CONSERVATIVE, "M13 section 4.4; K17 eq. 17",
           "how sediment travels"),
    INT("hydraulic", otok_hydraulic, diffusion_sweeps, "", 0, 0, 32, "K17 eq. 18",
        "Jacobi means over wet neighbours; neither conserve nor damp the checkerboard"),
    REAL("hydraulic", otok_hydraulic, diffusivity, "D", "m2 s-1", 0, 0, 1e12, 0, "flux form",
         "of suspended sediment; D dt / l^2 <= 1/4"),
    BOOL("hydraulic", otok_hydraulic, displace_water, "M13 eq. 4.11-4.12", "water rises as the ground below it falls"),
    REAL("hydraulic", otok_hydraulic, dry_depth, "", "m", 1e-6, 1e-20, 1000, 0, "", "cells deeper than this are wet"),
    INT("hydraulic", otok_hydraulic, wetness_max, "", 255, 1, 255, "K16 chapter 6", "top of the wetness counter"),
    CHOICE("hydraulic", otok_hydraulic, slope, "central|downhill|central_one_spacing", OTOK_SLOPE_CENTRAL, "K16 eq. 3.13",
           "differences for sin(alpha); one_spacing as printed"),

    REAL("thermal", otok_thermal, dt, "tau, dt", "s", 0.1, 0, 1e6, OPEN_LOW, "K17 eq. 20-22", "time step"),
    REAL("thermal", otok_thermal, talus, "kappa_alpha, T", "degree", 30, 0, 89.9, 0, "K16 eq. 3.23", "steeper slopes slide"),
    CHOICE("thermal", otok_thermal, law, "share|excess", OTOK_SHARE, "K17 eq. 20-22; M13 eq. 4.15",
           "half the largest drop, shared; or each excess over the talus"),
    REAL("thermal", otok_thermal, rate, "T_e", "s-1", 1, 0, 1e6, 0, "M13 eq. 4.15",
         "of sliding; K17 has it within dt; it belongs to the cell size"),
    REAL("thermal", otok_thermal, diffusivity, "D", "m2 s-1", 0, 0, 1e12, 0, "rate = D / l^2",
         "of sliding, in place of rate: the same time at every cell size; 0: rate"),
    CHOICE("thermal", otok_thermal, diagonal, "sqrt2|one", OTOK_DIAGONAL_SQRT2, "",
           "distance of diagonal neighbours; one as printed"),

    INT("seabed", otok_seabed, sweeps, "", 1, 1, 1024, "K17 eq. 23",
        "means of the four neighbours below the sea level, an iteration"),

    INT("droplets", otok_droplets, count, "", 200000, 1, HUGE_COUNT, "D20",
        "how many fall in the phase; an iteration is a batch, so leave `iterations` out"),
    INT("droplets", otok_droplets, batch, "", 2048, 1, 1 << 16, "",
        "how many fall at a time, in step with each other; 1: one after the other, as in D20"),
    REAL("droplets", otok_droplets, dt, "dt", "s", 1.2, 0, 1e6, OPEN_LOW, "D20", "time step"),
    REAL("droplets", otok_droplets, density, "density", "1", 1, 0, 1e6, OPEN_LOW, "D20",
         "inertia: the acceleration is n / (volume density)"),
    REAL("droplets", otok_droplets, friction, "friction", "s-1", 0.05, 0, 1e6, 0, "D20", "of the speed; friction dt <= 1"),
    REAL("droplets", otok_droplets, deposition_rate, "depositionRate", "s-1", 0.1, 0, 1e6, 0, "D20",
         "at which the sediment nears volume times speed times drop; deposition_rate dt <= 1"),
    REAL("droplets", otok_droplets, evaporation, "evapRate", "s-1", 0.001, 0, 1e6, 0, "D20", "of the volume; evaporation dt < 1"),
    REAL("droplets", otok_droplets, min_volume, "minVol", "1", 0.01, 0, 1, OPEN_LOW | OPEN_HIGH, "D20",
         "a droplet ends at this volume; it begins with 1"),
    INT("droplets", otok_droplets, max_steps, "", 128, 1, 1 << 20, "",
        "a droplet ends after so many; one in a pit would stay for ever"),
    CHOICE("droplets", otok_droplets, losses, "deposit|as_published", OTOK_LOSSES_DEPOSIT, "",
           "what evaporation leaves over and a droplet carries at its end: put down, or lost as in D20"),

    REAL("reef", otok_reef, dt, "tau, dt", "s", 0.01, 0, 1e6, OPEN_LOW, "K16 chapter 4", "time step"),
    REAL("reef", otok_reef, calcification, "kappa_B", "m s-1", 0.25, 0, 1e6, 0, "K16 eq. 4.2",
         "growth at unit carbon in full light"),
    REAL("reef", otok_reef, absorption, "kappa_A", "m-1", 10, 0, 1e6, 0, "K16 eq. 4.2", "of light by water"),
    REAL("reef", otok_reef, uptake, "kappa_U", "1", 0.04, 0, 1e6, 0, "K16 eq. 4.4", "carbon used by growth"),
    REAL("reef", otok_reef, min_depth, "G", "m", 0.001, 0, HUGE_LENGTH, 0, "K16 eq. 4.2", "the crest stops here; at least 1e-6"),
    REAL("reef", otok_reef, max_depth, "", "m", INFINITY, 0, INFINITY, OPEN_LOW, "K16 eq. 4.2", "nothing grows deeper"),
    REAL("reef", otok_reef, carbon, "O_0", "1", 0.25, 0, 1e6, 0, "K17 eq. 28", "inorganic carbon at the start and in edge cells"),
    REAL("reef", otok_reef, sea_rise, "kappa_W", "m s-1", 0, -1000, 1000, 0, "K17 section 2.4", "W = W0 + n dt sea_rise"),
    LIST("reef", "sea_history", "W(t)", "s, m", "K16 chapter 4",
         "[[time, level], ...] of the phase, linear between, held at the ends; not with sea_rise"),

    LIST("road", "from", "A", "m", "M13 section 7.1", "x,y where it begins; --from of `otok road`, as are all keys of this group"),
    LIST("road", "to", "B", "m", "M13 section 7.1", "x,y where it ends"),
    LIST("road", "via", "", "m", "", "x,y of a way point; may be given again, in order"),
    INT("road", request, step, "k", 4, 1, 4096, "M13 section 7.1", "cells from node to node of the search"),
    REAL("road", request, max_grade, "", "1", INFINITY, 0, INFINITY, 0, "", "steepest edge of the search, up or down"),
    REAL("road", request, reuse, "", "1", 1, 0.01, 1, 0, "",
         "energy of a metre on the bed of an earlier road, as a share of that of other ground"),
    REAL("road", request, width, "pathWidth", "m", 8, 0, HUGE_LENGTH, OPEN_LOW, "M13 section 7.3",
         "of the bed; at least 1.5 cells are laid"),
    REAL("road", request, verge, "", "m", 8, 0, HUGE_LENGTH, 0, "M13 section 7.4",
         "from the edge of the bed to the terrain as it was"),
    INT("road", request, subdivisions, "", 3, 0, 8, "M13 section 7.2", "times that the way is made round"),
    INT("road", request, smoothing, "", 1, 0, 64, "M13 section 7.5", "times that bed and verge are smoothed"),
    REAL("road", request, bridge_height, "", "m", INFINITY, 0, INFINITY, 0, "M13 chapter 9",
         "higher above the ground than this is a bridge"),
    REAL("road", request, tunnel_depth, "", "m", INFINITY, 0, INFINITY, 0, "M13 chapter 9",
         "deeper in the ground than this is a tunnel"),

    INT("output", output, every, "", 0, 0, HUGE_COUNT, "", "iterations between checkpoints; 0: first and last only"),
    INT("output", output, keep, "", 0, 0, HUGE_COUNT, "",
        "how many checkpoints stay, the newest; two more may be on their way; 0: all"),
    {"study", "study", "", "1", OTOK_INT, NULL, NAN, 1, 1, 0, (size_t)-1, "", "version of the study format, always 1"},
    TEXT("study", study, scenario, "scenario", "file that every member starts from; relative to the study's"),
    INT("study", study, seed, "", 0, 0, 9007199254740991.0, "", "of the design; every member keeps its scenario's own"),
    REAL("study", study, duration, "T", "s", 0, 0, 1e15, 0, "",
         "simulated time of every member, whose phase has as many iterations as that takes; 0: the scenario's iterations"),
    LIST("study", "vary", "", "", "", "paths as for --set, each with an axis"),
    CHOICE("design", otok_design, kind, "grid|lhs|sobol|morris|saltelli|list", OTOK_DESIGN_GRID, "",
           "which rows: all combinations, latin hypercube, Sobol sequence, screening, for Sobol indices, a table"),
    LIST("design", "points", "", "1", "",
         "grid: how many along each axis, or one number for all; axes with `values` have their own"),
    INT("design", otok_design, rows, "", 256, 1, 4294967296.0, "McKay et al. 1979; Joe & Kuo 2008", "lhs, sobol"),
    INT("design", otok_design, base, "N", 256, 1, 4294967296.0, "Saltelli 2002",
        "saltelli: base rows, each for as many members as there are axes and two more; a power of two is best"),
    INT("design", otok_design, trajectories, "r", 10, 1, 4294967296.0, "Morris 1991",
        "morris: each of as many members as axes and one"),
    INT("design", otok_design, levels, "p", 4, 2, 1024, "Morris 1991", "morris: even; a step is half of them"),
    BOOL("design", otok_design, second_order, "Saltelli 2002", "saltelli: twice the members, for pairs of axes"),
    {"design", "scramble", "", "", OTOK_BOOL, NULL, 1, 0, 1, 0, offsetof(otok_design, scramble), "",
     "sobol, saltelli: shift every axis at random, so that no point lies on the lower ends"},
    TEXT("design", study, table, "file", "list: CSV, paths in the first line, one member a line; relative to the study's"),
    REAL("axis", otok_axis, from, "", "", NAN, -INFINITY, INFINITY, 3, "", "lower end; the unit is the parameter's"),
    REAL("axis", otok_axis, to, "", "", NAN, -INFINITY, INFINITY, 3, "", "upper end"),
    CHOICE("axis", otok_axis, scale, "linear|log", 0, "", "how values lie between them"),
    LIST("axis", "values", "", "", "", "words or numbers in place of from and to"),
    INT("monitor", study, every, "", 10, 1, 1e9, "", "iterations between two looks of the detectors"),
    BOOL("monitor", study, rerun, "",
         "runs members that are growing again with half the time step (twice their cost), and with half the cell size too (eight "
         "times)"),

    LIST("output", "fields", "", "", "",
         "`all`, or names: what a restart needs is always written, so only `terrain` can be left out"),
};

int otok_parameter_count(void)
{
    return (int)(sizeof table / sizeof table[0]);
}

const otok_parameter *otok_parameter_at(int i)
{
    return i >= 0 && i < otok_parameter_count() ? &table[i] : NULL;
}

const otok_parameter *otok_parameter_find(const char *group, const char *key)
{
    for (int i = 0; i < otok_parameter_count(); i++)
        if (strcmp(table[i].group, group) == 0 && strcmp(table[i].key, key) == 0) return &table[i];
    return NULL;
}
