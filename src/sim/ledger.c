/* ledger.c: the ledger of water and solids, and the fingerprint. Sums stay integers until the
   last line. So large stocks do not hide small errors, and the order of threads or ranks does
   not matter. */
#include "../core/rounding.h"
#include "../core/sized.h"
#include "../core/status.h"
#include "../scenario/scenario.h"
#include "sim.h"

#include "../model/fixed.h"

#include <stdio.h>
#include <stdlib.h>

static double metres(otok_sum sum)
{
    return otok_fixed_value(sum.hi, sum.lo);
}

static otok_sum minus(otok_sum a, otok_sum b)
{
    return (otok_sum){a.hi - b.hi, a.lo - b.lo};
}

static otok_sum plus(otok_sum a, otok_sum b)
{
    return (otok_sum){a.hi + b.hi, a.lo + b.lo};
}

/* The same value with a small lo, if lo comes near the end of its 64 bits. A cell adds less than
   2^31 to lo, so the stock of 2^32 cells is below 2^63. What is booked grows by less than 2^61 in
   otok_sim_until_carry iterations on up to 2^30 cells, if each books once a cell. On 2^32 cells an
   iteration could add 2^63, but adds a quarter of that for a whole millimetre in every cell. */
static otok_sum carry_lo(otok_sum sum)
{
    const int64_t near = INT64_C(1) << 61, one = INT64_C(1) << 31; /* of lo: 1 of hi */
    if (sum.lo > -near && sum.lo < near) return sum;
    return (otok_sum){sum.hi + sum.lo / one, sum.lo % one};
}

int64_t otok_sim_until_carry(const otok_sim *sim)
{
    const int64_t apart = (INT64_C(1) << 30) / (sim->scenario->grid.nx * sim->scenario->grid.ny);
    return apart > 1 ? apart - sim->iteration % apart : 1;
}

otok_status otok_sim_carry(otok_sim *sim)
{
    otok_sum sums[OTOK_SUMS];
    int64_t most = 0;
    int differ = 0;
    OTOK_TRY(otok_sim_sums(sim, sums));
    for (int s = 0; s < OTOK_SUMS; s++) {
        const otok_sum was = sums[s];
        sums[s] = carry_lo(was);
        differ |= sums[s].lo != was.lo;
        if (llabs(sums[s].lo) > most) most = llabs(sums[s].lo);
    }
    sim->uncarried = 1 + (most >> 33);
    return differ ? sim->backend->set_sums(otok_sim_patch(sim), sums) : OTOK_OK;
}

static void balance_books(const otok_sim *sim, const otok_sum *s, otok_sum water, otok_sum solid,
                          double area, otok_ledger *out)
{
    otok_sum left[2] = {minus(water, sim->water_start),
                        minus(solid, sim->solid_start)}; /* what remains to be explained, by side */
#define OTOK_ENTRY(member, side, sign, ...)                                                        \
    if (sign == 'n') out->member = sim->nominal.member;
#define OTOK_BOOK(SUM, member, side, sign, ...)                                                    \
    out->member = metres(s[OTOK_SUM_##SUM]) * area;                                                \
    if (sign != 'i')                                                                               \
        left[OTOK_LEDGER_##side] =                                                                 \
            (sign == '+' ? minus : plus)(left[OTOK_LEDGER_##side], s[OTOK_SUM_##SUM]);
#include "../otok_ledger.def"
    out->water = metres(water) * area;
    out->water_start = metres(sim->water_start) * area;
    out->water_error = metres(left[OTOK_LEDGER_WATER]) * area;
    out->solid = metres(solid) * area;
    out->solid_start = metres(sim->solid_start) * area;
    out->solid_error = metres(left[OTOK_LEDGER_SOLID]) * area;
}

/* One pass over all state fields. It holds int64_t only, so that ranks can add it up. */
typedef struct found {
    otok_sum water, solid, suspended;
    otok_sum ground,
        bottoms[OTOK_MAX_LAYERS - 1]; /* change; bottoms of layers, by TERRAIN_CHANGE's measure */
    otok_sum base;
    int64_t fingerprint, not_finite;
} found;

static otok_status count_stocks(otok_sim *sim, found *out)
{
    *out = (found){0};
    for (int f = 0; f < OTOK_STORED; f++) {
        otok_field_summary c;
        if (!(sim->fields & BIT(f))) continue;
        OTOK_TRY(sim->backend->measure(otok_sim_patch(sim), f, &c));
        c.sum = carry_lo(c.sum);
        out->fingerprint = (int64_t)((uint64_t)out->fingerprint + c.fingerprint);
        out->not_finite += c.not_finite;
        if (f == OTOK_TERRAIN_BASE) out->base = c.sum;
        if (f == OTOK_TERRAIN_CHANGE) out->ground = c.sum;
        if (f >= OTOK_LAYER_BOTTOM && f <= OTOK_LAYER_BOTTOM_LAST)
            out->bottoms[f - OTOK_LAYER_BOTTOM] = c.sum;
        if (f == OTOK_WATER) out->water = c.sum;
        if (f == OTOK_SEDIMENT) out->suspended = c.sum;
        if (f == OTOK_TERRAIN_BASE || f == OTOK_TERRAIN_CHANGE || f == OTOK_SEDIMENT)
            out->solid = plus(out->solid, c.sum);
    }
    return OTOK_OK;
}

/* The volume of layer i between its top and its bottom; of the last layer between its top and
   height 0. */
static otok_sum layer_stock(const otok_sim *sim, const found *now, int i)
{
    const otok_sum top = i ? now->bottoms[i - 1] : now->ground;
    return i < sim->scenario->nlayers - 1 ? minus(top, now->bottoms[i]) : plus(top, now->base);
}

static void balance_layers(const otok_sim *sim, const otok_sum *s, const found *found_now,
                           double area, otok_ledger *out)
{
    out->nlayers = sim->scenario->nlayers;
    for (int i = 0; i < sim->scenario->nlayers; i++) {
        otok_layer_ledger *layer = &out->layers[i];
        const otok_sum now = layer_stock(sim, found_now, i), start = sim->layer_start[i],
                       eroded = s[OTOK_SUM_ERODED + i];
        const otok_sum none = {0, 0}, rock = s[OTOK_SUM_REEF_ROCK],
                       laid = plus(minus(plus(s[OTOK_SUM_DEPOSITED], s[OTOK_SUM_REEF]), rock),
                                   s[OTOK_SUM_ABRADED]),
                       deposited = i > 1 ? none
                                   : i   ? rock
                                         : laid,
                       raised = i == out->nlayers - 1 ? s[OTOK_SUM_UPLIFT] : none;
        snprintf(layer->name, sizeof layer->name, "%.40s", sim->scenario->layers[i].name);
        layer->start = metres(start) * area;
        layer->eroded = metres(eroded) * area;
        layer->deposited = metres(deposited) * area;
        layer->raised = metres(raised) * area;
        layer->now = metres(now) * area;
        layer->error =
            metres(minus(minus(now, start), minus(plus(deposited, raised), eroded))) * area;
    }
}

void otok_sim_balance(const otok_sim *sim, const otok_diagnostics_result *s, otok_ledger *ledger)
{
    const double area = sim->scenario->grid.spacing * sim->scenario->grid.spacing;
    *ledger = (otok_ledger){0};
    balance_books(sim, s->sums, carry_lo(s->water),
                  plus(plus(carry_lo(s->base), carry_lo(s->change)), carry_lo(s->sediment)), area,
                  ledger);
    ledger->suspended = metres(s->sediment) * area;
    ledger->not_finite = s->not_finite;
}

otok_status otok_sim_open_ledger(otok_sim *sim)
{
    found now;
    OTOK_TRY(count_stocks(sim, &now));
    sim->water_start = now.water;
    sim->solid_start = now.solid;
    for (int i = 0; i < sim->scenario->nlayers; i++)
        sim->layer_start[i] = layer_stock(sim, &now, i);
    sim->is_opened = 1;
    return OTOK_OK;
}

otok_status otok_sim_sums(otok_sim *sim, otok_sum *out)
{
    return sim->backend->sums(otok_sim_patch(sim), out);
}

otok_status(otok_sim_measure)(otok_sim *sim, otok_ledger *ledger, uint64_t *fingerprint,
                              size_t size)
{
    OTOK_TRY(OTOK_GIVEN(sim, ledger, fingerprint));
    OTOK_ROUNDING;
    found now;
    otok_sum sums[OTOK_SUMS];
    const double area = sim->scenario->grid.spacing * sim->scenario->grid.spacing;
    OTOK_TRY(count_stocks(sim, &now));
    OTOK_TRY(otok_sim_sums(sim, sums));
    otok_ledger all = {.not_finite = now.not_finite};
    balance_books(sim, sums, now.water, now.solid, area, &all);
    balance_layers(sim, sums, &now, area, &all);
    all.suspended = metres(now.suspended) * area;
    otok_sized_copy(ledger, size, &all, sizeof all);
    *fingerprint = (uint64_t)now.fingerprint;
    return OTOK_OK;
}

/* What a change from outside brought, and took from layers. Of a layer it is the balance. */
static void book_gain(const otok_sim *sim, const found *before, const found *now, int sum,
                      otok_sum *sums)
{
    sums[sum] =
        carry_lo(plus(sums[sum], sum == OTOK_SUM_WATER_BOOKED ? minus(now->water, before->water)
                                                              : minus(now->solid, before->solid)));
    for (int i = 0; i < sim->scenario->nlayers; i++) {
        const otok_sum came = minus(layer_stock(sim, now, i), layer_stock(sim, before, i));
        otok_sum *of = &sums[i == 0 && metres(came) > 0 ? OTOK_SUM_DEPOSITED : OTOK_SUM_ERODED + i];
        *of = carry_lo(of == &sums[OTOK_SUM_DEPOSITED] ? plus(*of, came) : minus(*of, came));
    }
}

otok_status otok_sim_book(otok_sim *sim, otok_field field, const float *map)
{
    OTOK_TRY(OTOK_GIVEN(sim, map));
    OTOK_ROUNDING;
    found before, now;
    otok_sum sums[OTOK_SUMS];
    const int buffer = field == OTOK_WATER ? OTOK_WATER : OTOK_TERRAIN_CHANGE;
    OTOK_TRY(otok_sim_check_book(sim, field, map));
    OTOK_TRY(count_stocks(sim, &before));
    OTOK_TRY(sim->watcher ? sim->watcher->book(sim, buffer, map)
                          : otok_sim_raise(sim, buffer, map));
    if (sim->iteration == 0) return otok_sim_open_ledger(sim);
    OTOK_TRY(count_stocks(sim, &now));
    OTOK_TRY(otok_sim_sums(sim, sums));
    book_gain(sim, &before, &now,
              field == OTOK_WATER ? OTOK_SUM_WATER_BOOKED : OTOK_SUM_SOLID_BOOKED, sums);
    return sim->backend->set_sums(otok_sim_patch(sim), sums);
}
