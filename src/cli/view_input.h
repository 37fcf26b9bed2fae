/* view_input.h: what `otok view` looks at: a scenario, a checkpoint, or the last one of a folder.
 */
#ifndef OTOK_CLI_VIEW_INPUT_H
#define OTOK_CLI_VIEW_INPUT_H

#ifdef OTOK_WITH_VIZ
#include "viz/live.h"

typedef struct cli_view_input {
    otok_scenario *scenario;
    otok_checkpoint *checkpoint; /* one of both, or neither */
    char name[1024];             /* of the files that are written */
} cli_view_input;

/* Reads it, into `live` too. `after` is added to the names of files that are written into the
   folder `output`. Nothing is to be closed after a failure. OTOK_USAGE: values, a checkpoint to
   continue from or a start of the run are given, which a checkpoint has not. */
otok_status cli_view_open(cli_view_input *out, otok_live *live, const char *path,
                          const char *output, const char *after, const char *const *sets,
                          int nsets);
void cli_view_close(cli_view_input *input);
#endif

#endif
