// The density of the clouds, from which both their picture and their shadows are made.
layout(binding = 23) uniform sampler2D forms; // the share of all places that are lower: x of them are above 1 - x
layout(binding = 24) uniform sampler3D puffs;

// Of the thickest cloud [1/m]: through its slab there is an optical depth of 40.
float thickest()
{
    return 40.0 / clouds.z;
}

// 0..1, where they cover a share of the sky: flat below, heaped above, the higher the farther from an edge; with puffs that eat into it.
float cloud_density(vec3 p, float share)
{
    float high = (p.z - clouds.y) / clouds.z, form = textureLod(forms, p.xy / cloud_period(), 0.0).r;
    float heap = (form + share - 1.0) / mix(0.5, 1.0, share);
    if (heap <= 0.0) return 0.0;
    vec3 at = vec3(p.xy, p.z - clouds.y) / clouds.z; // so that a sky that rises is the same sky
    float puffed = 0.65 * textureLod(puffs, 1.3 * at, 0.0).r + 0.35 * textureLod(puffs, 4.1 * at + 0.37, 0.0).r;
    float dense = heap - 0.75 * high * high - 0.55 * (0.75 - puffed) * (0.35 + 0.65 * smoothstep(0.0, 0.25, high));
    return clamp(4.0 * dense, 0.0, 1.0) * smoothstep(0.0, 0.06, high) * smoothstep(1.0, 0.9, high);
}
