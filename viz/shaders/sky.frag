// The sky of the island, a plain ground for the other looks.
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 colour;

void main()
{
    vec3 ray = normalize(forward.xyz + at.x * right.xyz + at.y * up.xyz);
    vec3 plain = mix(srgb(0xf4f6f8), srgb(0xc9d3dc), 0.5 + 0.5 * at.y);
    colour = vec4(how.x == ISLAND ? film(sky(ray)) : plain, 1.0);
}
