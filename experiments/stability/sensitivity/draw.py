"""First-order and total Sobol indices with 95 % intervals by SALib. A base row with a member that has no answer is left out as a whole,
and said so."""
from SALib.analyze import sobol

from figure import *

STUDIES = {"published": "published pipes", "deep": "pipes as deep as the water, friction"}
out, picture = arguments()
figure, axes = plt.subplots(1, 2, figsize=(10, 4.8), sharex=True, sharey=True, layout="constrained")
for n, (name, label) in enumerate(STUDIES.items()):
    study = table(out / f"study_{name}" / "study.h5")
    print(f"{name}:", dict(zip(*(a.tolist() for a in np.unique(study.verdict_word, return_counts=True)))))
    names = [str(axis) for axis in study.coords if "path" in study[axis].attrs]
    answers = {"relief": last(study.relief).values, "ground eroded, its logarithm": np.log(study.eroded.values)}
    usable = np.isin(study.verdict_word, ["stable", "growing", "speed_limited"]).reshape(-1, len(names) + 2)
    whole = usable.all(1)
    print(f"  {whole.sum()} of {whole.size} base rows are whole")
    for panel, (answer, values) in zip(axes, answers.items()):
        values = values.reshape(usable.shape)[whole].ravel()
        problem = {"num_vars": len(names), "names": names, "bounds": [[0, 1]] * len(names)}
        found = sobol.analyze(problem, values, calc_second_order=False, num_resamples=1000, seed=1)
        y = np.arange(len(names)) + 0.19 * (2 * n - 1)
        panel.barh(y, found["ST"], 0.34, xerr=found["ST_conf"], color=LINES[n], ecolor="#333333", error_kw={"lw": 1}, label=f"{label}: total")
        panel.plot(found["S1"], y, "D", ms=5, color="white", mec="black", mew=0.9, label="first order" if n else None)
        panel.set(title=answer, xlabel="Sobol index [1]", xlim=(-0.02, 0.65))
        print(f"  {answer}: {values.min():.4g} to {values.max():.4g};",
              ", ".join(f"{a} {t:.3f} ± {c:.3f}" for a, t, c in zip(names, found["ST"], found["ST_conf"])))
axes[0].set_yticks(np.arange(len(names)), ["pipe area | Manning n" if a == "manning" else "rain" if a == "rate" else a.replace("_", " ") for a in names])
axes[0].invert_yaxis()
for panel in axes:
    panel.grid(axis="y", visible=False)
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
save(figure, picture)
