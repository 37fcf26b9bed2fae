/* dam_crests.c: the heights of thin dams in an iteration. */
#include "process.h"

double otok_dam_crest_at(const otok_dam *dam, double time)
{
    return dam->history.n ? otok_series_at(&dam->history, time) : dam->crest;
}

void otok_dams_step(otok_step *out, const otok_phase *phase, const otok_moment *m)
{
    for (int n = 0; n < phase->ndams; n++)
        out->crests[n] = (float)otok_dam_crest_at(&phase->dams[n], 0.5 * (m->clock + m->next));
}
