"""Figures of networks of rivers, with what is usual on Earth drawn beside: slope over area, chi, Hack's and Horton's laws."""

from __future__ import annotations

import numpy as np

from ._figures import _LINES, Axes, Figure, Index, Source, _begin, _complete
from ._spectra import fitted_power
from ._states import _spacing, _state, _title
from .errors import DataError
from .network import rivers


_SIZE = (5.4, 4)


def _wedge(axes: Axes, x: np.ndarray, y: np.ndarray, powers: tuple[float, float], label: str) -> None:
    """Lines with both powers through the middle of some points."""
    at, height = (np.exp(np.median(np.log(values))) for values in (x, y))
    ends = np.geomspace(x.min(), x.max(), 50)
    low, high = (height * (ends / at) ** power for power in powers)
    axes.fill_between(ends, low, high, label=label, color="#e4e4e4", lw=0, zorder=0)


def drainage(heights: np.ndarray, spacing: float) -> tuple[np.ndarray, np.ndarray]:
    """Drainage area [m²] and slope [1] of each cell. A cell drains to the one of its eight neighbours to which the ground falls most steeply (the
    first in the order E, N, W, S, NE, SE, SW, NW); its area is its own and that of all cells that drain to it. Pits are not filled: they drain to
    none and have slope 0.

    >>> area, slope = drainage(np.array([[3.0, 2, 1, 0]] * 2), 1)
    >>> area[0].tolist(), slope[0].tolist()
    ([1.0, 2.0, 3.0, 4.0], [1.0, 1.0, 1.0, 0.0])
    """
    ny, nx = heights.shape
    rim = np.pad(np.asarray(heights, float), 1, constant_values=np.nan)
    slope, to, cells = np.zeros((ny, nx)), np.full((ny, nx), -1), np.arange(ny * nx).reshape(ny, nx)
    for j, i in ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (-1, 1), (-1, -1), (1, -1)):
        fall = (heights - rim[1 + j : 1 + j + ny, 1 + i : 1 + i + nx]) / (spacing * np.hypot(i, j))
        steeper = fall > slope
        slope[steeper], to[steeper] = fall[steeper], (cells + j * nx + i)[steeper]
    area, receivers = np.where(np.isfinite(heights), spacing**2, 0.0).ravel().tolist(), to.ravel().tolist()
    for cell in np.argsort(-heights, axis=None, kind="stable").tolist():  # from high to low; no data come last
        if receivers[cell] >= 0:
            area[receivers[cell]] += area[cell]
    return np.reshape(area, (ny, nx)), slope


@_complete
def slope_area(run: Source, when: Index = -1, *, ax: Axes | None = None) -> Figure:
    """Draw slope over drainage area of cells above the sea, along the rivers of a state with `incision`, else by `drainage`.

    Medians are of bins of half an octave that have ten cells; theta of slope = k area^-theta is fitted to them from sixteen cells on; 0.23 to 0.58,
    the middle half of mountains and uplands (Gailleton et al. 2021), is grey.

    Raises
    ------
    DataError
        No cell above the sea drains to another.
    """
    state = _state(run, when)
    heights, cell = state.terrain.values.astype(float), _spacing(state) ** 2
    if "receiver" in state:
        network = rivers(state, 0)
        area, slope = network.area, np.nan_to_num(network.slope)
        land, pits = network.to >= 0, "cells that do not fall"
    else:
        area, slope = drainage(heights, _spacing(state))
        land, pits = heights >= float(state.get("sea_level", -np.inf)), "pits"
    a, s = area[land & (slope > 0)], slope[land & (slope > 0)]
    if not a.size:
        raise DataError("no cell above the sea drains to another, so there is no slope; choose another state")
    bins = np.floor(2 * np.log2(a / cell) + 1e-9).astype(int)
    points = np.array([(np.median(a[bins == n]), np.median(s[bins == n])) for n in np.unique(bins) if (bins == n).sum() >= 10]).reshape(-1, 2)
    fitted = points[points[:, 0] >= 16 * cell]
    figure, axes = _begin(ax, _SIZE, _title(state), xlabel="drainage area [m²]", ylabel="slope [1]", xscale="log", yscale="log")
    axes.plot(a, s, ".", ms=1.5, mew=0, color="#a8a8a8", rasterized=True)
    axes.set(ylim=(s.min() / 2, s.max() * 2))
    axes.plot(points[:, 0], points[:, 1], "o", ms=5, color=_LINES[0], label=f"medians; {(land & (slope <= 0)).sum()} {pits}")
    if len(fitted) >= 3:
        power, k, error = fitted_power(*fitted.T)
        axes.plot(fitted[:, 0], np.exp(k) * fitted[:, 0] ** power, color=_LINES[1], label=f"θ = {-power + 0.0:.2f} ± {error:.2f}, {len(fitted)} bins")
        _wedge(axes, fitted[:, 0], fitted[:, 1], (-0.225, -0.575), "usual: 0.23 to 0.58")
    axes.legend(frameon=False, fontsize=8)
    return figure


@_complete
def chi(run: Source, when: Index = -1, *, least: float | None = None, ax: Axes | None = None) -> Figure:
    """Draw height over chi of all river cells, with knickpoints (`otok.Rivers.knickpoints`), and the line of a steady state unless most basins have one.

    The largest five basins have colours. Tributaries of one basin on one line have the same k_sn.
    """
    state = _state(run, when)
    network = rivers(state, least)
    figure, axes = _begin(ax, _SIZE, _title(state), xlabel=f"χ [m], from where rivers end, of more than {network.least:.3g} m²", ylabel="height above there [m]")
    axes.plot(network.chi[network.channel], network.height[network.channel], ".", ms=1.5, mew=0, color="#a8a8a8", rasterized=True)
    for n, part in enumerate(network.basins()[:5]):
        axes.plot(network.chi[part], network.height[part], ".", ms=3, mew=0, color=_LINES[n], rasterized=True)
    if network.basins():
        found, steady, end = network.knickpoints(), network.steady(), np.array([0, network.chi[network.channel].max()])
        clear = found.clear.values
        if 2 * clear.sum() > clear.size:
            axes.plot([], [], " ", label=f"no line of a steady state: k_sn steps in {clear.sum()} of {clear.size} basins")
        else:
            axes.plot(end, steady.value * end, color="black", lw=0.9, label=f"k_sn = {steady.value:.4g} ({steady.low:.4g} to {steady.high:.4g})")
        axes.plot(found.chi[clear], found.height[clear], "v", ms=6, mfc="none", color="black", label=f"{int(clear.sum())} knickpoints")
    else:
        axes.plot([], [], " ", label="no basin has enough cells for k_sn")
    axes.legend(frameon=False, fontsize=8)
    return figure


@_complete
def hack(run: Source, when: Index = -1, *, least: float | None = None, ax: Axes | None = None) -> Figure:
    """Draw the length of the longest river above a cell over the area that it drains, with Hack's exponent (1957); 0.5 to 0.6 (Rigon et al. 1996) is grey."""
    state = _state(run, when)
    network = rivers(state, least)
    a, length = network.area[network.channel], network.length[network.channel]
    figure, axes = _begin(ax, _SIZE, _title(state), xlabel="drainage area [m²]", ylabel="length of the longest river [m]", xscale="log", yscale="log")
    axes.plot(a, length, ".", ms=1.5, mew=0, color="#a8a8a8", rasterized=True)
    power = network.hack()
    if np.isfinite(power):
        ends = np.array([a.min(), a.max()])
        axes.plot(ends, np.exp(np.mean(np.log(length)) + power * (np.log(ends) - np.mean(np.log(a)))), color=_LINES[1], label=f"h = {power:.3f}")
        _wedge(axes, a, length, (0.5, 0.6), "usual: 0.5 to 0.6")
    axes.legend(frameon=False, fontsize=8)
    return figure


@_complete
def horton(run: Source, when: Index = -1, *, ax: Axes | None = None) -> Figure:
    """Draw number, mean length and mean area of streams by Strahler's order, and the factors from an order to the next, with what is usual."""
    state = _state(run, when)
    found = rivers(state, 0).horton()
    figure, axes = _begin(ax, _SIZE, _title(state), xlabel="order (Strahler)", ylabel="number; mean length [km]; mean area [km²]", yscale="log")
    for n, (values, factor, name, usual) in enumerate(((found.count, found.bifurcation, "number ÷", "3 to 5"), (found.length / 1e3, found.length_ratio, "length ×", "1.5 to 3.5"),
                                                       (found.area / 1e6, found.area_ratio, "area ×", "3 to 6"))):
        axes.plot(found.order, values, "o-", ms=4, lw=0.9, color=_LINES[n], label=f"{name} {factor:.2f} (usual {usual})")
    axes.set_xticks(found.order)
    axes.legend(frameon=False, fontsize=8)
    return figure
