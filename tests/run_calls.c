/* run_calls.c - claim: a thousand calls of ten iterations, waited for or not, and what otok_run
   does between its polls and samples, give the bits of one call of 10,000.
   `run_calls BACKEND SCENARIO.yaml` prints the seconds of each, after 1000 iterations to warm up:
   what calls cost a C program, beside which tests/python_gpu.py shows what Python adds. */
#include "core/clock.h"
#include "scene.h"

enum { FIRST = 1000, FEW = 10, TIMES = 3 };

static int many = 10000;

typedef struct watched {
    double began, ended; /* after FIRST iterations, and after `many` more [s] */
    int64_t from, to;
    uint64_t fingerprint;
} watched;

/* What `otok run` does is otok_run. Its checkpoints at the start and at the end are left out. */
static int poll(void *user, const otok_progress *p)
{
    watched *w = user;
    if (p->iteration >= FIRST && !w->from) {
        w->from = p->iteration;
        w->began = p->seconds;
    }
    if (p->iteration > w->to && !p->checkpoint) {
        w->to = p->iteration;
        w->ended = p->seconds;
    }
    w->fingerprint = p->fingerprint;
    return OTOK_GO_ON;
}

static watched run(const otok_scenario *s, const char *backend)
{
    char folder[] = "/tmp/otok-run-calls-XXXXXX", command[64];
    watched found = {0};
    if (!mkdtemp(folder)) {
        perror(folder);
        exit(1);
    }
    const otok_run_options options = {
        .directory = folder, .backend = backend, .poll = poll, .user = &found};
    MUST(otok_run(s, &options));
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK(system(command) == 0, "%s stays", folder);
    return found;
}

/* The seconds of `many` iterations in calls of `each`. */
static double seconds_of_calls(const otok_scenario *s, const char *backend, int each, int waits,
                               uint64_t *fingerprint)
{
    otok_sim *sim = scene_sim(s, backend);
    MUST(otok_sim_run(sim, FIRST));
    const double began = otok_clock();
    for (int n = 0; n < many; n += each)
        MUST(waits ? otok_sim_run(sim, each) : otok_sim_start(sim, each));
    MUST(otok_sim_wait(sim));
    const double took = otok_clock() - began;
    *fingerprint = scene_fingerprint(sim);
    otok_sim_destroy(sim);
    return took;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

int main(int argc, char **argv)
{
    const char *backend = CHECK_BACKEND(argc, argv)->name;
    const char *file = argc > 2 && strstr(argv[2], ".yaml") ? argv[2] : NULL;
    char sets[] = "phases.0.iterations=11000";
    const char *const set = sets;
    otok_scenario *s = NULL;
    if (argc > 2 && !file) many = 200;
    if (file)
        MUST(otok_scenario_load(&s, file, &set, 1));
    else
        s = scene("otok: 1\ngrid: {nx: 12, ny: 10, spacing: 2}\n"
                  "base: [{cone: {height: 9, radius: 9}}]\noutput: {every: 0}\n"
                  "phases: [{name: rain, iterations: %d, rain: {rate: 0.005}, hydraulic: {}}]\n",
                  FIRST + many);
    double one = 1e30, wait = 1e30, start = 1e30, whole = 1e30;
    for (int n = 0; n < (file ? TIMES : 1); n++) {
        uint64_t prints[3];
        one = smaller(one, seconds_of_calls(s, backend, many, 1, &prints[0]));
        wait = smaller(wait, seconds_of_calls(s, backend, FEW, 1, &prints[1]));
        start = smaller(start, seconds_of_calls(s, backend, FEW, 0, &prints[2]));
        const watched w = run(s, backend);
        whole = smaller(whole, (w.ended - w.began) * many / (double)(w.to - w.from));
        for (int i = 0; i < 3; i++)
            CHECK(prints[i] == w.fingerprint, "%d: %016llx, otok_run %016llx", i,
                  (unsigned long long)prints[i], (unsigned long long)w.fingerprint);
    }
    if (file) printf("%.6f %.6f %.6f %.6f\n", whole, one, wait, start);
    otok_scenario_destroy(s);
    return check_failures > 0;
}
