/* study_inputs.c: the files that members read besides their scenario: rasters, series, initial
   states. A journal names them with their hashes, in comments behind the scenario, so that members
   of other files do not join it. */
#include "../io/file.h"
#include "../io/sha256.h"
#include "../scenario/scenario_read.h"
#include "journal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct listing {
    FILE *out;
    char *text, *directory;
    size_t size;
} listing;

/* Lists a file once, by the name that the scenario or an axis gives it. Other words name none. */
static void add_word(listing *l, const char *word)
{
    char path[4200], line[4300];
    struct stat about;
    const char *folder = *word == '/' ? "" : l->directory, *slash = *word == '/' ? "" : "/";
    if (!*word || strchr(word, '\n') ||
        snprintf(path, sizeof path, "%s%s%s", folder, slash, word) >= (int)sizeof path)
        return;
    snprintf(line, sizeof line, " %s\n", word);
    fflush(l->out);
    if (strstr(l->text, line) || stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return;
    otok_sha256_input(l->out, OTOK_JOURNAL_INPUT, path, word);
}

static void add_words(listing *l, const otok_node *node)
{
    if (node->text) add_word(l, node->text);
    for (int i = 0; i < node->n; i++)
        add_words(l, node->items[i]);
}

otok_status otok_study_inputs(char **out, const otok_study *s)
{
    listing l = {0};
    char *whole = NULL, *stem = NULL;
    otok_node *root = NULL;
    *out = NULL;
    otok_status status = otok_path_split(&whole, &l.directory, &stem, s->scenario);
    if (status == OTOK_OK) status = otok_node_parse(&root, s->scenario, 1, s->text, s->size);
    if (status == OTOK_OK) l.out = open_memstream(&l.text, &l.size);
    if (l.out) {
        add_words(&l, root);
        for (int a = 0; a < s->naxes; a++)
            for (int v = 0; v < s->axes[a].nvalues; v++)
                add_word(&l, s->axes[a].values[v]);
    }
    if (status == OTOK_OK) *out = otok_text_finish(l.out, &l.text);
    otok_node_destroy(root);
    free(whole);
    free(l.directory);
    free(stem);
    return *out || status != OTOK_OK ? status : OTOK_FAIL(OTOK_NOMEM, "no memory for a study");
}

/* A part of a study as bytes. */
typedef struct part {
    const char *at, *end;
} part;

/* The lines of inputs, with which its text ends. */
static part inputs_of(const char *bytes, size_t size)
{
    while (size && !bytes[size - 1])
        size--;
    const char *end = bytes + size,
               *at = memmem(bytes, size, OTOK_JOURNAL_INPUT, sizeof OTOK_JOURNAL_INPUT - 1);
    return (part){at ? at : end, end};
}

/* Takes the next line, without its end; 0: there is none. */
static int next_line(part *line, part *from)
{
    const char *end = memchr(from->at, '\n', (size_t)(from->end - from->at));
    *line = (part){from->at, end};
    if (end) from->at = end + 1;
    return end && end - line->at > OTOK_JOURNAL_INPUT_NAME;
}

int otok_study_other_input(char name[OTOK_TEXT_SIZE], const char *mine, size_t my_size,
                           const char *theirs, size_t their_size)
{
    part from = inputs_of(mine, my_size), line, other;
    while (next_line(&line, &from))
        for (part all = inputs_of(theirs, their_size); next_line(&other, &all);) {
            const size_t length = (size_t)(line.end - line.at);
            const char *named = line.at + OTOK_JOURNAL_INPUT_NAME;
            if (length != (size_t)(other.end - other.at) ||
                memcmp(named, other.at + OTOK_JOURNAL_INPUT_NAME,
                       length - OTOK_JOURNAL_INPUT_NAME) != 0 ||
                memcmp(line.at, other.at, OTOK_JOURNAL_INPUT_NAME) == 0)
                continue;
            snprintf(name, OTOK_TEXT_SIZE, "%.*s", (int)(line.end - named), named);
            return 1;
        }
    return 0;
}

size_t otok_study_inputs_at(const char *bytes, size_t size)
{
    return (size_t)(inputs_of(bytes, size).at - bytes);
}
