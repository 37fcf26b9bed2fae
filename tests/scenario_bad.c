/* scenario_bad.c - claim: what cannot be meant is refused before anything runs, by a text that
 * names file, line, key and remedy. */
#include "scenario_file.h"

#define HEAD "otok: 1\n"
#define PHASE HEAD "phases:\n  - name: a\n    iterations: 100\n"

typedef struct bad {
    const char *text;
    const char *where;  /* what follows the file's name */
    const char *remedy; /* stands further on            */
} bad;

static const bad cases[] = {
    /* the file */
    {"", ":1: ", "begins with `otok: 1`"},
    {"# nothing\n", ":1: ", "the file is empty"},
    {"just words\n", ":1: ", "a group of keys is needed, such as {otok: ...}"},
    {"- otok: 1\n", ":1: ", "a list stands where a group of keys is needed"},
    {"grid: {nx: 4}\n", ":1: ", "`otok` is missing; it must be given; allowed: 1"},
    {"otok: 2\n", ":1: otok: ", "2 is out of range; allowed: 1"},
    {HEAD "---\n" HEAD, ":2: ", "keep one document a file"},
    {HEAD "grid: {nx: 4\n", ":3: ", "not valid YAML"},
    {HEAD "title: a: b\n", ":2: ", "not valid YAML: mapping values are not allowed"},
    {HEAD "grid:\n  nx: 4\n ny: 4\n", ":4: ", "check indentation"},
    {HEAD "\tgrid: 3\n", ":2: ", "not valid YAML"},
    {HEAD "title: \xff\n", ":2: ", "not valid YAML"},
    {HEAD "seed: *nowhere\n", ":2: ", "not valid YAML: found undefined alias"},
    {HEAD "seed: 1\nsea:\nseed: 2\n", ":2: seed: ", "given a second time in line 4; remove one"},
    {HEAD "sea:\n  level: 1\n  level: 1\n", ":3: sea.level: ", "given a second time in line 4"},
    {HEAD "? [a]\n: 1\n", ":1: ", "a key must be a word"},
    {HEAD "seed: !!int 3\n", ":2: seed: ", "a tag (!) has no meaning here"},
    {HEAD "base: &a [*a]\n", ":2: base.0.0.0", "nested deeper than 64 levels"},
    /* keys */
    {HEAD "gird: {}\n", ":2: gird: ", "nearest known one is `grid`"},
    {HEAD "grid:\n  spacng: 2\n",
     ":3: grid.spacng: ", "nearest known one is `spacing` (known here: nx, ny, spacing)"},
    {PHASE "    hydralic: {}\n", ":5: phases.a.hydralic: ", "`hydraulic`"},
    {PHASE "    hydraulic:\n      capcity: 3\n", ":6: phases.a.hydraulic.capcity: ", "`capacity`"},
    {HEAD "grid: 5\n", ":2: grid: ", "\"5\" stands where a group of keys is needed"},
    {HEAD "phases:\n- iterations: 5\n  seabed: [1]\n",
     ":4: phases.0.seabed: ", "a list stands where a group of keys is needed"},
    {HEAD "base:\n  - raster: {file: a.png, low: 3, high: 3}\n",
     ":3: base.0.raster.high: ", "give different heights"},
    {HEAD "base:\n  - raster: {file: a.png, fit: crop}\n",
     ":3: base.0.raster.fit: ", "exact|stretch"},
    {HEAD "base:\n  - sphere: {}\n", ":3: base.0.sphere: ", "known here: constant, cone"},
    {HEAD "base:\n  - cone: {combine: max}\n  - simplex: {combine: blend}\n",
     ":4: base.1.simplex.combine: ", "replace|add|multiply|max|min|lerp"},
    {HEAD "base:\n  - simplex: {octaves: 99}\n", ":3: base.0.simplex.octaves: ", "at most 32"},
    {PHASE "    seabed: {sweeps: 5000}\n", ":5: phases.a.seabed.sweeps: ", "at most 1024"},
    {HEAD "phases: [{iterations: 0, seabed: }]\n", ":2: phases.0.iterations: ", "at least 1"},
    {HEAD "phases: [{iterations: 1e13, seabed: }]\n", ":2: phases.0.iterations: ", "1000000000000"},
    /* numbers */
    {HEAD "grid: {nx: 0}\n",
     ":2: grid.nx: ", "0 is out of range; allowed: at least 1, at most 1048576"},
    {HEAD "grid: {nx: 1.5}\n", ":2: grid.nx: ", "\"1.5\" is not a whole number"},
    {HEAD "grid: {nx: \"64\"}\n", ":2: grid.nx: ", "is in quotes"},
    {HEAD "grid: {nx: }\n", ":2: grid.nx: ", "nothing stands where a number is needed"},
    {HEAD "grid: {nx: 65536, ny: 65537}\n",
     ":2: grid.nx: ", "65536 x 65537 cells are too many; allowed: nx ny at most 4294967296"},
    {HEAD "grid:\n  spacing: 0\n",
     ":3: grid.spacing: ", "0 is out of range; allowed: above 0, at most 1000000 m"},
    {HEAD "grid: {spacing: 2 kg}\n", ":2: grid.spacing: ", "\"2 kg\" is not a number of m: `kg` "},
    {HEAD "grid: {spacing: 2-3}\n",
     ":2: grid.spacing: ", "a decimal point, an exponent, a unit or none are allowed"},
    {HEAD "grid: {spacing: '2'}\n", ":2: grid.spacing: ", "is in quotes"},
    {HEAD "grid: {spacing: 2,5}\n", ":2: grid.5: ", "unknown key"},
    {HEAD "sea: {level: .nan}\n", ":2: sea.level: ", "\".nan\" is not a number"},
    {HEAD "sea: {level: nan}\n", ":2: sea.level: ", "\"nan\" is not a number"},
    {HEAD "sea: {level: .inf}\n", ":2: sea.level: ", ".inf is out of range"},
    {HEAD "sea: {level: 1e999}\n", ":2: sea.level: ", "too large for a double"},
    {HEAD "sea: {level: 1e-999}\n", ":2: sea.level: ", "too small for a double"},
    {HEAD "sea: {level: 0x10}\n", ":2: sea.level: ", "\"0x10\" is not a number"},
    {HEAD "sea: {level: [1]}\n", ":2: sea.level: ", "a list stands where a number is needed"},
    {HEAD "seed: -1\n", ":2: seed: ", "-1 is out of range; allowed: at least 0"},
    {HEAD "seed: 9007199254740993\n", ":2: seed: ", "out of range"},
    /* words */
    {HEAD "title: [a]\n", ":2: title: ", "put it in quotes"},
    {HEAD "title: \"a\\nb\"\n", ":2: title: ", "write one line"},
    {HEAD "title: \"a\\0b\"\n", ":2: title: ", "zero byte"},
    {HEAD "edges: {left: close}\n",
     ":2: edges.left: ", "none of closed|open|periodic; the nearest is `closed`"},
    {PHASE "    mix_reef_and_erosion: yes\n    seabed:\n",
     ":5: phases.a.mix_reef_and_erosion: ", "\"yes\" is neither true nor false"},
    {HEAD "output: {fields: [watr]}\n",
     ":2: output.fields.0: ", "is not a field; the nearest is `water`"},
    {HEAD "output: {fields: water}\n", ":2: output.fields: ", "write `all` or a list"},
    /* base */
    {HEAD "base: {cone: {}}\n", ":2: base: ", "begin each with a dash"},
    {HEAD "base:\n  - cone\n", ":3: base.0: ", "write `- cone: {}`"},
    {HEAD "base:\n  - coin: {}\n", ":3: base.0.coin: ", "`cone`"},
    {HEAD "base:\n  - cone:\n    height: 3\n", ":3: base.0.cone: ", "indent them deeper"},
    {HEAD "base:\n  - {cone: {}, crater: {}}\n",
     ":3: base.0: ", "begin each with a dash of its own"},
    {HEAD "base:\n  - cone: {with: []}\n", ":3: base.0.cone.with: ", "unknown key"},
    {HEAD "base:\n  - power_blend: {}\n",
     ":3: base.0.power_blend: ", "add `with: [{simplex: {}}]`"},
    {HEAD "base:\n  - power_blend:\n      with: []\n",
     ":4: base.0.power_blend.with: ", "needs a second map"},
    {HEAD "base:\n  - cone:\n  - cone: {combine: lerp}\n",
     ":4: base.1.cone: ", "add `mask: [{constant: {height: 0.5}}]`"},
    {HEAD "base:\n  - power_blend:\n      with:\n        - cone: {radius: 0}\n",
     ":5: base.0.power_blend.with.0.cone.radius: ", "above 0"},
    {HEAD "base:\n  - diamond_square: {levels: 16}\n",
     ":3: base.0.diamond_square.levels: ", "at most 15"},
    {HEAD "base:\n  - diamond_square: {levels: 8}\n", ":3: base.0.diamond_square.levels: ",
     "do not cover the grid with its offset; allowed: at least 9, or `tile: true`"},
    {HEAD "base:\n  - midpoint:\n      levels: 9\n      offset_x: 2\n",
     ":4: base.0.midpoint.levels: ", "at least 10"},
    {HEAD "grid: {nx: 40000, ny: 9}\nbase:\n  - diamond_square: {}\n",
     ":4: base.0.diamond_square: ", "put it into `upsample"},
    {HEAD "base:\n  - diamond_square: {low: 2, high: 1}\n",
     ":3: base.0.diamond_square.low: ", "above high 1 m"},
    {HEAD "base:\n  - diamond_square: {sown: [[1, 2], [3]]}\n",
     ":3: base.0.diamond_square.sown.1: ", "not a row of 2 numbers"},
    {HEAD "base:\n  - diamond_square: {sown: 3}\n",
     ":3: base.0.diamond_square.sown: ", "a square of 2^d + 1 rows"},
    {HEAD "base:\n  - diamond_square: {sown: [[1], [2], [3], [4]]}\n",
     ":3: base.0.diamond_square.sown: ", "4 rows; write a square"},
    {HEAD "base:\n  - diamond_square: {sown: [[1, x], [3, 4]]}\n",
     ":3: base.0.diamond_square.sown.0.1: ", "\"x\" is not a number"},
    {HEAD "base:\n  - diamond_square: {tile: true, sown: [[1, 2], [1, 1]]}\n",
     ":3: base.0.diamond_square.sown: ", "sow the same heights on both"},
    {HEAD "grid: {nx: 2, ny: 2}\nbase:\n  - diamond_square: {levels: 1, sown: [[1, 1, 1, 1, 1], "
          "[1, 1, 1, 1, 1], [1, 1, 1, 1, 1], "
          "[1, 1, 1, 1, 1], [1, 1, 1, 1, 1]]}\n",
     ":4: base.0.diamond_square.sown: ", "at most 2^levels + 1 = 3"},
    {HEAD "base:\n  - faults: {count: 0}\n", ":3: base.0.faults.count: ", "at least 1"},
    {HEAD "base:\n  - faults: {offset: 1}\n", ":3: base.0.faults.offset: ", "unknown key"},
    {HEAD "base:\n  - planet: {offset: 2}\n", ":3: base.0.planet.offset: ", "at most 1"},
    {HEAD "base:\n  - crop: {shape: polygon}\n",
     ":3: base.0.crop: ", "write `points: [[x, y], [x, y], [x, y], ...]`"},
    {HEAD "base:\n  - crop: {shape: polygon, points: [[0, 0], [1, 1], [0]]}\n",
     ":3: base.0.crop.points.2: ", "not a row of 2 numbers"},
    {HEAD "base:\n  - crop: {points: [[0, 0], [1, 1], [0, 1]]}\n",
     ":3: base.0.crop.points: ", "add `shape: polygon`"},
    {HEAD "base:\n  - crop: {width: 0}\n", ":3: base.0.crop.width: ", "above 0"},
    {HEAD "base:\n  - spikes: {size: 3}\n", ":3: base.0.spikes.size: ", "unknown key"},
    {HEAD "base:\n  - upsample: {factor: 4}\n",
     ":3: base.0.upsample: ", "nothing to make finer; add `with: [{simplex: {}}]`"},
    {HEAD "base:\n  - upsample: {factor: 0, with: [simplex: ]}\n",
     ":3: base.0.upsample.factor: ", "at least 1"},
    {HEAD
     "base:\n  - upsample:\n      factor: 4\n      with:\n        - diamond_square: {levels: 6}\n",
     ":6: base.0.upsample.with.0.diamond_square.levels: ", "at least 7"},
    /* ground */
    {HEAD "erodibility: -1\n", ":2: erodibility: ", "-1 is out of range; allowed: at least 0"},
    {HEAD "erodibility: hard\n", ":2: erodibility: ", "\"hard\" is not a number"},
    {HEAD "erodibility: {coin: {}}\n", ":2: erodibility.coin: ", "`cone`"},
    {HEAD "erodibility:\n  - cone: {radius: 0}\n", ":3: erodibility.0.cone.radius: ", "above 0"},
    {HEAD "layers: 3\n", ":2: layers: ", "begin each with a dash, or leave the key out"},
    {HEAD "layers: []\n", ":2: layers: ", "an empty list stands where layers are needed"},
    {HEAD "layers: [{name: a, thickness: 1}, 3]\n",
     ":2: layers.1: ", "a group of keys is needed, such as {name: ...}"},
    {HEAD "layers:\n  - {erodibility: 2}\n", ":3: layers.0: ", "add `name: soil`"},
    {HEAD "layers:\n  - {name: Soil}\n",
     ":3: layers.Soil.name: ", "use small letters, digits and _, at most 32"},
    {HEAD "layers:\n  - {name: a}\n  - {name: b}\n", ":3: layers.a: ", "add `thickness: 3`"},
    {HEAD "layers:\n  - {name: a, thickness: []}\n  - {name: b}\n",
     ":3: layers.a.thickness: ", "needs a thickness"},
    {HEAD "layers:\n  - {name: a, thickness: -1}\n  - {name: b}\n",
     ":3: layers.a.thickness: ", "-1 is out of range"},
    {HEAD "layers:\n  - {name: a, thickness: {raster: }}\n  - {name: b}\n",
     ":3: layers.a.thickness.raster: ", "add `file: heights.tif`"},
    {HEAD "layers:\n  - {name: a, thickness: 1}\n  - {name: a}\n",
     ":4: layers.a.name: ", "layers 0 and 1 have the same name"},
    {HEAD "layers:\n  - {name: a, thickness: 1}\n",
     ":3: layers.a.thickness: ", "the last layer is bottomless; take the key out"},
    {HEAD "layers:\n  - {name: a, erodibility: -1}\n", ":3: layers.a.erodibility: ", "at least 0"},
    {HEAD "layers:\n  - {name: a, talus: 90}\n", ":3: layers.a.talus: ", "at most 89.9 degree"},
    {HEAD "layers:\n  - {name: a, hardness: 9}\n", ":3: layers.a.hardness: ", "unknown key"},
    {HEAD "layers: [{name: a}, {name: b}, {name: c}, {name: d}, {name: e}, {name: f}, {name: g}, "
          "{name: h}, {name: i}]\n",
     ":2: layers: ", "9 layers; allowed: at most 8"},
    {HEAD "output: {fields: [layer_soil]}\n", ":2: output.fields.0: ", "is not a field"},
    /* phases */
    {HEAD "phases: {a: {}}\n", ":2: phases: ", "a group stands where a list of phases is needed"},
    {HEAD "phases:\n  - seabed:\n",
     ":3: phases.0: ", "`iterations` is missing; it must be given; allowed: at least 1"},
    {PHASE, ":3: phases.a: ", "add droplets, hydraulic, infiltration, "},
    {PHASE "    rain: {}\n", ":5: phases.a.rain: ", "add `hydraulic: {}`"},
    {PHASE "    rain: {}\n    thermal: {}\n", ":5: phases.a.rain: ", "add `hydraulic: {}`"},
    {PHASE "    seabed:\n  - {name: a, iterations: 1, seabed: }\n",
     ":6: phases.a.name: ", "phases 0 and 1 have the same name; name them differently"},
    {HEAD "phases:\n  - {name: phase2, iterations: 1, seabed: }\n  - {iterations: 1, seabed: }\n",
     ":3: phases.phase2.name: ", "same name"},
    {HEAD "phases: [{name: my phase, iterations: 1, seabed: }]\n",
     ":2: phases.my phase.name: ", "use letters, digits, _ and -"},
    {HEAD "phases: [{name: 007, iterations: 1, seabed: }]\n",
     ":2: phases.007.name: ", "add a letter"},
    {PHASE "    seabed:\n    cycle: {times: 0}\n", ":6: phases.a.cycle.times: ", "at least 1"},
    {PHASE "    seabed:\n    cycle: {time: 2}\n", ":6: phases.a.cycle.time: ", "`times`"},
    {PHASE "    seabed:\n    cycle: 3\n", ":6: phases.a.cycle: ", "such as {times: ...}"},
    {PHASE "    seabed:\n    cycle: {times: 2, from: b}\n",
     ":6: phases.a.cycle.from: ", "or leave it out to repeat phase a alone"},
    {PHASE "    seabed:\n    cycle: {times: 2}\n  - name: b\n    iterations: 1\n    seabed:\n    "
           "cycle: {times: 2, from: a}\n",
     ":10: phases.b.cycle: ", "phase a ends a cycle, and a cycle cannot contain another"},
    {PHASE "    hydraulic: {law: local_inertia}\n  - name: b\n    iterations: 1\n    hydraulic: "
           "{law: shallow_water}\n    cycle: {times: 2, from: a}\n",
     ":9: phases.b.cycle: ", "give both phases the same `law`"},
    {PHASE "    hydraulic: {morphological_factor: 0.5}\n",
     ":5: phases.a.hydraulic.morphological_factor: ", "at least 1"},
    {PHASE "    hydraulic: {law: local_inertia, morphological_factor: 9}\n",
     ":5: phases.a.hydraulic.morphological_factor: ", "write `displace_water: false`"},
    {PHASE "    hydraulic:\n    rain: {during: [0, 5]}\n",
     ":6: phases.a.rain.during.0: ", "not a pair; write [[from, to], ...]"},
    {PHASE "    hydraulic:\n    rain: {during: []}\n",
     ":6: phases.a.rain.during: ", "leave the key out"},
    {PHASE "    hydraulic:\n    rain: {during: [[5, 5]]}\n",
     ":6: phases.a.rain.during.0: ", "`from` must be below `to`"},
    {PHASE "    hydraulic:\n    rain: {during: [[-1, 5]]}\n",
     ":6: phases.a.rain.during.0.0: ", "-1 is out of range"},
    {PHASE "    hydraulic:\n    rain:\n      during:\n        - [0, 101]\n",
     ":8: phases.a.rain.during.0.1: ", "at most 100"},
    {PHASE "    seabed:\n    rain: {map: a.asc}\n",
     ":6: phases.a.rain.map: ", "add `hydraulic: {}`"},
    {PHASE "    hydraulic:\n    rain:\n      low: 0\n",
     ":7: phases.a.rain.low: ", "add `map: FILE`"},
    {PHASE "    hydraulic:\n    rain: {map: a.png, high: -1}\n",
     ":6: phases.a.rain.high: ", "at least 0"},
    {PHASE "    rivers: [{x: 1, y: 1, discharge: 1}]\n",
     ":5: phases.a.rivers: ", "add `hydraulic: {}`"},
    {PHASE "    hydraulic:\n    rivers: {x: 1}\n",
     ":6: phases.a.rivers: ", "begin each with a dash"},
    {PHASE "    hydraulic:\n    rivers:\n      - {x: 1, y: 1}\n",
     ":7: phases.a.rivers.0: ", "`discharge` is missing"},
    {PHASE "    hydraulic:\n    rivers:\n      - {x: 1, y: 1, discharge: 1, history: [[0, 1]]}\n",
     ":7: phases.a.rivers.0.history: ", "keep one"},
    {PHASE "    hydraulic:\n    rivers:\n      - {x: 1, y: 1, history: [[0, 1], [0, 2]]}\n",
     ":7: phases.a.rivers.0.history.1: ", "sort the pairs by time"},
    {PHASE "    hydraulic:\n    rivers:\n      - {x: 1, y: 1, history: none.csv}\n",
     ":7: phases.a.rivers.0.history: ", "none.csv"},
    {PHASE "    hydraulic:\n    rivers: [5]\n",
     ":6: phases.a.rivers.0: ", "a group of keys is needed"},
    {PHASE "    hydraulic:\n    rivers:\n      - {x: 1, y: 1, discharge: 1}\n      - {x: 1, y: 1, "
           "width: 2, discharge: 1}\n",
     ":8: phases.a.rivers.1.width: ", "unknown key"},
    {PHASE "    hydraulic:\n    rivers: [{x: 1, y: -1, discharge: 1}]\n",
     ":6: phases.a.rivers.0.y: ", "at least 0"},
    {PHASE "    hydraulic:\n    rivers: [{x: 1, y: 1, discharge: -1}]\n",
     ":6: phases.a.rivers.0.discharge: ", "at least 0"},
    {PHASE "    hydraulic:\n    rivers:\n      - {x: 513, y: 1, discharge: 1}\n",
     ":7: phases.a.rivers.0.x: ", "outside the domain; allowed: at least 0, at most 512 m"},
    {PHASE "    hydraulic:\n    rivers: [{x: 1, y: 1, to_x: 1, to_y: 513, discharge: 1}]\n",
     ":6: phases.a.rivers.0.to_y: ", "outside the domain; allowed: at least 0, at most 512 m"},
    {PHASE "    hydraulic:\n    rivers: [{x: 1, y: 1, to_y: 9, discharge: 1}]\n",
     ":6: phases.a.rivers.0: ", "give to_x and to_y, or neither"},
    {PHASE "    hydraulic:\n    rivers: [{x: 1, y: 9, to_x: 1, to_y: 9, discharge: 1}]\n",
     ":6: phases.a.rivers.0: ", "a line of length 0"},
    {"otok: 1\nresponses:\n  a: mean(terrain)\n  b: area(terain > 0.5)\n", ":4: responses.b: ",
     "column 6 of `area(terain > 0.5)`: there is no field `terain`; the nearest is `terrain`"},
    {"otok: 1\nresponses: {A: mean(terrain)}\n", ":2: responses.A: ", "is not a name"},
    {"otok: 1\nresponses: [mean(terrain)]\n", ":2: responses: ", "write NAME: EXPRESSION"},
    {"otok: 1\nresponses: {a: mean(if(water > 9, 1, 0))}\n",
     ":2: responses.a: ", "put it in quotes"},
    {"otok: 1\nresponses: {a: [1]}\n", ":2: responses.a: ", ""},
    {"otok: 1\ngauges:\n  - {x: 1, y: 1}\nphases: [{iterations: 1, hydraulic: {}}]\n",
     ":3: gauges.0: ", "`name` is missing"},
    {"otok: 1\ngauges: [{name: a, x: 1, y: 1}]\nphases: [{iterations: 1, creep: {dt: 1}}]\n",
     ":2: gauges: ", "add `hydraulic`"},
    {"otok: 1\ngauges:\n  - {name: a, x: 1, y: 512}\nphases: [{iterations: 1, hydraulic: {}}]\n",
     ":3: gauges.a.y: ", "below 512 m"},
    {"otok: 1\ngauges:\n  - {name: a, x: 1, y: 5}\n  - {name: a, x: 1, y: 5, to_x: 2, to_y: 9}\n"
     "phases: [{iterations: 1, hydraulic: {}}]\n",
     ":4: gauges.a.name: ", "name them differently"},
    {"otok: 1\ngauges:\n  - {name: a, x: 1, y: 5, to_x: 9}\nphases: [{iterations: 1, hydraulic: "
     "{}}]\n",
     ":3: gauges.a: ", "two ends"},
    {PHASE "    hydraulic:\n      courant: 0.7\n",
     ":6: phases.a.hydraulic.courant: ", "write `law: local_inertia` or `shallow_water`"},
    {PHASE "    hydraulic:\n      law: shallow_water\n      courant: 1.1\n",
     ":7: phases.a.hydraulic.courant: ", "at most 1"},
    {PHASE
     "    hydraulic:\n      law: local_inertia\n      courant: 1\n      diffusion_sweeps: 2\n",
     ":8: phases.a.hydraulic.diffusion_sweeps: ", "write `diffusivity` instead"},
    {PHASE "    hydraulic:\n      rates: per_iteration\n      deposit: 1.5\n",
     ":7: phases.a.hydraulic.deposit: ", "allowed: at most 1"},
    {PHASE "    hydraulic: {pipes: sined}\n",
     ":5: phases.a.hydraulic.pipes: ", "the nearest is `signed`"},
    {PHASE "    hydraulic:\n      area: depth\n      pipe_area: 2\n",
     ":7: phases.a.hydraulic.pipe_area: ", "keep one"},
    {PHASE "    hydraulic: {manning: -0.03}\n", ":5: phases.a.hydraulic.manning: ",
     "-0.03 is out of range; allowed: at least 0, at most 10 s m-1/3"},
    {PHASE "    hydraulic: {pipes: signed, theta: 0.4}\n",
     ":5: phases.a.hydraulic.theta: ", "allowed: at least 0.5, at most 1"},
    {PHASE "    hydraulic: {theta: 0.8}\n",
     ":5: phases.a.hydraulic.theta: ", "write `pipes: signed` or `law: local_inertia`"},
    {PHASE "    hydraulic:\n      pipes: one_way\n      area: depth\n",
     ":7: phases.a.hydraulic.area: ", "write `pipes: signed` or `law: local_inertia`"},
    {PHASE "    hydraulic:\n      dt: 0.1\n      manning: 0.03\n",
     ":7: phases.a.hydraulic.manning: ", "write `pipes: signed` or `law: local_inertia`"},
    {PHASE "    hydraulic:\n      law: shallow_water\n      pipes: one_way\n",
     ":7: phases.a.hydraulic.pipes: ", "`pipes: one_way` contradicts `law: shallow_water`"},
    {PHASE "    hydraulic:\n      law: shallow_water\n      area: constant\n",
     ":7: phases.a.hydraulic.area: ", "`area: constant` contradicts `law: shallow_water`"},
    {PHASE "    hydraulic:\n      friction: axis\n      law: shallow_water\n",
     ":6: phases.a.hydraulic.friction: ", "`friction: axis` contradicts `law: shallow_water`"},
    {PHASE "    hydraulic:\n      law: shallow_water\n      theta: 0.9\n",
     ":7: phases.a.hydraulic.theta: ", "leave theta out, or write `law: local_inertia`"},
    {PHASE "    hydraulic:\n      law: shallow_water\n      pipe_area: 2\n",
     ":7: phases.a.hydraulic.pipe_area: ", "keep one"},
    {PHASE "    hydraulic:\n      law: local_inertia\n      pipes: one_way\n",
     ":7: phases.a.hydraulic.pipes: ", "write `pipes: signed`"},
    {PHASE "    hydraulic:\n  - name: dry\n    iterations: 1\n    seabed:\n  - name: b\n    "
           "iterations: 1\n    hydraulic: {law: local_inertia}\n",
     ":11: phases.b.hydraulic.law: ",
     "phase b has signed pipes, phase a one-way ones; allowed: pipes of one kind"},
    {PHASE "    hydraulic:\n    sides: {left: critical}\n",
     ":6: phases.a.sides: ", "one-way pipes have no depth of flow at a side"},
    {PHASE "    sides: {left: critical}\n", ":5: phases.a.sides: ", "add `hydraulic: {}`"},
    {PHASE "    hydraulic: {law: shallow_water}\n    sides:\n      left: critical\n",
     ":7: phases.a.sides.left: ", "the side is closed; write `edges: {left: open}`"},
    {"edges: {top: open}\n" PHASE "    hydraulic: {law: shallow_water}\n    sides: {top: critical, "
     "top_slope: 0.1}\n",
     ":7: phases.a.sides.top_slope: ", "write `top: normal_depth`"},
    {"edges: {top: open}\n" PHASE "    hydraulic: {law: shallow_water}\n    sides: {top: critical, "
     "top_level: [[0, 1]]}\n",
     ":7: phases.a.sides.top_level: ", "keep one"},
    {"edges: {top: open}\n" PHASE
     "    hydraulic: {law: local_inertia, manning: 0}\n    sides: {top: "
     "normal_depth}\n",
     ":7: phases.a.sides.top: ", "write `top: critical`"},
    {PHASE "    hydraulic:\n  - name: b\n    iterations: 1\n    hydraulic: {law: shallow_water}\n",
     ":8: phases.b.hydraulic.law: ", "phase b has shallow-water pipes, phase a one-way ones"},
    {PHASE "    hydraulic: {manning: 0.03, friction: axes}\n",
     ":5: phases.a.hydraulic.friction: ", "the nearest is `axis`"},
    {PHASE "    hydraulic: {rates: per_iteration, dissolve: 2, deposit: 0}\n",
     ":5: phases.a.hydraulic.dissolve: ", "`rates: per_iteration`"},
    {PHASE "    hydraulic: {dt: 0.5, diffusivity: 1}\n",
     ":5: phases.a.hydraulic.diffusivity: ", "so diffusivity <= 0.5 m2 s-1 at this dt"},
    {PHASE "    hydraulic: {dt: 0.5, evaporation: 3}\n",
     ":5: phases.a.hydraulic.evaporation: ", "so evaporation <= 2 s-1"},
    {PHASE "    thermal: {law: excess, dt: 0.5, rate: 3}\n",
     ":5: phases.a.thermal.rate: ", "so rate <= 2 s-1"},
    {PHASE "    thermal:\n      rate: 1\n      diffusivity: 1\n",
     ":7: phases.a.thermal.diffusivity: ", "keep one"},
    {HEAD "grid: {spacing: 0.5}\nphases:\n  - {iterations: 1, thermal: {law: excess, dt: 0.5, "
          "diffusivity: 0.6}}\n",
     ":4: phases.0.thermal.diffusivity: ", "so diffusivity <= 0.5 m2 s-1 at this dt"},
    {PHASE "    thermal: {dt: 2.5}\n",
     ":5: phases.a.thermal.dt: ", "allowed: at most 2 with `law: share`"},
    {PHASE "    droplets: {count: 1000, batch: 100}\n",
     ":4: phases.a.iterations: ", "1000 droplets are 10 batches of 100; leave `iterations` out"},
    {HEAD "phases:\n  - droplets: {batch: 65537}\n",
     ":3: phases.0.droplets.batch: ", "at most 65536"},
    {HEAD "phases:\n  - droplets: {dt: 2, friction: 0.6}\n",
     ":3: phases.0.droplets.friction: ", "so friction <= 0.5 s-1"},
    {HEAD "phases:\n  - droplets: {dt: 20, deposition_rate: 0.1, friction: 0}\n",
     ":3: phases.0.droplets.deposition_rate: ", "so deposition_rate <= 0.05 s-1"},
    {HEAD "phases:\n  - droplets: {dt: 1, evaporation: 1}\n",
     ":3: phases.0.droplets.evaporation: ", "allowed: at most 0.999"},
    {HEAD "phases:\n  - droplets: {min_volume: 1}\n",
     ":3: phases.0.droplets.min_volume: ", "above 0, below 1"},
    {HEAD "phases:\n  - droplets: {losses: none}\n",
     ":3: phases.0.droplets.losses: ", "none of deposit|as_published"},
    {HEAD "phases:\n  - {droplets: , reef: }\n",
     ":3: phases.0.reef: ", "erosion in the same phase spoils the reef"},
    {PHASE "    reef:\n    thermal:\n",
     ":5: phases.a.reef: ", "write `mix_reef_and_erosion: true`"},
    {PHASE "    mix_reef_and_erosion: true\n    hydraulic:\n    reef: {dt: 0.2}\n",
     ":7: phases.a.reef.dt: ", "0.2 s and hydraulic.dt 0.1 s: these processes share the clock"},
    {PHASE "    hydraulic: {dt: 10}\n    creep: {dt: 0.01}\n",
     ":6: phases.a.creep.dt: ", "less than 1/128 of the phase's clock of 10 s"},
    {PHASE "    reef: {max_depth: 0.001}\n",
     ":5: phases.a.reef.max_depth: ", "must be below max_depth"},
    {PHASE "    reef: {law: light_saturation, dt: 3e9, uptake: 0.1}\n",
     ":5: phases.a.reef.uptake: ", "only `law: carbon` has this key"},
    {PHASE "    reef: {max_growth: 3e-10}\n",
     ":5: phases.a.reef.max_growth: ", "or write `law: light_saturation`"},
    {PHASE "    reef: {law: light_saturation, dt: 3e9, rubble: 0.3}\n",
     ":5: phases.a.reef.rubble: ", "add `layers`"},
    {PHASE "    reef: {}\ngauges: [{name: a, x: 0, y: 0, to_x: 1, to_y: 1}]\n",
     ":6: gauges.a: ", "a cross section needs water"},
    {PHASE "    seabed: {}\ngauges: [{name: a, x: 0, y: 0}]\n",
     ":6: gauges: ", "gauges need water or a reef"},
    {PHASE "    reef: {law: light_saturation, dt: 3e9, denudation: 1e-12}\n",
     ":5: phases.a.reef.denudation: ", "add `layers`: the reef's"},
    {PHASE "    reef: {law: light_saturation, dt: 3e9, producers: [{absorption: 1}]}\n",
     ":5: phases.a.reef.producers.0: ", "write {max_growth: 1 mm/yr}"},
    {PHASE "    reef: {law: light_saturation, dt: 3e9, producers: [{max_growth: 1}, {max_growth: "
           "1}, {max_growth: 1}]}\n",
     ":5: phases.a.reef.producers: ", "at most 2"},
    {PHASE "    reef: {law: light_saturation, dt: 3e9, producers: [{max_growth: 1, "
           "sheltered_growth: 1}]}\n",
     ":5: phases.a.reef.producers.0.sheltered_growth: ", "add `waves: {}`"},
    {PHASE "    reef: {producers: [{max_growth: 1}]}\n",
     ":5: phases.a.reef.producers: ", "or write `law: light_saturation`"},
    {PHASE "    reef: {law: light_saturation}\n", ":5: phases.a.reef: ", "write `dt: 100 yr`"},
    {PHASE "    reef: {min_depth: 0}\n",
     ":5: phases.a.reef.min_depth: ", "allowed: at least 1e-06 m"},
    {PHASE "    reef: {min_depth: .inf}\n",
     ":5: phases.a.reef.min_depth: ", ".inf is out of range"},
    {PHASE "    reef: {max_depth: -.inf}\n", ":5: phases.a.reef.max_depth: ", "above 0, or .inf m"},
    {PHASE "    reef:\n      sea_history: [[0, 1]]\n      sea_rise: 0\n",
     ":7: phases.a.reef.sea_rise: ", "keep one"},
    {PHASE "    reef:\n      sea_history:\n        - [1, 1]\n        - [1, 2]\n",
     ":8: phases.a.reef.sea_history.1: ", "sort the pairs by time"},
    {PHASE "    reef: {sea_history: 1.5}\n", ":5: phases.a.reef.sea_history: ", "write [[0, 1.5]]"},
    {PHASE "    reef: {sea_history: [[-1, 1]]}\n",
     ":5: phases.a.reef.sea_history.0.0: ", "at least 0"},
    {HEAD "edges: {left: periodic}\n", ":2: edges.left: ", "make `right` periodic too"},
    {HEAD "edges: {top: periodic, bottom: open}\n",
     ":2: edges.top: ", "make `bottom` periodic too"},
};

static void check(const bad *c)
{
    otok_scenario *s;
    char place[128];
    snprintf(place, sizeof place, "%s%s", file_path, c->where);
    const otok_status status = file_load(&s, c->text, NULL);
    CHECK(status == OTOK_DATA && !s, "status %d for\n%s", (int)status, c->text);
    CHECK(strncmp(otok_why(), place, strlen(place)) == 0, "%s\nnot at %s for\n%s", otok_why(),
          c->where, c->text);
    CHECK(strstr(otok_why(), c->remedy), "%s\nlacks: %s", otok_why(), c->remedy);
    if (getenv("OTOK_TEST_SHOW")) printf("%s\n", otok_why());
    otok_scenario_destroy(s);
}

static void check_load(const char *path, otok_status status, const char *words)
{
    otok_scenario *s;
    CHECK(otok_scenario_load(&s, path, NULL, 0) == status && strstr(otok_why(), words), "%s",
          otok_why());
}

/* Files that are no scenarios at all, and bombs. */
static void check_monsters(void)
{
    check_load("/nonexistent/a.yaml", OTOK_IO, "/nonexistent/a.yaml");
    check_load("/tmp", OTOK_IO, "/tmp");
    const size_t size = (size_t)17 << 20;
    char *big = malloc(size);
    if (!big) exit(1);
    memset(big, '#', size);
    file_write(big, size);
    check_load(file_path, OTOK_DATA, "larger than 16 MiB");
    memset(big, '[', 100000);
    memset(big + 100000, ']', 100000);
    file_write(big, 200000);
    check_load(file_path, OTOK_DATA, ":1: ");
    file_write(big, 100000);
    check_load(file_path, OTOK_DATA, "deeper than 64");
    int n = sprintf(big, "a0: &a0 [x]\n"); /* each alias holds the last one ten times */
    for (int i = 1; i < 12; i++) {
        n += sprintf(big + n, "a%d: &a%d [", i, i);
        for (int j = 0; j < 10; j++)
            n += sprintf(big + n, "%s*a%d", j ? ", " : "", i - 1);
        n += sprintf(big + n, "]\n");
    }
    file_write(big, (size_t)n);
    check_load(file_path, OTOK_DATA, "more than 1048576 values");
    for (n = 0; n < 300; n++)
        sprintf(big + 8 * n, "k%05d:\n", n);
    file_write(big, 2400);
    check_load(file_path, OTOK_DATA, "more than 256 keys");
    free(big);
}

int main(void)
{
    file_create();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check(&cases[i]);
    check_monsters();
    file_remove();
    return check_failures != 0;
}
