"""Claim: otok driver answers the same, whichever of Dakota's formats it is asked in: what is asked for, in its order, and nothing else;
it answers `fail` and why where there is nothing to answer - bad files, refused values, unknown responses, a state of a member that
diverged - and always leaves a results file; the cause of a failure is all that differs from a run by hand."""

import json

from cli import *

WATER = """otok: 1
grid: {nx: 12, ny: 12, spacing: 2}
base: [{cone: {height: 12, radius: 20}}]
phases:
  - name: a
    iterations: 60
    rain: {rate: 0.002}
    hydraulic: {dt: 0.05, dissolve: 1, deposit: 1, rates: per_iteration, capacity: 1.0e-4}
"""
scenario = write("water.yaml", WATER)
CAPACITY, DT = "phases.a.hydraulic.capacity", "phases.a.hydraulic.dt"


def standard(variables, responses, metadata=(), more=""):
    """As Dakota writes it: right-aligned values, each with its tag."""
    rows = [(len(variables), "variables"), *((value, name) for name, value in variables)]
    rows += [(len(responses), "functions"), *((asv, f"ASV_{i + 1}:{name}") for i, (name, asv) in enumerate(responses))]
    rows += [(1, "derivative_variables"), (1, "DVV_1:dt"), (1, "analysis_components"), ("a b", "AC_1:otok"), ("3:1", "eval_id")]
    rows += [(len(metadata), "metadata"), *((name, f"MD_{i + 1}") for i, name in enumerate(metadata))]
    return "".join(f"{value:>43} {tag}\n" for value, tag in rows) + more


def aprepro(variables, responses, metadata=()):
    tags = {"variables": "DAKOTA_VARS", "functions": "DAKOTA_FNS", "derivative_variables": "DAKOTA_DER_VARS",
            "analysis_components": "DAKOTA_AN_COMPS", "eval_id": "DAKOTA_EVAL_ID", "metadata": "DAKOTA_METADATA"}
    lines = []
    for line in standard(variables, responses, metadata).splitlines():
        value, tag = line.strip().rsplit(" ", 1)
        value = value if re.fullmatch(r"[-+.0-9e]+", value) else f'"{value}"'
        lines.append(f"{'{':>21} {tags.get(tag, tag):<15} = {value:>22} }}\n")
    return "".join(lines)


def as_json(variables, responses, metadata=()):
    return json.dumps({"variables": [{"label": name, "value": value} for name, value in variables],
                       "responses": [{"label": name, "active_set": asv} for name, asv in responses], "derivative_variables": [1],
                       "analysis_components": [{"driver": "otok", "component": "a b"}], "eval_id": "3:1", "metadata": list(metadata)}, indent=1)


def drive(text, *words, code=0):
    results = SPACE / "results.out"
    results.unlink(missing_ok=True)
    done = otok("driver", scenario, *words, "--backend", BACKEND, write("params.in", text), results, code=code)
    return results.read_text() if results.exists() else "", done.stderr


NAMES = ["--name", f"dt={DT}", "--every", "7"]
asked = ([("dt", 0.025), (CAPACITY, 2e-4)], [("relief", 1), ("water", 0), ("verdict", 1), ("ledger_rain", 1), ("eroded", 1)], ["iterations"])
found, said = drive(standard(*asked), *NAMES)
rows = [line.split() for line in found.splitlines()]
check([name for _, name in rows] == ["relief", "verdict", "ledger_rain", "eroded", "iterations"] and not said, f"standard: {found} {said}")
values = {name: float(value) for value, name in rows}
check(abs(values["ledger_rain"] - 0.002 * 0.025 * 60 * 24 * 24) < 1e-6 and values["iterations"] == 60 and 5 < values["relief"] < 13, f"standard: {values}")
check(drive(aprepro(*asked), *NAMES)[0] == found, "APREPRO gives other results")
check(drive(as_json(*asked), *NAMES, "--results", "standard")[0] == found, "JSON gives other results")
answer = json.loads(drive(as_json(*asked), *NAMES)[0])
check({**answer["functions"], **answer["metadata"]} == values and list(answer["functions"]) == ["relief", "verdict", "ledger_rain", "eroded"], f"JSON: {answer}")
check(json.loads(drive(standard(*asked), *NAMES, "--results", "json")[0]) == answer, "standard to JSON")
check(drive(standard([(f"seed", "7")], [("stable", 1)], more="\n\n"))[0].split()[1] == "stable", "a path, without --name")

# What cannot be answered.
dt, good = [("dt", 0.025)], [("relief", 1)]
for what, text, why in (
    ("empty", "", "variables or functions are missing"),
    ("no responses", "1 variables\n0.1 dt\n", "variables or functions are missing"),
    ("not a parameters file", "otok: 1\n", "not the head of a section"),
    ("a value alone", "1 variables\n0.1\n", ":2: a value without a tag"),
    ("cut", "3 variables\n0.1 dt\n", "the file ends early"),
    ("no number", "x variables\n", "must be a whole number"),
    ("batch", standard(dt, good) * 2, "leave `batch` out"),
    ("APREPRO cut", "{ DAKOTA_VARS = 1 }\n{ dt 0.1 }\n", ":2: not of the form { tag = value }"),
    ("JSON cut", '{"variables": [', "params.in"),
    ("JSON without responses", '{"variables": []}', "`responses` is missing"),
    ("gradient", standard(dt, [("relief", 3)]), "no_gradients"),
    ("JSON gradient", as_json(dt, [("relief", 2)]), "values only"),
    ("unknown variable", standard([("hydraulic.dt", 1)], good), "hydraulic"),
    ("word", standard([("dt", "fast")], good), "fast"),
    ("twice", standard([("dt", 0.02), (DT, 0.01)], good), "two variables are " + DT),
    ("refused", standard([("dt", -1)], good), "-1 is out of range"),
    ("unknown response", standard(dt, [("height", 1)]), "there is no response `height`"),
    ("no value", standard(dt, [("growth", 1)]), "`growth` has no value"),
    ("diverged", standard([(CAPACITY, 1e6)], good), "the member diverged at iteration"),
):
    found, said = drive(text, *NAMES)
    if text.startswith('{"') or text.startswith("{\n"):
        answer = json.loads(found)
        check(answer["fail"] == "true" and why in answer["cause"] and why in said, f"{what}: {found} {said}")
    else:
        check(found.startswith("fail\n") and why in found and why in said, f"{what}: {found} {said}")
found, said = drive(standard([(CAPACITY, 1e6)], [("stable", 1), ("first_iteration", 1)]), *NAMES)
check(found.split()[1::2] == ["stable", "first_iteration"] and float(found.split()[0]) == 0 and not said, f"diverged: {found} {said}")
otok("driver", scenario, SPACE / "none.in", SPACE / "none.out")
check((SPACE / "none.out").read_text().startswith("fail\n"), "no parameters file")
otok("driver", scenario, SPACE / "params.in", SPACE / "nowhere" / "results.out", code=74)
for words in ([scenario], [scenario, "a"], [scenario, "a", "b", "c"], ["--results", "xml", scenario, "a", "b"], ["--name", "dt", scenario, "a", "b"], ["--every", "0", scenario, "a", "b"]):
    otok("driver", *words, code=2)
finish("")
