"""Proves that emitted functions equal their definitions for all inputs.

usage: python3 scripts/proofs EXE [--seed N] [--seconds N] [--layouts N] [--jobs N] [--only TEXT] [--mutants N] [--quick] [--verbose]

EXE is the command, target/debug/crd2idx. It prints each function in C, CUDA, HIP, OpenCL, WGSL and MLIR: layouts of the pages, graphs of the examples, and
`--layouts` random layouts. Each text is parsed and compared with a definition that is written here. Z3 proves that they are equal for all inputs, and that no
operation on the way overflows or divides by 0. docs/understand/proven.md says what this means. Z3 is installed under target/proofs.

`--mutants N` then changes N texts in one place each. A change that a sample of inputs notices must not be proven.
`--quick` takes the layouts of the pages by one coordinate for each mode only.
The exit status is 1 if a text is wrong, or if more than 2 % of the functions are not proven in `--seconds` each.
"""
from __future__ import annotations

import argparse
import multiprocessing
import os
import pathlib
import subprocess
import sys
import time
import venv
from concurrent.futures import ProcessPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HOME = ROOT / "target/proofs"
PACKAGE = "z3-solver==5.4.1"
# The part of the functions that may stay unfinished.
OPEN = 0.02


def environment() -> str | None:
    """Restarts this program where Z3 can be imported. Returns the reason if it cannot be installed."""
    try:
        import z3  # noqa: F401

        return None
    except ImportError:
        pass
    python = HOME / "venv/bin/python"
    try:
        if not python.exists():
            venv.create(HOME / "venv", with_pip=True)
        done = subprocess.run([python, "-m", "pip", "install", "--quiet", PACKAGE], capture_output=True, text=True, timeout=600)
        if done.returncode:
            return (done.stderr.strip() or "pip failed").splitlines()[-1]
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    os.execv(python, [str(python), *sys.argv])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python3 scripts/proofs", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--layouts", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--only", default="")
    parser.add_argument("--mutants", type=int, default=0)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    asked = parser.parse_args()
    reason = environment()
    if reason:
        print(f"Z3: skipped, {reason}")
        return 0
    import cases
    import lemmas
    import mutants

    command = str(pathlib.Path(asked.command).resolve())
    start = time.monotonic()
    print(f"division by magic numbers: {lemmas.prove_theorems()} lemmas, for every divisor ({time.monotonic() - start:.1f} s)", flush=True)
    functions = [*cases.listed(command, asked.quick), *cases.of_graphs(command), *cases.randoms(command, asked.seed, asked.layouts)]
    functions = [case for case in functions if asked.only in f"{case.title} in {case.language};"]
    with ProcessPoolExecutor(asked.jobs, multiprocessing.get_context("fork")) as pool:
        results = []
        for result in pool.map(one, [(case, asked.seconds) for case in functions], chunksize=8):
            results.append(result)
            if asked.verbose:
                print(f"{len(results)} of {len(functions)}: {result.verdict} {result.seconds:.1f} s {result.case.title} in {result.case.language}", flush=True)
        failed = report(results, time.monotonic() - start)
        if asked.mutants:
            failed |= mutants.run(functions, asked.mutants, asked.seed, asked.seconds, pool)
    return failed


def one(task: tuple) -> object:
    import prove

    return prove.prove(*task)


def report(results: list, seconds: float) -> int:
    """Prints a line for each language, and the functions that are not proven. Returns the exit status."""
    for language in dict.fromkeys(result.case.language for result in results):
        mine = [result for result in results if result.case.language == language]
        done = [result for result in mine if result.verdict == "proven"]
        slowest = max(mine, key=lambda result: result.seconds)
        inside, narrow = (sum(result.level == level for result in done) for level in (1, 2))
        print(
            f"{language}: {len(done)} of {len(mine)} functions proven, {inside} of them inside the shape, {narrow} if size times strides fit; "
            f"slowest {slowest.seconds:.1f} s ({slowest.case.title})"
        )
    wrong = [result for result in results if result.verdict == "differs"]
    unfinished = [result for result in results if result.verdict == "unfinished"]
    for result in wrong + unfinished:
        print(f"{result.verdict}: {result.case.title} in {result.case.language}, {result.seconds:.1f} s: {result.detail[:400]}")
    proven = len(results) - len(wrong) - len(unfinished)
    print(f"{proven} of {len(results)} functions proven, {len(wrong)} differ, {len(unfinished)} unfinished ({seconds:.0f} s)")
    return 1 if wrong or len(unfinished) > OPEN * len(results) else 0


if __name__ == "__main__":
    sys.exit(main())
