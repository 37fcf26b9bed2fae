#!/usr/bin/env python3
"""Runs the same storm, hillslope, sea bed and reef with Landlab and with otok, and prints how far they differ.

usage: compare.py [FIGURE.png]     (packages: requirements.txt; `run` installs them)
       OTOK_LIBRARY=path: libotok.so
Exit 0 if every difference keeps its bound, else 1."""
import sys

import numpy as np
from landlab import RasterModelGrid
from landlab.components import CarbonateProducer, LinearDiffuser, OverlandFlow, SimpleSubmarineDiffuser

import otok

NY, NX, L = 40, 60, 10.0  # cells, and their size [m]
CLOSED = {side: "closed" for side in ("left", "right", "bottom", "top")}


def valley():
    """A valley that falls to the south (row 0), with hillocks and a hollow [m]."""
    y, x = np.mgrid[0:NY, 0:NX] * L
    across = np.abs(x - x.mean())
    hillocks = 0.4 * np.sin(x / 37) * np.cos(y / 53)
    hollow = -1.5 * np.exp(-((x - 300) ** 2 + (y - 230) ** 2) / 40**2)
    return 0.02 * y + 0.01 * across + hillocks + hollow + 5


def landlab_grid(heights, open_south):
    """The cells of otok are the core nodes, within a ring of boundary nodes at the height of the nearest cell."""
    grid = RasterModelGrid((NY + 2, NX + 2), xy_spacing=L)
    grid.set_closed_boundaries_at_grid_edges(True, True, True, not open_south)
    grid.add_field("topographic__elevation", np.pad(heights, 1, mode="edge").ravel(), at="node")
    return grid


def core(grid, name):
    return grid.at_node[name].reshape(NY + 2, NX + 2)[1:-1, 1:-1]


def storm(theta, dt=1.0, rain=60e-3 / 3600, raining=900, seconds=2700, manning=0.05):
    """Depths at the end, and outflow by the minute [m3], of Landlab and of otok.

    Landlab adds the rain of a step at its end, otok at its start. So Landlab starts with the rain of one step on the ground and stops
    raining one step earlier: then both compute the same sequence."""
    ground = valley()
    grid = landlab_grid(ground, True)
    grid.add_zeros("surface_water__depth", at="node")
    film = 1e-8  # [m] Landlab divides by depths
    theirs = OverlandFlow(grid, h_init=film, alpha=1.0, mannings_n=manning, g=9.80665, theta=theta)
    grid.at_node["surface_water__depth"][grid.core_nodes] += rain * dt
    outlet = grid.links_at_node[grid.nodes_at_bottom_edge[1:-1], 1]  # to the north of the boundary nodes

    scenario = {
        "otok": 1, "grid": {"nx": NX, "ny": NY, "spacing": L}, "edges": {**CLOSED, "bottom": "open"},
        "initial": {"terrain": ground.astype(np.float32)},
        "phases": [{
            "name": "storm", "iterations": round(seconds / dt), "rain": {"rate": rain, "during": [[0, round(raining / dt)]]},
            "hydraulic": {"law": "local_inertia", "dt": dt, "gravity": 9.80665, "manning": manning, "friction": "axis", "theta": theta, "capacity": 0},
        }],
    }
    ours = otok.Simulation(otok.Scenario(scenario), backend="cpu")
    minutes = {"Landlab": [], "otok": []}
    before = 0.0
    for minute in range(seconds // 60):
        out = 0.0
        for step in range(round(60 / dt)):
            now = minute * 60 + (step + 1) * dt
            theirs.rainfall_intensity = rain if now < raining - dt / 2 else 0.0
            theirs.overland_flow(dt=dt)
            out += -grid.at_link["surface_water__discharge"][outlet].sum() * L * dt
        ours.run(round(60 / dt))
        minutes["Landlab"].append(out)
        minutes["otok"].append(ours.ledger["water_out"] - before)
        before = ours.ledger["water_out"]
    return np.array(core(grid, "surface_water__depth")), np.array(ours["water"], dtype=float), {k: np.array(v) for k, v in minutes.items()}


def hillslope(dt=500.0, steps=200, diffusivity=0.02):
    """Heights after 100,000 years of creep [m], of Landlab and of otok; years serve as seconds."""
    ground = valley()
    grid = landlab_grid(ground, False)
    theirs = LinearDiffuser(grid, linear_diffusivity=diffusivity)
    ours = otok.Simulation(otok.Scenario({
        "otok": 1, "grid": {"nx": NX, "ny": NY, "spacing": L}, "edges": CLOSED, "initial": {"terrain": ground.astype(np.float32)},
        "phases": [{"name": "creep", "iterations": steps, "creep": {"dt": dt, "diffusivity": diffusivity}}],
    }), backend="cpu")
    for _ in range(steps):
        theirs.run_one_step(dt)
    ours.run(steps)
    return ground, np.array(core(grid, "topographic__elevation")), np.array(ours["terrain"], dtype=float)


def seabed(dt=10.0, steps=500, diffusivity=1.0, sea=8.0, wave_base=2.0, tidal_range=1.0):
    """Heights after 5,000 years under a sea that covers half of the valley [m], of Landlab and of otok; years serve as seconds."""
    ground = valley()
    grid = landlab_grid(ground, False)
    theirs = SimpleSubmarineDiffuser(grid, sea_level=sea, wave_base=wave_base, shallow_water_diffusivity=diffusivity, tidal_range=tidal_range)
    marine = {"dt": dt, "diffusivity": diffusivity, "wave_base": wave_base, "tidal_range": tidal_range}
    ours = otok.Simulation(otok.Scenario({
        "otok": 1, "grid": {"nx": NX, "ny": NY, "spacing": L}, "edges": CLOSED, "sea": {"level": sea},
        "initial": {"terrain": ground.astype(np.float32)}, "phases": [{"name": "sea", "iterations": steps, "marine_diffusion": marine}],
    }), backend="cpu")
    for _ in range(steps):
        theirs.run_one_step(dt)
    ours.run(steps)
    return ground, np.array(core(grid, "topographic__elevation")), np.array(ours["terrain"], dtype=float)


def margin(step=10.0, years=200000, period=40000.0, swing=120.0, uplift=0.001):
    """Carbonate on the rising continental margin of Landlab's own example of CarbonateProducer [m], of Landlab and of otok, which has a tenth
    of the steps; years serve as seconds. Landlab adds rate times step, at the sea of the middle of the step."""
    slope = 0.01 * (25000.0 - 1000.0 * np.arange(101))
    grid = RasterModelGrid((3, 101), xy_spacing=1000.0)
    grid.add_field("sea_level__elevation", 0.0, at="grid")
    height = grid.add_field("topographic__elevation", np.tile(slope, 3), at="node")
    theirs = CarbonateProducer(grid)
    for n in range(round(years / step)):
        theirs.sea_level = swing * np.sin(2 * np.pi * (n + 0.5) * step / period)
        theirs.run_one_step(step)
        height += uplift * step
    times = np.arange(0, years + 50, 50.0)
    reef = {
        "law": "light_saturation", "dt": 10 * step, "max_growth": 0.01, "absorption": 0.1, "surface_light": 2000, "saturating_light": 400,
        "min_depth": 1e-6, "sea_history": np.stack([times, swing * np.sin(2 * np.pi * times / period)], axis=1).tolist(),
    }
    ours = otok.Simulation(otok.Scenario({
        "otok": 1, "grid": {"nx": 99, "ny": 1, "spacing": 1000}, "initial": {"terrain": slope[np.newaxis, 1:-1].astype(np.float32)},
        "phases": [{"iterations": round(years / step / 10), "uplift": {"rate": uplift}, "reef": reef}],
    }), backend="cpu")
    ours.run(ours.iterations)
    return grid.at_node["carbonate_thickness"].reshape(3, 101)[1, 1:-1], np.array(ours["reef"][0], dtype=float)


def draw(path, hydrographs):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6.4, 3), layout="constrained")
    for (theta, of), style in zip(hydrographs.items(), ("-", "--")):
        time = np.arange(1, len(of["otok"]) + 1)
        axes.plot(time, of["Landlab"] / 60, style, color="#b0b0b0", linewidth=4, label=f"Landlab, theta {theta}")
        axes.plot(time, of["otok"] / 60, style, color="#1f5f8b", linewidth=1.2, label=f"otok, theta {theta}")
    axes.set(xlabel="time, min", ylabel="outflow, m³/s")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=8)
    figure.savefig(path, dpi=110)


def main():
    failed, hydrographs = 0, {}
    print(f"{'case':42} {'difference':>12} {'bound':>8}")

    def row(case, difference, bound):
        nonlocal failed
        failed += not difference <= bound
        print(f"{case:42} {difference:12.2g} {bound:8.0e}{'' if difference <= bound else '  MISSED'}")

    for theta in (1.0, 0.8):
        theirs, ours, minutes = storm(theta)
        hydrographs[theta] = minutes
        wet = theirs > 1e-4
        row(f"storm, theta {theta}: outflow a minute, of the peak", np.abs(minutes["otok"] - minutes["Landlab"]).max() / minutes["Landlab"].max(), 1e-4)
        row(f"storm, theta {theta}: depth, of the deepest", np.abs(ours - theirs)[wet].max() / theirs.max(), 1e-4)
    for name, run, bound in (("hillslope", hillslope, 1e-4), ("sea bed", seabed, 1e-3)):
        ground, theirs, ours = run()
        row(f"{name}: height, of the largest change", np.abs(ours - theirs).max() / np.abs(theirs - ground).max(), bound)
    theirs, ours = margin()
    row("reef: mean difference of columns, of the highest", np.abs(ours - theirs).mean() / theirs.max(), 1e-3)
    if len(sys.argv) > 1:
        draw(sys.argv[1], hydrographs)
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
