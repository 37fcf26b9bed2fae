"""Claim: `experiments/volcano/detail/run` refines a finished island twice: each level begins with the volumes of the coarser one's layers, and
with its heights over the coarse cells, as bilinear values and the noise's amplitude allow; what a level changes is little and in the ledger."""
# slow: an island's whole life, and two levels

from cli import *

try:
    import h5py
    import numpy as np
except ImportError:
    skip("no h5py")
VOLCANO = pathlib.Path(__file__).resolve().parent.parent / "experiments/volcano"
N, SIDE = 24, 17280
otok("run", VOLCANO / "volcano.yaml", "-q", "-o", SPACE, *(f"--set=grid.{k}={v}" for k, v in (("nx", N), ("ny", N), ("spacing", SIDE / N))))
island, out = SPACE / "volcano_00002350.vtkhdf", SPACE / "detail"
done = subprocess.run([VOLCANO / "detail/run", island, out], capture_output=True, text=True, env={**ENV, "OTOK": OTOK})
said = done.stdout + done.stderr
check(done.returncode == 0, said)
verdicts = re.findall(r"^verdict: (\w+)", said, re.M)
check(len(verdicts) == 2 and {*verdicts} <= {"stable", "step_dependent"}, f"{verdicts}")
check(len(re.findall(r"^layer \w+ .* unexplained -?0\.000000 m3$", said, re.M)) == 16, f"layers without a balance: {said}")


def maps(path):
    with h5py.File(path) as f:
        return {name: f[name][:].astype(float) for name in f if name == "terrain" or name.startswith("layer_")}


def means(fine):
    return fine.reshape(fine.shape[0] // 2, 2, -1, 2).mean((1, 3))


def smooth(h):
    """The means over coarse cells of bilinear values on cells half as wide: 1/8, 3/4, 1/8 along both axes, borders held."""
    for _ in range(2):
        p = np.pad(h, ((1, 1), (0, 0)), "edge")
        h = (p[:-2] / 8 + p[1:-1] * 3 / 4 + p[2:] / 8).T
    return h


coarse = maps(island)
for level in (1, 2):
    first, last = (maps(path) for path in sorted((out / f"level_{level}").glob("*.vtkhdf")))
    n = N << level
    check(first["terrain"].shape == (n, n), f"level {level}: {first['terrain'].shape}")
    for name in coarse.keys() - {"terrain"}:
        before, after = coarse[name].mean(), first[name].mean()
        check(abs(after - before) <= 1e-5 * before, f"level {level}: {name} begins with {after} m in the mean, and had {before}")
    apart = np.abs(means(first["terrain"]) - smooth(coarse["terrain"])).max()
    check(apart <= 600 / n + 0.01, f"level {level}: {apart} m from the coarse heights")
    check(np.ptp(first["terrain"] - np.kron(smooth(coarse["terrain"]), np.ones((2, 2)))) > 600 / n, f"level {level}: no detail")
    moved, top = np.abs(means(last["terrain"]) - means(first["terrain"])), first["terrain"].max()
    check(np.percentile(moved, 90) <= 0.05 * top, f"level {level}: a tenth of the cells moved by more than {np.percentile(moved, 90)} of {top} m")
    check(moved.max() > 0.5, f"level {level}: nothing happened, {moved.max()} m at most")
    coarse = last
finish()
