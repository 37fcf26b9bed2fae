#!/usr/bin/env python3
"""Claim: includes point one way. A file includes files of its own room, of rooms below it, and the public headers; no two files
include each other, directly or by way of others."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parent.parent
# From the ground up. `cuda` and `viz` are folders beside src/.
ROOMS = ["model", "core", "io", "scenario", "base", "cpu", "cuda", "bands", "sim", "road", "study", "viz", "cli"]
PUBLIC = {"otok.h", "otok_fields.h", "otok_ledger.def", "otok_live.h", "otok_predict.h", "otok_road.h", "otok_run.h", "otok_study.h"}
BACKENDS = {"cpu", "cuda", "bands"}  # side by side: none includes another

files = [p for folder in ("src", "cuda", "viz") for p in (ROOT / folder).rglob("*") if p.suffix in {".c", ".h", ".def", ".cu", ".cuh", ".cpp"}]
faults, includes = [], {}


def room(path):
    parts = path.relative_to(ROOT).parts
    return "public" if path.name in PUBLIC else parts[1] if parts[0] == "src" else parts[0]


def find(path, name):
    for folder in (path.parent, ROOT / "src", ROOT, ROOT / "cuda"):
        if (folder / name).is_file():
            return (folder / name).resolve()
    return None


for path in files:
    includes[path] = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = re.match(r'#include "([^"]+)"', line)
        target = find(path, match.group(1)) if match else None
        if not target:
            continue
        includes[path].append(target)
        here, there = room(path), room(target)
        if there == "public" or here == there:
            continue
        if here == "public" or ROOMS.index(there) > ROOMS.index(here) or {here, there} <= BACKENDS:
            faults.append(f"{path.relative_to(ROOT)}:{number}: room {here} may not include room {there} ({match.group(1)})")

state = {}


def visit(path, way):
    state[path] = "open"
    for target in includes.get(path, []):
        if state.get(target) == "open" and target != path and target.suffix != ".def":
            faults.append("a circle: " + " -> ".join(str(p.relative_to(ROOT)) for p in way[way.index(target):] + [target]))
        elif target not in state:
            visit(target, way + [target])
    state[path] = "done"


for path in files:
    if path not in state:
        visit(path, [path])
for fault in faults:
    print(fault)
print(f"{len(files)} files, {sum(map(len, includes.values()))} includes, {len(faults)} faults")
sys.exit(bool(faults))
