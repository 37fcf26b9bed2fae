// The sky of the island. Values are on paper; other styles have a plain background.
vec3 colour(int kind, vec2 pixel, float far)
{
    vec3 ray = normalize(ray_of(pixel)), clear = sky(ray);
    if (shows_values()) return vec3(1.0);
    if (how.x != ISLAND) return mix(srgb(0xf4f6f8), srgb(0xc9d3dc), 0.5 * pixel.y / (eye.w * length(up.xyz)));
    if (ray.z < 0.0) clear = mix(clear, 0.25 * sunlight.rgb + skylight.rgb, smoothstep(0.0, 0.25, -ray.z)); // below a block: an even ground
    vec3 disc = 20.0 * sunlight.rgb * smoothstep(0.9993, 0.9997, dot(ray, sun.xyz)) * step(0.0, ray.z);
    vec4 cloud = clouds.x > 0.0 ? textureLod(cloud_layer, 0.5 * pixel / (eye.w * vec2(length(right.xyz), length(up.xyz))), 0.0) : vec4(0.0);
    return film((clear + disc) * (1.0 - cloud.a) + cloud.rgb);
}
