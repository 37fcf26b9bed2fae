"""Figures of the ground along a line and over heights, a part of `otok.plot`."""

from __future__ import annotations

import numpy as np

from ._figures import _COAST, _LAYERS, _LINES, _PLAIN, _WALL, _WET, Axes, Figure, Index, Source, _begin, _complete, _label, xr
from ._states import _extent, _spacing, _state, _title
from .errors import DataError, UsageError


def _along(state: xr.Dataset, name: str, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """A map at places, interpolated between the middles of cells; the outer half cells have the value of their middle.

    >>> tilted = xr.Dataset({"terrain": (("y", "x"), [[0, 10, 20], [2, 12, 22]])}, {"y": [5, 15], "x": [5, 15, 25]})
    >>> _along(tilted, "terrain", np.array([10, 25]), np.array([5, 10])).tolist()
    [5.0, 21.0]
    """
    u, v = (np.interp(p, line, np.arange(line.size)) for p, line in ((x, state.x.values), (y, state.y.values)))
    i, j = np.minimum(u.astype(int), state.sizes["x"] - 2), np.minimum(v.astype(int), state.sizes["y"] - 2)
    a, b, z = u - i, v - j, state[name].values.astype(float)
    between: np.ndarray = (1 - b) * ((1 - a) * z[j, i] + a * z[j, i + 1]) + b * ((1 - a) * z[j + 1, i] + a * z[j + 1, i + 1])
    return between


@_complete
def section(run: Source, start: tuple[float, float], end: tuple[float, float], when: Index = -1, *, ax: Axes | None = None) -> Figure:
    """Draw the ground, its layers, the water and the sea along a line.

    Parameters
    ----------
    start, end : tuple of float
        Places (x, y) in the units of the map's axes.

    Raises
    ------
    UsageError
        A place is not on the map.
    """
    state = _state(run, when)
    west, east, south, north = _extent(state)
    for name, (x, y) in (("start", start), ("end", end)):
        if not (west <= x <= east and south <= y <= north):
            raise UsageError(f"{name}=({x:.10g}, {y:.10g}) is not on the map; give x from {west:.10g} to {east:.10g}, y from {south:.10g} to {north:.10g}")
    cells = np.hypot((end[0] - start[0]) / (east - west) * state.sizes["x"], (end[1] - start[1]) / (north - south) * state.sizes["y"])
    if cells == 0:
        raise UsageError(f"start and end are both ({start[0]:.10g}, {start[1]:.10g}); give two places")
    share = np.linspace(0, 1, int(np.ceil(4 * cells)) + 1)
    xs, ys, along = start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]), share * cells * _spacing(state)
    ground, sea = _along(state, "terrain", xs, ys), float(state.get("sea_level", -np.inf))
    if np.isnan(ground).all():
        raise DataError("no cell from start to end has data; choose another line")
    water = _along(state, "water", xs, ys) if "water" in state else np.zeros_like(ground)
    layers = [str(name)[7:] for name in state.data_vars if str(name).startswith("bottom_")]
    tops = [ground] + [_along(state, "terrain_base", xs, ys) + _along(state, f"bottom_{name}", xs, ys) for name in layers]
    names = str(state.attrs.get("ledger_layers", "")).split() or [*layers, "below" if layers else "ground"]
    highest = max(np.nanmax(ground + water), sea if np.nanmin(ground) < sea else -np.inf)
    floor = np.nanmin(tops) - 0.08 * (highest - np.nanmin(tops) or 1)
    figure, axes = _begin(ax, (8, 3.6), _title(state))
    for n, (top, bottom, name) in enumerate(zip(tops, [*tops[1:], np.full_like(ground, floor)], names)):
        axes.fill_between(along, bottom, top, color=_LAYERS[-1 if n == len(tops) - 1 else n], lw=0, label=name)
    for name, top, where, colour in (("sea", sea, ground < sea, "#7fa8cf"), ("water", ground + water, water > _WET, "#1f77d0"),
                                     ("no data", highest, np.convolve(np.isnan(ground), [1, 1, 1], "same") > 0, _WALL)):
        if where.any():
            axes.fill_between(along, floor if name == "no data" else ground, top, where=where, interpolate=name == "sea", color=colour, lw=0, label=name)
    axes.plot(along, ground, color="black", lw=0.9)
    line = f"({start[0]:.10g}, {start[1]:.10g}) to ({end[0]:.10g}, {end[1]:.10g})"
    axes.set(xlim=(0, along[-1]), ylim=(floor, None), ylabel="height [m]", xlabel=f"distance from {line} [m]")
    axes.yaxis.set_major_formatter(_PLAIN)
    axes.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
    figure.draw_without_rendering()  # the size of the axes
    box = axes.get_window_extent()
    times = box.height / np.ptp(axes.get_ylim()) / (box.width / along[-1])
    axes.set_title(f"{_title(state)}, {float(f'{times:.2g}'):g} times exaggerated", loc="left", size=10)
    return figure


@_complete
def hypsometry(run: Source, when: Index = -1, *, ax: Axes | None = None) -> Figure:
    """Draw the share of the area above each height, of the ground and of the base before the run (dashed).

    The integral is (mean - lowest) / (highest - lowest); curves (1 - area)^p with the integrals of mature land, 0.35 to 0.6 (Strahler 1952), are grey.
    """
    state = _state(run, when)
    figure, axes = _begin(ax, (5, 4), _title(state), xlim=(0, 100), xlabel="area above [%]", ylabel=_label(state.terrain))
    for name, label, style in (("terrain_base", "before the run", "--"), ("terrain", "ground", "-")):
        heights = np.sort(state[name].values.astype(float), axis=None)[::-1] if name in state else np.zeros(0)
        heights = heights[np.isfinite(heights)]
        if not heights.size:
            continue
        if heights[0] > heights[-1]:
            label += f", integral {(heights.mean() - heights[-1]) / (heights[0] - heights[-1]):.3f}"
        axes.plot(100 * (np.arange(heights.size) + 0.5) / heights.size, heights, style, color=_LINES[style == "--"], label=label)
    if heights.size and heights[0] > heights[-1]:
        area = np.linspace(0, 1, 101)
        old, young = (heights[-1] + (heights[0] - heights[-1]) * (1 - area) ** (1 / integral - 1) for integral in (0.35, 0.6))
        axes.fill_between(100 * area, old, young, color="#e4e4e4", lw=0, zorder=0, label="mature land: 0.35 to 0.6")
    if heights.size and heights[-1] < float(state.get("sea_level", np.nan)) < heights[0]:
        axes.axhline(float(state.sea_level), color=_COAST, lw=0.9, ls=":", label="sea")
    axes.yaxis.set_major_formatter(_PLAIN)
    axes.legend(frameon=False, fontsize=8)
    return figure
