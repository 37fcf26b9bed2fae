// A circle on the ground or the sea, as a band whose width is given in pixels.
layout(location = 0) uniform vec4 circle; // x, y, radius [m], half the band [pixels]
layout(location = 1) uniform vec2 size;   // of the picture [pixels]
layout(location = 0) out float across;

vec4 at(float part)
{
    float angle = 6.283185307 * part / 128.0;
    vec2 xy = clamp(circle.xy + circle.z * vec2(cos(angle), sin(angle)), vec2(0.0), extent.xy);
    return to_clip * vec4(xy, max(map(terrain, xy), sea.w > 0.0 ? levels.x : levels.z), 1.0);
}

void main()
{
    float part = float(gl_VertexID / 2);
    vec4 here = at(part), before = at(part - 1.0), after = at(part + 1.0);
    vec2 way = size * (after.xy / after.w - before.xy / before.w);
    across = gl_VertexID % 2 == 0 ? 1.0 : -1.0;
    way = vec2(-way.y, way.x) / max(length(way), 1e-6) * across * circle.w;
    gl_Position = vec4(here.xy + 2.0 * way / size * here.w, here.zw);
}
