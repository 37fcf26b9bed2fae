"""How often `stable` is false without the half-step audit, with its windows, and with whole runs of members in doubt. usage: draw.py TABLE.csv PICTURE.png; the table has the counts of a campaign."""
import csv
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

table, picture = sys.argv[1:]
with open(table, newline="") as file:
    rows = [row for row in csv.DictReader(file) if row["false_without_audit"]]
figure, axes = plt.subplots(figsize=(13, 3.2), layout="constrained")
at = np.arange(len(rows))
ways = ((-0.27, "false_without_audit", "without the audit", "#b0b0b0"), (0, "false_with_windows", "windows alone", "#6fa8d0"),
        (0.27, "false", "members in doubt run again", "#1f3f6b"))
for shift, key, label, colour in ways:
    share = [100 * int(row[key]) / int(row["members"]) for row in rows]
    bars = axes.bar(at + shift, share, 0.27, label=label, color=colour)
    axes.bar_label(bars, [f"{value:.1f}" if value else "0" for value in share], fontsize=7)
axes.set(xticks=at, xticklabels=[row["family"] for row in rows], ylabel="false `stable`, % of members")
axes.spines[["top", "right"]].set_visible(False)
axes.legend(frameon=False, fontsize=8)
figure.savefig(picture, dpi=110)
