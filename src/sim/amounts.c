/* amounts.c: what a run and its twin book in a window of the audit. Water that infiltrates or
   evaporates leaves no trace in the flow: of the same flow another share may be gone. */
#include "audit.h"

#include "../core/status.h"

static const int books[OTOK_AMOUNT_KINDS] = {
    [OTOK_AMOUNT_EVAPORATED] = OTOK_SUM_EVAPORATED,
    [OTOK_AMOUNT_INFILTRATED] = OTOK_SUM_WATER_INFILTRATED,
    [OTOK_AMOUNT_ENTERED] = OTOK_SUM_WATER_ENTERED,
};

otok_status otok_amounts_read(otok_audit *a)
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

static double booked(const otok_audit *a, int of, int sum)
{
    return otok_fixed_value(a->booked[of][sum].hi, a->booked[of][sum].lo);
}

otok_amounts otok_amounts_of(const otok_audit *a, const otok_audit_sums *s, int is_still)
{
    otok_amounts v = {.came = booked(a, 0, OTOK_SUM_RAIN) + booked(a, 0, OTOK_SUM_RIVERS) +
                              booked(a, 0, OTOK_SUM_WATER_ENTERED)};
    if (is_still) {
        v.depth = otok_audit_more(s, OTOK_TWINS_DEPTH_ONE);
        v.depth_more = otok_audit_less(s, OTOK_TWINS_DEPTH_ONE);
    }
    for (int k = 0; k < OTOK_AMOUNT_KINDS; k++) {
        v.of[k] = booked(a, 0, books[k]);
        v.more[k] = v.of[k] - booked(a, 1, books[k]);
    }
    return v;
}
