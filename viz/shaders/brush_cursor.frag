// A light line with dark edges, so that it is seen on everything.
layout(location = 0) in float across;
layout(location = 0) out vec4 colour;

void main()
{
    colour = abs(across) < 0.5 ? vec4(srgb(0xfff2c0), 0.9) : vec4(0.0, 0.0, 0.0, 0.45);
}
