/* poster.h: a sheet of a checkpoint: picture, map with its legend, parameters, verdict and ledger.
 */
#ifndef OTOK_CLI_POSTER_H
#define OTOK_CLI_POSTER_H

#include "shot.h"

/* Draws the sheet into a new PNG. The size of the shot is that of the sheet; its other options are
   for the picture. */
otok_status cli_poster(const cli_shot *shot, const char *path, const char *output);

#endif
