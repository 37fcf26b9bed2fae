/* dam_crests.c: the heights of thin dams in an iteration. */
#include "process.h"

void otok_dams_step(otok_step *out, const otok_phase *phase, const otok_moment *m)
{
    for (int n = 0; n < phase->ndams; n++) {
        const otok_dam *dam = &phase->dams[n];
        out->crests[n] =
            (float)(dam->history.n ? otok_series_at(&dam->history, 0.5 * (m->clock + m->next))
                                   : dam->crest);
    }
}
