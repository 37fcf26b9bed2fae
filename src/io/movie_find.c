/* movie_find.c: finds the checkpoints of a movie: those of a directory, or those of a series. */
#include "../core/status.h"
#include "file.h"
#include "movie.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct list {
    char **at;
    int n;
} list;

static otok_status no_memory(void)
{
    return OTOK_FAIL(OTOK_NOMEM, "no memory for a list of files");
}

void otok_movie_forget(char **paths, int n)
{
    for (int i = 0; i < n; i++)
        free(paths[i]);
    free(paths);
}

int otok_movie_is_gone(const char *path)
{
    struct stat about;
    return stat(path, &about) != 0 && errno == ENOENT;
}

int otok_movie_drop_missing(char **paths, int *n)
{
    const int before = *n;
    *n = 0;
    for (int i = 0; i < before; i++)
        if (otok_movie_is_gone(paths[i]))
            free(paths[i]);
        else
            paths[(*n)++] = paths[i];
    return before - *n;
}

static otok_status add_checkpoint(list *l, const char *directory, const char *name, size_t length)
{
    char **more = realloc(l->at, ((size_t)l->n + 1) * sizeof *more), *path = NULL;
    if (more) l->at = more;
    if (!more || asprintf(&path, "%s/%.*s", directory, (int)length, name) < 0) return no_memory();
    l->at[l->n++] = path;
    return OTOK_OK;
}

/* The length of the stem of STEM_00000500.vtkhdf; 0: another name. */
static size_t stem_of(const char *name)
{
    const char *bar = strrchr(name, '_');
    const size_t digits = bar ? strspn(bar + 1, "0123456789") : 0;
    return digits >= 8 && bar > name && *name != '.' && strcmp(bar + 1 + digits, ".vtkhdf") == 0
               ? (size_t)(bar - name)
               : 0;
}

static otok_status in_directory(list *l, const char *path)
{
    DIR *open = opendir(path);
    char stem[256] = "";
    otok_status status = open ? OTOK_OK : otok_file_failed(path, "list", errno);
    for (struct dirent *found; status == OTOK_OK && (found = readdir(open));) {
        const size_t length = stem_of(found->d_name);
        if (!length) continue;
        if (!*stem) snprintf(stem, sizeof stem, "%.*s", (int)length, found->d_name);
        if (strlen(stem) != length || strncmp(stem, found->d_name, length) != 0)
            status = OTOK_FAIL(OTOK_USAGE,
                               "%s: holds checkpoints of %s and of %.*s; name the .vtkhdf.series "
                               "file of one, or its files",
                               path, stem, (int)length, found->d_name);
        else
            status = add_checkpoint(l, path, found->d_name, strlen(found->d_name));
    }
    if (open) closedir(open);
    if (status == OTOK_OK && !l->n)
        return OTOK_FAIL(OTOK_DATA, "%s: holds no checkpoints; give the directory of a run", path);
    return status;
}

/* Reads the names in a series that otok wrote; these have no escapes. */
static otok_status in_series(list *l, const char *path)
{
    enum { MOST = 1 << 26 };
    FILE *file;
    OTOK_TRY(otok_file_open(&file, path));
    char *text = malloc(MOST + 1),
         *directory =
             strrchr(path, '/') ? strndup(path, (size_t)(strrchr(path, '/') - path)) : strdup(".");
    otok_status status = text && directory ? OTOK_OK : no_memory();
    const size_t size = text ? fread(text, 1, MOST, file) : 0;
    if (text) text[size] = 0;
    for (char *at = text; status == OTOK_OK && (at = strstr(at, "\"name\": \""));) {
        at += strlen("\"name\": \"");
        status = add_checkpoint(l, *directory ? directory : "/", at, strcspn(at, "\""));
    }
    if (status == OTOK_OK && !l->n)
        status = OTOK_FAIL(OTOK_DATA,
                           "%s: names no checkpoints; give the .vtkhdf.series file of a run", path);
    free(text);
    free(directory);
    fclose(file);
    return status;
}

otok_status otok_movie_find(char ***checkpoints, int *n, const char *path)
{
    struct stat about;
    list l = {0};
    *checkpoints = NULL;
    *n = 0;
    if (stat(path, &about) != 0) return otok_file_failed(path, "read", errno);
    const otok_status status =
        S_ISDIR(about.st_mode) ? in_directory(&l, path) : in_series(&l, path);
    if (status != OTOK_OK) {
        otok_movie_forget(l.at, l.n);
        return status;
    }
    *checkpoints = l.at;
    *n = l.n;
    return OTOK_OK;
}
