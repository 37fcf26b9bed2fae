/* expression_section.c: the cross sections of expressions; see expressions.h. */
#include "../core/status.h"
#include "expressions.h"
#include "section.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The water of a cell of the maps. */
static otok_status read_cell(void *user, int i, int j, otok_section_cell *out)
{
    const otok_cells *c = user;
    const int64_t at = (int64_t)j * c->grid.nx + i;
    const double d = (double)c->maps[OTOK_WATER][at];
    *out = (otok_section_cell){d, (double)c->maps[OTOK_TERRAIN][at] + d,
                               (double)c->maps[OTOK_VELOCITY_X][at],
                               (double)c->maps[OTOK_VELOCITY_Y][at]};
    if (c->walls && c->walls[at]) *out = (otok_section_cell){0, NAN, 0, 0};
    return OTOK_OK;
}

static const otok_gauge *find_section(const otok_scenario *s, const char *name)
{
    for (int g = 0; g < s->ngauges; g++)
        if (strcmp(s->gauges[g].name, name) == 0 && otok_gauge_is_section(&s->gauges[g]))
            return &s->gauges[g];
    return NULL;
}

static otok_status fail_unknown(const otok_scenario *s, const char *name)
{
    char known[256] = "";
    for (int g = 0; g < s->ngauges && strlen(known) < 160; g++)
        if (otok_gauge_is_section(&s->gauges[g]))
            snprintf(known + strlen(known), sizeof known - strlen(known), "%s%.60s",
                     *known ? ", " : "", s->gauges[g].name);
    return OTOK_FAIL(OTOK_DATA,
                     "no cross section of `gauges` is `%s`; the scenario has %s; write {name: %s, "
                     "x: ..., y: ..., to_x: ..., to_y: ...} there",
                     name, *known ? known : "none", name);
}

otok_status otok_expression_check(const otok_expression *e, const otok_scenario *s)
{
    for (int n = 0; n < e->nsections; n++)
        if (!find_section(s, e->sections[n])) return fail_unknown(s, e->sections[n]);
    return OTOK_OK;
}

otok_status otok_expression_section(double *out, const otok_expression *e, const otok_operation *op,
                                    const otok_cells *cells)
{
    const otok_gauge *line = find_section(cells->scenario, e->sections[(int)op->number]);
    otok_cells maps = *cells;
    otok_section through;
    if (!line) return fail_unknown(cells->scenario, e->sections[(int)op->number]);
    OTOK_TRY(otok_section_measure(&through, line, cells->scenario, read_cell, &maps));
    *out = op->kind == OTOK_OP_HEAD ? through.head : through.discharge;
    return OTOK_OK;
}
