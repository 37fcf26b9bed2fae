"""The edge of a verdict in several dimensions: members where it is uncertain, a surface between them, and points certified by bisection."""

from __future__ import annotations

import dataclasses
import functools
import pathlib
import tempfile
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import DataError, Error, UsageError
from .laboratory import Axes, Watcher, _threads, predict, study

if TYPE_CHECKING:
    import xarray

_BLIND = 0.125  # share of the members that are spread over all places first
_PRIOR = 0.0625  # share that follows, where `predict` has a margin of 1
_ROUNDS = 5  # of members where the surface is uncertain
_POOL = 2**17  # places that a round chooses from
_CLOSE = 4  # a round chooses those that are far from others among so many times its members next to the surface
_GRID: dict[str, list[float]] = {"C": [10, 100, 1000], "gamma": [0.16, 0.4, 0.8, 1.6]}  # of the kernel; gamma over the number of axes
_TUNED = 1024  # members that choose the kernel
_AGAIN = 1.5  # the kernel is chosen anew when there are so many times the members
_BLOCK = 64  # places that a thread judges at once: their distances from 2000 members fit into its cache
_WRONG = 0.002  # the share of places beyond the band that are on the wrong side, at most


def _learn() -> Any:
    try:
        import sklearn.model_selection
        import sklearn.svm
    except ImportError as why:
        raise Error("otok.edges needs scikit-learn; pip install scikit-learn") from why
    return sklearn


class _Surface:
    """A support vector machine with a radial kernel between the members of both sides."""

    def __init__(self, places: np.ndarray, inside: np.ndarray, before: _Surface | None = None) -> None:
        self._at, self._inside = 2 * places - 1, inside
        self._folds = _learn().model_selection.StratifiedKFold(3, shuffle=True, random_state=0)
        again = before is None or len(places) >= _AGAIN * before.chosen_of
        self.kernel: dict[str, float] = self._chosen() if before is None or again else before.kernel
        self.chosen_of: int = len(places) if before is None or again else before.chosen_of

    @functools.cached_property
    def _machine(self) -> Any:
        return _learn().svm.SVC(cache_size=500, **self.kernel).fit(self._at, self._inside)

    def _chosen(self) -> dict[str, float]:
        import joblib

        sklearn, (n, d) = _learn(), self._at.shape
        some = np.random.default_rng(0).permutation(n)[:_TUNED]
        if np.bincount(self._inside[some].astype(int), minlength=2).min() < 3:
            some = np.arange(n)
        grid = {**_GRID, "gamma": [gamma / d for gamma in _GRID["gamma"]]}
        search = sklearn.model_selection.GridSearchCV(sklearn.svm.SVC(cache_size=500), grid, cv=self._folds, refit=False)
        with joblib.parallel_config("threading", n_jobs=_threads()):  # the machine leaves Python meanwhile
            return search.fit(self._at[some], self._inside[some]).best_params_

    def __call__(self, places: np.ndarray) -> np.ndarray:
        """Above 0 inside; about 1 a margin away from it. This is the machine's `decision_function`, several times as fast."""
        from scipy.spatial.distance import cdist

        at, weights, gamma = self._machine.support_vectors_, self._machine.dual_coef_[0], self._machine.gamma

        def judged(some: np.ndarray) -> np.ndarray:
            near = cdist(some, at, "sqeuclidean")
            near *= -gamma
            return np.einsum("ij,j", np.exp(near, out=near), weights) + self._machine.intercept_[0]

        with ThreadPoolExecutor(_threads()) as threads:
            return np.concatenate(list(threads.map(judged, np.array_split(2 * places - 1, 1 + len(places) // _BLOCK))))

    def unseen(self) -> np.ndarray:
        """The same for its own members, each by a machine that did not see it."""
        import joblib

        sklearn = _learn()
        with joblib.parallel_config("threading", n_jobs=_threads()):
            return sklearn.model_selection.cross_val_predict(sklearn.svm.SVC(cache_size=500, **self.kernel), self._at, self._inside,
                                                             cv=self._folds, method="decision_function")


@dataclasses.dataclass(frozen=True)
class Trial:
    """How often the surface is right about members that it has not seen."""

    members: int
    wrong: int
    banded: int
    """Members in the band."""
    wrong_outside: int
    """Members outside the band that are on the wrong side."""
    chances: tuple[tuple[int, float, int], ...]
    """Of five equal ranges of `probability` (`Edges.classify`), from 0 on: members, how many are inside by it, how many are."""
    share: float
    """wrong / members."""
    interval: tuple[float, float]
    """Of that share: 95 % (Clopper and Pearson 1934)."""


def _trial(score: np.ndarray, inside: np.ndarray, band: float, chance: Any) -> Trial:
    from scipy.stats import beta

    wrong, banded, n = (score > 0) != inside, np.abs(score) < band, len(score)
    k = int(wrong.sum())
    interval = (float(beta.ppf(0.025, k, n - k + 1)) if k else 0.0, float(beta.ppf(0.975, k + 1, n - k)) if k < n else 1.0)
    likely = chance.predict(score)
    ranges = [np.minimum((5 * likely).astype(int), 4) == fifth for fifth in range(5)]
    chances = tuple((int(some.sum()), float(likely[some].sum()), int(inside[some].sum())) for some in ranges)
    return Trial(n, k, int(banded.sum()), int((wrong & ~banded).sum()), chances, k / n, interval)


@dataclasses.dataclass(frozen=True)
class Edges:
    """The edge of a verdict in a box of parameters."""

    members: "xarray.Dataset"
    """Over `member`: the values of all axes, `verdict_word`, `inside`, and `round` (0: blind)."""
    points: "xarray.Dataset"
    """Certified points: over `point` and `end` (inside, outside) the values of all axes and `verdict_word`; both members were run."""
    width: float
    """The widest of these points: the largest share of an axis between its two ends."""
    band: float
    """The distance from the surface within which a place is uncertain: of those beyond it an estimated 0.2 % are on the wrong side at most."""
    expected: float
    """The estimated share of all places that are on the wrong side, from members judged by surfaces that did not see them."""
    blind: Trial
    """Of the blind members, each judged by a surface that did not see it."""
    held_out: Trial | None
    """Of members that were run afterwards; None: there are none."""
    _axes: Axes = dataclasses.field(repr=False)
    _surface: _Surface = dataclasses.field(repr=False)
    _chance: Any = dataclasses.field(repr=False)

    def classify(self, members: Any) -> "xarray.Dataset":
        """Judges members without running them: `score` (above 0 inside), `inside`, `uncertain` (in the band), `beyond` (outside the box, where
        nothing is known), and `probability`, the share of members with such a score that are inside, as surfaces found it that did not see
        them. Where neighbours differ without a rule, as at an edge of `step_dependent`, it is what can be known. `members` is as in `study`."""
        import xarray

        places = self._axes.places(members)
        score, beyond = self._surface(places), ((places < -1e-9) | (places > 1 + 1e-9)).any(1)
        found = {"score": score, "inside": score > 0, "uncertain": (np.abs(score) < self.band) | beyond, "beyond": beyond,
                 "probability": np.where(beyond, np.nan, self._chance.predict(score))}
        return xarray.Dataset({name: ("member", values) for name, values in found.items()})


class _Search:
    """The members so far, and the rounds that add to them."""

    def __init__(self, axes: Any, folder: pathlib.Path, inside: Iterable[str], seed: int, run: Any) -> None:
        self.axes, self.folder, self.words, self.seed, self._run = axes, folder, set(inside), seed, run
        self.places = np.zeros((0, len(axes.paths)))
        self.verdicts, self.rounds = np.zeros(0, "U32"), np.zeros(0, int)
        self.number, self.halved = -1, list[int]()

    @property
    def inside(self) -> np.ndarray:
        return np.isin(self.verdicts, list(self.words))

    def judge(self, places: np.ndarray, name: str) -> np.ndarray:
        """The verdicts at places; "none": the member failed."""
        table = self._run(self.axes.study, self.folder / name, members=self.axes.values(places), columns=())
        return table.verdict_word.values.astype("U32")

    def add(self, places: np.ndarray) -> np.ndarray:
        """Runs a round, and returns its verdicts."""
        self.number += 1
        verdicts = self.judge(places, f"round{self.number}")
        known = verdicts != "none"
        self.know(places[known], verdicts[known])
        return verdicts

    def know(self, places: np.ndarray, verdicts: np.ndarray) -> None:
        self.places = np.concatenate([self.places, places])
        self.verdicts = np.concatenate([self.verdicts, verdicts])
        self.rounds = np.concatenate([self.rounds, np.full(len(places), self.number)])

    def pool(self, n: int) -> np.ndarray:
        from scipy.stats import qmc

        self.seed += 1
        return qmc.Sobol(len(self.axes.paths), seed=self.seed).random_base2(int(np.ceil(np.log2(n))))

    def surface(self, before: _Surface | None = None) -> _Surface:
        sides = np.bincount(self.inside.astype(int), minlength=2)
        if sides.min() < 3:
            words = ", ".join(sorted(set(self.verdicts.tolist())))
            raise DataError(f"of {sides.sum()} members {sides[1]} are inside ({', '.join(sorted(self.words))}); an edge needs three on each side at "
                            f"least: widen the axes, or run more members (verdicts: {words})")
        return _Surface(self.places, self.inside, before)

    def learn(self, before: _Surface | None) -> tuple[_Surface, np.ndarray, np.ndarray]:
        """The last surface, distances of places anywhere, and what surfaces say of members that they have not seen."""
        surface = self.surface(before)
        with ThreadPoolExecutor(1) as beside:
            unseen = beside.submit(surface.unseen)
            return surface, np.abs(surface(self.pool(_POOL))), unseen.result()

    def spread(self, pool: np.ndarray, doubt: np.ndarray, n: int, others: np.ndarray | None = None) -> np.ndarray:
        """n places of the pool with little doubt: far from each other, from the members and from others."""
        from scipy.spatial import cKDTree

        near = pool[np.argsort(doubt, kind="stable")[: _CLOSE * n]]
        taken = self.places if others is None else np.concatenate([self.places, others])
        away, chosen = cKDTree(taken).query(near)[0] ** 2 if len(taken) else np.full(len(near), np.inf), list[int]()
        for _ in range(n):
            chosen.append(int(np.argmax(away)))
            np.minimum(away, ((near - near[chosen[-1]]) ** 2).sum(1), out=away)
        return near[chosen]

    def pairs(self, n: int) -> np.ndarray:
        """n pairs of an inside and an outside member next to each other, spread along the edge: (n, 2) members."""
        from scipy.spatial import cKDTree

        inside, outside = np.flatnonzero(self.inside), np.flatnonzero(~self.inside)
        beyond = outside[cKDTree(self.places[outside]).query(self.places[inside], p=np.inf)[1]]
        within = inside[cKDTree(self.places[inside]).query(self.places[outside], p=np.inf)[1]]
        found = np.unique(np.concatenate([np.column_stack([inside, beyond]), np.column_stack([within, outside])]), axis=0)
        middle = self.places[found].mean(1)
        apart = np.abs(np.diff(self.places[found], axis=1)).max((1, 2))
        close = np.argsort(apart, kind="stable")[: max(_CLOSE * n, 1)]
        away, chosen = np.full(len(close), np.inf), list[int]()
        for _ in range(min(n, len(close))):
            chosen.append(int(np.argmax(away)))
            np.minimum(away, ((middle[close] - middle[close[chosen[-1]]]) ** 2).sum(1), out=away)
        return found[close[chosen]]

    def bisect(self, pairs: np.ndarray, width: float) -> np.ndarray:
        """Halves pairs until none is wider; members that fail keep their pair as it is. Returns the members."""
        pairs = pairs.copy()
        while len(wide := np.flatnonzero(np.abs(np.diff(self.places[pairs], axis=1)).max((1, 2)) > width)):
            before = len(self.places)
            self.halved.append(self.number + 1)
            verdicts = self.add(self.places[pairs[wide]].mean(1))
            known = verdicts != "none"
            for at, pair in enumerate(wide[known], before):
                pairs[pair, 0 if self.inside[at] else 1] = at
            if not known.any():
                break
        return pairs


def edges(source: Mapping[str, Any], directory: Any = None, *, inside: str | Iterable[str] = "stable", members: int = 1024, points: int = 16,
          width: float = 1 / 256, held_out: int = 0, seed: int = 0, backend: str = "auto", gpus: int = 1, resume: bool = False,
          progress: Watcher = False) -> Edges:
    """Finds the edge between the verdicts `inside` and all others in two to ten dimensions (needs scikit-learn and scipy). `source` is a
    study's dictionary: `vary` has the axes with `from` and `to` (use `scale: log` where a parameter spans a decade), or one value. Nobody
    needs to know the form of the edge; it may have several parts.

    `members` members are run, in rounds that are ordinary studies, `directory`/round0, round1, ...; more if points need more than a
    quarter of them for their halvings, up to log2(1 / `width`) each. An eighth is spread over the box, half as many are placed where `predict` says that a limit breaks. Then each round fits a surface (a support vector machine) and runs
    members next to it, far from others. `points` pairs of neighbours on both sides are halved until no axis differs by more than
    `width` of its range: certified points. Their members, too, make the surface. `held_out` members more are drawn at random and run
    afterwards, and tell how often it is right. With `resume` rounds that have their results are not run again. `backend`, `gpus` and
    `progress` are those of `study`. DataError: one side has fewer than three members.

    >>> calm = "otok: 1\\naudit: off\\ngrid: {nx: 8, ny: 8, spacing: 1}\\nseed: 1\\nbase: [{simplex: {wavelength: 4, amplitude: 0.1}}]\\n"
    >>> calm += "phases: [{name: a, iterations: 200, hydraulic: {gravity: 10, capacity: 0}}]\\ninitial: {water: 2}"
    >>> found = edges({"study": 1, "scenario": calm, "monitor": {"every": 50}, "vary": {
    ...     "phases.a.hydraulic.dt": {"from": 0.01, "to": 1, "scale": "log"},
    ...     "phases.a.hydraulic.pipe_area": {"from": 0.1, "to": 10, "scale": "log"}}}, members=96, points=4, backend="cpu")
    >>> S = found.points["phases.a.hydraulic.dt"] ** 2 * found.points["phases.a.hydraulic.pipe_area"] * 10  # the limit is 1/4
    >>> bool((abs(S - 0.25) < 0.02).all()), found.width <= 1 / 256
    (True, True)
    """
    _learn()
    if members < 32 or points < 1 or not 0 < width < 1:
        raise UsageError(f"members={members}, points={points}, width={width}: give 32 members and one point at least, and a width between 0 and 1")
    axes, words = Axes(source), [inside] if isinstance(inside, str) else list(inside)

    if len(axes.paths) < 2:
        raise UsageError("vary: an edge in several dimensions has two axes or more with `from` and `to`; otok.edge searches along one")

    def run(*about: Any, **more: Any) -> "xarray.Dataset":
        return study(*about, backend=backend, gpus=gpus, resume=resume, progress=progress, **more)

    with tempfile.TemporaryDirectory(prefix="otok-edges-") as scratch:
        search = _Search(axes, pathlib.Path(directory or scratch), words, 1000 * seed, run)
        return _found(search, axes, members, points, width, held_out)


def _found(search: _Search, axes: Axes, members: int, points: int, width: float, held_out: int) -> Edges:
    from sklearn.isotonic import IsotonicRegression

    blind, reserve = int(_BLIND * members), min(points * int(np.ceil(np.log2(1 / width))), members // 4)
    search.add(search.pool(blind)[:blind])
    known, pool = int(_PRIOR * members), search.pool(4 * int(_PRIOR * members))
    with np.errstate(divide="ignore", invalid="ignore"):
        doubt = np.abs(np.log(predict(axes.study["scenario"], axes.values(pool)).margin.values))
    search.add(search.spread(pool, np.where(np.isfinite(doubt), doubt, np.inf), known))
    surface: _Surface | None = None
    for left in range(_ROUNDS, 0, -1):
        batch = (members - reserve - len(search.places)) // left
        pool, surface = search.pool(_POOL), search.surface(surface)
        doubt = np.abs(surface(pool))
        search.add(search.spread(pool, doubt, batch))
    pairs = search.bisect(search.pairs(points), width)
    if (rest := members - len(search.places)) > 0:  # few: by the last surface
        search.add(search.spread(pool, doubt, rest))
    places = np.random.default_rng(search.seed).random((held_out, len(axes.paths)))
    with ThreadPoolExecutor(1) as beside:
        learning = beside.submit(search.learn, surface)
        verdicts = search.judge(places, "held_out") if held_out else np.zeros(0, "U32")
        surface, far, score = learning.result()
    first = search.rounds == 0
    fair = ~np.isin(search.rounds, search.halved)  # a member halved from another knows its side too well
    wrong = (score > 0) != search.inside
    band, expected = _band(np.abs(score[fair]), wrong[fair], far)
    chance = IsotonicRegression(out_of_bounds="clip").fit(score[fair], search.inside[fair])
    ran = verdicts != "none"
    trial = _trial(surface(places[ran]), np.isin(verdicts[ran], list(search.words)), band, chance) if held_out else None
    ends = search.places[pairs]
    return Edges(axes.dataset(search.places, ("member",), {"verdict_word": search.verdicts, "inside": search.inside, "round": search.rounds}),
                 axes.dataset(ends, ("point", "end"), {"verdict_word": search.verdicts[pairs]}).assign_coords(end=["inside", "outside"]),
                 float(np.abs(np.diff(ends, axis=1)).max()), band, expected, _trial(score[first], search.inside[first], band, chance), trial, axes, surface, chance)


def _band(seen: np.ndarray, wrong: np.ndarray, pool: np.ndarray) -> tuple[float, float]:
    """The least distance from the surface beyond which at most a share _WRONG of the places is on the wrong side, and that share of all places.
    `seen` and `wrong` are the distances of judged members and whether they were on the wrong side, `pool` the distances of places anywhere.

    >>> seen = np.repeat([0.1, 0.5, 1.0], 100)
    >>> _band(seen, np.arange(300) % 100 < np.repeat([50, 10, 0], 100), np.array([0.1] * 4 + [0.5] * 6 + [1.0] * 90))
    (0.5, 0.026)
    """
    from sklearn.isotonic import IsotonicRegression

    doubt = IsotonicRegression(increasing=False, out_of_bounds="clip").fit(seen, wrong).predict(np.sort(pool))
    beyond = np.cumsum(doubt[::-1])[::-1] / np.arange(len(doubt), 0, -1)
    far = np.flatnonzero(beyond <= _WRONG)
    return float(np.sort(pool)[far[0]]) if len(far) else np.inf, round(float(beyond[0]), 6)
