// The map around a sphere: columns are longitudes, rows are latitudes, and the upper row is the north. Its relief is shaded as if it were a
// fortieth of the radius high, by a light that stays beside the eye.
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 colour;
layout(location = 0) uniform vec4 rightward; // axes of the eye; w: half the picture at distance 1, its middle beside the picture's
layout(location = 1) uniform vec4 upward;
layout(location = 2) uniform vec4 onward;    // w: distance of the eye in radii
layout(location = 3) uniform vec2 middle;

// Between four cells; the first column follows the last one.
float around(vec2 share)
{
    ivec2 size = textureSize(terrain, 0);
    vec2 p = share * vec2(size) - 0.5, f = fract(p);
    ivec2 i = ivec2(floor(p)), a = ivec2((i.x + size.x) % size.x, clamp(i.y, 0, size.y - 1)),
          b = ivec2((i.x + 1 + size.x) % size.x, clamp(i.y + 1, 0, size.y - 1));
    float low = mix(texelFetch(terrain, a, 0).r, texelFetch(terrain, ivec2(b.x, a.y), 0).r, f.x);
    return mix(low, mix(texelFetch(terrain, ivec2(a.x, b.y), 0).r, texelFetch(terrain, b, 0).r, f.x), f.y);
}

// Of a planet: shelves and deeps, meadows, bare rock and snow, by shares of the relief.
vec3 planet(float h)
{
    float depth = (levels.x - h) / max(levels.x - levels.z, extent.w), up = (h - levels.x) / max(levels.w - levels.x, extent.w);
    if (sea.w > 0.0 && h < levels.x) return mix(srgb(0x3f9ab5), srgb(0x0b2c5c), 1.0 - exp(-9.0 * depth));
    vec3 land = mix(srgb(0x5f8a3c), srgb(0x3f6a30), smoothstep(0.0, 0.15, up));
    return mix(mix(land, srgb(0x8f7556), smoothstep(0.2, 0.5, up)), srgb(0xf2f2f0), smoothstep(0.6, 0.85, up));
}

vec3 ground(vec3 p)
{
    const float pi = 3.14159265;
    float parallel = max(length(p.xy), 0.02);
    vec2 share = vec2(0.5 + atan(p.x, -p.y) / (2.0 * pi), 0.5 + asin(clamp(p.z, -1.0, 1.0)) / pi), step = 1.0 / vec2(textureSize(terrain, 0));
    vec3 east = vec3(-p.y, p.x, 0.0) / max(length(p.xy), 1e-4), north = cross(p, east);
    float h = around(share), high = 0.00025 / extent.w;
    float x = around(share + vec2(step.x, 0.0)) - around(share - vec2(step.x, 0.0));
    float y = around(share + vec2(0.0, step.y)) - around(share - vec2(0.0, step.y));
    bool wet = sea.w > 0.0 && h < levels.x;
    vec3 n = normalize(p - (wet ? 0.15 : 1.0) * high * (x / (4.0 * pi * step.x * parallel) * east + y / (2.0 * pi * step.y) * north));
    vec3 to_light = normalize(-0.5 * rightward.xyz + 0.6 * upward.xyz - onward.xyz);
    if (in_hole(share * extent.xy)) return hole(LAND);
    bool values = how.x != ISLAND && how.x != PHONG && how.x != WIREFRAME;
    vec3 c = (values ? charted(share * extent.xy, h) : planet(h)) * (0.12 + 0.95 * max(dot(n, to_light), 0.0));
    vec3 shine = normalize(to_light - onward.xyz);
    return wet && how.x == ISLAND ? c + 0.2 * pow(max(dot(p, shine), 0.0), 160.0) : c;
}

void main()
{
    vec2 to = (at - middle) * vec2(rightward.w, upward.w);
    vec3 way = normalize(onward.xyz + to.x * rightward.xyz + to.y * upward.xyz), eye_at = -onward.w * onward.xyz;
    float b = dot(eye_at, way), inside = b * b - dot(eye_at, eye_at) + 1.0, soft = max(fwidth(inside), 1e-6);
    vec3 space = mix(srgb(0x0b1524), srgb(0x1c2f4a), 0.5 + 0.5 * at.y);
    vec3 p = normalize(eye_at + (-b - sqrt(max(inside, 0.0))) * way);
    colour = vec4(mix(space, ground(p), smoothstep(0.0, soft, inside)), 1.0);
}
