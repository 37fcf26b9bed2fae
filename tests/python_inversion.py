"""Claim: otok.invert has the posterior that theory gives where the model is linear; its 90 % intervals hold the truth of a curved model and of one that
scatters, whose parameters are known from very well to not at all; two modes are two; a wrong model is rejected; where it did not converge, or the model is wrong, it
says so and has no interval. It finds the parameters of a small hill, also of one that was seen in parts, and names the one without
effect; a repeated call gives the same members. `python3 tests/python_inversion.py PATH_TO_OTOK`, with OTOK_LIBRARY and PYTHONPATH set."""
import dataclasses
import warnings

from cli import *

with needed():
    import h5netcdf  # noqa: F401
    import numpy as np
    import scipy  # noqa: F401
    import sklearn  # noqa: F401
import otok as package
from otok import _waves


def invert(function, seen, p, members, seed):
    """A search over a function in place of studies."""
    return _waves.search(p, members, lambda wave, scores: (scores, seen - function(scores)), np.random.default_rng(seed))


# ---- a linear model: mean and covariance of theory ----
rng = np.random.default_rng(1)
matrix, seen = rng.normal(size=(3, 12)) * [[10], [1], [0.05]], rng.normal(size=12)
found, why = invert(lambda z: z @ matrix, seen, 3, 200, 1)
check(why == "", f"a linear model: {why}")
covariance = np.linalg.inv(matrix @ matrix.T + np.eye(3))
(part,) = found.believed
off = (part.centre - covariance @ matrix @ seen) / np.sqrt(np.diag(covariance))
check(np.abs(off).max() < 0.15, f"means are off by {off} deviations")
ratio = np.sqrt(np.diag(part.root @ part.root.T) / np.diag(covariance))
check((ratio > 0.9).all() and (ratio < 1.4).all(), f"deviations are {ratio} of theory's")  # wider at most: the likelihood counts for what members show
off = (found.members.mean(0) - part.centre) / np.sqrt(np.diag(covariance))
check(np.abs(off).max() < 0.25, f"the mean of 200 members is off by {off} deviations")

# ---- simulations that are all the same teach nothing ----
found, why = invert(lambda z: np.zeros((len(z), 4)), np.zeros(4), 2, 80, 1)
check(why == "" and np.abs(found.believed[0].root - np.eye(2)).max() < 0.1, f"they teach {found.believed[0].root}; {why}")

# ---- what no parameter explains is no reason to go on: the search converges, with the residuals of a wrong model ----
def bent(z):
    return np.column_stack([30 * z[:, 0], 30 * z[:, 1] + 5 * z[:, 0] ** 2, *np.zeros((10, len(z)))])


truth, miss = np.array([0.3, -0.5]), np.r_[0, 0, np.full(10, 4.0)]  # each of ten numbers is off by four deviations
for name, wrong in (("right", 0), ("wrong", 1)):
    found, why = invert(bent, bent(truth[None])[0] + wrong * miss + np.random.default_rng(2).normal(size=12), 2, 60, 1)
    check(why == "" and (found.misfit > _waves.TOO_FAR) == bool(wrong), f"a {name} model: {why} misfit {found.misfit}")
    check((np.abs(found.members.mean(0) - truth) < 0.15).all(), f"a {name} model: {found.members.mean(0)}")

# ---- two modes are two ----
found, why = invert(lambda z: np.column_stack([z[:, 0] ** 2, z[:, 1], z[:, 0] ** 2 + z[:, 1]]) / 0.05, np.array([1, 0.5, 1.5]) / 0.05, 2, 120, 1)
centres = sorted(part.centre[0] for part in found.believed)
check(why == "" and len(centres) == 2 and abs(centres[0] + 1) < 0.1 and abs(centres[1] - 1) < 0.1, f"modes at {centres}; {why}")
check(min(part.share for part in found.believed) > 0.25, f"shares {[part.share for part in found.believed]}")

# ---- a curved model, and one that scatters: the share of the intervals that hold the truth ----
held, arrived = [], 0
for seed in range(6):
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=(3, 12)) * np.geomspace(20, 0.1, 3)[:, None] / np.sqrt(12)
    rough = np.random.default_rng(100 + seed)

    def curved(z):
        smooth = (z + 0.3 * np.roll(z, 1, 1) * z + 0.1 * np.sin(2 * z)) @ matrix
        return smooth + (seed % 2) * 2 * rough.normal(size=smooth.shape)  # neighbours differ by twice the noise

    truth = rng.normal(size=3)
    found, why = invert(curved, curved(truth[None])[0] + rng.normal(size=12), 3, 60, seed)
    arrived += why == ""
    if why == "":
        held.append((np.quantile(found.members, 0.05, 0) <= truth) & (truth <= np.quantile(found.members, 0.95, 0)))
check(arrived >= 4, f"{arrived} of 6 searches converged")
check(np.mean(held) > 0.9 - 3 * (0.09 / np.size(held)) ** 0.5, f"{np.mean(held):.2f} of {np.size(held)} 90 % intervals hold the truth")

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
found = package.invert(STUDY, seen, SPACE / "hill", noise=0.5, members=60, seed=1, backend=BACKEND)
some = dataclasses.replace(found, members=found.members.isel(member=slice(9)))
for path in (TALUS, HEIGHT, SEA):
    nine = some.members[path].values
    check(np.allclose(some.interval(0.8)[path], (nine.min(), nine.max()), rtol=1e-9), f"{path}: nine members and one more are in ten places with equal chances: {some.interval(0.8)[path]}")
for path, right in ((TALUS, 22), (HEIGHT, 90)):
    off = abs(float(found.members[path].mean()) - right) / float(found.members[path].std())
    check(off < 4, f"{path}: {off} deviations off")
check(found.spread[TALUS] < 0.2 and found.spread[HEIGHT] < 0.2 and found.spread[SEA] > 0.6, f"spread: {found.spread}")
named = [path for path in (TALUS, HEIGHT, SEA) if any(path in words for words in found.unidentified)]
check(named == [path for path, value in found.spread.items() if value > 0.1053] and SEA in named, f"not identified: {found.unidentified}, of {found.spread}")
check(found.status == "converged" and found.why == "" and found.held >= 0.85 and found.misfit < 2 and found.chance > 0.01, f"{found}")
check(found.residuals.sizes["number"] == 36 and 0.3 < float((found.residuals.score**2).mean()) < 2, f"{found.residuals}")
check(found.prior.sizes["member"] == 60 and found.members.verdict_word.shape == (60,) and found.lost == 0, f"{found.members}")
found.save(SPACE / "hill.h5")
opened = package.Posterior.load(SPACE / "hill.h5")
check(opened.interval() == found.interval() and all(getattr(opened, name).identical(getattr(found, name)) for name in ("members", "prior", "directions", "residuals")),
      "a saved posterior answers otherwise")
check((opened.status, opened.spread, opened.unidentified, opened.misfit) == (found.status, found.spread, found.unidentified, found.misfit), f"{opened}")
again = package.invert(STUDY, seen, SPACE / "hill", noise=0.5, members=60, seed=1, backend=BACKEND, resume=True)
check(again.members.identical(found.members), "repeated, it finds other members")
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    rippled = package.invert(STUDY, seen + np.where(np.arange(12) // 2 % 2, 1, -1), noise=0.5, members=60, seed=1, backend=BACKEND)
check(rippled.status != "converged" and any(f"{rippled.status}: " in str(one.message) for one in told), f"a rippled hill is explained: {rippled}")
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    ends = rippled.interval(0.9)
check(np.isnan(list(ends.values())).all() and f"no interval: {rippled.status}" in str(told[0].message), f"an interval of a model that is rejected: {ends}")
check(np.abs(rippled.residuals.score).max() > 3, f"residuals of a rippled hill: {rippled.residuals.score}")
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    few = package.invert(STUDY, seen, noise=0.5, members=20, seed=1, backend=BACKEND)
check("20 members for 3 parameters seldom converge" in str(told[0].message), f"{told[0].message}")
check(few.status != "rejected" and (few.status == "converged" or np.isnan(few.interval()[TALUS]).all()), f"20 members: {few.status}, {few.why}")

# ---- observations as they are ----
holes = seen.copy()
holes[:, 8:], holes[3, 3] = np.nan, np.nan
noisy = np.full((12, 12), 0.5)
noisy[:, :4] = 50  # a part that tells nothing
parts = {"holes and a map of noise": (np.where(noisy > 1, holes + 40, holes), dict(noise=noisy), 24),
         "a length and a discrepancy": (seen, dict(noise=0.5, correlation=30, discrepancy=(2, 50)), 36)}
for name, (terrain, how, numbers) in parts.items():
    other = package.invert(STUDY, terrain, members=60, seed=1, backend=BACKEND, **how)
    check(other.status == "converged" and other.residuals.sizes["number"] == numbers, f"{name}: {other.status} {other.why}")
    low, high = other.interval(0.99)[HEIGHT]
    check(low <= 90 <= high, f"{name}: {low} to {high}")
    if name == "a length and a discrepancy":
        check(other.spread[HEIGHT] > 1.3 * found.spread[HEIGHT], f"{name}: the spread is {other.spread[HEIGHT]}, without it {found.spread[HEIGHT]}")
covariance = np.eye(36) * 0.5**2 / 4  # of the means of four cells each
given = package.invert(STUDY, seen, noise=covariance, members=60, seed=1, backend=BACKEND)
for path in (TALUS, HEIGHT):
    off = abs(given.members[path].mean() - found.members[path].mean()) / found.members[path].std()
    check(off < 1, f"{path}: {off} deviations between the noise of cells and its covariance")
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    some = package.invert(STUDY, seen, noise=np.eye(2), members=60, seed=1, backend=BACKEND,
                          summary=lambda terrain, spacing: [terrain.mean(), np.log(terrain.max() - 35) if terrain.max() > 35 else np.nan])
lines = [str(one.message) for one in told if "have no finite number 1" in str(one.message)]
check(lines and some.lost >= sum(int(line.split("summary: ")[1].split()[0]) for line in lines) > 0, f"{some.lost} lost: {lines}")
first = some.prior[HEIGHT].values
check(len(first) < 60 and first.min() > 40 and np.isfinite(some.misfit) and re.match(r"step 0: summary: \d+ of 60 members .* leave the ensemble \(\d+", lines[0]), f"{lines}, {first.min()}")
wrong = np.eye(36) - 2 * np.eye(36, k=1) - 2 * np.eye(36, k=-1)
for text, call in (("the covariance of the summary's 36 numbers", lambda: package.invert(STUDY, seen, noise=np.eye(35))),
                   ("no covariance of numbers", lambda: package.invert(STUDY, seen, noise=wrong)),
                   ("give one of the grid's shape, (12, 12)", lambda: package.invert(STUDY, seen[1:], noise=1)),
                   ("20 members or more for 3", lambda: package.invert(STUDY, seen, noise=1, members=19)),
                   ("1 heights are not finite", lambda: package.invert(STUDY, np.where(seen == seen.max(), np.inf, seen), noise=1)),
                   ("144 heights are not finite", lambda: package.invert(STUDY, seen * np.nan, noise=1)), ("lengths of 0 or more", lambda: package.invert(STUDY, seen, noise=1, correlation=-1)),
                   ("leave out correlation", lambda: package.invert(STUDY, seen, noise=np.eye(36), correlation=5)),
                   ("1 heights are -9999, which", lambda: package.invert(STUDY, np.where(seen == seen.max(), -9999, seen), noise=1)),
                   ("12 heights are -1e+20, which", lambda: package.invert(STUDY, np.where(np.arange(12) == 3, -1e20, seen), noise=1)),
                   ("members have another length than the observed terrain, 2; the first is member ", lambda: package.invert(
                       STUDY, seen, noise=np.eye(2), members=60, backend=BACKEND, summary=lambda terrain, spacing: [terrain.mean(), terrain.max()][: 2 if terrain.max() > 50 else 1])),
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
