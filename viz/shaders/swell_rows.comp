// The waves of a tile at a moment, and their transform along x. Two real fields are one complex one, so eight are four: height and Dxy, both
// slopes; displacement along x and y, Dxx and Dyy (Tessendorf 2001, eqs. 43, 37, 44).
// Heights are in hundredths of the tile's side, as large as the other fields, for what rounds one of two fields rounds the other.
layout(local_size_x = 128) in;
layout(binding = 0, rgba32f) uniform writeonly image2DArray low;
layout(binding = 1, rgba32f) uniform writeonly image2DArray high;
layout(binding = 19) uniform sampler2DArray modes;
layout(location = 0) uniform float loops; // of the moment, the part that is not whole

// Of the wave that repeats n times along the tile.
vec4 wave(ivec2 n, ivec3 at, uint which)
{
    float number = max(length(vec2(n)), 1e-6), along = SWELL_ALONG[at.z];
    float turn = 6.2831853 * fract(loops * round(SWELL_LOOP * sqrt(6.2831853 * number * along)));
    vec4 a = texelFetch(modes, at, 0);
    vec2 c = vec2(cos(turn), -sin(turn)), h = vec2(a.x * c.x - a.y * c.y, a.x * c.y + a.y * c.x) + vec2(a.z * c.x - a.w * c.y, -a.z * c.y - a.w * c.x);
    vec2 ih = vec2(-h.y, h.x), unit = vec2(n) / number, k = 6.2831853 * along * vec2(n);
    return which == 0u ? vec4(100.0 * along * h - k.x * unit.y * ih, k.x * ih - k.y * h)
                       : vec4(unit.x * ih - unit.y * h, -k.x * unit.x * h - k.y * unit.y * ih);
}

void main()
{
    int thread = int(gl_LocalInvocationID.x), row = int(gl_WorkGroupID.x);
    for (int i = thread; i < LINE; i += HALF) {
        ivec2 n = ivec2(i, row);
        line[i] = wave(n - LINE * ivec2(greaterThanEqual(n, ivec2(HALF))), ivec3(i, row, gl_WorkGroupID.y), gl_WorkGroupID.z);
    }
    transform(thread);
    for (int i = thread; i < LINE; i += HALF) {
        ivec3 at = ivec3(i, row, gl_WorkGroupID.y);
        if (gl_WorkGroupID.z == 0u) imageStore(low, at, line[i]);
        else imageStore(high, at, line[i]);
    }
}
