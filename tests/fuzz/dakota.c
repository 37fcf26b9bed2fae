/* dakota.c - input: a parameters file of Dakota, as `otok driver` reads it. */
#include "fuzz.h"
#include "study/driver.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static otok_asked asked;
    if (otok_asked_read(&asked, fuzz_file("params.in", data, size)) != OTOK_OK) return 0;
    if (asked.nvariables < 0 || asked.nvariables > OTOK_MAX_AXES || asked.nresponses < 0 ||
        asked.nresponses > OTOK_ASKED_MOST || asked.nmetadata < 0 ||
        asked.nmetadata > OTOK_ASKED_MOST)
        abort();
    return 0;
}
