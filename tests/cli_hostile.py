"""Claim: a dataset of a checkpoint that HDF5 would follow out of the file, wait for, or unpack without an end is refused at once by
whoever reads it, whichever dataset it is; and as the newest checkpoint of a run it is passed over for the newest good one. So is one
whose header has another number."""
# once: under the sanitizers; it depends on no optimisation

import resource
import zlib

from cli import *

with needed():
    import h5py
    import numpy

UNPACKED = 1 << 29  # bytes of the chunk that is too large
MOST = 300 << 10  # KiB of memory that a command takes at most; 45 MiB seen, under sanitizers 69
LIMIT = 30  # seconds until a command hangs: they take well below one

scenario = write("isle.yaml", ISLAND.replace("iterations: 400", "iterations: 30").replace("[0, 250]", "[0, 20]").replace("iterations: 500", "iterations: 50"))
good = SPACE / "good"
end = fingerprint(run(scenario, good, "-q").stdout)
last = checkpoints(good)[-1]
pipe, packed = SPACE / "pipe", zlib.compressobj(9)
os.mkfifo(pipe)
bomb = b"".join(packed.compress(bytes(1 << 20)) for _ in range(UNPACKED >> 20)) + packed.flush()


def data_of(file, name):
    """Shape and type; the dataset goes, and so does its second name."""
    kept = file[name].shape, file[name].dtype
    del file[name]
    if f"VTKHDF/PointData/{name}" in file:
        del file[f"VTKHDF/PointData/{name}"]
    return kept


def virtual(source):
    def act(file, name):
        shape, dtype = data_of(file, name)
        layout = h5py.VirtualLayout(shape, dtype)
        layout[...] = h5py.VirtualSource(str(source), name, shape)
        file.create_virtual_dataset(name, layout)

    return act


def endless(file, name):
    """A virtual dataset that grows with itself."""
    shape, dtype = data_of(file, name)
    layout, source = h5py.VirtualLayout(shape, dtype, maxshape=(None, *shape[1:])), h5py.VirtualSource(".", name, shape, maxshape=(None, *shape[1:]))
    layout[0 : h5py.h5s.UNLIMITED] = source[0 : h5py.h5s.UNLIMITED]
    file.create_virtual_dataset(name, layout)


def external(file, name):
    shape, dtype = data_of(file, name)
    file.create_dataset(name, shape, dtype, external=[(str(pipe), 0, h5py.h5f.UNLIMITED)])


def other(change):
    """Of another shape or type, else as otok makes it."""

    def act(file, name):
        shape, dtype = data_of(file, name)
        shape, dtype = change(shape, dtype)
        file.create_dataset(name, data=numpy.zeros(shape, dtype), **({"chunks": True, "compression": 1} if len(shape) > 1 else {}))

    return act


def blown(file, name):
    shape, dtype = data_of(file, name)
    chunks = tuple(min(n, 32) for n in shape)
    made = file.create_dataset(name, shape, dtype, chunks=chunks, compression="gzip")
    for at in numpy.ndindex(*(-(-n // c) for n, c in zip(shape, chunks))):
        made.id.write_direct_chunk(tuple(i * c for i, c in zip(at, chunks)), zlib.compress(bytes(4 << 10)) if any(at) else bomb)


def plain(file, name):
    shape, dtype = data_of(file, name)
    file.create_dataset(name, data=numpy.zeros(shape, dtype), **({"chunks": True, "compression": "lzf"} if len(shape) > 1 else {"chunks": True}))


def linked(link):
    def act(file, name):
        data_of(file, name)
        file[name] = link(name)

    return act


def loop(file, name):
    data_of(file, name)
    file[name], file["round"] = h5py.SoftLink("/round"), h5py.SoftLink(f"/{name}")


def group(file, name):
    data_of(file, name)
    file.create_group(name)


ACTS = {
    "virtual, of itself": virtual("."),
    "virtual, of another file": virtual(last),
    "virtual, of a pipe": virtual(pipe),
    "virtual, without an end": endless,
    "in a pipe": external,
    "a chunk that unpacks to half a GiB": blown,
    "one more axis": other(lambda shape, dtype: ((*shape, 1), dtype)),
    "one row more": other(lambda shape, dtype: ((shape[0] + 1, *shape[1:]), dtype)),
    "whole numbers": other(lambda shape, dtype: (shape, f"<i{dtype.itemsize}")),
    "the other width": other(lambda shape, dtype: (shape, f"<f{12 - dtype.itemsize}")),
    "stored in another way": plain,
    "a soft link": linked(lambda name: h5py.SoftLink("/sediment")),
    "a soft link to itself": linked(lambda name: h5py.SoftLink(f"/{name}")),
    "a loop of soft links": loop,
    "an external link": linked(lambda name: h5py.ExternalLink(str(last), name)),
    "an external link to a pipe": linked(lambda name: h5py.ExternalLink(str(pipe), name)),
    "a group": group,
}


def tried(words, *args, **more):
    """The end of a command, or None where it hangs."""
    try:
        return otok(*args, limit=LIMIT, code=None, **more)
    except subprocess.TimeoutExpired:
        check(False, f"{words}: hangs: otok {' '.join(map(str, args))}")


tries = 0
for name in ("x", "y", "water", "terrain"):
    for what, act in list(ACTS.items())[:: 3 if SMALL else 1]:
        where, words = SPACE / f"try{tries}", f"{name}: {what}"
        tries += 1
        shutil.copytree(good, where)
        bad = where / last.name
        with h5py.File(bad, "r+", libver=("v108", "v110")) as file:
            act(file, name)
        seen = tried(words, "inspect", bad)
        if seen:
            check(seen.returncode == 65 and str(bad) in seen.stderr, f"{words}: inspect ends {seen.returncode}: {seen.stderr[:300]}")
            check(name in seen.stderr or "fingerprint" in seen.stderr, f"{words}: inspect says {seen.stderr[:300]}")
        if name in ("x", "water"):
            done = tried(words, "run", scenario, "-o", where, "--backend", BACKEND, "-q", "--resume")
            if done:
                check(done.returncode == 0 and fingerprint(done.stdout) == end, f"{words}: --resume ends {done.returncode}: {done.stderr[:300]}")
                check("passed over" in done.stderr and bad.name in done.stderr, f"{words}: --resume says {done.stderr[:300]}")
        shutil.rmtree(where)


def alter(path, group, name):
    with h5py.File(path, "r+", libver=("v108", "v110")) as file:
        numbers = file[group].attrs
        numbers.modify(name, numbers[name] + 1)


for group, name in (("otok", "smoothed"), ("otok", "time"), ("/", "ledger_rain")):
    where, words = SPACE / f"header-{name}", f"{name} altered"
    shutil.copytree(good, where)
    alter(where / last.name, group, name)
    done = run(scenario, where, "-q", "--resume")
    check(fingerprint(done.stdout) == end and "passed over" in done.stderr and "checksum" in done.stderr, f"{words}: {done.stderr}")
    for path in checkpoints(where)[:-1]:
        path.unlink()
    alter(where / last.name, group, name)  # which the resume wrote anew
    done = run(scenario, where, "-q", "--resume", code=65)
    check("checksum" in done.stderr and "changed after otok wrote" in done.stderr, f"{words}, alone: {done.stderr}")
most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
check(most < MOST, f"a command took {most >> 10} MiB")
finish(f"{tries} hostile datasets, {most >> 10} MiB")
