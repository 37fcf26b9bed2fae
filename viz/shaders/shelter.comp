// How much of the horizon of a place in the sea is closed by land and reefs within a fifth of the map: 0 in the open sea, nearly 1 in a
// lagoon. The ways that one looks along differ from texel to texel: the same ways everywhere would end at a headland along one straight line.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, r8) uniform writeonly image2D closed;

void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(closed);
    if (any(greaterThanEqual(at, size))) return;
    vec2 from = (vec2(at) + 0.5) / vec2(size) * extent.xy;
    int turns = FAST ? 8 : 48, steps = FAST ? 12 : 16;
    float offset = FAST ? 0.0 : fract(52.9829189 * fract(dot(vec2(at), vec2(0.06711056, 0.00583715))));
    float sum = 0.0, pace = 0.2 * max(extent.x, extent.y) / float(steps);
    for (int i = 0; i < turns; i++) {
        float angle = 6.2831853 * (float(i) + offset) / float(turns), high = levels.z;
        for (int k = 1; k <= steps; k++)
            high = max(high, bed(from + float(k) * pace * vec2(cos(angle), sin(angle))));
        sum += smoothstep(-5.0, -1.5, (high - levels.x) / shore_unit());
    }
    imageStore(closed, at, vec4(sum / float(turns)));
}
