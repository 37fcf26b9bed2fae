/* scenario_items.h: parameters of kind OTOK_STRUCTS: lists such as the rivers of a phase, whose
   items are structs of one group of parameters. The four sides are no list: their number and their
   names are fixed, and keys such as `left_level` are rows of their group, which have reader,
   writer, checks, path and reference without more (process_sides.c; scenario_lists tries both). */
#ifndef OTOK_SCENARIO_ITEMS_H
#define OTOK_SCENARIO_ITEMS_H

#include "scenario.h"

typedef struct otok_items {
    size_t count,
        size; /* offset of the number of items (int) in the owner's struct; of one [bytes] */
    enum {
        OTOK_ITEMS_PLAIN, /* the items are in the owner's struct; a block of text for each */
        OTOK_ITEMS_NAMED, /* the same; the name of each is beside its dash */
        OTOK_ITEMS_LINE,  /* the same; the text is one line */
        OTOK_ITEMS_BARE,  /* the same; an item is its value, or [its values, ...], without keys */
        OTOK_ITEMS_OWNED  /* the owner's struct has a pointer to the items; text as PLAIN */
    } style;
} otok_items;

/* The number of items of a list, and item i, in the struct of its owner. */
int otok_items_count(const otok_parameter *list, const void *owner);
void *otok_items_at(const otok_parameter *list, const void *owner, int i);

/* The parameter of a path as for --set, such as phases.flood.rivers.0.discharge: an item of a list
   is named by its number or its name; NULL: there is none. */
const otok_parameter *otok_parameter_at_path(const char *path);

/* Frees what the values of a group own: series, and items with theirs. */
void otok_group_clear(void *at, const char *group);

#endif
