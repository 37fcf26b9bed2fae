"""Claim: whatever happens to a study on its way, study.h5 ends as the same bytes: killed with -9 and resumed, stopped by SIGTERM, in
shards and merged, with one thread or two; refused and failed members are results, a failed one can be run again alone; and a member is
the same run alone. An axis names the unit that the scenario gives its parameter, and how many of it are one of the table's."""
# once: under the sanitizers; it depends on no optimisation

import random
import signal
import time

from cli import *

with needed():
    import h5py
    import numpy as np

SCENARIO = """otok: 1
seed: 3
grid: {nx: 16, ny: 16, spacing: 2}
edges: {left: open}
base: [{cone: {height: 12, radius: 14}}, {simplex: {octaves: 3, wavelength: 10, amplitude: 2, combine: add}}]
phases:
  - name: rainy
    iterations: 400
    rain: {rate: 0.01}
    hydraulic: {dt: 0.05, pipe_area: 2, capacity: 0.3, dissolve: 0.1, deposit: 0.1, evaporation: 0.2}
    thermal: {dt: 0.05}
output: {every: 0}
responses: {ends: max(terrain) + 8, wet: 0}
"""
STUDY = """study: 1
scenario: rainy.yaml
seed: 5
design: {kind: lhs, rows: 40}
vary:
  phases.rainy.hydraulic.dt: {from: 0.01, to: 8, scale: log}
  phases.rainy.hydraulic.evaporation: {from: 0.1, to: 0.9}
keep: {fields: [terrain, speed], coarsen: 4, when: [50, last]}
responses:
  relief: quantile(terrain, 0.99) - quantile(terrain, 0.01)
  lakes: components(water > 0.05 && terrain > 2)
  wet: area(water > 0.01) / area(1)
monitor: {every: 10}
"""
KILLS = 5
write("rainy.yaml", SCENARIO)
study = write("study.yaml", STUDY)


def args(where, *more):
    return ["study", study, "-o", where, "--backend", BACKEND, "-q", *more]


def table(where):
    path = pathlib.Path(where) / "study.h5"
    return path.read_bytes() if path.exists() else b""


def begin(where, *more, **env):
    return subprocess.Popen([OTOK, *map(str, args(where, *more))], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**ENV, **env})


began = time.monotonic()
otok(*args(SPACE / "whole"))
took = time.monotonic() - began
whole = table(SPACE / "whole")
check(whole, "no study.h5")

# The margins of all limits, one column each; the binding one is that of its limit.
with h5py.File(SPACE / "whole" / "study.h5") as file:
    columns = {name: file[name][:] for name in file if name.startswith("margin_")}
    binding = [name.decode() for name in file["limit"][:]]
    check({"margin_water_waves", "margin_dissolving", "margin_evaporation"} <= columns.keys(), f"margins: {sorted(columns)}")
    check(any(binding), "no member has a binding limit")
    for n, name in enumerate(binding):
        if not name:  # of a member that was refused
            continue
        column = "margin_" + "".join(c if c.isalnum() else "_" for c in name)
        check(columns[column][n] == file["margin"][n], f"member {n}: {name} {columns[column][n]}, margin {file['margin'][n]}")

# Killed and resumed; each kill once something is finished, and before all is.
kills = tries = 0
while kills < KILLS and tries < 40:
    where, tries = SPACE / f"killed{tries}", tries + 1
    for _ in range(KILLS):
        process = begin(where, "--resume")
        time.sleep(random.uniform(0.05, 0.4) * took)
        process.kill()
        process.communicate()
        kills += process.returncode == -signal.SIGKILL and (where / "1-of-1.journal").exists()
    otok(*args(where, "--resume"))
    check(table(where) == whole, f"{kills} kills: study.h5 differs")
check(kills >= KILLS, f"only {kills} kills")

# A journal torn anywhere: what was whole stays, the rest is run again.
journal = (SPACE / "whole" / "1-of-1.journal").read_bytes()
for cut in [0, 7, 100, len(journal) - 1, *(random.randrange(len(journal)) for _ in range(3))]:
    torn = SPACE / f"torn{cut}"
    torn.mkdir()
    (torn / "1-of-1.journal").write_bytes(journal[:cut])
    otok(*args(torn, "--resume"))
    check(table(torn) == whole, f"cut at {cut} of {len(journal)}: study.h5 differs")
bad = SPACE / "bad"
bad.mkdir()
(bad / "1-of-1.journal").write_bytes(journal[: len(journal) // 2] + b"\xff" * 8 + journal[len(journal) // 2 + 8 :])
otok(*args(bad, "--resume"))
check(table(bad) == whole, "damaged in the middle: study.h5 differs")

# SIGTERM finishes the running members.
for n in range(20):  # where it is done before the signal comes, another one
    where = SPACE / f"stopped{n}"
    process, growing = begin(where), where / "1-of-1.journal"
    check(wait_for(lambda: growing.exists() and growing.stat().st_size > len(journal) // 10), "no results in the journal")
    process.terminate()
    said = process.communicate()[1].decode()
    if process.returncode:
        break
check(process.returncode == 75 and "--resume" in said, f"SIGTERM: exit {process.returncode}: {said}")
check(table(where) not in (b"", whole), "SIGTERM: no study.h5 of what is done, or all was done")
otok(*args(where, "--resume"))
check(table(where) == whole, "SIGTERM: study.h5 differs")

# Shards, side by side in one directory, and with threads.
shards = [begin(SPACE / "shards", "--shard", f"{k}/4", OMP_NUM_THREADS="2") for k in (1, 2, 3, 4)]
for process in shards:
    said = process.communicate()[1].decode()
    check(process.returncode == 0, f"shard: exit {process.returncode}: {said}")
otok("merge", SPACE / "shards")
check(table(SPACE / "shards") == whole, "4 shards: study.h5 differs")

# Refused before anything runs.
done = otok(*args(SPACE / "whole"), code=2)
check("--resume" in done.stderr, f"again: {done.stderr}")
other = write("other.yaml", STUDY.replace("seed: 5", "seed: 6"))
done = otok("study", other, "-o", SPACE / "whole", "--resume", code=65)
check("another study" in done.stderr, f"another study: {done.stderr}")
scenario = SPACE / re.search("^scenario: (.*)$", STUDY, re.MULTILINE)[1]
kept = scenario.read_text()
scenario.write_text("# explained afterwards\n" + kept.replace("\n", "   # why\n", 1) + "\n")
otok(*args(SPACE / "whole", "--resume"))
check(table(SPACE / "whole") == whole, "a comment in the scenario: study.h5 differs")
scenario.write_text(kept)
for words, code in ((["--shard", "0/3"], 2), (["--shard", "4/3"], 2), (["--shard", "1"], 2), (["--shard", "1/99999999999999999999"], 2), (["--backend", "gpu"], 2)):
    otok(*args(SPACE / "none", *words), code=code)
(SPACE / "empty").mkdir()
done = otok("merge", SPACE / "empty", code=65)
check("otok study" in done.stderr, f"merge of nothing: {done.stderr}")
otok("merge", SPACE / "nowhere", code=74)

other = write("longer.yaml", STUDY.replace("rows: 40", "rows: 41"))
done = otok("study", other, "-o", SPACE / "whole", "--shard", "2/2", code=65)
check("another study" in done.stderr and not (SPACE / "whole" / "2-of-2.journal").exists(), f"another study, another shard: {done.stderr}")
otok("merge", SPACE / "whole")

# A byte that the disk lost costs one record, not those after it, also where it is of a length (tests/journal_damage.c tries all);
# in the study itself it costs all, but nothing is overwritten.
shutil.copytree(SPACE / "whole", SPACE / "damaged")
journal, table = SPACE / "damaged" / "1-of-1.journal", (SPACE / "whole" / "study.h5").read_bytes()
held = bytearray(journal.read_bytes())
mark = held[16:24]
results = [at for at in range(24, len(held), 8) if held[at : at + 8] == mark and held[at + 8] == 2]
check(len(results) == 40, f"{len(results)} results in the journal")
for at in (results[13] + 17, results[26] + 500):
    held[at] ^= 1
    journal.write_bytes(held)
done = otok("merge", SPACE / "damaged", code=65)
check("damaged in 2 places" in done.stderr and "38 of 40 members done" in done.stderr, f"damaged: {done.stderr}")
done = otok(*args(SPACE / "damaged"), "--resume")
check(journal.read_bytes() == held, "damaged, resumed: the journal was written again")
check("damaged in 2 places" in done.stderr and "no member is missing" in done.stderr, f"damaged, resumed: {done.stderr}")
check((SPACE / "damaged" / "study.h5").read_bytes() == table, "damaged, resumed: not the same")
(SPACE / "damaged" / "1-of-1.2.journal").unlink()  # of the members that were run again
for at in (26, 200):
    hurt = bytearray(held)
    hurt[at] ^= 1
    journal.write_bytes(hurt)
    for words in (args(SPACE / "damaged"), args(SPACE / "damaged", "--resume"), ["study", other, "-o", SPACE / "damaged"], ["merge", SPACE / "damaged"]):
        done = otok(*words, code=65)
        check("at its head is damaged" in done.stderr and journal.read_bytes() == hurt, f"damaged head: {done.stderr}")

# Maps that the disk has no room for.
wide = write("wide.yaml", SCENARIO.replace("nx: 16, ny: 16", "nx: 1024, ny: 1024"))
vast = STUDY.replace("rainy.yaml", "wide.yaml").replace("rows: 40", "rows: 1000000").replace("coarsen: 4", "coarsen: 1")
done = otok("study", write("vast.yaml", vast), "-o", SPACE / "vast", code=74)
check("GiB left; raise keep.coarsen" in done.stderr and not list((SPACE / "vast").glob("*.journal")), f"vast: {done.stderr}")

# A member that fails for no fault of its values stays, and is run again when asked.
write("failing.yaml", SCENARIO.replace("phases:", "initial: {file: missing.vtkhdf}\nphases:"))
failing = write("failing_study.yaml", STUDY.replace("rainy.yaml", "failing.yaml").replace("rows: 40", "rows: 4").replace("to: 8", "to: 0.5"))
words = ["study", failing, "-o", SPACE / "failing", "--backend", BACKEND]
done = otok(*words, "--only-failed", code=65)
check("4 of 4 members were not run; --resume" in done.stderr, f"nothing failed yet: {done.stderr}")
done = otok(*words, "--resume", "-q", code=65)
*notes, last = done.stderr.splitlines()  # of its responses, whose names a table has too
check(len(notes) == 2 and all(note.startswith("otok study: responses.") for note in notes) and "4 of 4 members failed" in last, f"failing: {done.stderr}")
done = otok(*words, "--resume", code=65)
check("4 failed" in done.stderr, f"failing, resumed: {done.stderr}")
run(write("one.yaml", SCENARIO.replace("iterations: 400", "iterations: 1")), SPACE / "one")
shutil.copy(checkpoints(SPACE / "one")[0], SPACE / "missing.vtkhdf")
done = otok(*words, "--only-failed")
check("failed" not in done.stderr and "4 of 4 members" in done.stderr, f"failing, mended: {done.stderr}")

# A member alone: its scenario with the values that the study gives it.
rows = otok("study", study, "--dry-run").stdout.split()
members = [dict(zip(rows[0].split(","), row.split(","))) for row in rows[1:]]
write("table.csv", "\n".join(rows[:4]))
otok("study", write("listed.yaml", STUDY.split("design")[0] + "design: {kind: list, file: table.csv}\n"), "-o", SPACE / "listed", "--backend", BACKEND, "-q")
done = otok("merge", SPACE / "listed")
check("3 of 3 members done" in done.stderr + done.stdout, f"a table of its first rows: {done.stderr}")
refused = [row for row, m in enumerate(members) if float(m["phases.rainy.hydraulic.dt"]) * float(m["phases.rainy.hydraulic.evaporation"]) > 1]
alone = {}
for row in [*[row for row in range(40) if row not in refused][:9:4], *refused[:1]]:
    sets = [word for path, value in members[row].items() for word in ("--set", f"{path}={value}")]
    done = run(SPACE / "rainy.yaml", SPACE / f"alone{row}", "-q", *sets, code=None)
    alone[row] = (fingerprint(done.stdout) if done.returncode == 0 else "", done.returncode)
with h5py.File(SPACE / "whole" / "study.h5") as file:
    responses = {name: file[f"response_{name}"][:] for name in ("relief", "lakes", "wet", "ends")}
    maps = {name: file[f"map_{name}"][:] for name in ("terrain", "speed", "terrain_50")}
    check(file["map_terrain"].chunks == (1, 4, 4) and file["map_terrain_50"].attrs["iteration"] == 50, "kept maps: chunks, iteration")
    check(list(file["x"][:]) == [4, 12, 20, 28] == list(file["y"][:]), f"kept maps: x is {file['x'][:]}")
    check(file["response_relief"].attrs["long_name"] == b"quantile(terrain, 0.99) - quantile(terrain, 0.01)", "no expression")
for row, (found, code) in alone.items():
    if code:
        check(all(np.isnan(values[row]) for values in responses.values()), f"member {row} was refused, and has responses")
        check(all(np.isnan(values[row]).all() for values in maps.values()), f"member {row} was refused, and has maps")
        continue
    with h5py.File(checkpoints(SPACE / f"alone{row}")[-1]) as file:
        terrain, water = file["terrain"][:], file["water"][:]
        speed = np.hypot(file["velocity_x"][:].astype(float), file["velocity_y"][:])
    for name, whole_map in (("terrain", terrain), ("speed", speed)):
        coarse = whole_map.astype(float).reshape(4, 4, 4, 4).mean((1, 3))
        check(np.allclose(maps[name][row], coarse, rtol=3e-7, atol=1e-12), f"member {row}: kept {name}")
    check(not np.array_equal(maps["terrain"][row], maps["terrain_50"][row]), f"member {row}: the same at 50")
    high, low = np.quantile(terrain.astype(float), [0.99, 0.01])
    check(abs(responses["relief"][row] - (high - low)) < 1e-12 * high, f"member {row}: relief {responses['relief'][row]}, {high - low}")
    check(responses["wet"][row] == (water > np.float64(0.01)).mean(), f"member {row}: wet {responses['wet'][row]}")
    check(responses["ends"][row] == terrain.astype(float).max() + 8, f"member {row}: ends {responses['ends'][row]}")
for row, (found, code) in alone.items():
    check(code in (0, 65) and found.encode() in whole, f"member {row} alone: exit {code}, fingerprint {found}")
check(sum(code == 0 for _, code in alone.values()) == 3, f"too few members are valid: {alone}")
check(sum(code == 65 for _, code in alone.values()) == 1, f"no member is refused: {alone}")
check(b"evaporation" in whole, "no coordinate of an axis")

# ---- the units of axes ----
write("given.yaml", SCENARIO.replace("rate: 0.01", "rate: 36 m/h").replace("dt: 0.05, pipe", "dt: 50 ms, pipe").replace("thermal: {dt: 0.05}", "thermal: {dt: 0.05, talus: 30}\n    infiltration: {conductivity: 1e-7}"))
GIVEN = {"rain.rate": ("0.006, to: 0.01", "m s-1", "m/h", 3600), "hydraulic.dt": ("0.01 s, to: 30 ms", "s", "ms", 1000), "hydraulic.evaporation": ("12 1/min, to: 0.3", "s-1", None, None),
         "thermal.talus": ("0.5 rad, to: 31", "degree", None, None), "infiltration.conductivity": ("0, to: 1e-7", "m s-1", "mm/h", 3.6e6)}
vary = "".join(f"  phases.rainy.{path}: {{from: {ends}}}\n" for path, (ends, *_) in GIVEN.items())
otok("study", write("units.yaml", f"study: 1\nscenario: given.yaml\ndesign: {{kind: lhs, rows: 2}}\nvary:\n{vary}monitor: {{every: 10}}\n"), "-o", SPACE / "units", "--backend", BACKEND, "-q")
with h5py.File(SPACE / "units" / "study.h5") as file:
    axes = {axis.attrs["path"].decode().removeprefix("phases.rainy."): axis for axis in file.values() if "path" in axis.attrs}
    check(axes.keys() == GIVEN.keys(), f"axes: {list(axes)}")
    for path, (_, unit, given, factor) in GIVEN.items():
        has = {key: value.decode() if isinstance(value, bytes) else value for key, value in axes[path].attrs.items()}
        check(has["units"] == unit and has.get("given_units") == given and np.isclose(has.get("given_factor", 1), factor or 1, rtol=1e-9), f"{path}: {has}")
finish(f"{kills} kills, {len(whole)} bytes of study.h5")
