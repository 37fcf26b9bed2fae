// Made once for a terrain and a sun: how much of the sun and of the sky each place sees.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rg8) uniform writeonly image2D share;

// Soft shadow: how narrowly the ray to the sun passes over the terrain, against the width of a sun larger than ours.
float sunlight(vec3 p)
{
    float clear = 1.0, flat_sun = max(length(sun.xy), 1e-3);
    vec2 way = sun.xy / flat_sun;
    float rise = sun.z / flat_sun;
    for (float t = 1.5 * extent.z; t < extent.x + extent.y; t *= up.w > 0.0 ? 1.25 : 1.09) {
        vec2 q = p.xy + way * t;
        if (any(lessThan(q, vec2(0.0))) || any(greaterThan(q, extent.xy)) || p.z + rise * t > levels.w) break;
        clear = min(clear, 0.5 + (p.z + rise * t - map(terrain, q)) / (0.06 * t));
        t += 0.25 * extent.z;
    }
    return smoothstep(0.0, 1.0, clear);
}

float skylight(vec3 p)
{
    float sum = 0.0;
    for (int d = 0; d < 8; d++) {
        vec2 way = vec2(cos(float(d) * 0.7853982), sin(float(d) * 0.7853982));
        float steepest = 0.0;
        for (float t = extent.z; t < 70.0 * extent.z; t *= up.w > 0.0 ? 3.5 : 1.7) {
            vec2 q = clamp(p.xy + way * t, vec2(0.0), extent.xy);
            steepest = max(steepest, (map(terrain, q) - p.z) / t);
        }
        sum += 1.0 - steepest / sqrt(1.0 + steepest * steepest);
    }
    return sum / 8.0;
}

void main()
{
    ivec2 size = imageSize(share), at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, size))) return;
    vec2 xy = (vec2(at) + 0.5) / vec2(size) * extent.xy;
    vec3 p = vec3(xy, map(terrain, xy));
    float sky_share = skylight(p);
    if (sea.w > 0.0) p.z = max(p.z, levels.x); // shadows fall on the sea, not on its bed
    imageStore(share, at, vec4(sunlight(p), sky_share, 0.0, 1.0));
}
