"""What every call for a study needs: its files, its poll."""

from __future__ import annotations

import contextlib
import csv
import ctypes
import os
import pathlib
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, Union

from . import _library
from ._library import library
from ._running import _bar
from .errors import UsageError, check
from .members import cell, columns
from .scenario import Scenario, flow
from .whole import _with_file, _without_folder

StudySource = Union[str, "os.PathLike[str]", Mapping[str, Any], Scenario]


class Progress(NamedTuple):
    """How far a study is; for `progress=`.

    Attributes
    ----------
    members : int
        All of them.
    done : int
        With a result, those of earlier runs too.
    failed : int
        Whose run failed.
    verdicts : dict of str to int
        How many of the done members have each verdict.
    seconds : float
        Since the study began [s].
    rate : float
        Members/s; 0: not known yet.

    >>> half = Progress(members=4, done=2, failed=0, verdicts={"stable": 2}, seconds=8, rate=0.25)
    >>> (half.members - half.done) / half.rate  # seconds to go
    8.0
    """

    members: int
    done: int
    failed: int
    verdicts: dict[str, int]
    seconds: float
    rate: float


Watcher = Union[bool, Callable[[Progress], Any]]
"""True: a bar of tqdm. A function is called after every member, by one thread at a time; what it raises stops the study and is raised."""


def _threads() -> int:
    return len(os.sched_getaffinity(0))


# ---- files of studies ----


def _listed(source: StudySource, members: Any, space: pathlib.Path) -> dict[str, Any]:
    """The study of a scenario, or of a study's dictionary without a design, with these members."""
    table, path = columns(members), space / "members.csv"
    with open(path, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([list(table), *(map(cell, row) for row in zip(*table.values()))])
    study = dict(source) if isinstance(source, Mapping) and "study" in source else {"study": 1, "scenario": source}
    if taken := [key for key in ("vary", "design") if study.get(key)]:
        raise UsageError(f"{taken[0]}: the study has it already, beside members; leave one out")
    return {**study, "design": {"kind": "list", "file": path}}


def _with_files(source: Mapping[str, Any], space: pathlib.Path, folder: pathlib.Path) -> dict[str, Any]:
    """The dictionary of a study for a file in another folder: its scenario becomes a file there, names of files become absolute."""
    study, scenario = dict(source), source.get("scenario")
    if isinstance(scenario, (str, os.PathLike)) and os.path.exists(scenario):
        study["scenario"] = os.path.abspath(scenario)
    elif scenario is not None:
        study["scenario"] = space / "scenario.yaml"
        study["scenario"].write_text(_with_file(Scenario(scenario), folder).text)
    design = study.get("design")
    if isinstance(design, Mapping) and design.get("file"):
        study["design"] = {**design, "file": os.path.abspath(design["file"])}
    return study


# ---- one call of the library ----


class _Watch:
    """The poll of a study: bar or function, Ctrl-C, and a limit of time."""

    def __init__(self, progress: Watcher, total: int | None = None, max_seconds: float = 0) -> None:
        if not (callable(progress) or progress in (True, False)):
            raise UsageError(f"progress={progress!r}: give True for a bar, or a function of a `Progress`")
        self.stop, self.poll = threading.Event(), _library.StudyPoll(self._poll)
        self._call = progress if callable(progress) else None
        self._bar: Any = None
        self._wanted, self._total, self._limit = progress is True, total, max_seconds
        self._before, self._last = 0, 0  # members of earlier rounds and of this one
        self._raised: BaseException | None = None

    def _poll(self, _: Any, now: Any) -> int:
        try:
            self._show(now.contents)
        except BaseException as why:  # which ctypes would only print
            self._raised = why
            self.stop.set()
        late = self._limit > 0 and now.contents.seconds >= self._limit
        return _library.STOP_NOW if late or self.stop.is_set() else _library.GO_ON

    def _show(self, now: _library.StudyProgress) -> None:
        finished = now.done + now.failed
        if finished < self._last:
            self._before += self._last
        self._last = finished
        if self._bar is None:
            self._bar = _bar(self._total or now.members, self._wanted, "member")
        self._bar.update(self._before + finished - getattr(self._bar, "n", 0))
        if self._call:
            verdicts = {library.otok_verdict_name(number).decode(): count for number, count in enumerate(now.verdicts) if count}
            self._call(Progress(now.members, now.done, now.failed, verdicts, now.seconds, now.rate))

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        try:
            yield
        except Exception:
            if self._raised:
                raise self._raised from None
            raise
        finally:
            if self._bar is not None:
                self._bar.close()
        if self._raised:
            raise self._raised


@contextlib.contextmanager
def _loaded(path: Any, notes: bool = True) -> Iterator[ctypes.c_void_p]:
    """A study of the library, with warnings for the notes of its first member."""
    at, told = ctypes.c_void_p(), list[str]()
    check(library.otok_study_load(at, os.fsencode(path)))
    try:
        if notes:
            library.otok_study_notes(at, _library.Note(lambda _, text: told.append(text.decode())), None)  # a failure is the members'
        for note in told:
            warnings.warn(note, stacklevel=5)
        yield at
    finally:
        library.otok_study_destroy(at)


@contextlib.contextmanager
def _placed(source: StudySource, directory: str | os.PathLike[str] | None, members: Any = None, resume: bool = False) -> Iterator[tuple[Any, pathlib.Path]]:
    """The study's file and its folder, both in a scratch folder where they are not given."""
    if resume and directory is None:
        raise UsageError("resume: there is nothing to resume without `directory`; give the folder of the first run")
    with tempfile.TemporaryDirectory(prefix="otok-study-") as scratch, _without_folder(scratch):
        space = pathlib.Path(scratch)
        path, folder = source, pathlib.Path(directory if directory is not None else space / "out")
        if members is not None:
            source = _listed(source, members, space)
        if isinstance(source, Mapping):
            path = space / "study.yaml"
            path.write_text(flow(_with_files(source, space, folder)))
        yield path, folder
