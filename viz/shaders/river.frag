// The colour of the water that a pixel sees, made while it is drawn.
layout(location = 0) out vec4 shown;

void main()
{
    float far = to_clip[3][2] / gl_FragCoord.z;
    if (!is_wet(gl_FragCoord.xy, far)) discard;
    shown = vec4(watered(gl_FragCoord.xy, far), 1.0);
}
