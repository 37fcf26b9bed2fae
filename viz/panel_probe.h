/* panel_probe.h: the panel's part for the cell under the cursor: a curve per field. */
#ifndef OTOK_PANEL_PROBE_H
#define OTOK_PANEL_PROBE_H

#include "live.h"

/* Draws them into the window of Dear ImGui that is open. */
void otok_panel_probe_draw(const otok_live *live);

#endif
