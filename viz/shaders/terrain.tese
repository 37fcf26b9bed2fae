// Lifts the points of a patch to the terrain, or the lower ones of a wall down to the bottom of the block.
layout(quads, fractional_even_spacing, ccw) in;
layout(location = 0) in vec3 corner[];

void main()
{
    precise vec3 at = mix(mix(corner[0], corner[1], gl_TessCoord.x), mix(corner[3], corner[2], gl_TessCoord.x), gl_TessCoord.y);
    gl_Position = to_clip * vec4(at.xy, mix(map(terrain, at.xy), levels.y, at.z), 1.0);
}
