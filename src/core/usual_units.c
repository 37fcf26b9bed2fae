/* usual_units.c: see usual_units.h. Without `given` it needs no UDUNITS-2. */
#include "usual_units.h"

#include "units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define YEAR 31556925.9747 /* [s], as in UDUNITS-2 */

static const struct {
    const char *group, *key, *unit;
    double factor;
} usual[] = {{"rain", "rate", "mm/h", 1e-3 / 3600},
             {"infiltration", "conductivity", "mm/h", 1e-3 / 3600},
             {"uplift", "rate", "mm/yr", 1e-3 / YEAR},
             {"reef", "max_growth", "mm/yr", 1e-3 / YEAR},
             {"reef", "burial_scale", "mm/yr", 1e-3 / YEAR},
             {"reef", "denudation", "mm/yr", 1e-3 / YEAR},
             {"reef", "sea_rise", "mm/yr", 1e-3 / YEAR},
             {"producer", "max_growth", "mm/yr", 1e-3 / YEAR}};

enum { USUAL = sizeof usual / sizeof usual[0] };

static int index_of(const char *group, const char *key)
{
    int i = 0;
    while (i < USUAL && (strcmp(group, usual[i].group) != 0 || strcmp(key, usual[i].key) != 0))
        i++;
    return i;
}

int otok_has_usual_unit(const otok_parameter *p)
{
    return index_of(p->group, p->key) < USUAL;
}

const char *otok_usual_text(const otok_parameter *p, const char *given, double value, int digits,
                            char out[64])
{
    const int i = index_of(p->group, p->key), is_pure = strcmp(p->unit, "1") == 0 || !*p->unit;
    const char *unit = i < USUAL ? usual[i].unit : is_pure ? "" : p->unit;
    double factor = i < USUAL ? usual[i].factor : 1;
    char why[OTOK_UNIT_WHY];
    if (given) {
        double of_given = 1;
        char *own;
        strtod(given, &own);
        own += strspn(own, " \t");
        if (*own && !otok_unit_factor(&of_given, own, p->unit, why)) unit = own, factor = of_given;
    }
    snprintf(out, 64, "%.*g%s%s", digits, value / factor, *unit ? " " : "", unit);
    return out;
}
