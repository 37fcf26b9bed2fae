// Rivers and lakes: a surface at ground + depth, a mesh of its own, drawn where stream() finds water. It mirrors, shows its bed where it is
// shallow (water a quarter of a cell deep hides more than half of it), is brown where it carries sediment, and foams where it falls.
float level_at(vec2 xy)
{
    return map(terrain, xy) + max(map(flow, xy), 0.0);
}

vec3 river(vec3 position, vec4 water, vec3 ray, float far)
{
    vec2 xy = position.xy, l = vec2(extent.z, 0.0);
    vec3 view = normalize(ray), level = normalize(vec3(level_at(xy - l) - level_at(xy + l), level_at(xy - l.yx) - level_at(xy + l.yx), 2.0 * l.x));
    texture_point p = texture_point_of(position, level, ray, far, 0.05);
    float speed = length(water.yz), fall = length(level.xy) / level.z;
    vec2 along = water.yz / max(speed, 0.1);
    float tiles = max(extent.x, extent.y) / (12.0 * extent.z), lively = smoothstep(0.3, 3.0, speed);
    vec3 ripples = streaks(p, WAVES, along, tiles, 0.5);
    vec3 n = normalize(level + vec3((0.06 + 0.30 * lively) * (ripples.xy - 0.5), 0.0));
    float variance = 0.0008 + 0.010 * lively, path = water.x / max(sqrt(1.0 - 0.5625 * (1.0 - view.z * view.z)), 0.3); // refracted by 4/3
    float clear = exp(-3.6 * path / extent.z), loaded = smoothstep(0.15, 0.75, water.w);
    float shade = mix(1.0, textureLod(light, xy / extent.xy, 0.0).a, sun.w) * under_clouds(position);
    vec3 bottom = vec3(0.0);
    if (clear > 0.01) bottom = lit(ground(xy + view.xy * path * 0.4, p), xy);
    vec3 body = daylight(shade) * mix(vec3(0.012, 0.070, 0.120), vec3(0.150, 0.105, 0.060), 0.7 * loaded);
    vec3 below = mix(body, bottom * mix(vec3(0.55, 0.85, 0.90), vec3(1.0), clear), clear * (1.0 - 0.6 * loaded));
    float fresnel;
    vec3 mirrored = mirror(vec3(xy, position.z + 0.05 * extent.z), view, n, variance, fresnel);
    vec3 c = mix(below, mirrored, fresnel) + shade * sunlight.rgb * min(glitter(view, n, variance), 3.0);
    // White water: where it falls, in strands along it.
    float rapid = smoothstep(0.12, 0.9, fall) * lively, strands = ripples.b + 0.6 * (streaks(p, WAVES, along, 3.1 * tiles, 1.0).b - 0.5);
    float foam = smoothstep(0.66 - 0.26 * rapid, 0.86 - 0.20 * rapid, strands) * smoothstep(0.0, 0.25, rapid);
    return mix(c, 0.62 * daylight(shade), 0.8 * foam);
}

// The water over what the style shows of the ground. Looks of values keep most of their colour, and those of the water's own all of it.
vec3 watered(vec2 pixel, float far)
{
    vec3 ray = ray_of(pixel), position = eye.xyz + far * ray;
    vec4 water = stream(position.xy);
    vec3 c = river(position, water, ray, far);
    if (how.x == ISLAND) return film(haze(c, position));
    float most = how.x == PHONG || how.x == WIREFRAME ? 0.8 : how.x == FIELD || how.x == LAYERS ? 0.35 : 0.15;
    return mix(land(position, ray, far), film(c), most * (1.0 - 0.5 * exp(-4.0 * water.x / extent.z)));
}
