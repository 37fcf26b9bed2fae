/* plain.c: the plain strategy for a program: each stage passes over the whole patch. */
#include "cpu.h"

typedef struct stage_task {
    const otok_patch *patch;
    cpu_stage *stage;
    const otok_coefficients *k;
} stage_task;

static void stage_rows(void *task, int y0, int y1)
{
    const stage_task *t = task;
    otok_sum sums[OTOK_SUMS] = {{0, 0}};
    otok_patch mine = *t->patch;
    mine.view.sums = sums;
    t->stage(&mine, (otok_box){0, mine.view.nx, y0, y1}, t->k);
    cpu_add_sums(&t->patch->view, sums);
}

void cpu_unbooked(const otok_patch *patch, cpu_stage *stage, int y0, int y1,
                  const otok_coefficients *k)
{
    otok_sum sums[OTOK_SUMS];
    otok_patch unbooked = *patch;
    unbooked.view.sums = sums;
    if (y0 < y1) stage(&unbooked, (otok_box){0, unbooked.view.nx, y0, y1}, k);
}

static void run_stage(const otok_patch *patch, int stage, const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    cpu_stage *const function = cpu_stages[stage];
    if (otok_stage_infos[stage].reach == OTOK_ANYWHERE) {
        function(patch, (otok_box){0, v->nx, 0, v->ny}, k);
        return;
    }
    cpu_share(v, stage_rows, &(stage_task){patch, function, k});
    cpu_unbooked(patch, function, 0, v->shared[0], k);
    cpu_unbooked(patch, function, v->ny - v->shared[1], v->ny, k);
}

void cpu_plain(otok_patch *patch, const otok_program *program, const otok_coefficients *k)
{
    for (int n = 0; n < program->nops; n++) {
        const otok_op op = program->ops[n];
        switch (op.kind) {
        case OTOK_OP_STAGE: run_stage(patch, op.a, k); break;
        case OTOK_OP_HALO: cpu_halo(patch, op.a, (otok_halo)op.b); break;
        case OTOK_OP_SWAP: cpu_swap(&patch->view, op.a, op.b); break;
        }
    }
}
