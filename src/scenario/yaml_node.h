/* yaml_node.h: a YAML document as a small tree. Every node knows its file and line, so that every
   error can name file, line and key. It knows no scenarios. */
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
    int plain;          /* a scalar without quotes                                             */
    int line;           /* of the key, or of the item; 0: from the command line                */
    const char *source; /* the file's name or, where line is 0, the words of --set; not owned  */
    char *key;          /* under which the parent map holds it; NULL in lists and at the root  */
    char *text;         /* of a scalar                                                         */
    struct otok_node *parent;
    int n, room;
    struct otok_node **items;
} otok_node;

/* Parses one document; nothing at all gives a null scalar. line 0: the bytes come from the command
   line and `source` names them. Aliases are copied out, bounded by the limits above. OTOK_DATA: not
   YAML, several documents, a key given twice. */
otok_status otok_node_parse(otok_node **out, const char *source, int line, const char *bytes,
                            size_t size);
void otok_node_destroy(otok_node *node);

/* A fresh scalar without text, to be put somewhere; NULL: no memory. */
otok_node *otok_node_create(const char *source, int line);

/* Puts a child under a key (a copy) of a map, in place of the one that was there, or at the end of
   a list (key NULL). The child is owned from now on, also on failure. */
otok_status otok_node_put(otok_node *parent, const char *key, otok_node *child);

otok_node *otok_node_find(const otok_node *map, const char *key); /* NULL: not there, or no map */
int otok_node_is_null(const otok_node *node);

/* "phases.erosion.hydraulic.dt"; items of a list by their `name` or else their number. */
const char *otok_node_path(const otok_node *node, char out[OTOK_NODE_PATH]);

/* A scalar in quotes, cut and cleaned, or "a list", "a group", "nothing"; for messages. */
const char *otok_node_show(const otok_node *node, char out[64]);

/* Gives a scalar another text, such as a number in the unit of its parameter. */
otok_status otok_node_becomes(const otok_node *scalar, const char *text);

/* A text in quotes, of one line, as YAML and JSON have it. */
void otok_text_quote(FILE *out, const char *text);

/* The whole node as one line of YAML (malloc); NULL: no memory. */
char *otok_node_line(const otok_node *node);

/* Takes a child out of a map and destroys it; no such key: nothing happens. */
void otok_node_remove(otok_node *map, const char *key);

/* OTOK_DATA with the text "file:line: path: ..." or "--set words: path: ...". */
otok_status otok_node_fail(const otok_node *node, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
