/* movie_find.c - claim: the checkpoints of a movie are those of a directory, or those
   that a series names; two stems in a directory and none at all are refused. CHECK_ONCE */
#include "checkpoint_sample.h"
#include "io/movie.h"

enum { N = 4, NX = 13, NY = 7 };

static void check_found(const char *place, char *const files[N])
{
    char **found;
    int n;
    MUST(otok_movie_find(&found, &n, place));
    CHECK(n == N, "%s: %d files", place, n);
    for (int k = 0; k < N; k++) {
        int there = 0;
        for (int i = 0; i < n; i++)
            there += strcmp(found[i], files[k]) == 0;
        CHECK(there == 1, "%s: %s found %d times", place, files[k], there);
    }
    otok_movie_forget(found, n);
}

int main(void)
{
    const char *directory = sample_directory();
    char place[200], *files[N], **found;
    int n;
    otok_snapshot s;
    for (int k = 0; k < N; k++) {
        sample_make(&s, NX, NY, 1, (uint64_t)k + 1);
        s.iteration = 100 * (k + 1);
        files[k] = otok_checkpoint_name(directory, "a", s.iteration);
        MUST(otok_checkpoint_write(files[k], &s));
        otok_snapshot_destroy(&s);
    }
    MUST(otok_checkpoint_series(directory, "a"));
    check_found(directory, files);
    snprintf(place, sizeof place, "%s/a.vtkhdf.series", directory);
    check_found(place, files);
    sample_make(&s, NX, NY, 1, 9);
    char *other = otok_checkpoint_name(directory, "b", 7);
    MUST(otok_checkpoint_write(other, &s));
    otok_snapshot_destroy(&s);
    check_found(place, files);
    CHECK(otok_movie_find(&found, &n, directory) == OTOK_USAGE &&
              strstr(otok_why(), "name the .vtkhdf.series"),
          "'%s'", otok_why());
    CHECK(otok_movie_find(&found, &n, "/none") == OTOK_IO, "'%s'", otok_why());
    free(other);
    for (int k = 0; k < N; k++)
        free(files[k]);
    sample_clean(directory);
    return check_failures != 0;
}
