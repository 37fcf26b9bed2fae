// The sky of the island, a plain ground for the other styles.
float cover(texture_point q)
{
    return 0.55 * tile_once(q, WAVES, 1.0, vec2(0.0)).b + 0.30 * tile_once(texture_point(q.at.yx, q.dx, q.dy, q.level), WAVES, 3.3, vec2(0.4)).b +
           0.15 * tile_once(q, WAVES, 9.7, vec2(0.7)).b;
}

vec2 cloud(vec3 ray)
{
    ray = normalize(ray);
    return 0.05 * ray.xy / (max(ray.z, 0.0) + 0.09);
}

// Fair-weather clouds on a plane high above, crowded towards the horizon, paler on the side of the sun.
vec3 clouds(vec3 ray, texture_point q, vec3 clear)
{
    vec2 to_sun = 0.006 * normalize(sun.xy + 1e-4);
    float here = cover(q), there = cover(texture_point(q.at + to_sun, q.dx, q.dy, q.level));
    float thick = smoothstep(0.50, 0.66, here), lit_side = clamp(0.5 + 9.0 * (here - there), 0.0, 1.0);
    vec3 white = mix(vec3(0.80, 0.84, 0.92), vec3(1.75, 1.70, 1.60), lit_side);
    return mix(clear, white, 0.9 * thick * smoothstep(0.0, 0.06, ray.z));
}

vec3 colour(int kind, vec2 pixel, float far)
{
    vec3 way = ray_of(pixel), ray = normalize(way), clear = sky(ray);
    if (how.x != ISLAND) return mix(srgb(0xf4f6f8), srgb(0xc9d3dc), 0.5 * pixel.y / (eye.w * length(up.xyz)));
    float disc = 20.0 * smoothstep(0.9993, 0.9997, dot(ray, sun.xyz));
    vec2 at = cloud(way);
    texture_point q = texture_point_at(at, cloud(way + normalize(right.xyz) / eye.w) - at, cloud(way + normalize(up.xyz) / eye.w) - at);
    return film(clouds(ray, q, clear + disc));
}
