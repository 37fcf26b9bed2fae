/* file.h: writes files whole or not at all: a temporary name beside the target, synced, then
 * renamed. */
#ifndef OTOK_FILE_H
#define OTOK_FILE_H

#include "../otok.h"

#include <stdio.h>

/* mkdir -p. OTOK_IO: it cannot be made, or is a file; OTOK_USAGE: "". The texts name -o. */
otok_status otok_directory_make(const char *path);

/* Opens a regular file to read it. OTOK_DATA: a pipe or a device, which is refused at once: who
   opened one as a file would wait for it. Of /dev/stdin this depends on what it was redirected
   from. OTOK_IO: it cannot be read, or is a directory. */
otok_status otok_file_open(FILE **out, const char *path);

/* Its first bytes, 0 beyond its end, and its size. */
otok_status otok_file_probe(const char *path, unsigned char start[8], int64_t *size);

/* The lock of an open file in or of a directory, until it is closed. OTOK_IO: another process has
   it, and "runs this shard", or another word. *held: 0 where the file system has no locks (ENOLCK,
   ENOSYS, EOPNOTSUPP): the caller goes on, and says otok_file_no_locks once. */
otok_status otok_file_lock(int file, const char *path, const char *act, int *held);
otok_status otok_file_no_locks(char **note, const char *directory); /* malloc'd */

/* fsync; 0 or errno. Where files cannot be synced (EINVAL, ENOSYS, EOPNOTSUPP) there is no durable
 * storage to wait for: 0. */
int otok_file_sync(int file);

/* Makes an empty DIR/.NAME.tmp for DIR/NAME; *temporary is malloc'd. Refuses a target that is there
 * but is not a regular file. */
otok_status otok_file_begin(char **temporary, const char *path);

/* Writes the bytes to the temporary file of path; the caller abandons it on failure. */
otok_status otok_file_fill(const char *temporary, const char *path, const void *bytes, size_t size);

/* A whole file in place of what was there, or nothing. */
otok_status otok_file_put(const char *path, const void *bytes, size_t size);

/* Syncs the temporary file, renames it to path, syncs the directory. On failure the temporary file
 * is removed. Frees the name. */
otok_status otok_file_commit(char *temporary, const char *path);

/* Removes the temporary file and frees its name; accepts NULL. */
void otok_file_abandon(char *temporary);

/* Puts "PATH: cannot DO: strerror. remedy" in the text; OTOK_IO. */
otok_status otok_file_failed(const char *path, const char *act, int error);

#endif
