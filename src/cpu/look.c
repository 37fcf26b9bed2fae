/* look.c: a look at a patch alone, where its maps lie; each thread sees some rows. */
#include "../core/look_rows.h"
#include "../core/status.h"

#include "cpu.h"

#include <stdlib.h>
#include <string.h>

typedef struct looking {
    otok_look_maps maps;
    const float *all[OTOK_STORED];
    int n, failed;
    otok_findings found;
} looking;

static void look_rows(void *task, int y0, int y1)
{
    looking *l = task;
    otok_findings mine = {0};
    float *room = malloc(otok_look_room(l->maps.nx) * sizeof *room);
    if (room) otok_look_some_rows(&mine, &l->maps, l->all, l->n, room, y0, y1);
#pragma omp critical(otok_look)
    {
        l->failed |= !room;
        otok_look_join(&l->found, &mine);
    }
    free(room);
}

otok_status cpu_look(otok_patch *patch, otok_survey *survey)
{
    const otok_view *v = &patch->view;
    looking l = {.maps = survey->maps};
    otok_look_point(&l.maps, v);
    for (int f = 0; f < OTOK_STORED; f++)
        if (f != OTOK_WETNESS && (survey->fields >> f & 1)) l.all[l.n++] = v->at[f];
    cpu_share(v, look_rows, &l);
    if (l.failed) return OTOK_FAIL(OTOK_NOMEM, "no memory for a look at a patch");
    survey->found = l.found;
    memcpy(survey->found.sums, v->sums, sizeof survey->found.sums);
    return OTOK_OK;
}
