/* fineness.c: A single slow frame is ignored. Drawing becomes coarser after three slow frames in a
   row, or after a quarter of a second of them, so that nobody waits half a second. It becomes finer
   soon if details and pixels allow it. Otherwise a finer picture is tried after a while, because
   drawing may have other costs, and ever more rarely as trials fail. A trial fails with its first
   slow frame. */
#include "fineness.h"

enum { IN_A_ROW = 3, SOON = 4, TRIAL = 8, WHILE = 64, MOST_FAILED = 6 };
static const double too_long = 0.25; /* of slow frames [s] */

int otok_fineness_pixel(int level)
{
    return level > 2 ? level - 1 : 1;
}

/* How long the next finer level should take at most, in units of the present time. */
static double finer_cost(int level)
{
    const double ratio = (double)otok_fineness_pixel(level) / otok_fineness_pixel(level - 1);
    return level == 2 ? 3 : ratio * ratio;
}

static int change_level(otok_fineness *f, int by)
{
    f->level += by;
    f->tries = by < 0;
    f->frames = f->slow = 0;
    f->slow_time = 0;
    return 1;
}

int otok_fineness_adapt(otok_fineness *f, double seconds)
{
    const int is_slow = seconds > f->slowest;
    f->frames++;
    f->slow = is_slow ? f->slow + 1 : 0;
    f->slow_time = is_slow ? f->slow_time + seconds : 0;
    if (f->tries && f->frames > TRIAL) f->tries = f->failed = 0;
    if (f->slow >= (f->tries ? 1 : IN_A_ROW) || f->slow_time > too_long) {
        f->failed += f->tries && f->failed < MOST_FAILED;
        return f->level < OTOK_COARSEST ? change_level(f, 1) : 0;
    }
    if (f->level <= (f->finest > 1 ? f->finest : 1) || seconds > 0.8 * f->slowest) return 0;
    const int wait = seconds * finer_cost(f->level) < 0.8 * f->slowest ? SOON : WHILE;
    return f->frames >= wait << f->failed ? change_level(f, -1) : 0;
}
