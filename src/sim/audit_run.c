/* audit_run.c: the audit of a run alone; see audit.h. */
#include "../core/status.h"
#include "audit.h"

/* Makes the twin if there is memory for it, and for what the run itself may still need. */
static otok_status make_twin(otok_audit *a)
{
    const otok_sim *run = a->run;
    const otok_grid g = run->root->grid;
    const otok_set all = otok_set_or(run->buffers, otok_set_one(OTOK_CHANGE_START));
    uint64_t left = 0;
    if (a->twin) return OTOK_OK;
    if (run->backend->left(&left) != OTOK_OK ||
        left / 2 < run->backend->room(g.nx, g.ny, all, run->patch.droplets))
        return OTOK_FAIL(OTOK_NOMEM, "no memory for a second state");
    return otok_sim_create_twin(&a->twin, &a->halved->scenario, run, -1);
}

/* What the run and its twin have booked since this was called before. */
static otok_status read_books(otok_audit *a)
{
    otok_sim *const sims[] = {a->run, a->twin};
    for (int n = 0; n < 2 && !a->of_member; n++) {
        otok_sum now[OTOK_SUMS];
        OTOK_TRY(otok_sim_sums(sims[n], now));
        for (int s = 0; s < OTOK_SUMS; s++)
            a->booked[n][s] =
                (otok_sum){now[s].hi - a->booked[n][s].hi, now[s].lo - a->booked[n][s].lo};
    }
    return OTOK_OK;
}

otok_status otok_audit_open(otok_audit *a, otok_judge *judge)
{
    otok_twins pair;
    while (!a->open && otok_audit_until(a) < 0)
        otok_audit_pass(a, judge);
    if (!otok_audit_is_due(&pair, a, judge, 1)) return OTOK_OK;
    OTOK_TRY(otok_sim_wait(a->run));
    const otok_status status = make_twin(a);
    if (status == OTOK_NOMEM) {
        otok_audit_destroy(a);
        return OTOK_OK;
    }
    OTOK_TRY(status);
    OTOK_TRY(otok_audit_enter(a));
    pair.twin = otok_sim_patch(a->twin);
    OTOK_TRY(a->run->backend->part(&pair));
    return read_books(a);
}

/* The twin goes as far as the run. */
static otok_status follow(otok_audit *a)
{
    return otok_sim_run(a->twin, 2 * a->run->iteration - a->twin->iteration);
}

otok_status otok_audit_close(otok_audit *a, otok_judge *judge)
{
    otok_twins pair;
    otok_audit_sums apart;
    if (a->open && otok_audit_until(a) == 0) OTOK_TRY(follow(a));
    if (!otok_audit_is_due(&pair, a, judge, 0)) return OTOK_OK;
    OTOK_TRY(otok_sim_wait(a->run));
    OTOK_TRY(a->run->backend->compare(&pair, &apart));
    if (a->open) OTOK_TRY(read_books(a));
    otok_audit_note(a, judge, &apart);
    if (a->at == a->windows.n) { /* gives its memory back */
        otok_sim_destroy(a->twin);
        a->twin = NULL;
    }
    return OTOK_OK;
}

otok_status otok_audit_raise(otok_audit *a, otok_judge *judge, int buffer, const float *map)
{
    const otok_twins alone = {.run = otok_sim_patch(a->run), .twin = otok_sim_patch(a->run)};
    otok_audit_sums before, after;
    if (!a->windows.n) return otok_sim_raise(a->run, buffer, map);
    OTOK_TRY(a->run->backend->compare(&alone, &before));
    OTOK_TRY(otok_sim_raise(a->run, buffer, map));
    OTOK_TRY(a->run->backend->compare(&alone, &after));
    otok_look_shift(judge, &before, &after);
    if (buffer == OTOK_TERRAIN_CHANGE)
        judge->shown[OTOK_ACT_GROUND] = 1; /* from here on looks alone tell of the run's own */
    if (!a->open) return OTOK_OK;
    OTOK_TRY(follow(a));
    OTOK_TRY(otok_sim_raise(a->twin, buffer, map));
    return buffer == OTOK_TERRAIN_CHANGE /* the ground from which the window began, too */
               ? otok_sim_raise(a->twin, OTOK_CHANGE_START, map)
               : OTOK_OK;
}

otok_status otok_audit_run(otok_audit *a, otok_judge *judge, int64_t n)
{
    while (n > 0) {
        OTOK_TRY(otok_audit_open(a, judge));
        const int64_t most = otok_least(n, otok_audit_until(a));
        OTOK_TRY(otok_sim_run(a->run, most));
        OTOK_TRY(otok_audit_close(a, judge));
        n -= most;
    }
    return OTOK_OK;
}
