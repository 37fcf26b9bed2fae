/* memory.c: see memory.h; proc_meminfo(5), cgroups(7), and the kernel's description of both
 * controllers of memory. */
#include "memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct names {
    const char *mount, *limit, *used, *cache, *shared; /* the last two are keys in memory.stat */
} names;

static const names versions[2] = {
    {"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_cache",
     "total_shmem"},
    {"/sys/fs/cgroup", "memory.max", "memory.current", "file", "shmem"}};

static FILE *reading(const char *root, const char *folder, const char *file)
{
    char path[4096];
    const int n = snprintf(path, sizeof path, "%s%s/%s", root, folder, file);
    return n > 0 && n < (int)sizeof path ? fopen(path, "r") : NULL;
}

/* The number in a file; INFINITY: there is none, or the word max. */
static double number(const char *root, const char *folder, const char *file)
{
    double value = INFINITY;
    FILE *in = reading(root, folder, file);
    if (!in) return value;
    if (fscanf(in, "%lf", &value) != 1) value = INFINITY;
    fclose(in);
    return value;
}

/* The sum of the numbers of two keys in lines `KEY NUMBER`; with `less`, the first minus the
   second. */
static double entries(const char *root, const char *folder, const char *file, const char *plus,
                      const char *other, int less)
{
    char line[256], key[128];
    double sum = 0, value;
    FILE *in = reading(root, folder, file);
    while (in && fgets(line, sizeof line, in)) {
        if (sscanf(line, "%127s %lf", key, &value) != 2) continue;
        if (strcmp(key, plus) == 0) sum += value;
        if (strcmp(key, other) == 0) sum += less ? -value : value;
    }
    if (in) fclose(in);
    return sum;
}

/* The least memory that a group and its parents leave. In a container the path may be that of
   its host; then only the root of the container exists. */
static double group_leaves(const char *root, const names *v, char *path)
{
    char folder[4096];
    double least = INFINITY;
    for (;;) {
        if (snprintf(folder, sizeof folder, "%s%s", v->mount, path) < (int)sizeof folder) {
            const double limit = number(root, folder, v->limit),
                         used = number(root, folder, v->used);
            if (isfinite(limit) && isfinite(used))
                least = fmin(least,
                             fmax(limit - used +
                                      entries(root, folder, "memory.stat", v->cache, v->shared, 1),
                                  1));
        }
        char *last = strrchr(path, '/');
        if (!last) return least;
        *last = 0;
    }
}

double otok_memory_free(const char *root)
{
    char line[4096], own[4096];
    double left = 1024 * entries(root, "/proc", "meminfo", "MemAvailable:", "SwapFree:", 0);
    FILE *groups = reading(root, "/proc/self", "cgroup");
    while (groups && fgets(line, sizeof line, groups)) {
        char *controllers = strchr(line, ':'),
             *path = controllers ? strchr(++controllers, ':') : NULL;
        if (!path) continue;
        *path++ = 0;
        path[strcspn(path, "\n")] = 0;
        const int unified = *controllers == 0;
        if (!unified && strcmp(controllers, "memory") != 0) continue;
        snprintf(own, sizeof own, "%s", strcmp(path, "/") == 0 ? "" : path);
        const double leaves = group_leaves(root, &versions[unified], own);
        if (isfinite(leaves)) left = left > 0 ? fmin(left, leaves) : leaves;
    }
    if (groups) fclose(groups);
    return left;
}
