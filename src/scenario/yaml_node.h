/* yaml_node.h: a YAML document as a small tree. Every node knows its file and line, so that every
   error can name file, line and key. It does not know what a scenario is. */
#ifndef OTOK_YAML_NODE_H
#define OTOK_YAML_NODE_H

#include "../otok.h"

#include <stddef.h>
#include <stdio.h>

typedef enum otok_node_kind { OTOK_NODE_SCALAR, OTOK_NODE_LIST, OTOK_NODE_MAP } otok_node_kind;

enum {
    OTOK_NODE_PATH = 512,
    OTOK_NODE_DEPTH = 64,
    OTOK_NODE_KEYS = 256,
    OTOK_NODE_LIMIT = 1 << 20
};

typedef struct otok_node {
    otok_node_kind kind;
    int plain;          /* is it a scalar without quotes? */
    int line;           /* line of the key or of the item; 0: from the command line */
    const char *source; /* name of the file, or the words of --set if line is 0; not owned */
    char *key;          /* its key in the parent map; NULL in lists and at the root */
    char *text;         /* of a scalar                                                         */
    char *given;        /* what the text was before otok_node_means; NULL: what it is */
    const void *read;   /* the value that was read from it */
    struct otok_node *parent;
    int n, room;
    struct otok_node **items;
} otok_node;

/* Parses one document; an empty text gives a null scalar. line 0: the text comes from the command
   line, and `source` names it. Aliases are copied out, within the limits above. OTOK_DATA: not
   YAML, several documents, or a key given twice. */
otok_status otok_node_parse(otok_node **out, const char *source, int line, const char *bytes,
                            size_t size);
void otok_node_destroy(otok_node *node);

/* A document that was parsed before without its comments, its indentation and its line breaks
   (malloc): texts that differ in these alone become the same. */
otok_status otok_yaml_bare(char **out, size_t *out_size, const char *bytes, size_t size);

/* A new scalar without text, to be put somewhere; NULL: no memory. */
otok_node *otok_node_create(const char *source, int line);

/* Puts a child under a key (which is copied) of a map, where it replaces an older one, or at the
   end of a list (key NULL). From now on the parent owns the child, after a failure too. */
otok_status otok_node_put(otok_node *parent, const char *key, otok_node *child);

otok_node *otok_node_find(const otok_node *map,
                          const char *key); /* NULL: no such key, or not a map */
int otok_node_is_null(const otok_node *node);

/* "phases.erosion.hydraulic.dt"; an item of a list is named by its `name`, else by its number. */
const char *otok_node_path(const otok_node *node, char out[OTOK_NODE_PATH]);

/* A text for messages: a scalar in quotes, shortened and cleaned, or "a list", "a group",
   "nothing". */
const char *otok_node_show(const otok_node *node, char out[64]);

/* Gives a scalar another text. The second function keeps the old one as given: the new one is the
   number in the unit of its parameter. */
otok_status otok_node_becomes(const otok_node *scalar, const char *text);
otok_status otok_node_means(const otok_node *scalar, const char *text);

/* Notes the place of the value that was read from a scalar. */
void otok_node_read_into(const otok_node *scalar, const void *value);

/* Writes a text in quotes, in one line, as YAML and JSON allow. */
void otok_text_quote(FILE *out, const char *text);

/* The whole node as one line of YAML (malloc); NULL: no memory. */
char *otok_node_line(const otok_node *node);

/* Removes a child from a map and destroys it, if the key exists. */
void otok_node_remove(otok_node *map, const char *key);

otok_status otok_node_no_memory(void); /* OTOK_NOMEM */

/* OTOK_DATA with the text "file:line: path: ..." or "--set words: path: ...". */
otok_status otok_node_fail(const otok_node *node, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
