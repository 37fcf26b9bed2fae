// The terrain in every look.
layout(location = 0) in vec3 position;
layout(location = 1) in float drop;
layout(location = 0) out vec4 colour;
layout(location = 0) uniform int lines; // 1: the wires of the mesh

vec3 phong(vec3 n)
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

vec3 wall()
{
    vec3 n = normalize(cross(dFdx(position), dFdy(position)));
    float grain = texture(materials, vec3(position.z / (60.0 * extent.w), (position.x + position.y) / (4.0 * extent.x), ROCK)).b;
    vec3 stone = how.x == ISLAND ? mix(srgb(0x5b4a3c), srgb(0x8a745e), grain) : 0.5 * CHALK;
    float kind = layer(position.xy, position.z);
    if (how.x == ISLAND && forward.w > 0.0) stone *= mix(vec3(0.65, 0.62, 0.60), vec3(1.75, 1.55, 1.30), fract(0.31 + 0.618 * kind));
    if (how.x == LAYERS) stone = tint(range.y - 0.5 - kind).rgb;
    return stone * (0.55 + 0.45 * abs(dot(n, vec3(0.6, 0.8, 0.0))));
}

void main()
{
    vec3 n = normal(position.xy), c;
    float lambert = 0.35 + 0.75 * max(dot(n, sun.xyz), 0.0);
    if (lines != 0)
        c = srgb(0x10202c);
    else if (drop > 0.0)
        c = wall();
    else if (how.x == ISLAND)
        c = film(haze(lit(ground(position.xy, place_of(position.xy)), position.xy), position));
    else if (how.x == PHONG)
        c = phong(n);
    else if (how.x == WIREFRAME)
        c = CHALK * lambert;
    else {
        float v = map(value_x, position.xy);
        if (how.x == LAYERS) v = range.y - 0.5 - layer(position.xy, map(terrain, position.xy));
        if (how.x == SPEED) v = length(vec2(v, map(value_y, position.xy)));
        vec4 t = tint(v);
        c = mix(CHALK, t.rgb, t.a) * lambert;
    }
    colour = vec4(c, 1.0);
}
