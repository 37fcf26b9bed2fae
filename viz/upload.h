/* upload.h: uploads the fields of a simulation or a checkpoint into the textures of a scene. */
#ifndef OTOK_UPLOAD_H
#define OTOK_UPLOAD_H

#include "live.h"

otok_status otok_upload_create(otok_upload **out, otok_grid grid);
void otok_upload_destroy(otok_upload *upload);

/* Fills the slots that the style of the shot shows, while the simulation rests. Sets live->direct,
   live->legend and what in the shot follows the state: the sea, and the range of values, which is
   found anew once a second and if `anew`. */
otok_status otok_upload_fields(otok_upload *upload, otok_live *live, int anew);

/* The terrain as it was last shown, fetched if necessary. NULL: no memory. */
const float *otok_upload_terrain(otok_upload *upload, otok_live *live);

/* The highest cell of the border of the terrain that is shown [m]. What is on the device alone is
   read there, without the rest of the map. */
double otok_upload_border(const otok_upload *upload, const otok_live *live);

#endif
