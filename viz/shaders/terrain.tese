// Lifts the points of a patch to the terrain or to the water on it, and lets the lower points of a wall down to the bottom of the block.
layout(quads, fractional_even_spacing, ccw) in;
layout(location = 0) in vec3 corner[];
layout(location = 2) uniform int wet; // 1: to the water

void main()
{
    precise vec3 at = mix(mix(corner[0], corner[1], gl_TessCoord.x), mix(corner[3], corner[2], gl_TessCoord.x), gl_TessCoord.y);
    float ground = height(at.xy), top = ground + (wet != 0 ? max(map(flow, at.xy), 0.0) : at.z == 0.0 ? canopy(at.xy, ground) : 0.0);
    gl_Position = to_clip * vec4(at.xy, mix(top, levels.y, at.z), 1.0);
}
