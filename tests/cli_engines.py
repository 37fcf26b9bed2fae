"""Claim: OpenEXR reads the bits of a map; a glTF keeps the format's schema, and its ground, water, sea and reef are those of the checkpoint."""
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
name = SPACE / "isle.gltf"
otok("export", state, "-o", name)
card = json.loads(name.read_text())
trimesh.exchange.gltf.validate(card)
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
check(card["buffers"][0]["byteLength"] == len(blob), card["buffers"])
check(struct.unpack(">2I", (SPACE / "isle.png").read_bytes()[16:24]) == (2 * NX, 2 * NY), "the colours")
otok("export", state, "-o", SPACE / "an isle.gltf")
uris = [json.loads((SPACE / "an isle.gltf").read_text())[key][0]["uri"] for key in ("buffers", "images")]
check(uris == ["an%20isle.bin", "an%20isle.png"] and (SPACE / "an isle.bin").read_bytes() == blob, f"a name with a space: {uris}")
otok("export", state, "-o", SPACE / "high.gltf", "-x", 3)
check(abs(trimesh.load(SPACE / "high.gltf", process=False).bounds[:, 1] / [ground.min(), ground.max()] - 3).max() < 1e-5, "--exaggerate")

for words, said in ((["x.gltf", "--field", "water"], "the shape of a mesh is the terrain"), (["x.gltf", "--sphere", 9], "without --sphere, .gltf"),
                    (["x.exr", "--bits", 8], "need a .png"), (["x.exr", "--exaggerate", 2], "are for meshes")):
    check(said in otok("export", state, "-o", SPACE / words[0], *words[1:], code=2).stderr, f"{words}")
finish("files of engines")
