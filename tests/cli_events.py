"""Claim: what the audit did not see is not called stable. Storms, floods and surges that come between the moments of the audit: no member of a
study whose result is more than 10 % off is `stable`, and the finest is. With windows that see none of it a run ends as `not_audited`, and says
that --refine tells; a member of a study runs again with half its step. Dry ground and creep stay stable; `audit: off` sees nothing."""
# once: under the sanitizers; it depends on no optimisation

from cli import *

with needed():
    import h5py
    import numpy as np

HEAD = """otok: 1
seed: 3
grid: {nx: 32, ny: 32, spacing: 10}
edges: {left: open, right: open, top: open, bottom: open}
base: [{cone: {height: 50, radius: 160}}]
"""


def phase(water, law, more, iterations, dt):
    return f"phases: [{{name: a, iterations: {iterations}, {water}, hydraulic: {{law: {law}, dt: {dt}, {more}}}}}]\n"


def study(name, text, steps, duration, response, more=""):
    """The response of each member, its verdict in a word, and whether it ran again."""
    write(f"{name}.yaml", text + f'responses: {{amount: "{response}"}}\n')
    write(f"{name}_study.yaml", f"study: 1\nscenario: {name}.yaml\nduration: {duration}\nvary: {{phases.a.hydraulic.dt: {{values: {list(steps)}}}}}\ndesign: {{kind: grid}}\n{more}")
    otok("study", SPACE / f"{name}_study.yaml", "-o", SPACE / name, "--backend", "cpu", "-q", "--overwrite" if (SPACE / name).exists() else "-q")
    with h5py.File(SPACE / name / "study.h5") as file:
        words = file["verdict"].attrs["flag_meanings"]
        words = (words.decode() if isinstance(words, bytes) else str(words)).split()
        known = dict(zip(file["verdict"].attrs["flag_values"].tolist(), words))
        return file["response_amount"][()], [known[v] for v in file["verdict"][()].tolist()], np.isfinite(file["change_half_dt"][()])


# ---- events that the scenario names
EROSION = 'sum(erosion_depth)*l^2'
for name, water, law, more, steps in (
    ("storm", "rain: {rate: 100 mm/h, during: [[1.3 h, 1.8 h]]}", "local_inertia", "capacity: 0.1", (2, 10, 14, 18)),
    ("cloudburst", "rain: {rate: 50 mm/h, history: [[0, 0], [1.2 h, 0], [1.3 h, 2], [1.8 h, 2], [1.9 h, 0]]}", "local_inertia", "capacity: 0.1", (2, 10, 14, 18)),
    ("pulse", "rivers: [{x: 160, y: 160, radius: 30, history: [[0, 0], [1 h, 0], [1.1 h, 9], [1.4 h, 0]]}]", "local_inertia", "capacity: 0.1", (2, 10, 14, 18)),
):
    amount, words, again = study(name, HEAD + phase(water, law, more, 1000, 1), steps, 10000, EROSION)
    off = np.abs(amount / amount[0] - 1) > 0.1
    check(amount[0] > 1 and words[0] == "stable" and off.any(), f"{name}: {amount}, {words}")
    check(not any(o and word == "stable" for o, word in zip(off, words)), f"{name}: {amount}, {words}")

# ---- windows that see nothing of it
STORM = HEAD + phase("rain: {rate: 100 mm/h, during: [[1.3 h, 1.8 h]]}", "local_inertia", "capacity: 0.1", 1250, 8)
blind = write("blind.yaml", STORM + "audit: [0, 0.05, 0.1]\n")
said = otok("run", blind, "-o", SPACE / "blind", "--backend", "cpu").stderr
check(re.search(r"^verdict: not_audited: no window", said, re.M) and re.search(r"^what to do: otok run --refine tells", said, re.M), said)
text = otok("inspect", checkpoints(SPACE / "blind")[-1]).stdout
check("verdict: not_audited" in text, text)
amount, words, again = study("blinded", STORM + "audit: [0, 0.05, 0.1]\n", (2, 12, 14), 10000, EROSION)
check(again[0] and words[0] == "stable" and not any(word == "stable" for word, a in zip(words, amount) if abs(a / amount[0] - 1) > 0.1), f"{amount}, {words}, {again}")
amount, words, again = study("never", STORM + "audit: [0, 0.05, 0.1]\n", (2,), 10000, EROSION, "monitor: {half_step: never}\n")
check(words == ["not_audited"] and not again.any(), f"{amount}, {words}, {again}")

# ---- nothing to see: water that stands is compared by its depth; and nothing asked for
for name, word, text in (
    ("dry", "stable", HEAD + phase("rain: {rate: 0}", "local_inertia", "capacity: 0.1", 1000, 1) + "audit: [0, 0.05]\n"),
    ("off", "not_audited", STORM.replace("dt: 8", "dt: 2").replace("1250", "5000") + "audit: off\n"),
    ("still", "stable", HEAD.replace("cone: {height: 50, radius: 160}", "constant: {height: 1}").replace("open", "closed") + phase("rain: {rate: 100 mm/h}", "local_inertia", "capacity: 0", 20, 1)),
    ("creep", "stable", HEAD + "phases: [{name: a, iterations: 1000, creep: {diffusivity: 0.01, dt: 9}}]\n"),
):
    said = otok("run", write(f"{name}.yaml", text), "-o", SPACE / name, "--backend", "cpu").stderr
    check(f"verdict: {word}:" in said and ("not audited" in said) == (name in ("dry", "off")), f"{name}: {said}")
finish()
