// The Fourier transform of one line of a tile of waves (viz/swell.h): two complex numbers at once. Inverse, and not divided by their number.
const int LINE = 256, HALF = LINE / 2, STAGES = 8; // OTOK_SWELL_SIDE
shared vec4 line[LINE];

vec4 times(vec4 a, vec2 b)
{
    return vec4(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x, a.z * b.x - a.w * b.y, a.z * b.y + a.w * b.x);
}

// Stockham's order (Cochran et al. 1967, "What is the fast Fourier transform?"): a stage joins transforms of `done` numbers by twos, and leaves
// them where the next one wants them. HALF threads, each a pair.
void transform(int thread)
{
    for (int stage = 0; stage < STAGES; stage++) {
        int done = 1 << stage, k = thread & (done - 1), to = 2 * thread - k;
        float angle = 3.14159265 * float(k) / float(done);
        barrier();
        vec4 a = line[thread], b = times(line[thread + HALF], vec2(cos(angle), sin(angle)));
        barrier();
        line[to] = a + b;
        line[to + done] = a - b;
    }
    barrier();
}
