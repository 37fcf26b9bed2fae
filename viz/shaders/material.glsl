// The island's materials, mixed by height, slope, depth of the sea, wetness and reef, in the light of one sun.
const vec2 SWELL_TO = vec2(0.80, 0.60); // where the swell runs to; it comes from the south-west, like the clouds
const int GRASS = 0, ROCK = 1, SAND = 2, SEABED = 3, WAVES = 4;

// Where something is looked up in the tiles of materials, how far the next pixels are, in units of the map's longer side, and the
// binary logarithm of how many texels of one tile lie between them; and the same on a face that is looked at squarely.
struct texture_point {
    vec2 at, dx, dy;
    float level, square;
};

texture_point texture_point_at(vec2 at, vec2 dx, vec2 dy)
{
    float texels = float(textureSize(materials, 0).x);
    float level = 0.5 * log2(texels * texels * max(max(dot(dx, dx), dot(dy, dy)), 1e-20));
    return texture_point(at, dx, dy, level, level);
}

// Of a point p at `far` metres along the ray, on a surface whose normal is n. Rays that graze it are bent to meet it by `least`.
texture_point texture_point_of(vec3 p, vec3 n, vec3 ray, float far, float least)
{
    vec3 slide = ray / min(dot(n, ray), -least * length(ray)), x = normalize(right.xyz), y = normalize(up.xyz);
    float unit = max(extent.x, extent.y), pixel = right.w * far / (eye.w * unit);
    texture_point q = texture_point_at(p.xy / unit, pixel * (x - slide * dot(n, x)).xy, pixel * (y - slide * dot(n, y)).xy);
    q.square = log2(float(textureSize(materials, 0).x) * pixel);
    return q;
}

// Materials repeat as often as the view says, waves as they do.
float repeated(int material, float tiles)
{
    return material < WAVES ? tiles * skylight.w : tiles;
}

vec3 tile_once(texture_point p, int material, float tiles, vec2 shift)
{
    tiles = repeated(material, tiles);
    return textureLod(materials, vec3(p.at * tiles + shift, material), p.level + log2(tiles)).rgb;
}

// Slopes and tone of a material at two scales. The finer is one of many shifted copies, chosen by a wide noise, so that no tile is
// seen to repeat.
vec3 tile(texture_point p, int material, float tiles)
{
    if (FAST) return tile_once(p, material, tiles, vec2(0.0)) - vec3(0.5, 0.5, 0.0);
    mat2 turn = mat2(0.8, 0.6, -0.6, 0.8);
    vec3 coarse = tile_once(texture_point(turn * p.at, p.dx, p.dy, p.level, p.square), material, tiles / 4.7, vec2(0.0));
    float which = 9.0 * tile_once(p, WAVES, tiles / 7.3, vec2(0.0)).b, i = floor(which);
    vec3 fine = mix(tile_once(p, material, tiles, sin(vec2(3.0, 7.0) * i)), tile_once(p, material, tiles, sin(vec2(3.0, 7.0) * (i + 1.0))),
                    smoothstep(0.25, 0.75, which - i));
    return vec3(fine.rg + 0.5 * coarse.rg - 0.75, 0.6 * fine.b + 0.4 * coarse.b);
}

// Slopes and tone of a material drawn out along a direction, to 64 texels times `length`; blurred before that, so that no copies show.
vec3 streaks(texture_point p, int material, vec2 along, float tiles, float length)
{
    p.level = max(p.level, 3.0 + log2(length) - log2(tiles));
    if (FAST) return tile_once(p, material, tiles, vec2(0.0));
    vec3 sum = vec3(0.0);
    for (int i = -2; i <= 2; i++)
        sum += tile_once(texture_point(p.at + 0.0625 * length * float(i) / tiles * along, p.dx, p.dy, p.level, p.square), material, tiles, vec2(0.0));
    return sum / 5.0;
}

// Slopes along the level and upwards, and tone, of a material on a steep face: seen from the two sides that it faces, by how much it does
// (`sides`). `high` is in units of the map's longer side, as p is.
vec3 tile_beside(texture_point p, float high, vec2 sides, int material, float tiles, vec2 shift)
{
    tiles = repeated(material, tiles);
    float level = p.square + log2(tiles);
    return sides.x * textureLod(materials, vec3(vec2(p.at.y, high) * tiles + shift, material), level).rgb +
           sides.y * textureLod(materials, vec3(vec2(p.at.x, high) * tiles + shift, material), level).rgb;
}

float band(float low, float high, float x)
{
    return smoothstep(low, high, x);
}

struct surface {
    vec3 albedo, normal;
    vec2 level; // along a cliff, by how much light is smoothed [m]; 0 elsewhere
};

// What a place is like, from the maps.
struct site {
    float unit, high, depth, steep, wide, mid, patchy; // depth: below the sea; wide, mid, patchy: noise, -0.5..0.5
    float damp;                                        // the bank of water that is seen
    float bed, wet, eroded, laid, hollow, grown;       // hollow: 1 in a gully, -1 on a ridge
    float z, rise, face;                               // height [m] and in units of the map's longer side; face: 1 on a cliff
    vec2 level;                                        // along a cliff, a cell long; 0 elsewhere
    float near;                                        // 1 where trees stand one by one
    float rain;                                        // noise wider than an island is, about -0.3..0.3: more or less than on the map's mean
    vec2 sides;                                        // how much it faces x and y, in sum 1
    vec3 n;
};

float rain_at(texture_point p)
{
    return FAST ? 0.0 : textureLod(materials, vec3(0.61 * p.at + vec2(0.15, 0.40), WAVES), 3.0).b - 0.457; // about its mean
}

// From the shore or the lowest ground, 0, to the highest, 1; low islands have no mountains.
float high_of(float above)
{
    return clamp(above / max(levels.w - levels.x, sea.w > 0.0 ? 60.0 : shore_unit()), 0.0, 1.0);
}

site geometry(vec2 xy, texture_point p)
{
    site s;
    s.z = height(xy);
    float above = s.z - (sea.w > 0.0 ? levels.x : levels.z);
    vec4 mark = how.x == ISLAND ? textureLod(marks, xy / extent.xy, 0.0) : vec4(0.0, 0.0, 0.5, 0.5); // a live view has their maps in this style alone
    s.unit = shore_unit();
    s.depth = sea.w > 0.0 ? -above : -1.0;
    s.high = high_of(above);
    s.n = normal(xy);
    s.steep = length(s.n.xy) / s.n.z;
    s.face = FAST ? 0.0 : band(0.8, 1.5, s.steep);
    s.level = s.face * extent.z * vec2(-s.n.y, s.n.x) / max(length(s.n.xy), 1e-4);
    if (!FAST) s.n = normalize(s.n + 0.9 * s.face * (normal(xy + 1.7 * s.level) + normal(xy - 1.7 * s.level))); // a cliff is a row of steps
    s.rise = s.z / max(extent.x, extent.y);
    vec2 faces = s.n.xy * s.n.xy * s.n.xy * s.n.xy;
    s.sides = faces / max(faces.x + faces.y, 1e-6);
    s.wide = tile_once(p, WAVES, 2.9, vec2(0.37)).b - 0.5;
    s.mid = tile_once(p, ROCK, 9.0, vec2(0.0)).b - 0.5;
    float fine = tile_once(p, ROCK, 31.0, vec2(0.0)).b - 0.5;
    if (!FAST) { // noise from above would hang down a cliff like a curtain
        s.mid = mix(s.mid, tile_beside(p, s.rise, s.sides, ROCK, 9.0, vec2(0.0)).b - 0.5, s.face);
        fine = mix(fine, tile_beside(p, s.rise, s.sides, ROCK, 31.0, vec2(0.0)).b - 0.5, s.face);
    }
    s.patchy = s.mid + 0.7 * fine;
    s.near = one_by_one(vec3(xy, s.z));
    s.rain = rain_at(p);
    s.bed = mark.r;
    s.wet = mark.g;
    s.damp = !FAST && s.depth < 0.0 ? band(-1.5, -0.1, map(flow, xy) / film_depth() + 0.6 * s.patchy) : 0.0;
    s.eroded = max(1.0 - 2.0 * mark.b, 0.0);
    s.laid = max(2.0 * mark.b - 1.0, 0.0);
    s.hollow = 2.0 * mark.a - 1.0;
    s.grown = how.z != 0 && how.x == ISLAND ? map(reef, xy) : 0.0;
    return s;
}

// Stones lie where they come to rest below rock: on steep ground some tens of metres downhill of a face, more where that wears away. They end in
// tongues.
float scree_at(vec2 xy, site s)
{
    float rests = FAST ? 0.0 : band(0.30, 0.55, woods.w * s.steep + 0.5 * s.mid);
    if (rests <= 0.0) return 0.0;
    vec2 uphill = -0.6 * woods.x * normalize(s.n.xy + 1e-5);
    float face = 0.0;
    for (float k = 2.0; k < 9.0; k += 3.0) {
        vec3 n = normal(xy + k * uphill);
        face = max(face, band(1.15, 1.5, woods.w * length(n.xy) / n.z + 0.4 * s.mid) * (1.2 - 0.1 * k));
    }
    float worn = 1.0 - 2.0 * textureLod(marks, (xy + 5.0 * uphill) / extent.xy, 0.0).b;
    return rests * band(0.25, 0.6, face * mix(0.7, 1.0, band(0.0, 0.3, worn)) + 0.5 * s.wide);
}

// A cliff of waves that is narrower than a coarse cell, and so no steep slope: from shallow water on it rises more in two cells than the ground
// before and behind it, by some metres and faster than a beach.
float cliff_at(vec2 xy, site s)
{
    if (FAST || sea.w == 0.0 || abs(s.depth) > 1.5 * extent.z || extent.z > 80.0) return 0.0; // a hillside may rise as much on wider cells
    vec2 up = -extent.z * normalize(s.n.xy + 1e-5);
    float foot = map(terrain, xy - up), top = map(terrain, xy + up), least = max(4.0, 0.2 * extent.z * max(1.0, extent.z / 45.0));
    float rise = top - foot - abs(map(terrain, xy + 2.0 * up) - top) - abs(foot - map(terrain, xy - 2.0 * up));
    float shallow = band(-12.0, -9.0, foot - levels.x) * (1.0 - band(1.0, 4.0, foot - levels.x));
    return band(0.8, 1.6, rise / least + 0.5 * s.mid) * shallow * (1.0 - band(0.3 * s.unit, 1.2 * s.unit, s.grown));
}

float forest_of(site s, float moist)
{
    return band(0.35, 0.55, 1.04 - 0.62 * s.high - 0.12 * s.steep + 0.35 * moist - 0.5 * s.laid + 1.1 * s.wide + 0.7 * s.mid);
}

// Drier towards the equator, and in the lee of the wind, which brings rain to the slopes that it climbs.
float moist_of(site s)
{
    vec2 faces = normalize(s.n.xy + 1e-5) * min(s.steep, 1.0);
    return 0.5 * s.hollow + 0.3 * s.wet + 0.2 * faces.y - 0.3 * dot(faces, SWELL_TO);
}

// Of a tree's leaves: 0 dark and blue, 1 light and yellow. High woods are dark, and so are those where noise has more rain.
float leaf_hue(site s, float moist)
{
    return clamp(0.58 + 0.9 * s.wide + 0.7 * s.mid - 1.1 * moist - 1.7 * s.rain - 0.25 * s.high, 0.0, 1.0);
}

// From dark leaves to light ones. Dry ones have lost some of their green, those in mist keep more of the blue.
vec3 leaf_of(vec3 dark, vec3 light, float hue)
{
    return mix(dark, light, hue) * mix(vec3(0.88, 0.95, 1.20), vec3(1.18, 0.99, 0.88), hue);
}

// The share of each species among the trees of a place.
vec3 species_of(site s, float moist)
{
    float shore = sea.w > 0.0 ? 1.0 - band(1.5, 4.5, -s.depth / s.unit + 3.0 * s.mid) : 0.0;
    vec4 place = vec4(s.high, min(s.steep, 1.5), moist, shore);
    vec3 score = vec3(species[1].w, species[6].w, species[11].w) + vec3(dot(species[4], place), dot(species[9], place), dot(species[14], place));
    score.y += how.z != 0 ? -9.0 : 0.9 * s.mid + 0.9 * s.wide; // in groves; none in the tropics, where reefs grow
    vec3 share = max(score - max(max(score.x, score.y), score.z) + 0.3, 0.0);
    return share / (share.x + share.y + share.z);
}

// Of dark leaves, or light ones, of them all.
vec3 leaves_of(vec3 shares, int light)
{
    return shares.x * species[2 + light].rgb + shares.y * species[7 + light].rgb + shares.z * species[12 + light].rgb;
}

// How often the tile of crowns, 27 of them wide, lies along the map's longer side: trees are as large on cells of any size.
float crown_tiles()
{
    return max(extent.x, extent.y) / (27.4 * woods.x);
}

// Forest where it is low, gentle and moist, with gaps; meadow elsewhere, drier on ridges, and fresh on what water laid down. Crowns differ
// in hue from one to the next and from one slope to another; between them it is dark.
void plants(inout surface at, inout vec2 bump, float share, site s, texture_point p)
{
    float moist = moist_of(s), forest = forest_of(s, moist);
    vec3 crowns = tile(p, GRASS, crown_tiles()), blades = tile(p, GRASS, 13.0 * crown_tiles()), tufts = tile(p, GRASS, 2.7 * crown_tiles());
    blades = vec3(blades.xy + tufts.xy, 0.5 * (blades.z + tufts.z));
    float gap = band(0.16, 0.42, crowns.z + 0.25 * blades.z);
    vec3 shares = species_of(s, moist), leaf = leaf_of(leaves_of(shares, 0), leaves_of(shares, 1), leaf_hue(s, moist));
    vec3 trees = leaf * (0.20 + 1.15 * crowns.z * gap + 0.35 * (blades.z - 0.5)) * (1.0 - mix(0.6, 0.35, sun.w) * s.near); // under those that stand one by one
    if (crown_tiles() > 11.0) { // crowns too small to be seen one by one: shade between them, and stands of trees
        vec3 stands = tile(p, GRASS, max(11.0, 0.33 * crown_tiles()));
        float unseen = band(3.0, 6.0, p.level + log2(crown_tiles()));
        trees *= mix(vec3(1.0), (0.05 + 0.9 * stands.z) * vec3(0.90, 0.98, 1.15), unseen);
        crowns.xy += 0.8 * unseen * stands.xy;
    }
    trees = mix(trees * vec3(0.985, 1.0, 1.0) + vec3(0.0, 0.0, 0.017 * (1.0 - s.high) * trees.g), trees, s.near); // the sky's blue between crowns, that high woods have of themselves
    vec3 meadow = mix(vec3(0.046, 0.074, 0.018), vec3(0.108, 0.126, 0.046), blades.z);
    meadow = mix(meadow, vec3(0.150, 0.122, 0.052) * (0.6 + 0.8 * blades.z), clamp(band(0.3, 0.9, s.high + 0.5 * s.mid) - 0.8 * moist, 0.0, 0.85));
    trees = mix(trees, (0.2 + 0.7 * blades.z) * leaf, 0.7 * s.near); // shrubs under trees
    at.albedo += share * mix(meadow, trees, forest);
    bump += share * mix(0.5 * blades.xy, 2.2 * crowns.xy + 0.4 * blades.xy, forest);
}

// Rock in strata: bands by height, harder ones paler, which stand out of cliffs as ledges. On ground of layers each has a tone of its own.
void rock(inout surface at, inout vec2 bump, float share, site s, texture_point p, vec2 xy)
{
    vec3 r = tile(p, ROCK, 26.0);
    // Strata: noise drawn out along the level, in bands of a tenth and of a fortieth of the relief.
    float level = p.square + log2(max(extent.x, extent.y) / (25.0 * s.unit));
    vec2 along = vec2(0.6 * (p.at.x - p.at.y) + 0.4 * (p.at.x + p.at.y), s.z / (25.0 * s.unit));
    vec3 thick = textureLod(materials, vec3(along * vec2(1.0, 0.3), ROCK), max(level - 1.7, 2.0)).rgb;
    vec3 thin = textureLod(materials, vec3(along * vec2(4.0, 1.0) + 0.4, ROCK), level).rgb;
    float strata = mix(thick.b, thin.b, 0.35 * s.face);
    if (s.face > 0.0) {
        vec3 beside = 0.6 * tile_beside(p, s.rise, s.sides, ROCK, 26.0, vec2(0.2)) + 0.4 * tile_beside(p, s.rise, s.sides, ROCK, 70.0, vec2(0.7));
        r = mix(r, vec3(0.0, 0.0, beside.b), s.face);
        vec2 slope = 2.4 * (beside.rg - 0.5), level_way = vec2(-s.n.y, s.n.x) / max(length(s.n.xy), 1e-4);
        level_way *= s.sides.x > s.sides.y ? sign(s.n.x) : -sign(s.n.y);
        at.normal -= share * s.face * vec3(slope.x * level_way, slope.y + 1.6 * (thin.g - 0.5) + 1.2 * (thick.g - 0.5));
    }
    vec3 stone = mix(vec3(0.040, 0.034, 0.030), vec3(0.255, 0.215, 0.172), clamp(r.z + 1.1 * (strata - 0.5) + 0.4 * s.wide - 0.2 * s.hollow, 0.0, 1.0));
    if (forward.w > 0.0) stone *= mix(vec3(0.80, 0.72, 0.66), vec3(1.55, 1.30, 1.05), fract(0.31 + 0.618 * layer(xy - 1.6 * s.face * extent.z * s.n.xy / max(length(s.n.xy), 1e-4), s.z)));
    float grown = 0.65 * band(0.5, 0.75, r.z + s.wide + 0.3 * s.mid + 0.3 * s.hollow - 0.25 * s.face); // mosses and shrubs
    at.albedo += share * mix(stone, vec3(0.055, 0.075, 0.022), grown);
    bump += share * 1.5 * r.xy;
}

// Grooves of an outer slope, with spurs between them: where it faces the swell, which carves them, along its fall line over some cells. They
// are as wide and as far from each other as noise has it, and begin and end at depths that differ from one stretch to the next. How much of a
// place is one; `slope`: of their sides.
float grooves(site s, texture_point p, vec2 xy, vec3 rills, float coral, out vec2 slope)
{
    float depth = s.depth / s.unit, ends = 5.0 + 9.0 * s.wide + 6.0 * s.mid, groove = 0.0;
    float share = coral * band(0.15, 0.5, s.steep) * band(0.3, 1.2, depth + 1.5 * s.mid) * (1.0 - band(0.6 * ends, ends + 1.0, depth));
    slope = vec2(0.0);
    if (!FAST && share > 0.0) {
        vec2 down = normalize(s.n.xy + 1e-5), across = vec2(-down.y, down.x);
        share *= band(0.0, 0.6, -dot(down, SWELL_TO)) * band(6.0, 12.0, (levels.x - bed(xy + 14.0 * extent.z * down)) / s.unit); // no lagoon's
        float wider = tile_once(p, SEABED, max(extent.x, extent.y) / (92.0 * extent.z), vec2(0.0)).b;
        slope = 2.0 * share * dot(rills.xy - 0.5, across) * across;
        groove = share * band(0.0, 0.08, rills.z - 0.687 + 0.6 * (wider - 0.53)); // about their means
    }
    return groove;
}

// The bed of the sea: rubble and deep mud, and corals: heads of olive, brown and mustard, here and there of pink, that stand in spurs down an
// outer slope with grooves of sand between them, and thin out to pale rubble where they reach the surface.
void seabed(inout surface at, inout vec2 bump, float share, float coral, site s, texture_point p, vec2 xy, vec3 rills)
{
    vec3 b = tile(p, SEABED, 34.0), small = tile_once(p, SEABED, 110.0, vec2(0.3)) - vec3(0.5, 0.5, 0.0);
    float kind = clamp(0.5 + 1.6 * s.mid + 1.2 * s.wide + 0.5 * (small.z - 0.5), 0.0, 1.0), tone = 0.45 + 0.75 * b.z + 0.4 * (small.z - 0.5);
    vec3 heads = mix(vec3(0.055, 0.052, 0.018), vec3(0.092, 0.055, 0.024), smoothstep(0.2, 0.5, kind));
    heads = mix(mix(heads, vec3(0.150, 0.110, 0.034), smoothstep(0.5, 0.7, kind)), vec3(0.118, 0.066, 0.050), smoothstep(0.86, 0.98, kind));
    float flat_top = (1.0 - band(0.05, 0.6, s.depth / s.unit)) * (1.0 - band(0.1, 0.4, s.steep));
    vec3 rubble = mix(vec3(0.066, 0.064, 0.026), vec3(0.145, 0.134, 0.064), small.z);
    heads = mix(heads * tone, rubble, 0.45 * flat_top * band(0.35, 0.65, b.z + s.mid));
    vec2 slope;
    float groove = grooves(s, p, xy, rills, coral, slope);
    heads = mix(heads, mix(vec3(0.21, 0.18, 0.12), vec3(0.40, 0.35, 0.24), small.z), 0.9 * groove);
    bump += slope;
    vec3 bottom = mix(vec3(0.05, 0.10, 0.07), vec3(0.32, 0.32, 0.19), b.z);
    at.albedo += share * mix(bottom, heads, coral / max(share, 1e-3));
    bump += share * (0.7 * b.xy + 0.5 * small.xy);
}

// `least`: how much it is the bed of water at least, for what is seen through it.
surface ground(vec2 xy, texture_point p, float least)
{
    site s = geometry(xy, p);
    // How much of each.
    float fine = s.patchy - s.mid;
    float cliff = cliff_at(xy, s);
    s.face = max(s.face, cliff);
    s.n = normalize(s.n + 1.2 * cliff * vec3(normalize(s.n.xy + 1e-5), 0.0)); // as steep as a face, whose sides are lit or in shade
    float rocky = max(cliff, band(1.15, 1.34, woods.w * s.steep + 0.8 * s.patchy + 0.4 * s.wide + 0.06 * s.eroded - 0.20 * s.hollow));
    // Rock and gravel where water ran, however gentle the slope, and under water, where no wood and no meadow grows.
    float under = max(least, band(-0.12, 0.12, map(flow, xy) / film_depth() + 0.4 * s.patchy)), scree = s.depth < 0.0 ? scree_at(xy, s) : 0.0;
    float bed = s.depth < 0.0 ? max(max(band(0.35, 0.65, s.bed + 0.5 * s.patchy), under), scree) : 0.0;
    float sandy = sea.w > 0.0 ? (1.0 - band(0.6 * s.unit, 1.1 * s.unit, s.unit * (1.6 * s.mid + fine) - s.depth)) * (1.0 - band(0.3, 0.6, s.steep)) * (1.0 - cliff) : 0.0;
    float deep = s.depth > 0.0 ? band(2.5 * s.unit, 9.0 * s.unit, s.depth + 2.0 * s.unit * s.mid) : 0.0;
    float coral = s.depth > 0.0 ? 0.97 * band(0.1 * s.unit, 1.0 * s.unit, s.grown + 1.5 * s.unit * s.patchy) : 0.0;
    float patches = band(0.56, 0.66, tile_once(p, SEABED, 13.0, vec2(0.0)).b + 0.5 * s.mid); // heads that stand in the sand of a lagoon
    coral = max(coral, 0.85 * patches * band(0.8, 1.6, s.depth / s.unit) * (1.0 - band(4.0, 7.0, s.depth / s.unit)));
    float soil = 0.8 * band(0.55, 1.0, s.eroded * band(0.35, 0.9, s.steep) + 0.7 * s.patchy + 0.4 * s.wide - 0.3 * s.hollow); // laid bare

    vec3 rills = streaks(p, ROCK, normalize(s.n.xy + 1e-5), max(extent.x, extent.y) / (32.0 * extent.z), 1.0); // down the fall line
    surface at = surface(vec3(0.0), vec3(0.0), 1.4 * s.level);
    vec2 bump = vec2(0.0);
    float land = (1.0 - max(deep, coral)) * (1.0 - sandy), share = land * (1.0 - rocky) * (1.0 - bed);
    if (share > 0.0) plants(at, bump, share * (1.0 - soil), s, p);
    if (share > 0.0) {
        float grain = tile_once(p, SAND, 70.0, vec2(0.0)).b;
        at.albedo += share * soil * mix(vec3(0.070, 0.042, 0.024), vec3(0.185, 0.120, 0.070), grain + 0.4 * s.mid);
    }
    if ((share = land * bed * (1.0 - rocky)) > 0.0) {
        vec3 pebbles = tile(p, SEABED, 90.0), boulders = tile(p, ROCK, 40.0);
        vec3 stones = mix(vec3(0.065, 0.058, 0.050), vec3(0.270, 0.245, 0.210), clamp(0.6 * pebbles.z + 0.7 * boulders.z - 0.15, 0.0, 1.0));
        stones *= mix(vec3(1.0), vec3(1.12, 0.98, 0.82) * (0.55 + 0.9 * tile_once(p, ROCK, 130.0, vec2(0.3)).b), scree); // of the face's rock, sharp
        at.albedo += share * stones * (1.0 - 0.45 * under);
        bump += share * ((1.2 + scree) * boulders.xy + 0.6 * pebbles.xy);
    }
    if ((share = land * rocky) > 0.0) rock(at, bump, share, s, p, xy);
    if ((share = (1.0 - max(deep, coral)) * sandy) > 0.0) {
        vec3 grains = tile(p, SAND, 60.0);
        vec3 loose = mix(vec3(0.56, 0.44, 0.27), vec3(0.80, 0.70, 0.52), grains.z + 0.5 * s.mid);
        // A reef that just stands out of the sea is rubble and dead coral, no beach.
        float rubble = band(0.3 * s.unit, 1.2 * s.unit, s.grown) * (1.0 - band(0.35 * s.unit, 1.0 * s.unit, -s.depth + 0.8 * s.unit * s.patchy));
        at.albedo += share * mix(loose, mix(vec3(0.085, 0.072, 0.046), vec3(0.250, 0.210, 0.140), grains.z + s.mid), 0.85 * rubble);
        bump += share * 0.25 * grains.xy;
    }
    if ((share = max(deep, coral)) > 0.0) seabed(at, bump, share, coral, s, p, xy, rills);
    // Rills, where water took ground away.
    float rilled = FAST ? 0.0 : land * (1.0 - bed) * band(0.2, 0.6, s.steep) * (1.0 - s.face) * (0.25 + 0.75 * s.eroded);
    if (rilled > 0.0) {
        bump += 1.8 * rilled * (rills.xy - 0.5);
        at.albedo *= 1.0 + 0.8 * rilled * (rills.z - 0.5);
    }
    if (how.w != 0) {
        float paved = band(0.6, 1.0, bed_of_road(xy));
        at.albedo = mix(at.albedo, vec3(0.27, 0.23, 0.19), paved);
        bump *= 1.0 - paved;
    }
    // A beach that the waves reach is darker, and so is wet ground.
    if (sea.w > 0.0) at.albedo *= 1.0 - 0.42 * sandy * (1.0 - band(0.1 * s.unit, 0.4 * s.unit, 0.3 * s.unit * s.mid - s.depth)) * float(s.depth < 0.0);
    at.albedo *= 1.0 - 0.35 * max(max(s.wet, s.damp), 2.3 * cliff) * (1.0 - sandy); // spray wets a cliff
    at.normal = normalize(s.n - vec3(bump, 0.0) * s.n.z + at.normal);
    return at;
}

surface ground(vec2 xy, texture_point p)
{
    return ground(xy, p, 0.0);
}

// `z`: how high it is seen, with the canopy on it.
vec3 lit(surface at, vec2 xy, float z)
{
    vec4 seen = textureLod(light, xy / extent.xy, 0.0);
    if (!FAST) { // a cliff is a row of steps, whose light and shade would be teeth as high as it
        seen *= 0.3;
        for (int i = -2; i <= 2; i++)
            if (i != 0) seen += (i * i == 1 ? 0.22 : 0.13) * textureLod(light, (xy + float(i) * at.level) / extent.xy, 0.0);
    }
    float base = map(terrain, xy), open = clamp(dot(at.normal, seen.rgb), 0.0, 1.0);
    // Under the sea the sun stands higher, by Snell's law, so that steep slopes are lit, and waves spread its light into shadows.
    float under = sea.w > 0.0 ? smoothstep(0.0, 1.5 * shore_unit(), levels.x - base) : 0.0;
    vec3 to = mix(sun.xyz, vec3(0.75 * sun.xy, sqrt(1.0 - 0.5625 * dot(sun.xy, sun.xy))) * smoothstep(0.0, 0.1, sun.z), under);
    float shade = mix(1.0, mix(seen.a, 1.0, 0.85 * under), sun.w) * under_clouds(vec3(xy, base)) * under_trees(vec3(xy, z), 0.2 * woods.x);
    float facing = max(dot(at.normal, to), 0.0) * shade;
    vec3 ground = 0.12 * daylight(1.0); // fills what is not open to the sky; green land sends back an eighth
    return at.albedo * (sunlight.rgb * facing + skylight.rgb * open + ground * (1.0 - open));
}

vec3 lit(surface at, vec2 xy)
{
    return lit(at, xy, map(terrain, xy));
}
