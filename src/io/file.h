/* file.h: files that appear whole or not at all: a temporary name beside the target, synced, then renamed. */
#ifndef OTOK_FILE_H
#define OTOK_FILE_H

#include "../otok.h"

/* mkdir -p. OTOK_IO: it cannot be made, or is a file; OTOK_USAGE: "". The texts name -o. */
otok_status otok_directory_make(const char *path);

/* Makes an empty DIR/.NAME.tmp for DIR/NAME; *temporary is malloc'd. Refuses a target that is there but is not a regular file. */
otok_status otok_file_begin(char **temporary, const char *path);

/* Writes the bytes to the temporary file of path; the caller abandons it on failure. */
otok_status otok_file_fill(const char *temporary, const char *path, const void *bytes, size_t size);

/* Syncs the temporary file, renames it to path, syncs the directory. On failure the temporary file is removed. Frees the name. */
otok_status otok_file_commit(char *temporary, const char *path);

/* Removes the temporary file and frees its name; accepts NULL. */
void otok_file_abandon(char *temporary);

/* Puts "PATH: cannot DO: strerror. remedy" in the text; OTOK_IO. */
otok_status otok_file_failed(const char *path, const char *act, int error);

#endif
