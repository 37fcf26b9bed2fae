/* notes.c: what a study has to say about its scenario before its members run, as a run does. */
#include "../core/rounding.h"
#include "../core/status.h"
#include "study.h"

#include <stdio.h>

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
                 "no step is varied, so steps of water follow its speed, as with %s=%g; 0 there "
                 "keeps one step per iteration",
                 paths, OTOK_STUDY_COURANT);
        note(user, text);
    }
    const otok_status made = otok_study_member(&first, study, 0);
    if (made == OTOK_DATA) return OTOK_OK;
    OTOK_TRY(made);
    const otok_status status = otok_scenario_notes(first, note, user);
    otok_scenario_destroy(first);
    return status;
}
