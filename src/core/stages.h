/* stages.h: the stages, from stages.def. Each is one function and one kernel, with the same name
   in every backend. */
#ifndef OTOK_STAGES_H
#define OTOK_STAGES_H

#include "set.h"

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
    OTOK_ANYWHERE /* all cells: a global stage, which has the whole grid at once (bands/run.c) */
} otok_reach;

typedef struct otok_stage_info {
    const char *name;
    otok_reach reach;
    otok_set reads, writes; /* buffers in every cell */
    otok_set seldom;        /* the same, but only in few cells; of a global stage: its scratch */
    otok_set given;         /* those that it reads if they exist */
    otok_stage layers;      /* the stage that replaces it over a ground in layers */
} otok_stage_info;

extern const otok_stage_info otok_stage_infos[OTOK_STAGES];

/* The buffers that a stage cannot do without. */
OTOK_FN otok_set otok_stage_touches(const otok_stage_info *stage)
{
    return otok_set_or(otok_set_or(stage->reads, stage->writes), stage->seldom);
}

#endif
