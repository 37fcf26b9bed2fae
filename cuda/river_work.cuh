/* river_work.cuh: who carries out the bodies of a stage of rivers. How many rounds there are shows
   on the device alone, so as many are launched as there may be, and those that have nothing to do
   return at once; or one launch has all of them. */
#ifndef OTOK_RIVER_WORK_CUH
#define OTOK_RIVER_WORK_CUH

#include "rivers.cuh"

#include <cooperative_groups.h>

/* A stage is a class whose `go` calls bodies in order, by somebody who carries them out. */
#ifdef __CUDACC__
#define OTOK_ORDER _Pragma("nv_exec_check_disable") /* on the host or on the device */
#else
#define OTOK_ORDER
#endif

/* One launch does all: a block for its member of a batch, or, TOGETHER, as many blocks as the
   device has room for at once, which wait for each other. Rounds end when nothing is left to do. */
template <bool TOGETHER> struct workers {
    const otok_view &v;
    const otok_incision_coefficients &k;
    int wraps, rounds;

    __device__ const otok_incision_coefficients *same() const
    {
        return &k;
    }
    __device__ bool has_ended(int round) const
    {
        return !rounds_of(v)[round];
    }
    template <auto BODY, typename... PARTS> __device__ void by_tiles(int round = 0)
    {
        BODY(v, wraps | round << ROUND_SHIFT, static_cast<const PARTS &>(k)...);
        if (TOGETHER)
            cooperative_groups::this_grid().sync();
        else
            __syncthreads();
    }
    template <auto BODY, typename... PARTS> __device__ void by_lists(int round = 0)
    {
        by_tiles<BODY, PARTS...>(round);
    }
    template <typename PART> __device__ void together()
    {
        PART::go(*this);
    }
};

template <typename PART>
static __global__ void __launch_bounds__(BLOCK, 4)
    go_together(otok_view v, otok_incision_coefficients k, int wraps, int rounds)
{
    workers<true> all = {v, k, wraps, rounds};
    PART::go(all);
}

/* The host launches a kernel for each body; a part in which most rounds have nothing to do is one
   launch. */
struct launches {
    otok_launch l;
    unsigned tiles, list;
    int wraps, rounds;
    cudaError_t error;

    /* The coefficients; NULL: those of members may differ. */
    const otok_incision_coefficients *same() const
    {
        return l.batch ? NULL : &l.k->incision;
    }
    bool has_ended(int) const
    {
        return false; /* it shows on the device */
    }
    template <auto BODY, typename... PARTS> void start(unsigned blocks, int round)
    {
        if (error != cudaSuccess) return;
        l.grid = dim3(blocks);
        l.rows = wraps | round << ROUND_SHIFT;
        if (l.batch)
            otok_start_together<BODY, PARTS...>(&l);
        else
            otok_start_alone<BODY, PARTS...>(&l, otok_part(*l.k, (const PARTS *)nullptr)...);
        error = cudaGetLastError();
    }
    template <auto BODY, typename... PARTS> void by_tiles(int round = 0)
    {
        start<BODY, PARTS...>(tiles, round);
    }
    template <auto BODY, typename... PARTS> void by_lists(int round = 0)
    {
        start<BODY, PARTS...>(list, round);
    }
    template <typename PART> void together()
    {
        otok_view v = l.patch->view;
        otok_incision_coefficients k = l.k->incision;
        void *arguments[] = {&v, &k, &wraps, &rounds};
        int device = 0, processors = 0, each = 0;
        if (l.batch) return PART::go(*this);
        if (error == cudaSuccess) error = cudaGetDevice(&device);
        if (error == cudaSuccess)
            error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
        if (error == cudaSuccess)
            error =
                cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, go_together<PART>, BLOCK, 0);
        const unsigned room = (unsigned)(processors * each);
        if (error == cudaSuccess)
            error = cudaLaunchCooperativeKernel(go_together<PART>, dim3(list < room ? list : room),
                                                l.block, arguments, 0, l.stream);
    }
};

template <typename STAGE>
static __global__ void __launch_bounds__(BLOCK, 4)
    go_by_members(otok_view first, otok_batch batch, int wraps, int rounds)
{
    const ptrdiff_t bytes = otok_batch_bytes(batch);
    __shared__ otok_view v;
    if (thread_of() == 0) v = otok_view_moved(first, bytes);
    __syncthreads();
    workers<false> one = {v, otok_moved(batch.k, bytes)->incision, wraps, rounds};
    STAGE::go(one);
}

/* Small members of a batch that has enough of them get a block each: launches of a kernel for each
   body take longer, and most blocks of these have nothing to do. */
enum { SMALL_TILES = 32, TILES_A_MEMBER = 2 };

/* The bodies look at walls themselves. A round at least halves what it works on. */
template <typename STAGE> static cudaError_t go(const otok_launch *launch)
{
    /* Blocks for lists. They share them among the members of a batch, for most lists are short, and
       even blocks that have nothing to do take time. */
    const unsigned members = launch->batch ? (unsigned)launch->batch->n : 1,
                   most = members < 1024 ? 1024 / members : 1;
    const otok_view *v = &launch->patch->view;
    launches all = {*launch, 0,          0, otok_sides_of(launch->patch->edges, STAGE::SIDES),
                    1,       cudaSuccess};
    all.tiles = (unsigned)tiles_of(*v);
    all.list = all.tiles < most ? all.tiles : most;
    all.l.block = dim3(OTOK_RIVER_TILE, TILE_Y);
    while (all.rounds < OTOK_ROUNDS - 1 && (int64_t)v->nx * v->ny >> all.rounds)
        all.rounds++;
    if (!launch->batch || all.tiles > SMALL_TILES || all.tiles > TILES_A_MEMBER * members) {
        STAGE::go(all);
        return all.error;
    }
    const auto kernel = go_by_members<STAGE>;
    kernel<<<dim3(1, 1, members), all.l.block, 0, launch->stream>>>(*v, *launch->batch, all.wraps,
                                                                    all.rounds);
    return cudaGetLastError();
}

#endif
