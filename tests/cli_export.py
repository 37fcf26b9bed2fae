"""Claim: a raw map has the numbers of the ASCII grid, north row first, and says what a terrain tool asks; .nc is the checkpoint or the movie."""
import array
import struct
import subprocess

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
otok("export", last, "-o", SPACE / "x.nc")
check((SPACE / "x.nc").read_bytes() == pathlib.Path(last).read_bytes(), "x.nc is no copy")
check("plays the .vtkhdf.series" in otok("export", last, "-o", SPACE / "x.vtkhdf", code=2).stderr, "x.vtkhdf")
check(".ply have all fields" in otok("export", last, "-o", SPACE / "x.ply", "--field", "water", code=2).stderr, "--field with .ply")
check("not a checkpoint" in otok("export", scenario, "-o", SPACE / "x.r32", code=65).stderr and not (SPACE / "x.r32").exists(), "no checkpoint")
finish("raw maps")
