/* plain.c: the plain strategy for a program: each stage passes over the whole patch. */
#include "../core/walls.h"

#include "cpu.h"

typedef struct stage_task {
    const otok_patch *patch;
    cpu_stage *stage;
    const otok_coefficients *k;
    otok_walled walled; /* used if the patch has walls */
} stage_task;

/* A cell beside a wall. */
static void stage_cell(const stage_task *t, const otok_patch *patch, int i, int j)
{
    float room[OTOK_WALLED_READS * OTOK_AROUND];
    const ptrdiff_t at = j * patch->view.pitch + i;
    otok_patch alone = *patch;
    otok_walled_cell(&alone.view, room, &patch->view, at, &t->walled);
    t->stage(&alone, (otok_box){0, 1, 0, 1}, t->k);
    otok_walled_seal(&patch->view, at, &t->walled);
}

/* A row between walls, piece by piece. */
static void stage_row(const stage_task *t, const otok_patch *patch, int j)
{
    const float *walls = patch->view.at[OTOK_WALLS] + j * patch->view.pitch;
    const int nx = patch->view.nx, alone = t->walled.n > 0;
    for (int i = 0, end; i < nx; i = end) {
        end = i + 1;
        if (walls[i] == OTOK_IN_WALL) continue;
        if (alone && walls[i] == OTOK_BY_WALL) {
            stage_cell(t, patch, i, j);
            continue;
        }
        while (end < nx && walls[end] != OTOK_IN_WALL && !(alone && walls[end] == OTOK_BY_WALL))
            end++;
        t->stage(patch, (otok_box){i, end, j, j + 1}, t->k);
    }
}

static void stage_between(const stage_task *t, const otok_patch *patch, int y0, int y1)
{
    if (!patch->view.at[OTOK_WALLS] || t->walled.along) {
        t->stage(patch, (otok_box){0, patch->view.nx, y0, y1}, t->k);
        return;
    }
    for (int j = y0; j < y1; j++)
        stage_row(t, patch, j);
}

static void stage_rows(void *task, int y0, int y1)
{
    const stage_task *t = task;
    otok_sum sums[OTOK_SUMS] = {{0, 0}};
    otok_patch mine = *t->patch;
    mine.view.sums = sums;
    stage_between(t, &mine, y0, y1);
    cpu_add_sums(&t->patch->view, sums);
}

/* Rows of other bands. Those bands book what happens there. */
static void unbooked_rows(const stage_task *t, int y0, int y1)
{
    otok_sum sums[OTOK_SUMS];
    otok_patch unbooked = *t->patch;
    unbooked.view.sums = sums;
    if (y0 < y1) stage_between(t, &unbooked, y0, y1);
}

static void run_stage(const otok_patch *patch, const otok_program *program, int op,
                      const otok_coefficients *k)
{
    const otok_view *v = &patch->view;
    const int stage = program->ops[op].a;
    stage_task task = {.patch = patch, .stage = cpu_stages[stage], .k = k};
    if (otok_stage_infos[stage].reach == OTOK_ANYWHERE) {
        task.stage(patch, (otok_box){0, v->nx, 0, v->ny}, k);
        return;
    }
    if (v->at[OTOK_WALLS]) task.walled = otok_walled_of(program, op);
    cpu_share(v, stage_rows, &task);
    unbooked_rows(&task, 0, v->shared[0]);
    unbooked_rows(&task, v->ny - v->shared[1], v->ny);
}

void cpu_plain(otok_patch *patch, const otok_program *program, const otok_coefficients *k)
{
    for (int n = 0; n < program->nops; n++) {
        const otok_op op = program->ops[n];
        switch (op.kind) {
        case OTOK_OP_STAGE: run_stage(patch, program, n, k); break;
        case OTOK_OP_HALO: cpu_halo(patch, op.a, (otok_halo)op.b); break;
        case OTOK_OP_SWAP: cpu_swap(&patch->view, op.a, op.b); break;
        }
    }
}
