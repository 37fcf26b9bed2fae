// The bar of the legend in the colours of the values, its panel and its text.
layout(binding = 30) uniform sampler2D letters;
layout(location = 0) in float share;
layout(location = 1) in vec2 letter;
layout(location = 0) out vec4 colour;

void main()
{
    if (share < -6.5)
        colour = vec4(srgb(0x2f7f9f), 0.35);
    else if (share < -5.5)
        colour = vec4(srgb(0x2a6fd0), 1.0);
    else if (share < -4.5)
        colour = vec4(srgb(0x8a6a48), 1.0);
    else if (share < -3.5)
        colour = vec4(1.0);
    else if (share < -2.5)
        colour = vec4(srgb(0x16202a), pow(textureLod(letters, letter, 0.0).r, 0.7)); // dark on pale looks thin in linear light
    else if (share < -1.5)
        colour = vec4(srgb(0x16202a), 1.0);
    else if (share < -0.5)
        colour = vec4(1.0, 1.0, 1.0, 0.72);
    else {
        vec4 t = tint(chart.z > 3.5 ? range.x * pow(range.y / range.x, share) : mix(range.x, range.y, share));
        colour = vec4(mix(CHALK, t.rgb, t.a), 1.0);
    }
}
