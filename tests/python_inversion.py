"""Claim: otok.invert has the posterior that theory gives where the model is linear; its 90 % intervals hold the truth of a curved model whose
parameters are known from very well to not at all; it finds the parameters of a small hill and names the one without effect; a repeated
call gives the same members. `python3 tests/python_inversion.py PATH_TO_OTOK`, with OTOK_LIBRARY and PYTHONPATH set."""
import dataclasses
import warnings

from cli import *

with needed():
    import h5netcdf  # noqa: F401
    import iterative_ensemble_smoother  # noqa: F401
    import numpy as np
    from scipy.stats import norm, qmc
import otok as package
from otok import inversion


class Formula:
    """An ensemble over a function in place of studies."""

    def __init__(self, function, seen, scores):
        self.function, self.seen, self.scores, self.ran = function, seen, scores, []
        self.axes = type("Axes", (), {"paths": [str(n) for n in range(scores.shape[1])]})
        self.lost = 0

    places = property(lambda self: norm.cdf(self.scores))

    def run(self, *_):
        self.differences = self.seen - self.function(self.scores)
        self.ran.append((self.scores, self.differences))

    known = inversion._Ensemble.known
    _ran = property(lambda self: self.ran)

    def dataset(self):
        import xarray
        return xarray.Dataset({"misfit": ("member", (self.differences**2).mean(1)), "scores": (("member", "axis"), self.scores)})


def invert(function, seen, p, members, seed):
    scores = norm.ppf(qmc.LatinHypercube(p, rng=seed).random(members))
    return inversion._smoothed(Formula(function, seen, scores), np.random.default_rng(seed), {}).members.scores.values


# ---- a linear model: mean and covariance of theory ----
rng = np.random.default_rng(1)
matrix, seen = rng.normal(size=(3, 12)) * [[10], [1], [0.05]], rng.normal(size=12)
found = invert(lambda z: z @ matrix, seen, 3, 400, 1)
covariance = np.linalg.inv(matrix @ matrix.T + np.eye(3))
off = (found.mean(0) - covariance @ matrix @ seen) / np.sqrt(np.diag(covariance))
check(np.abs(off).max() < 0.2, f"means are off by {off} deviations")
ratio = found.std(0) / np.sqrt(np.diag(covariance))
check(np.abs(ratio - 1).max() < 0.15, f"deviations are {ratio} of theory's")

# ---- simulations that are all the same teach nothing ----
check((inversion.smooth(found, np.ones((400, 3)), 0.5, rng) == found).all(), "members move without a reason")

# ---- a curved model: the share of the intervals that hold the truth ----
held = []
for seed in range(8):
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=(4, 20)) * np.geomspace(20, 0.1, 4)[:, None] / np.sqrt(20)

    def curved(z):
        return (z + 0.3 * np.roll(z, 1, 1) * z + 0.1 * np.sin(2 * z)) @ matrix

    truth = rng.normal(size=4)
    found = invert(curved, curved(truth[None])[0] + rng.normal(size=20), 4, 80, seed)
    held.append((np.quantile(found, 0.05, 0) <= truth) & (truth <= np.quantile(found, 0.95, 0)))
check(np.mean(held) > 0.74, f"{np.mean(held):.2f} of the 90 % intervals hold the truth")  # of 32, three standard deviations below 0.9 are 0.74

# ---- a hill of otok ----
HILL = """otok: 1
audit: off
seed: 2
grid: {nx: 12, ny: 12, spacing: 10}
base: [{cone: {height: 60, radius: 60}}, {simplex: {octaves: 2, wavelength: 50, amplitude: 5, combine: add}}]
phases: [{name: slides, iterations: 40, thermal: {dt: 1, talus: 30, rate: 0.1}}]
output: {every: 0}
"""
TALUS, HEIGHT, SEA = "phases.slides.thermal.talus", "base.0.cone.height", "sea.level"
STUDY = {"study": 1, "scenario": HILL, "monitor": {"every": 40},
         "vary": {TALUS: {"from": 10, "to": 40}, HEIGHT: {"from": 40, "to": 120, "scale": "log"}, SEA: {"from": -50, "to": -10}}}
with package.Simulation(package.Scenario(HILL, {TALUS: 22, HEIGHT: 90}), BACKEND, watch=False) as sim:
    sim.run()
    seen = sim.get("terrain") + 0.5 * np.random.default_rng(3).normal(size=(12, 12))
found = package.invert(STUDY, seen, SPACE / "hill", noise=0.5, members=24, seed=1, backend=BACKEND)
some = dataclasses.replace(found, members=found.members.isel(member=slice(9)))
for path in (TALUS, HEIGHT, SEA):
    nine = some.members[path].values
    check(np.allclose(some.interval(0.8)[path], (nine.min(), nine.max()), rtol=1e-9), f"{path}: nine members and one more are in ten places with equal chances: {some.interval(0.8)[path]}")
wide = found.interval(0.99)
check(wide[TALUS][0] <= 22 <= wide[TALUS][1] and wide[HEIGHT][0] <= 90 <= wide[HEIGHT][1], f"intervals: {wide}")
check(found.spread[TALUS] < 0.2 and found.spread[HEIGHT] < 0.2 and found.spread[SEA] > 0.6, f"spread: {found.spread}")
named = [path for path in (TALUS, HEIGHT, SEA) if any(path in words for words in found.unidentified)]
check(named == [path for path, value in found.spread.items() if value > 0.1053] and SEA in named, f"not identified: {found.unidentified}, of {found.spread}")
check(abs(sum(found.steps) - 1) < 1e-9 and found.powers[-1] == 1 and 0.2 < found.misfit < 2, f"{found}")
check(found.prior.sizes["member"] == 24 and found.members.verdict_word.shape == (24,) and found.lost == 0, f"{found.members}")
again = package.invert(STUDY, seen, SPACE / "hill", noise=0.5, members=24, seed=1, backend=BACKEND, resume=True)
check(again.members.identical(found.members), "repeated, it finds other members")
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    package.invert(STUDY, seen + np.linspace(0, 40, 12), noise=0.5, members=24, seed=1, backend=BACKEND)
check(any("cannot explain the terrain" in str(one.message) for one in told), f"a tilted hill is explained: {[str(one.message) for one in told]}")
covariance = np.eye(36) * 0.5**2 / 4  # of the means of four cells each
given = package.invert(STUDY, seen, noise=covariance, members=24, seed=1, backend=BACKEND)
for path in (TALUS, HEIGHT):
    off = abs(given.members[path].mean() - found.members[path].mean()) / found.members[path].std()
    check(off < 1, f"{path}: {off} deviations between the noise of cells and its covariance")
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    some = package.invert(STUDY, seen, noise=np.eye(2), members=24, seed=1, backend=BACKEND,
                          summary=lambda terrain, spacing: [terrain.mean(), np.log(terrain.max() - 35) if terrain.max() > 35 else np.nan])
lines = [str(one.message) for one in told if "have no finite number 1" in str(one.message)]
check(lines and some.lost >= sum(int(line.split("summary: ")[1].split()[0]) for line in lines) > 0, f"{some.lost} lost: {lines}")
first = some.prior[HEIGHT].values
check(len(first) < 24 and first.min() > 40 and np.isfinite(some.misfit) and re.match(r"step 0: summary: \d+ of 24 members .* leave the ensemble \(\d+", lines[0]), f"{lines}, {first.min()}")
wrong = np.eye(36) - 2 * np.eye(36, k=1) - 2 * np.eye(36, k=-1)
for text, call in (("the covariance of the summary's 36 numbers", lambda: package.invert(STUDY, seen, noise=np.eye(35))),
                   ("some numbers depend on others", lambda: package.invert(STUDY, seen, noise=wrong)),
                   ("give one of the grid's shape, (12, 12)", lambda: package.invert(STUDY, seen[1:], noise=1)),
                   ("20 members or more for 3", lambda: package.invert(STUDY, seen, noise=1, members=19)),
                   ("1 heights are not finite", lambda: package.invert(STUDY, np.where(seen == seen.max(), np.nan, seen), noise=1)),
                   ("1 heights are -9999, which", lambda: package.invert(STUDY, np.where(seen == seen.max(), -9999, seen), noise=1)),
                   ("12 heights are -1e+20, which", lambda: package.invert(STUDY, np.where(np.arange(12) == 3, -1e20, seen), noise=1)),
                   ("members have another length than the observed terrain, 2; the first is member ", lambda: package.invert(
                       STUDY, seen, noise=np.eye(2), members=24, backend=BACKEND, summary=lambda terrain, spacing: [terrain.mean(), terrain.max()][: 2 if terrain.max() > 50 else 1])),
                   ("noise=0", lambda: package.invert(STUDY, seen, noise=0)), ("noise=1 m", lambda: package.invert(STUDY, seen, noise="1 m")),
                   ("noise=nan", lambda: package.invert(STUDY, seen, noise=np.nan)), ("give a study's dictionary", lambda: package.invert("study.yaml", seen, noise=1)),
                   ("all finite", lambda: package.invert(STUDY, seen, noise=1, summary=lambda terrain, spacing: terrain[:0])),
                   ("all finite", lambda: package.invert(STUDY, seen, noise=1, summary=lambda terrain, spacing: [np.nan, 1])),
                   ("keeps the terrain", lambda: package.invert({**STUDY, "keep": {"fields": ["water"]}}, seen, noise=1)),
                   ("some numbers depend on others", lambda: package.invert(STUDY, seen, noise=1, summary=lambda terrain, spacing: np.repeat(terrain.mean(), 3)))):
    try:
        call()
        check(False, f"accepted: {text}")
    except package.UsageError as why:
        check(text in str(why), str(why))
finish()
