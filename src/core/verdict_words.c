/* verdict_words.c: the names of verdicts, and what each means and asks for. */
#include "verdict.h"

#include <stdio.h>

static const struct {
    const char *name;
    otok_verdict_words about;
} verdicts[OTOK_VERDICTS] = {
#define OTOK_VERDICT(NAME, name, ...) [OTOK_##NAME] = {#name, {__VA_ARGS__}},
#include "verdicts.def"
};

static int is_known(otok_verdict verdict)
{
    return (int)verdict >= 0 && verdict < OTOK_VERDICTS;
}

const char *otok_verdict_name(otok_verdict verdict)
{
    return is_known(verdict) ? verdicts[verdict].name : "none";
}

const otok_verdict_words *otok_verdict_about(otok_verdict verdict)
{
    return &verdicts[is_known(verdict) ? verdict : OTOK_REFUSED].about;
}

const char *otok_verdict_meanings(char out[OTOK_VERDICT_MEANINGS])
{
    int n = snprintf(out, OTOK_VERDICT_MEANINGS, "none");
    for (int v = 0; v < OTOK_VERDICTS; v++)
        n += snprintf(out + n, (size_t)(OTOK_VERDICT_MEANINGS - n), " %s", verdicts[v].name);
    return out;
}
