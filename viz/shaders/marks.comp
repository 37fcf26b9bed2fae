// What water did to the ground, and whether a place is a ridge or a hollow, made once for a state.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba8) uniform writeonly image2D left;
layout(binding = 4) uniform sampler2D water;
layout(binding = 8) uniform sampler2D change;

// x: wetter for long than the land around, for in a rain all land is wet, and not alone, as a puddle is: where water ran. y: how much higher the ground around is, as a
// slope. On rings of 3, 8 and 16 cells: from the streams that a map just resolves to the valleys that they lie in.
vec2 beside(ivec2 at)
{
    ivec2 most = textureSize(terrain, 0) - 1;
    float h = texelFetch(terrain, at, 0).r, here = texelFetch(wetness, at, 0).r / 255.0, above = 0.0, alike = 0.0;
    vec2 wet = vec2(0.0);
    for (int k = 0; k < 24; k++) {
        float angle = 0.7853982 * float(k % 8) + 0.26 * float(k / 8), r = k < 8 ? 3.0 : k < 16 ? 8.0 : 16.0;
        ivec2 there = clamp(at + ivec2(round(r * vec2(cos(angle), sin(angle)))), ivec2(0), most);
        float high = texelFetch(terrain, there, 0).r;
        float long_wet = texelFetch(wetness, there, 0).r / 255.0;
        above += (high - h) / (r * extent.z);
        if (k < 8) alike += float(long_wet > 0.7 * here) / 8.0;
        else if (sea.w == 0.0 || high > levels.x) wet += vec2(long_wet, 1.0);
    }
    return vec2(smoothstep(0.05, 0.20, alike) * smoothstep(0.15, 0.5, here) * smoothstep(0.12, 0.40, here - wet.x / max(wet.y, 1.0)), above / 24.0);
}

void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(left)))) return;
    vec2 around = beside(at);
    float film = has.x != 0 ? smoothstep(0.0, film_depth(), texelFetch(water, at, 0).r) : 0.0;
    float changed = has.y != 0 ? texelFetch(change, at, 0).r / (12.0 * extent.w) : 0.0; // an eighth of the relief is much
    // A gully whose sides rise by 0.3 more than its bed does is deep.
    imageStore(left, at, vec4(how.y != 0 ? around.x : 0.0, film, 0.5 + 0.5 * changed, 0.5 + 0.5 * around.y / 0.3));
}
