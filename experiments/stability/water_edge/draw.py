"""Roughness of the water's surface over its depth after 4000 iterations, by S; the edges found and predicted."""
from figure import *

out, picture = arguments()
study = table(out / "study" / "study.h5")
study["S"] = 0.0981 * study.pipe_area  # dt = 0.1 s, l = 1 m
study["rough"] = last(study.roughness) / last(study.depth)
figure, axes = plt.subplots(figsize=(7.6, 4.2))
for pipes, predicted, marker, size in (("signed", 0.5, "s", 7), ("one_way", 0.25, "o", 4)):
    some = study.where(study.pipes == pipes, drop=True)
    for word in ("stable", "chattering"):
        these = some.where(some.verdict_word == word, drop=True)
        axes.plot(these.S, these.rough, marker, ms=size, color=COLOURS[word], mec="#444444", mew=0.4,
                  label=f"{pipes.replace('_', '-')} pipes, {word}")
    inside, outside = (0.0981 * value for value in edge(out / f"{pipes}.edge"))
    axes.axvline(predicted, color="#222222", lw=1, ls="--")
    axes.annotate(f"predicted {predicted:.2f}\nmeasured {(inside + outside) / 2:.4f}", (predicted, 3e-6), xytext=(6, 0),
                  textcoords="offset points", fontsize=9)
axes.set(yscale="log", xlabel="S = dt² A g / l³ [1]", ylabel="roughness of the surface / depth [1]",
         title="Still water after 4000 iterations: where its surface begins to chatter")
axes.legend(fontsize=9, loc="center", bbox_to_anchor=(0.46, 0.6))
save(figure, picture)
