#!/usr/bin/env python3
"""Runs rain and erosion on slopes under the three laws against exact solutions, and prints how far each is from them.

usage: slopes.py [short]     (needs numpy; 6 s of processor time; short: the coarse grids)
       OTOK_LIBRARY=path: libotok.so
Exit 0 if `shallow_water` keeps every bound, else 1. The bounds were chosen before the first run."""
import sys

from compare import LAWS, np, otok

N = 0.03  # Manning's


def slope_of(law, ground, water, l, dt, erosion=None, rain=None, river=None, fall=None):
    """A row of cells that drains to the right, at a normal depth."""
    ground, water = np.atleast_2d(ground), np.atleast_2d(water)
    hydraulic = {"law": law, "dt": dt, "gravity": 9.81, "evaporation": 0, "capacity": 0, "displace_water": False, **(erosion or {})}
    phase = {"name": "slope", "iterations": 10**9, "hydraulic": hydraulic}
    if law == "published":
        hydraulic |= {"pipe_area": l, "capacity_law": "speed_depth", "slope": "downhill"}
    else:
        hydraulic["manning"] = N
        phase["sides"] = {"right": "normal_depth", "right_slope": fall}
    if rain:
        phase["rain"] = rain
    if river:
        phase["rivers"] = [{"x": l / 2, "y": l / 2, "radius": l / 2, "discharge": river * l}]
    scenario = {"otok": 1, "grid": {"nx": ground.shape[1], "ny": 1, "spacing": l}, "edges": {"right": "open"}, "audit": "off",
                "initial": {"terrain": ground.astype(np.float32), "water": water.astype(np.float32)}, "phases": [phase]}
    return otok.Simulation(otok.Scenario(scenario), backend="cpu")


# ---- a storm on a plane: kinematic waves (Woolhiser & Liggett 1967; their number k is 740 here) ----

LONG, FALL, RATE, STORM = 100.0, 0.05, 60 / 3.6e6, 900.0  # [m], 1, [m/s], [s]


def hydrograph(t):
    """Discharge per width at the foot [m2/s]."""
    alpha, full = np.sqrt(FALL) / N, RATE * LONG
    rising = alpha * (RATE * np.minimum(t, STORM)) ** (5 / 3)
    q, low, high = np.minimum(rising, full), np.zeros_like(t), np.full_like(t, full)
    for _ in range(60):  # the crest of a depth that is past the foot: L = q/i + 5/3 alpha^(3/5) q^(2/5) (t - storm)
        middle = (low + high) / 2
        beyond = middle / RATE + 5 / 3 * alpha**0.6 * middle**0.4 * np.maximum(t - STORM, 0) > LONG
        low, high = np.where(beyond, low, middle), np.where(beyond, middle, high)
    return np.where(t > STORM, low, q)


def storm_error(law, cells):
    """The mean error of the discharge per half minute, over its peak."""
    l = LONG / cells
    dt, window = 0.25 * l, 30.0
    sim = slope_of(law, FALL * l * (cells - np.arange(cells)), np.zeros(cells), l, dt, fall=FALL,
                   rain={"rate": RATE, "history": {"between": "steps", "points": [[0, 1], [STORM, 0]]}})
    out = [0.0]
    for _ in range(60):
        sim.run(round(window / dt))
        out.append(sim.ledger["water_out"])
    found = np.diff(out) / window / l
    fine = np.arange(0, 60 * window, 0.5) + 0.25
    exact = hydrograph(fine).reshape(60, -1).mean(axis=1)
    return np.abs(found - exact).mean() / exact.max()


# ---- uniform flow 0.3 m deep on a slope of 0.01: Froude number 0.86 ----

DEEP, STEEP = 0.3, 0.01
SPEED = DEEP ** (2 / 3) * np.sqrt(STEEP) / N
SINE = STEEP / np.sqrt(1 + STEEP**2)


def capacity_error(law, cells):
    """Clear water enters, and its load s approaches the capacity C: s = C (1 - exp(-k x/u)). The mean error over C, beyond 10 m."""
    l, take, kappa = 400 / cells, 0.02, 1e-4
    sim = slope_of(law, STEEP * l * (cells - np.arange(cells)), np.full(cells, DEEP), l, 0.05 * l, fall=STEEP, river=SPEED * DEEP,
                   erosion={"capacity": kappa, "dissolve": take, "deposit": take})
    sim.run(round(900 / (0.05 * l)))
    found, x = sim.get("sediment")[0].astype(float), np.arange(cells) * l + l / 2
    most = kappa * SPEED * SINE * DEEP
    inside = (x > 10) & (x < 390)
    return np.abs(found - most * (1 - np.exp(-take * x / SPEED)))[inside].mean() / most




# ---- a dune of small amplitude on that flow, by the equations of de Saint-Venant and Exner, linear ----

def dune_theory(k, take, kappa):
    """The rate s of a dune exp(i k x + s t): decay, and i times migration. Steady flow over it is deeper by d1; the load u s lags behind
    its capacity kappa q sin(a)."""
    q, load = SPEED * DEEP, kappa * SPEED * DEEP * SINE
    froude2 = SPEED**2 / (9.81 * DEEP)
    d1 = -1j * k / ((1 - froude2) * 1j * k - 10 / 3 * STEEP / DEEP)
    u1 = -SPEED * d1 / DEEP
    s1 = (take * kappa * q * -1j * k * (SINE / STEEP) ** 3 - 1j * k * u1 * load) / (1j * k * SPEED + take)
    return -1j * k * (SPEED * s1 + u1 * load)


def dune_error(law, cells):
    """A dune of 3 mm and 100 m: the error of its rate from 300 to 1500 s, over the rate. The plane without it is taken off."""
    l, take, kappa, k = 800 / cells, 0.5, 0.1, 2 * np.pi / 100
    x = np.arange(cells) * l + l / 2
    inside, dt = (x > 300) & (x < 700), 0.15 * l
    waves = []
    for tall in (0.003, 0):
        ground = STEEP * (800 - x) + tall * np.sin(k * x)
        sim = slope_of(law, ground, np.full(cells, DEEP), l, dt, fall=STEEP, river=SPEED * DEEP,
                       erosion={"capacity": kappa, "dissolve": take, "deposit": take})
        for seconds in (300, 1200):
            sim.run(round(seconds / dt))
            found = sim.get("terrain_change")[0].astype(float) + tall * np.sin(k * x)
            waves.append((found * np.exp(-1j * k * x))[inside].mean())
    rate, exact = np.log((waves[1] - waves[3]) / (waves[0] - waves[2])) / 1200, dune_theory(k, take, kappa)
    return abs(rate - exact) / abs(exact)


# ---- erosion of a plane by steady rain ----

def rain_erosion_error(law, cells):
    """Rain on a plane: the load follows its capacity, q_s = kappa u q sin(a), and the plane sinks by its gradient,
    7/5 kappa sin(a) alpha^(3/5) i^(7/5) x^(2/5). The mean error from a fifth of the plane to four fifths, over the mean:
    the last cell has nothing below it, so that sediment settles there, and before it in time."""
    l, rain, kappa = LONG / cells, 100 / 3.6e6, 1.0
    dt = 0.25 * l
    sim = slope_of(law, FALL * l * (cells - np.arange(cells)), np.zeros(cells), l, dt, fall=FALL, rain={"rate": rain},
                   erosion={"capacity": kappa, "dissolve": 0.5, "deposit": 0.5})
    sim.run(round(900 / dt))
    before = sim.get("terrain_change")[0].astype(float)
    sim.run(round(900 / dt))
    found = (before - sim.get("terrain_change")[0].astype(float)) / 900
    x = np.arange(cells) * l + l / 2
    exact = 1.4 * kappa * FALL / np.sqrt(1 + FALL**2) * (np.sqrt(FALL) / N) ** 0.6 * rain**1.4 * x**0.4
    inside = (x > LONG / 5) & (x < 0.8 * LONG)
    return np.abs(found - exact)[inside].mean() / exact[inside].mean()


# ---- what erosion owes to the step and to the cells ----

def torrent(law, l, dt):
    """The volume per width that a torrent of Froude 1.9, 0.3 m deep, takes from 200 m of its bed in 200 s [m2]."""
    cells, slope = round(200 / l), 0.05
    speed = DEEP ** (2 / 3) * np.sqrt(slope) / N
    sim = slope_of(law, slope * l * (cells - np.arange(cells)), np.full(cells, DEEP), l, dt, fall=slope, river=speed * DEEP,
                   erosion={"capacity": 0.1, "dissolve": 0.05, "deposit": 0.05})
    sim.run(round(200 / dt))
    return np.abs(sim.get("terrain_change")[0].astype(float)).sum() * l


def sheet(law, l, dt):
    """The same of a sheet of rain, 60 mm/h for 600 s on 200 m of a slope of 0.3."""
    cells, slope = round(200 / l), 0.3
    sim = slope_of(law, slope * l * (cells - np.arange(cells)), np.zeros(cells), l, dt, fall=slope, rain={"rate": RATE},
                   erosion={"capacity": 0.1, "dissolve": 0.05, "deposit": 0.05})
    sim.run(round(600 / dt))
    return np.abs(sim.get("terrain_change")[0].astype(float)).sum() * l


def main():
    short = "short" in sys.argv
    failures = []

    def row(case, values, bound, kept):
        print(f"| {case} | " + " | ".join(values) + f" | {bound} |", flush=True)
        if not kept:
            failures.append(case)

    print("| case | published | local inertia | shallow water | with half the cells | bound |\n| -- | -- | -- | -- | -- | -- |")
    for case, error, bound in (("storm on a plane: discharge", storm_error, 0.02), ("load that approaches its capacity", capacity_error, 0.02),
                               ("plane under rain: erosion", rain_erosion_error, 0.05),
                               ("dune of 3 mm: rate", dune_error, 0.1)):
        cells = 400 if error is dune_error else 100
        found = [error(law, cells) for law in LAWS] + [np.nan if short else error(LAWS[2], 2 * cells)]
        row(case, [f"{100 * e:.2g} %" for e in found], f"{100 * bound:.2g} %", found[2] < bound and (short or found[3] < bound))
    for case, taken, dt in (("torrent", torrent, 0.25), ("sheet", sheet, 0.5)):
        whole = [taken(law, 2.0, dt) for law in LAWS]
        for what, bound, other in (("a quarter of the step", 0.02, [taken(law, 2.0, dt / 4) for law in LAWS]),
                                   ("half the cells", 0.15, [taken(law, 1.0, dt / 2) for law in LAWS])):
            found = [abs(a / b - 1) for a, b in zip(whole, other)]
            row(f"erosion by a {case}: change with {what}", [f"{100 * e:.2g} %" for e in found] + [""], f"{100 * bound:.2g} %", found[2] < bound)
    for case in failures:
        print(f"beyond its bound: {case}", file=sys.stderr)
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
