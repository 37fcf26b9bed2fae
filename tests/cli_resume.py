"""A run resumes without the file that it began from, to the same state, also with the erodibility that only this file had; coordinates that were changed are noticed.
A raster that was changed since is named: the base, a map of rain, of a parameter, of a mask, of erodibility, and one of several. A copy of the same bytes is the same.
A study refuses to resume, to run failed members and to merge after a raster, its .prj or a series has changed, and names it; so does engine="otok"."""
# once: under the sanitizers; it depends on no optimisation

import struct

from cli import BACKEND, CELL, ISLAND, OTOK, SPACE, check, finish, os, otok, pathlib, sys, write as write_text

SHORT = ISLAND.replace("400", "40").replace("250", "30").replace("iterations: 500", "iterations: 20").replace("every: 100", "every: 20")
base, started = SPACE / "base.yaml", SPACE / "started.yaml"
base.write_text(SHORT + "erodibility: [{constant: {height: 0.5}}]\n")  # which the file brings along
otok("base", base, "-o", SPACE / "first.vtkhdf", "--backend", BACKEND)
started.write_text(SHORT.replace("sea:", "initial: {file: first.vtkhdf}\nsea:"))
run = ["run", started, "--backend", BACKEND, "-q", "-o"]
otok(*run, SPACE / "out")
last = sorted((SPACE / "out").glob("*.vtkhdf"))[-1]
whole = last.rename(SPACE / "whole.vtkhdf")
(SPACE / "first.vtkhdf").unlink()
otok(*run, SPACE / "out", "--resume")
otok("compare", whole, last)
check("first.vtkhdf" in otok(*run, SPACE / "anew", code=74).stderr, "which file is missing?")

data = bytearray(whole.read_bytes())
at = data.find(struct.pack("<3d", CELL / 2, 1.5 * CELL, 2.5 * CELL))  # of the first three cells; y comes first
if check(at > 0, "no coordinates found"):
    data[at + 9] ^= 0x10
    (SPACE / "flipped.vtkhdf").write_bytes(data)
    check("coordinates y are not those of its grid" in otok("inspect", SPACE / "flipped.vtkhdf", code=65).stderr, "coordinates not named")

# ---- rasters ----
CELLS = "ncols 8\nnrows 6\nxllcorner 0\nyllcorner 0\ncellsize 10\n"
NAMES = ("base", "mask", "rain", "n", "soft")


def write(name, value):
    (SPACE / f"{name}.asc").write_text(CELLS + "\n".join(" ".join(f"{value + 0.01 * (i + j):.3f}" for i in range(8)) for j in range(6)) + "\n")


for name in NAMES:
    write(name, 0.5)
maps = SPACE / "maps.yaml"
maps.write_text("""otok: 1
grid: {nx: 8, ny: 6, spacing: 10}
audit: off
base: [{raster: {file: base.asc}}, {constant: {height: 1, combine: add, mask: [{raster: {file: mask.asc}}]}}]
erodibility: [{raster: {file: soft.asc}}]
phases: [{name: p, iterations: 4, rain: {rate: 1e-5, map: rain.asc}, hydraulic: {dt: 1, law: local_inertia, manning: {raster: {file: n.asc}}}}]
output: {every: 2}
""")
run = ["run", maps, "--backend", BACKEND, "-q", "-o", SPACE / "maps"]
otok(*run)
last = SPACE / "maps/maps_00000004.vtkhdf"
whole = last.rename(SPACE / "whole.vtkhdf")
for name in NAMES:
    last.unlink(missing_ok=True)
    write(name, 0.6)
    said = otok(*run, "--resume").stderr
    check(said.count("WARNING") == 1 and f"{name}.asc has other contents than when the run began" in said and "start anew" in said, f"{name}: {said}")
    write(name, 0.5)
last.unlink()
check("WARNING" not in otok(*run, "--resume").stderr, "the same bytes")
otok("compare", whole, last)

# ---- studies ----
(SPACE / "rain.csv").write_text("time [s],factor\n0,1\n4,2\n")
write_text("kept.yaml", maps.read_text().replace("map: rain.asc", "map: rain.asc, history: rain.csv"))
text = "study: 1\nscenario: kept.yaml\ndesign: {kind: grid, points: 2}\nvary: {phases.p.hydraulic.dt: {from: 0.5, to: 1}, base.0.raster.file: {values: [base.asc, mask.asc]}}\n"
study = ["study", write_text("study.yaml", text), "--backend", BACKEND, "-q", "-o"]
otok(*study, SPACE / "study")
otok(*study, SPACE / "study", "--resume")
for name, other in (("rain.asc", None), ("mask.asc", None), ("n.asc", None), ("rain.csv", "time [s],factor\n0,1\n4,3\n"), ("base.prj", "another")):
    kept = (SPACE / name).read_text() if (SPACE / name).exists() else None
    if other:
        (SPACE / name).write_text(other)
    else:
        write(name[:-4], 0.6)
    for words in ([*study, SPACE / "study", "--resume"], [*study, SPACE / "study", "--only-failed"]):
        said = otok(*words, code=65).stderr
        check(f"was made with another {name} than the one given" in said, f"{name}: {said}")
    if name == "rain.asc":
        otok(*study, SPACE / "half", "--shard", "1/2")
        (SPACE / "study" / "1-of-1.journal").rename(SPACE / "half" / "other.journal")
        said = otok("merge", SPACE / "half", code=65).stderr
        check("was made with another rain.asc than its neighbours" in said, f"merge: {said}")
        (SPACE / "half" / "other.journal").rename(SPACE / "study" / "1-of-1.journal")
    (SPACE / name).write_text(kept) if kept else (SPACE / name).unlink()
otok(*study, SPACE / "study", "--resume")

# ---- engine="otok" ----
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "src/python"))
os.environ.setdefault("OTOK_LIBRARY", str(pathlib.Path(OTOK).parent / "libotok.so"))
try:
    import warnings

    from otok.history import OtokBackend
except (ImportError, OSError) as why:
    finish(f"without engine=otok: {why}")
os.chdir(SPACE)
for value in (0.5, 0.6):
    write("rain", value)
    for path in ("maps", "study/study.h5"):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            OtokBackend().open_dataset(path, backend=BACKEND).close()
        named = [str(one.message) for one in told if "has other contents than when this was made" in str(one.message)]
        check(len(named) == (value == 0.6) and all("rain.asc" in line for line in named), f"{path}: {named}")
finish()
