// Text and legend, in pixels from the upper left corner. A kind below 0 is a plain colour, any other a share of the range of values.
layout(location = 0) in vec2 pixel;
layout(location = 1) in vec3 kind; // yz: where a letter is in the atlas
layout(location = 0) out float share;
layout(location = 1) out vec2 letter;
layout(location = 0) uniform vec2 size;

void main()
{
    share = kind.x;
    letter = kind.yz;
    gl_Position = vec4(2.0 * pixel.x / size.x - 1.0, 1.0 - 2.0 * pixel.y / size.y, 0.0, 1.0);
}
