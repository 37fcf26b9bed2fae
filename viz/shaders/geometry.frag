// What a pixel sees. Its colour is shade.comp's.
layout(location = 0) uniform int kind;
layout(location = 0) out uint seen;

void main()
{
    seen = uint(kind);
}
