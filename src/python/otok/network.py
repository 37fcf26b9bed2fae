"""The rivers of a state with `incision`: concavity, Hack's exponent, Horton's ratios, knickpoints, and rates of uplift and erosion from chi."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ._cells import cells_of
from .errors import DataError, UsageError
from .fields import checkpoint_of, derived

if TYPE_CHECKING:
    from xarray import Dataset

_WAYS = np.array([[0, -1, 0, 1, -1, 1, -1, 0, 1], [0, 1, 1, 1, 0, 0, -1, -1, -1]])  # by receiver: x, y; 1 to 8 are NW N NE W E SW S SE
_FEW = 30  # cells of channels that a basin needs to have a break
_RESAMPLED, _SURE = 400, 0.9


class Estimate(NamedTuple):
    """A number with its 90 % interval of bootstrap samples of basins."""

    value: float
    low: float
    high: float


@dataclasses.dataclass(frozen=True)
class Horton:
    """Streams by order (Horton 1945, Strahler 1957), and the factors from an order to the next, by least squares of logarithms without the highest
    order, which the map cuts. Rivers on Earth have 3 to 5, 1.5 to 3.5 and 3 to 6."""

    order: np.ndarray
    count: np.ndarray
    length: np.ndarray
    """Mean length of a stream [m]."""
    area: np.ndarray
    """Mean area that it drains [m2]."""
    bifurcation: float
    length_ratio: float
    area_ratio: float


def _power(x: np.ndarray, y: np.ndarray) -> float:
    some = (x > 0) & (y > 0)
    if np.unique(x[some]).size < 3:
        return float("nan")
    return float(np.polyfit(np.log(x[some]), np.log(y[some]), 1)[0])


class Rivers:
    """Arrays over the cells of a state, float or int of shape (ny nx,), rows of y after each other.

    `height` above the cell where the river ends [m], `area`, `slope`, `length`, `order`, `chi` and `steepness` as the derived fields, `to` (the cell
    downstream; -1: none), `far` (the way there [m]), `basin` (the cell where the river ends), `channel` (it drains more than `least`, and a river does
    not end there).

    Parameters
    ----------
    state : xarray.Dataset
        One state of a run with `incision`, with the field receiver.
    least : float, optional
        Area that a channel drains [m2]; 100 cells if not given.

    Raises
    ------
    DataError
        It has no receiver, or no river drains so much.
    """

    def __init__(self, state: "Dataset", least: float | None = None) -> None:
        names = ("drainage_area", "river_slope", "river_length", "stream_order", "chi", "steepness")
        if "receiver" not in state or state.receiver.ndim != 2:
            raise DataError("no `receiver` over y and x: rivers need one state of a run with `incision`, and receiver among `output.fields`")
        cells, found = cells_of(state, checkpoint_of(state)), derived(state, names)
        self.shape, self.spacing = (cells.ny, cells.nx), cells.spacing
        self.least = 100 * self.spacing**2 if least is None else float(least)
        self.area, self.slope, self.length, self.order, self.chi, self.steepness = (cells.map(found[name]).astype(float).ravel() for name in names)
        way = np.nan_to_num(cells.map(state.receiver)).astype(int).ravel()
        y, x = np.divmod(np.arange(way.size), cells.nx)
        self.to = np.where(way > 0, (y + _WAYS[1, way]) % cells.ny * cells.nx + (x + _WAYS[0, way]) % cells.nx, -1)
        self.far = self.spacing * np.hypot(*_WAYS[:, way])
        self.basin = np.where(way > 0, self.to, np.arange(way.size))
        while (self.basin != (further := self.basin[self.basin])).any():
            self.basin = further
        ground = np.maximum(cells.map(state.terrain).astype(float).ravel(), float(state.get("sea_level", -np.inf)))
        self.height = ground - ground[self.basin]
        self.channel = (self.area > self.least) & (self.to >= 0)
        if not self.channel.any():
            raise DataError(f"no river drains {self.least:g} m2; give a smaller `least`")

    def theta(self) -> float:
        """The concavity: theta of slope = k area^-theta.

        Returns
        -------
        float
            Without a unit; NaN: fewer than three areas.
        """
        return -_power(self.area[self.channel], self.slope[self.channel])

    def hack(self) -> float:
        """Hack's exponent (1957): h of length = k area^h.

        Returns
        -------
        float
            Without a unit; NaN: fewer than three areas.
        """
        return _power(self.area[self.channel], self.length[self.channel])

    def horton(self) -> Horton:
        """Streams by Strahler's order. The first order, single cells of slopes, is left out of the factors.

        Returns
        -------
        Horton
            Arrays by order.
        """
        ends = (self.to < 0) | (self.order[self.to] != self.order)
        orders = np.arange(1, int(np.nanmax(self.order)) + 1)
        at = [self.order == order for order in orders]
        count = np.array([(one & ends).sum() for one in at])
        length = np.array([self.far[one].sum() for one in at]) / count
        area = np.array([self.area[one & ends].mean() for one in at])
        some = slice(1, -1)

        def factor(values: np.ndarray) -> float:
            return float(np.exp(np.polyfit(orders[some], np.log(values[some]), 1)[0])) if orders[some].size > 1 else float("nan")

        return Horton(orders, count, length, area, 1 / factor(count), factor(length), factor(area))

    def basins(self) -> list[np.ndarray]:
        """The channel cells of each basin that has 30 of them.

        Returns
        -------
        list of numpy.ndarray
            Indices of cells, the largest basin first.
        """
        cells = np.flatnonzero(self.channel)
        cells = cells[np.argsort(self.basin[cells], kind="stable")]
        parts = np.split(cells, np.flatnonzero(np.diff(self.basin[cells])) + 1)
        return sorted((part for part in parts if part.size >= _FEW), key=len, reverse=True)

    def _some_basins(self) -> list[np.ndarray]:
        if parts := self.basins():
            return parts
        raise DataError(f"no basin has {_FEW} cells that drain more than {self.least:g} m2; give a smaller `least`")

    def knickpoints(self) -> "Dataset":
        """Where k_sn steps from one value to another along chi, in each basin.

        A basin has a knickpoint if it is `clear`: the step removes half of the squares of k_sn, and `below` is a tenth or more another than `above`.

        Returns
        -------
        xarray.Dataset
            Over `river`: `clear`, `chi` and `height` [m] of the step, the medians of k_sn `below` and `above`, the `gain` (the share of the squares of k_sn that the
            step removes), `highest` (the largest chi), the number of `cells`, and the `basin`.

        Raises
        ------
        DataError
            No basin has 30 channel cells.
        """
        import xarray

        chi, height = (0.5 * (values + values[self.to]) for values in (self.chi, self.height))  # the middle of the way that k_sn is of
        rows = [(*_step(chi[cells], height[cells], self.steepness[cells]), self.chi[cells].max(), cells.size, self.basin[cells[0]]) for cells in self._some_basins()]
        names = ("chi", "height", "below", "above", "gain", "highest", "cells", "basin")
        found = {name: np.array(values) for name, values in zip(names, zip(*rows))}
        clear = (found["gain"] > 0.5) & (np.abs(found["below"] / found["above"] - 1) > 0.1)
        return xarray.Dataset({name: ("river", values) for name, values in {"clear": clear, **found}.items()})

    def steady(self, seed: int = 0) -> Estimate:
        """(U/K)^(1/n) of a landscape in a steady state of rivers alone: the slope of height over chi of all channels (Perron & Royden 2013).

        Parameters
        ----------
        seed : int
            Of the bootstrap.

        Returns
        -------
        Estimate
            In the unit of `steepness`.

        Raises
        ------
        DataError
            No basin has 30 channel cells.
        """
        parts = self._some_basins()
        xy = np.array([(self.chi[cells] * self.height[cells]).sum() for cells in parts])
        xx = np.array([(self.chi[cells] ** 2).sum() for cells in parts])
        return _estimate(lambda some: xy[some].sum() / xx[some].sum(), len(parts), seed)

    def rates(self, age: float | str, seed: int = 0) -> dict[str, Estimate]:
        """Erodibility and uplift of a landscape whose uplift changed once from a steady state, with n = 1.

        A knickpoint moves a length K in chi per second, and k_sn is U/K on either side of it.

        Parameters
        ----------
        age : float or str
            Time since the uplift changed, above 0, in seconds or with a unit, such as "200 kyr".
        seed : int
            Of the bootstrap.

        Returns
        -------
        dict of str to Estimate
            "erodibility" [m^(1 - 2m) s-1], and "uplift" now and "uplift_before" [m/s], medians of basins.

        Raises
        ------
        DataError
            Fewer than three basins have a knickpoint that removes half of the squares, changes k_sn by a tenth, and is in the lower half of chi, above
            which the land is as it was: on its way the grid smears a knickpoint.
        """
        from ._times import seconds as _seconds

        seconds = float(_seconds(age))
        if not seconds > 0:
            raise UsageError(f"age={age!r}: give the time since the uplift changed, in seconds or as '200 kyr'")
        found = self.knickpoints()
        clear = found.clear & (found.chi < 0.5 * found.highest)
        held = np.flatnonzero(clear)
        if held.size < 3:
            raise DataError(f"{held.size} of {clear.size} basins have a knickpoint in their lower half; the rates need three: use `steady`, or another state")
        k = found.chi.values[held] / seconds
        values = {"erodibility": k, "uplift": k * found.below.values[held], "uplift_before": k * found.above.values[held]}
        return {name: _estimate(lambda some: float(np.median(one[some])), held.size, seed) for name, one in values.items()}


def _step(x: np.ndarray, z: np.ndarray, k: np.ndarray) -> tuple[float, float, float, float, float]:
    """Where k steps from one value to another along x: x and z there, both values, and the share of the squares that the step removes. Two means split
    the places with the fewest squares; then a place divides those nearer to the median below from those nearer to that above with the fewest errors, as
    a smeared step has its middle there."""
    at = np.argsort(x, kind="stable")
    x, z, k, n = x[at], z[at], k[at], np.arange(1, x.size)
    sums = np.cumsum(k)
    removed = n * (x.size - n) / x.size * (sums[:-1] / n - (sums[-1] - sums[:-1]) / (x.size - n)) ** 2
    split = int(np.argmax(removed)) + 1
    below, above = float(np.median(k[:split])), float(np.median(k[split:]))
    is_below = (k > (below + above) / 2) == (below > above)
    wrong = np.cumsum(~is_below) + is_below.sum() - np.cumsum(is_below)
    place = int(np.argmin(wrong[:-1]))
    squares = ((k - k.mean()) ** 2).sum()
    return float(x[place : place + 2].mean()), float(z[place : place + 2].mean()), below, above, float(removed.max() / squares) if squares else 0.0


def _estimate(value: Callable[[np.ndarray], float], n: int, seed: int) -> Estimate:
    """Of all n, with the interval of samples of n with replacement."""
    rng = np.random.default_rng(seed)
    low, high = np.quantile([value(rng.integers(n, size=n)) for _ in range(_RESAMPLED)], [(1 - _SURE) / 2, (1 + _SURE) / 2])
    return Estimate(float(value(np.arange(n))), float(low), float(high))


def rivers(state: "Dataset", least: float | None = None) -> Rivers:
    """The rivers of one state of a run with `incision`.

    Parameters
    ----------
    state : xarray.Dataset
        With the field receiver.
    least : float, optional
        Area that a channel drains [m2]; 100 cells if not given.

    Returns
    -------
    Rivers
        Channels, their concavity, knickpoints and rates.

    Raises
    ------
    DataError
        It has no receiver, or no river drains so much.

    Examples
    --------
    >>> import tempfile, otok, xarray
    >>> space = tempfile.TemporaryDirectory()
    >>> files = otok.run({"otok": 1, "seed": 3, "grid": {"nx": 48, "ny": 40, "spacing": 200}, "edges": dict.fromkeys(("left", "right", "bottom", "top"), "open"),
    ...     "base": [{"simplex": {"octaves": 4, "amplitude": 1, "wavelength": 800}}], "phases": [{"name": "rise", "iterations": 300,
    ...     "uplift": {"dt": "20 kyr", "rate": "0.2 mm/yr"}, "incision": {"erodibility": "1e-5 yr-1", "m": 0.5}}]}, space.name, backend="cpu")
    >>> found = rivers(xarray.open_dataset(files[-1], engine="h5netcdf"), least=4e5)
    >>> round(found.theta(), 2), [round(one, 1) for one in found.steady()]
    (0.5, [20.0, 20.0, 20.0])
    """
    return Rivers(state, least)
