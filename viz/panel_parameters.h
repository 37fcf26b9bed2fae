/* panel_parameters.h: the panel's part for the present phase: switches of its processes and stages,
 * and its parameters. */
#ifndef OTOK_PANEL_PARAMETERS_H
#define OTOK_PANEL_PARAMETERS_H

#include "controls.h"

struct otok_parameter_panel {
    otok_controls controls;
    char wanted[OTOK_CONTROL_TEXT]; /* letters that a parameter's name must have */
    char typed[OTOK_CONTROL_TEXT];  /* the number in the open field, perhaps with a unit */
};

/* Draws them into the window of Dear ImGui that is open. */
void otok_panel_parameters_draw(otok_parameter_panel *panel, otok_live *live);

#endif
