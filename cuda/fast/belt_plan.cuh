/* belt_plan.cuh: what follows from the table of a belt (belt.cuh) when the kernel is compiled: how
   many rows behind the newest each stage works and from which row on, which rows of a wire are kept
   and where, and which columns beside are shuffled. */
#ifndef OTOK_FAST_BELT_PLAN_CUH
#define OTOK_FAST_BELT_PLAN_CUH

#include "strip_rows.cuh"

/* What a wire is beyond the grid. FREE: what its stage makes there, or, at a side without ghosts,
   what is at the side. DRY: so too, but 0 beyond an open side. WALL: infinite; NOTHING: 0. ZERO: 0
   at a side without ghosts, else FREE. ASKED: there what the list's `over_side` says, else FREE.
   BESIDE: what is at the side, left and right of the grid.
   FACES_X, FACES_Y: faces to the right or to the top of a cell; 0 but for those that enter the grid
   at an open left or bottom side. */
enum otok_beyond { FREE, DRY, WALL, NOTHING, ZERO, ASKED, BESIDE, FACES_X, FACES_Y };

/* One or more wires. */
struct otok_wires {
    uint64_t set;

    template <class... W> constexpr otok_wires(W... w) : set((0ull | ... | (1ull << w)))
    {
    }
};

/* A stage reads wires at columns x0 .. x1 and rows y0 .. y1 around its cell. If not `on`, this
   variant of the list has no such read. */
struct otok_read {
    int stage;
    otok_wires wires;
    int x0 = 0, x1 = 0, y0 = 0, y1 = 0;
    bool on = true;

    constexpr bool has(int wire) const
    {
        return on && wires.set >> wire & 1;
    }
};

/* The reads of two tables. */
template <int N> struct otok_reads {
    otok_read of[N];

    constexpr const otok_read *begin() const
    {
        return of;
    }
    constexpr const otok_read *end() const
    {
        return of + N;
    }
};

template <int A, int B>
static constexpr otok_reads<A + B> otok_reads_of(const otok_read (&a)[A], const otok_read (&b)[B])
{
    otok_reads<A + B> all = {};
    for (int n = 0; n < A + B; n++)
        all.of[n] = n < A ? a[n] : b[n - A];
    return all;
}

/* What a list may choose. Nothing here changes a value. */
struct otok_belt_defaults {
    enum { FLUSH = 0 }; /* as otok_fused_family.flush */
    enum {
        FETCH_AT = -1
    };                      /* before this stage the next rows are asked for, in the place of the
                               oldest; -1: at the start of a step, and a row more is kept */
    enum { COUNTERS = -1 }; /* the stage that takes a row of wetness counters */

    /* The input whose place in shared memory the wire takes, or -1. */
    static constexpr int over(int)
    {
        return -1;
    }
    /* Its rows wait in shared memory. */
    static constexpr bool parked(int)
    {
        return false;
    }
    /* The oldest row stays in registers. The stage that takes it must run from a step before its
       first row on. */
    static constexpr bool chained(int)
    {
        return false;
    }
    /* The rows stay in registers, but the oldest waits in shared memory from when a new row is made
       until it is read; by stages after the maker only. */
    static constexpr bool sunk(int)
    {
        return false;
    }
    /* Columns beside are shuffled when the row is made, and kept with it; else when it is read. */
    static constexpr bool early(int)
    {
        return false;
    }
    /* The stage has a guard of its own; else that of the stage before. */
    static constexpr bool apart(int)
    {
        return true;
    }
    /* Stage N took an input's row j: puts what counts beyond a side. */
    template <int N, int WIRE, class B>
    __device__ __forceinline__ void given(B &, float (&)[OTOK_LANE], int)
    {
    }
};

/* Of each stage: how many rows behind the newest it works; the first row that it must make, from
   the first of the chunk. */
template <class P> struct otok_belt_order {
    static_assert(sizeof P::reads > 0, "so that nvcc knows how many there are");
    int lag[P::STAGES] = {}, need[P::STAGES] = {};

    constexpr otok_belt_order()
    {
        for (bool again = true; again;) {
            again = false;
            for (const otok_read &r : P::reads)
                for (int w = 0; w < P::WIRES; w++) {
                    if (!r.has(w)) continue;
                    const int maker = w < P::INPUTS ? -1 : P::made_by(w);
                    const int least = (maker < 0 ? 0 : lag[maker] + (maker > r.stage)) + r.y1;
                    if (least > lag[r.stage]) lag[r.stage] = least, again = true;
                    const int first = need[r.stage] + r.y0;
                    if (maker >= 0 && first < need[maker]) need[maker] = first, again = true;
                }
        }
    }
};

template <class P> struct otok_belt_plan {
    static constexpr otok_belt_order<P> order{};

    static constexpr bool input(int wire)
    {
        return wire < P::INPUTS;
    }
    /* The stage comes before the one that makes the wire, and finds what that made a step ago. */
    static constexpr bool before(int stage, int wire)
    {
        return !input(wire) && P::made_by(wire) > stage;
    }
    static constexpr int lag(int stage)
    {
        return order.lag[stage];
    }
    static constexpr int made(int wire) /* so many rows behind the newest */
    {
        return input(wire) ? 0 : lag(P::made_by(wire));
    }
    /* The newest row when a stage makes its first, from the first row of the chunk. */
    static constexpr int start(int stage)
    {
        return P::apart(stage) || stage == 0 ? order.need[stage] + lag(stage) : start(stage - 1);
    }
    static constexpr int reach()
    {
        int most = 0;
        for (int n = 0; n < P::STAGES; n++)
            most = lag(n) > most ? lag(n) : most;
        return most;
    }
    /* How many rows ago the wire was made that a read wants at row y; `index`: how many makings
       ago, from the stage that reads. */
    static constexpr int age(const otok_read &r, int wire, int y)
    {
        return lag(r.stage) - y - made(wire);
    }
    static constexpr int index(const otok_read &r, int wire, int y)
    {
        return age(r, wire, y) - before(r.stage, wire);
    }
    static constexpr int oldest(int wire)
    {
        int most = 0;
        for (const otok_read &r : P::reads)
            if (r.has(wire) && age(r, wire, r.y0) > most) most = age(r, wire, r.y0);
        return most;
    }
    static constexpr bool is_read(int wire) /* this variant of the list has use for it */
    {
        for (const otok_read &r : P::reads)
            if (r.has(wire)) return true;
        return false;
    }
    static constexpr int youngest(int wire) /* an input is fetched so many rows later */
    {
        int least = 9;
        for (const otok_read &r : P::reads)
            if (r.has(wire) && age(r, wire, r.y1) < least) least = age(r, wire, r.y1);
        return least;
    }
    static constexpr int deepest(int wire) /* of the rows in registers */
    {
        int most = 0;
        for (const otok_read &r : P::reads)
            if (r.has(wire) && index(r, wire, r.y0) > most) most = index(r, wire, r.y0);
        return most;
    }
    static constexpr bool used(int stage, int wire, int a) /* the row made a makings ago */
    {
        for (const otok_read &r : P::reads)
            if (r.has(wire) && r.stage == stage && index(r, wire, r.y1) <= a &&
                a <= index(r, wire, r.y0))
                return true;
        return false;
    }
    /* The column beside on the left (way -1) or on the right (1) counts for the stage; -1: for any
       stage, and of any row. */
    static constexpr bool beside(int stage, int wire, int a, int way)
    {
        for (const otok_read &r : P::reads)
            if (r.has(wire) && (way < 0 ? r.x0 < 0 : r.x1 > 0) &&
                (stage < 0 ||
                 (r.stage == stage && index(r, wire, r.y1) <= a && a <= index(r, wire, r.y0))))
                return true;
        return false;
    }
    /* Parked, and read after it is made: the oldest row is taken first, which makes room. */
    static constexpr bool swaps(int wire)
    {
        if (input(wire) || !P::parked(wire) || room(oldest(wire)) > oldest(wire)) return false;
        for (const otok_read &r : P::reads)
            if (r.has(wire) && before(r.stage, wire)) return false;
        return true;
    }
    /* A row that waits is still there when a stage takes it. If some stage reads the wire before
       its maker, the oldest row is no longer there for one that reads it after. */
    static constexpr bool held(const otok_read &r, int wire)
    {
        if (P::sunk(wire)) return !before(r.stage, wire) && !P::parked(wire);
        return input(wire) || P::over(wire) >= 0 || !P::parked(wire) || swaps(wire) ||
               index(r, wire, r.y0) < ring(wire);
    }
    /* The table has no wire and no stage but the list's; no stage begins late, and each takes its
       rows before others come in their place. */
    static constexpr bool sound()
    {
        for (int n = 0; n < P::STAGES; n++)
            if (start(n) > order.need[n] + lag(n)) return false;
        for (const otok_read &r : P::reads) {
            if (r.on && (r.wires.set >> P::WIRES || r.stage >= P::STAGES)) return false;
            for (int w = 0; w < P::WIRES; w++)
                if (r.has(w) && !held(r, w)) return false;
        }
        return P::FETCH_AT < 0 || P::apart(P::FETCH_AT);
    }
    /* An earlier stage of this step has taken the row, after the rows of FETCH_AT came. */
    static constexpr bool taken(int stage, int wire, int a)
    {
        for (int n = P::FETCH_AT < 0 ? P::STAGES : (int)P::FETCH_AT; n < stage; n++)
            if (used(n, wire, a) && before(n, wire) == before(stage, wire)) return true;
        return false;
    }
    /* From the chunk's first row: the first row of an input that some stage reads; the first step
       of a warp, at which the first of these are there. */
    static constexpr int first(int wire)
    {
        int row = 0;
        for (const otok_read &r : P::reads)
            if (r.has(wire) && order.need[r.stage] + r.y0 < row) row = order.need[r.stage] + r.y0;
        return row;
    }
    static constexpr int begin()
    {
        int step = start(0);
        for (int w = 0; w < P::INPUTS; w++)
            if (first(w) + youngest(w) < step) step = first(w) + youngest(w);
        return step;
    }
    static constexpr bool at_once(int wire) /* that step needs a row of it */
    {
        return first(wire) + youngest(wire) <= begin();
    }

    /* Rows of a wire in shared memory. */
    static constexpr int room(int n)
    {
        int p = 1;
        while (p < n)
            p *= 2;
        return p;
    }
    static constexpr int in_ring(int wire)
    {
        return oldest(wire) - P::chained(wire);
    }
    static constexpr int ring(int wire)
    {
        if (!input(wire))
            return P::over(wire) >= 0 ? ring(P::over(wire))
                   : P::parked(wire)  ? room(oldest(wire))
                   : P::sunk(wire)    ? 1
                                      : 0;
        if (!is_read(wire)) return 0;
        int rows = in_ring(wire) - youngest(wire) + 1;
        for (int w = P::INPUTS; w < P::WIRES; w++)
            if (P::over(w) == wire && made(w) + in_ring(w) - youngest(wire) + 1 > rows)
                rows = made(w) + in_ring(w) - youngest(wire) + 1;
        return room(rows + (P::FETCH_AT < 0));
    }
    static constexpr int home(int wire) /* the wire whose place it takes */
    {
        return !input(wire) && P::over(wire) >= 0 ? P::over(wire) : wire;
    }
    static constexpr int place(int wire) /* its first slot */
    {
        int n = 0;
        for (int w = 0; w < wire; w++)
            n += home(w) == w ? ring(w) : 0;
        return n;
    }
    static constexpr int ages()
    {
        int most = 1;
        for (int w = 0; w < P::WIRES; w++)
            if (oldest(w) + 1 > most) most = oldest(w) + 1;
        return most;
    }

    enum { REACH = reach(), AGES = ages(), SLOTS = place(P::WIRES) };
    enum { BEGIN = begin(), LATE = P::COUNTERS < 0 ? 0 : lag(P::COUNTERS < 0 ? 0 : P::COUNTERS) };
    enum { COUNTER_ROWS = P::COUNTERS < 0 ? 0 : 1 + (P::FETCH_AT < 0) };
    enum { BYTES = SLOTS * sizeof(otok_slot) + COUNTER_ROWS * OTOK_STRIP_BLOCK * sizeof(uint32_t) };
};

#endif
