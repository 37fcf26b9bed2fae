/* panel_places.h: what the window shows and where the panel's controls are, for tests that drive
   it. With the environment variable OTOK_PANEL_PLACES=FILE the file is replaced as a whole once a
   frame is shown. Its first line is "frame", the frame's number, the iteration, and 1 while the
   picture will change without input, else 0. A line for each control that is seen follows: name, x,
   y, width and height in pixels of the window. There is none while the panel is hidden. Tabs
   separate the words of a line. Without the variable all of this does nothing but draw. */
#ifndef OTOK_PANEL_PLACES_H
#define OTOK_PANEL_PLACES_H

#include <cstdint>

/* begin: a frame has no controls yet. end: it is shown, and the file is written. If that fails, one
   line on standard error says so, and no further file is written. */
void otok_panel_places_begin(void);
void otok_panel_places_end(int64_t iteration, int changes);

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
void otok_panel_escape(void); /* Escape closes the popup or list that is being drawn */

#endif
