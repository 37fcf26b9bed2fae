/* infiltration.h: water that enters the soil (Green & Ampt 1911): dF/dt = K (1 + s/F), with F the
   depth that has infiltrated, K the conductivity, s the suction head times the moisture deficit.
   Over a step dt on wet ground F grows by the root a of a - s ln(1 + a/(F + s)) = K dt. With ln(1 +
   x) = 2x/(2 + x) that is a^2 + (2F - K dt) a = 2 K dt (F + s). */
#ifndef OTOK_INFILTRATION_H
#define OTOK_INFILTRATION_H

#include "coefficients.h"
#include "dither.h"

typedef struct otok_soil {
    float d, f; /* depth of water above it, and F [m] */
} otok_soil;

/* The depth that enters the soil where there is enough water. rate: K dt. */
OTOK_FN float otok_green_ampt(float f, float rate, float suction)
{
    const float b = rate - 2.0f * f, c = 2.0f * rate * (f + suction);
    const float root = otok_root(fmaf(b, b, 4.0f * c));
    const float few = otok_quotient(2.0f * c, root - b); /* without a difference of near numbers */
    return b > 0.0f ? 0.5f * (b + root) : c > 0.0f ? few : 0.0f;
}

/* The soil takes no more than there is. Both depths are exact in the mean (dither.h). */
OTOK_FN otok_soil otok_soil_wetted(otok_soil s, float rate, float suction, uint32_t phase)
{
    const float enters = otok_smaller(s.d, otok_green_ampt(s.f, rate, suction));
    const float part = otok_quotient(enters, s.d);
    const float fine = otok_take_exactly(s.d, part, otok_dither(phase + OTOK_DITHER_TURN));
    otok_soil out;
    out.d = enters > 0.0f ? part < 0x1p-11f ? fine : s.d - enters : s.d;
    out.f = otok_add_exactly(s.f, enters, otok_dither(phase));
    return out;
}

#endif
