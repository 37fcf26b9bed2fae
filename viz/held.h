/* held.h: a recorded state that stays at the left of a line in the middle of the view, under the
   camera and in the colours of the one that is shown at its right. */
#ifndef OTOK_HELD_H
#define OTOK_HELD_H

#include "live.h"

/* Holds the state that is shown, or lets the held one go. While it is held, frame brings its maps
   up to date with the style. A failure lets it go, and is reported. */
void otok_held_switch(otok_live *live);
void otok_held_frame(otok_live *live);
void otok_held_end(otok_live *live);

/* Draws it inside the scissor box, as `shot` draws the one that is shown. words: what it is. */
void otok_held_draw(const otok_live *live, otok_canvas *canvas, const otok_shot *shot);
void otok_held_words(const otok_live *live, char *out, size_t size);

#endif
