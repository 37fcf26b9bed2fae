/* expression_names.h: the operators, functions and names of expressions, for expression.c. */
#ifndef OTOK_EXPRESSION_NAMES_H
#define OTOK_EXPRESSION_NAMES_H

#include "expression.h"

enum { POWERS = 7 };

static const struct binary {
    char word[3];
    int level, kind;
} binaries[] = {
    {"||", 1, OTOK_OP_OR},        {"&&", 2, OTOK_OP_AND},     {"<=", 3, OTOK_OP_AT_MOST},
    {">=", 3, OTOK_OP_AT_LEAST},  {"==", 3, OTOK_OP_EQUAL},   {"!=", 3, OTOK_OP_UNEQUAL},
    {"<", 3, OTOK_OP_LESS},       {">", 3, OTOK_OP_MORE},     {"+", 4, OTOK_OP_ADD},
    {"-", 4, OTOK_OP_SUBTRACT},   {"*", 5, OTOK_OP_MULTIPLY}, {"/", 5, OTOK_OP_DIVIDE},
    {"^", POWERS, OTOK_OP_POWER},
};

/* Functions of `least` to `most` arguments. `reduces`: the kind with one argument. */
static const struct function {
    const char *name;
    int least, most, kind, reduces;
} functions[] = {
    {"area", 1, 1, 0, OTOK_OP_AREA},
    {"mean", 1, 1, 0, OTOK_OP_MEAN},
    {"sum", 1, 1, 0, OTOK_OP_SUM},
    {"min", 1, 2, OTOK_OP_SMALLER, OTOK_OP_MIN},
    {"max", 1, 2, OTOK_OP_LARGER, OTOK_OP_MAX},
    {"quantile", 2, 2, 0, OTOK_OP_QUANTILE},
    {"components", 1, 1, 0, OTOK_OP_COMPONENTS},
    {"abs", 1, 1, OTOK_OP_ABS, 0},
    {"sqrt", 1, 1, OTOK_OP_SQRT, 0},
    {"exp", 1, 1, OTOK_OP_EXP, 0},
    {"log", 1, 1, OTOK_OP_LOG, 0},
    {"if", 3, 3, OTOK_OP_IF, 0},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

/* Reducers in words of the others; $ is their argument. */
#define X "log(drainage_area)"
#define CHANNEL(y, value) "mean(if(drainage_area > $ && " y " > 0, " value ", 0/0))"
/* p of y = k drainage_area^p by the least squares of the logarithms */
#define RISE(y) CHANNEL(y, X " * log(" y ")") " - " CHANNEL(y, X) " * " CHANNEL(y, "log(" y ")")
#define RUN(y) CHANNEL(y, X " ^ 2") " - " CHANNEL(y, X) " ^ 2"
#define EXPONENT(y) "(" RISE(y) ") / (" RUN(y) ")"
static const struct named {
    const char *name, *text;
} named[] = {
    {"hypsometry", "(mean($) - min($)) / (max($) - min($))"},
    {"drainage_density", "mean(drainage_area > $) / l"},
    {"slope_area", "-(" EXPONENT("slope") ")"},
    {"theta", "-(" EXPONENT("river_slope") ")"},
    {"hack", EXPONENT("river_length")},
    {"k_sn", "quantile(if(drainage_area > $, steepness, 0/0), 0.5)"},
};
enum { NAMED = sizeof named / sizeof named[0] };

/* Of a cross section of `gauges`. */
static const struct of_section {
    const char *name;
    int kind;
} of_sections[] = {{"discharge", OTOK_OP_DISCHARGE}, {"head", OTOK_OP_HEAD}};

static const struct {
    const char *name;
    int kind;
} constants[] = {{"x", OTOK_OP_X}, {"y", OTOK_OP_Y}, {"l", OTOK_OP_L}};

#endif
