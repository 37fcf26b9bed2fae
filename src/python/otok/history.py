"""Every iteration of a run as an xarray Dataset: what was not stored is computed again.

`xarray.open_dataset("out", engine="otok")` opens the folder of a run; of a scenario's file, as `xarray.open_dataset("island.yaml",
engine="otok", every=100)`, it computes all. Fields are lazy: opening runs nothing, and `.sel(time=...)` of a field runs from the nearest
checkpoint before it, with the bits of the run.
"""

from __future__ import annotations

import os
import pathlib
from typing import Any

import numpy as np
from xarray import Dataset, Variable
from xarray.backends import BackendArray, BackendEntrypoint
from xarray.core import indexing

from . import _library
from ._library import library
from .errors import DataError, check
from .scenario import Scenario
from .simulation import Simulation


def _stored(folder: pathlib.Path) -> dict[int, pathlib.Path]:
    """The checkpoints of a run by their iterations."""
    found = {path: path.stem.rpartition("_") for path in sorted(folder.glob("*_*.vtkhdf"))}
    stems = {stem for stem, _, digits in found.values() if digits.isdigit()}
    if len(stems) != 1:
        raise DataError(f"{folder}: checkpoints of one run are needed; found are those of {', '.join(sorted(stems)) or 'none'}")
    return {int(digits): path for path, (_, _, digits) in found.items() if digits.isdigit()}


class History:
    """A run at any of its iterations."""

    def __init__(self, path: pathlib.Path, backend: str) -> None:
        self.stored = _stored(path) if path.is_dir() else {}
        if self.stored:
            import h5py

            with h5py.File(self.stored[max(self.stored)]) as last:
                text = last.attrs["otok_scenario"]
            self.scenario = Scenario(text.decode() if isinstance(text, bytes) else text)
        else:
            self.scenario = Scenario(path)
        self.backend = backend
        self.sim = Simulation(self.scenario, backend)

    def times(self, iterations: np.ndarray) -> np.ndarray:
        """Simulated time after so many iterations [s]."""
        sim, times = Simulation(self.scenario, "cpu"), []
        for n in iterations:
            check(library.otok_sim_seek(sim._open(), int(n)))
            times.append(sim.time)
        return np.array(times)

    def at(self, n: int, field: str) -> np.ndarray:
        """A field after n iterations, from the nearest state before it: the present one, a checkpoint, or the start."""
        before = max((k for k in self.stored if k <= n), default=0)
        if not before <= self.sim.iteration <= n:
            if before in self.stored:
                self.sim.load(self.stored[before])
            else:
                self.sim = Simulation(self.scenario, self.backend)
        self.sim.run(n - self.sim.iteration)
        return self.sim.get(field)


class _Field(BackendArray):
    """A field at all iterations, not yet computed."""

    def __init__(self, history: History, name: str, iterations: np.ndarray) -> None:
        self._history, self._name, self._iterations = history, name, iterations
        self.shape, self.dtype = (len(iterations), *history.scenario.shape), np.dtype(np.float32)

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.BASIC, self._take)

    def _take(self, key: tuple) -> np.ndarray:
        wanted = self._iterations[key[0]]
        if np.ndim(wanted) == 0:
            return self._history.at(int(wanted), self._name)[key[1:]]
        maps = {int(n): self._history.at(int(n), self._name)[key[1:]] for n in np.sort(wanted)}
        return np.stack([maps[int(n)] for n in wanted]) if maps else np.empty((0, *np.empty(self.shape[1:])[key[1:]].shape), np.float32)


class OtokBackend(BackendEntrypoint):
    """`engine="otok"`: the folder of a run, or a scenario's file."""

    description = "Any iteration of a run of otok, computed where it was not stored"
    open_dataset_parameters = ("filename_or_obj", "drop_variables", "every", "backend")

    def open_dataset(self, filename_or_obj: Any, *, drop_variables: Any = None, every: int = 1, backend: str = "auto") -> Dataset:
        path = pathlib.Path(os.fspath(filename_or_obj))
        history = History(path, backend)
        scenario, last = history.scenario, history.sim.iterations
        iterations = np.unique(np.append(np.arange(0, last + 1, every), last))
        dropped = {drop_variables} if isinstance(drop_variables, str) else set(drop_variables or ())
        about = {info.name.decode(): info for info in _library.FIELDS}
        variables = {}
        for name in history.sim.fields:
            kind = about.get(name) or about[name.partition("_")[0]]
            words = {"units": kind.unit.decode(), "long_name": kind.long_name.decode()}
            lazy = indexing.LazilyIndexedArray(_Field(history, name, iterations))
            if name not in dropped:
                variables[name] = Variable(("time", "y", "x"), lazy, words)
        centres = {axis: (axis, (np.arange(n) + 0.5) * scenario.spacing, {"units": "m"}) for axis, n in (("y", scenario.ny), ("x", scenario.nx))}
        time = ("time", history.times(iterations), {"units": "s", "long_name": "simulated time"})
        return Dataset(variables, {**centres, "time": time, "iteration": ("time", iterations)},
                       {"source": f"otok {_library.version()}", "otok_scenario": scenario.text})

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        return False  # only where engine="otok" says so
