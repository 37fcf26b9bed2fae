/* scenario.c - fuzzer: scenarios. The canonical text of one that is read is read again, and is then the same. */
#include "core/scenario_read.h"
#include "core/sim.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    otok_scenario *s, *again;
    if (otok_scenario_parse(&s, "scene.yaml", (const char *)data, size, NULL, 0) != OTOK_OK) return 0;
    const char *text = otok_scenario_text(s);
    FUZZ_CHECK(otok_scenario_parse(&again, "scene.yaml", text, strlen(text), NULL, 0) == OTOK_OK);
    FUZZ_CHECK(strcmp(text, otok_scenario_text(again)) == 0);
    uint64_t fields, checkpoint;
    otok_limit limit;
    otok_scenario_bytes(s, &fields, &checkpoint);
    otok_predict_binding(&limit, s);
    otok_scenario_destroy(s);
    otok_scenario_destroy(again);
    return 0;
}
