"""Claim: what another model does to the ground and the water is booked: the ledger explains all of it, in layers too, and the verdict of
a run that is coupled at every step stays `stable`, where the same changes that are set, not booked, make it `non_conservative`.
`python3 tests/python_book.py PATH_TO_OTOK`, with OTOK_LIBRARY and PYTHONPATH set."""
from cli import *

with needed():
    import numpy as np
import otok as package

VALLEY = """otok: 1
grid: {nx: 48, ny: 40, spacing: 10}
base: [{cone: {height: 120, radius: 260}}, {power_blend: {strength: 0.3, reference: 100, with: [{simplex: {octaves: 4, wavelength: 120}}]}}]
phases: [{name: rain, iterations: 1000, rain: {rate: 0.01}, hydraulic: {dt: 0.05, area: depth, law: local_inertia, pipes: signed, manning: 0.04, transport: conservative}}]
"""
LAYERS = "\nlayers: [{name: soil, thickness: 0.4}, {name: rock, erodibility: 0.2}]\n"


def creep(ground, rate=0.02):
    """A component that knows nothing of otok: one step of diffusion in double, and uplift."""
    inside = np.pad(ground.astype(float), 1, mode="edge")
    curved = inside[2:, 1:-1] + inside[:-2, 1:-1] + inside[1:-1, 2:] + inside[1:-1, :-2] - 4 * inside[1:-1, 1:-1]
    return rate * curved + 1e-4


def coupled(give, text=VALLEY, every=10):
    sim = package.Simulation(text, backend=BACKEND)
    while sim.run(every):
        if sim.iteration < sim.iterations:
            give(sim, creep(sim["terrain"]))
    return sim


booked = coupled(lambda sim, change: sim.book("solid", change))
check(booked.verdict.word == "stable", f"booked: {booked.verdict}")
check(abs(booked.ledger["solid_error"]) < 1e-9 * booked.ledger["solid"], f"unexplained: {booked.ledger}")
expected = 99 * 1e-4 * 48 * 40 * 100  # creep moves ground, and uplift alone adds to it
check(abs(booked.ledger["solid_booked"] / expected - 1) < 0.01, f"{booked.ledger['solid_booked']} m3 booked, not {expected}")
by_hand = coupled(lambda sim, change: sim.set("terrain", sim["terrain"] + change))
check(by_hand.verdict.word == "non_conservative", f"set: {by_hand.verdict}")
check(f"{by_hand.ledger['solid_error']:.4g} m3 of solids came without `sim.book`, by fields that were set" in str(by_hand.verdict), f"set: {by_hand.verdict}")
check("`sim.book`" in by_hand.verdict.remedy, by_hand.verdict.remedy)


def pour(sim, _):
    np.asarray(sim.lend("water"))[...] += 0.1


poured = coupled(pour)
check("m3 of water came without `sim.book`" in str(poured.verdict), f"lent: {poured.verdict}")

# Every iteration, so that each window of the audit sees it, and across a checkpoint.
often = coupled(lambda sim, change: sim.book("solid", change / 10), every=1)
check(often.verdict.word == "stable", f"booked each iteration: {often.verdict}")
check(often.verdict.audit["water"] == often.verdict.audit["water"], f"no window was compared: {often.verdict.audit}")
often.save(SPACE / "booked.vtkhdf")
again = package.Simulation(VALLEY, backend=BACKEND)
again.load(SPACE / "booked.vtkhdf")
check(again.ledger == often.ledger, "a checkpoint keeps what is booked")

# Layers: what is laid joins the first, what is cut goes through both.
sim = package.Simulation(VALLEY + LAYERS, backend=BACKEND)
sim.run(10)
sim.book("solid", 0.5)
check(abs(sim["layer_soil"] - 0.9).max() < 0.01, "soil was laid")
sim.book("solid", -1.5)
check(sim["layer_soil"].max() == 0, "soil is left where rock was cut")
check(abs(sim.ledger["solid_error"]) < 1e-3 and abs(sim.ledger["solid_booked"] + 48 * 40 * 100) < 1, f"layers: {sim.ledger}")

# Water, and what is refused.
start = sim.ledger["water"]
sim.book("water", 0.25)
check(abs(sim.ledger["water"] - start - 48000) < 1 and abs(sim.ledger["water_error"]) < 1e-3, f"water: {sim.ledger}")
before = sim.fingerprint
for kind, change, said in (("water", -9.0, "leave at least 0 m"), ("solid", float("nan"), "finite"), ("solid", np.zeros((3, 3)), "shape"), ("soil", 1, "solid or water")):
    try:
        sim.book(kind, change)
        check(False, f"{kind}, {change}: not refused")
    except package.Error as why:
        check(said in str(why), f"{kind}, {change}: {why}")
check(sim.fingerprint == before, "a refused change changed something")
fresh = package.Simulation(VALLEY, backend=BACKEND)
fresh.book("solid", 2.0)
check(fresh.ledger["solid_booked"] == 0 and fresh.ledger["solid"] == fresh.ledger["solid_start"], "at iteration 0 it belongs to the start")
finish()
