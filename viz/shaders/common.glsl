// What every shader sees: the view, the maps, heights. Distances in metres, z up; colours in linear light.
layout(std140, binding = 0) uniform View {
    mat4 to_clip;
    vec4 eye;                  // w: pixels along one metre at one metre
    vec4 right, up, forward;   // right and up are as long as half the picture at one metre; right.w: gradients of textures times this, up.w: how fast,
                               // forward.w: how many bottoms of layers there are
    vec4 sun;                  // direction to it; w: its shadows are drawn
    vec4 extent;               // of the map along x and y; z: cell size, w: a hundredth of the terrain's range of heights
    vec4 levels;               // sea, bottom of the block, lowest, highest terrain
    vec4 sea;                  // x: absorption [1/m], y: vertical shortcut, z: reaches the horizon, w: there is one
    vec4 range;                // low, high of the values; z: screen error [pixels], 0: fixed level w; w: largest level
    ivec4 how;                 // x: style, y: there is a wetness counter, z: a reef counter, w: a road
    ivec4 has;                 // x: there is water, y: a change of the ground, z: sediment, w: a speed of the water
    vec4 sunlight;             // radiance of a white surface that faces the sun; w: exposure
    vec4 skylight;             // of a white, level surface in the sky's light alone; w: textures repeat so many times as often
    vec4 air;                  // extinction at the ground [1/m]; w: 1 over the height in which air thins to 1/e [1/m]
    vec4 chart;                // x: from contour to contour [m], 0: none; y: weight of light and shade under values; z: 1: a colour map is named, 2 more: values are angles, 4 more: colours go by the logarithm; w: moment of the water [s], 0: it rests
    vec4 woods;                // of trees that stand one by one: from site to site [m]; as far as y there are some, as far as z all; w: slopes times this are rock where they are steep
    vec4 clouds;               // share of the sky that they cover, 0: none; base and thickness of their slab; the base that shadows fall from
    vec4 crowns[3];            // rows: from a place to one of tree_shadow, and to its depth there
    vec4 species[15];          // five for each: radius of the crown from, to [sites], height from, to [radii]; middle, half of the crown [heights], its form, and
                               // scores: always; dark leaves; light ones; scores: by height, slope, moisture, shore (viz/tree_species.h)
};
layout(binding = 0) uniform sampler2D terrain;
layout(binding = 1) uniform sampler2D wetness;
layout(binding = 2) uniform sampler2D reef;
layout(binding = 3) uniform sampler2D road;
layout(binding = 9) uniform sampler2D value_x;
layout(binding = 10) uniform sampler2D value_y;
layout(binding = 11) uniform sampler2D light;           // rgb: what the open sky lights (light.comp); a: the share of the sun
layout(binding = 12) uniform sampler1D scale;           // the perceptual colour map
layout(binding = 13) uniform sampler2DArray materials;  // rg: slopes, b: tone
layout(binding = 14) uniform sampler2DArray layers;     // a height, and above it the bottoms of layers, top down
layout(binding = 15) uniform sampler2D dome;            // the sky's radiance (viz/air.h)
layout(binding = 16) uniform sampler2D flow;            // of the water that is seen on land: depth, speed along x and y, sediment in a depth of it
layout(binding = 17) uniform sampler2D marks;           // r: where water ran, g: wet ground, b: eroded below a half, deposited above, a: a ridge below, a hollow above

layout(binding = 21) uniform sampler2D cloud_shadow;     // the share of the sun under the clouds, at their base; it repeats
layout(binding = 22) uniform sampler2D cloud_layer;      // their light in this view, and how much they cover
layout(binding = 26) uniform sampler2D wet_blocks;       // 1 where a block of cells shows water, a half where all of it lies below the sea; so many cells along its side:
const int WET_BLOCK = 8;
layout(binding = 27) uniform sampler2DShadow tree_shadow; // of crowns near the eye, from the sun; what is nearer to it is deeper
layout(binding = 25) uniform sampler2D shelter;          // how much of the horizon land and reefs close (shelter.comp)
layout(binding = 28) uniform sampler2D holes;            // above 0 in cells without data; one texel if there are none

const int SKY = 0, LAND = 1, WIRE = 2, SIDE = 3, SEA = 4, RIVER = 5, DECK = 6, WALL_X = 7, WALL_Y = 8, MOUTH = 9, TREE = 10, TRUNK = 11; // what is seen
const int KIND_BITS = 4;   // above them: which tree it is
const int ISLAND = 0, WATER = 1, SEDIMENT = 2, SPEED = 3, VELOCITY_X = 4, VELOCITY_Y = 5, FIELD = 6, PHONG = 7, WIREFRAME = 8, LAYERS = 9;

bool shows_values()
{
    return how.x >= WATER && how.x <= FIELD || how.x == LAYERS;
}

// Beaches, reefs and surf go by a hundredth of the relief, and on high land by metres: the sea is no larger there.
float shore_unit()
{
    return min(extent.w, 2.1);
}

// So are waves: the side of a map that they are made for [m].
float swell_side()
{
    return min(max(extent.x, extent.y), SWELL_MAP);
}

float map(sampler2D field, vec2 xy)
{
    return textureLod(field, xy / extent.xy, 0.0).r;
}

// Cells without data have one colour in every style, without light.
bool in_hole(vec2 xy)
{
    vec2 size = vec2(textureSize(holes, 0)), at = floor(xy / extent.xy * size);
    return clamp(at, vec2(0.0), size - 1.0) == at && texelFetch(holes, ivec2(at), 0).r > 0.0;
}

// Values beside a hole are those of their cell: the hole has none to mix with. So are angles: the mean of 359 and 1 is not 180.
float value(sampler2D field, vec2 xy)
{
    vec2 l = vec2(0.5, -0.5) * extent.z;
    bool beside = mod(chart.z, 4.0) > 1.5 || textureSize(holes, 0) != ivec2(1) && (in_hole(xy + l.xx) || in_hole(xy + l.xy) || in_hole(xy + l.yx) || in_hole(xy + l.yy));
    return map(field, beside ? (floor(xy / extent.z) + 0.5) * extent.z : xy);
}

vec3 hole(int kind)
{
    return vec3(kind == SIDE ? 0.11 : 0.16);
}

// As `road`, but 0 where a bridge or a tunnel is: these are no ground.
float bed_of_road(vec2 xy)
{
    vec2 size = vec2(textureSize(road, 0)), at = xy / extent.xy * size - 0.5, f = fract(at);
    vec4 r = textureGather(road, (floor(at) + 1.0) / size);
    r *= step(r, vec4(1.5));
    return mix(mix(r.w, r.z, f.x), mix(r.x, r.y, f.x), f.y);
}

// What the water of a river is deep beside [m]: a cell, but no more than 2 m.
float wade()
{
    return min(extent.z, 2.0);
}

// The depth below which water is a film, no surface.
float film_depth()
{
    return 0.1 * wade();
}

// The blocks of cells between two corners, and those that their heights mix with.
ivec4 blocks_between(vec2 low, vec2 high)
{
    ivec2 most = textureSize(wet_blocks, 0) - 1;
    return ivec4(clamp(ivec2(floor((low / extent.z - 2.0) / float(WET_BLOCK))), ivec2(0), most), clamp(ivec2(floor((high / extent.z + 2.0) / float(WET_BLOCK))), ivec2(0), most));
}

// Does one of them show water?
bool wet_between(vec2 low, vec2 high)
{
    ivec4 b = blocks_between(low, high);
    for (int j = b.y; j <= b.w; j++)
        for (int i = b.x; i <= b.z; i++)
            if (texelFetch(wet_blocks, ivec2(i, j), 0).r > 0.75) return true;
    return false;
}

// By cubic B-splines: smooth, and between what its sixteen cells hold. Four samples, each between two by two cells.
vec4 cubic(sampler2D field, vec2 xy)
{
    vec2 size = vec2(textureSize(field, 0)), at = xy / extent.xy * size - 0.5, i = floor(at), f = at - i, g = 1.0 - f;
    vec2 first = g * g * g / 6.0, last = f * f * f / 6.0, low = first + 2.0 / 3.0 - 0.5 * f * f * (2.0 - f), high = 1.0 - low;
    vec2 a = (i + 0.5 - first / low) / size, b = (i + 1.5 + last / high) / size;
    return low.y * (low.x * textureLod(field, a, 0.0) + high.x * textureLod(field, vec2(b.x, a.y), 0.0)) +
           high.y * (low.x * textureLod(field, vec2(a.x, b.y), 0.0) + high.x * textureLod(field, b, 0.0));
}

// The ground between its cells.
float height(vec2 xy)
{
    return FAST ? map(terrain, xy) : cubic(terrain, xy).r;
}

// Beyond the map the bed goes on from its edge, sinking.
float bed(vec2 xy)
{
    vec2 inside = clamp(xy, vec2(0.0), extent.xy);
    return map(terrain, inside) - 0.4 * distance(xy, inside);
}

vec3 normal(vec2 xy)
{
    vec2 l = vec2(extent.z, 0.0);
    return normalize(vec3(map(terrain, xy - l) - map(terrain, xy + l), map(terrain, xy - l.yx) - map(terrain, xy + l.yx), 2.0 * l.x));
}

// The layer that the ground at height z is of, from 0 at the top; films thinner than a two thousandth of the relief do not count.
float layer(vec2 xy, float z)
{
    int i = 0;
    float above = z - textureLod(layers, vec3(xy / extent.xy, 0.0), 0.0).r - 0.05 * extent.w;
    while (i < int(forward.w) && above <= textureLod(layers, vec3(xy / extent.xy, i + 1), 0.0).r) i++;
    return float(i);
}

// Towards the point that a pixel sees; as long as it is far at one metre along the middle of the view.
vec3 ray_of(vec2 pixel)
{
    return forward.xyz - right.xyz - up.xyz + (pixel.x * normalize(right.xyz) + pixel.y * normalize(up.xyz)) / eye.w;
}

// 1 where trees stand one by one, 0 where they are a canopy alone.
float one_by_one(vec3 place)
{
    return woods.y > 0.0 ? 1.0 - smoothstep(woods.z, woods.y, distance(eye.xyz, place)) : 0.0;
}

vec3 srgb(int rgb)
{
    return pow(vec3(rgb >> 16, rgb >> 8 & 255, rgb & 255) / 255.0, vec3(2.2));
}

// The clear sky above the horizon, without the sun's disc.
vec3 sky(vec3 ray)
{
    float beside = dot(normalize(ray.xy + 1e-6), normalize(sun.xy + 1e-6)), high = asin(clamp(ray.z, 0.0, 1.0));
    return textureLod(dome, vec2(acos(clamp(beside, -1.0, 1.0)) / 3.14159265, sqrt(high / 1.57079633)), 0.0).rgb;
}

// Does the eye look down on the clouds?
bool clouds_below()
{
    return clouds.x > 0.0 && eye.z > clouds.y;
}

// What lies far away fades into the light that air scatters on the way. Its density falls with height: valleys fill, peaks stand clear.
// Clouds below the eye stand before it.
vec3 haze(vec3 colour, vec3 position)
{
    vec3 ray = position - eye.xyz;
    float a = max(eye.z - levels.x, 0.0) * air.w, b = max(position.z - levels.x, 0.0) * air.w;
    float density = abs(a - b) < 1e-3 ? exp(-a) : (exp(-a) - exp(-b)) / (b - a);
    vec3 c = mix(sky(vec3(normalize(ray.xy + 1e-6), 0.0)), colour, exp(-air.rgb * length(ray) * density));
    if (!clouds_below()) return c;
    vec4 at = to_clip * vec4(position, 1.0), cloud = textureLod(cloud_layer, 0.5 * at.xy / at.w + 0.5, 0.0);
    return c * (1.0 - cloud.a) + cloud.rgb;
}

// A white, level surface in the light of now, of which the sun's share is `shade`.
vec3 daylight(float shade)
{
    return shade * max(sun.z, 0.0) * sunlight.rgb + skylight.rgb;
}

// Clouds repeat after so many metres: two and a half sides of the map.
float cloud_period()
{
    return 10.0 * clouds.z;
}

// The sun that clouds throw shadows from is never low: at sunset they would darken all land, far from where they stand.
vec3 cloud_sun()
{
    return vec3(normalize(sun.xy + 1e-6) * sqrt(1.0 - max(sun.z, 0.4) * max(sun.z, 0.4)), max(sun.z, 0.4));
}

// 1 unless the eye is just above the slab that shadows fall from: clouds fade above it, and those below appear (viz/clouds.h).
float fade_by_height()
{
    float risen = (eye.z - clouds.w - clouds.z) / (0.4 * clouds.z); // in tenths of the map's side
    return clamp(clouds_below() ? risen - 1.0 : 1.0 - risen, 0.0, 1.0);
}

// How much the clouds over a block count. They are gone where the eye is above them, and so are their shadows where the picture ends below the
// horizon: one would ask what darkens the model.
float over_block()
{
    return fade_by_height() * smoothstep(0.0, 0.12, normalize(forward.xyz + up.xyz).z);
}

// The share of the sun that clouds let through to a place. Some light comes down from their sides.
float under_clouds(vec3 at)
{
    if (FAST || clouds.x <= 0.0) return 1.0;
    vec3 to = cloud_sun();
    float share = textureLod(cloud_shadow, (at.xy + to.xy * (clouds.w - at.z) / to.z) / cloud_period(), 0.0).r;
    float there = sea.z == 0.0 || sea.w == 0.0 ? over_block() : 1.0;
    return mix(1.0, share, 0.8 * sun.w * there * smoothstep(0.05, 0.4, sun.z));
}

vec3 in_tree_shadow(vec3 place)
{
    vec4 p = vec4(place, 1.0);
    return vec3(dot(crowns[0], p), dot(crowns[1], p), dot(crowns[2], p));
}

// The share of the sun that single trees let through to a place, of those that stand farther than `from` metres towards it. Some falls
// between leaves. Where trees become a canopy their shadows fade with them.
float under_trees(vec3 at, float from)
{
    if (FAST || woods.y <= 0.0 || sun.w <= 0.0) return 1.0;
    float near = one_by_one(at);
    if (near <= 0.0) return 1.0;
    vec3 q = in_tree_shadow(at + from * sun.xyz);
    vec2 aside = vec2(0.4, 0.8) / vec2(textureSize(tree_shadow, 0));
    float share = 0.5 * (textureLod(tree_shadow, q + vec3(aside, 0.0), 0.0) + textureLod(tree_shadow, q - vec3(aside, 0.0), 0.0));
    return mix(1.0, share, 0.85 * near);
}

// Sobotka's AgX: every colour goes a fifth of the way to a grey, 16.5 stops become a scale from 0 to 1 of which middle grey (0.18) is
// 10/16.5, an S bends both ends, and colours come back. A bright colour so ends in white, not in a brighter primary. STEEP is the
// slope at middle grey, VIVID how far colours come back beyond where they were: sunlit ground far away styles dull without.
vec3 film(vec3 light_in)
{
    const vec3 GREY = vec3(0.0424, 0.0784, 0.0792);
    const float MIDDLE = 10.0 / 16.5, SHOWN = 0.4587, STEEP = 2.6, VIVID = 1.25; // 0.18 as a display encodes it
    const vec3 WHITE = vec3(0.93, 1.0, 1.06); // makes a level white surface white under the usual sun, 38 degrees high
    vec3 c = max(light_in, 0.0) * WHITE * sunlight.w;
    c = 0.8 * c + dot(GREY, c);
    vec3 x = clamp((log2(max(c, 1e-6)) + 12.4739) / 16.5, 0.0, 1.0) - MIDDLE;
    // The S ends in 0 and in 1: each half has its own limit.
    vec3 most = mix(vec3(STEEP * MIDDLE), vec3(STEEP * (1.0 - MIDDLE)), greaterThan(x, vec3(0.0)));
    vec3 end = mix(vec3(SHOWN), vec3(1.0 - SHOWN), greaterThan(x, vec3(0.0)));
    vec3 limit = pow(most, vec3(1.5)) / (pow(most / end, vec3(1.5)) - 1.0);
    c = SHOWN + STEEP * x / pow(1.0 + pow(abs(STEEP * x), vec3(1.5)) / limit, vec3(1.0 / 1.5));
    c = pow(max(c, 0.0), vec3(2.2));
    float grey = dot(c, vec3(0.2126, 0.7152, 0.0722));
    return clamp(grey + VIVID * ((c - dot(GREY, c)) / 0.8 - grey), 0.0, 1.0);
}
