"""Claim: every study of the repository can be read and has members, and what the `run` files of the studies with results name is there.
The README of an experiment says what its simulated second stands for."""
# once: under the sanitizers; it depends on no optimisation

from cli import *

ROOT = pathlib.Path(__file__).resolve().parent.parent
studies = [path for folder in ("experiments/stability", "notebooks") for path in sorted((ROOT / folder).rglob("*.yaml"))
           if re.search(r"^study: 1$", path.read_text(), re.M)]
check(len(studies) > 10, f"only {len(studies)} studies")
for path in studies:
    process = subprocess.Popen([OTOK, "study", path, "--dry-run"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENV, text=True)
    lines = process.stdout.readline(), process.stdout.readline()  # its axes, its first member; the others are more of the same
    process.kill()
    said = process.communicate()[1]
    check(all(lines), f"{path}: no members: {said}")
for path in sorted((ROOT / "experiments/stability").glob("*/run")):
    for kind, name in re.findall(r"^(study|edge) (\S+)", path.read_text(), re.M):
        check((path.parent / f"{name}.yaml") in studies, f"{path}: {kind} {name}: no such study")
    check((path.parent / "draw.py").exists() and (path.parent / f"{path.parent.name}.png").exists(), f"{path}: no draw.py, or no figure")
for path in sorted((ROOT / "experiments").glob("*/README.md")):  # what does a simulated second stand for?
    scenarios = [other for other in path.parent.glob("*.yaml") if path.parent.name != "bench" and re.search("^otok: 1$", other.read_text(), re.M)]
    check(not scenarios or re.search(r"\*\*Time\.\*\*\s", path.read_text()), f"{path}: does not say what its simulated second stands for")
# A figure of a source, one that needs no OpenGL, and the names of all.
figures = [sys.executable, ROOT / "experiments/figures/make", OTOK, SPACE / "figures"]
done = subprocess.run([*figures, "j16_4.16"], capture_output=True, text=True, env=ENV)
made = SPACE / "figures/j16_4.16.png"
check(done.returncode == 0 and made.exists() and struct.unpack(">II", made.read_bytes()[16:24]) == (1024, 1024), f"no figure: {done.stdout}{done.stderr}")
names = subprocess.run([*figures, "none"], capture_output=True, text=True, env=ENV).stderr.split(" from ")[-1].split()
page = (ROOT / "experiments/figures/README.md").read_text()
check(len(names) > 40 and not [name for name in names if f"`{name}" not in page], f"not on the page: {[name for name in names if f'`{name}' not in page]}")
finish(f"{len(studies)} studies")
