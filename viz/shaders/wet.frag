// Which pixels see water. shade.comp gives them a colour.
layout(location = 0) out uint seen;

void main()
{
    if (!is_wet(gl_FragCoord.xy, to_clip[3][2] / gl_FragCoord.z)) discard;
    seen = uint(RIVER);
}
