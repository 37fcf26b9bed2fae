// What the mesh of the ground shows.
vec3 colour(int kind, vec2 pixel, float far)
{
    return solid(kind, pixel, far);
}
