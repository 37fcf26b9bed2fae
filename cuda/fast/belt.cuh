/* belt.cuh: one pass over memory as a list of stages. A warp goes up the rows of a strip
   (strip.cuh). A stage makes a row of some wires from rows of others; the first wires are inputs
   from memory. A list P has

   - INPUTS, WIRES, STAGES: their numbers; reads[]: which stage reads which wire, and how far around
     its cell; made_by(wire), beyond(wire);
   - field<WIRE>(b, j): where row j of an input is;
   - apply(otok_belt_stage<N>, b, j): makes row j of the wires of stage N, with at, here, put and
   the functions of src/model. A stage that comes in the list before the maker of what it reads
   finds what that made in the step before;
   - done(otok_belt_stage<N>, b, j): row j of the warp's own was made: stores and books it;
   - the choices of otok_belt_defaults.

   From these follow the distances of the stages, the first row of each, the rows that are kept and
   the columns that are shuffled (belt_plan.cuh). */
#ifndef OTOK_FAST_BELT_CUH
#define OTOK_FAST_BELT_CUH

#include "belt_plan.cuh"

template <int N> struct otok_belt_stage {
};

/* The c-th column of a lane, as stage N sees it. */
template <class B, int N> struct otok_belt_cell {
    B &b;
    int c;
};

/* WHOLE: as otok_strip_whole. With several strips side by side, at the end of a step the list's
   `join` hands on what the next step reads across their seams. */
template <class P, int WHOLE = 0> struct otok_belt {
    typedef P list;
    typedef otok_belt_plan<P> plan;
    static constexpr int whole = WHOLE;
    static_assert(plan::sound(), "a stage begins late, or takes a row that is no longer there");

    P &p;
    const otok_frame &g;
    const otok_strip s;
    otok_slot *const slots;       /* plan::SLOTS */
    const uint8_t *const wetness; /* whose counters are taken, if P::COUNTERS */
    int end = 0, r = 0;           /* r: the newest row */
    int rows[plan::AGES] = {};    /* the index of row r - n */
    uint32_t counters = 0;
    /* By wire and by the number of makings since then: the lane's columns, and those beside. */
    float w[P::WIRES][plan::AGES][OTOK_LANE] = {}, left[P::WIRES][plan::AGES] = {},
          right[P::WIRES][plan::AGES] = {};

    __device__ __forceinline__ bool owns(int j) const
    {
        return j >= s.bottom && j < s.top;
    }

    /* Some columns of the warp are not in the grid. */
    __device__ __forceinline__ bool ghosts() const
    {
        return !WHOLE && s.side;
    }

    /* Calls f(cell) for each column of the lane. */
    template <int N, class F> __device__ __forceinline__ void each(otok_belt_stage<N>, F f)
    {
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++)
            f(otok_belt_cell<otok_belt, N>{*this, c});
    }

    template <int W> __device__ __forceinline__ otok_slot &slot(int row) const
    {
        constexpr int from = plan::place(plan::home(W)), mask = plan::ring(W) - 1;
        return slots[from + (row & mask)];
    }

    __device__ __forceinline__ uint32_t &counter(int row) const
    {
        return (
            (uint32_t *)(slots + plan::SLOTS))[(row & (plan::COUNTER_ROWS - 1)) * OTOK_STRIP_BLOCK +
                                               s.index];
    }

    /* The value over a side without ghosts, on the left (way -1) or on the right (1). */
    template <int W> __device__ __forceinline__ float over_side(float own, int way) const
    {
        constexpr otok_beyond beyond = P::beyond(W);
        if constexpr (beyond == WALL) return INFINITY;
        if constexpr (beyond == NOTHING || beyond == ZERO) return 0.0f;
        if constexpr (beyond == ASKED) return p.template over_side<W>(*this, own, way);
        if constexpr (beyond == FACES_X) return way < 0 ? 0.0f : own;
        if constexpr (beyond == DRY)
            return g.open >> (way < 0 ? OTOK_LEFT : OTOK_RIGHT) & 1 ? 0.0f : own;
        return own;
    }

    template <int W, int A> __device__ __forceinline__ void shuffle(bool from_left, bool from_right)
    {
        const float first = w[W][A][0], last = w[W][A][OTOK_LANE - 1];
        if constexpr (WHOLE != 0) {
            if (from_left) left[W][A] = otok_left<WHOLE>(last, over_side<W>(first, -1), g, s);
            if (from_right) right[W][A] = otok_right<WHOLE>(first, over_side<W>(last, 1), g, s);
        } else if constexpr (P::FLUSH) {
            if (from_left) left[W][A] = otok_from_left(last, over_side<W>(first, -1));
            if (from_right) right[W][A] = otok_from_right(first, over_side<W>(last, 1));
        } else {
            if (from_left) left[W][A] = otok_from_left(last);
            if (from_right) right[W][A] = otok_from_right(first);
        }
    }

    /* Before stage N: takes what it reads out of shared memory, and shuffles. */
    template <int N, int W = 0, int A = 0> __device__ __forceinline__ void ready()
    {
        if constexpr (W < P::WIRES) {
            if constexpr (plan::used(N, W, A)) {
                constexpr bool before = plan::before(N, W);
                constexpr bool waits = plan::ring(W) > 0 && (!P::sunk(W) || A == plan::oldest(W)) &&
                                       !(P::chained(W) && A == plan::oldest(W)) &&
                                       !(plan::swaps(W) && A == plan::oldest(W)) &&
                                       (plan::input(W) || before || A > 0) && !plan::taken(N, W, A);
                if constexpr (waits) otok_take(w[W][A], slot<W>(r - plan::made(W) - A - before), s);
                if constexpr (waits && plan::input(W))
                    p.template given<N, W>(*this, w[W][A], r - A);
                if constexpr (!P::early(W))
                    shuffle<W, A>(plan::beside(N, W, A, -1), plan::beside(N, W, A, 1));
            }
            if constexpr (A + 1 < plan::AGES)
                ready<N, W, A + 1>();
            else
                ready<N, W + 1, 0>();
        }
    }

    /* Before stage N makes its wires anew: their rows get older. */
    template <int N, int W = P::INPUTS> __device__ __forceinline__ void age()
    {
        if constexpr (W < P::WIRES) {
            if constexpr (P::made_by(W) == N) {
                constexpr bool stays = plan::ring(W) == 0 || P::sunk(W);
                if constexpr (P::sunk(W)) otok_put(slot<W>(0), w[W][plan::oldest(W) - 1], s);
#pragma unroll
                for (int a = plan::deepest(W); a > 0; a--) {
                    if constexpr (stays)
#pragma unroll
                        for (int c = 0; c < OTOK_LANE; c++)
                            w[W][a][c] = w[W][a - 1][c];
                    if constexpr (stays || P::early(W))
                        left[W][a] = left[W][a - 1], right[W][a] = right[W][a - 1];
                }
            }
            age<N, W + 1>();
        }
    }

    template <int N, int W> static constexpr bool closes()
    {
        return P::made_by(W) == N && P::beyond(W) != FREE && P::beyond(W) != DRY &&
               P::beyond(W) != ZERO && P::beyond(W) != ASKED && P::beyond(W) != BESIDE;
    }

    template <int N, int W = P::INPUTS> static constexpr bool closes_any()
    {
        if constexpr (W < P::WIRES) return closes<N, W>() || closes_any<N, W + 1>();
        return false;
    }

    /* The c-th column of row j, which is beyond the grid in x or in y. */
    template <int N, int W = P::INPUTS>
    __device__ __forceinline__ void close(int c, int j, bool x, bool y)
    {
        if constexpr (W < P::WIRES) {
            if constexpr (closes<N, W>()) {
                constexpr otok_beyond beyond = P::beyond(W);
                bool enters = false;
                if constexpr (beyond == FACES_X)
                    enters = !y && s.i + c == -1 && (g.open >> OTOK_LEFT & 1);
                if constexpr (beyond == FACES_Y)
                    enters = !x && j == -1 && (g.open >> OTOK_BOTTOM & 1);
                if (!enters) w[W][0][c] = beyond == WALL ? INFINITY : 0.0f;
            }
            close<N, W + 1>(c, j, x, y);
        }
    }

    /* The columns beside the grid get what is at its sides. */
    __device__ __forceinline__ void copy_beside(float (&v)[OTOK_LANE]) const
    {
        const float next = otok_from_right(v[0]), last = otok_from_left(v[OTOK_LANE - 1]);
        if (s.i == -OTOK_LANE) v[OTOK_LANE - 1] = next;
#pragma unroll
        for (int c = 0; c < OTOK_LANE; c++)
            if (s.i + c == g.nx) v[c] = otok_beside(v, last, 0.0f, c - 1);
    }

    /* After stage N: wires that wait, and columns beside that stay. */
    template <int N, int W = P::INPUTS> __device__ __forceinline__ void keep()
    {
        if constexpr (W < P::WIRES) {
            if constexpr (P::made_by(W) == N) {
                if constexpr (P::beyond(W) == BESIDE)
                    if (ghosts() && !g.wrap_x) copy_beside(w[W][0]);
                if constexpr (plan::swaps(W))
                    otok_take(w[W][plan::oldest(W)], slot<W>(r - plan::made(W)), s);
                if constexpr (plan::ring(W) > 0 && !P::sunk(W))
                    otok_put(slot<W>(r - plan::made(W)), w[W][0], s);
                if constexpr (P::early(W))
                    shuffle<W, 0>(plan::beside(-1, W, 0, -1), plan::beside(-1, W, 0, 1));
            }
            keep<N, W + 1>();
        }
    }

    template <int N> __device__ __forceinline__ void stage()
    {
        const int j = r - plan::lag(N);
        if constexpr (N != P::FETCH_AT) ready<N>();
        age<N>();
        p.apply(otok_belt_stage<N>{}, *this, j);
        if constexpr (closes_any<N>()) {
            const bool y = otok_beyond_y(g, j);
            if (ghosts() || y) {
#pragma unroll
                for (int c = 0; c < OTOK_LANE; c++) {
                    const bool x = !WHOLE && otok_beyond_x(g, s.i + c);
                    if (x || y) close<N>(c, j, x, y);
                }
            }
        }
        keep<N>();
        if (owns(j)) p.done(otok_belt_stage<N>{}, *this, j);
    }

    /* Stage N, and those after it under the same guard. */
    template <int N> __device__ __forceinline__ void group()
    {
        stage<N>();
        if constexpr (N + 1 < P::STAGES)
            if constexpr (!P::apart(N + 1)) group<N + 1>();
    }

    template <int N = 0> __device__ __forceinline__ void stages()
    {
        if constexpr (N < P::STAGES) {
            if constexpr (N == P::FETCH_AT) {
                ready<N>();
                if constexpr (P::COUNTERS >= 0) counters = counter(r);
                next();
            }
            if constexpr (P::apart(N) || N == 0) {
                if constexpr (plan::start(N) == plan::BEGIN)
                    group<N>();
                else if (r >= s.bottom + plan::start(N))
                    group<N>();
            }
            stages<N + 1>();
        }
    }

    /* Asks for the rows of inputs that the step of row n needs; of the first step, FIRST, only what
       it reads at once. */
    template <bool FIRST, bool SCATTERED, int W = 0>
    __device__ __forceinline__ void fetch_inputs(int n)
    {
        if constexpr (W < P::INPUTS) {
            constexpr int late = plan::youngest(W);
            if constexpr (plan::is_read(W) && (!FIRST || plan::at_once(W))) {
                const float *const from = p.template field<W>(*this, n - late);
                if constexpr (SCATTERED)
                    otok_fetch_scattered(slot<W>(n - late), from, rows[late], s);
                else
                    otok_fetch(slot<W>(n - late), from, rows[late], s);
            }
            fetch_inputs<FIRST, SCATTERED, W + 1>(n);
        }
    }

    template <bool FIRST> __device__ __forceinline__ void fetch(int n)
    {
        if (s.scattered)
            fetch_inputs<FIRST, true>(n);
        else
            fetch_inputs<FIRST, false>(n);
        if constexpr (P::COUNTERS >= 0 && !FIRST) {
            const int last = g.pitch - OTOK_LANE, i = s.i < 0 ? 0 : s.i > last ? last : s.i;
            __pipeline_memcpy_async(&counter(n), wetness + (rows[plan::LATE] + i),
                                    sizeof(uint32_t));
        }
    }

    __device__ __forceinline__ void next()
    {
        if (r + 1 >= end) return;
#pragma unroll
        for (int n = plan::AGES - 1; n > 0; n--)
            rows[n] = rows[n - 1];
        rows[0] = otok_strip_row_after(g, rows[0], r + 1);
        fetch<false>(r + 1);
    }

    /* After a step: the oldest row of a chained wire. */
    template <int W = 0> __device__ __forceinline__ void chain()
    {
        if constexpr (W < P::WIRES) {
            if constexpr (P::chained(W))
#pragma unroll
                for (int c = 0; c < OTOK_LANE; c++)
                    w[W][plan::oldest(W)][c] = w[W][plan::oldest(W) - 1][c];
            chain<W + 1>();
        }
    }

    /* All lanes of a warp call it. */
    __device__ __forceinline__ void walk()
    {
        const int begin = s.bottom + plan::BEGIN;
        end = s.bottom < s.top ? s.top + plan::REACH : begin;
        if constexpr (WHOLE > 1) end = s.bottom + g.rows + plan::REACH; /* all strips alike */
#pragma unroll
        for (int n = 0; n < plan::AGES; n++)
            rows[n] = otok_strip_row(g, begin - n);
        fetch<true>(begin);
        for (r = begin; r < end; r++) {
            otok_fetched();
            if constexpr (P::FETCH_AT < 0) {
                next();
                if constexpr (P::COUNTERS >= 0) counters = counter(r);
            }
            stages();
            if constexpr (WHOLE > 1) p.join(*this);
            chain();
        }
    }
};

/* The value of a wire in the cell at (dx, dy) from that of the stage, as its table allows. */
template <int W, class B, int N>
static __device__ __forceinline__ float at(const otok_belt_cell<B, N> &x, int dx, int dy)
{
    constexpr int from = B::plan::lag(N) - B::plan::made(W) - B::plan::before(N, W);
    return x.c + dx < 0            ? x.b.left[W][from - dy]
           : x.c + dx >= OTOK_LANE ? x.b.right[W][from - dy]
                                   : x.b.w[W][from - dy][(x.c + dx) & 3];
}

template <int W, class B, int N>
static __device__ __forceinline__ float here(const otok_belt_cell<B, N> &x)
{
    return at<W>(x, 0, 0);
}

template <int W, class B, int N>
static __device__ __forceinline__ otok_cross cross(const otok_belt_cell<B, N> &x)
{
    return {at<W>(x, 0, 0), at<W>(x, -1, 0), at<W>(x, 1, 0), at<W>(x, 0, -1), at<W>(x, 0, 1)};
}

template <int W, class B, int N>
static __device__ __forceinline__ otok_moore moore(const otok_belt_cell<B, N> &x)
{
    return {at<W>(x, 0, 0),   at<W>(x, -1, 0), at<W>(x, 1, 0),  at<W>(x, 0, -1), at<W>(x, 0, 1),
            at<W>(x, -1, -1), at<W>(x, 1, -1), at<W>(x, -1, 1), at<W>(x, 1, 1)};
}

template <int W, class B, int N>
static __device__ __forceinline__ void put(const otok_belt_cell<B, N> &x, float v)
{
    x.b.w[W][0][x.c] = v;
}

/* For the rest of the step, row TO of a wire around a stage's row is the same as row FROM. */
template <int W, int TO, int FROM, class B, int N>
static __device__ __forceinline__ void repeat(otok_belt_stage<N>, B &b)
{
    constexpr int from = B::plan::lag(N) - B::plan::made(W) - B::plan::before(N, W);
#pragma unroll
    for (int c = 0; c < OTOK_LANE; c++)
        b.w[W][from - TO][c] = b.w[W][from - FROM][c];
    b.left[W][from - TO] = b.left[W][from - FROM];
    b.right[W][from - TO] = b.right[W][from - FROM];
}

/* The row of a wire that a stage reads. */
template <int W, class B, int N>
static __device__ __forceinline__ float (&row_of(otok_belt_stage<N>, B &b))[OTOK_LANE]
{
    return b.w[W][B::plan::lag(N) - B::plan::made(W) - B::plan::before(N, W)];
}

#endif
