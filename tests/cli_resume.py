"""A run resumes without the file that it began from, to the same state, also with the erodibility that only this file had; coordinates that were changed are noticed."""
# once: under the sanitizers; it depends on no optimisation

import struct

from cli import BACKEND, CELL, ISLAND, SPACE, check, finish, otok

SHORT = ISLAND.replace("400", "40").replace("250", "30").replace("iterations: 500", "iterations: 20").replace("every: 100", "every: 20")
base, started = SPACE / "base.yaml", SPACE / "started.yaml"
base.write_text(SHORT + "erodibility: [{constant: {height: 0.5}}]\n")  # which the file brings along
otok("base", base, "-o", SPACE / "first.vtkhdf", "--backend", BACKEND)
started.write_text(SHORT.replace("sea:", "initial: {file: first.vtkhdf}\nsea:"))
run = ["run", started, "--backend", BACKEND, "-q", "-o"]
otok(*run, SPACE / "out")
last = sorted((SPACE / "out").glob("*.vtkhdf"))[-1]
whole = last.rename(SPACE / "whole.vtkhdf")
(SPACE / "first.vtkhdf").unlink()
otok(*run, SPACE / "out", "--resume")
otok("compare", whole, last)
check("first.vtkhdf" in otok(*run, SPACE / "anew", code=74).stderr, "which file is missing?")

data = bytearray(whole.read_bytes())
at = data.find(struct.pack("<3d", CELL / 2, 1.5 * CELL, 2.5 * CELL))  # of the first three cells; y comes first
if check(at > 0, "no coordinates found"):
    data[at + 9] ^= 0x10
    (SPACE / "flipped.vtkhdf").write_bytes(data)
    check("coordinates y are not those of its grid" in otok("inspect", SPACE / "flipped.vtkhdf", code=65).stderr, "coordinates not named")
finish()
