/* threads.c: how the rows of a grid are shared among threads. */
#include "cpu.h"

#include <omp.h>

/* The work on a small grid ends before other threads wake up. Members of a study have one thread
   each. */
int cpu_threads(const otok_view *v)
{
    const int64_t useful = 1 + (int64_t)v->nx * v->ny / 16384;
    const int most =
        omp_get_active_level() < omp_get_max_active_levels() ? omp_get_max_threads() : 1;
    return useful < most ? (int)useful : most;
}

/* A single thread needs no parallel region, whose end costs more than a stage of few cells. */
void cpu_share(const otok_view *v, cpu_work *work, void *task)
{
    const int threads = cpu_threads(v);
    const int from = otok_own_from(v);
    const int64_t rows = otok_own_rows(v);
    if (threads == 1) {
        work(task, from, from + (int)rows);
        return;
    }
#pragma omp parallel num_threads(threads)
    {
        OTOK_ROUNDING;
        const int64_t me = omp_get_thread_num(), all = omp_get_num_threads();
        const int y0 = from + (int)(rows * me / all), y1 = from + (int)(rows * (me + 1) / all);
        if (y0 < y1) work(task, y0, y1);
    }
}
