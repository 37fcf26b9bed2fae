/* file.h: writes files whole or not at all: a draft beside the target, synced, then renamed. */
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

/* The first bytes of a file, 0 beyond its end, and its size. Of an HDF5 file with a user block,
   such as MATLAB's, those behind that block. */
otok_status otok_file_probe(const char *path, unsigned char start[8], int64_t *size);

/* Locks an open file for the run of a scenario in a directory, until it is closed. OTOK_IO: another
   process holds the lock. *held is 0 if the file system has no locks (otok_file_lacks_locks).
   The caller then goes on and calls otok_file_no_locks once. */
otok_status otok_file_lock(int file, const char *path, int *held);
otok_status otok_file_no_locks(char **note, const char *directory); /* malloc'd */

/* Is this errno of a lock one of file systems that have no locks? */
int otok_file_lacks_locks(int error);

/* fsync. Returns 0 or errno; 0 also for files that cannot be synced (EINVAL, ENOSYS,
   EOPNOTSUPP), which have no durable storage. */
int otok_file_sync(int file);

/* An unfinished file, DIR/.NAME.tmp or DIR/.NAME.1.tmp and so on, of one writer: it is created
   exclusively, follows no symbolic link, and is locked until it is committed or abandoned. So other
   writers of DIR/NAME have drafts of their own, and a draft without a lock was left by a killed
   writer. */
typedef struct otok_draft {
    int file; /* open for reading and writing */
    char name[];
} otok_draft;

/* Makes an empty draft for `path` (malloc) and removes what a killed writer left under its name.
   Refuses an existing target that is not a regular file. */
otok_status otok_file_begin(otok_draft **draft, const char *path);

/* Opens a stream that writes the draft; the caller closes it. NULL: errno. */
FILE *otok_draft_stream(const otok_draft *draft);

/* OTOK_USAGE: the file that is to be written at `path` is the one at `input`, also by another name.
 */
otok_status otok_file_not_input(const char *path, const char *input);

/* Writes bytes to an empty draft of `path`. After a failure the caller abandons it. */
otok_status otok_file_fill(const otok_draft *draft, const char *path, const void *bytes,
                           size_t size);

/* Writes a whole file in place of the old one; after a failure the old one stays. */
otok_status otok_file_put(const char *path, const void *bytes, size_t size);
otok_status otok_file_replace(const char *path, const char *text);

/* Syncs the draft, renames it to path, and syncs the directory. OTOK_IO: also if another program
   has replaced the draft. After a failure the draft is removed. Frees it. */
otok_status otok_file_commit(otok_draft *draft, const char *path);

/* Removes the draft and frees it; accepts NULL. */
void otok_file_abandon(otok_draft *draft);

/* Removes the file `name` of a directory, unless it is a draft whose writer lives. */
void otok_draft_sweep(int directory, const char *name);

/* The length of NAME in the name of a draft, .NAME.tmp or .NAME.N.tmp, that begins at name + 1;
   0: no draft has this name. */
size_t otok_draft_target(const char *name);

/* Ends a text in a stream of open_memstream, which may be NULL. Returns the text (malloc); NULL: no
   memory. */
char *otok_text_finish(FILE *stream, char **text);

/* Sets the text "PATH: cannot DO: strerror. remedy". Returns OTOK_IO. */
otok_status otok_file_failed(const char *path, const char *act, int error);

#endif
