"""Claim: experiments/stability/dakota/driver answers Dakota's files: what is asked for, in its order, as its README shows; `fail` and why
where there is nothing to answer. experiments/stability/map/edge.py has members along a line alone, and its points lie on that line.
`python3 tests/python_studies.py PATH_TO_OTOK`, with OTOK_LIBRARY and PYTHONPATH set."""
import csv
import types

from cli import *

try:
    import h5netcdf  # noqa: F401
    import numpy as np
    import xarray  # noqa: F401
except ImportError as why:
    skip(f"{why}; install tests/requirements.txt")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "experiments/stability/map"))
import edge  # noqa: E402

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "experiments/stability/dakota"
ASKED = (FOLDER / "params.in").read_text()


def drive(parameters):
    results = SPACE / "results.out"
    done = subprocess.run([sys.executable, FOLDER / "driver", write("params.in", parameters), results], env=ENV, capture_output=True, text=True)
    check(done.returncode == 0, f"exit {done.returncode}: {done.stderr}")
    return results.read_text()


check(f"```\n{drive(ASKED)}```" in (FOLDER / "README.md").read_text(), f"not as README shows: {drive(ASKED)}")
names = [line.split()[1] for line in drive(ASKED.replace("1 ASV_1:stable", "1 ASV_1:ledger_rain").replace("1 ASV_2", "0 ASV_2")).splitlines()]
check(names == ["ledger_rain", "roughness"], f"other responses: {names}")
check(drive(ASKED.replace("1.000000000000000e-01", "3.0")).split()[0] == f"{0:.16e}", "a member beyond its limit is stable")
for what, old, new, why in (("refused", "1.000000000000000e-01", "-1", "out of range"), ("unknown variable", " dt\n", " step\n", "step"),
                            ("unknown response", "ASV_3:roughness", "ASV_3:height", "height"), ("no value", "ASV_3:roughness", "ASV_3:growth", "no value"),
                            ("cut", ASKED, "3 variables\n", "functions")):
    found = drive(ASKED.replace(old, new))
    check(found.startswith("fail\n") and why in found, f"{what}: {found}")


def theory(source, *_, **__):
    """The verdicts of a study's members by S < 1/4, in place of a study."""
    rows = list(csv.DictReader(open(source["design"]["file"])))
    S = [9.81 * float(row["phases.water.hydraulic.dt"]) ** 2 * float(row["phases.water.hydraulic.pipe_area"]) for row in rows]
    return types.SimpleNamespace(verdict_word=types.SimpleNamespace(values=["stable" if s < 0.25 else "chattering" for s in S]))


edge.otok = types.SimpleNamespace(study=theory)
known = edge.refine("still.yaml", SPACE / "edge")
dt, area = (np.array([edge.value(axis, at) for at in range(edge.SIDE + 1)]) for axis in edge.AXES)
right = 9.81 * dt[:, None] ** 2 * area < 0.25
seen = known != edge.UNKNOWN
check(((known == edge.STABLE) == right)[seen].all(), "a member at another place than its own")
for axis in (0, 1):  # of all pairs of neighbours, those on both sides of the line are known
    pairs = np.diff(right.astype(int), axis=axis) != 0
    check((np.take(seen, range(edge.SIDE), axis) & np.take(seen, range(1, edge.SIDE + 1), axis))[pairs].all(), "the line has gaps")
check(81 < seen.sum() < seen.size / 15, f"{seen.sum()} members")
finish()
