// Finds the trees that stand near the eye and may be seen. Whether a site has a tree, where it stands and how it looks depend on the site
// alone.
layout(local_size_x = 8, local_size_y = 8) in;
layout(location = 0) uniform ivec4 window; // of sites: the first, and how many
layout(location = 1) uniform int throws;   // is the map of their shadows drawn anew?
layout(location = 2) uniform ivec2 lists[10]; // where each begins, and its room
layout(std430, binding = 1) writeonly buffer Trees {
    tree trees[]; // three lists a species, from those that are drawn most finely on, and those that throw shadows
};
layout(std430, binding = 2) buffer Commands {
    uint commands[50]; // as glDrawElementsIndirect wants ten; the second of each five: how many
};

// Chances of a site, 0..1 (pcg3d of Jarzynski and Olano 2020).
vec3 chances(ivec2 site)
{
    uvec3 v = uvec3(site, 7) * 1664525u + 1013904223u;
    v.x += v.y * v.z; v.y += v.z * v.x; v.z += v.x * v.y;
    v ^= v >> 16u;
    v.x += v.y * v.z; v.y += v.z * v.x; v.z += v.x * v.y;
    return vec3(v >> 8u) / 16777216.0;
}

bool in_picture(vec3 middle, float size)
{
    vec4 c = to_clip * vec4(middle, 1.0);
    vec2 most = vec2(c.w) + size / vec2(length(right.xyz), length(up.xyz));
    return c.w > -size && all(lessThan(abs(c.xy), most));
}

// Its shadow is longer than the tree the lower the sun stands; on a slope that falls away it is longer still.
bool throws_into_picture(vec3 foot, float tall)
{
    vec3 away = -0.5 * tall * min(1.6 / max(sun.z, 0.05), 12.0) * sun.xyz;
    return in_picture(foot + vec3(0.0, 0.0, tall) + away, length(away) + tall + 0.5 * woods.x);
}

void add(uint list, tree t)
{
    uint i = atomicAdd(commands[5u * list + 1u], 1u);
    if (i < uint(lists[list].y)) trees[uint(lists[list].x) + i] = t;
}

// Does land hide it, as far as some points on the way tell?
bool hidden(vec3 top)
{
    vec3 way = eye.xyz - top;
    for (int i = 1; i <= 10; i++) {
        vec3 q = top + way * (0.003 * exp2(0.8 * float(i)));
        if (q.z > levels.w || clamp(q.xy, vec2(0.0), extent.xy) != q.xy) return false;
        if (q.z < map(terrain, q.xy)) return true;
    }
    return false;
}

void main()
{
    if (any(greaterThanEqual(gl_GlobalInvocationID.xy, uvec2(window.zw)))) return;
    ivec2 site = window.xy + ivec2(gl_GlobalInvocationID.xy);
    vec3 chance = chances(site), other = chances(site + 70000);
    vec2 xy = (vec2(site) + 0.5 + 0.85 * (chance.xy - 0.5)) * woods.x;
    vec3 foot = vec3(xy, height(xy));
    float grown = one_by_one(foot), most = 3.0 * woods.x;
    if (grown <= 0.0) return;
    bool shown = in_picture(foot, most), shades = throws != 0 && throws_into_picture(foot, most);
    if (!shown && !shades) return;
    wood w = wood_at(xy, foot.z, wood_point(xy));
    if (w.share * w.share < 0.04 + 0.9 * chance.z) return;
    float pick = fract(chance.z * 31.0 + other.z), hue = clamp(w.hue + 0.35 * (other.z - 0.5), 0.0, 1.0);
    int kind = pick < w.species.x ? 0 : pick < w.species.x + w.species.y ? 1 : 2;
    vec4 sizes = species[5 * kind];
    float radius = woods.x * mix(sizes.x, sizes.y, other.x * other.x) * mix(0.6, 1.0, w.share), tall = mix(sizes.z, sizes.w, other.y);
    tree t = tree(vec4(foot, radius), vec4(float(kind) + 0.99 * hue, tall, grown, chance.x));
    if (shades) add(9u, t);
    if (!shown || hidden(foot + vec3(0.0, 0.0, 1.2 * tall * radius))) return;
    float pixels = radius * max(0.3 * tall, 1.0) * eye.w / (right.w * distance(foot, eye.xyz));
    add(3u * uint(kind) + (pixels > 26.0 ? 0u : pixels > 11.0 ? 1u : 2u), t);
}
