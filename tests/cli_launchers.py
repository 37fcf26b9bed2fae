"""Claim: an error on one rank ends all ranks within seconds, whatever the command; a killed rank's end names --resume; and a program
that a launcher has started several times, but whose copies cannot find each other, refuses. One task of a launcher works."""
# slow: it starts MPI some twenty times; cli_bands.py runs ranks under the sanitizers

import os
import signal

from cli import *

NAMES = ("OMPI_", "PMI", "MV2_", "SLURM_")
CLEAN = {k: v for k, v in ENV.items() if not k.startswith(NAMES)}
SOON = 30  # seconds; a healthy end takes one or two
isle = write("isle.yaml", ISLAND)
long = write("long.yaml", ISLAND.replace("iterations: 400", "iterations: 400000"))
study = write("study.yaml", "study: 1\nscenario: isle.yaml\ndesign: {kind: grid, points: 2}\nvary: {phases.erosion.thermal.dt: {from: 0.01, to: 0.02}}\n")

# Variables of launchers without a launcher: copies that cannot find each other.
several = (
    {"OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": "1"},
    {"PMI_SIZE": "2", "PMI_RANK": "0"},
    {"SLURM_STEP_NUM_TASKS": "2", "SLURM_NTASKS": "2", "SLURM_PROCID": "0", "SLURM_STEP_ID": "0"},
    {"SLURM_NTASKS": "2", "SLURM_PROCID": "1"},
    {"SLURM_NTASKS": "4", "SLURM_PROCID": "0", "SLURM_STEPID": "3"},
)
single = (
    {"OMPI_COMM_WORLD_SIZE": "1", "OMPI_COMM_WORLD_RANK": "0"},
    {"PMI_SIZE": "1", "PMI_RANK": "0"},
    {"SLURM_STEP_NUM_TASKS": "1", "SLURM_NTASKS": "1", "SLURM_PROCID": "0", "SLURM_STEP_ID": "0"},
    {"SLURM_STEP_NUM_TASKS": "1", "SLURM_NTASKS": "4", "SLURM_PROCID": "0", "SLURM_STEP_ID": "0"},
    {"SLURM_NTASKS": "4", "SLURM_PROCID": "0"},  # a script of sbatch
    {"SLURM_NTASKS": "4", "SLURM_JOB_ID": "7"},  # a shell of salloc
    {"OMPI_COMM_WORLD_SIZE": "1", "SLURM_STEP_NUM_TASKS": "4", "SLURM_NTASKS": "4", "SLURM_PROCID": "2"},  # mpirun -n 1 in a job
)
commands = (["run", isle, "-o", SPACE / "out", "--backend", BACKEND, "-q"], ["study", study, "-o", SPACE / "st", "--backend", BACKEND, "-q"])


def alone(words, variables):
    return subprocess.run([OTOK, *map(str, words)], capture_output=True, text=True, timeout=LIMIT, env={**CLEAN, **variables})


for words in (*commands, ["base", isle, "-o", SPACE / "b.vtkhdf"]):
    for variables in several:
        done = alone(words, variables)
        check(done.returncode == 2, f"{words[0]}, {variables}: exit {done.returncode}: {done.stderr[-500:]}")
        check("launcher" in done.stderr and next(iter(variables)).split("_")[0] in done.stderr, f"{variables}: {done.stderr}")
    check(not (SPACE / "out").exists() and not (SPACE / "st").exists(), f"{words[0]} has written")
check(alone(["run", "--help"], several[0]).returncode == 0 and alone(["--version"], several[0]).returncode == 0, "no help")
for variables in single:
    done = alone(["predict", isle], variables)
    check(done.returncode == 0, f"{variables}: exit {done.returncode}: {done.stderr[-500:]}")

# Ranks.
mpirun = shutil.which("mpirun")
if not mpirun:
    finish(f"{len(several) + len(single)} launchers; no mpirun")
ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
MPI = {**CLEAN, **ROOT, "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}


def ranks(*groups):
    """Runs groups of (number, words) as the ranks of one mpirun: exit code, text, seconds."""
    words = [mpirun]
    for n, these in groups:
        words += ([":"] if len(words) > 1 else []) + ["-n", str(n), OTOK, *map(str, these)]
    before = time.monotonic()
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT, env=MPI)
    except subprocess.TimeoutExpired:
        return None, "hangs", LIMIT
    return done.returncode, done.stdout + done.stderr, time.monotonic() - before


code, said, _ = ranks((2, commands[0]))
if "built without MPI" in said:
    check(code == 2 and not (SPACE / "out").exists(), f"two copies: exit {code}: {said}")
    finish(f"{len(several) + len(single)} launchers; this build lacks MPI")
check(code == 0, f"a run of two ranks: exit {code}: {said[-600:]}")
broken = write("broken.yaml", "study: 1\n")
good = ["study", study, "-o", SPACE / "st2", "--backend", BACKEND, "-q"]
for what, groups in {
    "a missing study on the last": ((2, good), (1, ["study", SPACE / "none.yaml", "-o", SPACE / "st2", "-q"])),
    "a missing study on the first": ((1, ["study", SPACE / "none.yaml"]), (2, good)),
    "a bad study": ((2, good), (1, ["study", broken, "-o", SPACE / "st2"])),
    "a bad option": ((1, good), (1, [*good, "--bad"])),
    "a bad backend": ((1, good), (1, ["study", study, "-o", SPACE / "st2", "--backend", "none", "-q"])),
    "a directory that is a file": ((1, good), (1, ["study", study, "-o", isle, "--backend", BACKEND, "-q"])),
    "a study and a run": ((1, good), (1, commands[0])),
    "a run and a study": ((1, commands[0]), (1, good)),
    "no study on all": ((3, ["study", SPACE / "none.yaml"]),),
    "no scenario on all": ((2, ["run", SPACE / "none.yaml", "-o", SPACE / "o"]),),
    "a bad scenario": ((2, ["run", broken, "-o", SPACE / "o"]),),
    "no such command": ((2, ["nothing"]),),
}.items():
    shutil.rmtree(SPACE / "st2", ignore_errors=True)
    code, said, seconds = ranks(*groups)
    check(code not in (0, None) and seconds < SOON, f"{what}: exit {code} after {seconds:.1f} s: {said[-300:]}")
    check("otok" in said, f"{what}: no reason: {said[-300:]}")

# A killed rank.
for rank in (0, 1):
    out = SPACE / f"killed{rank}"
    words = [mpirun, "-n", "2", OTOK, "run", str(long), "-o", str(out), "--backend", BACKEND, "-q"]
    job = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=MPI)
    check(wait_for(lambda: checkpoints(out)), "no checkpoint")
    found = {}
    for place in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if str(out) in (place / "cmdline").read_text() and place.name != str(job.pid):
                found[int(re.search(r"OMPI_COMM_WORLD_RANK=(\d+)", (place / "environ").read_text()).group(1))] = int(place.name)
        except (OSError, AttributeError):
            pass
    check(sorted(found) == [0, 1], f"ranks {found}")
    before = time.monotonic()
    os.kill(found[rank], signal.SIGKILL)
    said = job.communicate(timeout=LIMIT)[1]
    check(job.returncode != 0 and time.monotonic() - before < SOON, f"rank {rank} killed: exit {job.returncode}")
    check("--resume" in said, f"rank {rank} killed: {said}")
finish(f"{len(several) + len(single)} launchers, ranks")
