/* detect.h: the detectors of a study: what looks at a simulation find, every so many iterations. Sums are integers and extremes
   take the first cell, so that a look does not depend on threads or on where the state lies. They change nothing. */
#ifndef OTOK_CORE_DETECT_H
#define OTOK_CORE_DETECT_H

#include "look.h"
#include "sim.h"

#include "verdict.h"

/* One look. Doubles only: journals and study.h5 hold it as an array, described by otok_sample_at. */
typedef struct otok_sample {
    double iteration, time;
    double not_finite;       /* values that are NaN or infinite, in all fields                                               */
    double wet;              /* cells                                                                                        */
    double limited;          /* share of the cells wet now or an iteration before: cut by K                                  */
    double fast;             /* share of the wet cells: |u| + |w| at l/dt                                                    */
    double depth;            /* mean of the wet cells [m]                                                                    */
    double roughness;        /* mean over wet cells: how much rougher the surface is than the ground [m]                     */
    double flips;            /* mean over wet cells: change of the depth in the last iteration [m]                           */
    double checkerboard;     /* amplitude of (pi,pi) of the surface there [m]                                                */
    double stripes;          /* larger amplitude of (pi,0) and (0,pi) there [m]                                              */
    double extrema;          /* strict extrema of the ground                                                                 */
    double new_extrema;      /* of these, cells that were none at the look before                                            */
    double ground_roughness; /* mean height of a ground cell above or below the mean of its neighbours [m]                   */
    double change;           /* largest change of the ground since the look before [m]                                       */
    double relief;           /* highest minus lowest ground [m]                                                              */
    double highest;          /* largest absolute height or depth [m]                                                         */
    double water_error, solid_error; /* what the ledger cannot explain, as a share of what there was and came                */
    double leak;                     /* likewise, water set from below 0 to 0                                                */
    double drift;                    /* sediment that transport made or lost, as a share of the most that moved              */
} otok_sample;

enum { OTOK_SAMPLE_SIZE = sizeof(otok_sample) / sizeof(double) };

typedef struct otok_sample_info {
    const char *name, *unit, *long_name;
} otok_sample_info;

extern const otok_sample_info otok_sample_infos[OTOK_SAMPLE_SIZE];

/* Where something was first seen: index of the first cell in rows from the bottom, -1: nowhere. */
typedef struct otok_suspects {
    int64_t not_finite, rough, fast, changed, deepest; /* rough, changed, deepest: the most so */
    double depth, depth_limit; /* of the deepest water, and how deep the phase's step allows it to be [m]; limit 0: any depth */
} otok_suspects;

/* How to look at a simulation as it is now, all but where its maps are. */
void otok_look_prepare(otok_look_maps *out, const otok_sim *sim);

/* What was found as numbers. *moved: the most sediment in the water and gone over edges [m^3], kept from look to look, 0 at first.
 */
void otok_look_result(otok_sample *out, otok_suspects *where, const otok_sim *sim, const otok_look_found *look,
                      const otok_ledger *ledger, double *moved);
double otok_look_deepest(const otok_look_found *look);                        /* water [m]; its cell is that of OTOK_LOOK_DEEPEST */
double otok_look_roughness(const otok_look_found *look, const otok_sim *sim); /* the sample's ground_roughness */

typedef struct otok_detector {
    otok_sim *sim;
    float *maps[OTOK_STORED];     /* of the simulation's fields */
    float *water_before, *before; /* see otok_look_maps */
    uint8_t *was;
    float *room;
    double rough_start; /* ground_roughness before the first look */
    double moved;
} otok_detector;

/* Takes the simulation's present state as the look before the first. */
otok_status otok_detector_create(otok_detector *out, otok_sim *sim);
void otok_detector_destroy(otok_detector *detector);

/* Runs n >= 1 iterations and looks; the ledger, without its layers, goes with the look. */
otok_status otok_detector_advance(otok_detector *detector, int64_t n, otok_sample *out, otok_suspects *where, otok_ledger *ledger);

#endif
