"""Claim: whichever write, fsync, rename, close or open of a checkpoint fails, the run ends 74 and names the path and the reason,
earlier checkpoints stay whole, nothing half-written is in sight, and --resume ends where the uninterrupted run ends."""
# once: under the sanitizers; it depends on no optimisation

import errno
import shutil

from cli import *

scenario = write(
    "isle.yaml",
    ISLAND.replace("iterations: 400", "iterations: 30")
    .replace("[0, 250]", "[0, 20]")
    .replace("iterations: 500", "iterations: 50")
    .replace("every: 100", "every: 40"),
)
end, _ = reference(scenario)
reasons = {errno.ENOSPC: "No space left on device", errno.EIO: "Input/output error", errno.EDQUOT: "Disk quota exceeded"}
faults = 0


def calls_of_a_run(call):
    count = SPACE / "count"
    count.write_text("")
    shutil.rmtree(SPACE / "counted", ignore_errors=True)
    run(scenario, SPACE / "counted", env=preloaded(SPACE / "counted", call, 0, 1))
    return len(count.read_text())


for call, errors in (
    ("write", (errno.ENOSPC, errno.EIO)),
    ("fsync", (errno.EIO,)),
    ("rename", (errno.EIO,)),
    ("close", (errno.EIO, errno.EDQUOT)),
    ("open", (errno.ENOSPC,)),
):
    most = calls_of_a_run(call)
    check(most >= 8, f"{call}: only {most} calls in a run of 4 checkpoints: the faults miss")
    few = min(most, 5 if SMALL else 12)  # many are alike
    for n in (1 + k * (most - 1) // (few - 1) for k in range(few)):
        error = errors[n % len(errors)]
        where, words = SPACE / f"{call}{n}", f"{call} {n} of {most}, {errno.errorcode[error]}"
        done = run(scenario, where, env=preloaded(where, call, n, error), code=None)
        faults += 1
        last = done.stderr.strip().splitlines()[-1]
        check(done.returncode == 74, f"{words}: exit {done.returncode}: {last}")
        check(f"otok run: {where}/isle" in last and reasons[error] in last and ". " in last, f"{words}: {last}")
        check(not done.stdout, f"{words}: {done.stdout}")
        check(not left_over(where), f"{words}: left over: {left_over(where)}")
        all_valid(where, words)
        again = run(scenario, where, "--resume")
        check(fingerprint(again.stdout) == end, f"{words}: the resume ends at {again.stdout}, not {end}")
        lost = {f"isle_{i:08d}.vtkhdf" for i in (0, 40, 80, 100)} ^ {p.name for p in checkpoints(where)}
        check(len(lost) <= 1 and all(f"/{name}:" in last for name in lost), f"{words}: {lost} lost, but the text was {last}")
        check(not left_over(where), f"{words}: {left_over(where)}")
        shutil.rmtree(where)
finish(f"{faults} faults")
