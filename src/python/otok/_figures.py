"""What the figures of runs and of studies share: colours, labels, ranges, and the files that they open."""

from __future__ import annotations

import ctypes
import functools
import io
import os
import re
from typing import Any, Union

import numpy as np

try:
    import h5py  # noqa: F401
    import xarray as xr
    from matplotlib import colormaps, ticker
    from matplotlib import figure as mpl
    from matplotlib.axes import Axes
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.lines import Line2D
    from matplotlib.patches import Rectangle
    from matplotlib.patheffects import withStroke
    from matplotlib.tri import Triangulation
except ImportError as why:
    raise ImportError(f'{why}; otok.plot needs matplotlib, xarray, h5netcdf and h5py: pip install "otok[plot]"') from why

from ._library import library
from .errors import DataError, ReadError, UsageError
from .simulation import Simulation

# What the figures share of these packages.
__all__ = ["Axes", "FigureCanvasAgg", "Line2D", "Rectangle", "Triangulation", "colormaps", "ticker", "withStroke", "xr"]

Table = Union["xr.Dataset", str, "os.PathLike[str]"]
Source = Union[Table, Simulation]
Index = Union[int, float, str]

# the colour of each verdict (most from Okabe & Ito 2008), in the order of legends
VERDICTS = {"stable": "#009e73", "growing": "#f0e442", "growing_physical": "#f0e442", "growing_grid": "#b5cf6b", "growing_numerical": "#5f5900",
            "step_dependent": "#0072b2", "non_conservative": "#cc79a7", "speed_limited": "#56b4e9", "chattering": "#e69f00",
            "rolling": "#8c564b", "ruined": "#000000", "diverged": "#d55e00", "refused": "#bbbbbb", "not_audited": "#5b2c83", "none": "#ffffff"}
_LINES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]
_LAYERS = ["#c9a66b", "#8a7259", "#a8957c", "#f0dc94", "#6a3311", "#bfbbb0", "#f2eee2", "#6b5b4d"]  # from the top; the last: the lowest layer
_MAPS = {"sign": "RdBu", "angle": "twilight", "ground": "cividis", "amount": "magma_r"}
_WALL, _COAST = "#a0a0a0", "#1f4e79"
_SHADE = 0.4  # share of the colours that shadows remove
_WET = 1e-3  # least depth of water in sections [m]
_ROUND = [1, 2, 2.5, 5, 10]
_UNITS = {"m2": "m²", "m3": "m³", "m3 s-1": "m³/s", "m s-1": "m/s", "m-1": "1/m", "m2 s-1": "m²/s", "s-1": "1/s", "degree": "°", "s m-1/3": "s/m$^{1/3}$", "degrees_east": "° E", "degrees_north": "° N"}


class Figure(mpl.Figure):
    """A figure of matplotlib that notebooks show."""

    def _repr_png_(self) -> bytes:
        self.savefig(png := io.BytesIO(), format="png")
        return png.getvalue()


def duration(seconds: float) -> str:
    """A time in its two largest units, as in all charts of otok; years from two on.

    >>> [duration(t) for t in (30000, 7199, 90.5, 0, 1e-3, 90000, 1e8, 1.2622770e13)]
    ['8 h 20 min', '2 h', '1 min 30.5 s', '0 s', '0.001 s', '1 d 1 h', '3.1689 yr', '400,000 yr']
    """
    words = ctypes.create_string_buffer(48)
    library.otok_time_words(words, seconds)
    return words.value.decode()


@functools.lru_cache(maxsize=64)
def _opened(path: str, _of: tuple[int, ...]) -> xr.Dataset:
    """A file that was opened before and has not changed since: to open one takes longer than most figures."""
    return xr.open_dataset(path, engine="h5netcdf", cache=False)


def _open(path: str | os.PathLike[str], needed: str, maker: str) -> xr.Dataset:
    if not os.path.exists(path):
        raise ReadError(f"{path}: no such file or folder; give what `{maker}` wrote")
    about = os.stat(path)
    try:
        found = _opened(os.path.abspath(path), (about.st_ino, about.st_mtime_ns, about.st_size)).copy()
    except OSError as why:
        raise DataError(f"{path}: not a file of `{maker}` ({why}); give one, or its folder") from why
    if needed not in found:
        raise DataError(f"{path}: has no {needed}, so it is not a file of `{maker}`; give one, or its folder")
    return found


def _label(thing: xr.DataArray) -> str:
    unit = thing.attrs.get("units", "1")
    return f"{re.split(r': |; ', str(thing.attrs.get('long_name', thing.name)))[0]} [{_UNITS.get(unit, unit)}]"


def _ends(values: np.ndarray, low: float | None, high: float | None, signed: bool) -> tuple[float, float, Any]:
    """The range of the colours, round ends around 99 % of the values, and on which sides values are beyond it."""
    finite = values[np.isfinite(values)]
    if not finite.size:
        raise DataError("no cell has a value, so there is nothing to draw; choose another field or time")
    least, most = np.percentile(finite, (0.5, 99.5))
    if signed and low is None and high is None:
        most = max(-least, most) or np.abs(finite).max() or 1.0
        least = -most
    ticks = ticker.MaxNLocator(8, steps=_ROUND).tick_values(least, most if most > least else least + 1)
    low, high = float(ticks[0]) if low is None else low, float(ticks[-1]) if high is None else high
    if not low < high:
        raise UsageError(f"low={low:g} is not below high={high:g}; exchange them, or leave one out")
    return low, high, {(0, 0): "neither", (1, 0): "min", (0, 1): "max", (1, 1): "both"}[bool(finite.min() < low), bool(finite.max() > high)]


def _patches(words: list[str]) -> list[Line2D]:
    return [Line2D([], [], marker="o", ls="", mfc=colour, mec="#444444", label=f"{word.replace('_', ' ')} ({words.count(word)})")
            for word, colour in VERDICTS.items() if word in words]
