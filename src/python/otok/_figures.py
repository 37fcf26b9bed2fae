"""What the figures of runs and of studies share: colours, labels, ranges, and the files that they open."""

from __future__ import annotations

import ctypes
import dataclasses
import functools
import inspect
import io
import itertools
import os
import re
from typing import Any, Callable, TypeVar, Union, cast

import numpy as np

try:
    import h5py  # noqa: F401
    import xarray as xr
    from matplotlib import colormaps, ticker
    from matplotlib import figure as mpl
    from matplotlib.axes import Axes
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.colors import Colormap, ListedColormap, LogNorm, Normalize
    from matplotlib.lines import Line2D
    from matplotlib.patches import Rectangle
    from matplotlib.patheffects import withStroke
    from matplotlib.tri import Triangulation
except ImportError as why:
    raise ImportError(f'{why}; otok.plot needs matplotlib, xarray, h5netcdf and h5py: pip install "otok[plot]"') from why

from ._library import Look, Scale, library
from .errors import DataError, ReadError, UsageError, check
from .simulation import Simulation

# What the figures share of these packages.
__all__ = ["Axes", "FigureCanvasAgg", "Line2D", "Rectangle", "Triangulation", "ticker", "withStroke", "xr"]

Table = Union["xr.Dataset", str, "os.PathLike[str]"]
Source = Union[Table, Simulation]
Index = Union[int, float, str]

# the colour of each verdict (most from Okabe & Ito 2008), in the order of legends
VERDICTS = {"stable": "#009e73", "growing": "#f0e442", "growing_physical": "#f0e442", "growing_grid": "#b5cf6b", "growing_numerical": "#5f5900",
            "step_dependent": "#0072b2", "non_conservative": "#cc79a7", "speed_limited": "#56b4e9", "chattering": "#e69f00",
            "rolling": "#8c564b", "ruined": "#000000", "diverged": "#d55e00", "refused": "#bbbbbb", "not_audited": "#5b2c83", "none": "#ffffff"}
_LINES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]
_LAYERS = ["#c9a66b", "#8a7259", "#a8957c", "#f0dc94", "#6a3311", "#bfbbb0", "#f2eee2", "#6b5b4d"]  # from the top; the last: the lowest layer
_WALL, _COAST = "#a0a0a0", "#1f4e79"
_SHADE = 0.4  # share of the colours that shadows remove
_WET = 1e-3  # least depth of water in sections [m]
_ROUND = [1, 2, 2.5, 5, 10]
_PLAIN = ticker.FuncFormatter(lambda value, _: f"{value:.10g}")  # without an offset
_UNITS = {"m2": "m²", "m3": "m³", "m3 s-1": "m³/s", "m s-1": "m/s", "m-1": "1/m", "m2 s-1": "m²/s", "s-1": "1/s", "degree": "°", "s m-1/3": "s/m$^{1/3}$", "degrees_east": "° E", "degrees_north": "° N"}


class Figure(mpl.Figure):
    """A figure of matplotlib that notebooks show."""

    def _repr_png_(self) -> bytes:
        self.savefig(png := io.BytesIO(), format="png")
        return png.getvalue()


def _begin(ax: Axes | None, size: tuple[float, float], title: str = "", **about: Any) -> tuple[Figure, Axes]:
    """A new figure with axes, or the user's, with a title at the left."""
    figure = Figure(figsize=size, layout="constrained") if ax is None else cast(Figure, ax.figure)
    axes = ax or figure.subplots()
    axes.set(**about)
    axes.set_title(title, loc="left", size=10)
    return figure, axes


def _legend(ax: Axes | None, figure: Figure, handles: list[Line2D]) -> None:
    """A legend below a figure, or at the right of the user's axes."""
    if ax is None:
        figure.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False, fontsize=8)
    else:
        ax.legend(handles=handles, loc="center left", bbox_to_anchor=(1, 0.5), frameon=False, fontsize=8)


# What figures share: parameters, and what comes back.
_SHARED = """run : path, Dataset or Simulation
    A checkpoint, the folder of a run, or one that is open.
when : int or str
    The index of a checkpoint (-1: the last), or a time such as "2 h".
low, high : float, optional
    Ends of the colours, in the field's unit.
least : float, optional
    River cells drain more than this [m2]; 100 cells if not given.
study : path or Dataset
    The folder of a study, its study.h5, or its table.
x, y : str, optional
    Names of the parameters of the axes; the first ones if not given.
ax : matplotlib.axes.Axes, optional
    Draw there, not in a figure of its own."""
_Drawing = TypeVar("_Drawing", bound=Callable[..., Figure])


def _parameters(text: str) -> dict[str, str]:
    """Of a section of numpydoc: the entry of each name; "low, high" are two names of one."""
    return {name: entry for entry in re.split(r"\n(?=\S)", text.strip()) for name in entry.partition(" : ")[0].split(", ")}


def _complete(function: _Drawing) -> _Drawing:
    """Adds to a docstring what it shares with those of other figures, in the order of the parameters."""
    about, *parts = re.split(r"\n\n(\w+)\n-+\n", inspect.cleandoc(function.__doc__ or ""))
    own = dict(zip(parts[::2], parts[1::2]))
    known = {**_parameters(_SHARED), **_parameters(own.pop("Parameters", ""))}
    told = "\n".join(dict.fromkeys(known[name] for name in inspect.signature(function).parameters))
    sections = {"Parameters": told, "Returns": "matplotlib.figure.Figure\n    Not shown yet.", **own}
    function.__doc__ = about + "".join(f"\n\n{name}\n{'-' * len(name)}\n{text.strip()}" for name, text in sections.items())
    return function


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


def _as_given(thing: xr.DataArray) -> xr.DataArray:
    """A parameter of a study in the unit in which its scenario gives it."""
    factor = thing.attrs.get("given_factor")
    return thing if factor is None else (thing * factor).assign_attrs({**thing.attrs, "units": thing.attrs["given_units"]})


def _label(thing: xr.DataArray) -> str:
    unit = thing.attrs.get("units", "1")
    return f"{re.split(r': |; ', str(thing.attrs.get('long_name', thing.name)))[0]} [{_UNITS.get(unit, unit)}]"


@functools.lru_cache(maxsize=None)
def _map(name: str) -> Colormap:
    """A colour map of otok, or of matplotlib."""
    for n in itertools.takewhile(library.otok_colours_name, itertools.count()):
        if library.otok_colours_name(n).decode() == name:
            library.otok_colours_fill(n, (light := np.empty((256, 3), np.float32)).ctypes.data)
            shown = np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.maximum(light, 0) ** (1 / 2.4) - 0.055)
            return ListedColormap(np.clip(shown, 0, 1), name).with_extremes(bad=_WALL)
    if name not in colormaps:
        raise UsageError(f"colours={name!r}: not a colour map of otok or of matplotlib; give one such as 'viridis' (all: list(matplotlib.colormaps))")
    return colormaps[name].with_extremes(bad=_WALL)


@dataclasses.dataclass
class _Colours:
    """The colours of values, as `otok render` has them, and the sides on which values are beyond them."""

    cmap: Colormap
    norm: Normalize
    ends: tuple[float, float]
    extend: Any
    is_angle: int

    @classmethod
    def of(cls, values: np.ndarray, look: Look, low: float | None = None, high: float | None = None, *, state: xr.Dataset | None = None,
           colours: str | None = None) -> _Colours:
        sea, water = (float(state.get("sea_level", np.nan)), state.get("water")) if state is not None else (np.nan, None)
        if not np.isfinite(values).any():
            raise DataError("no cell has a value, so there is nothing to draw; choose another field or time")
        known = np.ascontiguousarray(np.where(np.isfinite(values), values, np.nan), np.float32)
        depth = None if water is None else np.ascontiguousarray(water.values, np.float32)
        check(library.otok_scale_find(found := Scale(), look, known.ctypes.data, None if depth is None else depth.ctypes.data, known.size, sea,
                                      *(np.nan if end is None else end for end in (low, high))))
        name = colours or library.otok_colours_name(found.colours).decode()
        norm = (LogNorm if found.is_log else Normalize)(found.low, found.high)
        return cls(_map(name), norm, (found.low, found.high), ("neither", "min", "max", "both")[found.beyond], found.is_angle)

    def ticks(self) -> dict[str, Any]:
        """Those of a bar of colours, without offsets; of logarithms powers of ten."""
        if self.ends == (0, 360) and self.is_angle:
            return {"ticks": range(0, 361, 45)}
        return {} if isinstance(self.norm, LogNorm) else {"ticks": ticker.MaxNLocator(8, steps=_ROUND), "format": _PLAIN}


def _patches(words: list[str]) -> list[Line2D]:
    return [Line2D([], [], marker="o", ls="", mfc=colour, mec="#444444", label=f"{word.replace('_', ' ')} ({words.count(word)})")
            for word, colour in VERDICTS.items() if word in words]
