/* dials.h: the present phase's parameters as dials for a panel: their values, the way of a slider through its range, the texts of
   changes, and stages that can be switched. It draws nothing. What it shows is remembered from the last rest of the simulation. */
#ifndef OTOK_DIALS_H
#define OTOK_DIALS_H

#include "live.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { OTOK_DIALS = 512, OTOK_DIAL_TEXT = 64, OTOK_SWITCHES = 8 };

/* A process that the phase has or has not, or a stage that is off where its numbers are 0. */
typedef struct otok_switch {
    const char *name, *group, *keys[2], *help; /* keys NULL: the process `group` itself */
} otok_switch;
extern const otok_switch otok_switches[OTOK_SWITCHES];

typedef struct otok_dials {
    int phase; /* index; -1: none */
    char name[OTOK_NAME_SIZE];
    double value[OTOK_DIALS],
        first[OTOK_DIALS];            /* by the place in the table: now, and as the phase began to be shown; NAN: no dial */
    char *before[OTOK_SWITCHES];      /* what switching a process off took away, as its change says; or NULL */
    double numbers[OTOK_SWITCHES][2]; /* what switching a stage off set to 0 */
    otok_limit limits[OTOK_LIMITS];
    int nlimits;
    otok_ledger ledger;
    int changes;         /* of the simulation when it was looked at last       */
    int64_t refused, at; /* and refused by it; the iteration that the ledger is of */
    double measured_at;
} otok_dials;

/* Looks at a simulation that rests; measures it at most twice a second. All zero at first. */
void otok_dials_look(otok_dials *dials, const otok_live *live);
void otok_dials_forget(otok_dials *dials);

/* Is there a dial for the table's parameter i? */
int otok_dial_is(const otok_dials *dials, int i);

/* The way of a slider, 0..1: linear, by decades (0 at its lowest end where that is allowed), or to both sides of 0. It spans what
   is usual, at most the allowed range: whoever wants another value types it. */
double otok_dial_value(const otok_dials *dials, int i, double way);
double otok_dial_way(const otok_dials *dials, int i, double value);

/* Values as --set takes them; digits of a number. Words of a choice by their index, "" after the last. */
void otok_dial_text(int i, double value, int digits, char out[OTOK_DIAL_TEXT]);
void otok_choice_text(const otok_parameter *p, int n, char out[OTOK_DIAL_TEXT]);

/* Turns it: the value of a dial for now, and a request for the next rest. */
void otok_dial_turn(otok_dials *dials, otok_live *live, int i, double value, int digits);

/* What it would be like: switches that make sense in this phase, and whether they are on. */
int otok_switch_is(const otok_dials *dials, int s);
int otok_switch_is_on(const otok_dials *dials, int s);
void otok_switch_turn(otok_dials *dials, otok_live *live, int s, int on);

#ifdef __cplusplus
}
#endif
#endif
