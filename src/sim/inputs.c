/* inputs.c: the files that a scenario reads, which no output may replace. */
#include "../core/status.h"
#include "../io/file.h"
#include "../scenario/scenario.h"
#include "sim.h"

static otok_status not_raster(const char *path, const otok_generator *list, int n)
{
    for (int i = 0; i < n; i++) {
        if (list[i].kind == OTOK_GEN_RASTER)
            OTOK_TRY(otok_file_not_input(path, list[i].as.raster.file));
        OTOK_TRY(not_raster(path, list[i].with, list[i].nwith));
        OTOK_TRY(not_raster(path, list[i].mask, list[i].nmask));
    }
    return OTOK_OK;
}

otok_status otok_scenario_not_input(const otok_scenario *s, const char *path)
{
    OTOK_TRY(otok_file_not_input(path, s->path));
    if (s->initial[0]) OTOK_TRY(otok_file_not_input(path, s->initial));
    for (int p = 0; p < otok_scenario_pipelines(s); p++) {
        otok_scenario pipeline;
        if (otok_scenario_pipeline(&pipeline, s, p))
            OTOK_TRY(not_raster(path, pipeline.base, pipeline.nbase));
    }
    return OTOK_OK;
}

static otok_status is_no_input(void *scenario, const char *path)
{
    return otok_scenario_not_input(scenario, path);
}

otok_status otok_scenario_may_remove(const otok_scenario *s, const char *directory)
{
    return otok_checkpoint_each(directory, s->stem, is_no_input, (void *)s);
}
