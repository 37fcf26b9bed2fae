"""Pictures of simulations and checkpoints, by `otok render`."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sysconfig
import tempfile
import warnings
from typing import TYPE_CHECKING, Any

from .errors import DataError, DeviceError, Error, InternalError, ReadError, UsageError
from .simulation import Simulation

if TYPE_CHECKING:
    import numpy as np

_kinds = {2: UsageError, 65: DataError, 69: DeviceError, 70: InternalError, 74: ReadError}


class Picture:
    """A PNG. Notebooks show it; `numpy.asarray` gives its pixels (needs Pillow or matplotlib).

    Parameters
    ----------
    png : bytes
        The file.
    """

    def __init__(self, png: bytes) -> None:
        self.png = png

    def __repr__(self) -> str:
        width, height = self.size
        return f"<otok.Picture of {width} x {height} pixels; save(path) writes it>"

    def _repr_png_(self) -> bytes:
        return self.png

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the PNG.

        Parameters
        ----------
        path : path
            Of a PNG file.
        """
        pathlib.Path(path).write_bytes(self.png)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels.

        >>> Picture(b"\\x89PNG\\r\\n\\x1a\\n\\0\\0\\0\\rIHDR\\0\\0\\0\\x05\\0\\0\\0\\x04").size
        (5, 4)
        >>> Picture(b"\\x89PNG\\r\\n\\x1a\\n\\0\\0\\0\\rIHDR\\0\\0\\0\\x05\\0\\0\\0\\x04")
        <otok.Picture of 5 x 4 pixels; save(path) writes it>
        """
        return int.from_bytes(self.png[16:20], "big"), int.from_bytes(self.png[20:24], "big")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> "np.ndarray":
        import io

        import numpy as np

        try:
            from PIL import Image

            pixels = np.asarray(Image.open(io.BytesIO(self.png)))
        except ImportError:
            from matplotlib.image import imread

            pixels = np.round(255 * imread(io.BytesIO(self.png), format="png")).astype(np.uint8)
        return pixels.astype(dtype or pixels.dtype)


def _program() -> str:
    """The path of the program: $OTOK_PROGRAM, else the one that came with this package, else the one on the path."""
    beside = pathlib.Path(sysconfig.get_path("scripts")) / "otok"
    found = os.environ.get("OTOK_PROGRAM") or (str(beside) if beside.exists() else shutil.which("otok"))
    if not found:
        raise Error("the program otok is not on the path; set $OTOK_PROGRAM to where it is")
    return found


def _option(key: str, value: Any) -> list[str]:
    """
    >>> _option("size", (640, 480)), _option("sun", (285, 38)), _option("fast", True), _option("shadows", False)
    (['--size', '640x480'], ['--sun', '285,38'], ['--fast'], ['--no-shadows'])
    """
    name = key.replace("_", "-")
    if isinstance(value, bool):
        return [f"--{name}"] if value else [f"--no-{name}"]
    if isinstance(value, (tuple, list)):
        value = ("x" if key == "size" else ",").join(map(str, value))
    return [f"--{name}", str(value)]


def _in_python(text: str) -> str:
    """What the program says of its options, of arguments.

    >>> _in_python("unknown option --sun-set; otok render --help lists the options")
    'unknown option sun_set; `otok render --help` lists the options'
    >>> _in_python("--style wet: no such style; the nearest is `water`, and --help lists all")
    'style wet: no such style; the nearest is `water`, and `otok render --help` lists all'
    """
    text = re.sub("(?:otok render )?--help", "`otok render ++help`", text)
    text = re.sub(r"(?<!\S)--([a-z][a-z-]*)", lambda found: found[1].replace("-", "_"), text)
    return text.replace("++help", "--help")


def render(what: Simulation | str | os.PathLike[str], **options: Any) -> Picture:
    """Draw a simulation or a checkpoint in three dimensions, without a display.

    Parameters
    ----------
    what : Simulation or path
        A simulation at its present state, or a checkpoint.
    **options : number, str, bool or tuple
        Those of `otok render`, which `otok render --help` lists: `style="water", size=(800, 600), elevation=20, shadows=False`.

    Returns
    -------
    Picture
        Shown by notebooks; `numpy.asarray` has its pixels, uint8 of shape (height, width, 3).

    Raises
    ------
    UsageError
        There is no such option.
    """
    words = [word for key, value in options.items() for word in _option(key, value)]
    with tempfile.TemporaryDirectory(prefix="otok-render-") as space:
        checkpoint, picture = pathlib.Path(space, "state.vtkhdf"), pathlib.Path(space, "view.png")
        if isinstance(what, Simulation):
            what.save(checkpoint)
        else:
            checkpoint = pathlib.Path(what)
        done = subprocess.run([_program(), "render", str(checkpoint), "-o", str(picture), *words], capture_output=True, text=True)
        if done.returncode != 0:
            raise _kinds.get(done.returncode, Error)(_in_python(done.stderr.strip().removeprefix("otok render: ")))
        for said in re.findall("^otok: (.*)", done.stderr, re.M):
            warnings.warn(_in_python(said), stacklevel=2)
        return Picture(picture.read_bytes())
