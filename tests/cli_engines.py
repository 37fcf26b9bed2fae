"""Claim: OpenEXR reads the bits of a map; a glTF keeps the format's schema and the rules that are beyond a schema, also with holes, and its ground, water, sea and reef
are those of the checkpoint."""
# once: under the sanitizers; it depends on no optimisation
import json
import struct

from cli import *

try:
    import numpy
    import OpenEXR
    import trimesh
except ImportError:
    skip("numpy, OpenEXR and trimesh are missing")

NX, NY, L = 32, 24, 4
isle = write("wet.yaml", f"otok: 1\ngrid: {{nx: {NX}, ny: {NY}, spacing: {L}}}\nsea: {{level: 6}}\nbase: [{{cone: {{height: 30, radius: 60, power: 0.7}}}}, {{crater: {{level: 18}}}}]\n"
             "phases:\n  - {name: rain, iterations: 200, rain: {rate: 0.01}, hydraulic: {dt: 0.1}}\n"
             "  - {name: grow, iterations: 40, reef: {dt: 1, calcification: 2, absorption: 0.2}}\noutput: {every: 0}\n")
run(isle, SPACE / "out", "-q")
state = checkpoints(SPACE / "out")[-1]


def numbers(field):
    otok("export", state, "-o", SPACE / "true.r32", "--field", field)
    return numpy.fromfile(SPACE / "true.r32", "<f4").reshape(NY, NX)


# ---- EXR ----
for field, unit in (("terrain", "m"), ("reef", "m"), ("curvature", "m-1")):
    otok("export", state, "-o", SPACE / "map.exr", "--field", field)
    file = OpenEXR.File(str(SPACE / "map.exr"))
    check(file.header()["comments"] == f"{field} in {unit}, 4 m a pixel", file.header()["comments"])
    pixels, true = file.channels()["Y"].pixels, numbers(field)
    check(pixels.dtype == "float32" and numpy.array_equal(pixels, true, equal_nan=True), f"EXR of {field}")
    check(numpy.isnan(pixels).any() == (field == "curvature") and numpy.nanmax(pixels) > 0, f"{field}: no data")

# ---- glTF ----
def keeps_rules(path):
    """Those of glTF 2.0 that its schema cannot say: accessors lie within their views, aligned, with their true ends and finite numbers; views within the buffer,
    none over another; indices name vertices; normals have length 1; attributes of a mesh have one count; all is used."""
    card, blob = json.loads(path.read_text()), path.with_suffix(".bin").read_bytes()
    views, accessors, end = card["bufferViews"], card["accessors"], 0
    check(card["buffers"][0]["byteLength"] == len(blob), card["buffers"])
    for view in sorted(views, key=lambda v: v["byteOffset"]):
        check(view["byteOffset"] >= end and "byteStride" not in view, f"{path.name}: {view} begins before {end}")
        end = view["byteOffset"] + view["byteLength"]
    check(end <= len(blob), f"{path.name}: views end at {end} of {len(blob)} bytes")
    values = []
    for one in accessors:
        view, kind, parts = views[one["bufferView"]], {5125: "<u4", 5126: "<f4"}[one["componentType"]], {"SCALAR": 1, "VEC2": 2, "VEC3": 3}[one["type"]]
        at, size = view["byteOffset"] + one.get("byteOffset", 0), 4 * parts * one["count"]
        check(one["count"] > 0 and at % 4 == 0 and one.get("byteOffset", 0) + size <= view["byteLength"], f"{path.name}: {one} in {view}")
        numbers = numpy.frombuffer(blob, kind, parts * one["count"], at).reshape(-1, parts)
        check(kind == "<u4" or numpy.isfinite(numbers).all(), f"{path.name}: {one} has numbers that are not finite")
        for key, found in (("min", numbers.min(axis=0)), ("max", numbers.max(axis=0))):
            check(key not in one or numpy.array_equal(numpy.float32(one[key]), found), f"{path.name}: {key} of {one}, not {found}")
        values.append(numbers)
    used = set()
    for mesh in card["meshes"]:
        for part in mesh["primitives"]:
            attributes, corners = part["attributes"], values[part["indices"]]
            counts = {accessors[n]["count"] for n in attributes.values()}
            check(len(counts) == 1 and {"min", "max"} <= set(accessors[attributes["POSITION"]]), f"{path.name}: {mesh}")
            check(all(views[accessors[n]["bufferView"]]["target"] == 34962 for n in attributes.values()) and views[accessors[part["indices"]]["bufferView"]]["target"] == 34963, mesh)
            check(corners.size % 3 == 0 and corners.max() < min(counts), f"{path.name}: {corners.max()} of {counts} vertices")
            check(abs(numpy.linalg.norm(values[attributes["NORMAL"]], axis=1) - 1).max() < 1e-6, f"{path.name}: normals of {mesh['name']}")
            used |= {part["indices"], *attributes.values()}
            check(0 <= part["material"] < len(card["materials"]) and all(key in ("POSITION", "NORMAL", "TEXCOORD_0") or key[0] == "_" for key in attributes), mesh)
    check(used == set(range(len(accessors))) == {one["bufferView"] for one in accessors}, f"{path.name}: {len(accessors)} accessors, used {used}")
    trimesh.exchange.gltf.validate(card)


name = SPACE / "isle.gltf"
otok("export", state, "-o", name)
card = json.loads(name.read_text())
keeps_rules(name)
scene = trimesh.load(name, process=False)
ground, water, reef = (numbers(field)[::-1].astype(float) for field in ("terrain", "water", "reef"))  # south row first
x, z = numpy.meshgrid((numpy.arange(NX) + 0.5 - NX / 2) * L, (NY / 2 - 0.5 - numpy.arange(NY)) * L)
at = {key: scene.geometry[key].vertices.reshape(NY, NX, 3) for key in ("terrain", "water")}
for key, true in (("terrain", ground), ("water", ground + water)):
    check(abs(at[key] - numpy.stack([x, true, z], axis=2)).max() < 1e-4, f"{key} is elsewhere")
    mesh = scene.geometry[key]
    check(mesh.face_normals[:, 1].min() > 0, f"{key} is turned over")
    own = numpy.stack([-numpy.gradient(true, L, axis=1), numpy.ones_like(true), numpy.gradient(true, L, axis=0)], axis=2).reshape(-1, 3)
    own /= numpy.linalg.norm(own, axis=1)[:, None]
    check(abs(mesh.vertex_normals - own).max() < 1e-4, f"normals of {key}")
check(len(scene.geometry["terrain"].faces) == 2 * (NX - 1) * (NY - 1), "triangles of the ground")
wet = water >= 0.05
quads = wet[1:, 1:] | wet[:-1, 1:] | wet[1:, :-1] | wet[:-1, :-1]
check(0 < quads.sum() < quads.size and len(scene.geometry["water"].faces) == 2 * quads.sum(), "triangles of the water")
check((scene.geometry["sea"].bounds == [[-NX * L / 2, 6, -NY * L / 2], [NX * L / 2, 6, NY * L / 2]]).all(), "the sea")
blob, first = (SPACE / "isle.bin").read_bytes(), card["meshes"][0]["primitives"][0]["attributes"]
part = lambda key: numpy.frombuffer(blob, "<f4", offset=card["bufferViews"][first[key]]["byteOffset"], count=NX * NY * (1 if key == "_REEF" else 2))
check(reef.max() > 1 and abs(part("_REEF") - reef.ravel()).max() < 1e-6, "the reef")
check(numpy.allclose(part("TEXCOORD_0").reshape(NY, NX, 2), numpy.stack([x / NX / L + 0.5, z / NY / L + 0.5], axis=2)), "where the colours are")
check(struct.unpack(">2I", (SPACE / "isle.png").read_bytes()[16:24]) == (2 * NX, 2 * NY), "the colours")
otok("export", state, "-o", SPACE / "an isle.gltf")
uris = [json.loads((SPACE / "an isle.gltf").read_text())[key][0]["uri"] for key in ("buffers", "images")]
check(uris == ["an%20isle.bin", "an%20isle.png"] and (SPACE / "an isle.bin").read_bytes() == blob, f"a name with a space: {uris}")
otok("export", state, "-o", SPACE / "high.gltf", "-x", 3)
check(abs(trimesh.load(SPACE / "high.gltf", process=False).bounds[:, 1] / [ground.min(), ground.max()] - 3).max() < 1e-5, "--exaggerate")

keeps_rules(SPACE / "high.gltf")
rows = [" ".join("-9999" if 3 < i < 6 and 2 < j < 5 else str(10 + i + j / 2) for i in range(12)) for j in range(10)]
write("gap.asc", "ncols 12\nnrows 10\nxllcorner 0\nyllcorner 0\ncellsize 5\nNODATA_value -9999\n" + "\n".join(rows) + "\n")
run(write("gap.yaml", "otok: 1\ngrid: {nx: 12, ny: 10, spacing: 5}\nbase: [{raster: {file: gap.asc}}]\nphases: [{name: rain, iterations: 9, rain: {rate: 0.01}, hydraulic: {dt: 0.05}}]\n"),
    SPACE / "gap", "-q")
otok("export", checkpoints(SPACE / "gap")[-1], "-o", SPACE / "gap.gltf")
keeps_rules(SPACE / "gap.gltf")
check(len(trimesh.load(SPACE / "gap.gltf", process=False).geometry["terrain"].faces) == 2 * (11 * 9 - 9), "a hole is a hole")
for words, said in ((["x.gltf", "--field", "water"], "the shape of a mesh is the terrain"), (["x.gltf", "--sphere", 9], "without --sphere, .gltf"),
                    (["x.exr", "--bits", 8], "need a .png"), (["x.exr", "--exaggerate", 2], "are for meshes")):
    check(said in otok("export", state, "-o", SPACE / words[0], *words[1:], code=2).stderr, f"{words}")
finish("files of engines")
