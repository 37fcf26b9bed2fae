"""Claim: the heights and masks of a preset, read back, are those of the checkpoint: sizes that the program reads, levels within half a
unit, tiles that share their edges, masks of fixed range with the values of their fields; flow follows the bare ground when no water runs. What contradicts it is refused."""
# once: under the sanitizers; it depends on no optimisation
import json
import math

from cli import *

try:
    import numpy
    from PIL import Image
except ImportError:
    skip("numpy and Pillow are missing")

scenario = write("isle.yaml", "otok: 1\ngrid: {nx: 60, ny: 40, spacing: 4}\nsea: {level: 3}\nbase: [{cone: {height: 50, radius: 70, x: 120, y: 60}}]\n"
                 "phases: [{name: a, iterations: 5, thermal: {dt: 0.1, talus: 30}}]\noutput: {every: 0}\n")
run(scenario, SPACE / "out", "-q")
state = checkpoints(SPACE / "out")[-1]
otok("export", state, "-o", SPACE / "true.r32")
ground = numpy.fromfile(SPACE / "true.r32", "<f4").reshape(40, 60).astype(float)


def bilinear(map, ny, nx):
    y, x = numpy.linspace(0, map.shape[0] - 1, ny), numpy.linspace(0, map.shape[1] - 1, nx)
    rows = numpy.array([numpy.interp(x, range(map.shape[1]), row) for row in map])
    return numpy.array([numpy.interp(y, range(map.shape[0]), column) for column in rows.T]).T


def export(preset, folder, *more, code=0):
    return otok("export", state, "-o", SPACE / folder, "--preset", preset, *more, code=code)


# ---- Unreal: PNG and r16 have the same levels, and its own formula gives the heights ----
told = export("unreal", "unreal").stdout
card = json.loads((SPACE / "unreal/otok.json").read_text())
check(card["size"] == [505, 505] and card["sea"] == 3, card)
png = numpy.array(Image.open(SPACE / "unreal/heights.png"), dtype=float)
r16 = numpy.fromfile(SPACE / "unreal/heights.r16", "<u2").reshape(505, 505)
check(png.shape == (505, 505) and (png == r16).all(), "PNG and r16 differ")
x, y, z = card["scale"]
check(math.isclose(x, 100 * 59 * 4 / 504) and math.isclose(y, 100 * 39 * 4 / 504), card)
check(math.isclose(z, (card["white"] - card["black"]) * 100 / 512, rel_tol=2e-5) and f"{z:.9g}" in told, told)
there = (card["z"] + (png - 32768) / 128 * z) / 100
worst = abs(there - bilinear(ground, 505, 505)).max() / ((card["white"] - card["black"]) / 65535)
check(worst < 0.51, f"off by {worst} levels")
check("reads 505, 1009, 2017, 4033, 8129" in export("unreal", "no", "--size", 512, code=2).stderr, "a size that Unreal does not read")
check(f"black {card['black']:.9g} m, white {card['white']:.9g} m, sea 3 m" in told, told)

# ---- heights as numbers, at the grid's own size ----
export("gaea", "gaea")
share = numpy.fromfile(SPACE / "gaea/heights.r32", "<f4").reshape(40, 60)
check(abs(share * (ground.max() - ground.min()) + ground.min() - ground).max() < 1e-4, "r32 of Gaea")
export("blender", "blender")
export("houdini", "houdini", "--size", 30)
check(json.loads((SPACE / "houdini/otok.json").read_text())["size"] == [30, 20], "--size 30")
for folder, nx, ny in (("blender", 60, 40), ("houdini", 30, 20)):  # cli_engines.py reads them by OpenEXR
    lines = (SPACE / folder / "heights.exr").read_bytes()[-ny * (8 + 4 * nx):]
    heights = numpy.frombuffer(lines, "<f4").reshape(ny, nx + 2)[:, 2:]
    check((heights == ground.astype("f4")).all() if folder == "blender" else abs(heights - bilinear(ground, ny, nx)).max() < 3, f"EXR of {folder}")
check((SPACE / "blender/terrain.gltf").exists() and not (SPACE / "houdini/terrain.gltf").exists(), "glTF of Blender")

# ---- tiles share their edges and make the whole ----
export("gaea", "tiles", "--tiles", 2, "--low", -10, "--high", 90)
tiles = {(i, j): numpy.array(Image.open(SPACE / f"tiles/heights_x{i}_y{j}.png")) for i in (0, 1) for j in (0, 1)}
check((tiles[0, 0][:, -1] == tiles[1, 0][:, 0]).all() and (tiles[0, 0][-1] == tiles[0, 1][0]).all(), "the edges of tiles")
whole = numpy.vstack([numpy.hstack([tiles[0, j][:, :-1], tiles[1, j]])[: -1 if j == 0 else None] for j in (0, 1)])
check(abs(whole / 65535 * 100 - 10 - bilinear(ground, *whole.shape)).max() < 100 / 65535 * 0.51, "tiles are not the map")

# ---- masks ----
files = {file["file"]: file for file in card["files"]}
check(not {"wetness.png", "reef.png"} & set(files), "masks of what the state lacks")
check("wetness is left out: the state has no wetness" in export("gaea", "gaea").stdout, "what is left out is not told")
slope = numpy.array(Image.open(SPACE / "gaea/slope.png")) / 255 * 90
dy, dx = numpy.gradient(ground, 4)
check(abs(slope - numpy.degrees(numpy.arctan(numpy.hypot(dx, dy)))).max() < 90 / 255 * 0.51, "slope in degrees")
flow = json.loads((SPACE / "gaea/otok.json").read_text())["files"]
flow = next(file for file in flow if file["file"] == "flow.png")
check(flow["logarithmic"] and flow["black"] == 16 and flow["white"] == 2400 * 16, flow)
area = 16 * 2400 ** (numpy.array(Image.open(SPACE / "gaea/flow.png")) / 255)
land = ground >= 3
rim = land & ~(numpy.roll(land, 1, 0) & numpy.roll(land, -1, 0) & numpy.roll(land, 1, 1) & numpy.roll(land, -1, 1))
check(area[ground == ground.max()].max() < 17 and area[rim].max() > 100, "flow does not gather down the cone")
wear, new = (numpy.array(Image.open(SPACE / f"gaea/{name}.png")) for name in ("wear", "deposits"))
otok("export", state, "-o", SPACE / "true.r32", "--field", "erosion_depth")
depth = numpy.fromfile(SPACE / "true.r32", "<f4").reshape(40, 60)
check(depth.max() > 0.1 and abs(wear / 12.75 - depth.clip(0, 20)).max() < 20 / 255 * 0.51 and new.max() > 0, "wear and deposits")

for words, text in ((["--field", "water"], "only --size, --tiles"), (["--tiles", "0"], "--tiles")):
    check(text in export("gaea", "no", *words, code=2).stderr, f"{words}")
check("known are unreal, houdini, blender, gaea" in export("maya", "no", code=2).stderr, "maya")
check("fills a folder" in export("gaea", "x.png", code=2).stderr, "a file's name")
check("need --preset" in otok("export", state, "-o", SPACE / "x.png", "--tiles", 2, code=2).stderr, "tiles without a preset")
told = otok("export", state, "-o", SPACE / "h.png", "--field", "terrain").stdout
check(re.search(r"h.png: 60 x 40, 16 bits, 4 m a pixel, black \S+ m, white \S+ m, sea 3 m\n", told), told)

# ---- masks of an island with rain and a reef: each has the values of its field ----
isle = write("wet.yaml", "otok: 1\ngrid: {nx: 32, ny: 24, spacing: 4}\nsea: {level: 6}\nbase: [{cone: {height: 30, radius: 60}}]\nphases:\n"
             "  - {name: rain, iterations: 200, rain: {rate: 0.01, during: [[0, 150]]}, hydraulic: {dt: 0.1, wetness_max: 200}}\n"
             "  - {name: grow, iterations: 40, reef: {dt: 1, calcification: 2, absorption: 0.2}}\noutput: {every: 0}\n")
run(isle, SPACE / "wet", "-q")
state = checkpoints(SPACE / "wet")[-1]
export("gaea", "masks")
for name, field, white in (("wetness", "wetness", 255), ("reef", "reef", 20), ("deposits", "deposit_depth", 20), ("wear", "erosion_depth", 20)):
    otok("export", state, "-o", SPACE / "true.r32", "--field", field)
    true = numpy.fromfile(SPACE / "true.r32", "<f4").reshape(24, 32)
    mask = numpy.array(Image.open(SPACE / f"masks/{name}.png")) / 255 * white
    check(true.max() > 2.5 * white / 255 and abs(mask - true.clip(0, white)).max() < white / 255 * 0.51, f"{name}: up to {true.max()}")
finish("presets")
