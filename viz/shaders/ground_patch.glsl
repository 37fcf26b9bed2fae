// Every patch carries ground.
bool carries(vec2 low, vec2 high)
{
    return true;
}
