"""The command of both coverage tests: rows of JSON, one per problem and seed; what has a row is not run again."""
import argparse
import functools
import json
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path


def asked(what: str, problems: list[str], seeds: int, members: int) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--problems", default=",".join(problems), help="of " + ", ".join(problems))
    parser.add_argument("--seeds", type=int, default=seeds)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--members", type=int, default=members, help="0: those of the problem")
    parser.add_argument("--seconds", type=float, default=1e9, help="no row is begun later")
    parser.add_argument("--jobs", type=int, default=1, help="processes; set OMP_NUM_THREADS=1 with more than one")
    parser.add_argument("--backend", default="cpu")
    parser.add_argument("--out", type=Path, default=Path("out/coverage"))
    return parser.parse_args()


def _row(run: Callable[..., dict], options: argparse.Namespace, until: float, problem: str, seed: int) -> dict:
    start = time.time()
    if start > until:
        return {}
    row = {"problem": problem, "members": options.members, "seed": seed, **run(problem, seed, options.members, options.backend)}
    return row | {"seconds": round(time.time() - start, 1)}


def rows_of(options: argparse.Namespace, name: str, run: Callable[[str, int, int, str], dict]) -> list[dict]:
    """The rows of these problems and seeds, those of earlier calls too; `run` is a function of a module, which every process finds."""
    options.out.mkdir(parents=True, exist_ok=True)
    path, wanted = options.out / f"{name}.jsonl", options.problems.split(",")
    found = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    known = {(row["problem"], row["members"], row["seed"]) for row in found}
    one = functools.partial(_row, run, options, time.time() + options.seconds)
    with ProcessPoolExecutor(options.jobs, get_context("spawn")) as pool, path.open("a") as file:
        asked = [pool.submit(one, problem, seed) for seed in range(options.first, options.first + options.seeds) for problem in wanted
                 if (problem, options.members, seed) not in known]
        for row in filter(None, (future.result() for future in as_completed(asked))):
            found.append(row)
            print(json.dumps(row), file=file, flush=True)
            print(json.dumps(row), flush=True)
    return [row for row in found if row["problem"] in wanted and row["members"] == options.members]
