#!/usr/bin/env python3
"""Claim: ranks with a GPU each, or with one that they share, give the bits of a CPU alone. Ranks of one machine take rows out of each
other's memory on the devices; where devices do not allow that, messages carry them. (Emulated devices allow it if OTOK_EMULATED_SHARED
names a file, which then has a letter for each allocation that one process opened of another.)"""
import shutil
import subprocess

from cli import ENV, ISLAND, OTOK, SPACE, check, finish, fingerprint, otok, skip, write

MPIRUN = shutil.which("mpirun")
if not MPIRUN:
    skip("no mpirun")
EMULATED = "emulated" in str(OTOK)
short = ISLAND.replace("iterations: 400", "iterations: 40").replace("during: [[0, 250]]", "during: [[0, 30]]")
short = short.replace("iterations: 500", "iterations: 20").replace("reef: {dt: 0.01", "reef: {dt: 0.2").replace("every: 100", "every: 0")
small = write("ranks.yaml", short.replace("nx: 96, ny: 64, spacing: 8", "nx: 48, ny: 150, spacing: 6") if EMULATED else short.replace("nx: 96, ny: 64", "nx: 96, ny: 1000"))
around = write("around.yaml", small.read_text().replace("edges: {left: open}", "edges: {left: open, bottom: periodic, top: periodic}"))
probe = subprocess.run([OTOK, "run", small, "--backend", "cuda", "--dry-run"], env=ENV, capture_output=True, text=True)
if probe.returncode == 69:
    skip(probe.stderr)
bits = {s: fingerprint(otok("run", s, "-o", SPACE / s.stem, "-q", "--backend", "cpu").stdout) for s in (small, around)}
opened = SPACE / "opened"


def run(scenario, n, shared):
    environment = {**ENV, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
    environment |= {"ASAN_OPTIONS": "detect_leaks=0", **({"OTOK_EMULATED_SHARED": str(opened)} if shared else {})}
    opened.write_text("")
    command = [MPIRUN, "--oversubscribe", "-n", str(n), OTOK, "run", scenario, "-o", SPACE / f"{n}", "-q", "--overwrite", "--backend", "cuda"]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=1800)
    why = f"{scenario.stem}, {n} ranks, {'lent' if shared else 'carried'}"
    check(ended.returncode == 0, f"{why}: exit {ended.returncode}: {ended.stderr[-400:]}")
    check(ended.returncode or fingerprint(ended.stdout) == bits[scenario], f"{why}: other bits than on a CPU: {ended.stdout[-200:]}")
    if EMULATED:
        check(bool(opened.read_text()) == shared, f"{why}: {len(opened.read_text())} allocations were opened")


run(small, 2, True)
run(around, 3, True)
run(around, 2, False)
finish("2 and 3 ranks: the bits of a CPU")
