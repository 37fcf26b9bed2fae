// Which pixels see water. Its colour is shade.comp's.
layout(location = 0) out uint seen;

void main()
{
    if (!is_wet(gl_FragCoord.xy, to_clip[3][2] / gl_FragCoord.z)) discard;
    seen = uint(RIVER);
}
