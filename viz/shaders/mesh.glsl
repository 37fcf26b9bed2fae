// What both meshes show: of the ground, and of the water on it.
vec3 colour(int kind, vec2 pixel, float far)
{
    return kind == RIVER ? watered(pixel, far) : solid(kind, pixel, far);
}
