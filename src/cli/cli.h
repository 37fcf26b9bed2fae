/* cli.h: the subcommands, one file each. argv[0] is the subcommand's name; each returns the exit
 * status of the process. */
#ifndef OTOK_CLI_H
#define OTOK_CLI_H

#include "../otok.h"

int cli_run(int argc, char **argv);
int cli_base(int argc, char **argv);
int cli_inspect(int argc, char **argv);
int cli_compare(int argc, char **argv);
int cli_export(int argc, char **argv);
int cli_render(int argc, char **argv);
int cli_movie(int argc, char **argv);
int cli_view(int argc, char **argv);
int cli_road(int argc, char **argv);
int cli_bench(int argc, char **argv);
int cli_predict(int argc, char **argv);
int cli_study(int argc, char **argv);
int cli_merge(int argc, char **argv);
int cli_edge(int argc, char **argv);
int cli_parameters(int argc, char **argv);

/* `otok run --refine`: refines a finished run, whose checkpoints are in the directory, and prints a
   table on standard output. `until`: by otok_clock; INFINITY: no limit. OTOK_STOPPED: a signal or
   the time limit ended it; the table has what was done. plan: for --dry-run, the runs that would
   follow. */
otok_status cli_refine(const otok_scenario *scenario, const char *directory, const char *backend,
                       int quiet, double until);
otok_status cli_refine_plan(const otok_scenario *scenario);

/* Prints "otok NAME: why" to stderr; returns the exit code of the status. */
int cli_fail(const char *name, otok_status status);

#endif
