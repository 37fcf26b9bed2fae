"""Claim: the Python package gives the bits that the program gives, from arrays of numpy too; its structures are those of otok.h; its
failures have the library's texts; a field is shared without a copy (on a GPU: python_gpu.py); Ctrl-C ends a run after an iteration; all of it has
hints, words and a bar; its documents' examples run. `python3 tests/python_package.py PATH_TO_OTOK C_COMPILER`, with OTOK_LIBRARY and PYTHONPATH set."""
import contextlib
import ctypes
import doctest
import importlib
import importlib.util
import inspect
import io
import signal
import sys
import threading
import warnings

CC = sys.argv.pop(2)
from cli import *

with needed():
    import h5py
    import numpy as np
    import xarray as xr

import otok as package
from otok import _library, loan


ROOT = pathlib.Path(__file__).resolve().parent.parent
os.environ["OTOK_PROGRAM"] = OTOK

LONG = {"otok": 1, "grid": {"nx": 256, "ny": 256}, "base": [{"cone": {"height": 50, "radius": 90}}],
        "phases": [{"name": "rain", "iterations": 10**9, "rain": {"rate": 1e-3}, "hydraulic": {"dt": 0.1}}]}

# ---- structures ----
pairs = {"Grid": "otok_grid", "FieldInfo": "otok_field_info", "Look": "otok_look", "Scale": "otok_scale", "LedgerEntry": "otok_ledger_entry", "LayerLedger": "otok_layer_ledger",
         "Limit": "otok_limit", "Site": "otok_site", "Loan": "otok_loan", "Progress": "otok_progress", "RunOptions": "otok_run_options",
         "StudyProgress": "otok_study_progress", "StudyOptions": "otok_study_options", "VerdictEdge": "otok_verdict_edge", "Diagnosis": "otok_diagnosis", "Island": "otok_island", "VerdictWords": "otok_verdict_words", "DerivedFrom": "otok_derived_from", "AxisAbout": "otok_axis_about", "Ledger": "otok_ledger"}
lines = [f'printf("{ours} %zu", sizeof({theirs}));' + "".join(f'printf(" %zu", offsetof({theirs}, {name}));' for name, _ in getattr(_library, ours)._fields_)
         + 'puts("");' for ours, theirs in pairs.items()]
lines.append('printf("constants %d %d %d %d %d %d %d\\n", OTOK_NAME_SIZE, OTOK_MAX_LAYERS, OTOK_LIMITS, OTOK_VERDICTS, OTOK_STOP_NOW, OTOK_DIAGNOSIS_SIZE, OTOK_VALUE_SIZE);')
source = write("sizes.c", "#include <otok.h>\n#include <stdio.h>\nint main(void) {" + "\n".join(lines) + "return 0;}\n")
subprocess.run([CC, f"-I{ROOT / 'src'}", source, "-o", SPACE / "sizes"], check=True)
for line in subprocess.run([SPACE / "sizes"], capture_output=True, text=True, check=True).stdout.splitlines():
    name, *numbers = line.split()
    if name == "constants":
        ours = [_library.NAME_SIZE, _library.MAX_LAYERS, _library.LIMITS, _library.VERDICTS, _library.STOP_NOW, _library.DIAGNOSIS_SIZE, _library.VALUE_SIZE]
    else:
        kind = getattr(_library, name)
        ours = [ctypes.sizeof(kind)] + [getattr(kind, member).offset for member, _ in kind._fields_]
    check(ours == list(map(int, numbers)), f"{name}: {ours}, in C {numbers}")

# ---- examples of the documents ----
for path in sorted((ROOT / "src/python/otok").glob("*.py")):
    module = importlib.import_module("otok" if path.stem == "__init__" else f"otok.{path.stem}")
    found = doctest.testmod(module)
    check(found.failed == 0, f"{module.__name__}: {found}")
    check(found.attempted or path.stem in ("_library", "history"), f"{module.__name__} has no example")

# ---- hints and words ----
for name in package.__all__:
    thing = getattr(package, name)
    check(inspect.getdoc(thing), f"{name} has no words")
    parts = {f"{name}.{key}": part for key, part in vars(thing).items() if not key.startswith("_")} if inspect.isclass(thing) else {name: thing}
    for key, part in parts.items():
        call = part.fget if isinstance(part, property) else part
        if not inspect.isfunction(call):
            continue
        takes = inspect.signature(call)
        bare = [p.name for p in takes.parameters.values() if p.name != "self" and p.annotation is p.empty]
        check(not bare and takes.return_annotation is not takes.empty, f"{key}: no hint for {bare or 'what it returns'}")
        check(call.__doc__, f"{key} has no words")
if importlib.util.find_spec("mypy"):
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--cache-dir", "/dev/null", ROOT / "src/python/otok"],
                          capture_output=True, text=True)
    check(done.returncode == 0, f"mypy: {done.stdout}{done.stderr}")
else:
    print("no mypy: nobody checked the hints")

# ---- a bar ----
said = io.StringIO()
with contextlib.redirect_stderr(said), package.Simulation(LONG, backend=BACKEND) as short:
    try:
        short.run(12, progress=True)
        check("12/12" in said.getvalue(), f"the bar: {said.getvalue()}")
    except package.Error as why:
        check(str(why) == "progress needs tqdm; pip install tqdm" and not importlib.util.find_spec("tqdm"), str(why))

# ---- the bits of the program ----
text = ISLAND.replace("iterations: 400", "iterations: 60").replace("iterations: 500", "iterations: 40").replace("250", "60")
scenario = write("isle.yaml", text)
isle = package.Scenario(scenario)
check(isle.shape == (64, 96) and isle.phases == ["erosion", "seabed", "reef"] and isle.iterations == 120 and isle.spacing == 8, repr(isle))
y, x = np.mgrid[0:64, 0:96]
water = np.exp(-((x - 40) ** 2 + (y - 30) ** 2) / 90.0)  # float64: rounded to float32 once, as the file is
with h5py.File(SPACE / "water.h5", "w") as f:
    f["water"] = water
begun = write("begun.yaml", text.replace("base:", "initial: {file: water.h5}\nbase:"))
told = run(begun, SPACE / "begun", "-q")
with package.Simulation(isle, backend=BACKEND) as sim:
    sim["water"] = water
    check(sim.run(7) == 7 and sim.run() == 113 and sim.run(5) == 0, "iterations run")
    check(sim.fingerprint == fingerprint(told.stdout), f"numpy: {sim.fingerprint}, the program {fingerprint(told.stdout)}")
    with h5py.File(checkpoints(SPACE / "begun")[-1]) as f:
        for name in sim.fields:
            check(np.array_equal(sim[name], f[name][...]), f"{name} is not what the program gives")
        for name, value in sim.ledger.items():
            check(value == f.attrs[f"ledger_{name}"], f"ledger {name}: {value}, not {f.attrs[f'ledger_{name}']}")
    check(sim.phase == "end", sim.phase)

# ---- save, load, change ----
one = package.Simulation(isle, backend=BACKEND)
one.run(30)
one.save(SPACE / "middle.vtkhdf")
one.run()
two = package.Simulation(isle, backend=BACKEND)
two.load(SPACE / "middle.vtkhdf")
check(two.iteration == 30, f"iteration {two.iteration}")
two.change("phases.erosion.rain.rate", 0.02)
two.run()
three = package.Simulation(package.Scenario(scenario, {"grid.nx": 96}, phases__erosion__rain__rate=0.005), backend=BACKEND)
three.run()
check(one.fingerprint == three.fingerprint != two.fingerprint, "restart, --set, change")

# ---- the verdict ----
rough = {"otok": 1, "grid": {"nx": 40, "ny": 32, "spacing": 2}, "base": [{"simplex": {"amplitude": 8, "wavelength": 40}}],
         "phases": [{"name": "rain", "iterations": 600, "rain": {"rate": 0.005}, "hydraulic": {"dt": 0.3, "pipe_area": 20, "capacity": 0}}]}
for name, source in (("isle", isle), ("rough", rough)):
    path = write(f"verdict_{name}.yaml", package.Scenario(source).text)
    told = otok("run", path, "-o", SPACE / f"verdict_{name}", "--backend", BACKEND)
    with package.Simulation(source, BACKEND) as sim, package.Simulation(source, BACKEND, watch=False) as bare:
        check(sim.verdict.word == "none" and sim.verdict.samples == 0 and "no iteration" in str(sim.verdict), repr(sim.verdict))
        for _ in range(3):
            sim.run(17)
        check(sim.verdict.samples == 1, f"a sample of the present state: {sim.verdict}")
        sim.run()
        bare.run()
        found = sim.verdict
        check(str(found) in package.errors.in_python(told.stderr) and found.word in str(found) and found.remedy in str(found), f"{name}: {found}, otok run: {told.stderr}")
        check(sim.fingerprint == bare.fingerprint == fingerprint(told.stdout), "watched: other bits")
        raises(package.UsageError, "Simulation(scenario, watch=True)", lambda: bare.verdict)
        sim.save(SPACE / "verdict.vtkhdf")
    with h5py.File(SPACE / "verdict.vtkhdf") as f, h5py.File(checkpoints(SPACE / f"verdict_{name}")[-1]) as g:
        check(f.attrs["otok_verdict"] == g.attrs["otok_verdict"] == found.word.encode(), "saved: another verdict")
        check(np.array_equal(f.attrs["otok_audit"], g.attrs["otok_audit"], equal_nan=True), "saved: another audit")
        check(np.array_equal(f.attrs["otok_audit"], list(found.audit.values()), equal_nan=True), f"{found.audit}")
check(found.word == "chattering" and found.cells > 0 and found.cell and found.first and "lower dt" in found.remedy, repr(found))
raises(package.UsageError, "the simulation is closed", lambda: sim.verdict)

# ---- arrays that know their axes and units ----
lines = {"y": np.arange(64) * 8 + 4.0, "x": np.arange(96) * 8 + 4.0}
known = xr.DataArray(water, lines, ("y", "x"), attrs={"units": "m"})
with package.Simulation(isle, backend=BACKEND) as sim:
    sim["water"] = known
    check(np.array_equal(sim.get("water"), water.astype("f4")), "a DataArray")
    for wrong, said in ((known[::-1], 'values.sortby("y")'), (known[:, ::-1], 'values.sortby("x")'), (known.T, 'values.transpose(..., "y", "x")'),
                        (known.assign_attrs(units="mm"), "is in `mm`, the field in `m`"), (water * 1j, "complex numbers"),
                        (water.astype("m8[s]"), "no numbers"), (water.astype("M8[D]"), "no numbers"), (water.astype(str), "no numbers")):
        raises(package.DataError, said, lambda: sim.set("water", wrong))
        raises(package.DataError, said, lambda: package.run({**rough, "initial": {"water": wrong}}, SPACE / "wrong", backend=BACKEND))
    sim["water"] = known.T.transpose(..., "y", "x").sortby("y")
    check(np.array_equal(sim.get("water"), water.astype("f4")), "the remedy")

# ---- whole runs and studies ----
files = package.run(isle, SPACE / "whole", backend=BACKEND)
check(otok("inspect", files[-1]).stdout.count(one.fingerprint), "run: another fingerprint")
try:
    package.run(isle, SPACE / "whole", backend=BACKEND)
    check(False, "a run over checkpoints")
except package.UsageError as why:
    check("continue them with resume=True, replace them with overwrite=True, or choose another directory" in str(why) and "--" not in str(why), str(why))
try:
    package.study({"study": 1, "scenario": isle, "vary": {"phases.erosion.rain.rate": {"values": [0.001]}}})
    check(False, "a study without a design")
except package.DataError as why:
    check(str(why).startswith("study.yaml:1: `design` is missing"), str(why))
for wrong in (-1, 1.5, "3"):
    try:
        package.Simulation(isle, backend=BACKEND).run(wrong)
        check(False, f"{wrong!r} iterations were run")
    except package.UsageError as why:
        check("give a whole number" in str(why), str(why))
table = package.study({"study": 1, "scenario": str(scenario), "design": {"kind": "grid", "points": 2},
                       "vary": {"phases.erosion.rain.rate": {"from": 0.001, "to": 0.005}}}, SPACE / "study", backend=BACKEND)
check(isinstance(table, xr.Dataset) and table.sizes["member"] == 2 and table.rate.values.tolist() == [0.001, 0.005], str(table))

# ---- every iteration of a run ----
from otok.history import OtokBackend

every = write("every.yaml", text.replace("every: 100", "every: 50"))
package.run(every, SPACE / "every", backend=BACKEND)
stored = {int(path.stem[-8:]): path for path in checkpoints(SPACE / "every")}
check(sorted(stored) == [0, 50, 100, 120], f"stored: {sorted(stored)}")
between = package.Simulation(every, BACKEND)
for source in (SPACE / "every", every):
    history = xr.open_dataset(source, engine=OtokBackend, backend=BACKEND)
    check(dict(history.sizes) == {"time": 121, "y": 64, "x": 96} and history.water.attrs["units"] == "m", str(history))
    for n in (120, 0, 50, 77):  # backwards too
        if n in stored:
            with xr.open_dataset(stored[n], engine="h5netcdf") as kept:
                check(np.array_equal(history.water[n], kept.water) and np.array_equal(history.reef[n], kept.reef), f"{source.name}: iteration {n}")
                check(abs(float(history.time[n]) - float(kept.time)) < 1e-12, f"time of {n}: {float(history.time[n])}")
    found = history.terrain.isel(time=[77, 3, 77], x=slice(10, 20), y=5).values
    between.close()
    between = package.Simulation(every, BACKEND)
    between.run(3)
    early = between["terrain"][5, 10:20]
    between.run(74)
    check(np.array_equal(found, [between["terrain"][5, 10:20], early, between["terrain"][5, 10:20]]), f"{source.name}: what was not stored")
between.run()
between_last = between.fingerprint
for wrong in (0, -1, 2.5):
    raises(package.UsageError, f"every={wrong}", lambda: xr.open_dataset(every, engine=OtokBackend, every=wrong))
few = xr.open_dataset(every, engine=OtokBackend, backend=BACKEND, every=50, drop_variables=["water"])
check(few.iteration.values.tolist() == [0, 50, 100, 120] and "water" not in few and few.carbon.sel(time=few.time[-1]).shape == (64, 96), str(few))

check(str(few.fingerprint.values[-1]) == between_last and abs(float(few.ledger_water[-1])) > 0, f"{few.fingerprint.values[-1]}, not {between_last}")
one_file = xr.open_dataset(stored[50], engine=OtokBackend, backend=BACKEND, verify=True)
check(np.array_equal(one_file.terrain[77], xr.open_dataset(every, engine=OtokBackend, backend=BACKEND).terrain[77]), "from one checkpoint")
xr.open_dataset(SPACE / "every", engine=OtokBackend, backend=BACKEND, verify=True).water[77].load()
forged = SPACE / "forged"  # the next checkpoint is of another run: what is computed between cannot be its past
package.run(package.Scenario(every, {"phases.erosion.hydraulic.capacity": 0.7}), forged, backend=BACKEND)
for path in checkpoints(forged):
    if not path.stem.endswith("00000100"):
        path.unlink()
for n in (0, 50, 120):
    shutil.copy(stored[n], forged / f"every_{n:08d}.vtkhdf")
try:
    xr.open_dataset(forged, engine=OtokBackend, backend=BACKEND, verify=True).water[77].load()
    check(False, "states between checkpoints that are not of one run")
except package.DataError as why:
    check("every_00000100.vtkhdf: the state computed again from the checkpoint before has the fingerprint" in str(why), str(why))

# ---- what differs between checkpoints, along time ----
kept = xr.open_mfdataset([stored[n] for n in sorted(stored)], engine="h5netcdf", preprocess=package.by_time, combine="nested", concat_dim="time")
alone = {n: xr.open_dataset(path, engine="h5netcdf").attrs for n, path in stored.items()}
check(kept.iteration.values.tolist() == sorted(stored) and kept.ledger_rain.attrs["units"] == "m3" and kept.deepest_water.attrs["units"] == "m", str(kept))
for name in {name for a in alone.values() for name in a if len({str(b.get(name)) for b in alone.values()}) > 1}:
    along = kept[name.replace("otok_", "")]
    check(along.dims[0] == "time" and [str(v) for v in along.values] == [str(alone[n][name]) for n in sorted(stored)], f"{name} along time")
check(len(set(kept.fingerprint.values)) == 4 and kept.deepest_water[0] == 0 < kept.deepest_water[3], str(kept.deepest_water.values))
moved = "terrain_change_without_reef"
check(np.array_equal(kept[moved], kept.terrain_change - kept.reef) and kept[moved].attrs["units"] == "m" and float(kept.reef.max()) > 0, "without the reef")
computed = xr.open_dataset(SPACE / "every", engine=OtokBackend, backend=BACKEND)[moved]
check(np.array_equal(computed[120], kept[moved][3]) and computed.attrs == kept[moved].attrs, "without the reef, computed again")
plain = xr.open_mfdataset([stored[n] for n in sorted(stored)], engine="h5netcdf", combine="nested", concat_dim="time")
check(plain.fingerprint.values.tolist() == kept.fingerprint.values.tolist() and np.array_equal(plain.ledger_rain, kept.ledger_rain), "without preprocess")
check({"verdict", "verdict_iterations", "date_created"} <= set(kept) and kept.verdict.values[-1] == alone[120]["otok_verdict"], str(kept))
strata = {"otok": 1, "grid": {"nx": 8, "ny": 8}, "base": [{"constant": {"height": 9}}],
          "layers": [{"name": "soil", "thickness": 2, "talus": 30}, {"name": "rock", "talus": 60}],
          "phases": [{"name": "a", "iterations": 2, "thermal": {"talus": 30}}]}
layered = [package.by_time(xr.open_dataset(path, engine="h5netcdf")) for path in package.run(strata, SPACE / "strata", backend=BACKEND)]
eroded = xr.concat(layered, "time").ledger_layer_eroded
check(eroded.sizes == {"time": 2, "layer": 2} and eroded.layer.values.tolist() == ["soil", "rock"], str(eroded))

# ---- every iteration of every member of a study ----
with h5py.File(SPACE / "study" / "study.h5") as f:
    check(f.attrs.get("history") == b"otok study", f"history: {f.attrs.get('history')}")
members = xr.open_dataset(SPACE / "study" / "study.h5", engine=OtokBackend, backend=BACKEND, every=40)
check(dict(members.sizes) == {"member": 2, "iteration": 4, "y": 64, "x": 96} and members.rate.values.tolist() == [0.001, 0.005], str(members))
alone = package.Simulation(package.Scenario(scenario, {"phases.erosion.rain.rate": 0.001}), backend=BACKEND)
alone.run(80)
check(np.array_equal(members.water.sel(member=0, iteration=80), alone["water"]), "a member's iteration 80")
check(str(members.fingerprint[0, 3].values) == str(table.fingerprint[0].values), "a member's end")
single = xr.open_dataset(SPACE / "study" / "study.h5", engine=OtokBackend, backend=BACKEND, member=1)
check(single.sizes["time"] == 121 and np.array_equal(single.reef[120], members.reef[1, 3]), str(single))
still = "otok: 1\naudit: off\ngrid: {nx: 6, ny: 4}\ninitial: {water: 1}\nphases: [{name: a, iterations: 3, hydraulic: {}}, {name: b, iterations: 2, hydraulic: {}}]"
mixed = {f"phases.{phase}.hydraulic.{key}": values for key, values in (("pipes", ["one_way", "signed", "one_way"]), ("dt", [0.01, 0.02, -1.0])) for phase in "ab"}
mixed["initial.water"] = [1, 2, 1]
words = package.study(still, SPACE / "mixed", members=mixed, backend=BACKEND).verdict_word.values.tolist()
mixed = xr.open_dataset(SPACE / "mixed/study.h5", engine=OtokBackend, backend=BACKEND)
check(np.isfinite(mixed.outflow_left.sel(iteration=4)).all(("x", "y")).values.tolist() == [True, False, False], "fields that some members lack")
check(mixed.initial_water.values.tolist() == [1, 2, 1] and mixed.water.sel(iteration=4).isnull().any(("x", "y")).values.tolist() == [False, False, True], "water, and a refused member")
check(mixed.phases_a_hydraulic_dt.values.tolist() == [0.01, 0.02, -1] and mixed.verdict_word.values.tolist() == words, "two axes of one name")
raises(package.DataError, "", lambda: xr.open_dataset(SPACE / "mixed/study.h5", engine=OtokBackend, backend=BACKEND, member=2))
with h5py.File(SPACE / "study" / "study.h5", "a") as f:
    f["fingerprint"][1] = b"0" * 16
try:
    xr.open_dataset(SPACE / "study" / "study.h5", engine=OtokBackend, backend=BACKEND, member=1).water[120].load()
    check(False, "an end that the table does not know")
except package.DataError as why:
    check("the state computed again has the fingerprint" in str(why), str(why))

# ---- a verdict that is told, what a mapping has, and maps of xarray ----
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    package.run(rough, SPACE / "warned", backend=BACKEND)
check(any("verdict: chattering" in str(note.message) for note in said), f"{[str(note.message) for note in said]}")
state = one.to_xarray()
check(one.get("lava", None) is None and [name for name, _ in one.items()] == one.fields, "items")
check(package.derived(one).slope.equals(package.derived(state).slope), "derived from a simulation")
check(state.attrs["otok_fingerprint"] == state.fingerprint.item() == one.fingerprint and state.ledger_water.item() == one.ledger["water"] and state.sea_level.item() == one.sea_level, f"{state}")
raises(package.DataError, "water: its x goes from", lambda: one.set("water", state.water.assign_coords(x=2 * state.x)))
listed = package.Simulation({"otok": 1, "grid": {"nx": 3, "ny": 2}, "initial": {"terrain": [[1, 2, 3], [4, 5, 6]]}}, backend=BACKEND)
check(listed["terrain"].tolist() == [[1, 2, 3], [4, 5, 6]], "a map from lists")
check(package.column.of and package.history.OtokBackend is OtokBackend, "modules by their names")

# ---- failures have the library's texts ----
for kind, said, call in (
    (package.DataError, "scenario.yaml:1: phases.a.hydralic: unknown key", lambda: package.Scenario("otok: 1\nphases: [{name: a, hydralic: {}}]".replace("\n", ", ").join("{}"))),
    (package.ReadError, "nowhere.yaml", lambda: package.Scenario(SPACE / "nowhere.yaml")),
    (package.DataError, "dt=0.2: dt: unknown key", lambda: package.Scenario(isle, dt=0.2)),
    (package.UsageError, "no item", lambda: package.Scenario(scenario, phases__9__iterations=1)),
    (package.UsageError, "backend", lambda: package.Simulation(isle, backend="abacus")),
    (package.UsageError, "lava: not a field of this simulation, which has terrain_base,", lambda: one["lava"]),
    (package.UsageError, "use sim.get", lambda: one.lend("terrain")),
    (package.DataError, "water: nan in cell (0, 0); allowed: finite numbers", lambda: one.set("water", np.nan)),
    (package.DataError, "wetness[0] is 300", lambda: one.set("wetness", 300)),
    (package.UsageError, "the simulation is closed", lambda: sim.iteration),
    (package.DataError, "not a checkpoint", lambda: one.load(scenario)),
    (ValueError, "", lambda: package.Scenario("otok: 2\n")),
):
    try:
        call()
        check(False, f"no failure: {said}")
    except kind as why:
        check(said in str(why) and "--" not in str(why), f"{why!r}, not {said}")

# ---- a field without a copy ----
shared = np.asarray(one.lend("water"))
check(shared.__array_interface__["data"][0] == one.lend("water")._take().data and shared.shape == (64, 96), "the view is elsewhere")
check(np.shares_memory(shared, np.from_dlpack(one.lend("water"))) and np.array_equal(shared, one["water"]), "DLPack copies")
shared[5, 6] = 2.5
check(one["water"][5, 6] == 2.5 and not np.shares_memory(shared, one["water"]), "a change through the view is lost")


class Elsewhere(package.Loan):  # as on a GPU
    def _take(self):
        found = super()._take()
        found.device, found.stream = 0, 0x1234
        return found


far = Elsewhere(one, _library.library.otok_field_find(b"water"))
check(far.__dlpack_device__() == (2, 0) and far.__cuda_array_interface__["stream"] == 0x1234, "not as on a GPU")
check(far.__cuda_array_interface__["strides"][1] == 4 and not hasattr(far, "__array_interface__"), "its interface")
capsule = far.__dlpack__()
check(len(loan._lent) == 1, "nothing lent")
del capsule
check(not loan._lent, "a capsule that nobody took keeps the simulation")
capsule = far.__dlpack__()
tensor = ctypes.cast(loan._pointer(id(capsule), b"dltensor"), ctypes.POINTER(loan._Tensor)).contents
check((ctypes.c_int64 * 2).from_address(tensor.shape)[:] == [64, 96] and tensor.bits == 32 and tensor.ndim == 2, "the tensor's shape")
try:
    raise KeyError
except KeyError:  # as a consumer does
    tensor.deleter(ctypes.addressof(tensor))
check(not loan._lent, "given back, and still lent")
ctypes.pythonapi.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
ctypes.pythonapi.PyCapsule_SetName(capsule, b"used_dltensor")
del capsule, tensor

# ---- other threads go on; Ctrl-C ends a run ----
busy, beats, ended = package.Simulation(LONG, backend=BACKEND), [0], threading.Event()


def beat():
    while not ended.is_set():
        beats[0] += 1
        time.sleep(0.001)


thread = threading.Thread(target=beat)
thread.start()
status = _library.library.otok_sim_run(busy._owner.at, 60)  # one call of the library
seen = beats[0]
ended.set()
thread.join()
check(status == 0 and seen > 5, f"another thread came {seen} times while a call ran")
busy.close()

program = f"""
import otok, signal, sys
sim = otok.Simulation({LONG!r}, backend="cpu")
print("begun", flush=True)
try:
    sim.run() if sys.argv[1] == "sim" else otok.run({{**{LONG!r}, "output": {{"every": 0}}}}, sys.argv[2], backend="cpu")
except KeyboardInterrupt:
    n = sim.iteration
    print("interrupted", n, sim.run(2), sim.iteration - n, sim.ledger["not_finite"] if "not_finite" in sim.ledger else 0, flush=True)
"""
for what in ("sim", "run"):
    child = subprocess.Popen([sys.executable, "-c", program, what, str(SPACE / "interrupted")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                             env={**ENV, "PYTHONPATH": os.environ["PYTHONPATH"], "OTOK_LIBRARY": os.environ["OTOK_LIBRARY"]})
    child.stdout.readline()
    if what == "run":
        wait_for(lambda: (SPACE / "interrupted").exists() and checkpoints(SPACE / "interrupted"))
    time.sleep(1)
    child.send_signal(signal.SIGINT)
    out, said = child.communicate(timeout=LIMIT)
    words = out.split()
    check(words[:1] == ["interrupted"] and words[2:4] == ["2", "2"], f"{what}: {out} {said}")
    check(what == "run" or int(words[1]) > 0, f"{what}: {out}")
check(len(checkpoints(SPACE / "interrupted")) == 2, f"{checkpoints(SPACE / 'interrupted')}, {said}")

# ---- a picture ----
try:
    with warnings.catch_warnings(record=True) as said:
        picture = package.render(one, style="water", size=(160, 120), elevation=30, shadows=False)
    check(len(said) == 1 and "size 160x120 has no room beside the map: no legend" in str(said[0].message), [str(w.message) for w in said])
    check(picture.size == (160, 120) and np.asarray(picture).shape[:2] == (120, 160) and np.asarray(picture).std() > 5, "the picture")
    picture.save(SPACE / "view.png")
    raises(package.UsageError, "style wet: no such style; the nearest is `water`, and `otok render --help` lists all",
           lambda: package.render(one, style="wet"))
except package.Error as why:
    check("this build" in str(why) or "EGL" in str(why), f"no picture: {why}")
finish("the package gives the program's bits, from numpy too")
