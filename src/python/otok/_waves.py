"""Waves of members towards a posterior: emulators stand for the scenario, their errors count as errors of the observation, and members that they
have not seen tell how much their likelihood is worth."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np

_DRAWS, _JUDGING = 10000, 2000  # places that weigh the posterior, and the pretended posteriors of members
_WIDER = 1.8  # members are spread so much wider than the posterior, so that it is seen from outside
_LENGTHS, _SHARES = (1.0, 2.0, 4.0), (0.0, 0.1, 1.0, 10.0, 100.0)  # of the emulators that compete: see Emulator
_BROAD = 1e6  # prior variance of the quadratic's coefficients, in variances of the scatter
_MOST, _NEAR = 400, 1.5  # an emulator knows so many members at most, within so many spreads per axis if there are enough
_APART = 3.5  # two halves of the members so many spreads apart are two modes
_LEAST = 0.02  # a mode with a smaller share is left out
_FOLDS = 4
_POWERS = (1, 0.8, 0.64, 0.5, 0.4, 0.32, 0.25, 0.18, 0.12)
_MEMORY = 0.4  # of the last wave's share of held intervals
_SIGNAL = 0.1  # combinations of data that change the likelihood by less over the members are left out
_EVEN = 0.02  # penalty of a scatter that differs between places
_BETTER = 1.3  # a likelihood that is worth so many times as much as in the last wave still improves
_DOUBT = 0.2  # a search is not steady while the emulator's own error is a larger share of all
_TRUTHS = 30  # members, effectively, that judge the likelihood
_SURE = 0.9
_HELD, _STEADY, _CALM = 0.85, 0.8, 2  # a search is steady if so many are held, and two waves have so much in common; so many times in a row
_WAVES = 20  # at most
TOO_FAR, RARE = 2.0, 0.01  # a misfit that rejects the model, if no larger share of members in place of the terrain has such residuals


def quadratic(z: np.ndarray) -> np.ndarray:
    """1, all coordinates, and all products of two.

    >>> quadratic(np.array([[2.0, 3.0]])).tolist()
    [[1.0, 2.0, 3.0, 4.0, 6.0, 9.0]]
    """
    row, column = np.triu_indices(z.shape[1])
    return np.column_stack([np.ones(len(z)), z, z[:, row] * z[:, column]])


@dataclasses.dataclass(frozen=True)
class Part:
    """A normal distribution of places."""

    centre: np.ndarray
    root: np.ndarray
    share: float = 1.0

    def white(self, places: np.ndarray) -> np.ndarray:
        return np.linalg.solve(self.root, (places - self.centre).T).T

    def density(self, places: np.ndarray) -> np.ndarray:
        found: np.ndarray = -(self.white(places) ** 2).sum(1) / 2 - np.log(np.diag(self.root)).sum()
        return found


def overlap(a: list[Part], b: list[Part]) -> float:
    """How much the parts of two distributions have in common, each with the nearest of the other: 1 the same, 0 nothing (Bhattacharyya 1943).

    >>> one, other = Part(np.zeros(1), np.eye(1)), Part(np.ones(1), np.eye(1))
    >>> round(overlap([one], [other]), 2), overlap([one], [one, one])
    (0.88, 1.0)
    """
    def common(p: Part, q: Part) -> float:
        first, second = p.root @ p.root.T, q.root @ q.root.T
        both, off = (first + second) / 2, p.centre - q.centre
        size = np.linalg.slogdet(both)[1] - (np.linalg.slogdet(first)[1] + np.linalg.slogdet(second)[1]) / 2
        return float(np.exp(-off @ np.linalg.solve(both, off) / 8 - size / 2))

    table = np.array([[common(p, q) for q in b] for p in a])
    return float(min(table.max(0).min(), table.max(1).min()))


class Emulator:
    """The differences of an observation from members over their places in a part: a quadratic, a Gaussian process of the rest, and scatter between
    neighbours, more of it at some places than at others. How long and how strong the process is, members that are left out choose; their errors are the
    emulator's. The likelihood has the few combinations of data that places change (canonical directions of what is predicted and of the errors with
    the noise): covariances of few numbers are known from few members.

    >>> z = np.random.default_rng(1).normal(size=(80, 1))
    >>> rough = Emulator(Part(np.zeros(1), np.eye(1)), z, 3 * z + 0.5 * np.random.default_rng(2).normal(size=(80, 1)))
    >>> round(rough.at(np.array([[1.0]]))[0].item()), 0.4 < rough.scatter < 0.6
    (3, True)
    """

    def __init__(self, part: Part, known: np.ndarray, differences: np.ndarray, kernel: tuple[float, float] | None = None) -> None:
        self._part = part
        self._places = self._part.white(known)
        kernels = [kernel] if kernel else [(length, share) for share in _SHARES for length in (_LENGTHS if share else _LENGTHS[:1])]
        _, self.kernel, self._inverse, errors = min((self._fit(differences, *one) for one in kernels), key=lambda one: one[0])
        self._rest = self._inverse @ differences
        n, data = differences.shape
        scatter, keep = np.atleast_2d(errors.T @ errors) / n, n / (n + data)  # few members know variances better than covariances
        self._scatter = keep * scatter + (1 - keep) * np.diag(np.diag(scatter))
        self.scatter = float(np.sqrt(np.diag(self._scatter).mean()))
        """Of neighbours, in units of the noise."""
        self._condense(differences - errors, errors)

    def _condense(self, predicted: np.ndarray, errors: np.ndarray) -> None:
        """The combinations of data that tell places apart, their errors' variances, and where these are larger."""
        from scipy.linalg import eigh
        from sklearn.linear_model import GammaRegressor

        size, vectors = eigh(np.atleast_2d(np.cov(predicted.T)), self._scatter + np.eye(predicted.shape[1]))
        told = size * (1 + ((predicted + errors).mean(0) @ vectors) ** 2)  # where the observation is far away, small changes tell much
        order = np.argsort(-told)[: quadratic(self._places[:1]).shape[1] - 1]
        base = np.linalg.qr(vectors[:, order[told[order] >= min(_SIGNAL, told.max())]])[0]
        variance, turned = np.linalg.eigh((errors @ base).T @ (errors @ base) / len(errors))
        self._axes, self._variance = base @ turned, np.maximum(variance, 1e-9)
        size = ((errors @ self._axes) ** 2 / self._variance).mean(1) + 1e-3
        terms = quadratic(self._places)[:, 1:]
        self._larger = GammaRegressor(alpha=_EVEN, max_iter=500).fit(terms, size)
        self._range = np.log(np.quantile(self._larger.predict(terms), [0.01, 0.99]))

    def _covariance(self, a: np.ndarray, b: np.ndarray, length: float, share: float) -> np.ndarray:
        apart = np.maximum((a**2).sum(1)[:, np.newaxis] + (b**2).sum(1) - 2 * a @ b.T, 0)
        near = share * np.exp(-apart / (2 * length**2 * a.shape[1])) if share else 0
        found: np.ndarray = near + _BROAD * quadratic(a) @ quadratic(b).T
        return found

    def _fit(self, differences: np.ndarray, length: float, share: float) -> tuple[float, tuple[float, float], np.ndarray, np.ndarray]:
        """How badly members that were left out are predicted, by what, and the errors."""
        n = len(self._places)
        inverse = np.linalg.inv(self._covariance(self._places, self._places, length, share) + np.eye(n))
        alone = 1 / np.maximum(np.diag(inverse), 1e-12)
        errors = (inverse @ differences) * np.sqrt(alone)[:, np.newaxis]
        return differences.shape[1] * np.log(alone).sum() + n * np.log((errors**2).mean(0) + 1e-6).sum(), (length, share), inverse, errors

    def at(self, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Expected differences, their variance in variances of the scatter there, and that scatter's in those of the members."""
        places = self._part.white(scores)
        near, terms = self._covariance(places, self._places, *self.kernel), quadratic(places)
        own = self.kernel[1] + _BROAD * (terms**2).sum(1)
        larger = np.exp(np.clip(terms[:, 1:] @ self._larger.coef_ + self._larger.intercept_, *self._range))
        return near @ self._rest, np.maximum(own - ((near @ self._inverse) * near).sum(1), 0) + 1, larger

    def chances(self, shifts: np.ndarray, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Of observations that differ from the real one by `shifts`, of noise 1 and the emulator's error, at places: the logarithm of the chance; and of
        places, the share that the emulator's doubt has in the error. Its doubt makes no place likelier: of an observation that nothing explains the
        likeliest place would be where it knows least."""
        expected, doubt, larger = self.at(scores)
        expected, seen, scatter = expected @ self._axes, shifts @ self._axes, larger[:, np.newaxis] * self._variance
        error = 1 + doubt[:, np.newaxis] * scatter
        found = np.full((len(shifts), len(scores)), np.inf)
        for variance in (error, 1 + scatter):
            squares = (seen**2) @ (1 / variance).T - 2 * seen @ (expected / variance).T + (expected**2 / variance).sum(1)
            found = np.minimum(found, -(squares + np.log(variance).sum(1)) / 2)
        return found, (1 - (1 + scatter) / error).max(1)

    def data(self, place: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """At a place, of all data: the expected differences, and the covariance of their error with the noise, 1."""
        expected, doubt, larger = self.at(place[np.newaxis])
        return expected[0], np.eye(expected.shape[1]) + doubt[0] * larger[0] * self._scatter


def _halved(scores: np.ndarray) -> list[np.ndarray]:
    """The members, in two parts again and again where these are far apart."""
    from scipy.cluster.vq import kmeans2

    spread = scores.std(0) + 1e-12
    if len(scores) < 4 * (scores.shape[1] + 2):
        return [scores]
    centres, label = kmeans2(scores / spread, 2, rng=0, minit="++")
    along = (scores / spread) @ (centres[1] - centres[0])
    ends = [along[label == half] for half in (0, 1)]
    if min(map(len, ends)) < scores.shape[1] + 2 or abs(ends[1].mean() - ends[0].mean()) < _APART * np.hypot(ends[0].std(), ends[1].std()):
        return [scores]
    return [some for half in (0, 1) for some in _halved(scores[label == half])]


def parts_of(scores: np.ndarray) -> list[Part]:
    """A normal distribution for each place where members gather."""
    d, found = scores.shape[1], list[Part]()
    for some in _halved(scores):
        if len(some) > max(_LEAST * len(scores), d + 1):
            found.append(Part(some.mean(0), np.linalg.cholesky(np.atleast_2d(np.cov(some.T)) + 1e-12 * np.eye(d)), len(some) / len(scores)))
    return found


class Search:
    """A posterior from members around it. They are spread over parts, wider than what was believed before."""

    def __init__(self, d: int, rng: np.random.Generator) -> None:
        self._rng, self._d = rng, d
        self.scores, self.differences = np.zeros((0, d)), np.zeros((0, 0))
        self.around, self.believed = [Part(np.zeros(d), np.eye(d))], list[Part]()
        self.overlap, self.arrived, self._newest, self.power, self.scatter = 0.0, False, 0, 0.0, 0.0
        self._held: np.ndarray | None = None

    @property
    def steady(self) -> bool:
        return self.arrived and self.held >= _HELD and self.overlap >= _STEADY and not self.better and self.doubt <= _DOUBT

    def propose(self, n: int) -> np.ndarray:
        part = self._rng.integers(len(self.around), size=n)
        steps = self._rng.normal(size=(n, self._d))
        found: np.ndarray = np.stack([one.centre for one in self.around])[part] + np.einsum("nij,nj->ni", np.stack([one.root for one in self.around])[part], steps)
        return found

    def learn(self, scores: np.ndarray, differences: np.ndarray, n: int) -> None:
        """Members that were proposed, and what they differ by; then the posterior, of n members, and the parts of the next wave."""
        self.scores = np.concatenate([self.scores, scores])
        self.differences = np.concatenate([self.differences.reshape(-1, differences.shape[1]), differences])
        self._newest = len(scores)
        self.emulators = self._fitted(np.ones(len(self.scores), bool), [None] * len(self.around))
        places = self.propose(_DRAWS)
        likelihood, doubt = self._chances(self.emulators, np.zeros((1, differences.shape[1])), places)
        power, error = self.power, 1 + self.scatter**2
        self.power, self.held, usual = self._judged()
        weight = self.power * likelihood[0] - (places**2).sum(1) / 2
        self._told(places[int(np.argmax(weight))], usual)
        worth = self.power / float(np.clip(self.misfit, 1, TOO_FAR))  # residuals that are larger than usual are larger errors (Birge 1932)
        weight += (worth - self.power) * likelihood[0]
        weight -= np.logaddexp.reduce([part.density(places) for part in self.around], 0)
        chance, self.arrived = _spread(weight, n)
        self.doubt, self.better = float(chance @ doubt), self.power > _BETTER * power or 1 + self.scatter**2 < _STEADY * error
        self.members = places[self._rng.choice(_DRAWS, n, p=chance)]
        before, self.believed = self.believed, parts_of(places[self._rng.choice(_DRAWS, 4000, p=chance)])
        self.overlap = overlap(before, self.believed) if before else 0.0
        chance = _spread(weight + (self.power**0.5 - worth) * likelihood[0], n)[0]
        self.around = [Part(part.centre, _WIDER * part.root, part.share) for part in parts_of(places[self._rng.choice(_DRAWS, 4000, p=chance)])]

    def _told(self, place: np.ndarray, usual: np.ndarray) -> None:
        """At the likeliest place: the residuals, and how they compare with those of members in place of the observation."""
        self.residual, self.scatter, square = self._residual(self.emulators, np.zeros(self.differences.shape[1]), place)
        self.misfit = float(square / usual.mean())
        self.chance = float((1 + (usual >= square).sum()) / (1 + len(usual)))
        self.usual = float(np.quantile(usual / usual.mean(), _SURE))

    def _residual(self, emulators: list[Emulator], shift: np.ndarray, place: np.ndarray) -> tuple[tuple[np.ndarray, np.ndarray], float, float]:
        """At a place, of an observation that differs by `shift`: its residuals with their covariance, the scatter, and the squared deviations."""
        emulator = emulators[int(np.argmax([part.density(place[np.newaxis])[0] for part in self.around]))]
        off, covariance = emulator.data(place)
        return (off, covariance), emulator.scatter, float((off - shift) @ np.linalg.solve(covariance, off - shift))

    def _fitted(self, some: np.ndarray, kernels: Sequence[tuple[float, float] | None]) -> list[Emulator]:
        found, enough = list[Emulator](), 3 * quadratic(self.scores[:1]).shape[1]
        for part, kernel in zip(self.around, kernels):
            away = (part.white(self.scores) ** 2).sum(1)
            order = np.argsort(away, kind="stable")
            order = order[some[order]]
            near = order[: int(np.clip((away[order] <= _NEAR**2 * self._d).sum(), min(enough, len(order)), _MOST))]
            found.append(Emulator(part, self.scores[near], self.differences[near], kernel))
        return found

    def _chances(self, emulators: list[Emulator], shifts: np.ndarray, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        nearest = np.argmax([part.density(places) for part in self.around], 0)
        likelihood, doubt = np.empty((len(shifts), len(places))), np.empty(len(places))
        for number, emulator in enumerate(emulators):
            if (here := nearest == number).any():
                likelihood[:, here], doubt[here] = emulator.chances(shifts, places[here])
        return likelihood, doubt

    def _judged(self) -> tuple[float, float, np.ndarray]:
        """How much the likelihood is worth: the power with which 90 % intervals hold nine in ten of the newest members near the posterior, each observed with
        noise and judged by emulators that have not seen it; the share that they then hold; their squared deviations at their likeliest places."""
        first, places = len(self.scores) - self._newest, self.propose(_JUDGING)
        fold, truths, below, squares = np.arange(len(self.scores)) % _FOLDS, list[np.ndarray](), {power: list[np.ndarray]() for power in _POWERS}, list[float]()
        for number in range(_FOLDS):
            some = np.flatnonzero((fold == number) & (np.arange(len(fold)) >= first))
            emulators = self._fitted(fold != number, [one.kernel for one in self.emulators])
            shifts = self.differences[some] - self._rng.normal(size=(len(some), self.differences.shape[1]))
            likelihood = self._chances(emulators, shifts, places)[0]
            for power in _POWERS:
                chance = np.exp(power * (likelihood - likelihood.max(1, keepdims=True)))
                chance /= chance.sum(1, keepdims=True)
                below[power] += [one @ (places < truth) for one, truth in zip(chance, self.scores[some])]
            likeliest = ((self.power or 1) * likelihood - (places**2).sum(1) / 2).argmax(1)  # as of the observation itself
            squares += [self._residual(emulators, shift, places[best])[2] for shift, best in zip(shifts, likeliest)]
            truths.append(self.scores[some])
        truth = np.concatenate(truths)
        near = self._chances(self.emulators, np.zeros((1, self.differences.shape[1])), truth)[0][0]
        near = _spread(near, min(_TRUTHS, len(truth) // 2))[0]
        held = np.array([np.mean(near @ (np.abs(np.array(one) - 0.5) < _SURE / 2)) for one in below.values()])
        self._held = held if self._held is None else _MEMORY * self._held + (1 - _MEMORY) * held
        best = int(np.argmax(self._held >= _SURE)) if self._held.max() >= _SURE else int(np.argmax(self._held))
        return _POWERS[best], float(self._held[best]), np.array(squares)[self._rng.choice(len(squares), 200, p=near)]


def _spread(weight: np.ndarray, n: int) -> tuple[np.ndarray, bool]:
    """The chances of weights, flatter if they would rest on fewer than n; and whether they are not."""
    flat = 1.0
    while True:
        chance = np.exp(flat * (weight - weight.max()))
        chance /= chance.sum()
        if 1 / (chance**2).sum() >= n or flat < 1e-6:
            return chance, flat == 1
        flat *= 0.8


def search(d: int, n: int, run: Callable[[int, np.ndarray], tuple[np.ndarray, np.ndarray]], rng: np.random.Generator) -> tuple[Search, str]:
    """A search from members of the prior until it is steady. `run(wave, scores)` has the scores and differences of the members that have an end.
    Also says why the search did not converge; "": it did."""
    from scipy.stats import norm, qmc

    one, calm = Search(d, rng), 0
    asked = norm.ppf(np.clip(qmc.LatinHypercube(d, rng=rng).random(n), 1e-9, 1 - 1e-9))
    for wave in range(_WAVES):
        one.learn(*run(wave, asked), n)
        calm = calm + 1 if one.steady else 0
        if calm == _CALM:
            return one, ""
        asked = one.propose(n)
    return one, _why(one)


def _why(one: Search) -> str:
    if not one.arrived:
        return "the ensemble collapses: the weights of the posterior rest on fewer places than there are members"
    if one.held < _HELD:
        return f"90 % intervals hold {one.held:.0%} of the members that were observed in place of the terrain"
    if one.doubt > _DOUBT:
        return f"{one.doubt:.0%} of the error is the emulator's own"
    return f"the posterior still moves: two waves have {one.overlap:.2f} in common"
