// The colour of what a pixel sees, made while its surface is drawn.
layout(location = 0) uniform int kind;
layout(location = 0) out vec4 shown;

void main()
{
    shown = vec4(colour(kind, gl_FragCoord.xy, to_clip[3][2] / gl_FragCoord.z), 1.0);
}
