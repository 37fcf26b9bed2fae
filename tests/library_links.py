"""Claim: `cmake --install` brings a library that exports what otok.h declares and nothing else; experiments/embed builds against it by
find_package, shared and static, by pkg-config, and with otok's source in a folder, and prints the same each time. Each command has a
manual page.
`python3 tests/library_links.py BUILD_FOLDER CMAKE C_COMPILER`"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BUILD, CMAKE, CC = sys.argv[1:4]
ROOT = pathlib.Path(__file__).resolve().parent.parent
EMBED = ROOT / "experiments/embed"
HEADERS = ("otok.h", "otok_fields.h", "otok_live.h", "otok_predict.h", "otok_road.h", "otok_run.h", "otok_study.h")
FEW_OPTIONS = "-DOTOK_CUDA=OFF", "-DOTOK_VIZ=OFF", "-DOTOK_GDAL=OFF", "-DCMAKE_BUILD_TYPE=None"  # soon compiled, and with the same bits
failures = 0


def check(condition, text):
    global failures
    if not condition:
        failures += 1
        print(text, file=sys.stderr)


def call(*words, **more):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=1800, **more)
    check(done.returncode == 0, f"{' '.join(map(str, words))}: exit {done.returncode}: {(done.stdout + done.stderr)[-1500:]}")
    return done.stdout


def declared(headers):
    """Names of the functions: what stands before a parenthesis at the beginning of a declaration."""
    names = set()
    for header in headers:
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
        text = re.sub(r"(?m)^ .*$|^#.*$", "", text)  # bodies of structures and lists
        names |= set(re.findall(r"(?m)^[a-z_][\w \*]*?\b(otok_\w+)\(", text))
    return names


def embed(where, *words):
    call(CMAKE, "-S", EMBED, "-B", where, f"-DCMAKE_C_COMPILER={CC}", *words)
    call(CMAKE, "--build", where, "-j", os.cpu_count() or 1, "--target", "embed")
    return call(where / "embed", env={**os.environ, "OMP_NUM_THREADS": "1"})


def manual(prefix):
    """A page of each command where the build found help2man, which groff sets without a warning."""
    if "OTOK_HELP2MAN:FILEPATH=/" not in (pathlib.Path(BUILD) / "CMakeCache.txt").read_text():
        print("no help2man: no manual pages")
        return
    commands = re.findall(r"(?m)^  ([a-z]+) {2,}", call(pathlib.Path(BUILD) / "otok", "--help"))
    pages = {page.stem: page for page in prefix.glob("share/man/man1/*.1")}
    check(set(pages) == {"otok", *(f"otok-{name}" for name in commands)} and len(pages) > 10, f"manual pages of {sorted(pages)}")
    for name, page in pages.items():
        text = page.read_text()
        check("usage: otok" in text and (name == "otok" or "\\-\\-help" in text), f"{page.name} does not say what --help says")
        if shutil.which("groff"):
            done = subprocess.run(["groff", "-man", "-ww", "-z", page], capture_output=True, text=True)
            check(done.returncode == 0 and not done.stderr, f"{page.name}: {done.stderr[:400]}")


with tempfile.TemporaryDirectory(prefix="otok-link-") as space:
    space = pathlib.Path(space)
    prefix = space / "usr"
    call(CMAKE, "--install", BUILD, "--prefix", prefix)
    shared = next(prefix.glob("lib*/**/libotok.so"))
    lib = shared.parent
    for name in (*HEADERS, "otok_ledger.def"):
        check((prefix / "include" / name).is_file(), f"{name} is not installed")
    check("SONAME" in (dynamic := call("readelf", "-d", shared)) and "[libotok.so.0.1]" in dynamic, dynamic)
    exported = {line.split()[2].split("@")[0] for line in call("nm", "-D", "--defined-only", shared).splitlines() if line.split()[1] in "TDBR"}
    wanted = declared([prefix / "include" / name for name in HEADERS])
    check(len(wanted) > 90, f"only {len(wanted)} functions found in the headers")
    check(exported == wanted, f"exported, not declared: {sorted(exported - wanted)}; declared, not exported: {sorted(wanted - exported)}")
    call(CC, "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only", "-x", "c", prefix / "include/otok.h")

    manual(prefix)
    results = {
        "find_package": embed(space / "shared", f"-DCMAKE_PREFIX_PATH={prefix}"),
        "find_package, static": embed(space / "static", f"-DCMAKE_PREFIX_PATH={prefix}", "-DOTOK_STATIC=ON"),
        "add_subdirectory": embed(space / "beside", f"-DOTOK_SOURCE={ROOT}", *FEW_OPTIONS),
    }
    tool = shutil.which("pkg-config")
    if tool:
        for name, static in (("pkg-config", []), ("pkg-config --static", ["--static"])):
            flags = call(tool, "--cflags", "--libs", *static, "otok", env={**os.environ, "PKG_CONFIG_PATH": str(lib / "pkgconfig")}).split()
            flags = ["-l:libotok.a" if static and flag == "-lotok" else flag for flag in flags]
            where = call(tool, "--variable=libdir", "otok", env={**os.environ, "PKG_CONFIG_PATH": str(lib / "pkgconfig")}).strip()
            call(CC, EMBED / "embed.c", "-o", space / "program", *flags, f"-Wl,-rpath,{where}")
            results[name] = call(space / "program", env={**os.environ, "OMP_NUM_THREADS": "1"})
    check(len(set(results.values())) == 1 and "fingerprint" in results["find_package"], f"not the same everywhere: {results}")
    check(f"# {results['find_package'].strip()}\n" in (ROOT / "src/docs/c.md").read_text(), f"src/docs/c.md shows another output: {results}")
if not failures:
    print(results["find_package"].strip(), "by", ", ".join(results))
sys.exit(1 if failures else 0)
