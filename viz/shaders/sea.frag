// The sea: the view ray is refracted at the surface and followed to the bed; what it sees there fades with the length of its path.
layout(location = 0) in vec3 position;
layout(location = 0) out vec4 colour;

// Length of the refracted ray r from the surface point p to the bed, as far as anything is seen.
float path_to_bed(vec3 p, vec3 r)
{
    const int STEPS = 24;
    float above = p.z - bed(p.xy), far = min(7.0 / sea.x, (p.z - levels.z + extent.w) / max(-r.z, 0.05)), from = 0.0;
    if (above <= 0.0) return 0.0;
    for (int i = 1; i <= STEPS; i++) {
        float s = float(i) / float(STEPS), to = far * s * s;
        vec3 q = p + r * to;
        float gap = q.z - bed(q.xy);
        if (gap <= 0.0) return mix(from, to, above / (above - gap));
        from = to;
        above = gap;
    }
    return far;
}

vec3 waves(vec2 xy)
{
    float size = max(extent.x, extent.y), calmer = exp(-distance(xy, eye.xy) / (5.0 * size)); // far waves are smaller than a pixel
    vec2 at = xy / size, slope = vec2(0.0);
    slope += 0.60 * (texture(materials, vec3(at * 7.0, WAVES)).rg - 0.5);
    slope += 0.45 * (texture(materials, vec3(mat2(0.8, 0.6, -0.6, 0.8) * at * 23.0, WAVES)).rg - 0.5);
    slope += 0.30 * (texture(materials, vec3(mat2(0.28, 0.96, -0.96, 0.28) * at * 61.0, WAVES)).rg - 0.5);
    return normalize(vec3(-0.22 * calmer * slope, 1.0));
}

void main()
{
    vec3 view = normalize(position - eye.xyz), n = waves(position.xy), calm = normalize(n + vec3(0.0, 0.0, 3.0));
    vec3 r = sea.y > 0.0 ? vec3(0.0, 0.0, -1.0) : refract(view, calm, 1.0 / 1.333);
    float path = path_to_bed(position, r), clear = exp(-path * sea.x);
    vec2 seen = (position + r * path).xy;

    vec3 bottom = lit(ground(clamp(seen, vec2(0.0), extent.xy)), clamp(seen, vec2(0.0), extent.xy));
    vec3 body = mix(srgb(0x2fb5b0), srgb(0x0b3f66), 1.0 - exp(-0.45 * path * sea.x)) * 1.25;
    body *= mix(0.6, 1.0, mix(1.0, texture(light, position.xy / extent.xy).r, sun.w));
    vec3 below = mix(body, bottom * mix(vec3(1.0), vec3(0.62, 0.97, 1.0), 1.0 - clear * clear), clear);

    float fresnel = 0.02 + 0.98 * pow(1.0 - max(dot(-view, n), 0.0), 5.0);
    vec3 mirrored = reflect(view, n);
    mirrored.z = abs(mirrored.z);
    float glint = pow(max(dot(mirrored, sun.xyz), 0.0), 220.0);
    vec3 c = mix(below, sky(mirrored), min(fresnel, 0.75)) + 1.6 * vec3(1.0, 0.92, 0.75) * glint;

    // Surf where the water ends.
    float shallow = position.z - bed(position.xy), lace = texture(materials, vec3(position.xy / max(extent.x, extent.y) * 30.0, SEABED)).b;
    float surf = (1.0 - smoothstep(0.0, 0.4 * extent.w, shallow)) * smoothstep(0.25, 0.7, lace) * float(shallow > 0.0);
    c = mix(c, vec3(1.9), 0.4 * surf);
    colour = vec4(film(haze(c, position)), 1.0);
}
