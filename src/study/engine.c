/* engine.c: runs the members of a study that have no result yet, side by side on the CPU or as an
   ensemble (ensemble.c). It appends each result to the journal at once. Other processes may do the
   same in the same directory (claims.h). member.c defines a member. */
#include "../core/backend.h"
#include "../core/clock.h"
#include "../core/rounding.h"
#include "../core/sized.h"
#include "../core/status.h"
#include "../io/file.h"
#include "claims.h"
#include "ensemble.h"
#include "keep.h"
#include "merge.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    CHUNKS = 1024
}; /* the largest number of chunks into which the members are divided for claims */
static const double window = 30.0; /* [s] over which the rate is taken */

typedef struct engine {
    const otok_study *study;
    const otok_study_options *options;
    const char *backend;
    const char *packed; /* the study as bytes, as in journals */
    size_t packed_size;
    char shard[64], path[4400];
    otok_journal journal;
    otok_claims claims;
    int64_t members, chunk; /* number of members of the shard, and of a chunk */
    char *tried;            /* members that this process has begun */
    int64_t *todo, ntodo;
    int64_t begun, held; /* in this round: members that were begun here; members that others hold */
    int64_t results;     /* results in the journal */
    double began;
    struct {
        double seconds;
        int64_t results;
    } marks[2]; /* for the rate */
    otok_study_progress progress;
    otok_status status; /* the first failure of the engine itself */
    char why[1024];
    int stop;
} engine;

/* ---- progress ---- */

static void count_result(engine *e, const otok_result *r)
{
    e->progress.done += !r->failed;
    e->progress.failed += r->failed != 0;
    if (r->verdict >= 0 && r->verdict < OTOK_VERDICTS) e->progress.verdicts[r->verdict]++;
    e->progress.again += isfinite(r->changed) != 0;
}

/* The rate of all processes together [members/s]. */
static double rate(engine *e, double seconds, int64_t results)
{
    if (seconds - e->marks[1].seconds > window) {
        e->marks[0] = e->marks[1];
        e->marks[1].seconds = seconds;
        e->marks[1].results = results;
    }
    const double taken = seconds - e->marks[0].seconds;
    return taken > 0 && results > e->marks[0].results
               ? (double)(results - e->marks[0].results) / taken
               : 0;
}

static void report_progress(engine *e)
{
    otok_study_progress *p = &e->progress;
    int64_t elsewhere = 0;
    if (e->claims.lease.file >= 0) otok_lease_elsewhere(&e->claims.lease, &elsewhere, &p->others);
    p->seconds = otok_clock() - e->began;
    p->everywhere = p->done + p->failed + elsewhere;
    if (p->everywhere > p->members) p->everywhere = p->members; /* some members were run twice */
    p->rate = rate(e, p->seconds, p->everywhere);
    if (e->options->poll && (e->options->poll(e->options->user, p) & OTOK_STOP_NOW)) e->stop = 1;
}

/* ---- which members ---- */

static int64_t row_of(const engine *e, int64_t member)
{
    return e->options->shard - 1 + member * e->options->shards;
}

static int64_t member_of(const engine *e, int64_t row)
{
    return row / e->options->shards;
}

/* Finds the members of this shard to run: those without a result, or the failed ones, unless
   another process has claimed them. Counts the results in the journals. Refuses journals of other
   studies. */
static otok_status plan_members(engine *e, int *journals)
{
    const otok_study_options *o = e->options;
    otok_table table;
    OTOK_TRY(otok_claims_update(&e->claims));
    OTOK_TRY(otok_table_read_of(&table, o->directory, e->packed, e->packed_size));
    e->progress.done = e->progress.failed = e->progress.again = e->ntodo = e->begun = e->held = 0;
    memset(e->progress.verdicts, 0, sizeof e->progress.verdicts);
    for (int64_t member = 0; member < e->members; member++) {
        const otok_table_row *row = &table.rows[row_of(e, member)];
        const int wanted = o->only_failed
                               ? row->state == OTOK_FAILED
                               : row->state == OTOK_PLANNED || row->state == OTOK_RUNNING;
        if (!wanted || e->tried[member]) {
            if (row->result) count_result(e, row->result);
        } else if (otok_claims_is_held(&e->claims, member / e->chunk))
            e->held++;
        else
            e->todo[e->ntodo++] = row_of(e, member);
    }
    *journals = table.njournals;
    otok_table_destroy(&table);
    return OTOK_OK;
}

/* ---- running them ---- */

/* Called by one thread at a time. */
static void note_status(engine *e, otok_status status)
{
    if (status == OTOK_OK || e->status != OTOK_OK) return;
    e->status = status;
    e->stop = 1;
    snprintf(e->why, sizeof e->why, "%s", otok_why());
}

/* Should the member be run here? One thread at a time calls this. */
static int claim_row(engine *e, int64_t row)
{
    int mine = 0;
    const int64_t member = member_of(e, row);
    note_status(e, otok_claims_take(&e->claims, member / e->chunk, &mine));
    e->held += !mine;
    if (!mine || e->stop) return 0;
    e->begun++;
    e->tried[member] = 1;
    note_status(e, otok_journal_begin(&e->journal, row));
    return 1;
}

/* May the member begin? Returns an OTOK_MEMBER_... value. */
static int begin_member(void *user, int64_t row)
{
    engine *e = user;
    int answer = OTOK_MEMBER_STOPS;
#pragma omp critical(otok_engine)
    {
        report_progress(e);
        if (!e->stop) answer = claim_row(e, row) ? OTOK_MEMBER_RUNS : OTOK_MEMBER_ELSEWHERE;
        if (e->stop) answer = OTOK_MEMBER_STOPS;
    }
    return answer;
}

static int stops(void *user)
{
    engine *e = user;
    int stop;
#pragma omp critical(otok_engine)
    {
        report_progress(e);
        stop = e->stop;
    }
    return stop;
}

static void end_member(void *user, const otok_result *result, const otok_sample *samples)
{
    engine *e = user;
    const otok_status status = otok_journal_put(&e->journal, result, samples);
#pragma omp critical(otok_engine)
    {
        note_status(e, status);
        count_result(e, result);
        otok_lease_count(&e->claims.lease, ++e->results);
    }
}

static void run_member(engine *e, int64_t row)
{
    OTOK_ROUNDING;
    otok_result result;
    otok_sample *samples = NULL;
    if (begin_member(e, row) != OTOK_MEMBER_RUNS) return;
    const otok_status status = otok_member_run(&result, &samples, e->study, row, e->backend);
    if (status == OTOK_OK)
        end_member(e, &result, samples);
    else
#pragma omp critical(otok_engine)
        note_status(e, status);
    free(samples);
}

static void run_threads(engine *e)
{
    const int threads = strncmp(e->backend, "cpu", 3) == 0 ? omp_get_max_threads() : 1;
    const int before = omp_get_max_active_levels();
    if (threads > 1) omp_set_max_active_levels(1); /* a member's loops stay on its thread */
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)
    for (int64_t i = 0; i < e->ntodo; i++)
        run_member(e, e->todo[i]);
    omp_set_max_active_levels(before);
}

static void run_round(engine *e, const otok_backend *backend)
{
    const otok_study_options *o = e->options;
    const otok_ensemble_plan plan = {.study = e->study,
                                     .backend = backend,
                                     .rows = e->todo,
                                     .n = e->ntodo,
                                     .gpu = o->gpu,
                                     .devices = o->gpus > 1 ? o->gpus : 1,
                                     .slots = o->slots,
                                     .begin = begin_member,
                                     .end = end_member,
                                     .stops = stops,
                                     .message = o->message,
                                     .user = e,
                                     .message_user = o->user};
    if (backend->ensembles)
        note_status(e, otok_ensemble_run(&plan));
    else
        run_threads(e);
}

/* ---- rounds ---- */

/* Makes a journal of this process and a lease with the same name. */
static otok_status join_study(engine *e, const otok_backend *backend, int journals)
{
    const otok_study_options *o = e->options;
    char name[OTOK_LEASE_NAME], device[128];
    otok_status status = OTOK_USAGE;
    for (int n = 1; status == OTOK_USAGE && (n == 1 || o->resume || o->only_failed);
         n = n == 1 && journals > 1 ? journals + 1 : n + 1) {
        snprintf(name, sizeof name, n == 1 ? "%s" : "%s.%d", e->shard, n);
        if (snprintf(e->path, sizeof e->path, "%s/%s.journal", o->directory, name) >= 4200)
            return OTOK_FAIL(OTOK_IO, "%.60s...: the path is too long", o->directory);
        status = otok_journal_create(&e->journal, e->path, e->packed, e->packed_size);
    }
    OTOK_TRY(status);
    OTOK_TRY(backend->describe(device, sizeof device));
    OTOK_TRY(otok_journal_ran(&e->journal, backend->name, device));
    return otok_claims_join(&e->claims, name, OTOK_LEASE_RUNNING);
}

/* Waits for other processes, four times as long as it takes to read all journals. */
static void wait_for_others(double reading)
{
    const double seconds = 4 * reading > 0.05 ? 4 * reading : 0.05;
    nanosleep(
        &(struct timespec){(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))},
        NULL);
}

/* Runs rounds until no member is left. After each round it reads the journals again, for members of
   processes that are gone. */
static otok_status run_rounds(engine *e, const otok_backend *backend)
{
    const otok_study_options *o = e->options;
    for (int journals, joins = 1;; joins = 0) {
        const double began = otok_clock();
        OTOK_TRY(plan_members(e, &journals));
        const double reading = otok_clock() - began;
        if (joins) OTOK_TRY(otok_keep_fits(e->study, o->directory, e->ntodo));
        joins &= e->ntodo || e->held || !journals || !(o->resume || o->only_failed);
        if (joins) OTOK_TRY(join_study(e, backend, journals));
        if (e->ntodo) run_round(e, backend);
        report_progress(e);
        if (e->status != OTOK_OK) return OTOK_FAIL(e->status, "%s", e->why);
        if (e->stop || !e->held || !(e->begun || joins || o->wait))
            break; /* only a process with a lease can judge whether others are gone */
        if (!e->begun && !joins) wait_for_others(reading);
    }
    if (e->stop && e->progress.done + e->progress.failed < e->progress.members)
        return OTOK_FAIL(
            OTOK_STOPPED,
            "stopped with %lld of %lld members done; run again with --resume to continue",
            (long long)e->progress.everywhere, (long long)e->progress.members);
    return OTOK_OK;
}

/* The last process to leave writes study.h5. A process that sees others syncs its results and
   checks again: others that left meanwhile may not have seen these results. */
static otok_status leave_study(engine *e, otok_merged *merged)
{
    int journals, others = otok_claims_running(&e->claims);
    if (e->journal.file < 0)
        return others ? OTOK_OK : otok_study_merge(e->options->directory, merged);
    OTOK_TRY(otok_claims_finish(&e->claims, &others));
    if (others) {
        OTOK_TRY(otok_journal_close(&e->journal));
        OTOK_TRY(otok_claims_update(&e->claims));
        others = otok_claims_running(&e->claims);
    }
    if (others) return OTOK_OK;
    OTOK_TRY(otok_study_write(&e->claims, e->options->directory, merged));
    if (!e->held) return OTOK_OK;
    OTOK_TRY(plan_members(e, &journals)); /* what others have done meanwhile */
    report_progress(e);
    return OTOK_OK;
}

static otok_status begin_study(engine *e)
{
    const otok_study_options *o = e->options;
    const int64_t rows = otok_study_rows(e->study);
    e->members = o->shard <= rows ? (rows - o->shard) / o->shards + 1 : 0;
    e->chunk = (e->members + CHUNKS - 1) / CHUNKS + !e->members;
    e->progress.members = e->members;
    e->tried = calloc((size_t)e->members + 1, 1);
    e->todo = malloc(((size_t)e->members + 1) * sizeof *e->todo);
    if (!e->tried || !e->todo)
        return OTOK_FAIL(OTOK_NOMEM, "no memory for the plan of %lld members",
                         (long long)e->members);
    snprintf(e->shard, sizeof e->shard, "%lld-of-%lld", (long long)o->shard, (long long)o->shards);
    return otok_claims_create(&e->claims, o->directory, e->shard,
                              (e->members + e->chunk - 1) / e->chunk);
}

/* Does everything except freeing memory. */
static otok_status run_all(engine *e, const otok_backend *backend, otok_merged *merged)
{
    OTOK_TRY(begin_study(e));
    if (e->options->gpu && backend->use) OTOK_TRY(backend->use(e->options->gpu));
    const otok_status status = run_rounds(e, backend);
    if (status == OTOK_STOPPED) snprintf(e->why, sizeof e->why, "%s", otok_why());
    if (status != OTOK_OK && status != OTOK_STOPPED) return status;
    OTOK_TRY(leave_study(e, merged));
    OTOK_TRY(otok_journal_close(&e->journal));
    return status == OTOK_OK ? OTOK_OK : OTOK_FAIL(status, "%s", e->why);
}

static otok_status run_study(const otok_study *study, const otok_study_options *options,
                             otok_merged *out)
{
    engine e = {.study = study,
                .options = options,
                .backend = options->backend,
                .began = otok_clock(),
                .journal = {.file = -1}};
    const otok_backend *backend;
    char *packed, why[1024];
    if (options->shards < 1 || options->shard < 1 || options->shard > options->shards)
        return OTOK_FAIL(OTOK_USAGE, "shard %lld of %lld does not exist; the first is 1",
                         (long long)options->shard, (long long)options->shards);
    OTOK_TRY(otok_backend_find(&backend, options->backend));
    if (strcmp(options->backend, "auto") == 0) e.backend = backend->name;
    OTOK_TRY(otok_directory_make(options->directory));
    OTOK_TRY(otok_study_pack(&packed, &e.packed_size, study));
    e.packed = packed;
    e.claims.lease.file = -1;
    const otok_status status = run_all(&e, backend, out);
    snprintf(why, sizeof why, "%s", otok_why());
    otok_journal_close(&e.journal);
    otok_claims_destroy(&e.claims);
    free(packed);
    free(e.tried);
    free(e.todo);
    return status == OTOK_OK ? OTOK_OK : OTOK_FAIL(status, "%s", why);
}

otok_status(otok_study_run)(const otok_study *study, const otok_study_options *options,
                            otok_merged *merged, size_t size, size_t merged_size)
{
    OTOK_TRY(OTOK_GIVEN(study, options));
    OTOK_ROUNDING;
    otok_study_options all;
    otok_merged found = {0};
    otok_sized_copy(&all, sizeof all, options, size);
    options = &all;
    OTOK_TRY(OTOK_GIVEN(options->directory, options->backend));
    const otok_status status = run_study(study, options, &found);
    if (merged) otok_sized_copy(merged, merged_size, &found, sizeof found);
    return status;
}
