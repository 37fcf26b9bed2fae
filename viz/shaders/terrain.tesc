// How finely each edge of a patch is divided. An edge's level depends on its two ends alone, so that both its patches agree: no cracks.
layout(vertices = 4) out;
layout(location = 0) in vec3 at[];
layout(location = 0) out vec3 corner[];

// Enough pieces that the bent terrain departs from the straight piece by no more than the error allowed on the screen.
float level(vec3 a, vec3 b)
{
    if (range.z <= 0.0) return range.w;
    if (a.x > b.x || (a.x == b.x && a.y > b.y)) {
        vec3 c = a;
        a = b;
        b = c;
    }
    int N = up.w > 1.0 ? 4 : 16;
    float bend = 0.0, before = bed(a.xy), here = bed(mix(a.xy, b.xy, 1.0 / float(N))), high = max(before, here);
    for (int i = 2; i <= N; i++) {
        float next = bed(mix(a.xy, b.xy, float(i) / float(N)));
        bend = max(bend, abs(before - 2.0 * here + next));
        high = max(high, next);
        before = here;
        here = next;
    }
    float distance_of = max(distance(vec3(0.5 * (a.xy + b.xy), high), eye.xyz) - 0.5 * distance(a.xy, b.xy), extent.z);
    float error = range.z * distance_of / eye.w;
    return clamp(float(N) * sqrt(bend / (8.0 * error)), 1.0, range.w);
}

void main()
{
    corner[gl_InvocationID] = at[gl_InvocationID];
    if (gl_InvocationID != 0) return;
    gl_TessLevelOuter[0] = level(at[3], at[0]);
    gl_TessLevelOuter[1] = level(at[0], at[1]);
    gl_TessLevelOuter[2] = level(at[1], at[2]);
    gl_TessLevelOuter[3] = level(at[2], at[3]);
    gl_TessLevelInner[0] = max(gl_TessLevelOuter[1], gl_TessLevelOuter[3]);
    gl_TessLevelInner[1] = max(gl_TessLevelOuter[0], gl_TessLevelOuter[2]);
}
