"""claim: a planet is a globe that the mouse turns and the wheel brings nearer, and a map again; a map of other proportions is none, in
`otok view` and in `otok render --globe`."""
# slow: software draws its frames, and the code is that of cli_view

import sys

import cli
from cli import SPACE, check, otok

cli.ENV["ASAN_OPTIONS"] = "detect_leaks=0"  # drivers keep memory to the end

planet = cli.write("planet.yaml", "otok: 1\ngrid: {nx: 96, ny: 48, spacing: 200000}\nedges: {left: periodic, right: periodic}\nsea: {level: 0}\n"
                   "base:\n  - planet: {count: 200, height: 120, step: 0, offset: 1}\n")
island = cli.write("island.yaml", cli.ISLAND)
otok("base", planet, "-o", SPACE / "planet.vtkhdf")
otok("base", island, "-o", SPACE / "island.vtkhdf")
no = otok("render", SPACE / "island.vtkhdf", "--globe", "-o", SPACE / "no.png", "-s", "60x40", code=None)
if no.returncode == 69 or "this build" in no.stderr:
    cli.skip("this build or machine draws nothing")
check(no.returncode == 65 and "twice as wide as high" in no.stderr and not (SPACE / "no.png").exists(), f"{no.returncode}: {no.stderr}")
no = otok("render", SPACE / "planet.vtkhdf", "--globe", "--chart", "-o", SPACE / "no.png", code=2).stderr
check("--chart" in no, no)
if "this build" in otok("view", "nothing", code=None).stderr:
    cli.skip("this build has no window")

import screen  # noqa: E402 skips where there is no Xvfb

W, H = 240, 180


def look():
    return screen.screen(W, H - 40)


def hand(view, *words):
    screen.hand(*words, "mousemove", 900, 700)
    check(view.settle(look), view.title())
    return look()


def disc(picture):
    """Pixels of the middle row that are no sky."""
    row = picture[2][H // 2]
    return sum(any(abs(row[3 * i + k] - row[k]) > 8 for k in range(3)) for i in range(W))  # the first one is sky


view = screen.View(SPACE / "planet.vtkhdf", "-o", SPACE, "-s", f"{W}x{H}")
if not check(view.id, f"no window: {view.text()}"):
    sys.exit(1)
level = hand(view, "mousemove", 900, 700)
globe = hand(view, "key", "b")
check("globe" in view.text() and screen.difference(globe, level) > 3, view.text())
turned = hand(view, "mousemove", 120, 90, "mousedown", 1, "mousemove", "--sync", 190, 80, "mouseup", 1)
check(screen.difference(turned, globe) > 1, "the mouse turns nothing")
back = hand(view, "mousemove", 190, 80, "mousedown", 1, "mousemove", "--sync", 120, 90, "mouseup", 1)
check(screen.difference(back, globe) < 0.5, f"turned back it differs by {screen.difference(back, globe)}")
near = hand(view, "mousemove", 120, 90, "click", 4, "click", 4)
check(disc(near) > 1.1 * disc(globe), f"the wheel: {disc(globe)} pixels, then {disc(near)}")
again = hand(view, "key", "b", "key", "0")
check(screen.difference(again, globe) > 3 and "map" in view.text(), view.text())
check(view.close() == 0 and "OpenGL:" not in view.text(), view.text())

view = screen.View(SPACE / "island.vtkhdf", "-o", SPACE, "-s", f"{W}x{H}")
screen.hand("key", "b")
check(view.says("no globe"), view.text())
check(view.close() == 0, view.text())
cli.finish()
