// Colours of values: rgb, and how much they cover the ground.
vec4 tint(float v)
{
    float part = chart.z > 3.5 ? log(max(v, range.x) / range.x) / log(range.y / range.x) : (v - range.x) / (range.y - range.x), share = clamp(part, 0.0, 1.0);
    if (mod(chart.z, 2.0) > 0.5) {
        bool dry = (how.x == WATER || how.x == SEDIMENT || how.x == SPEED) && v <= range.x;
        float much = how.x == WATER || how.x == SEDIMENT ? min(20.0 * share, 1.0) : 1.0; // a trace of it covers nothing
        return vec4(textureLod(scale, 0.5 / 256.0 + share * 255.0 / 256.0, 0.0).rgb, dry ? 0.0 : much);
    }
    bool signs = how.x == VELOCITY_X || how.x == VELOCITY_Y || (how.x == FIELD && range.x == -range.y);
    if (signs) return vec4(v < 0.0 ? srgb(0x1440d0) : srgb(0xd01818), clamp(abs(v) / range.y, 0.0, 1.0));
    switch (how.x) {
    case WATER: return vec4(mix(srgb(0x5fb4ee), srgb(0x0b2f8f), sqrt(share)), v > range.x ? 0.15 + 0.85 * sqrt(share) : 0.0);
    case SEDIMENT:
    case SPEED: return vec4(srgb(0xd01818), share);
    default: return vec4(textureLod(scale, 0.5 / 256.0 + share * 255.0 / 256.0, 0.0).rgb, 1.0);
    }
}

// How much the speed of the water at a place counts: all of it where water has a surface (flow.comp), nothing of a film, however fast it runs.
float moving(vec2 xy)
{
    return how.x >= SPEED && how.x <= VELOCITY_Y && has.x != 0 ? smoothstep(-0.6, 0.4, map(flow, xy) / film_depth()) : 1.0;
}

const vec3 CHALK = vec3(0.62, 0.60, 0.56);
