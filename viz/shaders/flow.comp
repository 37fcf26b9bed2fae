// The water that is seen on land, made once for a state. A film of water thinner than a tenth of a cell, or than 0.2 m, runs between stones
// and stalks and has no surface. A stream in a valley has one: water that brings 0.1 to 0.3 m2/s or more over gentle ground is seen where it
// is a fifth as deep.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba16f) uniform writeonly image2D seen;  // x: depth of the water that is seen; below 0: how far it is from that
layout(binding = 1, r8) uniform writeonly image2D blocks;     // 1 where one of the cells of a group does; a half where all lie below the sea
layout(binding = 4) uniform sampler2D water;
layout(binding = 5) uniform sampler2D flow_x;
layout(binding = 6) uniform sampler2D flow_y;
layout(binding = 7) uniform sampler2D sediment;

vec2 velocity_at(ivec2 at)
{
    return has.w != 0 ? vec2(texelFetch(flow_x, at, 0).r, texelFetch(flow_y, at, 0).r) : vec2(0.0);
}

// How much of a stream the water of a cell is: 0 to 1.
float stream_share(ivec2 at, float depth)
{
    float brings = depth * length(velocity_at(at));
    if (brings <= 0.1) return 0.0;
    ivec2 end = textureSize(terrain, 0) - 1, low = max(at - 1, ivec2(0)), high = min(at + 1, end);
    vec2 fall = vec2(texelFetch(terrain, ivec2(high.x, at.y), 0).r - texelFetch(terrain, ivec2(low.x, at.y), 0).r,
        texelFetch(terrain, ivec2(at.x, high.y), 0).r - texelFetch(terrain, ivec2(at.x, low.y), 0).r);
    return smoothstep(0.1, 0.3, brings) * (1.0 - smoothstep(0.15, 0.35, length(fall / vec2(high - low)) / extent.z));
}

// Height of the ground, and of the water that is seen above it: below the ground where there is none, and in the sea, which hides it.
vec2 levels_at(ivec2 at)
{
    at = clamp(at, ivec2(0), textureSize(terrain, 0) - 1);
    float h = texelFetch(terrain, at, 0).r, depth = has.x != 0 ? texelFetch(water, at, 0).r : 0.0;
    float d = depth - film_depth() * (1.0 - 0.8 * stream_share(at, depth));
    if (sea.w > 0.0 && h < levels.x) d = min(d, -film_depth());
    return vec2(h, h + d);
}

shared vec2 near[10][10]; // levels_at of a group's cells and of those around them

// Depth of the water, smoothed among wet cells; next to them as far below 0 as the ground rises above their water, so that the shore
// between two cells lies where a level surface would meet the ground.
float depth_at(uvec2 at)
{
    vec2 here = near[at.y + 1u][at.x + 1u], sum = vec2(0.0);
    for (uint k = 0u; k < 9u; k += FAST ? 2u : 1u) { // in a hurry every other one
        vec2 there = near[at.y + k / 3u][at.x + k % 3u];
        if (there.y > there.x) sum += vec2(there.y, 1.0);
    }
    float own = here.y - here.x;
    if (sum.y == 0.0) return min(own, -0.5 * film_depth());
    float level = sum.x / sum.y - here.x;
    return own > 0.0 ? max(0.5 * (own + level), 0.5 * own) : clamp(level, -4.0 * film_depth(), own);
}

shared uint any_wet, any_land;

void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    bool there = all(lessThan(at, imageSize(seen)));
    if (gl_LocalInvocationIndex == 0u) any_wet = any_land = 0u;
    barrier();
    for (uint k = gl_LocalInvocationIndex; k < 100u; k += 64u) {
        uvec2 to = uvec2(k % 10u, k / 10u);
        near[to.y][to.x] = levels_at(ivec2(gl_WorkGroupID.xy * 8u + to) - 1);
        if (sea.w <= 0.0 || near[to.y][to.x].x >= levels.x) any_land = 1u;
    }
    barrier();
    if (there) {
        float depth = depth_at(gl_LocalInvocationID.xy), film = has.x != 0 ? texelFetch(water, at, 0).r : 0.0, load = has.z != 0 ? texelFetch(sediment, at, 0).r : 0.0;
        imageStore(seen, at, vec4(depth, velocity_at(at), load / max(film, film_depth())));
        if (depth > 0.0) atomicOr(any_wet, 1u);
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u) imageStore(blocks, ivec2(gl_WorkGroupID.xy), vec4(any_wet != 0u ? 1.0 : any_land != 0u ? 0.0 : 0.5));
}
