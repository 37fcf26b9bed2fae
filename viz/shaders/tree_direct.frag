// The colour of a tree, made while it is drawn.
layout(location = 0) flat in vec4 foot;
layout(location = 1) flat in vec4 form;
layout(location = 3) in vec4 from;
layout(location = 0) out vec4 shown;

void main()
{
    tree t = tree(foot, form);
    bool bark = from.w > 0.5;
    vec3 position = crown_middle(t) + from.xyz;
    float far = to_clip[3][2] / gl_FragCoord.z;
    if (!bark && between_leaves(t, position, from.xyz, far)) discard;
    shown = vec4(tree_colour(t, bark, position, far), 1.0);
}
