/* verdict.h: the meaning of the samples of a run or a member. All thresholds are here. A verdict
   is about one run. One run cannot tell whether growth is physical. Runs with half the time step
   and half the cell size can. */
#ifndef OTOK_VERDICT_H
#define OTOK_VERDICT_H

#include "../otok.h"

/* One sample: doubles alone. */
typedef struct otok_sample {
#define OTOK_SAMPLE(name, ...) double name;
#include "sample.def"
} otok_sample;

enum { OTOK_SAMPLE_SIZE = sizeof(otok_sample) / sizeof(double) };

typedef struct otok_sample_info {
    const char *name, *unit, *long_name;
} otok_sample_info;

extern const otok_sample_info otok_sample_infos[OTOK_SAMPLE_SIZE];

/* What the ledger shows of an amount that is lost or made: by how much, of how much [m^3]; how many
   times its bound that is. */
typedef enum otok_lost_kind {
    OTOK_LOST_NOTHING,
    OTOK_LOST_GROUND, /* rounding, of what moved from cell to cell */
    OTOK_LOST_RAIN,   /* what came, less than what the scenario says */
    OTOK_LOST_RIVERS,
    OTOK_LOST_UPLIFT,
    OTOK_LOST_SEDIMENT, /* what the ledger cannot explain, of the most sediment that was in water */
    OTOK_UNBOOKED_SOLID, /* likewise of all solids, after maps were set or lent */
    OTOK_UNBOOKED_WATER,
    OTOK_LOST_DISPLACED /* water that displace_water made beyond the sediment in it */
} otok_lost_kind;
typedef struct otok_lost {
    double kind; /* otok_lost_kind; a double, as the judge's numbers are */
    double by, of, times;
} otok_lost;

/* Where something was first seen: the index of the first such cell, in rows from the bottom; -1:
   nowhere. */
typedef struct otok_suspects {
    int64_t not_finite, fast;
    int64_t rough, changed, deepest, flipped, rolled,
        prominent;                     /* the cell with the largest value;
                                          flipped: of those that chatter */
    int64_t fast_cells, rolling_cells; /* how many there are */
    double depth, depth_limit; /* of the deepest water, and the depth that its phase allows [m];
                                  limit 0: any depth */
    otok_lost lost;            /* what is the most times beyond its bound */
} otok_suspects;

/* The roughness of the water surface relative to the mean depth. In every scene tried it is at most
   0.02 below the edge of stability and about 2 beyond it, and it jumps between S = 0.25 and 0.26.
   0.3 lies between. A rill one cell wide is as rough, but does not move: water that chatters also
   changes by as much from one iteration to the next. */
#define OTOK_CHATTER 0.3
/* The same holds in a single cell (otok_is_chatter). So many such cells, and this share of the wet
   ones, chatter, however calm the others are: a pit whose water is too deep for dt, in a calm sea.
 */
#define OTOK_CHATTER_CELLS 4
#define OTOK_CHATTER_SHARE 0.002
/* Water rolls if so much of it, by volume, is beyond the roll limit, and steep waves pass through
   this share of that part. A wave is steep if its depth changes by OTOK_STEEP of itself per cell
   crossed. Measured over planes of Froude 0.64 to 1.1 (tests/study_signs.c has two): where waves
   grew to a spread of 0.4 of the depth, steep ones passed through 0.05 to 0.08 of the water, then
   through 0.1 to 0.5; in uniform flow and in floods that rise five times within six minutes,
   through less than 0.04. It is a state, not an episode: it holds in OTOK_ROLL_HELD of the samples,
   or in more than OTOK_ROLL_AT_LAST of them and in the last, because waves that have grown stay. If
   more of the wet cells chatter than OTOK_ROLL_CHATTERS, dt is to blame, not the limit. */
#define OTOK_ROLL_BEYOND 0.5
#define OTOK_ROLL_SHARE 0.2
#define OTOK_ROLL_HELD 0.25
#define OTOK_ROLL_AT_LAST 0.1
#define OTOK_STEEP 0.05
#define OTOK_ROLL_CHATTERS 0.1
/* Ground is ruined if a cell is above or below all its neighbours by OTOK_TOWER cell sizes, and by
   OTOK_TOWER_GROWN times the most at the start; or if its mean roughness exceeds OTOK_ROUGH of them
   and OTOK_RUIN_GROWN times that of the start; or if extrema of OTOK_PEAK cell sizes and more cover
   OTOK_PEAKS of all cells more than at the start. */
#define OTOK_TOWER 1.0
#define OTOK_TOWER_GROWN 2.0
#define OTOK_ROUGH 0.5
#define OTOK_RUIN_GROWN 10.0
#define OTOK_PEAK 0.1
#define OTOK_PEAKS 0.05
/* The share of the wet cells at |u| + |w| = l/dt. On a plane slope without friction it is 1; below
   the edge of stability it is nearly 0. */
#define OTOK_FAST_SHARE 0.1
/* Shares that stay below 1e-6 of the mass while all is well. Clamping leaks up to 7e-5 while water
   chatters. */
#define OTOK_LOST 1e-3
/* Rounding may make or lose this share of what moves from cell to cell, and as much of what came
   may be missing. Rounding is a random walk: what is below OTOK_LOST_WALK times half a unit in the
   last place, times the square root of the number of updates, tells nothing; nor does it make more
   than half a unit in each update. */
#define OTOK_LOST_SHARE 1e-3
#define OTOK_LOST_WALK 5.0
/* Share of the sediment that moved. Semi-Lagrangian transport makes or loses 30 to 50 % of it. */
#define OTOK_DRIFTED 0.05
/* The ground has grown if it is this many times rougher than at the start. If no water runs, which
   cuts valleys, single cells must also stand this many times as far above or below all their
   neighbours: a pattern of the finest wavelength has such cells; steep walls, such as the rim of a
   reef, are as rough and have none. It is still growing if at least this share of the growth's
   logarithm falls into the second half of the run. */
#define OTOK_GROWN 2.0
#define OTOK_STILL_GROWING 0.25
/* Rates within this factor of each other count as equal. A rate proportional to the fourth root of
   the time step changes by this factor when the step is halved. A rate proportional to the step, or
   to its inverse, changes by 2; well resolved growth changes by less than 1.01. */
#define OTOK_SAME_RATE 1.19
/* OTOK_BEYOND: the height at which the ledger saturates [m]. OTOK_TOO_ROUGH: ground that is rougher
   than this many cell sizes, and this many times rougher than at the start, is steeper than any
   slope. */
#define OTOK_BEYOND 4194304.0
#define OTOK_TOO_ROUGH 10.0
/* A state counts if it held in this share of the samples, or in the last one. */
#define OTOK_HELD 0.1

/* A sign, or water that is too deep: how often it was seen, and when and where first. */
typedef struct otok_seen {
    int64_t held, after, first; /* number of samples with it; iterations of the sample before the
                                   first of these, and of the first */
    int64_t cell, cells; /* of the sample with the most such cells: the worst, and their number; -1:
                            there are none */
    int64_t now;         /* did it hold in the last sample with water? */
} otok_seen;

/* What a window of the audit found. */
typedef struct otok_window {
    double weight;                   /* iterations of the run that it stands for */
    double flow, flow_apart;         /* of the water, times the cells [m^2/s] */
    double flow_more;                /* of the run, than of its twin */
    double moved, moved_apart;       /* of the ground: the whole amounts differ by this, beyond what
                                        the water carries more or less of [m] */
    double sediment, sediment_apart; /* [m] */
    double shaped, shaped_apart; /* of the ground without uplift, if waves are swept: the twin has
                                    half the interval of sweeps, too [m] */
} otok_window;

/* What a window found of volumes: of all water at its end; of what came with rain and rivers and
   over sides; and of what left without flowing (evaporated, infiltrated) or came over sides: of the
   run, and how much more than of its twin [sum of depths, m]. Those of the ledger are of a run
   alone, not of a member of a study, which runs again. */
enum { OTOK_AMOUNT_EVAPORATED, OTOK_AMOUNT_INFILTRATED, OTOK_AMOUNT_ENTERED, OTOK_AMOUNT_KINDS };
typedef struct otok_amounts {
    double depth, depth_more, came;
    double of[OTOK_AMOUNT_KINDS], more[OTOK_AMOUNT_KINDS];
} otok_amounts;

/* The differences of an audit, as shares: means over the windows, each counted for the part of the
   run that it stands for. NAN: there was nothing to compare, or no audit.
   speed: of flow that is elsewhere, or OTOK_AUDIT_WAVES times that by which there is more or less
   of it, whichever is smaller. Waves that come at other times are elsewhere and no more. Or of a
   volume (otok_amounts) if that is larger; of what stands still, of its depth.
   ground: of what moves, or of the roughness that levelling leaves, whichever is larger.
   sediment: of what is suspended in each cell during the windows, or, if it stays in its cell, of
   all that will be suspended at the end, whichever is larger.
   sweeps: with half the interval of the sweeps of waves too, of what moves, cell by cell.
   rivers: of the cells that drain to another one; no bound. */
typedef struct otok_audit_figures {
    double speed, ground, sediment, sweeps, rivers;
} otok_audit_figures;

#define OTOK_AUDIT_WAVES 5.0

/* Results depend on the step if a figure is above these. Chosen, as those of slides below, on 4761
   random members of twelve families with known results (experiments/stability/falsify, seed 9):
   lower ones miss less, and alarm for nothing more often. */
#define OTOK_AUDIT_SPEED 0.025
#define OTOK_AUDIT_GROUND 0.04
#define OTOK_AUDIT_SEDIMENT 0.02
/* Likewise with the interval of sweeps. Most windows are where the sea moves fastest; on five
   profiles of cones with reefs they showed 6 to 12 times the difference at the end, and 0.2 to 8 %
   within the limits of otok predict, 16 to 25 % at three times these. */
#define OTOK_AUDIT_SWEEPS 0.1
/* What is known to depend on the step is `stable` only if the audit proves it: the figures must
   stay below these shares of their bounds. BROKEN: the step is beyond a proven or measured limit
   (margin above 1; or water deeper than its phase allows), whose growth may be slow, or come after
   the last window. PLAIN: water in pipes of constant area, whose speed on slopes without friction
   is l/dt. On the members of seed 9 twice BROKEN would miss 2 more and spare 6 of 95 false alarms,
   twice PLAIN would miss 2 more and spare none. */
#define OTOK_AUDIT_BROKEN 0.1
#define OTOK_AUDIT_PLAIN 0.25
/* A member of a study is in doubt if the largest of these figures, over its bound, is at least
   LEAST, and at most MOST without the shares above. It runs again, whole, with half the step
   (study/settle.c), and depends on its step if a result changes by CHANGE, or by PLAIN of that in
   pipes of constant area, beyond a limit, and in reefs beyond a slow one, where carbon spreads by
   l^2/(4 dt): the next half step changes more than this one. LEAST also stands for what is known to
   depend on the step. The result of dt may differ from that of dt/4 by a tenth before `stable`
   counts as false. An error of order 1 has two thirds of that between dt and dt/2, and one that
   does not fall with dt a half: CHANGE is a third. Chosen on ten families of seed 21, PLAIN on
   seeds 21 to 23 (experiments/stability/falsify). Of a study without responses the water and the
   sediment leave doubt from FLOWS on: what they change by less is the depth of single cells, not a
   sum over all.
 */
#define OTOK_DOUBT_LEAST 0.1
#define OTOK_DOUBT_FLOWS 0.25
#define OTOK_DOUBT_MOST 8.0
#define OTOK_DOUBT_CHANGE 0.03
#define OTOK_DOUBT_PLAIN 0.5
/* Outflow of less than this share of the water that came has no bearing on the result. */
#define OTOK_DOUBT_OUT 0.0025
/* Suspended sediment below this share of all that moved, and water that infiltrates below this
   share of what came, have no bearing on the result. */
#define OTOK_AUDIT_LITTLE 0.01

/* Slides of law share stop below their talus by up to half of dt rate, so that the texture which
   they leave, and how much has slid, change with dt. The result depends on the step if in a window
   the ground's roughness differs by OTOK_AUDIT_TEXTURE of itself, or if what was lowered or raised
   will differ at the end by OTOK_AUDIT_NET of what has changed. A window shows little of the
   texture that large slides leave: if dt rate is above OTOK_AUDIT_SLIDE, half the limit of otok
   predict, these may be OTOK_AUDIT_BROKEN of that at most. Chosen on seeds 9 and 31, 767 members:
   none of 5 falsely stable ones is left, for 5 false alarms in 400. */
#define OTOK_AUDIT_TEXTURE 0.04
#define OTOK_AUDIT_NET 0.015
#define OTOK_AUDIT_SLIDE 0.125

/* A step below this share of its limits, of which the depth's is a square, is short. */
#define OTOK_SHORT_STEP 0.1

/* Processes without action in a window give no evidence. */
enum { OTOK_ACT_WATER, OTOK_ACT_GROUND, OTOK_ACT_SWEEPS, OTOK_ACTS };

/* How strong the run is: the flow of the water, and how fast the ground moves. A moment is unseen
   if it is more than OTOK_LOOK_TIMES as strong as any that a window shows. */
enum { OTOK_LOOK_FLOW, OTOK_LOOK_GROUND, OTOK_LOOK_KINDS };
#define OTOK_LOOK_TIMES 2.0

/* What the looks between windows found (sim/look.c), and where the windows are. */
typedef struct otok_looks {
    double last, phase;                  /* iteration of the last look, its phase */
    double lowered, raised, rough;       /* of the ground at it [m] */
    double now[OTOK_LOOK_KINDS];         /* flow times cells [m^2/s]; of the ground [m/iteration] */
    double most[OTOK_LOOK_KINDS];        /* the most in this phase ... */
    double at[OTOK_LOOK_KINDS];          /* ... was at this iteration */
    double shown[OTOK_LOOK_KINDS];       /* the most that a window shows */
    double missed;                       /* iteration of an unseen moment of an earlier phase; 0 */
    double opened;                       /* windows at events of this phase */
    double starts[OTOK_AUDIT_WINDOWS];   /* of the windows that were audited, iterations ... */
    double is_event[OTOK_AUDIT_WINDOWS]; /* ... and 1: a look opened it */
    double rest;                         /* share of `slow` that counts; 0: all */
    double slid[2];                      /* of the last window: lowered and raised, apart a step */
} otok_looks;

/* The greatest depth in successive samples [m], and by how much it swings, as a share: it goes up,
   down and up again by that at least, or the other way round. Windows compare how much water flows,
   not the depth of one cell. */
typedef struct otok_swing {
    double depth, by, before, most;
} otok_swing;
#define OTOK_SWINGS 0.1
/* The form of an island is that of most azimuths. It is in doubt if it leads by less. */
#define OTOK_FORM_LEAD 0.125
/* Between sweeps of waves the sea stays as it is: an error of order 1 in their number, of which a
   window shows one or two. */
#define OTOK_FEW_SWEEPS 128

/* Everything seen so far. Zero the struct, set what belongs to the member, then note every sample
   in order. It holds first whole numbers, then doubles, and nothing else: a checkpoint stores both
   as arrays, so that a resumed run ends with the verdict of an uninterrupted one. */
typedef struct otok_judge {
    int64_t samples, since,
        last; /* iterations of the state before the first sample, and of the last sample */
    otok_seen seen[OTOK_REFUSED]; /* by verdict */
    otok_seen deep;               /* water deeper than its phase allows */
    int64_t deepest_at; /* iteration of the sample with the deepest water, relative to its limit
                           if there is one */
    int64_t audited;    /* windows of the audit so far */
    double deepest, deepest_limit;        /* its depth and that limit [m]; 0: none */
    double spacing, cells, until;         /* of the member: cell size, cells, iterations */
    double rough_start;                   /* roughness of the ground before the first sample */
    double prominence_start, peaks_start; /* likewise */
    double rough_middle, rough_end;       /* roughness later, half-way and at the end */
    double moved;                         /* see otok_diagnostics_sample */
    double shares[OTOK_REFUSED];          /* by verdict: the most so far, see otok_diagnosis */
    /* of each window of the audit (sim/audit.h): what the run or its twin has more of, and what is
       apart between them; the part of the run that the window stands for */
    otok_window windows[OTOK_AUDIT_WINDOWS];
    double slow; /* otok_predict_slow, if the run is audited; less for growth that rests at last */
    /* Of windows with slides of law share (sim/audit.c): the largest difference of the ground's
       roughness, as a share; by how much the ground will be lowered and raised differently at the
       end, and how much it was in the last window [m]. Differences by slides beyond
       OTOK_AUDIT_SLIDE count 1/OTOK_AUDIT_BROKEN times */
    double rough_apart, lowered_apart, raised_apart, changed;
    /* Suspended sediment, times iterations [m]: by how much it will differ at the end, and how much
       there was in the last window (sim/audit.c) */
    double carried, held;
    double lead;   /* iterations by which levelling ground is ahead of its twin, or behind */
    double broken; /* the largest margin of otok_predict_step and otok_predict_slow; 0:
`audit: off` asks for what the samples show alone */
    double water;  /* bits OTOK_WATER_... of all phases */
    double audits; /* 0: the scenario says `audit: off`; else 1 + what no window compares + 4 times
                      what moves the ground, see otok_diagnosis */
    /* Of water, and of ground that moves: 1 if a sample shows some, and if a window does. Of waves
       on which the ground depends: 1 if a phase has some, and if a window shows two sweeps */
    double acts[OTOK_ACTS], shown[OTOK_ACTS];
    otok_lost lost; /* the most so far */
    otok_looks looks;
    otok_amounts amounts[OTOK_AUDIT_WINDOWS]; /* of each window */
    double receivers[2]; /* of all windows: cells with a receiver, and those whose is another one,
                            times the iterations that they stand for */
    otok_swing swing;    /* of members of studies, which no checkpoint holds */
} otok_judge;

enum {
    OTOK_JUDGE_COUNTS = offsetof(otok_judge, deepest) / sizeof(int64_t),
    OTOK_JUDGE_FIGURES =
        (offsetof(otok_judge, looks) - offsetof(otok_judge, deepest)) / sizeof(double),
    OTOK_JUDGE_LOOKS = sizeof(otok_looks) / sizeof(double),
    OTOK_JUDGE_AMOUNTS = OTOK_AUDIT_WINDOWS * sizeof(otok_amounts) / sizeof(double),
    OTOK_EARLIER_FIGURES = 84 /* of files that have eight windows */
};

/* The iteration of the strongest moment that no window shows; 0: they show it. */
double otok_judge_missed(const otok_judge *judge);

/* Why the run is OTOK_NOT_AUDITED if nothing worse holds (otok_diagnosis.unseen). */
typedef enum otok_unseen {
    OTOK_UNSEEN_NOTHING,
#define OTOK_UNSEEN_AS(NAME, ...) OTOK_UNSEEN_##NAME,
#include "verdicts.def"
    OTOK_UNSEENS
} otok_unseen;

/* What moves the ground (otok_diagnosis.movers). */
enum {
    OTOK_MOVES_WATER = 1,
    OTOK_MOVES_SLIDES = 2,
    OTOK_MOVES_REEF = 4,
    OTOK_MOVES_WIND = 8,
    OTOK_MOVES_RIVERS = 16,
    OTOK_MOVES_DROPLETS = 32
};
enum { OTOK_UNCOMPARED = 4 }; /* values of otok_diagnosis.uncompared */

/* Can these numbers come from samples? */
int otok_judge_is_sound(const otok_judge *judge);

void otok_judge_note(otok_judge *judge, const otok_sample *sample, const otok_suspects *where);

/* The diagnosis so far, on a grid nx cells wide. */
otok_diagnosis otok_judge_diagnosis(const otok_judge *judge, int64_t nx);

/* The verdict after the last sample, or once it is OTOK_DIVERGED. */
otok_verdict otok_judge_verdict(const otok_judge *judge);

/* The figures of the audit so far. */
otok_audit_figures otok_judge_figures(const otok_judge *judge);
/* The largest of what the audit and `otok predict` say of the step, over its bound: the result
   depends on its step if it is above 1. NAN: a worse verdict holds, or none of these would change
   it. At least OTOK_DOUBT_LEAST for what is known to depend on the step. flows: 0: without what
   water and sediment say. */
double otok_judge_doubt(const otok_judge *judge, int flows);
int otok_is_doubtful(double doubt, double proof); /* proof: see otok_diagnosis */
/* A run of which a result changes by more than this share with half the step depends on it. */
double otok_judge_change(const otok_judge *judge);

/* The kind of growth. It follows from the rates of a member, of its rerun with half the time step,
   and of its rerun with half the cell size and time step; NAN: no such rerun. */
otok_verdict otok_verdict_growth(const double rates[3]);

/* "none stable growing ...": the words of -1, 0, 1, ... for flags in files. Returns `out`. */
enum { OTOK_VERDICT_MEANINGS = 256 };
const char *otok_verdict_meanings(char out[OTOK_VERDICT_MEANINGS]);

#endif
