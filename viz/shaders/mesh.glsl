// What the meshes show: those of the ground, of the water on it, and of trees.
layout(std430, binding = 1) readonly buffer Trees {
    tree trees[];
};

vec3 colour(int kind, vec2 pixel, float far)
{
    int what = kind & ((1 << KIND_BITS) - 1);
    if (what >= TREE) return tree_colour(trees[kind >> KIND_BITS], what == TRUNK, eye.xyz + far * ray_of(pixel), far);
    return kind == RIVER ? watered(pixel, far) : solid(kind, pixel, far);
}
