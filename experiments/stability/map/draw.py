"""The verdicts over dt and pipe area with the predicted S drawn in; prints how far the boundary of chatter is from it, in cells of the map."""
from figure import *

PANELS = {"still": ("still water", 1 / 4), "island": ("rain on an island, no friction", 1 / 4),
          "friction": ("the same island, signed pipes, Manning 0.05", 1 / 2)}
out, picture = arguments()
figure, axes = plt.subplots(1, 3, figsize=(11, 4.1), sharey=True, layout="constrained")
seen = []
for panel, (name, (title, bound)) in zip(axes, PANELS.items()):
    study = table(out / f"study_{name}" / "study.h5")
    seen += verdict_map(panel, study.pipe_area.values, study.dt.values, study.verdict_word.values)
    area = np.unique(study.pipe_area)
    predicted = np.sqrt(bound / (9.81 * area))  # l = 1 m
    panel.plot(area, predicted, "k--", lw=1.6)
    if (out / f"edge_{name}").exists():
        line = np.genfromtxt(out / f"edge_{name}" / "boundary.csv", delimiter=",", names=True)
        panel.plot(line["phaseswaterhydraulicpipe_area"], line["phaseswaterhydraulicdt"], "o", color="white", ms=2.5, zorder=1.5)
        S = 9.81 * line["phaseswaterhydraulicdt"] ** 2 * line["phaseswaterhydraulicpipe_area"]
        print(f"{name}: along the edge of stable members, {S.size} points, S is {S.min():.4f} to {S.max():.4f}")
    panel.set(title=title, xlabel="pipe area A [m²]")
    step = np.ptp(np.log(study.dt.values)) / (np.unique(study.dt).size - 1)
    apart = []
    for a, dt in zip(area, predicted):
        column = study.where(study.pipe_area == a, drop=True)
        chatters = column.dt.where(column.verdict_word == "chattering", drop=True)
        calm = column.dt.where(column.verdict_word != "chattering", drop=True)
        if chatters.size and calm.size:
            apart.append(np.log(np.sqrt(float(chatters.min()) * float(calm.max())) / dt) / step)
    counts = ", ".join(f"{n} {word}" for word, n in zip(*np.unique(study.verdict_word, return_counts=True)))
    print(f"{name}: {counts}; boundary of chatter at most {np.abs(apart).max():.2f} cells of dt from S = {bound}, {len(apart)} columns")
axes[0].set(ylabel="time step dt [s]")
lines = [matplotlib.lines.Line2D([], [], color="black", ls="--", lw=1.6, label="predicted: S = dt² A g / l³ = 1/4, signed 1/2"),
         matplotlib.lines.Line2D([], [], color="#aaaaaa", lw=3, label="white: measured edge of stable")]
figure.legend(handles=patches([name for name in COLOURS if name in seen]) + lines, loc="outside lower center", ncols=5)
save(figure, picture)
