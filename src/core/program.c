/* program.c: the order of the stages (physics: droplets, hydraulic 1-7, then thermal, seabed, reef). It computes nothing itself. */
#include "program.h"

#include "status.h"

typedef struct builder {
    otok_program *program;
    int periodic; /* some side wraps: then even zeros outside must be renewed */
    int overflow;
} builder;

static void add(builder *b, int kind, int first, int second)
{
    otok_program *p = b->program;
    if (p->nops == OTOK_MAX_OPS) {
        b->overflow = 1;
        return;
    }
    p->ops[p->nops].kind = kind;
    p->ops[p->nops].a = first;
    p->ops[p->nops++].b = second;
}

static void stage(builder *b, otok_stage which)
{
    add(b, OTOK_OP_STAGE, (int)which, 0);
}

static void halo(builder *b, int buffer, otok_halo mode)
{
    if (mode != OTOK_HALO_ZERO || b->periodic) add(b, OTOK_OP_HALO, buffer, (int)mode);
}

static void swap(builder *b, int one, int other)
{
    add(b, OTOK_OP_SWAP, one, other);
}

int otok_hydraulic_has_vector(const otok_hydraulic *h)
{
    return h->friction == OTOK_FRICTION_VECTOR && h->manning > 0;
}

/* Beyond a side that is not periodic flows what flows at it. */
static void through(builder *b)
{
    halo(b, OTOK_THROUGH_X, OTOK_HALO_COPY);
    halo(b, OTOK_THROUGH_Y, OTOK_HALO_COPY);
}

static void outflows(builder *b)
{
    for (int f = OTOK_OUTFLOW_LEFT; f <= OTOK_OUTFLOW_TOP; f++)
        halo(b, f, OTOK_HALO_ZERO);
}

/* Stages 2 and 3 of signed pipes. A pipe is kept by the cell left of it or below it; the one beyond an open left or bottom side, by
   the cell at that side, as outflow_left or outflow_bottom. */
static void signed_pipes(builder *b, const otok_hydraulic *h, const int *edges)
{
    const int beyond = edges[OTOK_LEFT] == OTOK_OPEN || edges[OTOK_BOTTOM] == OTOK_OPEN;
    if (h->theta < 1 || otok_hydraulic_has_vector(h)) {
        halo(b, OTOK_OUTFLOW_RIGHT, OTOK_HALO_ZERO);
        halo(b, OTOK_OUTFLOW_TOP, OTOK_HALO_ZERO);
        stage(b, OTOK_STAGE_FLUX_THROUGH);
        if (h->theta < 1 || beyond) stage(b, OTOK_STAGE_FLUX_SIDES);
        through(b);
        stage(b, OTOK_STAGE_FLUX_AROUND);
    } else
        stage(b, OTOK_STAGE_FLUX);
    halo(b, OTOK_FLUX_RIGHT, OTOK_HALO_ZERO);
    halo(b, OTOK_FLUX_TOP, OTOK_HALO_ZERO);
    if (beyond) stage(b, OTOK_STAGE_FLUX_EDGE);
    stage(b, OTOK_STAGE_FLUX_LIMIT);
    halo(b, OTOK_FLUX_LIMIT, OTOK_HALO_ZERO);
    stage(b, OTOK_STAGE_FLUX_SURFACE);
    if (beyond) stage(b, OTOK_STAGE_FLUX_OUT);
}

static void one_way_pipes(builder *b, const otok_hydraulic *h)
{
    const int published = h->area == OTOK_AREA_CONSTANT && h->manning == 0;
    if (otok_hydraulic_has_vector(h)) {
        outflows(b);
        stage(b, OTOK_STAGE_THROUGH);
        through(b);
        stage(b, OTOK_STAGE_OUTFLOW_VECTOR);
    } else
        stage(b, published ? OTOK_STAGE_OUTFLOW : OTOK_STAGE_OUTFLOW_DEPTH);
    outflows(b);
    stage(b, OTOK_STAGE_WATER_SURFACE);
}

static otok_stage transport(const otok_hydraulic *h)
{
    if (h->transport == OTOK_SEMI_LAGRANGIAN) return OTOK_STAGE_ADVECTION;
    return h->pipes == OTOK_SIGNED ? OTOK_STAGE_FLUX_TRANSPORT : OTOK_STAGE_TRANSPORT;
}

int otok_phase_has_springs(const otok_phase *phase)
{
    return phase->processes & OTOK_HYDRAULIC && (phase->rain.map[0] || phase->nrivers);
}

int otok_phase_has_starts(const otok_phase *phase)
{
    return phase->processes & OTOK_DROPLETS && phase->rain.map[0];
}

static void hydraulic(builder *b, const otok_phase *phase, const int *edges)
{
    const otok_hydraulic *h = &phase->hydraulic;
    halo(b, OTOK_TERRAIN_CHANGE, OTOK_HALO_COPY);
    stage(b, otok_phase_has_springs(phase) ? OTOK_STAGE_SPRINGS : OTOK_STAGE_WATER_IN);
    halo(b, OTOK_WATER_NEXT, OTOK_HALO_DRY);
    if (h->pipes == OTOK_SIGNED)
        signed_pipes(b, h, edges);
    else
        one_way_pipes(b, h);
    stage(b, OTOK_STAGE_EROSION);
    swap(b, OTOK_TERRAIN_CHANGE, OTOK_CHANGE_NEXT);
    int open = 0;
    for (int side = 0; side < OTOK_SIDES; side++)
        open |= edges[side] == OTOK_OPEN;
    if (open) stage(b, OTOK_STAGE_EDGE_LOSS);
    halo(b, OTOK_SEDIMENT, OTOK_HALO_COPY);
    stage(b, transport(h));
    swap(b, OTOK_SEDIMENT, OTOK_SEDIMENT_NEXT);
    if (h->transport == OTOK_CONSERVATIVE) stage(b, OTOK_STAGE_SETTLE); /* before a sweep takes what a dry cell has */
    if (h->diffusion_sweeps > 0 || h->diffusivity > 0) halo(b, OTOK_WATER, OTOK_HALO_COPY);
    for (int64_t n = 0; n < h->diffusion_sweeps; n++) {
        halo(b, OTOK_SEDIMENT, OTOK_HALO_COPY);
        stage(b, OTOK_STAGE_MIX);
        swap(b, OTOK_SEDIMENT, OTOK_SEDIMENT_NEXT);
    }
    if (h->diffusivity > 0) {
        halo(b, OTOK_SEDIMENT, OTOK_HALO_COPY);
        stage(b, OTOK_STAGE_DIFFUSION);
        swap(b, OTOK_SEDIMENT, OTOK_SEDIMENT_NEXT);
    }
    stage(b, OTOK_STAGE_EVAPORATION);
}

static void thermal(builder *b)
{
    halo(b, OTOK_TERRAIN_CHANGE, OTOK_HALO_WALL);
    stage(b, OTOK_STAGE_THERMAL_OUTFLOW);
    for (int pipe = OTOK_PIPE_LEFT; pipe <= OTOK_PIPE_TOP_RIGHT; pipe++)
        halo(b, pipe, OTOK_HALO_ZERO);
    stage(b, OTOK_STAGE_THERMAL_COLLECT);
    swap(b, OTOK_TERRAIN_CHANGE, OTOK_CHANGE_NEXT);
}

/* Droplets read their neighbours by themselves, edges included, because the ground moves under them many times a batch. */
static void droplets(builder *b)
{
    stage(b, OTOK_STAGE_DROPLETS);
}

static void seabed(builder *b, const otok_seabed *s)
{
    for (int64_t n = 0; n < s->sweeps; n++) {
        halo(b, OTOK_TERRAIN_CHANGE, OTOK_HALO_WALL);
        stage(b, OTOK_STAGE_SEABED);
        swap(b, OTOK_TERRAIN_CHANGE, OTOK_CHANGE_NEXT);
    }
}

static void reef(builder *b)
{
    stage(b, OTOK_STAGE_REEF_GROWTH);
    halo(b, OTOK_TERRAIN_CHANGE, OTOK_HALO_WALL);
    halo(b, OTOK_CARBON, OTOK_HALO_COPY);
    stage(b, OTOK_STAGE_CARBON);
    swap(b, OTOK_CARBON, OTOK_CARBON_NEXT);
}

otok_status otok_program_for_phase(otok_program *out, const otok_phase *phase, const int *edges)
{
    builder b = {out, 0, 0};
    for (int side = 0; side < OTOK_SIDES; side++)
        b.periodic |= edges[side] == OTOK_PERIODIC;
    out->nops = 0;
    if (phase->processes & OTOK_DROPLETS) droplets(&b);
    if (phase->processes & OTOK_HYDRAULIC) hydraulic(&b, phase, edges);
    if (phase->processes & OTOK_THERMAL) thermal(&b);
    if (phase->processes & OTOK_SEABED) seabed(&b, &phase->seabed);
    if (phase->processes & OTOK_REEF_GROWTH) reef(&b);
    if (b.overflow)
        return OTOK_FAIL(
            OTOK_DATA,
            "phase %s: more than %d steps an iteration; lower seabed.sweeps or hydraulic.diffusion_sweeps and raise iterations",
            phase->name, OTOK_MAX_OPS);
    return OTOK_OK;
}

void otok_program_layer(otok_program *program)
{
    for (int n = 0; n < program->nops; n++) {
        otok_op *op = &program->ops[n];
        if (op->kind == OTOK_OP_STAGE && otok_stages[op->a].layers < OTOK_STAGES) op->a = (int)otok_stages[op->a].layers;
    }
}

#define BIT(buffer) (UINT64_C(1) << (buffer))

uint64_t otok_program_buffers(const otok_program *program)
{
    uint64_t bits = BIT(OTOK_TERRAIN_BASE) | BIT(OTOK_TERRAIN_CHANGE);
    for (int n = 0; n < program->nops; n++) {
        const otok_op *op = &program->ops[n];
        if (op->kind == OTOK_OP_STAGE) bits |= otok_stages[op->a].reads | otok_stages[op->a].writes | otok_stages[op->a].seldom;
        if (op->kind == OTOK_OP_SWAP) bits |= BIT(op->a) | BIT(op->b);
    }
    return bits;
}

/* Of one cell in each of these buffers. */
static int bytes_of(uint64_t buffers)
{
    return 4 * __builtin_popcountll(buffers & ~BIT(OTOK_WETNESS)) + (buffers >> OTOK_WETNESS & 1);
}

int otok_program_bytes(const otok_program *program)
{
    int bytes = 0;
    for (int n = 0; n < program->nops; n++)
        if (program->ops[n].kind == OTOK_OP_STAGE)
            bytes += bytes_of(otok_stages[program->ops[n].a].reads) + bytes_of(otok_stages[program->ops[n].a].writes);
    return bytes;
}
