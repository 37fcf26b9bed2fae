/* sha256.h: the hash that names a scenario in files (FIPS 180-4). Not for secrets. */
#ifndef OTOK_SHA256_H
#define OTOK_SHA256_H

#include <stddef.h>
#include <stdio.h>

enum { OTOK_SHA256_SIZE = 65 };

/* Writes 64 lower-case hex digits and a NUL. */
void otok_sha256(const void *data, size_t size, char out[OTOK_SHA256_SIZE]);

/* Writes a line "START HASH NAME" for the file at a path, and one for the .prj beside an .asc,
   which may be missing. A file that cannot be read has a hash of '-', which tells nothing. */
void otok_sha256_input(FILE *out, const char *start, const char *path, const char *name);

#endif
