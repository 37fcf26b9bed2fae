/* text.h: numbers, times and ledgers as people read them. */
#ifndef OTOK_CLI_TEXT_H
#define OTOK_CLI_TEXT_H

#include "../otok.h"

#include <stdio.h>

/* Prints "otok NAME: text" and returns the exit code of bad usage. */
int cli_usage(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "90", "30m", "23h50m", "1d2h", "1.5h" as seconds; 0 when it is none of these or not above 0. */
int cli_duration(const char *text, double *seconds);

void cli_time(char *out, size_t size, double seconds); /* "1h02m03s" */
void cli_bytes(char *out, size_t size, double bytes);  /* "1.50 GiB" */

/* The entries of both ledgers that are not 0, and their errors. */
void cli_ledger(FILE *out, const otok_ledger *ledger);

#endif
