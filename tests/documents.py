#!/usr/bin/env python3
"""Claim: pages are laid out by mdformat in lines of at most 100 columns, spelt without
the known mistakes, and British.

usage: documents.py [--write]    (packages: requirements.txt; --write lays out the pages)

Tables, pictures and lines of the generated src/scenario/README.md may be longer.
Exit 0: all is right; 1: it prints what is not.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import codespell_lib

ROOT = pathlib.Path(__file__).resolve().parent.parent
WIDTH = 100
LAID_OUT_ELSEWHERE = {"src/scenario/README.md", "src/README.md", "cuda/README.md"}
PICTURES = (".png", ".jpg", ".json")
# Words that codespell takes for mistakes: GLSL's inout, "fro" of "to and fro", tessellation
# shaders, a planed board, wrong keys of tests.
FINE = "inout,fro,tese,planed,levl,hieght,absorbtion,trasport,terain,capcity,nknown,gird,desing"
# American words that are right here: programs of computers, names of licences, sanitizers and
# units, grey pictures as PNG calls them, a title.
FINE_AMERICAN = "modeling,program,programs,math,license,sanitizer,sanitizers,sanitize,gray"
FINE_AMERICAN += ",meter,meters,millimeter"
# Besides, names in the code of others: matplotlib, SALib, scipy, PyTorch, GLSL.
FINE_IN_CODE = FINE_AMERICAN + ",color,colors,center,analyze,optimize,synchronize,normalize"
CODE = r"(?ms)^```.*?^```|`[^`\n]+`|“[^”]*”"


def tracked(*patterns):
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", *patterns],
        capture_output=True,
        text=True,
        check=True,
    )
    return [name for name in listed.stdout.split("\n") if name and (ROOT / name).exists()]


def call(*words):
    """0, or 1 and its complaints are printed."""
    done = subprocess.run([sys.executable, "-m", *words], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        print(done.stdout + done.stderr, end="", file=sys.stderr)
    return done.returncode != 0


def too_long(pages):
    """1 if a line of a page is longer than WIDTH and could be shorter."""
    found = 0
    for page in pages:
        for number, line in enumerate((ROOT / page).read_text().splitlines(), 1):
            if len(line) > WIDTH and not line.startswith(("|", "![")):
                print(f"{page}:{number}: {len(line)} columns, {WIDTH} are allowed", file=sys.stderr)
                found = 1
    return found


def american(folder):
    """codespell's list of British words with American forms, turned round."""
    source = pathlib.Path(codespell_lib.__file__).parent / "data/dictionary_en-GB_to_en-US.txt"
    pairs = re.findall(r"^(\S+)->(\S+?),?$", source.read_text(), re.M)
    path = pathlib.Path(folder) / "american.txt"
    path.write_text("".join(f"{there}->{here}\n" for here, there in pairs))
    return path


def main():
    pages = [name for name in tracked("*.md") if name not in LAID_OUT_ELSEWHERE]
    layout = ["mdformat", "--wrap", str(WIDTH), "--compact-tables"]
    if sys.argv[1:] == ["--write"]:
        sys.exit(call(*layout, *pages))
    wrong = call(*layout, "--check", *pages) + too_long(pages)
    files = [name for name in tracked() if not name.endswith(PICTURES)]
    documents = [name for name in files if name.endswith(".md")]
    others = [name for name in files if name not in documents]
    wrong += call("codespell_lib", "-L", FINE, *files)
    with tempfile.TemporaryDirectory() as folder:
        spelt = ["codespell_lib", "-D", str(american(folder))]
        wrong += call(*spelt, "-L", FINE_AMERICAN, "--ignore-multiline-regex", CODE, *documents)
        wrong += call(*spelt, "-L", FINE_IN_CODE, *others)
    if wrong:
        sys.exit(1)
    print(f"{len(pages)} pages laid out, {len(files)} files spelt")


main()
