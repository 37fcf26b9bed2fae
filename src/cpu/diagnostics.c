/* diagnostics.c: the diagnostics of a patch, computed in place. Each thread takes some rows. */
#include "../core/diagnostics_rows.h"
#include "../core/status.h"

#include "cpu.h"

#include <stdlib.h>
#include <string.h>

typedef struct diagnosing {
    otok_diagnostics_maps maps;
    const float *all[OTOK_STORED];
    int n, failed;
    otok_diagnostics_result found;
} diagnosing;

static void diagnose_rows(void *task, int y0, int y1)
{
    diagnosing *l = task;
    otok_diagnostics_result mine = {0};
    float *room = malloc(otok_diagnostics_room(l->maps.nx) * sizeof *room);
    if (room) otok_diagnostics_some_rows(&mine, &l->maps, l->all, l->n, room, y0, y1);
#pragma omp critical(otok_diagnostics)
    {
        l->failed |= !room;
        otok_diagnostics_join(&l->found, &mine);
    }
    free(room);
}

otok_status cpu_diagnose(otok_patch *patch, otok_diagnostics_request *request)
{
    const otok_view *v = &patch->view;
    diagnosing l = {.maps = request->maps};
    otok_diagnostics_point(&l.maps, v);
    for (int f = 0; f < OTOK_STORED; f++)
        if (f != OTOK_WETNESS && (request->fields >> f & 1)) l.all[l.n++] = v->at[f];
    cpu_share(v, diagnose_rows, &l);
    if (l.failed) return OTOK_FAIL(OTOK_NOMEM, "no memory for the diagnostics of a patch");
    request->found = l.found;
    memcpy(request->found.sums, v->sums, sizeof request->found.sums);
    return OTOK_OK;
}
