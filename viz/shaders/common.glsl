// What every shader sees: the view, the maps, heights. Distances in metres, z up; colours in linear light.
layout(std140, binding = 0) uniform View {
    mat4 to_clip;
    vec4 eye;                  // w: pixels along one metre at one metre
    vec4 right, up, forward;   // right and up are as long as half the picture at one metre; right.w: gradients of textures times this, up.w: fast,
                               // forward.w: how many bottoms of layers there are
    vec4 sun;                  // direction to it; w: its shadows are drawn
    vec4 extent;               // of the map along x and y; z: cell size, w: a hundredth of the terrain's range of heights
    vec4 levels;               // sea, bottom of the block, lowest, highest terrain
    vec4 sea;                  // x: absorption [1/m], y: vertical shortcut, z: reaches the horizon, w: there is one
    vec4 range;                // low, high of the values; z: screen error [pixels], 0: fixed level w; w: largest level
    ivec4 how;                 // x: style, y: there is a wetness counter, z: a reef counter, w: a road
};
layout(binding = 0) uniform sampler2D terrain;
layout(binding = 1) uniform sampler2D wetness;
layout(binding = 2) uniform sampler2D reef;
layout(binding = 3) uniform sampler2D road;
layout(binding = 4) uniform sampler2D value_x;
layout(binding = 5) uniform sampler2D value_y;
layout(binding = 6) uniform sampler2D light;            // r: share of the sun, g: share of the sky that the ground sees
layout(binding = 7) uniform sampler1D scale;            // the perceptual colour map
layout(binding = 8) uniform sampler2DArray materials;   // rg: slopes, b: tone
layout(binding = 9) uniform sampler2DArray layers;      // a height, and above it the bottoms of layers, top down

const int SKY = 0, LAND = 1, WIRE = 2, SIDE = 3, SEA = 4; // what is seen
const int ISLAND = 0, WATER = 1, SEDIMENT = 2, SPEED = 3, VELOCITY_X = 4, VELOCITY_Y = 5, FIELD = 6, PHONG = 7, WIREFRAME = 8, LAYERS = 9;

float map(sampler2D field, vec2 xy)
{
    return textureLod(field, xy / extent.xy, 0.0).r;
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

vec3 srgb(int rgb)
{
    return pow(vec3(rgb >> 16, rgb >> 8 & 255, rgb & 255) / 255.0, vec3(2.2));
}

// The clear sky, pale at the horizon.
vec3 sky(vec3 ray)
{
    float high = max(ray.z, 0.0), near_sun = max(dot(ray, sun.xyz), 0.0);
    vec3 colour = mix(vec3(0.10, 0.24, 0.62), vec3(0.30, 0.52, 0.88), exp(-3.0 * high));
    colour = mix(colour, vec3(0.62, 0.79, 0.97), exp(-13.0 * high));
    return colour + vec3(1.0, 0.85, 0.6) * (0.22 * pow(near_sun, 10.0) + 0.5 * pow(near_sun, 160.0));
}

// What lies far away takes the colour of the sky at the horizon.
vec3 haze(vec3 colour, vec3 position)
{
    vec3 ray = position - eye.xyz;
    float share = length(ray) / (26.0 * max(extent.x, extent.y));
    return mix(sky(normalize(vec3(ray.xy, 0.0))), colour, exp(-share));
}

// The film: dark tones are deepened, bright light bends towards white instead of being cut off (Narkowicz 2015).
vec3 film(vec3 light_in)
{
    vec3 c = 0.72 * light_in;
    return clamp(c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14), 0.0, 1.0);
}
