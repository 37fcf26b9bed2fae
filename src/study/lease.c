/* lease.c: see lease.h. A lease is a line of text of a fixed size that is overwritten in place:
   boot, host, process, state, results. */
#include "lease.h"

#include "../core/status.h"
#include "../io/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RENEW = 5, LATE = 60 }; /* [s] */
enum { LINE = 192, BOOT = 40 };
static const char ending[] = ".lease";

/* A name for this boot of this machine; "" if the kernel gives none. */
static void boot_name(char out[BOOT])
{
    out[0] = '\0';
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    if (!file) return;
    if (fscanf(file, "%39s", out) != 1) out[0] = '\0';
    fclose(file);
}

/* ---- leases of others ---- */

/* Is a lease late? Both leases are dated by the clock of the file system. */
static int is_late(const otok_lease *own, const struct timespec *modified)
{
    struct stat mine;
    if (!own || own->file < 0 || fstat(own->file, &mine) != 0) return 0;
    return mine.st_mtim.tv_sec - modified->tv_sec > LATE;
}

/* Is the lock of a process of this machine free? -1: unknown. */
static int is_unlocked(int file)
{
    if (flock(file, LOCK_SH | LOCK_NB) == 0) return 1;
    return errno == EWOULDBLOCK ? 0 : -1;
}

static void read_state(otok_lease_seen *s, int file, const otok_lease *own)
{
    struct stat about;
    char line[LINE + 1] = "", boot[BOOT], theirs[BOOT] = "";
    if (pread(file, line, LINE, 0) < 0) line[0] = '\0';
    const int whole =
        sscanf(line, "%39s %64s %*d %d %" SCNd64, theirs, s->host, &s->state, &s->results) == 4;
    if (whole && s->state == OTOK_LEASE_GONE) return;
    s->state = whole && s->state == OTOK_LEASE_FINISHED ? OTOK_LEASE_FINISHED : OTOK_LEASE_RUNNING;
    boot_name(boot);
    const int gone = whole && *boot && strcmp(boot, theirs) == 0 ? is_unlocked(file) : -1;
    if (gone > 0 || (gone < 0 && fstat(file, &about) == 0 && is_late(own, &about.st_mtim)))
        s->state = OTOK_LEASE_GONE;
}

static otok_status add_lease(otok_leases *l, const char *folder, const char *name,
                             const otok_lease *own)
{
    char path[4400];
    const size_t n = strlen(name), end = strlen(ending);
    if (n <= end || n - end >= OTOK_LEASE_NAME || strcmp(name + n - end, ending) != 0)
        return OTOK_OK;
    if (own && own->file >= 0 && strncmp(own->name, name, n - end) == 0 && !own->name[n - end])
        return OTOK_OK;
    if ((l->n & (l->n - 1)) == 0) {
        void *more = realloc(l->all, (size_t)(l->n ? 2 * l->n : 1) * sizeof *l->all);
        if (!more) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a list of its leases", folder);
        l->all = more;
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    const int file =
        open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* opening makes the client of a network file
                                                          system ask its server again */
    if (file < 0) return OTOK_OK;
    otok_lease_seen *s = &l->all[l->n++];
    *s = (otok_lease_seen){.host = "?"};
    memcpy(s->name, name, n - end);
    read_state(s, file, own);
    close(file);
    return OTOK_OK;
}

otok_status otok_leases_read(otok_leases *l, const char *folder, const otok_lease *own)
{
    *l = (otok_leases){0};
    DIR *names = opendir(folder);
    if (!names) return errno == ENOENT ? OTOK_OK : otok_file_failed(folder, "read", errno);
    otok_status status = OTOK_OK;
    for (const struct dirent *entry; status == OTOK_OK && (entry = readdir(names));)
        status = add_lease(l, folder, entry->d_name, own);
    closedir(names);
    return status;
}

const otok_lease_seen *otok_leases_find(const otok_leases *l, const char *name)
{
    for (int i = 0; i < l->n; i++)
        if (strcmp(l->all[i].name, name) == 0) return &l->all[i];
    return NULL;
}

void otok_leases_destroy(otok_leases *l)
{
    free(l->all);
    *l = (otok_leases){0};
}

/* ---- the lease of this process ---- */

/* Writes the line again, one thread at a time. Returns 0 or errno. */
static int rewrite_line(const otok_lease *l, int wait)
{
    char line[LINE], boot[BOOT], host[65] = "?";
    boot_name(boot);
    gethostname(host, sizeof host - 1);
    memset(line, ' ', sizeof line);
    const int n = snprintf(line, sizeof line, "%s %s %ld %d %" PRId64, *boot ? boot : "?", host,
                           (long)getpid(), l->state, l->results);
    line[n < LINE ? n : LINE - 1] = ' ';
    line[LINE - 1] = '\n';
    if (pwrite(l->file, line, sizeof line, 0) != (ssize_t)sizeof line) return errno;
    return wait ? otok_file_sync(l->file) : 0;
}

/* Names are SHARD or SHARD.N, like those of journals. */
static int same_shard(const char *a, const char *b)
{
    const size_t n = strcspn(a, ".");
    return n == strcspn(b, ".") && strncmp(a, b, n) == 0;
}

/* Reads what others have done since `known`. The mutex is locked here, but not while files are
   read. */
static void count_others(otok_lease *l)
{
    otok_leases now;
    pthread_mutex_unlock(&l->mutex);
    const otok_status status = otok_leases_read(&now, l->folder, l);
    pthread_mutex_lock(&l->mutex);
    if (status == OTOK_OK) l->elsewhere = l->others = 0;
    for (int i = 0; i < now.n && status == OTOK_OK; i++) {
        if (!same_shard(l->name, now.all[i].name)) continue;
        const otok_lease_seen *before = otok_leases_find(&l->known, now.all[i].name);
        l->elsewhere += now.all[i].results - (before ? before->results : 0);
        l->others += now.all[i].state == OTOK_LEASE_RUNNING;
    }
    otok_leases_destroy(&now);
}

/* With many processes each one looks less often, because all of them ask the same server. */
static void *keep_lease(void *user)
{
    otok_lease *l = user;
    pthread_mutex_lock(&l->mutex);
    for (int turn = 0, next = 0; !l->ends; turn++) {
        struct timespec until;
        if (turn >= next) {
            count_others(l);
            next = turn + 1 + l->others / 16;
        }
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec += RENEW;
        while (!l->ends && pthread_cond_timedwait(&l->wakes, &l->mutex, &until) != ETIMEDOUT) {}
        if (!l->ends) rewrite_line(l, 1);
    }
    pthread_mutex_unlock(&l->mutex);
    return NULL;
}

static otok_status start_thread(otok_lease *l)
{
    pthread_condattr_t attributes;
    pthread_mutex_init(&l->mutex, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&l->wakes, &attributes);
    pthread_condattr_destroy(&attributes);
    const int error = pthread_create(&l->thread, NULL, keep_lease, l);
    return error ? OTOK_FAIL(OTOK_NOMEM, "no thread for a lease: %s", strerror(error)) : OTOK_OK;
}

otok_status otok_lease_begin(otok_lease *l, const char *folder, const char *name, int state)
{
    char path[4400], begins[4400];
    *l = (otok_lease){.file = -1, .state = state};
    snprintf(l->folder, sizeof l->folder, "%s", folder);
    snprintf(l->name, sizeof l->name, "%s", name);
    snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) return otok_file_failed(folder, "make", errno);
    /* others never see an incomplete lease */
    snprintf(begins, sizeof begins, "%s/%s.begins", folder, name);
    unlink(begins); /* a killed process had this name */
    l->file = open(begins, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (l->file < 0) return otok_file_failed(begins, "write", errno);
    flock(l->file, LOCK_EX); /* without locks, age decides */
    int error = rewrite_line(l, 0);
    if (!error && rename(begins, path) != 0) error = errno;
    const otok_status status = error ? otok_file_failed(path, "write", error) : start_thread(l);
    if (status == OTOK_OK) return OTOK_OK;
    close(l->file);
    l->file = -1;
    return status;
}

void otok_lease_count(otok_lease *l, int64_t results)
{
    pthread_mutex_lock(&l->mutex);
    l->results = results;
    pthread_mutex_unlock(&l->mutex);
}

void otok_lease_set_known(otok_lease *l, const otok_leases *seen)
{
    otok_leases copy = {.n = seen->n, .all = malloc(((size_t)seen->n + 1) * sizeof *copy.all)};
    if (!copy.all) return;
    if (seen->n) memcpy(copy.all, seen->all, (size_t)seen->n * sizeof *copy.all);
    pthread_mutex_lock(&l->mutex);
    otok_leases_destroy(&l->known);
    l->known = copy;
    l->elsewhere = 0;
    pthread_mutex_unlock(&l->mutex);
}

void otok_lease_elsewhere(otok_lease *l, int64_t *results, int *others)
{
    pthread_mutex_lock(&l->mutex);
    *results = l->elsewhere;
    *others = l->others;
    pthread_mutex_unlock(&l->mutex);
}

static otok_status publish_state(otok_lease *l, int state)
{
    pthread_mutex_lock(&l->mutex);
    l->state = state;
    const int error = rewrite_line(l, 1);
    pthread_mutex_unlock(&l->mutex);
    return error ? otok_file_failed(l->folder, "write a lease in it", error) : OTOK_OK;
}

otok_status otok_lease_finish(otok_lease *l)
{
    return publish_state(l, OTOK_LEASE_FINISHED);
}

void otok_lease_end(otok_lease *l)
{
    if (l->file < 0) return;
    publish_state(l, OTOK_LEASE_GONE);
    pthread_mutex_lock(&l->mutex);
    l->ends = 1;
    pthread_cond_signal(&l->wakes);
    pthread_mutex_unlock(&l->mutex);
    pthread_join(l->thread, NULL);
    pthread_cond_destroy(&l->wakes);
    pthread_mutex_destroy(&l->mutex);
    otok_leases_destroy(&l->known);
    close(l->file);
    l->file = -1;
}
