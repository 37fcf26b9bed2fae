// The sea: the view ray is refracted at the surface and followed to the bed; what it sees there fades with the length of its path.
// Length of the refracted ray r from the surface point p to the bed, as far as anything is seen. A step is as long as the water below
// is deep, so the bed is neared, or passed and then cut.
float path_to_bed(vec3 p, vec3 r)
{
    float gap = p.z - bed(p.xy), far = min(6.0 / sea.x, (p.z - levels.z + extent.w) / max(-r.z, 0.05)), at = 0.0;
    if (gap <= 0.0) return 0.0;
    if (FAST) return min(gap / max(-r.z, 0.05), far);
    for (int i = 0; i < 20 && at < far; i++) {
        float to = min(at + max(gap, 0.02 * shore_unit()), far);
        vec3 q = p + r * to;
        float next = q.z - bed(q.xy);
        if (next <= 0.0) return mix(at, to, gap / (gap - next));
        at = to;
        gap = next;
    }
    return at;
}

// Slopes of the waves that a pixel shows; what it does not show is roughness, as a variance of slopes along one axis (the shortest waves are in
// no tile: Cox and Munk 1954 have 0.04 for all of them, along both axes, in a breeze of 7 m/s). `calm`: how much of them is left. A bed as
// deep as waves are long takes more of long ones: the square root of Kitaigorodskii's share (Thompson and Vincent 1983), for the middle of
// each tile's band. `white`: the share that breaks, where a patch of water is squeezed to less than 0.5; what a pixel does not show of it is as
// uneven as its slopes are (Dupuy and Bruneton 2012).
vec2 waves(texture_point p, float calm, float deep, out float variance, out float white)
{
    const float MIDDLE[3] = {220.0, 2300.0, 16000.0};
    float gusts = tile_once(p, WAVES, 1.7, vec2(0.1)).b;
    gusts = 0.45 + 1.1 * gusts * gusts;
    if (FAST) p.at -= chart.w * sqrt(9.81 * swell_side() / 176.0) / max(extent.x, extent.y) * SWELL_TO; // the first tile as it is at moment 0, as fast as waves of its peak
    vec2 sum = vec2(0.0);
    float unseen = 0.010 * gusts, size = 1.0;
    for (int i = 0; i < (FAST ? 1 : 3); i++) {
        float omega = min(sqrt(MIDDLE[i] * deep / swell_side()), 2.0), share = omega < 1.0 ? 0.5 * omega * omega : 1.0 - 0.5 * (2.0 - omega) * (2.0 - omega);
        float left = sqrt(share) * (i == 0 ? 0.6 + 0.5 * gusts : gusts);
        vec4 s = swell_once(p, i, SWELL_ALONG[i] * max(extent.x, extent.y) / swell_side());
        sum += left * s.xy;
        unseen += left * left * max(s.z - dot(s.xy, s.xy), 0.0);
        size += left * s.w;
    }
    if (FAST) unseen += 0.016 * gusts;
    unseen *= calm * calm;
    variance = 0.5 * unseen + 0.001;
    white = FAST ? 0.0 : calm / (1.0 + exp(1.702 * (size - 0.5) / sqrt(unseen)));
    return calm * sum;
}

// 1 over the map, falling to 0 at its edge and beyond.
float inside(vec2 xy)
{
    vec2 edge = min(xy, extent.xy - xy) / max(extent.x, extent.y);
    return smoothstep(0.0, 0.03, min(edge.x, edge.y));
}

// The bed as the mesh of the ground has it, so that the water ends where the ground begins.
float smooth_bed(vec2 xy)
{
    vec2 inside = clamp(xy, vec2(0.0), extent.xy);
    return bed(xy) + height(inside) - map(terrain, inside);
}

// Breakers are no narrower than cells can show.
float surf_unit()
{
    return min(extent.w, max(2.1, 0.06 * extent.z));
}

// The swell is so high, in units of the surf; it breaks where water is 1/0.78 times as deep (McCowan 1894).
const float SWELL_HIGH = 0.8, BREAKS_AT = SWELL_HIGH / 0.78;

// How much of the swell runs broken over a place. Looks along three ways towards where the swell comes from, for it spreads, and land bends
// it: a share of it by the square of the cosine. A wave loses its foam as it runs on over shallow water, and what reefs and land farther out
// break or hold does not come at all: so a coast behind a reef has no breakers, nor has a lee shore.
float broken_swell(vec2 xy)
{
    float lasts = max(6.0 * SWELL_HIGH * surf_unit(), 2.0 * extent.z), sum = 0.0;
    for (int k = -1; k <= 1; k++) {
        float angle = 0.75 * float(k), c = cos(angle), s = sin(angle), r = 0.0, step_long = 1.5 * extent.z, ran = 0.0, outside = 0.0, open = 1.0;
        vec2 from = mat2(c, s, -s, c) * -SWELL_TO;
        for (int i = 0; i < (FAST ? 5 : 9); i++) {
            float deep = (levels.x - bed(xy + (r + step_long) * from)) / (BREAKS_AT * surf_unit());
            float flat_water = 1.0 - smoothstep(0.7, 1.4, deep);
            ran += (1.0 - outside) * flat_water * step_long;
            open = min(open, 1.0 - outside * flat_water);
            outside = max(outside, smoothstep(1.2, 2.5, deep));
            r += step_long;
            step_long = min(0.5 * r + extent.z, (FAST ? 11.0 : 6.0) * extent.z);
        }
        sum += c * c * open * outside * exp(-ran / lasts);
    }
    return sum / 2.07;
}

// Broken water: breakers where the swell meets shallow water, in torn lines, with lace behind them, and a thin seam along shores that it
// reaches. `shallow`: in units of the surf. Both are as wide from afar as from near by, so they fade there.
float surf(vec2 xy, float shallow, texture_point p)
{
    float arrives = broken_swell(xy);
    if (arrives < 0.02) return 0.0;
    float lace = tile_once(p, SEABED, 41.0, vec2(0.0)).b, torn = tile_once(p, WAVES, 19.0, vec2(0.0)).b - 0.5;
    float seam = 0.8 * (1.0 - smoothstep(0.02, 0.09, shallow + 0.10 * torn)) * min(2.0 * arrives, 1.0);
    float breaking = min(1.7 * arrives, 1.0) * (1.0 - smoothstep(0.75, 1.15, shallow / BREAKS_AT - 0.5 * torn));
    breaking *= mix(0.35, 1.0, smoothstep(0.2, 0.9, sin(6.0 * shallow + 14.0 * torn))); // line behind line
    breaking *= mix(0.25, 1.0, smoothstep(0.38, 0.60, tile_once(p, WAVES, 4.3, vec2(0.7)).b)); // some stretches of a coast break it, others do not
    return clamp(max(seam, breaking) * smoothstep(0.25, 0.60, lace + 0.7 * torn + 0.3 * breaking), 0.0, 1.0);
}

// The depth of a lagoon, evened out over some cells: what hangs in its water drifts to and fro.
float around(vec2 xy, float here)
{
    if (FAST) return here;
    float sum = 2.0 * here;
    for (int i = 0; i < 10; i++) {
        float angle = 2.3999632 * float(i), r = (2.0 + 1.8 * float(i)) * extent.z;
        sum += max(levels.x - bed(xy + r * vec2(cos(angle), sin(angle))), 0.0);
    }
    return sum / 12.0;
}

// The share of the sun that land lets through to the sea. Beyond the map the shadow that lies on its border goes on, away from the sun, as
// far as the land towards the sun is high.
float under_land(vec2 xy)
{
    float flat_way = max(length(sun.xy), 1e-4), rise = sun.z / flat_way;
    vec2 to = sun.xy / flat_way + 1e-6, a = -xy / to, b = (extent.xy - xy) / to, near = min(a, b), far = max(a, b);
    float enters = max(max(near.x, near.y), 0.0), leaves = min(min(far.x, far.y), (levels.w - levels.x) / max(rise, 1e-4));
    float share = textureLod(light, (xy + enters * to) / extent.xy, 0.0).a, over = -extent.w;
    if (enters == 0.0 && leaves > 0.0) return share;
    const int STEPS = FAST ? 8 : 24;
    int steps = enters >= leaves || share > 0.99 ? 0 : STEPS;
    for (int i = 0; i < steps; i++) {
        float t = mix(enters, leaves, (float(i) + 0.5) / float(STEPS));
        over = max(over, map(terrain, xy + t * to) - levels.x - t * rise);
    }
    return 1.0 - smoothstep(-extent.w, extent.w, over);
}

// Waves of centimetres glint too, on all sides of the longer ones: without them the sun lights whole fronts of waves, like stripes.
const float GLINTS = 0.010;

vec3 water(vec3 position, texture_point p)
{
    float unit = shore_unit(), shallow = position.z - smooth_bed(position.xy), variance;
    float lagoon = smoothstep(0.45, 0.85, textureLod(shelter, clamp(position.xy / extent.xy, 0.0, 1.0), 0.0).r * inside(position.xy));
    float calm = mix(0.40, 1.0, smoothstep(1.0 * unit, 10.0 * unit, shallow)) * (1.0 - 0.6 * lagoon), white;
    vec3 view = normalize(position - eye.xyz), n = normalize(vec3(-waves(p, calm, max(shallow, 0.0), variance, white), 1.0));
    if (!FAST && lagoon > 0.0) n = normalize(n + vec3(1.6 * lagoon * wind_ripples(p, max(extent.x, extent.y) / (3.0 * wade())), 0.0)); // of its own, where no swell comes
    vec3 r = sea.y > 0.0 ? vec3(0.0, 0.0, -1.0) : refract(view, normalize(n + vec3(0.0, 0.0, 2.0)), 1.0 / 1.333);
    float path = path_to_bed(position, r), clear = exp(-path * sea.x), murky = 1.0 - exp(-0.55 * path * sea.x);
    vec2 seen = clamp((position + r * path).xy, vec2(0.0), extent.xy);
    float shade = mix(1.0, under_land(position.xy), sun.w) * under_clouds(position);

    vec3 bottom = vec3(0.0);
    if (clear > 0.004) {
        bottom = lit(ground(seen, p), seen);
        if (!FAST) { // light gathered by the waves
            float net = tile_once(p, WAVES, 53.0, n.xy).b + tile_once(p, WAVES, 67.0, -n.xy).b - 1.0;
            bottom *= 1.0 + 0.55 * (exp(-40.0 * net * net) - 0.35) * exp(-shallow / (4.0 * unit));
        }
    }
    // What the water itself sends back; in the shallows it is light that the bed has sent into it, much from sand and little from corals.
    float bright = smoothstep(0.02, 0.40, dot(bottom, vec3(0.3, 0.6, 0.1)) / dot(daylight(shade), vec3(0.3, 0.6, 0.1)));
    vec3 body = mix(mix(0.35, 1.0, bright) * vec3(0.012, 0.20, 0.20), vec3(0.0023, 0.029, 0.067), murky);
    // A lagoon that is not deep is pale: waves carry fine sand of the reef into it, which the water throws the light back from; knolls of coral stand in it.
    float soft = lagoon > 0.0 ? around(position.xy, shallow) : shallow;
    vec3 milky = mix(vec3(0.055, 0.270, 0.225), vec3(0.010, 0.100, 0.155), 1.0 - exp(-0.28 * path / max(shallow, 0.1 * unit) * soft * sea.x));
    float knoll = band(0.60, 0.74, tile_once(p, SEABED, 17.0, vec2(0.4)).b + 0.35 * (tile_once(p, WAVES, 5.3, vec2(0.2)).b - 0.5));
    body = mix(body, mix(milky, vec3(0.020, 0.068, 0.062), 0.75 * knoll), lagoon * smoothstep(1.0 * unit, 7.0 * unit, soft) * smoothstep(45.0 * unit, 20.0 * unit, shallow));
    body = daylight(shade) * (body + vec3(0.001, 0.016, 0.016) * max(0.0, dot(n.xy, -view.xy)));
    vec3 below = mix(body, bottom * mix(vec3(1.0), vec3(0.25, 0.92, 0.96), 1.0 - clear * clear), clear);

    float fresnel;
    vec3 mirrored = mirror(position, view, n, variance, fresnel);
    vec3 c = mix(below, mirrored, fresnel) + shade * sunlight.rgb * min(glitter(view, n, variance + GLINTS * calm * calm), 3.0);

    c = mix(c, 0.75 * daylight(shade), 0.8 * white);
    if (shallow > 0.0 && shallow < 1.5 * BREAKS_AT * surf_unit()) c = mix(c, 0.75 * daylight(shade), 0.85 * surf(position.xy, shallow / surf_unit(), p));
    return film(haze(c, position));
}

vec3 colour(int kind, vec2 pixel, float far)
{
    vec3 ray = ray_of(pixel), position = eye.xyz + far * ray;
    if (in_hole(position.xy)) return hole(kind);
    if (kind == SIDE) return cut(position, far / eye.w);
    return water(vec3(position.xy, levels.x), texture_point_of(position, vec3(0.0, 0.0, 1.0), ray, far, 1e-5));
}
