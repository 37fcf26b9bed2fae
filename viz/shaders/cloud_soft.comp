// The clouds of a view. Where a ray meets them first differs from each texel to the next, like a dither: a mean over nine texels has rays of
// all beginnings. Samples of a pixel alone leave hatches.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba16f) uniform writeonly image2D soft;

void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = imageSize(soft);
    if (any(greaterThanEqual(at, size))) return;
    vec4 sum = vec4(0.0);
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
            sum += float((2 - abs(i)) * (2 - abs(j))) / 16.0 * texelFetch(cloud_layer, clamp(at + ivec2(i, j), ivec2(0), size - 1), 0);
    imageStore(soft, at, sum);
}
