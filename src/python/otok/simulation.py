"""A simulation that runs step by step, with fields in and out."""

from __future__ import annotations

import contextlib
import ctypes
import html
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _library
from ._library import library
from ._running import Running
from .arrays import check_place, plain
from .errors import UsageError, check
from .loan import Loan
from .scenario import Limit, Scenario, Source
from .verdict import Verdict, of

if TYPE_CHECKING:
    from xarray import Dataset

_NONE = object()


class Simulation(Running):
    """A scenario that runs step by step, with fields in and out. It begins at iteration 0.

    Parameters
    ----------
    scenario : str, path, dict or Scenario
        A file, a text, a dictionary, or one that was read.
    backend : {"auto", "cpu", "cuda"}
        "auto" is cuda where a device answers. Strategies: "cpu:plain", "cuda/4".
    watch : bool
        Sample the state and audit the time step as `otok run` does, for `verdict`. The bits are the same without.

    Raises
    ------
    DataError
        The scenario, a raster or an array is not acceptable; the text names key, range and remedy.
    DeviceError
        There is no such backend.

    Examples
    --------
    >>> sim = Simulation("otok: 1\\ngrid: {nx: 6, ny: 4}\\nphases: [{name: a, iterations: 90, hydraulic: {}}]", backend="cpu")
    >>> sim["water"] = np.full((4, 6), 0.5)
    >>> sim.run(10), sim.iteration, sim.phase
    (10, 10, 'a')
    >>> sim.ledger["water_error"]
    0.0
    """

    _instead = "save it, and load the checkpoint into another Simulation"

    def __init__(self, scenario: Source, backend: str = "auto", *, watch: bool = True) -> None:
        super().__init__()
        self._scenario = scenario if isinstance(scenario, Scenario) else Scenario(scenario)
        with self._alone() as at:
            check(library.otok_sim_create(at, self._scenario._at, backend.encode()))
            if watch:
                check(library.otok_sim_watch(at))
            self._tell(at)
        for name, values in self._scenario.maps.items():
            self.set(name, values)

    @property
    def scenario(self) -> Scenario:
        """The scenario at its start; `change` changes values."""
        return self._scenario

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        if not self._owner:
            return "<otok.Simulation, closed>"
        return f"<otok.Simulation at iteration {self.iteration} of {self.iterations}, {self.backend}>"

    def _repr_html_(self) -> str:
        """For notebooks: the words of `repr`, the verdict, and the state as xarray shows it."""
        if not self._owner:
            return f"<pre>{html.escape(repr(self))}</pre>"
        with contextlib.suppress(UsageError):
            return f"<pre>{html.escape(repr(self))}, {html.escape(str(self.verdict.word))}</pre>{self.to_xarray()._repr_html_()}"
        return f"<pre>{html.escape(repr(self))}</pre>{self.to_xarray()._repr_html_()}"

    def predict(self) -> list[Limit]:
        """The limits of stability of its scenario.

        Returns
        -------
        list of Limit
            Broken ones first; see `Scenario.predict`.
        """
        return self.scenario.predict()

    @property
    def verdict(self) -> Verdict:
        """Whether its numbers can be trusted so far: a word, its cells, what to do, and how much the result changes with half the time
        step. At the end it is the verdict of `otok run`. Maps that you set after iteration 0 count as water or solid that appeared;
        after `change` the step is audited no more."""
        found = _library.Diagnosis()
        try:
            check(self._call(library.otok_sim_diagnose, found, ctypes.sizeof(found)))
        except UsageError:
            self._open()
            raise UsageError("the simulation is not watched, so it has no verdict: Simulation(scenario, watch=True)") from None
        return of(found)

    # ---- fields ----

    def _names(self) -> dict[str, int]:
        layers, names = self.scenario.layers, {}
        for number, about in _library.FIELDS.items():
            layer, name = library.otok_field_layer(number), about.name.decode()
            if layer < 0:
                names[name] = number
            elif layer < len(layers) - 1:
                names[f"{name}_{layers[layer]}"] = number
        return names

    def _field(self, name: str) -> int:
        number = self._names().get(name, -1)
        if number < 0 or not self._call(library.otok_sim_has, number):
            raise UsageError(f"{name}: not a field of this simulation, which has {', '.join(self.fields)}")
        return number

    @property
    def fields(self) -> list[str]:
        """The names of the fields that it has."""
        return [name for name, number in self._names().items() if self._call(library.otok_sim_has, number)]

    def get(self, name: str, default: Any = _NONE) -> Any:
        """Copy a field into an array of your own.

        Parameters
        ----------
        name : str
            One of `fields`.
        default : Any, optional
            What is returned if there is no such field.

        Returns
        -------
        numpy.ndarray
            float32 of shape (ny, nx), in the field's unit.

        Raises
        ------
        UsageError
            The simulation has no such field, and no default is given.
        """
        if default is not _NONE and name not in self:
            return default
        field, out = self._field(name), np.empty(self.scenario.shape, np.float32)
        check(self._call(library.otok_sim_get, field, out.ctypes.data_as(ctypes.POINTER(ctypes.c_float))))
        return out

    def __getitem__(self, name: str) -> np.ndarray:
        """A copy of a field, which cannot be written to: so no assignment into it is lost. `get` gives a copy that can, and `lend` the field
        where it lies, also on a GPU. In place of `sim["water"] += 1` write `sim["water"] = sim["water"] + 1`, or `sim.book("water", 1)`.

        >>> sim = Simulation("otok: 1\\ngrid: {nx: 6, ny: 4}\\nphases: [{name: a, iterations: 9, hydraulic: {}}]", backend="cpu")
        >>> sim["water"][1:3] = 0.5
        Traceback (most recent call last):
            ...
        ValueError: assignment destination is read-only
        >>> water = sim.get("water")
        >>> water[1:3] = 0.5
        >>> sim["water"] = water
        >>> "water" in sim, "foam" in sim, [name for name in sim][:3]
        (True, False, ['terrain_base', 'terrain_change', 'water'])
        """
        values: np.ndarray = self.get(name)
        values.flags.writeable = False
        return values

    def __iter__(self) -> Iterator[str]:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    def __contains__(self, name: object) -> bool:
        return name in self.fields

    def keys(self) -> list[str]:
        """The names of its fields, so that `dict(sim)` has copies of all.

        Returns
        -------
        list of str
            As `fields`.
        """
        return self.fields

    def items(self) -> list[tuple[str, np.ndarray]]:
        """The names of its fields, with copies.

        Returns
        -------
        list of tuple
            (name, array).
        """
        return [(name, self[name]) for name in self.fields]

    _ipython_key_completions_ = keys

    def lend(self, name: str) -> Loan:
        """Lend a field where it lies, without a copy: for numpy on the CPU, for CuPy, PyTorch or JAX on a GPU.

        Parameters
        ----------
        name : str
            One of `fields`, but none of terrain, layers and wetness, which are not kept as maps of floats.

        Returns
        -------
        Loan
            Valid until the simulation next runs, is set or is loaded.

        Raises
        ------
        UsageError
            The field cannot be lent.
        """
        return Loan(self, self._field(name))

    def to_xarray(self) -> Dataset:
        """The present state.

        Returns
        -------
        xarray.Dataset
            Each field over (y, x), with units and the place of the grid; NaN where there are no data.

        Examples
        --------
        >>> sim = Simulation("otok: 1\\ngrid: {nx: 6, ny: 4, spacing: 2}\\nphases: [{name: a, iterations: 9, hydraulic: {}}]", backend="cpu")
        >>> state = sim.to_xarray()
        >>> dict(state.water.sizes), state.water.units, state.x.values[0].item(), state.time.item()
        ({'y': 4, 'x': 6}, 'm', 1.0, 0.0)
        """
        from .history import state

        return state(self)

    def set(self, name: str, values: Any) -> None:
        """Set a field. Setting `terrain` sets the base, and its change to 0.

        For what another process does while the simulation runs use `book`, which keeps the change and the ledger.

        Parameters
        ----------
        name : str
            One of `fields`.
        values : array_like of shape (ny, nx) or float
            In the field's unit. A DataArray of xarray must have rows that rise, the axes (y, x), that unit, and the grid's place.

        Raises
        ------
        UsageError
            The field or the shape is another.
        DataError
            A value is not finite, or a depth is below 0; nothing changed.

        Examples
        --------
        >>> sim = Simulation("otok: 1\\ngrid: {nx: 6, ny: 4}\\nphases: [{name: a, iterations: 9, hydraulic: {}}]", backend="cpu")
        >>> sim.set("water", np.zeros((4, 5)))
        Traceback (most recent call last):
            ...
        otok.errors.UsageError: water: the array has the shape (4, 5), the grid (4, 6)
        """
        self._give(library.otok_sim_set, name, values)

    __setitem__ = set

    def _give(self, function: Callable[..., Any], name: str, values: Any) -> None:
        field, shape = self._field(name), self.scenario.shape
        given = plain(name, values)
        if hasattr(values, "coords"):
            self._check_place(name, values)
        if given.ndim and given.shape != shape:
            raise UsageError(f"{name}: the array has the shape {given.shape}, the grid {shape}")
        values = np.ascontiguousarray(np.broadcast_to(given, shape))
        check(self._call(function, field, values.ctypes.data_as(ctypes.POINTER(ctypes.c_float))))

    def _check_place(self, name: str, values: Any) -> None:
        from .history import _place

        centres = {axis: np.asarray(line[1]) for axis, line in _place(self)[0].items()}
        check_place(name, values, centres, self._call(library.otok_sim_crs) is not None)

    def book(self, kind: str, change: Any) -> None:
        """Add what another model does to the ground or the water, so that the ledger explains it and the verdict holds.

        Parameters
        ----------
        kind : {"solid", "water"}
            "solid" raises or lowers the ground; in a ground of layers the first layer grows, and lowering cuts through layers.
        change : array_like of shape (ny, nx) or float
            What is added to each cell [m]; below 0 it is taken.

        Raises
        ------
        UsageError
            The kind or the shape is another, or the scenario has no water.
        DataError
            A value is not finite, or takes more water than a cell has. Nothing changed then.

        Examples
        --------
        >>> sim = Simulation("otok: 1\\ngrid: {nx: 6, ny: 4}\\nphases: [{name: a, iterations: 9, hydraulic: {}}]", backend="cpu")
        >>> sim.run(3)
        3
        >>> sim.book("solid", 0.5)
        >>> sim.ledger["solid_booked"], sim.ledger["solid_error"]
        (12.0, 0.0)
        """
        names = {"solid": "terrain", "water": "water"}
        if kind not in names:
            raise UsageError(f"{kind}: changes are booked as {' or '.join(names)}")
        self._give(library.otok_sim_book, names[kind], change)

    # ---- ledger and files ----

    def _measure(self) -> tuple[_library.Ledger, int]:
        ledger, fingerprint = _library.Ledger(), ctypes.c_uint64()
        check(self._call(library.otok_sim_measure, ctypes.byref(ledger), fingerprint, ctypes.sizeof(ledger)))
        return ledger, fingerprint.value

    def response(self, expression: str) -> float:
        """A number of the present state, in the language of the key `responses`: src/docs/responses.md.

        Parameters
        ----------
        expression : str
            Such as "area(reef > 0.5)".

        Returns
        -------
        float
            NaN: no cell has a value.

        Raises
        ------
        DataError
            A name is unknown, or the state lacks a field.

        Examples
        --------
        >>> sim = Simulation("otok: 1\\ngrid: {nx: 6, ny: 4, spacing: 2}\\nphases: [{name: a, iterations: 9, hydraulic: {}}]", backend="cpu")
        >>> sim["terrain"] = np.arange(6) * np.ones((4, 1))
        >>> sim.response("area(terrain > 3)"), sim.response("quantile(terrain, 0.5)")
        (32.0, 2.5)
        """
        value = ctypes.c_double()
        check(self._call(library.otok_sim_response, expression.encode(), ctypes.byref(value)))
        return value.value

    @property
    def ledger(self) -> dict[str, float]:
        """What there is now, and what came and left since iteration 0 [m3]."""
        ledger = self._measure()[0]
        return {name: getattr(ledger, name) for name, _ in _library.LEDGER}

    @property
    def fingerprint(self) -> str:
        """The fingerprint of all bits of the state. Equal states have equal fingerprints, on every backend."""
        return f"{self._measure()[1]:016x}"
