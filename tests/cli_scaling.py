"""Claim: experiments/bench/scaling, tried on the CPU in bands, measures all its parts, resumes its run in other bands with equal bits, and writes
no file if some run has other bits."""

import json

from cli import *

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "experiments/bench/scaling"
if SMALL:
    skip("it measures; a checker of memory has nothing to see")


def scaling(program, output, *options):
    return subprocess.run([sys.executable, SCRIPT, "--cpu", "-o", output, "--space", SPACE, *options], env={**ENV, "OTOK": str(program)},
                          capture_output=True, text=True, timeout=900)


output = SPACE / "scaling.json"
done = scaling(OTOK, output, "--gpus", "1,2")
check(done.returncode == 0, f"exit {done.returncode}: {done.stderr[-600:]}")
runs = json.loads(output.read_text())["runs"] if output.exists() else []
for part, count in ("strong", 2), ("weak", 2), ("study", 1), ("large", 2), ("checkpoint", 1):
    found = [run for run in runs if run["scaling"] == part]
    check(len(found) == count, f"{part}: {len(found)} runs, expected {count}")
    check(all(run["equal"] for run in found), f"{part}: bits that were not compared")
    check(part in ("study", "checkpoint") or all(run["copy_bytes_per_second"] > 1e8 for run in found), f"{part}: no rate of a copy")
last = next((run for run in runs if run["scaling"] == "checkpoint"), {})
check(last.get("resumed_on") == 1 and last.get("gpus") == 2 and last.get("checkpoint_bytes", 0) > 200 * 200 and "3 checkpoints" in last.get("costs", ""),
      f"the run with its checkpoints: {last}")

liar = SPACE / "liar"  # an otok that ends with other bits in two bands
liar.write_text(f"""#!/bin/sh
case " $* " in
*" --bands 2 "*) "{OTOK}" "$@" | sed 's/"fingerprint": "..../"fingerprint": "0000/' ;;
*) exec "{OTOK}" "$@" ;;
esac
""")
liar.chmod(0o755)
other = SPACE / "liar.json"
done = scaling(liar, other, "--gpus", "1,2", "--parts", "weak")
check(done.returncode == 1 and "DIFFERENT BITS" in done.stdout and not other.exists(), f"other bits: exit {done.returncode}: {done.stdout[-300:]}")
done = scaling(OTOK, other, "--parts", "strong,weka")
check(done.returncode == 2 and "choose from" in done.stderr, f"a part that there is not: exit {done.returncode}")
finish()
