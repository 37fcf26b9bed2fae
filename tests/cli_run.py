"""Claim: `otok run` does what its help says: which checkpoints there are and stay, what --set, --dry-run and --quiet do, what a log
and a terminal see, and that two runs do not share a directory."""
# once: under the sanitizers; it depends on no optimisation

import fcntl
import json
import os
import pty
import select
import signal
import struct
import termios

from cli import *

# For the last claims: begun now and held, while other runs want its directory; a log gets a line every 10 s.
long = write("long.yaml", ISLAND.replace("iterations: 500", "iterations: 500000000"))
first = start(long, SPACE / "shared")
check(wait_for(lambda: (SPACE / "shared" / "long.vtkhdf.series").exists()), "the first of two runs did not begin")
first.send_signal(signal.SIGSTOP)

scenario = write("isle.yaml", ISLAND)
end, whole = reference(scenario)


def names(directory):
    return [p.name for p in checkpoints(directory)]


def wanted(*iterations):
    return [f"isle_{i:08d}.vtkhdf" for i in iterations]


def inspect(path):
    return json.loads(otok("inspect", "--json", path).stdout)


def series(directory):
    """The sidecar names the files that are there, and their times are those in the files."""
    found = json.loads((directory / "isle.vtkhdf.series").read_text())["files"]
    check([f["name"] for f in found] == names(directory), f"{directory.name}: series {found}, files {names(directory)}")
    for f in found:
        check(inspect(directory / f["name"])["time"] == f["time"], f"{directory.name}: {f}")


# ---- which checkpoints there are
out = SPACE / "reference"
check(names(out) == wanted(*range(0, 901, 100), LAST), f"every 100: {names(out)}")
series(out)
check(not left_over(out), f"left over: {left_over(out)}")
for every, iterations in (
    (0, (0, LAST)),
    (250, (0, 250, 500, 750, LAST)),
    (460, (0, 460, LAST)),
    (LAST, (0, LAST)),
    (5000, (0, LAST)),
):
    where = SPACE / f"every{every}"
    done = run(scenario, where, "--set", f"output.every={every}")
    check(names(where) == wanted(*iterations), f"every {every}: {names(where)}")
    check(fingerprint(done.stdout) == end, f"every {every}: another result")
    told = re.findall(r"(\S+\.vtkhdf)  ([0-9a-f]{16})", done.stderr)
    check([t[0] for t in told] == [str(p) for p in checkpoints(where)], f"every {every}: told of {told}")
    check(all(inspect(p)["fingerprint"] == f for p, f in told), f"every {every}: told of other fingerprints")
for keep in (1, 2, 3):
    where = SPACE / f"keep{keep}"
    run(scenario, where, "--keep", keep)
    check(names(where) == wanted(*range(0, 901, 100), LAST)[-keep:], f"--keep {keep}: {names(where)}")
    series(where)
run(scenario, SPACE / "keep1", "--overwrite", "--set", "phases.reef.iterations=50", "--set", "phases.1.iterations=7")
check(
    names(SPACE / "keep1") == wanted(0, 100, 200, 300, 400, 457), f"--overwrite, phases by name and index: {names(SPACE / 'keep1')}"
)
series(SPACE / "keep1")

# ---- how long the checkpoints took is of interest with --verbose alone
check("the run waited" not in done.stderr, f"times of checkpoints: {done.stderr}")
done = run(scenario, SPACE / "verbose", "--verbose")
check("the run waited" in done.stderr and fingerprint(done.stdout) == end, f"--verbose: {done.stderr}")

# ---- a checkpoint says where it comes from, and otok base makes the first
last = inspect(out / names(out)[-1])
check(
    last["fingerprint"] == end and last["iteration"] == LAST and last["title"] == "An island for tests" and last["seed"] == 7,
    f"{last}",
)
check(last["grid"] == {"nx": NX, "ny": NY, "spacing": CELL} and str(scenario) in last["command"], f"{last}")
otok("base", scenario, "-o", SPACE / "base.vtkhdf", "--backend", BACKEND)
same = otok("compare", SPACE / "base.vtkhdf", out / wanted(0)[0])
check(same.stdout.startswith("equal: fingerprint"), same.stdout)
differ = otok("compare", out / wanted(0)[0], out / wanted(400)[0], code=1)
check(
    "terrain_change" in differ.stdout and "max |A - B|" in differ.stdout and "note: iterations 0 and 400" in differ.stdout,
    differ.stdout,
)
check(otok("compare", "-q", out / wanted(0)[0], out / wanted(400)[0], code=1).stdout == "", "compare --quiet talks")
run(scenario, SPACE / "dry", "--set", "phases.reef.iterations=1", "--set", "seed=8", "--quiet", "--set", "output.every=0")
otok("compare", SPACE / "dry" / wanted(0)[0], out / wanted(0)[0], code=1)

# ---- --dry-run: nothing is written, and what it prints is a scenario of the same result
before = sorted(SPACE.iterdir())
dry = run(scenario, SPACE / "never", "--dry-run", cwd=SPACE)
check(sorted(p for p in SPACE.iterdir()) == before, "--dry-run wrote something")
run(write("isle2/isle.yaml", dry.stdout), SPACE / "resolved", "--quiet")
otok("compare", SPACE / "resolved" / wanted(LAST)[0], out / wanted(LAST)[0])
found = re.search(
    r"memory of the fields: ([\d.]+) (KiB|MiB)\n# checkpoints: (\d+) of at most ([\d.]+) (KiB|MiB) each\n"
    r"# expected time: ([\d.]+)s",
    dry.stdout,
)
if check(found, f"--dry-run: {dry.stdout[-400:]}"):
    unit = {"KiB": 1 / 1024, "MiB": 1}
    maps = float(found[4]) * unit[found[5]] / (4 * NX * NY / 2**20)
    check(int(found[3]) == len(names(out)), f"--dry-run: {found[3]} checkpoints, in fact {len(names(out))}")
    check(abs(maps - len(last["fields"])) < 0.02, f"--dry-run: {maps:.2f} maps in a checkpoint, in fact {len(last['fields'])}")
    check(
        float(found[1]) * unit[found[2]] > float(found[4]) * unit[found[5]],
        f"--dry-run: fields smaller than a checkpoint: {found[0]}",
    )
    for _ in range(5):  # both anew, where the machine became more or less busy between the two
        expected = float(re.search(r"expected time: ([\d.]+)s", dry.stdout)[1])
        if likely := whole / 20 < expected < 10 * whole:
            break
        _, whole = reference(scenario)
        dry = run(scenario, SPACE / "never", "--dry-run", cwd=SPACE)
    check(likely, f"--dry-run: expected {expected} s, it took {whole:.1f} s")
table = otok("parameters", "--markdown").stdout
keys = set(re.findall(r"^\| `([a-z_.]+)` \|", table, re.M))
groups = {k.rsplit(".", 1)[0] for k in keys if "." in k}
indented, depth = [], []
for line in dry.stdout.splitlines():
    key = re.match(r"( *)(?:- )?([a-z_]+):", line)
    if not key or line.startswith("#"):
        continue
    indented.append(key[2])
    for inner in re.findall(r"[{,] *([a-z_]+):", line):
        indented.append(inner)
check(len(indented) > 60, f"--dry-run prints only {len(indented)} keys")
for key in set(indented) - groups - {"edges"}:
    check(key in keys or any(k.endswith("." + key) for k in keys), f"otok parameters has no row for {key}, which --dry-run prints")

# ---- what is said
quiet = run(scenario, SPACE / "quiet", "--quiet")
check(quiet.stderr.startswith("verdict: speed_limited, ") and quiet.stderr.count("\n") == 3 and quiet.stdout == f"fingerprint {end}\n", f"--quiet: {quiet.stderr!r} {quiet.stdout!r}")
loud = run(scenario, SPACE / "loud")
check(
    "\x1b" not in loud.stderr and "\r" not in loud.stderr and "water now" in loud.stderr,
    "a log holds escape sequences, or no ledger",
)
check(loud.stdout == f"fingerprint {end}\n", f"standard output: {loud.stdout!r}")
TOLD = "changes|continues|copies|cuts|draws|ends|exits|keeps|lets|makes|moves|multiplies|needs|prints|puts|reads|removes|runs|saves|shares|shows|starts|stops|takes|turns|uses|writes"
for command in re.findall(r"^  ([a-z]+) {2,}", otok("--help").stdout, re.M):
    done = otok(command, "--help", code=None)
    for line in re.findall(rf"^(?= +-).{{26}}((?:{TOLD}) .*)", done.stdout, re.M):
        check(False, f"otok {command} --help tells instead of naming the deed: {line}")
for command in ("", "run", "base", "inspect", "compare", "export", "bench", "parameters"):
    text = otok(*command.split(), "--help").stdout
    example = re.search(r"^example: otok (.+)$", text, re.M)
    if check(example, f"otok {command} --help has no example"):
        options = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", example[1].split("&&")[0]))
        told = otok(*(command or example[1].split()[0]).split(), "--help").stdout
        for option in options:
            check(option in told, f"otok {command} --help: its example uses {option}, which is no option of it")


def on_terminal(directory, columns, **env):
    """What a run prints on a terminal of so many columns."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        [OTOK, "run", scenario, "-o", directory, "--backend", BACKEND, "--set", f"phases.reef.iterations={1000 if SMALL else 2500}"],
        stdout=subprocess.DEVNULL,
        stderr=slave,
        env={**ENV, "TERM": "xterm", **env},
    )
    os.close(slave)
    said = b""
    while True:
        try:
            piece = os.read(master, 65536) if select.select([master], [], [], LIMIT)[0] else b""
        except OSError:
            piece = b""
        if not piece:
            break
        said += piece
    os.close(master)
    check(process.wait(LIMIT) == 0, f"on a terminal: exit {process.returncode}")
    return said.decode()


for columns in (80, 40):
    said = on_terminal(SPACE / f"terminal{columns}", columns)
    bars = re.findall(r"\r(\[[#.]{24}\] [^\x1b\r\n]*)\x1b\[K", said)
    check(len(bars) >= 2, f"no bar on a terminal: {said[:300]!r}")
    check(all(len(b) < columns for b in bars), f"a bar of {max(map(len, bars), default=0)} columns on a terminal of {columns}")
    check(any("reef" in b and "ETA" in b for b in bars) or columns < 80, f"{bars}")
for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
    check("\x1b" not in on_terminal(SPACE / "plain" / "-".join(env), 80, **env), f"escape sequences in spite of {env}")

# ---- two runs in one directory
for args in ([], ["--resume"], ["--overwrite"]):
    second = run(long, SPACE / "shared", *args, code=74)
    check("another otok" in second.stderr and "-o" in second.stderr and not second.stdout, f"two runs: {second.stderr}")
check(fingerprint(run(scenario, SPACE / "shared").stdout) == end, "another scenario may run there")
first.send_signal(signal.SIGCONT)
progress = r"^\w+: iteration \d+ of \d+, [\d.e+]+ it/s, [\d.e+]+ Mcell/s, ETA \w+, mass error \S+$"
told = wait_for(lambda: has_told(first, progress))
first.send_signal(signal.SIGTERM)
code, _, said = stop(first)
check(code == 75, f"the first of two runs: exit {code}: {said[-400:]}")
check(told, f"no line of progress: {said[-400:]}")

# ---- what a pump did not find is said, also where there is no water at all ----
PUMP = """otok: 1
grid: {nx: 8, ny: 8, spacing: 10}
phases: [{name: a, iterations: 10, rivers: [{x: 40, y: 40, discharge: -1}], hydraulic: {dt: 1, law: shallow_water, manning: 0.04}}]
"""
for depth, share in (("0", "-1.0e+00"), ("0.001", "-9.")):
    done = run(write("pump.yaml", PUMP), SPACE / "pump", "--set", f"initial.water={depth}", "--overwrite")
    check(f"-10.000000 m3; delivered minus nominal: {share}" in done.stderr, f"a pump in {depth} m: {done.stderr}")

finish(f"{whole:.2f} s a run")
