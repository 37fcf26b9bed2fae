#!/usr/bin/env python3
"""The edge of `stable` in eight dimensions, and how often it is right about members that it has not seen.

usage: box.py [--members 4096] [--points 64] [--held-out 4096] [--seed 5] [--backend cpu] [--gpus 1] [--audit] [--out out/box]
       (packages: tests/requirements.txt; the same command goes on after a stop)
OUT/points.csv has the certified points. Exit 0; 1: the unseen members show, with 95 %, that more are wrong than expected."""
import argparse
import sys
import time
from pathlib import Path

import otok

HERE = Path(__file__).resolve().parent
P, H = "phases.p.", "phases.p.hydraulic."
AXES = {H + "dt": (0.01, 1), H + "pipe_area": (0.05, 5), H + "gravity": (3, 30), "grid.spacing": (0.5, 5), P + "rain.rate": (1e-5, 1e-2),
        H + "manning": (0.01, 0.3), "base.0.cone.height": (0.5, 20), H + "evaporation": (1e-3, 1)}
STUDY = {"study": 1, "scenario": str(HERE / "slope.yaml"), "monitor": {"every": 20},
         "vary": {path: {"from": low, "to": high, "scale": "log"} for path, (low, high) in AXES.items()}}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, value in (("members", 4096), ("points", 64), ("held-out", 4096), ("seed", 5), ("gpus", 1), ("backend", "cpu"),
                        ("out", Path("out/box"))):
        parser.add_argument(f"--{name}", type=type(value) if value != Path("out/box") else Path, default=value)
    parser.add_argument("--audit", action="store_true")
    o = parser.parse_args()
    began = time.monotonic()
    study = {**STUDY, "vary": {**STUDY["vary"], **({"audit": {"values": ["on"]}} if o.audit else {})}}
    found = otok.edges(study, o.out, members=o.members, points=o.points, held_out=o.held_out, seed=o.seed, backend=o.backend, gpus=o.gpus, resume=True)
    found.points.to_dataframe().to_csv(o.out / "points.csv")
    unseen = found.held_out
    print(f"{found.members.sizes['member']} members, {float(found.members.inside.mean()):.0%} of them stable; {time.monotonic() - began:.0f} s\n"
          f"{found.points.sizes['point']} certified points, at most {found.width:.4f} of an axis wide\n"
          f"unseen: {unseen.wrong} of {unseen.members} wrong, {unseen.share:.2%} (95 %: {unseen.interval[0]:.2%} to {unseen.interval[1]:.2%}); "
          f"expected {found.expected:.2%}\n"
          f"band: distance {found.band:.2f}, {unseen.banded / unseen.members:.1%} of the unseen members; {unseen.wrong_outside} of the others wrong\n"
          "stable by fifths of their probability: " + ", ".join(f"{sure} of {n} ({likely:.0f} expected)" for n, likely, sure in unseen.chances))
    sys.exit(unseen.interval[0] > found.expected)


if __name__ == "__main__":
    main()
