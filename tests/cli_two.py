"""claim: `otok view A B` shows two side by side, of scenarios, checkpoints and folders: keys and mouse drive both, C shows their difference,
P and K save both, and a saved state has the bits that `otok run` computes; A and B of one scenario are the same picture."""

# slow: software draws its frames
import re
import sys

import cli
from cli import SPACE, check, otok

if "this build" in otok("view", "nothing", code=None).stderr:
    cli.skip("this build has no window")

text = cli.ISLAND.replace("nx: 96, ny: 64", "nx: 48, ny: 32").replace("spacing: 8", "spacing: 16").replace(", during: [[0, 250]]", "")
text = re.sub(r"  - {name: seabed(.|\n)*reef: .*\n", "", text)
one, other = cli.write("one.yaml", text), cli.write("other.yaml", text.replace("iterations: 400", "iterations: 400").replace("radius: 300", "radius: 200"))
for words, what in (((one, one, "--headless"), "needs a window"), ((one, one, one), "or two"), ((SPACE, one), "checkpoint")):
    said = otok("view", *words, code=None)
    check(said.returncode != 0 and what in said.stderr, f"{words}: {said.returncode} {said.stderr}")

import screen  # noqa: E402 skips where there is no Xvfb

W, H = 400, 200
EDGE = 6  # of a picture


def halves(top=60):
    """Both pictures below the labels."""
    rows = screen.screen(W, H - 40)[2][top:]
    return (
        (W // 2, len(rows), [r[: 3 * W // 2] for r in rows]),
        (W // 2, len(rows), [r[3 * W // 2 :] for r in rows]),
    )


def hand(view, *words):
    screen.hand(*words)
    check(view.settle(halves), view.title())


def prints(*paths):
    return [re.search(r"fingerprint\W+([0-9a-f]{16})", otok("inspect", p).stdout).group(1) for p in paths]


# One scenario twice: the same pictures, from wherever they are seen; two files of each, with the bits of a run.
folder = SPACE / "same"
folder.mkdir()
view = screen.View(one, one, "--backend", "cpu", "-o", folder, "-s", f"{W}x{H}")
if not check(view.id, f"no window: {view.text()}"):
    sys.exit(1)
screen.hand("mousemove", 900, 700)
view.settle(halves)
home = halves()
check(home[0] == home[1], f"the same island twice differs by {screen.difference(*home)}")
hand(view, "mousemove", 90, 150, "mousedown", 1, "mousemove", "--sync", 130, 140, "mouseup", 1, "mousemove", 900, 700)
turned = halves()
check(turned[0] == turned[1] and screen.difference(turned[0], home[0]) > 1, "the mouse turns one alone, or none")
hand(view, "key", "n")
hand(view, "key", "2")
check(halves()[0] == halves()[1], f"a step later they differ by {screen.difference(*halves())}")
screen.hand("key", "k", "key", "p")
check(view.comes(lambda: len(list(folder.iterdir())) == 4), list(folder.iterdir()))
check(view.close() == 0 and "OpenGL:" not in view.text(), view.text())
check(sorted(p.name for p in folder.iterdir()) == [f"one_{x}_00000001{e}" for x in "ab" for e in (".png", ".vtkhdf")], list(folder.iterdir()))
cli.run(one, SPACE / "run", "-q", "--set", "phases.erosion.iterations=1", "--set", "output.every=0")
cli.run(other, SPACE / "run", "-q", "--set", "phases.erosion.iterations=1", "--set", "output.every=0")
found = prints(*(folder / f"one_{x}_00000001.vtkhdf" for x in "ab"), SPACE / "run" / "one_00000001.vtkhdf")
check(len(set(found)) == 1, f"A, B, otok run: {found}")

# A checkpoint beside a folder, whose last checkpoint it is; then the difference.
last = SPACE / "last"
cli.run(other, last, "-q", "--set", "phases.erosion.iterations=2", "--set", "output.every=1")
view = screen.View(SPACE / "run" / "one_00000001.vtkhdf", last, "-o", folder, "-s", f"{W}x{H}")
screen.hand("mousemove", 900, 700)
view.settle(halves)
before = halves()
check(screen.difference(*before) > 1, "two islands are the same picture")
hand(view, "key", "c")
check("B - A" in view.text(), view.text())
after = halves()
check(before[0] == after[0] and screen.difference(before[1], after[1]) > 1, "the difference changes both, or none")
hand(view, "key", "c")
check(halves() == before, "side by side is not what it was")
screen.hand("key", "p")
check(view.says("other_00000002_b") or view.says("_b"), view.text())
check(view.close() == 0 and "OpenGL:" not in view.text(), view.text())
cli.finish()
