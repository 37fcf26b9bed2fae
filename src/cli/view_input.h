/* view_input.h: the input of `otok view`: a scenario; or states that were computed: checkpoints,
   the folder of a run, its series, a member of a study. */
#ifndef OTOK_CLI_VIEW_INPUT_H
#define OTOK_CLI_VIEW_INPUT_H

#ifdef OTOK_WITH_VIZ
#include "../study/recall.h"
#include "viz/live.h"

/* What is asked for. */
typedef struct cli_view_asked {
    char *const *paths;
    int npaths;
    const char *output; /* the folder that files are written into */
    const char *const *sets;
    int nsets;
    int64_t member; /* of a study; -1: not given */
} cli_view_asked;

typedef struct cli_view_input {
    otok_scenario *scenario;
    char **files; /* checkpoints */
    int nfiles;
    otok_recall *member;
    char name[1024]; /* stem of files that are written */
} cli_view_input;

/* Reads the input, also into `live`. After a failure nothing needs to be closed. OTOK_USAGE:
   options for a scenario (values, a checkpoint to continue from) are given with states. */
otok_status cli_view_open(cli_view_input *out, otok_live *live, const cli_view_asked *asked);
void cli_view_close(cli_view_input *input);
#endif

#endif
