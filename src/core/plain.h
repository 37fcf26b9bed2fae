/* plain.h: text of foreign files for terminals and messages. A title, an attribute, a name, a unit
   or a cell of a table may hold anything: escape codes that rename the window, direction marks that
   turn a line round. Whoever prints such text prints it through here. */
#ifndef OTOK_PLAIN_H
#define OTOK_PLAIN_H

#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the character at `text` as it is, or as \uXXXX (also valid in JSON and YAML) if it
   controls a terminal or the direction of text, is a line break, or is not UTF-8. Returns its size
   in bytes, 0 at the end. */
enum { OTOK_PLAIN_SIZE = 8 };
size_t otok_plain_next(char out[OTOK_PLAIN_SIZE], const char *text);

/* The whole text, cut between characters if it does not fit. `size` > 0. Doing it again changes
   nothing. */
void otok_plain(char *out, size_t size, const char *text);

/* Prints it. `lines`: line breaks and tabs stay. */
void otok_plain_put(FILE *out, const char *text, int lines);

/* Prints it as a cell of a CSV table, in quotes if it needs them. */
void otok_plain_cell(FILE *out, const char *text);

#ifdef __cplusplus
}
#endif
#endif
