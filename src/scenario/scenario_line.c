/* scenario_line.c: points and lines of a scenario lie on its grid. */
#include "scenario_read.h"

#include <math.h>

otok_status otok_line_check(const otok_scenario *s, const double ends[4], int open,
                            const otok_node *item)
{
    static const char *const keys[] = {"x", "y", "to_x", "to_y"};
    for (int i = 0; i < 4; i++) {
        const double end = (i % 2 ? s->grid.ny : s->grid.nx) * s->grid.spacing;
        const otok_node *key = otok_node_find(item, keys[i]);
        char own[64], most[64];
        if (ends[i] > end || (open && ends[i] == end))
            return otok_node_fail(key,
                                  "%s is outside the domain; allowed: at least 0, %s %s from the "
                                  "lower left corner; for coordinates of the map write `at: [X, "
                                  "Y], system: map` instead of x and y",
                                  otok_as_given(key, ends[i], 15, "m", own),
                                  open ? "below" : "at most",
                                  otok_as_given(key, end, 15, "m", most));
    }
    if (isnan(ends[2]) != isnan(ends[3]))
        return otok_node_fail(item, "a line has two ends; give to_x and to_y, or neither");
    if (ends[2] == ends[0] && ends[3] == ends[1])
        return otok_node_fail(item, "a line of length 0; move one end, or leave to_x and to_y out "
                                    "for a point");
    return OTOK_OK;
}
