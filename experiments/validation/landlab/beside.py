"""A component of Landlab beside otok in one loop: otok's flood and Landlab's LinearDiffuser change one ground, each in turn.
`sim.book` tells otok what Landlab did. Exits 0 if the ledger explains all solids and the verdict is `stable`."""
import sys

import numpy as np
from landlab import RasterModelGrid
from landlab.components import LinearDiffuser

import otok

VALLEY = """otok: 1
grid: {nx: 48, ny: 40, spacing: 10}
base: [{cone: {height: 120, radius: 260}}, {power_blend: {strength: 0.3, reference: 100, with: [{simplex: {octaves: 4, wavelength: 120}}]}}]
phases: [{iterations: 1000, rain: {rate: 36 mm/h}, hydraulic: {dt: 0.5, law: local_inertia, manning: 0.04}}]
"""
DIFFUSIVITY, EVERY = 1e-4, 10  # m2/s, as strong as the water; iterations between two steps of Landlab

sim = otok.Simulation(VALLEY)
grid = RasterModelGrid(sim.scenario.shape, xy_spacing=sim.scenario.spacing)
ground = grid.add_zeros("topographic__elevation", at="node")
creep, before = LinearDiffuser(grid, linear_diffusivity=DIFFUSIVITY), 0.0
while sim.run(EVERY):
    ground[:] = sim["terrain"].astype(float).ravel()
    kept = ground.copy()
    creep.run_one_step(sim.time - before)
    before = sim.time
    sim.book("solid", (ground - kept).reshape(grid.shape))
ledger, verdict = sim.ledger, sim.verdict
print(f"{ledger['solid_booked']:.3f} m3 booked for Landlab, {ledger['solid_error']:.2g} m3 unexplained")
print(verdict)
sys.exit(verdict.word != "stable" or abs(ledger["solid_error"]) > 1e-9 * ledger["solid"])
