/* controls.h: the parameters of the present phase as controls for a panel: their values, the
   position of a slider in its range, the texts of changes, and stages that can be switched. It
   draws nothing and remembers the values of the last rest of the simulation. */
#ifndef OTOK_CONTROLS_H
#define OTOK_CONTROLS_H

#include "live.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { OTOK_CONTROLS = 512, OTOK_CONTROL_TEXT = 64, OTOK_SWITCHES = 13 };

/* A process that the phase has or has not, or a stage that is off where its numbers are 0. */
typedef struct otok_switch {
    const char *name, *group, *keys[2], *help; /* keys NULL: the process `group` itself */
} otok_switch;
extern const otok_switch otok_switches[OTOK_SWITCHES];

typedef struct otok_controls {
    int phase; /* index; -1: none */
    char name[OTOK_NAME_SIZE];
    double value[OTOK_CONTROLS],
        first[OTOK_CONTROLS]; /* by the index in the table: now, and as the phase began to be shown;
                                 NAN: no control */
    char given[OTOK_CONTROLS][OTOK_CONTROL_TEXT]; /* with its unit, as the scenario has it; "" */
    char *before[OTOK_SWITCHES]; /* what switching a process off took away, as its change says; or
                                    NULL */
    double numbers[OTOK_SWITCHES][2]; /* what switching a stage off set to 0 */
    otok_limit limits[OTOK_LIMITS];
    int nlimits;
    otok_ledger ledger;
    int64_t begun;       /* live->begun when it was looked at last */
    int changes;         /* of the simulation when it was looked at last       */
    const char *newest;  /* value of the newest of them: only its address counts */
    int64_t refused, at; /* and refused by it; the iteration that the ledger is of */
    double measured_at;
} otok_controls;

/* Looks at a simulation that rests; measures it at most twice a second. All zero at first. */
void otok_controls_update(otok_controls *controls, const otok_live *live);
void otok_controls_reset(otok_controls *controls);

/* Is there a control for the table's parameter i? */
int otok_control_exists(const otok_controls *controls, int i);

/* The position of a slider, 0..1: linear, by decades (0 at its lowest end where that is allowed),
   or to both sides of 0. It spans typical values, at most the allowed range; any other value can be
   typed. */
double otok_control_value(const otok_controls *controls, int i, double position);
double otok_control_position(const otok_controls *controls, int i, double value);

/* A value as --set takes it, with so many digits if it is a number. */
void otok_control_text(int i, double value, int digits, char out[OTOK_CONTROL_TEXT]);

/* Sets it: the value of a control for now, and a request for the next rest. */
void otok_control_set(otok_controls *controls, otok_live *live, int i, double value, int digits);

/* Sets it to what was typed, perhaps with a unit: "36 mm/h". */
void otok_control_type(const otok_controls *controls, otok_live *live, int i, const char *text);

/* Does a switch make sense in this phase? Is it on? Switches it. */
int otok_switch_exists(const otok_controls *controls, int s);
int otok_switch_is_on(const otok_controls *controls, int s);
void otok_switch_set(otok_controls *controls, otok_live *live, int s, int on);

#ifdef __cplusplus
}
#endif
#endif
