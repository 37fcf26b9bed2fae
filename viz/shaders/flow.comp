// Made once for a state: the water that is seen on land, and the marks that water leaves there. A film of water thinner than a tenth
// of a cell runs between stones and stalks and is no surface.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba16f) uniform writeonly image2D seen;  // x: depth of the water that is seen; below 0: how far it is from that
layout(binding = 1, rgba8) uniform writeonly image2D left;
layout(binding = 4) uniform sampler2D water;
layout(binding = 5) uniform sampler2D flow_x;
layout(binding = 6) uniform sampler2D flow_y;
layout(binding = 7) uniform sampler2D sediment;
layout(binding = 8) uniform sampler2D change;

float film_depth()
{
    return 0.1 * extent.z;
}

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
    for (int k = 0; k < 9; k++) {
        vec2 there = levels_at(at + ivec2(k % 3 - 1, k / 3 - 1));
        if (there.y > there.x) sum += vec2(there.y, 1.0);
    }
    float own = here.y - here.x;
    if (sum.y == 0.0) return min(own, -0.5 * film_depth());
    float level = sum.x / sum.y - here.x;
    return own > 0.0 ? max(0.5 * (own + level), 0.5 * own) : clamp(level, -4.0 * film_depth(), own);
}

// Where water ran: wet for long, and longer than the land around it on average, for in a rain all land is wet.
float bed_at(ivec2 at)
{
    float here = texelFetch(wetness, at, 0).r / 255.0;
    vec2 sum = vec2(0.0);
    for (int k = 0; k < 24; k++) { // rings of 6, 12 and 18 cells: wider than the streams that a map resolves
        float angle = 0.7853982 * float(k % 8) + 0.26 * float(k / 8);
        ivec2 there = inside(at + ivec2(round(6.0 * float(k / 8 + 1) * vec2(cos(angle), sin(angle)))));
        if (sea.w == 0.0 || texelFetch(terrain, there, 0).r > levels.x) sum += vec2(texelFetch(wetness, there, 0).r / 255.0, 1.0);
    }
    return smoothstep(0.15, 0.5, here) * smoothstep(0.12, 0.40, here - sum.x / max(sum.y, 1.0));
}

void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(seen)))) return;
    float depth = depth_at(at), film = has.x != 0 ? texelFetch(water, at, 0).r : 0.0, load = has.z != 0 ? texelFetch(sediment, at, 0).r : 0.0;
    vec2 speed = has.w != 0 ? vec2(texelFetch(flow_x, at, 0).r, texelFetch(flow_y, at, 0).r) : vec2(0.0);
    float changed = has.y != 0 ? texelFetch(change, at, 0).r / (5.0 * extent.w) : 0.0; // a twentieth of the relief is much
    imageStore(seen, at, vec4(depth, speed, load / max(film, film_depth())));
    imageStore(left, at, vec4(how.y != 0 ? bed_at(at) : 0.0, smoothstep(0.0, film_depth(), film), clamp(vec2(-changed, changed), 0.0, 1.0)));
}
