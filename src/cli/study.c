/* study.c: `otok study`: a parameter study, or only its table of members; `otok merge`: the table
 * of all journals. */
#include "../bands/ranks.h"
#include "../core/status.h"
#include "cli.h"
#include "devices.h"
#include "signals.h"
#include "text.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "usage: otok study STUDY.yaml [options]\n\n"
    "  -o, --output DIR        directory of the journals and study.h5 (default: out)\n"
    "      --backend NAME      auto, cpu or cuda (default: auto, cuda where a device answers)\n"
    "      --device N          uses only this GPU, counted from 0\n"
    "      --gpus N            shares the members among N GPUs of this machine, or all\n"
    "      --max-time T        stops after T, such as 90, 30m or 23h50m; --resume runs what is "
    "left\n"
    "      --shard K/N         runs only the K-th of N parts of the members, for machines that "
    "share no files; otok merge DIR "
    "joins\n"
    "                          their journals, brought together in DIR\n"
    "      --slots N           runs at most N members side by side on a GPU (default: as many as "
    "fit in its memory)\n"
    "      --resume            runs only the members that have no result yet; joins others that "
    "run the study in DIR\n"
    "      --only-failed       runs only the members whose run failed\n"
    "      --dry-run           prints the members as CSV, paths in the first line, and their cost; "
    "runs nothing\n"
    "  -q, --quiet             prints only what went wrong\n\n"
    "Any number of processes may run one study in one DIR, on any machines that share it: ranks of "
    "mpirun, tasks of a Slurm "
    "array,\n"
    "or by hand with --resume. Each takes members that no other has, and the members of a process "
    "that died. The last to leave\n"
    "writes study.h5.\n\n"
    "A member that diverges, or whose values are refused, has a result. SIGTERM, SIGINT and SIGHUP "
    "finish the running members\n"
    "(members side by side on a GPU are left to --resume) and exit with 75. A second SIGTERM or "
    "SIGINT ends at once. Finished\n"
    "members are kept.\n\n"
    "example: otok study experiments/stability/water_edge/study.yaml -o out\n";

static const char merge_usage[] =
    "usage: otok merge DIR [options]\n\n"
    "      --complete          exit 65 where a row is missing that an analysis needs: one not run, "
    "failed, refused or diverged\n\n"
    "Writes DIR/study.h5 from all journals in DIR. Sobol indices and elementary effects need whole "
    "blocks of rows\n"
    "(kind: saltelli, morris): says which rows are missing, and study.h5 marks the blocks that are "
    "whole. Exits 65 where a\n"
    "journal is damaged and members have no result; otok study --resume runs these.\n\n"
    "example: otok merge out\n";

static void members(const otok_study *study)
{
    const int n = otok_study_axes(study);
    for (int a = 0; a < n; a++)
        printf("%s%c", otok_study_axis(study, a), a < n - 1 ? ',' : '\n');
    for (int64_t row = 0; row < otok_study_rows(study); row++)
        for (int a = 0; a < n; a++) {
            char value[OTOK_VALUE_SIZE];
            otok_study_value(study, row, a, value);
            printf("%s%c", value, a < n - 1 ? ',' : '\n');
        }
}

typedef struct view {
    int quiet, terminal;
    double printed;
    otok_study_progress last;
    double limit; /* of time [s]; 0: none */
} view;

/* Verdicts are those that this process knows of. */
static void counts(const otok_study_progress *p)
{
    char left[32];
    fprintf(stderr, "%" PRId64 " of %" PRId64 " members", p->everywhere, p->members);
    for (int v = 0; v < OTOK_VERDICTS; v++)
        if (p->verdicts[v])
            fprintf(stderr, ", %" PRId64 " %s", p->verdicts[v], otok_verdict_name((otok_verdict)v));
    if (p->failed) fprintf(stderr, ", %" PRId64 " failed", p->failed);
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

/* On standard error, so that the members can be piped. */
static otok_status cost(const otok_study *study)
{
    otok_study_cost c;
    char size[32];
    const otok_status status = otok_study_estimate(&c, study);
    if (status != OTOK_OK) return status;
    cli_bytes(size, sizeof size, c.bytes);
    fprintf(stderr,
            "%" PRId64 " members; of %" PRId64 " checked, %" PRId64
            " are refused for their values. No member needs more than %s. "
            "All members: %.3g cell steps\n",
            c.members, c.checked, c.refused, size, c.cell_steps);
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

/* Which rows an analysis of whole blocks lacks, or, of every design, have no state at their end. */
static void print_missing(const otok_merged *m, int every_design)
{
    const char *more = m->missing > OTOK_MISSING_SHOWN ? ", ..." : "";
    if (m->size > 1 && m->missing)
        fprintf(stderr,
                "%" PRId64 " of %" PRId64 " blocks of %" PRId64
                " rows are incomplete. Sobol indices and elementary effects cannot use "
                "them (block_complete in study.h5). Missing rows: %s%s\n",
                m->blocks - m->complete, m->blocks, m->size, m->rows, more);
    else if (m->missing && every_design)
        fprintf(stderr,
                "%" PRId64 " of %" PRId64 " members have no state at their end: rows %s%s\n",
                m->missing, m->members, m->rows, more);
}

static void print_message(void *user, const char *text)
{
    const view *v = user;
    if (!v->quiet) fprintf(stderr, "%s%s\n", v->terminal ? "\r\033[K" : "", text);
}

/* What is left, and the exit code. */
static int print_end(const otok_study_options *o, const otok_study_progress *p,
                     const otok_merged *merged)
{
    const int64_t left = p->members - p->done - p->failed;
    if (merged->members)
        printf("%s/study.h5\n", o->directory);
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

/* Before all ranks join one study: has it begun already? */
static otok_status is_new(const otok_study_options *o)
{
    char path[4400];
    snprintf(path, sizeof path, "%s/%" PRId64 "-of-%" PRId64 ".journal", o->directory, o->shard,
             o->shards);
    if (o->resume || o->only_failed || access(path, F_OK) != 0) return OTOK_OK;
    return otok_fail(OTOK_USAGE, "%s: there are results already; continue with --resume", path);
}

/* Of several ranks each runs members, and rank 0 speaks for all. */
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
    const otok_status status = otok_ranks_agree(mine);
    if (status != OTOK_OK || !speaks || merged->members) return status;
    return otok_study_merge(o->directory, merged);
}

static int run(const otok_study *study, otok_study_options *o, int quiet, double limit)
{
    const int speaks = otok_rank() == 0;
    view v = {.quiet = quiet || !speaks, .terminal = isatty(STDERR_FILENO), .limit = limit};
    o->poll = poll;
    o->message = print_message;
    o->user = &v;
    otok_merged merged = {0};
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

/* "2/8" */
static int shard(const char *text, otok_study_options *o)
{
    char end;
    return strspn(text, "0123456789/") < 20 &&
           sscanf(text, "%" SCNd64 "/%" SCNd64 "%c", &o->shard, &o->shards, &end) == 2 &&
           o->shard >= 1 && o->shard <= o->shards;
}

static int slots(const char *text, otok_study_options *o)
{
    char end;
    return sscanf(text, "%" SCNd64 "%c", &o->slots, &end) == 1 && o->slots >= 1;
}

int cli_study(int argc, char **argv)
{
    static const struct option known[] = {
        {"output", 1, 0, 'o'}, {"backend", 1, 0, 'b'},     {"shard", 1, 0, 's'},
        {"resume", 0, 0, 'r'}, {"only-failed", 0, 0, 'f'}, {"dry-run", 0, 0, 'd'},
        {"quiet", 0, 0, 'q'},  {"help", 0, 0, 'h'},        {"slots", 1, 0, 'n'},
        {"device", 1, 0, 'D'}, {"gpus", 1, 0, 'G'},        {"max-time", 1, 0, 't'},
        {0, 0, 0, 0}};
    cli_devices devices = {.backend = "auto"};
    double limit = 0;
    otok_study_options o = {.directory = "out", .backend = "auto", .shard = 1, .shards = 1};
    int c, dry = 0, quiet = 0, code = 0;
    otok_study *study;
    optind = 1;
    opterr = 0;
    while ((c = getopt_long(argc, argv, ":o:qh", known, NULL)) != -1)
        switch (c) {
        case 'o': o.directory = optarg; break;
        case 'b': devices.backend = optarg; break;
        case 'D': devices.device = optarg; break;
        case 'G': devices.gpus = optarg; break;
        case 't':
            if (!cli_duration(optarg, &limit))
                return cli_usage("study", "--max-time %s: give a time such as 90, 30m or 23h50m",
                                 optarg);
            break;
        case 's':
            if (!shard(optarg, &o))
                return cli_usage(
                    "study", "--shard %s: give K/N, such as 2/8 for the second of eight", optarg);
            break;
        case 'n':
            if (!slots(optarg, &o))
                return cli_usage("study", "--slots %s: give a number of 1 or more", optarg);
            break;
        case 'r': o.resume = 1; break;
        case 'f': o.only_failed = 1; break;
        case 'd': dry = 1; break;
        case 'q': quiet = 1; break;
        case 'h': fputs(usage, stdout); return 0;
        default: return cli_option("study", c, argv);
        }
    if (optind != argc - 1) return cli_usage("study", "name one study");
    if (dry) cli_signals_end();
    if (dry && otok_rank() > 0) return 0;
    const int chosen = cli_devices_choose("study", &devices, 1);
    if (chosen >= 0) return chosen;
    o.backend = devices.backend;
    o.gpus = devices.count;
    o.gpu = devices.first;
    const otok_status status = otok_study_load(&study, argv[optind]);
    if (status != OTOK_OK) return cli_fail("study", status);
    if (dry) {
        members(study);
        const otok_status priced = quiet ? OTOK_OK : cost(study);
        if (priced != OTOK_OK) code = cli_fail("study", priced);
    } else
        code = run(study, &o, quiet, limit);
    otok_study_destroy(study);
    return code;
}

int cli_merge(int argc, char **argv)
{
    static const struct option known[] = {
        {"complete", 0, 0, 'c'}, {"help", 0, 0, 'h'}, {0, 0, 0, 0}};
    otok_merged merged;
    int c, complete = 0;
    optind = 1;
    opterr = 0;
    while ((c = getopt_long(argc, argv, ":h", known, NULL)) != -1) {
        if (c == 'h') {
            fputs(merge_usage, stdout);
            return 0;
        }
        if (c != 'c') return cli_option("merge", c, argv);
        complete = 1;
    }
    if (optind != argc - 1) return cli_usage("merge", "name one directory");
    const otok_status status = otok_study_merge(argv[optind], &merged);
    if (status != OTOK_OK) return cli_fail("merge", status);
    fprintf(stderr, "%" PRId64 " of %" PRId64 " members done\n", merged.done, merged.members);
    print_damaged(&merged);
    print_missing(&merged, 1);
    printf("%s/study.h5\n", argv[optind]);
    const int lost = merged.damaged && merged.done < merged.members;
    return lost || (merged.missing && complete) ? otok_exit_code(OTOK_DATA) : 0;
}
