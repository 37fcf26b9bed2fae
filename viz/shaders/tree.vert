// A point of the small mesh of a tree, turned and stretched for each tree.
layout(location = 0) in vec4 point; // of a crown of radius 1; w: 1 on the trunk, whose foot is at z = -1
layout(location = 1) in vec4 at;
layout(location = 2) in vec4 look;
layout(location = 1) uniform int first;
layout(location = 0) flat out vec4 foot;
layout(location = 1) flat out vec4 form;
layout(location = 2) flat out int index;
layout(location = 3) out vec4 from; // the middle of the crown; w: bark

void main()
{
    tree t = tree(at, look);
    vec3 p = tree_point(t, point);
    foot = at;
    form = look;
    index = first + gl_InstanceID;
    from = vec4(p, point.w);
    gl_Position = to_clip * vec4(crown_middle(t) + p, 1.0);
}
