/* panel_base.h: the panel's part for what makes the island: sliders of base terrain, sea and
   rivers; and the tooltips of all parts. */
#ifndef OTOK_PANEL_BASE_H
#define OTOK_PANEL_BASE_H

#include "base_controls.h"

/* Draws them into the window of Dear ImGui that is open. */
void otok_panel_base_draw(otok_base_controls *controls, otok_live *live);

/* Draws the colour map of the values, contours, and the weight of light and shade. */
void otok_panel_colours_draw(otok_live *live);

/* Draws the controls of the style `island`: the slope from which its ground is rock, and how often
   its textures repeat. */
void otok_panel_ground_draw(otok_live *live);

/* As ImGui::BeginTooltip, but beside the panel, where it covers no control, and upwards from
   controls in the lower half. Where there is no room, it is as usual. */
void otok_panel_tooltip_begin(void);
void otok_panel_tooltip_end(void);

/* One of a line. */
void otok_panel_tooltip(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A line of text in a popup that has just begun: typing goes there at once. Enter closes the popup;
   true then. */
bool otok_panel_type(char *text, size_t size);

#endif
