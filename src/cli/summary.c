/* summary.c: see summary.h. */
#include "summary.h"

#include "../core/directions.h"

#include <math.h>

cli_summary cli_summarise(const otok_snapshot *of, int f, const float *map)
{
    const otok_holes *walls = &of->holes;
    const int is_direction = otok_snapshot_info(of, f)->look->sign == 3;
    cli_summary s = {INFINITY, 0, -INFINITY};
    otok_arrow sum = {0, 0};
    int64_t wall = 0, known = 0;
    for (int64_t i = 0; i < of->grid.nx * of->grid.ny; i++) {
        if (wall < walls->n && i == walls->runs[2 * wall]) {
            i += walls->runs[2 * wall++ + 1] - 1;
            continue;
        }
        if (isnan(map[i])) continue;
        s.low = fmin(s.low, map[i]);
        s.high = fmax(s.high, map[i]);
        s.mean += map[i];
        known++;
        if (!is_direction) continue;
        const otok_arrow arrow = otok_arrow_of((double)map[i]);
        sum = (otok_arrow){sum.east + arrow.east, sum.north + arrow.north};
    }
    s.mean = is_direction ? otok_direction_of(sum, known) : s.mean / (double)known;
    return known ? s : (cli_summary){NAN, NAN, NAN};
}
