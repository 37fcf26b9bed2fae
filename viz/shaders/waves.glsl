// What every water does: it ripples, mirrors and glitters.
layout(binding = 29) uniform sampler2DArray swell; // of tiles of waves: slopes, their square, how much larger a patch is than at rest (swell_tiles.comp)

// One tile of the swell, so many of them along the map: slopes, their square, and the patch. It is turned.
vec4 swell_once(texture_point p, int tile, float tiles)
{
    float turn = SWELL_TURNED[tile], c = cos(turn), s = sin(turn);
    vec2 along = vec2(SWELL_TO.x * c - SWELL_TO.y * s, SWELL_TO.x * s + SWELL_TO.y * c);
    mat2 back = mat2(along.x, along.y, -along.y, along.x); // of the tile's axes
    vec4 x = textureLod(swell, vec3(p.at * back * tiles, tile), p.level + log2(tiles));
    return vec4(back * x.xy, x.zw);
}

// The moment of the water [s]; that over values rests.
float moment()
{
    return how.x > ISLAND && how.x < PHONG ? 0.0 : chart.w;
}

// Slopes of the ripples that wind makes on still water, in gusts, which run before it. Those of the sea, in small.
vec2 wind_ripples(texture_point p, float tiles)
{
    vec2 moved = p.at - 1.6 * moment() * SWELL_TO / max(extent.x, extent.y);
    float gust = smoothstep(0.38, 0.62, tile_once(texture_point(moved, p.dx, p.dy, p.level, p.square), WAVES, 0.23 * tiles, vec2(0.6)).b);
    return (0.06 + 0.26 * gust) * swell_once(p, 0, 0.45 * tiles).xy;
}

// Light of the sun thrown back by waves whose slopes scatter by `variance` about those of n (Bruneton et al. 2010).
float glitter(vec3 view, vec3 n, float variance)
{
    vec3 h = normalize(sun.xyz - view);
    vec2 off = h.xy / max(h.z, 0.05) - n.xy / n.z;
    float chance = exp(-dot(off, off) / (2.0 * variance)) / (6.2832 * variance), f = 0.02 + 0.98 * pow(1.0 - max(dot(h, -view), 0.0), 5.0);
    return f * chance / (4.0 * pow(max(h.z, 0.1), 4.0) * max(-view.z, 0.12));
}

// What mirrored rays show of the land, of which only the light and the slope are asked: rock if it is steep, else dark green, like most of it.
// w: the share of them that meet land. They scatter by `wide`, as a slope: what a pixel does not show of waves turns its ray by twice their
// slope. Without it a wave mirrors all land or none, and the sea has hard scraps.
vec4 mirrored_land(vec3 from, vec3 ray, float wide)
{
    if (FAST) return vec4(0.0);
    float t = 1.5 * extent.z, share = 0.0;
    vec2 at = from.xy;
    for (int i = 0; i < 14 && share < 0.99; i++) {
        vec3 q = from + ray * t;
        float w = wide * t;
        if (any(lessThan(q.xy, vec2(0.0))) || any(greaterThan(q.xy, extent.xy)) || q.z > levels.w + w) break;
        float covers = smoothstep(-w, w, map(terrain, q.xy) - q.z) - smoothstep(-w, w, from.z - q.z);
        if (covers > share) {
            share = covers;
            at = q.xy;
        }
        t *= 1.45; // 14 steps reach 180 times as far as the first: a quarter of a map of 1024 cells
    }
    if (share <= 0.0) return vec4(0.0);
    vec4 seen = textureLod(light, at / extent.xy, 0.0);
    vec3 n = normal(at);
    vec3 albedo = mix(vec3(0.055, 0.070, 0.030), vec3(0.150, 0.122, 0.098), smoothstep(1.0, 1.4, woods.w * length(n.xy) / n.z));
    return vec4(albedo * (sunlight.rgb * seen.a * max(dot(n, sun.xyz), 0.0) + skylight.rgb * clamp(dot(n, seen.rgb), 0.0, 1.0)), share);
}

// What water mirrors. Rough water mirrors less, and higher parts of the sky, than a flat one would at the same glancing angle.
vec3 mirror(vec3 position, vec3 view, vec3 n, float variance, out float fresnel)
{
    float sigma = sqrt(variance), glancing = 1.0 - max(dot(-view, n), 0.0);
    fresnel = 0.02 + 0.98 * pow(glancing, 5.0 * exp(-2.69 * sigma)) / (1.0 + 22.7 * pow(sigma, 1.5));
    vec3 to = reflect(view, n);
    to = normalize(vec3(to.xy, abs(to.z) + 1.2 * sigma));
    vec4 land = mirrored_land(position, to, 4.0 * sigma);
    return mix(sky(to), land.rgb, land.w);
}
