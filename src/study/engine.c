/* engine.c: runs the members of a shard that have no result yet, side by side on the CPU or as an ensemble (ensemble.c), and
   appends each result to the journal at once. member.c knows what a member is. */
#include "../core/backend.h"
#include "../core/clock.h"
#include "../core/rounding.h"
#include "../core/status.h"
#include "../io/file.h"
#include "ensemble.h"
#include "table.h"

#include <errno.h>
#include <fcntl.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

typedef struct engine {
    const otok_study *study;
    const otok_study_options *options;
    const char *backend;
    otok_journal journal;
    int64_t *todo, ntodo;
    double began;
    otok_study_progress progress;
    otok_status status; /* the first failure of the engine itself */
    char why[1024];
    int stop;
} engine;

static void count(engine *e, const otok_result *r)
{
    e->progress.done += !r->failed;
    e->progress.failed += r->failed != 0;
    if (r->verdict >= 0 && r->verdict < OTOK_VERDICTS) e->progress.verdicts[r->verdict]++;
}

static void report(engine *e)
{
    e->progress.seconds = otok_clock() - e->began;
    if (e->options->poll && (e->options->poll(e->options->user, &e->progress) & OTOK_STOP_NOW)) e->stop = 1;
}

static otok_status report_unlocked(engine *e)
{
    char *note;
    OTOK_TRY(otok_file_no_locks(&note, e->options->directory));
    e->progress.note = note;
    report(e);
    e->progress.note = NULL;
    free(note);
    return OTOK_OK;
}

/* Rows of this shard that the journals do not have, or that failed; what they have is counted. Journals of other studies are
   refused. */
static otok_status plan(engine *e, const char *packed, size_t size)
{
    const otok_study_options *o = e->options;
    otok_table table;
    const int64_t rows = otok_study_rows(e->study);
    OTOK_TRY(otok_table_read_of(&table, o->directory, packed, size));
    e->todo = malloc((size_t)(rows / o->shards + 1) * sizeof *e->todo);
    for (int64_t row = o->shard - 1; e->todo && row < rows; row += o->shards) {
        const int state = table.rows[row].state;
        e->progress.members++;
        if (o->only_failed ? state == OTOK_FAILED : state == OTOK_PLANNED || state == OTOK_RUNNING)
            e->todo[e->ntodo++] = row;
        else if (table.rows[row].result)
            count(e, table.rows[row].result);
    }
    otok_table_destroy(&table);
    return e->todo ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for the plan of %lld members", (long long)rows);
}

/* Called by one thread at a time. */
static void note(engine *e, otok_status status)
{
    if (status == OTOK_OK || e->status != OTOK_OK) return;
    e->status = status;
    e->stop = 1;
    snprintf(e->why, sizeof e->why, "%s", otok_why());
}

/* Of one member; 0: it is not to begin. */
static int begins(void *user, int64_t row)
{
    engine *e = user;
    int stop;
#pragma omp critical(otok_engine)
    {
        report(e);
        stop = e->stop;
        if (!stop) note(e, otok_journal_begin(&e->journal, row));
    }
    return !stop;
}

static int stops(void *user)
{
    engine *e = user;
    int stop;
#pragma omp critical(otok_engine)
    {
        report(e);
        stop = e->stop;
    }
    return stop;
}

static void ends(void *user, const otok_result *result, const otok_sample *samples)
{
    engine *e = user;
    const otok_status status = otok_journal_put(&e->journal, result, samples);
#pragma omp critical(otok_engine)
    {
        note(e, status);
        count(e, result);
    }
}

static void member(engine *e, int64_t row)
{
    OTOK_ROUNDING;
    otok_result result;
    otok_sample *samples = NULL;
    if (!begins(e, row)) return;
    const otok_status status = otok_member_run(&result, &samples, e->study, row, e->backend);
    if (status == OTOK_OK)
        ends(e, &result, samples);
    else
#pragma omp critical(otok_engine)
        note(e, status);
    free(samples);
}

static void run_threads(engine *e)
{
    const int threads = strncmp(e->backend, "cpu", 3) == 0 ? omp_get_max_threads() : 1;
    const int before = omp_get_max_active_levels();
    if (threads > 1) omp_set_max_active_levels(1); /* a member's loops stay on its thread */
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)
    for (int64_t i = 0; i < e->ntodo; i++)
        member(e, e->todo[i]);
    omp_set_max_active_levels(before);
}

static otok_status run_all(engine *e, const otok_backend *backend)
{
    const otok_study_options *o = e->options;
    const otok_ensemble_plan plan = {.study = e->study,
                                     .backend = backend,
                                     .rows = e->todo,
                                     .n = e->ntodo,
                                     .devices = o->gpus > 1 ? o->gpus : 1,
                                     .slots = o->slots,
                                     .begin = begins,
                                     .end = ends,
                                     .stops = stops,
                                     .message = o->message,
                                     .user = e,
                                     .message_user = o->user};
    if (backend->ensembles)
        note(e, otok_ensemble_run(&plan));
    else
        run_threads(e);
    report(e);
    if (e->status != OTOK_OK) return OTOK_FAIL(e->status, "%s", e->why);
    if (e->progress.done + e->progress.failed < e->progress.members && e->stop)
        return OTOK_FAIL(OTOK_STOPPED, "stopped with %lld of %lld members done; run again with --resume to continue",
                         (long long)e->progress.done, (long long)e->progress.members);
    return OTOK_OK;
}

/* Of those who begin or merge studies there, one at a time. */
static otok_status lock_directory(int *lock, const char *directory)
{
    *lock = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock < 0) return otok_file_failed(directory, "read", errno);
    flock(*lock, LOCK_EX);
    return OTOK_OK;
}

/* In the folder of another study nothing is written. */
static otok_status begin(engine *e, char *path, size_t size)
{
    const otok_study_options *o = e->options;
    char *bytes = NULL;
    size_t length;
    int lock;
    if (snprintf(path, size, "%s/%lld-of-%lld.journal", o->directory, (long long)o->shard, (long long)o->shards) >= (int)size)
        return OTOK_FAIL(OTOK_IO, "%.60s...: the path is too long", o->directory);
    otok_status status = otok_study_pack(&bytes, &length, e->study);
    if (status == OTOK_OK && (status = lock_directory(&lock, o->directory)) == OTOK_OK) {
        status = plan(e, bytes, length);
        if (status == OTOK_OK) status = otok_journal_open(&e->journal, path, bytes, length, o->resume || o->only_failed);
        close(lock);
    }
    free(bytes);
    return status;
}

static otok_status merge(const char *directory, otok_merged *out)
{
    otok_table table;
    char path[4200];
    OTOK_TRY(otok_table_read(&table, directory));
    snprintf(path, sizeof path, "%s/study.h5", directory);
    if (out) otok_table_sum(&table, out);
    const otok_status status = otok_table_write(&table, path);
    otok_table_destroy(&table);
    return status;
}

/* Shards that end together write one after the other, each what is known then. */
otok_status otok_study_merge(const char *directory, otok_merged *out)
{
    OTOK_ROUNDING;
    int lock;
    OTOK_TRY(lock_directory(&lock, directory));
    const otok_status status = merge(directory, out);
    close(lock);
    return status;
}

otok_status otok_study_run(const otok_study *study, const otok_study_options *options, otok_merged *merged)
{
    OTOK_ROUNDING;
    engine e = {.study = study, .options = options, .backend = options->backend, .began = otok_clock(), .journal = {.file = -1}};
    const otok_backend *backend;
    char path[4200], why[1024];
    if (options->shards < 1 || options->shard < 1 || options->shard > options->shards)
        return OTOK_FAIL(OTOK_USAGE, "shard %lld of %lld: there is none; shards count from 1", (long long)options->shard,
                         (long long)options->shards);
    OTOK_TRY(otok_backend_find(&backend, options->backend));
    if (strcmp(options->backend, "auto") == 0) e.backend = backend->name;
    OTOK_TRY(otok_directory_make(options->directory));
    otok_status status = begin(&e, path, sizeof path);
    if (status == OTOK_OK && !e.journal.locked) status = report_unlocked(&e);
    if (status == OTOK_OK) status = run_all(&e, backend);
    snprintf(why, sizeof why, "%s", otok_why());
    free(e.todo);
    if (status == OTOK_OK || status == OTOK_STOPPED) { /* while the journal is on its way to the disk */
        const otok_status written = otok_study_merge(options->directory, merged);
        if (written != OTOK_OK) {
            status = written;
            snprintf(why, sizeof why, "%s", otok_why());
        }
    }
    const otok_status closed = otok_journal_close(&e.journal);
    if (status == OTOK_OK) return closed;
    return OTOK_FAIL(status, "%s", why);
}
