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

// The layer that is seen. Ground shows the layers of its sixteen cells as they are mixed by cubic splines, and so is its height. A cliff shows
// those of the cells that reach as high: what lies at its foot, and is thin there, would hang down from its top as teeth.
float exposed_layer(vec2 xy)
{
    float z = height(xy), base = 0.0, sum = 0.0, above, l = extent.z;
    if (FAST) return layer(xy, z);
    vec3 n = normal(xy);
    float cliff = smoothstep(1.2, 2.0, length(n.xy) / n.z);
    vec2 size = vec2(textureSize(terrain, 0)), at = xy / extent.xy * size - 0.5, f = fract(at), g = 1.0 - f, corner = floor(at) + 1.0;
    vec2 w[4] = vec2[](g * g * g / 6.0, 2.0 / 3.0 - 0.5 * f * f * (2.0 - f), 2.0 / 3.0 - 0.5 * g * g * (2.0 - g), f * f * f / 6.0);
    vec4 weight[4];
    for (int k = 0; k < 4; k++) {
        int i = 2 * (k & 1), j = 2 * (k >> 1);
        vec2 place = (corner + vec2(i, j) - 1.0) / size;
        vec4 high = textureGather(terrain, place);
        weight[k] = vec4(w[i].x, w[i + 1].x, w[i + 1].x, w[i].x) * vec4(w[j + 1].y, w[j + 1].y, w[j].y, w[j].y);
        weight[k] *= mix(vec4(1.0), smoothstep(-1.0, -0.3, (high - z) / l), cliff);
        base += dot(weight[k], textureGather(layers, vec3(place, 0.0)));
        sum += dot(weight[k], vec4(1.0));
    }
    above = z - base / sum - 0.05 * extent.w;
    int i = 0;
    for (; i < int(forward.w); i++) {
        float bottom = 0.0;
        for (int k = 0; k < 4; k++)
            bottom += dot(weight[k], textureGather(layers, vec3((corner + 2.0 * vec2(k & 1, k >> 1) - 1.0) / size, i + 1)));
        if (above > bottom / sum) break;
    }
    return float(i);
}

// A lone cliff that crosses the grid is a row of steps from cell to cell, which would look like beads: its normal is the mean along it. Which
// way it goes is what the slopes between the cells around tell together. A cliff is lone if it is much steeper than the ground over six cells
// and straight, so slopes keep their shade.
vec3 normal_along(vec2 xy)
{
    vec3 n = normal(xy);
    if (FAST) return n;
    float l = extent.z, sum = 0.0;
    vec3 tensor = vec3(0.0); // of slopes: xx, xy, yy
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++) {
            vec2 at = (floor(xy / l + 0.5) + vec2(i, j)) * l, away = (at - xy) / l;
            vec4 h = textureGather(terrain, at / extent.xy);
            vec2 slope = 0.5 * vec2(h.y + h.z - h.x - h.w, h.x + h.y - h.z - h.w) / l;
            float w = exp(-0.35 * dot(away, away));
            tensor += w * vec3(slope.x * slope.x, slope.x * slope.y, slope.y * slope.y);
            sum += w;
        }
    float turned = 0.5 * atan(2.0 * tensor.y, tensor.x - tensor.z);
    vec2 down = l * vec2(cos(turned), sin(turned)), along = vec2(-down.y, down.x);
    float steep = sqrt((tensor.x + tensor.z) / sum), wide = abs(map(terrain, xy - 3.0 * down) - map(terrain, xy + 3.0 * down)) / (6.0 * l);
    float straight = length(vec2(tensor.x - tensor.z, 2.0 * tensor.y)) / max(tensor.x + tensor.z, 1e-12); // 1: all slopes go one way
    float lone = smoothstep(0.05, 0.2, steep) * smoothstep(1.5, 2.0, steep / max(wide, 1e-3)) * smoothstep(0.4, 0.7, straight);
    if (lone <= 0.0) return n;
    vec3 mean = n;
    for (int k = -5; k <= 5; k++)
        if (k != 0) mean += lone * exp(-0.08 * float(k * k)) * normal(xy + float(k) * along);
    return normalize(mean);
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
