#!/usr/bin/env python3
"""Claim: functions are short. In src/ and viz/ a function has at most 80 lines and 20 paths, in cuda/, where a kernel is a function and
choices are made when it is compiled, 150 lines and 40 paths. A switch counts as one path: its cases are a table."""
import pathlib
import sys

import lizard

ROOT = pathlib.Path(__file__).parent.parent
LIMITS = {"src": (80, 20), "viz": (80, 20), "cuda": (150, 40)}
EXCEPTIONS = {}  # (file, function): why it is long

analyze = lizard.FileAnalyzer(lizard.get_extensions(["modified"]))
faults, unused, count, longest = [], set(EXCEPTIONS), 0, {}
for folder, (most_lines, most_paths) in LIMITS.items():
    for path in sorted((ROOT / folder).rglob("*")):
        if path.suffix not in {".c", ".h", ".cu", ".cuh", ".cpp"}:
            continue
        name = str(path.relative_to(ROOT))
        for f in analyze.analyze_source_code("cuda.cpp", path.read_text()).function_list:  # lizard knows .cu by no name of its own
            lines, paths = f.end_line - f.start_line + 1, f.cyclomatic_complexity
            count += 1
            if (name, f.name) in EXCEPTIONS:
                unused.discard((name, f.name))
                continue
            longest[folder] = max(longest.get(folder, (0, "")), (lines, f.name))
            if lines > most_lines or paths > most_paths:
                faults.append(f"{name}:{f.start_line}: {f.name} has {lines} lines and {paths} paths; allowed are {most_lines} and {most_paths}")
faults += [f"{name}: {function}: an exception that nothing needs" for name, function in sorted(unused)]
for fault in faults:
    print(fault)
print(f"{count} functions, {len(faults)} faults; longest:", ", ".join(f"{folder} {n} ({name})" for folder, (n, name) in longest.items()))
sys.exit(bool(faults) or count < 2000)
