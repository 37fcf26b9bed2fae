/* memory_refused.c - claim: whichever allocation of a command fails, it ends with a code of the
   table and a text, or does what it was asked for; no file is left half-written, and the sanitizers
   see nothing. Allocations of otok's own code are refused one at a time, each in a process of its
   own; those of libraries are not. Of the allocations with the same callers it takes the first and
   the last of the command that makes them first; `memory_refused COMMAND all` takes each, and
   `memory_refused COMMAND N` shows what the N-th says. CHECK_ONCE */
#define main otok_main
#include "cli/main.c"
#undef main

#include "check.h"

#include <dirent.h>
#include <errno.h>
#include <execinfo.h>
#include <ftw.h>
#include <locale.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* ---- allocations that fail ---- */

enum { MOST = 1 << 16, DEEP = 8 };

typedef struct shared {
    atomic_long made, fails; /* allocations so far; the number of the one that fails, 0: none */
    uint64_t callers[MOST];  /* of each allocation: a hash */
} shared;

static shared *space;

static int should_refuse(void)
{
    if (!space) return 0; /* a library, before main */
    const long n = atomic_fetch_add(&space->made, 1) + 1, fails = atomic_load(&space->fails);
    if (n == fails) errno = ENOMEM;
    if (fails == 0 && n < MOST) {
        void *callers[DEEP];
        const int deep = backtrace(callers, DEEP);
        uint64_t hash = 0;
        for (int i = 0; i < deep; i++)
            hash = (hash ^ (uintptr_t)callers[i]) * UINT64_C(0x9e3779b97f4a7c15),
            hash ^= hash >> 32;
        space->callers[n] = hash;
    }
    return n == fails;
}

/* The linker leads calls of otok's code here, and __real_X to X. */
#define WRAP(type, name, failure, arguments, ...)                                                  \
    type __real_##name arguments;                                                                  \
    type __wrap_##name arguments;                                                                  \
    type __wrap_##name arguments                                                                   \
    {                                                                                              \
        return should_refuse() ? (failure) : __real_##name(__VA_ARGS__);                           \
    }

WRAP(void *, malloc, NULL, (size_t n), n)
WRAP(void *, calloc, NULL, (size_t n, size_t size), n, size)
WRAP(void *, realloc, NULL, (void *old, size_t n), old, n)
WRAP(void *, aligned_alloc, NULL, (size_t to, size_t n), to, n)
WRAP(char *, strdup, NULL, (const char *text), text)
WRAP(char *, strndup, NULL, (const char *text, size_t n), text, n)
WRAP(int, vasprintf, -1, (char **out, const char *format, va_list args), out, format, args)
WRAP(FILE *, open_memstream, NULL, (char **out, size_t *size), out, size)
WRAP(FILE *, fopen, NULL, (const char *path, const char *mode), path, mode)
WRAP(char *, realpath, NULL, (const char *path, char *out), path, out)
WRAP(DIR *, opendir, NULL, (const char *path), path)
WRAP(locale_t, newlocale, (locale_t)0, (int mask, const char *name, locale_t base), mask, name,
     base)

int __wrap_asprintf(char **out, const char *format, ...);
int __wrap_asprintf(char **out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int n = __wrap_vasprintf(out, format, args);
    va_end(args);
    return n;
}

typedef int choice(const struct dirent *);
typedef int order(const struct dirent **, const struct dirent **);
WRAP(int, scandir, -1, (const char *path, struct dirent ***out, choice *choose, order *sort), path,
     out, choose, sort)

/* Of AddressSanitizer, where the test is built with it: are there leaks? */
int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

/* ---- commands ---- */

static char folder[] = "/tmp/otok_memory_XXXXXX", said[4096];
#define EIGHT "1 2 3 4 5 6 7 8\n"
static const char scenario[] =
    "otok: 1\ntitle: small\ngrid: {nx: 8, ny: 8, spacing: 2}\nedges: {left: open}\nsea: {level: "
    "1}\n"
    "base: [{cone: {height: 12, radius: 8}}, {simplex: {octaves: 2, wavelength: 5, combine: "
    "add}}]\n"
    "layers: [{name: sand, thickness: 1}, {name: rock, erodibility: 0.5}]\n"
    "phases:\n"
    "  - name: a\n    iterations: 4\n    rain: {rate: 0.01, map: rain.asc, during: [[0, 3]]}\n"
    "    rivers: [{x: 8, y: 8, radius: 3, discharge: 0.1}]\n    hydraulic: {dt: 0.05}\n    "
    "thermal: {dt: 0.05}\n"
    "  - {name: b, iterations: 2, reef: {dt: 0.01}}\n"
    "changes: [{at: 2, path: phases.a.hydraulic.dt, value: 0.04}]\noutput: {every: 3}\n";
static const char bare[] = /* of a study: other texts of a scenario are read by `run` */
    "otok: 1\ngrid: {nx: 8, ny: 8, spacing: 2}\nbase: [{cone: {height: 12, radius: 8}}]\n"
    "phases: [{name: a, iterations: 4, rain: {rate: 0.01}, hydraulic: {dt: 0.05}, thermal: {dt: "
    "0.05}}]\n";
static const char study[] =
    "study: 1\nscenario: bare.yaml\ndesign: {kind: lhs, rows: 2}\nmonitor: {every: 2}\n"
    "vary:\n  phases.a.hydraulic.dt: {from: 0.01, to: 0.08}\n  phases.a.thermal.talus: {values: "
    "[30, 35]}\n";

typedef struct command {
    const char *name, *begins, *words[14]; /* begins: files that are there, NULL: none */
} command;

static const command commands_tried[] = {
    {"run", NULL, {"run", "small.yaml", "-o", "out", "--backend", "cpu"}},
    {"resume", "half", {"run", "small.yaml", "-o", "out", "--backend", "cpu", "--resume"}},
    {"study", NULL, {"study", "study.yaml", "-o", "out", "--backend", "cpu"}},
    {"road",
     NULL,
     {"road", "map.vtkhdf", "--from", "2,2", "--to", "14,14", "-o", "out/road.vtkhdf",
      "--max-grade", "5", "--line", "out/l.csv"}},
    {"merge", "journals", {"merge", "out"}},
};
enum { NTRIED = sizeof commands_tried / sizeof commands_tried[0] };

static void write_text(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) exit(1);
}

static void shell(const char *line)
{
    if (system(line) != 0) exit(1);
}

/* The command in a process of its own, whose n-th allocation fails (0, -1: none; 0 notes the
   callers of each): its wait status. What it says is in `said`. */
static int run_command(const char *const *words, long n)
{
    int status, argc = 1;
    char *argv[16] = {(char *)"otok"};
    for (; words[argc - 1]; argc++)
        argv[argc] = (char *)words[argc - 1];
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        if (!freopen("said", "w", stderr) || !freopen("/dev/null", "w", stdout)) _exit(99);
        atomic_store(&space->made, 0);
        atomic_store(&space->fails, n);
        const int code = otok_main(argc, argv);
        atomic_store(&space->fails, -1);
        fflush(NULL);
        const int looks = n >= 0 && __lsan_do_recoverable_leak_check;
        _exit(looks && __lsan_do_recoverable_leak_check() ? 23 : code);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) exit(1);
    FILE *file = fopen("said", "r");
    said[file ? fread(said, 1, sizeof said - 1, file) : 0] = 0;
    if (file) fclose(file);
    return status;
}

static int in_table(int code)
{
    static const int table[] = {0, 2, 65, 69, 70, 74, 75};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i] == code) return 1;
    return 0;
}

/* No temporary file is left in the folder, and what has its final name is whole; a file with a
 * second link, which fill_folder made, is the one that was there. */
static void check_files(const command *c, const char *where, nlink_t links, long n)
{
    DIR *directory = opendir(where);
    for (const struct dirent *e; directory && (e = readdir(directory));) {
        char path[600];
        struct stat about;
        const size_t length = strlen(e->d_name);
        CHECK(!strstr(e->d_name, ".tmp"), "%s %ld: left %s behind", c->name, n, e->d_name);
        snprintf(path, sizeof path, "%s/%s", where, e->d_name);
        if (length < 7 || strcmp(e->d_name + length - 7, ".vtkhdf") != 0) continue;
        if (stat(path, &about) != 0 || about.st_nlink > links) continue;
        const char *inspect[] = {"inspect", path, NULL};
        CHECK(run_command(inspect, -1) == 0, "%s %ld: left a broken %s: %s", c->name, n, path,
              said);
    }
    if (directory) closedir(directory);
}

static int removes(const char *path, const struct stat *about, int flag, struct FTW *at)
{
    (void)about, (void)flag, (void)at;
    return remove(path);
}

/* The folder of the command holds what it did before. */
static void fill_folder(const command *c)
{
    nftw("out", removes, 8, FTW_DEPTH | FTW_PHYS);
    if (mkdir("out", 0777) != 0) exit(1);
    DIR *directory = c->begins ? opendir(c->begins) : NULL;
    for (const struct dirent *e; directory && (e = readdir(directory));) {
        char from[600], to[600];
        snprintf(from, sizeof from, "%s/%s", c->begins, e->d_name);
        snprintf(to, sizeof to, "out/%s", e->d_name);
        if (e->d_name[0] != '.' && link(from, to) != 0) exit(1);
    }
    if (directory) closedir(directory);
}

static void try(const command *c, long n)
{
    fill_folder(c);
    const int status = run_command(c->words, n),
              code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    CHECK(in_table(code) && (code == 0 || strncmp(said, "otok", 4) == 0 || strstr(said, "\notok")),
          "%s %ld: status %x: %s", c->name, n, (unsigned)status, said);
    const char *lack = code == 70 ? strstr(said, "no memory") : NULL;
    CHECK(!lack || strchr(lack, ';'), "%s %ld: no remedy: %s", c->name, n, said);
    CHECK(n || code == 0, "%s, nothing refused: exit %d: %s", c->name, code, said);
    if (code) check_files(c, "out", 1, n);
}

static uint64_t known[8 * MOST]; /* callers in the commands before */
static long nknown;

/* Does no other allocation, before or after it, have the same callers, nor one of the commands
 * before? */
static int differs(long n, long all, int step)
{
    for (long i = 0; i < nknown; i++)
        if (known[i] == space->callers[n]) return 0;
    for (long other = n + step; other >= 1 && other <= all; other += step)
        if (space->callers[other] == space->callers[n]) return 0;
    return 1;
}

static void try_all(const command *c, const char *which)
{
    long tried = 0;
    try(c, 0);
    const long all = atomic_load(&space->made), one = atol(which);
    CHECK(all > 0 && all < MOST, "%s: %ld allocations", c->name, all);
    for (long n = one ? one : 1; n <= (one ? one : all); n++)
        if (*which || differs(n, all, 1) || differs(n, all, -1)) {
            try(c, n);
            tried++;
        }
    if (c->begins) check_files(c, c->begins, 2, 0); /* nobody changed what was there */
    if (one) fprintf(stderr, "%s", said);
    printf("%s: %ld of %ld allocations\n", c->name, tried, all);
    for (long n = 1; n <= all; n++)
        known[nknown++] = space->callers[n];
}

int main(int argc, char **argv)
{
    omp_set_num_threads(1); /* in all processes, which begin here */
    otok_hdf_quiet();
    space = mmap(NULL, sizeof *space, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (space == MAP_FAILED || !mkdtemp(folder) || chdir(folder) != 0) return 1;
    write_text("small.yaml", scenario);
    write_text("bare.yaml", bare);
    write_text("study.yaml", study);
    write_text("rain.asc", "ncols 8\nnrows 8\nxllcorner 0\nyllcorner 0\ncellsize 2\n" EIGHT EIGHT
                               EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT);
    const char *const make_map[] = {"run", "small.yaml", "-o",  "whole",
                                    "-q",  "--backend",  "cpu", NULL};
    const char *const make_journals[] = {"study", "study.yaml", "-o",  "journals",
                                         "-q",    "--backend",  "cpu", NULL};
    if (run_command(make_map, 0) != 0 || run_command(make_journals, 0) != 0) {
        fprintf(stderr, "%s", said);
        return 1;
    }
    shell("cp whole/*6.vtkhdf map.vtkhdf && mv whole half && rm half/*6.vtkhdf journals/study.h5");
    for (int i = 0; i < NTRIED; i++)
        if (argc < 2 || strcmp(argv[1], commands_tried[i].name) == 0)
            try_all(&commands_tried[i], argc > 2 ? argv[2] : "");
    if (chdir("/") != 0) return 1;
    nftw(folder, removes, 8, FTW_DEPTH | FTW_PHYS);
    return check_failures != 0;
}
