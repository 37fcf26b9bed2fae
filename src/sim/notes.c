/* notes.c: what a simulation has to say about its scenario that is no error. */
#include "../core/status.h"
#include "sim.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

otok_status otok_sim_note(otok_sim *sim, const char *format, ...)
{
    va_list values;
    char *text = NULL, **more = realloc(sim->notes, (size_t)(sim->nnotes + 1) * sizeof *more);
    if (more) sim->notes = more;
    va_start(values, format);
    const int written = more ? vasprintf(&text, format, values) : -1;
    va_end(values);
    if (written < 0) return OTOK_FAIL(OTOK_NOMEM, "no memory for a message");
    sim->notes[sim->nnotes++] = text;
    return OTOK_OK;
}

const char *otok_sim_note_at(const otok_sim *sim, int n)
{
    if (OTOK_GIVEN(sim)) return NULL;
    return n >= 0 && n < sim->nnotes ? sim->notes[n] : NULL;
}

void otok_sim_forget_notes(otok_sim *sim)
{
    for (int n = 0; n < sim->nnotes; n++)
        free(sim->notes[n]);
    free(sim->notes);
    sim->notes = NULL;
    sim->nnotes = 0;
}
