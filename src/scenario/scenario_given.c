/* scenario_given.c: numbers as they were given, "30 mm/h". The structs of a scenario hold values in
   the units of the parameter table; beside them the scenario keeps the texts of those that were
   given with a unit, by the place of the value. A value that was changed since has no text. */
#include "../core/status.h"
#include "../core/usual_units.h"
#include "scenario_read.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Can the text be written without quotes, in one line and between brackets? */
static int is_plain(const char *text)
{
    size_t n = 0;
    while (text[n] && (isalnum((unsigned char)text[n]) || (unsigned char)text[n] >= 0x80 ||
                       strchr(" +-./^*%", text[n])))
        n++;
    return !text[n] && n < sizeof((otok_worded *)0)->text;
}

static int count(const otok_node *node)
{
    int n = node->given && node->read;
    for (int i = 0; i < node->n; i++)
        n += count(node->items[i]);
    return n;
}

static void keep(otok_scenario *s, const otok_node *node)
{
    for (int i = 0; i < node->n; i++)
        keep(s, node->items[i]);
    if (!node->given || !node->read || !is_plain(node->given)) return;
    otok_worded *g = &s->given[s->ngiven++];
    g->at = node->read;
    g->value = strtod(node->text, NULL); /* a reader's local variable is never asked for */
    strcpy(g->text, node->given);
}

otok_status otok_given_keep(otok_scenario *scenario, const otok_node *root)
{
    const int n = count(root);
    if (!n) return OTOK_OK;
    scenario->given = calloc((size_t)n, sizeof *scenario->given);
    if (!scenario->given) return otok_node_no_memory();
    keep(scenario, root);
    return OTOK_OK;
}

const char *otok_as_given(const otok_node *scalar, double value, int digits, const char *unit,
                          char out[64])
{
    const otok_parameter own = {.group = "", .key = "", .unit = unit};
    otok_usual_text(&own, scalar ? scalar->given : NULL, value, digits, out);
    const int is_tiny = value != 0 && fabs(strtod(out, NULL)) < 1e-3;
    return is_tiny ? otok_usual_text(&own, NULL, value, digits, out) : out;
}

const char *otok_scenario_given(const otok_scenario *scenario, const void *value)
{
    for (int i = 0; scenario && i < scenario->ngiven; i++)
        if (scenario->given[i].at == value &&
            memcmp(&scenario->given[i].value, value, sizeof(double)) == 0)
            return scenario->given[i].text;
    return NULL;
}
