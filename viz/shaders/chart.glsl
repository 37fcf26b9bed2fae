// What the small map and the globe show at a place: the values of the style, or heights and sea.
vec3 charted(vec2 xy, float h)
{
    if (in_hole(xy)) return hole(LAND);
    float above = (h - levels.x) / max(levels.w - levels.x, extent.w);
    if (how.x == ISLAND || how.x == PHONG || how.x == WIREFRAME) {
        if (sea.w > 0.0 && h < levels.x) return mix(srgb(0x58b7c4), srgb(0x0e3f70), 1.0 - exp((h - levels.x) * sea.x));
        return mix(srgb(0x5c7a3a), srgb(0xc9bda4), smoothstep(0.05, 0.8, above));
    }
    float v = value(value_x, xy);
    if (how.x == LAYERS) v = range.y - 0.5 - layer(xy, h);
    if (how.x == SPEED) v = length(vec2(v, value(value_y, xy)));
    vec4 t = tint(v);
    t.a *= moving(xy);
    return mix(CHALK, t.rgb, t.a);
}
