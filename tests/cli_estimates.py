"""Claim: a run takes the memory that --dry-run says, whatever the shape of its grid, and while its base terrain is made; a dry run takes
hardly any, and tells of the base terrain's time."""

from cli import *

if SMALL:
    skip("a checker of memory has memory of its own")

PHASES = """phases: [{name: a, iterations: 2, rain: {rate: 0.01}, hydraulic: {dt: 0.01}, thermal: {dt: 0.01}}]
output: {every: 0}
"""
MIB = {"B": 2**-20, "KiB": 2**-10, "MiB": 1, "GiB": 2**10}


def peak(*args):
    """MiB that otok takes at most, and what it prints."""
    process = subprocess.Popen([OTOK, *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENV)
    out, said = process.stdout.read().decode(), process.stderr.read().decode()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    check(process.returncode == 0, f"otok {' '.join(map(str, args))}: exit {process.returncode}: {said}")
    return used.ru_maxrss / 1024, out


def expected(text):
    """What --dry-run says of fields, base terrain and the two checkpoints that may be on their way to disk [MiB], and the rest."""
    number = r"([\d.]+) (B|KiB|MiB|GiB)"
    fields, file = (re.search(f"# {what} {number}", text) for what in ("memory of the fields:", r"checkpoints: \d+ of at most"))
    base = re.search(f"# base terrain: {number} more while it is made, and (\\S+) of that time", text)
    parts = [float(m[1]) * MIB[m[2]] if m else 0.0 for m in (fields, base, file)]
    return parts[0] + max(parts[1], 2 * parts[2]), parts, base


def scenario(name, nx, ny, base):
    return write(f"{name}.yaml", f"otok: 1\ngrid: {{nx: {nx}, ny: {ny}, spacing: 2}}\nbase: [{base}]\n{PHASES}")


# The base terrain is made before the run opens a file: what the libraries take then is less than at the end of the least run.
idle, _ = peak("--version")
nothing, _ = peak("run", scenario("least", 8, 8, "{constant: {height: 1}}"), "-o", SPACE / "least", "--backend", "cpu")
for name, nx, ny, base in (
    ("narrow", 1, 300000, "{constant: {height: 1}}"),
    ("three", 3, 150000, "{constant: {height: 1}}"),
    ("forty", 40, 9000, "{constant: {height: 1}}"),
    ("square", 600, 600, "{constant: {height: 1}}"),
    ("wide", 300000, 1, "{constant: {height: 1}}"),
    ("lattice", 8, 8, "{diamond_square: {levels: 13}}"),
    ("filter", 2000, 500, "{simplex: {octaves: 2}}, {spikes: {}}"),
):
    path = scenario(name, nx, ny, base)
    asked, text = peak("run", path, "--dry-run", "--backend", "cpu")
    wanted, parts, made = expected(text)
    took, _ = peak("run", path, "-o", SPACE / name, "--backend", "cpu")
    # what it took to know and to pack comes to some MiB
    check(
        idle + 0.85 * wanted < took < nothing + 1.1 * wanted + 12,
        f"{name}: {took:.1f} MiB, not {wanted:.1f} over {idle:.1f} to {nothing:.1f}: {parts}",
    )
    dense = nx * ny * 100 / 2**20
    check(parts[0] < 4 * dense, f"{name}: {parts[0]:.1f} MiB of fields for {nx} x {ny} cells")
    if name == "lattice":
        check(made and abs(parts[1] - 8193**2 * 4 / 2**20) < 1, f"the lattice: {text[-300:]}")
        check(asked - nothing < 0.6 * parts[1], f"a dry run took {asked - nothing:.1f} MiB")
finish()
