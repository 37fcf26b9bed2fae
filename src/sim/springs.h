/* springs.h: the maps of a phase's parameters (core/maps.def), and its rivers as a map for the
   buffer OTOK_SPRINGS of a patch. They follow from the scenario and are made on the host. They are
   not part of the state. */
#ifndef OTOK_SPRINGS_H
#define OTOK_SPRINGS_H

#include "../base/raster.h"
#include "../core/state.h"
#include "../io/holes.h"
#include "../scenario/scenario.h"

typedef struct otok_made {
    int buffer, phase;
    int64_t n;  /* maps that follow one another in the phase; 1: one that stays */
    float *map; /* dense, [n] */
    struct otok_made_of {
        double end;   /* the time of the phase at which it ends [s] */
        double sum;   /* over the cells that are no walls */
        double high;  /* the largest value */
    } * of;           /* [n] */
    double low, high; /* the ends of all values */
} otok_made;

/* The maps that an iteration has. */
typedef struct otok_shares {
    int64_t first, last;
    double from, to; /* the iteration, in times of the phase, if it has several; else 0 */
} otok_shares;

/* Rivers with different hydrographs that bring water to the same cell: a bit each. */
typedef struct otok_meeting {
    uint64_t of[OTOK_MAX_RIVERS / 64];
} otok_meeting;

/* Those of a phase. They have the numbers from `first` on, after the hydrographs'. */
typedef struct otok_meetings {
    int n, first;
    int is_full; /* there are more */
    otok_meeting at[OTOK_HYDROGRAPHS];
    int64_t cells[OTOK_MAX_RIVERS]; /* that a river covers; 0: it is in one alone */
} otok_meetings;

typedef struct otok_springs {
    otok_made *made; /* the maps of all phases */
    int nmade;
    float *scratch;         /* of the same size as a map; NULL if no phase has maps or rivers */
    int borrowed;           /* the maps belong to another simulation */
    int ready;              /* the phase for which the patch's buffers were filled; -1: none */
    otok_shares shares;     /* and of which of its maps of rain */
    otok_meetings meetings; /* of its rivers */
    int64_t cells;          /* the most cells to which rivers of a phase so far brought water */
} otok_springs;

/* Makes the maps of all phases. OTOK_IO, OTOK_DATA: one cannot be used; the text names scenario,
   line, key, file and remedy. */
otok_status otok_springs_read(otok_springs *out, const otok_scenario *scenario,
                              otok_raster_place *place);

/* The map of a phase for a buffer; NULL: there is none, or a number replaced it. */
const otok_made *otok_springs_map(const otok_springs *springs, const otok_phase *phases, int phase,
                                  int buffer);

/* Which maps the iteration of a moment has, and the share of one of them in its time. */
otok_shares otok_springs_shares(const otok_made *made, const otok_moment *moment);
double otok_springs_share(const otok_made *made, const otok_shares *shares, int64_t map);

/* OTOK_DATA: the maps of a phase end before it does. */
otok_status otok_springs_last(const otok_springs *springs, const otok_scenario *scenario);

/* Allocates memory for the rivers of a scenario that had none when it was read. */
otok_status otok_springs_room(otok_springs *springs, const otok_scenario *scenario);
void otok_springs_destroy(otok_springs *springs);

/* The host memory for these maps [bytes]. */
uint64_t otok_springs_bytes(const otok_scenario *scenario);

/* Fills `map` with what the rivers of a phase bring to each cell of `box` in one iteration [m], or,
   if they have a hydrograph or meet, per volume of it [m^-2]. The second function: with the numbers
   of their hydrographs or meetings. */
void otok_springs_rivers(float *map, const otok_phase *phase, otok_grid grid, otok_box box,
                         const otok_holes *walls);
void otok_springs_hydrographs(float *map, const otok_phase *phase, otok_grid grid, otok_box box,
                              const otok_holes *walls);

otok_meetings otok_springs_meetings(const otok_phase *phase, otok_grid grid,
                                    const otok_holes *walls);

/* What each meeting brings to a cell in the iteration of a moment [m^3]. */
void otok_springs_volumes(otok_volumes *out, const otok_meetings *meetings, const otok_phase *phase,
                          const otok_moment *moment);

/* The largest depth that rivers bring to a cell in a second [m/s]. */
double otok_springs_rate(const otok_phase *phase, otok_grid grid, const otok_holes *walls);

/* The deepest water that rivers hold at a level above `ground` in this time of the phase [m]; 0:
   none. */
double otok_springs_stage(const otok_phase *phase, otok_grid grid, const otok_holes *walls,
                          const float *ground, double from, double to);

/* OTOK_DATA: a river has walls alone, there are too many meetings of rivers, or one that holds a
   level or lets water out meets another one.
   heed_walls: maps are 0 there; OTOK_DATA: a cell without data in a map is no wall. */
otok_status otok_springs_check(const otok_scenario *scenario, const otok_holes *walls);
otok_status otok_springs_heed_walls(otok_springs *springs, const otok_scenario *scenario,
                                    const otok_holes *walls);

#endif
