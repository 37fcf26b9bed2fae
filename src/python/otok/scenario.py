"""Scenarios: from a file, a text or a dictionary."""

from __future__ import annotations

import ctypes
import json
import math
import os
from collections.abc import Mapping
from typing import Any, NamedTuple, Union

import numpy as np

from . import _library
from ._library import library
from .errors import check
from .owner import Owner

Source = Union[str, "os.PathLike[str]", Mapping[str, Any], "Scenario"]


def flow(value: Any) -> str:
    """A value as one line of YAML.

    >>> flow({"talus": 35, "during": [[0, 1e-7]], "on": True, "high": float("inf"), "name": "a: b"})
    '{"talus": 35, "during": [[0, 1e-07]], "on": true, "high": .inf, "name": "a: b"}'
    """
    if hasattr(value, "to_numpy"):  # of xarray, pandas
        value = value.to_numpy()
    if hasattr(value, "tolist"):  # of numpy
        value = value.tolist()
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(str(key))}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(flow, value)) + "]"
    if isinstance(value, float) and math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    return json.dumps(value, ensure_ascii=False)


def words(value: Any) -> str:
    """The words after `path=`: a string as on the command line, anything else as a line of YAML.

    >>> words("semi_lagrangian"), words(0.5), words([[0, 10]])
    ('semi_lagrangian', '0.5', '[[0, 10]]')
    """
    return value if isinstance(value, str) else flow(value)


def _without_maps(source: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The dictionary of a scenario without the arrays under `initial`, and these."""
    initial = source.get("initial")
    if not isinstance(initial, Mapping):
        return dict(source), {}
    rows = {key: np.asarray(value) for key, value in initial.items() if isinstance(value, list) and value and isinstance(value[0], (list, tuple))}
    maps = {key: value for key, value in {**initial, **rows}.items() if getattr(value, "ndim", 0) == 2}
    rest = {key: value for key, value in initial.items() if key not in maps}
    return {**{key: value for key, value in source.items() if key != "initial"}, **({"initial": rest} if rest else {})}, maps


class Limit(NamedTuple):
    """A limit of stability of a phase, which holds while `value <= bound`. See `otok predict`.

    Attributes
    ----------
    phase : str
        The phase.
    name : str
        Such as "water waves".
    symbol : str
        Of the value.
    certainty : {"proven", "measured", "heuristic"}
        How it is known.
    value, bound : float
        Both have no unit.
    margin : float
        value / bound. Above 1 the limit is broken. A remark has 0.
    dt : float
        The largest time step that keeps the limit [s]. NaN: no time step does, or all do, or it does not depend on it.
    text : str
        What it means.
    read : str
        What the value was estimated from. "": the phase's parameters alone.
    key : str
        The time step that `dt` is: "dt", that of the clock of the phase, or that of a process, such as "thermal.dt". "": water with `courant`
        chooses it.
    """

    phase: str
    name: str
    symbol: str
    certainty: str
    value: float
    bound: float
    margin: float
    dt: float
    text: str
    read: str
    key: str = ""


class Scenario:
    """A scenario, read and checked.

    Parameters
    ----------
    source : str, path, dict or Scenario
        A path, a text of YAML (which has a line break or a colon), or a dictionary of the same form. Files that a text or a dictionary names are
        relative to the working directory. Arrays of shape (ny, nx) under `initial` are fields at the start, for a `Simulation`.
    sets : dict, optional
        Values by paths, as `--set` has them: `{"grid.nx": 256}`.
    **more : number, str or list
        The same as keywords: `grid__nx=256`.

    Raises
    ------
    DataError
        The text names file, line, key, range and remedy.
    ReadError
        The file cannot be read.

    Examples
    --------
    >>> s = Scenario({"otok": 1, "grid": {"nx": 8, "ny": 4}}, {"sea.level": 3})
    >>> s.shape, s.iterations
    ((4, 8), 0)
    >>> import pickle
    >>> pickle.loads(pickle.dumps(s)).text == s.text
    True
    >>> Scenario("otok: 1\\ngrid: {nx: -8}")
    Traceback (most recent call last):
        ...
    otok.errors.DataError: scenario.yaml:2: grid.nx: -8 is out of range; allowed: at least 1, at most 1048576
    """

    def __init__(self, source: Source, sets: Mapping[str, Any] | None = None, /, **more: Any) -> None:
        self._owner = Owner(library.otok_scenario_destroy)
        self._at = self._owner.at
        pairs = {**(sets or {}), **{key.replace("__", "."): value for key, value in more.items()}}
        given = _library.texts([f"{path}={words(value)}" for path, value in pairs.items()])
        self.maps: dict[str, np.ndarray] = {}
        """Fields at the start that were given as arrays; `Simulation` sets them."""
        if isinstance(source, Scenario):
            self.maps, source = source.maps, source.text
        if isinstance(source, Mapping):
            source, self.maps = _without_maps(source)
            source = flow(source)
        name = os.fspath(source)
        if "\n" in name or (":" in name and not os.path.exists(name)):
            check(library.otok_scenario_read(self._at, name.encode(), b"scenario.yaml", given, len(pairs)))
        else:
            check(library.otok_scenario_load(self._at, os.fsencode(name), given, len(pairs)))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its resolved text, in which paths are whole, and its maps."""
        return _again, (self.text, self.maps)

    def __repr__(self) -> str:
        return f"<otok.Scenario of {self.nx} x {self.ny} cells, phases {', '.join(self.phases) or 'none'}>"

    @property
    def text(self) -> str:
        """The resolved scenario: every key with its value. Reading it gives the same scenario."""
        return str(library.otok_scenario_text(self._at).decode())

    @property
    def nx(self) -> int:
        """Cells from left to right."""
        return int(library.otok_scenario_grid(self._at).nx)

    @property
    def ny(self) -> int:
        """Cells from bottom to top."""
        return int(library.otok_scenario_grid(self._at).ny)

    @property
    def spacing(self) -> float:
        """The cell size [m]."""
        return float(library.otok_scenario_grid(self._at).spacing)

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of its maps: (ny, nx)."""
        return self.ny, self.nx

    @property
    def iterations(self) -> int:
        """The iterations of all phases together."""
        return int(library.otok_scenario_iterations(self._at))

    @property
    def phases(self) -> list[str]:
        """The names of its phases."""
        return [library.otok_scenario_phase(self._at, p).decode() for p in range(library.otok_scenario_phases(self._at))]

    @property
    def layers(self) -> list[str]:
        """The names of the ground's layers, top down."""
        names = (library.otok_scenario_layer(self._at, layer) for layer in range(_library.MAX_LAYERS))
        return [name.decode() for name in names if name]

    def predict(self) -> list[Limit]:
        """The limits of stability of all phases.

        It runs nothing, but makes the ground and the water of iteration 0 for the limits that need them, if the grid has at most 2^20 cells.

        Returns
        -------
        list of Limit
            The one that binds first: proven and measured limits, then heuristic ones, the largest margin first.

        Examples
        --------
        >>> s = Scenario("otok: 1\\nphases: [{name: rain, iterations: 9, hydraulic: {dt: 1}}]")
        >>> [(limit.name, limit.margin > 1) for limit in s.predict()][0]
        ('water waves', True)
        """
        found = []
        site = _library.Site()
        library.otok_site_read(site, self._at, ctypes.sizeof(site))
        for p, phase in enumerate(self.phases):
            limits = (_library.Limit * _library.LIMITS)()
            for limit in limits[: library.otok_predict(limits, self._at, p, site, ctypes.sizeof(limits[0]), ctypes.sizeof(site))]:
                certainty = ("proven", "measured", "heuristic")[limit.certainty]
                found.append(Limit(phase, limit.name.decode(), limit.symbol.decode(), certainty, limit.value, limit.bound,
                                   library.otok_limit_margin(limit), limit.dt, limit.text.decode(), limit.read.decode(),
                                   ".".join(filter(None, (limit.group.decode(), "dt"))) if limit.now > 0 else ""))
        return sorted(found, key=lambda limit: (limit.certainty == "heuristic", -limit.margin))


def _again(text: str, maps: dict[str, np.ndarray]) -> Scenario:
    scenario = Scenario(text)
    scenario.maps = maps
    return scenario


def _seconds_of(label: str) -> float:
    """A time with a unit, in seconds, as a scenario reads it.

    >>> _seconds_of("200 kyr")
    6311385194940.0
    """
    phase = {"iterations": 1, "uplift": {"dt": 1, "history": [[0, 0], [label, 1]]}}
    text = Scenario({"otok": 1, "grid": {"nx": 1, "ny": 1}, "phases": [phase]}).text
    return float(text.partition("history:")[2].split("[")[2].partition(",")[0])
