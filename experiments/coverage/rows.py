"""The command of both coverage tests: rows of JSON, one per problem and seed; what has a row is not run again."""
import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path


def asked(what: str, problems: list[str], seeds: int, members: int) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--problems", default=",".join(problems), help="of " + ", ".join(problems))
    parser.add_argument("--seeds", type=int, default=seeds)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--members", type=int, default=members, help="0: those of the problem")
    parser.add_argument("--seconds", type=float, default=1e9, help="no row is begun later")
    parser.add_argument("--backend", default="cpu")
    parser.add_argument("--out", type=Path, default=Path("out/coverage"))
    return parser.parse_args()


def rows_of(options: argparse.Namespace, name: str, run: Callable[[str, int], dict]) -> list[dict]:
    """The rows of these problems and seeds, those of earlier calls too."""
    options.out.mkdir(parents=True, exist_ok=True)
    path, began = options.out / f"{name}.jsonl", time.monotonic()
    found = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    known = {(row["problem"], row["members"], row["seed"]) for row in found}
    wanted = options.problems.split(",")
    for seed in range(options.first, options.first + options.seeds):
        for problem in wanted:
            if (problem, options.members, seed) in known or time.monotonic() - began > options.seconds:
                continue
            start = time.monotonic()
            row = {"problem": problem, "members": options.members, "seed": seed, **run(problem, seed)}
            found.append(row | {"seconds": round(time.monotonic() - start, 1)})
            with path.open("a") as file:
                file.write(json.dumps(found[-1]) + "\n")
            print(json.dumps(found[-1]), flush=True)
    return [row for row in found if row["problem"] in wanted and row["members"] == options.members]
