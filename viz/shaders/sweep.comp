// Horizons of a terrain, exactly along lines of so many directions and towards the sun. Each thread walks one line away from the light
// and keeps the upper hull of the ground behind it: the hull's corner that the tangent from here touches is the horizon, and what
// lies below the tangent is never seen again (Timonen and Westerholm 2010).
layout(local_size_x = 64) in;
layout(binding = 0, r16f) uniform writeonly image2DArray horizons; // tangents of their elevations, at least 0; the last: towards the sun
const int DEEP = 48; // corners that a hull keeps; where it has more it is so round that every other one will do

void main()
{
    ivec3 size = imageSize(horizons);
    int turn = int(gl_WorkGroupID.y), turns = size.z - 1;
    float angle = 6.2831853 * (float(turn) + 0.5) / float(turns);
    bool to_sun = turn == turns;
    vec2 cells = extent.xy / vec2(size.xy), pace = -(to_sun ? sun.xy + 1e-6 : vec2(cos(angle), sin(angle))) / cells;
    bool across = abs(pace.x) >= abs(pace.y); // each step goes one texel along this side, and `aside` along the other
    pace /= max(abs(pace.x), abs(pace.y));
    float aside = across ? pace.y : pace.x, metres = length(pace * cells);
    int n = across ? size.x : size.y, m = across ? size.y : size.x, reach = int(ceil(abs(aside) * float(n - 1)));
    int line = int(gl_GlobalInvocationID.x) - (aside > 0.0 ? reach : 0);
    if (int(gl_GlobalInvocationID.x) >= m + reach) return;
    float high[DEEP], far[DEEP];
    int top = -1;
    for (int a = 0; a < n; a++) {
        float b = float(line) + aside * float(a);
        if (b < -0.5 || b >= float(m) - 0.5) continue;
        int i = (across ? pace.x : pace.y) > 0.0 ? a : n - 1 - a, j = int(floor(b + 0.5));
        vec2 at = across ? vec2(float(i), b) : vec2(b, float(i));
        float t = float(a) * metres, h = textureLod(terrain, (at + 0.5) / vec2(size.xy), 0.0).r;
        if (to_sun && sea.w > 0.0) h = max(h, levels.x); // shadows fall on the sea, not on its bed
        while (top > 0 && (high[top] - h) * (t - far[top - 1]) <= (high[top - 1] - h) * (t - far[top])) top--;
        float tangent = top < 0 ? 0.0 : max((high[top] - h) / (t - far[top]), 0.0);
        imageStore(horizons, ivec3(across ? ivec2(i, j) : ivec2(j, i), turn), vec4(tangent));
        if (top == DEEP - 1) {
            for (int k = 1; 2 * k < DEEP; k++) {
                high[k] = high[2 * k];
                far[k] = far[2 * k];
            }
            top = DEEP / 2 - 1;
        }
        top++;
        high[top] = h;
        far[top] = t;
    }
}
