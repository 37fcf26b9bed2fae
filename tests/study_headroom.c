/* study_headroom.c - claim: the books of a member that runs beside others are carried at the
   iterations at which a run alone carries them, each member's own, without a change of value. The
   ensemble is one of the CPU's patches that runs nothing: a million cells for 2000 iterations are
   too much for a test, and the books are made large when they are read. */
#include "core/backend.h"
#include "scenario_file.h"
#include "study/ensemble.h"

static const char scenario[] =
    "otok: 1\naudit: off\ngrid: {nx: 1024, ny: 1024, spacing: 2}\nbase: [{constant: {height: 1}}]\n"
    "phases: [{name: rain, iterations: 2050, rain: {rate: 0.01}, hydraulic: {dt: 0.05}}]\n";
static const char study_text[] = "study: 1\nscenario: base.yaml\ndesign: {kind: grid}\n"
                                 "vary: {phases.rain.rain.rate: {values: [0.01, 0.02]}}\n"
                                 "monitor: {every: 700}\n";

enum { MEMBERS = 2, APART = (1 << 30) / (1024 * 1024), MOST = 8 };

static otok_backend backend; /* the CPU's, with the functions below */
static otok_ensembles ensembles;
static struct {
    int64_t done;
    int ncarries;
    int64_t at[MOST];
} members[MEMBERS];
static int ended;

static int member_of(const otok_patch *patch)
{
    return patch->slot % MEMBERS;
}

static otok_status room(const otok_patch *like, otok_set needed, int max_steps, size_t *bytes,
                        int64_t *slots)
{
    (void)like, (void)needed, (void)max_steps;
    *bytes = 1, *slots = 100;
    return OTOK_OK;
}

static otok_status create(void **out, const otok_patch *like, otok_set needed, int max_steps,
                          int slots)
{
    (void)like, (void)needed, (void)max_steps, (void)slots;
    *out = &ended; /* not used */
    return OTOK_OK;
}

static void destroy(void *ensemble)
{
    (void)ensemble;
}

static otok_status copy(void *ensemble, int from, int to)
{
    (void)ensemble, (void)from, (void)to;
    return OTOK_OK;
}

static otok_status run(void *ensemble, const otok_job *jobs, int n)
{
    (void)ensemble;
    for (int j = 0; j < n; j++)
        members[member_of(jobs[j].patch)].done += jobs[j].nsteps;
    return OTOK_OK;
}

static otok_status diagnose(void *ensemble, otok_diagnostics_request *requests, int n)
{
    (void)ensemble;
    for (int r = 0; r < n; r++)
        requests[r].found = (otok_diagnostics_result){0};
    return OTOK_OK;
}

static otok_cycle_times times(const void *ensemble)
{
    (void)ensemble;
    return (otok_cycle_times){0};
}

static const otok_sum large = {3, (INT64_C(1) << 61) + 12345};

static otok_status sums(otok_patch *patch, otok_sum *out)
{
    const otok_status status = otok_backend_cpu.sums(patch, out);
    out[OTOK_SUM_RAIN] = large;
    return status;
}

static otok_status set_sums(otok_patch *patch, const otok_sum *in)
{
    const otok_sum now = in[OTOK_SUM_RAIN];
    const __int128 one = INT64_C(1) << 31;
    const int m = member_of(patch);
    CHECK(now.hi * one + now.lo == large.hi * one + large.lo, "member %d: another value", m);
    CHECK(now.lo < one, "member %d: lo is %lld", m, (long long)now.lo);
    if (members[m].ncarries < MOST) members[m].at[members[m].ncarries++] = members[m].done;
    return OTOK_OK;
}

static int begins(void *user, int64_t row)
{
    (void)user, (void)row;
    return OTOK_MEMBER_RUNS;
}

static void ends(void *user, const otok_result *result, const otok_sample *samples)
{
    (void)user, (void)samples;
    CHECK(!result->failed, "member %lld failed: %s", (long long)result->row, otok_why());
#pragma omp atomic
    ended++;
}

static int goes_on(void *user)
{
    (void)user;
    return 0;
}

int main(void)
{
    char other[sizeof file_path];
    otok_study *study;
    file_create();
    snprintf(other, sizeof other, "%s/base.yaml", file_folder);
    FILE *file = fopen(other, "w");
    if (!file || fputs(scenario, file) < 0 || fclose(file) != 0) return 1;
    file_write(study_text, strlen(study_text));
    MUST(otok_study_load(&study, file_path));
    ensembles = (otok_ensembles){.room = room,
                                 .create = create,
                                 .destroy = destroy,
                                 .copy = copy,
                                 .run = run,
                                 .diagnose = diagnose,
                                 .times = times};
    backend = otok_backend_cpu;
    backend.ensembles = &ensembles;
    backend.sums = sums;
    backend.set_sums = set_sums;
    const int64_t rows[MEMBERS] = {0, 1};
    const otok_ensemble_plan plan = {.study = study,
                                     .backend = &backend,
                                     .rows = rows,
                                     .n = MEMBERS,
                                     .devices = 1,
                                     .begin = begins,
                                     .end = ends,
                                     .stops = goes_on};
    MUST(otok_ensemble_run(&plan));
    CHECK(ended == MEMBERS, "%d members ended", ended);
    for (int m = 0; m < MEMBERS; m++) {
        CHECK(members[m].done == 2050, "member %d: %lld iterations", m, (long long)members[m].done);
        CHECK(members[m].ncarries == 2 && members[m].at[0] == APART &&
                  members[m].at[1] == 2 * APART,
              "member %d: %d times carried, at %lld and %lld", m, members[m].ncarries,
              (long long)members[m].at[0], (long long)members[m].at[1]);
    }
    otok_study_destroy(study);
    unlink(other);
    file_remove();
    return check_failures != 0;
}
