/* text.h: prints numbers, times and ledgers for people. */
#ifndef OTOK_CLI_TEXT_H
#define OTOK_CLI_TEXT_H

#include "../otok.h"

#include <stdio.h>

/* Prints "otok NAME: text" and returns the exit code of bad usage. */
int cli_usage(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints that a run has removed some of the checkpoints that were found, and that `left` are left.
 */
void cli_removed(const char *name, int left);

/* Fails because the file has no such field. If no field has this name, the text names the nearest
 * one. */
otok_status cli_no_field(const char *path, const char *field);

/* Does a file's name end so, in small or large letters, and is longer than that? */
int cli_ends(const char *name, const char *ending);

/* Reads a whole number with nothing around it. Returns 0 if it is not one from low to high. */
int cli_whole(const char *text, int low, int high, int *out);

/* "90", "30m", "23h50m", "1d2h", "1.5h" as seconds. Returns 0 if it is not such a time, or not
 * above 0. */
int cli_duration(const char *text, double *seconds);

void cli_time(char *out, size_t size, double seconds); /* "1h02m03s" */
void cli_bytes(char *out, size_t size, double bytes);  /* "1.50 GiB" */

/* The entries of both ledgers that are not 0, and their errors. */
void cli_ledger(FILE *out, const otok_ledger *ledger);

/* What a run was found to be, in one or two lines; and whether it broke a limit, so that the
 * numbers mean nothing. */
void cli_diagnosis(FILE *out, const otok_diagnosis *diagnosis);
int cli_is_broken(const otok_diagnosis *diagnosis);

#endif
