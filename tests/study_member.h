/* study_member.h: runs member 0 of a study that is written in a test. */
#ifndef OTOK_STUDY_MEMBER_H
#define OTOK_STUDY_MEMBER_H

#include "scenario_file.h"
#include "study/member.h"

static char base_path[sizeof file_path];

/* base.yaml, which the study names, is `scenario`. */
static otok_result run_member(const char *scenario, const char *study_text, const char *backend)
{
    otok_study *study;
    otok_sample *samples;
    otok_result r;
    snprintf(base_path, sizeof base_path, "%s/base.yaml", file_folder);
    FILE *file = fopen(base_path, "w");
    if (!file || fputs(scenario, file) < 0 || fclose(file) != 0) exit(1);
    file_write(study_text, strlen(study_text));
    MUST(otok_study_load(&study, file_path));
    MUST(otok_member_run(&r, &samples, study, 0, backend));
    free(samples);
    otok_study_destroy(study);
    return r;
}

#endif
