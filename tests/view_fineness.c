/* view_fineness.c - claim: drawing that is too slow becomes coarser within half a second or three
   frames, and no coarser than needed; single slow frames change nothing; once it is quick enough it
   becomes fine again, also where coarse frames are not much quicker, and trials of what stays too
   slow become rare. CHECK_ONCE */
#include "check.h"
#include "viz/fineness.h"

typedef struct run {
    otok_fineness f;
    double seconds, slow; /* all; of frames that were too slow */
} run;

/* n frames of level l take cost[l], those above `levels` as that one; each `each`-th frame takes 3
 * times as long. */
static void draw(run *r, int n, const double *cost, int levels, int each)
{
    for (int i = 1; i <= n; i++) {
        const int l = r->f.level < levels ? r->f.level : levels;
        const double seconds = cost[l - 1] * (each && i % each == 0 ? 3 : 1);
        r->seconds += seconds;
        r->slow += seconds > r->f.slowest ? seconds : 0;
        otok_fineness_adapt(&r->f, seconds);
    }
}

int main(void)
{
    static const double quick[] = {0.003, 0.002}, burst[] = {0.006, 0.003},
                        processor[] = {0.2, 0.07}, tiny[] = {0.01};
    static const double large[] = {2, 0.7, 0.2, 0.09, 0.05, 0.03}, never[] = {1};

    run gpu = {.f = {.level = 1, .slowest = 0.004}};
    draw(&gpu, 2000, quick, 2, 50);
    CHECK(gpu.f.level == 1, "single slow frames: level %d", gpu.f.level);
    draw(&gpu, 3, burst, 2, 0);
    CHECK(gpu.f.level == 2, "three slow frames: level %d", gpu.f.level);
    draw(&gpu, 200, burst, 2, 0);
    CHECK(gpu.f.level == 2, "as long as it lasts: level %d", gpu.f.level);
    draw(&gpu, 1000, quick, 2, 50);
    CHECK(gpu.f.level == 1, "quick again: level %d", gpu.f.level);

    run window = {.f = {.level = 1, .slowest = 1.0 / 12}};
    while (window.f.level == 1 && window.seconds < 10)
        draw(&window, 1, processor, 2, 0);
    CHECK(window.seconds < 0.5, "slow for %g s", window.seconds);
    window.seconds = window.slow = 0;
    while (window.seconds < 600) {
        draw(&window, 1, processor, 2, 0);
        CHECK(window.f.level <= 2, "needlessly level %d", window.f.level);
    }
    CHECK(window.slow < 0.01 * window.seconds, "trials took %g of %g s", window.slow,
          window.seconds);
    draw(&window, 400, tiny, 1, 0);
    CHECK(window.f.level == 1, "a small window: level %d", window.f.level);

    run fast = {.f = {.level = 5, .finest = 3, .slowest = 1.0 / 30}};
    draw(&fast, 1000, tiny, 1, 0);
    CHECK(fast.f.level == 3, "the finest that is asked for: level %d", fast.f.level);
    draw(&fast, 100, large, 6, 0);
    CHECK(fast.f.level == 6, "and coarser where it must be: level %d", fast.f.level);

    run big = {.f = {.level = 1, .slowest = 1.0 / 12}};
    draw(&big, 8, large, 6, 0);
    CHECK(big.f.level == 5, "a large picture: level %d", big.f.level);
    draw(&big, 60, never, 1, 0);
    CHECK(big.f.level == OTOK_COARSEST, "always slow: level %d", big.f.level);
    draw(&big, 60, tiny, 1, 0);
    CHECK(big.f.level == 1, "suddenly quick: level %d", big.f.level);
    CHECK(otok_fineness_pixel(1) == 1 && otok_fineness_pixel(2) == 1 && otok_fineness_pixel(5) == 4,
          "pixels");
    return check_failures != 0;
}
