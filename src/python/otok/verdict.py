"""What a simulation turned out to be: its verdict, and the reasons."""

from __future__ import annotations

import ctypes
import dataclasses
from typing import Optional

from . import _library
from ._library import library
from .errors import in_python


@dataclasses.dataclass(frozen=True)
class Verdict:
    """The verdict of a simulation so far, as `otok run` prints it and checkpoints have it; `print` shows those lines.

    Attributes
    ----------
    word : str
        "stable", "chattering", ...; "none": no iteration was run.
    meaning : str
        What the word says.
    remedy : str
        What to do; "": nothing.
    cells : int or None
        How many show it; None: it is not counted in cells.
    share : float
        Of the wet cells, of the mass, ...; growing: how many times rougher the ground became.
    cell : tuple of int or None
        (x, y) of the worst.
    first : tuple of int or None
        Between these iterations it began.
    audit : dict of str to float
        How much water, ground and sediment change with half the step, the ground with half the interval of `sweeps`, and the receivers of
        `rivers` of incision, as shares; NaN: nothing to compare.
    samples : int
        Of the state.
    since : int
        The iteration after which they were taken.
    deepest : float
        Water [m], where it comes closest to its limit.
    deepest_limit : float
        Of dt [m]; 0: any depth.
    too_deep : tuple of int or None
        Between these iterations water became deeper than its limit.
    text : str
        The lines that `print` shows.

    Examples
    --------
    >>> from otok import Simulation
    >>> sim = Simulation("otok: 1\\ngrid: {nx: 6, ny: 4}\\nphases: [{name: a, iterations: 90, hydraulic: {}}]", backend="cpu")
    >>> sim.verdict.word, sim.run(), sim.verdict.word, sim.verdict.remedy
    ('none', 90, 'stable', '')
    """

    word: str
    meaning: str
    remedy: str
    cells: Optional[int]
    share: float
    cell: Optional[tuple[int, int]]
    first: Optional[tuple[int, int]]
    audit: dict[str, float]
    samples: int
    since: int
    deepest: float
    deepest_limit: float
    too_deep: Optional[tuple[int, int]]
    text: str = dataclasses.field(repr=False)

    def __str__(self) -> str:
        return self.text


def _pair(a: int, b: int) -> Optional[tuple[int, int]]:
    return None if b < 0 else (a, b)


def of(found: _library.Diagnosis) -> Verdict:
    """The verdict of a diagnosis."""
    words, text = library.otok_verdict_about(found.verdict).contents, ctypes.create_string_buffer(_library.DIAGNOSIS_SIZE)
    library.otok_diagnosis_text(found, text, ctypes.sizeof(found))
    ran = found.samples > 0
    return Verdict(
        word=library.otok_verdict_name(found.verdict).decode() if ran else "none",
        meaning=words.meaning.decode() if ran else "no iteration was run",
        remedy=in_python(library.otok_diagnosis_remedy(found, ctypes.sizeof(found)).decode()) if ran else "",
        cells=None if found.cells < 0 else found.cells,
        share=found.share,
        cell=_pair(found.cell_x, found.cell_y),
        first=_pair(found.after, found.first),
        audit={"water": found.audit_speed, "ground": found.audit_ground, "sediment": found.audit_sediment, "sweeps": found.audit_sweeps, "rivers": found.audit_rivers},
        samples=found.samples,
        since=found.since,
        deepest=found.deepest,
        deepest_limit=found.deepest_limit,
        too_deep=_pair(found.deep_after, found.deep_first),
        text=in_python(text.value.decode()).rstrip("\n") if ran else "verdict: none, no iteration was run",
    )
