// The cut sides of a block: those of the ground, and of the sea above it.
vec3 wall(vec3 position, float pixel)
{
    vec2 to_edge = min(position.xy, extent.xy - position.xy), along = vec2(60.0 * extent.w, 4.0 * extent.x);
    vec2 at = vec2(position.z, position.x + position.y) / along, next = vec2(pixel) / along;
    float facing = to_edge.x < to_edge.y ? 0.6 : 0.8, grain = tile_once(texture_point_at(at, vec2(next.x, 0.0), vec2(0.0, next.y)), ROCK, 1.0, vec2(0.0)).b;
    vec3 stone = how.x == ISLAND ? mix(srgb(0x5b4a3c), srgb(0x8a745e), grain) : 0.5 * CHALK;
    float kind = layer(position.xy, position.z);
    if (how.x == ISLAND && forward.w > 0.0) stone *= mix(vec3(0.65, 0.62, 0.60), vec3(1.75, 1.55, 1.30), fract(0.31 + 0.618 * kind));
    if (how.x == LAYERS) stone = tint(range.y - 0.5 - kind).rgb;
    return stone * (0.55 + 0.45 * facing);
}

// `pixel`: how wide one is there [m].
vec3 cut(vec3 position, float pixel)
{
    float over = position.z - map(terrain, position.xy);
    if (over > 0.02 * extent.z && (sea.w == 0.0 || position.z > levels.x)) return srgb(0x2f6f94); // a river that is cut
    if (sea.w == 0.0 || position.z > levels.x || over < 0.0) return wall(position, pixel);
    return mix(srgb(0x0b3f66), srgb(0x2f9fb0), exp(-(levels.x - position.z) * sea.x * 0.5));
}
