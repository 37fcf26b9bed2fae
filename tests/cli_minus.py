"""claim: `otok render A --minus B` shows A's field less B's: at the end less at the start it is the field terrain_change; A less A is zero
everywhere; other grids, absent fields, and speeds less flows are refused."""
# slow: software draws its pictures; cli_drafts.py draws a difference under the sanitizers

import cli
from cli import SPACE, check, otok

if "this build" in otok("render", "nothing", code=None).stderr:
    cli.skip("this build has no views")
cli.ENV["ASAN_OPTIONS"] = "detect_leaks=0"  # drivers keep memory to the end
W, H = 240, 240


def render(name, *words):
    otok("render", *words, "-o", SPACE / name, "-s", f"{W}x{H}", "-n", 1, "--elevation", 80, "--no-shadows")
    return cli.png(SPACE / name)[2][170:]  # without the legend


scenario = cli.write("a.yaml", cli.ISLAND)
cli.run(scenario, SPACE / "run", "-q")
*_, last = sorted((SPACE / "run").glob("*.vtkhdf"))
otok("base", scenario, "-o", SPACE / "first.vtkhdf")
range_ = ("--low", -20, "--high", 20, "--colours", "vik")
known = render("known.png", last, "--field", "terrain_change", *range_)
found = render("found.png", last, "--minus", SPACE / "first.vtkhdf", "--low", -20)
apart = [max(abs(a - b) for a, b in zip(*rows)) for rows in zip(known, found)]
check(max(apart) <= 2, f"it is not terrain_change: {max(apart)} of 255")
turned = render("turned.png", SPACE / "first.vtkhdf", "--minus", last, "--low", -20)
check(turned != found, "A - B is B - A")
zero = render("zero.png", last, "--minus", last)
check(zero == render("reef.png", last, "--minus", last, "--field", "reef") and zero != found, "A - A is not zero")
otok("base", scenario, "--set", "grid.nx=40", "-o", SPACE / "other.vtkhdf")
for words, code, why in (((last, "--minus", SPACE / "other.vtkhdf"), 65, "other.vtkhdf: --minus: its grid"),
                         ((last, "--minus", SPACE / "first.vtkhdf", "--field", "road"), 65, "road"),
                         ((last, "--minus", SPACE / "none.vtkhdf"), 74, "none.vtkhdf"),
                         ((last, "--minus", last, "--style", "water"), 2, "--field")):
    check(why in otok("render", *words, "-o", SPACE / "x.png", code=code).stderr, f"{words}")
waters = {}
for law in ("local_inertia", "shallow_water"):
    text = ("otok: 1\ngrid: {nx: 24, ny: 24}\nbase: [{cone: {height: 5, radius: 12}}]\nphases: [{name: a, iterations: 9, rain: {rate: 0.01}, "
            f"hydraulic: {{law: {law}, dt: 0.02}}}}]\n")
    cli.run(cli.write(f"{law}.yaml", text), SPACE / law, "-q")
    waters[law] = max((SPACE / law).glob("*.vtkhdf"))
told = otok("render", waters["shallow_water"], "--minus", waters["local_inertia"], "--field", "outflow_right", "-o", SPACE / "x.png", code=65).stderr
check("outflow_right is in m3 s-1, that of" in told and "in m s-1" in told, f"flows from speeds: {told}")
cli.finish()
