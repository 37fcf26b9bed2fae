"""Claim: whatever a file, a name or an option holds, no character that controls a terminal or the direction of text reaches standard
output or standard error; what is printed for programs (JSON, YAML) still means the same."""
# once: under the sanitizers; it depends on no optimisation

import json
import os

from cli import *

BAD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
EVIL = "\x1b]0;OWNED\x07\x9b31m\u202egnp\u2066\x7f\r\u061c"
QUOTED = json.dumps(EVIL).replace("\x7f", "\\u007f")  # valid YAML, too
MILD = "\u202egnp\u2066 \u061c31m"  # what a title may hold
tried = 0


def tame(*words, code=None):
    """Runs otok; whatever happens, nothing evil is printed. Returns standard output."""
    global tried
    tried += 1
    words = [w if isinstance(w, bytes) else str(w).encode() for w in words]
    done = subprocess.run([OTOK.encode(), *words], capture_output=True, timeout=LIMIT, env=ENV)
    said = done.stdout + done.stderr
    text = said.decode(errors="replace")
    what = b" ".join(words)
    check(not BAD.search(text), f"otok {what}: {BAD.findall(text)} in {said[:600]}")
    check("\ufffd" not in text, f"otok {what}: not UTF-8: {said[:600]}")
    check(code is None or done.returncode == code, f"otok {what}: exit {done.returncode}: {said[-600:]}")
    check(done.returncode >= 0, f"otok {what}: signal {-done.returncode}")
    return done.stdout.decode(errors="replace")


TEXT = """otok: 1
title: TITLE
grid: {nx: 24, ny: 16, spacing: 8}
base: [{cone: {height: 50, radius: 80}}]
phases:
  - {name: rain, iterations: 10, rain: {rate: 0.005}, hydraulic: {dt: 0.05}}
"""


def scenario(name="isle.yaml", text=TEXT, **changes):
    for old, new in {"TITLE": json.dumps(MILD), **changes}.items():
        text = text.replace(old, new)
    return write(name, text)


# A title, in every command.
isle = scenario()
tame("run", isle, "-o", SPACE / "out", "--backend", BACKEND, code=0)
tame("run", isle, "-o", SPACE / "dry", "--dry-run", "--backend", BACKEND, code=0)
first, last = checkpoints(SPACE / "out")[0], checkpoints(SPACE / "out")[-1]
check("31m" in tame("inspect", last, code=0), "inspect does not show the title")
check(json.loads(tame("inspect", "--json", last, code=0))["title"] == MILD, "the title in JSON is another")
again = write("again.yaml", tame("inspect", "--scenario", last, code=0))
tame("run", again, "-o", SPACE / "twice", "--backend", BACKEND, "-q", code=0)
twice = checkpoints(SPACE / "twice")[-1]
check(json.loads(tame("inspect", "--json", twice, code=0))["title"] == MILD, "the title of a printed scenario is another")
tame("compare", first, last, code=1)
tame("predict", isle, code=0)
tame("predict", "--json", isle, code=0)
for kind in ("png", "asc", "ply", "r32"):
    tame("export", last, "-o", SPACE / f"map.{kind}")
tame("bench", isle, "--backend", BACKEND, "--iterations", 2, "--repeats", 1)

# Names, words and numbers of a scenario.
for old, new in (
    ("TITLE", QUOTED),
    ("name: rain", f"name: {QUOTED}"),
    ("nx: 24", f"nx: {QUOTED}"),
    ("rate: 0.005", f'rate: "0.005 {QUOTED[1:-1]}"'),
    ("{rate:", "{" + QUOTED + ":"),
    ("cone:", QUOTED + ":"),
    ("[{cone: {height: 50, radius: 80}}]", "[{raster: " + QUOTED + "}]"),
    ("otok: 1", "otok: " + QUOTED),
    ("grid:", "initial: {file: " + QUOTED + "}\ngrid:"),
    ("phases:", "layers: [{name: " + QUOTED + ", thickness: 2}]\nphases:"),
    ("phases:", QUOTED + ": 1\nphases:"),
    ("phases:", "&" + EVIL + " phases:"),
    ("dt: 0.05", "dt: " + EVIL),
):
    bad = scenario("bad.yaml", **{old: new})
    for words in (["run", bad, "-o", SPACE / "bad", "--backend", BACKEND], ["predict", bad], ["base", bad, "-o", SPACE / "bad.vtkhdf"]):
        tame(*words)
for path in (f"phases.{EVIL}.iterations=3", f"phases.rain.iterations={EVIL}", EVIL):
    tame("run", isle, "-o", SPACE / "set", "--set", path)

# Names of files, options, commands. A name may hold any byte but / and 0.
evil, latin = SPACE / EVIL, os.fsencode(SPACE) + b"/\x9b31m\xff.vtkhdf"
evil.mkdir()
(evil / "a.vtkhdf").write_bytes(last.read_bytes())
pathlib.Path(os.fsdecode(latin)).write_bytes(last.read_bytes())
for words in (
    ["inspect", evil / "a.vtkhdf"],
    ["inspect", latin],
    ["inspect", "--json", evil / "a.vtkhdf"],
    ["inspect", evil / "none"],
    ["export", evil / "a.vtkhdf", "-o", evil / "a.r32"],
    ["export", evil / "a.vtkhdf", "-o", evil],
    ["export", evil / "a.vtkhdf", "-o", SPACE / "a.png", "--field", EVIL],
    ["run", isle, "-o", evil, "--backend", BACKEND],
    ["run", isle, "-o", evil, "--backend", EVIL],
    ["render", last, "-o", SPACE / "a.png", "--size", EVIL],
    ["road", last, "--from", EVIL, "--to", "1,1", "-o", SPACE / "r.vtkhdf"],
    ["merge", evil],
    [EVIL],
    ["run", "--" + EVIL],
    ["run", isle, EVIL, EVIL],
    ["parameters", EVIL],
    ["movie", evil, "-o", SPACE / (EVIL + ".mkv"), "--size", "36x24"],
):
    tame(*words)

# Tables and grids.
study = "study: 1\nscenario: isle.yaml\ndesign: {kind: grid}\nvary:\n  AXIS: VALUES\n"
for axis, values in (("phases.rain.hydraulic.dt", f"[0.01, {QUOTED}]"), (QUOTED, "[1, 2]"), ("title", f"[{QUOTED}, a]")):
    path = write("study.yaml", study.replace("AXIS", axis).replace("VALUES", values))
    for more in (["--dry-run"], ["--backend", BACKEND]):
        tame("study", path, "-o", SPACE / "study", *more)
for head in (f"ncols {EVIL}\n", f"{EVIL} 3\n", "ncols 2\nnrows 1\ncellsize 8\n1 " + EVIL + "\n"):
    write("a.asc", head)
    tame("base", scenario("bad.yaml", **{"cone: {height: 50, radius: 80}": "raster: a.asc"}), "-o", SPACE / "b.vtkhdf")
for cell in (EVIL, f"1,2,{EVIL}"):
    write("springs.csv", f"x,y,discharge\n{cell}\n")
    tame("run", scenario("bad.yaml", **{"rain: {rate": "rivers: {file: springs.csv}, rain: {rate"}), "-o", SPACE / "s", "--backend", BACKEND)

# The attributes of a checkpoint that somebody else has made.
try:
    import h5py
    import numpy
except ImportError:
    h5py = None
if h5py:
    with h5py.File(last) as file:
        names = [k for k, v in file.attrs.items() if isinstance(v, (bytes, str))]
    check(len(names) > 8, f"only {names}")
    for name in names:
        copy = SPACE / "copy.vtkhdf"
        copy.write_bytes(last.read_bytes())
        with h5py.File(copy, "r+") as file:
            old = file.attrs[name]
            old = old if isinstance(old, bytes) else old.encode()
            for evil_bytes in (EVIL.encode(), b"\x9b31m"):
                del file.attrs[name]
                file.attrs.create(name, numpy.bytes_(old + evil_bytes))
                file.flush()
                for words in (["inspect"], ["inspect", "--json"], ["inspect", "--scenario"], ["compare", last]):
                    tame(*words, copy)
finish(f"{tried} calls")
