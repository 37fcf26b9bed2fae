#!/usr/bin/env python3
"""Compares the fields of rivers with Landlab's FlowAccumulator, ChannelProfiler, ChiFinder and SteepnessFinder on the ground of one state, and what
rivers cut from it with FastscapeEroder.

usage: rivers.py     (packages: requirements.txt; `run` installs them)
       OTOK_LIBRARY=path: libotok.so
Exit 0 if every difference keeps its bound, else 1."""
import sys
import tempfile
from pathlib import Path

import numpy as np
import xarray as xr
from landlab import RasterModelGrid
from landlab.components import ChannelProfiler, ChiFinder, FastscapeEroder, FlowAccumulator, SteepnessFinder

import otok

THETA, CELLS = 0.45, 100
here = Path(__file__).resolve().parent
scenario = otok.Scenario(here.parent.parent / "knickpoint/knickpoint.yaml", {"phases.doubled.iterations": 150, "output.every": 0})
with tempfile.TemporaryDirectory() as folder:
    ground = xr.open_dataset(otok.run(scenario, Path(folder) / "made", backend="cpu")[-1], engine="h5netcdf").terrain.values
    look = {"name": "look", "iterations": 1, "incision": {"dt": 1, "erodibility": 0, "m": THETA, "routing": "steepest"}}  # receivers of that ground
    routed = {"otok": 1, "grid": {"nx": scenario.nx, "ny": scenario.ny, "spacing": scenario.spacing}, "phases": [look], "initial": {"terrain": ground},
              "edges": dict.fromkeys(("left", "right", "bottom", "top"), "open")}
    state = xr.open_dataset(otok.run(routed, Path(folder) / "routed", backend="cpu")[-1], engine="h5netcdf").load()
    rises = {"name": "rise", "uplift": {"dt": "2 kyr", "rate": "0.4 mm/yr"}, "incision": {"erodibility": "1e-5 yr-1", "m": THETA, "routing": "steepest"}}
    cut = {n: xr.open_dataset(otok.run({**routed, "audit": "off", "phases": [{**rises, "iterations": n}]}, Path(folder) / f"cut{n}", backend="cpu")[-1],
                              engine="h5netcdf").load() for n in (1, 100)}
    ours = otok.rivers(state)
    fields = otok.derived(state, ["drainage_area"]).load()
ny, nx = ours.shape
grid = RasterModelGrid((ny, nx), xy_spacing=ours.spacing)
grid.add_field("topographic__elevation", state.terrain.values.astype(float).ravel(), at="node")
FlowAccumulator(grid, flow_director="FlowDirectorD8").run_one_step()
grid.at_node["drainage_area"][grid.boundary_nodes] += ours.spacing**2  # Landlab's boundary nodes have no cell, otok's have one
least = CELLS * ours.spacing**2
rivers = ours.channel
failures = 0


def tell(what, difference, bound):
    global failures
    failures += not difference <= bound
    print(f"{what:90} {difference:9.2g}  (bound {bound:g})")


mine, yours = np.where(ours.to >= 0, ours.to, np.arange(nx * ny)), grid.at_node["flow__receiver_node"]
height, (y, x) = state.terrain.values.astype(float).ravel(), np.divmod(np.arange(nx * ny), nx)
slopes = [(height - height[to]) / np.maximum(ours.spacing * np.hypot(x - x[to], y - y[to]), 1e-9) for to in (mine, yours)]
tell("cells whose slope to the receiver is not that of FlowAccumulator, to 1e-7 of it", float((np.abs(slopes[0] - slopes[1]) > 1e-7 * slopes[0]).sum()), 0)
tied, same = mine != yours, np.ones(nx * ny, bool)
for to in (mine, yours):
    below = tied
    while below.any():  # down from those that have two receivers of one slope
        below = np.isin(np.arange(nx * ny), to[below & (to != np.arange(nx * ny))])
        same &= ~below
area = fields.drainage_area.values.astype(float).ravel()
tell(f"drainage area of {same.sum()} cells, not below {tied.sum()} with two steepest ways, relative", float(np.abs(grid.at_node["drainage_area"] / area - 1)[same].max()), 1e-6)

steepness = SteepnessFinder(grid, reference_concavity=THETA, min_drainage_area=least)
steepness.calculate_steepnesses()
known = ~steepness.hillslope_mask & rivers & same
tell(f"k_sn of {known.sum()} river cells against SteepnessFinder, relative",
     float(np.abs(steepness.steepness_indices[known] / ours.steepness[known] - 1).max()), 1e-4)

finder = ChiFinder(grid, min_drainage_area=least, reference_concavity=THETA, reference_area=1.0, use_true_dx=True, clobber=True)
finder.calculate_chi()
upwards = grid.at_node["flow__upstream_node_order"]
upwards = upwards[np.isin(upwards, np.flatnonzero(rivers))]
upper = np.zeros(nx * ny)
finder.integrate_chi_avg_dx(upwards, ours.area[upwards] ** -THETA * ours.far[upwards], upper, 1.0)
tell("chi against ChiFinder.integrate_chi_avg_dx of the same terms, relative", float(np.abs(upper[rivers] / ours.chi[rivers] - 1).max()), 1e-5)
both = rivers & same & ~finder.hillslope_mask
line, theirs = (np.linalg.lstsq(np.stack([chi[both], np.ones(both.sum())], 1), ours.height[both], rcond=None)[0][0] for chi in (ours.chi, finder.chi_indices))
tell("slope of height over chi against that by ChiFinder's trapezoids, relative", abs(theirs / line - 1), 0.02)

profiler = ChannelProfiler(grid, number_of_watersheds=1, minimum_channel_threshold=least, main_channel_only=True)
profiler.run_one_step()
(watershed,) = profiler.data_structure.values()
(segment,) = watershed.values()
ids, distances = segment["ids"][1:], segment["distances"][1:]
along = np.cumsum(ours.far[ids])
tell(f"distances along the {ids.size} cells of ChannelProfiler's longest river [m]", float(np.abs(distances - along).max()), 1e-3)
tell("cells of that river whose receiver is not the one before", float((ours.to[ids] != segment["ids"][:-1]).sum()), 0)

# ---- what rivers cut: uplift, receivers, an implicit step ----
height = grid.at_node["topographic__elevation"]
accumulate, erode = FlowAccumulator(grid, flow_director="FlowDirectorD8"), FastscapeEroder(grid, K_sp=1e-5, m_sp=THETA, n_sp=1.0)
for step in range(1, 101):
    height[grid.core_nodes] += 0.4e-3 * 2e3
    accumulate.run_one_step()
    erode.run_one_step(2e3)
    if step not in cut:
        continue
    apart = np.abs(height - cut[step].terrain.values.astype(float).ravel()) / np.ptp(height)
    mine, yours = otok.rivers(cut[step]).to, grid.at_node["flow__receiver_node"]
    mine = np.where(mine >= 0, mine, np.arange(nx * ny))
    met = mine != yours  # two steepest ways; then what such cells drain to, and all that drains there
    for to in (mine, yours):
        below = met
        while (below := np.isin(np.arange(nx * ny), to[below & (to != np.arange(nx * ny))]) & ~met).any():
            met = met | below
    while (met != (more := met | met[mine])).any():
        met = more
    if step == 1:
        tell(f"FastscapeEroder: height of {(~met).sum()} cells after a step, over the relief", float(apart[~met].max()), 1e-6)
        tell("FastscapeEroder: of all cells, beside those with two steepest ways too", float(apart.max()), 0.01)
    else:
        tell(f"FastscapeEroder: height of all cells after {step} steps, over the relief", float(apart.max()), 0.01)
sys.exit(failures > 0)
