"""claim: a slider of `otok view`'s panel that is dragged, a stage that is switched off and on, rain and water by hand act in the simulation,
and are in the provenance of the next checkpoint, whose scenario repeats them without a window, bit for bit; OpenGL has nothing to say."""

# slow: software draws its frames
import json
import re
import sys

import cli
from cli import SPACE, check, otok

if "this build" in otok("view", "nothing", code=None).stderr:
    cli.skip("this build has no window")

import screen  # noqa: E402 skips where there is no Xvfb
from screen import hand  # noqa: E402

text = cli.ISLAND.replace("nx: 96, ny: 64", "nx: 48, ny: 32").replace("spacing: 8", "spacing: 16")
text = re.sub(r"  - {name: seabed(.|\n)*reef: .*\n", "", text.replace("iterations: 400", "iterations: 1000000").replace("250", "5"))
scenario = cli.write("panel.yaml", text)
W, H = 480, 340
view = screen.View(scenario, "--backend", "cpu", "-o", SPACE, "-s", f"{W}x{H}")
if not check(view.id, f"no window: {view.text()}"):
    sys.exit(1)
LEFT = W - 26 * 13  # of the panel: 26 letters of 13 pixels
view.shows("iteration 0 of")


def panel():
    return [row[3 * LEFT :] for row in screen.screen(W, H)[2]]


def settled():
    return view.settle(panel)


def press(x, y, button=1):
    hand("mousemove", x, y, "mousedown", button, "mouseup", button)
    settled()


def saved():
    """The changes of the checkpoint that is saved now, and its file."""
    before = len(view.text())
    hand("key", "k")
    view.says(".vtkhdf\n", before)
    path = re.findall(r"saved (\S*\.vtkhdf)", view.text())[-1]
    found = json.loads(otok("inspect", "--json", path).stdout)
    return found, path


def step():
    before = view.iteration()
    hand("key", "n")
    view.comes(lambda: view.iteration() > before)


settled()
with_panel = panel()
hand("key", "Tab")
settled()
if panel() == with_panel:
    view.close()
    cli.skip("this build has no panel")
hand("key", "Tab")
settled()

# A slider: the two headers above are closed, the name is looked for, so that its place is known.
press(LEFT + 60, 163)
press(LEFT + 60, 185)
press(LEFT + 60, 273)
hand("type", "gravity")
settled()
hand("mousemove", LEFT + 100, 311, "mousedown", 1)
settled()
hand("mousemove", LEFT + 150, 311)
settled()
hand("mouseup", 1)
settled()
step()
found, _ = saved()
change = found["changes"][0] if found["changes"] else {}
check(change.get("path") == "phases.erosion.hydraulic.gravity", f"the slider changed {found['changes']}")
check(change.get("before") == "9.81" and float(change.get("after", 0)) > 20, change)
check(change.get("iteration") == 0 and found["iteration"] == 1, f"{change}, saved at {found['iteration']}")

press(LEFT + 15, 309)  # its default again
step()
press(LEFT + 111, 229)  # thermal off, a step, on
step()
press(LEFT + 111, 229)
step()
found, _ = saved()
words = [(c["path"].split(".", 2)[2], c["after"]) for c in found["changes"][1:]]
check(words[:2] == [("hydraulic.gravity", "9.81"), ("thermal", "off")], words)
check(len(words) == 3 and words[2][0] == "thermal" and "talus: 38" in words[2][1], words)

# Rain and water by hand.
hand("keydown", "shift")
check(view.says("rain on"), view.text()[-300:])
step()
hand("keyup", "shift")
check(view.says("rain off"), view.text()[-300:])
hand("mousemove", 70, 180)
settled()  # the panel lets the mouse go in the frame after it has left
hand("mousedown", 3)
check(view.says("pouring"), view.text()[-300:])
step()
hand("mouseup", 3)
check(view.says("pouring off"), view.text()[-300:])
step()
found, path = saved()
paths = [c["path"].split(".", 2)[2] for c in found["changes"][4:]]
check({"rain.rate", "rain.during", "rivers"} <= set(paths), f"by hand: {found['changes'][4:]}")
check(found["ledger"]["rivers"] > 0 and abs(found["ledger"]["water_error"]) < 1e-6 * found["ledger"]["rivers"], found["ledger"])

check(view.close() == 0, view.text())
check("OpenGL:" not in view.text(), view.text())

# The checkpoint's scenario does all of it again.
n = found["iteration"]
again = cli.write("again.yaml", otok("inspect", "--scenario", path).stdout.replace("iterations: 1000000", f"iterations: {n}"))
cli.run(again, SPACE / "again", "-q", "--set", "output.every=0")
repeated = json.loads(otok("inspect", "--json", SPACE / "again" / f"again_{n:08d}.vtkhdf").stdout)
check(repeated["fingerprint"] == found["fingerprint"], f"repeated: {repeated['fingerprint']}, by hand: {found['fingerprint']}")
cli.finish()
