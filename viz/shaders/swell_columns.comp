// The transform along y of what swell_rows.comp made. It gives the fields.
layout(local_size_x = 128) in;
layout(binding = 0, rgba32f) uniform image2DArray low;
layout(binding = 1, rgba32f) uniform image2DArray high;

void main()
{
    int thread = int(gl_LocalInvocationID.x);
    for (int i = thread; i < LINE; i += HALF) {
        ivec3 at = ivec3(gl_WorkGroupID.x, i, gl_WorkGroupID.y);
        line[i] = gl_WorkGroupID.z == 0u ? imageLoad(low, at) : imageLoad(high, at);
    }
    transform(thread);
    for (int i = thread; i < LINE; i += HALF) {
        ivec3 at = ivec3(gl_WorkGroupID.x, i, gl_WorkGroupID.y);
        if (gl_WorkGroupID.z == 0u) imageStore(low, at, line[i]);
        else imageStore(high, at, line[i]);
    }
}
