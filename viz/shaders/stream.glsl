// The water on land at a place, as flow.comp gives it, smooth between cells.
vec4 stream(vec2 xy)
{
    return FAST ? textureLod(flow, xy / extent.xy, 0.0) : cubic(flow, xy);
}

// Whether a pixel of the mesh of water shows any.
bool is_wet(vec2 pixel, float far)
{
    vec2 xy = (eye.xyz + far * ray_of(pixel)).xy;
    return stream(xy).x > 0.0 && !in_hole(xy);
}
