"""The table of parameters in README.md is the one that the program prints. `--write` renews it."""
import pathlib
import subprocess
import sys

otok = sys.argv[1]
readme = pathlib.Path(__file__).resolve().parent.parent / "README.md"
text = readme.read_text()
start = text.index("\n", text.index("<!-- parameters:")) + 1
end = text.index("<!-- end of parameters -->")
table = subprocess.run([otok, "parameters", "--markdown"], check=True, capture_output=True, text=True).stdout
if "--write" in sys.argv:
    readme.write_text(text[:start] + "\n" + table + "\n" + text[end:])
elif text[start:end].strip() != table.strip():
    sys.exit(f"README.md: its table of parameters is old; run python3 tests/cli_readme.py {otok} --write")
