/* droplets_threads.c - claim: threads that share a batch of droplets wait for each other without a
   processor: two threads on one spend little more of its time than one thread, and any number of
   threads gives the same bits. Threads wait here as OpenMP has them wait by itself, whatever the
   environment says. */
#include "scene.h"

#include <omp.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#define LAND                                                                                       \
    "otok: 1\nseed: 3\ngrid: {nx: 256, ny: 256}\nsea: {level: -100}\nbase:\n  - simplex: "         \
    "{wavelength: 100, amplitude: 20}\n"                                                           \
    "phases:\n  - droplets: {count: 6000, batch: 3000, max_steps: 200}\n"

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t run(int threads, double *seconds)
{
    otok_scenario *s = scene_load(LAND, NULL, 0);
    omp_set_num_threads(threads);
    otok_sim *sim = scene_sim(s, "cpu");
    const double began = processor_seconds();
    MUST(otok_sim_run(sim, 2));
    *seconds = processor_seconds() - began;
    const uint64_t print = scene_fingerprint(sim);
    scene_destroy(sim, s);
    return print;
}

/* On the processor that it is on. */
static void pin_thread(void)
{
    cpu_set_t here;
    CPU_ZERO(&here);
    CPU_SET((size_t)sched_getcpu(), &here);
    CHECK(sched_setaffinity(0, sizeof here, &here) == 0, "cannot stay on a processor");
}

int main(int argc, char **argv)
{
    (void)argc;
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT")) {
        unsetenv("OMP_WAIT_POLICY");
        unsetenv("GOMP_SPINCOUNT");
        execv("/proc/self/exe", argv);
    }
    double alone, two, other;
    pin_thread();
    const uint64_t print = run(1, &alone);
    CHECK(run(2, &two) == print, "two threads: other bits");
    CHECK(two < 4 * alone, "two threads on one processor spent %.3f s of it, one %.3f s", two,
          alone);
    for (int threads = 3; threads < 6; threads++)
        CHECK(run(threads, &other) == print, "%d threads: other bits", threads);
    return check_failures != 0;
}
