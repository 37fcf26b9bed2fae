"""claim: `otok view` obeys keys and mouse, shows where its brush is, keeps up with the size of its window, shows the very pixels of
`otok render`, with --fast coarsely while it runs and those pixels once it stands, films each state evenly apart, computes what `otok run` computes, and OpenGL has nothing to say; without a display, or without OpenGL 4.5, one line says so."""
# once: under the sanitizers; it depends on no optimisation

import re
import sys

import cli
from cli import SPACE, check, otok

if "this build" in otok("view", "nothing", code=None).stderr:
    cli.skip("this build has no window")

QUIET = {"XDG_RUNTIME_DIR": str(SPACE)}  # else libwayland, which GLFW 3.4 asks first, prints that it is not set
NO_DISPLAY = {"DISPLAY": "", "WAYLAND_DISPLAY": "", **QUIET}
LONG = 10000000  # iterations: the input is slower than the simulation
text = cli.ISLAND.replace("nx: 96, ny: 64", "nx: 48, ny: 32").replace("spacing: 8", "spacing: 16").replace(", during: [[0, 250]]", "")
scenario = cli.write("view.yaml", re.sub(r"  - {name: seabed(.|\n)*reef: .*\n", "", text.replace("iterations: 400", f"iterations: {LONG}")))

alone = otok("view", scenario, code=69, env=NO_DISPLAY).stderr
check(alone.count("\n") == 1 and "no display" in alone and "otok render" in alone, alone)
for words, what in ((["x.yaml", "--size", "3"], "--size 3"), ([scenario, "--style", "x"], "no such style"), ([], "needs a scenario")):
    said = otok("view", *words, code=2, env=NO_DISPLAY).stderr
    check(what in said, said)

import screen  # noqa: E402 skips where there is no Xvfb

old = otok("view", scenario, code=69, env={**screen.ENV, **QUIET, "MESA_GL_VERSION_OVERRIDE": "3.3"}).stderr
check(old.count("\n") == 1 and "OpenGL 4.5" in old and "otok render" in old, old)

W, H = 240, 180
view = screen.View(scenario, "--backend", "cpu", "-o", SPACE, "-s", f"{W}x{H}")
if not check(view.id, f"no window: {view.text()}"):
    sys.exit(1)


def look():
    return screen.screen(W, H - 40)


def still():
    return view.settle(look)


def key(name, words):
    before = len(view.text())
    screen.hand("key", name)
    check(view.says(words, before), f"{name}: no '{words}' in: {view.text()}")


# The window is too narrow for the panel, if there is one: it begins without it, as pictures below show.

# Time: a step, as long as a key is held, on and off.
check(view.shows(f"iteration 0 of {LONG}"), view.title())
screen.hand("key", "n")
check(view.shows(f"iteration 1 of {LONG}"), f"n: {view.title()}")
screen.hand("keydown", "space")
check(view.comes(lambda: view.iteration() > 5), f"space: {view.title()}")
screen.hand("keyup", "space")
check(still(), f"runs on after space: {view.title()}")
held = view.iteration()
key("Return", "running")
check(view.comes(lambda: view.iteration() > held), f"Return: {view.title()}")
key("Return", "paused")

# Looks and camera: each changes the picture, and 0 brings it back.
still()
screen.hand("key", "0")
screen.hand("mousemove", 900, 700)  # an arrow would be on the pictures
still()
at_home = look()
for name, words in (("2", "style water"), ("8", "style phong"), ("r", "style wireframe"), ("r", "style island")):
    before = look()
    key(name, words)
    check(view.comes(lambda: screen.difference(look(), before) > 1), f"{words}: the same picture")
screen.hand("mousemove", 120, 90, "mousedown", 1, "mousemove", "--sync", 190, 70, "mouseup", 1)
check(view.comes(lambda: screen.difference(look(), at_home) > 1), "the mouse turns nothing")
screen.hand("key", "0", "mousemove", 900, 700)
check(view.comes(lambda: look() == at_home), "0 does not bring the picture back")

# A circle lies on the ground under the cursor, as wide as the brush, wherever the camera goes. The middle of the picture is ground
# however long the simulation ran, for 0 follows it; below is the cut of the block.
screen.hand("mousemove", 120, 75)
check(view.comes(lambda: look() != at_home), "no circle under the cursor")
still()
narrow = look()
screen.hand("click", 4)
check(view.comes(lambda: screen.difference(look(), narrow) > 1), "the wheel brings nothing nearer")
still()
screen.hand("key", "0")
check(view.comes(lambda: look() == narrow), "the circle is not where the cursor is")
screen.hand("key", "bracketright", "key", "bracketright")
check(view.comes(lambda: look() not in (narrow, at_home)), "the circle keeps its size")
screen.hand("key", "bracketleft", "key", "bracketleft", "mousemove", 900, 700)
check(view.comes(lambda: look() == at_home), "the circle stays when the cursor leaves")

# What is saved: the state of `otok run` at this iteration, and the pixels of `otok render`, in the window too.
key("k", ".vtkhdf")
key("p", ".png")
saved, picture = (re.search(rf"saved (\S*{e})", view.text()) for e in (r"\.vtkhdf", r"\.png"))
if check(saved and picture, view.text()):
    now = view.iteration()
    cli.run(scenario, SPACE / "run", "-q", "--set", f"phases.erosion.iterations={now}", "--set", "output.every=0")
    prints = [
        re.search(r"fingerprint\W+([0-9a-f]{16})", otok("inspect", p).stdout).group(1)
        for p in (saved.group(1), SPACE / "run" / f"view_{now:08d}.vtkhdf")
        if p
    ]
    check(prints[0] == prints[1], f"iteration {now}: {prints}")
    otok("render", saved.group(1), "-o", SPACE / "render.png", "-s", f"{W}x{H}", "-n", 1, env=screen.ENV)
    rendered, windowed = screen.png(SPACE / "render.png"), screen.png(picture.group(1))
    check(rendered == windowed, f"the saved picture differs from otok render's by {screen.difference(rendered, windowed)}")
    view.comes(lambda: screen.screen(W, H) == rendered)
    shown = screen.screen(W, H)
    check(shown == rendered, f"the window differs from otok render's picture by {screen.difference(shown, rendered)}")

# Another size.
screen.hand("windowsize", "--sync", view.id, W + 100, H + 40)
check(view.comes(lambda: any(screen.screen(W + 100, H + 40)[2][H + 20][3 * W + 60 :])), "nothing is drawn after a resize")

screen.hand("key", "BackSpace")
check(view.shows(f"iteration 0 of"), f"BackSpace: {view.title()}")
check(view.close() == 0, view.text())
check("OpenGL:" not in view.text(), view.text())

# Fast: coarse as long as it runs, and then the pixels of `otok render`.
view = screen.View(scenario, "--backend", "cpu", "-o", SPACE, "-s", f"{W}x{H}", "--fast", "--run", "--speed", 250)
check(view.comes(lambda: view.iteration() > 0 and "coarse" in view.title()), f"--fast --run: {view.title()}")
key("Return", "paused")
screen.hand("mousemove", 900, 700)
check(still(), f"coarse at rest: {view.title()}")
key("k", ".vtkhdf")
saved = re.search(r"saved (\S*\.vtkhdf)", view.text())
if check(saved, view.text()):
    screen.hand("key", "0")
    otok("render", saved.group(1), "-o", SPACE / "render.png", "-s", f"{W}x{H}", "-n", 1, env=screen.ENV)
    rendered = screen.png(SPACE / "render.png")
    check(view.comes(lambda: screen.screen(W, H) == rendered), f"at rest it differs by {screen.difference(screen.screen(W, H), rendered)}")

# A film: a picture of each state, evenly apart.
key("m", "film: a picture every 10 iterations")
before, at = len(view.text()), view.iteration()
key("Return", "running")
check(view.comes(lambda: view.text()[before:].count(".png") >= 3), f"few pictures: {view.text()[before:]}")
key("m", "ffmpeg -framerate 25")
key("Return", "paused")
filmed = [int(n) for n in re.findall(r"saved \S*/(\d{8})\.png", view.text()[before:])]
joined = sorted(SPACE.glob(re.findall(r"-i '\S*/(\S*/\*\.png)'", view.text())[-1]))
check([int(p.stem[-8:]) for p in joined] == filmed, f"{filmed} were filmed, and ffmpeg would join {joined}")
check(filmed == [at + 10 * (k + 1) for k in range(len(filmed))], f"from {at} on it films {filmed}")
check(f"\n{len(filmed)} pictures; " in view.text(), view.text()[before:])
check(view.close() == 0 and "OpenGL:" not in view.text(), view.text())
cli.finish()
