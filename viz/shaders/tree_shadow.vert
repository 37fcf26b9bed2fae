// A crown as the sun sees it. Depth is larger nearer to the sun.
layout(location = 0) in vec4 point; // of a crown of radius 1; w: 1 on the trunk, whose foot is at z = -1
layout(location = 1) in vec4 at;
layout(location = 2) in vec4 look;

void main()
{
    tree t = tree(at, look);
    vec4 p = point;
    if (p.w < 0.5 && form_of(t) == TIERS) p.xy *= 0.6 * (1.0 - p.z);
    if (p.w < 0.5 && form_of(t) == FRONDS) p.xy *= 0.8;
    vec3 q = in_tree_shadow(crown_middle(t) + tree_point(t, p));
    gl_Position = vec4(2.0 * q.xy - 1.0, q.z, 1.0);
}
