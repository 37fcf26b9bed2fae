/* panel_places.h: where the panel's controls are, for tests that drive it. With the environment
   variable OTOK_PANEL_PLACES=FILE the file has, after each frame, a line for each control that is
   seen: name, x, y, width and height in pixels of the window, separated by tabs. It is empty while
   the panel is hidden. It is replaced as a whole when a line changes. Without the variable all of
   this does nothing but draw. */
#ifndef OTOK_PANEL_PLACES_H
#define OTOK_PANEL_PLACES_H

/* A frame's controls: none yet; all were drawn, and the file is written. Where it cannot be written
   one line on standard error says so, and no more are tried. */
void otok_panel_places_begin(void);
void otok_panel_places_end(void);

/* The control that was drawn last is called so, "KIND NAME", or NAME where KIND is "". `label`:
   what stands at its right and is no part of it, or NULL. */
void otok_panel_place(const char *kind, const char *name, const char *label);

/* The window of Dear ImGui that is open is called so: "panel", "tooltip". */
void otok_panel_place_window(const char *name);

/* As those of Dear ImGui. The control is called as its label is where it has no other name. */
bool otok_panel_button(const char *label, const char *name = nullptr);
bool otok_panel_header(const char *label);
bool otok_panel_checkbox(const char *label, bool *on, const char *name = nullptr);
bool otok_panel_combo(const char *label, const char *word, const char *name = nullptr);
bool otok_panel_choice(const char *word, bool chosen); /* of a combo that is open */

#endif
