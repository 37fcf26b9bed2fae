// A pixel that sees a tree: which tree, and whether its bark. shade.comp gives it a colour.
layout(location = 0) flat in vec4 foot;
layout(location = 1) flat in vec4 form;
layout(location = 2) flat in int index;
layout(location = 3) in vec4 from;
layout(location = 0) out uint seen;

void main()
{
    tree t = tree(foot, form);
    bool bark = from.w > 0.5;
    if (!bark && between_leaves(t, crown_middle(t) + from.xyz, from.xyz, to_clip[3][2] / gl_FragCoord.z)) discard;
    seen = uint(bark ? TRUNK : TREE) | uint(index) << KIND_BITS;
}
