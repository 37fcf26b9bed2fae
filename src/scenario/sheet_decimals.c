/* sheet_decimals.c: commas in the numbers of a sheet: decimals become points, and what may be marks
   between thousands is refused. */
#include "sheet.h"

#include "../core/status.h"
#include "dates.h"

#include <ctype.h>
#include <string.h>

enum { COMMA_NONE, COMMA_UNSURE, COMMA_DECIMAL, COMMA_WRONG };

/* What the comma of a number is: 1,5 has decimals, 1,234 may be 1234, 1.234,5 is neither. */
static int comma_of(const char *cell)
{
    const size_t n = strspn(cell, "+-0123456789.,");
    const char *comma = memchr(cell, ',', n);
    if (!comma) return COMMA_NONE;
    if (memchr(cell, '.', n) || memchr(comma + 1, ',', n - (size_t)(comma + 1 - cell)))
        return COMMA_WRONG;
    const char *begin = cell + strspn(cell, "+-");
    const size_t after = strspn(comma + 1, "0123456789");
    return after != 3 || *begin == '0' || comma - begin > 3 || comma == begin ? COMMA_DECIMAL
                                                                              : COMMA_UNSURE;
}

static int has_point(const char *cell)
{
    return memchr(cell, '.', strspn(cell, "+-0123456789.,")) != NULL;
}

/* 1'200, 1 200, 1_200, and with the blanks and apostrophes of Unicode. */
static int has_marks(const char *cell)
{
    static const char *const marks[] = {"'", " ", "_", "\u00a0", "\u202f", "\u2009", "\u2019"};
    const char *mark = cell + strspn(cell, "+-0123456789.,");
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (strncmp(mark, marks[i], strlen(marks[i])) == 0 &&
            isdigit((unsigned char)mark[strlen(marks[i])]))
            return 1;
    return 0;
}

/* The first rows with each kind of number; -1: none. */
typedef struct decimals {
    int sure, unsure, point;
} decimals;

static char *cell_at(const otok_sheet *t, const int column[2], int i)
{
    return t->cells[(size_t)(i / 2) * (size_t)t->columns + (size_t)column[i % 2]];
}

static otok_status find_decimals(decimals *out, const otok_sheet *t, const int column[2],
                                 const otok_node *at)
{
    *out = (decimals){-1, -1, -1};
    for (int i = 0; i < 2 * t->n; i++) {
        const char *cell = cell_at(t, column, i);
        if (!otok_cell_is_number(cell) || otok_looks_like_date(cell)) continue;
        const int comma = comma_of(cell);
        if (comma == COMMA_WRONG || has_marks(cell))
            return otok_sheet_fail(t, t->lines[i / 2], at,
                                   "\"%.60s\" has marks between thousands; write the number "
                                   "without them",
                                   cell);
        if (comma == COMMA_DECIMAL && out->sure < 0) out->sure = i / 2;
        if (comma == COMMA_UNSURE && out->unsure < 0) out->unsure = i / 2;
        if (has_point(cell) && out->point < 0) out->point = i / 2;
    }
    return OTOK_OK;
}

otok_status otok_sheet_decimals(otok_sheet *t, const int column[2], char decimal,
                                const otok_node *at)
{
    decimals d;
    OTOK_TRY(find_decimals(&d, t, column, at));
    const int some = d.sure >= 0 ? d.sure : d.unsure;
    if (some < 0 && !(decimal == ',' && d.point >= 0)) return OTOK_OK;
    if (decimal == '.' || d.point >= 0)
        return otok_sheet_fail(t, t->lines[d.point >= 0 ? d.point : some], at,
                               "a number has a decimal point and %s a comma; write one of them "
                               "in all numbers, and no marks between thousands",
                               some < 0 ? "decimal: ',' asks for" : "another");
    if (d.sure < 0 && decimal != ',')
        return otok_sheet_fail(t, t->lines[some], at,
                               "a comma with three digits after it may be decimals or thousands; "
                               "write decimal: ',' beside `file`, or the numbers without commas");
    for (int i = 0; i < 2 * t->n; i++) {
        char *cell = cell_at(t, column, i),
             *comma = memchr(cell, ',', strspn(cell, "+-0123456789.,"));
        if (comma) *comma = '.';
    }
    return OTOK_OK;
}
