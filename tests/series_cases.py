"""Random files of series for cli_series.py: all that such tables differ in, and the points that each one means."""
import datetime
import io
import os
import random

import numpy as np
import pandas as pd
import yaml

YEAR = 31556925.9747
TIMES = {"s": 1, "sec": 1, "seconds": 1, "min": 60, "mins": 60, "minutes": 60, "h": 3600, "hr": 3600, "hrs": 3600, "hours": 3600, "Hours": 3600, "d": 86400,
         "day": 86400, "days": 86400, "yr": YEAR, "kyr": 1000 * YEAR, "ka": 1000 * YEAR}
FLOWS = {"m3/s": 1, "m3 s-1": 1, "m^3/s": 1, "cumecs": 1, "cms": 1, "L/s": 1e-3, "l/s": 1e-3, "LPS": 1e-3, "m3/h": 1 / 3600, "m3/day": 1 / 86400,
         "CMH": 1 / 3600, "CMD": 1 / 86400, "MLD": 1000 / 86400, "cfs": 0.028316846592, "CFS": 0.028316846592, "ft3/s": 0.028316846592, "L/min": 1e-3 / 60,
         "LPM": 1e-3 / 60}
LEVELS = {"m": 1, "metres": 1, "cm": 0.01, "mm": 1e-3, "ft": 0.3048, "feet": 0.3048, "km": 1000}
FACTORS = {"1": 1, "%": 0.01, "percent": 0.01}
KEYS = {  # the key in a phase, the unit, the names that columns have, units
    "rivers": ("rivers: [{{x: 5, y: 20, history: {}}}], hydraulic: {{dt: 1, law: local_inertia, capacity: 0}}", "m3 s-1", FLOWS,
               ("Q", "q", "discharge", "Discharge", "flow", "Flow", "inflow", "Q12", "Abfluss", "Zufluss", "streamflow")),
    "sides": ("sides: {{left_level: {}}}, hydraulic: {{dt: 1, law: local_inertia, capacity: 0}}", "m", LEVELS,
              ("level", "Level", "stage", "z", "tide", "wl", "water level", "elevation", "Pegel")),
    "rain": ("rain: {{rate: 1 mm/h, history: {}}}, hydraulic: {{dt: 1, law: local_inertia, capacity: 0}}", "1", FACTORS, ("factor", "rain", "share", "storm")),
    "uplift": ("uplift: {{rate: 1 mm/yr, dt: 1, history: {}}}", "1", FACTORS, ("factor", "share", "uplift")),
    "reef": ("reef: {{dt: 1, sea_history: {}}}", "m", LEVELS, ("level", "sea", "sea level", "eta", "msl")),
}
TIME_NAMES = ("time", "Time", "t", "T", "TIME", "zeit", "Zeit", "elapsed", "temps")
MARKS = ("-999", "-9999", "-999.0", "-9999.00", "-99.9", "-999.9", "-99999", "1e20", "1e+36", "9.96921e+36", "-3.4028e38", "NaN", "nan", "NA", "", "null", "None",
         "-", "--", "#N/A", "N/A", "-32768", "99999")


class Case:
    """One file: its text, the value of the key, and the points that it means (None: it must be refused). `free`: why it may be refused,
    although a person would call it clear."""

    def __init__(self, number):
        d = self.d = random.Random(f"{os.environ.get('OTOK_TEST_SEED', '1')} series {number}")
        self.number, self.why, self.free = number, "", ""
        self.key = d.choice(list(KEYS))
        self.phase, self.unit, self.units, names = KEYS[self.key]
        self.keys = {}
        n = d.randint(2, 9)
        self.told = [d.choice(("title", "title", "title", "declared", "default")) for _ in range(2)]
        self.words = [d.choice(list(TIMES)), d.choice(list(self.units))]
        for i, same in enumerate(("s", self.unit)):
            if self.told[i] == "default":
                self.words[i] = same
        steps = [d.choice((1, 0.5, 0.25, 2, 15)) for _ in range(n)]
        self.times = [round(sum(steps[:i]), 6) for i in range(n)]
        low = -40 if self.unit == "m" or self.key == "uplift" else 0
        self.values = [round(d.uniform(low, 90), d.choice((0, 1, 2, 4))) for _ in range(n)]
        self.names = [d.choice(TIME_NAMES), d.choice(names)]
        self.extra = d.choice((0, 0, 0, 0, 1, 2))
        self.points = [(t * TIMES[self.words[0]], v * (1 if self.told[1] == "default" else self.units[self.words[1]])) for t, v in zip(self.times, self.values)]
        self.titles()
        self.cells()
        self.fault()
        self.write()

    def refuse(self, why):
        self.points, self.why = None, why

    def titles(self):
        d = self.d
        self.has_titles = d.random() < 0.85
        form = d.choice(("{} [{}]", "{} ({})", "{}[{}]", "{}_[{}]", "{}  ({})"))
        self.heads = [form.format(name, word) if told == "title" else name for name, word, told in zip(self.names, self.words, self.told)]
        if not self.has_titles:
            self.told = ["declared" if told == "title" else told for told in self.told]
        declared = {key: word for key, word, told in zip(("time", "value"), self.words, self.told) if told == "declared"}
        for i, key in enumerate(("time", "value")):
            if key in declared and self.has_titles and d.random() < 0.4:
                declared[self.heads[i]] = declared.pop(key)
        if declared:
            self.keys["units"] = "{" + ", ".join(f'"{k}": "{w}"' for k, w in declared.items()) + "}"
        if self.extra and self.has_titles:
            self.keys["column"] = f'"{d.choice((self.names[1], self.heads[1]))}"' if self.told[1] == "title" else f'"{self.heads[1]}"'
        elif self.extra:
            self.extra = 0

    def cells(self):
        d = self.d
        style = d.choice(("repr", "repr", "fixed", "exp", "numpy"))
        show = {"repr": repr, "fixed": lambda v: f"{v:.4f}", "exp": lambda v: f"{v:.6e}", "numpy": lambda v: f"{v:.18e}"}[style]
        whole = style == "repr" and d.random() < 0.5
        self.rows = [[str(int(x)) if whole and x == int(x) else show(float(x)) for x in (t, v)] for t, v in zip(self.times, self.values)]

    def fault(self):
        d, row = self.d, self.d.randrange(len(self.rows))
        kind = d.choice(("none",) * 9 + ("mark", "mark", "mark", "bridged", "bridged", "bare", "bare", "bare", "bare", "ways", "ways", "ways", "ways", "age", "date", "date", "date", "epoch", "falls", "twice", "ragged", "quote",
                                         "thousands", "other", "columns", "lost", "clash", "word", "scale"))
        if kind == "mark":
            self.rows[row][1] = d.choice(MARKS)
            self.refuse("no value: " + self.rows[row][1])
        elif kind == "bridged" and len(self.rows) > 2:
            self.rows[row][1] = mark = d.choice(MARKS)
            self.keys["missing"] = f'"{mark}"' if mark else "NaN"
            del self.points[row]
        elif kind == "bare" and self.has_titles:
            self.bare()
        elif kind == "age" and self.has_titles:
            self.heads[0] = d.choice(("age [kyr]", "Age (ka)", "years BP", "kyr ago", "hours since 2020", "time before present [kyr]"))
            self.refuse(self.heads[0])
        elif kind == "date" and d.random() < 0.7:
            self.dates()
        elif kind == "date":
            for k, cells in enumerate(self.rows):
                cells[0] = d.choice(("2023-08-{:02d}", "2023-08-{:02d} 06:00", "2023-08-{:02d}T06:00:00Z", "{:02d}/08/2023", "{:02d}:30")).format(k + 1)
            self.refuse("dates")
        elif kind == "epoch":
            first, step = d.choice(((1577836800, 3600), (20200101, 1), (1577836800000, 3600000), (45141.25, 0.25), (2460160.5, 1)))
            for k, cells in enumerate(self.rows):
                cells[0] = str(first + k * step)
            self.refuse("times after the phase")
            self.short = True
        elif kind == "falls":
            self.rows.reverse()
            self.refuse("falling times")
        elif kind == "twice":
            self.rows[-1][0] = self.rows[-2][0]
            self.refuse("a time twice")
        elif kind == "other" and self.has_titles:
            self.heads[1] = f"{self.names[1]} [{d.choice(('kg', 'K', 'm2', 'Pa', 'gallons', 'banana'))}]"
            self.keys.pop("column", None)
            self.extra = 0
            self.keys.pop("units", None)
            self.refuse("a unit of something else")
        elif kind == "columns" and self.extra:
            del self.keys["column"]
            self.refuse("several columns")
        elif kind == "clash" and self.told[1] == "title" and self.has_titles and self.unit != "1" and self.words[1] not in ("cfs", "CFS", "ft3/s"):
            self.keys["units"] = "{value: " + ("ft3/s" if self.unit == "m3 s-1" else "fathom") + "}"
            self.refuse("two units")
        elif kind == "scale" and self.has_titles and "column" not in self.keys and "units" not in self.keys:  # a factor before the unit, or not?
            self.heads[1] = f"{self.names[1]} {d.choice(('1000', '10^3', 'x1000', 'thousand', '1e3', 'Mio', 'k'))} {d.choice(('m3/s', 'L/s', 'cm', 'mm'))}"
            self.refuse("a factor before the unit: " + self.heads[1])
        elif kind == "word" and self.has_titles and "column" not in self.keys and "units" not in self.keys:
            self.heads[1] = d.choice(("Qx9z", "xyz", "m3s", "QinLPS", "zz top"))
            self.refuse("a word that is no name")
        elif kind == "ways":
            self.ways()
        elif kind in ("ragged", "quote", "thousands", "lost"):
            self.later = kind
        self.row = row

    def bare(self):
        """A unit outside brackets. Behind a name, and of the right kind, it is clear; of another kind it is none."""
        d, i = self.d, self.d.randrange(2)
        right = TIMES if i == 0 else self.units
        other = d.choice([w for w, f in (right if d.random() < 0.7 else {**FLOWS, **LEVELS}).items() if f != 1])
        form = d.choice(("{}_{}", "{} {}", "{}/{}", "{}, {}", "{} in {}", "{}, in {}", "{}-{}", "{}:{}", "{}.{}", "{}={}", "{} {{{}}}", "{} ({}) x"))
        self.heads[i] = form.format(self.names[i], other) if d.random() < 0.9 else other
        self.keys.pop("column", None)
        self.keys.pop("units", None)
        self.extra = 0
        self.points = [(t * (TIMES[self.words[0]] if self.told[0] == "title" else 1), v * (self.units[self.words[1]] if self.told[1] == "title" else 1))
                       for t, v in zip(self.times, self.values)]
        if other not in right or other == "ka":
            return self.refuse("a unit of another kind, outside brackets: " + self.heads[i])
        points = [[t, v] for t, v in zip(self.times, self.values)]
        for point, (t, v) in zip(points, self.points):
            point[:] = (point[0] * right[other], v) if i == 0 else (t, point[1] * right[other])
        self.points, self.free = [tuple(point) for point in points], "a unit outside brackets: " + self.heads[i]

    def ways(self):
        """What a person reads without asking."""
        d = self.d
        self.free = d.choice(("a separator at the end of each line", "a line of units", "another comment", "undeclared commas", "blanks around cells", "apostrophes",
                              "exponents of Fortran", "a unit in other signs", "empty lines", "a remark at the end", "Latin-1"))
        if self.free == "a unit in other signs":
            if not (self.has_titles and self.key == "rivers" and "column" not in self.keys and "units" not in self.keys and self.told[1] == "title"):
                self.free = "empty lines"
                return
            sign, factor = d.choice((("m\u00b3/s", 1), ("m\u00b3 s\u207b\u00b9", 1), ("m**3/s", 1), ("m3.s-1", 1), ("m^3 s^-1", 1), ("m3*s-1", 1), ("l s-1", 1e-3), ("m3 / s", 1), ("m3/sec", 1),
                                     ("m3/hr", 1 / 3600), ("cubic metres per second", 1), ("m3 per hour", 1 / 3600), ("litre/s", 1e-3), ("L/sec", 1e-3), ("m3/d", 1 / 86400)))
            self.heads[1] = f"{self.names[1]} [{sign}]"
            self.points = [(t, v * factor) for (t, _), v in zip(self.points, self.values)]

    def dates(self):
        """Times as dates, in zones that differ from row to row, or in none; they may begin before the start."""
        d = self.d
        factor = TIMES[self.words[0]] if self.words[0] not in ("yr", "kyr", "ka") else 86400
        start = datetime.datetime(d.randint(1950, 2060), d.randint(1, 12), d.randint(1, 28), d.randint(0, 23), d.randint(0, 59), tzinfo=datetime.timezone.utc)
        zoned = d.random() < 0.6
        early = d.choice((0, 0, 0.6, 2.5)) if len(self.times) > 3 else 0  # in steps
        before = np.interp(early, range(len(self.times)), self.times)
        for cells, t in zip(self.rows, self.times):
            at = start + datetime.timedelta(seconds=round((t - before) * factor))
            east = datetime.timedelta(minutes=d.choice((0, 60, 120, -300, 330))) if zoned else datetime.timedelta(0)
            text = (at + east).strftime(d.choice(("%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S")))
            minutes = int(east.total_seconds() // 60)
            zone = d.choice(("Z", "+00:00", " UTC")) if minutes == 0 else f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}{d.choice((':', ''))}{abs(minutes) % 60:02d}"
            cells[0] = text + (zone if zoned else "")
        self.heads[0], self.names[0] = (d.choice(("date", "Date", "datetime", "timestamp", "time")),) * 2
        self.keys["start"] = f'"{start:%Y-%m-%d %H:%M}{"Z" if zoned else ""}"'
        if "units" in self.keys:
            declared = {key: word for key, word in yaml.safe_load(self.keys["units"]).items() if key == "value" or key == self.heads[1]}
            self.keys["units"] = "{" + ", ".join(f'"{k}": "{w}"' for k, w in declared.items()) + "}"
        shifted = [(round((t - before) * factor), v) for t, (_, v) in zip(self.times, self.points)]
        later = [(float(t), v) for t, v in shifted if t >= 0]
        if early and later[0][0] > 0:
            later.insert(0, (0.0, float(np.interp(0, [t for t, _ in shifted], [v for _, v in shifted]))))
        self.points, self.why = later, "dates"
        if len({t for t, _ in shifted}) < len(shifted):
            self.refuse("a time twice")

    def write(self):
        """The text, in one dialect."""
        d = self.d
        later = getattr(self, "later", "")
        sep = d.choice((",", ",", ",", ";", ";", "\t", " ", "|"))
        if self.free in ("undeclared commas", "a separator at the end of each line", "another comment", "a remark at the end", "blanks around cells"):
            sep = ";"
        if self.free == "apostrophes":
            sep = ","
        comma = sep in ";\t|" and d.random() < 0.5 and self.why != "dates" and not any(c in MARKS for row in self.rows for c in row)
        table = [list(self.heads)] if self.has_titles else []
        table += self.rows
        if self.extra:  # further columns of values
            for k, row in enumerate(table):
                row.extend(f"other{e}" if k == 0 else str(k + e) for e in range(self.extra))
        if self.has_titles and d.random() < 0.15 and "column" not in self.keys:  # names of rows, as pandas and R write them
            for k, row in enumerate(table):
                row.insert(0, "" if k == 0 else str(k))
            if sep == " ":
                sep = ","
        elif self.has_titles and d.random() < 0.15 and self.why not in ("dates",) and not self.why.startswith("a unit outside"):
            for row in table:  # the values first
                row[0], row[1] = row[1], row[0]
        if later == "ragged":
            table[-1].append("7")
            self.refuse("a cell too many")
        if later == "thousands":
            cells = table[-1]
            cells[-1 if not self.extra else 1] = "1,234.5"
            self.refuse("marks between thousands")
        if comma:
            first = 1 if self.has_titles else 0
            numbers = [c for row in table[first:] for c in row]
            if later != "thousands" and any("." in c for c in numbers):
                table[first:] = [[c.replace(".", ",") for c in row] for row in table[first:]]
                if self.free != "undeclared commas":
                    self.keys["decimal"] = '","'
        if self.free == "exponents of Fortran":
            for row in table[1 if self.has_titles else 0 :]:
                row[:] = [f"{float(c):.8E}".replace("E", d.choice("DE")) if c.strip() and c.replace(".", "").replace("-", "").replace("e", "").replace("+", "").isdigit() else c for c in row]
        if self.free == "a line of units":
            if self.has_titles and not self.extra and not self.keys and "title" in self.told and len(table[0]) == 2 and table[0] == self.heads:
                table[0] = list(self.names)
                table.insert(1, [word if told == "title" else same for word, told, same in zip(self.words, self.told, ("s", self.unit))])
            else:
                self.free = "empty lines"
        header = self.has_titles and d.random() < 0.15 and sep in ", ;"
        quoted = d.random() < 0.3
        lines = []
        for k, row in enumerate(table):
            is_title = k == 0 and self.has_titles
            cells = ['"' + c.replace('"', '""') + '"' if (quoted and (is_title or sep == ",")) or sep in c or (sep == " " and (" " in c or not c)) else c for c in row]
            lines.append(("# " if is_title and header else "") + sep.join(cells))
        if self.free == "apostrophes" and not comma:
            lines = [",".join(f"'{c}'" for c in row) for row in table]
        if self.free == "a separator at the end of each line":
            lines = [line + sep for line in lines]
        if self.free == "blanks around cells":
            lines = [line.replace(sep, f" {sep}  ") for line in lines]
        if self.free == "another comment":
            lines.insert(0, d.choice("%!'/*").replace("/", "//") + " made somewhere")
        if self.free == "a remark at the end":
            lines.append("# the end")
        if self.free == "empty lines":
            lines = [one for line in lines for one in (line, "")]
        if sep == "|":
            self.keys["separator"] = '"|"'
        if later == "quote":
            lines[-1] = '"' + lines[-1].replace('"', "")
            self.refuse("a quote without an end")
        if d.random() < 0.2:
            lines.insert(0, "# measured somewhere")
        if d.random() < 0.1:
            lines.insert(d.randrange(2, len(lines) + 1), d.choice(("", "# a remark", "   ")))
        end = d.choice(("\n", "\n", "\r\n", "\r"))
        self.text = ("\ufeff" if d.random() < 0.15 else "") + end.join(lines) + (end if d.random() < 0.9 else "")
        if later == "lost":
            self.keys["column"] = "nowhere"
            self.refuse("no such column")
        self.by_library()

    def by_library(self):
        """Some plain files are written by pandas or numpy themselves."""
        d = self.d
        if self.why or self.free or getattr(self, "later", "") or self.keys or self.extra or not self.has_titles or d.random() < 0.5:
            return
        out = io.StringIO()
        if d.random() < 0.5:
            frame = pd.DataFrame({self.heads[0]: self.times, self.heads[1]: self.values})
            if d.random() < 0.5:
                frame.set_index(self.heads[0]).to_csv(out)
            else:
                frame.to_csv(out, index=d.random() < 0.5, sep=d.choice(",;\t"))
        else:
            sep = d.choice((",", " "))
            np.savetxt(out, np.column_stack([self.times, self.values]), delimiter=sep, header=sep.join(self.heads))
        self.text = out.getvalue()

    def series(self, name):
        """The value of the key."""
        if not self.keys and self.d.random() < 0.5:
            return name
        return "{file: " + name + "".join(f", {k}: {v}" for k, v in self.keys.items()) + "}"

    def written(self, name, phase):
        seconds = 10**4 if getattr(self, "short", False) else 10**12
        return f"  - {{name: {phase}, iterations: {seconds}, {self.phase.format(self.series(name))}}}\n"
