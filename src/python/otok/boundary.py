"""The edge of a verdict in several dimensions: members where it is uncertain, a surface between them, and points certified by bisection."""

from __future__ import annotations

import dataclasses
import pathlib
import tempfile
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _kept
from ._search import _GAPS, _POOL, _Search
from ._surface import SURE, Chance, Surface, Trial, at_most, trial_of
from .errors import DataError, UsageError, needs
from .laboratory import Axes, Watcher, predict, study

if TYPE_CHECKING:
    import xarray

_BLIND = 0.25  # share of the members that are spread over all places first
_PRIOR = 0.0625  # share that follows, where `predict` has a margin of 1
_HELD = 0.25  # share of the members that judge the surface, if nobody says how many
_ROUNDS = 5  # of members where the surface is uncertain
_FIRST = 16  # members per axis before a tolerance is tried
_WRONG = 0.002  # the share of places beyond the band that are on the wrong side, as the band is meant; held-out members tell what it is

_ENDS, _PLAIN, _TRIALS = ("low", "high", "log"), ("width", "band", "expected", "certified", "claim"), ("blind", "held_out")


@dataclasses.dataclass(frozen=True)
class Edges:
    """The edge of a verdict in a box of parameters.

    Attributes
    ----------
    members : xarray.Dataset
        Over `member`: the values of all axes, `verdict_word`, `inside`, and `round` (0: blind).
    points : xarray.Dataset
        Certified points: over `point` and `end` (inside, outside) the values of all axes and `verdict_word`; both members were run.
    width : float
        The widest of these points: the largest share of an axis between its two ends.
    band : float
        The score within which a place is uncertain, chosen so that an estimated 0.2 % of places beyond it are on the wrong side; `held_out`
        has what is certain of them.
    expected : float
        The estimated share of all places that are on the wrong side, from members judged by surfaces that did not see them.
    blind : Trial
        Of the blind members, each judged by a surface that did not see it.
    held_out : Trial or None
        Of members that are drawn uniformly over the box, and that neither the surface nor the probability has seen; None: there are none.
    certified : bool
        Whether held-out members certify the error: that it is below the `tolerance`, if there is one.
    claim : str
        What they certify, in words.
    """

    members: "xarray.Dataset"
    points: "xarray.Dataset"
    width: float
    band: float
    expected: float
    blind: Trial
    held_out: Trial | None
    certified: bool
    claim: str
    _axes: Axes = dataclasses.field(repr=False)
    _surface: Surface = dataclasses.field(repr=False)
    _chance: Any = dataclasses.field(repr=False)

    def __repr__(self) -> str:
        sure = "certified" if self.certified else "not certified"
        return (f"<otok.Edges over {', '.join(self._axes.paths)}: {self.members.sizes['member']} members, {self.points.sizes['point']} points, "
                f"an estimated {100 * self.expected:.2g} % of places on the wrong side, {sure}>")

    def classify(self, members: Any) -> "xarray.Dataset":
        """Judge members without running them.

        Parameters
        ----------
        members : dict, DataFrame, structured array or Dataset
            As for `study`.

        Returns
        -------
        xarray.Dataset
            Over `member`: `score`, above 0 inside; `inside`; `uncertain`, in the band; `beyond`, outside the box, where nothing is known; and
            `probability`, 0 to 1, the share of members with such a score that are inside, held-out ones among them, as surfaces found it that did
            not see them. Where neighbours
            differ without a rule, as at an edge of `step_dependent`, it is what can be known.

        Raises
        ------
        UsageError
            An axis is missing.
        """
        import xarray

        places = self._axes.places(members)
        score, beyond = self._surface(places), ((places < -1e-9) | (places > 1 + 1e-9)).any(1)
        found = {"score": score, "inside": score > 0, "uncertain": (np.abs(score) < self.band) | beyond, "beyond": beyond,
                 "probability": np.where(beyond, np.nan, self._chance.predict(score))}
        return xarray.Dataset({name: ("member", values) for name, values in found.items()})

    def save(self, path: Any) -> None:
        """Write an HDF5 file, from which `Edges.load` has the same answers.

        Parameters
        ----------
        path : path
            Such as "edges.h5".

        Raises
        ------
        WriteError
            The file cannot be written.
        """
        import xarray

        surface = xarray.Dataset({"place": (("member", "axis"), self._surface.places), "inside": ("member", self._surface.inside)})
        about = {name: getattr(self, name) for name in _PLAIN} | {name: dataclasses.asdict(trial) for name in _TRIALS if (trial := getattr(self, name))}
        _kept.save(path, "edges", {"members": self.members, "points": self.points, "surface": surface},
                   about | {"axes": {"paths": self._axes.paths, **{end: getattr(self._axes, end).tolist() for end in _ENDS}}, "kernel": self._surface.theta, "chance": dataclasses.asdict(self._chance)})

    @classmethod
    def load(cls, path: Any) -> Edges:
        """Read edges that were saved.

        Parameters
        ----------
        path : path
            A file of `save`.

        Returns
        -------
        Edges
            With the same answers.

        Raises
        ------
        DataError
            The file has none.
        """
        about: dict[str, Any]
        tables, about = _kept.load(path, "edges")
        axes, kept, kernel, chance = Axes.__new__(Axes), about.pop("axes"), about.pop("kernel"), Chance(**about.pop("chance"))
        axes.paths, axes.low, axes.high, axes.log = kept["paths"], *(np.array(kept[end]) for end in _ENDS)
        about |= {name: Trial.of(about[name]) if name in about else None for name in _TRIALS}
        return cls(tables["members"], tables["points"], **about, _axes=axes, _chance=chance,
                   _surface=Surface(tables["surface"].place.values, tables["surface"].inside.values.astype(bool), theta=kernel))


def edges(source: Mapping[str, Any], directory: Any = None, *, inside: str | Iterable[str] | None = None, members: int = 1024, points: int = 16,
          width: float = 1 / 256, held_out: int | None = None, tolerance: float | None = None, seed: int = 0, backend: str = "auto", gpus: int = 1,
          resume: bool = False, progress: Watcher = False) -> Edges:
    """Find the edge between the verdicts `inside` and all others in two to ten dimensions (needs scikit-learn, scipy, xarray and h5netcdf).

    Nobody needs to know the form of the edge; it may have several parts. Of the members that learn a quarter is spread over the box, and some are placed
    where `predict` says that a limit breaks. Then each round, an ordinary study, fits a surface (a Gaussian process, which doubts places far from all
    members) and runs members where it is in doubt, far from others, and a quarter of them in the largest gaps.

    Parameters
    ----------
    source : dict
        A study: `vary` has the axes with `from` and `to` (use `scale: log` where a parameter spans a decade), or one value.
    directory : path, optional
        Keeps the rounds, round0, round1, ...
    inside : str or iterable of str, optional
        Verdicts, or a condition of a response of the study, such as "lake < 100": its level is the edge. Without it the study's key `inside` counts, or
        "stable".
    members : int
        How many are run, 32 or more. A quarter of them are held out: drawn uniformly, never seen by the surface, they certify it.
    points : int
        Pairs of neighbours on both sides that become certified points, 1 or more. They are halved until no axis differs by more than `width`; if
        that needs more than a quarter of `members`, there are more.
    width : float
        Above 0, below 1: a share of each axis.
    held_out : int, optional
        Hold out so many in addition instead.
    tolerance : float, optional
        Above 0, below 1: rounds end as soon as held-out members certify with 95 % that at most such a share of all places is on the wrong side, at the
        latest after `members`. Those that do not certify it join the others, and new ones are drawn; they must be surer each time, 97.5, 98.75, ... %.
    seed : int
        Of the places.
    backend, gpus, resume, progress : Any
        As for `study`.

    Returns
    -------
    Edges
        `claim` says what is certified, and "not certified" with the reason otherwise: 0 wrong of n bounds a share at 3 / n, so that 0.2 % ask for 1500
        held-out members.

    Raises
    ------
    UsageError
        There are fewer than two axes, or a number is out of range.
    DataError
        One side has fewer than three members.

    Examples
    --------
    >>> calm = "otok: 1\\naudit: off\\ngrid: {nx: 8, ny: 8, spacing: 1}\\nseed: 1\\nbase: [{simplex: {wavelength: 4, amplitude: 0.1}}]\\n"
    >>> calm += "phases: [{name: a, iterations: 200, hydraulic: {gravity: 10, capacity: 0}}]\\ninitial: {water: 2}"
    >>> found = edges({"study": 1, "scenario": calm, "monitor": {"every": 50}, "vary": {
    ...     "phases.a.hydraulic.dt": {"from": 0.01, "to": 1, "scale": "log"},
    ...     "phases.a.hydraulic.pipe_area": {"from": 0.1, "to": 10, "scale": "log"}}}, members=96, points=4, backend="cpu")
    >>> S = found.points["phases.a.hydraulic.dt"] ** 2 * found.points["phases.a.hydraulic.pipe_area"] * 10  # the limit is 1/4
    >>> bool((abs(S - 0.25) < 0.02).all()), found.width <= 1 / 256, found.held_out.members
    (True, True, 24)
    """
    needs("otok.edges", "sklearn", "scipy", "xarray", "h5netcdf")
    if members < 32 or points < 1 or not 0 < width < 1 or not 0 < (0.1 if tolerance is None else tolerance) < 1:
        raise UsageError(f"members={members}, points={points}, width={width}, tolerance={tolerance}: give 32 members and one point at least, and a width and a "
                         "tolerance between 0 and 1")
    axes = Axes(source)
    inside = inside or source.get("inside") or "stable"
    if len(axes.paths) < 2:
        raise UsageError("vary: an edge in several dimensions has two axes or more with `from` and `to`; otok.edge searches along one")

    def run(*about: Any, **more: Any) -> "xarray.Dataset":
        return study(*about, backend=backend, gpus=gpus, resume=resume, progress=progress, **more)

    with tempfile.TemporaryDirectory(prefix="otok-edges-") as scratch:
        search = _Search(axes, pathlib.Path(directory or scratch), inside, 1000 * seed, run)
        judges = int(_HELD * members) if held_out is None else held_out
        learners = members - judges if held_out is None and tolerance is None else members
        halvings = min(points * int(np.ceil(np.log2(1 / width))), learners // 4)
        surface, judged = _learned(search, learners, halvings) if tolerance is None else _certified(search, members - halvings, tolerance)
        pairs = search.bisect(search.pairs(points), width)
        if tolerance is None:
            rest = learners - len(search.places)
            surface = search.refine(surface, rest) if rest > 0 else search.surface(surface)
            judged = search.random(judges, "held_out") if judges else None
        return _told(search, surface, pairs, judged, tolerance)


def _begun(search: _Search, members: int) -> None:
    """The blind members, and those where `predict` has a margin of 1."""
    axes, blind, known = search.axes, int(_BLIND * members), int(_PRIOR * members)
    search.add(search.pool(blind)[:blind])
    pool = search.pool(4 * known)
    with np.errstate(divide="ignore", invalid="ignore"):
        doubt = np.abs(np.log(predict(axes.study["scenario"], axes.values(pool)).margin.values))
    search.add(search.spread(pool, np.where(np.isfinite(doubt), doubt, np.inf), known))
    while search.one_sided and len(search.places) + blind <= members:  # a rare side is looked for in the largest gaps
        pool = search.pool(_GAPS * blind)
        search.add(search.spread(pool, np.zeros(len(pool)), blind, within=len(pool)))


def _learned(search: _Search, members: int, halvings: int) -> tuple[Surface, None]:
    _begun(search, members)
    surface: Surface | None = None
    for left in range(_ROUNDS, 0, -1):
        surface = search.refine(surface, max((members - halvings - len(search.places)) // left, 0))
    return search.surface(surface), None


def _certified(search: _Search, members: int, tolerance: float) -> tuple[Surface, tuple[np.ndarray, np.ndarray, float] | None]:
    """A surface that held-out members certify, and these; None: `members` are too few for it."""
    _begun(search, min(members, 2 * _FIRST * len(search.axes.paths)))
    surface, looks = search.refine(None, _FIRST), 0
    while len(search.places) < members:
        expected, sure = _expected(search, surface), 1 - (1 - SURE) / 2 ** (looks + 1)
        sizes = range(1, members - len(search.places) + 1)
        enough = next((n for n in sizes if at_most(int(np.ceil(n * expected)), n, sure) <= tolerance), 0) if expected < tolerance else 0
        if enough:
            looks += 1
            places, verdicts, _ = search.random(enough, f"look{looks}")
            wrong = int(((surface(places) > 0) != search.is_inside(verdicts)).sum())
            if at_most(wrong, len(places), sure) <= tolerance:
                return surface, (places, verdicts, sure)
            search.know(places, verdicts)
        surface = search.refine(surface, min(len(search.places) // 2, members - len(search.places)))
    return surface, None


def _expected(search: _Search, surface: Surface) -> float:
    """The estimated share of places on the wrong side."""
    likely = Chance.of(surface.unseen(), search.inside).bare(surface(search.pool(_POOL)))
    return float(np.minimum(likely, 1 - likely).mean())


def _told(search: _Search, surface: Surface, pairs: np.ndarray, judged: tuple[np.ndarray, np.ndarray, float] | None, tolerance: float | None) -> Edges:
    n = len(surface.inside)  # members that came later are no part of a certified surface
    first, score = search.rounds[:n] == 0, surface.unseen()
    fair = ~np.isin(search.rounds[:n], search.halved)  # a member halved from another knows its side too well
    chance = Chance.of(score[fair], surface.inside[fair])
    band, expected = _band(chance, surface(search.pool(_POOL)))
    trial, known = None, chance
    if judged is not None:  # they judge a curve that has not seen them, and join it afterwards
        held, inside = surface(judged[0]), search.is_inside(judged[1])
        trial, known = trial_of(held, inside, band, chance), Chance.of(np.append(score[fair], held), np.append(surface.inside[fair], inside))
    certified, claim = _claim(trial, tolerance, judged[2] if judged else SURE)
    ends = search.places[pairs]
    return Edges(search.axes.dataset(search.places, ("member",), {"verdict_word": search.verdicts, "inside": search.inside, "round": search.rounds}),
                 search.axes.dataset(ends, ("point", "end"), {"verdict_word": search.verdicts[pairs]}).assign_coords(end=["inside", "outside"]),
                 float(np.abs(np.diff(ends, axis=1)).max()), band, expected, trial_of(score[first], surface.inside[first], band, chance), trial, certified, claim,
                 search.axes, surface, known)


def _claim(trial: Trial | None, tolerance: float | None, sure: float) -> tuple[bool, str]:
    """
    >>> _claim(None, 0.01, 0.95)
    (False, 'not certified: no held-out members certify an error of 1 %; run more members, or ask for less')
    """
    if trial is None or not trial.members:
        return False, ("not certified: no held-out members judge the surface" if tolerance is None else
                       f"not certified: no held-out members certify an error of {100 * tolerance:.3g} %; run more members, or ask for less")
    most, outside = at_most(trial.wrong, trial.members, sure), trial.members - trial.banded
    words = f"{trial.wrong} of {trial.members} held-out members are wrong: at most {100 * most:.2g} % of all places are, with {SURE:.0%}; beyond the band "
    words += f"{trial.wrong_outside} of {outside}, at most {100 * trial.outside_at_most:.2g} %"
    if trial.outside_at_most > _WRONG:
        words += f" (not certified: {100 * _WRONG:.2g} %, which ask for {np.log(1 - SURE) / np.log(1 - _WRONG):.0f} held-out members beyond it, none of them wrong)"
    return True, words


def _band(chance: Chance, pool: np.ndarray) -> tuple[float, float]:
    """The least score beyond which an estimated share _WRONG of places is on the wrong side at most, and that share of all places, by the scores of places
    anywhere."""
    score = np.sort(np.abs(pool))
    doubt = chance.bare(-score)
    beyond = np.cumsum(doubt[::-1])[::-1] / np.arange(len(doubt), 0, -1)
    far = np.flatnonzero(beyond <= _WRONG)
    return (float(score[far[0]]) if len(far) else np.inf), round(float(beyond[0]), 6)
