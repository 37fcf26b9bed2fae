#!/usr/bin/env python3
"""Runs random members of every process and pair at dt, dt/2 and dt/4, a tenth at dt/8, and counts how often the verdict `stable` was false.

usage: falsify.py [--members 48] [--backend cpu] [--seed S] [--grid] ...     (--help; packages: numpy, scipy)
       falsify.py resume [--seconds N] --out OUT: what a run that was cut has left, with its options
       falsify.py make ...; collect.py STUDIES RESULTS ...; falsify.py tell --results RESULTS --out OUT: in three steps, the second elsewhere
       OTOK=path: another program than build/otok, or the libotok.so beside it, which runs if it is there
Exit 0; 1 with --bound, if in a family a larger share of its members is falsely stable; 2 usage."""
import argparse
import csv
import gzip
import json
import os
import secrets
import shlex
import shutil
import sys
from pathlib import Path

import numpy as np

import collect
import members
from collect import EVERY, FACTS, SAME

ROOT = Path(__file__).resolve().parents[3]
OTOK = os.environ.get("OTOK", str(ROOT / "build/otok"))
FALSE, MUCH, TRUE = 0.10, 0.50, 0.02  # relative change of a response: from which `stable` is false, and false by far; up to which an alarm is
NO_ANSWER = ("none", "refused")
ROUNDING = 2.0**-24  # [of the highest height, times the root of the iterations] a random walk of half units in the last place
RESIDUE = 1e-4  # [of the mean thickness of ground that moved] heights that are left of less are residues
OF_CELLS = ("ground roughness",)  # a response that depends on the cell size for any ground
COASTS = {"light", "waves", "marine", "bank", "series", "swept", "coasts"}
LEVELS = {"step": [(1, 1), (2, 1), (4, 1), (8, 1)], "grid": [(1, 1), (4, 1), (4, 2)]}  # step and cell are so many times shorter


def responses(s, cell):
    """Name: value of each member, and the amount below which it does not count; cell: its area [m2]."""
    came = s["ledger_water_start"] + s["ledger_rain"] + s["ledger_rivers"]
    moved = s["eroded"] + s["deposited"] + np.abs(s["ledger_sediment_out"])
    least = ROUNDING * np.sqrt(s["iterations"]) * s["highest"]
    ground, none = np.maximum(0.01 * moved, least * s["cells"] * cell), np.zeros_like(came)
    height = np.maximum(least, RESIDUE * np.maximum(moved - np.abs(s["ledger_uplift"]), 0) / (s["cells"] * cell))
    found = {
        "water": (s["ledger_water"], 1e-3 * came), "outflow": (s["ledger_water_out"], 0.01 * came),
        "evaporated": (s["ledger_evaporated"], 0.01 * came), "eroded": (s["eroded"], ground), "deposited": (s["deposited"], ground),
        "suspended": (s["ledger_suspended"], ground), "sediment out": (s["ledger_sediment_out"], ground), "reef": (s["ledger_reef"], ground),
        "mean slope": (s["mean_slope"], none + 1e-3), "ground roughness": (s["ground_roughness"], height),
        "relief": (s["relief"], height), "flooded": (s["flooded"], 33.5 * cell),
    }
    if np.isfinite(s["deepest"]).any():
        found["deepest"] = (s["deepest"], least)
    return found


def flow(s):
    """What an alarm may be about, besides the responses: how many cells are wet, and the mean speed. They are those of an instant."""
    none = np.zeros_like(s["wet"])
    return {"water": (none, none), "wet": (s["wet"], none), "mean speed": (s["mean_speed"], none)}


def change(found, a, b):
    """The largest relative change of a response from level a to b, and its name; 1 where one level has no finite answer."""
    most, name = np.zeros(found["water"][0].shape[1]), np.full(found["water"][0].shape[1], "", dtype="U20")
    for key, (value, floor) in found.items():
        one, other = np.abs(value[a]), np.abs(value[b])
        size = np.maximum(one, other)
        with np.errstate(invalid="ignore", divide="ignore"):
            moved = np.where(size > np.maximum(floor[a], floor[b]), np.abs(value[a] - value[b]) / size, 0)
        moved = np.where(np.isfinite(value[a]) & np.isfinite(value[b]), moved, 1)
        name[moved > most], most = key, np.maximum(most, moved)
    return np.minimum(most, 1), name


def tenth(count):
    """So many members of a variant run at dt/8, too."""
    return (count + 9) // 10


def begin(one, folder, options):
    """Writes the study of a variant."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "scenario.yaml").write_text(json.dumps(one.scenario, indent=1) + "\n")
    if one.kind in members.RASTERS:
        n = 2 * options.cells
        np.savetxt(folder / f"{one.kind}.asc", members.relief(one.kind, n)[::-1], "%.9g", comments="",
                   header=f"ncols {n}\nnrows {n}\nxllcorner 0\nyllcorner 0\ncellsize 1")
    tables = [one.refined(*level, options.campaign == "grid") for level in LEVELS[options.campaign]]
    paths = list(tables[0])
    members_of = [slice(None)] * 3 + [slice(tenth(one.count))]
    rows = [[value if isinstance(value, str) else f"{value:.10g}" for value in row]
            for table, some in zip(tables, members_of) for row in zip(*(table[path][some] for path in paths))]
    with open(folder / "table.csv", "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([paths, *rows])
    words = {"study": 1, "scenario": "scenario.yaml", "design": {"kind": "list", "file": "table.csv"}, "monitor": {"every": max(10, options.iterations // 50)}}
    if "hydraulic" in one.phase:
        words["responses"] = {"deepest": "max(water)"}
    if "incision" in one.phase and options.campaign == "step":
        words["keep"] = {"fields": ["drainage_area"]}
    (folder / "study.yaml").write_text(json.dumps(words) + "\n")


KEPT = ("members", "variants", "cells", "iterations", "families", "backend", "seed", "campaign")  # options that its studies hang on


def make(options, known):
    """Writes the studies, and a list of them for collect.py."""
    tasks = []
    for family in options.families:
        count = options.members // (16 if "droplets" in family and options.backend != "cpu" else 1)
        variants = max(1, min(options.variants, count))
        tasks += [{"family": family, "variant": number, "count": count // variants + (number < count % variants)} for number in range(variants)]
    shutil.rmtree(options.out / "studies", ignore_errors=True)
    for task in tasks:
        one = members.Variant(task["family"], task["variant"], options.seed, task["count"], options.cells, options.iterations, known)
        begin(one, options.out / "studies" / task["family"] / str(task["variant"]), options)
    kept = {name: value for name, value in vars(options).items() if name in KEPT}
    (options.out / "studies/tasks.json").write_text(json.dumps({"options": kept, "tasks": tasks}) + "\n")


def judge(task, rows, options):
    """What came of each member of a variant. A level at which it did not run has no numbers, and the verdict ""."""
    family, number, count = task["family"], task["variant"], task["count"]
    folder, steps = options.out / "studies" / family / str(number), options.campaign == "step"
    with open(folder / "table.csv", newline="") as file:
        paths, *table = csv.reader(file)
    words, none = ("family", "verdict", "limit", "most", "most_reversed", "cause"), dict.fromkeys(collect.NAMES, "nan")
    at = {(int(row["level"]), int(row["member"])): row for row in rows}
    s = {name: np.array([[at.get((level, i), none | dict.fromkeys(words, ""))[name] for i in range(count)] for level in range(4)]) for name in collect.NAMES}
    s = {name: values if name in words else values.astype(float) for name, values in s.items()}
    spacing = np.array([[float(table[min(level, 2) * count + i][paths.index("grid.spacing")]) for i in range(count)] for level in range(4)])
    s["cells"] = np.full((4, count), float(options.cells) ** 2) if steps else (options.cells * spacing[0] / spacing) ** 2
    found = {key: (value, np.broadcast_to(floor, value.shape)) for key, (value, floor) in responses(s, spacing**2).items() if steps or key not in OF_CELLS}
    verdict, first = s["verdict"], 0 if steps else 1
    truth, response = change(found, first, 2)
    for name, other in (("form", s["form"][first] != s["form"][2]), ("rivers", np.nan_to_num(s["net_whole"][0]))):
        response[other > truth], truth = name, np.maximum(truth, other)
    eighth = np.maximum(change(found, 0, 3)[0], s["form"][0] != s["form"][3])
    asked = np.maximum(truth, change(flow(s), first, 2)[0])
    truth[verdict[2] == ""] = asked[verdict[2] == ""] = eighth[np.isin(verdict[3], ("", *NO_ANSWER))] = np.nan
    judged = ~np.isin(verdict[:3], NO_ANSWER).any(0)
    wrong = judged & (verdict[0] == "stable") & (truth > FALSE)
    return [
        {"family": family, "variant": number, "verdict": str(verdict[0, i]), "judged": bool(judged[i]), "wrong": bool(wrong[i]),
         "cause": next(filter(None, s["cause"][:, i]), ""), "truth": float(truth[i]), "asked": float(asked[i]), "always": bool(verdict[0, i] in SAME and (verdict[:3, i] == verdict[0, i]).all()), "response": str(response[i]), "eighth": float(eighth[i]),
         "margin": float(s["margin"][0, i]), "limit": str(s["limit"][0, i]), "doubt": float(s["doubt"][0, i]), "again": bool(np.isfinite(s["changed"][0, i])),
         "changed": float(s["changed"][0, i]), "most": str(s["most"][0, i]), "reversed": float(s["reversed"][0, i]), "most_reversed": str(s["most_reversed"][0, i]), "iterations": int(np.nansum(s["iterations"][:, i])),
         "command": shlex.join([os.path.relpath(OTOK), "run", os.path.relpath(folder / "scenario.yaml"),
                                *(word for path, value in zip(paths, table[i]) for word in ("--set", f"{path}={value}"))])}
        for i in range(count)
    ]


def interval(k, n):
    """The exact 95 % interval of a share (Clopper & Pearson 1934) [%]."""
    from scipy.stats import beta  # takes longer to load than all else

    if n == 0:
        return "-"
    low, high = 0 if k == 0 else beta.ppf(0.025, k, n - k + 1), 1 if k == n else beta.ppf(0.975, k + 1, n - k)
    return f"{100 * low:.2f} to {100 * high:.2f}"


def percent(part, whole):
    return f"{100 * part / whole:.1f}" if whole else "-"


def is_false_alarm(m):
    """Of a member that changes by less than 2 %."""
    return m["asked"] < TRUE and m["verdict"] not in ("stable", *FACTS) and not (m["always"] and m["verdict"] in EVERY)


def line(name, all_of):
    """A row of the table."""
    judged = [m for m in all_of if m["judged"]]
    stable = [m for m in judged if m["verdict"] == "stable"]
    wrong = [m for m in judged if m["wrong"]]
    sounded = [m for m in judged if m["truth"] < TRUE and m["verdict"] not in ("stable", *FACTS)]
    alarms = [m for m in sounded if is_false_alarm(m)]
    words = {word: sum(m["verdict"] == word for m in alarms) for word in sorted({m["verdict"] for m in alarms})}
    clean = [m for m in judged if m["truth"] < TRUE]
    should = [m for m in clean if m["verdict"] not in FACTS and not m["always"]]
    right = sum(m["verdict"] == "stable" for m in should)
    cells = [name, len(all_of), len(judged), len(stable), len(wrong), interval(len(wrong), len(stable)), sum(m["truth"] > MUCH for m in wrong),
             f'{sum(m["eighth"] > FALSE for m in stable)} of {sum(np.isfinite(m["eighth"]) for m in stable)}', sum(m["margin"] > 1 for m in wrong), len(clean),
             sum(m["margin"] > 1 for m in clean), len(should), percent(right, len(should)), len(sounded), percent(len(alarms), len(clean)), ", ".join(f"{n} {word}" for word, n in words.items()) or 0, sum(m["iterations"] for m in all_of)]
    return "| " + " | ".join(map(str, cells)) + " |"


HEAD = """| family | members | with an answer | stable | of these false | 95 % [%] | by > 50 % | false at dt/8 | margin > 1 | changed < 2 % | margin > 1 | should be stable | are [%] | alarms | false [%] | false ones | member-iterations |
| -- | -- | -- | -- | -- | -- | -- | -- | -- | -- | -- | -- | -- | -- | -- | -- | -- |"""


def counts(family, found):
    """False ones if the audit is left out, whose alarms would be `stable`, or `growing` at best; with its windows alone; and with whole runs of
    members in doubt. How many of these there were. For draw.py."""
    judged = [m for m in found if m["judged"]]
    false = [m for m in judged if m["verdict"] in ("stable", "step_dependent") and m["truth"] > FALSE]
    return {"family": family, "members": len(judged), "again": sum(m["again"] for m in judged), "false_without_audit": len(false),
            "false_with_windows": sum(m["doubt"] <= 1 for m in false), "false": sum(m["wrong"] for m in judged)}


def write(path, rows, names):
    with open(path, "w", newline="") as file:
        table = csv.DictWriter(file, names, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def arguments():
    parser = argparse.ArgumentParser(description="Random members at dt, dt/2 and dt/4: how often is `stable` false?")
    add = parser.add_argument
    add("step", nargs="?", choices=("make", "tell", "resume"), help="writes the studies alone; judges their results alone; runs what is left")
    add("--results", type=Path, action="append", help="of collect.py, one or more, with tell; default: in --out")
    add("--seconds", type=float, default=1e6, help="no study begins that would end later")
    add("--members", type=int, default=48, help="of each family; of those with droplets a sixteenth on a GPU, one after the other")
    add("--variants", type=int, default=6, help="studies of a family, each with its own terrain, edges and words")
    add("--cells", type=int, default=32, help="a side of the grid")
    add("--iterations", type=int, default=320, help="the most at dt; the fewest are a quarter")
    add("--families", default=",".join(members.FAMILIES), help="names, with commas")
    add("--backend", default="cpu", choices=("cpu", "cuda", "auto"))
    add("--jobs", type=int, default=2, help="studies side by side")
    add("--seed", type=int, help="default: another one each time")
    add("--grid", dest="campaign", action="store_const", const="grid", default="step", help="compares l and l/2 at dt/4 instead")
    add("--out", type=Path, default=ROOT / "out/falsify")
    add("--worst", type=int, default=20, help="members of a family in worst.csv")
    add("--bound", type=float, help="the largest share of falsely stable members of a family; more: exit 1")
    options = parser.parse_args()
    options.families = options.families.split(",")
    options.seed = secrets.randbelow(2**31) if options.seed is None else options.seed
    if options.step in ("tell", "resume"):
        vars(options).update(json.loads((options.out / "studies/tasks.json").read_text())["options"])
    if wrong := set(options.families) - members.FAMILIES.keys():
        parser.error(f"{', '.join(sorted(wrong))}: no family; there are {', '.join(members.FAMILIES)}")
    if options.campaign == "grid":
        options.families = [family for family in options.families if "droplets" not in family]  # a droplet knows no cell size
    return options


def read(options):
    """The lines of results by family and variant."""
    found = {}
    for path in options.results or [options.out / "results.csv.gz"]:
        with gzip.open(path, "rt", newline="") as file:
            for row in csv.DictReader(file):
                found.setdefault((row["family"], int(row["variant"])), {})[row["level"], row["member"]] = row
    return found


def tell(options):
    """The table, of the families of which a study has ended; returns those that are beyond --bound."""
    found = read(options)
    tasks = json.loads((options.out / "studies/tasks.json").read_text())["tasks"]
    print(HEAD, flush=True)
    every, worst, over, bars = [], [], [], []
    for family in options.families:
        mine = [task for task in tasks if task["family"] == family and (family, task["variant"]) in found]
        told = [member for task in mine for member in judge(task, found[family, task["variant"]].values(), options)]
        if not told:
            continue
        print(line(family, told), flush=True)
        every += told
        bars.append(counts(family, told))
        write(options.out / "counts.csv", bars, bars[0])
        worst += sorted((m for m in told if m["wrong"]), key=lambda m: -m["truth"])[: options.worst]
        share = sum(m["wrong"] for m in told) / max(sum(m["judged"] for m in told), 1)
        over += [family] if options.bound is not None and share > options.bound else []
    for name, families in (("**old**", set(options.families) - set(members.NEW)), ("**new**", set(members.NEW)), ("**reefs, coasts**", COASTS), ("**all**", set(options.families))):
        pooled = [m for m in every if m["family"] in families]
        if pooled:
            print(line(name, pooled), flush=True)
    write(options.out / "worst.csv", worst, every[0])
    write(options.out / "alarms.csv", [m for m in every if m["judged"] and is_false_alarm(m)], every[0])
    print(f"\n{options.out}/worst.csv: {len(worst)} members falsely stable, each with the command that runs it alone; alarms.csv: false alarms")
    return over


def main():
    options = arguments()
    print(f"seed {options.seed}", flush=True)
    if options.step in (None, "make"):
        known = members.parameters(OTOK)
        members.check(known)
        make(options, known)
    if options.step in (None, "resume"):
        library, options.loud, results = Path(OTOK).with_name("libotok.so"), False, options.out / "results.csv.gz"
        options.otok = library if library.exists() else OTOK
        if options.step is None:
            results.unlink(missing_ok=True)
        collect.collect(options.out / "studies", results, options)
    if options.step != "make":
        over = tell(options)
        if over:
            sys.exit(f"falsify: more than {options.bound:g} of the members are falsely stable: {', '.join(over)}")


if __name__ == "__main__":
    main()
