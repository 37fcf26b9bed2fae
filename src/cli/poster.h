/* poster.h: a sheet of a checkpoint: picture, map with its legend, parameters, verdict and ledger.
 */
#ifndef OTOK_CLI_POSTER_H
#define OTOK_CLI_POSTER_H

#include "shot.h"

/* Draws the sheet, as large as the shot says, into a new PNG; the shot's other options are of the
 * picture. */
otok_status cli_poster(const cli_shot *shot, const char *path, const char *output);

#endif
