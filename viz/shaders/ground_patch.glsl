// A patch carries ground that is seen unless all of it lies below the sea and the eye does not: the sea hides it.
bool carries(vec2 low, vec2 high)
{
    if (sea.w <= 0.0 || eye.z <= levels.x) return true;
    ivec4 b = blocks_between(low, high);
    for (int j = b.y; j <= b.w; j++)
        for (int i = b.x; i <= b.z; i++)
            if (abs(texelFetch(wet_blocks, ivec2(i, j), 0).r - 0.5) > 0.25) return true;
    return false;
}
