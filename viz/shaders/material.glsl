// The island's four materials, mixed by height, slope, depth of the sea, wetness and reef, in the light of one sun.
const int GRASS = 0, ROCK = 1, SAND = 2, SEABED = 3, WAVES = 4;

// Where something is looked up in the tiles of materials, how far the next pixels are, in units of the map's longer side, and the
// binary logarithm of how many texels of one tile lie between them.
struct texture_point {
    vec2 at, dx, dy;
    float level;
};

texture_point texture_point_at(vec2 at, vec2 dx, vec2 dy)
{
    float texels = float(textureSize(materials, 0).x);
    return texture_point(at, dx, dy, 0.5 * log2(texels * texels * max(max(dot(dx, dx), dot(dy, dy)), 1e-20)));
}

// Of a point p at `far` metres along the ray, on a surface whose normal is n. Rays that graze it are bent to meet it by `least`.
texture_point texture_point_of(vec3 p, vec3 n, vec3 ray, float far, float least)
{
    vec3 slide = ray / min(dot(n, ray), -least * length(ray)), x = normalize(right.xyz), y = normalize(up.xyz);
    float unit = max(extent.x, extent.y), pixel = right.w * far / (eye.w * unit);
    return texture_point_at(p.xy / unit, pixel * (x - slide * dot(n, x)).xy, pixel * (y - slide * dot(n, y)).xy);
}

vec3 tile_once(texture_point p, int material, float tiles, vec2 shift)
{
    return textureLod(materials, vec3(p.at * tiles + shift, material), p.level + log2(tiles)).rgb;
}

// Slopes and tone of a material at two scales. The finer is one of many shifted copies, chosen by a wide noise, so that no tile is
// seen to repeat.
vec3 tile(texture_point p, int material, float tiles)
{
    if (up.w > 0.0) return tile_once(p, material, tiles, vec2(0.0)) - vec3(0.5, 0.5, 0.0);
    mat2 turn = mat2(0.8, 0.6, -0.6, 0.8);
    vec3 coarse = tile_once(texture_point(turn * p.at, p.dx, p.dy, p.level), material, tiles / 4.7, vec2(0.0));
    float which = 9.0 * tile_once(p, WAVES, tiles / 7.3, vec2(0.0)).b, i = floor(which);
    vec3 fine = mix(tile_once(p, material, tiles, sin(vec2(3.0, 7.0) * i)), tile_once(p, material, tiles, sin(vec2(3.0, 7.0) * (i + 1.0))),
                    smoothstep(0.25, 0.75, which - i));
    return vec3(fine.rg + 0.5 * coarse.rg - 0.75, 0.6 * fine.b + 0.4 * coarse.b);
}

float band(float low, float high, float x)
{
    return smoothstep(low, high, x);
}

struct surface {
    vec3 albedo, normal;
};

surface ground(vec2 xy, texture_point p)
{
    float unit = extent.w, height = map(terrain, xy), above = height - (sea.w > 0.0 ? levels.x : levels.z);
    float depth = sea.w > 0.0 ? -above : -1.0;
    vec3 n = normal(xy);
    float steep = length(n.xy) / n.z, high = clamp(above / max(levels.w - levels.x, unit), 0.0, 1.0);
    float wide = tile_once(p, WAVES, 2.9, vec2(0.37)).b - 0.5, mid = tile_once(p, ROCK, 9.0, vec2(0.0)).b - 0.5;
    float fine = tile_once(p, ROCK, 31.0, vec2(0.0)).b - 0.5, patchy = mid + 0.7 * fine;

    // How much of each.
    float wet = how.y != 0 ? map(wetness, xy) / 255.0 : 0.0, grown = how.z != 0 ? map(reef, xy) : 0.0;
    float rocky = max(band(0.92, 1.06, steep + 0.7 * patchy + 0.3 * wide), 0.8 * band(0.75, 1.0, wet) * band(0.5, 0.75, steep + 0.6 * patchy));
    float sandy = sea.w > 0.0 ? (1.0 - band(0.9 * unit, 1.5 * unit, above + unit * (1.6 * mid + fine))) * (1.0 - band(0.3, 0.6, steep)) : 0.0;
    float deep = depth > 0.0 ? band(2.5 * unit, 9.0 * unit, depth + 2.0 * unit * mid) : 0.0;
    float coral = depth > 0.0 ? 0.9 * band(0.3 * unit, 1.5 * unit, grown + 1.5 * unit * patchy) : 0.0;
    float forest = band(0.35, 0.55, 0.98 - 0.62 * high - 0.12 * steep + 1.1 * wide + 0.7 * mid);

    surface at = surface(vec3(0.0), vec3(0.0));
    vec2 bump = vec2(0.0);
    float land = (1.0 - max(deep, coral)) * (1.0 - sandy), share = land * (1.0 - rocky);
    if (share > 0.0) {
        vec3 crowns = tile(p, GRASS, 11.0), blades = tile(p, GRASS, 47.0);
        vec3 trees = mix(vec3(0.010, 0.026, 0.006), vec3(0.072, 0.120, 0.028), crowns.z * crowns.z + 0.25 * blades.z - 0.05);
        trees *= 1.0 + vec3(0.9, 0.5, 0.3) * wide;
        vec3 meadow = mix(vec3(0.048, 0.080, 0.016), vec3(0.115, 0.138, 0.046), blades.z);
        meadow = mix(meadow, meadow * vec3(1.3, 1.02, 0.9), band(0.3, 0.9, high + 0.5 * mid));
        at.albedo += share * mix(meadow, trees, forest);
        bump += share * mix(0.5 * blades.xy, 2.2 * crowns.xy + 0.4 * blades.xy, forest);
    }
    if ((share = land * rocky) > 0.0) {
        vec3 r = tile(p, ROCK, 26.0);
        float strata = tile_once(texture_point_at(vec2(0.3 * (p.at.x + p.at.y), height / (60.0 * unit)), vec2(0.01), vec2(0.01)), ROCK, 3.0, vec2(0.0)).b;
        vec3 stone = mix(vec3(0.045, 0.038, 0.034), vec3(0.300, 0.255, 0.205), clamp(r.z + 0.5 * (strata - 0.5) + 0.4 * wide, 0.0, 1.0));
        at.albedo += share * mix(stone, vec3(0.055, 0.075, 0.022), 0.65 * band(0.5, 0.75, r.z + wide + 0.3 * mid)); // mosses and shrubs
        bump += share * 1.5 * r.xy;
    }
    if ((share = (1.0 - max(deep, coral)) * sandy) > 0.0) {
        vec3 s = tile(p, SAND, 60.0);
        at.albedo += share * mix(vec3(0.56, 0.44, 0.27), vec3(0.80, 0.70, 0.52), s.z + 0.5 * mid);
        bump += share * 0.25 * s.xy;
    }
    if ((share = max(deep, coral)) > 0.0) {
        vec3 b = tile(p, SEABED, 34.0);
        vec3 heads = mix(vec3(0.075, 0.060, 0.034), vec3(0.225, 0.175, 0.100), clamp(b.z + 0.9 * mid + 0.5 * wide, 0.0, 1.0));
        vec3 bottom = mix(vec3(0.05, 0.10, 0.07), vec3(0.32, 0.32, 0.19), b.z);
        at.albedo += share * mix(bottom, heads, coral / max(share, 1e-3));
        bump += share * 0.7 * b.xy;
    }
    if (how.w != 0) {
        float paved = band(0.6, 1.0, map(road, xy));
        at.albedo = mix(at.albedo, vec3(0.27, 0.23, 0.19), paved);
        bump *= 1.0 - paved;
    }
    // A beach that the waves reach is darker.
    if (sea.w > 0.0) at.albedo *= 1.0 - 0.42 * sandy * (1.0 - band(0.1 * unit, 0.4 * unit, above + 0.3 * unit * mid)) * float(above > 0.0);
    at.normal = normalize(n - vec3(bump, 0.0) * n.z);
    return at;
}

vec3 lit(surface at, vec2 xy)
{
    vec2 seen = textureLod(light, xy / extent.xy, 0.0).rg;
    float lambert = max(dot(at.normal, sun.xyz), 0.0) * mix(1.0, seen.r, sun.w);
    vec3 from_sky = vec3(0.36, 0.52, 0.78) * seen.g * (0.55 + 0.45 * at.normal.z);
    return at.albedo * (vec3(3.7, 3.3, 2.65) * lambert + from_sky + vec3(0.13, 0.12, 0.08));
}
