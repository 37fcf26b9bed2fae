"""A small island whose six parameters are asked for: its prior, its study, and islands drawn from the prior, with noise."""
from pathlib import Path

import numpy as np

import otok
from otok.laboratory import Axes

E, H = "phases.erosion.", "phases.erosion.hydraulic."
PRIOR = {
    "base.0.cone.height": {"from": 100, "to": 300}, E + "rain.rate": {"from": 5e-4, "to": 1e-2, "scale": "log"},
    H + "capacity": {"from": 0.05, "to": 1, "scale": "log"}, H + "dissolve": {"from": 0.002, "to": 0.1, "scale": "log"},
    H + "deposit": {"from": 0.002, "to": 0.1, "scale": "log"}, E + "thermal.talus": {"from": 15, "to": 40},
}
STUDY = {"study": 1, "scenario": str(Path(__file__).with_name("island.yaml")), "monitor": {"every": 60}, "vary": PRIOR}


def observe(seed, noise):
    """The parameters, the heights, and the generator."""
    rng = np.random.default_rng(seed)
    truth = {path: values.item() for path, values in Axes(STUDY).values(rng.random((1, len(PRIOR)))).items()}
    with otok.Simulation(otok.Scenario(STUDY["scenario"], truth), "cpu", watch=False) as sim:
        sim.run()
        heights = sim.get("terrain")
    return truth, heights + noise * rng.normal(size=heights.shape)
