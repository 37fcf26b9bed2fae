/* scenario_bad.c - claim: what cannot be meant is refused before anything runs, by a text that
 * names file, line, key and remedy. CHECK_ONCE */
#include "scenario_file.h"

#define HEAD "otok: 1\n"
#define PHASE HEAD "phases:\n  - name: a\n    iterations: 100\n"

typedef struct bad {
    const char *text;
    const char *where;  /* what follows the file's name */
    const char *remedy; /* stands further on            */
} bad;

static const bad cases[] = {
#include "scenario_bad.def"
};

static void check(const bad *c)
{
    otok_scenario *s;
    char place[128];
    snprintf(place, sizeof place, "%s%s", file_path, c->where);
    const otok_status status = file_load(&s, c->text, NULL);
    CHECK(status == OTOK_DATA && !s, "status %d for\n%s", (int)status, c->text);
    CHECK(strncmp(otok_why(), place, strlen(place)) == 0, "%s\nnot at %s for\n%s", otok_why(),
          c->where, c->text);
    CHECK_FOUND(strstr(otok_why(), c->remedy), "%s\nremedy: %s", otok_why(), c->remedy);
    otok_scenario_destroy(s);
}

static void check_load(const char *path, otok_status status, const char *words)
{
    otok_scenario *s;
    CHECK(otok_scenario_load(&s, path, NULL, 0) == status && strstr(otok_why(), words), "%s",
          otok_why());
}

/* Files that are no scenarios at all, and bombs. */
static void check_monsters(void)
{
    check_load("/nonexistent/a.yaml", OTOK_IO, "/nonexistent/a.yaml");
    check_load("/tmp", OTOK_IO, "/tmp");
    const size_t size = (size_t)17 << 20;
    char *big = malloc(size);
    if (!big) exit(1);
    memset(big, '#', size);
    file_write(big, size);
    check_load(file_path, OTOK_DATA, "larger than 16 MiB");
    memset(big, '[', 100000);
    memset(big + 100000, ']', 100000);
    file_write(big, 200000);
    check_load(file_path, OTOK_DATA, ":1: ");
    file_write(big, 100000);
    check_load(file_path, OTOK_DATA, "deeper than 64");
    int n = sprintf(big, "a0: &a0 [x]\n"); /* each alias holds the last one ten times */
    for (int i = 1; i < 12; i++) {
        n += sprintf(big + n, "a%d: &a%d [", i, i);
        for (int j = 0; j < 10; j++)
            n += sprintf(big + n, "%s*a%d", j ? ", " : "", i - 1);
        n += sprintf(big + n, "]\n");
    }
    file_write(big, (size_t)n);
    check_load(file_path, OTOK_DATA, "more than 1048576 values");
    for (n = 0; n < 300; n++)
        sprintf(big + 8 * n, "k%05d:\n", n);
    file_write(big, 2400);
    check_load(file_path, OTOK_DATA, "more than 256 keys");
    free(big);
}

int main(void)
{
    file_create();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check(&cases[i]);
    check_monsters();
    file_remove();
    return check_failures != 0;
}
