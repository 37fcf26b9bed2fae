/* process.c: helpers with which the rows of processes are written. */
#include "process.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void otok_program_add(otok_builder *b, int kind, int first, int second)
{
    otok_program *p = b->program;
    if (p->nops == OTOK_MAX_OPS) {
        b->overflow = 1;
        return;
    }
    p->ops[p->nops].kind = kind;
    p->ops[p->nops].a = first;
    p->ops[p->nops++].b = second;
}

void otok_program_stage(otok_builder *b, otok_stage which)
{
    otok_program_add(b, OTOK_OP_STAGE, (int)which, 0);
}

void otok_program_halo(otok_builder *b, int buffer, otok_halo mode)
{
    if (mode != OTOK_HALO_ZERO || b->periodic) otok_program_add(b, OTOK_OP_HALO, buffer, (int)mode);
}

void otok_program_swap(otok_builder *b, int one, int other)
{
    otok_program_add(b, OTOK_OP_SWAP, one, other);
}

/* Do ghosts already hold a buffer in this mode, unchanged? */
static int has_halo(const otok_program *p, int buffer, otok_halo mode)
{
    for (int n = p->nops - 1; n >= 0; n--) {
        const otok_op *op = &p->ops[n];
        if (op->kind == OTOK_OP_HALO && op->a == buffer) return op->b == (int)mode;
        if (op->kind == OTOK_OP_SWAP && (op->a == buffer || op->b == buffer)) return 0;
        if (op->kind == OTOK_OP_STAGE && otok_set_has(otok_stage_changes(op->a), buffer)) return 0;
    }
    return 0;
}

void otok_program_beside(otok_builder *b, otok_stage which)
{
    const otok_set given = otok_set_and(otok_stage_infos[which].given, b->given);
    for (int buffer = 0; buffer < OTOK_BUFFERS; buffer++)
        if (otok_set_has(given, buffer) && !has_halo(b->program, buffer, OTOK_HALO_COPY))
            otok_program_halo(b, buffer, OTOK_HALO_COPY);
}

void otok_program_flux(otok_builder *b, otok_stage which)
{
    const otok_set reads = otok_stage_infos[which].reads;
    otok_program_beside(b, which);
    for (int buffer = 0; buffer < OTOK_BUFFERS; buffer++) {
        const int ground = buffer == OTOK_TERRAIN_CHANGE;
        const otok_halo mode = ground ? OTOK_HALO_WALL : OTOK_HALO_ZERO;
        if (!otok_set_has(reads, buffer) || buffer == OTOK_TERRAIN_BASE ||
            buffer == OTOK_CHANGE_NEXT || (ground && !otok_set_has(reads, OTOK_TERRAIN_BASE)) ||
            has_halo(b->program, buffer, mode))
            continue;
        otok_program_halo(b, buffer, mode);
    }
    otok_program_stage(b, which);
    if (b->holds) otok_program_stage(b, OTOK_STAGE_STAY_SIDES);
    otok_program_swap(b, OTOK_TERRAIN_CHANGE, OTOK_CHANGE_NEXT);
}

static double steepness(double degrees)
{
    return tan(degrees * (M_PI / 180.0));
}

float otok_talus_drop(double degrees, double l)
{
    return (float)(steepness(degrees) * l);
}

float otok_talus_drop_diagonal(double degrees, double l, int diagonal)
{
    const double drop = steepness(degrees) * l;
    return (float)(diagonal == OTOK_DIAGONAL_SQRT2 ? drop * sqrt(2.0) : drop);
}

void otok_limit_add(otok_limits *to, const char *name, const char *symbol, otok_certainty certainty,
                    double value, double bound, double dt, const char *format, ...)
{
    otok_limit *limit = &to->at[to->n++];
    *limit = (otok_limit){name, symbol, to->phase, certainty, value,     bound,
                          dt,   "",     "",        0,         to->group, to->now};
    va_list words;
    va_start(words, format);
    vsnprintf(limit->text, sizeof limit->text, format, words);
    va_end(words);
}

void otok_limit_reads(otok_limits *to, const char *format, ...)
{
    otok_limit *limit = &to->at[to->n - 1];
    va_list words;
    va_start(words, format);
    vsnprintf(limit->read, sizeof limit->read, format, words);
    va_end(words);
}

const otok_node *otok_blame(const otok_node *map, ...)
{
    const otok_node *first = NULL;
    va_list keys;
    va_start(keys, map);
    for (const char *key = va_arg(keys, const char *); key; key = va_arg(keys, const char *)) {
        const otok_node *node = otok_node_find(map, key);
        if (node && (!first || (first->line && !node->line))) first = node;
    }
    va_end(keys);
    return first ? first : map;
}
