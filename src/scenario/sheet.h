/* sheet.h: a text of rows and columns, such as a CSV file, as cells. Private to the reader of
   series. */
#ifndef OTOK_SHEET_H
#define OTOK_SHEET_H

#include "../otok.h"

/* How a file is written. 0: found in the file. */
typedef struct otok_dialect {
    char separator;  /* ' ': any run of blanks and tabs */
    char decimal;    /* '.' or ',' */
    char comment[8]; /* begins the lines that are left out */
} otok_dialect;

typedef struct otok_sheet {
    const char *path;
    int columns, n; /* n: rows without titles */
    int title_line; /* 0: it has no titles */
    char **titles;  /* [columns]; NULL: none */
    char **cells;   /* [n * columns], trimmed, without quotes */
    int *lines;     /* [n] */
    char separator; /* that was found */
} otok_sheet;

/* Splits a text, which it changes and which the cells point into. `at` is blamed with the line of
   the file. The caller destroys the table, after a failure too. */
struct otok_node;
otok_status otok_sheet_read(otok_sheet *out, char *bytes, const otok_dialect *dialect,
                            const char *path, const struct otok_node *at);
void otok_sheet_destroy(otok_sheet *table);

/* sheet_cell.c: OTOK_DATA with the file and the line; 0: of the file as a whole. */
otok_status otok_sheet_fail(const otok_sheet *table, int line, const struct otok_node *at,
                            const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Is a cell a number, maybe with a unit? And a word that stands for no value: blank, NaN, NA? */
int otok_cell_is_number(const char *cell);
int otok_cell_is_missing(const char *cell);

/* series_title.c: is it the title of a column of times? Is a word a unit, by any of its names? */
int otok_title_is_time(const char *title);
int otok_is_unit_word(const char *word);

/* Gives the numbers of two columns a decimal point, where the file has a comma. */
otok_status otok_sheet_decimals(otok_sheet *table, const int column[2], char decimal,
                                const struct otok_node *at);

#endif
