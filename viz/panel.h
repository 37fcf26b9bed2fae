/* panel.h: sliders and switches over a window, made from the table of parameters; stability limits,
   the ledger, and a plot of the probe. It uses Dear ImGui, and its files are the only ones in C++.
   It computes nothing: it reads otok_live and makes requests. */
#ifndef OTOK_PANEL_H
#define OTOK_PANEL_H

#include "live.h"

#ifdef __cplusplus
extern "C" {
#endif

struct GLFWwindow;
typedef struct otok_panel otok_panel;

/* The context of the window is current, and its own callbacks are set: those of the panel pass
   events on to them. Returns NULL on failure; see otok_why(). */
otok_panel *otok_panel_create(struct GLFWwindow *window);
void otok_panel_destroy(otok_panel *panel); /* accepts NULL */

/* Draws the panel into the bound framebuffer, over what is there, unless it is hidden. Sets
   live->covered. */
void otok_panel_draw(otok_panel *panel, otok_live *live);

/* The frame is shown, and the picture will change without input or not: panel_places.h. */
void otok_panel_shown(const otok_live *live, int changes);

/* Does the panel take the next event of the mouse, or of the keyboard? */
int otok_panel_wants_mouse(void);
int otok_panel_wants_keyboard(void);

#ifdef __cplusplus
}
#endif
#endif
