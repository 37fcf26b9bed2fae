/* notes.c: what a study has to say about its scenario before its members run, as a run does. */
#include "../core/rounding.h"
#include "../core/status.h"
#include "study.h"

otok_status otok_study_notes(const otok_study *study, void (*note)(void *user, const char *text),
                             void *user)
{
    OTOK_ROUNDING;
    otok_scenario *first;
    const otok_status made = otok_study_member(&first, study, 0);
    if (made == OTOK_DATA) return OTOK_OK;
    OTOK_TRY(made);
    const otok_status status = otok_scenario_notes(first, note, user);
    otok_scenario_destroy(first);
    return status;
}
