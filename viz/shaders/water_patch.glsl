// A patch carries water if one of the blocks of cells beneath it has some (flow.comp).
bool carries(vec2 low, vec2 high)
{
    ivec2 most = textureSize(wet_blocks, 0) - 1;
    ivec2 first = clamp(ivec2(floor((low / extent.z - 2.0) / float(WET_BLOCK))), ivec2(0), most);
    ivec2 last = clamp(ivec2(floor((high / extent.z + 2.0) / float(WET_BLOCK))), ivec2(0), most);
    for (int j = first.y; j <= last.y; j++)
        for (int i = first.x; i <= last.x; i++)
            if (texelFetch(wet_blocks, ivec2(i, j), 0).r > 0.0) return true;
    return false;
}
