/* view_input.c: see view_input.h. */
#include "view_input.h"

#ifdef OTOK_WITH_VIZ
#include "../core/status.h"
#include "../io/checkpoint.h"
#include "../io/movie.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* For "out/island_00000500.vtkhdf" and DIR: "DIR/island_00000500". Files add the iteration to
   it. */
static void name_files(const char *input, const char *output, char out[1024])
{
    const char *slash = strrchr(input, '/'), *stem = slash && slash[1] ? slash + 1 : input,
               *dot = strrchr(stem, '.');
    snprintf(out, 1024, "%.500s/%.*s", output,
             dot ? (int)(dot - stem < 255 ? dot - stem : 255) : 255, stem);
}

static int ends_with(const char *path, const char *end)
{
    const size_t n = strlen(path), m = strlen(end);
    return n >= m && strcmp(path + n - m, end) == 0;
}

/* Names of one stem: a larger iteration has a longer name, or one that is later in the alphabet. */
static int by_iteration(const void *a, const void *b)
{
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    const size_t m = strlen(x), n = strlen(y);
    return m != n ? (m > n) - (m < n) : strcmp(x, y);
}

static otok_status read_file(const void *of, int i, otok_checkpoint **out)
{
    return otok_checkpoint_load(out, ((char *const *)of)[i]);
}

static otok_status read_member(const void *of, int i, otok_checkpoint **out)
{
    return otok_recall_read(of, i, out);
}

/* Several files are compared, so they have one grid; a run has one. */
static otok_status check_grids(char *const *files, int n)
{
    otok_grid first = {0};
    for (int i = 0; i < n; i++) {
        otok_snapshot s;
        OTOK_TRY(otok_checkpoint_header(&s, files[i]));
        const otok_grid g = s.grid;
        otok_snapshot_destroy(&s);
        if (i == 0) first = g;
        if (g.nx != first.nx || g.ny != first.ny || g.spacing != first.spacing)
            return OTOK_FAIL(OTOK_DATA,
                             "%s has %lld x %lld cells of %g m, and %s %lld x %lld of %g m; states "
                             "of one grid are shown together",
                             files[i], (long long)g.nx, (long long)g.ny, g.spacing, files[0],
                             (long long)first.nx, (long long)first.ny, first.spacing);
    }
    return OTOK_OK;
}

static otok_status list_files(cli_view_input *in, const cli_view_asked *a)
{
    in->files = calloc((size_t)a->npaths, sizeof *in->files);
    if (!in->files) return OTOK_FAIL(OTOK_NOMEM, "no memory for a list of files");
    for (; in->nfiles < a->npaths; in->nfiles++) {
        in->files[in->nfiles] = strdup(a->paths[in->nfiles]);
        if (!in->files[in->nfiles]) return OTOK_FAIL(OTOK_NOMEM, "no memory for a list of files");
    }
    return a->npaths > 1 ? check_grids(in->files, in->nfiles) : OTOK_OK;
}

static otok_status list_run(cli_view_input *in, const char *path)
{
    OTOK_TRY(otok_movie_find(&in->files, &in->nfiles, path));
    qsort(in->files, (size_t)in->nfiles, sizeof *in->files, by_iteration);
    return OTOK_OK;
}

/* 1: states, which `in` then lists. 0: it may be a scenario. */
static otok_status find_states(cli_view_input *in, const cli_view_asked *a, int *found)
{
    const char *path = a->paths[0];
    struct stat about;
    const int folder = stat(path, &about) == 0 && S_ISDIR(about.st_mode);
    *found = 1;
    if (a->member >= 0 && (a->npaths > 1 || folder))
        return OTOK_FAIL(OTOK_USAGE, "--member goes with one study.h5");
    if (a->npaths == 1 && (folder || ends_with(path, ".series"))) return list_run(in, path);
    if (a->npaths == 1 && !ends_with(path, ".vtkhdf") && otok_file_is_hdf(path))
        return otok_recall_open(&in->member, path, a->member);
    *found = a->npaths > 1 || ends_with(path, ".vtkhdf");
    if (a->member >= 0)
        return OTOK_FAIL(OTOK_USAGE, "%s: --member goes with the study.h5 of a study", path);
    return *found ? list_files(in, a) : OTOK_OK;
}

/* A study in YAML, and rasters, have commands of their own. */
static otok_status check_scenario(const char *path)
{
    static const char *const rasters[] = {".tif", ".tiff", ".asc", ".png", ".nc", ".npy", ".r16"};
    char line[256];
    for (size_t i = 0; i < sizeof rasters / sizeof *rasters; i++)
        if (ends_with(path, rasters[i]))
            return OTOK_FAIL(OTOK_DATA,
                             "%s: a raster is the base of a scenario: write base: [{raster: {file: "
                             "%s}}] into a YAML file, and otok view FILE.yaml shows it",
                             path, path);
    FILE *file = fopen(path, "r");
    int study = 0;
    while (file && !study && fgets(line, sizeof line, file))
        study = strncmp(line, "study:", 6) == 0;
    if (file) fclose(file);
    if (!study) return OTOK_OK;
    return OTOK_FAIL(OTOK_DATA,
                     "%s: a study: otok study %s -o out runs it, then otok view out/study.h5 "
                     "--member 0 shows a member",
                     path, path);
}

/* The absorption of light by the sea, from the last reef, as in a checkpoint. */
static double absorption(const otok_scenario *s)
{
    for (int p = otok_scenario_phases(s) - 1; p >= 0; p--)
        if (otok_scenario_has_process(s, p, "reef"))
            return otok_scenario_value(s, p, otok_parameter_find("reef", "absorption"));
    return NAN;
}

static otok_status open_states(cli_view_input *in, otok_live *live, const cli_view_asked *a)
{
    if (a->nsets || live->resume)
        return OTOK_FAIL(OTOK_USAGE,
                         "%s was computed before. It can be shown; to continue from it: otok view "
                         "SCENARIO.yaml --continue %s",
                         a->paths[0], in->files ? in->files[in->nfiles - 1] : "CHECKPOINT");
    live->recorded = in->member
                         ? (otok_recorded){otok_recall_count(in->member), read_member, in->member}
                         : (otok_recorded){in->nfiles, read_file, in->files};
    return OTOK_OK;
}

otok_status cli_view_open(cli_view_input *in, otok_live *live, const cli_view_asked *a)
{
    int states;
    *in = (cli_view_input){0};
    otok_status status = find_states(in, a, &states);
    if (status == OTOK_OK && states)
        status = open_states(in, live, a);
    else if (status == OTOK_OK) {
        status = check_scenario(a->paths[0]);
        if (status == OTOK_OK)
            status = otok_scenario_load(&in->scenario, a->paths[0], a->sets, a->nsets);
    }
    if (status != OTOK_OK) {
        cli_view_close(in);
        return status;
    }
    live->holds = a->npaths == 2 ? 2 : 0;
    name_files(in->nfiles == 1 ? in->files[0] : a->paths[0], a->output, in->name);
    live->scenario = in->scenario;
    live->name = in->name;
    if (in->scenario) live->shot.absorption = absorption(in->scenario);
    return OTOK_OK;
}

void cli_view_close(cli_view_input *in)
{
    otok_scenario_destroy(in->scenario);
    otok_movie_forget(in->files, in->nfiles);
    otok_recall_close(in->member);
    *in = (cli_view_input){0};
}

#else

typedef int cli_view_input_needs_viz; /* an empty file would not be valid C */

#endif
