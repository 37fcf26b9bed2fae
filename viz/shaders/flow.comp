// Made once for a state: the water that is seen on land. A film of water thinner than a tenth
// of a cell runs between stones and stalks and is no surface.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba16f) uniform writeonly image2D seen;  // x: depth of the water that is seen; below 0: how far it is from that
layout(binding = 1, r8) uniform writeonly image2D blocks;     // 1 where one of the cells of a group does
layout(binding = 4) uniform sampler2D water;
layout(binding = 5) uniform sampler2D flow_x;
layout(binding = 6) uniform sampler2D flow_y;
layout(binding = 7) uniform sampler2D sediment;

ivec2 inside(ivec2 at)
{
    return clamp(at, ivec2(0), textureSize(terrain, 0) - 1);
}

// Height of the ground, and of the water that is seen above it: below the ground where there is none, and in the sea, which hides it.
vec2 levels_at(ivec2 at)
{
    at = inside(at);
    float h = texelFetch(terrain, at, 0).r, d = has.x != 0 ? texelFetch(water, at, 0).r - film_depth() : -film_depth();
    if (sea.w > 0.0 && h < levels.x) d = min(d, -film_depth());
    return vec2(h, h + d);
}

// Depth of the water, smoothed among wet cells; next to them as far below 0 as the ground rises above their water, so that the shore
// between two cells lies where a level surface would meet the ground.
float depth_at(ivec2 at)
{
    vec2 here = levels_at(at), sum = vec2(0.0);
    for (int k = 0; k < 9; k += FAST ? 2 : 1) { // in a hurry every other one
        vec2 there = levels_at(at + ivec2(k % 3 - 1, k / 3 - 1));
        if (there.y > there.x) sum += vec2(there.y, 1.0);
    }
    float own = here.y - here.x;
    if (sum.y == 0.0) return min(own, -0.5 * film_depth());
    float level = sum.x / sum.y - here.x;
    return own > 0.0 ? max(0.5 * (own + level), 0.5 * own) : clamp(level, -4.0 * film_depth(), own);
}

shared uint any_wet;

void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    bool there = all(lessThan(at, imageSize(seen)));
    if (gl_LocalInvocationIndex == 0u) any_wet = 0u;
    barrier();
    if (there) {
        float depth = depth_at(at), film = has.x != 0 ? texelFetch(water, at, 0).r : 0.0, load = has.z != 0 ? texelFetch(sediment, at, 0).r : 0.0;
        vec2 speed = has.w != 0 ? vec2(texelFetch(flow_x, at, 0).r, texelFetch(flow_y, at, 0).r) : vec2(0.0);
        imageStore(seen, at, vec4(depth, speed, load / max(film, film_depth())));
        if (depth > 0.0) atomicOr(any_wet, 1u);
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u) imageStore(blocks, ivec2(gl_WorkGroupID.xy), vec4(float(any_wet)));
}
