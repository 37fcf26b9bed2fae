"""The console script otok-plot: one command per function of `otok.plot`."""

from __future__ import annotations

import argparse
import os
import pathlib
import sys
from typing import Any, Optional

from .errors import Error, UsageError, WriteError
from .picture import _kinds

_ABOUT = {"map": "draw a field over the relief", "history": "draw volumes, audit and verdict of all checkpoints of a run",
          "section": "draw ground, layers, water and sea along a line", "hypsometry": "draw the share of the area above each height",
          "slope-area": "draw slope over drainage area", "chi": "draw heights of rivers over chi", "hack": "draw lengths of rivers over area",
          "horton": "draw streams by order", "histogram": "draw the share of the area with each value of a field",
          "spectrum": "draw the spectral density of a field over the wavelength", "flow": "draw speed and direction of the water", "difference": "draw a field of A less that of B",
          "study": "draw verdicts and predicted limits", "response": "draw a column of a study's table as a surface", "members": "draw a kept field of many members"}


def _when(text: str) -> int | str:
    """An index of a checkpoint, or a time.

    >>> _when("-1"), _when("10 min"), _place("20,3.5")
    (-1, '10 min', (20.0, 3.5))
    """
    return int(text) if text.lstrip("-").isdigit() else text


def _place(text: str) -> tuple[float, float]:
    try:
        x, y = text.split(",")
        return float(x), float(y)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text}: not a place; give X,Y such as 200,350") from None


def _dpi(text: str) -> int:
    if text.isdigit() and 10 <= int(text) <= 2400:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text}: not a resolution; give 10 to 2400")


_RUN, _STUDY = "map history section hypsometry slope-area chi hack horton histogram spectrum flow", "study response members"
_OPTIONS: list[tuple[str, str, dict[str, Any]]] = [  # of which commands
    (_RUN, "run", {"metavar": "RUN", "help": "read a checkpoint, or the folder of a run"}),
    ("difference", "a", {"metavar": "A", "help": "read a checkpoint, or the folder of a run"}),
    ("difference", "b", {"metavar": "B", "help": "subtract this one"}),
    (_STUDY, "study", {"metavar": "STUDY", "help": "read study.h5, or the folder of a study"}),
    ("map section hypsometry slope-area chi hack horton histogram spectrum flow difference", "--when", {"type": _when, "default": -1, "help": "draw the checkpoint with this index "
     "(default: -1, the last), or nearest to this time, such as '2 h 30 min'"}),
    ("map histogram spectrum difference members", "--field", {"default": "terrain", "metavar": "NAME", "help": "draw this field (default: terrain)"}),
    ("map difference", "--low", {"type": float, "metavar": "V", "help": "begin the colours here"}),
    ("map difference", "--high", {"type": float, "metavar": "V", "help": "end the colours here"}),
    ("map", "--colours", {"metavar": "NAME", "help": "use this colour map of matplotlib"}),
    ("map", "--contours", {"type": int, "default": 7, "metavar": "N", "help": "draw about N contours (default: 7; 0: none)"}),
    ("map", "--part", {"type": float, "nargs": 4, "metavar": ("WEST", "EAST", "SOUTH", "NORTH"), "help": "draw these cells alone, and beside them where they are"}),
    ("section", "--from", {"dest": "start", "type": _place, "required": True, "metavar": "X,Y", "help": "begin here, in the units of the map's axes"}),
    ("section", "--to", {"dest": "end", "type": _place, "required": True, "metavar": "X,Y", "help": "end here"}),
    ("chi hack", "--least", {"type": float, "metavar": "M2", "help": "draw rivers that drain more than this (default: 100 cells)"}),
    ("flow", "--kind", {"default": "arrows", "choices": ["arrows", "lines"], "help": "draw arrows (default), or lines along the flow"}),
    ("response", "--column", {"dest": "response", "required": True, "metavar": "NAME", "help": "draw this column, or this response of the study"}),
    (_STUDY, "--x", {"metavar": "NAME", "help": "draw this parameter along x (default: the first)"}),
    (_STUDY, "--y", {"metavar": "NAME", "help": "draw this parameter along y (default: the second; with --x alone: none)"}),
]


def _parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser("otok-plot", description="Draw runs and studies with matplotlib.", allow_abbrev=False,
                                    epilog="exit codes: 0 done, 2 usage, 65 bad data, 69 no matplotlib, 74 cannot read or write")
    commands = found.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, about in _ABOUT.items():
        one = commands.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.", allow_abbrev=False)
        for of, option, words in _OPTIONS:
            if name in of.split():
                one.add_argument(option, **words)
        one.add_argument("-o", "--output", type=pathlib.Path, required=True, metavar="OUT", help="write this file: .png, .pdf, .svg")
        one.add_argument("--dpi", type=_dpi, default=150, metavar="N", help="draw N pixels per inch (default: 150)")
    return found


def main(words: Optional[list[str]] = None) -> int:
    """Draws one figure into a file, whole or not at all; returns the exit code."""
    options = vars(_parser().parse_args(words))
    command, path, dpi = options.pop("command"), options.pop("output"), options.pop("dpi")
    draft = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
    try:
        from . import plot

        if not path.absolute().parent.is_dir():
            raise WriteError(f"{path}: there is no folder {path.parent}; make it first")
        figure = getattr(plot, command.replace("-", "_"))(**options)
        if path.suffix[1:].lower() not in figure.canvas.get_supported_filetypes():
            raise UsageError(f"{path}: matplotlib does not write this kind of file; choose .png, .pdf or .svg")
        figure.savefig(draft, dpi=dpi)
        os.replace(draft, path)
    except (Error, OSError, ImportError) as why:
        draft.unlink(missing_ok=True)
        print(f"otok-plot {command}: {why}", file=sys.stderr)
        kinds = [code for code, kind in _kinds.items() if isinstance(why, kind)]
        return 69 if isinstance(why, ImportError) else kinds[0] if kinds else 74
    return 0


if __name__ == "__main__":
    sys.exit(main())
