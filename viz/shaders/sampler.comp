// The values of some cells of a map, or the lengths of two, and the depths of their water.
layout(local_size_x = 256) in;
layout(location = 0) uniform ivec3 which; // cells, the step from one to the next, 1: two maps
layout(binding = 4) uniform sampler2D water;
layout(std430, binding = 0) buffer Found { vec2 found[]; };

void main()
{
    int k = int(gl_GlobalInvocationID.x), wide = textureSize(value_x, 0).x;
    if (k > (which.x - 1) / which.y) return;
    ivec2 at = ivec2(k * which.y % wide, k * which.y / wide);
    float x = texelFetch(value_x, at, 0).r;
    found[k] = vec2(which.z != 0 ? length(vec2(x, texelFetch(value_y, at, 0).r)) : x, texelFetch(water, at, 0).r);
}
