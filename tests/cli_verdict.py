"""Claim: `otok run` ends with the verdict that a study would give, in how many cells, what to do, what the audit found, and the deepest
water against what dt allows, and says when either began; with --quiet unless all is `stable`. A resumed run keeps what it found,
to the last number; inspect and the checkpoint's attributes show it. A run that is no longer finite ends with 65 and says since when; rasters without data are counted, loudly above 1 %."""
# once: under the sanitizers; it depends on no optimisation

import json

from cli import *

with needed():
    import h5py

# A river into a basin: water of half a metre, which dt 5 s does not allow and dt 0.25 s does.
BASIN = """otok: 1
grid: {nx: 32, ny: 24, spacing: 10}
base: [{cone: {height: -6, radius: 120}}]
phases:
  - name: flood
    iterations: 900
    rivers: [{x: 155, y: 115, radius: 1, discharge: 5}]
    hydraulic: {dt: 5, area: depth, manning: 0.04, pipes: signed, evaporation: 0}
output: {every: 130}
"""
NUMBERS = "judge_counts", "judge_figures", "judge_looks", "judge_amounts"


def inspect(path):
    return json.loads(otok("inspect", "--json", path).stdout)["diagnosis"]


def said(text, what):
    return [line for line in text.splitlines() if line.startswith(what)]


def judge(path):
    with h5py.File(path) as file:
        return [file["otok"].attrs[name].tobytes() for name in (*NUMBERS, "judge_receivers") if name in file["otok"].attrs]


# ---- a broken limit is said, also in a quiet run, and the exit code is 0
basin = write("basin.yaml", BASIN)
loud, quiet = run(basin, SPACE / "whole"), run(basin, SPACE / "quiet", "-q")
deep = said(loud.stderr, "deepest water")
check(len(deep) == 1 and "the limit at this dt is 0.2039 m: BROKEN, first between iterations" in deep[0], f"too deep: {loud.stderr[-900:]}")
check(len(said(loud.stderr, "verdict: ")) == 1, f"verdict: {loud.stderr[-900:]}")
diagnosis = said(loud.stderr, "verdict: ") + said(loud.stderr, "what to do: ") + said(loud.stderr, "changes with the step: ") + deep
check(len(diagnosis) == 4 and quiet.stderr.splitlines() == diagnosis, f"quiet, broken: {quiet.stderr!r}")
last = checkpoints(SPACE / "whole")[-1]
found = inspect(last)
check(found["samples"] == 5 and found["until"] == 900 and found["verdict"] in said(loud.stderr, "verdict: ")[0], f"{found}")
check(found["deepest"] > found["deepest_limit"] > 0.2 and found["too_deep"][1] - found["too_deep"][0] == 200, f"{found}")
check("\n".join(diagnosis) in otok("inspect", last).stdout, "inspect says something else")
check(diagnosis[0].endswith(": " + found["meaning"]) and diagnosis[1] == "what to do: " + found["remedy"], f"{diagnosis}, {found}")
check(f", in {found['cells']} cells, " in diagnosis[0] and "worst in cell ({}, {})".format(*found["cell"]) in diagnosis[0], diagnosis[0])
with h5py.File(last) as file:
    check(file.attrs["otok_verdict"].decode() == found["verdict"], "the attribute is another verdict")
    check(list(file.attrs["otok_verdict_cell"]) == found["cell"] and file.attrs["otok_verdict_cells"] == found["cells"] > 0, f"cells: {found}")
    # JSON has no NaN
    audit = [None if value != value else value for value in file.attrs["otok_audit"]]
    check(audit == list(found["audit"].values()) and list(found["audit"]) == ["speed", "ground", "sediment", "sweeps", "rivers"], f"audit: {audit}, {found}")
    check(file.attrs["otok_deepest_water"] == found["deepest"] and list(file.attrs["otok_verdict_iterations"]) == found["first"], "attributes")

# ---- the water first reaches its limit between the two samples that are named
for n, above in zip(found["too_deep"], (False, True)):
    run(basin, SPACE / f"until{n}", "-q", "--set", f"phases.flood.iterations={max(n, 1)}", "--set", "output.every=0")
    with h5py.File(checkpoints(SPACE / f"until{n}")[-1]) as file:
        check((file["water"][()].max() > found["deepest_limit"]) == above, f"iteration {n}: {file['water'][()].max()} m")

# ---- a kept limit is said once, and a quiet run stays quiet
kept = run(basin, SPACE / "kept", "--set", "phases.flood.hydraulic.dt=0.25")
check("verdict: stable" in kept.stderr and "what to do" not in kept.stderr and "BROKEN" not in kept.stderr and said(kept.stderr, "deepest water"), kept.stderr[-900:])
check(run(basin, SPACE / "kept", "-q", "--overwrite", "--set", "phases.flood.hydraulic.dt=0.25").stderr == "", "quiet, kept")

# ---- resumed from every checkpoint, between samples too: the same numbers
for path in checkpoints(SPACE / "whole")[:-1]:
    where = SPACE / f"from_{path.stem}"
    where.mkdir()
    shutil.copy(path, where / path.name)
    run(basin, where, "-q", "--resume")
    check(judge(checkpoints(where)[-1]) == judge(last), f"{path.name}: resumed, it found something else")
check(run(basin, SPACE / "whole", "--resume").stderr.splitlines()[-4:] == diagnosis, "resumed at its end")

# ---- a reef that lives on carbon from elsewhere depends on dt by what adds up over the run: a quarter of the step tells, no window does
REEF = """otok: 1
seed: 3
grid: {nx: 32, ny: 32, spacing: 10}
base: [{constant: {height: 5}}, {simplex: {wavelength: 60, amplitude: 2, combine: add}}]
sea: {level: 7}
phases:
  - {name: reef, iterations: 400, reef: {dt: 0.01, calcification: 1, uptake: 1}}
"""
reef = write("reef.yaml", REEF)
for uptake, depends in ((0.02, False), (1, True)):
    grown = []
    for times in (1, 4):
        where = SPACE / f"reef{uptake}_{times}"
        reef_run = run(reef, where, *(word for key, value in (("reef.uptake", uptake), ("reef.dt", 0.01 / times), ("iterations", 400 * times))
                                      for word in ("--set", f"phases.reef.{key}={value}")))
        with h5py.File(checkpoints(where)[-1]) as file:
            grown.append(file["reef"][()].mean(dtype=float))
    found = inspect(checkpoints(where)[-1])
    change = abs(grown[0] - grown[1]) / max(grown)
    check((change > 0.05) == depends and change < (1 if depends else 0.02), f"uptake {uptake}: a quarter of the step changes the reef by {change}")
    check(found["verdict"] == ("step_dependent" if depends else "stable") and (found["slow"] > 1) == depends and found["audit"]["ground"] < 0.02, f"{found}")
    check(("times a limit that otok predict names" in reef_run.stderr) == depends, reef_run.stderr)
unaudited = run(reef, SPACE / "unaudited", "--set", "audit=off").stderr
check("verdict: not_audited" in unaudited and "not audited" in unaudited, unaudited)
# carbon at the crest has a limit of 0.0065 s; of 3 iterations none is audited
for step in (0.0025, 0.01):
    sets = "phases.reef.iterations=3", f"phases.reef.reef.dt={step}", "phases.reef.reef.max_depth=0.5"
    brief = run(reef, SPACE / f"brief{step}", *(word for text in sets for word in ("--set", text))).stderr
    check(f"verdict: {'step_dependent' if step > 0.0065 else 'not_audited'}" in brief and "changes with the step: not audited" in brief, brief)
    check(("what to do: lower dt below the limit that otok predict names" in brief) == (step > 0.0065), brief)
    check(("what to do: otok run --refine tells" in brief) == (step < 0.0065), brief)

# ---- no longer finite: the run ends, and says between which samples
wild = write(
    "wild.yaml",
    """otok: 1
grid: {nx: 24, ny: 24, spacing: 2}
base: [{cone: {height: 12, radius: 20}}]
phases:
  - iterations: 900
    rain: {rate: 0.002}
    hydraulic: {dt: 0.05, dissolve: 1, deposit: 1, rates: per_iteration, capacity: 1e6, capacity_law: speed_depth, displace_water: true}
output: {every: 0}
""",
)
lost = run(wild, SPACE / "wild", "-q", code=65)
check("no longer finite" in lost.stderr and "iteration 200 " in lost.stderr and "after iteration 0 all were" in lost.stderr, lost.stderr)
check([p.name for p in checkpoints(SPACE / "wild")] == ["wild_00000000.vtkhdf"], "checkpoints of a run that ended so")

# ---- cells of rasters without data
for holes, loudly in ((3, False), (30, True)):
    cells = ["-9999"] * holes + ["1"] * (32 * 24 - holes)
    rows = "\n".join(" ".join(cells[32 * j : 32 * j + 32]) for j in range(24))
    write(f"holes{holes}.asc", f"ncols 32\nnrows 24\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9999\n{rows}\n")
    raster = BASIN.replace("cone: {height: -6, radius: 120}", f"raster: {{file: holes{holes}.asc}}").replace("900", "1").replace("discharge: 5", "discharge: 0")
    scenario = write(f"holes{holes}.yaml", raster)
    text = f"{holes} of 768 cells "
    loud, quiet = run(scenario, SPACE / f"loud{holes}").stderr, run(scenario, SPACE / f"still{holes}", "-q").stderr
    check((f"WARNING: {text}" if loudly else f"\n{text}") in "\n" + loud, f"{holes} holes: {loud}")
    check((quiet.startswith(f"WARNING: {text}")) if loudly else quiet.startswith("verdict: not_audited: "), f"{holes} holes, quiet: {quiet!r}")
finish()
