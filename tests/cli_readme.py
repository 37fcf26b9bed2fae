"""Claim: README.md is short, what it shows runs as it stands there, it links to every other page, every link between the documents leads
somewhere, and the tables of parameters and fields in src/scenario/README.md are those that the program prints. `--write` renews these tables."""
# slow: its snippets run what other tests run

import sys

WRITE = "--write" in sys.argv
sys.argv = [word for word in sys.argv if word != "--write"]

from cli import *  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
LONGEST = 180  # lines of README.md


def tables():
    """One table a group, in the program's order, and one of the fields."""
    whole = otok("parameters", "--markdown").stdout.splitlines()
    head, groups = "\n".join(whole[:2]), {}
    for row in whole[2:]:
        key = re.match(r"\| `([^`]*)`", row)[1]
        groups.setdefault(key.rpartition(".")[0] or "scenario", []).append(row)
    parts = [f"### {group}\n\n{head}\n" + "\n".join(rows) for group, rows in groups.items()]
    return {"parameters": "\n\n".join(parts), "fields": otok("parameters", "--fields", "--markdown").stdout.strip()}


def check_tables():
    path = ROOT / "src/scenario/README.md"
    text = path.read_text()
    for name, table in tables().items():
        start = text.index("\n", text.index(f"<!-- {name}:")) + 1
        end = text.index(f"<!-- end of {name} -->")
        if WRITE:
            text = text[:start] + "\n" + table + "\n\n" + text[end:]
        else:
            check(text[start:end].strip() == table, f"{path}: its table of {name} is old; run python3 tests/cli_readme.py {OTOK} --write")
    if WRITE:
        path.write_text(text)


def anchors(path):
    """Of the headings of a page, as GitHub makes them."""
    heads = re.findall(r"^#+ +(.*)$", re.sub(r"^```.*?^```", "", path.read_text(), flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", head).lower()).replace(" ", "-") for head in heads}


def links_of(page):
    text = re.sub(r"^```.*?^```|`[^`\n]*`", "", page.read_text(), flags=re.M | re.S)
    return [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if not re.match(r"[a-z]+:", link)]


def check_links():
    pages = subprocess.run(["git", "-C", ROOT, "ls-files", "*.md"], capture_output=True, text=True).stdout.split()
    links, near = 0, {ROOT / "README.md"}
    for link in links_of(ROOT / "README.md"):
        target = (ROOT / link.partition("#")[0]).resolve()
        near.add(target / "README.md" if target.is_dir() else target)
    for page in pages:
        check(ROOT / page in near, f"README.md has no link to {page}")
    for page in map(ROOT.joinpath, pages or [path.relative_to(ROOT) for path in ROOT.glob("*/README.md")]):
        for link in links_of(page):
            name, _, anchor = link.partition("#")
            target = (page.parent / name) if name else page
            target = target / "README.md" if anchor and target.is_dir() else target
            links += 1
            if check(target.exists(), f"{page.relative_to(ROOT)}: {link} leads nowhere") and anchor:
                check(anchor in anchors(target), f"{page.relative_to(ROOT)}: {link}: no such heading")
    check(links > 100, f"only {links} links")


def snippets(path):
    """The blocks after the first scenario, in order: (language, text)."""
    text = path.read_text()
    return re.findall(r"^```(\w+)\n(.*?)^```", text[text.index("```yaml"):], re.M | re.S)


def check_snippets():
    can_draw = otok("render", "--help", code=None).returncode == 0
    folder = SPACE / "readme"
    folder.mkdir()
    env = {**ENV, "PATH": f"{pathlib.Path(OTOK).parent}:{ENV['PATH']}", "ASAN_OPTIONS": "detect_leaks=0"}  # drivers keep memory to the end
    for language, text in snippets(ROOT / "README.md"):
        if language == "yaml":
            (folder / re.match(r"# (\S+)\n", text)[1]).write_text(text)
            continue
        if language == "python":
            library = pathlib.Path(OTOK).parent / "libotok.so"
            try:
                import numpy  # noqa: F401
            except ImportError:
                continue
            if not library.exists() or SMALL:
                continue
            command = [sys.executable, "-c", text]
            env.update(PYTHONPATH=str(ROOT / "src/python"), OTOK_LIBRARY=str(library))
        else:
            lines = [line for line in text.splitlines() if not line.startswith("export PATH") and (can_draw or "otok render" not in line)]
            lines = [re.sub("^otok render .*", r"\g<0> --size 160x100 --samples 1", line) for line in lines]  # in seconds
            command = ["bash", "-ec", "\n".join(lines)]
        done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=LIMIT)
        check(done.returncode == 0, f"README.md: {text}{done.stdout}{done.stderr}")
    said = re.search(r"otok study .*# (.*)", (ROOT / "README.md").read_text())[1]
    shown = otok("study", "study.yaml", "-o", "edges", "--resume", cwd=folder)
    check(said in shown.stdout + shown.stderr, f"README.md says {said}: {shown.stdout}{shown.stderr}")


check_tables()
if WRITE:
    finish()
lines = len((ROOT / "README.md").read_text().splitlines())
check(lines <= LONGEST, f"README.md has {lines} lines; {LONGEST} are allowed: move some to its other pages")
check_links()
if otok("predict", write("units.yaml", "otok: 1\nsea: {level: 1 ft}\n"), code=None).returncode == 0:  # UDUNITS-2 is there
    check_snippets()
finish(f"README.md has {lines} lines")
