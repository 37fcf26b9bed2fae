"""Claim: no command uses memory that was given back, or that nothing was written to: they run alike where the C library fills both with
rubbish, and valgrind, which sees libraries that no sanitizer looks into, finds nothing in a run, a resume and a study."""

import shutil

from cli import *

if SMALL:
    skip("a program built with sanitizers has their memory, not the C library's")
scenario, study = isle(every=4), write("study.yaml", ISLE_STUDY)


def all_files(where, call):
    """What a user does, one after the other; the fingerprints of the run and of its resume."""
    first = call("run", scenario, "-o", where / "run", "--backend", BACKEND, "-q")
    checkpoints(where / "run")[-1].unlink()
    again = call("run", scenario, "-o", where / "run", "--backend", BACKEND, "-q", "--resume")
    call("study", study, "-o", where / "study", "--backend", BACKEND, "-q")
    return fingerprint(first.stdout), fingerprint(again.stdout)


def perturbed(*args):
    return otok(*args, env={"MALLOC_PERTURB_": "165"})


def watched(*args):
    words = ["valgrind", "-q", "--error-exitcode=99", OTOK, *map(str, args)]
    done = subprocess.run(words, capture_output=True, text=True, env=ENV, timeout=300)
    check(done.returncode == 0, f"valgrind {' '.join(words[3:])}: exit {done.returncode}: {done.stderr[:3000]}")
    return done


usual = all_files(SPACE / "usual", otok)
check(usual[0] and usual[0] == usual[1], f"the resume ends at {usual[1]}, the run at {usual[0]}")
filled = all_files(SPACE / "filled", perturbed)
check(filled == usual, f"under MALLOC_PERTURB_ {filled}, else {usual}")
if not shutil.which("valgrind"):
    sys.exit(1) if failures else skip("no valgrind here (Debian: valgrind); the rest is true")
seen = all_files(SPACE / "seen", watched)
check(seen == usual, f"under valgrind {seen}, else {usual}")
finish()
