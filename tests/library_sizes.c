/* Claim: public structs that calls read or fill without their size keep it. To add a member, give
   their calls a size, as otok_sim_measure has it (otok.h, conventions). */
#include "otok.h"

#define KEEPS(type, bytes) _Static_assert(sizeof(type) == (bytes), "this struct does not grow")
KEEPS(otok_grid, 24);
KEEPS(otok_loan, 56);
KEEPS(otok_layer_ledger, OTOK_NAME_SIZE + 48);
KEEPS(otok_derived_from, 16 + 8 * OTOK_FIELDS + 8 + 24);
KEEPS(otok_look, 48);
KEEPS(otok_scale, 40);
KEEPS(otok_axis_about, 40);
KEEPS(otok_site, 3440);
KEEPS(otok_limit, 520);
KEEPS(otok_estimate, 304);
KEEPS(otok_bench, 336);
KEEPS(otok_point, 24);
KEEPS(otok_road_request, 176);
KEEPS(otok_road_maps, 64);
KEEPS(otok_study_cost, 48);
KEEPS(otok_verdict_edge, 72);

int main(void)
{
    return 0;
}
