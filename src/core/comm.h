/* comm.h: how the patches of one grid exchange data. The only implementation is `solo`: one patch is the whole grid. */
#ifndef OTOK_COMM_H
#define OTOK_COMM_H

#include "state.h"

typedef struct otok_comm {
    const char *name;
    /* The part of a grid of nx*ny cells that is this rank's. */
    void (*split)(int nx, int ny, otok_box *mine);
    /* Is the neighbour beyond `side` of a periodic grid this very patch? Then the backend wraps it itself. */
    int (*wraps)(int side);
    /* Fills the ghost cells that other ranks own, for one buffer on the host or device; nothing to do for solo. */
    otok_status (*exchange)(const otok_view *view, int buffer, void *stream);
    /* Adds up integers over all ranks, in place. */
    otok_status (*add)(int64_t *values, int n);
} otok_comm;

extern const otok_comm otok_comm_solo;

#endif
