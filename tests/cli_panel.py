"""claim: a slider of `otok view`'s panel that is dragged, a stage that is switched off and on, another base and sea, a river, rain and water by
hand act in the simulation, and are in the provenance of the next checkpoint, whose scenario repeats them without a window, bit for bit; the
sliders of rock and tiling act in the scene; the timeline goes back and on to the same bits; OpenGL has nothing to say."""

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
W, H = 600, 560
view = screen.View(scenario, "--backend", "cpu", "-o", SPACE, "-s", f"{W}x{H}")
if not check(view.id, f"no window: {view.text()}"):
    sys.exit(1)
panel = screen.Panel(view)
view.shows("iteration 0 of")


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


if not panel.is_there():
    view.close()
    cli.skip("this build has no panel")

# What is shut is not there, and what is opened again is.
check(panel.has("seed"), panel.places())
panel.press("header island")
check(not panel.has("seed"), panel.places())
panel.press("header stability")
panel.press("header ledger")

panel.press("find")
hand("type", "gravity")
panel.settled()
check(not panel.has("hydraulic.dt") and panel.has("hydraulic.gravity"), panel.places())
panel.drag("hydraulic.gravity", 0.9, 0.6)
step()
found, _ = saved()
change = found["changes"][0] if found["changes"] else {}
check(len(found["changes"]) == 1, found["changes"])
check(change.get("path") == "phases.erosion.hydraulic.gravity", f"the slider changed {found['changes']}")
check(change.get("before") == "9.81" and float(change.get("after", 0)) > 20, change)
check(change.get("iteration") == 0 and found["iteration"] == 1, f"{change}, saved at {found['iteration']}")

panel.press("first hydraulic.gravity")  # its default again
step()
panel.press("switch thermal")  # off, a step, on
step()
panel.press("switch thermal")
step()
found, _ = saved()
words = [(c["path"].split(".", 2)[2], c["after"]) for c in found["changes"][1:]]
check(words[:2] == [("hydraulic.gravity", "9.81"), ("thermal", "off")], words)
check(len(words) == 3 and words[2][0] == "thermal" and "talus: 38" in words[2][1], words)

# How the island's ground looks: both sliders change the scene, and what they are set to is said as options.
SEEN = 150, H // 2


def scene():
    return screen.screen(*SEEN)


before = scene()
panel.drag("rock slope", 0.05, 0.5)
check(view.says("--rock-slope 2"), view.text()[-300:])
check(view.settle(scene) and screen.difference(scene(), before) > 0.5, "the slider `rock slope` leaves the scene as it is")
before = scene()
panel.drag("tiling", 0.95, 0.5)
options = re.findall(r"--rock-slope (\S+) --tiling (\S+)", view.text())[-1]
check(20 <= float(options[0]) < 30 and 2 < float(options[1]) <= 4, options)
check(view.settle(scene) and screen.difference(scene(), before) > 0.2, "the slider `tiling` leaves the scene as it is")

# Rain and water by hand.
hand("keydown", "shift")
check(view.says("rain on"), view.text()[-300:])
step()
hand("keyup", "shift")
check(view.says("rain off"), view.text()[-300:])
hand("mousemove", 190, H // 2)
panel.settled()  # the panel lets the mouse go in the frame after it has left
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

# A river that stays, and the sea.
before = len(found["changes"])
hand("key", "v")
check(view.says("a river of"), view.text()[-300:])
panel.press("header parameters")
panel.press("header island")
panel.drag("sea.level", 0.6)
step()
found, path = saved()
river, *sea = [(c["path"], c["after"]) for c in found["changes"][before:]]
check(river[0] == "phases.erosion.rivers" and "discharge" in river[1], river)
check(sea and sea[-1][0] == "sea.level" and found["sea_level"] == float(sea[-1][1]) != 12, f"{sea}, {found['sea_level']} m")

# Another base: from iteration 0 with the present values, and the changes until then among them.
panel.drag("base.0.cone.radius", 0.6, 0.3)
check(view.says("base made in"), view.text()[-300:])
panel.settled()
check(view.iteration() == 0, f"at {view.iteration()}")
for _ in range(6):  # the rain ends after 5
    step()
other, path_of_other = saved()
text = otok("inspect", "--scenario", path_of_other).stdout
level, radius = float(sea[-1][1]), float(re.search(r"radius: (\S+)\n *power", text).group(1))
check(other["changes"] == [] and other["iteration"] == 6, other["changes"])
check(f"level: {level:g}\n" in text and "discharge" in text and radius != 300, text)

# Back to a state that is kept, and on to an iteration that is typed into the timeline of a quiet window: the same bits. Enter is up before
# the next frame begins.
hand("key", "Left")
check(view.comes(lambda: view.iteration() < 6), f"Left: at {view.iteration()}")
panel.press("timeline", 3)
hand("type", "6")
panel.settled()
hand("key", "--delay", "0", "Return")
panel.settled()
if check("type timeline" not in panel.places(), "Enter left the timeline's popup open"):
    check(view.comes(lambda: view.iteration() == 6), f"6 was typed, and the view is at {view.iteration()}")
else:
    hand("key", "Escape")
there, _ = saved()
check(there["fingerprint"] == other["fingerprint"], "after going back and on iteration 6 has other bits")

# What a control says about itself is beside the panel, and within the window, also of the last one that is seen.
screen.hand("windowsize", "--sync", view.id, 800, H)
panel.press("header parameters")
list(panel.turn(4))
seen = [place for name, place in panel.places().items() if name.startswith(("base.", "sea.", "hydraulic."))]
lowest = max(seen, key=lambda place: place[1])
hand("mousemove", lowest[0] + lowest[2] // 2, lowest[1] + lowest[3] // 2)
if check(view.comes(lambda: "tooltip" in panel.places()), f"no tooltip at {lowest}: {panel.places()}"):
    panel.settled()
    x, y, width, height = panel.places()["tooltip"]
    check(lowest[1] > 0.8 * H and y >= 0 and y + height <= H, f"a tooltip from {y} to {y + height}, of a control at {lowest[1]}")
    check(x + width <= panel.places()["panel"][0], f"a tooltip as far as {x + width} covers the panel from {panel.places()['panel'][0]}")

check(view.close() == 0, view.text())
check("OpenGL:" not in view.text(), view.text())

# The checkpoints' scenarios do all of it again.
for name, path, found in ("again", path, found), ("other", path_of_other, other):
    n = found["iteration"]
    again = cli.write(f"{name}.yaml", otok("inspect", "--scenario", path).stdout.replace("iterations: 1000000", f"iterations: {n}"))
    cli.run(again, SPACE / name, "-q", "--set", "output.every=0")
    repeated = json.loads(otok("inspect", "--json", SPACE / name / f"{name}_{n:08d}.vtkhdf").stdout)
    check(repeated["fingerprint"] == found["fingerprint"], f"{name}: repeated: {repeated['fingerprint']}, by hand: {found['fingerprint']}")
cli.finish()
