// For a mesh that carries no trees, such as that of the water (see canopy.glsl).
float canopy(vec2 xy, float z)
{
    return 0.0;
}
