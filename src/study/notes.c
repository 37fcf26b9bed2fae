/* notes.c: what a study has to say about its scenario before its members run, as a run does. */
#include "../core/rounding.h"
#include "../core/status.h"
#include "response.h"
#include "study.h"

#include <stdio.h>
#include <string.h>

/* The unit and meaning of a column that every table has; NULL: none has that name. */
static const otok_sample_info *find_column(const char *name)
{
    for (int i = 0; i < OTOK_RESPONSES; i++)
        if (strcmp(otok_response_infos[i].name, name) == 0) return &otok_response_infos[i];
    for (int i = 0; i < OTOK_SAMPLE_SIZE; i++)
        if (strcmp(otok_sample_infos[i].name, name) == 0) return &otok_sample_infos[i];
    return NULL;
}

/* Tells of responses that are called as a column of every table is. */
static void note_names(const otok_study *study, void (*note)(void *user, const char *text),
                       void *user)
{
    char text[1024];
    for (int i = 0; i < study->nresponses; i++) {
        const char *name = study->responses[i].name;
        const otok_sample_info *column = find_column(name);
        if (!column) continue;
        snprintf(text, sizeof text,
                 "responses.%s: every table has a column %s (%s), too; in Python `%s` means the "
                 "response",
                 name, name, column->long_name, name);
        note(user, text);
    }
}

otok_status otok_study_notes(const otok_study *study, void (*note)(void *user, const char *text),
                             void *user)
{
    OTOK_TRY(OTOK_GIVEN(study));
    if (!note) return OTOK_FAIL(OTOK_USAGE, "%s: note is NULL", __func__);
    OTOK_ROUNDING;
    otok_scenario *first;
    char paths[512], text[1024];
    if (otok_study_follows(study, paths, sizeof paths)) {
        snprintf(text, sizeof text,
                 "no step is varied, so the study sets %s=%g, by which the step of water follows "
                 "its speed; 0 there keeps one step per iteration",
                 paths, OTOK_STUDY_COURANT);
        note(user, text);
    }
    note_names(study, note, user);
    const otok_status made = otok_study_member(&first, study, 0);
    if (made == OTOK_DATA) return OTOK_OK;
    OTOK_TRY(made);
    const otok_status status = otok_scenario_notes(first, note, user);
    otok_scenario_destroy(first);
    return status;
}
