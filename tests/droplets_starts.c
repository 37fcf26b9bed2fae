/* droplets_starts.c - claim: droplets begin where they should: evenly over a map and within its
   cells, or by the weights of a map, in which a cell without weight gets none, whatever else the
   map holds. */
#include "check.h"
#include "model/droplet.h"
#include "sim/starts.h"

#include <math.h>

enum { NX = 13, NY = 9, CELLS = NX * NY, DRAWS = 400000 };

static otok_random4 draw(int n)
{
    return otok_random(77, 0, OTOK_STREAM_DROPLETS, (uint64_t)n, 0);
}

/* How often each cell was hit, against its share: within 5.5 standard deviations. */
static void compare(const int *hits, const double *share, const char *what)
{
    for (int c = 0; c < CELLS; c++) {
        const double expected = DRAWS * share[c], spread = sqrt(expected * (1 - share[c]));
        CHECK(fabs(hits[c] - expected) <= 5.5 * spread, "%s: cell %d hit %d times, expected %g",
              what, c, hits[c], expected);
    }
}

static void check_even(void)
{
    static int hits[CELLS];
    double share[CELLS], x = 0, y = 0;
    for (int n = 0; n < DRAWS; n++) {
        const otok_droplet d = otok_droplet_start(draw(n), NX, NY);
        CHECK(d.i >= 0 && d.i < NX && d.j >= 0 && d.j < NY && d.x >= 0 && d.x < 1 && d.y >= 0 &&
                  d.y < 1,
              "droplet %d is outside", n);
        hits[d.j * NX + d.i]++;
        x += (double)d.x;
        y += (double)d.y;
    }
    for (int c = 0; c < CELLS; c++)
        share[c] = 1.0 / CELLS;
    compare(hits, share, "even");
    CHECK(fabs(x / DRAWS - 0.5) < 0.003 && fabs(y / DRAWS - 0.5) < 0.003,
          "mean place in the cell (%g, %g)", x / DRAWS, y / DRAWS);
}

static void check_weighed(void)
{
    static int hits[CELLS];
    static uint64_t upto[CELLS];
    float weights[CELLS];
    double share[CELLS], sum = 0;
    for (int c = 0; c < CELLS; c++) {
        weights[c] = c % 5 == 0 ? 0.0f : (float)(c % 7) * 1e-3f;
        sum += (double)weights[c];
    }
    for (int c = 0; c < CELLS; c++)
        share[c] = (double)weights[c] / sum;
    weights[0] = NAN; /* as good as 0 */
    weights[5] = -3.0f;
    MUST(otok_starts_sum(upto, weights, CELLS));
    for (int n = 0; n < DRAWS; n++) {
        const otok_droplet d = otok_droplet_start_among(draw(n), upto, CELLS, NX);
        hits[d.j * NX + d.i]++;
    }
    compare(hits, share, "weighed");
    for (int c = 0; c < CELLS; c += 5)
        CHECK(hits[c] == 0, "cell %d has no weight, and %d droplets", c, hits[c]);
    memset(weights, 0, sizeof weights);
    CHECK(otok_starts_sum(upto, weights, CELLS) == OTOK_DATA, "a map without weight was accepted");
    weights[CELLS - 1] = 1e-30f;
    MUST(otok_starts_sum(upto, weights, CELLS));
    const otok_droplet last = otok_droplet_start_among(draw(1), upto, CELLS, NX);
    CHECK(last.i == NX - 1 && last.j == NY - 1, "the only cell with a weight was missed");
}

int main(void)
{
    check_even();
    check_weighed();
    return check_failures != 0;
}
