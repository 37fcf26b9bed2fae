/* checkpoint_atomic.c - claim: a checkpoint that cannot be written leaves the earlier file as it
   was and no temporary file, says why, and does no harm to the next one. CHECK_ONCE */
#include "checkpoint_sample.h"

#include <dirent.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>

static const char *directory;

static int files_in(const char *path)
{
    DIR *open = opendir(path);
    int count = 0;
    for (struct dirent *found; open && (found = readdir(open));)
        count += found->d_name[0] != '.' || strstr(found->d_name, ".tmp");
    if (open) closedir(open);
    return count;
}

static void fails(const char *path, const otok_snapshot *s, const char *word)
{
    CHECK(otok_checkpoint_write(path, s) == OTOK_IO, "%s was written", path);
    CHECK(strstr(otok_why(), path) && strstr(otok_why(), word), "%s: '%s' does not say '%s'", path,
          otok_why(), word);
    CHECK(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) == 0, "%s: objects stay open", path);
}

int main(void)
{
    directory = sample_directory();
    char path[128], other[160];
    snprintf(path, sizeof path, "%s/a.vtkhdf", directory);
    otok_snapshot old, fresh;
    sample_make(&old, 40, 30, ALL_FIELDS, 1);
    sample_make(&fresh, 200, 200, ALL_FIELDS, 2);
    MUST(otok_checkpoint_write(path, &old));

    snprintf(other, sizeof other, "%s/none/a.vtkhdf", directory);
    fails(other, &fresh, "No such file");
    snprintf(other, sizeof other, "%s/a.vtkhdf/b", directory);
    fails(other, &fresh, "Not a directory");
    fails(directory, &fresh, "Is a directory");
    fails("/dev/full", &fresh, "not a regular file");
    if (geteuid() != 0) {
        chmod(directory, 0500);
        fails(path, &fresh, "Permission denied");
        chmod(directory, 0700);
    }

    signal(SIGXFSZ, SIG_IGN); /* the disk is full: writes beyond the limit fail */
    struct rlimit was, small;
    getrlimit(RLIMIT_FSIZE, &was);
    for (rlim_t limit = 0; limit < 800000; limit = limit ? limit * 3 : 512) {
        small = was;
        small.rlim_cur = limit;
        setrlimit(RLIMIT_FSIZE, &small);
        fails(path, &fresh, "File too large");
        CHECK(otok_file_replace(path, "a text that must not be there") == OTOK_OK || limit == 0,
              "%s", otok_why());
        setrlimit(RLIMIT_FSIZE, &was);
        if (limit > 0) MUST(otok_checkpoint_write(path, &old));
        CHECK(print_of(path) == old.fingerprint, "the earlier file changed at limit %lld",
              (long long)limit);
        CHECK(files_in(directory) == 1, "%d files after limit %lld", files_in(directory),
              (long long)limit);
    }

    MUST(otok_checkpoint_write(path, &fresh));
    CHECK(print_of(path) == fresh.fingerprint, "the next checkpoint is another");
    CHECK(otok_file_replace("/dev/full", "x") == OTOK_IO, "/dev/full was replaced");
    otok_snapshot_destroy(&old);
    otok_snapshot_destroy(&fresh);
    sample_clean(directory);
    return check_failures != 0;
}
