// The value that most cells stay below, of |x| or of the length of (x, y). It has a given rank among some 65536 cells, and one group finds
// it bit by bit: positive floats have the order of their bits.
layout(local_size_x = 1024) in;
layout(location = 0) uniform ivec4 which; // cells, the step from one to the next, the rank, 1: two maps
layout(std430, binding = 0) buffer Found { float high; };
shared uint below;

void main()
{
    int wide = textureSize(value_x, 0).x, n = 0, thread = int(gl_LocalInvocationID.x);
    uint mine[64], found = 0u;
    for (int k = thread; k * which.y < which.x; k += 1024) {
        ivec2 at = ivec2(k * which.y % wide, k * which.y / wide);
        float x = texelFetch(value_x, at, 0).r;
        mine[n++] = floatBitsToUint(which.w != 0 ? length(vec2(x, texelFetch(value_y, at, 0).r)) : abs(x));
    }
    for (uint bit = 1u << 30; bit > 0u; bit >>= 1) { // the largest value that no more than `rank` of them are below
        uint count = 0u;
        if (thread == 0) below = 0u;
        barrier();
        for (int k = 0; k < n; k++)
            count += uint(mine[k] < (found | bit));
        atomicAdd(below, count);
        barrier();
        if (below <= uint(which.z)) found |= bit;
        barrier();
    }
    if (thread == 0) high = uintBitsToFloat(found);
}
