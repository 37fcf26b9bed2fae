/* yaml_parse.c: parses bytes into a tree with libyaml. */
#include "../core/status.h"
#include "yaml_node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

typedef struct builder {
    yaml_document_t *document;
    const char *source;
    int first; /* line of the first line; 0: lines are not counted */
    int left;  /* nodes that the document may still have */
} builder;

static int line_of(const builder *b, yaml_mark_t mark)
{
    return b->first ? b->first + (int)mark.line : 0;
}

static otok_status fill(otok_node *node, builder *b, const yaml_node_t *from, int depth);

static otok_status word(char **out, const otok_node *where, const yaml_node_t *from)
{
    const char *value = (const char *)from->data.scalar.value;
    if (strlen(value) != from->data.scalar.length)
        return otok_node_fail(where, "a text holds a zero byte; remove it");
    *out = strdup(value);
    return *out ? OTOK_OK : otok_node_no_memory();
}

static otok_status add(otok_node *parent, const char *key, int line, builder *b, int index,
                       int depth)
{
    const yaml_node_t *from = yaml_document_get_node(b->document, index);
    otok_node *child = otok_node_create(b->source, key ? line : line_of(b, from->start_mark));
    if (!child) return otok_node_no_memory();
    OTOK_TRY(otok_node_put(parent, key, child));
    return fill(child, b, from, depth);
}

static otok_status items(otok_node *node, builder *b, const yaml_node_t *from, int depth)
{
    for (const yaml_node_item_t *i = from->data.sequence.items.start;
         i < from->data.sequence.items.top; i++)
        OTOK_TRY(add(node, NULL, 0, b, *i, depth));
    return OTOK_OK;
}

static otok_status add_pair(otok_node *node, builder *b, const yaml_node_pair_t *from, int depth)
{
    const yaml_node_t *key = yaml_document_get_node(b->document, from->key);
    if (key->type != YAML_SCALAR_NODE)
        return otok_node_fail(node, "a key must be a word, not a list or a group");
    const char *name = (const char *)key->data.scalar.value;
    if (strlen(name) != key->data.scalar.length)
        return otok_node_fail(node, "a key holds a zero byte; remove it");
    const int line = line_of(b, key->start_mark);
    const otok_node *twin = otok_node_find(node, name);
    if (twin && line)
        return otok_node_fail(twin, "given a second time in line %d; remove one of the two", line);
    if (twin) return otok_node_fail(twin, "given twice; remove one of the two");
    if (node->n == OTOK_NODE_KEYS)
        return otok_node_fail(node, "more than %d keys; no group has that many", OTOK_NODE_KEYS);
    return add(node, name, line, b, from->value, depth);
}

static otok_status pairs(otok_node *node, builder *b, const yaml_node_t *from, int depth)
{
    for (const yaml_node_pair_t *p = from->data.mapping.pairs.start;
         p < from->data.mapping.pairs.top; p++)
        OTOK_TRY(add_pair(node, b, p, depth));
    return OTOK_OK;
}

static otok_status fill(otok_node *node, builder *b, const yaml_node_t *from, int depth)
{
    if (depth > OTOK_NODE_DEPTH)
        return otok_node_fail(node, "nested deeper than %d levels", OTOK_NODE_DEPTH);
    if (b->left-- <= 0)
        return otok_node_fail(node, "more than %d values, aliases counted each time",
                              OTOK_NODE_LIMIT);
    static const char *const tags[] = {YAML_DEFAULT_SCALAR_TAG, YAML_DEFAULT_SEQUENCE_TAG,
                                       YAML_DEFAULT_MAPPING_TAG};
    const int sort = from->type == YAML_SCALAR_NODE ? 0 : from->type == YAML_SEQUENCE_NODE ? 1 : 2;
    if (strcmp((const char *)from->tag, tags[sort]) != 0)
        return otok_node_fail(node, "a tag (!) has no meaning here; remove it");
    if (sort == 1) {
        node->kind = OTOK_NODE_LIST;
        return items(node, b, from, depth + 1);
    }
    if (sort == 2) {
        node->kind = OTOK_NODE_MAP;
        return pairs(node, b, from, depth + 1);
    }
    node->plain = from->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    return word(&node->text, node, from);
}

static otok_status not_yaml(const yaml_parser_t *parser, const builder *b, const char *bytes,
                            size_t size)
{
    if (parser->error == YAML_MEMORY_ERROR)
        return OTOK_FAIL(OTOK_NOMEM, "no memory to parse %s", b->source);
    if (size > 8 && memcmp(bytes, "\x89HDF\r\n\x1a\n", 8) == 0)
        return OTOK_FAIL(OTOK_DATA,
                         "%s: a checkpoint, not YAML; otok inspect --scenario %s > FILE.yaml "
                         "writes its scenario",
                         b->source, b->source);
    size_t line = parser->problem_mark.line;
    if (parser->error == YAML_READER_ERROR) {
        line = 0;
        for (size_t i = 0; i < size && i < parser->problem_offset; i++)
            line += bytes[i] == '\n';
    }
    const otok_node here = {.source = b->source, .line = b->first ? b->first + (int)line : 0};
    const char *what = parser->problem ? parser->problem : "unknown problem";
    const char *context = parser->context ? parser->context : "";
    return otok_node_fail(&here,
                          "not valid YAML: %s%s%s; check indentation, brackets, quotes and the "
                          "space after each colon",
                          what, *context ? " " : "", context);
}

typedef struct tally {
    int depth, values, anchors, documents;
} tally;

static otok_status count(tally *s, const yaml_event_t *event, const builder *b)
{
    const otok_node here = {.source = b->source, .line = line_of(b, event->start_mark)};
    const int is_map = event->type == YAML_MAPPING_START_EVENT,
              is_list = event->type == YAML_SEQUENCE_START_EVENT;
    if (is_map || is_list) {
        s->depth++;
        s->anchors +=
            (is_map ? event->data.mapping_start.anchor : event->data.sequence_start.anchor) != NULL;
    }
    s->depth -= event->type == YAML_MAPPING_END_EVENT || event->type == YAML_SEQUENCE_END_EVENT;
    s->anchors += event->type == YAML_SCALAR_EVENT && event->data.scalar.anchor;
    s->documents += event->type == YAML_DOCUMENT_START_EVENT;
    s->values++;
    if (s->documents > 1)
        return otok_node_fail(
            &here, "a second document starts here (after ---); keep one document a file");
    if (s->depth > OTOK_NODE_DEPTH)
        return otok_node_fail(&here, "nested deeper than %d levels", OTOK_NODE_DEPTH);
    if (s->anchors > OTOK_NODE_KEYS)
        return otok_node_fail(&here, "more than %d anchors (&)", OTOK_NODE_KEYS);
    if (s->values > 2 * OTOK_NODE_LIMIT)
        return otok_node_fail(&here, "more than %d values", OTOK_NODE_LIMIT);
    return OTOK_OK;
}

/* The first pass finds errors of syntax, and documents that would make the second pass slow: the
   time of libyaml grows with the square of depth and of the number of anchors. */
static otok_status check_events(yaml_parser_t *parser, const builder *b, const char *bytes,
                                size_t size)
{
    tally s = {0};
    for (int more = 1; more;) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event)) return not_yaml(parser, b, bytes, size);
        more = event.type != YAML_STREAM_END_EVENT;
        const otok_status status = count(&s, &event, b);
        yaml_event_delete(&event);
        OTOK_TRY(status);
    }
    return OTOK_OK;
}

static otok_status fill_root(otok_node *root, yaml_parser_t *parser, builder *b, const char *bytes,
                             size_t size)
{
    yaml_document_t document;
    if (!yaml_parser_load(parser, &document)) return not_yaml(parser, b, bytes, size);
    b->document = &document;
    const yaml_node_t *first = yaml_document_get_root_node(&document);
    const otok_status status = first ? fill(root, b, first, 0) : OTOK_OK;
    yaml_document_delete(&document);
    return status;
}

static otok_status parse_once(otok_node *root, builder *b, const char *bytes, size_t size)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return OTOK_FAIL(OTOK_NOMEM, "no memory to parse %s", b->source);
    yaml_parser_set_input_string(&parser, (const unsigned char *)bytes, size);
    const otok_status status =
        root ? fill_root(root, &parser, b, bytes, size) : check_events(&parser, b, bytes, size);
    yaml_parser_delete(&parser);
    return status;
}

otok_status otok_node_parse(otok_node **out, const char *source, int line, const char *bytes,
                            size_t size)
{
    builder b = {.source = source, .first = line, .left = OTOK_NODE_LIMIT};
    *out = NULL;
    OTOK_TRY(parse_once(NULL, &b, bytes, size));
    otok_node *root = otok_node_create(source, line);
    if (!root) return OTOK_FAIL(OTOK_NOMEM, "no memory to parse %s", source);
    const otok_status status = parse_once(root, &b, bytes, size);
    if (status == OTOK_OK)
        *out = root;
    else
        otok_node_destroy(root);
    return status;
}

static int append(void *user, unsigned char *bytes, size_t size)
{
    return fwrite(bytes, 1, size, user) == size;
}

otok_status otok_yaml_bare(char **out, size_t *out_size, const char *bytes, size_t size)
{
    yaml_parser_t parser;
    yaml_emitter_t emitter;
    yaml_document_t document;
    *out = NULL;
    FILE *file = open_memstream(out, out_size);
    if (!file || !yaml_parser_initialize(&parser) || !yaml_emitter_initialize(&emitter))
        return otok_node_no_memory();
    yaml_parser_set_input_string(&parser, (const unsigned char *)bytes, size);
    yaml_emitter_set_output(&emitter, append, file);
    yaml_emitter_set_unicode(&emitter, 1);
    yaml_emitter_set_width(&emitter, -1);
    const int good = yaml_emitter_open(&emitter) && yaml_parser_load(&parser, &document) &&
                     yaml_emitter_dump(&emitter, &document) && yaml_emitter_close(&emitter);
    yaml_emitter_delete(&emitter);
    yaml_parser_delete(&parser);
    if (fclose(file) == 0 && good) return OTOK_OK;
    free(*out);
    *out = NULL;
    return otok_node_no_memory();
}
