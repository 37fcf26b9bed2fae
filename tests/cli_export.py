"""Claim: a raw map has the numbers of the ASCII grid, north row first, and says what a terrain tool asks; .nc is the checkpoint or the movie.
Derived fields are exported and inspected by name, without data where they have no value. A gray picture of a mask has the mask's range,
one of a single value above 0 is white."""
# once: under the sanitizers; it depends on no optimisation
import array
import json
import math
import struct
import subprocess
import zlib

from cli import *

scenario = write("isle.yaml", "otok: 1\ngrid: {nx: 40, ny: 30, spacing: 4}\nbase: [{cone: {height: 50, radius: 60, x: 100, y: 30}}]\n"
                 "phases: [{name: a, iterations: 20, rain: {rate: 0.01}, hydraulic: {dt: 0.1}}]\noutput: {every: 10}\n")
run(scenario, SPACE / "out", "-q")
last = checkpoints(SPACE / "out")[-1]
for field in ("terrain", "water"):
    told = otok("export", last, "-o", SPACE / "map.r32", "--field", field).stdout
    otok("export", last, "-o", SPACE / "map.asc", "--field", field)
    raw = array.array("f", (SPACE / "map.r32").read_bytes())
    if sys.byteorder == "big":
        raw.byteswap()
    text = [float(word) for line in (SPACE / "map.asc").read_text().splitlines()[6:] for word in line.split()]
    check(len(raw) == 1200 and all(abs(a - b) <= 1e-8 * abs(b) for a, b in zip(raw, text)), f"{field} is not the grid's")
    low, high = map(float, re.search(r"40 x 30 float32, little-endian, north row first, 4 m a cell, from (\S+) to (\S+) m", told).groups())
    check(abs(low - min(text)) <= 1e-8 * abs(low) and abs(high - max(text)) <= 1e-8 * abs(high), told)
check(max(raw) > 0, "no water")



def numbers(name, field):
    otok("export", last, "-o", SPACE / name, "--field", field)
    return [float(word) for line in (SPACE / name).read_text().splitlines()[6:] for word in line.split()]


terrain, depth, slope, curvature, surface = (numbers("map.asc", field) for field in ("terrain", "water", "slope", "curvature", "water_surface"))
check(all(abs(a + b - c) < 1e-5 for a, b, c in zip(terrain, depth, surface)), "the water surface is not terrain + water")
inside = [n for n in range(40, 1160) if 0 < n % 40 < 39]
check(all(abs(slope[n] - math.hypot(terrain[n + 1] - terrain[n - 1], terrain[n + 40] - terrain[n - 40]) / 8) < 1e-6 for n in inside), "the slope")
check({curvature[n] for n in set(range(1200)) - set(inside)} == {-9999} and -9999 not in [curvature[n] for n in inside], "no data of curvature")
found = json.loads(otok("inspect", last, "--json", "--field", "curvature").stdout)["curvature"]
check(found["unit"] == "m-1" and abs(found["max"] - max(curvature[n] for n in inside)) < 1e-6, found)
check(re.search(r"^slope .*\nslope of the ground: ", otok("inspect", last, "-f", "slope").stdout, re.M), "no definition of the slope")
for command in (["inspect", last], ["export", last, "-o", SPACE / "x.png"]):
    check("shear_stress needs friction, and `hydraulic.manning` is 0" in otok(*command, "-f", "shear_stress", code=65).stderr, f"{command}: no friction")
    check("the nearest name is `slope`" in otok(*command, "-f", "slop", code=65).stderr, f"{command}: slop")
    check("is `water`, its greatest value is `max_depth`" in otok(*command, "-f", "depth", code=65).stderr, f"{command}: depth")
    check("the nearest name is `max_depth_speed`" in otok(*command, "-f", "hazard", code=65).stderr, f"{command}: hazard")
for command in (["inspect", last.parent], ["export", last.parent, "-o", SPACE / "x.png"]):
    check(f"name one of its checkpoints, such as {last}" in otok(*command, code=74).stderr, f"{command}: a directory")
otok("inspect", last, "-f", "slope", "--scenario", code=2)
one, two = (otok("inspect", last, *("--response", "max(water)"), *more).stdout for more in ((), ("--response", "area(1)")))
check(two.splitlines() == [f"max(water) = {one.strip()}", f"area(1) = {otok('inspect', last, '--response', 'area(1)').stdout.strip()}"], f"{one}, {two}")

# ---- gray pictures of masks and of one value ----
for height, sand in ((5, 255), (-5, 0), (0, 0)):
    flat = write("flat.yaml", f"otok: 1\ngrid: {{nx: 8, ny: 8, spacing: 4}}\nbase: [{{constant: {{height: {height}}}}}]\n"
                 "phases: [{name: a, iterations: 300, rain: {rate: 0.001}, hydraulic: {dt: 0.1, law: local_inertia, capacity: 0}}]\noutput: {every: 0}\n")
    run(flat, SPACE / "flat", "-q", "--overwrite")
    state = checkpoints(SPACE / "flat")[-1]
    for field, low, high, shade in (("wetness", 0, 255, 255), ("terrain", min(height, 0), max(height, 0) or int(height == 0), sand)):
        otok("export", state, "-o", SPACE / "flat.png", "--field", field, "--bits", 8)
        data = (SPACE / "flat.png").read_bytes()
        rows = zlib.decompress(data[data.index(b"IDAT") + 4 :])
        check(f"otok_low\0{low}".encode() in data and f"otok_high\0{high}".encode() in data, f"{field} of {height} m: another range than {low} to {high}")
        check(rows[1] == shade, f"{field} of {height} m: {rows[1]}, not {shade}")
otok("export", last, "-o", SPACE / "x.nc")
check((SPACE / "x.nc").read_bytes() == pathlib.Path(last).read_bytes(), "x.nc is no copy")
check("plays the .vtkhdf.series" in otok("export", last, "-o", SPACE / "x.vtkhdf", code=2).stderr, "x.vtkhdf")
check(".ply have all fields" in otok("export", last, "-o", SPACE / "x.ply", "--field", "water", code=2).stderr, "--field with .ply")
check("not a checkpoint" in otok("export", scenario, "-o", SPACE / "x.r32", code=65).stderr and not (SPACE / "x.r32").exists(), "no checkpoint")
told = otok("export", last, "-o", SPACE / "x.r32", "--field", "wetness").stdout
check(re.search(r"from 0 to \d+\n", told), f"a unit of plain numbers: {told}")
check("a series is for otok movie" in otok("export", SPACE / "out/isle.vtkhdf.series", "-o", SPACE / "x.r32", code=2).stderr, "a series")
finish("raw maps")
