"""The forms of islands by growth and vertical motion, and which parameters decide them (Sobol indices by SALib): maps.py OUT OUT.png; OUT has
the study maps."""
import collections
import pathlib
import sys

from SALib.analyze import sobol

from figure import LINES, np, plt, save
from forms import COLOURS, forms, legend

NAMES = ["growth", "vertical motion", "height of the swell", "height of the island"]
study, growth, motion = forms(pathlib.Path(sys.argv[1]) / "maps" / "study.h5")
words = study.form_word.values
print(len(words), "islands:", dict(collections.Counter(words.tolist()).most_common()))
lagoon = np.nan_to_num(study.lagoon_depth.values)
answers = {"has a lagoon": np.isin(words, ["barrier", "atoll"]), "depth of the lagoon, 0 without": lagoon,
           "reef at the sea": np.isin(words, ["fringing", "barrier", "atoll", "platform"]),
           "terraces": (study.drowned_terraces + study.raised_terraces).values}
figure, axes = plt.subplots(1, 2, figsize=(12, 5), layout="constrained")
axes[0].scatter(growth, motion, s=4, c=[COLOURS[word] for word in words], lw=0)
axes[0].set(xlabel="growth in full light [mm/yr]", ylabel="vertical motion [mm/yr]", title=f"{len(words)} islands after 400,000 years")
axes[0].legend(handles=legend(words), loc="upper left", frameon=True, fontsize=8)
problem = {"num_vars": len(NAMES), "names": NAMES, "bounds": [[0, 1]] * len(NAMES)}
for n, (answer, values) in enumerate(answers.items()):
    index = sobol.analyze(problem, values.astype(float), calc_second_order=False, num_resamples=1000, seed=1)
    y = np.arange(len(NAMES)) + 0.2 * (n - 1.5)
    axes[1].barh(y, index["ST"], 0.18, xerr=index["ST_conf"], color=LINES[n], ecolor="#333333", error_kw={"lw": 1}, label=answer)
    axes[1].plot(index["S1"], y, "D", ms=4, color="white", mec="black", mew=0.8)
    print(f"{answer}:", ", ".join(f"{a} {t:.3f} ± {c:.3f}" for a, t, c in zip(NAMES, index["ST"], index["ST_conf"])))
axes[1].set_yticks(np.arange(len(NAMES)), NAMES)
axes[1].invert_yaxis()
axes[1].set(xlabel="total Sobol index; diamonds: first order", title="what decides")
axes[1].legend(fontsize=8)
save(figure, sys.argv[2])
