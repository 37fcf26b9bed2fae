// The share of the sun that comes through the clouds to each place at their base, in the square that repeats.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, r8) uniform writeonly image2D share;
const int STEPS = 16;

void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(share);
    if (any(greaterThanEqual(at, size))) return;
    vec3 from = vec3((vec2(at) + 0.5) / vec2(size) * cloud_period(), clouds.y), to = cloud_sun() / cloud_sun().z * clouds.z / float(STEPS);
    float depth = 0.0;
    for (int i = 0; i < STEPS; i++)
        depth += cloud_density(from + (float(i) + 0.5) * to, clouds.x);
    imageStore(share, at, vec4(exp(-0.35 * thickest() * length(to) * depth)));
}
