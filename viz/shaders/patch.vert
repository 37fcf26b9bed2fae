// Corners of patches: x, y, and 1 where the corner hangs down to the bottom of the block.
layout(location = 0) in vec3 corner;
layout(location = 0) out vec3 at;

void main()
{
    at = corner;
}
