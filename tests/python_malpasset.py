"""Claim: the validation case of Malpasset reads Selafin files of one and two words per number, with and without a date; a linear ground is
exact on the grid, and cells outside of the mesh have none; a file that is cut or of another form is refused; a dam in a valley of such
a file breaks, and its levels and arrivals are found."""

import pathlib
import struct
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "experiments/validation/malpasset"))
try:
    import numpy as np

    import compare
    import selafin
except ImportError as why:
    print(f"skipped: {why}")
    sys.exit(77)


def check(held, words):
    if not held:
        sys.exit(f"python_malpasset: {words}")


def write(path, x, y, mesh, values, kind=">f4", date=False):
    frame = lambda data: struct.pack(">i", len(data)) + data + struct.pack(">i", len(data))
    parts = [b"a valley".ljust(80), struct.pack(">2i", len(values), 0)]
    parts += [(name.ljust(16) + "M".ljust(16)).encode("latin-1") for name in values]
    parts += [struct.pack(">10i", 1, *[0] * 8, int(date))] + ([struct.pack(">6i", 1959, 12, 2, 21, 13, 0)] if date else [])
    parts += [struct.pack(">4i", len(mesh), len(x), 3, 1), np.asarray(mesh + 1, ">i4").tobytes(), np.zeros(len(x), ">i4").tobytes()]
    parts += [np.asarray(v, kind).tobytes() for v in (x, y, [0.0], *values.values())]
    path.write_bytes(b"".join(frame(part) for part in parts))


def valley(nx, ny, l):
    """Points of a bent strip, two triangles per square, whose every second one is turned the other way round."""
    j, i = np.mgrid[:ny, :nx]
    corner = (j * nx + i)[:-1, :-1].ravel()
    mesh = np.concatenate([np.stack([corner, corner + 1, corner + nx], 1), np.stack([corner + 1, corner + nx, corner + nx + 1], 1)])
    return 500.0 + i.ravel() * l, -2000.0 + j.ravel() * l + 0.1 * i.ravel() * l, mesh


with tempfile.TemporaryDirectory() as space:
    path = pathlib.Path(space) / "geo.slf"
    x, y, mesh = valley(61, 21, 50.0)
    plane = 40 - 0.01 * (x - 500) + 0.002 * y
    for kind, date in ((">f4", False), (">f8", True)):
        write(path, x, y, mesh, {"FOND": plane, "HAUTEUR D'EAU": 0 * x}, kind, date)
        rx, ry, rm, values = selafin.read(path)
        check(np.allclose(rx, x) and np.allclose(ry, y) and (rm == mesh).all() and np.allclose(values["FOND"], plane), f"{kind}: the mesh")
        (grid,) = selafin.to_grid(rx, ry, rm, [values["FOND"]], 480.0, -2100.0, (80, 160), 20.0)
        cy, cx = np.mgrid[:80, :160] * 20.0 + np.array([-2090.0, 490.0])[:, None, None]
        inside = (cx >= 500) & (cx <= 3500) & (cy >= -2000 + 0.1 * (cx - 500)) & (cy <= -1000 + 0.1 * (cx - 500))
        check((np.isnan(grid) == ~inside).all(), f"{kind}: cells of the mesh: {np.isfinite(grid).sum()}, not {inside.sum()}")
        check(np.abs(grid - (40 - 0.01 * (cx - 500) + 0.002 * cy))[inside].max() < 1e-4, f"{kind}: a plane is not exact")
    whole = path.read_bytes()
    for name, data in (("cut", whole[:-100]), ("text", b"ncols 10\nnrows 20\n"), ("little", whole[3::-1] + whole[4:]), ("no title", whole[88:])):
        path.write_bytes(data)
        try:
            selafin.read(path)
            check(False, f"{name}: read all the same")
        except ValueError as why:
            check(str(path) in str(why), f"{name}: {why}")
    write(path, x, y, mesh, {"FOND": plane})
    try:
        compare.scene(path, 50.0)
        check(False, "a file without water is read")
    except ValueError as why:
        check("HAUTEUR D'EAU" in str(why), f"no water: {why}")
    # 10 m of water in the first kilometre of a flat, smooth valley: Ritter's tip runs at 2 sqrt(g d) = 19.8 m/s, friction holds it back
    write(path, x, y, mesh, {"FOND": 0 * x, "HAUTEUR D'EAU": np.where(x <= 1500, 10.0, 0.0)})
    ground, depth, left, bottom = compare.scene(path, 25.0)
    check(left == 500 and bottom == -2000 and (ground == compare.LAND).any() and abs(depth.max() - 10) < 1e-5, "the scene")
    highest, arrival = compare.flood("shallow_water", ground, depth, 25.0, 60)
    middle = lambda place: -1500 + 0.1 * (place - 500)
    first, second = (compare.at(arrival, (place, middle(place)), left, bottom, 25.0) for place in (1700, 2000))
    check(6 <= first <= 20 and 15 <= second - first <= 40, f"arrivals {first} and {second} s")
    check(compare.at(highest, (800, middle(800)), left, bottom, 25.0) == 10, "the level of the lake")
    check(np.isnan(compare.at(arrival, (3400, middle(3400)), left, bottom, 25.0)), "water where none has arrived")
