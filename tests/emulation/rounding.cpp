/* rounding.cpp: the device's multiply-adds that round towards zero. */
#include <cuda_runtime.h>

#include <cfenv>
#include <cmath>

float __fmaf_rz(float a, float b, float c)
{
    volatile float x = a, r;
    const int before = fegetround();
    fesetround(FE_TOWARDZERO);
    r = fmaf(x, b, c);
    fesetround(before);
    return r;
}

double __fma_rz(double a, double b, double c)
{
    volatile double x = a, r;
    const int before = fegetround();
    fesetround(FE_TOWARDZERO);
    r = fma(x, b, c);
    fesetround(before);
    return r;
}
