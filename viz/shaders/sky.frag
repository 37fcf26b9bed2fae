// The sky of the island, a plain ground for the other looks.
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 colour;

float cover(vec2 q)
{
    return 0.55 * texture(materials, vec3(q, WAVES)).b + 0.30 * texture(materials, vec3(3.3 * q.yx + 0.4, WAVES)).b +
           0.15 * texture(materials, vec3(9.7 * q + 0.7, WAVES)).b;
}

// Fair-weather clouds on a plane high above, crowded towards the horizon, paler on the side of the sun.
vec3 clouds(vec3 ray, vec3 clear)
{
    vec2 q = 0.05 * ray.xy / (ray.z + 0.09), to_sun = 0.006 * normalize(sun.xy + 1e-4);
    float here = cover(q), thick = smoothstep(0.50, 0.66, here), lit_side = clamp(0.5 + 9.0 * (here - cover(q + to_sun)), 0.0, 1.0);
    vec3 white = mix(vec3(0.80, 0.84, 0.92), vec3(1.75, 1.70, 1.60), lit_side);
    return mix(clear, white, 0.9 * thick * smoothstep(0.0, 0.06, ray.z));
}

void main()
{
    vec3 ray = normalize(forward.xyz + at.x * right.xyz + at.y * up.xyz);
    vec3 plain = mix(srgb(0xf4f6f8), srgb(0xc9d3dc), 0.5 + 0.5 * at.y), clear = sky(ray);
    float disc = 20.0 * smoothstep(0.9993, 0.9997, dot(ray, sun.xyz));
    colour = vec4(how.x == ISLAND ? film(clouds(ray, clear + disc)) : plain, 1.0);
}
