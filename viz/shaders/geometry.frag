// What a pixel sees. shade.comp gives it a colour.
layout(location = 0) uniform int kind;
layout(location = 0) out uint seen;

void main()
{
    seen = uint(kind);
}
