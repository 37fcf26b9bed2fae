// The island's four materials, mixed by height, slope, depth of the sea, wetness and reef, in the light of one sun.
const int GRASS = 0, ROCK = 1, SAND = 2, SEABED = 3, WAVES = 4;

// Slopes and tone of a material at two scales, so that its tile is not seen to repeat.
vec3 tile(vec2 xy, int material, float tiles)
{
    vec2 at = xy / max(extent.x, extent.y) * tiles;
    vec3 fine = texture(materials, vec3(at, material)).rgb;
    vec3 coarse = texture(materials, vec3(mat2(0.8, 0.6, -0.6, 0.8) * at / 4.7, material)).rgb;
    return vec3(fine.rg + 0.5 * coarse.rg - 0.75, 0.55 * fine.b + 0.45 * coarse.b);
}

float band(float low, float high, float x)
{
    return smoothstep(low, high, x);
}

struct surface {
    vec3 albedo, normal;
};

surface ground(vec2 xy)
{
    float unit = extent.w, height = map(terrain, xy), above = height - (sea.w > 0.0 ? levels.x : levels.z);
    float depth = sea.w > 0.0 ? -above : -1.0;
    vec3 n = normal(xy);
    float steep = length(n.xy) / n.z, high = clamp(above / max(levels.w - levels.x, unit), 0.0, 1.0);

    vec3 g = tile(xy, GRASS, 42.0), r = tile(xy, ROCK, 26.0), s = tile(xy, SAND, 60.0), b = tile(xy, SEABED, 34.0);
    float jitter = texture(materials, vec3(xy / max(extent.x, extent.y) * 9.0, ROCK)).b - 0.5;

    vec3 grass = mix(srgb(0x14300f), srgb(0x4a7429), g.z);
    grass = mix(grass, mix(srgb(0x55662b), srgb(0x8d9149), g.z), 0.7 * band(0.35, 0.95, high + 0.5 * jitter) + 0.25 * band(0.6, 0.95, steep));
    vec3 rock = mix(srgb(0x3f3a35), srgb(0x8f857a), r.z);
    vec3 sand = mix(srgb(0xd6bf92), srgb(0xf3e6c6), s.z);
    vec3 seabed = mix(srgb(0x3d5a4a), srgb(0x9a9a78), b.z);

    float wet = how.y != 0 ? map(wetness, xy) / 255.0 : 0.0, grown = how.z != 0 ? map(reef, xy) : 0.0;
    float rocky = max(band(0.84, 1.1, steep + 0.9 * jitter), 0.8 * band(0.75, 1.0, wet) * band(0.5, 0.75, steep + 0.6 * jitter));
    float sandy = sea.w > 0.0 ? (1.0 - band(0.8 * unit, 1.7 * unit, above + unit * jitter)) * (1.0 - band(0.3, 0.6, steep)) : 0.0;
    float deep = max(band(2.5 * unit, 9.0 * unit, depth + 2.0 * unit * jitter), 0.85 * band(0.3 * unit, 1.5 * unit, grown + unit * jitter));
    if (depth < 0.0) deep = 0.0;

    surface at;
    at.albedo = mix(mix(mix(grass, rock, rocky), sand, sandy), seabed, deep);
    vec2 bump = mix(mix(mix(0.9 * g.xy, 1.2 * r.xy, rocky), 0.25 * s.xy, sandy), 0.5 * b.xy, deep);
    if (how.w != 0) {
        float paved = band(0.6, 1.0, map(road, xy));
        at.albedo = mix(at.albedo, srgb(0x8a8178), paved);
        bump *= 1.0 - paved;
    }
    // A beach that the waves reach is darker.
    if (sea.w > 0.0) at.albedo *= 1.0 - 0.28 * sandy * (1.0 - band(0.0, 0.35 * unit, abs(above))) * float(above > 0.0);
    at.normal = normalize(n - vec3(bump, 0.0) * n.z);
    return at;
}

vec3 lit(surface at, vec2 xy)
{
    vec2 seen = texture(light, xy / extent.xy).rg;
    float lambert = max(dot(at.normal, sun.xyz), 0.0) * mix(1.0, seen.r, sun.w);
    vec3 from_sky = srgb(0x9fc4e6) * 0.75 * seen.g * (0.6 + 0.4 * at.normal.z);
    return at.albedo * (vec3(2.9, 2.65, 2.25) * lambert + from_sky + vec3(0.10, 0.09, 0.06));
}
