/* checkpoint_newest.c - claim: the newest good checkpoint is found whatever else lies there,
   pruning keeps those written last, and the series lists every checkpoint once, in order.
   CHECK_ONCE */
#include "checkpoint_sample.h"

#include <fcntl.h>
#include <sys/stat.h>

static const char *directory;

static void write_at(const char *stem, int64_t iteration)
{
    otok_snapshot s;
    sample_make(&s, 9, 5, ALL_FIELDS, (uint64_t)iteration);
    s.iteration = iteration;
    s.time = 0.1 * (double)iteration;
    char *path = otok_checkpoint_name(directory, stem, iteration);
    MUST(otok_checkpoint_write(path, &s));
    free(path);
    otok_snapshot_destroy(&s);
}

static void put(const char *name, const char *text)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) exit(77);
}

/* Another content, with the date of the one before or a later one. */
static void put_again(const char *name, int dated)
{
    char path[160];
    struct stat about;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    if (stat(path, &about) != 0) exit(77);
    if (!dated) usleep(20000);
    put(name, "no checkpoint any more");
    const struct timespec times[2] = {about.st_mtim, about.st_mtim};
    if (dated && utimensat(AT_FDCWD, path, times, 0) != 0) exit(77);
}

static int exists(const char *name)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return access(path, F_OK) == 0;
}

/* The iteration found, -1 for none; `word` must be in the texts of those passed over ("" for none).
 */
static int64_t newest(const char *where, const char *stem, const char *word)
{
    otok_snapshot s;
    char *path, *skipped;
    MUST(otok_checkpoint_newest(&s, &path, &skipped, where, stem, (otok_grid){9, 5, 2.5}));
    const int64_t found = path ? s.iteration : -1;
    CHECK(*word ? skipped && strstr(skipped, word) : !skipped, "passed over: %s",
          skipped ? skipped : "nothing");
    otok_snapshot_destroy(&s);
    free(path);
    free(skipped);
    return found;
}

static void check_series(const char *expected)
{
    MUST(otok_checkpoint_series(directory, "isle"));
    char path[160], text[1024] = "";
    snprintf(path, sizeof path, "%s/isle.vtkhdf.series", directory);
    FILE *file = fopen(path, "r");
    if (file) text[fread(text, 1, sizeof text - 1, file)] = 0;
    if (file) fclose(file);
    CHECK(strcmp(text, expected) == 0, "%s", text);
}

int main(void)
{
    directory = sample_directory();
    char *name = otok_checkpoint_name("out", "isle", 123456789);
    CHECK(strcmp(name, "out/isle_123456789.vtkhdf") == 0, "%s", name);
    free(name);
    CHECK(newest("/none/such", "isle", "") == -1, "found in a directory that is not there");
    CHECK(newest(directory, "isle", "") == -1, "found in an empty directory");
    check_series("{\"file-series-version\": \"1.0\", \"files\": [\n]}\n");

    CHECK(!otok_checkpoint_exists(directory, "isle") &&
              !otok_checkpoint_exists("/none/such", "isle"),
          "there is one where there is none");
    write_at("isle", 100);
    CHECK(otok_checkpoint_exists(directory, "isle") && !otok_checkpoint_exists(directory, "isl"),
          "what is there");
    write_at("isle", 0);
    write_at("isle", 123456789);
    write_at("isle", 200);
    write_at("isle_00000001", 900000000); /* another stem that begins alike */
    put("isle_00000999.vtkhdf", "not HDF5");
    put("isle_0000000999999.vtkhdf", "a name that is not ours");
    put("isle_99999999.vtkhdf.bak", "nor this");
    CHECK(newest(directory, "isle", "") == 123456789, "not the newest");
    static const char all[] = "{\"file-series-version\": \"1.0\", \"files\": [\n"
                              "  {\"name\": \"isle_00000000.vtkhdf\", \"time\": 0},\n"
                              "  {\"name\": \"isle_00000100.vtkhdf\", \"time\": 10},\n"
                              "  {\"name\": \"isle_00000200.vtkhdf\", \"time\": 20},\n"
                              "  {\"name\": \"isle_123456789.vtkhdf\", \"time\": 12345678.9}\n]}\n";
    check_series(all);
    usleep(20000);
    check_series(all);
    put_again("isle_00000100.vtkhdf", 1);
    check_series(all); /* a file that is older than the series is not opened again: a run would open
                    all for each */
    put_again("isle_00000100.vtkhdf", 0);
    check_series("{\"file-series-version\": \"1.0\", \"files\": [\n"
                 "  {\"name\": \"isle_00000000.vtkhdf\", \"time\": 0},\n"
                 "  {\"name\": \"isle_00000200.vtkhdf\", \"time\": 20},\n"
                 "  {\"name\": \"isle_123456789.vtkhdf\", \"time\": 12345678.9}\n]}\n");
    write_at("isle", 100);
    check_series(all);
    put("isle_123456789.vtkhdf", "a disk ate it");
    CHECK(newest(directory, "isle", "isle_00000999.vtkhdf") == 200,
          "did not fall back past two damaged ones");

    char from[160], to[160];
    snprintf(from, sizeof from, "%s/isle_00000200.vtkhdf", directory);
    snprintf(to, sizeof to, "%s/isle_00000777.vtkhdf", directory);
    CHECK(rename(from, to) == 0 && newest(directory, "isle", "than its contents, 200") == 100,
          "took one that was renamed");
    CHECK(otok_checkpoint_iteration(to) == 777 && otok_checkpoint_iteration("base.vtkhdf") == -1,
          "iterations of names");
    CHECK(rename(to, from) == 0, "cannot rename it back");

    put(".isle_00000300.vtkhdf.tmp", "left by a killed writer");
    put(".isle.vtkhdf.series.tmp", "left by a killed writer");
    put(".other_00000300.vtkhdf.tmp", "somebody else's");
    MUST(otok_checkpoint_prune(directory, "isle", 0));
    CHECK(exists(".isle_00000300.vtkhdf.tmp"), "another thread may be writing it");
    MUST(otok_checkpoint_sweep(directory, "isle"));
    CHECK(!exists(".isle_00000300.vtkhdf.tmp") && !exists(".isle.vtkhdf.series.tmp") &&
              exists(".other_00000300.vtkhdf.tmp"),
          "temporary files");
    CHECK(exists("isle_00000000.vtkhdf") && exists("isle_00000100.vtkhdf"), "keep 0 must keep all");

    usleep(20000);
    write_at("isle", 150); /* the run went on from 100: 200 and beyond are of its past */
    usleep(20000);
    write_at("isle", 250);
    MUST(otok_checkpoint_prune(directory, "isle", 2));
    CHECK(exists("isle_00000150.vtkhdf") && exists("isle_00000250.vtkhdf"),
          "the two written last must stay");
    CHECK(!exists("isle_00000000.vtkhdf") && !exists("isle_00000200.vtkhdf") &&
              !exists("isle_123456789.vtkhdf"),
          "older ones must go");
    CHECK(exists("isle_00000001_900000000.vtkhdf") && exists("isle_99999999.vtkhdf.bak"),
          "names that are not ours must stay");
    CHECK(newest(directory, "isle", "") == 250, "not the newest");
    MUST(otok_checkpoint_prune(directory, "isle", -1));
    CHECK(!otok_checkpoint_exists(directory, "isle") && !exists("isle.vtkhdf.series"),
          "-1 must remove all");
    CHECK(exists("isle_00000001_900000000.vtkhdf"), "names that are not ours must stay");
    sample_clean(directory);
    return check_failures != 0;
}
