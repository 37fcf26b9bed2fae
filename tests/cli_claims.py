"""Claim: any number of processes run one study in one directory, each member once: three at once, one killed with SIGKILL in the
middle, one that joins late, or ranks of mpirun; study.h5 has the bytes of a single process. Members of a process that is there, however
slow, are left to it; those of one that is gone are run by others, at once on its machine, and after a minute on others. A process
that was taken for gone and is not costs only work done twice."""
# once: under the sanitizers; it depends on no optimisation

import hashlib
import signal

from cli import *

ROWS, ITERATIONS = (16, 600) if SMALL else (60, 1500)
write(
    "rainy.yaml",
    f"""otok: 1
seed: 3
grid: {{nx: 32, ny: 32, spacing: 2}}
base: [{{cone: {{height: 12, radius: 14}}}}, {{simplex: {{octaves: 3, wavelength: 10, amplitude: 2, combine: add}}}}]
phases:
  - name: rainy
    iterations: {ITERATIONS}
    rain: {{rate: 0.01}}
    hydraulic: {{dt: 0.05, pipe_area: 2, capacity: 0.3, dissolve: 0.1, deposit: 0.1, evaporation: 0.2}}
""",
)
study = write(
    "study.yaml",
    f"""study: 1
scenario: rainy.yaml
design: {{kind: lhs, rows: {ROWS}}}
vary: {{phases.rainy.hydraulic.dt: {{from: 0.01, to: 0.1}}}}
monitor: {{every: 50}}
responses: {{wet: area(water > 0.01)}}
keep: {{fields: [terrain, water], coarsen: 2, when: [500, last]}}
""",
)
ENV["OMP_NUM_THREADS"] = "1"  # a member at a time, so that those on the way can be counted
ELSEWHERE = b"00000000-0000-0000-0000-000000000000"  # a boot that is not this one


def begin(where, *words):
    return subprocess.Popen(
        [OTOK, "study", str(study), "-o", str(where), "--backend", BACKEND, "--resume", *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=ENV
    )


def end(process, code=0):
    said = process.communicate(timeout=LIMIT)[1].decode()
    check(process.returncode == code, f"exit {process.returncode}, not {code}: {said[-600:]}")
    return said


def table(where):
    path = where / "study.h5"
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else "no study.h5"


def results(where):
    """How many each journal has."""
    found = []
    for path in sorted(where.glob("*.journal")):
        held = path.read_bytes()
        mark, at, n = held[16:24], 16, 0
        while at + 40 <= len(held) and held[at : at + 8] == mark:
            n += held[at + 8] == 2
            at += 40 + int.from_bytes(held[at + 16 : at + 24], "little")
        found.append(n)
    return found


def lease(where, boot, age):
    """The lease of the first process, as if it were one of another machine, renewed so many seconds ago."""
    path = where / "claims/1-of-1.lease"
    path.write_bytes(boot + path.read_bytes()[36:])
    then = time.time() - age
    os.utime(path, (then, then))


def some(where, least=3):
    check(wait_for(lambda: sum(results(where)) >= least), f"{where.name}: no results")


def is_midway(where):
    """Has the only process claimed a member whose result it has not written yet?"""
    return sum(path.is_symlink() for path in (where / "claims").glob("1-of-1-*")) > sum(results(where))


def hold_up(process, where):
    """Stops the only process in the middle of a member, not between two."""
    for _ in range(100):
        some(where)
        check(wait_for(lambda: is_midway(where)), f"{where.name}: no member on the way")
        process.send_signal(signal.SIGSTOP)
        os.waitpid(process.pid, os.WUNTRACED)
        if is_midway(where):
            return
        process.send_signal(signal.SIGCONT)
    check(False, f"{where.name}: never stopped in the middle of a member")


one = SPACE / "one"
end(begin(one))
whole = table(one)
check(results(one) == [ROWS] and not (one / "claims").exists(), f"alone: {results(one)}")

# Three at once: every member once, and the last to leave writes the table.
three = SPACE / "three"
said = [end(process) for process in [begin(three) for _ in range(3)]]
check(sum(results(three)) == ROWS, f"three at once: {results(three)} results of {ROWS} members")
check(table(three) == whole and not (three / "claims").exists(), f"three at once: study.h5 differs, or claims are left: {said}")

# One killed in the middle, one that joins then.
killed = SPACE / "killed"
first, second = begin(killed), begin(killed)
some(killed)
second.kill()
second.communicate()
third = begin(killed)
said = end(first) + end(third)
check(second.returncode == -signal.SIGKILL, f"ended before it was killed: {second.returncode}")
check(ROWS <= sum(results(killed)) <= ROWS + 1, f"one killed: {results(killed)} results of {ROWS} members")
check(table(killed) == whole, f"one killed: study.h5 differs: {said}")

# One is held up: others leave its member to it, and the study is not done. Then it goes on, and is the last.
slow = SPACE / "slow"
first = begin(slow)
hold_up(first, slow)
said = end(begin(slow))
check("others run the last ones" in said and table(slow) == "no study.h5", f"one held up: {said}")
check(sum(results(slow)) == ROWS - 1, f"one held up: {results(slow)}")
first.send_signal(signal.SIGCONT)
end(first)
check(sum(results(slow)) == ROWS and table(slow) == whole, f"one held up, in the end: {results(slow)}")

# One of another machine is gone: for a minute nobody knows.
gone = SPACE / "gone"
first = begin(gone)
hold_up(first, gone)
first.kill()
first.communicate()
lease(gone, ELSEWHERE, 0)
said = end(begin(gone))
check("others run the last ones" in said and ROWS - 2 <= sum(results(gone)) < ROWS, f"gone elsewhere: {results(gone)}: {said}")
lease(gone, ELSEWHERE, 120)
end(begin(gone))
check(sum(results(gone)) == ROWS and table(gone) == whole, f"gone elsewhere, a minute later: {results(gone)}")

# One of another machine is taken for gone, and is not.
wrong = SPACE / "wrong"
first = begin(wrong)
hold_up(first, wrong)
lease(wrong, ELSEWHERE, 120)
end(begin(wrong))
check(sum(results(wrong)) == ROWS and table(wrong) == whole, f"taken for gone: {results(wrong)}")
first.send_signal(signal.SIGCONT)
end(first)
check(sum(results(wrong)) > ROWS and table(wrong) == whole, f"taken for gone, in the end: {results(wrong)}")

# Ranks of mpirun are processes like others; rank 0 speaks for all.
MPIRUN = shutil.which("mpirun")
if MPIRUN:
    ENV |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
    ENV["ASAN_OPTIONS"] = "detect_leaks=0"  # MPI keeps memory to the end
    ranks = SPACE / "ranks"
    command = [MPIRUN, "--oversubscribe", "-n", "3", OTOK, "study", study, "-o", ranks, "--backend", BACKEND]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env=ENV, timeout=LIMIT)
    check(done.returncode == 0 and done.stdout == f"{ranks}/study.h5\n", f"ranks: exit {done.returncode}: {done.stdout}{done.stderr}")
    check(f"{ROWS} of {ROWS} members" in done.stderr, f"ranks: {done.stderr}")
    check(sum(results(ranks)) == ROWS and sum(n > 0 for n in results(ranks)) > 1 and table(ranks) == whole, f"ranks: {results(ranks)}")
    tried = subprocess.run(list(map(str, [*command[:-4], "--dry-run"])), capture_output=True, text=True, env=ENV, timeout=LIMIT)
    check(tried.returncode == 0 and f"{ROWS} members" in tried.stdout + tried.stderr, f"ranks, dry run: {tried.returncode}: {tried.stderr}")
    again = subprocess.run(list(map(str, command)), capture_output=True, text=True, env=ENV, timeout=LIMIT)
    check(again.returncode == 2 and again.stderr.count("continue with --resume") == 1, f"ranks, again: {again.returncode}: {again.stderr}")
finish(f"three processes: {results(three)}, one killed: {results(killed)}, ranks: {results(SPACE / 'ranks')}")
