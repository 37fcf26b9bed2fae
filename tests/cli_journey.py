"""claim: someone who has a window and a mouse makes an island of his own by the panel's sliders, runs it, lets a river spring on it, and
saves it, and `otok render` and `otok movie` draw what was saved."""

# slow: software draws its frames
import json
import re
import shutil
import sys

import cli
from cli import SPACE, check, otok

if "this build" in otok("view", "nothing", code=None).stderr:
    cli.skip("this build has no window")

import screen  # noqa: E402 skips where there is no Xvfb
from screen import hand  # noqa: E402

text = cli.ISLAND.replace("nx: 96, ny: 64", "nx: 48, ny: 32").replace("spacing: 8", "spacing: 16")
text = re.sub(r"  - {name: seabed(.|\n)*reef: .*\n", "", text.replace("iterations: 400", "iterations: 1000000000000").replace("250", "5"))
scenario = cli.write("journey.yaml", text)
W, H = 640, 520
folder = SPACE / "made"
folder.mkdir()
view = screen.View(scenario, "--backend", "cpu", "-o", folder, "-s", f"{W}x{H}")
if not check(view.id, f"no window: {view.text()}"):
    sys.exit(1)
panel = screen.Panel(view)
if not panel.is_there():
    view.close()
    cli.skip("this build has no panel")
LEFT = panel.places()["panel"][0]
hand("key", "Tab")
check(view.comes(lambda: not panel.places()), "Tab leaves the panel where it is")
hand("key", "Tab")
check(panel.has("run"), "Tab does not bring the panel back")
hand("key", "n")  # after Tab keys are still the scene's
check(view.comes(lambda: view.iteration() == 1), view.title())


def scene():
    """What lies beside the panel."""
    rows = screen.screen(LEFT - 4, H - 60)[2]
    return LEFT - 4, len(rows), rows


for name, to in ("seed", 0.7), ("sea.level", 0.55), ("base.0.cone.height", 0.8), ("base.0.cone.radius", 0.6):
    before, said = scene(), len(view.text())
    panel.drag(name, to, 0.4)
    if name != "sea.level":
        check(view.says("base made in", said), f"{name}: {view.text()[-300:]}")
    check(view.comes(lambda: screen.difference(scene(), before) > 0.2), f"{name}: the same picture")

# A river under the cursor; a run, begun and ended by its button.
for x, y in ((0.5, -10), (0.5, -40), (0.4, -25), (0.6, -25), (0.5, 20), (0.5, 50)):
    hand("mousemove", int(LEFT * x), H // 2 + y)
    view.next_frame()
    said = len(view.text())
    hand("key", "v")
    check(view.comes(lambda: re.search("a river of|no ground under", view.text()[said:])), "V says nothing")
    if "a river of" in view.text()[said:]:
        break
check("a river of" in view.text(), view.text()[-300:])
hand("key", "0")
panel.settled()
RUN = panel.at("run")
hand("mousemove", *RUN)
panel.settled()
hand("mousedown", 1, "mouseup", 1)  # from here on nothing settles
check(view.comes(lambda: view.iteration() > 5), f"it does not run: {view.title()}")
then = view.iteration()
check(view.comes(lambda: view.iteration() > then + 5), view.title())
hand("key", "k")
check(view.says(".vtkhdf"), view.text()[-300:])
then = view.iteration()
check(view.comes(lambda: view.iteration() > then + 2), view.title())
hand("mousemove", *RUN)
view.next_frame()
hand("mousedown", 1, "mouseup", 1)
check(view.settle(scene), f"it runs on: {view.title()}")
hand("key", "k")
check(view.comes(lambda: view.text().count(".vtkhdf") == 2), view.text()[-300:])
check(view.close() == 0 and "OpenGL:" not in view.text(), view.text())

# What was saved.
states = [json.loads(otok("inspect", "--json", p).stdout) for p in sorted(folder.glob("*.vtkhdf"))]
if check(len(states) == 2, list(folder.iterdir())):
    last, made = states[1], otok("inspect", "--scenario", sorted(folder.glob("*.vtkhdf"))[1]).stdout
    check(0 < states[0]["iteration"] < last["iteration"], [s["iteration"] for s in states])
    check(last["ledger"]["rivers"] > 0, f"no river flowed: {last['ledger']}")
    was = otok("inspect", "--scenario", sorted(folder.glob("*.vtkhdf"))[0]).stdout
    given = {key: re.search(rf"^ *-? *{key}: (\S+)", made, re.M).group(1) for key in ("seed", "height", "radius", "level")}
    check(given["seed"] != "7" and given["height"] != "150" and given["radius"] != "300" and given["level"] != "12", given)
for words, file in (("render", "view.png"), ("movie", "movie.mp4")):
    if words == "movie" and not shutil.which("ffmpeg"):
        continue
    source = sorted(folder.glob("*.vtkhdf"))[-1] if words == "render" else folder
    otok(words, source, "-o", SPACE / file, "-s", "160x120", "-n", 1, env=screen.ENV)
    check((SPACE / file).stat().st_size > 1000, f"{words} wrote {(SPACE / file).stat().st_size} bytes")
cli.finish()
