/* law_keys.c: which keys belong to one law of a process. */
#include "scenario_read.h"

#include <string.h>

/* The keys that only one law of a process has. */
static const struct {
    const char *group;
    int law;
    const char *key;
} own[] = {
    {"reef", OTOK_REEF_CARBON, "calcification"},   {"reef", OTOK_REEF_CARBON, "uptake"},
    {"reef", OTOK_REEF_CARBON, "max_depth"},       {"reef", OTOK_REEF_CARBON, "carbon"},
    {"reef", OTOK_REEF_LIGHT, "max_growth"},       {"reef", OTOK_REEF_LIGHT, "surface_light"},
    {"reef", OTOK_REEF_LIGHT, "saturating_light"}, {"reef", OTOK_REEF_LIGHT, "rubble"},
    {"reef", OTOK_REEF_LIGHT, "sheltered_growth"}, {"reef", OTOK_REEF_LIGHT, "exposure_scale"},
    {"reef", OTOK_REEF_LIGHT, "burial_scale"},     {"reef", OTOK_REEF_LIGHT, "producers"},
    {"reef", OTOK_REEF_LIGHT, "denudation"},
};

enum { OWN = sizeof own / sizeof own[0] };

int otok_law_of_key(const char *group, const char *key, int law)
{
    for (int n = 0; n < OWN; n++)
        if (strcmp(own[n].group, group) == 0 && strcmp(own[n].key, key) == 0) return own[n].law;
    return law;
}
