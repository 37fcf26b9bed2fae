/* resident.h: what the files of the resident strategy share on the host. Private to cuda/fast/. */
#ifndef OTOK_RESIDENT_H
#define OTOK_RESIDENT_H

#include "../cuda.h"

struct otok_resident;

/* The stages of a program in order, without halos and swaps, those that follow from the edges, and
   running maxima at the end. */
typedef struct otok_stages {
    int n, stage[16]; /* n = -1: too many */
    int keeps;        /* these maxima: OTOK_KEEPS_ */
} otok_stages;

/* A resident kernel: how far around a cell it reads, and how much of the chip it takes. */
typedef struct otok_resident_kernel otok_resident_kernel;
struct otok_resident_kernel {
    const void *entry;
    int halo;      /* rings around a tile */
    int rows;      /* of a warp */
    int warps;     /* of a block, at most */
    size_t shared; /* bytes of a block */
    cudaError_t (*start)(const otok_resident_kernel *kernel, const struct otok_resident *grid,
                         const otok_coefficients *k, dim3 blocks, dim3 threads,
                         cudaStream_t stream);
    bool outermost = false; /* the outermost rows have warps too */
    int together = 1;       /* so many rows belong to one tile */
    int packets = 1;        /* of a cell */
};

otok_stages otok_resident_stages(const otok_program *program);

/* Kernel number `at` for these stages, from 0 on; later ones take taller tiles and are slower.
   NULL: there is none. beside: for patches side by side. */
const otok_resident_kernel *
otok_resident_hydraulic(const otok_stages *stages, const otok_coefficients *k, bool beside, int at);
const otok_resident_kernel *otok_resident_signed(const otok_stages *stages,
                                                 const otok_coefficients *k, bool beside, int at);
const otok_resident_kernel *otok_resident_shallow(const otok_stages *stages,
                                                  const otok_coefficients *k, bool beside, int at);
const otok_resident_kernel *otok_resident_thermal(const otok_stages *stages, bool beside, int at);
const otok_resident_kernel *otok_resident_reef(const otok_stages *stages, bool beside, int at);

#endif
