/* panel_places.h: where the panel's controls are, for tests that drive it. With the environment
   variable OTOK_PANEL_PLACES=FILE the file has, after each frame, a line for each control that is
   seen: name, x, y, width and height in pixels of the window, separated by tabs. It is empty while
   the panel is hidden. It is replaced as a whole when a line changes. Without the variable all of
   this does nothing but draw. */
#ifndef OTOK_PANEL_PLACES_H
#define OTOK_PANEL_PLACES_H

/* begin: a frame has no controls yet. end: all were drawn, and the file is written. If that fails,
   one line on standard error says so, and no further file is written. */
void otok_panel_places_begin(void);
void otok_panel_places_end(void);

/* Names the control that was drawn last "KIND NAME", or NAME if KIND is "". `label`: the words at
   its right that are not part of it, or NULL. */
void otok_panel_place(const char *kind, const char *name, const char *label);

/* Names the open window of Dear ImGui: "panel", "tooltip". */
void otok_panel_place_window(const char *name);

/* As the functions of Dear ImGui. A control without another name has that of its label. */
bool otok_panel_button(const char *label, const char *name = nullptr);
bool otok_panel_header(const char *label);
bool otok_panel_checkbox(const char *label, bool *on, const char *name = nullptr);
bool otok_panel_combo(const char *label, const char *word, const char *name = nullptr);
bool otok_panel_choice(const char *word, bool chosen); /* of a combo that is open */

#endif
