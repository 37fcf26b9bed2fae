"""A generator of gest-api, the standard of libEnsemble, Optimas and Xopt (needs gest-api and scikit-learn). Its evaluator is `otok.Evaluator`."""

from __future__ import annotations

import pathlib
from collections.abc import Iterable
from typing import Any

import numpy as np

from ._search import _Search
from ._surface import Surface
from .errors import Error, UsageError

try:
    import gest_api
    from gest_api.vocs import VOCS, ContinuousVariable
except ImportError as missing:
    raise Error("otok.gest needs gest-api; pip install gest-api") from missing


class _Box:
    """The variables of a VOCS as axes. A place is a share of each."""

    def __init__(self, vocs: VOCS, log: set[str]) -> None:
        self.paths = vocs.variable_names
        self._low, self._high = np.array(vocs.bounds, float).T
        self._log = np.isin(self.paths, list(log))

    def points(self, places: np.ndarray) -> list[dict[str, float]]:
        with np.errstate(all="ignore"):
            values = np.where(self._log, self._low * (self._high / self._low) ** places, self._low + (self._high - self._low) * places)
        return [dict(zip(self.paths, row)) for row in values.tolist()]

    def places(self, points: Iterable[dict[str, Any]]) -> np.ndarray:
        values = np.array([[point[path] for path in self.paths] for point in points], float)
        with np.errstate(all="ignore"):
            unit: np.ndarray = np.where(self._log, np.log(values / self._low) / np.log(self._high / self._low), (values - self._low) / (self._high - self._low))
        return unit


class EdgeGenerator(gest_api.Generator):  # type: ignore[misc]
    """Suggests points next to the edge of the region in which all constraints of a VOCS hold, as `otok.edges` does: the first `blind` points
    spread over the box; others lie where a surface between the points of both sides is uncertain, far from each other. Any evaluator
    will do. A point whose outputs are NaN is outside. Variables have two bounds; those in `log` vary by their logarithm.

    >>> generator = EdgeGenerator(VOCS(variables={"x": [0, 1], "y": [1, 100]}, constraints={"sum": ["LESS_THAN", 1]}), blind=16, log=["y"])
    >>> for _ in range(9):
    ...     points = generator.suggest(8)
    ...     generator.ingest([{**point, "sum": point["x"] + np.log10(point["y"]) / 2} for point in points])
    >>> bool(max(abs(point["x"] + np.log10(point["y"]) / 2 - 1) for point in points) < 0.1)
    True
    >>> generator.inside([{"x": 0.2, "y": 10}, {"x": 0.9, "y": 10}]).tolist()
    [True, False]
    """

    def __init__(self, vocs: VOCS, blind: int = 64, log: Iterable[str] = (), seed: int = 0) -> None:
        self.vocs, self._blind, self._log = vocs, blind, set(log)
        super().__init__(vocs)
        self._box = _Box(vocs, self._log)
        self._search = _Search(self._box, pathlib.Path(), {"inside"}, 1000 * seed, None)
        self._first = self._search.pool(blind)
        self._open = np.zeros((0, len(self._box.paths)))  # suggested, and not ingested so far

    def _validate_vocs(self, vocs: VOCS) -> None:
        if not vocs.constraints or len(vocs.variables) < 2:
            raise ValueError("otok.gest.EdgeGenerator seeks the edge of the region in which constraints hold: give one or more, and two variables at least")
        for name, variable in vocs.variables.items():
            low, high = variable.domain if isinstance(variable, ContinuousVariable) else (-np.inf, np.inf)
            if not np.isfinite([low, high]).all() or (name in self._log and low <= 0):
                raise ValueError(f"{name}: otok.gest.EdgeGenerator needs variables with two bounds, above 0 with log")
        if unknown := self._log - set(vocs.variables):
            raise ValueError(f"log: {min(unknown)} is no variable")

    def suggest(self, num_points: int | None = None) -> list[dict[str, Any]]:
        """So many points; without a number one round: the blind points, then a quarter of their number."""
        known = len(self._search.places) + len(self._open)
        n = num_points or max(self._blind - known, self._blind // 4, 1)
        places = self._first[known : known + n] if known < self._blind else self._first[:0]
        if len(places) < n:
            places = np.concatenate([places, self._next(n - len(places))])
        self._open = np.concatenate([self._open, places])
        constants = {name: constant.value for name, constant in self.vocs.constants.items()}
        return [{**point, **constants} for point in self._box.points(places)]

    def _next(self, n: int) -> np.ndarray:
        sides = np.bincount(self._search.inside.astype(int), minlength=2)
        pool = self._search.pool(max(2**12, 64 * n))
        doubt = np.abs(Surface(self._search.places, self._search.inside)(pool)) if sides.min() >= 3 else np.zeros(len(pool))
        return self._search.spread(pool, doubt, n, self._open)

    def ingest(self, results: list[dict[str, Any]]) -> None:
        """Points with outputs, suggested here or known from elsewhere."""
        if not results:
            return
        places = self._box.places(results)
        holds = [all(constraint.check(result[name]) for name, constraint in self.vocs.constraints.items()) for result in results]
        self._search.know(places, np.where(holds, "inside", "outside"))
        apart = np.abs(self._open[:, np.newaxis] - places).max(2).min(1) if len(self._open) else np.zeros(0)
        self._open = self._open[apart > 1e-9]

    def inside(self, points: list[dict[str, Any]]) -> np.ndarray:
        """Whether the constraints hold at points, by the surface between those ingested."""
        if np.bincount(self._search.inside.astype(int), minlength=2).min() < 3:
            raise UsageError("inside: ingest three points on each side of the edge first")
        return Surface(self._search.places, self._search.inside)(self._box.places(points)) > 0
