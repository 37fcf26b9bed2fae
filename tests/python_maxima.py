"""Claim: the running maxima of `maxima` are those of a run that is looked at after every iteration, bit for bit: greatest depth, level, speed, and depth
times speed; arrival, time of the greatest depth and duration are as counted here; over phases, steps of several lengths, walls and moving ground. A
restart goes on with them, they change no other field, and files, responses, export and derived fields have them.
`python3 tests/python_maxima.py PATH_TO_OTOK`, with OTOK_LIBRARY and PYTHONPATH set."""
from cli import *

with needed():
    import h5netcdf  # noqa: F401
    import numpy as np
    import xarray as xr
import otok as package

HEAD = ("otok: 1\nseed: 5\naudit: off\ngrid: {nx: 40, ny: 32, spacing: 2}\nedges: {right: open}\n"
        "base: [{simplex: {octaves: 3, amplitude: 6, wavelength: 30}}, {constant: {height: -40, combine: add}}]\n%sphases:\n")
FLOOD = "rain: {rate: 36 mm/h, during: [[%d, %d]]}, rivers: [{x: 20, y: 30, radius: 4, discharge: %g}], hydraulic: {dt: %g, law: %s%s}"
KEPT = "maxima: {speed: true, times: true, arrival_depth: 0.05, duration_depth: 0.2}"
f = np.float32
cases = {
    "local inertia": [(40, FLOOD % (0, 20, 3, 0.2, "local_inertia", ", manning: 0.03")), (20, FLOOD % (5, 9, 0.5, 0.1, "local_inertia", ""))],
    "shallow water": [(40, FLOOD % (0, 20, 3, 0.1, "shallow_water", ", manning: 0.03, dissolve: 0.3, deposit: 0.3"))],
    "published": [(40, FLOOD % (0, 20, 3, 0.05, "published", ", dissolve: 0.3, deposit: 0.3"))],
    "published, advected": [(30, FLOOD % (0, 20, 3, 0.05, "published", ", transport: semi_lagrangian, diffusion_sweeps: 1"))],
    "courant, a step an iteration": [(120, FLOOD % (0, 20, 3, 0.05, "local_inertia", ", courant: 0.9, manning: 0.03"))],
}


def scenario(phases: list, kept: str, more: str = "") -> str:
    return HEAD % more + "".join(f"  - {{name: p{n}, iterations: {iterations}, {keys}{kept and ', ' + kept}}}\n" for n, (iterations, keys) in enumerate(phases))


def same(a, b) -> bool:
    return a.dtype == b.dtype and np.array_equal(a.view(np.uint32), b.view(np.uint32))


def maps(sim, names: tuple) -> dict:
    """Fields of a simulation, derived ones too."""
    state = package.derived(sim.to_xarray())
    return {name: np.asarray(state[name].values, f).reshape(sim["water"].shape) for name in names}


def counted(text: str) -> tuple:
    """The maxima of a run without them, looked at after every iteration."""
    with package.Simulation(text, "cpu") as sim:
        shape = sim["water"].shape
        depth, speed, product, duration = (np.zeros(shape, f) for _ in range(4))
        level, arrival, when = (np.full(shape, np.nan, f) for _ in range(3))
        for _ in range(sim.iterations):
            begin = f(sim.time)
            sim.run(1)
            end, now = f(sim.time), maps(sim, ("water", "speed", "water_surface"))
            d, v, surface = now.values()
            wet = d > 0
            level = np.where(wet & ~(level >= surface), surface, level)
            when = np.where(d > depth, end, when)
            depth = np.maximum(depth, d)
            speed = np.where(wet, np.maximum(speed, v), speed)
            product = np.where(wet, np.maximum(product, v * d), product)
            arrival = np.where(np.isnan(arrival) & (d >= f(0.05)), end, arrival)
            duration = np.where(d >= f(0.2), duration + (end - begin), duration)
        return {"max_depth": depth, "max_level": level, "max_speed": speed, "max_depth_speed": product, "arrival": arrival, "max_depth_time": when,
                "duration": duration}, sim.fingerprint, {name: sim[name] for name in ("terrain", "water", "velocity_x", "sediment")}


for name, phases in cases.items():
    wanted, _, state = counted(scenario(phases, ""))
    with package.Simulation(scenario(phases, KEPT), "cpu") as sim:
        sim.run()
        kept = maps(sim, tuple(wanted))
        for field, values in wanted.items():
            check(same(kept[field], values), f"{name}: {field} differs in {np.sum(kept[field].view(np.uint32) != values.view(np.uint32))} cells")
        for field, values in state.items():
            check(same(sim[field], values), f"{name}: maxima change {field}")
        check((kept["max_depth"] > 0.2).any() and np.isnan(kept["arrival"]).any() and len(np.unique(kept["duration"])) > 3, f"{name}: nothing to see")
        check(np.nanmin(kept["max_level"]) < 0, f"{name}: no level below 0")
        check(0 < kept["duration"].max() <= f(sim.time), f"{name}: flooded for {kept['duration'].max()} s of {sim.time}")

# ---- iterations of many steps of water: each step counts ----
phases = [(20, FLOOD % (0, 20, 3, 1, "local_inertia", ", courant: 0.5, manning: 0.03"))]
seen, _, _ = counted(scenario(phases, ""))
with package.Simulation(scenario(phases, KEPT), "cpu") as sim:
    sim.run()
    kept = maps(sim, tuple(seen))
    for field in ("max_depth", "max_speed", "max_depth_speed"):
        check((kept[field] >= seen[field]).all() and (kept[field] > seen[field]).any(), f"{field} is that of iterations")
    check((kept["arrival"] <= seen["arrival"])[~np.isnan(seen["arrival"])].all() and (kept["arrival"] < seen["arrival"]).any(), "arrivals of iterations")

# ---- the same run in two parts ----
phases = cases["local inertia"]
whole = SPACE / "whole"
path, parted = write("maxima.yaml", scenario(phases, KEPT, "output: {every: 30}\n")), SPACE / "parted"
run(path, whole, "--backend", "cpu", "-q")
middle = checkpoints(whole)[1]
with package.Simulation(scenario(phases, KEPT, "output: {every: 30}\n"), "cpu") as sim:
    sim.load(middle)
    sim.run()
    last = xr.open_dataset(checkpoints(whole)[-1], engine="h5netcdf")
    for field in ("max_depth", "peak_level", "max_speed", "max_depth_speed", "arrived", "peaked", "duration"):
        check(field in last and same(np.asarray(last[field].values, f).reshape(sim[field].shape), sim[field]), f"a restart changes {field}")

# ---- files, responses, export ----
file = checkpoints(whole)[-1]
for field in ("max_depth", "peak_level", "max_speed", "max_depth_speed"):
    check(last[field].attrs.get("cell_methods") == "time: maximum" and "units" in last[field].attrs, f"{field}: {last[field].attrs}")
check("cell_methods" not in last.water.attrs, "water is no maximum")
for expression, number in (("max(max_depth)", float(last.max_depth.max())), ("max(max_level)", float(np.nanmax(package.derived(last).max_level.values)))):
    asked = float(otok("inspect", "--response", expression, file).stdout)
    check(abs(asked - number) < 1e-5, f"{expression} is {asked}, not {number}")
for field in ("max_depth", "max_level", "arrival"):
    out = SPACE / f"{field}.asc"
    done = otok("export", file, "-o", out, "--field", field)
    check(done.returncode == 0 and out.exists(), done.stderr)
rows = (SPACE / "arrival.asc").read_text().split("\n")
void = next(line.split()[1] for line in rows if line.lower().startswith("nodata"))
values = np.array([[float(word) for word in line.split()] for line in rows if line and line[0] in "-0123456789"])[::-1]
check(np.array_equal(values == float(void), np.isnan(package.derived(last).arrival.values.reshape(values.shape))), "no data of an export")

# ---- mistakes ----
for keys, words in (("maxima: {times: true}", "water that flows"), ("hydraulic: {}, maxima: {arrival_depth: 0}", "arrival_depth"),
                    ("hydraulic: {}, maxima: {level: true}", "level"), ("hydraulic: {}, maxima: {arrival_depth: 0.1}", "wrong.yaml:8: phases.p.maxima.arrival_depth"),
                    ("hydraulic: {}, maxima: {speed: true, duration_depth: 1 ft}", "add `times: true`")):
    wrong = otok("run", write("wrong.yaml", HEAD % "" + f"  - {{name: p, iterations: 2, {keys}}}\n"), "--dry-run", code=65)
    check(words in wrong.stderr, f"{keys}: {wrong.returncode} {wrong.stderr}")
with package.Simulation(scenario(phases, ""), "cpu") as sim:
    check("max_depth" not in sim and "max_level" not in sim, "maxima that nobody asked for")

# ---- a change within the phase would give the maps another meaning ----
for value in ("maxima.arrival_depth, value: 0.001", "maxima.times, value: false", "maxima, value: 'off'"):
    text = HEAD % "" + f"  - {{name: p, iterations: 20, hydraulic: {{dt: 0.1}}, maxima: {{times: true}}}}\nchanges: [{{at: 10, path: phases.p.{value}}}]\n"
    done = otok("run", write("changed.yaml", text), "-o", SPACE / "changed", "--overwrite", "-q", code=None)
    check(done.returncode != 0 and "its maxima have one meaning" in done.stderr, f"{value}: {done.returncode} {done.stderr}")

# ---- thresholds as they stand in every stored text, and phases whose water does not count ----
water = "hydraulic: {dt: 0.1}"
otok("run", write("right.yaml", HEAD % "" + f"  - {{name: p, iterations: 2, {water}, maxima: {{arrival_depth: 0.05 m, duration_depth: 0.3}}}}\n"), "--dry-run", code=0)
CYCLE = f"{water}, cycle: {{times: 2, from: first}}"
for keys, told in (((water, water + ", maxima: {}"), set()), ((water + ", maxima: {}", "creep: {dt: 1}", water), {"third"}), ((water + ", maxima: {}", water, water), {"second", "third"}),
                   ((water, water + ", maxima: {}", CYCLE), {"first", "third"}), ((water, CYCLE, water + ", maxima: {}"), set())):
    path = write("told.yaml", HEAD % "" + "".join(f"  - {{name: {n}, iterations: 2, {k}}}\n" for n, k in zip(("first", "second", "third"), keys)))
    for words in (("--dry-run",), ("-o", SPACE / "told", "--overwrite")):
        shown = otok("run", path, *words, code=0)
        lines = [line for line in (shown.stdout + shown.stderr).splitlines() if "does not count in the maxima" in line]
        check({line.split("phase ")[1].split(":")[0] for line in lines} == told and len(lines) == len(told), f"{keys}: {lines}")
finish("the running maxima are those of every iteration")
