"""A simulation that runs step by step, with fields in and out."""

from __future__ import annotations

import contextlib
import ctypes
import operator
import os
import time
from typing import Any

import numpy as np

from . import _library
from ._library import library
from .errors import DataError, Error, UsageError, check
from .loan import Loan
from .scenario import Scenario, Source, words

_ANSWER = 0.05  # seconds within which a run asks whether it was interrupted
_MOST = 4096  # iterations between two waits; the library waits after so many


class Simulation:
    """A simulation of a scenario, at iteration 0. `backend` is "cpu", "cuda", or "auto": cuda where a device answers.

    >>> sim = Simulation("otok: 1\\ngrid: {nx: 6, ny: 4}\\nphases: [{name: a, iterations: 90, hydraulic: {}}]", backend="cpu")
    >>> sim["water"] = np.full((4, 6), 0.5)
    >>> sim.run(10), sim.iteration, sim.phase
    (10, 10, 'a')
    >>> sim.ledger["water_error"]
    0.0
    """

    def __init__(self, scenario: Source, backend: str = "auto") -> None:
        self._at: ctypes.c_void_p | None = ctypes.c_void_p()
        self._step = 1  # iterations between two waits, learned from run to run
        self._begun, self._spent = 0, 0.0  # iterations since the last wait, seconds that runs took since
        self.scenario = scenario if isinstance(scenario, Scenario) else Scenario(scenario)
        check(library.otok_sim_create(self._at, self.scenario._at, backend.encode()))

    def close(self) -> None:
        """Gives its memory back; it cannot be used any more."""
        if getattr(self, "_at", None):
            library.otok_sim_destroy(self._at)
            self._at = None

    __del__ = close

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _open(self) -> ctypes.c_void_p:
        if not self._at:
            raise UsageError("the simulation is closed")
        return self._at

    def __repr__(self) -> str:
        if not self._at:
            return "<otok.Simulation, closed>"
        return f"<otok.Simulation at iteration {self.iteration} of {self.iterations}, {self.backend}>"

    # ---- running ----

    def run(self, n: int | None = None, *, progress: bool = False) -> int:
        """Runs n iterations, or all that are left. Returns how many were run. Other threads of
        Python continue meanwhile. Ctrl-C stops the run after an iteration; the simulation is then
        whole, and may run on. `progress` shows a bar (needs tqdm). A GPU may still be working when
        this returns. Whatever reads the simulation waits for it, and so does `wait`."""
        first, left = self.iteration, self.iterations - self.iteration
        if n is not None:
            left = min(_count(n), left)
        with contextlib.closing(_bar(left, progress)) as bar:
            while left > 0:
                part, before = min(self._step - self._begun, left), time.perf_counter()
                check(library.otok_sim_start(self._open(), part))
                self._begun += part
                if self._begun == self._step:
                    self.wait()
                self._spent += time.perf_counter() - before
                if self._begun == self._step:
                    self._learn()
                bar.update(part)
                left -= part
        return self.iteration - first

    def wait(self) -> None:
        """Waits until the GPU has finished all iterations, and raises what failed there."""
        check(library.otok_sim_wait(self._open()))

    def _learn(self) -> None:
        """Adapts the number of iterations between two waits, so that a run waits every _ANSWER / 2 to _ANSWER seconds."""
        if self._spent < _ANSWER / 2 and self._step < _MOST:
            self._step *= 2
        elif self._spent > _ANSWER and self._step > 1:
            self._step //= 2
        self._begun, self._spent = 0, 0.0

    @property
    def iteration(self) -> int:
        """Finished iterations of all phases."""
        return library.otok_sim_iteration(self._open())

    @property
    def iterations(self) -> int:
        """The iterations of all phases, after all changes."""
        return library.otok_sim_end(self._open())

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return library.otok_sim_time(self._open())

    @property
    def sea_level(self) -> float:
        """Height of the sea [m]."""
        return library.otok_sim_sea_level(self._open())

    @property
    def phase(self) -> str:
        """The phase of the next iteration. After the last one it is "end"."""
        return library.otok_sim_phase(self._open()).decode()

    @property
    def backend(self) -> str:
        """As chosen: "cpu", "cuda", ..."""
        return library.otok_sim_backend(self._open()).decode()

    @property
    def device(self) -> str:
        """The model of the GPU, or the number of threads, in words."""
        return library.otok_sim_device(self._open()).decode()

    def change(self, path: str, value: Any) -> None:
        """Changes a parameter of this phase or a later one from now on: `sim.change("phases.rain.rain.rate", 2e-3)`."""
        check(library.otok_sim_change(self._open(), path.encode(), words(value).encode()))

    # ---- fields ----

    def _names(self) -> dict[str, int]:
        layers, names = self.scenario.layers, {}
        for number, about in enumerate(_library.FIELDS):
            layer, name = library.otok_field_layer(number), about.name.decode()
            if layer < 0:
                names[name] = number
            elif layer < len(layers) - 1:
                names[f"{name}_{layers[layer]}"] = number
        return names

    def _field(self, name: str) -> int:
        number = self._names().get(name, -1)
        if number < 0 or not library.otok_sim_has(self._open(), number):
            raise UsageError(f"{name}: not a field of this simulation, which has {', '.join(self.fields)}")
        return number

    @property
    def fields(self) -> list[str]:
        """The names of the fields that it has."""
        return [name for name, number in self._names().items() if library.otok_sim_has(self._open(), number)]

    def get(self, name: str) -> np.ndarray:
        """Copies a field into a numpy array, on every backend."""
        field, out = self._field(name), np.empty(self.scenario.shape, np.float32)
        check(library.otok_sim_get(self._open(), field, out.ctypes.data_as(ctypes.POINTER(ctypes.c_float))))
        return out

    def __getitem__(self, name: str) -> np.ndarray | Loan:
        """A field: a numpy array on the CPU, a `Loan` for CuPy or PyTorch on a GPU, where nothing is copied. The terrain, the
        thickness of layers and the wetness are not kept as maps of floats: they are numpy arrays on every backend."""
        field = self._field(name)
        loan = _library.Loan()
        if self.backend.startswith("cuda") and library.otok_sim_lend(self._open(), field, loan) == 0 and loan.device >= 0:
            return Loan(self, field)
        return self.get(name)

    def lend(self, name: str) -> Loan:
        """Lends a field where it lies, without a copy, on every backend."""
        return Loan(self, self._field(name))

    def set(self, name: str, values: Any) -> None:
        """Sets a field to an array of the grid's shape, or to one number in all cells. Setting `terrain` sets the base, and its change to 0.

        >>> sim = Simulation("otok: 1\\ngrid: {nx: 6, ny: 4}\\nphases: [{name: a, iterations: 9, hydraulic: {}}]", backend="cpu")
        >>> sim.set("water", np.zeros((4, 5)))
        Traceback (most recent call last):
            ...
        otok.errors.UsageError: water: the array has the shape (4, 5), the grid (4, 6)
        """
        field, shape = self._field(name), self.scenario.shape
        given = np.asarray(values, np.float32)
        if given.ndim and given.shape != shape:
            raise UsageError(f"{name}: the array has the shape {given.shape}, the grid {shape}")
        values = np.ascontiguousarray(np.broadcast_to(given, shape))
        if not np.isfinite(values).all():
            raise DataError(f"{name}: has values that are NaN or infinite")
        check(library.otok_sim_set(self._open(), field, values.ctypes.data_as(ctypes.POINTER(ctypes.c_float))))

    __setitem__ = set

    # ---- ledger and files ----

    def _measure(self) -> tuple[_library.Ledger, int]:
        ledger, fingerprint = _library.Ledger(), ctypes.c_uint64()
        check(library.otok_sim_measure(self._open(), ctypes.byref(ledger), fingerprint))
        return ledger, fingerprint.value

    @property
    def ledger(self) -> dict[str, float]:
        """What there is now, and what came and left since iteration 0 [m3]."""
        ledger = self._measure()[0]
        return {name: getattr(ledger, name) for name, _ in _library.LEDGER}

    @property
    def fingerprint(self) -> str:
        """The fingerprint of all bits of the state. Equal states have equal fingerprints, on every backend."""
        return f"{self._measure()[1]:016x}"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a checkpoint, which xarray and ParaView open."""
        check(library.otok_sim_save(self._open(), os.fsencode(path)))

    def load(self, path: str | os.PathLike[str]) -> None:
        """Continues from a checkpoint of the same scenario, bit for bit."""
        check(library.otok_sim_load(self._open(), os.fsencode(path)))


def _count(n: Any) -> int:
    """
    >>> _count(np.int64(3))
    3
    >>> _count(-1)
    Traceback (most recent call last):
        ...
    otok.errors.UsageError: -1 iterations; give a whole number that is not below 0
    """
    try:
        number = operator.index(n)
    except TypeError:
        number = -1
    if number < 0:
        raise UsageError(f"{n!r} iterations; give a whole number that is not below 0")
    return number


class _NoBar:
    def update(self, n: int) -> None:
        pass

    def close(self) -> None:
        pass


def _bar(total: int, wanted: bool, unit: str = "it") -> Any:
    """A bar of tqdm, or one that shows nothing."""
    if not wanted:
        return _NoBar()
    try:
        from tqdm.auto import tqdm
    except ImportError as why:
        raise Error("progress needs tqdm; pip install tqdm") from why
    return tqdm(total=total, unit=unit)
