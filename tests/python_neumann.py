"""Claim: the limits of the time step of water with a depth are those of von Neumann's analysis. The amplification of a step over uniform
flow is at most 1 for all wave numbers, Froude numbers to 2 and directions at C = 0.97, and above 1 at C = 1.03 at rest and on a row, and
at C = 1.3 in flow on a square, where the limit is on the safe side. C = (|u| + |v| + sqrt(2 g d)) dt / l under shallow_water, sqrt(2 g d)
dt / l under local_inertia, which carries no momentum; sqrt(g d) on a row of cells. Runs do not grow at 0.97, and grow at 1.03 at the rate
of the analysis, with `bed_steps: critical` as without."""
import os
import sys

try:
    import numpy as np

    import otok
except ImportError as why:
    print(f"skipped: {why}")
    sys.exit(77)

G, RIPPLE = 9.81, 1e-5
WORST = []


def check(held, words):
    if not held:
        WORST.append(words)
        print(f"python_neumann: {words}")


def step(law, u, v, depth, dt, a, b):
    """The matrices of a step of size dt on cells of 1 m without friction, for wave numbers a and b (radians per cell): what the depth
    and the speeds (or flows over depth) at right and top faces become. model/shallow.h and model/pipes.h, linear around u, v >= 0."""
    one, zero = np.ones_like(a, complex), np.zeros_like(a, complex)
    left, below = np.exp(-1j * a), np.exp(-1j * b)  # the value a cell to the left, or below
    east, north = 1 / left - 1, 1 / below - 1  # of a cell, to its right face, or top one
    depths = np.stack([one, zero, zero])
    right, top = np.stack([-dt * G * east, one, zero]), np.stack([-dt * G * north, zero, one])  # after the pull
    shallow = law == "shallow_water"
    flow_x = depth * right + (u * depths if shallow else 0)  # upwind
    flow_y = depth * top + (v * depths if shallow else 0)
    after = depths - dt * ((1 - left) * flow_x + (1 - below) * flow_y)
    if not shallow:
        return np.moveaxis(np.stack([after, right, top]), 2, 0)
    pull_x, pull_y = -dt * G * east * after, -dt * G * north * after  # the next ones, carried across the flow
    right = right - dt * (u * (1 - left) + v * (1 - below)) * right - dt * v * (1 - below) * pull_x
    top = top - dt * (u * (1 - left) + v * (1 - below)) * top - dt * u * (1 - left) * pull_y
    return np.moveaxis(np.stack([after, right, top]), 2, 0)


def growth(law, courant, froude, turn, row=False, n=64):
    """The largest amplification over n x n wave numbers; a row has none across."""
    c = np.sqrt(G)
    u, v = froude * c * np.cos(turn), froude * c * np.sin(turn)
    dt = courant / ((u + v if law == "shallow_water" else 0) + c * (1 if row else np.sqrt(2)))
    k = np.arange(n + 1) * np.pi / n
    a, b = (x.ravel() for x in np.meshgrid(np.concatenate([-k[1:-1], k]), [0.0] if row else k))
    return float(np.abs(np.linalg.eigvals(step(law, u, v, 1.0, dt, a, b))).max()), dt


def run(keys, courant, froude, n, row, steps):
    """A run over uniform flow along x with a ripple of every wave number: the growth of its depth, in all and per step at the end."""
    dt = growth(keys["law"], courant, froude, 0, row, 8)[1]
    rng = np.random.default_rng(1)
    rows = 1 if row else n
    sim = otok.Simulation(otok.Scenario({
        "otok": 1, "grid": {"nx": n, "ny": rows, "spacing": 1}, "audit": "off", "edges": dict.fromkeys(("left", "right", "bottom", "top"), "periodic"),
        "initial": {"terrain": np.zeros((rows, n), np.float32), "water": np.ones((rows, n), np.float32)},
        "phases": [{"name": "water", "iterations": 10**6, "hydraulic": {
            **keys, "dt": dt, "manning": 0, "gravity": G, "capacity": 0, "dissolve": 0, "deposit": 0, "displace_water": False, "evaporation": 0}}]}))
    sim.set("water", (1 + RIPPLE * rng.uniform(-1, 1, (rows, n))).astype(np.float32))
    if froude:
        sim.set("outflow_right", np.full((rows, n), froude * np.sqrt(G), np.float32))
    sizes = []
    for _ in range(4):
        sim.run(steps // 4)
        sizes.append(float(np.std(sim.get("water").astype(float))))
    return sizes[-1] / (RIPPLE / np.sqrt(3)), (sizes[-1] / sizes[-2]) ** (4 / steps)


for law in ("shallow_water", "local_inertia"):
    for froude in (0, 0.1, 0.3, 0.7, 1, 1.5, 2) if law == "shallow_water" else (0,):
        turns, beyond = np.radians([0, 10, 26.6, 45, 70, 90]), 1.3 if froude else 1.03
        calm = max(growth(law, courant, froude, turn)[0] for turn in turns for courant in (0.3, 0.7, 0.97))
        wild = [growth(law, beyond, froude, turn)[0] for turn in turns]
        print(f"{law}, Fr {froude}: {calm:.9f} to 0.97; {min(wild):.4f} to {max(wild):.4f} at {beyond}")
        check(calm < 1 + 1e-9, f"{law}, Fr {froude}: a step amplifies {calm} times at C = 0.97")
        check(min(wild) > 1.005, f"{law}, Fr {froude}: a step amplifies {min(wild)} times at C = {beyond}")
    for froude in (0, 0.7, 1.5) if law == "shallow_water" else (0,):
        calm, wild = growth(law, 0.97, froude, 0, True)[0], growth(law, 1.03, froude, 0, True)[0]
        print(f"{law} on a row, Fr {froude}: {calm:.9f}, {wild:.4f}")
        check(calm < 1 + 1e-9 < 1.01 < wild, f"{law} on a row, Fr {froude}: {calm} and {wild}")
if os.environ.get("OTOK_ANALYSIS_ONLY"):
    sys.exit(bool(WORST))
for keys in ({"law": "shallow_water"}, {"law": "shallow_water", "bed_steps": "critical"}, {"law": "local_inertia"},
             {"law": "local_inertia", "bed_steps": "critical"}):
    name = " ".join(keys.values())
    for froude, row in ((0, True), (0, False), (0.7, True)) if keys["law"] == "shallow_water" else ((0, True), (0, False)):
        n = 64 if row else 32
        left, _ = run(keys, 0.97, froude, n, row, 400)
        _, rate = run(keys, 1.03, froude, n, row, 60 if froude else 20)
        right = growth(keys["law"], 1.03, froude, 0, row, n // 2)[0]
        print(f"{name}, Fr {froude}, {'row' if row else 'square'}: {left:.3g} of the ripple left at 0.97; x {rate:.3f} a step at 1.03, {right:.3f} by theory")
        check(left < 1.5, f"{name}, Fr {froude}: {left} of the ripple are left at C = 0.97")
        check(abs(np.log(rate) / np.log(right) - 1) < 0.15, f"{name}, Fr {froude}: x {rate} a step at C = 1.03, {right} by theory")
sys.exit(bool(WORST))
