"""Opens every iteration of a run as an xarray Dataset. States that were not stored are computed again.

- `xarray.open_dataset("out", engine="otok")` opens the folder of a run.
- `xarray.open_dataset("island.yaml", engine="otok", every=100)` opens a scenario and computes every hundredth iteration.
- A checkpoint opens as its whole run. Later states are computed from it, earlier ones from the start.
- `xarray.open_dataset("study.h5", engine="otok", every=100)` opens every member of a study; `member=7` opens one of them.

Coordinates, `crs` and cells without data (NaN) are those of checkpoints. Opening runs nothing. A field is computed when it is read: the run continues from the nearest state before it, with the same bits.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import pathlib
import threading
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from xarray import Coordinates, Dataset, Variable
from xarray.backends import BackendArray, BackendEntrypoint
from xarray.core import indexing

from . import _library
from ._library import library
from ._times import Times, dates
from .errors import DataError, UsageError, check
from .scenario import Scenario
from .simulation import Simulation
from .whole import WITHOUT_REEF, without_reef

_SEA, _BITS = {"units": "m", "long_name": "height of the sea"}, {"long_name": "of all bits of the state"}
_ABOUT = {info.name.decode(): info for info in _library.FIELDS.values()}


def _stored(path: pathlib.Path) -> dict[int, pathlib.Path]:
    """The checkpoints of a folder, or the one given, by their iterations."""
    files = sorted(path.glob("*_*.vtkhdf")) if path.is_dir() else [path]
    found = {file: file.stem.rpartition("_") for file in files}
    stems = {stem for stem, _, digits in found.values() if digits.isdigit()}
    if len(stems) != 1:
        raise DataError(f"{path}: needs the checkpoints of one run; it has those of {', '.join(sorted(stems)) or 'none'}")
    return {int(digits): file for file, (_, _, digits) in found.items() if digits.isdigit()}


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def _warn_of_inputs(path: pathlib.Path, listed: str) -> None:
    """Names the files, of lines "SHA-256 NAME", that are not as they were. A hash of - tells nothing."""
    for digest, _, name in (line.partition(" ") for line in listed.splitlines()):
        file = pathlib.Path(name)
        if file.is_file() and digest.strip("-") and hashlib.sha256(file.read_bytes()).hexdigest() != digest:
            warnings.warn(f"{path}: {name} has other contents than when this was made, and states that were not stored are computed with those; restore the file", stacklevel=5)


class History:
    """A run at any of its iterations. With `verify`, a state between two checkpoints is given only after the run from the first has
    reached the second with its fingerprint."""

    def __init__(self, scenario: Scenario, backend: str, stored: dict[int, pathlib.Path] | None = None, verify: bool = False,
                 last: tuple[int, str] | None = None) -> None:
        self.scenario, self.backend, self.stored, self.verify = scenario, backend, stored or {}, verify
        self.last = last  # iteration and fingerprint of the end, where only these are known
        self._verified: set[int] = set()
        self._sim: Simulation | None = None

    @classmethod
    def of(cls, path: pathlib.Path, backend: str, verify: bool) -> "History":
        """The run of a folder, a checkpoint, or a scenario's file."""
        if not path.is_dir() and path.suffix != ".vtkhdf":
            return cls(Scenario(path), backend)
        import h5py

        stored = _stored(path)
        with h5py.File(stored[max(stored)]) as last:
            if "otok_scenario" not in last.attrs:
                raise DataError(f"{path}: has no attribute otok_scenario, so it is not a checkpoint; open the folder of the run, not a movie")
            _warn_of_inputs(path, _text(last.attrs.get("otok_inputs", "")))
            return cls(Scenario(_text(last.attrs["otok_scenario"])), backend, stored, verify)

    @property
    def sim(self) -> Simulation:
        if self._sim is None:
            self._sim = Simulation(self.scenario, self.backend, watch=False)
        return self._sim

    @property
    def fields(self) -> list[str]:
        return self.sim.fields

    def _known(self, n: int) -> str | None:
        """The fingerprint of iteration n in a file; None: no file has that iteration."""
        if self.last and n == self.last[0]:
            return self.last[1]
        if n not in self.stored:
            return None
        import h5py

        with h5py.File(self.stored[n]) as file:
            return _text(file.attrs["otok_fingerprint"])

    def _go(self, n: int) -> None:
        """Goes to iteration n from the nearest state before it: the present one, a checkpoint, or the start."""
        before = max((k for k in self.stored if k <= n), default=0)
        if not before <= self.sim.iteration <= n:
            if before in self.stored:
                self.sim.load(self.stored[before])
            else:
                self._sim = None
        if self.sim.iteration == n:
            return
        self.sim.run(n - self.sim.iteration)
        known = self._known(n)
        if known and self.sim.fingerprint != known:
            raise DataError(f"iteration {n}: the state computed again has the fingerprint {self.sim.fingerprint}, not {known} as in the file; "
                            f"this is otok {_library.version()}, commit {_library.commit()}: use the otok that made the file")

    def at(self, n: int) -> Simulation:
        """The simulation after n iterations."""
        after = min((k for k in self.stored if k > n), default=None)
        if self.verify and n not in self.stored and after is not None and after not in self._verified:
            self._go(max((k for k in self.stored if k < after), default=0))
            self._go_on(after)
            self._verified.add(after)
        self._go(n)
        return self.sim

    def _go_on(self, n: int) -> None:
        """Goes to iteration n without its own checkpoint."""
        kept = self.stored.pop(n)
        try:
            self._go(n)
        finally:
            self.stored[n] = kept
        if self.sim.fingerprint != self._known(n):
            raise DataError(f"{kept}: the state computed again from the checkpoint before has the fingerprint {self.sim.fingerprint}, "
                            f"not {self._known(n)}")

    def times(self, iterations: np.ndarray) -> np.ndarray:
        """The simulated times after these iterations [s]."""
        sim, times = Simulation(self.scenario, "cpu", watch=False), []
        for n in iterations:
            check(sim._call(library.otok_sim_seek, int(n)))
            times.append(sim.time)
        return np.array(times)


class _Lazy(BackendArray):
    """The results of a function for every combination of the leading indices, computed when they are read. `ahead` is the shape of
    one result."""

    def __init__(self, give: Callable[..., Any], leading: tuple[np.ndarray, ...], ahead: tuple[int, ...], dtype: Any) -> None:
        self._give, self._leading = give, leading
        self.shape, self.dtype = (*map(len, leading), *ahead), np.dtype(dtype)

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.BASIC, self._take)

    def _take(self, key: tuple[Any, ...]) -> np.ndarray:
        n = len(self._leading)
        chosen = [values[part] for values, part in zip(self._leading, key)]
        lists, rest = [np.atleast_1d(values) for values in chosen], key[n:]
        out = np.empty((*map(len, lists), *np.empty(self.shape[n:], bool)[rest].shape), self.dtype)
        for at in sorted(np.ndindex(*map(len, lists)), key=lambda at: tuple(values[i] for values, i in zip(lists, at))):  # forwards in time
            out[at] = np.asarray(self._give(*(values[i] for values, i in zip(lists, at))))[rest]
        return out[tuple(0 if np.ndim(values) == 0 else slice(None) for values in chosen)]


def _field_words(name: str) -> dict[str, str]:
    kind = _ABOUT.get(name) or _ABOUT[name.partition("_")[0]]
    return {"units": kind.unit.decode(), "long_name": kind.long_name.decode()}


def _no_data(sim: Simulation) -> np.ndarray | None:
    """Which cells of a simulation have no data; None: all have."""
    found = np.zeros(sim.scenario.shape, np.uint8)
    return found.astype(bool) if sim._call(library.otok_sim_no_data, found.ctypes.data) else None


def _field(name: str) -> Callable[[Simulation], np.ndarray]:
    def give(sim: Simulation) -> np.ndarray:
        if name not in sim.fields:  # a member of a study whose others have it
            return np.full(sim.scenario.shape, np.nan, np.float32)
        values, without = np.asarray(sim.get(name), np.float32), _no_data(sim)
        return values if without is None else np.where(without, np.float32(np.nan), values)

    return give


def _place(sim: Simulation) -> tuple[dict[str, Any], dict[str, Variable]]:
    """The coordinates y and x as checkpoints have them, and `crs`, if the grid has a place on Earth."""
    centres, about = {}, {}
    for axis, n in zip("yx", sim.scenario.shape):
        words = _library.AxisAbout()
        sim._call(lambda at: library.otok_sim_axis(ctypes.byref(words), at, axis.encode()))
        attributes = {"units": words.units.decode(), "long_name": words.long_name.decode(), "standard_name": words.standard_name.decode(), "axis": axis.upper()}
        centres[axis], about[axis] = (axis, words.start + (np.arange(n) + 0.5) * words.step, attributes), words
    system = sim._call(library.otok_sim_crs)
    if system is None:
        return centres, {}
    corner = [value for words in (about["x"], about["y"]) for value in (words.start, words.step)]
    known = {"crs_wkt": system.decode(), "spatial_ref": system.decode()} if system else {}
    if about["x"].units == b"degrees_east":
        known["grid_mapping_name"] = "latitude_longitude"
    return centres, {"crs": Variable((), np.int32(0), {**known, "GeoTransform": "{:.17g} {:.17g} 0 {:.17g} 0 {:.17g}".format(*corner)})}


def state(sim: Simulation) -> Dataset:
    """`Simulation.to_xarray`."""
    coordinates, found = _place(sim)
    placed = {"grid_mapping": "crs"} if found else {}
    for name in sim.fields:
        found[name] = Variable(("y", "x"), _field(name)(sim), {**_field_words(name), **placed})
    coordinates.update(time=((), sim.time, {"units": "s", "long_name": "simulated time"}), iteration=((), sim.iteration))
    ledger, fingerprint = sim.ledger, sim.fingerprint
    found |= {f"ledger_{name}": Variable((), value, {"units": "m3"}) for name, value in ledger.items()}
    found |= {"sea_level": Variable((), sim.sea_level, _SEA), "fingerprint": Variable((), fingerprint, _BITS)}
    return Dataset(found, coordinates, {"source": f"otok {_library.version()}", "otok_scenario": sim.scenario.text, "otok_fingerprint": fingerprint})


def _entry(name: str) -> Callable[[Simulation], float]:
    return lambda sim: sim.ledger[name]


def _variables(histories: Callable[[int], History | None], first: History, fields: list[str], leading: tuple[str, ...],
               indices: tuple[np.ndarray, ...]) -> dict[str, Variable]:
    """Fields, fingerprint, sea and ledger over (member,) iteration. Threads, as dask has them, wait for each other."""
    turn = threading.Lock()

    def lazy(give: Callable[[Simulation], Any], ahead: tuple[int, ...], dtype: Any) -> indexing.LazilyIndexedArray:
        def at(*where: int) -> Any:
            with turn:
                history = histories(int(where[0]) if len(where) > 1 else 0)
                if history is None or (history.last and where[-1] > history.last[0]):
                    return np.full(ahead, np.nan) if dtype is not str else ""  # the member was refused, or ended before
                return give(history.at(int(where[-1])))

        return indexing.LazilyIndexedArray(_Lazy(at, indices, ahead, "<U16" if dtype is str else dtype))

    shape, found = first.scenario.shape, dict(_place(first.sim)[1])
    placed = {"grid_mapping": "crs"} if found else {}
    for name in fields:
        found[name] = Variable((*leading, "y", "x"), lazy(_field(name), shape, np.float32), {**_field_words(name), **placed})
    if "reef" in fields:
        alone = lazy(lambda sim: without_reef(_field("terrain_change")(sim), _field("reef")(sim)), shape, np.float32)
        found["terrain_change_without_reef"] = Variable((*leading, "y", "x"), alone, dict(WITHOUT_REEF))
    found["fingerprint"] = Variable(leading, lazy(lambda sim: sim.fingerprint, (), str), _BITS)
    found["sea_level"] = Variable(leading, lazy(lambda sim: sim.sea_level, (), np.float64), _SEA)
    for name, _ in _library.LEDGER:
        found[f"ledger_{name}"] = Variable(leading, lazy(_entry(name), (), np.float64), {"units": "m3"})
    return found


class _Study:
    """The members of a study's table. One is made when it is asked for, and kept until another is."""

    def __init__(self, path: pathlib.Path, backend: str) -> None:
        import h5py

        with h5py.File(path) as table:
            if "scenario" not in table.attrs or "fingerprint" not in table:
                raise DataError(f"{path}: is not the table of a study")
            self.text = _text(table.attrs["scenario"])
            _warn_of_inputs(path, "\n".join(line[8:] for line in self.text.splitlines() if line.startswith("# input ")))
            paths = {_text(values.attrs["path"]): name for name, values in table.items() if "path" in values.attrs}
            self.axes = {path: [_text(v) if isinstance(v, bytes) else v.item() for v in table[name][...]] for path, name in paths.items()}
            self.names = paths  # by paths, as the table has them: short, where no other axis is called so
            words = dict(zip(np.atleast_1d(table["verdict"].attrs["flag_values"]), _text(table["verdict"].attrs["flag_meanings"]).split()))
            self.verdicts = [words.get(v, "none") for v in table["verdict"][...]]
            self.iterations, self.fingerprints = table["iterations"][...].astype(int), [_text(f) for f in table["fingerprint"][...]]
        self.path, self.backend = path, backend
        self._newest: tuple[int, History] | None = None

    def kinds(self) -> list[int]:
        """One member of each combination of words along the axes, because words such as `pipes: signed` choose the fields."""
        words, found = [values for values in self.axes.values() if isinstance(values[0], str)], dict[tuple[str, ...], int]()
        for n, verdict in enumerate(self.verdicts):
            if verdict != "refused":
                found.setdefault(tuple(values[n] for values in words), n)
        if not found:
            raise DataError(f"{self.path}: all members were refused, so there is nothing to compute; the table's `cause` tells why")
        return list(found.values())

    def member(self, n: int) -> History:
        if self._newest is None or self._newest[0] != n:
            if not 0 <= n < len(self.iterations):
                raise DataError(f"{self.path}: has no member {n}; its members are 0 to {len(self.iterations) - 1}")
            sets = {path: values[n] for path, values in self.axes.items()}
            scenario, ran = Scenario(self.text, sets), int(self.iterations[n])
            if len(scenario.phases) == 1 and scenario.iterations < ran:  # as many as the study's duration takes
                scenario = Scenario(self.text, {**sets, "phases.0.iterations": ran})
            self._newest = (n, History(scenario, self.backend, last=(ran, self.fingerprints[n])))
        return self._newest[1]


class OtokBackend(BackendEntrypoint):
    """`engine="otok"`: the folder of a run, a checkpoint, a scenario's file, or a study's table."""

    description = "Every iteration of a run of otok; those that were not stored are computed again"
    open_dataset_parameters = ("filename_or_obj", "drop_variables", "every", "backend", "member", "verify")

    def open_dataset(self, filename_or_obj: Any, *, drop_variables: Any = None, every: int = 1, backend: str = "auto", member: int | None = None,
                     verify: bool = False) -> Dataset:
        path = pathlib.Path(os.fspath(filename_or_obj))
        if not isinstance(every, (int, np.integer)) or every < 1:
            raise UsageError(f"every={every!r}: not a number of iterations; give a whole number above 0")
        if path.suffix == ".h5":
            study = _Study(path, backend)
            if member is None:
                found = self._study(study, every)
            else:
                found = self._run(study.member(member), every)
        elif member is not None:
            raise DataError(f"{path}: is not the table of a study (.h5), so it has no members")
        else:
            found = self._run(History.of(path, backend, verify), every)
        dropped = {drop_variables} if isinstance(drop_variables, str) else set(drop_variables or ())
        return found.drop_vars(dropped & set(found.variables))

    def _run(self, history: History, every: int) -> Dataset:
        last = history.last[0] if history.last else history.sim.iterations
        iterations = np.unique(np.append(np.arange(0, last + 1, every), last))
        time = ("time", history.times(iterations), {"units": "s", "long_name": "simulated time"})
        times = Coordinates({"time": time}, {"time": Times(time[1], "time")})
        return Dataset(_variables(lambda _: history, history, history.fields, ("time",), (iterations,)),
                       times.assign({**_place(history.sim)[0], **dates(history.scenario.text, time[1]), "iteration": ("time", iterations)}),
                       {"source": f"otok {_library.version()}", "otok_scenario": history.scenario.text})

    def _study(self, study: _Study, every: int) -> Dataset:
        varied = [path for path in study.axes if path.startswith("grid.")]
        if varied:
            raise DataError(f"{study.path}: the study varies {varied[0]}, so the maps of its members have different shapes; open one of them: member=0")
        last = int(study.iterations.max())
        iterations, members = np.unique(np.append(np.arange(0, last + 1, every), last)), np.arange(len(study.iterations))
        fields = list(dict.fromkeys(name for n in study.kinds() for name in study.member(n).fields))
        first = study.member(study.kinds()[0])

        def history(n: int) -> History | None:
            return None if study.verdicts[n] == "refused" else study.member(n)

        found = Dataset(_variables(history, first, fields, ("member", "iteration"), (members, iterations)),
                        {**_place(first.sim)[0], "iteration": iterations, "member": members},
                        {"source": f"otok {_library.version()}", "otok_scenario": study.text})
        found.coords["verdict_word"] = ("member", study.verdicts)
        for path, values in study.axes.items():
            name = study.names[path]
            found.coords[path.replace(".", "_") if name in found.variables else name] = ("member", values, {"path": path})
        return found

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        return False  # only where engine="otok" says so
