/* file.c: see file.h. */
#include "file.h"

#include "../core/status.h"
#include "begun.h"
#include "checkpoint.h"

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
    fclose(file);
    *size = about.st_size;
    return error ? otok_file_failed(path, "read", error) : OTOK_OK;
}

otok_status otok_file_lock(int file, const char *path, int *held)
{
    *held = flock(file, LOCK_EX | LOCK_NB) == 0;
    if (*held || errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP) return OTOK_OK;
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

static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash) return strdup(".");
    return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

otok_status otok_file_begin(char **temporary, const char *path)
{
    *temporary = NULL;
    struct stat there;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        return S_ISDIR(there.st_mode)
                   ? otok_file_failed(path, "write", EISDIR)
                   : OTOK_FAIL(OTOK_IO, "%s: cannot write: not a regular file. Choose another name",
                               path);
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    if (!*name) return otok_file_failed(path, "write", EISDIR);
    char *text = NULL;
    if (asprintf(&text, "%.*s.%s.tmp", (int)(name - path), path, name) < 0)
        return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a file name", path);
    otok_begun_add(text);
    const int file = open(text, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0 || close(file) != 0) {
        const int error = errno;
        if (file >= 0) unlink(text);
        otok_begun_drop(text);
        free(text);
        return otok_file_failed(path, "write", error);
    }
    *temporary = text;
    return OTOK_OK;
}

/* 0, or errno. */
static int sync_path(const char *path, int flags)
{
    const int file = open(path, flags | O_CLOEXEC);
    if (file < 0) return errno;
    const int error = otok_file_sync(file);
    if (close(file) != 0 && error == 0) return errno;
    return error;
}

otok_status otok_file_commit(char *temporary, const char *path)
{
    int error = sync_path(temporary, O_RDWR);
    if (error) {
        otok_file_abandon(temporary);
        return otok_file_failed(path, "sync", error);
    }
    if (rename(temporary, path) != 0) {
        error = errno;
        otok_file_abandon(temporary);
        return otok_file_failed(path, "rename the finished file to it", error);
    }
    otok_begun_drop(temporary);
    free(temporary);
    char *directory = directory_of(path);
    if (!directory) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a file name", path);
    error = sync_path(directory, O_RDONLY | O_DIRECTORY);
    free(directory);
    return error ? otok_file_failed(path, "sync its directory", error) : OTOK_OK;
}

void otok_file_abandon(char *temporary)
{
    if (!temporary) return;
    unlink(temporary);
    otok_begun_drop(temporary);
    free(temporary);
}

otok_status otok_file_fill(const char *temporary, const char *path, const void *bytes, size_t size)
{
    const int file = open(temporary, O_WRONLY | O_TRUNC | O_CLOEXEC);
    int error = file < 0 ? errno : 0;
    for (size_t done = 0; !error && done < size;) {
        const ssize_t n = write(file, (const char *)bytes + done, size - done);
        if (n > 0)
            done += (size_t)n;
        else if (n == 0 || errno != EINTR)
            error = n == 0 ? ENOSPC : errno;
    }
    if (file >= 0 && close(file) != 0 && !error) error = errno;
    return error ? otok_file_failed(path, "write", error) : OTOK_OK;
}

otok_status otok_file_replace(const char *path, const char *text)
{
    return otok_file_put(path, text, strlen(text));
}

otok_status otok_file_put(const char *path, const void *bytes, size_t size)
{
    char *temporary;
    OTOK_TRY(otok_file_begin(&temporary, path));
    const otok_status status = otok_file_fill(temporary, path, bytes, size);
    if (status == OTOK_OK) return otok_file_commit(temporary, path);
    otok_file_abandon(temporary);
    return status;
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
