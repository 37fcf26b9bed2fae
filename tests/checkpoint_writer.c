/* checkpoint_writer.c - claim: the writer thread writes all that it is given, in order, with the
   numbers of the moment, and its first failure reaches the caller with its text. CHECK_ONCE */
#include "checkpoint_sample.h"
#include "io/writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

enum { WRITES = 12, KEEP = 3 };

static void writes_all(const char *directory)
{
    otok_writer *writer;
    uint64_t prints[WRITES];
    MUST(
        otok_writer_create(&writer, (otok_grid){120, 90, 2.5}, ALL_FIELDS, otok_memory_heap, 2, 2));
    for (int i = 0; i < WRITES; i++) {
        otok_snapshot *s;
        MUST(otok_writer_slot(writer, &s));
        sample_fill(s, (uint64_t)i + 1);
        s->iteration = 10 * i;
        if (!s->title) s->title = strdup("of a slot");
        prints[i] = s->fingerprint;
        char *path = otok_checkpoint_name(directory, "a", s->iteration);
        MUST(otok_writer_submit(writer, s, path, directory, "a", KEEP));
        free(path);
    }
    MUST(otok_writer_wait(writer));
    for (int i = 0; i < WRITES; i++) {
        char *path = otok_checkpoint_name(directory, "a", 10 * i);
        otok_snapshot s;
        const otok_status status = otok_checkpoint_read(&s, path);
        CHECK((status == OTOK_OK) == (i >= WRITES - KEEP), "%s: status %d", path, (int)status);
        if (status == OTOK_OK)
            CHECK(s.fingerprint == prints[i] && s.iteration == 10 * i &&
                      strcmp(s.title, "of a slot") == 0,
                  "%s", path);
        otok_snapshot_destroy(&s);
        free(path);
    }
    otok_writer_destroy(writer);
}

/* Checkpoints dated in the future, by a clock that was wrong, must not push out the one just
 * written. */
static void survives_clocks(const char *directory)
{
    otok_writer *writer;
    char *paths[3];
    MUST(otok_writer_create(&writer, (otok_grid){12, 9, 2.5}, ALL_FIELDS, otok_memory_heap, 2, 2));
    for (int i = 0; i < 3; i++) {
        otok_snapshot *s;
        paths[i] = otok_checkpoint_name(directory, "clock", i);
        MUST(otok_writer_slot(writer, &s));
        sample_fill(s, (uint64_t)i + 1);
        s->iteration = i;
        MUST(otok_writer_submit(writer, s, paths[i], directory, "clock", 2));
        MUST(otok_writer_wait(writer));
        const struct timespec tomorrow[2] = {{time(NULL) + 86400, 0}, {time(NULL) + 86400, 0}};
        CHECK(i == 2 || utimensat(AT_FDCWD, paths[i], tomorrow, 0) == 0, "cannot date %s",
              paths[i]);
    }
    CHECK(access(paths[2], F_OK) == 0 && access(paths[1], F_OK) == 0 && access(paths[0], F_OK) != 0,
          "the wrong checkpoint was removed");
    otok_writer_destroy(writer);
    for (int i = 0; i < 3; i++) {
        unlink(paths[i]);
        free(paths[i]);
    }
}

static void check_failures_reported(const char *directory)
{
    otok_writer *writer;
    otok_snapshot *s, *t, *none;
    MUST(otok_writer_create(&writer, (otok_grid){20, 10, 1}, 1, otok_memory_heap, 2, 2));
    MUST(otok_writer_slot(writer, &s));
    MUST(otok_writer_slot(writer, &t));
    CHECK(otok_writer_slot(writer, &none) == OTOK_USAGE, "a third slot of two");
    s->fingerprint = otok_snapshot_fingerprint(s);
    MUST(otok_writer_submit(writer, s, "/none/such/a_00000000.vtkhdf", "/none/such", "a", 0));
    CHECK(otok_writer_wait(writer) == OTOK_IO && strstr(otok_why(), "/none/such/a_00000000.vtkhdf"),
          "'%s'", otok_why());
    CHECK(otok_writer_slot(writer, &s) == OTOK_IO && strstr(otok_why(), "No such file"), "'%s'",
          otok_why());
    t->fingerprint = otok_snapshot_fingerprint(t);
    char *path = otok_checkpoint_name(directory, "b", 0);
    MUST(otok_writer_submit(writer, t, path, directory, "b", 0));
    otok_writer_destroy(writer); /* waits */
    CHECK(access(path, F_OK) == 0, "destroy lost a checkpoint");
    free(path);
    CHECK(otok_writer_create(&writer, (otok_grid){20, 10, 1}, 1, otok_memory_heap, 0, 2) ==
                  OTOK_USAGE &&
              !writer,
          "no slots");
}

int main(void)
{
    const char *directory = sample_directory();
    writes_all(directory);
    survives_clocks(directory);
    check_failures_reported(directory);
    sample_clean(directory);
    return check_failures != 0;
}
