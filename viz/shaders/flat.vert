// Corners that are drawn where they are given: those of the surface of the sea and of the sides of its block.
layout(location = 0) in vec3 corner;

void main()
{
    gl_Position = to_clip * vec4(corner, 1.0);
}
