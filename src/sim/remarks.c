/* remarks.c: the notes of a scenario that is not run, for dry runs and studies. */
#include "../core/rounding.h"
#include "../core/status.h"
#include "../scenario/scenario.h"
#include "sim.h"

/* Of a map that is made for notes alone; of lattices of its base. */
enum { MOST_CELLS = 1 << 20, MOST_POINTS = 1 << 22 };

otok_status otok_scenario_notes(const otok_scenario *scenario,
                                void (*note)(void *user, const char *text), void *user)
{
    OTOK_TRY(OTOK_GIVEN(scenario));
    if (!note) return OTOK_FAIL(OTOK_USAGE, "%s: note is NULL", __func__);
    OTOK_ROUNDING;
    otok_sim *sim;
    otok_base_work base;
    OTOK_TRY(otok_base_work_of(&base, scenario));
    if (scenario->grid.nx * scenario->grid.ny > MOST_CELLS || base.points > MOST_POINTS) {
        otok_scenario_warn(scenario, note, user);
        return OTOK_OK;
    }
    OTOK_TRY(otok_sim_create(&sim, scenario, "cpu"));
    for (int n = 0; otok_sim_note_at(sim, n); n++)
        note(user, otok_sim_note_at(sim, n));
    otok_sim_destroy(sim);
    return OTOK_OK;
}
