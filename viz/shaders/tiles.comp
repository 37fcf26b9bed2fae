// Puts each tile into the lists of what it shows.
layout(local_size_x = 8, local_size_y = 8) in;
shared uint shown;

void main()
{
    ivec2 pixel = part.xy + ivec2(gl_GlobalInvocationID.xy);
    if (gl_LocalInvocationIndex == 0u) shown = 0u;
    barrier();
    if (all(lessThan(pixel, part.zw))) atomicOr(shown, 1u << group_of(texelFetch(kinds, pixel, 0).r));
    barrier();
    uint group = gl_LocalInvocationIndex, all_tiles = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
    if (group >= uint(GROUPS) || (shown >> group & 1u) == 0u) return;
    uint n = atomicAdd(work[group].w, 1u);
    atomicMax(work[group].x, min(n + 1u, 65535u));
    tiles[group * all_tiles + n] = gl_WorkGroupID.x | gl_WorkGroupID.y << 16;
}
