"""Claim: a signal or --max-time ends a run with a checkpoint and exit 75, and the same command with --resume ends where the
uninterrupted run ends, bit for bit; SIGUSR1 adds a checkpoint and changes nothing; a second SIGTERM ends at once; a lost terminal is
a signal like the others, but not under nohup, and a reader that leaves stops nothing; a base terrain that takes long is given up."""
# slow: it waits; other tests stop and resume runs under the sanitizers

import fcntl
import os
import pty
import random
import signal
import termios
import time

from cli import *


def interrupted(name, number, whole):
    """Stops a run at random moments until it gets to its end by itself."""
    where, stops = SPACE / name, 0
    for _ in range(60):
        process = start(scenario, where, "--resume")
        listens(process, number)
        time.sleep(random.uniform(0, 0.6 * whole))
        process.send_signal(number)
        code, out, said = stop(process)
        check(code in (0, 75), f"{name}: exit {code}: {said}")
        all_valid(where, name)
        check(not left_over(where), f"{name}: {left_over(where)}")
        if code != 75:
            check(fingerprint(out) == end, f"{name}: {out} after {stops} stops, not {end}")
            return stops
        stops += 1
        check(re.search("stopped (at iteration|while the base)", said) and "--resume" in said and not out, f"{name}: {said}")
    check(False, f"{name}: no end after 60 stops")
    return stops


def prompt(process, where):
    """The run has begun and listens to signals."""
    check(wait_for(lambda: checkpoints(where)), "no checkpoint at iteration 0")
    return process


RUNS = 5
# Long enough that starting is little of it.
scenario = write("isle.yaml", ISLAND.replace("iterations: 500", "iterations: 9000").replace("every: 100", "every: 1500"))
end, whole = reference(scenario)
stops = runs = 0
while runs < RUNS or (stops < RUNS and runs < 40):  # where the machine is not as busy as it was, signals come too late
    stops += interrupted(f"{runs}", signal.SIGTERM if runs % 2 else signal.SIGINT, whole)
    runs += 1
check(stops >= RUNS, f"only {stops} stops in {runs} runs: the signals came too late")

# An extra checkpoint, between those of the schedule.
length = 400000 if BACKEND == "cuda" else 18000  # some seconds, for on a busy machine the signal comes late
long = write("long.yaml", ISLAND.replace("iterations: 500", f"iterations: {length}").replace("every: 100", "every: 0"))
process = prompt(start(long, SPACE / "usr1"), SPACE / "usr1")
check(listens(process, signal.SIGUSR1), "SIGUSR1: nobody listens")
process.send_signal(signal.SIGUSR1)
check(wait_for(lambda: len(checkpoints(SPACE / "usr1")) > 1), "SIGUSR1: no checkpoint")
check(process.poll() is None, "SIGUSR1 ended the run")
code, out, said = stop(process)
began = time.monotonic()
calm = fingerprint(run(long, SPACE / "calm").stdout)
whole_long = time.monotonic() - began
check(code == 0 and fingerprint(out) == calm, f"SIGUSR1: exit {code}: {out}{said}")
check(len(checkpoints(SPACE / "usr1")) == 3 and len(checkpoints(SPACE / "calm")) == 2, f"SIGUSR1: {checkpoints(SPACE / 'usr1')}")

# A terminal that is closed; what is printed to it afterwards goes nowhere.
master, slave = pty.openpty()
process = subprocess.Popen(
    [OTOK, "run", long, "-o", SPACE / "lost", "--backend", BACKEND],
    **{name: slave for name in ("stdin", "stdout", "stderr")},
    start_new_session=True,
    preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    env=ENV,
)
os.close(slave)
said = b""
while b".vtkhdf" not in said:
    said += os.read(master, 4096)
os.close(master)
process.send_signal(signal.SIGHUP)  # as the terminal's shell does
check(process.wait(60) == 75, f"lost terminal: exit {process.returncode}")
all_valid(SPACE / "lost", "lost terminal")
check(
    fingerprint(run(long, SPACE / "lost", "--resume").stdout) == fingerprint(run(long, SPACE / "calm", "--resume").stdout),
    "lost terminal: another end",
)

# Under nohup a lost terminal is none of the run's business.
process = prompt(start(long, SPACE / "nohup", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)), SPACE / "nohup")
process.send_signal(signal.SIGHUP)
process.send_signal(signal.SIGUSR1)
check(wait_for(lambda: len(checkpoints(SPACE / "nohup")) > 1), "SIGHUP under nohup, then SIGUSR1: no checkpoint")
check(process.poll() is None, f"SIGHUP under nohup: exit {process.returncode}")
process.send_signal(signal.SIGTERM)
check(stop(process)[0] == 75, f"SIGHUP under nohup, then SIGTERM: exit {process.returncode}")

# `otok run ... 2>&1 | head -n 1`: lines are printed after the reader has gone, and the run goes on to its end.
process = subprocess.Popen(
    [OTOK, "run", scenario, "-o", SPACE / "piped", "--backend", BACKEND], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=ENV
)
process.stdout.readline()
process.stdout.close()
check(process.wait(120) == 0, f"a reader that leaves: exit {process.returncode}")
check(fingerprint(run(scenario, SPACE / "piped", "--resume").stdout) == end, "a reader that leaves: not at its end")

# A second signal does not wait for anything: one iteration of this grid takes long.
slow = write(
    "slow.yaml",
    ISLAND.replace("nx: 96, ny: 64", "nx: 2048, ny: 2048").replace("evaporation: 0.05", "evaporation: 0.05, diffusion_sweeps: 32"),
)
process = start(slow, SPACE / "twice", "--backend", "cpu", env={"OMP_NUM_THREADS": "1"})
check(listens(prompt(process, SPACE / "twice"), signal.SIGTERM), "nobody listens")
process.send_signal(signal.SIGTERM)
check(wait_for(lambda: process.poll() is not None or not state_of(process, "ShdPnd")), "the first SIGTERM is not taken")
process.send_signal(signal.SIGTERM)
code, _, said = stop(process)
check(code == 143, f"second SIGTERM: exit {code}, of the first if 75: {said}")
check(not left_over(SPACE / "twice"), f"second SIGTERM: {left_over(SPACE / 'twice')}")

# A limit of time, where the schedule alone would never look at the clock, and where it looks all the time.
for every in (0, 1):
    text = ISLAND.replace("iterations: 500", "iterations: 500000").replace("every: 100", f"every: {every}, keep: 3")
    endless, where = write(f"endless{every}.yaml", text), SPACE / f"endless{every}"
    limit, before = max(1.5, 0.5 * whole), 0
    for turn in (1, 2):
        while True:
            began = cpu_of_children()
            run(endless, where, "--max-time", f"{limit}", "--resume", code=75)
            took = cpu_of_children() - began
            check(took < limit + 2, f"--max-time {limit}, every {every}: {took:.2f} s of a processor")
            reached = max((int(p.stem.split("_")[1]) for p in checkpoints(where)), default=0)
            gained, before = reached - before, reached
            if gained > 5 or limit > 60:
                break
            limit *= 2  # the machine is busy: to start took nearly all of it
        check(gained > 5, f"--max-time {limit}, every {every}: only {gained} iterations in turn {turn}")

# A base terrain that takes minutes is given up.
hour = write("hour.yaml", "otok: 1\ngrid: {nx: 512, ny: 512}\nbase: [{faults: {count: 1048576}}]\nphases: [{name: a, iterations: 9, thermal: {}}]\n")
process = start(hour, SPACE / "hour")
listens(process, signal.SIGTERM)
process.send_signal(signal.SIGTERM)
code, out, said = stop(process)
check(code == 75 and "while the base terrain was made" in said and not out, f"SIGTERM while the base is made: exit {code}: {said}")
done = run(hour, SPACE / "hour", "--max-time", "0.3", code=75)
check("before the base terrain is made" in done.stderr and "--max-time" in done.stderr, f"--max-time and the base: {done.stderr}")
check(not checkpoints(SPACE / "hour") and not left_over(SPACE / "hour"), f"without a base: {list((SPACE / 'hour').iterdir())}")
done = otok("base", hour, "-o", SPACE / "hour.vtkhdf", "--max-time", "0.3", "--backend", BACKEND, code=75)
check(not (SPACE / "hour.vtkhdf").exists(), "a base that was given up was written")

code, slice = 75, max(1, whole_long / 8)
for turn in range(100):
    if code == 75:
        done = run(long, SPACE / "slices", "--max-time", f"{slice}", "--resume", code=None)
        code = done.returncode
check(
    code == 0 and fingerprint(done.stdout) == fingerprint(run(long, SPACE / "calm", "--resume").stdout),
    f"slices of {slice:.1f} s: exit {code}: {done.stdout}{done.stderr}",
)
finish(f"{stops} stops in {runs} runs")
