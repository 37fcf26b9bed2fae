"""Claim: README.md is short, six kinds of users find their page in it, every page is reached from it in three clicks, the user pages are few and
short, every link between the documents leads somewhere, and the tables of parameters and fields in src/docs/reference.md and
src/docs/reference/ are those that the program prints. `--write` renews these tables. cli_documents.py runs what the pages show."""
# once: under the sanitizers; it depends on no optimisation

import sys

WRITE = "--write" in sys.argv
sys.argv = [word for word in sys.argv if word != "--write"]

from cli import *  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
LONGEST = 150  # lines of README.md
FIRST = 40  # of its lines are the first screen
PAGES, WORDS = 25, 30000  # of the user pages: README.md and src/docs, less the generated src/docs/reference
CLICKS = 3
ONE_CLICK = {  # what a user asks: a page that README.md links to
    "my DEM": "src/docs/dem.md", "which dt": "src/docs/water.md", "a verdict's word": "src/docs/verdicts.md", "my own process": "src/docs/processes.md",
    "hydrologist": "src/docs/hydrology.md", "geomorphologist": "src/docs/geomorphology.md", "coasts": "src/docs/coasts.md",
    "artist": "src/docs/artists.md", "studies": "src/docs/studies.md", "Python": "src/docs/python.md", "C": "src/docs/c.md",
}


def tables():
    """One table a group, in the program's order, and one of the fields."""
    whole = otok("parameters", "--markdown").stdout.splitlines()
    head, groups = "\n".join(whole[:2]), {}
    for row in whole[2:]:
        key = re.match(r"\| `([^`]*)`", row)[1]
        groups.setdefault(key.rpartition(".")[0] or "scenario", []).append(row)
    return {"parameters": {group: head + "\n" + "\n".join(rows) for group, rows in groups.items()},
            "fields": otok("parameters", "--fields", "--markdown").stdout.strip()}


def put(path, name, table):
    """A table between its marks; False if the page has none."""
    text = path.read_text()
    start = text.index("\n", text.index(f"<!-- {name}:")) + 1
    end = text.index(f"<!-- end of {name} -->")
    if not WRITE:
        check(text[start:end].strip() == table.strip(), f"{path}: its table of {name} is old; run python3 tests/cli_readme.py {OTOK} --write")
    elif text[start:end].strip() != table.strip():
        path.write_text(text[:start] + "\n" + table.strip() + "\n\n" + text[end:])


def check_tables():
    """A process has a page of its own, with an example; all other groups are in one page, with a list of these pages."""
    groups, pages = tables(), {path.stem: path for path in sorted((ROOT / "src/docs/reference").glob("*.md"))}
    processes = set(re.findall(r"^PROCESS\(\w+, (\w+),", (ROOT / "src/scenario/processes.def").read_text(), re.M))
    for name in processes - set(pages):
        check(False, f"src/docs/reference/{name}.md is missing: an equation, an example and the marks of its table, such as creep.md")
    check(not set(pages) - processes, f"src/docs/reference: {set(pages) - processes} are no processes")
    titles = {name: path.read_text().split("\n")[0].removeprefix("# ") for name, path in pages.items()}
    listed = "\n".join(f"- [{title}](reference/{name}.md)" for name, title in titles.items())
    for name, path in pages.items():
        put(path, "parameters", groups["parameters"].pop(name, ""))
    whole = ROOT / "src/docs/reference.md"
    put(whole, "processes", listed)
    put(whole, "parameters", "\n\n".join(f"### {name}\n\n{table}" for name, table in groups["parameters"].items()))
    put(whole, "fields", groups["fields"])


def anchors(path):
    """Of the headings of a page, as GitHub makes them."""
    heads = re.findall(r"^#+ +(.*)$", re.sub(r"^```.*?^```", "", path.read_text(), flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", head).lower()).replace(" ", "-") for head in heads}


def links_of(page):
    text = re.sub(r"^```.*?^```|`[^`\n]*`", "", page.read_text(), flags=re.M | re.S)
    return [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if not re.match(r"[a-z]+:", link)]


def pages_of(*patterns):
    return [ROOT / name for name in subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", *patterns],
                                                   capture_output=True, text=True).stdout.split() if (ROOT / name).exists()]


def check_links():
    pages, links, near = pages_of("*.md"), 0, {ROOT / "README.md": 0}
    to = {}
    for page in pages:
        for link in links_of(page):
            name, _, anchor = link.partition("#")
            target = (page.parent / name).resolve() if name else page
            target = target / "README.md" if (target / "README.md").exists() else target
            to.setdefault(page, set()).add(target)
            links += 1
            if check(target.exists(), f"{page.relative_to(ROOT)}: {link} leads nowhere") and anchor:
                check(anchor in anchors(target), f"{page.relative_to(ROOT)}: {link}: no such heading")
    for clicks in range(CLICKS):
        for page in [page for page in near if near[page] == clicks]:
            for target in to.get(page, ()):
                near.setdefault(target, clicks + 1)
    for page in pages:
        check(page in near, f"{page.relative_to(ROOT)} is more than {CLICKS} clicks from README.md")
    for asked, page in ONE_CLICK.items():
        check(near.get(ROOT / page) == 1, f"{asked}: {page} is {near.get(ROOT / page)} clicks from README.md")
    check(links > 100, f"only {links} links")


def check_sizes():
    """Lines of README.md, its first screen, and pages and words of the user tree."""
    lines = (ROOT / "README.md").read_text().splitlines()
    check(len(lines) <= LONGEST, f"README.md has {len(lines)} lines; {LONGEST} are allowed: move some to its other pages")
    first = "\n".join(lines[:FIRST])
    for asked, page in ONE_CLICK.items():
        check(f"({page})" in first, f"{asked}: no link to {page} in the first {FIRST} lines of README.md")
    check("Cite" in first and "cite otok" in "\n".join(lines), "README.md does not tell how to cite")
    written = [ROOT / "README.md", *(path for path in sorted((ROOT / "src/docs").glob("*.md")) if path.name != "reference.md")]
    words = sum(len(path.read_text().split()) for path in written)
    check(len(written) <= PAGES and words <= WORDS, f"{len(written)} user pages, {words} words; {PAGES} and {WORDS} are allowed")
    return f"README.md has {len(lines)} lines; {len(written)} user pages have {words} words"


check_tables()
if WRITE:
    finish()
check_links()
finish(check_sizes())
