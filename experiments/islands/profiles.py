"""The forms of profiles by growth and vertical motion, under the sea of the ice ages and under a steady one: profiles.py OUT OUT.png; OUT has
the studies profiles and steady."""
import collections
import pathlib
import sys

from figure import matplotlib, np, plt, save
from forms import COLOURS, forms, legend

out, picture = pathlib.Path(sys.argv[1]), sys.argv[2]
words = list(COLOURS)
figure, panels = plt.subplots(1, 2, figsize=(11, 5.2), sharey=True, layout="constrained")
seen = set()
for axes, (name, title) in zip(panels, {"profiles": "sea of the ice ages", "steady": "steady sea"}.items()):
    study, growth, motion = forms(out / name / "study.h5")
    found = [study.isel(member=n) for n in range(study.sizes["member"])]
    growths, motions = np.unique(growth.round(3)), np.unique(motion.round(3))
    at = {(g, m): form for g, m, form in zip(growth.round(3), motion.round(3), found)}
    grid = [[words.index(at[g, m].form_word.item()) for g in growths] for m in motions]
    axes.pcolormesh(growths, motions, grid, cmap=matplotlib.colors.ListedColormap(list(COLOURS.values())), vmin=-0.5, vmax=len(words) - 0.5,
                    shading="nearest")
    for (g, m), form in at.items():
        deep = f"{float(form.lagoon_depth):.0f}" if form.lagoon_depth == form.lagoon_depth else ""
        axes.text(g, m, deep + "d" * int(form.drowned_terraces) + "r" * int(form.raised_terraces), ha="center", va="center", fontsize=8,
                  color="white" if form.form_word in ("barrier", "drowned") else "black")
    axes.set(xlabel="growth in full light [mm/yr]", title=title)
    axes.grid(False)
    seen |= set(study.form_word.values)
    print(f"{title}:", dict(collections.Counter(study.form_word.values.tolist())))
    for m in motions[::-1]:
        print(f"  {m:5.1f} mm/yr:", ", ".join(
            f"{at[g, m].form_word.item()} {float(at[g, m].lagoon_depth):.0f} {int(at[g, m].drowned_terraces)}d {int(at[g, m].raised_terraces)}r" for g in growths))
panels[0].set(ylabel="vertical motion [mm/yr]")
figure.legend(handles=legend(seen), loc="outside lower center", ncols=7)
save(figure, picture)
