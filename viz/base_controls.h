/* base_controls.h: what makes the island as controls for a panel: the seed, the sea, every number
   of the base terrain's generators, and the rivers of the present phase. It draws nothing and
   remembers the values of the last rest of the simulation. */
#ifndef OTOK_BASE_CONTROLS_H
#define OTOK_BASE_CONTROLS_H

#include "live.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { OTOK_BASE_CONTROLS = 256, OTOK_BASE_PATH = 160, OTOK_BASE_TITLE = 96 };

typedef struct otok_base_control {
    const otok_parameter *parameter;
    char path[OTOK_BASE_PATH];   /* as for --set */
    char title[OTOK_BASE_TITLE]; /* of what it belongs to: "2 power_blend: 1 simplex" */
    double value, first;         /* now, and as it was shown first     */
    double low, high;            /* ends of its slider, which is linear */
} otok_base_control;

typedef struct otok_base_controls {
    int n, rivers;  /* controls; rivers of the phase */
    int base_end;   /* the first control of a river */
    int sea_moves;  /* the phase's reef has a sea_history, which sets the sea */
    char *text;     /* of the scenario that they are of */
    char typed[64]; /* of the control whose value is being typed */
    int64_t refused;
    otok_base_control at[OTOK_BASE_CONTROLS];
} otok_base_controls;

/* Looks at a simulation that rests. All zero at first. */
void otok_base_controls_update(otok_base_controls *controls, const otok_live *live);
void otok_base_controls_reset(otok_base_controls *controls);

/* Sets a control: its value for now, and a request for the next rest. The value is rounded to so
   many digits and kept in its range. A base that takes long to make is requested later: `move` sets
   only the value, `ask` requests it. */
void otok_base_control_set(otok_base_control *control, otok_live *live, double value, int digits);
void otok_base_control_move(otok_base_control *control, double value, int digits);
void otok_base_control_ask(const otok_base_control *control, otok_live *live);

/* Requests the rivers of the present phase without river i. */
void otok_base_river_remove(otok_live *live, int i);

#ifdef __cplusplus
}
#endif
#endif
