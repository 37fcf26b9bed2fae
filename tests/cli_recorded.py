"""claim: `otok view` plays a run that is done, from its folder or its series: it begins with the last state, plays, pauses, steps, goes to
the first and last state and to any state of its list; it shows two states at both sides of a line, under one camera and in the same colours, and the kept maps of
a member of a study, whose picture is that of the member's own checkpoint; other files are refused in one line that names the command for them."""

# slow: software draws its frames
import json
import re
import sys

import cli
from cli import SPACE, check, otok

if "this build" in otok("view", "nothing", code=None).stderr:
    cli.skip("this build has no window")

SCENARIO = """otok: 1
grid: {nx: 48, ny: 32, spacing: 16}
start: "2026-03-01T06:00:00Z"
sea: {level: 12}
base: [{cone: {height: 90, radius: 330}}]
phases:
  - {name: storm, iterations: 40, rain: {rate: 0.003}, hydraulic: {dt: 0.1}}
output: {every: 10}
"""
scenario = cli.write("storm.yaml", SCENARIO)
cli.run(scenario, SPACE / "run", "-q")
states = sorted((SPACE / "run").glob("*.vtkhdf"))
study = cli.write(
    "study.yaml",
    """study: 1
scenario: storm.yaml
design: {kind: grid, points: 2}
vary: {phases.storm.rain.rate: {from: 0.001, to: 0.003}}
monitor: {every: 10}
keep: {fields: [terrain, water], when: [20, last]}
""",
)
otok("study", study, "-o", SPACE / "out")
table = SPACE / "out" / "study.h5"

# Other files.
small = cli.write("small.yaml", SCENARIO.replace("nx: 48", "nx: 32").replace("iterations: 40", "iterations: 1"))
cli.run(small, SPACE / "small", "-q")
bare = cli.write("bare.yaml", study.read_text().replace("keep", "# keep"))
otok("study", bare, "-o", SPACE / "bare")
H = "--headless"
for words, code, said in (
    ([table, H], 64, "--member 0 to 1"),
    ([table, H, "--member", 2], 64, "--member 0 to 1"),
    ([SPACE / "bare" / "study.h5", H, "--member", 0], 65, "keep: {fields: [terrain, water]}"),
    ([study, H], 65, "otok study"),
    ([SPACE / "dem.tif", H], 65, "raster"),
    ([SPACE / "run", H, "--member", 0], 64, "study.h5"),
    ([states[0], H, "--set", "seed=2"], 64, "--continue"),
    ([states[0], next((SPACE / "small").glob("*.vtkhdf")), H], 65, "32 x 32 cells of 16 m"),
):
    got = otok("view", *words, code=code if code != 64 else 2).stderr
    check(got.count("\n") == 1 and said in got, f"{words}: {got}")
for words, said in (([SPACE / "run"], "otok view plays"), ([SPACE / "run" / "storm.vtkhdf.series"], "otok movie"), ([table], "--member 0"), ([study], "otok study")):
    got = otok("inspect", *words, code=None).stderr
    check(got.count("\n") == 1 and said in got, f"inspect {words}: {got}")

# The picture of a member is that of its checkpoint, which has the rate of the second member.
import screen  # noqa: E402 skips where there is no Xvfb

pictures = SPACE / "member.png", SPACE / "own.png"
for picture, words in zip(pictures, ((table, "--member", 1), (states[-1],))):
    otok("view", *words, H, "--frames", 1, "-s", "96x64", "--style", "water", "--picture", picture, env=screen.ENV)
check(screen.png(pictures[0]) == screen.png(pictures[1]), "a member looks unlike its checkpoint")

# A series that names some of the states, among them one in another folder, shows those: the picture of its last one is that of the state.
series = SPACE / "small" / "some.vtkhdf.series"
named = [{"name": f"../run/{p.name}", "time": float(n)} for n, p in enumerate(states[1:4])]
series.write_text(json.dumps({"file-series-version": "1.0", "files": named}))
for picture, words in zip(pictures, ([series], [states[3]])):
    otok("view", *words, H, "--frames", 1, "-s", "96x64", "--style", "water", "--picture", picture, env=screen.ENV)
check(screen.png(pictures[0]) == screen.png(pictures[1]), "the last state of a series looks unlike itself")

view = screen.View(next((SPACE / "run").glob("*.series")), "-o", SPACE, "-s", "640x420", "--style", "water")
if not check(view.id, f"no window: {view.text()}"):
    sys.exit(1)


def key(name, words):
    screen.hand("key", name)
    check(view.shows(words), f"{name}: no '{words}' in: {view.title()}")


check(view.shows("state 5 of 5, iteration 40,"), view.title())
check("2026-03-01T06:00:04Z" in view.title(), view.title())
key("Home", "state 1 of 5, iteration 0,")
key("Right", "state 2 of 5")
key("n", "state 3 of 5")
key("Left", "state 2 of 5")
key("End", "state 5 of 5")
before = len(view.text())
screen.hand("key", "Return")  # from the last state: from the first on, and to the end
check(view.says("the last state", before), view.text()[before:])
seen = [int(n) for n in re.findall(r"state (\d) of 5", view.text()[before:])]
check(seen == sorted(seen) or seen[0] == 5, f"it plays states {seen}")
check(view.shows("state 5 of 5"), view.title())
key("Home", "state 1 of 5")
for name in "k", "v", "BackSpace", "m":
    before = len(view.text())
    screen.hand("key", name)
    check(view.says("nothing runs", before), f"{name}: {view.text()[before:]}")
panel = screen.Panel(view)
if panel.is_there():
    panel.drag("states", 0.99, 0.1)
    check(view.shows("state 5 of 5"), view.title())
    panel.press("first")
    check(view.shows("state 1 of 5"), view.title())
    panel.press("run")
    check(view.comes(lambda: "state 1 of" not in view.title()), view.title())
    x, _, width, _ = panel.places()["panel"]
    check(x + width <= 640, panel.places()["panel"])
check(view.close() == 0 and "OpenGL:" not in view.text(), view.text())

view = screen.View(states[1], states[3], "-o", SPACE, "-s", "300x200")
check(view.shows("state 2 of 2, iteration 30,"), view.title())
check(view.says("state 1 stays at the left"), view.text())
screen.hand("mousemove", 900, 700)


def look(words=None):
    """The picture below the words, once it stands."""
    if words:
        check(view.says(words), view.text())
    view.settle(lambda: screen.screen(300, 200))
    return screen.screen(300, 160)[2][40:]


# The line is in the middle of what the legend leaves, at 100 pixels or so.
def left(rows):
    return [row[: 3 * 90] for row in rows]


def right(rows):
    return [row[3 * 112 :] for row in rows]


screen.hand("key", "4", "key", "z")  # speed: its range is that of both states once both were seen
check(view.says("style speed") and view.says("one state"), view.text())
key("Left", "state 1 of 2, iteration 10,")
first = look()
key("Right", "state 2 of 2")
last = look()
screen.hand("key", "Left", "key", "z")
check(view.comes(lambda: view.text().count("state 1 stays at the left") == 2), view.text())
key("Right", "state 2 of 2")
both = look()
check(first != last, "both states look alike")
check(left(both) == left(first) and right(both) == right(last), "the halves are not those of the states")
check(right(first) != right(last), "nothing to compare")
screen.hand("keydown", "ctrl", "keydown", "Left")
check(view.comes(lambda: screen.screen(300, 160)[2][40:] != both), "Ctrl and an arrow turn nothing")
screen.hand("keyup", "Left", "keyup", "ctrl", "key", "0")
check(look() == both, "0 does not bring the picture back")
check(view.close() == 0 and "OpenGL:" not in view.text(), view.text())
cli.finish()
