"""The members that look for an edge in several dimensions, a part of `otok.boundary`: where they run, and between which it is."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ._surface import SURE, Surface
from .errors import DataError, UsageError

_CANDIDATES, _POOL = 2**17, 2**14  # places that a round chooses from: by their odds, and by their odds and doubt
_CLOSE = 4  # a round chooses those that are far from others among so many times its members with most doubt
_ANYWHERE = 0.25  # share of a round that fills the largest gaps between members, whatever the surface says of them
_GAPS = 16  # a gap is filled by one of so many places

_CONDITION = re.compile(r"\s*(\w+)\s*(<=|<|>=|>)\s*([-+.\w]+)\s*")


def _asked(inside: str | Iterable[str]) -> tuple[set[str], tuple[str, Callable[[np.ndarray], np.ndarray]] | None]:
    """The words of members that are inside, and of a condition the response and the words of its values.

    >>> words, (name, holds) = _asked("lake < 100")
    >>> words, name, holds(np.array([99, 100, np.nan])).tolist()
    ({'lake < 100'}, 'lake', ['lake < 100', 'not lake < 100', 'none'])
    """
    if not isinstance(inside, str) or not (found := _CONDITION.fullmatch(inside)):
        return {inside} if isinstance(inside, str) else set(inside), None
    (name, sign, number), words = found.groups(), inside.strip()
    try:
        level = float(number)
    except ValueError:
        raise UsageError(f"inside={inside!r}: {number} is no number; give a level, such as 'lake < 100'") from None
    holds = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal}[sign]
    return {words}, (name, lambda values: np.where(np.isnan(values), "none", np.where(holds(values, level), words, f"not {words}")))


class _Search:
    """The members so far, and the rounds that add to them."""

    def __init__(self, axes: Any, folder: pathlib.Path, inside: str | Iterable[str], seed: int, run: Any) -> None:
        self.axes, self.folder, self.seed, self._run = axes, folder, seed, run
        self.words, self._level = _asked(inside)
        self.places = np.zeros((0, len(axes.paths)))
        self.verdicts, self.rounds = np.zeros(0, "U32"), np.zeros(0, int)
        self.number, self.halved = -1, list[int]()

    @property
    def inside(self) -> np.ndarray:
        return self.is_inside(self.verdicts)

    def is_inside(self, verdicts: np.ndarray) -> np.ndarray:
        return np.isin(verdicts, list(self.words))

    @property
    def one_sided(self) -> bool:
        return int(np.bincount(self.inside.astype(int), minlength=2).min()) < 3

    def judge(self, places: np.ndarray, name: str) -> np.ndarray:
        """The verdicts at places, or whether the condition holds; "none": the member failed, or has no value."""
        if self._level is None:
            found = self._run(self.axes.study, self.folder / name, members=self.axes.values(places), columns=())
            words: np.ndarray = found.verdict_word.values.astype("U32")
            return words
        column = f"response_{self._level[0]}"
        table = self._run(self.axes.study, self.folder / name, members=self.axes.values(places), columns=[column])
        if column not in table:
            raise UsageError(f"inside: the study has no response {self._level[0]}; its key `responses` names them")
        return self._level[1](table[column].values)

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

    def random(self, n: int, name: str) -> tuple[np.ndarray, np.ndarray, float]:
        """n members anywhere, each place with the same chance: those that have a verdict, their verdicts, and how sure a claim about them must be."""
        self.seed += 1
        places = np.random.default_rng([self.seed, 1]).random((n, len(self.axes.paths)))
        verdicts = self.judge(places, name)
        return places[verdicts != "none"], verdicts[verdicts != "none"], SURE

    def pool(self, n: int) -> np.ndarray:
        from scipy.stats import qmc

        self.seed += 1
        points: np.ndarray = qmc.Sobol(len(self.axes.paths), seed=self.seed).random_base2(int(np.ceil(np.log2(n))))
        return points

    def surface(self, before: Surface | None = None) -> Surface:
        if self.one_sided:
            sides = np.bincount(self.inside.astype(int), minlength=2)
            words = ", ".join(sorted(set(self.verdicts.tolist())))
            raise DataError(f"of {sides.sum()} members {sides[1]} are inside ({', '.join(sorted(self.words))}); an edge needs three on each side at "
                            f"least: widen the axes, or run more members (verdicts: {words})")
        return Surface(self.places, self.inside, before)

    def refine(self, before: Surface | None, n: int) -> Surface:
        """Runs n members where a surface through the present ones is in doubt, and a share of them in the largest gaps. Returns a surface through all."""
        surface, pool, gaps = self.surface(before), self.pool(_CANDIDATES), int(_ANYWHERE * n)
        some = pool[np.random.default_rng(self.seed).permutation(len(pool))[: _GAPS * max(gaps, 1)]]
        anywhere = self.spread(some, np.zeros(len(some)), gaps, within=len(some))
        pool = pool[np.argsort(self.doubt(pool, surface.odds(pool)), kind="stable")[:_POOL]]
        self.add(np.concatenate([anywhere, self.spread(pool, self.doubt(pool, surface(pool)), n - gaps, anywhere)]))
        return self.surface(surface)

    def doubt(self, places: np.ndarray, score: np.ndarray) -> np.ndarray:
        """How far places are from the edge by their score; 0 where the next member contradicts it, for a smooth surface may pass over few members."""
        from scipy.spatial import cKDTree

        side = self.inside[cKDTree(self.places).query(places)[1]]
        return np.where((score > 0) == side, np.abs(score), 0.0)

    def spread(self, pool: np.ndarray, doubt: np.ndarray, n: int, others: np.ndarray | None = None, within: int = 0) -> np.ndarray:
        """n places of the pool with little doubt: far from each other, from the members and from others."""
        from scipy.spatial import cKDTree

        near = pool[np.argsort(doubt, kind="stable")[: within or _CLOSE * n]]
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
