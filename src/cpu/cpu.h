/* cpu.h: the stages of the CPU backend. A stage computes the rows of a box on one thread and
   vectorises the cells of a row. It only loads, calls the model's cell function, stores and
   books. threads.c shares rows among threads, plain.c and fused.c order the stages. */
#ifndef OTOK_CPU_H
#define OTOK_CPU_H

#include "../core/backend.h"
#include "../core/neighbours.h"
#include "../core/rounding.h"
#include "../model/fixed.h"
#include "../model/layers.h"
#include "../scenario/scenario.h"

typedef void cpu_stage(const otok_patch *patch, otok_box box, const otok_coefficients *k);

/* By otok_stage. */
extern cpu_stage *const cpu_stages[OTOK_STAGES];

#define STAGE(NAME, name, ...) cpu_stage cpu_##name;
#include "../core/stages.def"
#undef STAGE

/* A stage that is one call, which knows `patch`, `b` and `k`. */
#define CPU_STAGE(name, call)                                                                      \
    void cpu_##name(const otok_patch *patch, otok_box b, const otok_coefficients *k)               \
    {                                                                                              \
        (void)k, call;                                                                             \
    }

/* Fills the ghost ring of a buffer: x first, then y with the corners. The other two fill a part
   of it: of rows, and beyond the bottom or top. */
void cpu_halo(const otok_patch *patch, int buffer, otok_halo mode);
void cpu_halo_sides(const otok_patch *patch, int buffer, otok_halo mode, int y0, int y1);
void cpu_halo_end(const otok_patch *patch, int buffer, otok_halo mode, otok_side side);

/* One iteration by the plain strategy; plain.c. */
void cpu_plain(otok_patch *patch, const otok_program *program, const otok_coefficients *k);

/* The fused strategy; fused.c. Whether it can run a program, one iteration, and the least number
   of bytes that it moves a cell. */
int cpu_can_fuse(const otok_patch *patch, const otok_program *program);
void cpu_fused(otok_patch *patch, const otok_program *program, const otok_coefficients *k);
int cpu_fused_bytes(const otok_program *program);

/* Carries out a plan; base.c. */
otok_status cpu_base(otok_patch *patch, const otok_base_plan *plan, double *seconds);

/* The size of a droplet, and the memory for those of a batch. */
size_t cpu_droplet_bytes(void);
static inline void *cpu_droplet_room(const otok_patch *patch)
{
    return *(void **)patch->own;
}

/* The number of threads that a grid of this size keeps busy. */
int cpu_threads(const otok_view *view);

/* Shares the rows that a patch owns among threads: each calls `work` for its rows y0 <= y < y1. */
typedef void cpu_work(void *task, int y0, int y1);
void cpu_share(const otok_view *view, cpu_work *work, void *task);

otok_status cpu_fastest(otok_patch *patch, float wave, float *out);
otok_status cpu_measure(otok_patch *patch, int buffer, otok_field_summary *out);
otok_status cpu_diagnose(otok_patch *patch, otok_diagnostics_request *request);
otok_status cpu_compare(const otok_twins *pair, otok_audit_sums *out);

/* Adds a stage's booking to its sum. Each thread has a view with its own sums. In rows that a halo
   does not reach values may be any, and their sums, which nobody reads, wrap. */
static inline void cpu_book(const otok_view *view, int sum, int64_t hi, int64_t lo)
{
    otok_sum *to = &view->sums[sum];
    to->hi = (int64_t)((uint64_t)to->hi + (uint64_t)hi);
    to->lo = (int64_t)((uint64_t)to->lo + (uint64_t)lo);
}

/* Adds a number of a thread to that of the grid. Most are 0. A critical section would block all
   members of a study. */
static inline void cpu_add(int64_t *sum, int64_t more)
{
    if (more == 0) return;
#pragma omp atomic
    *sum += more;
}

/* Adds a thread's sums to the grid's. */
static inline void cpu_add_sums(const otok_view *view, const otok_sum *sums)
{
    for (int s = 0; s < OTOK_SUMS; s++) {
        cpu_add(&view->sums[s].hi, sums[s].hi);
        cpu_add(&view->sums[s].lo, sums[s].lo);
    }
}

static inline void cpu_swap(otok_view *view, int a, int b)
{
    float *other = view->at[a];
    view->at[a] = view->at[b];
    view->at[b] = other;
}

/* Adds sign times a row's cells to a sum. A separate loop always becomes vectors. */
static inline void cpu_book_row(const otok_view *view, int sum, int sign, const float *row,
                                otok_box b)
{
    int64_t hi = 0, lo = 0;
#pragma omp simd reduction(+ : hi, lo)
    for (int i = b.x0; i < b.x1; i++) {
        const otok_fixed cell = otok_fixed_from(row[i]);
        hi += cell.hi;
        lo += cell.lo;
    }
    cpu_book(view, sum, sign * hi, sign * lo);
}

/* Adds by how much a row's cells have become more. */
static inline void cpu_book_moved(const otok_view *view, int sum, const float *was, const float *is,
                                  otok_box b)
{
    cpu_book_row(view, sum, -1, was, b);
    cpu_book_row(view, sum, 1, is, b);
}

/* Adds the rises of cells, in an iteration in which what moves counts. */
static inline void cpu_book_risen(const otok_view *view, int64_t hi, int64_t lo)
{
    const int counts = otok_moves_count(view->steps[*view->now].iteration);
    cpu_book(view, OTOK_SUM_GROUND_MOVED, counts * hi, counts * lo);
}

/* Books a row between whose cells, and those beside, solid moved: rounding, and the rises. */
static inline void cpu_book_flux(const otok_view *view, const float *was, const float *is,
                                 otok_box b)
{
    int64_t hi = 0, lo = 0;
    cpu_book_moved(view, OTOK_SUM_GROUND_ROUNDED, was, is, b);
    if (!otok_moves_count(view->steps[*view->now].iteration)) return;
#pragma omp simd reduction(+ : hi, lo)
    for (int i = b.x0; i < b.x1; i++) {
        const otok_fixed old = otok_fixed_from(was[i]),
                         now = otok_fixed_from(is[i] > was[i] ? is[i] : was[i]);
        hi += now.hi - old.hi;
        lo += (int64_t)now.lo - old.lo;
    }
    cpu_book_risen(view, hi, lo);
}

/* Adds what was laid down and the losses of the layers. */
static inline void cpu_book_layers(const otok_view *view, const otok_layer_books *books)
{
    for (int i = 0; i <= OTOK_LAYERS; i++)
        cpu_book(view, OTOK_SUM_DEPOSITED + i, books->hi[i], books->lo[i]);
}

#endif
