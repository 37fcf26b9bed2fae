/* feed.h: the fields of a simulation or a checkpoint into the textures of a scene. */
#ifndef OTOK_FEED_H
#define OTOK_FEED_H

#include "live.h"

otok_status otok_feed_create(otok_feed **out, otok_grid grid);
void otok_feed_destroy(otok_feed *feed);

/* Fills the slots that the shot's style shows; the simulation rests. Sets live->direct, live->legend and what of the shot follows
   the state: range of values (looked at anew once a second, and when `anew`), sea. */
otok_status otok_feed_show(otok_feed *feed, otok_live *live, int anew);

/* The terrain as it was last shown, or fetched for this; NULL without memory. */
const float *otok_feed_terrain(otok_feed *feed, otok_live *live);

#endif
