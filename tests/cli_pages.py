"""Claim: the commands of each experiment's README run as they stand there, on fewer cells, and make
the files that they name. What does not run here is listed with its reason; a reason that fits
nothing is a failure."""
# slow: it runs and draws whole scenarios

import re
import shutil
import subprocess
import sys

from cli import ENV, LIMIT, OTOK, SPACE, check, finish, os, otok, pathlib, skip

ROOT = pathlib.Path(__file__).resolve().parent.parent
NOT_HERE = {  # a command with this in it: why it does not run
    "statistics.py": "runs 200,000 droplets 24 times",
    "speeds.py": "times runs for minutes",
    "speed.py": "needs all cells and checkpoints; python_rivers.py measures the same",
    "highland/steps": "runs a study for a minute",
    "grid.spacing=16.875": "takes a GPU, and more than a minute",
    "grid.spacing=8.4375": "takes a GPU, and more than a minute",
}
FEWER = {"dem": 1, "road": 1, "drainage": 1}  # cells along an axis, an eighth unless said here
SMALLER = {
    r"(otok (?:render|movie) .*?)(?: --size \S+)?(?=\s*(?:#.*)?$)": r"\1 --size 160x100 --samples 1 --fast",
    r"iterations=100000": "iterations=2000",
    r"droplets\.count=800000": "droplets.count=8000",
    r"output\.every=(\d+)": lambda found: f"output.every={40 * int(found[1])}",  # three of a movie's pictures
    r"\bpython3 ": f"{sys.executable} ",
}
SEEN = set()


def fewer(path, by):
    """The grid of a scenario with fewer, larger cells; 513 points become 129. Of hundreds of checkpoints a few stay."""
    def grid(found):
        nx, ny, spacing = int(found[1]), int(found[2]), float(found[3])
        small = [(n - n % 2) // by + n % 2 for n in (nx, ny)]
        return f"nx: {small[0]}, ny: {small[1]}, spacing: {spacing * by:g}"

    text, found = re.subn(r"nx: (\d+), ny: (\d+), spacing: ([\d.]+)", grid, path.read_text())
    check(found == 1, f"{path}: no grid where this test looks for it")
    path.write_text(re.sub(r"output: {every: (\d\d)}", r"output: {every: \g<1>00}", text))


def script(block):
    """A block as one script, its commands each on one line, without those that do not run."""
    lines = []
    for line in re.sub(r"\\\n\s*", "", block).splitlines():
        reasons = [pattern for pattern in NOT_HERE if pattern in line]
        SEEN.update(reasons)
        for pattern, word in SMALLER.items():
            line = re.sub(pattern, word, line)
        lines += [] if reasons else [line]
    return "\n".join(lines)


def files(text):
    """What the commands write, as far as no variable is in its name."""
    return [name for name in re.findall(r" -o (\S+)", text) if "$" not in name]


def run_page(page):
    folder = SPACE / page.parent.name
    shutil.copytree(ROOT / "experiments", folder / "experiments", ignore=shutil.ignore_patterns("*.png", "*.jpg", "results"))
    (folder / "tests").symlink_to(ROOT / "tests")
    by = FEWER.get(page.parent.name, 8)
    for path in (folder / "experiments" / page.parent.name).glob("*.yaml"):
        fewer(path, by)
    ran, last = 0, []
    blocks = re.findall(r"^```sh\n(.*?)^```", page.read_text(), re.M | re.S)
    for block in sorted(blocks, key=lambda text: "otok run" not in text and "otok base" not in text):  # a picture may stand first
        text = script(block)
        done = subprocess.run(["bash", "-euc", text], cwd=folder, env={**ENV, "PATH": f"{pathlib.Path(OTOK).parent}:{ENV['PATH']}", "PYTHONPATH": str(ROOT / "src/python"), "OTOK_LIBRARY": str(pathlib.Path(OTOK).parent / "libotok.so")},
                              capture_output=True, text=True, timeout=LIMIT)
        if check(done.returncode == 0, f"{page}: exit {done.returncode}: {text}\n{done.stderr[-1500:]}"):
            for name in files(text):
                check((folder / name).exists(), f"{page}: {name} was not made")
            ran += len(re.findall(r"\botok \w|\.py\b", text))
    shutil.rmtree(folder)
    return ran


if otok("render", "--help", code=None).returncode:
    skip("this build draws nothing")
try:
    import h5py, matplotlib  # noqa: E401, F401
except ImportError as why:
    skip(f"{why}; install tests/requirements.txt")
pages = [page for page in sorted((ROOT / "experiments").glob("*/README.md"))
         if page.parent.name not in ("bench", "stability", "inversion") and any(page.parent.glob("*.yaml"))]  # studies take minutes
counts = {page.parent.name: run_page(page) for page in pages if not sys.argv[3:] or page.parent.name in sys.argv[3:]}
for pattern in NOT_HERE.keys() - SEEN:
    check(sys.argv[3:], f"no page has {pattern}: take it from NOT_HERE")
check(all(counts.values()), f"a page without commands: {counts}")
print("not run:", *(f"\n  {pattern}: {why}" for pattern, why in NOT_HERE.items()))
finish(f"{sum(counts.values())} commands of {len(counts)} pages ran")
