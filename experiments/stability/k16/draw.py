"""Verdicts over dt and capacity, and how much solid the transport makes or loses; the printed constants as a star."""
from figure import *

out, picture = arguments()
study = table(out / "study" / "study.h5")
x, y = study.capacity.values, study.dt.values
figure, axes = plt.subplots(1, 2, figsize=(10, 4.4), sharey=True, layout="constrained")
names = verdict_map(axes[0], x, y, study.verdict_word.values)
figure.legend(handles=patches(names), loc="outside lower center", ncols=4)
axes[0].set(title="verdicts after 600 iterations", ylabel="time step dt [s]")
xs, ys = np.unique(x), np.unique(y)
depth = (study.eroded / (256 * 64 * 4)).where(study.verdict_word != "diverged")
grid = np.full((ys.size, xs.size), np.nan)
grid[np.searchsorted(ys, y), np.searchsorted(xs, x)] = depth
mesh = axes[1].pcolormesh(xs, ys, grid, norm=matplotlib.colors.LogNorm(1e-3, 10), cmap="viridis", shading="nearest")
figure.colorbar(mesh, ax=axes[1], label="ground eroded, mean over all cells [m]", extend="both")
axes[1].set(title="what is eroded; white: diverged")
axes[1].grid(False)
for panel in axes:
    panel.axhline(np.sqrt(0.25 * 8 / (2.5 * 9.81)), color="black", ls="--", lw=1.4)  # l = 2 m, A = 2.5 m²
    panel.plot(5, 0.2, "*", ms=17, color="white", mec="black")
    panel.set(xscale="log", yscale="log", xlim=(xs[0], xs[-1]), xlabel="capacity κ [s]")
axes[0].text(0.06, 0.36, "dashed: S = 1/4", fontsize=9)
axes[0].annotate("K16 table 7.1", (5, 0.2), xytext=(8, -14), textcoords="offset points", fontsize=9)
save(figure, picture)
near = study.isel(member=int(np.argmin(np.log(x / 5) ** 2 + np.log(y / 0.2) ** 2)))
print(f"nearest to K16: dt {float(near.dt):.3g}, capacity {float(near.capacity):.3g}: {near.verdict_word.values}, "
      f"eroded {float(near.eroded):.4g} m³, made by transport and mixing {float(near.drifted):.4g} m³")
print(dict(zip(*(a.tolist() for a in np.unique(study.verdict_word, return_counts=True)))))
