#!/usr/bin/env python3
"""Claim: ranks with a GPU each, or with one that they share, give the bits of a CPU alone. Messages carry rows, out of GPU memory if MPI
reaches it."""
import shutil
import subprocess

from cli import ENV, ISLAND, OTOK, SPACE, check, finish, fingerprint, otok, skip, write

MPIRUN = shutil.which("mpirun")
if not MPIRUN:
    skip("no mpirun")
EMULATED = "emulated" in str(OTOK)
short = ISLAND.replace("iterations: 400", "iterations: 40").replace("during: [[0, 250]]", "during: [[0, 30]]")
if EMULATED:  # each iteration exchanges rows
    short = short.replace("iterations: 40", "iterations: 6").replace("[0, 30]", "[0, 4]").replace("iterations: 20, seabed", "iterations: 4, seabed")
short = short.replace("iterations: 500", f"iterations: {8 if EMULATED else 20}").replace("reef: {dt: 0.01", "reef: {dt: 0.2").replace("every: 100", "every: 0")
small = write("ranks.yaml", short.replace("nx: 96, ny: 64, spacing: 8", "nx: 48, ny: 150, spacing: 6") if EMULATED else short.replace("nx: 96, ny: 64", "nx: 96, ny: 1000"))
around = write("around.yaml", small.read_text().replace("edges: {left: open}", "edges: {left: open, bottom: periodic, top: periodic}"))
probe = subprocess.run([OTOK, "run", small, "--backend", "cuda", "--dry-run"], env=ENV, capture_output=True, text=True)
if probe.returncode == 69:
    skip(probe.stderr)
bits = {s: fingerprint(otok("run", s, "-o", SPACE / s.stem, "-q", "--backend", "cpu").stdout) for s in (small, around)}


def run(scenario, n, reaches=False):
    """reaches: MPI takes memory of the device. Emulated devices have memory of the host."""
    environment = {**ENV, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
    environment |= {"ASAN_OPTIONS": "detect_leaks=0", **({"OTOK_MPI_DEVICE_MEMORY": "1"} if reaches else {})}
    command = [MPIRUN, "--oversubscribe", "-n", str(n), OTOK, "run", scenario, "-o", SPACE / f"{n}", "-v", "--overwrite", "--backend", "cuda"]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=1800)
    why = f"{scenario.stem}, {n} ranks{', from devices' if reaches else ''}"
    check(ended.returncode == 0, f"{why}: exit {ended.returncode}: {ended.stderr[-400:]}")
    check(ended.returncode or fingerprint(ended.stdout) == bits[scenario], f"{why}: other bits than on a CPU: {ended.stdout[-200:]}")
    if EMULATED:
        way = "out of GPU memory" if reaches else "through host memory"
        check(f"rows went between ranks in messages {way}" in ended.stderr, f"{why}: otok says {ended.stderr[-200:]}")


run(small, 2)
run(around, 3)
if EMULATED:
    run(small, 3, reaches=True)
finish("2 and 3 ranks: the bits of a CPU")
