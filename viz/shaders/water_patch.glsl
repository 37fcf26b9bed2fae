// A patch carries water if there may be some (flow.comp).
bool carries(vec2 low, vec2 high)
{
    return wet_between(low, high);
}
