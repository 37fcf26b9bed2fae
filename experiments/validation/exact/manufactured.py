#!/usr/bin/env python3
"""Runs processes with a source, a ground or a sea chosen so that a given function solves their equation, on three grids or with three
steps, and prints the observed order of convergence beside the expected one.

usage: manufactured.py     (needs numpy)
       OTOK_LIBRARY=path: libotok.so
Exit 0 if each observed order is within 0.2 of the expected one, else 1. Orders and bound were chosen before the first run."""
import sys
import tempfile
from pathlib import Path

from compare import ALONE, G, np, otok


def run(folder, ground, l, phase, steps, source=None, edges=None, water=None, sea=0.0):
    """Runs so many steps of one phase. `source` names a key of it and its map."""
    ground = np.atleast_2d(ground)
    if source is not None:
        group, key, values = source
        rows = "\n".join(" ".join(f"{v:.9g}" for v in row) for row in np.atleast_2d(values)[::-1])
        file = Path(folder) / f"{group}_{ground.shape[1]}.asc"
        file.write_text(f"ncols {ground.shape[1]}\nnrows {ground.shape[0]}\nxllcorner 0\nyllcorner 0\ncellsize {l:.17g}\n{rows}\n")
        phase = {**phase, group: {**phase.get(group, {}), key: {"raster": {"file": str(file)}}}}
    initial = {"terrain": ground.astype(np.float32)} | ({"water": np.atleast_2d(water).astype(np.float32)} if water is not None else {})
    sim = otok.Simulation(otok.Scenario({
        "otok": 1, "grid": {"nx": ground.shape[1], "ny": ground.shape[0], "spacing": l}, "edges": edges or {}, "audit": "off",
        "sea": {"level": sea}, "initial": initial, "phases": [{"name": "a", "iterations": steps, **phase}]}), backend="cpu")
    sim.run(steps)
    return sim


def square(cells, wide=1000.0):
    """Cell size, and the places of the middles of cells."""
    l = wide / cells
    y, x = (np.mgrid[0:cells, 0:cells] + 0.5) * l
    return l, x, y


def creep(folder, cells):
    """h = 10 t/T f with f = cos(pi x/W) cos(2 pi y/W), closed sides: the source is f 10/T (1 + D k^2 t). D dt/l^2 is 0.2."""
    l, x, y = square(cells)
    shape, k2, diffusivity, whole = np.cos(np.pi * x / 1000) * np.cos(2 * np.pi * y / 1000), 5 * (np.pi / 1000) ** 2, 1.0, 50_000.0
    dt = 0.2 * l * l / diffusivity
    phase = {"uplift": {"dt": dt, "history": [[0, 1], [whole, 1 + diffusivity * k2 * whole]]}, "creep": {"dt": dt, "diffusivity": diffusivity}}
    sim = run(folder, 0 * x, l, phase, round(whole / dt), ("uplift", "rate", 10 / whole * shape))
    return np.abs(sim.get("terrain").astype(float) - 10 * shape).mean()


def marine(folder, cells):
    """A sea bed from 10 to 110 m deep that stays, because the source is the divergence of its exact flow. Of two cells' D the face has the
    larger: first order."""
    l, x, y = square(cells)
    bed = lambda x, y: -60 + 50 * np.cos(np.pi * x / 1000) * np.cos(np.pi * y / 1000)
    strong, base, tide = 1.0, 60.0, 20.0

    def spread(h):
        return strong / (1 + np.exp(2 * h / tide)) * np.where(-h > base, np.exp(-(-h - base) / base), 1)

    def flow(x, y, along, across):  # D dh/dx, or with x and y exchanged
        return spread(bed(x, y)) * -50 * np.pi / 1000 * np.sin(np.pi * along / 1000) * np.cos(np.pi * across / 1000)

    half = l / 2
    divergence = (flow(x + half, y, x + half, y) - flow(x - half, y, x - half, y) + flow(x, y + half, y + half, x) - flow(x, y - half, y - half, x)) / l
    dt = 0.2 * l * l / strong
    phase = {"uplift": {"dt": dt}, "marine_diffusion": {"dt": dt, "diffusivity": strong, "wave_base": base, "tidal_range": tide}}
    sim = run(folder, bed(x, y), l, phase, round(500_000 / dt), ("uplift", "rate", -divergence))
    return np.abs(sim.get("terrain").astype(float) - bed(x, y)).mean()


def slides(folder, cells):
    """A row steeper than the talus by sin(pi x/L)/2 stays, because the source is the divergence of D sin(pi x/L)/2 (law `excess`)."""
    long, diffusivity, talus = 1000.0, 1.0, 10.0
    l = long / cells
    x = (np.arange(cells) + 0.5) * l
    exact = -np.tan(np.radians(talus)) * x + long / (2 * np.pi) * np.cos(np.pi * x / long)
    dt = 0.1 * l * l / diffusivity
    phase = {"uplift": {"dt": dt}, "thermal": {"dt": dt, "law": "excess", "diffusivity": diffusivity, "talus": talus}}
    sim = run(folder, exact, l, phase, round(500_000 / dt), ("uplift", "rate", diffusivity * np.pi / (2 * long) * np.cos(np.pi * x / long)))
    return np.abs(sim.get("terrain")[0].astype(float) - exact).mean()


def water(law, folder, cells):
    """Steady flow that rain alone feeds, q = integral of r from a wall on, with the depth d = 1 + cos(pi x/L)/5. The ground follows from
    (q^2/d)' + g d (h + d)' + g n^2 q^2/d^(7/3) = 0, for local inertia without the first term."""
    long, n, most = 1000.0, 0.03, 1e-3
    l = long / cells
    rain = lambda x: most * (1 + np.sin(3 * np.pi * x / long) / 2)
    fine = np.linspace(0, long + l, 200_001)
    q = most * (fine + long / (6 * np.pi) * (1 - np.cos(3 * np.pi * fine / long)))
    d, steep = 1 + np.cos(np.pi * fine / long) / 5, -np.pi / long * np.sin(np.pi * fine / long) / 5
    carried = 2 * q * rain(fine) / d - q * q * steep / d**2 if law == "shallow_water" else 0
    slope = -steep - n * n * q * q / d ** (10 / 3) - carried / (G * d)
    h = np.concatenate(([0], np.cumsum((slope[1:] + slope[:-1]) / 2 * np.diff(fine))))
    h -= h.min()
    x = (np.arange(cells) + 0.5) * l
    exact = np.interp(x, fine, d)
    phase = {"rain": {"rate": 1.0}, "hydraulic": {"law": law, "dt": 0.5 * l / (1 + np.sqrt(2 * G * 1.2)), "gravity": G, "manning": n, **ALONE},
             "sides": {"right_level": [[0, float(np.interp(long + l / 2, fine, h + d))]]}}
    steps = round(5000 / phase["hydraulic"]["dt"])
    sim = run(folder, np.interp(x, fine, h), l, phase, steps, ("rain", "map", rain(x)), {"right": "open"}, exact)
    return np.abs(sim.get("water")[0].astype(float) - exact).mean()


def radial(folder, cells):
    """The same in two dimensions, under shallow water: rain feeds flow away from a corner between two walls, with the speed a r and the depth
    d = 1 - (r/L)^2/5. Then r = a (2d + r d'), and the ground has (h + d)' = -a^2 r/g - n^2 a^2 r^2/d^(4/3) - (r/d) a r/g, because rain
    arrives at rest. The flow leaves over the other sides at Froude number 2 and more, so that nothing comes back from there."""
    long, n = 100.0, 0.03
    l, a = long / cells, 2 * np.sqrt(G) / long
    fine = np.linspace(0, 1.5 * long, 200_001)
    depth, steep = (lambda r: 1 - (r / long) ** 2 / 5), (lambda r: -0.4 * r / long**2)
    rain = lambda r: a * (2 * depth(r) + r * steep(r))
    d = depth(fine)
    slope = -steep(fine) - a * a * fine / G - (n * a * fine) ** 2 / d ** (4 / 3) - rain(fine) / d * a * fine / G
    h = np.concatenate(([0], np.cumsum((slope[1:] + slope[:-1]) / 2 * np.diff(fine))))
    y, x = (np.mgrid[0:cells, 0:cells] + 0.5) * l
    r = np.hypot(x, y)
    phase = {"rain": {"rate": 1.0}, "hydraulic": {"law": "shallow_water", "dt": 0.6 * l / (2 * a * long + np.sqrt(2 * G)), "gravity": G, "manning": n, **ALONE}}
    sim = run(folder, np.interp(r, fine, h - h.min()), l, phase, round(200 / phase["hydraulic"]["dt"]), ("rain", "map", rain(r)),
              {"right": "open", "top": "open"}, depth(r))
    return np.abs(sim.get("water").astype(float) - depth(r)).mean()


def reef(_, steps):
    """A column under 10 + 5 sin(2 pi t/P) metres of water: the sea rises by what grows and by the change of this depth. Second order. The
    sea is given at the ends of steps: one with more points is followed from point to point within a step (tests/reef_knots.c)."""
    period, most, light = 6e11, 3e-10, 8.0  # [s, m/s, I_0/I_k]
    t = np.linspace(0, period, steps + 1)
    deep = lambda t: 10 + 5 * np.sin(2 * np.pi * t / period)
    fine = np.linspace(0, period, 400_001)
    growth = most * np.tanh(light * np.exp(-0.1 * deep(fine)))
    grown = np.concatenate(([0], np.cumsum((growth[1:] + growth[:-1]) / 2 * np.diff(fine))))
    sea = np.interp(t, fine, grown) + deep(t) - deep(0)
    phase = {"reef": {"law": "light_saturation", "dt": period / steps, "max_growth": most, "absorption": 0.1, "surface_light": 2000,
                      "saturating_light": 250, "sea_history": [[float(a), float(b)] for a, b in zip(t, sea)]}}
    sim = run(None, np.full((1, 1), -10.0), 100.0, phase, steps)
    return abs(float(sim.get("reef")[0, 0]) - grown[-1])


def main():
    failures = []
    cases = [("creep", creep, (16, 32, 64), 2), ("marine diffusion", marine, (16, 32, 64), 1),
             ("slides, law `excess`", slides, (16, 32, 64), 2),
             ("local inertia", lambda *of: water("local_inertia", *of), (50, 100, 200), 1),
             ("shallow water", lambda *of: water("shallow_water", *of), (50, 100, 200), 1),
             ("shallow water, radial", radial, (20, 40, 80), 1), ("reef by light", reef, (16, 32, 64), 2)]
    print("| operator | cells or steps | mean error [m] | observed order | expected |\n| -- | -- | -- | -- | -- |")
    with tempfile.TemporaryDirectory() as folder:
        for case, error, sizes, expected in cases:
            found = np.array([error(folder, size) for size in sizes])
            orders = np.log2(found[:-1] / found[1:])
            print(f"| {case} | " + ", ".join(map(str, sizes)) + " | " + ", ".join(f"{e:.2g}" for e in found) + " | "
                  + ", ".join(f"{o:.2f}" for o in orders) + f" | {expected} |", flush=True)
            if not abs(orders[-1] - expected) <= 0.2:
                failures.append(case)
    for case in failures:
        print(f"beyond its bound: {case}", file=sys.stderr)
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
