"""Claim: a table of values over time is read as its file describes it, or refused: never as another series. The files are drawn at random
from all that such tables differ in: separators, decimals, quotes, comments, line ends, order and number of columns, titles with units in
brackets, outside them or told by `units`, rows without a value; some are written by pandas and numpy. Each has a known meaning. What is in
doubt (marks for no value, dates without a start, ages) must be refused with the name of the file. Of those that a person would call clear, at
least 80 % must be read. `cli_series.py OTOK BACKEND N [FIRST]` tries N files, from number FIRST on: 5000 are worth it after a change of the
reader. A gauge's series, as otok exports it, is read back."""
# once: under the sanitizers; it depends on no optimisation
from cli import *

with needed():
    import h5py
    import numpy as np
    import yaml

    import series_cases

if "without UDUNITS-2" in otok("--version", code=None).stdout:
    skip("units need UDUNITS-2")
N = int(sys.argv[3]) if len(sys.argv) > 3 else 60 if SMALL else 300
FIRST = int(sys.argv[4]) if len(sys.argv) > 4 else 0
HEAD = "otok: 1\ngrid: {nx: 4, ny: 4, spacing: 10}\nedges: {left: open}\nbase: [{constant: {height: 5}}]\naudit: off\nphases:\n"
TOGETHER = 25  # files that a call reads


def scenario(cases):
    return write("s.yaml", HEAD + "".join(case.written(f"q{case.number}.csv", f"p{case.number}") for case in cases))


def points(phase):
    """The list of pairs in a phase of a resolved text."""
    found = [v for group in ("rivers", "sides", "rain", "uplift", "reef") if group in phase for part in [phase[group]]
             for one in (part if isinstance(part, list) else [part]) for k, v in one.items() if k in ("history", "left_level", "sea_history")]
    return found[0]["points"] if isinstance(found[0], dict) else found[0]


def number(value):
    return float(value) if isinstance(value, (int, float)) else float(value.split()[0]) / (100 if value.endswith("%") else 1)


def compare(cases):
    """Reads all files in one scenario; the points must be theirs."""
    done = otok("base", scenario(cases), "-o", SPACE / "s.vtkhdf", code=None)
    if done.returncode:
        for case in cases:
            if len(cases) == 1 and case.free:
                unread.append(case)
                check(done.returncode == 65 and (f"q{case.number}.csv" in done.stderr or "s.yaml:" in done.stderr), f"file {case.number}, {case.free}: {done.stderr}")
            elif len(cases) == 1:
                check(False, f"file {case.number} is refused, and it is readable: {done.stderr}\n{case.keys}\n{case.text}")
            else:
                compare([case])
        return
    with h5py.File(SPACE / "s.vtkhdf") as f:
        text = f.attrs["otok_scenario"]
    for case, phase in zip(cases, yaml.safe_load(text)["phases"]):
        found = [tuple(map(number, pair)) for pair in points(phase)]
        good = len(found) == len(case.points) and np.allclose(found, case.points, rtol=1e-6, atol=1e-12)
        check(good, f"file {case.number}: other points, without a word: {found}, not {case.points}\n{case.keys}\n{case.text}")


unread = []  # clear to a person, and refused
cases = [series_cases.Case(n) for n in range(FIRST, FIRST + N)]
for case in cases:
    (SPACE / f"q{case.number}.csv").write_bytes(case.text.encode())
readable = [case for case in cases if case.points]
for some, together in (([case for case in readable if not case.free], TOGETHER), ([case for case in readable if case.free], 1)):
    for n in range(0, len(some), together):
        compare(some[n : n + together])
share = 1 - len(unread) / len(readable)
check(share >= 0.8, f"{share:.0%} of what is clear is read: not {[case.free for case in unread]}")
for case in cases:
    if case.points:
        continue
    done = otok("predict", scenario([case]), code=None)
    about = f"file {case.number}, {case.why}"
    check(done.returncode == 65, f"{about}: exit {done.returncode}, and it has no clear meaning\n{case.keys}\n{case.text}{done.stderr}")
    check(done.returncode != 65 or f"q{case.number}.csv" in done.stderr or "s.yaml:" in done.stderr, f"{about}: no place is named: {done.stderr}")
refused = len(cases) - len(readable)
check(min(len(readable), refused) >= N / 6, f"{len(readable)} readable, {refused} not: the cases are one-sided")

# ---- coverage ----
ONE = HEAD + "  - {name: p, iterations: 100, rivers: [{x: 5, y: 20, history: %s}], hydraulic: {dt: 1, law: local_inertia, capacity: 0}}\n"
(SPACE / "short.csv").write_text("time [s],Q\n0,1\n40,3\n")
for series, warns, volume in (("short.csv", True, 260), ("{file: short.csv, outside: hold}", False, 260), ("{file: short.csv, outside: zero}", False, 80),
                              ("{file: short.csv, outside: repeat}", False, 190), ("[[0, 1], [40, 3]]", False, 260)):
    done = otok("run", write("s.yaml", ONE % series), "-o", SPACE / "out", "--overwrite")
    check(("warning: phase p: rivers.0.history covers 0 s to 40 s of a phase of 100 s" in done.stderr) == warns, f"{series}: {done.stderr}")
    brought = next(float(line.split()[-2]) for line in (done.stdout + done.stderr).splitlines() if line.strip().startswith("+ rivers"))
    check(abs(brought - volume) < 1e-3 * volume, f"{series}: {brought} m3, not {volume}")
said = otok("run", write("s.yaml", ONE % "short.csv"), "--dry-run").stdout
check("# phase p: rivers.0.history: 2 points, 0 s to 40 s of 100 s, 1 to 3 m3 s-1, 260 m3 in the phase" in said and "values have no unit: m3 s-1" in said, said)

# ---- dates: from which `start` ----
(SPACE / "dated.csv").write_text("date (UTC),Q\n2024-02-28 23:59:00,1\n2024-02-29 00:01:00,3\n2024-02-29 00:02:00,5\n")
RIVER = "{name: %s, iterations: 100, %srivers: [{x: 5, y: 20, history: %s}], hydraulic: {dt: 1, law: local_inertia, capacity: 0}}"
for scenario_start, phase_start, history, means in (
        ("2024-02-29T00:00Z", "", "dated.csv", [[0, 2], [60, 3], [120, 5]]),
        ("2024-02-29 02:00+02:00", "", "{file: dated.csv, between: steps}", [[0, 1], [60, 3], [120, 5]]),
        ("2024-02-28T23:59Z", "start: 2024-02-29T00:01Z, ", "dated.csv", [[0, 3], [60, 5]]),
        ("2024-02-28T23:59Z", "", "{file: dated.csv, start: 2024-02-28T23:58Z}", [[60, 1], [180, 3], [240, 5]]),
        ("2024-02-29T00:00", "", "dated.csv", "both without"), ("2024-02-30", "", "dated.csv", "no such day"), ("2024-03-01T00:00Z", "", "dated.csv", "ends before"),
        ("2024-02-29T00:00+15:00", "", "dated.csv", "time zone"), ("29/02/2024", "", "dated.csv", "not a date")):
    text = f'start: "{scenario_start}"\n' + HEAD + "  - " + RIVER % ("p", phase_start, history) + "\n"
    done = otok("run", write("s.yaml", text), "--dry-run", code=None)
    if isinstance(means, str):
        check(done.returncode == 65 and means in done.stderr, f"{text}: {done.stderr}")
        continue
    found = points(yaml.safe_load(done.stdout)["phases"][0]) if done.returncode == 0 else done.stderr
    check(found == means, f"{text}: {found}, not {means}")
two = 'start: "2024-02-29T00:00Z"\n' + HEAD + "".join("  - " + RIVER % (name, "", "dated.csv") + "\n" for name in "pq")
done = otok("run", write("s.yaml", two), "--dry-run", code=None)
check(done.returncode == 65 and "phases.q.rivers.0.history" in done.stderr and "first phase" in done.stderr, f"a later phase: {done.stderr}")

# ---- ages: a geological `start` ----
LEVELS = ((400, -10), (300, -50), (100, -120), (0, 0))
OLD = {"ages.csv": "age [kyr],level [m]\n" + "".join(f"{t},{z}\n" for t, z in LEVELS), "young.csv": "Age (ka BP),level [m]\n" + "".join(f"{t},{z}\n" for t, z in LEVELS[::-1]),
       "before.csv": "time [kyr],level [m]\n" + "".join(f"{-t},{z}\n" for t, z in LEVELS), "bare.csv": "age,level [m]\n400,1\n0,2\n", "twice.csv": "age [kyr],level [m]\n400,1\n400,2\n0,2\n",
       "rough.csv": "level [m],years ago [yr]\n5,1200.5\n6,1000\n7,-50\n"}
for name, text in OLD.items():
    write(name, text)
KYR = 1000 * 31556925.9747
SEA = "{name: p, iterations: 3, %sreef: {dt: 1 kyr, sea_history: %s}}"
FROM_300, FROM_350 = [(0, -50), (200 * KYR, -120), (300 * KYR, 0)], [(0, -30), (50 * KYR, -50), (250 * KYR, -120), (350 * KYR, 0)]
for start, phase_start, history, means in (
        ("-300 kyr", "", "ages.csv", FROM_300), ("-350 kyr", "", "ages.csv", FROM_350), ("-0.35 Myr", "", "young.csv", FROM_350), ("-300 kyr", "", "before.csv", FROM_300),
        ("2024-01-01", "start: -350 kyr, ", "young.csv", FROM_350), ("", "", "{file: before.csv, start: -300 kyr}", FROM_300), ("-350 kyr", "", "{file: ages.csv, between: steps}", [(0, -10)] + FROM_350[1:]),
        ("-1100 yr", "", "rough.csv", [(0, 5 + 100.5 / 200.5), (0.1 * KYR, 6), (1.15 * KYR, 7)]),
        ("", "", "ages.csv", "write start: -400 kyr"), ("2024-01-01", "", "ages.csv", "write start: -400 kyr"), ("", "", "young.csv", "write start: -400 kyr"), ("", "", "before.csv", "out of range"),
        ("-300 kyr", "", "bare.csv", "tells no unit"), ("-400 kyr", "", "twice.csv", "not later"), ("300 kyr", "", "ages.csv", "below 0, as -400 kyr"), ("-300 m", "", "ages.csv", "not a date"),
        ("-300 kyr", "", "dated.csv", "is a date")):
    text = (f"start: {start}\n" if start else "") + HEAD + "  - " + SEA % (phase_start, history) + "\n"
    done = otok("run", write("s.yaml", text), "--dry-run", code=65 if isinstance(means, str) else 0)
    if isinstance(means, str):
        check(means in done.stderr and (".csv:" in done.stderr or "s.yaml:" in done.stderr), f"{text}: {done.stderr}")
        continue
    found = points(yaml.safe_load(done.stdout)["phases"][0]) if done.returncode == 0 else [done.stderr]
    check(len(found) == len(means) and np.allclose(found, means, rtol=1e-9, atol=1e-9), f"{text}: {found}, not {means}")
run(write("s.yaml", "start: -300 kyr\n" + HEAD + "  - " + SEA % ("", "ages.csv") + "\n"), SPACE / "old", "--overwrite")
check(", -297 kyr" in otok("inspect", checkpoints(SPACE / "old")[-1]).stdout, "the age of a state")
with h5py.File(checkpoints(SPACE / "old")[-1]) as f:
    check("date" not in f, "an age is no date of CF")

# ---- rates in the unit that was given ----
said = otok("run", write("s.yaml", HEAD + "  - {name: p, iterations: 10, rain: {rate: 60 mm/h}, infiltration: {conductivity: 0.5 in/h}, uplift: {rate: 1 mm/yr}, hydraulic: {dt: 1, law: local_inertia, capacity: 0}}\n"), "--dry-run").stdout
for words in ("rain.rate: 60 mm/h, ", "infiltration.conductivity: 0.5 in/h\n", "uplift.rate: 1 mm/yr\n"):
    check(f"# phase p: {words}" in said, f"{words}: {said}")
check("more than 0.5 in/h of rain" in otok("predict", SPACE / "s.yaml").stdout, "predict and rates")
FLOW = "phases.p.hydraulic.dt=0.5 min"  # a change keeps its words, and a plain number of it is the same
CHANGED = (SPACE / "s.yaml").read_text() + "changes: [{at: 5, path: phases.p.rain.rate, value: %s}]\n"
run(write("kept.yaml", CHANGED % "30 mm/h"), SPACE / "kept", "--set", FLOW, "--set", "output.every=5", "-q")
with h5py.File(checkpoints(SPACE / "kept")[-1]) as f:
    text = f.attrs["otok_scenario"].decode()
for words in ("rate: 60 mm/h", "conductivity: 0.5 in/h", "dt: 0.5 min", 'value: "30 mm/h"'):
    check(words in text, f"{words} in a checkpoint: {text}")
checkpoints(SPACE / "kept")[-1].unlink()
plain = (CHANGED % "8.33333333333333e-06").replace("60 mm/h", "1.66666666666667e-05")
run(write("kept.yaml", plain), SPACE / "kept", "--set", "phases.p.hydraulic.dt=30", "--set", "output.every=5", "--resume", "-q")
for value, words in (("-3 mm/h", "-3 mm/h is out of range; allowed: at least 0, at most 3.6e+09 mm/h"), ("2000 km/s", "2000 km/s is out of range; allowed: at least 0, at most 1 km/s")):
    wrong = otok("run", SPACE / "s.yaml", "--dry-run", "--set", f"phases.p.rain.rate={value}", code=65)
    check(words in wrong.stderr, f"{value}: {wrong.stderr}")
# ---- what is at fault is named: the date, not the commas; the unit once; a zone in brackets is no name of values
for text, has, lacks in (
        ("date;Q [m3/s]\n04.08.2023 06:00;5,0\n", "not a date as YYYY-MM-DD", "comma"), ("t;Q_m3s\n0;5\n", "at its end, `[m3 s-1]`, or", "or `["),
        ("Q [m3/s];Datum [MEZ];W [L/s]\n5;2024-02-29 00:00;3\n", "2 columns of values: `Q [m3/s]`, `W [L/s]`;", "`Datum")):
    (SPACE / "fault.csv").write_text(text)
    done = otok("run", write("s.yaml", 'start: "2024-02-29T00:00"\n' + ONE % "fault.csv"), "--dry-run", code=65)
    check(has in done.stderr and lacks not in done.stderr, f"{text}: {done.stderr}")

# ---- what files say of themselves, in dialects that the cases above lack: times of two rows, or the words that refuse them ----
LEVEL, SEA_OF = ONE.replace("rivers: [{x: 5, y: 20, history: %s}]", "sides: {left_level: %s}"), HEAD + "  - " + SEA % ("", "%s") + "\n"
DATED, ROWS = "2023-08-04T06:00Z", "\n2023-08-04 07:00,1\n2023-08-04 08:00,2\n"
for text, start, kind, means in (
        (f"date [UTC+1],Q{ROWS}", DATED, ONE, (0, 3600)), (f"date (UTC-03:30),Q{ROWS}", DATED, ONE, (16200, 19800)), (f"date (UTC),Q{ROWS}", DATED, ONE, (3600, 7200)),
        (f"date [GMT+1],Q{ROWS}", DATED, ONE, "UTC+01:00"), (f"date [UTC+111],Q{ROWS}", DATED, ONE, "not clear"),
        ("date,Q\n202308040600,1\n202308040700,2\n", DATED, ONE, "is that of dates"), ("date,Q\n45142.25,1\n45142.5,2\n", DATED, ONE, "is that of dates"),
        ("date,Q\n04-Aug-2023,1\n05-Aug-2023,2\n", DATED, ONE, "YYYY-MM-DD"), ("date,time,Q\n2023-08-04,06:00,1\n2023-08-04,07:00,2\n", DATED, ONE, "`date`, `time`; keep"),
        ("age [Ma],level [m]\n0.02,-120\n0.01,0\n", "-20 kyr", SEA_OF, (0, 10 * KYR)), ("time [kyr BP],level [m]\n-20,-120\n0,0\n", "-20 kyr", SEA_OF, "no time is above 0"),
        ("time [s],Q [m³·s⁻¹]\n0,1\n60,2\n", "", ONE, (0, 60)), ("time [s],Q [m³ s⁻¹]\n0,1\n60,2\n", "", ONE, (0, 60)), ("time [s]|Q\n0|1\n60|2\n", "", ONE, (0, 60)),
        ("sep=;\ntime [min];Q\n0;1\n1;2\n", "", ONE, (0, 60)), ("time,Q\n[h],[L/s]\n0,1\n1,2\n", "", ONE, "units belong into the titles"),
        ("# time [s]\n# Q [L/s]\n0,1\n60,2\n", "", ONE, "a comment tells a unit"), ("time [s];Q\n0;1'200\n60;1'300\n", "", ONE, "marks between thousands"),
        ("# T [min] sea level [km]\n0 1\n1 2\n", "", SEA_OF, (0, 60)), ("# Time_[min] sea level\n0 1\n1 2\n", "", SEA_OF, (0, 60)), ("# T sea level  (km)\n0 1\n60 2\n", "", SEA_OF, (0, 60)),
        ("time [s],Q*1000\n0,1\n60,2\n", "", ONE, "numbers are computed"), ("time [s],ln Q [m3/s]\n0,1\n60,2\n", "", ONE, "numbers are computed"), ("dt [s],Q\n0,1\n60,2\n", "", ONE, "numbers are computed"),
        ("# time_mins sea level\n0 1\n1 2\n", "", SEA_OF, (0, 60)), ("# T sea level (km)\n0,1\n60,2\n", "", SEA_OF, "a comment tells a unit"), ("# time series of an upstream gauge\n0 1\n60 2\n", "", SEA_OF, (0, 60)),
        ('# "T (min)" "level (km)"\n0 1\n1 2\n', "", SEA_OF, (0, 60)), ("time [s];Q\n0;1\u202f200\n60;1\u202f300\n", "", ONE, "marks between thousands"), ("time [s],depth below surface [m]\n0,1\n60,2\n", "", LEVEL, "levels grow upwards"),
        ("time [d],Q\n45142.25,1\n45142.5,2\n", "", ONE, "45142.25 day to 45142.5 day, are all after the phase, 0 s to 0.00115740740740741 day; they look like the days that a spreadsheet")):
    (SPACE / "said.csv").write_text(text)
    hold = "said.csv" if isinstance(means, str) and "spreadsheet" in means else "{file: said.csv, outside: hold}"
    done = otok("run", write("s.yaml", (f'start: "{start}"\n' if start else "") + kind % hold), "--dry-run", code=65 if isinstance(means, str) else 0)
    if isinstance(means, str):
        check(means in done.stderr, f"{text}: {done.stderr}")
        continue
    found = points(yaml.safe_load(done.stdout)["phases"][0]) if done.returncode == 0 else [done.stderr]
    check(np.allclose([time for time, _ in found][-2:], means, rtol=1e-12) and ("km" in text) == (abs(found[-1][1]) == 2000), f"{text}: {found}, not at {means}")

# ---- what values mean: of a moment, of the interval after or before, an amount since the start; rain by its rates, without `rate` ----
KNOWN = {"depth [mm]": (0, 5, 5, 20), "rain [mm/h]": (None, 5, 0, 15), "V [m3]": (0, 3600, 3600, 10800), "Q [m3/s]": (None, 1, 0, 2), "factor": (None, 1, 0, 2), "drop [mm]": (0, 5, 2, 20), "bare": (0, 1, 2, 3)}
for name, values in KNOWN.items():
    write(name.split()[0] + ".csv", "time [h]," + name + "\n" + "".join(f"{hour},{value}\n" for hour, value in enumerate(values) if value is not None))
RAIN, BY_RIVER = "rain: {%s}, hydraulic", "rivers: [{x: 5, y: 5, %s}], hydraulic"
MEANT = HEAD + "  - {name: p, iterations: 240, %s: {dt: 60, law: local_inertia, capacity: 0}}\n"
for kind, how, means in (  # three hours, the fourth by `outside`; 1600 m2
        (RAIN, "history: {file: depth.csv, means: accumulated}", 32), (RAIN, "history: {file: rain.csv, means: before, outside: zero}", 32),
        (RAIN, "history: {file: rain.csv, means: after, outside: zero}", 32), (RAIN, "history: {file: rain.csv, outside: zero}", 16),
        (RAIN, "history: {file: rain.csv, means: before}", 56), (RAIN, "rate: 2 mm/h, history: {file: factor.csv, means: before, outside: zero}", 9.6),
        (RAIN, "history: {points: [[1 h, 5 mm/h], [2 h, 0 mm/h], [3 h, 15 mm/h]], means: before, outside: zero}", 32), (RAIN, "history: [[0, 5 mm/h], [4 h, 15 mm/h]]", 64),
        (BY_RIVER, "history: {file: V.csv, means: accumulated}", 10800), (BY_RIVER, "history: {file: Q.csv, means: before, outside: zero}", 10800),
        (RAIN, "history: factor.csv", "tells no unit"), (RAIN, "history: [[0, 1], [1 h, 2]]", "factors of no rain"), (RAIN, "rate: 2 mm/h, history: rain.csv", "mm/h"),
        (RAIN, "history: {file: drop.csv, means: accumulated}", "falls from 0.005 to 0.002"), (RAIN, "rate: 2 mm/h, history: {file: factor.csv, means: accumulated}", "only discharges"),
        (RAIN, "history: {file: rain.csv, means: before, between: steps}", "keep one"), (BY_RIVER, "history: {file: bare.csv, means: accumulated}", "whose unit is not told"),
        (BY_RIVER, "history: {points: [[1 h, 2]], means: before}", "no interval before it"), (BY_RIVER, "history: {file: Q.csv, means: mean}", "before")):
    refused_here = isinstance(means, str)
    done = otok("run", write("s.yaml", MEANT % (kind % how)), "-o", SPACE / "out", "--overwrite", code=65 if refused_here else 0)
    if refused_here:
        check(means in done.stderr, f"{how}: {done.stderr}")
        continue
    brought = next(float(line.split()[-2]) for line in (done.stdout + done.stderr).splitlines() if line.strip().startswith(("+ rain", "+ rivers")))
    check(abs(brought - means) < 1e-4 * means, f"{how}: {brought} m3, not {means}")
check("5 mm/h to 15 mm/h, 40 mm in the phase" in otok("run", write("s.yaml", MEANT % (RAIN % "history: [[0, 5 mm/h], [4 h, 15 mm/h]]")), "--dry-run").stdout, "the amount of rain")
check("1 to 3 x 36 mm/h, 288 mm in the phase" in otok("run", write("s.yaml", MEANT % (RAIN % "rate: 36 mm/h, history: [[0, 1], [4 h, 3]]")), "--dry-run").stdout, "factors of a rate")
check("# phase p: sides.left_level: 0.5 m all the time\n" in otok("run", write("s.yaml", MEANT.replace("%s:", "sides: {left_level: [[0, 0.5 m]]}, hydraulic:")), "--dry-run").stdout, "a level that stays")
constant = otok("run", write("s.yaml", MEANT % (RAIN % "rate: 36 mm/h, during: [[1 h, 2 h], [90 min, 3 h]]").replace("}, hyd", "}, rivers: [{x: 5, y: 5, discharge: 2}], hyd")), "--dry-run").stdout
check("rain.rate: 36 mm/h, 72 mm in the phase" in constant and "rivers.0.discharge: 2 m3 s-1, 28800 m3 in the phase" in constant, f"what stays the same: {constant}")

# ---- the series of a gauge, after ten thousand years ----
YEARS = """otok: 1
grid: {nx: 12, ny: 8, spacing: 10}
base: [{constant: {height: 5}}]
gauges: [{name: weir, x: 60, y: 0, to_x: 60, to_y: 79.9}]
audit: off
phases:
  - {name: years, iterations: 10, uplift: {rate: 1 mm/yr, dt: 1000 yr}}
  - {name: flood, iterations: 40, rivers: [{x: 5, y: 40, discharge: 3}], hydraulic: {dt: 1, law: local_inertia, capacity: 0}}
output: {gauges: 2}
"""
otok("run", write("y.yaml", YEARS), "-o", SPACE / "years")
otok("export", checkpoints(SPACE / "years")[-1], "-o", SPACE / "g.csv")
times = np.loadtxt(SPACE / "g.csv", delimiter=",", skiprows=1)[:, 0]
check(np.array_equal(np.diff(times[-15:]), np.full(14, 2.0)), f"times of gauges: {times}")
otok("predict", write("s.yaml", ONE % "{file: g.csv, column: weir discharge}"))

for titles, chosen in (("time [s],a [m3/s],b [ft]", True), ("time [s],a [m3/s],b [L/s]", False), ("time [s],a [m3/s],b", False)):
    (SPACE / "two.csv").write_text(titles + "\n0,1,2\n30,3,4\n")
    done = otok("run", write("s.yaml", ONE % "{file: two.csv, outside: hold}"), "--dry-run", code=0 if chosen else 65)
    check(chosen or "2 columns of values: `a [m3/s]`" in done.stderr, f"{titles}: {done.stderr}")

# ---- the same with dates: a column behind the values, `inspect`, and engine="otok" ----
FLOOD = ONE.replace("phases:", "gauges: [{name: weir, x: 20, y: 0, to_x: 20, to_y: 39}]\noutput: {gauges: 5}\nphases:", 1).replace("dt: 1,", "dt: 0.3,")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "src/python"))
os.environ.setdefault("OTOK_LIBRARY", str(pathlib.Path(OTOK).parent / "libotok.so"))
try:
    import xarray
    from otok import plot as otok_plot
    from otok.history import OtokBackend
except (ImportError, OSError):
    OtokBackend = None
for start, zone, first, last in (("2023-12-31T22:00-02:00", "UTC", "2024-01-01T00:00:00Z", "2024-01-01T00:00:30Z"), ("2024-02-28 23:59:45", "no zone", "2024-02-28T23:59:45", "2024-02-29T00:00:15")):
    otok("run", write("f.yaml", f'start: "{start}"\n' + FLOOD % "[[0, 1], [30, 5]]"), "-o", SPACE / "dated", "--overwrite", "-q")
    newest = checkpoints(SPACE / "dated")[-1]
    check(f", {last}\n" in otok("inspect", newest).stdout and f'"date": "{last}"' in otok("inspect", newest, "--json").stdout, f"inspect of {start}")
    otok("export", newest, "-o", SPACE / "g.csv")
    rows = [line.split(",") for line in (SPACE / "g.csv").read_text().splitlines()]
    check(rows[0][-1] == f"date [{zone}]" and rows[1][-1] == first and rows[2][-1] == first[:17] + f"{int(first[17:19]) + 1:02}.500" + first[19:] and rows[-1][-1] == last, f"{start}: {rows}")
    done = otok("run", write("s.yaml", ONE % "{file: g.csv, outside: hold}"), "--dry-run")  # the only column in m3/s; the others are a head, and dates
    check([time for time, _ in points(yaml.safe_load(done.stdout)["phases"][0])] == [float(row[0]) for row in rows[1:]], f"{start}: {done.stdout}")
    with h5py.File(newest) as f:  # as CF has dates; `time` stays a number of seconds
        date, coordinates = f["date"], f["terrain"].attrs["coordinates"]
        words = {key: date.attrs[key] for key in ("units", "calendar", "standard_name", "long_name")}
        words = {key: word.decode() if isinstance(word, bytes) else word for key, word in words.items()}
        check(words == {"units": "seconds since " + first, "calendar": "proleptic_gregorian", "standard_name": "time",
                        "long_name": "date, UTC" if zone == "UTC" else "date, without a time zone"} and date[()] == f["time"][()] == 30, f"{start}: {words}")
        check(coordinates in ("time date", b"time date"), str(coordinates))
    if OtokBackend:
        stored = xarray.open_dataset(newest, engine="h5netcdf")
        check(str(stored.date.values).startswith(last.rstrip("Z")) and stored.time == 30, f"{start}: {stored.date.values}")
        axis = otok_plot.history(SPACE / "dated").axes[-1]
        check(axis.get_xlabel().startswith("date") and ("UTC" in axis.get_xlabel()) == (zone == "UTC"), f"{start}: {axis.get_xlabel()}")
        dates = OtokBackend().open_dataset(SPACE / "dated", backend="cpu").date
        check(str(dates.values[-1]).startswith(last.rstrip("Z")) and str(dates.values[0]).startswith(first.rstrip("Z")), f"{start}: {dates.values[[0, -1]]}")
finish(f"{len(readable) - len(unread)} of {len(readable)} clear series read ({share:.0%}), {refused} in doubt refused, none wrong")
