/* coefficients.c: computes the coefficients of the cell functions from the parameters, in double,
 * rounded once. */
#include "process.h"

#include <math.h>

void otok_coefficients_for_phase(otok_coefficients *out, const otok_phase *phase, double spacing)
{
    *out = (otok_coefficients){0};
    for (int i = 0; i < OTOK_PROCESSES; i++)
        if (phase->processes & otok_processes[i]->bit && otok_processes[i]->coefficients)
            otok_processes[i]->coefficients(out, phase, spacing,
                                            otok_process_step(otok_processes[i], phase));
}

void otok_coefficients_for_layers(otok_coefficients *out, const otok_scenario *scenario,
                                  const otok_phase *phase)
{
    const double l = scenario->grid.spacing;
    const otok_thermal *t = &phase->thermal;
    otok_layer_coefficients *k = &out->layers;
    const otok_layer plain = {.erodibility = 1, .talus = NAN};
    k->n = scenario->nlayers ? scenario->nlayers : 1;
    for (int i = 0; i < k->n; i++) {
        const otok_layer *layer = scenario->nlayers ? &scenario->layers[i] : &plain;
        const double talus = isnan(layer->talus) ? t->talus : layer->talus;
        k->erodibility[i] = (float)layer->erodibility;
        k->talus[i] = otok_talus_drop(talus, l);
        k->talus_diagonal[i] = otok_talus_drop_diagonal(talus, l, t->diagonal);
    }
    k->most_slide = out->thermal.amount > 0.125f ? out->thermal.amount : 0.125f;
}
