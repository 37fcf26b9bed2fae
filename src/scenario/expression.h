/* expression.h: a number that researchers define over the maps of a state, such as
   "area(reef > 0.5) / area(1)". Reducers (area, mean, ...) make numbers of values per cell. The
   language is small on purpose: each operation is exact IEEE arithmetic or of model/math.h, so that
   a text gives the same bits on every machine. General libraries evaluate scalars or arrays of
   them: the reducers, the names and the positions in messages would be ours to parse anyway, and
   comparisons and powers ours to define. experiments/bench/host.md has the times of muParser. */
#ifndef OTOK_EXPRESSION_H
#define OTOK_EXPRESSION_H

#include "../otok.h"

enum {
    OTOK_EXPRESSION_OPS = 160,
    OTOK_EXPRESSION_DEPTH = 16,
    OTOK_EXPRESSION_MAPS = 12,
    OTOK_EXPRESSION_SECTIONS = 8
};

/* Operations in postfix order. BEGIN comes before the operations of a reducer, and `arg` of each is
   the position of the other. FIELD has the number of its map. DISCHARGE and HEAD have their own
   position, and as `number` the number of their cross section. */
typedef struct otok_operation {
    int kind, arg;
    double number; /* of NUMBER; of QUANTILE the share */
} otok_operation;

enum {
    OTOK_OP_NUMBER,
    OTOK_OP_FIELD,
    OTOK_OP_X,
    OTOK_OP_Y,
    OTOK_OP_DISCHARGE,
    OTOK_OP_HEAD,
    OTOK_OP_L,
    OTOK_OP_NEGATE,
    OTOK_OP_NOT,
    OTOK_OP_ABS,
    OTOK_OP_SQRT,
    OTOK_OP_EXP,
    OTOK_OP_LOG,
    OTOK_OP_OR, /* the first of two operands */
    OTOK_OP_AND,
    OTOK_OP_LESS,
    OTOK_OP_AT_MOST,
    OTOK_OP_MORE,
    OTOK_OP_AT_LEAST,
    OTOK_OP_EQUAL,
    OTOK_OP_UNEQUAL,
    OTOK_OP_ADD,
    OTOK_OP_SUBTRACT,
    OTOK_OP_MULTIPLY,
    OTOK_OP_DIVIDE,
    OTOK_OP_POWER,
    OTOK_OP_SMALLER,
    OTOK_OP_LARGER,
    OTOK_OP_IF, /* three operands */
    OTOK_OP_BEGIN,
    OTOK_OP_AREA, /* the first reducer */
    OTOK_OP_MEAN,
    OTOK_OP_SUM,
    OTOK_OP_MIN,
    OTOK_OP_MAX,
    OTOK_OP_DIRECTION, /* the mean of directions */
    OTOK_OP_QUANTILE,
    OTOK_OP_COMPONENTS
};

typedef struct otok_expression {
    int n, nmaps;
    otok_operation ops[OTOK_EXPRESSION_OPS];
    int maps[OTOK_EXPRESSION_MAPS]; /* a field, or OTOK_FIELDS + i of a derived one */
    int nsections;
    char sections[OTOK_EXPRESSION_SECTIONS][OTOK_NAME_SIZE]; /* names of gauges */
} otok_expression;

/* OTOK_DATA: its text names the column, the known names and the nearest one. */
otok_status otok_expression_parse(otok_expression *out, const char *text);

#endif
