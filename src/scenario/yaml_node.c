/* yaml_node.c: builds, searches and names the nodes of a YAML tree. yaml_parse.c parses. */
#include "yaml_node.h"

#include "../core/plain.h"
#include "../core/status.h"
#include "../io/file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

otok_node *otok_node_create(const char *source, int line)
{
    otok_node *node = calloc(1, sizeof *node);
    if (!node) return NULL;
    node->plain = 1;
    node->line = line;
    node->source = source;
    return node;
}

void otok_text_quote(FILE *out, const char *text)
{
    char piece[OTOK_PLAIN_SIZE];
    putc('"', out);
    for (size_t n; (n = otok_plain_next(piece, text)); text += n) {
        if (*text == '"' || *text == '\\') putc('\\', out);
        fputs(piece, out);
    }
    putc('"', out);
}

void otok_node_destroy(otok_node *node)
{
    if (!node) return;
    for (int i = 0; i < node->n; i++)
        otok_node_destroy(node->items[i]);
    free(node->items);
    free(node->key);
    free(node->text);
    free(node->given);
    free(node);
}

otok_status otok_node_no_memory(void)
{
    return OTOK_FAIL(OTOK_NOMEM, "no memory for the scenario's text");
}

static otok_status grow(otok_node *parent)
{
    if (parent->n < parent->room) return OTOK_OK;
    const int room = parent->room ? 2 * parent->room : 4;
    otok_node **items = realloc(parent->items, (size_t)room * sizeof *items);
    if (!items) return otok_node_no_memory();
    parent->items = items;
    parent->room = room;
    return OTOK_OK;
}

static otok_status put_child(otok_node *parent, const char *key, otok_node *child)
{
    if (key) {
        child->key = strdup(key);
        if (!child->key) return otok_node_no_memory();
        for (int i = 0; i < parent->n; i++)
            if (strcmp(parent->items[i]->key, key) == 0) {
                otok_node_destroy(parent->items[i]);
                parent->items[i] = child;
                return OTOK_OK;
            }
    }
    OTOK_TRY(grow(parent));
    parent->items[parent->n++] = child;
    return OTOK_OK;
}

otok_status otok_node_put(otok_node *parent, const char *key, otok_node *child)
{
    child->parent = parent;
    const otok_status status = put_child(parent, key, child);
    if (status != OTOK_OK) otok_node_destroy(child);
    return status;
}

otok_node *otok_node_find(const otok_node *map, const char *key)
{
    if (!map || map->kind != OTOK_NODE_MAP) return NULL;
    for (int i = 0; i < map->n; i++)
        if (strcmp(map->items[i]->key, key) == 0) return map->items[i];
    return NULL;
}

int otok_node_is_null(const otok_node *node)
{
    if (node->kind != OTOK_NODE_SCALAR || !node->plain) return 0;
    const char *t = node->text ? node->text : "";
    return !*t || strcmp(t, "~") == 0 || strcmp(t, "null") == 0 || strcmp(t, "Null") == 0 ||
           strcmp(t, "NULL") == 0;
}

static void clean(char *out, size_t size, const char *text)
{
    size_t n = 0;
    for (; text[n] && n + 1 < size; n++)
        out[n] = (unsigned char)text[n] < 0x20 || text[n] == 0x7f ? '?' : text[n];
    out[n] = 0;
}

static void step(const otok_node *node, char out[64])
{
    if (node->key) {
        clean(out, 64, node->key);
        return;
    }
    const otok_node *name = otok_node_find(node, "name");
    if (name && name->kind == OTOK_NODE_SCALAR && name->text && *name->text) {
        clean(out, 64, name->text);
        return;
    }
    int i = 0;
    while (i < node->parent->n && node->parent->items[i] != node)
        i++;
    snprintf(out, 64, "%d", i);
}

const char *otok_node_path(const otok_node *node, char out[OTOK_NODE_PATH])
{
    if (!node->parent) {
        out[0] = 0;
        return out;
    }
    char last[64];
    otok_node_path(node->parent, out);
    step(node, last);
    const size_t n = strlen(out);
    snprintf(out + n, OTOK_NODE_PATH - n, "%s%s", n ? "." : "", last);
    return out;
}

const char *otok_node_show(const otok_node *node, char out[64])
{
    if (node->kind == OTOK_NODE_LIST) return "a list";
    if (node->kind == OTOK_NODE_MAP) return "a group";
    if (otok_node_is_null(node)) return "nothing";
    out[0] = '"';
    clean(out + 1, 48, node->text);
    strcat(out, strlen(node->text) > 47 ? "...\"" : "\"");
    return out;
}

otok_status otok_node_becomes(const otok_node *scalar, const char *text)
{
    otok_node *node =
        (otok_node *)scalar; /* readers get a constant tree; this is the only change */
    char *copy = strdup(text);
    if (!copy) return otok_node_no_memory();
    free(node->text);
    node->text = copy;
    node->plain = 1;
    return OTOK_OK;
}

otok_status otok_node_means(const otok_node *scalar, const char *text)
{
    otok_node *node = (otok_node *)scalar;
    char *given = node->text;
    node->text = NULL;
    const otok_status status = otok_node_becomes(node, text);
    free(status == OTOK_OK ? node->given : node->text);
    *(status == OTOK_OK ? &node->given : &node->text) = given;
    return status;
}

void otok_node_read_into(const otok_node *scalar, const void *value)
{
    ((otok_node *)scalar)->read = value;
}

static void write_line(FILE *out, const otok_node *node)
{
    if (node->kind == OTOK_NODE_SCALAR) {
        if (otok_node_is_null(node))
            fputs("null", out);
        else if (node->plain)
            fputs(node->text, out);
        else
            otok_text_quote(out, node->text);
        return;
    }
    const int is_map = node->kind == OTOK_NODE_MAP;
    putc(is_map ? '{' : '[', out);
    for (int i = 0; i < node->n; i++) {
        if (i) fputs(", ", out);
        if (is_map) fprintf(out, "%s: ", node->items[i]->key);
        write_line(out, node->items[i]);
    }
    putc(is_map ? '}' : ']', out);
}

char *otok_node_line(const otok_node *node)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    write_line(out, node);
    return otok_text_finish(out, &text);
}

void otok_node_remove(otok_node *map, const char *key)
{
    otok_node *child = otok_node_find(map, key);
    if (!child) return;
    int i = 0;
    while (map->items[i] != child)
        i++;
    memmove(map->items + i, map->items + i + 1, (size_t)(--map->n - i) * sizeof *map->items);
    otok_node_destroy(child);
}

otok_status otok_node_fail(const otok_node *node, const char *format, ...)
{
    char what[1200], path[OTOK_NODE_PATH];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (!node) return OTOK_FAIL(OTOK_DATA, "%s", what); /* for values without a file */
    otok_node_path(node, path);
    const char *colon = path[0] ? ": " : "";
    if (!node->line)
        return OTOK_FAIL(OTOK_DATA, "--set %.200s: %s%s%s", node->source, path, colon, what);
    return OTOK_FAIL(OTOK_DATA, "%s:%d: %s%s%s", node->source, node->line, path, colon, what);
}
