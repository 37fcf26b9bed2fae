/* program.c: makes the list of stages, halos and swaps of one iteration of a phase, by joining the
   parts of its processes in their order. */
#include "process.h"

static otok_status too_long(const char *phase)
{
    return OTOK_FAIL(OTOK_DATA,
                     "phase %s: more than %d steps an iteration; lower seabed.sweeps or "
                     "hydraulic.diffusion_sweeps, raise the dt of a process that the clock "
                     "of the phase divides, or lower the clock and raise iterations",
                     phase, OTOK_MAX_OPS);
}

static void add(otok_builder *b, const otok_process *process, const otok_phase *phase,
                const int *edges)
{
    if (process->flux) otok_program_flux(b, process->flux);
    if (process->program) process->program(b, phase, edges);
}

enum { OF_WATER = OTOK_RAIN | OTOK_HYDRAULIC | OTOK_INFILTRATION | OTOK_BEYOND_SIDES };

/* Where a process comes in the reverse order; those of one place keep theirs. */
static int place_of(int i, const otok_phase *phase)
{
    const int bit = otok_processes[i]->bit;
    int n = i;
    if (bit == OTOK_WAVES) return 0;
    while (bit & OF_WATER && otok_processes[n]->bit != OTOK_RAIN)
        n--;
    while (bit == OTOK_INCISION && phase->processes & OTOK_REEF_GROWTH &&
           otok_processes[n]->bit != OTOK_REEF_GROWTH)
        n++;
    return OTOK_PROCESSES - n;
}

void otok_phase_order(int *order, const otok_phase *phase)
{
    for (int i = 0; i < OTOK_PROCESSES; i++) {
        int n = i;
        for (; phase->reversed && n > 0 && place_of(order[n - 1], phase) > place_of(i, phase); n--)
            order[n] = order[n - 1];
        order[n] = i;
    }
}

int otok_scenario_reverses(const otok_scenario *s)
{
    for (int p = 0; p < s->nphases; p++) {
        int order[OTOK_PROCESSES], last = -1;
        otok_phase phase = s->phases[p];
        phase.reversed = 1;
        otok_phase_order(order, &phase);
        for (int n = 0; n < OTOK_PROCESSES; n++) {
            if (!(phase.processes & otok_processes[order[n]]->bit)) continue;
            if (order[n] < last) return 1;
            last = order[n];
        }
    }
    return 0;
}

otok_status otok_program_for_phase(otok_program *out, const otok_phase *phase, const int *edges)
{
    otok_builder b = {.program = out, .given = otok_set_maps(phase->maps)};
    int order[OTOK_PROCESSES];
    for (int side = 0; side < OTOK_SIDES; side++)
        b.periodic |= edges[side] == OTOK_PERIODIC;
    b.holds = phase->processes & OTOK_INCISION && phase->incision.base_level == OTOK_BASE_SIDES;
    out->nops = 0;
    otok_phase_order(order, phase);
    for (int n = 0; n < OTOK_PROCESSES; n++) {
        const int i = order[n];
        if (!(phase->processes & otok_processes[i]->bit)) continue;
        const int64_t steps = otok_process_steps(otok_processes[i], phase);
        const otok_stage part = phase->parts ? otok_processes[i]->part : (otok_stage)0;
        if (part) otok_program_stage(&b, OTOK_STAGE_PARTS_BEGIN);
        for (int64_t step = 0; step < steps && !b.overflow; step++)
            add(&b, otok_processes[i], phase, edges);
        if (part) otok_program_stage(&b, part);
    }
    return b.overflow ? too_long(phase->name) : OTOK_OK;
}

/* Has a process a stage that refuses layers, or one that reaches so far? */
typedef struct traits {
    int refuses_layers, reaches[OTOK_ANYWHERE + 1];
} traits;

static traits traits_of(const otok_process *process, const otok_phase *phase)
{
    static const int closed[OTOK_SIDES];
    otok_program program = {0};
    traits out = {0};
    add(&(otok_builder){.program = &program}, process, phase, closed);
    for (int n = 0; n < program.nops; n++) {
        if (program.ops[n].kind != OTOK_OP_STAGE) continue;
        const otok_stage_info *stage = &otok_stage_infos[program.ops[n].a];
        out.refuses_layers |= stage->layers == OTOK_STAGE_REFUSED;
        out.reaches[stage->reach] = 1;
    }
    return out;
}

int otok_process_refuses_layers(const otok_process *process, const otok_phase *phase)
{
    return traits_of(process, phase).refuses_layers;
}

const char *otok_scenario_undivided(const otok_scenario *scenario)
{
    for (int i = 0; i < scenario->nphases; i++)
        for (int n = 0; n < OTOK_PROCESSES; n++)
            if (scenario->phases[i].processes & otok_processes[n]->bit &&
                traits_of(otok_processes[n], &scenario->phases[i]).reaches[OTOK_ANYWHERE])
                return otok_processes[n]->group;
    return NULL;
}

otok_status otok_program_layer(otok_program *program, uint64_t ground, const char *phase)
{
    const otok_program plain = *program;
    otok_builder b = {.program = program, .given = otok_set_of(ground)};
    program->nops = 0;
    for (int n = 0; n < plain.nops; n++) {
        const otok_op op = plain.ops[n];
        const int layers =
            op.kind == OTOK_OP_STAGE ? (int)otok_stage_infos[op.a].layers : OTOK_STAGE_SAME;
        if (layers == OTOK_STAGE_FOLLOWED) otok_program_beside(&b, (otok_stage)op.a);
        otok_program_add(&b, op.kind, layers < OTOK_STAGES ? layers : op.a, op.b);
        if (layers == OTOK_STAGE_FOLLOWED) otok_program_stage(&b, OTOK_STAGE_LAYERS_FOLLOW);
    }
    return b.overflow ? too_long(phase) : OTOK_OK;
}

otok_set otok_program_buffers(const otok_program *program)
{
    otok_set set = otok_set_of(BIT(OTOK_TERRAIN_BASE) | BIT(OTOK_TERRAIN_CHANGE));
    for (int n = 0; n < program->nops; n++) {
        const otok_op *op = &program->ops[n];
        if (op->kind == OTOK_OP_STAGE)
            set = otok_set_or(set, otok_stage_touches(&otok_stage_infos[op->a]));
        if (op->kind == OTOK_OP_SWAP) {
            otok_set_add(&set, op->a);
            otok_set_add(&set, op->b);
        }
    }
    return set;
}

/* Those that it reads if the scenario gives them (stages.def). */
static otok_set given(const otok_program *program)
{
    otok_set set = {{0}};
    for (int n = 0; n < program->nops; n++)
        if (program->ops[n].kind == OTOK_OP_STAGE)
            set = otok_set_or(set, otok_stage_infos[program->ops[n].a].given);
    return set;
}

otok_set otok_program_all(const otok_program *program, const otok_phase *phase)
{
    const otok_set maps = otok_set_and(given(program), otok_set_maps(phase->maps));
    return otok_set_or(otok_program_buffers(program), maps);
}

/* The bytes a cell of these buffers together. */
static int bytes_of(otok_set buffers)
{
    return 4 * otok_set_size(buffers) - 3 * otok_set_has(buffers, OTOK_WETNESS);
}

int otok_program_bytes(const otok_program *program)
{
    int bytes = 0;
    for (int n = 0; n < program->nops; n++)
        if (program->ops[n].kind == OTOK_OP_STAGE &&
            otok_stage_infos[program->ops[n].a].reach != OTOK_ANYWHERE)
            bytes += bytes_of(otok_stage_infos[program->ops[n].a].reads) +
                     bytes_of(otok_stage_infos[program->ops[n].a].writes);
    return bytes;
}
