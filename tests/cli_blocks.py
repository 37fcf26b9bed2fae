"""Claim: rows that an analysis needs together are never taken for whole when they are not: otok study and merge name the rows that are
missing from blocks of Saltelli and Morris designs and why, merge --complete refuses them, and a study whose rows all have a state at
their end passes; --dry-run says what a study would cost."""
# once: under the sanitizers; it depends on no optimisation

from cli import *

write("water.yaml", """otok: 1
grid: {nx: 8, ny: 8}
base: [{cone: {height: 4, radius: 6}}]
phases: [{name: a, iterations: 20, rain: {rate: 0.01}, hydraulic: {dt: 0.05, capacity: 0}}]
""")
STUDY = """study: 1
scenario: water.yaml
design: {DESIGN}
vary:
  phases.a.hydraulic.dt: {from: 0.01, to: 0.05}
  phases.a.hydraulic.evaporation: {from: 0, to: MOST}
"""


def study(name, design, most, *words, code=0):
    path = write(f"{name}.yaml", STUDY.replace("DESIGN", design).replace("MOST", str(most)))
    return otok("study", path, "-o", SPACE / name, "--backend", BACKEND, *words, code=code)


for name, design, size in (("saltelli", "kind: saltelli, base: 6", 4), ("second", "kind: saltelli, base: 4, second_order: true", 6), ("morris", "kind: morris, trajectories: 8", 3)):
    done = study(name, design, 1)
    check("blocks" not in done.stderr, f"{name}, complete: {done.stderr}")
    done = otok("merge", SPACE / name, "--complete")
    check("blocks" not in done.stderr and b"block_complete" in (SPACE / name / "study.h5").read_bytes(), f"{name}, complete: {done.stderr}")
    done = study(name + "_refused", design, 100)
    rows = [int(row) for row in re.findall(r"(\d+) \(refused\)", done.stderr)]
    members = [[float(x) for x in line.split(",")] for line in study(name + "_refused", design, 100, "--dry-run").stdout.split()[1:]]
    refused = [row for row, (dt, evaporation) in enumerate(members) if dt * evaporation > 1]
    check(rows == refused[:16] and 0 < len(refused) < len(members), f"{name}, refused: {rows}, not {refused}")
    blocks = {row // size for row in refused}
    check(f"{len(blocks)} of {len(members) // size} blocks of {size} rows are incomplete" in done.stderr, f"{name}, refused: {done.stderr}")
    done = otok("merge", SPACE / (name + "_refused"), "--complete", code=65)
    check("Sobol" in done.stderr, f"{name}, merge: {done.stderr}")
    otok("merge", SPACE / (name + "_refused"))
study("half", "kind: morris, trajectories: 2", 1, "--shard", "1/2")
done = otok("merge", SPACE / "half", "--complete", code=65)
check("2 of 2 blocks of 3 rows are incomplete" in done.stderr and "1 (not run), 3 (not run), 5 (not run)" in done.stderr, f"half: {done.stderr}")
done = study("lhs", "kind: lhs, rows: 30", 100)
check("rows" not in done.stderr and b"block_complete" not in (SPACE / "lhs" / "study.h5").read_bytes(), f"lhs: {done.stderr}")
done = otok("merge", SPACE / "lhs", "--complete", code=65)
check("of 30 members have no state at their end" in done.stderr, f"lhs: {done.stderr}")
done = study("cost", "kind: grid, points: [2, 3]", 1, "--dry-run")
check("6 members; of 6 checked, 0 are refused" in done.stderr and "7.68e+03 cell steps" in done.stderr, f"cost: {done.stderr}")
done = study("cost", "kind: grid, points: [100, 100]", 1, "--dry-run")
check("10000 members; of 3334 checked," in done.stderr and "1.28e+07 cell steps" in done.stderr, f"cost: {done.stderr}")
finish("")
