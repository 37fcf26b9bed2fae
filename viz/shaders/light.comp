// What each place sees of the sky and of the sun, from its horizons. An even sky lights a surface of the normal n by dot(n, rgb): the sum
// over directions of the integral of cos(e) (cos(e) way, sin(e)) from the horizon's elevation e to the zenith; (0, 0, 1) on a plain.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba16f) uniform writeonly image2D share;
layout(binding = 18) uniform sampler2DArray horizons; // sweep.comp

void main()
{
    ivec2 size = imageSize(share), at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, size))) return;
    int turns = textureSize(horizons, 0).z - 1;
    vec3 open = vec3(0.0);
    for (int turn = 0; turn < turns; turn++) {
        float angle = 6.2831853 * (float(turn) + 0.5) / float(turns), t = texelFetch(horizons, ivec3(at, turn), 0).r, squared = 1.0 / (1.0 + t * t);
        open += vec3(vec2(cos(angle), sin(angle)) * (0.78539816 - 0.5 * (atan(t) + t * squared)), 0.5 * squared);
    }
    // The sun is half a degree wide. Twice that blurs the border of a shadow by about a cell, where it is near.
    const float HALF = 0.0087;
    float beyond = asin(sun.z) - atan(texelFetch(horizons, ivec3(at, turns), 0).r);
    imageStore(share, at, vec4(open * 2.0 / float(turns), smoothstep(-HALF, HALF, beyond)));
}
