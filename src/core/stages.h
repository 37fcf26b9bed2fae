/* stages.h: the stages, from stages.def. Each is one function and one kernel, with the same name
   in every backend. */
#ifndef OTOK_STAGES_H
#define OTOK_STAGES_H

#include <stdint.h>

#define BIT(n) (UINT64_C(1) << (n)) /* for sets of fields and buffers */

typedef enum otok_stage {
#define STAGE(NAME, ...) OTOK_STAGE_##NAME,
#include "stages.def"
#undef STAGE
    OTOK_STAGES,
    OTOK_STAGE_SAME = OTOK_STAGES, /* for the column `layers` */
    OTOK_STAGE_FOLLOWED,
    OTOK_STAGE_CARRIED,
    OTOK_STAGE_REFUSED
} otok_stage;

/* The cells that a stage reads. */
typedef enum otok_reach {
    OTOK_HERE,    /* its own cell */
    OTOK_BESIDE,  /* its own cell and the eight around it */
    OTOK_ANYWHERE /* all cells: the stage takes the whole grid at once */
} otok_reach;

typedef struct otok_stage_info {
    const char *name;
    otok_reach reach;
    uint64_t reads, writes; /* bits of buffers in every cell */
    uint64_t seldom;        /* the same, but only in few cells */
    uint64_t given;         /* those that it reads if they exist; of those, it also writes layers */
    otok_stage layers;      /* the stage that replaces it over a ground in layers */
} otok_stage_info;

extern const otok_stage_info otok_stage_infos[OTOK_STAGES];

#endif
