// Woods grow where the island's material shows forest. A crown is as wide as a site (viz/trees.h), and a tree is as high.
struct wood {
    vec3 species;           // their shares
    float share, hue, moist; // share: 0..1, how dense trees stand; hue: of their leaves, as in plants()
};

wood wood_at(vec2 xy, float z, texture_point p)
{
    if (FAST || how.x != ISLAND || max(extent.x, extent.y) < 16.0 * woods.x || clamp(xy, vec2(0.0), extent.xy) != xy || in_hole(xy)) return wood(vec3(0.0), 0.0, 0.0, 0.0);
    float above = z - (sea.w > 0.0 ? levels.x : levels.z);
    if (sea.w > 0.0 && above < 1.5 * shore_unit()) return wood(vec3(0.0), 0.0, 0.0, 0.0);
    vec4 mark = textureLod(marks, xy / extent.xy, 0.0);
    site s;
    s.unit = shore_unit();
    s.depth = -above;
    s.high = high_of(above);
    s.n = normal(xy);
    s.steep = length(s.n.xy) / s.n.z;
    s.wide = tile_once(p, WAVES, 2.9, vec2(0.37)).b - 0.5;
    s.mid = tile_once(p, ROCK, 9.0, vec2(0.0)).b - 0.5;
    s.rain = rain_at(p);
    s.wet = mark.g;
    s.laid = max(2.0 * mark.b - 1.0, 0.0);
    s.hollow = 2.0 * mark.a - 1.0;
    float moist = moist_of(s);
    float rocky = band(1.05, 1.30, woods.w * s.steep + 0.8 * s.mid + 0.4 * s.wide - 0.20 * s.hollow), bare = band(0.6, 1.0, max(1.0 - 2.0 * mark.b, 0.0) * band(0.35, 0.9, s.steep) + 0.7 * s.mid + 0.4 * s.wide);
    float share = forest_of(s, moist) * (1.0 - band(0.9, 1.15, max(woods.w, 1.0) * s.steep)) * (1.0 - rocky) * (1.0 - 0.8 * bare) * (1.0 - max(scree_at(xy, s), cliff_at(xy, s))) * (1.0 - band(0.0, 0.2, mark.r)) * (1.0 - band(-0.45, 0.1, map(flow, xy) / film_depth()));
    if (how.w != 0) share *= 1.0 - band(0.2, 0.8, bed_of_road(xy));
    vec2 edge = min(xy, extent.xy - xy);
    share *= band(0.0, woods.x, min(edge.x, edge.y)); // none on the walls of a block
    return wood(species_of(s, moist), share, leaf_hue(s, moist), moist);
}

texture_point wood_point(vec2 xy)
{
    float unit = max(extent.x, extent.y), pixel = 0.15 * woods.x / unit;
    return texture_point_at(xy / unit, vec2(pixel, 0.0), vec2(0.0, pixel));
}

// How high the canopy stands on the ground [m], crown by crown; where trees stand one by one it is their undergrowth, and where a crown
// is narrower than a pixel there is none.
float canopy(vec2 xy, float z)
{
    float crown_wide = woods.x / 1.7, pixels = 2.0 * crown_wide * eye.w / (right.w * distance(eye.xyz, vec3(xy, z))), wide = band(0.7, 1.5, pixels);
    if (FAST || wide <= 0.0) return 0.0;
    texture_point p = wood_point(xy);
    float share = wood_at(xy, z, p).share;
    if (share <= 0.0) return 0.0;
    float crown = tile(p, GRASS, crown_tiles()).z;
    return 2.2 * wide * share * share * crown_wide * band(0.10, 0.75, crown) * crown * (1.0 - 0.65 * one_by_one(vec3(xy, z)));
}
