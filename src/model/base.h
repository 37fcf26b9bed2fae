/* base.h: the base terrain of one cell: a small stack machine over the generators of a pipeline (physics: K17 eq. 1-5). Pure function
   of (code, global cell): same bits everywhere, any tiling. base/compile.c makes the code from a scenario. */
#ifndef OTOK_BASE_H
#define OTOK_BASE_H

#include "common.h"

enum { OTOK_BASE_OPS = 256, OTOK_BASE_STACK = 16 };

typedef struct otok_base_op {
    int kind;
    int n;            /* octaves, ... */
    uint32_t stream;
    float a[6];
} otok_base_op;

typedef struct otok_base_code {
    int nops;
    uint32_t seed[2];
    float spacing;
    otok_base_op ops[OTOK_BASE_OPS];
} otok_base_code;

/* Height of global cell (i, j) [m]. */
OTOK_FN float otok_base_cell(const otok_base_code *code, int i, int j);

#endif
