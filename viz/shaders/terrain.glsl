// The terrain in every style.
vec3 phong(vec3 n, vec3 position)
{
    const vec3 lights[3] = vec3[](normalize(vec3(-0.6, 0.5, 0.62)), normalize(vec3(0.8, 0.3, 0.5)), normalize(vec3(0.0, -0.8, 0.6)));
    const vec3 tones[3] = vec3[](vec3(0.85, 0.78, 0.66), vec3(0.22, 0.30, 0.42), vec3(0.20, 0.20, 0.24));
    vec3 to_eye = normalize(eye.xyz - position), sum = vec3(0.04);
    for (int i = 0; i < 3; i++) {
        float diffuse = max(dot(n, lights[i]), 0.0), gloss = max(dot(reflect(-lights[i], n), to_eye), 0.0);
        sum += tones[i] * (0.62 * diffuse + 0.18 * float(diffuse > 0.0) * pow(gloss, 24.0));
    }
    return sum;
}

// How much of a pixel a contour of the ground covers; every fifth is thicker, and none are drawn where they would be one surface.
float contour(vec3 position, vec3 n, vec3 ray, float far)
{
    if (chart.x <= 0.0) return 0.0;
    vec3 slide = ray / min(dot(n, ray), -0.05 * length(ray)), x = normalize(right.xyz), y = normalize(up.xyz);
    float pixel = far / eye.w, rise = pixel * length(vec2((x - slide * dot(n, x)).z, (y - slide * dot(n, y)).z));
    float lines = height(position.xy) / chart.x, nearest = round(lines), away = abs(lines - nearest) * chart.x / max(rise, 1e-9);
    float wide = mod(nearest, 5.0) == 0.0 ? 1.0 : 0.45;
    return (1.0 - smoothstep(wide - 0.4, wide + 0.6, away)) * smoothstep(2.0, 5.0, chart.x / max(rise, 1e-9));
}

const vec3 AT_SEA = vec3(0.47, 0.60, 0.72); // the sea, which is no field

// The layer that is seen. A cliff from cell to cell cuts through the ground of its highest cell: its layers are bands there, above the ground
// of the cell that is nearest. Those between the cells would hang down from it as teeth. At the middles of cells both are the same.
float exposed_layer(vec2 xy)
{
    float z = map(terrain, xy);
    vec2 size = vec2(textureSize(terrain, 0)), place = xy / extent.xy * size - 0.5, first = floor(place);
    vec4 h = textureGather(terrain, (first + 1.0) / size).wzxy; // corners (0, 0), (1, 0), (0, 1), (1, 1)
    float high = max(max(h.x, h.y), max(h.z, h.w));
    if (high - min(min(h.x, h.y), min(h.z, h.w)) <= 1.5 * extent.z) return layer(xy, z);
    ivec2 near = ivec2(step(0.5, place - first));
    int k = near.x + 2 * near.y;
    for (int i = 0; h[k] < z - 1e-3 * extent.z && i < 4; i++)
        if (h[i] == high) k = i;
    return layer((clamp(first + vec2(k & 1, k >> 1), vec2(0.0), size - 1.0) + 0.5) / size * extent.xy, z);
}

// A lone cliff that crosses the grid is a row of steps from cell to cell: without the mean of the normals along it they would look like beads.
// A cliff is lone if the ground over six cells is much less steep, so gullies of a slope keep their shade.
vec3 normal_along(vec2 xy)
{
    vec3 n = normal(xy);
    float steep = length(n.xy) / n.z;
    if (FAST || steep < 0.1) return n;
    vec2 along = extent.z * vec2(-n.y, n.x) / length(n.xy), down = vec2(along.y, -along.x);
    float wide = (map(terrain, xy - 3.0 * down) - map(terrain, xy + 3.0 * down)) / (6.0 * extent.z);
    float cliff = smoothstep(0.1, 0.3, steep) * smoothstep(1.7, 2.5, steep / max(wide, 1e-3));
    vec3 sum = n;
    for (int k = -2; k <= 2; k++)
        if (k != 0) sum += cliff * normal(xy + 1.1 * float(k) * along);
    return normalize(sum);
}

vec3 land(vec3 position, vec3 ray, float far)
{
    vec3 n = how.x == ISLAND || how.x == WIREFRAME ? normal(position.xy) : normal_along(position.xy);
    float open = clamp(dot(n, textureLod(light, position.xy / extent.xy, 0.0).rgb), 0.0, 1.0);
    float lambert = 0.40 * open * open + 0.75 * max(dot(n, sun.xyz), 0.0);
    float line = 1.0 - 0.65 * contour(position, n, ray, far);
    switch (how.x) {
    case ISLAND: return line * film(haze(lit(ground(position.xy, texture_point_of(position, n, ray, far, 0.05)), position.xy, position.z), position));
    case PHONG: return line * phong(n, position);
    case WIREFRAME: return CHALK * lambert;
    }
    float v = value(value_x, position.xy);
    if (how.x == LAYERS) v = range.y - 0.5 - exposed_layer(position.xy);
    if (how.x == SPEED) v = length(vec2(v, value(value_y, position.xy)));
    vec4 t = tint(v);
    t.a *= moving(position.xy);
    if (how.x == WATER && map(terrain, position.xy) < levels.x) t = vec4(AT_SEA, 1.0);
    return mix(CHALK, t.rgb, t.a) * mix(1.0, lambert, chart.y) * line;
}

// Bridges and the mouths of tunnels, of asphalt and concrete.
vec3 structure(int kind, vec3 position)
{
    vec3 n = kind == DECK ? vec3(0.0, 0.0, 1.0) : kind == WALL_X ? vec3(sign(eye.x - position.x), 0.0, 0.0) : vec3(0.0, sign(eye.y - position.y), 0.0);
    vec3 stone = kind == DECK ? vec3(0.27, 0.23, 0.19) : kind == MOUTH ? vec3(0.008) : vec3(0.52, 0.49, 0.43);
    float facing = max(dot(n, sun.xyz), 0.0);
    if (how.x == PHONG) return kind == MOUTH ? vec3(0.02) : phong(n, position);
    if (how.x != ISLAND) return 1.4 * stone * (0.45 + 0.65 * facing);
    vec3 ground = 0.25 * daylight(1.0) * (1.0 - n.z);
    return film(haze(stone * (sunlight.rgb * facing + skylight.rgb * (0.5 + 0.5 * n.z) + ground), position));
}

vec3 solid(int kind, vec2 pixel, float far)
{
    vec3 ray = ray_of(pixel), position = eye.xyz + far * ray;
    if (kind >= DECK) return structure(kind, position);
    if (in_hole(position.xy)) return hole(kind);
    return kind == LAND ? land(position, ray, far) : kind == SIDE ? cut(position, far / eye.w) : srgb(0x10202c);
}
