// A tree near the eye: what trees.comp says of it, and its colours. All lengths are in metres.
struct tree {
    vec4 at;   // its foot; w: radius of its crown
    vec4 look; // its species, and behind the point the hue of its leaves; how tall it is in radii; how far it has grown out of the canopy, 0..1; chance, 0..1
};

const float LEAN = 0.5; // of a palm's foot, in radii of its crown
const int HEAPS = 0, TIERS = 1, FRONDS = 2; // forms, as in viz/tree_mesh.h

vec4 species_row(tree t, int row)
{
    return species[5 * int(t.look.x) + row];
}

int form_of(tree t)
{
    return int(species_row(t, 1).z + 0.5);
}

// A crown lies in an ellipsoid.
vec3 crown_size(tree t)
{
    return t.at.w * vec3(1.0, 1.0, species_row(t, 1).y * t.look.y);
}

vec3 crown_middle(tree t)
{
    return t.at.xyz + vec3(0.0, 0.0, t.at.w * (species_row(t, 1).x * t.look.y - (1.0 - t.look.z) * t.look.y));
}

// Leaves of a crown, in tiles `wide` radii wide, seen from the side that they face. rg: slopes, b: tone
vec3 leaves(tree t, vec3 from_middle, float wide, float pixel)
{
    vec3 n = abs(normalize(from_middle)), at = from_middle / (wide * t.at.w) + t.look.w;
    float level = log2(256.0 * pixel / (wide * t.at.w));
    vec3 above = textureLod(materials, vec3(at.xy, GRASS), level).rgb;
    vec3 beside = textureLod(materials, vec3(n.x > n.y ? at.yz : at.xz, GRASS), level).rgb;
    return mix(beside, above, smoothstep(0.45, 0.75, n.z));
}

// The way out of the heap of leaves that is nearest on a crown of radius 1, as trees.c heaps them.
vec3 out_of_heap(vec3 q)
{
    float nearest = -2.0;
    vec3 middle = vec3(0.0);
    for (int i = 0; i < 14; i++) {
        float z = 1.0 - 2.0 * (float(i) + 0.5) / 14.0, angle = 2.3999632 * float(i);
        vec3 heap = vec3(sqrt(1.0 - z * z) * vec2(cos(angle), sin(angle)), z);
        if (dot(q, heap) > nearest) {
            nearest = dot(q, heap);
            middle = heap;
        }
    }
    return normalize(q - 0.66 * middle);
}

mat2 turn_of(tree t)
{
    float angle = 6.2831853 * fract(17.0 * t.look.w);
    return mat2(cos(angle), sin(angle), -sin(angle), cos(angle));
}

// Where a point of the mesh is, from the middle of the crown.
vec3 tree_point(tree t, vec4 point)
{
    vec2 turned = turn_of(t) * point.xy;
    if (point.w > 0.5) return vec3(t.at.w * turned, -point.z * (t.at.z - crown_middle(t).z - 0.1 * t.at.w));
    return vec3(turned, point.z) * crown_size(t);
}

// How far it is from a place on a crown to where the sun's ray came into it: there other crowns may shade it.
float through_crown(vec3 from, vec3 size)
{
    vec3 q = from / size, way = sun.xyz / size;
    float a = dot(way, way), b = dot(q, way), c = dot(q, q) - 1.35;
    return (sqrt(max(b * b - a * c, 0.0)) - b) / a;
}

// Light falls through the outer leaves, and little comes to the lower and inner ones.
vec3 tree_colour(tree t, bool bark, vec3 position, float far)
{
    vec3 from = position - crown_middle(t), size = crown_size(t), q = from / size, n, view = normalize(position - eye.xyz);
    int form = form_of(t);
    float cleft = length(q);
    if (form == HEAPS) {
        n = out_of_heap(vec3(q.xy * turn_of(t), q.z)); // turned back
        n = normalize(vec3(turn_of(t) * n.xy, n.z) + 0.6 * q);
        cleft = smoothstep(0.62, 1.02, cleft);
    } else if (form == TIERS) { // branches lie like a roof, one tier in the shade of the next
        n = normalize(vec3(normalize(q.xy + 1e-4), 0.55));
        cleft = smoothstep(0.35, 0.95, length(q.xy) / (0.14 + 0.44 * (1.0 - q.z)));
    } else { // fronds are seen and lit from both sides
        n = normalize(vec3(0.7 * q.xy, 1.0));
        cleft = smoothstep(0.0, 0.55, length(q.xy));
    }
    vec3 leaf = 0.55 * leaves(t, from, 7.0, right.w * far / eye.w) + 0.45 * leaves(t, from, 2.3, right.w * far / eye.w), side = normalize(cross(n, vec3(0.31, 0.17, 0.93)));
    float high = clamp(from.z / size.z, -1.0, 1.0), deep = mix(0.25, 1.0, smoothstep(-0.8, 0.7, high + 0.7 * (leaf.b - 0.5)));
    if (form == FRONDS) deep = 0.8;
    deep *= mix(0.35, 1.0, cleft); // clefts between heaps, tiers and fronds
    n = normalize(n + 1.6 * ((leaf.r - 0.5) * side + (leaf.g - 0.5) * cross(n, side)));
    vec3 albedo = leaf_of(species_row(t, 2).rgb, species_row(t, 3).rgb, fract(t.look.x)) * (0.25 + 1.35 * smoothstep(0.18, 0.72, leaf.b));
    if (bark) {
        albedo = form == FRONDS ? vec3(0.200, 0.165, 0.130) : vec3(0.062, 0.048, 0.036);
        float low = clamp(-from.z / max(crown_middle(t).z - t.at.z, 1e-3), 0.0, 1.0);
        n = normalize(vec3(from.xy - turn_of(t) * vec2(form == FRONDS ? LEAN * t.at.w * low * low : 0.0, 0.0), 0.0) + 1e-4);
        deep = form == FRONDS ? 0.8 : 0.45;
    }
    vec4 seen = textureLod(light, t.at.xy / extent.xy, 0.0);
    float through = bark ? 0.0 : (form == FRONDS ? 0.55 : form == TIERS ? 0.12 : 0.30) * pow(max(dot(view, sun.xyz), 0.0), 2.0); // leaves against the light glow
    float facing = max((dot(n, sun.xyz) + 0.25) / 1.25, through) * mix(1.0, seen.a, sun.w) * under_clouds(position) * under_trees(position, max(through_crown(from, size), 0.0));
    float open = clamp(dot(normalize(n + vec3(0.0, 0.0, 0.6)), seen.rgb), 0.0, 1.0) * deep;
    vec3 lit = albedo * (sunlight.rgb * facing * mix(0.30, 1.0, deep) + skylight.rgb * open + 0.12 * daylight(1.0) * deep);
    return film(haze(lit, position));
}

// Edges of a crown are torn between its leaves.
bool between_leaves(tree t, vec3 position, vec3 from_middle, float far)
{
    if (form_of(t) == FRONDS) return leaves(t, from_middle, 0.8, right.w * far / eye.w).b < 0.40;
    vec3 size = crown_size(t), n = normalize(from_middle / (size * size));
    float facing = abs(dot(n, normalize(position - eye.xyz)));
    return leaves(t, from_middle, 1.6, right.w * far / eye.w).b < 0.95 * (1.0 - smoothstep(0.10, 0.90, facing)) - 0.10;
}
