/* set.c - input: the words of --set, one a line, on a scenario that has nearly everything. */
#include "fuzz.h"
#include "scenario/scenario_read.h"

enum { MOST = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const path = "experiments/island/island.yaml";
    static char *bytes;
    static size_t length;
    const char *words[MOST];
    int n = 0;
    if (!bytes && otok_text_read(&bytes, &length, path) != OTOK_OK)
        abort(); /* not run from the root of the tree */
    char *text = calloc(1, size + 1), *rest = text, *line;
    if (!text) abort();
    if (size) memcpy(text, data, size);
    while (n < MOST && (line = strsep(&rest, "\n")))
        words[n++] = line;
    otok_scenario *scenario;
    if (otok_scenario_parse(&scenario, path, bytes, length, words, n) == OTOK_OK)
        otok_scenario_destroy(scenario);
    free(text);
    return 0;
}
