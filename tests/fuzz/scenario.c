/* scenario.c - input: the text of a scenario. One that is read has a resolved text that is read
 * too, and is its own. */
#include "fuzz.h"
#include "scenario/scenario_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    otok_scenario *scenario, *again;
    if (otok_scenario_parse(&scenario, "fuzz/input.yaml", (const char *)data, size, NULL, 0) !=
        OTOK_OK)
        return 0;
    const char *text = otok_scenario_text(scenario);
    if (otok_scenario_parse(&again, "fuzz/input.yaml", text, strlen(text), NULL, 0) != OTOK_OK) {
        fprintf(stderr, "%s\n%s\n", text, otok_why());
        abort();
    }
    if (strcmp(text, otok_scenario_text(again)) != 0) {
        fprintf(stderr, "%s\n%s\n", text, otok_scenario_text(again));
        abort();
    }
    free(otok_predict_text(scenario, NULL));
    otok_scenario_destroy(scenario);
    otok_scenario_destroy(again);
    return 0;
}
