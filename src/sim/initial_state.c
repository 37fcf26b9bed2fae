/* initial_state.c: finds simulations that begin with the same bits, so that they can share one
   state at iteration 0. */
#include "../core/status.h"
#include "../scenario/scenario.h"
#include "sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text of everything on which the state at iteration 0 depends: the scenario without its phases,
   and of the phases the buffers, the carbon and the kind of pipes. */
otok_status otok_initial_state_key(char **key, const otok_scenario *scenario)
{
    const char *text = otok_scenario_text(scenario), *phases = strstr(text, "\nphases:");
    const size_t size = phases ? (size_t)(phases - text) : strlen(text);
    const double carbon = otok_scenario_carbon(scenario);
    otok_set buffers;
    OTOK_TRY(otok_scenario_all_buffers(&buffers, scenario));
    *key = malloc(size + 256);
    if (!*key) return OTOK_FAIL(OTOK_NOMEM, "no memory for the text of a scenario");
    memcpy(*key, text, size);
    int n =
        snprintf(*key + size, 64, "\ncarbon %a pipes %d buffers", carbon, scenario->anchor.pipes);
    for (int w = 0; w < OTOK_SET_WORDS; w++)
        n += snprintf(*key + size + n, 20, " %llx", (unsigned long long)buffers.word[w]);
    return OTOK_OK;
}
