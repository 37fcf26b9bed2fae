/* csv.h: writes a table as CSV, whole or not at all. */
#ifndef OTOK_STUDY_CSV_H
#define OTOK_STUDY_CSV_H

#include "../otok.h"

#include <stdio.h>

/* Replaces DIRECTORY/NAME by what `rows` prints. OTOK_IO: the disk failed. */
otok_status otok_csv_write(const char *directory, const char *name,
                           void (*rows)(FILE *out, const void *user), const void *user);

#endif
