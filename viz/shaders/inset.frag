// The map from above: the values of the style, or heights and sea, and where the eye is.
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 colour;

void main()
{
    vec2 xy = (0.5 + 0.5 * at) * extent.xy;
    vec3 n = normal(xy), c = charted(xy, map(terrain, xy));
    if (!in_hole(xy)) c *= 0.35 + 0.75 * max(dot(n, normalize(vec3(-0.5, 0.5, 0.7))), 0.0);
    vec2 edge = (1.0 - abs(at)) * extent.xy / max(extent.x, extent.y);
    if (min(edge.x, edge.y) < 0.012) c = vec3(1.0);
    float size = 0.025 * max(extent.x, extent.y), away = distance(xy, clamp(eye.xy, vec2(size), extent.xy - size)); // an eye beyond the map is seen whole
    if (away < size) c = away < 0.65 * size ? srgb(0xe02020) : vec3(1.0);
    colour = vec4(c, 1.0);
}
