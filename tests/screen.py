"""A screen of its own (Xvfb) with input (xdotool) for tests of `otok view`, and pictures as rows of bytes. Used beside cli.py.
Nothing here waits for a time: a frame may take long on a busy machine."""

import atexit
import os
import pathlib
import re
import shutil
import struct
import subprocess

import cli
from cli import png  # noqa: F401 pictures of files beside those of the screen

for tool in ("Xvfb", "xdotool"):
    if not shutil.which(tool):
        cli.skip(f"no {tool} here")

_read, _write = os.pipe()
_frames = cli.SPACE / "screen"
_frames.mkdir()
_server = subprocess.Popen(
    ["Xvfb", "-displayfd", str(_write), "-screen", "0", os.environ.get("OTOK_TEST_SCREEN", "1000x800") + "x24", "-fbdir", str(_frames), "-noreset"],
    pass_fds=[_write],
    stderr=subprocess.DEVNULL,
)
atexit.register(lambda: (_server.terminate(), _server.wait()))
os.close(_write)
_display = os.read(_read, 16).decode().strip()
if not _display:
    cli.skip("Xvfb does not start")
ENV = {**cli.ENV, "DISPLAY": ":" + _display, "LIBGL_ALWAYS_SOFTWARE": "1", "ASAN_OPTIONS": "detect_leaks=0"}


def hand(*words):
    done = subprocess.run(["xdotool", *map(str, words)], env=ENV, capture_output=True, text=True, timeout=cli.LIMIT)
    return done.stdout.strip()


class View:
    """`otok view` on the screen; what it says on standard output is in `lines`."""

    def __init__(self, *args, env={}):
        self.said = open(cli.SPACE / "said", "w+")
        self.places = cli.SPACE / "places"
        self.places.unlink(missing_ok=True)
        env = {"OTOK_PANEL_PLACES": str(self.places), **env}
        self.process = subprocess.Popen(
            [cli.OTOK, "view", *map(str, args), "--verbose"], env={**ENV, **env}, stdout=self.said, stderr=subprocess.STDOUT
        )
        self.id = ""
        cli.wait_for(lambda: self.find() or self.process.poll() is not None)
        hand("windowfocus", "--sync", self.id)

    def find(self):
        self.id = hand("search", "--onlyvisible", "--class", "otok").split("\n")[0]
        return self.id

    def text(self):
        return pathlib.Path(self.said.name).read_text()

    def title(self):
        return hand("getwindowname", self.id)

    def comes(self, condition):
        """Waits for it, as long as the view lives. It need not last."""
        found = False

        def found_or_ended():
            nonlocal found
            found = condition()
            return found or self.process.poll() is not None

        cli.wait_for(found_or_ended)
        return found or condition()

    def says(self, words, after=0):
        """After so many letters that it said before."""
        return self.comes(lambda: words in self.text()[after:])

    def shows(self, words):
        return self.comes(lambda: words in self.title())

    def lines(self):
        """What the panel says of the last frame, see viz/panel_places.h: words by line. Empty: this build has no panel, or there was
        no frame yet."""
        try:
            return [line.split("\t") for line in self.places.read_text().splitlines()]
        except FileNotFoundError:
            return []

    def state(self):
        """The last frame's number, its iteration, and whether the picture will change without input."""
        lines = self.lines()
        if lines:
            return tuple(map(int, lines[0][1:]))
        found = re.search(r"iteration (\d+) of", title := self.title())
        return None, int(found.group(1)) if found else -1, "coarse" in title

    def iteration(self):
        return self.state()[1]

    def next_frame(self):
        """A whole frame has seen the input before, and is on the screen. Three frames end: the first may have begun before the input,
        the second saw it, and the third asked the screen something after the second was sent there. A quiet window is woken for each."""
        first = self.state()[0]
        if first is None:
            return self.next_titles()
        for n in (1, 2, 3):
            hand("set_window", "--role", f"woken-{n}", self.id)
            self.comes(lambda: self.state()[0] >= first + n)

    def next_titles(self):
        """The same without a panel: the view ends frames with a title of its own, and the second title that is taken away is taken by
        a frame that began after the first."""
        for mark in ("one", "two"):
            hand("set_window", "--name", mark, self.id)
            self.comes(lambda: self.title() != mark)

    def settle(self, look):
        """The input is handled, drawn finely, and nothing moves: two frames look alike."""
        was = [None]

        def same():
            self.next_frame()
            _, iteration, changes = self.state()
            before, was[0] = was[0], (look(), iteration)
            return was[0] == before and not changes

        return self.comes(same)

    def close(self, limit=cli.LIMIT):
        hand("key", "ctrl+q")
        try:
            return self.process.wait(limit)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return None


class Panel:
    """The panel of a View; its controls by their names, which viz/panel_places.h gives. A control that is not seen is brought there by
    the wheel."""

    def __init__(self, view):
        self.view = view

    def places(self):
        """(x, y, width, height) by name; empty: there is no panel now."""
        return {name: tuple(map(int, numbers)) for name, *numbers in self.view.lines()[1:]}

    def is_there(self):
        self.settled()
        return "panel" in self.places()

    def look(self):
        """All that the panel shows, and where."""
        places = self.places()
        x, y, width, height = places.get("panel", (0, 0, 0, 0))
        return places, [row[3 * x :] for row in screen(x + width, y + height)[2]]

    def settled(self):
        return self.view.settle(self.look)

    def has(self, name):
        self.settled()
        return name in self.places()

    def turn(self, button):
        """The wheel, until it is at its end; each time the places that are seen."""
        x, y, width, height = self.places()["panel"]
        hand("mousemove", x + 4, y + height // 2)
        before = None
        while before != (before := self.places()):
            yield before
            hand("click", button)
            self.settled()

    def place(self, name):
        self.settled()
        if name not in self.places():
            list(self.turn(4))
            any(name in seen for seen in self.turn(5))
        found = self.places().get(name)
        cli.check(found, f"no {name} in the panel: {sorted(self.places())}")
        return found or (0, 0, 1, 1)

    def at(self, name, part=0.5):
        """A point of it: its part from the left, in the middle of its height."""
        x, y, width, height = self.place(name)
        return x + int(part * width), y + height // 2

    def press(self, name, button=1):
        hand("mousemove", *self.at(name))
        self.settled()
        hand("mousedown", button, "mouseup", button)
        self.settled()

    def drag(self, name, to, begin=0.5):
        """A slider, between parts of its width; what it is set to acts at the next rest."""
        place = self.at(name, begin), self.at(name, to)
        hand("mousemove", *place[0])
        self.settled()
        hand("mousedown", 1)
        self.settled()
        hand("mousemove", *place[1])
        self.settled()
        hand("mouseup", 1)
        self.settled()


def screen(width, height):
    """The upper left part of the screen as (width, height, rows of RGB bytes)."""
    data = next(_frames.iterdir()).read_bytes()
    head = struct.unpack(">25I", data[:100])
    line, start = head[12], head[0] + head[19] * 12
    rows = []
    for j in range(height):
        row = data[start + j * line : start + j * line + 4 * width]
        rgb = bytearray(3 * width)
        rgb[0::3], rgb[1::3], rgb[2::3] = row[2::4], row[1::4], row[0::4]
        rows.append(bytes(rgb))
    return width, height, rows


def difference(one, other):
    """Mean difference of two pictures in steps of 255; None: they differ in size."""
    if one[:2] != other[:2]:
        return None
    sums = sum(sum(map(abs, map(int.__sub__, a, b))) for a, b in zip(one[2], other[2]) if a != b)
    return sums / (3 * one[0] * one[1])
