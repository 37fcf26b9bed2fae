/* cell_algebra.c - claim: the cell functions keep their promises for random values: exchanges take
   what they give, outflows never take more water than there is, capacity follows its formula,
   settling empties a cell to what the ground can hold, sums are exact.
 */
#include "model/erosion.h"
#include "model/fixed.h"
#include "model/pipes.h"
#include "model/thermal.h"
#include "model/transport.h"
#include "model/water.h"
#include "scene.h"

#include <math.h>

static uint64_t state = 1;

static float random_between(float low, float high)
{
    return low + (high - low) * scene_random(&state);
}

/* Of any bits, or near another float, at a border between two binades, or nothing. */
static float hostile(float near)
{
    const float any = otok_from_bits((uint32_t)(scene_random(&state) * 0x1p16f) << 16 |
                                     (uint32_t)(scene_random(&state) * 0x1p16f));
    const float size = fabsf(any) < 0x1p100f ? any : ldexpf(1, (int)random_between(-149, 100));
    switch ((int)random_between(0, 8)) {
    case 0: return 0;
    case 1: return copysignf(ldexpf(1, (int)random_between(-149, 100)), size);
    case 2: return nextafterf(ldexpf(1, (int)random_between(-126, 100)), copysignf(INFINITY, size));
    case 3: return near * ldexpf(random_between(-2, 2), (int)random_between(-26, 2));
    case 4: return nextafterf(-near, copysignf(INFINITY, size));
    case 5: return copysignf(ldexpf(random_between(1, 2), (int)random_between(-149, -120)), size);
    case 6:
        return copysignf(
            (float)(int)random_between(0, 9) * ldexpf(1, ilogbf(near != 0 ? near : 1) - 25), size);
    default: return size;
    }
}

/* a + b is c + d, or nearly: rounded to a double, and what that leaves, which two doubles hold
 * exactly. */
static int same_sum(float a, float b, float c, float d, double near)
{
    const double A = (double)a, B = (double)b, C = (double)c, D = (double)d, ab = A + B, cd = C + D,
                 x = ab - A, y = cd - C;
    return fabs((ab - cd) + (((A - (ab - x)) + (B - x)) - ((C - (cd - y)) + (D - y)))) <= near;
}

/* A dry cell puts down what its ground can take, and keeps the rest: the ground is the largest
   float that is not more than both. Mass is exact, but where the rest of a deposit far larger than
   a ground below 0 needs more bits than a float has. */
static void check_settling(void)
{
    for (int n = 0; n < 4000000; n++) {
        const int wild = n & 1;
        const float ground = wild ? hostile(1) : random_between(-50, 50);
        const float other =
            wild ? fabsf(hostile(ground)) : random_between(0, 1) * powf(10, random_between(-9, 0));
        const otok_exchange e = otok_settle(ground, other);
        CHECK(e.other >= 0 && e.ground >= ground, "%a and %a become %a and %a", (double)ground,
              (double)other, (double)e.ground, (double)e.other);
        const float next = nextafterf(e.ground, INFINITY), last = next - e.ground;
        CHECK(e.other <= last && (e.other < last || other > -ground),
              "%a and %a: %a stays suspended, an ulp of the ground is %a", (double)ground,
              (double)other, (double)e.other, (double)last);
        const double near = ground < 0 && other > -ground ? (double)e.other * 0x1p-24 : 0;
        CHECK(same_sum(ground, other, e.ground, e.other, near), "%a and %a become %a and %a",
              (double)ground, (double)other, (double)e.ground, (double)e.other);
        if (check_failures > 5) return;
    }
}

/* `taken` below 0 is a deposit of what the water has, all or a part of it. What is laid down is the
   nearest float to what is wanted, or the one before it where that is more than there is. */
static void exchange(void)
{
    for (int n = 0; n < 4000000; n++) {
        const int wild = n & 2;
        const float ground = wild ? hostile(1) : random_between(-50, 50);
        const float other =
            wild ? fabsf(hostile(ground)) : random_between(0, 1) * powf(10, random_between(-9, 0));
        const float share = n & 4 ? 1 : random_between(0, 1),
                    much = wild ? fabsf(hostile(ground)) : powf(10, random_between(-9, 0));
        const float taken = n & 1 ? -other * share : much;
        const otok_exchange e = otok_exchange_solid(ground, other, taken);
        const float wanted = ground - taken, lost = ground - e.ground;
        CHECK(e.other >= 0, "negative %g", (double)e.other);
        CHECK(e.moved == lost, "moved %g, ground lost %g", (double)e.moved, (double)lost);
        CHECK(e.other == other + lost, "the other gained %g, the ground lost %g",
              (double)(e.other - other), (double)lost);
        CHECK(e.ground == wanted ||
                  (e.ground == nextafterf(wanted, -INFINITY) && other + (ground - wanted) < 0),
              "%a and %a, %a wanted: %a, not %a", (double)ground, (double)other, (double)taken,
              (double)e.ground, (double)wanted);
        if (fabsf(taken) <= fabsf(ground))
            CHECK(same_sum(ground, -e.moved, e.ground, 0, 0), "the ground lost %a from %a to %a",
                  (double)e.moved, (double)ground, (double)e.ground);
        if (check_failures > 5) return;
    }
}

static void water(void)
{
    otok_water_coefficients k = {.pipe = 2,
                                 .l2_dt = 40,
                                 .dt_l2 = 0.025f,
                                 .l = 2,
                                 .dry = 1e-6f,
                                 .keep = 0.9f,
                                 .wetness_max = 255};
    for (int n = 0; n < 1000000; n++) {
        const otok_four old = {random_between(0, 3), random_between(0, 3), random_between(0, 3),
                               random_between(0, 3)};
        const otok_cross eta = {random_between(0, 9), random_between(0, 9), random_between(0, 9),
                                random_between(0, 9), random_between(0, 9)};
        const float d1 = n % 5 ? random_between(0, 1) : 0;
        const otok_four f = otok_outflow(old, d1, eta, k);
        CHECK(f.left >= 0 && f.right >= 0 && f.bottom >= 0 && f.top >= 0, "negative outflow");
        const otok_surface s = otok_water_surface(d1, f, (otok_four){0, 0, 0, 0}, k);
        CHECK(s.d2 >= 0 && s.clamped <= 1e-6f, "clamped %g of %g", (double)s.clamped, (double)d1);
        CHECK(d1 > 0 || otok_sum_four(f) == 0, "a dry cell flows");
        CHECK(fabsf(s.u) + fabsf(s.w) <= k.l * k.l2_dt / (k.l * k.l) * 1.000001f, "speed %g",
              (double)(fabsf(s.u) + fabsf(s.w)));
        if (check_failures > 5) return;
    }
    CHECK(otok_wetness(255, 1, k) == 255 && otok_wetness(0, 0, k) == 0 &&
              otok_wetness(3, 1, k) == 4 && otok_wetness(3, 1e-6f, k) == 2,
          "wetness");
    CHECK(otok_evaporation(2, k) == 2 * 0.9f, "evaporation");
}

/* A pipe seen from its other end carries the same bits with the other sign; its flow follows the
 * formula. */
static void pipes(void)
{
    for (int n = 0; n < 1000000; n++) {
        const otok_pipe_coefficients k = {
            .pipe = 0.5f, .friction = n & 1 ? 0.01f : 0, .l2_dt = 40, .by_depth = n & 2};
        const otok_column a = {random_between(1000, 1003), n % 5 ? random_between(0, 2) : 0},
                          b = {random_between(1000, 1003), n % 7 ? random_between(0, 2) : 0};
        const float f = random_between(-2, 2), flow = otok_pipe(f, a, b, k),
                    back = otok_pipe(-f, b, a, k);
        CHECK(flow == -back, "%.9g one way, %.9g the other", (double)flow, (double)back);
        const double ha = (double)a.h, hb = (double)b.h, eta_a = ha + (double)a.d1,
                     eta_b = hb + (double)b.d1;
        const double d = fmax(0, fmax(eta_a, eta_b) - fmax(ha, hb));
        CHECK(fabs((double)otok_face_depth(a, b) - d) < 3e-7, "face depth %.9g, not %.9g",
              (double)otok_face_depth(a, b), d);
        double expected = (double)f + 0.5 * (k.by_depth ? d : 1) * (eta_a - eta_b);
        if (k.friction > 0) expected /= 1 + 0.01 * fabs((double)f) / pow(d, 7.0 / 3);
        if (d < 1e-6 && (k.by_depth || k.friction > 0)) expected = d > 0 ? (double)flow : 0;
        CHECK(fabs((double)flow - expected) < 2e-4, "flow %.9g, not %.9g at depth %g", (double)flow,
              expected, d);
        if (check_failures > 5) return;
    }
}

/* Friction along the vector is the root of its equation, and never turns or enlarges a flow. A
   face of 2^-101 m is dry. */
static void braked(void)
{
    const otok_pipe_coefficients k = {.friction = 0.01f};
    for (int n = 0; n < 1000000; n++) {
        const float size = powf(10, random_between(-15, 8)), r = size * random_between(-2, 2),
                    one = size * random_between(-4, 4), other = size * random_between(-4, 4),
                    d = powf(10, random_between(-15, 6.3f));
        const float q = otok_pipe_braked(r, one, other, d, k),
                    back = otok_pipe_braked(-r, one, other, d, k);
        CHECK(q == -back, "%.9g one way, %.9g the other", (double)q, (double)back);
        CHECK(fabsf(q) <= fabsf(r) && q * r >= 0, "%.9g becomes %.9g", (double)r, (double)q);
        const double length = hypot((double)r, ((double)one + (double)other) / 4),
                     b = (double)k.friction / pow((double)d, 7.0 / 3);
        const double expected = 2 * (double)r / (1 + sqrt(1 + 4 * b * length));
        CHECK(fabs((double)q - expected) <= 1e-6 * fabs(expected) + 0x1p-54 * fabs((double)r),
              "flow %.9g, not %.9g at depth %g", (double)q, expected, (double)d);
        if (check_failures > 5) return;
    }
    const float dry[] = {0, 1e-44f, 1e-38f, 7e-31f};
    for (int n = 0; n < 4; n++)
        CHECK(otok_pipe_braked(1, 0, 0, dry[n], k) == 0, "%g m flow", (double)dry[n]);
    CHECK(otok_pipe_braked(0, 1, 1, 1, k) == 0, "still water flows");
}

/* Signed pipes after K never take more than there is, nor run faster than a cell a step, nor leave
 * -0 behind. */
static void faces(void)
{
    const otok_water_coefficients k = {.l2_dt = 40, .dt_l2 = 0.025f, .l = 2, .dry = 1e-6f};
    const otok_pipe_coefficients c = {.l2_dt = 40};
    for (int n = 0; n < 1000000; n++) {
        const float d1 = n % 5 ? random_between(0, 1) : 0;
        const otok_four wanted = {random_between(-30, 30), random_between(-30, 30),
                                  random_between(-30, 30), random_between(-30, 30)};
        otok_cross limit = {0, random_between(0, 1), random_between(0, 1), random_between(0, 1),
                            random_between(0, 1)};
        limit.here = otok_pipe_limit(d1, otok_faces_out(wanted), c);
        const otok_four face = otok_faces_limited(wanted, limit), out = otok_faces_out(face),
                        in = otok_faces_in(face);
        CHECK(d1 > 0 || otok_sum_four(out) == 0, "a dry cell flows");
        CHECK(!(signbit(face.left) && face.left == 0) && !(signbit(face.top) && face.top == 0),
              "a flow of -0");
        const otok_surface s = otok_water_surface(d1, out, in, k);
        CHECK(s.d2 >= 0 && s.clamped <= 1e-6f, "clamped %g of %g", (double)s.clamped, (double)d1);
        CHECK(fabsf(s.u) + fabsf(s.w) <= 20 * 1.000001f, "speed %g",
              (double)(fabsf(s.u) + fabsf(s.w)));
        CHECK(fabsf((in.left - out.left) - face.left) == 0 &&
                  fabsf((out.top - in.top) - face.top) == 0,
              "a face in two");
        if (check_failures > 5) return;
    }
    CHECK(otok_face_limited(-3, 1, 0) == 0 && otok_face_limited(3, 0.5f, 0) == 1.5f,
          "the giver's K");
}

static void erosion(void)
{
    otok_erosion_coefficients k = {.per_length = 0.25f,
                                   .sin2_min = 1e-4f,
                                   .capacity = 5,
                                   .swift = 200,
                                   .dissolve = 0.3f,
                                   .deposit = 0.2f,
                                   .dry = 1e-6f};
    const otok_cross h = {3, 1, 4, 2, 2.5f};
    double gx = 3 * 0.25, gy = 0.5 * 0.25;
    CHECK(fabs((double)otok_gradient2(h, k) - (gx * gx + gy * gy)) < 1e-7, "central gradient");
    k.downhill = 1;
    gx = 2 * 0.25, gy = 1 * 0.25;
    CHECK(fabs((double)otok_gradient2(h, k) - (gx * gx + gy * gy)) < 1e-7, "downhill gradient");
    const double g2 = 0.7, expected = 5 * hypot(3, 4) * sqrt(g2) / sqrt(1 + g2);
    CHECK(fabs((double)otok_capacity(0.7f, 2, 3, 4, k) / expected - 1) < 1e-6, "capacity");
    CHECK(fabs((double)otok_capacity(0, 2, 3, 4, k) / (5 * 5 * 0.01) - 1) < 1e-6, "least tilt");
    CHECK(otok_capacity(0.7f, 1e-6f, 3, 4, k) == 0, "a dry cell holds sediment");
    CHECK(otok_capacity(0.7f, 0.125f, 30, 40, k) == otok_capacity(0.7f, 0.125f, 3, 4, k) &&
              otok_capacity(0.7f, 0.1f, 3, 4, k) < otok_capacity(0.7f, 0.125f, 3, 4, k),
          "speeds beyond sqrt(swift d)");
    k.times_depth = 1;
    CHECK(fabs((double)otok_capacity(0.7f, 2, 3, 4, k) / (2 * expected) - 1) < 1e-6,
          "capacity times depth");
    double s = 0.5, c = 2; /* relaxation: s_n = C + (s0 - C)(1 - k)^n */
    float ground = 0, suspended = (float)s;
    for (int n = 1; n <= 20; n++) {
        const otok_eroded e = otok_erosion(ground, suspended, 1, (float)c, k);
        ground = e.change;
        suspended = e.s;
        CHECK(fabs((double)suspended - (c + (s - c) * pow(1 - 0.3, n))) < 2e-6, "step %d: %g", n,
              (double)suspended);
    }
    k.displace_water = 1;
    const otok_eroded e = otok_erosion(1, 0, 2, 1, k);
    CHECK(e.d2 == 2 + (1 - e.change), "displaced water %g", (double)e.d2);
}

static void transport(void)
{
    const otok_transport_coefficients k = {
        .dt_l2 = 0.025f, .dt_l = 0.05f, .spread = 0.25f, .dry = 1e-6f};
    const otok_moore s = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    CHECK(otok_advection(s, 0, 0, k) == 1, "no wind");
    CHECK(otok_advection(s, 20, 0, k) == 2 && otok_advection(s, -20, 0, k) == 3,
          "a whole cell along x");
    CHECK(otok_advection(s, 0, 20, k) == 4 && otok_advection(s, 0, -20, k) == 5,
          "a whole cell along y");
    CHECK(otok_advection(s, 20, 20, k) == 6 && otok_advection(s, -20, -20, k) == 9,
          "a whole cell both ways");
    CHECK(otok_load(3, 0, k) == 0, "a dry cell carries sediment");
    const otok_cross a = {1, 2, 3, 4, 5}, wet = {1, 1, 0, 1, 0}, dry = {0, 1, 1, 1, 1};
    CHECK(otok_mix(a, wet, k) == 3 && otok_mix(a, dry, k) == 0 &&
              otok_mix(a, (otok_cross){1, 0, 0, 0, 0}, k) == 1,
          "Jacobi mean");
    otok_transport_coefficients kept = k;
    kept.conservative = 1;
    CHECK(otok_mix(a, wet, kept) == 3 && otok_mix(a, dry, kept) == 1,
          "Jacobi mean, of a dry cell that has settled");
    CHECK(otok_diffusion(a, wet, k) == 1 + 0.25f * (1 + 3) && otok_diffusion(a, dry, k) == 1,
          "diffusion");
}

static void sums(void)
{
    int64_t hi = 0, lo = 0, back_hi = 0, back_lo = 0;
    static float values[10000];
    double exact = 0;
    for (int n = 0; n < 10000; n++) {
        values[n] = random_between(-9000, 9000);
        exact += (double)values[n];
    }
    for (int n = 0; n < 10000; n++) {
        const otok_fixed a = otok_fixed_from(values[n]), b = otok_fixed_from(values[9999 - n]);
        hi += a.hi, lo += a.lo, back_hi += b.hi, back_lo += b.lo;
        CHECK(fabs(otok_fixed_value(a.hi, a.lo) - (double)values[n]) <= 0x1p-39,
              "%.9g is held as %.9g", (double)values[n], otok_fixed_value(a.hi, a.lo));
    }
    CHECK(hi == back_hi && lo == back_lo, "order matters");
    CHECK(fabs(otok_fixed_value(hi, lo) - exact) < 1e-6, "sum %.9g, double %.9g",
          otok_fixed_value(hi, lo), exact);
    const otok_fixed nan = otok_fixed_from(NAN), inf = otok_fixed_from(INFINITY),
                     low = otok_fixed_from(-INFINITY);
    CHECK(nan.hi == 0 && nan.lo == 0 && inf.hi == 1 << 30 && low.hi == -(1 << 30),
          "values that are not finite");
}

int main(void)
{
    check_settling();
    exchange();
    water();
    pipes();
    braked();
    faces();
    erosion();
    transport();
    sums();
    return check_failures != 0;
}
