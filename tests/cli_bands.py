#!/usr/bin/env python3
"""Claim: a grid in bands has the bits of a grid in one piece: checkpoints hold the same data whether one process, several bands or
several MPI ranks made them, and each can be resumed as any other. Droplets, layers and rivers too. What cannot be is refused."""
# once: under the sanitizers; it depends on no optimisation
import os
import shutil
import subprocess

import h5py
import numpy as np
from cli import ENV, OTOK, SMALL, SPACE, check, finish, otok, write
from cli import ISLAND as LONG

# Attributes that say when, where and by which command a file was made, and checksums of these; and places within the file.
PROVENANCE = {"date_created", "history", "id", "otok_backend", "otok_device", "otok_host", "otok_command", "otok_parent", "header_sha256"}
REFERENCES = {"DIMENSION_LIST", "REFERENCE_LIST"}
MPIRUN = shutil.which("mpirun")
ISLAND = LONG.replace("iterations: 500", "iterations: 60") if SMALL else LONG


def content(path):
    """All datasets and attributes of a checkpoint but for its provenance, with the bytes of every chunk as they lie in the file."""
    found = {}

    def visit(name, node):
        for key, value in node.attrs.items():
            if key not in PROVENANCE | REFERENCES:
                found[name, key] = np.asarray(value).tobytes() if not isinstance(value, str) else value
        if isinstance(node, h5py.Dataset):
            found[name] = node[()].tobytes() if node.dtype != object else repr(node[()])
            if node.chunks:
                ids = range(node.id.get_num_chunks())
                found[name, "chunks"] = [node.id.read_direct_chunk(node.id.get_chunk_info(n).chunk_offset)[1] for n in ids]

    with h5py.File(path) as file:
        visit("", file)
        file.visititems(visit)
    return found


def ranks(n):
    """The words that start otok on n ranks, or on one."""
    return [MPIRUN, "--oversubscribe", "-n", str(n)] if n > 1 else []


def run(where, *options, n=1, text=ISLAND, code=0):
    path = write("island.yaml", text)
    environment = {**ENV, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
    if n > 1:
        environment["ASAN_OPTIONS"] = "detect_leaks=0"  # MPI keeps memory to the end
    command = [*ranks(n), OTOK, "run", path, "-o", where, "-q", *options]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
    check(ended.returncode == code, f"{' '.join(map(str, command[:6]))}: exit {ended.returncode}, expected {code}: {ended.stderr[-400:]}")
    return ended


def same(one, two, why):
    names = sorted(p.name for p in one.glob("*.vtkhdf"))
    check(names and names == sorted(p.name for p in two.glob("*.vtkhdf")), f"{why}: other checkpoints")
    for name in names:
        a, b = content(one / name), content(two / name)
        differ = [key for key in a.keys() | b.keys() if a.get(key) != b.get(key)]
        check(not differ, f"{why}: {name}: {differ[:4]} differ")


DROPLETS = ISLAND.replace("  - {name: seabed", "  - {name: drops, iterations: 4, droplets: {count: 2000, batch: 500}}\n  - {name: seabed")
LAYERS = ISLAND.replace("phases:\n", "layers:\n  - {name: soil, thickness: 2, erodibility: 2}\n  - {name: rock, erodibility: 0.3}\nphases:\n")

for title, text in ("island", ISLAND), ("droplets", DROPLETS), ("layers", LAYERS):
    one = SPACE / f"{title}-1"
    run(one, text=text)
    for bands in (7,) if title != "island" else (2,) if SMALL else (2, 7):
        where = SPACE / f"{title}-{bands}-bands"
        run(where, "--bands", str(bands), text=text)
        same(one, where, f"{title}, {bands} bands")
    for n in (3,) if title != "island" else () if SMALL else (2, 7):
        if not MPIRUN:
            break
        where = SPACE / f"{title}-{n}-ranks"
        run(where, n=n, text=text)
        same(one, where, f"{title}, {n} ranks")

# From one division to another in the middle of a run.
first = SPACE / "island-1"
last = sorted(p.name for p in first.glob("*.vtkhdf"))
for title, options, n in ("bands", ["--bands", "3"], 1), ("ranks", [], 3), ("one", [], 1):
    if n > 1 and not MPIRUN:
        continue
    where = SPACE / f"resumed-{title}"
    shutil.copytree(SPACE / "island-2-bands", where)
    for name in last[4:]:
        (where / name).unlink()
    (where / next(iter(p.name for p in where.glob("*.series")))).unlink()
    run(where, "--resume", *options, n=n)
    same(first, where, f"resumed: {title}")

for options, code, words in (
    (["--bands", "0"], 2, "give a number from 1"),
    (["--bands", "2", "--gpus", "1"], 2, "exclude each other"),
    (["--backend", "cpu/0"], 2, "number of bands"),
    (["--backend", "cpu/2", "--bands", "2"], 2, "names a number of bands"),
    (["--backend", "cpu", "--gpus", "2"], 69, "has 0 GPUs"),
    (["--device", "x"], 2, "number of a GPU"),
):
    said = run(SPACE / "refused", *options, code=code).stderr
    check(words in said, f"{options}: {said}")
if otok("run", write("island.yaml", ISLAND), "--dry-run", "--backend", "cuda", code=None).returncode:
    said = run(SPACE / "device", "--backend", "cuda", code=69).stderr
    check("cuda" in said and "--backend cpu" in said and not (SPACE / "device").exists(), f"without a device: {said}")
said = otok("run", write("island.yaml", ISLAND), "-o", SPACE / "refused", "--device", "1", code=2, env={"CUDA_VISIBLE_DEVICES": "3"}).stderr
check("names only 3" in said, f"--device beyond CUDA_VISIBLE_DEVICES: {said}")
finish()
