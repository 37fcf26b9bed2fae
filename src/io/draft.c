/* draft.c: unfinished files; see file.h. The lock on a draft says that its writer lives. Who
   removes a draft of somebody else holds its lock meanwhile and has seen that the name is still
   that of the locked file, so nobody removes a draft that has just begun. */
#include "../core/status.h"
#include "begun.h"
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 100 }; /* drafts of one file */
enum { SAFE = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY };
static const char ending[] = ".tmp";

static int is_named(int directory, const char *name, int file)
{
    struct stat there, mine;
    return fstatat(directory, name, &there, AT_SYMLINK_NOFOLLOW) == 0 && fstat(file, &mine) == 0 &&
           there.st_ino == mine.st_ino && there.st_dev == mine.st_dev;
}

void otok_draft_sweep(int directory, const char *name)
{
    struct stat about;
    const int file = openat(directory, name, SAFE);
    const int unlocked = file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode) &&
                         (flock(file, LOCK_EX | LOCK_NB) == 0 || otok_file_lacks_locks(errno));
    if (unlocked && is_named(directory, name, file)) unlinkat(directory, name, 0);
    if (file >= 0) close(file);
}

size_t otok_draft_target(const char *name)
{
    const size_t length = strlen(name), tail = sizeof ending - 1;
    if (name[0] != '.' || length < tail + 2 || strcmp(name + length - tail, ending) != 0) return 0;
    size_t dot = length - tail;
    while (dot > 1 && name[dot - 1] >= '0' && name[dot - 1] <= '9')
        dot--;
    const size_t digits = length - tail - dot;
    if (digits < 1 || digits > 2 || dot < 3 || name[dot - 1] != '.') return length - tail - 1;
    return dot - 2;
}

/* Is the name free, perhaps because the draft of a killed writer has been removed? A name that
   cannot be looked up is free: creating it tells why. */
static int make_room(const char *name)
{
    struct stat about;
    if (fstatat(AT_FDCWD, name, &about, AT_SYMLINK_NOFOLLOW) != 0) return 1;
    const int file = open(name, SAFE);
    const int removed = file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode) &&
                        flock(file, LOCK_EX | LOCK_NB) == 0 && is_named(AT_FDCWD, name, file) &&
                        unlink(name) == 0;
    if (file >= 0) close(file);
    return removed;
}

/* -1: errno; EEXIST: the name belongs to somebody else. */
static int create(const char *name)
{
    while (make_room(name)) {
        otok_begun_add(name);
        const int file = open(name, SAFE | O_CREAT | O_EXCL, 0666);
        const int error = file < 0 ? errno : 0;
        if (file >= 0) flock(file, LOCK_EX); /* waits for a sweep that looks at it */
        if (file >= 0 && is_named(AT_FDCWD, name, file)) return file;
        otok_begun_drop(name);
        if (file >= 0) close(file);
        errno = error;
        if (error && error != EEXIST) return -1;
    }
    errno = EEXIST;
    return -1;
}

static otok_status check_target(const char *path)
{
    struct stat there;
    const size_t length = strlen(path);
    if (length == 0 || path[length - 1] == '/') return otok_file_failed(path, "write", EISDIR);
    if (stat(path, &there) != 0 || S_ISREG(there.st_mode)) return OTOK_OK;
    return S_ISDIR(there.st_mode)
               ? otok_file_failed(path, "write", EISDIR)
               : OTOK_FAIL(OTOK_IO, "%s: cannot write: not a regular file. Choose another name",
                           path);
}

otok_status otok_file_not_input(const char *path, const char *input)
{
    struct stat out, in;
    if (stat(path, &out) != 0 || stat(input, &in) != 0) return OTOK_OK;
    if (in.st_ino != out.st_ino || in.st_dev != out.st_dev) return OTOK_OK;
    return OTOK_FAIL(OTOK_USAGE,
                     "%s: is the file that is read, %s; choose another name for what is written",
                     path, input);
}

otok_status otok_file_begin(otok_draft **out, const char *path)
{
    *out = NULL;
    OTOK_TRY(check_target(path));
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const size_t size = strlen(path) + sizeof "..99.tmp";
    otok_draft *d = malloc(sizeof *d + size);
    if (!d) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a file name", path);
    for (int n = 0, error = EEXIST; error == EEXIST && n < MOST; n++) {
        char number[8] = "";
        if (n) snprintf(number, sizeof number, ".%d", n);
        snprintf(d->name, size, "%.*s.%s%s%s", (int)(name - path), path, name, number, ending);
        d->file = create(d->name);
        error = d->file < 0 ? errno : 0;
        if (!error) {
            *out = d;
            return OTOK_OK;
        }
        if (error != EEXIST) {
            free(d);
            return otok_file_failed(path, "write", error);
        }
    }
    free(d);
    return OTOK_FAIL(OTOK_IO,
                     "%s: cannot write: there are %d unfinished files .%s.*.tmp beside it; remove "
                     "them if no otok writes it",
                     path, MOST, name);
}

FILE *otok_draft_stream(const otok_draft *draft)
{
    const int file = fcntl(draft->file, F_DUPFD_CLOEXEC, 0);
    FILE *stream = file < 0 ? NULL : fdopen(file, "w");
    if (file >= 0 && !stream) close(file);
    return stream;
}

/* 0, or errno. */
static int sync_directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    if (!name) return ENOMEM;
    const int file = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int error = file < 0 ? errno : otok_file_sync(file);
    if (file >= 0 && close(file) != 0 && error == 0) error = errno;
    free(name);
    return error;
}

/* Returns 0, or errno: network file systems report failed writes when a file is closed. */
static int release(otok_draft *draft)
{
    otok_begun_drop(draft->name);
    const int error = close(draft->file) != 0 ? errno : 0;
    free(draft);
    return error;
}

void otok_file_abandon(otok_draft *draft)
{
    if (!draft) return;
    if (is_named(AT_FDCWD, draft->name, draft->file)) unlink(draft->name);
    release(draft);
}

otok_status otok_file_commit(otok_draft *draft, const char *path)
{
    int error = otok_file_sync(draft->file);
    if (error) {
        otok_file_abandon(draft);
        return otok_file_failed(path, "sync", error);
    }
    if (!is_named(AT_FDCWD, draft->name, draft->file)) {
        const otok_status status = OTOK_FAIL(OTOK_IO,
                                             "%s: not written: another program has removed or "
                                             "replaced %s, the unfinished file. Write it again",
                                             path, draft->name);
        release(draft);
        return status;
    }
    if (rename(draft->name, path) != 0) {
        error = errno;
        otok_file_abandon(draft);
        return otok_file_failed(path, "rename the finished file to it", error);
    }
    error = release(draft);
    if (error) return otok_file_failed(path, "close", error);
    error = sync_directory_of(path);
    return error ? otok_file_failed(path, "sync its directory", error) : OTOK_OK;
}

otok_status otok_file_fill(const otok_draft *draft, const char *path, const void *bytes,
                           size_t size)
{
    int error = 0;
    for (size_t done = 0; !error && done < size;) {
        const ssize_t n = pwrite(draft->file, (const char *)bytes + done, size - done, (off_t)done);
        if (n > 0)
            done += (size_t)n;
        else if (n == 0 || errno != EINTR)
            error = n == 0 ? ENOSPC : errno;
    }
    return error ? otok_file_failed(path, "write", error) : OTOK_OK;
}

otok_status otok_file_put(const char *path, const void *bytes, size_t size)
{
    otok_draft *draft;
    OTOK_TRY(otok_file_begin(&draft, path));
    const otok_status status = otok_file_fill(draft, path, bytes, size);
    if (status == OTOK_OK) return otok_file_commit(draft, path);
    otok_file_abandon(draft);
    return status;
}

otok_status otok_file_replace(const char *path, const char *text)
{
    return otok_file_put(path, text, strlen(text));
}
