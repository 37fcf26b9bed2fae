/* resident_reef.cu: growth of the reef and its carbon on chip, with one exchange of PER rings for
   PER iterations: the fewer, the larger the tiles that fit. A thread works on its cells together
   and without branches, and shows one number a cell to other warps. The ground only grows here, so
   that its booking is its value at the end less its value at the start. The physics is in
   model/reef.h. */
#include "resident.h"
#include "resident_barriers.cuh"
#include "resident_books.cuh"
#include "resident_exchange.cuh"

#include "model/reef.h"

#include <cooperative_groups.h>
#include <math.h>

namespace
{
enum { C = OTOK_COLUMNS, W = OTOK_SLOTS, WARPS = 32, SIZE = (WARPS + 2) * W };
enum { TURNS = 2 };         /* using arrays in turn saves a barrier */
enum { ROUND = 2 * TURNS }; /* iterations until the first array and barrier have their turn again */
static_assert(32 % ROUND == 0, "a round begins with the first sea");

/* What other warps read of a cell: its carbon, which is never negative, or this value on land. */
constexpr float LAND = -1.0f;

/* A bit for each column in which the thread's cell is at an edge. The carbon of such a cell never
   changes. */
__device__ inline unsigned edges_of(const otok_resident &a, const otok_position &p)
{
    unsigned bits = 0;
    for (int c = 0; c < C; c++) {
        const int i = p.x + c;
        const bool x = !a.wraps_x && (i == 0 || i == a.v.nx - 1),
                   y = !a.wraps_y && (p.y == 0 || p.y == a.v.ny - 1);
        bits |= (unsigned)(x || y) << c;
    }
    return bits;
}

template <int PER>
__global__ void __launch_bounds__(32 * WARPS, 1)
    reef_and_carbon(const __grid_constant__ otok_resident_run run)
{
    static_assert(ROUND % PER == 0, "an exchange ends a round");
    constexpr int HALO = PER;
    extern __shared__ otok_booking slots[]; /* one a thread, then the arrays */
    float *const shared = (float *)(slots + 32 * WARPS);
    const otok_resident &a = run.grid;
    const otok_view &v = a.v;
    const otok_cells<1> p = otok_cells_of<1, 0>(a);
    const otok_position position = otok_position_of(a, 1, 0);
    const int ring = p.ring[0], lane = (int)(threadIdx.x % 32u);
    const unsigned edges = edges_of(a, position);
    /* A shuffle keeps the compiler, which is short of registers, from computing it again in each
       iteration. */
    const int mine = __shfl_sync(0xffffffffu, 1 + (1 + position.q) * W + lane * C, lane);

    for (int at = threadIdx.x; at < TURNS * SIZE + 2; at += (int)blockDim.x)
        shared[at] = LAND;
    const otok_warp_barriers<2> barriers =
        otok_warp_barriers_init<2>((uint64_t *)(shared + TURNS * SIZE + 2));

    float base[C], change[1][C], carbon[1][C], reef[C], scale[C];
#pragma unroll
    for (int c = 0; c < C; c++) {
        scale[c] = otok_is(p, OTOK_OWN, c);
        base[c] = INFINITY;
        change[0][c] = carbon[0][c] = reef[c] = 0.0f;
        if (!otok_is(p, OTOK_OWN, c) && !otok_is(p, OTOK_RECEIVE, c)) continue;
        const int at = otok_cell_of(a, position.x + c, position.y);
        base[c] = v.at[OTOK_TERRAIN_BASE][at];
        change[0][c] = v.at[OTOK_TERRAIN_CHANGE][at];
        carbon[0][c] = v.at[OTOK_CARBON][at];
        reef[c] = v.at[OTOK_REEF][at];
    }
    const otok_booking before = otok_booking_any(change[0], scale);
    /* No block may store before all have loaded. */
    cooperative_groups::this_grid().sync();

    float seas = 0.0f; /* of 32 iterations, one a lane */
    /* n counts iterations of the run, `turn` those of the round. */
    auto iteration = [&](int n, int turn) {
        const int since = turn % PER; /* iterations since the exchange */
        const float sea = __shfl_sync(0xffffffffu, seas, n % 32);
        float *const shown = shared + mine + (turn & 1) * SIZE;
        float seen[C + 2], few_across[C]; /* seen: with the columns beside the thread's */
        if (ring <= HALO - since) {
            float g[C];
            bool grows[C], any = false;
#pragma unroll
            for (int c = 0; c < C; c++) {
                g[c] = sea - (base[c] + change[0][c]);
                grows[c] = otok_reef_grows(g[c], run.k.reef);
                any |= grows[c];
            }
            if (__any_sync(0xffffffffu, any))
#pragma unroll
                for (int c = 0; c < C; c++) {
                    const otok_grown grown =
                        otok_reef_grown(g[c], change[0][c], reef[c], carbon[0][c], run.k.reef);
                    change[0][c] = grows[c] ? grown.change : change[0][c];
                    reef[c] = grows[c] ? grown.reef : reef[c];
                    carbon[0][c] = grows[c] ? grown.carbon : carbon[0][c];
                }
#pragma unroll
            for (int c = 0; c < C; c++)
                shown[c] = seen[c + 1] =
                    sea - (base[c] + change[0][c]) > 0.0f ? carbon[0][c] : LAND;
        }
        otok_arrive(barriers, turn & 1);
        if (ring < HALO - since) {
            seen[0] = __shfl_up_sync(0xffffffffu, seen[C], 1);
            seen[C + 1] = __shfl_down_sync(0xffffffffu, seen[1], 1);
#pragma unroll
            for (int c = 0; c < C; c++)
                few_across[c] =
                    (seen[c] >= 0.0f ? 1.0f : 0.0f) + (seen[c + 2] >= 0.0f ? 1.0f : 0.0f);
        }
        otok_wait(barriers, turn & 1, turn >> 1);
        if (ring < HALO - since)
#pragma unroll
            for (int c = 0; c < C; c++) {
                const float here = seen[c + 1], bottom = shown[c - W], top = shown[c + W];
                const otok_four wet = {otok_positive(seen[c]), otok_positive(seen[c + 2]),
                                       otok_positive(bottom), otok_positive(top)};
                const float few =
                    few_across[c] + ((bottom >= 0.0f ? 1.0f : 0.0f) + (top >= 0.0f ? 1.0f : 0.0f));
                const float mean = otok_carbon_mean(wet, few, here),
                            inside = here >= 0.0f ? mean : 0.0f;
                carbon[0][c] = edges >> c & 1 ? run.k.reef.carbon : inside;
            }
    };
    for (int n = 0; n < a.nsteps;) {
        if (n % 32 == 0) seas = v.steps[min(n + lane, a.nsteps - 1)].sea;
#pragma unroll /* because addresses depend on the iteration's turn */
        for (int turn = 0; turn < ROUND; turn++) {
            if (n < a.nsteps) iteration(n, turn);
            n++;
            if (turn % PER < PER - 1 || n >= a.nsteps) continue;
            const unsigned exchange = (unsigned)(n / PER);
            otok_send_cells(a, p, exchange & 1, change, carbon, carbon, a.tag + exchange);
            otok_receive<false>(a, exchange & 1, p, a.tag + exchange,
                                [&](int value, int, int c, float v) {
                                    if (value < 2) (value == 0 ? change : carbon)[0][c] = v;
                                });
        }
    }
#pragma unroll
    for (int c = 0; c < C; c++)
        if (otok_is(p, OTOK_OWN, c)) {
            const int at = position.y * (int)v.pitch + position.x + c;
            v.at[OTOK_TERRAIN_CHANGE][at] = change[0][c];
            v.at[OTOK_CARBON][at] = carbon[0][c];
            v.at[OTOK_REEF][at] = reef[c];
        }
    slots[threadIdx.x] = otok_booking_less(otok_booking_any(change[0], scale), before);
    otok_settle_slots(v.sums + OTOK_SUM_REEF, slots);
}

template <int PER> constexpr otok_resident_kernel describe()
{
    return {(const void *)reef_and_carbon<PER>,
            PER,
            1,
            WARPS,
            sizeof(otok_booking) * 32 * WARPS + sizeof(float) * (TURNS * SIZE + 2) +
                sizeof(uint64_t) * 2 * WARPS,
            true};
}

const otok_resident_kernel kernels[] = {describe<4>(), describe<2>(), describe<1>()};
} // namespace

const otok_resident_kernel *otok_resident_reef(const otok_stages *stages, const otok_coefficients *,
                                               int at)
{
    const bool reef = stages->n == 2 && stages->stage[0] == OTOK_STAGE_REEF_GROWTH &&
                      stages->stage[1] == OTOK_STAGE_CARBON;
    return reef && at < 3 ? &kernels[at] : NULL;
}
