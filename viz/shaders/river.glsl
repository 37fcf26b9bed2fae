// Rivers and lakes: a surface at ground + depth, a mesh of its own, drawn where stream() finds water. It mirrors, shows its bed where it is
// shallow (water a quarter of a cell or half a metre deep hides more than half of it), is brown where it carries sediment, and foams where it falls.
float level_at(vec2 xy)
{
    return map(terrain, xy) + max(map(flow, xy), 0.0);
}

// As streaks, but they run with the water: two copies, each of which runs for a while and begins again where it was. One fades in while the
// other fades out, so that no speed, however uneven, tears them (Vlachos 2010, "Water flow in Portal 2"); their sum varies as one does.
vec3 running(texture_point p, vec2 velocity, vec2 along, float tiles, float length)
{
    const float LASTS = 2.4; // [s]
    const vec3 MEAN = vec3(0.5, 0.5, 0.457);
    int copies = moment() > 0.0 ? 2 : 1; // at rest one that stands; software would draw both sides of a branch
    vec3 sum = vec3(0.0);
    vec2 start = p.at;
    float squares = 0.0;
    for (int k = 0; k < copies; k++) {
        float phase = copies == 1 ? 0.5 : fract(moment() / LASTS + 0.5 * float(k)), weight = 1.0 - abs(2.0 * phase - 1.0);
        p.at = start + vec2(0.37, 0.61) * float(k) - velocity * LASTS * (phase - 0.5) / max(extent.x, extent.y);
        sum += weight * (streaks(p, WAVES, along, tiles, length) - MEAN);
        squares += weight * weight;
    }
    return MEAN + sum * inversesqrt(squares);
}

// As running, for the tone of a material that is not drawn out: bubbles that the water carries.
float carried(texture_point p, vec2 velocity, int material, float tiles, float mean)
{
    const float LASTS = 1.7; // [s]
    if (moment() <= 0.0) return tile_once(p, material, tiles, vec2(0.3)).b;
    vec2 start = p.at, sum = vec2(0.0);
    for (int k = 0; k < 2; k++) {
        float phase = fract(moment() / LASTS + 0.5 * float(k)), weight = 1.0 - abs(2.0 * phase - 1.0);
        p.at = start - velocity * LASTS * (phase - 0.5) / max(extent.x, extent.y);
        sum += vec2(weight * (tile_once(p, material, tiles, vec2(0.3 + 0.41 * float(k))).b - mean), weight * weight);
    }
    return mean + sum.x * inversesqrt(sum.y);
}

// White water: where it is fast, and faster than its waves (a Froude number above 1), the more the steeper it runs; all of it where it falls.
// Torn strands along it, of bubbles. x: how bright, y: how much it covers; `white`: how much air there is in it.
vec2 white_water(texture_point p, float strand, vec2 velocity, vec2 along, float speed, float depth, float fall, out float white)
{
    float froude = speed / sqrt(9.81 * max(depth, 0.02 * wade())), tiles = max(extent.x, extent.y) / (12.0 * extent.z);
    float swift = smoothstep(1.5, 7.0, speed) * smoothstep(1.0, 3.5, froude);
    // Riffles: bars of broken water a few cells long, with calm runs between them; steep water breaks all along. They stand, as in a river:
    // each breaks where the bed makes the water fast, for its waves run upstream as fast as the water runs down. What moves through them are
    // strands and bubbles, and their edges give way where a strand comes.
    float strands = running(p, velocity, along, 3.1 * tiles, 1.0).b, bubbles = carried(p, velocity, SEABED, 4.3 * tiles, 0.35), lumps = carried(p, velocity, ROCK, 2.1 * tiles, 0.5);
    float bars = tile_once(p, WAVES, 0.55 * tiles, vec2(0.15)).b + 0.25 * (strands - 0.457), steep = smoothstep(0.10, 0.50, fall);
    float riffle = mix(smoothstep(0.46, 0.66, bars), 1.0, steep);
    white = clamp(swift * riffle * (0.42 + 0.30 * steep) + 0.4 * smoothstep(0.8, 2.0, fall), 0.0, 1.0);
    float lace = 0.50 + 1.3 * (strand - 0.5) + 1.1 * (strands - 0.5) + 0.40 * (bubbles - 0.35) + 0.5 * (lumps - 0.5);
    float edge = mix(0.85, 0.12, white);
    return vec2(clamp(0.50 + 0.55 * (lace - 0.35), 0.42, 0.92), 0.90 * smoothstep(edge, edge + 0.38, lace) * smoothstep(0.08, 0.28, white));
}

vec3 river(vec3 position, vec4 water, vec3 ray, float far)
{
    vec2 xy = position.xy, l = vec2(extent.z, 0.0);
    vec3 view = normalize(ray), level = normalize(vec3(level_at(xy - l) - level_at(xy + l), level_at(xy - l.yx) - level_at(xy + l.yx), 2.0 * l.x));
    texture_point p = texture_point_of(position, level, ray, far, 0.05);
    float speed = length(water.yz), fall = length(level.xy) / level.z;
    vec2 along = water.yz / max(speed, 0.1);
    float tiles = max(extent.x, extent.y) / (12.0 * extent.z), lively = smoothstep(0.3, 3.0, speed);
    float still = 1.0 - smoothstep(0.6, 2.5, speed);
    level = normalize(mix(level, vec3(0.0, 0.0, 1.0), still)); // up to its shore, where the mesh rises with the ground
    vec3 ripples = running(p, water.yz, along, tiles, 0.5);
    vec2 slopes = (0.06 * (1.0 - still) + 0.30 * lively) * (ripples.xy - 0.5);
    if (still > 0.0 && !FAST) slopes += still * wind_ripples(p, tiles);
    vec3 n = normalize(level + vec3(slopes, 0.0));
    float variance = 0.0008 + 0.010 * lively, path = water.x / max(sqrt(1.0 - 0.5625 * (1.0 - view.z * view.z)), 0.3); // refracted by 4/3
    // A still water lets one see its bed twice as deep, and what is dissolved in it takes blue and red, so that it is green, then dark. So is
    // a film that runs into it along its shore.
    still = 1.0 - smoothstep(0.6, 2.5, speed * smoothstep(0.15, 0.8, water.x / wade()));
    vec3 seen = exp(-path / wade() * mix(vec3(3.6), vec3(2.6, 1.5, 2.3), still));
    float clear = seen.g, loaded = smoothstep(0.15, 0.75, water.w);
    float shade = mix(1.0, textureLod(light, xy / extent.xy, 0.0).a, sun.w) * under_clouds(position) * under_trees(position, 0.2 * woods.x);
    vec3 bottom = vec3(0.0);
    float drops = FAST ? 0.0 : smoothstep(0.25, 0.60, fall);
    if (clear > 0.01 || drops > 0.0) bottom = lit(ground(xy + view.xy * path * 0.4, p, band(0.0, 0.1 * film_depth(), water.x)), xy);
    vec3 body = daylight(shade) * mix(vec3(0.011, 0.050, 0.066), vec3(0.150, 0.105, 0.060), 0.7 * loaded);
    body = mix(body, daylight(shade) * vec3(0.010, 0.026, 0.018), still * (1.0 - loaded));
    vec3 beside = bottom;
    bottom *= mix(mix(vec3(0.55, 0.85, 0.90), vec3(1.0), clear), vec3(1.0 - 0.45 * smoothstep(0.0, 0.08, water.x / wade())), still); // a wet shore is dark
    vec3 below = mix(body, bottom, seen * (1.0 - 0.6 * loaded));
    float fresnel;
    vec3 mirrored = mirror(vec3(xy, position.z + 0.05 * extent.z), view, n, variance, fresnel);
    vec3 c = mix(below, mirrored, fresnel) + shade * sunlight.rgb * min(glitter(view, n, variance), 3.0);
    float white;
    vec2 foam = white_water(p, ripples.b, water.yz, along, speed, water.x, fall, white);
    c = mix(c, mix(c, vec3(0.30, 0.46, 0.46) * daylight(shade), 0.6), white * (1.0 - 0.5 * loaded)); // air in it
    c = mix(c, foam.x * mix(vec3(0.86, 0.90, 0.92), vec3(0.70, 0.62, 0.50), 0.6 * loaded) * daylight(shade), foam.y);
    if (drops <= 0.0) return c;
    // Steep water is torn into strands where it is thin, at the sides of a fall and where a film gets a surface. Between them is wet ground.
    float strand = streaks(p, WAVES, along, 5.0 * tiles, 1.5).b - 0.457;
    return mix(c, 0.6 * beside, drops * (1.0 - smoothstep(0.15, 1.1, water.x / film_depth() + 2.2 * strand)));
}

// The water over what the style shows of the ground. Looks of values keep most of their colour, and those of the water's own all of it.
vec3 watered(vec2 pixel, float far)
{
    vec3 ray = ray_of(pixel), position = eye.xyz + far * ray;
    vec4 water = stream(position.xy);
    vec3 c = river(position, water, ray, far);
    if (how.x == ISLAND) return film(haze(c, position));
    float most = how.x == PHONG || how.x == WIREFRAME ? 0.8 : 0.10;
    return mix(land(position, ray, far), film(c), most * (1.0 - 0.5 * exp(-4.0 * water.x / wade())));
}
