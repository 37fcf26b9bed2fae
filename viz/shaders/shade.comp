// Colours the tiles of one list, by what a pixel sees and how far away it is.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba8) uniform writeonly image2D picture; // in sRGB

vec3 to_srgb(vec3 c)
{
    return mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, greaterThan(c, vec3(0.0031308)));
}

void main()
{
    uvec2 across = uvec2(part.zw - part.xy + TILE - 1) / uint(TILE);
    for (uint i = gl_WorkGroupID.x; i < work[list].w; i += gl_NumWorkGroups.x) {
        uint tile = tiles[uint(list) * across.x * across.y + i];
        ivec2 pixel = part.xy + TILE * ivec2(tile & 65535u, tile >> 16) + ivec2(gl_LocalInvocationID.xy);
        if (any(greaterThanEqual(pixel, part.zw))) continue;
        uint kind = texelFetch(kinds, pixel, 0).r;
        if (group_of(kind) != list) continue;
        vec3 c = colour(int(kind), vec2(pixel) + 0.5, to_clip[3][2] / texelFetch(depths, pixel, 0).r);
        imageStore(picture, pixel, vec4(to_srgb(clamp(c, 0.0, 1.0)), 1.0));
    }
}
