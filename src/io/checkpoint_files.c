/* checkpoint_files.c: the checkpoints of a directory: their names, the newest valid one, how
   many are kept, and their times for ParaView. checkpoint_write.c and checkpoint_read.c handle
   their contents. */
#include "../core/status.h"
#include "checkpoint.h"
#include "file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX ".vtkhdf"

typedef struct entry {
    char *path, *name; /* name points into path */
    int64_t iteration;
    struct timespec written;
} entry;

typedef struct listing {
    entry *at;
    int count, room;
} listing;

char *otok_checkpoint_name(const char *directory, const char *stem, int64_t iteration)
{
    char *path = NULL;
    return asprintf(&path, "%s/%s_%08lld" SUFFIX, directory, stem, (long long)iteration) < 0 ? NULL
                                                                                             : path;
}

static char *series_path(const char *directory, const char *stem)
{
    char *path = NULL;
    return asprintf(&path, "%s/%s" SUFFIX ".series", directory, stem) < 0 ? NULL : path;
}

static void free_listing(listing *list)
{
    for (int i = 0; i < list->count; i++)
        free(list->at[i].path);
    free(list->at);
    *list = (listing){0};
}

/* The iteration in a name that otok_checkpoint_name makes; -1: another name. */
static int64_t iteration_of(const char *name, const char *stem)
{
    const size_t length = strlen(stem);
    if (strncmp(name, stem, length) != 0 || name[length] != '_') return -1;
    const char *digits = name + length + 1;
    const size_t n = strspn(digits, "0123456789");
    if (n < 8 || n > 18 || (n > 8 && digits[0] == '0') || strcmp(digits + n, SUFFIX) != 0)
        return -1;
    return strtoll(digits, NULL, 10);
}

int64_t otok_checkpoint_iteration(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path,
               *last = strrchr(name, '_');
    char stem[NAME_MAX + 1];
    if (!last || last - name > NAME_MAX) return -1;
    snprintf(stem, sizeof stem, "%.*s", (int)(last - name), name);
    return iteration_of(name, stem);
}

static otok_status add_entry(listing *list, const char *directory, const char *name,
                             int64_t iteration)
{
    if (list->count == list->room) {
        const int room = list->room ? 2 * list->room : 64;
        entry *more = realloc(list->at, (size_t)room * sizeof *more);
        if (!more) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory to list its files", directory);
        list->at = more;
        list->room = room;
    }
    char *path = NULL;
    if (asprintf(&path, "%s/%s", directory, name) < 0)
        return OTOK_FAIL(OTOK_NOMEM, "%s: no memory to list its files", directory);
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) {
        free(path);
        return OTOK_OK;
    }
    list->at[list->count++] = (entry){path, path + strlen(directory) + 1, iteration, about.st_mtim};
    return OTOK_OK;
}

static int by_iteration(const void *a, const void *b)
{
    const int64_t m = ((const entry *)a)->iteration, n = ((const entry *)b)->iteration;
    return (m > n) - (m < n);
}

/* File systems have coarse clocks, so checkpoints of one tick are ordered by iteration. */
static int by_age(const void *a, const void *b)
{
    const struct timespec s = ((const entry *)a)->written, t = ((const entry *)b)->written;
    if (s.tv_sec != t.tv_sec) return s.tv_sec > t.tv_sec ? 1 : -1;
    if (s.tv_nsec != t.tv_nsec) return s.tv_nsec > t.tv_nsec ? 1 : -1;
    return by_iteration(a, b);
}

/* Is this name that of a draft of a checkpoint of the stem, or of its series? */
static int is_draft(const char *name, const char *stem)
{
    char target[NAME_MAX + 1], series[NAME_MAX + 1];
    const size_t length = otok_draft_target(name);
    if (!length || length > NAME_MAX) return 0;
    snprintf(target, sizeof target, "%.*s", (int)length, name + 1);
    snprintf(series, sizeof series, "%s" SUFFIX ".series", stem);
    return iteration_of(target, stem) >= 0 || strcmp(target, series) == 0;
}

/* Lists the checkpoints of a stem, the lowest iteration first. `sweep` removes what killed writers
   left. */
static otok_status list_all(listing *list, const char *directory, const char *stem, int sweep)
{
    *list = (listing){0};
    DIR *open = opendir(directory);
    if (!open) return errno == ENOENT ? OTOK_OK : otok_file_failed(directory, "list", errno);
    otok_status status = OTOK_OK;
    for (struct dirent *found; status == OTOK_OK && (found = readdir(open));) {
        const int64_t iteration = iteration_of(found->d_name, stem);
        if (iteration >= 0) status = add_entry(list, directory, found->d_name, iteration);
        if (sweep && is_draft(found->d_name, stem)) otok_draft_sweep(dirfd(open), found->d_name);
    }
    closedir(open);
    if (status != OTOK_OK)
        free_listing(list);
    else if (list->count)
        qsort(list->at, (size_t)list->count, sizeof *list->at, by_iteration);
    return status;
}

int otok_checkpoint_exists(const char *directory, const char *stem)
{
    listing list;
    if (list_all(&list, directory, stem, 0) != OTOK_OK) return 0;
    const int any = list.count > 0;
    free_listing(&list);
    return any;
}

otok_status otok_checkpoint_touch(const char *path, const char *directory, const char *stem)
{
    listing list;
    const entry *mine = NULL, *youngest = NULL;
    OTOK_TRY(list_all(&list, directory, stem, 0));
    for (int i = 0; i < list.count; i++) {
        if (strcmp(list.at[i].path, path) == 0)
            mine = &list.at[i];
        else if (!youngest || by_age(&list.at[i], youngest) > 0)
            youngest = &list.at[i];
    }
    int failed = 0;
    if (mine && youngest && by_age(youngest, mine) > 0) {
        struct timespec times[2] = {youngest->written, youngest->written};
        times[1].tv_sec++;
        failed = utimensat(AT_FDCWD, path, times, 0) != 0;
    }
    const otok_status status = failed ? otok_file_failed(path, "date", errno) : OTOK_OK;
    free_listing(&list);
    return status;
}

static otok_status append_line(char **text, const char *more)
{
    char *joined = NULL;
    if (asprintf(&joined, "%s%s%s", *text ? *text : "", *text ? "; " : "", more) < 0)
        return OTOK_FAIL(OTOK_NOMEM, "no memory for a message");
    free(*text);
    *text = joined;
    return OTOK_OK;
}

otok_status otok_checkpoint_newest(otok_snapshot *out, char **path, char **skipped,
                                   const char *directory, const char *stem, otok_grid grid)
{
    memset(out, 0, sizeof *out);
    *path = *skipped = NULL;
    listing list;
    OTOK_TRY(list_all(&list, directory, stem, 0));
    otok_status status = OTOK_OK;
    for (int i = list.count - 1; i >= 0 && !*path && status == OTOK_OK; i--) {
        status = otok_checkpoint_read_of(out, list.at[i].path, grid);
        if (status == OTOK_OK && out->iteration != list.at[i].iteration) {
            status = OTOK_FAIL(OTOK_DATA,
                               "%s: refused: its name has another iteration than its contents, "
                               "%lld. Give it its old name",
                               list.at[i].path, (long long)out->iteration);
            otok_snapshot_destroy(out);
        }
        if (status == OTOK_OK) {
            *path = list.at[i].path;
            list.at[i].path = NULL;
        } else if (status == OTOK_DATA || status == OTOK_IO)
            status = append_line(skipped, otok_why());
    }
    free_listing(&list);
    if (status != OTOK_OK) {
        free(*skipped);
        *skipped = NULL;
    }
    return status;
}

static otok_status remove_file(const char *path)
{
    return unlink(path) == 0 || errno == ENOENT ? OTOK_OK : otok_file_failed(path, "remove", errno);
}

otok_status otok_checkpoint_each(const char *directory, const char *stem,
                                 otok_status (*see)(void *of, const char *path), void *of)
{
    listing list;
    OTOK_TRY(list_all(&list, directory, stem, 0));
    otok_status status = OTOK_OK;
    for (int64_t i = 0; i < list.count && status == OTOK_OK; i++)
        status = see(of, list.at[i].path);
    free_listing(&list);
    return status;
}

otok_status otok_checkpoint_prune(const char *directory, const char *stem, int64_t keep)
{
    listing list;
    OTOK_TRY(list_all(&list, directory, stem, 0));
    if (list.count) qsort(list.at, (size_t)list.count, sizeof *list.at, by_age);
    const int64_t surplus = keep > 0 ? list.count - keep : keep < 0 ? list.count : 0;
    otok_status status = OTOK_OK;
    for (int64_t i = 0; i < surplus && status == OTOK_OK; i++)
        status = remove_file(list.at[i].path);
    free_listing(&list);
    if (keep >= 0 || status != OTOK_OK) return status;
    char *series = series_path(directory, stem);
    if (!series) return OTOK_FAIL(OTOK_NOMEM, "%s: no memory for a file name", directory);
    status = remove_file(series);
    free(series);
    return status;
}

otok_status otok_checkpoint_sweep(const char *directory, const char *stem)
{
    listing list;
    OTOK_TRY(list_all(&list, directory, stem, 1));
    free_listing(&list);
    return OTOK_OK;
}

static void put_json(FILE *file, const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if (*c == '"' || *c == '\\' || *c < 0x20)
            fprintf(file, "\\u%04x", *c);
        else
            putc(*c, file);
}

/* The text of the present series, malloc'd, and when it was written; NULL: it cannot be read. */
static char *series_now(const char *path, struct timespec *written)
{
    struct stat about;
    FILE *file = NULL;
    if (path) otok_file_open(&file, path);
    char *text =
        file && fstat(fileno(file), &about) == 0 ? calloc((size_t)about.st_size + 1, 1) : NULL;
    const int whole = text && fread(text, 1, (size_t)about.st_size, file) == (size_t)about.st_size;
    if (file) fclose(file);
    if (whole) *written = about.st_mtim;
    if (whole) return text;
    free(text);
    return NULL;
}

/* The time of a checkpoint: from the series (at `now` and after) if the file is older than the
   series, otherwise from the file. Returns 0 if there is none. Files come in the order of the
   series, so that one pass over it serves all of them. Without the series a run would read all
   checkpoints again for each new one. */
static int time_of(double *time, const entry *e, const char **now, struct timespec written)
{
    char *line = NULL;
    otok_snapshot state;
    const int older = e->written.tv_sec < written.tv_sec ||
                      (e->written.tv_sec == written.tv_sec && e->written.tv_nsec < written.tv_nsec);
    if (*now && older && asprintf(&line, "{\"name\": \"%s\", \"time\": ", e->name) >= 0) {
        const char *found = strstr(*now, line);
        char *end = NULL;
        if (found) *time = strtod(found + strlen(line), &end);
        free(line);
        if (end && *end == '}') {
            *now = end;
            return 1;
        }
    }
    if (otok_checkpoint_header(&state, e->path) != OTOK_OK) return 0;
    *time = state.time;
    otok_snapshot_destroy(&state);
    return 1;
}

otok_status otok_checkpoint_series(const char *directory, const char *stem)
{
    listing list;
    OTOK_TRY(list_all(&list, directory, stem, 0));
    struct timespec dated = {0, 0};
    char *text = NULL, *path = series_path(directory, stem), *old = series_now(path, &dated);
    const char *now = old, *between = "\n";
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (file) fputs("{\"file-series-version\": \"1.0\", \"files\": [", file);
    for (int i = 0; file && i < list.count; i++) {
        double time;
        if (!time_of(&time, &list.at[i], &now, dated)) continue;
        fprintf(file, "%s  {\"name\": \"", between);
        put_json(file, list.at[i].name);
        fprintf(file, "\", \"time\": %.17g}", time);
        between = ",\n";
    }
    free(old);
    if (file) fputs("\n]}\n", file);
    const otok_status status =
        otok_text_finish(file, &text) && path
            ? otok_file_replace(path, text)
            : OTOK_FAIL(OTOK_NOMEM, "%s: no memory for its series", directory);
    free(path);
    free(text);
    free_listing(&list);
    return status;
}
