// Corners that are where they say: the surface of the sea and the sides of its block.
layout(location = 0) in vec3 corner;

void main()
{
    gl_Position = to_clip * vec4(corner, 1.0);
}
