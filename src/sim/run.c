/* run.c: runs a scenario from its start or its newest checkpoint to its end. It decides when to
 * compute, save and stop. */
#include "../core/clock.h"
#include "../core/rounding.h"
#include "../core/sized.h"
#include "../core/status.h"
#include "../io/file.h"
#include "../io/writer.h"
#include "../scenario/scenario.h"
#include "audit.h"
#include "expressions.h"
#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SLOTS = 2 }; /* one is filled while the other is written */

typedef struct run {
    const otok_scenario *scenario;
    otok_scenario resumed; /* the same, with the newest checkpoint as `initial` */
    const otok_run_options *options;
    otok_sim *sim;
    otok_writer *writer;
    int lock, locked;     /* a locked file; 0: the file system has no locks */
    double began, saving; /* clock at the start; the most that a checkpoint takes, from state to
                             disk [s] */
    int64_t saved;        /* iteration of the newest checkpoint, -1: none yet */
    int64_t chunk;        /* iterations between two polls */
    double rate;          /* iterations/s */
    otok_ledger ledger;
    uint64_t fingerprint;
    const double *responses;
    otok_judge judge; /* of the samples so far */
    otok_audit audit;
} run;

/* The number of threads that compress. On a CPU all threads do: loops run at the pace of the
   slowest thread, so a single compressing thread would hold up all others for longer. Beside a
   GPU, one core remains for the thread that drives it. */
static int writing_threads(const otok_backend *chosen)
{
    const int all = omp_get_max_threads(),
              left = strncmp(chosen->name, "cpu", 3) == 0 ? all : all - 1;
    return left > 1 ? left : 1;
}

/* Two runs in one directory would overwrite each other's checkpoints. */
static otok_status lock_directory(run *r)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/.%s.lock", r->options->directory, r->scenario->stem);
    r->lock = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (r->lock < 0)
        return OTOK_FAIL(OTOK_IO, "%s: cannot be written: %s; choose another directory with -o",
                         path, strerror(errno));
    return otok_file_lock(r->lock, r->options->directory, &r->locked);
}

static int report(run *r, const char *checkpoint, const char *note, const char *costs)
{
    if (!r->options->poll) return OTOK_GO_ON;
    const otok_diagnosis diagnosis = otok_judge_diagnosis(&r->judge, r->scenario->grid.nx);
    const otok_sim *sim = r->sim;
    const otok_progress p = {.iteration = sim ? sim->iteration : 0,
                             .iterations = sim ? sim->end : otok_scenario_iterations(r->scenario),
                             .phase = sim ? otok_sim_phase(sim) : "base",
                             .seconds = otok_clock() - r->began,
                             .rate = r->rate,
                             .cells = (double)r->scenario->grid.nx * (double)r->scenario->grid.ny,
                             .ledger = sim ? &r->ledger : NULL,
                             .fingerprint = r->fingerprint,
                             .checkpoint = checkpoint,
                             .note = note,
                             .costs = costs,
                             .diagnosis = &diagnosis,
                             .filled = sim ? sim->filled : 0,
                             .raster_cells = sim ? sim->raster_cells : 0,
                             .responses = r->responses,
                             .walls =
                                 sim ? (int64_t)otok_sim_cells(sim) - otok_sim_open_cells(sim) : 0};
    return r->options->poll(r->options->user, &p);
}

/* "passed over: PATH: ..." */
static otok_status report_skipped(run *r, const char *skipped)
{
    char *note = NULL;
    if (!skipped) return OTOK_OK;
    if (asprintf(&note, "passed over: %s", skipped) < 0)
        return OTOK_FAIL(OTOK_NOMEM, "no memory for a message");
    report(r, NULL, note, NULL);
    free(note);
    return OTOK_OK;
}

static otok_status report_unlocked(run *r)
{
    char *note;
    OTOK_TRY(otok_file_no_locks(&note, r->options->directory));
    report(r, NULL, note, NULL);
    free(note);
    return OTOK_OK;
}

/* The rest of the time limit; above 0 if there is no limit. */
static double seconds_left(const run *r)
{
    return r->options->max_seconds > 0 ? r->options->max_seconds - (otok_clock() - r->began)
                                       : INFINITY;
}

static int stops(void *user)
{
    run *r = user;
    return (report(r, NULL, NULL, NULL) & OTOK_STOP_NOW) || seconds_left(r) <= 0;
}

/* Makes the simulation at iteration 0, unless time runs out or the user stops it. */
static otok_status create(run *r)
{
    const otok_status status =
        otok_sim_create_until(&r->sim, r->scenario, r->options->backend, stops, r);
    for (int n = 0; status == OTOK_OK && otok_sim_note_at(r->sim, n); n++)
        report(r, NULL, otok_sim_note_at(r->sim, n), NULL);
    if (status != OTOK_STOPPED) return status;
    return seconds_left(r) > 0
               ? OTOK_FAIL(status, "stopped while the base terrain was made, before a checkpoint; "
                                   "run again with --resume")
               : OTOK_FAIL(status, "the time is over before the base terrain is made, and no "
                                   "checkpoint was written; run again with a longer --max-time");
}

/* Continues from a checkpoint. First finishes what a killed run left undone after writing it. */
static otok_status resume_from(run *r, const otok_snapshot *newest, const char *path,
                               const char *skipped)
{
    const otok_run_options *o = r->options;
    int told = 0;
    while (otok_sim_note_at(r->sim, told))
        told++;
    OTOK_TRY(otok_sim_restore(r->sim, newest, path));
    for (; otok_sim_note_at(r->sim, told); told++)
        report(r, NULL, otok_sim_note_at(r->sim, told), NULL);
    r->saved = r->sim->iteration;
    r->ledger = newest->ledger;
    r->fingerprint = newest->fingerprint;
    OTOK_TRY(report_skipped(r, skipped));
    r->judge = newest->judge;
    if (!newest->watched) OTOK_TRY(otok_watch_begin(&r->judge, r->sim));
    /* `keep` counts the files written last, which may be damaged ones */
    OTOK_TRY(otok_checkpoint_prune(o->directory, r->scenario->stem,
                                   skipped ? 0 : r->scenario->output.keep));
    return otok_checkpoint_series(o->directory, r->scenario->stem);
}

/* Begins a new run; refuses if files are there. */
static otok_status begin(run *r)
{
    const otok_run_options *o = r->options;
    if (!o->overwrite && otok_checkpoint_exists(o->directory, r->scenario->stem))
        return OTOK_FAIL(OTOK_USAGE,
                         "%s: holds checkpoints of %s; continue them with --resume, replace them "
                         "with --overwrite, or choose another directory with -o",
                         o->directory, r->scenario->stem);
    if (o->overwrite) OTOK_TRY(otok_scenario_may_remove(r->scenario, o->directory));
    OTOK_TRY(create(r));
    OTOK_TRY(otok_watch_begin(&r->judge, r->sim));
    return o->overwrite ? otok_checkpoint_prune(o->directory, r->scenario->stem, -1) : OTOK_OK;
}

/* Continues from the newest valid checkpoint, or begins if there is none. */
static otok_status resume(run *r, const otok_backend *chosen)
{
    const otok_run_options *o = r->options;
    const double before = otok_clock();
    otok_snapshot newest = {0};
    char *path = NULL, *skipped = NULL;
    otok_status status = otok_checkpoint_newest(&newest, &path, &skipped, o->directory,
                                                r->scenario->stem, r->scenario->grid);
    r->saving =
        2 * (otok_clock() - before); /* a guess until a checkpoint has been written: writing takes
                                        no longer than reading, unless the disk is slow */
    if (status == OTOK_OK && !path && skipped)
        status = OTOK_FAIL(OTOK_DATA,
                           "%s; %s: none of the checkpoints of %s is valid; start anew with "
                           "--overwrite, or in another directory with -o",
                           skipped, o->directory, r->scenario->stem);
    if (path && r->scenario->initial[0]) {
        r->resumed = *r->scenario;
        r->resumed.initial[0] = 0;
        r->resumed.carried = newest.has & OTOK_CARRIED;
        r->scenario = &r->resumed;
    }
    if (status == OTOK_OK) status = otok_scenario_fits(r->scenario, chosen, SLOTS);
    if (status == OTOK_OK) status = create(r);
    if (status == OTOK_OK)
        status =
            path ? resume_from(r, &newest, path, skipped) : otok_watch_begin(&r->judge, r->sim);
    otok_snapshot_destroy(&newest);
    free(path);
    free(skipped);
    return status;
}

static otok_status save(run *r)
{
    const double before = otok_clock();
    const int first = r->saved < 0;
    otok_snapshot *slot;
    OTOK_TRY(otok_writer_slot(r->writer, &slot));
    OTOK_TRY(otok_sim_snapshot(r->sim, slot));
    slot->watched = 1;
    slot->judge = r->judge;
    r->ledger = slot->ledger;
    r->fingerprint = slot->fingerprint;
    if (slot->ledger.not_finite)
        return OTOK_FAIL(OTOK_DATA,
                         "iteration %lld (phase %s): %lld values are no longer finite; the "
                         "checkpoints before it stay. Lower dt or the rates",
                         (long long)r->sim->iteration, otok_sim_phase(r->sim),
                         (long long)slot->ledger.not_finite);
    char *path = otok_checkpoint_name(r->options->directory, r->scenario->stem, r->sim->iteration);
    if (!path) return OTOK_FAIL(OTOK_NOMEM, "no memory for a path");
    otok_status status = otok_writer_submit(r->writer, slot, path, r->options->directory,
                                            r->scenario->stem, r->scenario->output.keep);
    if (status == OTOK_OK) report(r, path, NULL, NULL);
    /* the first checkpoint shows early how long one takes, and whether the disk is full */
    if (status == OTOK_OK && first &&
        (r->options->max_seconds > 0 || r->scenario->output.every == 0))
        status = otok_writer_wait(r->writer);
    r->saved = r->sim->iteration;
    const double took =
        (first ? 4 : 1) *
        (otok_clock() - before); /* the fields at iteration 0 are mostly 0 and compress quickly */
    if (took > r->saving) r->saving = took;
    free(path);
    return status;
}

/* Iterations until the next checkpoint of the schedule, or the end. */
static int64_t iterations_until_due(const run *r)
{
    const int64_t every = r->scenario->output.every, n = r->sim->iteration;
    const int64_t end = r->sim->end;
    const int64_t due = every > 0 ? (n / every + 1) * every : end;
    return (due < end ? due : end) - n;
}

/* Runs a chunk, and learns from it the length of the next one, which should take a tenth of a
   second. */
static otok_status advance(run *r, int64_t n)
{
    const double before = otok_clock();
    OTOK_TRY(otok_sim_run(r->sim, n));
    const double took = otok_clock() - before;
    r->rate = (double)n / (took > 1e-6 ? took : 1e-6);
    const double good = 0.1 * r->rate;
    r->chunk = good < 1 ? 1 : good < 2 * (double)r->chunk ? (int64_t)good : 2 * r->chunk;
    return OTOK_OK;
}

/* Iterations until a checkpoint, a sample or the audit is due, of a chunk at most. */
static int64_t iterations_to_run(const run *r)
{
    const int64_t due = otok_least(iterations_until_due(r), otok_watch_due(r->sim));
    return otok_least(otok_least(due, otok_audit_until(&r->audit)), r->chunk);
}

static otok_status check_responses(const otok_scenario *s)
{
    for (int i = 0; i < s->nresponses; i++) {
        const otok_status status = otok_response_check(&s->responses[i], s);
        if (status != OTOK_OK)
            return otok_fail_in(status, "%s: responses.%s", s->path, s->responses[i].name);
    }
    return OTOK_OK;
}

static otok_status report_responses(run *r)
{
    double values[OTOK_MAX_RESPONSES];
    const int n = r->scenario->nresponses;
    OTOK_TRY(otok_responses_measure(values, r->scenario->responses, n, r->sim));
    r->responses = n ? values : NULL;
    if (n) report(r, NULL, NULL, NULL);
    r->responses = NULL;
    return OTOK_OK;
}

static otok_status run_to_end(run *r)
{
    const int64_t end = r->sim->end;
    int request = 0;
    if (r->saved < 0) OTOK_TRY(save(r));
    OTOK_TRY(otok_audit_create(&r->audit, r->sim, &r->judge, -1));
    while (r->sim->iteration < end) {
        OTOK_TRY(otok_audit_open(&r->audit, &r->judge));
        OTOK_TRY(advance(r, iterations_to_run(r)));
        OTOK_TRY(otok_audit_close(&r->audit, &r->judge));
        OTOK_TRY(otok_watch_sample(&r->judge, r->sim));
        request |= report(r, NULL, NULL, NULL);
        if (seconds_left(r) < 2 * r->saving + 1.5 * (double)r->chunk / r->rate)
            request |= OTOK_STOP_NOW;
        if (otok_audit_is_within(&r->audit))
            continue; /* no run is continued from within a window, which is short */
        const int64_t n = r->sim->iteration;
        const int is_due =
            n == end || (r->scenario->output.every > 0 && n % r->scenario->output.every == 0);
        if (is_due || request) OTOK_TRY(save(r));
        if ((request & OTOK_STOP_NOW) && n < end) {
            OTOK_TRY(otok_writer_wait(r->writer));
            return OTOK_FAIL(OTOK_STOPPED,
                             "stopped at iteration %lld of %lld after a checkpoint; run again with "
                             "--resume to continue",
                             (long long)n, (long long)end);
        }
        request = 0;
    }
    return otok_writer_wait(r->writer);
}

static void report_costs(run *r)
{
    char text[320];
    const otok_backend *backend = r->sim->backend;
    const char *crossing = backend->crossing ? backend->crossing(otok_sim_patch(r->sim)) : NULL;
    const otok_writer_cost c = otok_writer_costs(r->writer);
    snprintf(text, sizeof text,
             "%lld checkpoints: the run waited %.3f s for them; they were copied from the device "
             "in %.3f s, filled in %.3f s (packing %.3f, writing %.3f thread-seconds) and synced "
             "in %.3f s%s%s",
             (long long)c.files, c.waited, c.arriving, c.filling, c.work.packing, c.work.writing,
             c.syncing, crossing ? "\nrows went between ranks " : "", crossing ? crossing : "");
    report(r, NULL, NULL, text);
}

otok_status(otok_run)(const otok_scenario *scenario, const otok_run_options *options, size_t size)
{
    OTOK_TRY(OTOK_GIVEN(scenario, options));
    OTOK_ROUNDING;
    otok_run_options all;
    otok_sized_copy(&all, sizeof all, options, size);
    options = &all;
    OTOK_TRY(OTOK_GIVEN(options->directory, options->backend));
    run r = {.scenario = scenario,
             .options = options,
             .lock = -1,
             .began = otok_clock(),
             .saved = -1,
             .chunk = 1};
    const otok_backend *chosen;
    otok_status status = otok_backend_find(&chosen, options->backend);
    if (status == OTOK_OK) status = check_responses(scenario);
    if (status == OTOK_OK && !options->resume) status = otok_scenario_fits(scenario, chosen, SLOTS);
    if (status == OTOK_OK) status = otok_directory_make(options->directory);
    if (status == OTOK_OK) status = lock_directory(&r);
    if (status == OTOK_OK) status = otok_checkpoint_sweep(options->directory, scenario->stem);
    if (status == OTOK_OK) status = options->resume ? resume(&r, chosen) : begin(&r);
    if (status == OTOK_OK && !r.locked) status = report_unlocked(&r);
    if (status == OTOK_OK)
        status = otok_writer_create(&r.writer, scenario->grid, otok_sim_snapshot_fields(r.sim),
                                    r.sim->backend->host, SLOTS, writing_threads(chosen));
    if (status == OTOK_OK) status = run_to_end(&r);
    if (status == OTOK_OK) report_costs(&r);
    if (status == OTOK_OK) status = report_responses(&r);
    otok_audit_destroy(&r.audit);
    otok_writer_destroy(r.writer);
    otok_sim_destroy(r.sim);
    if (r.lock >= 0) close(r.lock);
    return status;
}
