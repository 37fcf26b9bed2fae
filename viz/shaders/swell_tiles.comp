// What a level surface shows of the waves. The water of a place has come from beside it: crests are narrow and troughs wide (Tessendorf 2001,
// section 4.6). Slopes, their square, whose means over a pixel give the roughness in it (Olano and Baker 2010, "LEAN mapping"), and by how
// much a patch of water is larger than at rest: where it is much smaller, waves break (Tessendorf 2001, eq. 45).
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba16f) uniform writeonly image2DArray tile;
layout(binding = 19) uniform sampler2DArray low;
layout(binding = 20) uniform sampler2DArray high;

void main()
{
    ivec3 to = ivec3(gl_GlobalInvocationID);
    vec2 at = (vec2(to.xy) + 0.5) / float(LINE), from = at;
    for (int i = 0; i < 4; i++) from = at - SWELL_ALONG[to.z] * textureLod(high, vec3(from, to.z), 0.0).xy;
    vec4 a = textureLod(low, vec3(from, to.z), 0.0), b = textureLod(high, vec3(from, to.z), 0.0);
    float x = 1.0 + b.z, y = 1.0 + b.w, size = x * y - a.y * a.y;
    vec2 slope = vec2(y * a.z - a.y * a.w, x * a.w - a.y * a.z) / max(size, 0.3);
    imageStore(tile, to, vec4(slope, dot(slope, slope), size - 1.0));
}
