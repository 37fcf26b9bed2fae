"""Claim: a map in HDF5, NetCDF-4 or NetCDF-3 is read as its file describes it, or refused: never another map. The files are drawn at
random from all that such files differ in: order, direction, names and marks of the axes, units, packing, marks for cells without data,
depths, storage, and what GMT, GDAL, rioxarray and climate models add: a time of one step, bounds, a grid mapping with a GeoTransform,
packed coordinates, `_Unsigned`, unlimited dimensions, a second map. Each is valid, and its right map is known; what is unusual may be
refused, but not misread. `cli_maps.py OTOK BACKEND N [FIRST]` tries N files, from number FIRST on."""
# once: under the sanitizers; it depends on no optimisation
import concurrent.futures
import threading

from cli import *

with needed():
    import h5py
    import numpy as np
    from map_cases import HOLE, Case

N = int(sys.argv[3]) if len(sys.argv) > 3 else 40 if SMALL else 200
FIRST = int(sys.argv[4]) if len(sys.argv) > 4 else 0

ALONE = threading.Lock()  # NetCDF's library serves one thread


def attempt(number):
    """Returns (the case, its exit code, what it said, the map)."""
    case = Case(number)
    path = SPACE / f"m{number}.{'h5' if case.kind == 'h5' else 'nc'}"
    with ALONE:
        case.write(str(path))
    out = SPACE / f"m{number}.vtkhdf"
    done = otok("base", write(f"m{number}.yaml", case.scenario(path)), "-o", out, code=None)
    found = None
    if done.returncode == 0:
        with ALONE, h5py.File(out) as f:
            found = f["terrain"][()]
        out.unlink()
    path.unlink()
    return case, done.returncode, done.stderr, found


with concurrent.futures.ThreadPoolExecutor(2) as pool:
    results = list(pool.map(attempt, range(FIRST, FIRST + N)))
read = refused = 0
for case, code, said, found in results:
    if "all that this build reads" in said or "built without UDUNITS-2" in said:
        continue  # NetCDF-3 without GDAL, units without their library
    about = f"map {case.number} ({case.kind}{', initial' if case.initial else ''}, {case.storage}, {case.names}, {case.type}{', ' + case.why if case.why else ''}{', ' + case.odd if case.odd else ''})"
    if code == 0:
        good = case.right is not None and found.shape == case.right.shape
        data = ~np.isnan(case.right) if good else None
        good = good and np.allclose(found[data], case.right[data], rtol=1e-6, atol=1e-6) and data.all() != ("no data and are walls" in said)
        check(good, f"{about}: a wrong map, without a word:\n{found}\n, not\n{case.right}")
        read += 1
    else:
        check(code == 65 and (case.right is None or case.odd), f"{about}: exit {code}, and it is readable: {said}")
        check(f"m{case.number}." in said, f"{about}: the file is not named: {said}")
        refused += 1
check(read > (read + refused) / 4 and refused > (read + refused) / 8, f"{read} read, {refused} refused: the cases are one-sided")
finish(f"{read} maps read, {refused} refused, none wrong")
