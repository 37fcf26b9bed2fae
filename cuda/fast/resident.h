/* resident.h: what the files of the resident strategy share on the host. Private to cuda/fast/. */
#ifndef OTOK_RESIDENT_H
#define OTOK_RESIDENT_H

#include "../cuda.h"

/* The stages of a program in order, without halos and swaps, those that follow from the edges, and
   running maxima at the end. */
typedef struct otok_stages {
    int n, stage[16]; /* n = -1: too many */
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

otok_stages otok_resident_stages(const otok_program *program);

template <int N> bool otok_are_stages(const otok_stages *stages, const int (&wanted)[N])
{
    for (int n = 0; n < N; n++)
        if (stages->n != N || stages->stage[n] != wanted[n]) return false;
    return true;
}

/* Kernel number `at` for these stages, from 0 on; later ones take taller tiles and are slower.
   NULL: there is none. beside: for patches side by side. */
const otok_resident_kernel *
otok_resident_hydraulic(const otok_stages *stages, const otok_coefficients *k, bool beside, int at);
const otok_resident_kernel *otok_resident_signed(const otok_stages *stages,
                                                 const otok_coefficients *k, bool beside, int at);
const otok_resident_kernel *otok_resident_shallow(const otok_stages *stages,
                                                  const otok_coefficients *k, bool beside, int at);
const otok_resident_kernel *otok_resident_thermal(const otok_stages *stages,
                                                  const otok_coefficients *k, bool beside, int at);
const otok_resident_kernel *otok_resident_reef(const otok_stages *stages,
                                               const otok_coefficients *k, bool beside, int at);

#endif
