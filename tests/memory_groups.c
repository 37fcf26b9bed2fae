/* memory_groups.c - claim: what a process may still take is what the machine has, or the least that
   the limits of its control groups leave, whatever their version, files in memory given back;
   without a limit, or in a container that sees only its own root, too. The files of the kernel are
   imitated, the machine's own give a number above 0. CHECK_ONCE */
#include "check.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "core/memory.h"

static char root[] = "/tmp/otok_memory_XXXXXX";

/* Makes root/path with these words, and the folders it is in. */
static void write_file(const char *path, const char *words)
{
    char whole[512];
    snprintf(whole, sizeof whole, "%s%s", root, path);
    for (char *slash = whole + sizeof root; (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        mkdir(whole, 0700);
        *slash = '/';
    }
    FILE *file = fopen(whole, "w");
    CHECK(file && fputs(words, file) >= 0 && fclose(file) == 0, "%s", whole);
}

static void check_free(const char *what, double bytes)
{
    const double left = otok_memory_free(root);
    CHECK(left == bytes, "%s: %.0f bytes, expected %.0f", what, left, bytes);
}

int main(void)
{
    CHECK(mkdtemp(root), "a folder");
    check_free("no files", 0);
    write_file("/proc/meminfo",
               "MemTotal: 9000 kB\nMemAvailable: 5000 kB\nSwapTotal: 900 kB\nSwapFree: 120 kB\n");
    check_free("the machine", 5120 * 1024.0);
    write_file("/proc/self/cgroup",
               "3:cpu:/slurm\n2:memory:/slurm/job_7/step_0\n1:name=systemd:/x\n0::/\n");
    write_file("/sys/fs/cgroup/memory/slurm/job_7/step_0/memory.limit_in_bytes",
               "9223372036854771712\n");
    write_file("/sys/fs/cgroup/memory/slurm/job_7/step_0/memory.usage_in_bytes", "700000\n");
    check_free("version 1, no limit", 5120 * 1024.0);
    write_file("/sys/fs/cgroup/memory/slurm/job_7/memory.limit_in_bytes", "2000000\n");
    write_file("/sys/fs/cgroup/memory/slurm/job_7/memory.usage_in_bytes", "800000\n");
    check_free("version 1, the job's limit", 1200000);
    write_file("/sys/fs/cgroup/memory/slurm/job_7/memory.stat",
               "cache 1\ntotal_cache 300000\ntotal_shmem 50000\n");
    check_free("version 1, files given back", 1450000);
    write_file("/proc/self/cgroup", "0::/of/the/host\n");
    check_free("version 2, no limit", 5120 * 1024.0);
    write_file("/sys/fs/cgroup/of/the/memory.max", "max\n");
    write_file("/sys/fs/cgroup/of/the/memory.current", "1000000\n");
    check_free("version 2, the word max", 5120 * 1024.0);
    write_file("/sys/fs/cgroup/memory.max", "3000000\n");
    write_file("/sys/fs/cgroup/memory.current", "2500000\n");
    write_file("/sys/fs/cgroup/memory.stat", "anon 2100000\nfile 400000\nshmem 100000\n");
    check_free("version 2, the root that a container sees", 800000);
    write_file("/sys/fs/cgroup/of/the/memory.max", "900000\n");
    check_free("more used than allowed", 1);
    CHECK(otok_memory_free("") > 0, "this machine: %g", otok_memory_free(""));
    char command[sizeof root + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    return system(command) != 0 || check_failures != 0;
}
