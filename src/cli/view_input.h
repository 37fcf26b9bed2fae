/* view_input.h: the input of `otok view`: a scenario, a checkpoint, or the last checkpoint of a
   folder. */
#ifndef OTOK_CLI_VIEW_INPUT_H
#define OTOK_CLI_VIEW_INPUT_H

#ifdef OTOK_WITH_VIZ
#include "viz/live.h"

typedef struct cli_view_input {
    otok_scenario *scenario;
    otok_checkpoint *checkpoint; /* one of the two is set, or neither */
    char name[1024];             /* stem of files that are written */
} cli_view_input;

/* Reads the input, also into `live`. Files are written into the folder `output`. After a failure
   nothing needs to be closed. OTOK_USAGE: options for a scenario (values, a checkpoint to continue
   from, a start of the run) are given with a checkpoint. */
otok_status cli_view_open(cli_view_input *out, otok_live *live, const char *path,
                          const char *output, const char *const *sets, int nsets);
void cli_view_close(cli_view_input *input);
#endif

#endif
