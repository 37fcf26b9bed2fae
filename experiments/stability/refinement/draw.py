"""Four quantities after twenty seconds by the step, for four kinds of water; prints how much each still changes in the last halving."""
from figure import *

WATERS = [("constant", 0, "central", "published pipes"), ("constant", 0.03, "central", "signed pipes, Manning 0.03"),
          ("depth", 0.03, "central", "and pipes as deep as the water"), ("depth", 0.03, "downhill", "and the downhill slope")]
QUANTITIES = [("mean_speed", "mean speed of the water [m/s]"), ("eroded", "ground eroded [m³]"), ("relief_end", "relief [m]"),
              ("rough_end", "roughness of the ground [m]")]
out, picture = arguments()
study = table(out / "study" / "study.h5")
study["relief_end"], study["rough_end"] = last(study.relief), last(study.ground_roughness)
figure, axes = plt.subplots(2, 2, figsize=(8.6, 6.2), sharex=True, layout="constrained")
for (area, manning, slope, name), marker in zip(WATERS, "osv^"):
    some = study.where((study.area == area) & (study.manning == manning) & (study.slope == slope), drop=True).sortby("dt")
    for panel, (key, label) in zip(axes.flat, QUANTITIES):
        panel.plot(some.dt, some[key], marker + "-", ms=5, label=name)
        panel.set(xscale="log", yscale="log", ylabel=label)
        print(f"{name}: {key} {float(some[key][-1]):.4g} at dt 0.1, {float(some[key][0]):.4g} at the smallest; "
              f"the last halving changes it by {100 * abs(float(some[key][0] / some[key][1]) - 1):.2g} %")
dt = np.array([0.0125, 0.1])
axes[0, 0].plot(dt, 2 / dt, "k--", lw=1)
axes[0, 0].text(0.05, 50, "l/dt", fontsize=10)
for panel in axes[1]:
    panel.set(xlabel="time step dt [s]")
for panel in axes.flat:
    panel.yaxis.set_major_formatter(matplotlib.ticker.FormatStrFormatter("%g"))
axes[1, 0].set_yscale("linear")
axes[1, 0].set_ylim(0)
axes[1, 1].set_yticks([0.3, 0.5, 1, 2, 3])
axes[1, 1].yaxis.set_minor_formatter(matplotlib.ticker.NullFormatter())
figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
save(figure, picture)
