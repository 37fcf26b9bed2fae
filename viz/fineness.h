/* fineness.h: how finely a window draws moving pictures, so that it keeps its frame rate. It knows
 * only times, no OpenGL. */
#ifndef OTOK_FINENESS_H
#define OTOK_FINENESS_H

enum { OTOK_COARSEST = 9 };

typedef struct otok_fineness {
    int level; /* 1: finely; 2: with fewer details; n: and in fewer pixels, whose sides are n - 1 */
    int finest;        /* the least level that is tried, 0 or 1: any */
    double slowest;    /* drawing that takes longer is too slow [s]      */
    int frames;        /* at this level                                  */
    int slow;          /* frames in a row that were too slow             */
    double slow_time;  /* what they took together [s]                    */
    int tries, failed; /* is this level tried after a coarser one? how many such trials failed, one
                          after the other */
} otok_fineness;

/* The sides of a pixel of that level. */
int otok_fineness_pixel(int level);

/* A frame was drawn at this level, in so many seconds without what it waited for. Returns 1 if the
   next one has another level. */
int otok_fineness_adapt(otok_fineness *fineness, double seconds);

#endif
