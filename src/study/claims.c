/* claims.c: see claims.h. */
#include "claims.h"

#include "../core/status.h"
#include "../io/file.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct otok_claim {
    int generation; /* the newest generation; 0: none */
    enum { UNKNOWN, FREE, MINE, HELD } holder;
} otok_claim;

static void name_of(char *out, size_t size, const otok_claims *c, int64_t chunk, int generation)
{
    if (chunk == c->n)
        snprintf(out, size, "%s/write.%d", c->folder, generation);
    else
        snprintf(out, size, "%s/%s-%" PRId64 ".%d", c->folder, c->shard, chunk, generation);
}

otok_status otok_claims_create(otok_claims *c, const char *directory, const char *shard,
                               int64_t chunks)
{
    *c = (otok_claims){.n = chunks, .lease.file = -1};
    snprintf(c->folder, sizeof c->folder, "%s/claims", directory);
    snprintf(c->shard, sizeof c->shard, "%s", shard);
    c->all = calloc((size_t)chunks + 1, sizeof *c->all);
    return c->all ? OTOK_OK : OTOK_FAIL(OTOK_NOMEM, "no memory for a list of claims");
}

/* ---- what other processes hold ---- */

/* The chunk in a name: "write.3", or "1-of-1-17.3" for this shard; otherwise -1. */
static int64_t chunk_of(const otok_claims *c, const char *name, int *generation)
{
    const size_t n = strlen(c->shard);
    int64_t chunk;
    char end;
    if (sscanf(name, "write.%d%c", generation, &end) == 1) return *generation > 0 ? c->n : -1;
    if (strncmp(name, c->shard, n) != 0) return -1;
    if (sscanf(name + n, "-%" SCNd64 ".%d%c", &chunk, generation, &end) != 2) return -1;
    return chunk >= 0 && chunk<c->n && * generation> 0 ? chunk : -1;
}

static otok_status list_chunks(otok_claims *c)
{
    DIR *names = opendir(c->folder);
    for (int64_t chunk = 0; chunk <= c->n; chunk++)
        c->all[chunk] = (otok_claim){0, FREE};
    if (!names) return errno == ENOENT ? OTOK_OK : otok_file_failed(c->folder, "read", errno);
    for (const struct dirent *entry; (entry = readdir(names));) {
        int generation;
        const int64_t chunk = chunk_of(c, entry->d_name, &generation);
        if (chunk >= 0 && generation > c->all[chunk].generation)
            c->all[chunk] = (otok_claim){generation, UNKNOWN};
    }
    closedir(names);
    return OTOK_OK;
}

/* Reads leases before claims. If a process is gone, all its results are then in its journal, which
   the caller reads next. */
otok_status otok_claims_update(otok_claims *c)
{
    otok_leases_destroy(&c->seen);
    OTOK_TRY(otok_leases_read(&c->seen, c->folder, &c->lease));
    if (c->lease.file >= 0) otok_lease_set_known(&c->lease, &c->seen);
    return list_chunks(c);
}

int otok_claims_running(const otok_claims *c)
{
    int n = 0;
    for (int i = 0; i < c->seen.n; i++)
        n += c->seen.all[i].state == OTOK_LEASE_RUNNING;
    return n;
}

/* -1: the claim does not exist any more. */
static int read_name(const char *path, char name[OTOK_LEASE_NAME])
{
    const ssize_t n = readlink(path, name, OTOK_LEASE_NAME - 1);
    name[n < 0 ? 0 : n] = '\0';
    return n < 0 ? -1 : 0;
}

static int has_lease(const otok_claims *c, const char *name)
{
    char path[4400];
    snprintf(path, sizeof path, "%s/%s.lease", c->folder, name);
    return access(path, F_OK) == 0;
}

/* A holder that joined after the last reading is not gone. */
static int holder_of(const otok_claims *c, int64_t chunk)
{
    char path[4400], name[OTOK_LEASE_NAME];
    name_of(path, sizeof path, c, chunk, c->all[chunk].generation);
    if (read_name(path, name) != 0) return FREE;
    if (c->lease.file >= 0 && strcmp(name, c->lease.name) == 0) return MINE;
    const otok_lease_seen *s = otok_leases_find(&c->seen, name);
    if (!s) return has_lease(c, name) ? HELD : FREE;
    return s->state == OTOK_LEASE_RUNNING || (chunk == c->n && s->state == OTOK_LEASE_FINISHED)
               ? HELD
               : FREE;
}

int otok_claims_is_held(otok_claims *c, int64_t chunk)
{
    otok_claim *claim = &c->all[chunk];
    if (claim->holder == UNKNOWN) claim->holder = holder_of(c, chunk);
    return claim->holder == HELD;
}

/* ---- what this process takes ---- */

otok_status otok_claims_join(otok_claims *c, const char *name, int state)
{
    OTOK_TRY(otok_lease_begin(&c->lease, c->folder, name, state));
    otok_lease_set_known(&c->lease, &c->seen);
    return OTOK_OK;
}

/* Returns 0 or errno. Another process may have removed the folder, because it believed that all was
   done. */
static int make_link(const otok_claims *c, const char *path)
{
    int made = symlink(c->lease.name, path);
    if (made != 0 && errno == ENOENT && (mkdir(c->folder, 0777) == 0 || errno == EEXIST))
        made = symlink(c->lease.name, path);
    return made == 0 ? 0 : errno;
}

otok_status otok_claims_take(otok_claims *c, int64_t chunk, int *mine)
{
    char path[4400];
    otok_claim *claim = &c->all[chunk];
    *mine = !otok_claims_is_held(c, chunk);
    if (claim->holder != FREE) return OTOK_OK;
    name_of(path, sizeof path, c, chunk, claim->generation + 1);
    const int error = make_link(c, path);
    if (error && error != EEXIST) return otok_file_failed(path, "write", error);
    claim->generation++;
    claim->holder = error ? HELD : MINE;
    *mine = !error;
    return OTOK_OK;
}

otok_status otok_claims_finish(otok_claims *c, int *others)
{
    OTOK_TRY(otok_lease_finish(&c->lease));
    OTOK_TRY(otok_claims_update(c));
    *others = otok_claims_running(c);
    return OTOK_OK;
}

otok_status otok_claims_wait_to_write(otok_claims *c)
{
    for (int mine = 0;;) {
        OTOK_TRY(otok_claims_take(c, c->n, &mine));
        if (mine) return OTOK_OK;
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        OTOK_TRY(otok_claims_update(c));
    }
}

static void remove_folder(const otok_claims *c)
{
    char path[4400];
    DIR *names = opendir(c->folder);
    for (const struct dirent *entry; names && (entry = readdir(names));) {
        snprintf(path, sizeof path, "%s/%.150s", c->folder, entry->d_name);
        if (entry->d_name[0] != '.') unlink(path);
    }
    if (names) closedir(names);
    rmdir(c->folder);
}

static int is_alone(otok_claims *c)
{
    int alone = otok_claims_update(c) == OTOK_OK;
    for (int i = 0; i < c->seen.n; i++)
        alone &= c->seen.all[i].state == OTOK_LEASE_GONE;
    return alone;
}

void otok_claims_destroy(otok_claims *c)
{
    if (c->lease.file >= 0 && is_alone(c)) remove_folder(c);
    otok_lease_end(&c->lease);
    otok_leases_destroy(&c->seen);
    free(c->all);
    *c = (otok_claims){.lease.file = -1};
}
