/* sheet_cell.c: a cell of a sheet, and the blame for one. */
#include "scenario_read.h"
#include "sheet.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

otok_status otok_sheet_fail(const otok_sheet *t, int line, const otok_node *at, const char *format,
                            ...)
{
    char text[900];
    va_list more;
    va_start(more, format);
    vsnprintf(text, sizeof text, format, more);
    va_end(more);
    otok_node here = *at;
    if (line) here.source = t->path, here.line = line;
    return otok_node_fail(&here, "%s", text);
}

int otok_cell_is_number(const char *cell)
{
    cell += *cell == '-' || *cell == '+';
    cell += *cell == '.' || *cell == ',';
    return isdigit((unsigned char)*cell);
}

int otok_cell_is_missing(const char *cell)
{
    static const char *const words[] = {"na",   "n/a",     "#n/a", "#na", "<na>", "nan", "-nan",
                                        "+nan", "1.#qnan", "null", "nil", "none", "-",   "--",
                                        "---",  "missing", "m",    ".",   "?"};
    if (!*cell) return 1;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcasecmp(cell, words[i]) == 0) return 1;
    return 0;
}
