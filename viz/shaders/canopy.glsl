// How high trees stand on the ground at a place [m]: crown by crown, on what the island's material shows as forest. A crown is some two cells
// wide, and a tree as high.
float canopy(vec2 xy, float z)
{
    if (FAST || how.x != ISLAND || clamp(xy, vec2(0.0), extent.xy) != xy) return 0.0;
    float above = z - (sea.w > 0.0 ? levels.x : levels.z);
    if (sea.w > 0.0 && above < 1.5 * extent.w) return 0.0;
    float unit = max(extent.x, extent.y), pixel = 0.25 * extent.z / unit;
    texture_point p = texture_point_at(xy / unit, vec2(pixel, 0.0), vec2(0.0, pixel));
    vec4 mark = textureLod(marks, xy / extent.xy, 0.0);
    site s;
    s.high = clamp(above / max(levels.w - levels.x, extent.w), 0.0, 1.0);
    s.n = normal(xy);
    s.steep = length(s.n.xy) / s.n.z;
    s.wide = tile_once(p, WAVES, 2.9, vec2(0.37)).b - 0.5;
    s.mid = tile_once(p, ROCK, 9.0, vec2(0.0)).b - 0.5;
    s.wet = mark.g;
    s.laid = max(2.0 * mark.b - 1.0, 0.0);
    s.hollow = 2.0 * mark.a - 1.0;
    float share = forest_of(s, moist_of(s)) * (1.0 - band(0.9, 1.15, s.steep)) * (1.0 - band(0.0, 0.2, mark.r)) * (1.0 - band(-3.5, -0.5, map(flow, xy) / film_depth()));
    if (how.w != 0) share *= 1.0 - band(0.2, 0.8, bed_of_road(xy));
    vec2 edge = min(xy, extent.xy - xy);
    share *= band(0.0, 3.0 * extent.z, min(edge.x, edge.y)); // none on the walls of a block
    float crown = tile(p, GRASS, 11.0).z;
    return 2.2 * share * share * extent.z * band(0.10, 0.75, crown) * crown;
}
