"""Claim: a library that sets flush-to-zero, denormals-are-zero and another rounding when it is loaded, and in every new thread, changes
no byte of what otok computes: runs, base terrains, studies, limits, roads and pictures."""

import os
import shutil

from cli import *

source, library = pathlib.Path(__file__).parent / "preload/rounding.c", SPACE / "rounding.so"
compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
if not compiler:
    skip("no C compiler")
subprocess.run(
    [compiler, "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-D_GNU_SOURCE", source, "-o", library, "-lm", "-ldl"], check=True
)
SPOILT = {
    "LD_PRELOAD": str(library),
    "ASAN_OPTIONS": "verify_asan_link_order=0:" + os.environ.get("ASAN_OPTIONS", ""),  # which wants to be first
}
threads = {"OMP_NUM_THREADS": "2"}

# Two threads have work on these grids; the second one is all of denormal numbers.
island = write(
    "isle.yaml",
    ISLAND.replace("nx: 96, ny: 64, spacing: 8", "nx: 200, ny: 170, spacing: 3.7")
    .replace("iterations: 400", "iterations: 20")
    .replace("[0, 250]", "[0, 10]")
    .replace("iterations: 500", "iterations: 20")
    .replace("every: 100", "every: 20"),
)
flat = write(
    "flat.yaml",
    "otok: 1\nseed: 3\ngrid: {nx: 200, ny: 170, spacing: 3}\n"
    "base: [{constant: {height: 3e-39}}, {simplex: {octaves: 4, wavelength: 30, amplitude: 2e-39, combine: add}}]\n",
)
study = write(
    "study.yaml",
    "study: 1\nscenario: isle.yaml\ndesign: {kind: lhs, rows: 3}\nvary:\n"
    "  phases.erosion.hydraulic.dt: {from: 0.01, to: 0.3, scale: log}\n"
    "  grid.nx: {values: [24, 31]}\n  grid.ny: {values: [24]}\nmonitor: {every: 5}\n",
)


def everything(where, **env):
    """What otok makes, by names."""
    env = {**threads, **env}
    where.mkdir()
    last, base, road = where / "run/isle_00000060.vtkhdf", where / "base.vtkhdf", where / "road.vtkhdf"
    made = {"run": run(island, where / "run", "-q", env=env).stdout}
    made["base"] = otok("base", flat, "-o", base, "--backend", BACKEND, env=env) and otok("inspect", base).stdout
    made["limits"] = otok("predict", island, env=env).stdout
    made["scenario"] = otok("run", flat, "--dry-run", "--backend", BACKEND, env=env).stdout.split("# ")[0]
    made["road"] = otok("road", last, "--from", "150,180", "--to", "560,440", "-o", road, "-l", where / "l.csv", env=env).stdout
    made["roads"] = otok("export", road, "-o", where / "road.asc", env=env) and (where / "road.asc").read_bytes()
    made["line"] = (where / "l.csv").read_bytes()
    otok("export", last, "-o", where / "relief.png", env=env)
    made["relief"] = (where / "relief.png").read_bytes()
    otok("study", study, "-o", where / "study", "--backend", BACKEND, "-q", env=env)
    made["study"] = (where / "study/study.h5").read_bytes()
    return made


right, spoilt = everything(SPACE / "right"), everything(SPACE / "spoilt", **SPOILT)
for name, what in right.items():
    check(what, f"{name}: nothing was made")
    if name == "base":  # dates and command lines differ
        what, spoilt[name] = (re.search(r"fingerprint\W+([0-9a-f]{16})", text).group(1) for text in (what, spoilt[name]))
    check(what == spoilt[name], f"{name}: other bytes" + (f": {spoilt[name]}, not {what}" if len(what) < 400 else ""))
finish(f"{len(right)} things")
