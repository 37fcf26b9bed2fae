/* resident.h: what the files of the resident strategy share on the host. Private to cuda/fast/. */
#ifndef OTOK_RESIDENT_H
#define OTOK_RESIDENT_H

#include "fused.h"

/* The stages of a program in order, without halos and swaps, those of sides, and running maxima at
   the end. */
typedef struct otok_stages {
    int n, stage[16]; /* n = 0: too many, or some that no kernel on chip has */
    int keeps;        /* these maxima: OTOK_KEEPS_ */
} otok_stages;

/* A resident kernel: how far around a cell it reads, and how much of the chip it takes. */
typedef struct otok_resident_kernel {
    const void *entry;      /* void(otok_resident_run) */
    int halo;               /* rings around a tile */
    int rows;               /* of a warp */
    int warps;              /* of a block, at most */
    size_t shared;          /* bytes of a block */
    bool outermost = false; /* the outermost rows have warps too */
    int together = 1;       /* so many rows belong to one tile */
    int packets = 1;        /* of a cell */
    bool rounds = false;    /* the ground after less the ground before is booked as rounding */
} otok_resident_kernel;

/* The index after those of the family, if they come next; else -1. */
static inline int otok_stages_after(const otok_stages *stages, int at,
                                    const otok_fused_family *family)
{
    for (int n = 0; n < family->nops; n++) {
        if (family->ops[n].kind != otok_op::OTOK_OP_STAGE) continue;
        if (at >= stages->n || stages->stage[at++] != family->ops[n].a) return -1;
    }
    return at;
}

static inline bool otok_are_stages(const otok_stages *stages, const otok_fused_family *family)
{
    return otok_stages_after(stages, 0, family) == stages->n;
}

/* Kernel number `at` for these stages, from 0 on; later ones take taller tiles and are slower.
   NULL: there is none. */
typedef const otok_resident_kernel *otok_resident_family(const otok_stages *stages,
                                                         const otok_coefficients *k, int at);
otok_resident_family otok_resident_hydraulic, otok_resident_signed, otok_resident_shallow,
    otok_resident_thermal, otok_resident_reef;

#endif
