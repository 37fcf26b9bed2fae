#!/usr/bin/env python3
"""Claim: pages are laid out by mdformat in lines of at most 100 columns, spelt without
the known mistakes, British, and free of ten habits that make English hard to read.

usage: documents.py [--write]    (packages: requirements.txt; --write lays out the pages)

Tables, pictures and lines of the generated src/docs/reference may be longer.
Exit 0: all is right; 1: it prints the mistakes.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import codespell_lib

ROOT = pathlib.Path(__file__).resolve().parent.parent
WIDTH = 100
LAID_OUT_ELSEWHERE = ("src/docs/reference", "src/README.md", "cuda/README.md")
PICTURES = (".png", ".jpg", ".json")
# Words that codespell takes for mistakes: GLSL's inout, "fro" of "to and fro", tessellation
# shaders, a planed board, wrong keys of tests, an author, German days.
FINE = "inout,fro,tese,planed,levl,hieght,absorbtion,trasport,terain,capcity,nknown,gird,desing,cleary,ot,tage"
# OpenTURNS is ot in code.
# American words that are right here: programs of computers, names of licences, sanitizers and
# units, grey pictures as PNG calls them, a title.
FINE_AMERICAN = "routing,modeling,program,programs,math,license,sanitizer,sanitizers,sanitize,gray"
FINE_AMERICAN += ",meter,meters,millimeter"
# Besides, names in the code of others: matplotlib, SALib, scipy, PyTorch, GLSL.
FINE_IN_CODE = FINE_AMERICAN + ",rasterized,color,colors,center,analyze,optimize,synchronize,normalize,optimizer"
FINE_IN_CODE += ",minimize,vectorized,vectorize"  # of gest-api, Xopt and emcee
PICTURE = r'"image/(png|jpeg)": "[^"]*"'  # in a notebook
CODE = r"(?ms)^```.*?^```|`[^`\n]+`|“[^”]*”"
# Not prose: code, quotations, targets of links, tables that the program writes.
NO_PROSE = CODE + r"|\]\([^)\s]*\)|<!-- (?:parameters|fields):.*?<!-- end of"
EACH = r"(?:second|minute|hour|day|year|cell|iteration|step|row|column|line|member|GPU|rank|node"
EACH += r"|warp|thread|launch|frame|picture|pixel|sentence|stage|process|face|run|sample|metre|layer"
EACH += r"|ensemble|subcommand|claim|material|axis)"
COUNTED = r"(?:bytes|instructions|cells|iterations|rows|steps|frames|pictures|states|updates|numbers"
COUNTED += r"|loads|members|samples|points|chunks|seconds|minutes|times|lines|files|idea|kernel"
COUNTED += r"|once|thread|rank|\d\s(?:mm|cm|m|km|ms|µs|s|GB|MB|%))"
HABITS = {  # a pattern of prose: the remedy
    r"\b(?:take|takes|took|taken|taking)\b(?<!long\sit\stakes)"
    r"(?![^.;:|]{0,60}?(?:\d|\blong|\btime\b|minutes?|seconds?|hours?|half|twice))": (
        "take is for time; else use, accept, need, read, choose"
    ),
    r"\b(?:of|by|with|from|for|to|and|but|on|in|that|than|also|only) what\b(?![^.!?]*\?)": (
        "a noun instead of a clause with what"
    ),
    rf"\b{COUNTED} an? {EACH}\b(?!'s| GPU)": "per: 158 bytes per cell",
    r"\b[Ww]here (?:there (?:is|are|was|were)|nothing|nobody|none|asked|possible|that cannot"
    r"|they cannot|`?nvcc)\b": "if or when; where is for places",
    r", which\b(?![^.!?]*\?)": "a new sentence instead of which",
    r"\bby (?:turns|conda|Spack|OpenGL|EGL|GLFW|Mesa|UCX|ffmpeg|FFT)\b": (
        "with or through; by is for authors and amounts"
    ),
    r"\b(?:no longer|anew|at first|formerly|nowadays|used to|now)\b": "the present; git has the past",
    r"\b(?:say|says|said|saying)\b": "print, report, state",
    r"\b(?:stands?|stood|lies?|lay|lying)\b": "is, are",
    r"\b(?:of them|of those|of which|of whom)\b": "the noun instead of the pronoun",
}


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


def prose(page):
    """The text of a page, or of a notebook, without its code."""
    text = (ROOT / page).read_text()
    if page.endswith(".ipynb"):
        cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown"]
        text = "\n\n".join("".join(cell["source"]) for cell in cells)
    return re.sub(
        NO_PROSE,
        lambda left: "\n" * left[0].count("\n") or ("`code`" if left[0][0] == "`" else ""),
        text,
    )


def habits(pages):
    """1 if a page has one of the habits. The line of a notebook is that of its text."""
    found = 0
    for page in pages:
        text = prose(page)
        for pattern, remedy in HABITS.items():
            for match in re.finditer(pattern.replace(" ", r"\s+"), text):
                line = text.count("\n", 0, match.start()) + 1
                shown = " ".join(text[max(0, match.start() - 30) : match.end() + 30].split())
                print(f"{page}:{line}: {shown!r}: {remedy}", file=sys.stderr)
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
    pages = [name for name in tracked("*.md") if not name.startswith(LAID_OUT_ELSEWHERE)]
    layout = ["mdformat", "--wrap", str(WIDTH), "--compact-tables"]
    if sys.argv[1:] == ["--write"]:
        sys.exit(call(*layout, *pages))
    wrong = call(*layout, "--check", *pages) + too_long(pages)
    files = [name for name in tracked() if not name.endswith(PICTURES)]
    documents = [name for name in files if name.endswith(".md")]
    wrong += habits(documents + tracked("*.ipynb"))
    others = [name for name in files if name not in documents]
    wrong += call("codespell_lib", "-L", FINE, "--ignore-regex", PICTURE, *files)
    with tempfile.TemporaryDirectory() as folder:
        spelt = ["codespell_lib", "-D", str(american(folder))]
        wrong += call(*spelt, "-L", FINE_AMERICAN, "--ignore-multiline-regex", CODE, *documents)
        wrong += call(*spelt, "-L", FINE_IN_CODE, "--ignore-regex", PICTURE, *others)
    if wrong:
        sys.exit(1)
    print(f"{len(pages)} pages laid out, {len(files)} files spelt")


main()
