"""Whole runs: what `otok run` does."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import math
import os
import pathlib
import re
import signal
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _library
from ._library import library
from ._running import _bar
from .arrays import plain
from .errors import Error, StoppedError, UsageError, check
from .owner import computes
from .scenario import Scenario, Source
from .verdict import of

if TYPE_CHECKING:
    import xarray


@contextlib.contextmanager
def _terminates(stop: threading.Event) -> Iterator[None]:
    """SIGTERM asks to stop, and ends the process afterwards, unless the program handles it itself."""
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    came: list[int] = []

    def handle(number: int, _: Any) -> None:
        came.append(number)
        stop.set()

    signal.signal(signal.SIGTERM, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        if came:
            os.kill(os.getpid(), signal.SIGTERM)


def _interruptible(call: Callable[[], None], stop: threading.Event) -> None:
    """Makes a long call in another thread, so that this thread hears Ctrl-C and SIGTERM and asks the call to stop. Its failure is raised
    here, with the text of the other thread."""
    computes()
    with _terminates(stop):
        _in_thread(call, stop)


def _in_thread(call: Callable[[], None], stop: threading.Event) -> None:
    failures: list[BaseException] = []

    def work() -> None:
        try:
            call()
        except BaseException as why:
            failures.append(why)
        finally:
            done.set()

    done = threading.Event()
    threading.Thread(target=work, name="otok").start()
    interrupt = None
    while not done.is_set():
        try:
            done.wait(0.1)  # not join, which an interrupt ends for good before Python 3.13
        except KeyboardInterrupt as why:
            interrupt = why
            stop.set()
    if interrupt is not None and (not failures or isinstance(failures[0], StoppedError)):
        raise interrupt
    if failures:
        raise failures[0]


@contextlib.contextmanager
def _without_folder(space: str) -> Iterator[None]:
    """Failures do not name the folder of files that are dictionaries here."""
    try:
        yield
    except Error as why:
        raise type(why)(str(why).replace(f"{space}/", "")) from None


def _with_file(scenario: Scenario, folder: str | os.PathLike[str]) -> Scenario:
    """The scenario with its arrays in folder/initial_HASH.h5: checkpoints and tables name the files that they come from, so that anybody
    can repeat them. Other arrays have another name, and a run that goes on has the same."""
    if not scenario.maps:
        return scenario
    if re.search(r"^initial:\n  file:", scenario.text, re.MULTILINE):
        raise UsageError(f"initial.{next(iter(scenario.maps))}: arrays beside initial.file; write them into that file")
    try:
        import h5py
    except ImportError as why:
        raise Error(f"initial.{next(iter(scenario.maps))}: arrays of a run need h5py; pip install h5py") from why
    for name, values in scenario.maps.items():
        if library.otok_field_find(name.encode()) < 0:
            raise UsageError(f"initial.{name}: there is no field {name}")
    maps = {name: np.ascontiguousarray(plain(name, values), "<f4") for name, values in sorted(scenario.maps.items())}
    key = hashlib.sha256(b"".join(f"{name} {values.shape} ".encode() + values.tobytes() for name, values in maps.items())).hexdigest()
    path = pathlib.Path(folder, f"initial_{key[:16]}.h5").absolute()
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.stem}.{os.getpid()}.h5")
    with h5py.File(draft, "w") as file:
        for name, values in maps.items():
            file[name] = values
    os.replace(draft, path)
    return Scenario(scenario.text, {"initial.file": path})


def run(scenario: Source, directory: str | os.PathLike[str], *, backend: str = "auto", resume: bool = False, overwrite: bool = False,
        max_seconds: float = 0, progress: bool = False) -> list[pathlib.Path]:
    """Run a scenario to its end, with checkpoints as its `output` says. A UserWarning has the verdict, if it is another than `stable`.

    Ctrl-C and SIGTERM write a checkpoint first: with `resume` the same call goes on from there. Arrays under `initial` are written to
    `directory`/initial_HASH.h5 first, which the checkpoints name.

    Parameters
    ----------
    scenario : str, path, dict or Scenario
        As for a `Scenario`.
    directory : path
        Of the checkpoints; made if missing.
    backend : str
        As for a `Simulation`.
    resume : bool
        Continue from the newest checkpoint there.
    overwrite : bool
        Remove those of an earlier run first.
    max_seconds : float
        Stop with a checkpoint before this time has passed [s]; 0: no limit.
    progress : bool
        Show a bar (needs tqdm).

    Returns
    -------
    list of pathlib.Path
        The checkpoints.

    Raises
    ------
    UsageError
        The directory holds checkpoints, and neither `resume` nor `overwrite` is set.
    DataError
        A value is not finite any more; the last finite checkpoint stays.
    StoppedError
        Stopped early, after a checkpoint.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     files = run("otok: 1\\ngrid: {nx: 6, ny: 4}\\nphases: [{name: a, iterations: 9, hydraulic: {}}]", folder, backend="cpu")
    >>> [path.name for path in files]
    ['scenario_00000000.vtkhdf', 'scenario_00000009.vtkhdf']
    """
    scenario = scenario if isinstance(scenario, Scenario) else Scenario(scenario)
    scenario = _with_file(scenario, directory)
    bar, stop = _bar(scenario.iterations, progress), threading.Event()
    seen, found = 0, _library.Diagnosis()
    notes: list[str] = []

    @_library.RunPoll  # type: ignore[untyped-decorator]
    def poll(_: Any, now: Any) -> int:
        nonlocal seen
        bar.update(now.contents.iteration - seen)
        seen = now.contents.iteration
        if now.contents.diagnosis and seen == now.contents.iterations:
            ctypes.pointer(found)[0] = ctypes.cast(now.contents.diagnosis, ctypes.POINTER(_library.Diagnosis))[0]
        if now.contents.note:
            notes.append(now.contents.note.decode())
        return _library.STOP_NOW if stop.is_set() else _library.GO_ON

    options = _library.RunOptions(os.fsencode(directory), backend.encode(), resume, overwrite, max_seconds, poll)
    with contextlib.closing(bar):
        _interruptible(lambda: check(library.otok_run(scenario._at, options, ctypes.sizeof(options))), stop)
    for note in notes:
        warnings.warn(note, stacklevel=2)
    if (verdict := of(found)).word not in ("none", "stable"):
        warnings.warn(str(verdict), stacklevel=2)
    return sorted(pathlib.Path(directory).glob("*.vtkhdf"))


# attributes that differ between checkpoints of one run, and their value where a checkpoint has none
_OF_ITS_TIME: dict[str, Any] = {
    "otok_iteration": -1, "otok_fingerprint": "", "otok_verdict": "", "otok_verdict_iterations": [-1, -1], "otok_verdict_cell": [-1, -1],
    "otok_verdict_cells": -1, "otok_audit": [math.nan] * 5, "otok_deepest_water": math.nan,
    "otok_deepest_water_limit": math.nan, "otok_deepest_water_iteration": -1, "otok_changes": "", "otok_stability": "", "otok_command": "",
    "otok_parent": "", "otok_host": "", "otok_backend": "", "otok_device": "", "date_created": "", "history": "", "id": "",
}
# their dimensions: samples before and with the first sign; column and row; those of Verdict.audit
_OVER = {"otok_verdict_iterations": ("sign",), "otok_verdict_cell": ("axis",), "otok_audit": ("figure",)}


WITHOUT_REEF = {"units": "m", "long_name": "deposition and uplift (positive), erosion and sinking (negative) since the start, without the reef"}


def without_reef(change: Any, reef: Any) -> Any:
    """What all but the reef did to the ground: `terrain_change` less the reef, which is part of it."""
    found = change - reef
    if hasattr(found, "attrs"):
        found.attrs = dict(WITHOUT_REEF)
    return found


def by_time(state: "xarray.Dataset") -> "xarray.Dataset":
    """Make variables of all attributes of a checkpoint that differ within a run: verdict, deepest water, history and so on.

    Of attributes, `open_mfdataset` keeps those of the first file alone:
    `xarray.open_mfdataset("out/island_*.vtkhdf", preprocess=otok.by_time, combine="nested", concat_dim="time")`.

    Parameters
    ----------
    state : xarray.Dataset
        A checkpoint.

    Returns
    -------
    xarray.Dataset
        Also with `terrain_change_without_reef` [m] where a reef grew.
    """
    if "reef" in state and "terrain_change" in state:
        state = state.assign(terrain_change_without_reef=without_reef(state.terrain_change, state.reef))
    units = state.attrs.get("ledger_units", "")
    layers = str(state.attrs.get("ledger_layers", "")).split()
    found = state.assign_coords(layer=layers) if layers else state.copy()
    for name, absent in _OF_ITS_TIME.items():
        value = found.attrs.pop(name, absent)
        if isinstance(value, str):
            value = np.array(value, object)  # of any length, which Zarr has a type for
        attributes = {"units": "m"} if isinstance(absent, float) else {}
        found[name.replace("otok_", "")] = (_OVER.get(name, ()), value, attributes)
    for name in [name for name in found.attrs if name.startswith("ledger_")]:
        value = found.attrs.pop(name)
        if name not in ("ledger_units", "ledger_layers"):
            over = ("layer",) if name.startswith("ledger_layer_") else ()
            found[name] = (over, value, {} if name == "ledger_not_finite" else {"units": units})
    return found
