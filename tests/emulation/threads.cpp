/* threads.cpp: the device's side of the emulation: the threads of a block as fibers, their barriers
   and shuffles, and the order in which they run: environment variable OTOK_EMULATED_ORDER is
   forward (also when unset), reverse, or the seed of a shuffle. Results that depend on it show a
   barrier that is missing. Memory is as the processor has it: fences are not tried. */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <thread>
#include <vector>

#include <cooperative_groups.h>
#include <cuda_pipeline.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

[[noreturn]] void emulated::fail(const char *why)
{
    fprintf(stderr, "emulated CUDA: %s: block (%u, %u, %u), thread (%u, %u, %u)\n", why, blockIdx.x,
            blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z);
    abort();
}

#ifndef __x86_64__
#error "the emulation can change stacks on x86-64 only"
#endif
/* Keeps the stack that it is called on in *from and goes on with the stack `to`. */
extern "C" void emulated_switch(void **from, void *to);
asm(".text\n"
    "emulated_switch:\n"
    "push %rbp\n push %rbx\n push %r12\n push %r13\n push %r14\n push %r15\n"
    "mov %rsp, (%rdi)\n"
    "mov %rsi, %rsp\n"
    "pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbx\n pop %rbp\n"
    "ret\n");

namespace
{
const size_t STACK = 256 << 10;

/* Threads that wait for each other again and again. What one says to the others stands in the half
   of this turn: the other half may still be read by those that are slow to leave the turn before.
 */
struct meeting {
    unsigned turn = 0, here = 0, expected = 0;
    bool any[2] = {};
    uint64_t values[2][32] = {};

    void proceed()
    {
        any[(turn + 1) % 2] = false;
        here = 0;
        turn++;
    }
    void leave() /* for ever */
    {
        if (--expected > 0 && here == expected) proceed();
    }
};

struct copy {
    void *to;
    const void *from;
    size_t bytes;
};

struct fiber {
    void *at = nullptr; /* its stack, when it does not run */
    char *stack;
    bool busy = false;
    const unsigned *watch = nullptr; /* goes on when this is no longer `seen` */
    unsigned seen = 0;
    int thread = 0; /* of the block */
    std::vector<copy> copies;
    std::vector<size_t> groups; /* where each group of copies ends */
};

/* One block at a time. */
struct worker {
    std::vector<std::unique_ptr<fiber>> fibers;
    std::vector<fiber *> idle, waiting; /* in the order in which they began */
    fiber *current = nullptr;
    void *home = nullptr;
    const void *home_stack = nullptr;
    size_t home_size = 0;

    const std::function<void()> *code = nullptr;
    pthread_barrier_t *blocks = nullptr; /* of a cooperative launch */
    std::vector<int> order;
    size_t begun = 0, ended = 0;
    meeting block, grid;
    std::vector<meeting> warps;
    void *shared = nullptr;

    ~worker()
    {
        for (auto &f : fibers) {
#ifdef __SANITIZE_ADDRESS__
            __asan_unpoison_memory_region(f->stack, STACK); /* life() never returned */
#endif
            munmap(f->stack, STACK);
        }
    }
};

thread_local worker own;
thread_local worker *me; /* the same, without a question whether it is there */

const char *order_asked()
{
    static const char *const asked = getenv("OTOK_EMULATED_ORDER");
    return asked ? asked : "forward";
}

/* 0 .. n-1 */
void arrange(std::vector<int> &order, size_t n, unsigned block)
{
    order.resize(n);
    std::iota(order.begin(), order.end(), 0);
    if (strcmp(order_asked(), "reverse") == 0) std::reverse(order.begin(), order.end());
    uint64_t state = strtoull(order_asked(), nullptr, 10);
    if (state == 0) return;
    state = (state << 32) + block;
    for (size_t i = n; i > 1; i--) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        std::swap(order[i - 1], order[(state >> 33) % i]);
    }
}

void set_index(int thread)
{
    const unsigned n = (unsigned)thread, row = n / blockDim.x;
    threadIdx = {n % blockDim.x, row % blockDim.y, row / blockDim.y};
}

/* Between the worker's own stack and a fiber's; the sanitizer wants to know. */
void leave_fiber()
{
    worker &w = *me;
    void *fake = nullptr;
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_start_switch_fiber(&fake, w.home_stack, w.home_size);
#endif
    emulated_switch(&w.current->at, w.home);
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(fake, &w.home_stack, &w.home_size);
#endif
    (void)fake;
}

void wait_for(const unsigned *watch, unsigned seen)
{
    fiber &f = *me->current;
    f.watch = watch;
    f.seen = seen;
    leave_fiber();
    set_index(f.thread);
}

/* A fiber does one thread of the block after the other; when one of them waits, another fiber goes
 * on with the rest. */
void life()
{
    worker &w = *me;
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(nullptr, &w.home_stack, &w.home_size);
#endif
    for (;;) {
        fiber &f = *w.current;
        while (w.begun < w.order.size()) {
            f.thread = w.order[w.begun++];
            set_index(f.thread);
            (*w.code)();
            __pipeline_commit();
            __pipeline_wait_prior(0);
            w.ended++;
            w.block.leave();
            w.warps[(size_t)f.thread / 32].leave();
        }
        f.busy = false;
        w.idle.push_back(&f);
        leave_fiber();
    }
}

void enter(fiber &f)
{
    worker &w = *me;
    void *fake = nullptr;
    w.current = &f;
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_start_switch_fiber(&fake, f.stack, STACK);
#endif
    emulated_switch(&w.home, f.at);
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
    (void)fake;
    w.current = nullptr;
}

fiber &idle_fiber()
{
    if (me->idle.empty()) {
        auto f = std::make_unique<fiber>();
        f->stack = (char *)mmap(nullptr, STACK, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (f->stack == MAP_FAILED) emulated::fail("no memory for stacks");
        /* What emulated_switch pops, and where it returns. Not all at the same place, or they would
         * share a few lines of the cache.
         */
        void **top = (void **)(f->stack + STACK - me->fibers.size() % 64 * 704);
        top[-2] = (void *)life;
        f->at = top - 8;
        me->idle.push_back(f.get());
        me->fibers.push_back(std::move(f));
    }
    fiber &f = *me->idle.back();
    me->idle.pop_back();
    return f;
}

/* Fibers n .. end-1 of those that wait go on as far as they can without the others: mostly a warp,
   whose stacks stay in the cache while its threads exchange values. */
void advance(size_t begin, size_t end, bool &moved, bool &met)
{
    const std::vector<fiber *> &waiting = me->waiting;
    for (bool first = true, again = true; again; first = false) {
        again = false;
        for (size_t n = begin; n < end; n++) {
            fiber &f = *waiting[n];
            if (!f.busy || (f.watch ? *f.watch == f.seen : !first)) continue;
            moved = true;
            again |= f.watch != nullptr;
            enter(f);
        }
        met |= again;
    }
}

void run_block(const emulated::shape &s, unsigned number, const std::function<void()> &code,
               pthread_barrier_t *blocks)
{
    worker &w = *(me = &own);
    const size_t threads = (size_t)s.block.x * s.block.y * s.block.z;
    blockIdx = {number % s.grid.x, number / s.grid.x % s.grid.y, number / s.grid.x / s.grid.y};
    blockDim = s.block;
    gridDim = s.grid;
    w.code = &code;
    w.blocks = blocks;
    arrange(w.order, threads, number);
    w.begun = w.ended = 0;
    w.block = w.grid = meeting();
    w.block.expected = w.grid.expected = (unsigned)threads;
    w.warps.assign((threads + 31) / 32, meeting());
    for (size_t n = 0; n < threads; n++)
        w.warps[n / 32].expected++;
    if (s.shared) {
        if (posix_memalign(&w.shared, 128, s.shared)) emulated::fail("no memory for shared memory");
        memset(w.shared, 0xff, s.shared);
    }
    w.waiting.clear();
    while (w.ended < threads) {
        bool moved = false, met = false;
        for (size_t n = 0; n < w.waiting.size(); n += 32)
            advance(n, std::min(n + 32, w.waiting.size()), moved, met);
        w.waiting.erase(std::remove_if(w.waiting.begin(), w.waiting.end(),
                                       [](const fiber *f) { return !f->busy; }),
                        w.waiting.end());
        while (w.begun < threads) {
            fiber &f = idle_fiber();
            moved = met = f.busy = true;
            enter(f);
            if (f.busy) w.waiting.push_back(&f);
        }
        if (!moved) emulated::fail("all threads of the block wait, not all of them for the same");
        if (!met) sched_yield();
    }
    free(w.shared);
    w.shared = nullptr;
}

/* The answer of a meeting's turn is in half `turn % 2`. */
unsigned meet(meeting &m)
{
    const unsigned turn = m.turn;
    if (++m.here == m.expected)
        m.proceed();
    else
        wait_for(&m.turn, turn);
    return turn % 2;
}
} // namespace

void emulated::carry_out(const shape &s, const std::function<void()> &code)
{
    const unsigned count = s.grid.x * s.grid.y * s.grid.z;
    std::vector<int> order;
    arrange(order, count, UINT32_MAX);
    if (!s.together) {
        for (int number : order)
            run_block(s, (unsigned)number, code, nullptr);
        return;
    }
    pthread_barrier_t barrier;
    std::vector<std::thread> blocks;
    pthread_barrier_init(&barrier, nullptr, count);
    for (int number : order)
        blocks.emplace_back([&, number] { run_block(s, (unsigned)number, code, &barrier); });
    for (auto &b : blocks)
        b.join();
    pthread_barrier_destroy(&barrier);
}

void *emulated::shared_memory()
{
    return me->shared;
}

void emulated::yield()
{
    wait_for(nullptr, 0);
}

void emulated::sync_grid()
{
    if (!me->blocks) fail("a barrier of the grid in a launch that is not cooperative");
    if (me->grid.here + 1 == me->grid.expected) pthread_barrier_wait(me->blocks);
    meet(me->grid);
}

bool emulated::sync_block(bool any)
{
    me->block.any[me->block.turn % 2] |= any;
    return me->block.any[meet(me->block)];
}

static meeting &warp()
{
    return me->warps[(size_t)me->current->thread / 32];
}

void emulated::sync_warp()
{
    meet(warp());
}

uint64_t emulated::shuffle(uint64_t value, int from_lane)
{
    meeting &m = warp();
    m.values[m.turn % 2][me->current->thread % 32] = value;
    const unsigned half = meet(m);
    return from_lane < 0 || from_lane > 31 ? value : m.values[half][from_lane];
}

void __pipeline_memcpy_async(void *to, const void *from, size_t bytes)
{
    if (bytes != 4 && bytes != 8 && bytes != 16)
        emulated::fail("a copy to shared memory of neither 4, 8 nor 16 bytes");
    if (((uintptr_t)to | (uintptr_t)from) % bytes)
        emulated::fail("a copy to shared memory that is not aligned");
    if (strcmp(order_asked(), "forward") == 0)
        me->current->copies.push_back({to, from, bytes});
    else
        memcpy(to, from, bytes);
}

void __pipeline_commit()
{
    me->current->groups.push_back(me->current->copies.size());
}

void __pipeline_wait_prior(unsigned later)
{
    std::vector<copy> &copies = me->current->copies;
    std::vector<size_t> &groups = me->current->groups;
    const size_t ended = groups.size() > later ? groups.size() - later : 0,
                 n = ended > 0 ? groups[ended - 1] : 0;
    for (size_t c = 0; c < n; c++)
        memcpy(copies[c].to, copies[c].from, copies[c].bytes);
    copies.erase(copies.begin(), copies.begin() + (ptrdiff_t)n);
    groups.erase(groups.begin(), groups.begin() + (ptrdiff_t)ended);
    for (size_t &end : groups)
        end -= n;
}
