"""claim: where no water flows `otok view`'s panel offers no river and the scene no brush; at the end of a run the panel disables what would have
no effect; its buttons stay where they are while it runs; Escape closes lists; a checkpoint does not run; a base without phases has sliders; the probe keeps its cell and its curves when the picture becomes coarse and fine again."""

# slow: software draws its frames
import sys

import cli
from cli import SPACE, check, otok

if "this build" in otok("view", "nothing", code=None).stderr:
    cli.skip("this build has no window")

import screen  # noqa: E402 skips where there is no Xvfb
from screen import hand  # noqa: E402

scenario = cli.write(
    "end.yaml",
    """otok: 1
grid: {nx: 256, ny: 256, spacing: 3}
base:
  - cone: {height: 150, radius: 600}
phases:
  - {name: wet, iterations: 400, rain: {rate: 0.005}, hydraulic: {dt: 0.05}}
  - {name: dry, iterations: 2, thermal: {dt: 0.05}}
""",
)
W, H = 640, 780
view = screen.View(scenario, "--backend", "cpu", "-o", SPACE, "-s", f"{W}x{H}", "--fast")
if not check(view.id, f"no window: {view.text()}"):
    sys.exit(1)
panel = screen.Panel(view)
view.shows("iteration 0 of")
if not panel.is_there():
    view.close()
    cli.skip("this build has no panel")
X, Y = panel.places()["panel"][0] // 2, int(0.45 * H)


def brush():
    """The scene at the left of the cursor, where half of the circle is."""
    hand("mousemove", X, Y)
    panel.settled()
    near = [row[: 3 * (X - 4)] for row in screen.screen(W, H)[2]]
    hand("mousemove", X, 4)  # on the sky
    panel.settled()
    return near != [row[: 3 * (X - 4)] for row in screen.screen(W, H)[2]]


# Escape closes a list, and a popup in which a number would be typed.
for name, button, inside in ("style", 1, "choice island"), ("sea.level", 3, "type sea.level"):
    panel.press(name, button)
    check(inside in panel.places(), f"{name}: {panel.places()}")
    hand("key", "--delay", "0", "Escape")
    panel.settled()
    check(inside not in panel.places(), f"Escape leaves `{inside}` open")

check(panel.has("tip river"), panel.places())
check(brush(), "no circle where water can be poured")

# The probe over a run, from the fine picture through coarse ones to a fine one.
hand("mousemove", X, Y)
panel.settled()
hand("key", "i")
panel.settled()
still = panel.places()["step"]
hand("key", "Return")
check(view.comes(lambda: view.iteration() > 30), view.title())
view.next_frame()
check(panel.places()["step"] == still, f"the button `step` moved from {still} to {panel.places()['step']}")
hand("key", "Return")
panel.settled()
check(view.iteration() < 400 and "axis iteration" in panel.places(), f"the probe has no curves at {view.iteration()}: {panel.places()}")
hand("key", "i")

# Without water, and at the end.
hand("key", "x")
hand("key", "Return")
check(view.comes(lambda: view.iteration() == 402), view.title())
panel.settled()
check(not panel.has("tip river"), "a river is offered at the end")
check(not brush(), "a circle where no water can be poured")
said = len(view.text())
for name in "run", "step", "after":
    panel.press(name)
check(view.text()[said:].count("\n") == view.text()[said:].count("frames/s"), f"the end has buttons: {view.text()[said:]}")
panel.press("before")
check(view.comes(lambda: view.iteration() < 402), view.text()[said:])
panel.settled()
panel.press("after")
check(view.comes(lambda: view.iteration() == 402), f"`after` leads to {view.iteration()}: {view.text()[said:]}")
hand("key", "k")
check(view.says(".vtkhdf\n", said), view.text()[said:])
check(view.close() == 0 and "OpenGL:" not in view.text(), view.text())

# A base without phases has its sliders, too.
bare = cli.write("bare.yaml", "otok: 1\ngrid: {nx: 64, ny: 32, spacing: 8}\nbase:\n  - simplex: {wavelength: 90, amplitude: 20}\n")
view = screen.View(bare, "--backend", "cpu", "-o", SPACE, "-s", "640x400")
panel = screen.Panel(view)
if check(panel.has("base.0.simplex.amplitude"), panel.places()):
    panel.drag("base.0.simplex.amplitude", 0.9)
    check(view.says("base made in"), view.text())
check(view.close() == 0, view.text())

# A checkpoint does not run, and its view says so.
view = screen.View(next(SPACE.glob("*.vtkhdf")), "-o", SPACE, "-s", "300x200")
for name in "Return", "m":
    said = len(view.text())
    hand("key", name)
    check(view.says("nothing runs", said), f"{name}: {view.text()[said:]}")
check(view.close() == 0 and not list(SPACE.glob("*_film")), view.text())
cli.finish()
