"""claim: a slider of `otok view`'s panel that is dragged, a stage that is switched off and on, rain and water by hand act in the simulation,
and are in the provenance of the next checkpoint, whose scenario repeats them without a window, bit for bit; OpenGL has nothing to say."""

# slow: software draws its frames
# alone: what its hands do takes effect within a fixed time
import json
import re
import sys

import cli
from cli import SPACE, check, otok, wait_for

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
wait_for(lambda: "iteration 0" in view.title(), 20)


def panel():
    return [row[3 * LEFT :] for row in screen.screen(W, H)[2]]


def settled():
    was = [None]

    def same():
        before, was[0] = was[0], panel()
        hand("sleep", 0.2)
        return was[0] == before

    return wait_for(same, 20)


def press(x, y, button=1):
    """A click; the panel has a frame for each of its three parts."""
    for words in (("mousemove", x, y), ("mousedown", button), ("mouseup", button)):
        hand(*words)
        hand("sleep", 0.1)
    settled()


def saved():
    """The changes of the checkpoint that is saved now, and its file."""
    before = len(re.findall(r"saved (\S*\.vtkhdf)", view.text()))
    hand("key", "k")
    wait_for(lambda: len(re.findall(r"saved (\S*\.vtkhdf)", view.text())) > before, 20)
    path = re.findall(r"saved (\S*\.vtkhdf)", view.text())[-1]
    found = json.loads(otok("inspect", "--json", path).stdout)
    return found, path


def step():
    before = view.title()
    hand("key", "n")
    wait_for(lambda: view.title().split(",")[1] != before.split(",")[1], 20)


settled()
with_panel = panel()
hand("key", "Tab")
if not wait_for(lambda: panel() != with_panel, 3):
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
check(view.says("rains"), view.text()[-300:])
step()
hand("keyup", "shift")
check(view.says("rains no more"), view.text()[-300:])
hand("mousemove", 70, 180)
for _ in range(9):  # the panel lets the mouse go in the frame after it has left
    hand("sleep", 0.2, "mousedown", 3)
    if view.says("pours", 1):
        break
    hand("mouseup", 3)
check(view.says("pours"), view.text()[-300:])
step()
hand("mouseup", 3)
check(view.says("pours no more"), view.text()[-300:])
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
