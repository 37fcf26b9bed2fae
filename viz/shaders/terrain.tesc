// How finely each edge of a patch is divided. The level of an edge depends on its two ends alone, so both its patches agree and no crack
// opens. A patch of which nothing is seen gets no pieces.
layout(vertices = 4) out;
layout(location = 0) in vec3 at[];
layout(location = 0) out vec3 corner[];
layout(location = 1) out float pieces[]; // of the edge that ends in this corner
layout(location = 2) out float shore[];  // 1, or the slope where the sea ends on that edge

// Enough pieces that the bent terrain departs from the straight piece by no more than the error allowed on the screen. Water bends by a film's
// depth from cell to cell, and both the ground beneath it and the canopy beside it follow. On a flat shore a small error moves the coast far.
float level(vec3 a, vec3 b, out float shore)
{
    shore = 1.0;
    if (range.z <= 0.0) return range.w;
    if (a.x > b.x || (a.x == b.x && a.y > b.y)) {
        vec3 c = a;
        a = b;
        b = c;
    }
    int N = up.w > 1.0 ? 4 : 16;
    float bend = 0.0, before = bed(a.xy), here = bed(mix(a.xy, b.xy, 1.0 / float(N))), high = max(before, here), off = abs(before - levels.x);
    for (int i = 2; i <= N; i++) {
        float next = bed(mix(a.xy, b.xy, float(i) / float(N)));
        bend = max(bend, abs(before - 2.0 * here + next));
        high = max(high, next);
        if ((before > levels.x) != (next > levels.x)) shore = min(shore, 8.0 * abs(next - before) / distance(a.xy, b.xy));
        off = min(off, abs(next - levels.x));
        before = here;
        here = next;
    }
    vec2 beside = vec2(0.5 * distance(a.xy, b.xy));
    if (N == 16 && wet_between(min(a.xy, b.xy) - beside, max(a.xy, b.xy) + beside)) bend = max(bend, film_depth());
    float distance_of = max(distance(vec3(0.5 * (a.xy + b.xy), high), eye.xyz) - 0.5 * distance(a.xy, b.xy), extent.z);
    float error = range.z * distance_of / eye.w;
    if (N == 16 && sea.w > 0.0) error *= clamp(shore < 1.0 ? shore : off / error, 0.01, 1.0);
    return clamp(float(N) * sqrt(bend / (8.0 * error)), 1.0, range.w);
}

// Whether all of the patch, from the bottom of the block to the highest tree, lies beside the picture or behind the eye.
bool beside()
{
    int left = 0, right_of = 0, below = 0, above = 0, behind = 0;
    for (int i = 0; i < 8; i++) {
        vec4 c = to_clip * vec4(at[i & 3].xy, i < 4 ? levels.y : levels.w + 2.0 * woods.x, 1.0);
        left += int(c.x < -c.w);
        right_of += int(c.x > c.w);
        below += int(c.y < -c.w);
        above += int(c.y > c.w);
        behind += int(c.w <= 0.0);
    }
    return max(max(max(left, right_of), max(below, above)), behind) == 8;
}

void main()
{
    int edge = gl_InvocationID;
    corner[gl_InvocationID] = at[gl_InvocationID];
    pieces[gl_InvocationID] = beside() || (at[0].z == 0.0 && !carries(at[0].xy, at[2].xy)) ? 0.0 : level(at[(edge + 3) % 4], at[edge], shore[gl_InvocationID]);
    barrier();
    if (gl_InvocationID != 0) return;
    for (int i = 0; i < 4; i++)
        gl_TessLevelOuter[i] = pieces[i];
    gl_TessLevelInner[0] = max(pieces[1], pieces[3]);
    gl_TessLevelInner[1] = max(pieces[0], pieces[2]);
    if (up.w <= 1.0 && sea.w > 0.0 && min(min(shore[0], shore[1]), min(shore[2], shore[3])) < 1.0) // a coast that bends
        gl_TessLevelInner[0] = gl_TessLevelInner[1] = max(gl_TessLevelInner[0], gl_TessLevelInner[1]);
}
