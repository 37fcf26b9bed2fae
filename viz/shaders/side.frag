// The cut sides of the sea of a block.
layout(location = 0) in vec3 position;
layout(location = 0) out vec4 colour;

void main()
{
    if (position.z < map(terrain, position.xy)) discard;
    vec3 c = mix(srgb(0x0b3f66), srgb(0x2f9fb0), exp(-(levels.x - position.z) * sea.x * 0.5));
    colour = vec4(film(c * 1.1), 1.0);
}
