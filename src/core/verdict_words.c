/* verdict_words.c: the names of verdicts, and what each means and asks for. */
#include "verdict.h"

#include <stdio.h>

static const char *const names[OTOK_VERDICTS] = {"stable",
                                                 "growing",
                                                 "step_dependent",
                                                 "speed_limited",
                                                 "non_conservative",
                                                 "chattering",
                                                 "rolling",
                                                 "ruined",
                                                 "diverged",
                                                 "refused",
                                                 [OTOK_GROWING_PHYSICAL] = "growing_physical",
                                                 [OTOK_GROWING_GRID] = "growing_grid",
                                                 [OTOK_GROWING_NUMERICAL] = "growing_numerical",
                                                 [OTOK_NOT_AUDITED] = "not_audited"};

static const otok_verdict_words words[OTOK_VERDICTS] = {
    [OTOK_STABLE] = {"", "no detector found anything", ""},
    [OTOK_GROWING] = {"times rougher than at the start", "the ground keeps becoming rougher",
                      "run it again with half dt and half l (monitor.rerun does) to see why"},
    [OTOK_STEP_DEPENDENT] =
        {"",
         "the result changes with half the time step, or a part of it that is known to depend on "
         "the "
         "step was not compared",
         "halve dt until the water changes by less than 2.5 %, the ground 4 %, sediment 2 %"},
    [OTOK_SPEED_LIMITED] =
        {"of the wet cells",
         "water, under `law: shallow_water` with its waves, crosses a whole cell in an iteration, "
         "so its speed depends on dt",
         "give the water friction (`law: local_inertia` or `shallow_water`), or lower dt"},
    [OTOK_NON_CONSERVATIVE] = {"of the mass",
                               "water or solids appear or vanish; the ledger tells how much",
                               "use `transport: conservative`, or lower dt"},
    [OTOK_CHATTERING] =
        {"of the wet cells",
         "the water surface flips from cell to cell by as much as the water is deep",
         "lower dt below the limit that otok predict names for the deepest water"},
    [OTOK_ROLLING] =
        {"of the water is beyond the limit",
         "steep waves roll in water faster than Froude 0.6, for which local inertia leaves out the "
         "advection of momentum",
         "use `law: shallow_water`, or raise `manning` until the water is slower; a smaller dt "
         "does not help, and the roughness of the surface means nothing there"},
    [OTOK_RUINED] = {"of all cells",
                     "single cells of ground stand far above or below all their neighbours",
                     "lower the rates of the processes that move the ground"},
    [OTOK_DIVERGED] = {"", "heights beyond all bounds", "lower dt or the rates"},
    [OTOK_NOT_AUDITED] =
        {"",
         "no window of the audit saw what happened, or its strongest moment, or a limit of the "
         "step is broken",
         "otok run --refine tells how much the result depends on the step"},
};

const char *otok_verdict_name(otok_verdict verdict)
{
    return (int)verdict >= 0 && verdict < OTOK_VERDICTS ? names[verdict] : "none";
}

const otok_verdict_words *otok_verdict_about(otok_verdict verdict)
{
    static const otok_verdict_words none = {"", "", ""};
    if ((int)verdict < 0 || verdict >= OTOK_VERDICTS || !words[verdict].meaning) return &none;
    return &words[verdict];
}

const char *otok_verdict_meanings(char out[OTOK_VERDICT_MEANINGS])
{
    int n = snprintf(out, OTOK_VERDICT_MEANINGS, "none");
    for (int v = 0; v < OTOK_VERDICTS; v++)
        n += snprintf(out + n, (size_t)(OTOK_VERDICT_MEANINGS - n), " %s", names[v]);
    return out;
}
