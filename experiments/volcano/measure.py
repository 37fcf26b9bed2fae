"""What the island is like: python3 measure.py CHECKPOINT. Needs otok's Python package, numpy, xarray."""
import sys

import numpy as np
import otok
import xarray as xr

data = xr.open_dataset(sys.argv[1])
h, area = data.terrain.values, otok.derived(data).drainage_area.values
x, y = np.meshgrid(data.x, data.y)
l = float(data.x[1] - data.x[0])
land = h > 0
gy, gx = np.gradient(h, l)
slope = np.hypot(gx, gy)
top = np.unravel_index(h.argmax(), h.shape)
print(f"highest point       {h.max():.0f} m")
print(f"land                {land.sum() * l * l / 1e6:.1f} km2")
print(f"hypsometric integral {h[land].mean() / h.max():.2f}")
print("slope of the land   " + ", ".join(f"{np.degrees(np.arctan(q)):.0f}" for q in np.percentile(slope[land], (25, 50, 75, 95)))
      + " degrees (quartiles, 95 %)")
low, middle, high = np.percentile(h[land], (25, 50, 75))
print(f"hypsometry          a quarter of the land is above {high:.0f} m, half above {middle:.0f}, three quarters above {low:.0f}")
steps = np.histogram(np.degrees(np.arctan(slope[land])), range(0, 71, 10))[0] / land.sum()
print("slopes by 10 degrees " + ", ".join(f"{q * 100:.0f}" for q in steps) + " % of the land")
filled = np.where(land, np.inf, h)  # to the level at which water would leave each hollow
filled[[0, -1]], filled[:, [0, -1]] = h[[0, -1]], h[:, [0, -1]]
before = np.zeros_like(h)
while (filled != before).any():
    before, around = filled, np.pad(filled, 1, constant_values=np.inf)
    lowest = [around[n : n + h.shape[0], m : m + h.shape[1]] for n in range(3) for m in range(3)]
    filled = np.maximum(h, np.min(lowest, axis=0))
deep = np.where(land, filled - h, 0)
print(f"hollows             {(deep > 0.1).sum() / land.sum() * 100:.1f} % of the land, up to {deep.max():.1f} m deep")
to = data.receiver.values.astype(int)  # 1 to 8: NW N NE W E SW S SE; 0: none
dx, dy = np.array([0, -1, 0, 1, -1, 1, -1, 0, 1])[to], np.array([0, 1, 1, 1, 0, 0, -1, -1, -1])[to]
j, i = np.indices(h.shape)
drop = h - h[(j + dy) % h.shape[0], (i + dx) % h.shape[1]]
steep = drop / (l * np.maximum(np.hypot(dx, dy), 1))
rivers = (h > 100) & (area > 1e5) & (steep > 0)
theta, _ = np.polyfit(np.log(area[rivers]), np.log(steep[rivers]), 1)
print(f"concavity           {-theta:.2f} ({rivers.sum()} cells that drain 0.1 km2, above 100 m)")
start = (h > 0) & (area > 1e5)  # the way of its water over ten cells, counted within 11.25 degrees of an axis and of a diagonal
y0, x0 = y1, x1 = np.nonzero(start)
for _ in range(10):
    on = h[y1, x1] > 0
    x1, y1 = (x1 + on * dx[y1, x1]) % h.shape[1], (y1 + on * dy[y1, x1]) % h.shape[0]
far = np.hypot(x1 - x0, y1 - y0) > 5
bearing = np.degrees(np.arctan2(y1 - y0, x1 - x0))[far] % 90
diagonal = (abs(bearing - 45) < 11.25).sum()
axis = (abs(bearing - 45) > 33.75).sum()
print(f"ways of rivers      axis : diagonal {axis / diagonal:.2f} ({far.sum()} ways of up to ten cells)")


def ring(radius, value, n=720):
    """Values around the highest point, by the nearest cell."""
    a = np.arange(n) * 2 * np.pi / n
    i = np.clip(((x[top] + radius * np.cos(a) - float(data.x[0])) / l).round().astype(int), 0, h.shape[1] - 1)
    j = np.clip(((y[top] + radius * np.sin(a) - float(data.y[0])) / l).round().astype(int), 0, h.shape[0] - 1)
    return value[j, i]


def runs(mask):
    """Runs of true values around a ring."""
    return int((mask & ~np.roll(mask, 1)).sum())


reach = np.sqrt(land.sum() / np.pi) * l
profile = ring(0.7 * reach, h)
width = 25
smooth = np.convolve(np.r_[profile[-width:], profile, profile[:width]], np.ones(width) / width, "same")[width:-width]
lows = (smooth < np.roll(smooth, 1)) & (smooth <= np.roll(smooth, -1))
print(f"valleys             {lows.sum()} around a ring of {0.7 * reach:.0f} m, {2 * np.pi * 0.7 * reach / lows.sum():.0f} m apart")
mouths = area[land & (h[(j + dy) % h.shape[0], (i + dx) % h.shape[1]] <= 0)]
large = (mouths > 5e5).sum()
print(f"large rivers        {large} that drain 0.5 km2; half-width over the distance of their mouths {large / (2 * np.pi):.1f}")
print(f"drowned valleys     {runs(ring(0.9 * reach, h) < 0)} arms of the sea cross a ring of {0.9 * reach:.0f} m")
far = np.hypot(x - x[top], y - y[top]) > 1.25 * reach
motu = far & land & (data.reef.values > 1)
print(f"land on the reef    {motu.sum() * l * l / 1e6:.2f} km2, up to {h[motu].max(initial=0):.1f} m")
radii = np.arange(reach, min(x.max() - x[top], x[top] - x.min()), l / 2)
crest = np.max([np.where(ring(r, data.reef.values) > 1, ring(r, h), -1e9) for r in radii if r > 1.3 * reach], axis=0)
for depth in (5, 10):
    print(f"passes              {runs(crest < -depth)} deeper than {depth} m, {np.mean(crest < -depth) * 100:.0f} % of the rim")
