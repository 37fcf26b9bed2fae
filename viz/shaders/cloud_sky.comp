// What a view sees of the clouds, by a march through their slab: the light that they send (rgb) and how much they cover (a).
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba16f) uniform writeonly image2D seen;
const int STEPS = 40, DOWN = 16; // down through the slab, where the way is short

float lobe(float c, float g)
{
    return (1.0 - g * g) / pow(1.0 + g * g - 2.0 * g * c, 1.5) / 12.566371;
}

// What the sun sends into a place of a cloud, and what of it goes to the eye: three orders of scattering, each after the first with half
// the light, half as much direction, and half the extinction (Wrenninge 2013).
vec3 sunlit(vec3 p, float share, float beside)
{
    const float AWAY[4] = float[](0.04, 0.12, 0.26, 0.48), LONG[4] = float[](0.06, 0.10, 0.18, 0.30); // of the slab's thickness
    float depth = 0.0, sum = 0.0, part = 1.0;
    for (int i = 0; i < 4; i++)
        depth += LONG[i] * clouds.z * cloud_density(p + AWAY[i] * clouds.z * sun.xyz, share);
    depth *= thickest();
    for (int i = 0; i < 3; i++) {
        sum += part * exp(-part * depth) * mix(lobe(beside, 0.75 * part), lobe(beside, -0.25 * part), 0.4);
        part *= 0.4;
    }
    return 12.566371 * 0.55 * sum * sunlight.rgb;
}

// What share of the sky they cover along a ray: from above they leave the map free that one looks at.
float share_along(vec3 ray)
{
    if (!clouds_below()) return clouds.x;
    vec2 beside = eye.xy + ray.xy * (eye.z - levels.x) / max(-ray.z, 1e-4) - 0.5 * extent.xy;
    return clouds.x * smoothstep(0.0, 2.0 * clouds.z, length(max(abs(beside) - 0.5 * extent.xy, 0.0)));
}

void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(seen);
    if (any(greaterThanEqual(at, size))) return;
    vec2 share = (vec2(at) + 0.5) / vec2(size);
    vec3 ray = normalize(ray_of(share * 2.0 * eye.w * vec2(length(right.xyz), length(up.xyz))));
    vec3 sum = vec3(0.0);
    float along = clouds_below() ? -ray.z : ray.z, begin = (clouds_below() ? eye.z - clouds.y - clouds.z : clouds.y - eye.z) / max(along, 1e-4);
    float through = 1.0, fade = exp(-begin / (24.0 * clouds.z)) * fade_by_height(), covered = share_along(ray);
    if (along > 0.0 && fade > 0.01 && covered > 0.01) {
        int steps = clouds_below() ? int(mix(float(STEPS), float(DOWN), smoothstep(0.20, 0.36, along))) : STEPS;
        float far = min(clouds.z / along, 40.0 * clouds.z), pace = far / float(steps), beside = dot(ray, sun.xyz);
        float aside = eye.w * dot(forward.xyz, normalize(right.xyz)); // of this sample of the pixel, so that samples begin at other places
        float t = begin + pace * fract(52.9829189 * fract(dot(vec2(at), vec2(0.06711056, 0.00583715))) + aside);
        for (int i = 0; i < steps && through > 0.02; i++, t += pace) {
            vec3 p = eye.xyz + t * ray;
            float dense = cloud_density(p, covered);
            if (dense <= 0.0) continue;
            float passes = exp(-thickest() * dense * pace), high = (p.z - clouds.y) / clouds.z;
            vec3 light_here = sunlit(p, covered, beside) + skylight.rgb * (0.35 + 0.5 * high) + 0.10 * daylight(1.0) * (1.0 - high);
            sum += through * (1.0 - passes) * light_here;
            through *= passes;
        }
    }
    imageStore(seen, at, vec4(sum, 1.0 - through) * fade);
}
