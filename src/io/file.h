/* file.h: writes files whole or not at all: a temporary name beside the target, synced, then
 * renamed. */
#ifndef OTOK_FILE_H
#define OTOK_FILE_H

#include "../otok.h"

#include <stdio.h>

/* mkdir -p. OTOK_IO: it cannot be made, or is a file. OTOK_USAGE: "". The texts name the option
   -o. */
otok_status otok_directory_make(const char *path);

/* Opens a regular file for reading. OTOK_DATA: it is a pipe or a device, which is refused at
   once, because opening one could wait for ever. /dev/stdin is what it was redirected from.
   OTOK_IO: it cannot be read, or is a directory. */
otok_status otok_file_open(FILE **out, const char *path);

/* The first bytes of a file, 0 beyond its end, and its size. */
otok_status otok_file_probe(const char *path, unsigned char start[8], int64_t *size);

/* Locks an open file for the run of a scenario in a directory, until it is closed. OTOK_IO: another
   process holds the lock. *held is 0 if the file system has no locks (ENOLCK, ENOSYS, EOPNOTSUPP).
   The caller then goes on and calls otok_file_no_locks once. */
otok_status otok_file_lock(int file, const char *path, int *held);
otok_status otok_file_no_locks(char **note, const char *directory); /* malloc'd */

/* fsync. Returns 0 or errno; 0 also for files that cannot be synced (EINVAL, ENOSYS,
   EOPNOTSUPP), which have no durable storage. */
int otok_file_sync(int file);

/* Makes an empty DIR/.NAME.tmp for DIR/NAME; *temporary is malloc'd. Refuses an existing target
   that is not a regular file. */
otok_status otok_file_begin(char **temporary, const char *path);

/* Writes bytes to the temporary file of `path`. After a failure the caller abandons it. */
otok_status otok_file_fill(const char *temporary, const char *path, const void *bytes, size_t size);

/* Writes a whole file in place of the old one; after a failure the old one stays. */
otok_status otok_file_put(const char *path, const void *bytes, size_t size);

/* Syncs the temporary file, renames it to path, and syncs the directory. After a failure the
   temporary file is removed. Frees the name. */
otok_status otok_file_commit(char *temporary, const char *path);

/* Removes the temporary file and frees its name; accepts NULL. */
void otok_file_abandon(char *temporary);

/* Ends a text in a stream of open_memstream, which may be NULL. Returns the text (malloc); NULL: no
   memory. */
char *otok_text_finish(FILE *stream, char **text);

/* Sets the text "PATH: cannot DO: strerror. remedy". Returns OTOK_IO. */
otok_status otok_file_failed(const char *path, const char *act, int error);

#endif
