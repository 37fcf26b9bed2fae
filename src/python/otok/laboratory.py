"""Many members of one scenario: studies, the edge of a verdict along a line, and predicted margins. The library runs the members; designs
and tables are arrays, DataFrames and xarray Datasets."""

from __future__ import annotations

import contextlib
import csv
import ctypes
import dataclasses
import os
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _library
from ._calls import Progress as Progress, StudySource as StudySource, Watcher as Watcher, _loaded, _placed, _threads, _Watch
from ._library import library
from .errors import DataError, UsageError, check, needs
from .members import cell, columns, with_index
from .scenario import Limit, Scenario, Source
from .tables import open_study, read_columns
from .whole import _interruptible

if TYPE_CHECKING:
    import xarray


def study(source: StudySource, directory: str | os.PathLike[str] | None = None, *, members: Any = None, backend: str = "auto", gpus: int = 1,
          slots: int = 0, shard: tuple[int, int] = (1, 1), resume: bool = False, only_failed: bool = False, overwrite: bool = False,
          max_seconds: float = 0, progress: Watcher = False, columns: Iterable[str] | None = None) -> "xarray.Dataset":
    """Run a study, one scenario many times with parameters varied, and open its table (needs xarray and h5netcdf).

    Ctrl-C, SIGTERM and `max_seconds` finish the members at work; nothing finished is lost. The keys `responses` and `keep` give columns
    `response_NAME` and maps `map_FIELD`.

    Parameters
    ----------
    source : path, dict
        A study's file, or a dictionary of the same form whose `scenario` is a file, a dictionary or a `Scenario`. With `members` a scenario in any form,
        or a study's dictionary without `vary` and `design`.
    directory : path, optional
        Keeps journal and study.h5; maps are then read when they are used.
    members : dict, DataFrame, list of dict, structured array or Dataset, optional
        A design of your own: one value per member by paths, as in `Simulation.change`; an earlier table, too. The index of a DataFrame becomes a
        coordinate.
    backend : str
        As for a `Simulation`.
    gpus : int
        How many share the members.
    slots : int
        Members side by side on each GPU, at most; 0: as many as keep it busy.
    shard : tuple of int
        (k, n) runs the k-th of n parts.
    resume : bool
        Members that have a result are not run again.
    only_failed : bool
        Run those that failed alone.
    overwrite : bool
        Remove study.h5 and the journals of an earlier study in the directory first.
    max_seconds : float
        Stop after this time [s]; 0: no limit.
    progress : bool or callable
        True for a bar, or a function of a `Progress`.
    columns : iterable of str, optional
        Read these variables alone; names that the table lacks are passed over. Reading all takes longer than a small study runs.

    Returns
    -------
    xarray.Dataset
        Over `member`. Numbers of verdicts and forms have words in `verdict_word` and `form_word`. Attributes tell what it is of, as in study.h5:
        `source` (version), `commit`, `date` (UTC, of the first member), `backend`, `device`, `seed`, `design`, `scenario` with hashes of its files;
        of each axis `from`, `to` and `scale`.

    Raises
    ------
    DataError
        The study is not acceptable, or the directory is of another.
    StoppedError
        Ended early on request.

    Examples
    --------
    >>> calm = "otok: 1\\ngrid: {nx: 8, ny: 8}\\nphases: [{name: a, iterations: 40, rain: {rate: 1e-4}, hydraulic: {dt: 0.1}}]"
    >>> table = study({"study": 1, "scenario": Scenario(calm), "vary": {"phases.a.hydraulic.dt": {"from": 0.1, "to": 0.2}},
    ...                "design": {"kind": "grid", "points": 2}, "responses": {"wet": "area(water > 0)"}, "keep": {"fields": ["water"]}}, backend="cpu")
    >>> dict(table.sizes)["member"], table.dt.values.tolist()
    (2, [0.1, 0.2])
    >>> table.response_wet.values.tolist(), table.map_water.dims
    ([64.0, 64.0], ('member', 'y', 'x'))
    >>> study(calm, members={"phases.a.hydraulic.dt": [0.1, 0.2, -1]}, backend="cpu").verdict_word.values.tolist()
    ['stable', 'stable', 'refused']
    """
    needs("otok.study", "xarray", "h5netcdf")  # before members run
    if isinstance(columns, str):
        raise UsageError(f"columns={columns!r}: give a list of names")
    if slots < 0 or gpus < 1:
        raise UsageError(f"slots={slots}, gpus={gpus}: give 0 slots for as many as keep a GPU busy, or more, and one GPU or more")
    watch = _Watch(progress, max_seconds=max_seconds)
    if overwrite and (resume or only_failed):
        raise UsageError("overwrite: contradicts resume and only_failed, which need what the directory has")
    with _placed(source, directory, members, resume or only_failed) as (path, folder):
        options = _library.StudyOptions(directory=os.fsencode(folder), backend=backend.encode(), shard=shard[0], shards=shard[1], slots=slots,
                                        gpus=gpus, resume=resume, only_failed=only_failed, poll=watch.poll)
        with _loaded(path) as at, watch.watching():
            for old in [*folder.glob("*.journal"), folder / "study.h5"] if overwrite else []:
                old.unlink(missing_ok=True)
            _interruptible(lambda: check(library.otok_study_run(at, options, None, ctypes.sizeof(options), 0)), watch.stop)
        path = folder / "study.h5"
        table = open_study(path) if columns is None else read_columns(path, {"verdict", *columns})
        if directory is None:
            table = table.load()
            table.close()
        return with_index(table, members)


# ---- the edge of a verdict ----


@dataclasses.dataclass(frozen=True)
class Edge:
    """Where a verdict ends along a line: two members next to each other.

    Attributes
    ----------
    inside, outside : dict of str to Any
        Values by paths: the last member with the verdict of the beginning, and the first with another.
    inside_verdict, outside_verdict : str
        Their verdicts.
    inside_margin, outside_margin : float
        Predicted: value over bound of the binding limit.
    shares : tuple of float
        Of the way from all `from` to all `to`.
    members : int
        How many were run.
    violations : int
        Members beyond the edge that have the verdict of the beginning; above 0 there is more than one edge.
    inside_value, outside_value : float or None
        Of the response whose level the study's key `inside` has, such as `lake < 100`: the edge is where it passes the level. None: there is no
        such key.
    """

    inside: dict[str, Any]
    outside: dict[str, Any]
    inside_verdict: str
    outside_verdict: str
    inside_margin: float
    outside_margin: float
    shares: tuple[float, float]
    members: int
    violations: int
    inside_value: float | None
    outside_value: float | None


def _value_at(study: ctypes.c_void_p, axis: int, share: float) -> Any:
    """The value of an axis at a share of its way."""
    text = ctypes.create_string_buffer(_library.VALUE_SIZE)
    library.otok_study_ray_value(study, axis, share, text)
    try:
        return float(text.value)
    except ValueError:
        return text.value.decode()


def edge(source: StudySource, directory: str | os.PathLike[str] | None = None, *, members: int = 64, rounds: int = 3, backend: str = "auto",
         gpus: int = 1, resume: bool = False, progress: Watcher = False) -> Edge:
    """Search where the verdict changes along the axis of a study that has `from` and `to`, or along the ray on which all such axes move together.

    Each round runs members between the two values that the round before found, so that it is members - 1 times narrower. `otok.edges` finds the whole
    edge in several dimensions.

    Parameters
    ----------
    source : path, dict
        A study; axes without `from` and `to` have one value.
    directory : path, optional
        Keeps the rounds, edge.csv and members.csv.
    members : int
        Of a round.
    rounds : int
        How many.
    backend, gpus, resume, progress : Any
        As for `study`.

    Returns
    -------
    Edge
        The two members next to it.

    Raises
    ------
    DataError
        All members have one verdict.

    Examples
    --------
    >>> calm = "otok: 1\\ngrid: {nx: 8, ny: 8}\\nphases: [{name: a, iterations: 80, hydraulic: {}}]\\ninitial: {water: 0.5}"
    >>> found = edge({"study": 1, "scenario": Scenario(calm), "vary": {"phases.a.hydraulic.dt": {"from": 1e-3, "to": 100, "scale": "log"}}},
    ...              members=5, rounds=2, backend="cpu")
    >>> found.inside_verdict, found.members, found.inside["phases.a.hydraulic.dt"] < found.outside["phases.a.hydraulic.dt"]
    ('stable', 10, True)
    """
    if isinstance(source, Mapping):
        source = {"design": {"kind": "grid", "points": 2}, **source}
    watch, found = _Watch(progress, total=members * rounds), _library.VerdictEdge()
    with _placed(source, directory, resume=resume) as (path, folder), _loaded(path) as at:
        options = _library.StudyOptions(directory=os.fsencode(folder), backend=backend.encode(), shard=1, shards=1, gpus=gpus, resume=resume, poll=watch.poll)
        with watch.watching():
            _interruptible(lambda: check(library.otok_study_ray(found, at, options, members, rounds, ctypes.sizeof(found), ctypes.sizeof(options))), watch.stop)
        inside, outside = ({library.otok_study_axis(at, axis).decode(): _value_at(at, axis, share) for axis in range(library.otok_study_axes(at))}
                           for share in (found.inside, found.outside))
    levels: Any = [None if np.isnan(value) else value for value in (found.inside_value, found.outside_value)]
    word = [library.otok_verdict_name(number).decode() for number in (found.inside_verdict, found.outside_verdict)]
    return Edge(inside, outside, word[0], word[1], found.inside_margin, found.outside_margin, (found.inside, found.outside), found.members, found.violations, *levels)


# ---- boxes of parameters ----


class Axes:
    """The axes of a study with `from` and `to`. A place is a share of each axis, in its scale."""

    def __init__(self, source: Mapping[str, Any]) -> None:
        vary: Any = source.get("vary") if isinstance(source, Mapping) else None
        if not isinstance(vary, Mapping) or not vary:
            raise UsageError("vary: give a study's dictionary with the axes, 'vary': {path: {'from': a, 'to': b, 'scale': 'log'}}")
        self._source: dict[str, Any] = {**source, "design": {"kind": "grid", "points": 2}}
        self.study = {key: value for key, value in source.items() if key not in ("vary", "design")}
        with self._open() as at:
            low, high = ({path: _value_at(at, axis, share) for axis, path in enumerate(vary)} for share in (0, 1))
        self.fixed = {path: low[path] for path in vary if "values" in vary[path]}
        if wide := [path for path in self.fixed if len(vary[path]["values"]) > 1]:
            raise UsageError(f"vary.{wide[0]}: has several values; others have `from` and `to`, or one value")
        self.paths = [path for path in vary if path not in self.fixed]
        self.low = np.array([low[path] for path in self.paths], float)
        self.high = np.array([high[path] for path in self.paths], float)
        self.log = np.array([vary[path].get("scale") == "log" for path in self.paths])
        if not self.paths:
            raise UsageError("vary: no axis has `from` and `to`")
        if same := [path for path in self.paths if low[path] == high[path]]:
            raise UsageError(f"vary.{same[0]}: `from` and `to` are both {low[same[0]]}; give two values, or one with `values`")

    @contextlib.contextmanager
    def _open(self) -> Iterator[Any]:
        with _placed(self._source, None) as (path, _), _loaded(path, notes=False) as at:
            yield at

    def values(self, places: np.ndarray) -> dict[str, Any]:
        """The members at places, with the digits of the library."""
        with self._open() as at:
            return {path: values if path in self.fixed else np.array([_value_at(at, axis, share) for share in places[:, self.paths.index(path)]])
                    for axis, (path, values) in enumerate({**dict.fromkeys(self._source["vary"]), **self.fixed}.items())}

    def places(self, members: Any) -> np.ndarray:
        """The places of members."""
        table = columns(members)
        if lacking := [path for path in self.paths if path not in table]:
            raise UsageError(f"members: {lacking[0]} is missing")
        given = np.column_stack([table[path].astype(float) for path in self.paths])
        with np.errstate(all="ignore"):
            unit: np.ndarray = np.where(self.log, np.log(given / self.low) / np.log(self.high / self.low), (given - self.low) / (self.high - self.low))
        return unit

    def dataset(self, places: np.ndarray, over: tuple[str, ...], more: dict[str, Any]) -> "xarray.Dataset":
        """Variables over the members at places, whose values are coordinates by their paths."""
        import xarray

        table = self.values(places.reshape(-1, len(self.paths)))
        found = {path: (over, table[path].reshape(places.shape[:-1]), {"path": path}) for path in self.paths}
        return xarray.Dataset({name: (over, values) for name, values in more.items()}, found)


# ---- prediction ----


def predict(scenario: Source, members: Any = None) -> "xarray.Dataset":
    """What `otok predict` knows of every member before it runs; nothing runs.

    The ground and water of iteration 0 are made per member, on grids of at most 2^20 cells.

    Parameters
    ----------
    scenario : str, path, dict or Scenario
        As for a `Scenario`.
    members : dict, DataFrame, structured array or Dataset, optional
        As for `study`; one member if not given.

    Returns
    -------
    xarray.Dataset
        Over `member`: `margin`, the largest value over bound of the proven and measured limits (above 1: broken); `limit`, its name;
        `margin_<limit>` of each limit (NaN: it does not apply); `dt` [s], the largest step of the clock of every phase that keeps all limits,
        heuristic ones too, and `dt_of`, the limit that asks for it; `cause`, why the values are refused, or "".

    Examples
    --------
    >>> still = "otok: 1\\ngrid: {nx: 8, ny: 8, spacing: 1}\\nphases: [{name: a, iterations: 9, hydraulic: {pipe_area: 1, gravity: 10}}]"
    >>> found = predict(still, {"phases.a.hydraulic.dt": [0.1, 0.2]})
    >>> found.margin.values.round(3).tolist(), found.limit.values.tolist()
    ([0.4, 1.6], ['water waves', 'water waves'])
    >>> found.dt.values.round(3).tolist(), found.dt_of.values.tolist()
    ([0.158, 0.158], ['water waves', 'water waves'])
    """
    import xarray

    base = scenario if isinstance(scenario, Scenario) else Scenario(scenario)
    table = columns(members) if members is not None else {}
    rows = len(next(iter(table.values()))) if table else 1
    margins, causes, limits = dict[str, np.ndarray](), [""] * rows, [""] * rows
    binding, steps, steps_of = np.full(rows, np.nan), np.full(rows, np.nan), [""] * rows

    def limits_of(row: int) -> list[Limit]:
        try:
            return Scenario(base, {path: cell(values[row]) for path, values in table.items()}).predict()
        except DataError as why:
            causes[row] = str(why)
            return []

    with ThreadPoolExecutor(_threads()) as threads:
        of_rows = list(threads.map(limits_of, range(rows)))
    for row, known in enumerate(of_rows):
        for limit in reversed(known):  # the largest margin of a limit last
            if np.isfinite(limit.value):
                margins.setdefault("margin_" + "".join(c if c.isalnum() else "_" for c in limit.name), np.full(rows, np.nan))[row] = limit.margin
                if limit.certainty != "heuristic":
                    binding[row], limits[row] = limit.margin, limit.name
            if limit.key == "dt" and limit.dt < (steps[row] if steps_of[row] else np.inf):
                steps[row], steps_of[row] = limit.dt, limit.name
    found = xarray.Dataset({name: ("member", values, {"units": "1"}) for name, values in {"margin": binding, **margins}.items()},
                           {path: ("member", values, {"path": path}) for path, values in table.items()})
    return found.assign(limit=("member", np.array(limits, str)), cause=("member", np.array(causes, str)),
                        dt=("member", steps, {"units": "s"}), dt_of=("member", np.array(steps_of, str)))
