#!/usr/bin/env python3
"""Runs reconstructions of the Environment Agency's benchmark tests 1 to 5 of flood models (Neelz & Pender 2013) under both laws of
water with depth, and prints how far each is from what must come out.

usage: compare.py [smooth|critical] [NUMBER ...]     (needs numpy; hydraulic.bed_steps, smooth unless given; NUMBER: these tests alone)
       OTOK_LIBRARY=path: libotok.so
Exit 0 if `shallow_water` keeps every bound but those of documented deviations, else 1. The bounds are older than the first run."""
import heapq
import sys

try:
    import numpy as np

    import otok
except ImportError as why:
    print(f"ea: {why}; install tests/requirements.txt", file=sys.stderr)
    sys.exit(77)

G = 9.81
LAWS = ("local_inertia", "shallow_water")
HOUR = 3600
STEPS = next((word for word in sys.argv[1:] if word in ("smooth", "critical")), "smooth")


def simulate(law, ground, water, l, n, dt, rivers=None, edges=None, sides=None):
    """Water alone, in iterations of dt whose steps follow it."""
    phase = {"name": "water", "iterations": 10**9, "hydraulic": {"law": law, "bed_steps": STEPS, "dt": dt, "courant": 0.7, "manning": n, "gravity": G, "capacity": 0,
                                                                 "dissolve": 0, "deposit": 0, "displace_water": False, "evaporation": 0}}
    phase |= {"rivers": rivers} if rivers else {}
    phase |= {"sides": sides} if sides else {}
    ground, water = np.atleast_2d(ground), np.atleast_2d(water)
    return otok.Simulation(otok.Scenario({
        "otok": 1, "grid": {"nx": ground.shape[1], "ny": ground.shape[0], "spacing": l}, "edges": edges or {}, "audit": "off",
        "initial": {"terrain": ground.astype(np.float32), "water": water.astype(np.float32)}, "phases": [phase]}), backend="cpu")


def depth_of(sim):
    return sim.get("water").astype(float)


# ---- a reference in one dimension: HLL fluxes over a bed (Audusse et al. 2004), for any width ----

def reference(ground, width, dx, n, inflow, times, cells):
    """Depths at these times. width: of the faces; inflow(t): m3/s into the first `cells` cells."""
    h, q, t, out = np.zeros_like(ground), np.zeros_like(ground), 0.0, []
    area = (width[1:] + width[:-1]) / 2 * dx
    for stop in times:
        while t < stop:
            u = np.where(h > 1e-6, q / np.maximum(h, 1e-6), 0)
            dt = min(stop - t, 0.45 * dx / max(0.5, (np.abs(u) + np.sqrt(G * h)).max()))
            z = np.maximum(ground[1:], ground[:-1])
            hl, hr = np.maximum(0, h[:-1] + ground[:-1] - z), np.maximum(0, h[1:] + ground[1:] - z)
            ul, ur = u[:-1], u[1:]
            cl, cr = np.sqrt(G * hl), np.sqrt(G * hr)
            low = np.minimum(0, np.minimum(np.where(hl > 0, ul - cl, ur - 2 * cr), np.where(hr > 0, ur - cr, ul - 2 * cl)))
            high = np.maximum(0, np.maximum(np.where(hl > 0, ul + cl, ur + 2 * cr), np.where(hr > 0, ur + cr, ul + 2 * cl)))
            span = np.maximum(high - low, 1e-12)
            mass = (high * hl * ul - low * hr * ur + low * high * (hr - hl)) / span
            push = (high * (hl * ul**2 + G * hl**2 / 2) - low * (hr * ur**2 + G * hr**2 / 2) + low * high * (hr * ur - hl * ul)) / span
            to_left, to_right = push + G / 2 * (h[:-1] ** 2 - hl**2), push + G / 2 * (h[1:] ** 2 - hr**2)
            wall = np.array([G * h[0] ** 2 / 2]), np.array([G * h[-1] ** 2 / 2])
            flow = width * np.concatenate(([0], mass, [0]))
            after, before = width[1:] * np.concatenate((to_left, wall[1])), width[:-1] * np.concatenate((wall[0], to_right))
            q = q - dt / area * (after - before - G * h**2 / 2 * np.diff(width))
            h = np.maximum(0, h - dt / area * np.diff(flow))
            h[:cells] += inflow(t + dt / 2) * dt / area[:cells].sum()
            speed = np.where(h > 1e-6, np.abs(q) / np.maximum(h, 1e-6), 0)
            q = np.where(h > 1e-6, q / (1 + dt * G * n * n * speed / np.maximum(h, 1e-6) ** (4 / 3)), 0)
            t += dt
        out.append(h.copy())
    return out


def hydrograph(points):
    return lambda t: float(np.interp(t, *np.transpose(points)))


# ---- 1: a water body behind a ridge ----

def disconnected(law):
    """A tide over a ridge fills a pool behind it, and leaves it full to the ridge: its level less that of the tide after 11 h, and less the
    ridge after 20 h; the level before the ridge then, less the tide's."""
    l = 10.0
    x = (np.arange(70) + 0.5) * l
    ground = np.interp(x, [0, 205, 400, 700], [9.5, 10.25, 9.5, 9.5])
    tide = [[0, 9.7], [HOUR, 10.35], [11 * HOUR, 10.35], [12 * HOUR, 9.7]]
    sim = simulate(law, ground, np.maximum(0, 9.7 - ground), l, 0.03, 20, edges={"left": "open"}, sides={"left_level": tide})
    sim.run(11 * HOUR // 20)
    high = (ground + depth_of(sim)[0])[60] - 10.35
    sim.run(9 * HOUR // 20)
    level = ground + depth_of(sim)[0]
    return [abs(high), level[60] - ground.max(), abs(level[2] - 9.7)]


# ---- 2: sixteen hollows ----

def spill_levels(ground):
    """The level at which water leaves each cell's hollow on its way to the lowest corner (priority flood)."""
    ny, nx = ground.shape
    full = np.full(ground.shape, np.inf)
    start = np.unravel_index(ground.argmin(), ground.shape)  # the lowest hollow keeps what comes
    heap = [(ground[start], start)]
    full[start] = ground[start]
    while heap:
        level, (j, i) = heapq.heappop(heap)
        for b, a in ((j, i - 1), (j, i + 1), (j - 1, i), (j + 1, i)):
            if 0 <= b < ny and 0 <= a < nx and full[b, a] == np.inf:
                full[b, a] = max(level, ground[b, a])
                heapq.heappush(heap, (full[b, a], (b, a)))
    return full


def hollows(law, l=20.0):
    """Water that comes in a corner fills hollow after hollow. Of those that water left: how far the level is from the sill; of all with water:
    how uneven the surface is; the numbers of full, part-full and dry hollows."""
    cells = round(2000 / l)
    y, x = (np.mgrid[:cells, :cells] + 0.5) * l
    ground = 10 + y / 1500 - x / 3000 - 0.5 * (np.sin(np.pi * x / 500) * np.sin(np.pi * y / 500)) ** 2
    river = [{"x": l / 2, "y": 2000 - l * (k + 0.5), "radius": 0.1, "history": [[0, 0], [240, 20 * l / 100], [4860, 20 * l / 100], [5100, 0]]}
             for k in range(round(100 / l))]
    sim = simulate(law, ground, 0 * ground, l, 0.03, 60, rivers=river)
    sim.run(48 * HOUR // 60)
    depth, sill = depth_of(sim), spill_levels(ground)
    off, uneven, kinds = 0.0, 0.0, []
    block = cells // 4
    for j in range(4):
        for i in range(4):
            part = np.s_[j * block:(j + 1) * block, i * block:(i + 1) * block]
            d, z, s = depth[part], ground[part], sill[part]
            low = np.unravel_index(z.argmin(), z.shape)
            pond = (s == s[low]) & (d > 0.01)  # the priority flood gives a hollow the level of its sill
            level = z[low] + d[low]
            if d[low] < 0.01:
                kinds.append("dry")
                continue
            uneven = max(uneven, float(np.ptp((z + d)[pond])))
            kinds.append("full" if level > s[low] - 0.01 else "part")
            off = max(off, level - s[low])
    counts = [kinds.count(kind) for kind in ("full", "part", "dry")]
    return [off, uneven, abs(depth.sum() * l * l / 97200 - 1), counts]


# ---- 3: momentum over an obstruction ----

def bed_3(x):
    return np.interp(x, [0, 100, 125, 175, 200, 225, 275, 300], [10.5, 10, 9.75, 9.75, 10, 9.75, 9.75, 10])


FLOOD_3 = [[0, 0], [15, 65.5], [57.25, 0], [900, 0]]  # 1875 m3: as much as the first hollow holds


def obstruction(law, l=5.0):
    """A wave as large as the first hollow: the share of it that momentum carries over into the second, and the reference's share."""
    x = (np.arange(round(300 / l)) + 0.5) * l
    river = [{"x": l / 2, "y": l / 2, "radius": l / 2, "history": [[t, q * l / 100] for t, q in FLOOD_3]}]
    sim = simulate(law, bed_3(x), 0 * x, l, 0.01, 1, rivers=river)
    sim.run(900)
    depth = depth_of(sim)[0]
    return depth[x > 200].sum() / depth.sum()


def obstruction_reference():
    x = np.arange(300) + 0.5
    flow = hydrograph(FLOOD_3)
    h, = reference(bed_3(x), np.ones(301), 1.0, 0.01, lambda t: flow(t) / 100, [900], 5)
    return h[x > 200].sum() / h.sum()


# ---- 4: a plain ----

FLOOD_4 = [[0, 0], [HOUR, 20], [4 * HOUR, 20], [6 * HOUR, 0]]


def radius_of(depth, r, limit):
    """Where a profile falls below this depth, by interpolation."""
    k = np.flatnonzero(depth > limit).max()
    return r[k] + (depth[k] - limit) / (depth[k] - depth[k + 1]) * (r[k + 1] - r[k])


def plain(law, l=10.0):
    """A breach in the middle of a long side: radii of depth 0.1 m after 1 h and of 0.2 m after 3 h, across and along the side, and at 45
    degrees."""
    ny, nx = round(2000 / l), round(1000 / l)
    river = [{"x": 0, "y": 1000, "radius": 20, "history": FLOOD_4}]
    sim = simulate(law, np.zeros((ny, nx)), np.zeros((ny, nx)), l, 0.05, 20, rivers=river)
    found, at = [], 0
    for hours, limit in ((1, 0.1), (3, 0.2)):
        sim.run(hours * HOUR // 20 - at)
        at = hours * HOUR // 20
        depth = depth_of(sim)
        k = np.arange(nx)
        across = (depth[ny // 2] + depth[ny // 2 - 1]) / 2
        along = depth[ny // 2:, 0]
        slant = depth[ny // 2 + k[: ny // 2], k[: ny // 2]]
        half = np.hypot(k + 0.5, 0.5) * l
        found += [radius_of(across, half, limit), radius_of(along, half, limit), radius_of(slant, (k + 0.5) * np.sqrt(2) * l, limit)]
    return found


def plain_reference():
    dx = 2.5
    faces = np.arange(0, 1000 + dx, dx)
    first, third = reference(np.zeros(len(faces) - 1), np.pi * faces, dx, 0.05, hydrograph(FLOOD_4), [HOUR, 3 * HOUR], 8)
    r = (faces[1:] + faces[:-1]) / 2
    return [radius_of(first, r, 0.1), radius_of(third, r, 0.2)]


# ---- 5: a valley below a dam ----

FLOOD_5 = [[0, 0], [300, 0], [600, 3000], [1200, 3000], [6000, 0]]


def valley(law, l=50.0, hours=2):
    """Arrival of half a metre and the deepest water at 2, 6 and 10 km; ground and depth at the end."""
    y, x = (np.mgrid[:round(800 / l), :round(17000 / l)] + 0.5) * l
    ground = 100 - 0.01 * x + 0.009 / (2 * 17000) * x**2 + 2e-4 * (y - 400) ** 2
    river = [{"x": 25, "y": 400, "radius": 130, "history": FLOOD_5}]
    sim = simulate(law, ground, 0 * ground, l, 0.04, 20, rivers=river)
    at = [(len(y) // 2, round(km * 1000 / l)) for km in (2, 6, 10)]
    arrival, deepest = [np.nan] * 3, [0.0] * 3
    for k in range(2 * HOUR // 20):
        sim.run(1)
        depth = depth_of(sim)
        for i, place in enumerate(at):
            if depth[place] > 0.5 and np.isnan(arrival[i]):
                arrival[i] = 20 * (k + 1)
            deepest[i] = max(deepest[i], depth[place])
    sim.run((hours - 2) * HOUR // 20)
    return np.array(arrival), np.array(deepest), ground, depth_of(sim)


def still_level(ground, volume, l):
    """The level of a lake of this volume at the lower end."""
    low, high = ground.min(), ground.min() + 40
    for _ in range(60):
        level = (low + high) / 2
        low, high = (level, high) if np.maximum(0, level - ground).sum() * l * l < volume else (low, level)
    return level


def main():
    wanted, failures = {int(word) for word in sys.argv[1:] if word != STEPS} or {1, 2, 3, 4, 5}, []

    def row(case, values, bound, kept):
        print(f"| {case} | " + " | ".join(values) + f" | {bound} |", flush=True)
        if not kept:
            failures.append(case)

    def each(names, found, bounds, text, deviates=0):
        """The first `deviates` rows are documented deviations: README.md explains why they are beyond their bounds."""
        for i, (name, most) in enumerate(zip(names, bounds)):
            row(name, [text.format(found[law][i]) for law in LAWS], "at most " + text.format(most) + (", deviates" if i < deviates else ""),
                (abs(found[LAWS[1]][i]) <= most) != (i < deviates))

    print("| test | local inertia | shallow water | bound |\n| -- | -- | -- | -- |")
    if 1 in wanted:
        each(["1: pool less tide, 11 h", "1: pool less ridge, 20 h", "1: before the ridge less tide, 20 h"], {law: disconnected(law) for law in LAWS},
             [0.001, 0.005, 0.001], "{:.4f} m")
    if 2 in wanted:
        found = {law: hollows(law) for law in LAWS}
        each(["2: highest pond less its sill", "2: unevenness of ponds", "2: volume"], found, [0.01, 0.001, 1e-5], "{:.1e}", deviates=2)
        coarse = hollows(LAWS[1], 25.0)[3]
        row("2: full, part-full, dry hollows; cells of 25 m: " + "/".join(map(str, coarse)), ["/".join(map(str, found[law][3])) for law in LAWS],
            "as with 25 m", found[LAWS[1]][3] == coarse)
    if 3 in wanted:
        exact, found = obstruction_reference(), {law: obstruction(law) for law in LAWS}
        fine = obstruction(LAWS[1], 2.5)
        row(f"3: share over the obstruction; reference {exact:.3f}; cells of 2.5 m: {fine:.3f}", [f"{found[law]:.3f}" for law in LAWS],
            "0.05 from the reference, nearer with half the cells",
            abs(found[LAWS[1]] - exact) <= 0.05 and abs(fine - exact) <= abs(found[LAWS[1]] - exact) + 0.005)
    if 4 in wanted:
        exact, found = plain_reference(), {law: plain(law) for law in LAWS}
        for i, name in enumerate(f"4: radius of {limit} m after {time} h, {way}" for limit, time in ((0.1, 1), (0.2, 3)) for way in ("across", "along", "at 45°")):
            row(f"{name}; reference {exact[i // 3]:.0f} m", [f"{found[law][i]:.0f} m" for law in LAWS], "15 m off",
                abs(found[LAWS[1]][i] - exact[i // 3]) <= 15)
    if 5 in wanted:
        found = {law: valley(law, hours=10) for law in LAWS}
        fine = valley(LAWS[1], 25.0)
        for i, km in enumerate((2, 6, 10)):
            for k, (name, unit) in enumerate((("arrival", "s"), ("deepest water", "m"))):
                values = [found[law][k][i] for law in LAWS]
                row(f"5: {name} at {km} km; cells of 25 m: {fine[k][i]:.4g} {unit}", [f"{v:.4g} {unit}" for v in values], "5 % from half the cells",
                    abs(values[1] / fine[k][i] - 1) <= 0.05)
        levels = []
        for law in LAWS:
            _, _, ground, depth = found[law]
            low = np.unravel_index(ground.argmin(), ground.shape)
            levels.append(ground[low] + depth[low] - still_level(ground, depth.sum() * 2500, 50.0))
        row("5: lake at the lower end less the level of all water", [f"{v:.3f} m" for v in levels], "at most 0.1 m", abs(levels[1]) <= 0.1)
    for case in failures:
        print(f"beyond its bound: {case}", file=sys.stderr)
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
