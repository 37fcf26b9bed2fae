// What the pixels see, and lists of the picture's tiles by it. A tile is in the list of each group of kinds that it shows.
layout(binding = 19) uniform usampler2D kinds;
layout(binding = 20) uniform sampler2D depths;   // nearest distance over the distance along the middle of the view
layout(location = 0) uniform ivec4 part;         // of the picture: lower left, and behind the upper right pixel
layout(location = 1) uniform int list;           // the one at work
const int TILE = 8, GROUPS = 3;
layout(std430, binding = 0) buffer Tiles {
    uvec4 work[GROUPS]; // as glDispatchComputeIndirect wants it; w: tiles in the list
    uint tiles[];       // GROUPS lists: x, and y times 65536
};

int group_of(uint kind)
{
    kind &= (1u << uint(KIND_BITS)) - 1u;
    return kind == uint(SKY) ? 2 : kind == uint(SEA) ? 1 : 0;
}
