"""Claim: `otok road` builds a road that `otok inspect` finds and `otok export` draws, writes its line, and says what is wrong with a request."""
# once: under the sanitizers; it depends on no optimisation
import csv
import json

from cli import *

scenario = write("island.yaml", FINE_ISLAND)
otok("base", scenario, "-o", SPACE / "base.vtkhdf")
ends = ["--from", "60,60", "--to", "700,440"]


def road(*args, code=0, says=()):
    done = otok("road", SPACE / "base.vtkhdf", *args, code=code)
    for words in says:
        check(words in done.stderr, f"otok road {' '.join(map(str, args))}: no '{words}' in: {done.stderr.strip()}")
    return done


out, line = SPACE / "road.vtkhdf", SPACE / "road.geojson"
done = road(*ends, "--via", "400,100", "--step", 2, "--bridge-height", 3, "-o", out, "--line", line)
said = {row[:15].strip(): float(row[15:].split()[0]) for row in done.stdout.splitlines()}
feature = json.loads(line.read_text())
points = feature["geometry"]["coordinates"]
check(feature["geometry"]["type"] == "LineString" and len(points) > 100, f"{len(points)} points")
check(points[0][:2] == [60, 60] and points[-1][:2] == [700, 444], f"from {points[0]} to {points[-1]}")  # cell centres
length = sum(sum((a - b) ** 2 for a, b in zip(p, q)) ** 0.5 for p, q in zip(points, points[1:]))
for name, value in [("length", length), ("length", feature["properties"]["length"]), ("cut", feature["properties"]["cut"])]:
    check(abs(said[name] - value) < 1e-3, f"{name}: said {said[name]}, found {value}")
seen = json.loads(otok("inspect", "--json", out).stdout)
check(seen["fields"]["road"]["max"] in (1, 2) and seen["parent"] == str(SPACE / "base.vtkhdf"), f"{seen['fields'].get('road')}")
check(abs(seen["fields"]["terrain_change"]["mean"] * 96 * 64 * 64 - (said["fill"] - said["cut"])) < 0.5, "cut and fill are not the change")
otok("export", out, "-o", SPACE / "with.png")
otok("export", SPACE / "base.vtkhdf", "-o", SPACE / "without.png")
check((SPACE / "with.png").read_bytes() != (SPACE / "without.png").read_bytes(), "the road is not drawn")
road(*ends, "-o", out, "-l", SPACE / "road.csv")
rows = list(csv.reader((SPACE / "road.csv").open()))
check(rows[0] == ["x", "y", "z"] and len(rows) > 100 and all(len(r) == 3 for r in rows), f"{rows[:2]}")

never = SPACE / "never.vtkhdf"
road("-o", never, code=2, says=["--from x,y and --to x,y"])
road(*ends, code=2, says=["-o"])
road("--from", "60;60", "--to", "1,1", "-o", never, code=2, says=["--from 60;60", "x,y"])
road("--from", "nan,60", "--to", "1,1", "-o", never, code=2, says=["--from nan,60"])
road("--from", "60,60", "--to", "9000,1", "-o", never, code=2, says=["road.to", "768 m by 512 m"])
road("--from", "60,60", "--to", "61,61", "-o", never, code=2, says=["one cell"])
road(*ends, "--width", "0", "-o", never, code=2, says=["road.width", "above 0"])
road(*ends, "--width", "wide", "-o", never, code=2, says=["--width wide"])
road(*ends, "--step", "1.5", "-o", never, code=2, says=["--step 1.5", "whole number"])
road(*ends, "--stop", "1", "-o", never, code=2, says=["--stop"])
road(*ends, "--line", "road.dxf", "-o", never, code=2, says=["road.dxf", ".geojson"])
road(*ends, "--max-grade", "0.001", "-o", never, code=65, says=["max_grade 0.001"])
road(*ends, "-o", SPACE / "no" / "x.vtkhdf", code=74, says=["no/x.vtkhdf"])
check(not never.exists() and not left_over(SPACE), "a refused road left a file")
finish()
