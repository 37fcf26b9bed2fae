"""Claim: the table of a study of 4096 members of 64 x 64 cells and 400 iterations, sampled 20 times
each, takes less than 10 MB, and opens without its journal as every map of every iteration of every
member. Measured on tables of 16 and 64 members, whose difference is what a member takes."""

from cli import BACKEND, OTOK, SPACE, check, finish, os, otok, pathlib, skip, sys, write

LIBRARY = pathlib.Path(OTOK).parent / "libotok.so"
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "src/python"))
os.environ.setdefault("OTOK_LIBRARY", str(LIBRARY))
try:
    import h5py  # noqa: F401
    import numpy as np
    import xarray as xr
except ImportError as why:
    skip(f"{why}; install tests/requirements.txt")
if not LIBRARY.exists():
    skip("this build has no shared library")

MEMBERS, MOST = 4096, 10e6
SCENARIO = """otok: 1
grid: {nx: 64, ny: 64, spacing: 4}
base:
  - cone: {height: 60, radius: 110}
  - simplex: {wavelength: 90, amplitude: 8, octaves: 4, combine: add}
phases:
  - name: rain
    iterations: 400
    rain: {rate: 0.001}
    hydraulic: {dt: 0.1, slope: downhill}
    thermal: {talus: 35}
"""
STUDY = """study: 1
scenario: small.yaml
design: {kind: grid, points: [SIDE, SIDE]}
vary:
  phases.rain.hydraulic.dt: {from: 0.02, to: 0.2, scale: log}
  phases.rain.rain.rate: {from: 1e-4, to: 1e-2, scale: log}
monitor: {every: 20}
"""


def table(side):
    """The table of a study of side * side members, alone in its folder."""
    name = f"study_{side}"
    path = write(f"{name}.yaml", STUDY.replace("SIDE", str(side)))
    otok("study", path, "-o", SPACE / name, "-q", "--backend", BACKEND)
    for journal in (SPACE / name).glob("*.journal"):
        journal.unlink()
    return SPACE / name / "study.h5"


write("small.yaml", SCENARIO)
few, many = table(4), table(8)
each = (many.stat().st_size - few.stat().st_size) / (8**2 - 4**2)
whole = few.stat().st_size + (MEMBERS - 4**2) * each
check(whole < MOST, f"{each:.0f} bytes a member, {whole / 1e6:.1f} MB for {MEMBERS}; {MOST / 1e6:g} are allowed")

from otok.history import OtokBackend  # noqa: E402

history = xr.open_dataset(many, engine=OtokBackend, backend=BACKEND)
check(history.water.shape == (64, 401, 64, 64), f"water is {history.water.shape}")
maps = sum(v.nbytes for v in history.data_vars.values() if v.dims[-2:] == ("y", "x"))
last = history.water[63, 400].values
check(np.isfinite(last).all() and last.max() > 0, "the last map of the last member")
finish(f"{each:.0f} bytes a member, {whole / 1e6:.1f} MB for {MEMBERS}, of {maps / 64 * MEMBERS / 1e12:.2f} TB of maps")
