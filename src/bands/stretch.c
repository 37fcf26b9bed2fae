/* stretch.c: see stretch.h. It follows the buffers through the stages with the table of
 * core/stages.def. */
#include "stretch.h"

#include "../core/status.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 64 }; /* iterations without an exchange */

/* What is known of the buffers while walking through a program, by their current names. */
typedef struct march {
    int wrong[OTOK_BUFFERS]; /* rows from the rim that hold wrong values */
    int first[OTOK_BUFFERS]; /* the name that the buffer had at first */
    otok_set reads;          /* by their first names */
    otok_set written;
} march;

static march march_from_here(void)
{
    march m = {0};
    for (int b = 0; b < OTOK_BUFFERS; b++)
        m.first[b] = b;
    return m;
}

static int worst(const march *m, otok_set buffers)
{
    int rows = 0;
    for (int b = 0; b < OTOK_BUFFERS; b++)
        if (otok_set_has(buffers, b) && m->wrong[b] > rows) rows = m->wrong[b];
    return rows;
}

static void swap_members(otok_set *set, int a, int b)
{
    const int had_a = otok_set_has(*set, a), had_b = otok_set_has(*set, b);
    *set = otok_set_without(*set, otok_set_or(otok_set_one(a), otok_set_one(b)));
    if (had_b) otok_set_add(set, a);
    if (had_a) otok_set_add(set, b);
}

static void swap(march *m, int a, int b)
{
    const int rows = m->wrong[a], first = m->first[a];
    m->wrong[a] = m->wrong[b];
    m->wrong[b] = rows;
    m->first[a] = m->first[b];
    m->first[b] = first;
    swap_members(&m->written, a, b);
}

/* One stage. Returns how many rows are wrong in what it makes. */
static int add_stage(march *m, otok_stage which, otok_set present)
{
    const otok_stage_info *stage = &otok_stage_infos[which];
    const otok_set often = otok_set_or(stage->seldom, stage->given),
                   in = otok_set_and(otok_set_or(stage->reads, often), present),
                   out = otok_set_and(otok_stage_changes((int)which), present);
    const int rows = worst(m, in) + (stage->reach == OTOK_BESIDE);
    for (int b = 0; b < OTOK_BUFFERS; b++)
        if (otok_set_has(in, b) && !otok_set_has(m->written, b))
            otok_set_add(&m->reads, m->first[b]);
    for (int b = 0; b < OTOK_BUFFERS; b++)
        if (otok_set_has(out, b) && (rows > m->wrong[b] || !otok_set_has(stage->seldom, b)))
            m->wrong[b] = rows;
    m->written = otok_set_or(m->written, out);
    return rows;
}

/* Walks through one iteration. Returns the largest number of wrong rows in anything that was
   made. */
static int iterate(march *m, const otok_program *program, otok_set present)
{
    int most = 0;
    for (int n = 0; n < program->nops; n++) {
        const otok_op op = program->ops[n];
        if (op.kind == OTOK_OP_SWAP) swap(m, op.a, op.b);
        if (op.kind != OTOK_OP_STAGE) continue;
        const int rows = add_stage(m, (otok_stage)op.a, present);
        most = rows > most ? rows : most;
    }
    return most;
}

static int is_whole(otok_op op)
{
    return op.kind == OTOK_OP_STAGE && otok_stage_infos[op.a].reach == OTOK_ANYWHERE;
}

/* Sets what a stretch reads and writes. Swaps that are not undone move what is written, so both
   names of a swapped buffer count. */
static void describe(otok_stretch *s, otok_set present)
{
    march m = march_from_here();
    if (s->program.nops == 1 && is_whole(s->program.ops[0])) {
        s->whole = 1;
        s->most = 1;
        s->reads = otok_stage_inputs((otok_stage)s->program.ops[0].a);
        s->writes = otok_stage_infos[s->program.ops[0].a].writes;
        return;
    }
    iterate(&m, &s->program, present);
    s->reads = m.reads;
    otok_set_add(&s->reads, OTOK_WALLS); /* which every stage reads, if there are walls */
    s->writes = m.written;
    for (int n = 0; n < s->program.nops;
         n++) /* a buffer that is swapped but not written brings its old shared rows */
        if (s->program.ops[n].kind == OTOK_OP_SWAP) {
            otok_set_add(&s->writes, s->program.ops[n].a);
            otok_set_add(&s->writes, s->program.ops[n].b);
        }
    s->most = 1;
}

/* The number of iterations of a program until the shared rows are used up. */
static int most_iterations(const otok_program *program, otok_set present, int depth)
{
    march m = march_from_here();
    int n = 0;
    while (n < MOST && iterate(&m, program, present) <= depth)
        n++;
    return n > 0 ? n : 1;
}

static otok_status add(otok_stretches *out, otok_stretch **last)
{
    otok_stretch *more = realloc(out->list, ((size_t)out->n + 1) * sizeof *more);
    if (!more) return OTOK_FAIL(OTOK_NOMEM, "no memory to divide a program");
    out->list = more;
    *last = &more[out->n++];
    memset(*last, 0, sizeof **last);
    return OTOK_OK;
}

otok_status otok_stretches_make(otok_stretches *out, const otok_program *program, otok_set present,
                                int depth)
{
    otok_stretch *now = NULL;
    march m = march_from_here();
    *out = (otok_stretches){0};
    for (int n = 0; n < program->nops; n++) {
        const otok_op op = program->ops[n];
        const int stage = op.kind == OTOK_OP_STAGE;
        march next = m;
        const int over =
            stage && !is_whole(op) && add_stage(&next, (otok_stage)op.a, present) > depth;
        if (!now || over || is_whole(op) ||
            (now->program.nops == 1 && is_whole(now->program.ops[0]))) {
            OTOK_TRY(add(out, &now));
            m = next = march_from_here();
            if (stage && !is_whole(op)) add_stage(&next, (otok_stage)op.a, present);
        }
        m = next;
        if (op.kind == OTOK_OP_SWAP) swap(&m, op.a, op.b);
        now->program.ops[now->program.nops++] = op;
    }
    for (int s = 0; s < out->n; s++)
        describe(&out->list[s], present);
    int last = 0;
    while (last < out->n && out->list[last].whole)
        last++;
    if (last == out->n - 1)
        out->list[last].most = most_iterations(&out->list[last].program, present, depth);
    return OTOK_OK;
}

void otok_stretches_destroy(otok_stretches *stretches)
{
    free(stretches->list);
    *stretches = (otok_stretches){0};
}
