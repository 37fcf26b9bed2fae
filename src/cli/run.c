/* run.c: `otok run`: its options, its signals, and what it prints for people and logs. */
#include "../core/clock.h"
#include "../core/status.h"
#include "../scenario/twin.h"
#include "cli.h"
#include "devices.h"
#include "options.h"
#include "signals.h"
#include "text.h"

#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

typedef struct options {
    const char *scenario, *directory;
    cli_devices devices;
    cli_sets sets;
    char keep[64];
    int resume, overwrite, dry, quiet, verbose, refine;
    double seconds;
} options;

static volatile sig_atomic_t saves;

static void on_save(int number)
{
    (void)number;
    saves = 1;
}

static otok_status read_keep(void *to, const char *name, const char *value)
{
    options *o = to;
    snprintf(o->keep, sizeof o->keep, "output.%s=%.40s", name, value);
    o->sets.at[o->sets.n++] = o->keep;
    return OTOK_OK;
}

/* Returns -1 to go on, else an exit code. */
static int parse(options *o, int argc, char **argv)
{
    const cli_option table[] = {
        CLI_OUTPUT("DIR", "directory of the checkpoints (default: out)", &o->directory),
        CLI_SETS(&o->sets),
        CLI_BACKEND(&o->devices.backend),
        CLI_DEVICES(&o->devices),
        CLI_OPTION("resume", 0, NULL,
                   "continue from the newest valid checkpoint in DIR; start if there is none",
                   CLI_FLAG, &o->resume),
        CLI_OPTION("overwrite", 0, NULL, "first remove the checkpoints of this scenario from DIR",
                   CLI_FLAG, &o->overwrite),
        CLI_OPTION("keep", 0, "N",
                   "keep only the newest N checkpoints, like output.keep of the scenario", CLI_READ,
                   o, .read = read_keep),
        CLI_MAX_TIME(&o->seconds,
                     "write a checkpoint and stop before T has passed, such as 90, 30m or 23h50m"),
        CLI_OPTION("refine", 0, NULL,
                   "then run the scenario again with half the step, and with cells half and a "
                   "quarter as wide, and print how far the results differ; write no files",
                   CLI_FLAG, &o->refine),
        CLI_OPTION("dry-run", 0, NULL,
                   "print the resolved scenario, its memory, the size of a checkpoint and the "
                   "expected time; run nothing",
                   CLI_FLAG, &o->dry),
        CLI_QUIET(&o->quiet,
                  "print only errors, warnings, a verdict that is not stable, and the fingerprint"),
        CLI_OPTION("verbose", 'v', NULL,
                   "also print checkpoint write times and how MPI ranks exchanged rows", CLI_FLAG,
                   &o->verbose),
        {0}};
    const cli_command command = {
        .name = "run",
        .operands = "SCENARIO.yaml [options]",
        .about = "Run a scenario and write its checkpoints. At the end print the ledger, the "
                 "verdict that a study would give, and, as the last line on standard output, the "
                 "fingerprint of the final state.",
        .notes = "SIGTERM, SIGINT, SIGHUP (a lost terminal), SIGUSR2 and SIGXCPU finish the "
                 "iteration, write a checkpoint and exit with 75. A second SIGTERM or SIGINT ends "
                 "the run at once. SIGUSR1 writes a checkpoint, and the run continues.\n"
                 "At most 64 samples of the state decide the verdict. If dt limits the depth of "
                 "water, the run compares its deepest water with that limit.\n"
                 "--refine makes up to four more runs: half the step (twice the cost), half the "
                 "interval of "
                 "waves too if the ground depends on them (twice), half the "
                 "step and width of cells (8 times; 16 with `courant`), and a quarter of both (64 "
                 "times; 256; at most 2^22 cells and 2^34 cell updates). The last gives the order "
                 "of convergence. If the "
                 "cells cannot be halved, a line gives the reason. A signal or --max-time ends the "
                 "refinement with 75, after a complete run; --resume refines that run.",
        .examples = "experiments/island/island.yaml -o out --set grid.nx=256 --set grid.ny=256",
        .needs = "one scenario",
        .options = table};
    const int code = cli_options(&command, argc, argv);
    if (code >= 0) return code;
    if (o->resume && o->overwrite)
        return cli_usage("run", "--resume and --overwrite exclude each other");
    if (o->quiet && o->verbose) return cli_usage("run", "--quiet and --verbose exclude each other");
    o->scenario = argv[optind];
    return cli_devices_choose("run", &o->devices, 0);
}

typedef struct view {
    const otok_scenario *scenario, *fresh; /* fresh: NULL once its stability limit is printed */
    int quiet, verbose, terminal;
    int filled;     /* 1: the number of cells without data has been printed */
    double printed; /* when the last line was printed [s] */
    otok_ledger ledger;
    otok_diagnosis diagnosis;
    uint64_t fingerprint;
    double responses[OTOK_MAX_RESPONSES];
} view;

/* The larger relative error of the two ledgers. */
static double mass_error(const otok_ledger *l)
{
    const double water = l->water_start + l->rain + l->rivers + l->water_entered +
                         fabs(l->water_booked),
                 solid = l->solid_start;
    const double a = water > 0 ? l->water_error / water : 0,
                 b = solid != 0 ? l->solid_error / solid : 0;
    return (a < 0 ? -a : a) > (b < 0 ? -b : b) ? a : b;
}

/* Is a bar wanted? Not if escape sequences are unwanted. */
static int is_bar_wanted(void)
{
    const char *color = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(STDERR_FILENO) && !(color && *color) && !(term && strcmp(term, "dumb") == 0);
}

/* The width limits the bar, because a line that wraps cannot be overwritten. */
static int terminal_width(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1 : 79;
}

static void print_progress(view *v, const otok_progress *p)
{
    char eta[32], speed[64], line[256];
    const double left = p->rate > 0 ? (double)(p->iterations - p->iteration) / p->rate : 0;
    cli_time(eta, sizeof eta, left);
    snprintf(speed, sizeof speed, "%.4g it/s, %.4g Mcell/s", p->rate, p->rate * p->cells * 1e-6);
    if (v->terminal) {
        char bar[25];
        const int full =
            (int)(24.0 * (double)p->iteration / (double)(p->iterations ? p->iterations : 1));
        for (int i = 0; i < 24; i++)
            bar[i] = i < full ? '#' : '.';
        bar[24] = 0;
        snprintf(line, sizeof line, "[%s] %s %lld/%lld  ETA %s  %s  mass error %.1e", bar,
                 cli_plain(p->phase), (long long)p->iteration, (long long)p->iterations, eta, speed,
                 mass_error(p->ledger));
        fprintf(stderr, "\r%.*s\033[K", terminal_width(), line);
    } else {
        fprintf(stderr, "%s: iteration %lld of %lld, %s, ETA %s, mass error %.1e\n",
                cli_plain(p->phase), (long long)p->iteration, (long long)p->iterations, speed, eta,
                mass_error(p->ledger));
    }
}

/* Prints one line when the run begins. */
static void predict(const otok_scenario *scenario)
{
    otok_limit l;
    char text[CLI_BINDING_SIZE];
    if (!cli_binding(&l, scenario, NULL)) return; /* the ground would be made once more */
    const int broken = otok_limit_margin(&l) > 1 && l.certainty != OTOK_HEURISTIC;
    fprintf(stderr, "%s: %s; otok predict lists all limits\n", broken ? "UNSTABLE" : "stability",
            cli_binding_text(text, &l, scenario));
}

/* Prints what is due after an iteration. */
static void print_due(view *v, const otok_progress *p)
{
    const char *const line = v->terminal ? "\r\033[K" : "";
    if (!v->filled) cli_no_data(p->walls, (int64_t)p->cells, p->filled, p->raster_cells, v->quiet);
    if (!v->filled && p->walls > 0 && v->verbose)
        fputs("strategy: fused (GPU: water, slides) or plain, a pass or kernel a stage; the others "
              "run no grid with walls; otok bench names it\n",
              stderr);
    v->filled |= p->filled > 0 || p->walls > 0;
    if (v->fresh && !v->quiet) predict(v->fresh);
    v->fresh = NULL;
    if (p->note) cli_note("run", p->note);
    if (v->quiet) return;
    if (p->checkpoint)
        fprintf(stderr, "%s%s  %016llx\n", line, cli_plain(p->checkpoint),
                (unsigned long long)p->fingerprint);
    if (v->verbose && p->costs) fprintf(stderr, "%s%s\n", line, cli_plain(p->costs));
    /* A checkpoint's line has replaced the bar, which is then printed again below it. */
    const int due = v->terminal ? p->checkpoint || p->seconds - v->printed >= 0.2
                                : !p->checkpoint && p->seconds - v->printed >= 10;
    if (!due || !(p->rate > 0)) return;
    print_progress(v, p);
    v->printed = p->seconds;
}

static int poll(void *user, const otok_progress *p)
{
    view *v = user;
    if (!p->ledger)
        return cli_signals_asked() ? OTOK_STOP_NOW : OTOK_GO_ON; /* still making the base terrain */
    v->ledger = *p->ledger;
    v->fingerprint = p->fingerprint;
    v->diagnosis = *p->diagnosis;
    if (p->responses)
        memcpy(v->responses, p->responses, (size_t)v->scenario->nresponses * sizeof *p->responses);
    print_due(v, p);
    int request = cli_signals_asked() ? OTOK_STOP_NOW : OTOK_GO_ON;
    if (saves && !p->checkpoint) {
        saves = 0;
        request |= OTOK_CHECKPOINT_NOW;
    }
    return request;
}

static void print_forcing(void *user, const char *text)
{
    (void)user;
    printf("# %s\n", text);
}

static int dry_run(const options *o, const otok_scenario *scenario)
{
    otok_estimate e;
    char device[32], file[32], time[32], base[32], making[32];
    fputs(otok_scenario_text(scenario), stdout);
    otok_scenario_forcings(scenario, print_forcing, NULL);
    otok_status status = otok_run_estimate(&e, scenario, o->devices.backend);
    if (status == OTOK_OK) status = otok_scenario_notes(scenario, cli_note, "run");
    if (status != OTOK_OK) return cli_fail("run", status);
    cli_bytes(device, sizeof device, (double)e.device_bytes);
    cli_bytes(file, sizeof file, (double)e.checkpoint_bytes);
    cli_time(time, sizeof time, e.seconds);
    printf("# device: %s\n# memory of the fields: %s\n# checkpoints: %lld of at most %s each\n# "
           "expected time: %s, without checkpoints\n",
           e.device, device, (long long)e.checkpoints, file, time);
    cli_bytes(base, sizeof base, (double)e.base_bytes);
    cli_time(making, sizeof making, e.base_seconds);
    if (e.base_bytes || e.base_seconds >= 1)
        printf("# base terrain: %s more while it is made, and %s of that time\n", base, making);
    return o->refine && cli_refine_plan(scenario) != OTOK_OK ? cli_fail("run", OTOK_NOMEM) : 0;
}

static otok_status refine(const options *o, const otok_scenario *scenario, double began)
{
    const double until = o->seconds > 0 ? began + o->seconds : INFINITY;
    return o->refine ? cli_refine(scenario, o->directory, o->devices.backend, o->quiet, until)
                     : OTOK_OK;
}

static int run(const options *o, const otok_scenario *scenario)
{
    view v = {.scenario = scenario,
              .fresh = scenario,
              .quiet = o->quiet,
              .verbose = o->verbose,
              .terminal = is_bar_wanted()};
    const otok_run_options run = {.directory = o->directory,
                                  .backend = o->devices.backend,
                                  .resume = o->resume,
                                  .overwrite = o->overwrite,
                                  .max_seconds = o->seconds,
                                  .poll = poll,
                                  .user = &v};
    const double began = otok_clock();
    otok_status status = otok_run(scenario, &run);
    if (v.terminal && !o->quiet) fputs("\r\033[K", stderr);
    if (status != OTOK_OK) return cli_fail("run", status);
    if (!o->quiet) cli_ledger(stderr, &v.ledger);
    if (!o->quiet) cli_responses(stderr, scenario->responses, v.responses, scenario->nresponses);
    if (!o->quiet || cli_is_broken(&v.diagnosis) || v.diagnosis.verdict != OTOK_STABLE)
        cli_diagnosis(stderr, &v.diagnosis);
    status = refine(o, scenario, began);
    printf("fingerprint %016llx\n", (unsigned long long)v.fingerprint);
    return status == OTOK_OK ? 0 : cli_fail("run", status);
}

int cli_run(int argc, char **argv)
{
    options o = {.directory = "out", .devices = {.backend = "auto"}};
    otok_scenario *scenario;
    const int code = parse(&o, argc, argv);
    if (code >= 0) return code;
    if (o.dry)
        cli_signals_end();
    else
        cli_signals_catch(SIGUSR1, on_save);
    otok_status status = otok_scenario_load(&scenario, o.scenario, o.sets.at, o.sets.n);
    if (status != OTOK_OK) return cli_fail("run", status);
    if (o.refine) status = otok_scenario_has_clock(scenario);
    const int done =
        status != OTOK_OK
            ? cli_fail("run", otok_fail_in(status, "--refine: the step cannot be halved"))
        : o.dry ? dry_run(&o, scenario)
                : run(&o, scenario);
    otok_scenario_destroy(scenario);
    return done;
}
