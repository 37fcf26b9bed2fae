/* faults.c: preloaded into otok by cli_faults.py and cli_files.py: makes one system call on a file
   of a checkpoint or a journal fail. OTOK_FAULT is "CALL N ERRNO": the N-th write (or pwrite),
   fsync, rename, close or open for writing of *.vtkhdf* or
   *.journal, or of the directory OTOK_FAULT_DIRECTORY; or any flock. N -1: all of them. N 0: none
   fails, and each such call adds a byte to the file OTOK_FAULT_COUNT. CALL read: the N-th open for
   reading, before which somebody else removes the file. Files that are only read are else left
   alone: nothing is lost when they close. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Is it this call's turn? Every matching call is counted. */
static int is_turn(const char *call)
{
    static long seen;
    char name[32];
    long n = 0;
    int error = 0;
    const char *plan = getenv("OTOK_FAULT");
    if (!plan || sscanf(plan, "%31s %ld %d", name, &n, &error) != 3 || strcmp(name, call) != 0)
        return 0;
    pthread_mutex_lock(&lock);
    const int mine = ++seen == n || n < 0;
    pthread_mutex_unlock(&lock);
    if (n == 0) {
        const char *path = getenv("OTOK_FAULT_COUNT");
        FILE *file = path ? fopen(path, "a") : NULL;
        if (file) {
            fputs("x", file);
            fclose(file);
        }
    }
    return mine ? error : 0;
}

static int is_watched_file(const char *path)
{
    return path && (strstr(path, ".vtkhdf") || strstr(path, ".journal"));
}

static int ours_open(int file)
{
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t n = readlink(link, path, sizeof path - 1);
    if (n < 0) return 0;
    path[n] = 0;
    const char *directory = getenv("OTOK_FAULT_DIRECTORY");
    return is_watched_file(path) || (directory && strcmp(path, directory) == 0);
}

ssize_t write(int file, const void *bytes, size_t size)
{
    ssize_t (*real)(int, const void *, size_t) =
        (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    const int error = ours_open(file) ? is_turn("write") : 0;
    if (!error) return real(file, bytes, size);
    if (error == ENOSPC && size > 1)
        (void)!real(file, bytes, size / 2); /* a full disk takes a part first */
    errno = error;
    return -1;
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t at)
{
    ssize_t (*real)(int, const void *, size_t, off_t) =
        (ssize_t(*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite");
    const int error = ours_open(file) ? is_turn("write") : 0;
    if (!error) return real(file, bytes, size, at);
    if (error == ENOSPC && size > 1) (void)!real(file, bytes, size / 2, at);
    errno = error;
    return -1;
}

int fsync(int file)
{
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    const int error = ours_open(file) ? is_turn("fsync") : 0;
    if (!error) return real(file);
    errno = error;
    return -1;
}

int flock(int file, int operation)
{
    int (*real)(int, int) = (int (*)(int, int))dlsym(RTLD_NEXT, "flock");
    const int error = is_turn("flock");
    if (!error) return real(file, operation);
    errno = error;
    return -1;
}

int close(int file)
{
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "close");
    const int error =
        fcntl(file, F_GETFL) & (O_ACCMODE | O_DIRECTORY) && ours_open(file) ? is_turn("close") : 0;
    const int result = real(file); /* a failed close has closed */
    if (!error) return result;
    errno = error;
    return -1;
}

int rename(const char *from, const char *to)
{
    int (*real)(const char *, const char *) =
        (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
    const int error = is_watched_file(to) ? is_turn("rename") : 0;
    if (!error) return real(from, to);
    errno = error;
    return -1;
}

int open(const char *path, int flags, ...)
{
    int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    va_list more;
    va_start(more, flags);
    const int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, int) : 0;
    va_end(more);
    const int reads = (flags & O_ACCMODE) == O_RDONLY;
    const int error = is_watched_file(path) ? is_turn(reads ? "read" : "open") : 0;
    if (error && reads) unlink(path);
    if (!error || reads) return real(path, flags, mode);
    errno = error;
    return -1;
}
