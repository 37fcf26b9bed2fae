/* verdict.h: what the samples of a run or a member mean. All thresholds are here. A verdict is of
   one run. One run cannot tell whether growth is physical: runs with half the time step and half
   the cell size can. */
#ifndef OTOK_VERDICT_H
#define OTOK_VERDICT_H

#include "../otok.h"

/* One sample. Doubles only: journals and study.h5 hold it as an array, described by otok_sample_at.
 */
typedef struct otok_sample {
    double iteration, time;
    double not_finite; /* values that are NaN or infinite, in all fields */
    double wet;        /* cells        */
    double limited;    /* share of the cells wet now or an iteration before: cut by K    */
    double fast;       /* share of the wet cells: |u| + |w| at l/dt       */
    double depth;      /* mean of the wet cells [m]      */
    double roughness; /* mean over wet cells: how much rougher the surface is than the ground [m] */
    double flips;     /* mean over wet cells: change of the depth in the last iteration [m]     */
    double checkerboard;     /* amplitude of (pi,pi) of the surface there [m]     */
    double stripes;          /* larger amplitude of (pi,0) and (0,pi) there [m]          */
    double extrema;          /* strict extrema of the ground          */
    double new_extrema;      /* of these, cells that were none at the sample before      */
    double ground_roughness; /* mean height of a ground cell above or below the mean of its
                                neighbours [m]                   */
    double change;           /* largest change of the ground since the sample before [m]           */
    double relief;           /* highest minus lowest ground [m]           */
    double highest;          /* largest absolute height or depth [m]          */
    double water_error,
        solid_error; /* what the ledger cannot explain, as a share of what there was and came */
    double leak;     /* likewise, water set from below 0 to 0     */
    double drift;    /* sediment that transport made or lost, as a share of the most that moved    */
} otok_sample;

enum { OTOK_SAMPLE_SIZE = sizeof(otok_sample) / sizeof(double) };

typedef struct otok_sample_info {
    const char *name, *unit, *long_name;
} otok_sample_info;

extern const otok_sample_info otok_sample_infos[OTOK_SAMPLE_SIZE];

/* Where something was first seen: index of the first cell in rows from the bottom, -1: nowhere. */
typedef struct otok_suspects {
    int64_t not_finite, rough, fast, changed, deepest; /* rough, changed, deepest: the most so */
    double depth, depth_limit; /* of the deepest water, and how deep the phase's step allows it to
                                  be [m]; limit 0: any depth */
} otok_suspects;

/* The water surface: below the edge of stability its roughness is at most 2 % of the mean depth,
   beyond it about twice the depth, in every scene tried, and it jumps between S = 0.25 and 0.26.
   0.3 lies between. A rill one cell wide is as rough, but stays where it is: water that chatters
   also changes by as much from one iteration to the next. */
#define OTOK_CHATTER 0.3
/* Share of the wet cells at |u| + |w| = l/dt. On a plane slope without friction it is all of them;
 * below the edge next to none. */
#define OTOK_FAST_SHARE 0.1
/* Shares that stay below 1e-6 of what there was while everything is well; a clamp leaks up to 7e-5
 * while water chatters. */
#define OTOK_LOST 1e-3
/* Of the sediment that moved: semi-Lagrangian transport makes or loses from 30 to 50 % of it. */
#define OTOK_DRIFTED 0.05
/* Times that the ground is rougher than at the start, and as much of the growth's logarithm in the
 * second half of the run as this.
 */
#define OTOK_GROWN 2.0
#define OTOK_STILL_GROWING 0.25
/* Rates nearer to each other than this factor are one: less than a fourth root of the time step
   makes of halving it. What is in proportion to the step, or to its inverse, makes 2; well resolved
   growth less than 1.01. */
#define OTOK_SAME_RATE 1.19
/* Heights beyond which the books saturate [m]; and ground that is rougher by this many cell sizes,
   and times, than at the start: no slope is that steep. */
#define OTOK_BEYOND 4194304.0
#define OTOK_TOO_ROUGH 10.0
/* A state counts if it held at this share of the samples, or at the last. */
#define OTOK_HELD 0.1

/* A sign, or water too deep: how often it was seen, when and where first. */
typedef struct otok_seen {
    int64_t held, after, first, cell; /* samples at which it held; iteration of the sample before
                                         the first, and of the first; its cell or -1 */
    int64_t now;                      /* did it hold at the last sample with water */
} otok_seen;

/* What has been seen so far. Zero it, set what is of the member, then note every sample in order.
   Whole numbers first, then doubles, and nothing else: a checkpoint holds both as arrays, so that a
   resumed run ends with the verdict of one that went through. */
typedef struct otok_judge {
    int64_t samples, since,
        last; /* iterations of the state before the first sample, and of the last sample */
    otok_seen seen[OTOK_REFUSED]; /* by verdict */
    otok_seen deep;               /* water deeper than its phase's step allows */
    int64_t deepest_at; /* iteration of the sample with the deepest water, as a share of its limit
                           where there is one */
    double deepest, deepest_limit;  /* its depth and that limit [m]; 0: none */
    double spacing, until;          /* of the member: cell size, iterations */
    double rough_start;             /* roughness of the ground before the first sample */
    double rough_middle, rough_end; /* ... and later */
    double moved;                   /* see otok_diagnostics_sample */
} otok_judge;

enum {
    OTOK_JUDGE_COUNTS = offsetof(otok_judge, deepest) / sizeof(int64_t),
    OTOK_JUDGE_MEASURES = (sizeof(otok_judge) - offsetof(otok_judge, deepest)) / sizeof(double)
};

/* Can these numbers have come from samples? */
int otok_judge_is_sound(const otok_judge *judge);

void otok_judge_note(otok_judge *judge, const otok_sample *sample, const otok_suspects *where);

/* What has been found up to now, on a grid nx cells wide. */
otok_diagnosis otok_judge_diagnosis(const otok_judge *judge, int64_t nx);

/* The verdict after the last sample, or once it is OTOK_DIVERGED. iteration, cell: of its first
 * sign, -1 where it has none. */
otok_verdict otok_judge_verdict(const otok_judge *judge, int64_t *iteration, int64_t *cell);

/* What a growing member is, by its rate, that with half the time step, and that with half the cell
 * size and time step; NAN: none.
 */
otok_verdict otok_verdict_growth(const double rates[3]);

/* "none stable growing ...": the words of -1, 0, 1, ... for flags in files; returns `out`. */
enum { OTOK_VERDICT_MEANINGS = 256 };
const char *otok_verdict_meanings(char out[OTOK_VERDICT_MEANINGS]);

#endif
