"""Claim: kill -9 at any moment loses at most one interval: what has its final name is whole, and --resume ends where the
uninterrupted run ends, bit for bit, with nothing left over."""
# slow: every kill is followed by a sample into each file

import random
import signal
import time

from cli import *

KILLS = 14
scenario = write("isle.yaml", ISLAND)
busy = write("busy.yaml", ISLAND.replace("every: 100", "every: 3, keep: 4"))  # mostly busy with writing
ends = {scenario: reference(scenario), busy: reference(busy)}
check(ends[scenario][0] == ends[busy][0], f"the schedule of checkpoints changes the result: {ends}")

kills = torn = runs = 0
while kills < KILLS:
    runs += 1
    name = busy if runs % 2 else scenario
    where, (end, whole), here = SPACE / f"killed{runs}", ends[name], 0
    if not check(runs < 100, f"only {kills} kills in 100 runs"):
        break
    while here < 8 and kills < KILLS:  # several kills in one run
        process = start(name, where, "--resume")
        time.sleep(random.uniform(0.005, 0.5 * whole + 0.05))
        process.kill()
        code, out, said = stop(process)
        if code != -signal.SIGKILL:
            break
        kills, here = kills + 1, here + 1
        if where.exists():
            torn += bool(left_over(where))
            all_valid(where, f"kill {kills}")
    done = run(name, where, "--resume")
    check(fingerprint(done.stdout) == end, f"{name.stem}: {fingerprint(done.stdout)} after {here} kills, not {end}")
    check(not left_over(where), f"{name.stem}: left over: {left_over(where)}")
    all_valid(where, "after the resume")
    keep = 4 if name is busy else LAST // 100 + 2
    check(len(checkpoints(where)) == keep, f"{name.stem}: {len(checkpoints(where))} checkpoints stay, not {keep}")

# Killed after its last checkpoint but before the rest of its work: the resume finishes that, and still says the fingerprint.
where = SPACE / "late"
end = fingerprint(run(scenario, where).stdout)
series = where / "isle.vtkhdf.series"
whole = series.read_text()
series.write_text("{}")
(where / ".isle.vtkhdf.series.tmp").write_text("half")
done = run(scenario, where, "--resume", "--keep", "2")
check(fingerprint(done.stdout) == end, f"resume of a finished run: {done.stdout}")
check(not left_over(where) and len(checkpoints(where)) == 2, f"resume of a finished run: {list(where.iterdir())}")
check(
    series.read_text() != whole and all(p.name in series.read_text() for p in checkpoints(where)), f"series: {series.read_text()}"
)
finish(f"{kills} kills in {runs} runs, {torn} of them in the middle of a file")
