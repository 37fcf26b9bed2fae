/* inputs.c: the files that a scenario reads, which no output may replace, and which a run that is
   resumed should find as they were. Series are part of the scenario's text. */
#include "../core/status.h"
#include "../io/file.h"
#include "../io/sha256.h"
#include "../scenario/scenario.h"
#include "sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef otok_status for_file(void *user, const char *file);

static otok_status each_raster(const otok_generator *list, int n, for_file *call, void *user)
{
    for (int i = 0; i < n; i++) {
        if (list[i].kind == OTOK_GEN_RASTER) OTOK_TRY(call(user, list[i].as.raster.file));
        OTOK_TRY(each_raster(list[i].with, list[i].nwith, call, user));
        OTOK_TRY(each_raster(list[i].mask, list[i].nmask, call, user));
    }
    return OTOK_OK;
}

static otok_status each_input(const otok_scenario *s, for_file *call, void *user)
{
    for (int p = 0; p < otok_scenario_pipelines(s); p++) {
        otok_scenario pipeline;
        if (otok_scenario_pipeline(&pipeline, s, p))
            OTOK_TRY(each_raster(pipeline.base, pipeline.nbase, call, user));
    }
    return OTOK_OK;
}

static otok_status is_other(void *path, const char *file)
{
    return otok_file_not_input(path, file);
}

otok_status otok_scenario_not_input(const otok_scenario *s, const char *path)
{
    OTOK_TRY(otok_file_not_input(path, s->path));
    if (s->initial[0]) OTOK_TRY(otok_file_not_input(path, s->initial));
    return each_input(s, is_other, (void *)path);
}

static otok_status is_no_input(void *scenario, const char *path)
{
    return otok_scenario_not_input(scenario, path);
}

otok_status otok_scenario_may_remove(const otok_scenario *s, const char *directory)
{
    return otok_checkpoint_each(directory, s->stem, is_no_input, (void *)s);
}

/* ---- hashes ---- */

#define WARNS "WARNING: "

static otok_status add_hash(void *out, const char *file)
{
    otok_sha256_input(out, "", file, file);
    return OTOK_OK;
}

otok_status otok_sim_inputs(const char **inputs, otok_sim *sim)
{
    char *text = NULL;
    size_t size;
    FILE *out = sim->inputs ? NULL : open_memstream(&text, &size);
    if (out) each_input(sim->root, add_hash, out);
    if (!sim->inputs) sim->inputs = otok_text_finish(out, &text);
    *inputs = sim->inputs;
    return *inputs ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for a list of inputs");
}

/* Says it once. */
static otok_status tell_other(otok_sim *sim, const char *file, int length)
{
    const char *said;
    for (int n = 0; (said = otok_sim_note_at(sim, n)) != NULL; n++)
        if (strncmp(said, WARNS, sizeof WARNS - 1) == 0 &&
            strncmp(said + sizeof WARNS - 1, file, (size_t)length) == 0)
            return OTOK_OK;
    return otok_sim_note(sim,
                         WARNS
                         "%.*s has other contents than when the run began, and the run goes "
                         "on with those; restore the file, or start anew in another directory",
                         length, file);
}

otok_status otok_sim_tell_inputs(otok_sim *sim, const otok_snapshot *from)
{
    const char *mine = "", *theirs = from->inputs ? from->inputs : "";
    if (*theirs) OTOK_TRY(otok_sim_inputs(&mine, sim));
    while (*mine && *theirs) {
        const int known = *mine != '-' && *theirs != '-', length = (int)strcspn(mine, "\n");
        if (known && strncmp(mine, theirs, OTOK_SHA256_SIZE) != 0)
            OTOK_TRY(tell_other(sim, mine + OTOK_SHA256_SIZE, length - OTOK_SHA256_SIZE));
        mine += length + (mine[length] != 0);
        theirs += strcspn(theirs, "\n");
        theirs += *theirs != 0;
    }
    return OTOK_OK;
}
