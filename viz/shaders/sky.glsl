// The shadow of a block on the ground that it is on: of the open sky close to its foot, and of the sun for its walls. 0: none.
float under_block(vec3 ray)
{
    if (ray.z >= 0.0 || eye.z <= levels.y) return 0.0;
    vec2 at = (eye.xyz + ray * (levels.y - eye.z) / ray.z).xy, away = -sun.xy / max(sun.z, 0.2) * max(levels.z - levels.y, 0.0);
    float soft = 0.05 * max(extent.x, extent.y), sun_from = 1e30, sky_from = length(max(max(-at, at - extent.xy), 0.0));
    for (int i = 0; i <= 4; i++) {
        vec2 q = at - 0.25 * float(i) * away;
        sun_from = min(sun_from, length(max(max(-q, q - extent.xy), 0.0)));
    }
    return 0.35 * exp(-sky_from / soft) + 0.3 * sun.w * (1.0 - smoothstep(0.0, 0.6 * soft, sun_from));
}

// The sky of the island. Values are on paper; other styles have a plain background.
vec3 colour(int kind, vec2 pixel, float far)
{
    vec3 ray = normalize(ray_of(pixel)), clear = sky(ray);
    if (shows_values()) return vec3(1.0);
    float shade = 1.0 - under_block(ray);
    if (how.x != ISLAND) return shade * mix(srgb(0xf4f6f8), srgb(0xc9d3dc), 0.5 * pixel.y / (eye.w * length(up.xyz)));
    if (ray.z < 0.0) clear = shade * mix(clear, 0.25 * sunlight.rgb + skylight.rgb, smoothstep(0.0, 0.25, -ray.z)); // below a block: an even ground
    vec3 disc = 20.0 * sunlight.rgb * smoothstep(0.9993, 0.9997, dot(ray, sun.xyz)) * step(0.0, ray.z);
    vec4 cloud = clouds.x > 0.0 ? textureLod(cloud_layer, 0.5 * pixel / (eye.w * vec2(length(right.xyz), length(up.xyz))), 0.0) : vec4(0.0);
    return film((clear + disc) * (1.0 - cloud.a) + cloud.rgb);
}
