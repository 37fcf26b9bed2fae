/* view_input.c: see view_input.h. */
#include "view_input.h"

#ifdef OTOK_WITH_VIZ
#include "../core/status.h"
#include "../io/movie.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* For "out/island_00000500.vtkhdf" and DIR: "DIR/island_00000500". Files add the iteration to
   it. */
static void name_files(const char *input, const char *output, char out[1024])
{
    const char *slash = strrchr(input, '/'), *stem = slash ? slash + 1 : input,
               *dot = strrchr(stem, '.');
    snprintf(out, 1024, "%.500s/%.*s", output,
             dot ? (int)(dot - stem < 255 ? dot - stem : 255) : 255, stem);
}

static int is_checkpoint(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".vtkhdf") == 0;
}

/* The last checkpoint of a folder: the one with the largest iteration. */
static otok_status find_last(char out[4096], const char *folder)
{
    char **paths;
    int n, last = 0;
    OTOK_TRY(otok_movie_find(&paths, &n, folder));
    for (int i = 1; i < n; i++) {
        const size_t a = strlen(paths[i]), b = strlen(paths[last]);
        if (a > b || (a == b && strcmp(paths[i], paths[last]) > 0)) last = i;
    }
    snprintf(out, 4096, "%s", paths[last]);
    otok_movie_forget(paths, n);
    return OTOK_OK;
}

/* The absorption of light by the sea, from the last reef, as in a checkpoint. */
static double absorption(const otok_scenario *s)
{
    for (int p = otok_scenario_phases(s) - 1; p >= 0; p--)
        if (otok_scenario_has_process(s, p, "reef"))
            return otok_scenario_value(s, p, otok_parameter_find("reef", "absorption"));
    return NAN;
}

otok_status cli_view_open(cli_view_input *in, otok_live *live, const char *path, const char *output,
                          const char *const *sets, int nsets)
{
    char last[4096];
    struct stat kind;
    *in = (cli_view_input){0};
    if (stat(path, &kind) == 0 && S_ISDIR(kind.st_mode)) {
        OTOK_TRY(find_last(last, path));
        path = last;
    }
    const int still = is_checkpoint(path);
    if (still && (nsets || live->resume || live->running))
        return OTOK_FAIL(OTOK_USAGE,
                         "%s is a checkpoint. It can be shown; to continue from it: otok view "
                         "SCENARIO.yaml --continue %s",
                         path, path);
    OTOK_TRY(still ? otok_checkpoint_load(&in->checkpoint, path)
                   : otok_scenario_load(&in->scenario, path, sets, nsets));
    name_files(path, output, in->name);
    live->scenario = in->scenario;
    live->checkpoint = in->checkpoint;
    live->name = in->name;
    if (in->scenario) live->shot.absorption = absorption(in->scenario);
    return OTOK_OK;
}

void cli_view_close(cli_view_input *in)
{
    otok_checkpoint_destroy(in->checkpoint);
    otok_scenario_destroy(in->scenario);
    *in = (cli_view_input){0};
}

#else

typedef int cli_view_input_needs_viz; /* an empty file would not be valid C */

#endif
