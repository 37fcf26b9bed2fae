"""Random members of every process and of every pair of processes, for falsify.py: a scenario that all members of a variant
share (terrain, edges, words) and a column for every number in which they differ.

Numbers are drawn log-uniformly as ratios of the model (steps over their limits, shares an iteration, depths over the cell),
from far below the limits to beyond them; words from what `otok parameters` allows. A key that no family sets is an error."""
import itertools
import json
import re
import subprocess
import zlib

import numpy as np

GROUPS = ("rain", "river", "dam", "hydraulic", "thermal", "creep", "seabed", "waves", "marine_diffusion", "coast", "reef", "droplets", "uplift", "incision", "wind")
FIXED = {  # keys that no family sets, and why
    "rain.fit": "of a map", "rain.low": "of a map", "rain.high": "of a map", "rain.history": "a rate of one value is one of it",
    "rain.during": "is rounded to iterations, and so differs with the step by itself",
    "hydraulic.wetness_max": "bounds a counter that only pictures use", "reef.age": "keeps times, and moves nothing",
    "reef.rubble": "shares growth among layers, and no height depends on it", "reef.producers": "more of what the keys of the reef are",
    "reef.denudation": "needs layers, and nothing here is above the sea for long", "reef.burial_scale": "needs incision beside a reef",
    "incision.dt": "the clock of the phase", "uplift.history": "a rate of one value is one of it", "wind.history": "likewise",
    "incision.inflows": "a list: more area for one river", "thermal.clock": "the phase's needs one more process with a clock",
    "incision.routing": "steepest is for comparisons", "incision.base_level": "its default holds the open sides",
    "incision.area": "multiple is refused beside a deposition, which is drawn", "incision.partition": "of area: multiple",
    "river.history": "a discharge of one value is one of it", "hydraulic.courant": "hides the limits that are asked for",
    "hydraulic.morphological_factor": "multiplies the capacity, which is drawn", "hydraulic.sea": "a level of the sea is no part of these families",
}
SCALES = {  # key: powers of the factors by which steps and cells become shorter
    **dict.fromkeys(("hydraulic.dt", "thermal.dt", "creep.dt", "marine_diffusion.dt", "coast.dt", "reef.dt", "uplift.dt", "wind.dt", "droplets.batch"), (-1, 0)), "iterations": (1, 0),
    **dict.fromkeys(("hydraulic.diffusion_sweeps", "seabed.sweeps"), (-1, 2)), "thermal.rate": (0, 2),
    "grid.spacing": (0, -1), "hydraulic.pipe_area": (0, -1),
}
TERRAINS = ("cone", "rough", "plane", "valley", "ponds")
RASTERS = ("plane", "valley", "ponds", "levee", "gap", "sill", "cliff")  # the last four are those of families alone


def parameters(otok):
    """The keys of scenarios: the words that each may be, none for a number, and the least and largest number."""
    known = {}
    for line in subprocess.run([otok, "parameters", "--markdown"], capture_output=True, text=True, check=True).stdout.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) > 6 and (found := re.match(r"`([a-z_]+\.[a-z_]+)`", cells[1])):
            bounds = re.match(r"(?:above )?(\S+) \.\. (\S+)", cells[5])
            words = ["false", "true"] if cells[4] == "false" else [] if bounds else cells[5].split()
            known[found[1]] = (words, *(map(float, bounds.groups()) if bounds else (-np.inf, np.inf)))
    return known


def relief(kind, n):
    """Heights between 0 and 1 that weigh the height of a plane, a valley, or a slope with ponds, a wall of two cells of n/2, one with a gap of
    four of them, a broad sill, or a step; (y, x) from the bottom."""
    y, x = np.mgrid[0:n, 0:n] / (n - 1)
    if kind == "cliff":
        return 0.2 * y + 0.8 * (y > 0.5)
    if kind in ("levee", "gap"):
        wall = np.abs(y - 0.5) < 2 / n
        return 0.5 * y + 0.5 * (wall & ((np.abs(x - 0.5) > 4 / n) if kind == "gap" else True))
    if kind == "sill":
        return np.clip(0.3 * y + 0.7 * np.exp(-(((y - 0.5) / 0.1) ** 2)), 0, 1)
    if kind in ("plane", "valley"):
        return y if kind == "plane" else 0.5 * y + 0.5 * np.abs(2 * x - 1)
    bowls = sum(np.clip(1 - ((x - a) ** 2 + (y - b) ** 2) / r**2, 0, 1) for a, b, r in ((0.3, 0.3, 0.2), (0.7, 0.6, 0.25), (0.35, 0.8, 0.12)))
    return np.clip(0.25 + 0.75 * y - 0.6 * bowls, 0, 1)


class Variant:
    def __init__(self, family, number, seed, count, n, iterations, known):
        self.rng = np.random.default_rng([seed, zlib.crc32(family.encode()), number])
        self.number, self.count, self.n, self.known, self.columns, self.phase = number, count, n, known, {}, {"name": "p"}
        self.per_iteration, self.most = False, iterations
        self.iterations = np.full(count, max(10, 10 * np.round(self.log(iterations / 4, iterations)[0] / 10)))  # in step, so that they run together
        self.spacing = self.log(0.5, 50)
        if any(draw.startswith("rivers") for draw in FAMILIES[family]):  # kept maps share one grid
            self.spacing[:] = self.spacing[0]
        self.slope, self.width = self.log(0.02, 2), n * self.spacing
        self.height = self.slope * self.width / 2
        edges = [side for _ in "xy" for side in (["periodic"] * 2 if self.chance(0.2) else self.rng.choice(["closed", "open"], 2).tolist())]
        self.scenario = {
            "otok": 1, "title": f"falsify, {family}, variant {number}", "seed": 0, "grid": {"nx": n, "ny": n, "spacing": 1},
            "edges": dict(zip(("left", "right", "bottom", "top"), edges)), "phases": [self.phase], "output": {"every": 0},
        }
        self.columns |= {"seed": self.rng.integers(1, 2**31, count), "grid.spacing": self.spacing}
        self.terrain()
        for draw in FAMILIES[family]:
            method, *law = draw.split()
            getattr(self, method)(*law)
        if "droplets" not in self.phase:
            self.columns["phases.p.iterations"] = self.iterations
        if "reef" in self.phase:
            self.phase["mix_reef_and_erosion"] = True
        if any(group in self.phase for group in ("reef", "seabed", "marine_diffusion")):
            self.scenario["sea"] = {"level": 0}
            self.columns["sea.level"] = self.height * self.uniform(0, 1.2)

    def log(self, low, high):
        """A number for each member; [0] of it: one for all, where 32 columns, the most that a table has, would not do."""
        return np.exp(self.rng.uniform(np.log(low), np.log(high), self.count))

    def uniform(self, low, high):
        return self.rng.uniform(low, high, self.count)

    def chance(self, share):
        return self.rng.random() < share

    def put(self, group, **values):
        """Numbers of the members (arrays) and words of all; None leaves a key out."""
        held = self.phase.setdefault(group, {})
        for key, value in values.items():
            if isinstance(value, np.ndarray):
                self.columns[f"phases.p.{group}.{key}"] = np.clip(value, *self.known[f"{group}.{key}"][1:])
            elif value is not None:
                held[key] = float(value) if isinstance(value, np.floating) else value

    def word(self, key):
        return str(self.rng.choice(self.known[key][0]))

    def terrain(self):
        self.kind = str(self.rng.choice(TERRAINS))
        if self.kind == "cone":
            first = {"cone": {"height": 1, "radius": 1}}
            self.columns |= {"base.0.cone.height": self.height, "base.0.cone.radius": self.width / 2}
        elif self.kind == "rough":
            wavelength = self.width * self.log(0.15, 0.6)
            first = {"simplex": {"octaves": 2, "wavelength": 1, "amplitude": 1}}
            self.columns |= {"base.0.simplex.wavelength": wavelength, "base.0.simplex.amplitude": self.slope * wavelength / 4}
        else:
            first = {"constant": {"height": 1, "combine": "add", "mask": [{"raster": {"file": f"{self.kind}.asc", "fit": "stretch"}}]}}
            self.columns["base.0.constant.height"] = self.height
        self.scenario["base"] = [first, {"simplex": {"octaves": 2, "wavelength": 1, "amplitude": 1, "combine": "add"}}]
        self.columns |= {"base.1.simplex.wavelength": self.spacing * self.uniform(6, 20), "base.1.simplex.amplitude": self.spacing * self.log(1e-3, 0.3)}

    def ground(self, kind):
        """A terrain that none draws: it is that of the family."""
        self.kind = kind
        for path in [path for path in self.columns if path.startswith("base.0.")]:
            del self.columns[path]
        self.scenario["base"][0] = {"constant": {"height": 1, "combine": "add", "mask": [{"raster": {"file": f"{kind}.asc", "fit": "stretch"}}]}}
        self.columns["base.0.constant.height"] = self.height

    def layers(self):
        self.scenario["layers"] = [{"name": "soil", "thickness": 1, "erodibility": 1, "talus": 30}, {"name": "rock", "erodibility": 1, "talus": 30}]
        self.columns |= {"layers.0.thickness": self.height * self.log(1e-3, 0.5)}
        for n in (0, 1):
            self.columns |= {f"layers.{n}.erodibility": self.log(0.1, 10), f"layers.{n}.talus": self.talus()}

    def talus(self):
        return np.minimum(np.degrees(np.arctan(self.slope * self.log(0.1, 1))), 80)

    def flow(self, law):
        """Water of a depth chosen first: rain, a river and initial water follow from it. law: published, shallow or local inertia."""
        published = law == "published"
        gravity, depth, manning = self.log(1, 30)[0], self.spacing * self.log(1e-3, 3), self.log(0.01, 0.2)
        signed, area = self.chance(0.1), None
        if published:
            area, s = self.spacing**2 * self.log(0.01, 3), self.log(0.003, 0.6)
            dt = np.sqrt(s * self.spacing**3 / (area * gravity))
            if self.chance(0.7):
                manning = np.zeros(self.count)
        else:
            dt = self.log(0.03, 1.2) * self.spacing / np.sqrt(gravity * np.maximum(depth, self.slope * self.spacing))
        shallow, signed = law == "shallow", signed | manning.any()
        self.speed = np.minimum(np.sqrt(self.slope) * depth ** (2 / 3) / np.maximum(manning, 1e-9), self.spacing / dt)
        time, q = self.iterations * dt, self.speed * depth
        words = {"law": "shallow_water", "bed_steps": self.word("hydraulic.bed_steps")} if shallow else \
            {"area": "constant" if published else "depth", "pipes": "signed" if signed else "one_way", "friction": self.word("hydraulic.friction")}
        self.put("hydraulic", dt=dt, gravity=gravity, manning=manning, pipe_area=area, **words, dry_depth=self.log(1e-7, 1e-4)[0],
                 evaporation=self.log(1e-3, 0.5) / time if self.chance(0.5) else 0,
                 **(self.mixing(published) if signed and not shallow and self.chance(0.5) else {}))
        self.depth, self.step = depth, dt
        supply = self.rng.choice(["sheet", "fill", "still", "river", "still and sheet"])
        if supply in ("sheet", "fill", "still and sheet"):
            self.put("rain", rate=depth / time if supply == "fill" else 2 * q / self.width)
        if "still" in supply:
            self.scenario["initial"] = {"water": 0}
            self.columns["initial.water"] = depth
        if supply == "river":
            river = {"x": self.width * self.uniform(0.2, 0.8), "y": self.width * self.uniform(0.4, 0.9),
                     "radius": self.spacing * self.uniform(0, 3), "discharge": 4 * self.spacing * q}
            self.phase["rivers"] = [dict.fromkeys(river, 0)]
            self.columns |= {f"phases.p.rivers.0.{key}": value for key, value in river.items()}

    def mixing(self, published):
        """Every second variant mixes by the Courant number, which pipes of constant area cannot."""
        theta = self.uniform(0.5, 1)
        return {"damping": "courant"} if self.number % 2 and not published else {"theta": theta, "damping": "theta"}

    def water(self, law=""):
        self.flow(law)
        self.put("hydraulic", capacity=0)

    def erosion(self, water=""):
        published = water == "published"
        self.flow(water)
        law, rates = self.word("hydraulic.capacity_law"), self.word("hydraulic.rates")
        self.per_iteration = rates == "per_iteration"
        share = {"dissolve": self.log(1e-4, 0.9), "deposit": self.log(1e-4, 0.9)}
        capacity = self.log(1e-3, 3) * self.spacing / self.speed
        self.put("hydraulic", capacity_law=law, rates=rates, capacity=capacity / self.depth if law == "speed_depth" else capacity,
                 **{key: value if self.per_iteration else -np.log1p(-value) / self.step for key, value in share.items()},
                 min_tilt=self.log(0.01, 10)[0], transport=self.word("hydraulic.transport"), slope=self.word("hydraulic.slope"),
                 displace_water=self.word("hydraulic.displace_water") == "true",
                 diffusivity=self.log(1e-4, 0.24) * self.spacing**2 / self.step if self.chance(0.3) else None,
                 diffusion_sweeps=np.full(self.count, 4) if published and self.chance(0.3) else None)

    def slides(self, law=None):
        share, rate, spread = self.log(0.005, 1), self.log(1e-3, 10), self.chance(0.5)
        self.put("thermal", dt=share / rate, law=law or self.word("thermal.law"), talus=self.talus(), diagonal=self.word("thermal.diagonal"),
                 rate=None if spread else rate, diffusivity=rate * self.spacing**2 if spread else None)

    def clock(self):
        """The time step that the phase has already; None without one."""
        return next((self.columns[key] for group in ("hydraulic", "creep", "marine_diffusion") if (key := f"phases.p.{group}.dt") in self.columns), None)

    def creep(self):
        share, diffusivity, dt = self.log(0.005, 0.4), self.log(1e-3, 10), self.clock()
        if dt is not None:  # which creep would keep to anyway
            diffusivity = np.clip(share * self.spacing**2 / dt, *self.known["creep.diffusivity"][1:])
        self.put("creep", dt=share * self.spacing**2 / diffusivity if dt is None else dt, diffusivity=diffusivity)

    def seabed(self):
        self.put("seabed", sweeps=np.full(self.count, 4))

    def waves(self):
        """Between two sweeps there are as many iterations at any step: more sweeps in the same time are a part of a smaller step.
        Waves do not come from periodic sides, nor, without wind, from closed ones."""
        self.scenario["edges"] = {side: "open" if word == "periodic" else word for side, word in self.scenario["edges"].items()}
        directions, gravity = int(self.rng.choice([4, 8, 16])), self.log(1, 30)
        self.put("waves", height=self.height * self.log(0.01, 1), period=np.sqrt(self.height / gravity) * self.log(1, 30), gravity=gravity,
                 wind=self.log(1, 30) if self.chance(0.5) else None, friction=self.log(0.01, 5), breaking=self.uniform(0.3, 1), directions=directions,
                 rose=self.rng.uniform(0, 1, directions).tolist() if self.chance(0.5) else None, every=int(self.rng.choice([1, 3, 10])))
        if "open" not in self.scenario["edges"].values():  # else no waves come in without wind
            self.scenario["edges"]["left"] = "open"

    def marine_diffusion(self):
        share, diffusivity = self.log(0.005, 0.4), self.log(1e-3, 10)
        self.put("marine_diffusion", dt=share * self.spacing**2 / diffusivity, diffusivity=diffusivity,
                 wave_base=self.height * self.log(0.03, 3), tidal_range=self.height * self.log(1e-3, 0.3))

    def reef(self, law="carbon"):
        dt, carbon, grown = self.log(1e-3, 10), self.log(0.05, 1), self.height * self.log(0.01, 3)
        dt = dt if self.clock() is None else self.clock()
        time, absorption = dt * self.iterations, self.log(0.1, 30) / self.height
        if law == "carbon":
            self.put("reef", carbon=carbon, calcification=grown / (carbon**2 * time), uptake=self.log(1e-3, 10) if self.chance(0.8) else 0)
        else:
            self.put("reef", max_growth=grown / time, surface_light=self.log(100, 4000), saturating_light=self.log(50, 450))
        min_depth = np.maximum(self.height * self.log(1e-4, 0.05), 1e-6)
        if law == "carbon":
            self.put("reef", max_depth=self.height * self.log(0.1, 3) if self.chance(0.3) else None)
        if "waves" in self.phase:
            self.put("reef", sheltered_growth=self.uniform(0, 1), exposure_scale=self.log(0.01, 1))
        self.put("reef", law=law, dt=dt, absorption=absorption, min_depth=min_depth,
                 sea_rise=self.rng.choice([-1, 1], self.count) * self.log(0.01, 1) * self.height / time if self.chance(0.5) else None)

    def droplets(self):
        cells = self.n**2
        count = np.round(cells * self.log(0.2, 8))
        batch = 2.0 ** np.round(np.log2(np.maximum(self.log(4, cells / 4), count / self.most)))
        dt, friction = self.log(0.1, 2), self.log(0.01, 0.5)
        self.put("droplets", count=count, batch=np.maximum(batch, 4), dt=dt, friction=friction, density=self.log(0.3, 3),
                 deposition_rate=self.log(0.01, 1) / dt, evaporation=self.log(1e-4, 0.05) / dt, min_volume=self.log(1e-3, 0.3),
                 max_steps=np.round(self.log(16, 256)), losses=self.word("droplets.losses"))

    def rivers(self, more=""):
        """Incision of ground that rises, from far below a Courant number of 1 of the largest river to far beyond it."""
        dt, m, risen = self.log(1e3, 1e9), self.uniform(0.35, 0.6), self.height * self.log(0.05, 5)
        self.scenario["edges"] = dict.fromkeys(("left", "right", "bottom", "top"), "open")
        self.put("uplift", dt=dt, rate=risen / (dt * self.iterations))
        self.put("incision", m=m, n=self.uniform(0.7, 1.6) if self.chance(0.3) else 1,
                 erodibility=self.log(1e-3, 30) * self.spacing / (dt * self.width ** (2 * m)))
        if self.chance(0.3):
            self.put("incision", threshold=self.columns["phases.p.uplift.rate"] * self.log(0.01, 1))
        if self.chance(0.3):
            self.put("incision", depressions=self.word("incision.depressions"))
        if self.chance(0.3):
            self.put("creep", dt=dt, diffusivity=self.log(1e-3, 0.2) * self.spacing**2 / dt)
        if more == "rain":
            self.put("incision", deposition=self.log(0.05, 3))
            self.put("rain", map=[{"constant": {"height": 1}}, {"simplex": {"octaves": 2, "amplitude": 0.5, "wavelength": 300, "combine": "add"}}])
        if more == "delta":
            self.put("incision", plume=self.width * self.log(0.01, 0.3))
            self.put("marine_diffusion", dt=dt, diffusivity=self.log(1e-3, 0.2) * self.spacing**2 / dt, wave_base=self.height * self.log(0.03, 1))

    def wind(self):
        speed, dt = self.log(0.2, 1), self.log(1e3, 1e7)
        threshold, thickness = speed * self.uniform(0.3, 1.1), self.spacing * self.log(1e-3, 0.1)
        flux = self.log(0.005, 2) * self.spacing * thickness / (dt * speed * np.maximum(speed**2 - threshold**2, 0.1 * speed**2))
        self.put("wind", dt=dt, flux=flux, speed=speed, threshold=threshold, thickness=thickness, **{"from": float(self.rng.uniform(0, 360))})

    def events(self):
        """Dry before, and after: the water of the phase comes late, and its phases may run again."""
        calm, after = ({**json.loads(json.dumps(self.phase)), "name": name} for name in ("calm", "after"))
        for phase in (calm, after):
            phase.pop("rain", None), phase.pop("rivers", None)
        self.scenario.get("initial", {}).pop("water", None)
        self.columns.pop("initial.water", None)
        if not {"rain", "rivers"} & self.phase.keys():
            self.put("rain", rate=2 * self.speed * self.depth / self.width)
        if self.chance(0.4):
            after["cycle"] = {"times": 2, "from": "calm"}
        self.scenario["phases"] = [calm, self.phase, after]
        for path, value in list(self.columns.items()):
            if path.startswith("phases.p.hydraulic."):
                self.columns |= {path.replace(".p.", f".{name}."): value for name in ("calm", "after") if name == "after" or path.endswith(".dt")}
        self.columns |= {f"phases.{name}.iterations": np.round(self.iterations * self.log(0.2, 1)[0]) for name in ("calm", "after")}
        self.iterations = np.maximum(np.round(self.iterations * self.log(0.05, 0.5)[0]), 4)

    def sources(self):
        """Two springs, in one cell or in two, on ground that is dry else."""
        self.phase.pop("rain", None)
        for path in [path for path in self.columns if path.startswith(("phases.p.rain.", "phases.p.rivers.", "initial.water"))]:
            del self.columns[path]
        self.scenario.pop("initial", None)
        self.phase["rivers"] = [{"x": 0, "y": 0, "discharge": 0} for _ in "ab"]
        at, off = self.width * self.uniform(0.2, 0.8), self.spacing * self.rng.choice([0, 3], self.count)
        for n in range(2):
            self.columns |= {f"phases.p.rivers.{n}.x": at + n * off, f"phases.p.rivers.{n}.y": at,
                             f"phases.p.rivers.{n}.discharge": 2 * self.spacing * self.speed * self.depth}

    def dams(self):
        """A dam across the map, at some angle, and one that breaches at a time that all members share."""
        time, at, crest = np.median(self.step * self.iterations), self.uniform(0.1, 0.9) * self.width, self.height * self.uniform(0.2, 1) + self.depth
        breach = [[0.0, float(np.median(crest))], [0.3 * time, float(np.median(crest))], [self.rng.uniform(0.35, 0.8) * time, 0.0]]
        self.phase["dams"] = [{"crest": 0, "line": [[-1, 0], [1, 0]]}, {"history": breach, "line": [[-1, 0], [1e6, 0]]}]
        corners = {"0.line.0.1": at, "0.line.1.0": self.width, "0.line.1.1": self.uniform(0.1, 0.9) * self.width, "1.line.0.1": at / 2, "1.line.1.1": at / 2}
        self.columns |= {f"phases.p.dams.{key}": value for key, value in (corners | {"0.crest": crest}).items()}

    def held(self):
        """A level that rises and falls along a line, and two ways out: a rating curve and a uniform flow, on ground that is dry else."""
        self.sources()
        time, top = np.median(self.step * self.iterations), float(np.median(self.height + self.depth))
        keys = ({"level": [[0, 0], [0.6 * time, top], [time, top / 2]]}, {"rating": 1, "rating_zero": 0, "rating_exponent": 1.5}, {"slope": 1})
        self.phase["rivers"] = [dict.fromkeys(("x", "y", "to_x", "to_y"), 0) | more for more in keys]
        self.columns = {path: value for path, value in self.columns.items() if not path.startswith("phases.p.rivers.")}
        ends = {f"{n}.{key}": self.width * part for n in range(3) for key, part in (("x", 0.1), ("to_x", 0.9), ("y", 0.2 + 0.3 * n), ("to_y", 0.3 + 0.3 * n))}
        q = {"1.rating": 2 * self.width * self.speed / np.sqrt(self.depth), "1.rating_zero": self.height * self.uniform(0, 0.5),
             "1.rating_exponent": self.uniform(0.5, 3), "2.slope": self.slope * self.log(0.03, 1)}
        self.columns |= {f"phases.p.rivers.{key}": value for key, value in (ends | q).items()}

    def coast(self):
        """Cliffs and beaches: what waves cut, and carry, between two sweeps, from far below the limits to beyond them."""
        waves, dt = self.phase["waves"], self.columns["phases.p.marine_diffusion.dt"]
        height, period = (self.columns[f"phases.p.waves.{key}"] for key in ("height", "period"))
        metre = 32 * np.pi * self.spacing / (waves["every"] * dt * 1025 * self.columns["phases.p.waves.gravity"] ** 2 * height**2 * period)
        depth = self.height * self.log(0.03, 0.5)
        self.put("coast", dt=dt, abrasion=metre * self.log(2e-3, 5), drift=metre * self.log(1e-2, 30), closure_depth=depth,
                 shore_depth=depth * self.uniform(0.01, 0.2), beach_slope=self.log(0.01, 0.3), runup=depth * self.log(0.003, 0.3))

    def raised(self):
        """Ground that stands high: hundreds of metres of uplift before the rest."""
        lift = {"name": "lift", "iterations": 10, "uplift": {"dt": 1}}
        self.scenario["phases"].insert(0, lift)
        self.columns |= {"phases.lift.iterations": np.full(self.count, 10.0), "phases.lift.uplift.dt": np.full(self.count, 1e6),
                         "phases.lift.uplift.rate": self.log(100, 4000) / 1e7}

    def series(self):
        """A sea that turns, at times that all members share."""
        path = "phases.p.reef.dt"
        self.columns[path][:] = self.columns[path][0]
        self.columns.pop("phases.p.reef.sea_rise", None)
        times = np.sort(self.rng.uniform(0, self.iterations[0] * self.columns[path][0], 6))
        self.put("reef", sea_history=[[0.0, 0.0], *([float(t), float(h)] for t, h in zip(times, np.median(self.height) * self.rng.uniform(-0.5, 0.5, 6)))])

    def refined(self, f, finer, grids):
        """Columns for steps f times and cells `finer` times as short, and the same simulated time; grids: also the numbers of cells.
        What knows no clock follows: shares an iteration, k -> 1 - (1 - k)^(1/f), 1 - theta, sweeps and batches; so does what knows cells
        instead of metres: rates of sliding, sweeps, areas of pipes."""
        out = {}
        for path, value in self.columns.items():
            key = re.sub(r"^phases\.[a-z]+\.", "", path)
            if key in ("hydraulic.dissolve", "hydraulic.deposit") and self.per_iteration:
                value = -np.expm1(np.log1p(-value) / f)
            if key == "hydraulic.theta":
                value = 1 - (1 - value) / f
            of_f, of_finer = SCALES.get(key, (0, 0))
            out[path] = value * float(f) ** of_f * float(finer) ** of_finer
        out["audit"] = ["on" if f == 1 else "off"] * self.count  # the verdict of the first step is judged; the others tell its truth
        if grids:
            out |= dict.fromkeys(("grid.nx", "grid.ny"), np.full(self.count, self.n * finer))
        return out


# what each family draws: a method of Variant, and its law
ALONE = {"water": "water", "erosion": "erosion", "published": "erosion published"} | {name: name for name in ("slides", "creep", "reef", "seabed", "droplets")}
FLOWS = {"water", "erosion", "published", "droplets"}  # a phase has one of these
FAMILIES = {name: (draw,) for name, draw in ALONE.items() if name != "slides"} | {"share": ("slides share",), "excess": ("slides excess",)}
FAMILIES |= {"shallow": ("water shallow",), "torrent": ("erosion shallow",), "light": ("reef light_saturation",)}
FAMILIES |= {"marine": ("marine_diffusion",), "waves": ("waves", "reef light_saturation"), "bank": ("waves", "marine_diffusion", "reef light_saturation")}
FAMILIES |= {"layers": ("layers", "erosion", "slides"), "mixed": ("erosion", "slides", "creep", "seabed")}
FAMILIES |= {"rivers": ("rivers",), "rivers_rain": ("rivers rain",), "delta": ("rivers delta",), "wind": ("layers", "wind")}
FAMILIES |= {"events": ("water", "events"), "storms": ("erosion", "events"), "floods": ("water shallow", "events"), "raised": ("raised", "creep"),
             "raised_slides": ("raised", "slides"), "series": ("reef light_saturation", "series"), "swept": ("waves", "reef light_saturation", "series")}
FAMILIES |= {"levees": ("ground levee", "water shallow"), "gaps": ("ground gap", "water"), "sills": ("ground sill", "water shallow"),
             "cliffs": ("ground cliff", "erosion shallow"), "sources": ("water shallow", "sources"), "coasts": ("layers", "waves", "marine_diffusion", "coast"),
             "dikes": ("water shallow", "dams"), "breaches": ("ground valley", "water shallow", "dams"), "held": ("water shallow", "held")}
NEW = tuple(itertools.dropwhile(lambda name: name != "rivers", FAMILIES))  # drawn by no seed before: pooled apart
FAMILIES |= {f"{a}+{b}": (ALONE[a], ALONE[b]) for a, b in itertools.combinations(ALONE, 2) if not FLOWS.issuperset((a, b))}


def check(known):
    """Every key of every process is set by a family, or fixed for a reason."""
    seen = set()
    for family in FAMILIES:
        for number in range(12):
            one = Variant(family, number, 0, 1, 32, 100, known)
            seen |= {re.sub(r"^(river|dam)s.\d", r"\1", path.removeprefix("phases.p.")) for path in one.columns}
            for group, held in one.phase.items():
                items = {group: held} if isinstance(held, dict) else {f"{group[:-1]}{n}": item for n, item in enumerate(held)} if group in ("rivers", "dams") else {}
                seen |= {f"{name.rstrip('0123456789')}.{key}" for name, item in items.items() for key in item}
    keys = {key for key in known if key.split(".")[0] in GROUPS}
    if wrong := (keys - seen - FIXED.keys()) | (FIXED.keys() & seen) | (FIXED.keys() - keys):
        raise SystemExit(f"falsify: members.py neither draws nor fixes, or both, or does not know: {', '.join(sorted(wrong))}")
