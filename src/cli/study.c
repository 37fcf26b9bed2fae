/* study.c: `otok study`: runs a parameter study, or only prints its members; `otok merge`: makes
   the table from all journals. */
#include "../bands/ranks.h"
#include "../core/plain.h"
#include "../core/status.h"
#include "cli.h"
#include "devices.h"
#include "options.h"
#include "signals.h"
#include "text.h"

#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void print_cell(const char *text, int more)
{
    otok_plain_cell(stdout, text);
    putchar(more ? ',' : '\n');
}

static void members(const otok_study *study)
{
    const int n = otok_study_axes(study);
    for (int a = 0; a < n; a++)
        print_cell(otok_study_axis(study, a), a < n - 1);
    for (int64_t row = 0; row < otok_study_rows(study); row++)
        for (int a = 0; a < n; a++) {
            char value[OTOK_VALUE_SIZE];
            otok_study_value(study, row, a, value);
            print_cell(value, a < n - 1);
        }
}

typedef struct view {
    int quiet, terminal;
    double printed;
    otok_study_progress last;
    double limit; /* time limit [s]; 0: none */
} view;

/* Prints the verdicts that this process knows. */
static void counts(const otok_study_progress *p)
{
    char left[32];
    fprintf(stderr, "%" PRId64 " of %" PRId64 " members", p->everywhere, p->members);
    for (int v = 0; v < OTOK_VERDICTS; v++)
        if (p->verdicts[v])
            fprintf(stderr, ", %" PRId64 " %s", p->verdicts[v], otok_verdict_name((otok_verdict)v));
    if (p->failed) fprintf(stderr, ", %" PRId64 " failed", p->failed);
    if (p->again) fprintf(stderr, "; %" PRId64 " ran again with half the step", p->again);
    if (p->others && p->everywhere < p->members)
        fprintf(stderr, "; with %d other process%s", p->others, p->others > 1 ? "es" : "");
    if (!(p->rate > 0) || p->everywhere == p->members) return;
    cli_time(left, sizeof left, (double)(p->members - p->everywhere) / p->rate);
    fprintf(stderr, "; %.3g members/s, ETA %s", p->rate, left);
}

static int poll(void *user, const otok_study_progress *p)
{
    view *v = user;
    v->last = *p;
    if (!v->quiet && p->seconds - v->printed >= (v->terminal ? 0.2 : 10)) {
        v->printed = p->seconds;
        fputs(v->terminal ? "\r\033[K" : "", stderr);
        counts(p);
        fputs(v->terminal ? "" : "\n", stderr);
    }
    return cli_signals_asked() || (v->limit > 0 && p->seconds >= v->limit) ? OTOK_STOP_NOW
                                                                           : OTOK_GO_ON;
}

/* Prints the cost on standard error, so that the members can be piped. */
static otok_status cost(const otok_study *study)
{
    otok_study_cost c;
    char size[32];
    const otok_status status = otok_study_estimate(&c, study);
    if (status != OTOK_OK) return status;
    cli_bytes(size, sizeof size, c.bytes);
    fprintf(stderr,
            "%" PRId64 " members; of %" PRId64 " checked, %" PRId64
            " are refused for their values. No member needs more than %s. All members: %.3g cell "
            "steps, without second runs\n",
            c.members, c.checked, c.refused, size, c.cell_steps);
    cli_bytes(size, sizeof size, c.kept);
    if (c.kept > 0) fprintf(stderr, "Kept maps: at most %s in study.h5\n", size);
    return OTOK_OK;
}

static void print_damaged(const otok_merged *m)
{
    if (m->damaged)
        fprintf(stderr,
                "otok: the journals are damaged in %" PRId64 " place%s, which are left out; %s\n",
                m->damaged, m->damaged > 1 ? "s" : "",
                m->done < m->members ? "otok study --resume runs the members that are missing"
                                     : "no member is missing");
}

/* Prints the rows without a final state that an analysis of whole blocks needs; with every_design,
   all such rows. */
static void print_missing(const otok_merged *m, int every_design)
{
    const char *more = m->missing > OTOK_MISSING_SHOWN ? ", ..." : "";
    if (m->size > 1 && m->missing)
        fprintf(stderr,
                "%" PRId64 " of %" PRId64 " blocks of %" PRId64
                " rows are incomplete. Sobol indices and elementary effects cannot use them "
                "(block_complete in study.h5). Missing rows: %s%s\n",
                m->blocks - m->complete, m->blocks, m->size, m->rows, more);
    else if (m->missing && every_design)
        fprintf(stderr,
                "%" PRId64 " of %" PRId64 " members have no state at their end: rows %s%s\n",
                m->missing, m->members, m->rows, more);
}

static void print_message(void *user, const char *text)
{
    const view *v = user;
    if (!v->quiet) fprintf(stderr, "%s%s\n", v->terminal ? "\r\033[K" : "", cli_plain(text));
}

/* Prints the remaining work. Returns the exit code. */
static int print_end(const otok_study_options *o, const otok_study_progress *p,
                     const otok_merged *merged)
{
    const int64_t left = p->members - p->done - p->failed;
    if (merged->members)
        printf("%s/study.h5\n", cli_plain(o->directory));
    else
        fprintf(stderr, "otok study: no member is left for this process; others run the last ones, "
                        "and write study.h5\n");
    if (left && merged->members)
        fprintf(stderr,
                "otok study: %" PRId64 " of %" PRId64 " members were not run; --resume runs them\n",
                left, p->members);
    if (p->failed)
        fprintf(stderr,
                "otok study: %" PRId64 " of %" PRId64
                " members failed; `cause` in study.h5 says why, --only-failed runs them again\n",
                p->failed, p->members);
    return (left && merged->members) || p->failed ? 65 : 0;
}

/* Fails if the study already has results, before all ranks join it. */
static otok_status is_new(const otok_study_options *o)
{
    char path[4400];
    snprintf(path, sizeof path, "%s/%" PRId64 "-of-%" PRId64 ".journal", o->directory, o->shard,
             o->shards);
    if (o->resume || o->only_failed || access(path, F_OK) != 0) return OTOK_OK;
    return otok_fail(OTOK_USAGE, "%s: there are results already; continue with --resume", path);
}

/* Every rank runs members; rank 0 prints for all. */
static otok_status run_ranks(const otok_study *study, otok_study_options *o, otok_merged *merged)
{
    const int ranks = otok_ranks(), speaks = otok_rank() == 0;
    if (ranks == 1) return otok_study_run(study, o, merged);
    OTOK_TRY(otok_ranks_agree(speaks ? is_new(o) : OTOK_OK));
    o->wait = 1;
    o->resume = !o->only_failed;
    if (!o->slots) o->slots = (otok_study_rows(study) + ranks - 1) / ranks;
    otok_ranks_part(1);
    const otok_status mine = otok_study_run(study, o, merged);
    otok_ranks_part(0);
    if (mine != OTOK_OK && mine != OTOK_STOPPED) otok_ranks_end(cli_fail("study", mine));
    const otok_status status = otok_ranks_agree(mine);
    if (status != OTOK_OK || !speaks || merged->members) return status;
    return otok_study_merge(o->directory, merged);
}

/* On one rank, whatever the others do. */
static otok_status print_notes(const otok_study *study)
{
    otok_ranks_part(1);
    const otok_status status = otok_study_notes(study, cli_note, "study");
    otok_ranks_part(0);
    return status;
}

static int run(const otok_study *study, otok_study_options *o, int quiet, double limit)
{
    const int speaks = otok_rank() == 0;
    view v = {.quiet = quiet || !speaks, .terminal = isatty(STDERR_FILENO), .limit = limit};
    o->poll = poll;
    o->message = print_message;
    o->user = &v;
    otok_merged merged = {0};
    if (speaks) print_notes(study); /* its failure is the members' */
    const otok_status status = run_ranks(study, o, &merged);
    if (!speaks) return otok_exit_code(status);
    if (v.terminal && !quiet) fputs("\r\033[K", stderr);
    if (!quiet && v.last.members) {
        counts(&v.last);
        fputs("\n", stderr);
    }
    print_damaged(&merged);
    if (status != OTOK_OK) return cli_fail("study", status);
    if (!quiet && o->shards == 1) print_missing(&merged, 0);
    return print_end(o, &v.last, &merged);
}

/* Reads "2/8". */
static otok_status read_shard(void *to, const char *name, const char *words)
{
    otok_study_options *o = to;
    char end;
    return strspn(words, "0123456789/") < 20 &&
                   sscanf(words, "%" SCNd64 "/%" SCNd64 "%c", &o->shard, &o->shards, &end) == 2 &&
                   o->shard >= 1 && o->shard <= o->shards
               ? OTOK_OK
               : OTOK_FAIL(OTOK_USAGE, "--%s %s: give K/N, such as 2/8 for the second of eight",
                           name, words);
}

/* All ranks fail if one cannot read its study. */
static otok_status load(otok_study **study, const char *path, int dry)
{
    const otok_status mine = otok_study_load(study, path);
    const otok_status all = dry ? mine : otok_ranks_agree(mine);
    if (mine == OTOK_OK && all != OTOK_OK) otok_study_destroy(*study);
    return all;
}

int cli_study(int argc, char **argv)
{
    cli_devices devices = {.backend = "auto"};
    double limit = 0;
    otok_study_options o = {.directory = "out", .shard = 1, .shards = 1};
    int dry = 0, quiet = 0, slots = 0;
    otok_study *study;
    const cli_option table[] = {
        CLI_OUTPUT("DIR", "directory of the journals and study.h5 (default: out)", &o.directory),
        CLI_BACKEND(&devices.backend),
        CLI_DEVICE(&devices),
        CLI_OPTION("gpus", 0, "N", "share the members among N GPUs of this machine, or `all`",
                   CLI_TEXT, &devices.gpus),
        CLI_MAX_TIME(&limit, "stop after T, such as 90, 30m or 23h50m; --resume runs the rest"),
        CLI_OPTION("shard", 0, "K/N",
                   "run only the K-th of N parts of the members, for machines that share no files; "
                   "otok merge joins the journals of all parts, once they are copied into one DIR",
                   CLI_READ, &o, .read = read_shard),
        CLI_OPTION("slots", 0, "N",
                   "run at most N members side by side on a GPU (default: as many as keep it busy "
                   "and fit into its memory)",
                   CLI_WHOLE, &slots, 1, INT_MAX),
        CLI_OPTION(
            "resume", 0, NULL,
            "run only the members without a result; join other processes that run the study in DIR",
            CLI_FLAG, &o.resume),
        CLI_OPTION("only-failed", 0, NULL, "run only the members that failed", CLI_FLAG,
                   &o.only_failed),
        CLI_OPTION("dry-run", 0, NULL,
                   "print the members as CSV, with their paths in the first line, and their cost; "
                   "run nothing",
                   CLI_FLAG, &dry),
        CLI_QUIET(&quiet, "print only errors"),
        {0}};
    const cli_command command = {
        .name = "study",
        .operands = "STUDY.yaml [options]",
        .about = "Run the members of a study and write their results to DIR/study.h5.",
        .notes = "Any number of processes may run one study in one DIR, on all machines that share "
                 "it: ranks of mpirun, tasks of a Slurm array, or processes that you start with "
                 "--resume. Each runs members that no other process has, and members of a process "
                 "that died. The last one to leave writes study.h5.\n"
                 "A member that diverges or is refused for its values has a result. SIGTERM, "
                 "SIGINT, SIGUSR2, SIGXCPU and SIGHUP finish the running members and exit with 75. "
                 "Members that run side by side on a GPU are given up; --resume runs them again. A "
                 "second SIGTERM or SIGINT ends the process at once. Finished members are kept.",
        .examples = "experiments/stability/water_edge/study.yaml -o out",
        .needs = "one study",
        .options = table};
    int code = cli_options(&command, argc, argv);
    if (code >= 0) return code;
    code = 0;
    if (dry) cli_signals_end();
    if (dry && otok_rank() > 0) return 0;
    const int chosen = cli_devices_choose("study", &devices, 1);
    if (chosen >= 0) return chosen;
    o.backend = devices.backend;
    o.gpus = devices.count;
    o.gpu = devices.first;
    o.slots = slots;
    const otok_status status = load(&study, argv[optind], dry);
    if (status != OTOK_OK) return otok_rank() ? otok_exit_code(status) : cli_fail("study", status);
    if (dry) {
        members(study);
        otok_status priced = quiet ? OTOK_OK : cost(study);
        if (priced == OTOK_OK) priced = print_notes(study);
        if (priced != OTOK_OK) code = cli_fail("study", priced);
    } else
        code = run(study, &o, quiet, limit);
    otok_study_destroy(study);
    return code;
}

int cli_merge(int argc, char **argv)
{
    otok_merged merged;
    int complete = 0;
    const cli_option table[] = {CLI_OPTION("complete", 0, NULL,
                                           "exit with 65 if an analysis lacks a row: one that was "
                                           "not run, failed, was refused or diverged",
                                           CLI_FLAG, &complete),
                                {0}};
    const cli_command command = {
        .name = "merge",
        .operands = "DIR [options]",
        .about =
            "Write DIR/study.h5 from all journals in DIR. Sobol indices and elementary effects "
            "need whole blocks of rows (kind: saltelli, morris): otok names the rows that are "
            "missing, and study.h5 marks the blocks that are whole. The exit code is 65 if a "
            "journal is damaged and members have no result; otok study --resume runs these.",
        .examples = "out",
        .needs = "one directory",
        .options = table};
    const int code = cli_options(&command, argc, argv);
    if (code >= 0) return code;
    const otok_status status = otok_study_merge(argv[optind], &merged);
    if (status != OTOK_OK) return cli_fail("merge", status);
    fprintf(stderr, "%" PRId64 " of %" PRId64 " members done\n", merged.done, merged.members);
    print_damaged(&merged);
    print_missing(&merged, 1);
    printf("%s/study.h5\n", cli_plain(argv[optind]));
    const int lost = merged.damaged && merged.done < merged.members;
    return lost || (merged.missing && complete) ? otok_exit_code(OTOK_DATA) : 0;
}
