/* merge.c: see merge.h. */
#include "merge.h"

#include "../core/rounding.h"
#include "../core/sized.h"
#include "../core/status.h"
#include "../io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

static otok_status write_table(const char *directory, const char *path, otok_merged *out)
{
    otok_table table;
    OTOK_TRY(otok_table_read(&table, directory));
    otok_table_sum(&table, out);
    const otok_status status = otok_table_write(&table, path);
    otok_table_destroy(&table);
    return status;
}

/* Writes a file with a name of its own first: a process that others judged to be gone may write
   too. */
otok_status otok_study_write(otok_claims *claims, const char *directory, otok_merged *out)
{
    char own[4400], path[4400];
    OTOK_TRY(otok_claims_wait_to_write(claims));
    snprintf(own, sizeof own, "%s/%s.h5", claims->folder, claims->lease.name);
    snprintf(path, sizeof path, "%s/study.h5", directory);
    OTOK_TRY(write_table(directory, own, out));
    if (rename(own, path) != 0)
        return otok_file_failed(path, "rename the finished file to it", errno);
    const int folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int error = folder < 0 ? errno : otok_file_sync(folder);
    if (folder >= 0) close(folder);
    return error ? otok_file_failed(path, "sync its directory", error) : OTOK_OK;
}

/* Writes when no process runs the study. Processes on this machine that merge it at the same time
   take turns. */
static otok_status write_alone(const char *directory, otok_merged *out)
{
    char path[4400];
    snprintf(path, sizeof path, "%s/study.h5", directory);
    const int lock = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock < 0) return otok_file_failed(directory, "read", errno);
    flock(lock, LOCK_EX);
    const otok_status status = write_table(directory, path, out);
    close(lock);
    return status;
}

static otok_status write_among_others(otok_claims *claims, const char *directory, otok_merged *out)
{
    char name[OTOK_LEASE_NAME], host[65] = "?";
    gethostname(host, sizeof host - 1);
    snprintf(name, sizeof name, "write-%s-%ld", host, (long)getpid());
    OTOK_TRY(otok_claims_update(claims));
    OTOK_TRY(otok_claims_join(claims, name, OTOK_LEASE_FINISHED));
    return otok_study_write(claims, directory, out);
}

otok_status(otok_study_merge)(const char *directory, otok_merged *merged, size_t size)
{
    OTOK_TRY(OTOK_GIVEN(directory));
    OTOK_ROUNDING;
    otok_claims claims;
    otok_merged here = {0};
    char why[1024];
    OTOK_TRY(otok_claims_create(&claims, directory, "write", 0));
    const otok_status status = access(claims.folder, F_OK) == 0
                                   ? write_among_others(&claims, directory, &here)
                                   : write_alone(directory, &here);
    snprintf(why, sizeof why, "%s", otok_why());
    otok_claims_destroy(&claims);
    if (merged) otok_sized_copy(merged, size, &here, sizeof here);
    return status == OTOK_OK ? OTOK_OK : OTOK_FAIL(status, "%s", why);
}
