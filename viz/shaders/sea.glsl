// The sea: the view ray is refracted at the surface and followed to the bed; what it sees there fades with the length of its path.
// Length of the refracted ray r from the surface point p to the bed, as far as anything is seen. A step is as long as the water below
// is deep, so the bed is neared, or passed and then cut.
float path_to_bed(vec3 p, vec3 r)
{
    float gap = p.z - bed(p.xy), far = min(6.0 / sea.x, (p.z - levels.z + extent.w) / max(-r.z, 0.05)), at = 0.0;
    if (gap <= 0.0) return 0.0;
    if (up.w > 0.0) return min(gap / max(-r.z, 0.05), far);
    for (int i = 0; i < 20 && at < far; i++) {
        float to = min(at + max(gap, 0.02 * extent.w), far);
        vec3 q = p + r * to;
        float next = q.z - bed(q.xy);
        if (next <= 0.0) return mix(at, to, gap / (gap - next));
        at = to;
        gap = next;
    }
    return at;
}

// Waves along the crests of a wind: long across it, short along it.
vec2 ripple(texture_point p, vec2 wind, float length, vec2 shift)
{
    mat2 to = mat2(0.42 * wind.x, -wind.y, 0.42 * wind.y, wind.x); // rows: along the crest, squeezed; along the wind
    vec2 s = tile_once(texture_point_at(to * p.at, to * p.dx, to * p.dy), WAVES, length, shift).rg - 0.5;
    return s * to;
}

// Slopes of the waves that a pixel shows; what it does not show is roughness, as a variance of slopes.
vec2 waves(texture_point p, float calm, out float variance)
{
    float gusts = tile_once(p, WAVES, 1.7, vec2(0.1)).b;
    gusts = 0.45 + 1.1 * gusts * gusts;
    vec2 slope = 0.9 * ripple(p, vec2(0.99, -0.14), 37.0, vec2(0.6));
    if (up.w == 0.0) slope += 0.5 * ripple(p, vec2(0.92, 0.38), 13.0, vec2(0.0)) + ripple(p, vec2(0.75, 0.66), 101.0, vec2(0.2));
    float pixel = length(p.dy) + length(p.dx);
    variance = calm * calm * mix(0.004, 0.028, smoothstep(0.0, 0.01, pixel)) * gusts;
    return 0.55 * calm * gusts * slope;
}

// Light of the sun thrown back by waves whose slopes scatter by `variance` about those of n (Bruneton et al. 2010).
float glitter(vec3 view, vec3 n, float variance)
{
    vec3 h = normalize(sun.xyz - view);
    vec2 off = h.xy / max(h.z, 0.05) - n.xy / n.z;
    float chance = exp(-dot(off, off) / (2.0 * variance)) / (6.2832 * variance), f = 0.02 + 0.98 * pow(1.0 - max(dot(h, -view), 0.0), 5.0);
    return f * chance / (4.0 * pow(max(h.z, 0.1), 4.0) * max(-view.z, 0.12));
}

vec3 water(vec3 position, texture_point p)
{
    float unit = extent.w, shallow = position.z - bed(position.xy), variance;
    float calm = mix(0.45, 1.0, smoothstep(1.0 * unit, 8.0 * unit, shallow));
    vec3 view = normalize(position - eye.xyz), n = normalize(vec3(-waves(p, calm, variance), 1.0));
    vec3 r = sea.y > 0.0 ? vec3(0.0, 0.0, -1.0) : refract(view, normalize(n + vec3(0.0, 0.0, 2.0)), 1.0 / 1.333);
    float path = path_to_bed(position, r), clear = exp(-path * sea.x), murky = 1.0 - exp(-0.55 * path * sea.x);
    vec2 seen = clamp((position + r * path).xy, vec2(0.0), extent.xy);
    float shade = mix(1.0, textureLod(light, position.xy / extent.xy, 0.0).r, sun.w);

    vec3 bottom = vec3(0.0);
    if (clear > 0.004) {
        bottom = lit(ground(seen, p), seen);
        if (up.w == 0.0) { // light gathered by the waves
            float net = tile_once(p, WAVES, 53.0, n.xy).b + tile_once(p, WAVES, 67.0, -n.xy).b - 1.0;
            bottom *= 1.0 + 0.55 * (exp(-40.0 * net * net) - 0.35) * exp(-shallow / (4.0 * unit));
        }
    }
    vec3 body = mix(vec3(0.03, 0.52, 0.53), vec3(0.006, 0.075, 0.175), murky);
    body = (0.25 + 0.75 * shade) * (body + 0.12 * vec3(0.02, 0.35, 0.35) * max(0.0, dot(n.xy, -view.xy)));
    vec3 below = mix(body, bottom * mix(vec3(1.0), vec3(0.25, 0.92, 0.96), 1.0 - clear * clear), clear);

    // Rough water mirrors less, and higher parts of the sky, than a flat one would at the same glancing angle.
    float sigma = sqrt(variance), glancing = 1.0 - max(dot(-view, n), 0.0);
    float fresnel = 0.02 + 0.98 * pow(glancing, 5.0 * exp(-2.69 * sigma)) / (1.0 + 22.7 * pow(sigma, 1.5));
    vec3 mirrored = reflect(view, n);
    mirrored = normalize(vec3(mirrored.xy, abs(mirrored.z) + 1.2 * sigma));
    vec3 c = mix(below, sky(mirrored), fresnel) + shade * vec3(3.0, 2.7, 2.1) * min(glitter(view, n, variance), 3.0);

    // Surf: a seam where the water ends, lines of breakers before it, and white water where a steep slope meets the waves.
    if (shallow > 0.0 && shallow < 3.0 * unit) {
        float lace = tile_once(p, SEABED, 37.0, vec2(0.0)).b, torn = tile_once(p, WAVES, 17.0, vec2(0.0)).b - 0.5;
        vec2 l = vec2(5.0 * extent.z, 0.0);
        float open = length(vec2(bed(position.xy + l) - bed(position.xy - l), bed(position.xy + l.yx) - bed(position.xy - l.yx))) / (2.0 * l.x);
        float seam = 1.0 - smoothstep(0.05, 0.2, shallow / unit + 0.3 * torn);
        float lines = smoothstep(0.72, 0.98, sin(9.0 * shallow / unit + 9.0 * torn)) * (1.0 - smoothstep(0.3, 1.1, shallow / unit));
        float breaking = 0.65 * smoothstep(0.35, 0.8, open + 0.6 * torn) * (1.0 - smoothstep(0.3, 1.6, shallow / unit + 2.0 * torn));
        float foam = clamp(max(max(0.9 * seam, 0.6 * lines), breaking) * smoothstep(0.18, 0.6, lace + 0.6 * torn + 0.25 * seam), 0.0, 1.0);
        c = mix(c, vec3(1.35, 1.42, 1.45) * (0.35 + 0.65 * shade), 0.85 * foam);
    }
    return film(haze(c, position));
}

vec3 colour(int kind, vec2 pixel, float far)
{
    vec3 ray = ray_of(pixel), position = eye.xyz + far * ray;
    if (kind == SIDE) return cut(position, far / eye.w);
    return water(vec3(position.xy, levels.x), texture_point_of(position, vec3(0.0, 0.0, 1.0), ray, far, 1e-5));
}
