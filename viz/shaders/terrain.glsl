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

vec3 land(vec3 position, vec3 ray, float far)
{
    vec3 n = normal(position.xy);
    float lambert = 0.35 + 0.75 * max(dot(n, sun.xyz), 0.0);
    switch (how.x) {
    case ISLAND: return film(haze(lit(ground(position.xy, texture_point_of(position, n, ray, far, 0.05)), position.xy), position));
    case PHONG: return phong(n, position);
    case WIREFRAME: return CHALK * lambert;
    }
    float v = map(value_x, position.xy);
    if (how.x == LAYERS) v = range.y - 0.5 - layer(position.xy, map(terrain, position.xy));
    if (how.x == SPEED) v = length(vec2(v, map(value_y, position.xy)));
    vec4 t = tint(v);
    return mix(CHALK, t.rgb, t.a) * lambert;
}

vec3 colour(int kind, vec2 pixel, float far)
{
    vec3 ray = ray_of(pixel), position = eye.xyz + far * ray;
    return kind == LAND ? land(position, ray, far) : kind == SIDE ? cut(position, far / eye.w) : srgb(0x10202c);
}
