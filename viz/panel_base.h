/* panel_base.h: the panel's part for what makes the island: sliders of base terrain, sea and
 * rivers; and the tooltips of all parts.
 */
#ifndef OTOK_PANEL_BASE_H
#define OTOK_PANEL_BASE_H

#include "base_controls.h"

/* Draws them into the window of Dear ImGui that is open. */
void otok_panel_base_draw(otok_base_controls *controls, otok_live *live);

/* Colour map of the values, contours, weight of light and shade. */
void otok_panel_colours_draw(otok_live *live);

/* Of the style `island`: from which slope its ground is rock, and how often its textures repeat. */
void otok_panel_ground_draw(otok_live *live);

/* As ImGui::BeginTooltip, but beside the panel, where it covers none of its controls, and upwards
   from those in the lower half; where there is no room, as usual. */
void otok_panel_tooltip_begin(void);
void otok_panel_tooltip_end(void);

/* One of a line. */
void otok_panel_tooltip(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
