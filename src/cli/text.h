/* text.h: prints numbers, times and ledgers for people. */
#ifndef OTOK_CLI_TEXT_H
#define OTOK_CLI_TEXT_H

#include "../io/checkpoint.h"
#include "../otok.h"
#include "../scenario/scenario.h"

#include <stdio.h>

/* The text without characters that control a terminal (core/plain.h), until the eighth call after
   this one. "": no memory. Whoever prints what a file, a scenario or an option holds prints this.
 */
const char *cli_plain(const char *text);

/* Prints "otok NAME: text" and returns the exit code of bad usage. */
int cli_usage(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints that a run has removed some of the checkpoints, and that `left` remain. */
void cli_removed(const char *name, int left);

/* Help for an option that names a field. */
extern const char cli_field_help[];

/* Fails because the file has no such field. If no field has this name, the text names the nearest
 * one. */
otok_status cli_no_field(const char *path, const char *field);

/* otok_checkpoint_read; of a directory it names a checkpoint in it. */
otok_status cli_checkpoint_read(otok_snapshot *s, const char *path);

/* The values of responses, one a line. */
void cli_responses(FILE *out, const otok_response *list, const double *values, int n);

/* Does the name end with this, in small or large letters, and is it longer? */
int cli_ends(const char *name, const char *ending);

/* Reads a whole number with nothing around it. Returns 0 if it is not one from low to high. */
int cli_whole(const char *text, int low, int high, int *out);

/* Converts "90", "30m", "23h50m", "1d2h", "1.5h" to seconds. Returns 0 if the text is not such a
   time, or not above 0. */
int cli_duration(const char *text, double *seconds);

void cli_time(char *out, size_t size, double seconds); /* "1h02m03s" */
void cli_bytes(char *out, size_t size, double bytes);  /* "1.50 GiB" */

/* Prints how many cells of the grid are walls, and how many of the rasters were filled, as warnings
   if they are more than a few at a coast; quiet: only then. */
void cli_no_data(int64_t walls, int64_t cells, int64_t filled, int64_t raster_cells, int quiet);

/* Prints a note on what in a scenario has no effect; `name` is the command's. */
void cli_note(void *name, const char *text);

/* The limit that binds: of the proven and measured ones of all phases that with the largest margin,
   as studies have it; if there is none, the same of the heuristic ones. Returns 0 if no limit has a
   number. In words: "phase a, water waves: margin 1.6". */
int cli_binding(otok_limit *out, const otok_scenario *scenario, const otok_site *site);
enum { CLI_BINDING_SIZE = 256 };
const char *cli_binding_text(char out[CLI_BINDING_SIZE], const otok_limit *binding,
                             const otok_scenario *scenario);

/* The entries of both ledgers that are not 0, and their errors. */
void cli_ledger(FILE *out, const otok_ledger *ledger);

/* Prints the diagnosis of a run in a few lines: the verdict, what to do, the audit, the deepest
   water. And whether the run broke a limit, so that its numbers mean nothing. */
void cli_diagnosis(FILE *out, const otok_diagnosis *diagnosis);
int cli_is_broken(const otok_diagnosis *diagnosis);

#endif
