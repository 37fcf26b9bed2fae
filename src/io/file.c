/* file.c: see file.h. */
#include "file.h"

#include "../core/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *remedy(int error)
{
    switch (error) {
    case ENOENT: return "Check the path and that its directory is there";
    case ENOTDIR: return "A part of the path is a file, not a directory; choose another place";
    case EISDIR: return "That is a directory; add a file name";
    case EACCES:
    case EPERM:
    case EROFS: return "Choose a place where you may write, or change its permissions";
    case ENOSPC:
    case EDQUOT: return "Free some space or choose another disk";
    case EFBIG: return "Raise the limit of file sizes (ulimit -f) or choose another disk";
    case ENAMETOOLONG: return "Choose a shorter name";
    case EMFILE:
    case ENFILE: return "Too many files are open; raise the limit (ulimit -n)";
    default: return "Check the disk and the path";
    }
}

otok_status otok_file_failed(const char *path, const char *act, int error)
{
    return OTOK_FAIL(OTOK_IO, "%s: cannot %s: %s. %s", path, act, strerror(error), remedy(error));
}

static otok_status fail_irregular(const char *path, mode_t mode)
{
    if (S_ISDIR(mode)) return otok_file_failed(path, "read", EISDIR);
    return OTOK_FAIL(
        OTOK_DATA,
        "%s: not a regular file, but a %s, for which otok does not wait; write it to a file first",
        path,
        S_ISFIFO(mode)   ? "pipe"
        : S_ISSOCK(mode) ? "socket"
                         : "device");
}

otok_status otok_file_open(FILE **out, const char *path)
{
    struct stat about;
    *out = NULL;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0)
        return errno == ENXIO ? fail_irregular(path, S_IFSOCK)
                              : otok_file_failed(path, "read", errno);
    if (fstat(file, &about) == 0) {
        if (S_ISREG(about.st_mode) && (*out = fdopen(file, "rb"))) return OTOK_OK;
        close(file);
        if (!S_ISREG(about.st_mode)) return fail_irregular(path, about.st_mode);
        return OTOK_FAIL(OTOK_NOMEM, "%s: no memory to read it", path);
    }
    const int error = errno;
    close(file);
    return otok_file_failed(path, "read", error);
}

/* HDF5 may begin at 512 bytes, or at a power of 2 beyond. */
static void skip_user_block(FILE *file, unsigned char start[8])
{
    static const unsigned char mark[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    unsigned char found[8];
    for (int64_t at = 512; at < (int64_t)1 << 40 && fseeko(file, at, SEEK_SET) == 0; at *= 2) {
        if (fread(found, 1, sizeof found, file) < sizeof found) return;
        if (memcmp(found, mark, sizeof mark) != 0) continue;
        memcpy(start, mark, sizeof mark);
        return;
    }
}

otok_status otok_file_probe(const char *path, unsigned char start[8], int64_t *size)
{
    struct stat about = {0};
    FILE *file;
    memset(start, 0, 8);
    OTOK_TRY(otok_file_open(&file, path));
    const size_t got = fread(start, 1, 8, file);
    const int error = got < 8 && ferror(file)            ? errno
                      : fstat(fileno(file), &about) != 0 ? errno
                                                         : 0;
    if (!error && got == 8) skip_user_block(file, start);
    fclose(file);
    *size = about.st_size;
    return error ? otok_file_failed(path, "read", error) : OTOK_OK;
}

/* Every file system has its own answer: ENOLCK, ENOSYS, EOPNOTSUPP, EINVAL, 524 (Cray's DVS; it has
   no name in errno.h). Only a lock that is held and a failure of the disk are something else. */
int otok_file_lacks_locks(int error)
{
    return error != EWOULDBLOCK && error != EIO && error != ESTALE && error != EINTR &&
           error != ENOMEM && error != EBADF;
}

otok_status otok_file_lock(int file, const char *path, int *held)
{
    *held = flock(file, LOCK_EX | LOCK_NB) == 0;
    if (*held || otok_file_lacks_locks(errno)) return OTOK_OK;
    if (errno != EWOULDBLOCK) return otok_file_failed(path, "lock", errno);
    return OTOK_FAIL(OTOK_IO,
                     "%s: another otok is running this scenario there; wait for it, or choose "
                     "another directory with -o",
                     path);
}

otok_status otok_file_no_locks(char **note, const char *directory)
{
    static const char *const text = "%s: this file system has no locks: nothing prevents two "
                                    "programs from writing here at the same time";
    if (asprintf(note, text, directory) >= 0) return OTOK_OK;
    *note = NULL;
    return OTOK_FAIL(OTOK_NOMEM, "no memory for a message");
}

int otok_file_sync(int file)
{
    return fsync(file) == 0 || errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP ? 0
                                                                                         : errno;
}

otok_status otok_directory_make(const char *path)
{
    char part[4096];
    if (!*path)
        return OTOK_FAIL(OTOK_USAGE, "the directory for results has no name; give one with -o");
    if (strlen(path) >= sizeof part)
        return OTOK_FAIL(OTOK_IO, "%.60s...: the path is too long; choose a shorter one with -o",
                         path);
    strcpy(part, path);
    for (char *c = part + 1;; c++) {
        if (*c && *c != '/') continue;
        const char end = *c;
        *c = 0;
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return OTOK_FAIL(OTOK_IO, "%s: cannot make the directory: %s; choose another with -o",
                             part, strerror(errno));
        *c = end;
        if (!end) break;
    }
    struct stat s;
    if (stat(path, &s) != 0 || !S_ISDIR(s.st_mode))
        return OTOK_FAIL(OTOK_IO, "%s: is not a directory; choose another with -o", path);
    if (access(path, W_OK) != 0)
        return OTOK_FAIL(OTOK_IO, "%s: cannot be written: %s; choose another with -o", path,
                         strerror(errno));
    return OTOK_OK;
}

char *otok_text_finish(FILE *stream, char **text)
{
    const int complete = stream && !ferror(stream);
    if (stream && fclose(stream) == 0 && complete) return *text;
    free(*text);
    return *text = NULL;
}
