/* section.h: the flow through a line across the water, and the energy head of the water there. */
#ifndef OTOK_SIM_SECTION_H
#define OTOK_SIM_SECTION_H

#include "../io/holes.h"
#include "../scenario/scenario.h"

/* The water of a cell; of a wall, level is NAN, and the rest 0. */
typedef struct otok_section_cell {
    double depth, level, u, v;
} otok_section_cell;

typedef otok_status otok_section_read(void *user, int i, int j, otok_section_cell *out);

typedef struct otok_section {
    double discharge; /* from the left of the line to its right, seen from its start [m^3/s] */
    double head;      /* level + |v|^2 / 2g, the mean over what flows; of water at rest its level */
} otok_section;

/* Of a gauge with both ends. A cell's flow, its speed times its depth, is the mean of the flows
   through two opposite faces. The flow between the middles of two cells is the mean of theirs. So
   steady water that enters a closed line of such pieces leaves it again, whatever the bed does, and
   between four middles flow is linear along each axis (Raviart & Thomas 1977). g is that of the
   first phase with water. */
otok_status otok_section_measure(otok_section *out, const otok_gauge *line,
                                 const otok_scenario *scenario, otok_section_read *read,
                                 void *user);

/* Has a gauge at a point, or each cell that a line crosses, no data? */
int otok_gauge_is_walled(const otok_gauge *gauge, otok_grid grid, const otok_holes *walls);

#endif
