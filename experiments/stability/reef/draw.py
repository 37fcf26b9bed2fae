"""Growth rate of bumps by depth; carbon used up in an iteration; the reef grown in a given time by dt."""
from figure import *

out, picture = arguments()
figure, axes = plt.subplots(1, 3, figsize=(12.6, 4.4), layout="constrained")
KAPPA, LIGHT, CARBON, CREST = 10, 0.25, 0.25, 0.001  # absorption, calcification, O0, G

study = table(out / "study_bumps" / "study.h5")
rough, time = study.ground_roughness, study.time
rate = np.log(last(rough) / rough.isel(sample=0)) / (last(time) - time.isel(sample=0))
middle = study.level - study.ledger_reef / 1024 / 2  # depth [m] in the middle of the run, 1024 m²
predicted = KAPPA * LIGHT * CARBON**2 * np.exp(-KAPPA * middle)
for uptake, size, colour in ((0.4, 4, LINES[1]), (0.04, 5.5, LINES[2]), (0, 7, LINES[0])):
    for dt, marker in ((0.001, "^"), (0.01, "o"), (0.1, "s")):
        some = (study.uptake == uptake) & (study.dt == dt)
        axes[0].plot(middle[some], rate[some], marker, ms=size, mfc="none", color=colour,
                     label=f"uptake {uptake:g}" if dt == 0.01 else None)
    some = study.uptake == uptake
    apart = {dt: float(np.abs(rate / predicted - 1)[some & (study.dt == dt)].max()) for dt in (0.001, 0.01, 0.1)}
    print(f"uptake {uptake:g}: growth rate at most", ", ".join(f"{100 * a:.2g} % (dt {dt:g})" for dt, a in apart.items()), "from predicted")
depth = np.linspace(0.03, 0.5, 200)
axes[0].plot(depth, KAPPA * LIGHT * CARBON**2 * np.exp(-KAPPA * depth), "k-", lw=1, label="predicted κA κB O² exp(−g κA)")
axes[0].plot([], [], "^", color="grey", mfc="none", label="dt 0.001 s")
axes[0].plot([], [], "o", color="grey", mfc="none", label="dt 0.01 s")
axes[0].plot([], [], "s", color="grey", mfc="none", label="dt 0.1 s")
axes[0].set(yscale="log", xlabel="depth g [m]", ylabel="growth rate of bumps [1/s]", title="bumps grow, whatever the step")
axes[0].legend(fontsize=8)

study = table(out / "study_growth" / "study.h5")
for one in (study.isel(member=n) for n in study.member):
    print(f"uptake {float(one.uptake):g}, dt {float(one.dt):g}: {one.verdict_word.values}, rates {float(one.growth):.5f}, "
          f"{float(one.growth_half_dt):.5f} with half dt, {float(one.growth_half_l):.5f} with half l [1/s]")

study = table(out / "study_flat" / "study.h5")
first, second = study.change.isel(sample=0), study.change.isel(sample=1)
spent = (first > 0) & (second == 0) & (study.level - first > CREST * 1.0001)
dts, carbons = np.unique(study.dt), np.unique(study.carbon)
grid = spent.values.reshape(dts.size, carbons.size, -1).any(-1).T  # the design's last axis is the depth
axes[1].pcolormesh(dts, carbons, grid, cmap=matplotlib.colors.ListedColormap(["#e8e8e8", LINES[4]]), shading="nearest")
fine = np.geomspace(dts[0], dts[-1], 600), np.geomspace(carbons[0], carbons[-1], 600)
x = LIGHT * np.exp(-CREST * KAPPA) * fine[1][:, None] ** 2 * fine[0] / CREST
axes[1].contour(*fine, 0.04 * x / (1 + x) / fine[1][:, None], [1], colors="black", linewidths=1.4)
limit = (2 * CARBON / 0.04) ** 2 * CREST / (LIGHT * np.exp(-CREST * KAPPA) * CARBON**2)
axes[1].axvline(limit, color="black", ls=":", lw=1.4)
axes[1].text(limit * 0.85, 0.0024, f"otok predict: {limit:.1f} s", rotation=90, fontsize=9, ha="right", va="bottom")
axes[1].set(xscale="log", yscale="log", xlabel="time step dt [s]", ylabel="carbon O [1]", title="orange: carbon used up in an iteration")
axes[1].grid(False)
x = LIGHT * np.exp(-CREST * KAPPA) * carbons[:, None] ** 2 * dts / CREST
expected = 0.04 * x / (1 + x) / carbons[:, None] > 1
print(f"carbon used up: {int((grid & expected).sum())} of {int(expected.sum())} predicted, {int((grid & ~expected).sum())} others, "
      f"first at dt {dts[grid.any(0)].min():.3g} s; predicted limit {limit:.3g} s")

study = table(out / "study_knolls" / "study.h5")
for uptake, marker in zip((0, 0.04, 0.25, 1, 4), "dos^v"):
    some = study.where(study.uptake == uptake, drop=True).sortby("dt")
    axes[2].plot(some.dt, some.ledger_reef / 1024, marker + "-", ms=4, label=f"uptake {uptake:g}")
    if some.margin.max() > 1:
        edge = np.exp(np.interp(0, np.log(some.margin), np.log(some.dt)))
        axes[2].plot(edge, np.interp(np.log(edge), np.log(some.dt), some.ledger_reef / 1024), "|", ms=18, mew=2, color="black")
    at = some.sel(member=some.member[int(np.argmin(np.abs(np.log(some.dt.values / 0.01))))])
    print(f"uptake {uptake:g}: reef at dt {float(at.dt):.4g} is {float(at.ledger_reef / some.ledger_reef[0]):.4f} of that at {float(some.dt[0]):.4g}")
axes[2].set(xscale="log", ylim=(0, None), xlabel="time step dt [s]", ylabel="reef grown in 40 s, mean over all cells [m]",
            title="a reef short of carbon depends on dt")
axes[2].legend(fontsize=8, title="bars: predicted limit", title_fontsize=8)
save(figure, picture)
