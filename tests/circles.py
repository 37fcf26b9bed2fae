#!/usr/bin/env python3
"""Claim: no files call each other in a circle, directly or by way of others, in src/ and viz/, but for the exceptions below. Reads the
objects of a build: circles.py BUILD."""
import pathlib
import subprocess
import sys

EXCEPTIONS = [
    # the step of a phase is one of its processes'; rain has times, uplift a largest sum, a coast the time between waves, rivers a largest cut
    {"src/scenario/calendar.c", "src/scenario/process_coast.c", "src/scenario/process_incision.c", "src/scenario/process_rain.c", "src/scenario/process_uplift.c", "src/scenario/processes.c"},
]

defined, wanted = {}, {}
for path in sorted(pathlib.Path(sys.argv[1]).glob("CMakeFiles/*.dir/**/*.o")):
    name = str(path).split(".dir/", 1)[1].removesuffix(".o")
    if not name.startswith(("src/", "viz/")):
        continue
    wanted[name] = set()
    for line in subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout.splitlines():
        *_, kind, symbol = line.split()
        if kind == "U":
            wanted[name].add(symbol)
        elif kind in "TDBRV":
            defined[symbol] = name
calls = {name: {defined[s] for s in symbols if s in defined} - {name} for name, symbols in wanted.items()}


def reached(name):
    found, todo = set(), [name]
    while todo:
        for other in calls[todo.pop()] - found:
            found.add(other)
            todo.append(other)
    return found


reach = {name: reached(name) for name in calls}
circles = {frozenset(other for other in reach[name] if name in reach[other]) for name in calls if name in reach[name]}
faults = [c for c in circles if c not in EXCEPTIONS]
for circle in faults:
    print("a circle:", *sorted(circle))
    for a in sorted(circle):
        for b in sorted(calls[a] & circle):
            print(f"  {a} calls {b}:", *sorted(s for s in wanted[a] if defined.get(s) == b))
print(f"{len(calls)} files, {len(circles)} circles, {len(faults)} faults")
sys.exit(bool(faults) or len(calls) < 100)
