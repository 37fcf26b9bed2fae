/* stages.h: the stages, one function and one kernel each, named alike in every backend; from
 * stages.def. */
#ifndef OTOK_STAGES_H
#define OTOK_STAGES_H

#include <stdint.h>

#define BIT(n) (UINT64_C(1) << (n)) /* of sets of fields, buffers, stages */

typedef enum otok_stage {
#define STAGE(NAME, ...) OTOK_STAGE_##NAME,
#include "stages.def"
#undef STAGE
    OTOK_STAGES,
    OTOK_STAGE_SAME = OTOK_STAGES, /* in the column `layers` */
    OTOK_STAGE_FOLLOWED,
    OTOK_STAGE_REFUSED
} otok_stage;

/* The cells that a stage looks at. */
typedef enum otok_reach {
    OTOK_HERE,    /* its own */
    OTOK_BESIDE,  /* and those beside it, corners included */
    OTOK_ANYWHERE /* all: it takes the whole grid at once */
} otok_reach;

typedef struct otok_stage_info {
    const char *name;
    otok_reach reach;
    uint64_t reads,
        writes; /* bits of buffers in every cell; those of a ground's layers are not among them */
    uint64_t seldom;   /* the same of few cells */
    otok_stage layers; /* the stage in its place over a ground in layers */
} otok_stage_info;

extern const otok_stage_info otok_stage_infos[OTOK_STAGES];

#endif
