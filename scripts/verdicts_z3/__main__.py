"""Compares the verdicts on kernels with those of the solver Z3.

usage: python3 scripts/verdicts_z3 [--command EXE] [--seconds N] [--faults] [--verbose] [FILE ..]

FILE is the text of a kernel; without one, the texts of kernel-verdicts/kernels are taken, or with --faults these texts with the faults of
kernel-verdicts/tests/kernels.rs. The script has a parser of its own, and gives each claim to Z3 as formulas over integers without bounds.
The sizes are unknowns. N (20) is the time for each claim. With EXE, target/release/crd2idx, the command verifies the same text.

The exit status is 1 if Z3 refutes a claim that the command proves, or the other way round. The model of Z3 is then printed. Z3 is the one
that scripts/proofs installs, or the package z3-solver of this Python.
"""
from __future__ import annotations

import argparse
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
HOME = ROOT / "kernel-verdicts"
try:
    import z3
except ImportError:
    python = ROOT / "target/proofs/venv/bin/python"
    if sys.executable == str(python) or not python.exists():
        sys.exit("Z3 is missing: `python3 -m pip install z3-solver==5.4.1`")
    os.execv(python, [str(python), *sys.argv])
from claims import NotEncoded, claims
from kernels import Kernel

VERDICTS = PROVEN, REFUTED, UNKNOWN, SKIPPED = "proven", "refuted", "unknown", "not encoded"


def solve(formulas, seconds, answer):
    """Sends the verdict of Z3, the time, and the model of a claim that is false."""
    start, verdict, model = time.monotonic(), PROVEN, ""
    try:
        for formula in formulas():
            solver = z3.Solver()
            solver.set("timeout", max(1, int(1000 * (seconds - time.monotonic() + start))))
            solver.add(*formula)
            found = solver.check()
            if found == z3.sat:
                names = sorted((str(name), name) for name in solver.model().decls() if "!" not in str(name))
                verdict, model = REFUTED, ", ".join(f"{text} = {solver.model()[name]}" for text, name in names)
                break
            verdict = UNKNOWN if found == z3.unknown else verdict
    except NotEncoded as why:
        verdict, model = SKIPPED, str(why)
    answer.send((verdict, time.monotonic() - start, model))


def decide(formulas, seconds):
    """The verdict of Z3 on a claim. A process of its own ends in time, even where the solver does not."""
    mine, its = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=solve, args=(formulas, seconds, its))
    process.start()
    its.close()
    try:
        return mine.recv() if mine.poll(seconds + 5) else (UNKNOWN, seconds + 5, "")
    finally:
        process.kill()
        process.join()


def of_command(command, text):
    """The number of claims, the verdicts on those that are not proven, and the least time of three runs in ms."""
    spent = []
    with tempfile.NamedTemporaryFile("w", suffix=".kernel") as file:
        file.write(text)
        file.flush()
        for _ in range(3):
            start = time.monotonic()
            out = subprocess.run([command, "graph", "verify", file.name], capture_output=True, text=True)
            spent.append(1000 * (time.monotonic() - start))
    count = re.match(r"\w+: \d+ of (\d+) claims", out.stdout)
    if not count:
        sys.exit(f"{command}: {out.stdout}{out.stderr}")
    found = re.findall(r"^(false|open): (.*?)(?: where |, at |; no fault)", out.stdout, re.MULTILINE)
    return int(count[1]), {claim: REFUTED if word == "false" else UNKNOWN for word, claim in found}, min(spent)


def faulty():
    """The kernels with the faults of the tests: a name, and a text in which one part is replaced."""
    for name, *change in re.findall(r'\(\s*"(\w+)",\s*"([^"]*)",\s*"([^"]*)",\s*&\[', (HOME / "tests/kernels.rs").read_text()):
        old, new = [part.replace("\\n", "\n") for part in change]
        text = (HOME / f"kernels/{name}.kernel").read_text()
        yield f"{name}: `{' '.join(old.split())}` to `{' '.join(new.split())}`", text.replace(old, new, 1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--command")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--faults", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    files = args.files or sorted(HOME.glob("kernels/*.kernel"))
    texts = faulty() if args.faults else [(file.stem, file.read_text()) for file in files]
    print(f"Z3 {z3.get_version_string()}, {args.seconds:g} s for each claim\n\n| kernel | claims | {' | '.join(VERDICTS)} | s |", end="")
    print(" command: proven | refuted | open | ms |" * bool(args.command) + "\n|---|" + "---:|" * (10 if args.command else 6))
    notes, wrong, sums = [], [], [0] * 10
    for name, text in texts:
        listed = [(claim, *decide(formulas, args.seconds)) for claim, formulas in claims(Kernel(text))]
        row = [len(listed), *(sum(verdict == kind for _, verdict, *_ in listed) for kind in VERDICTS), sum(took for _, _, took, _ in listed)]
        others = None
        if args.command:
            count, others, spent = of_command(args.command, text)
            failed = [sum(verdict == kind for verdict in others.values()) for kind in (REFUTED, UNKNOWN)]
            row += [count - sum(failed), *failed, spent]
            if count != len(listed) or not others.keys() <= {claim for claim, *_ in listed}:
                wrong.append(f"{name}: the command has {count} claims, and this script {len(listed)}, or others\n{text}")
        for claim, verdict, took, model in listed:
            other = verdict if others is None else others.get(claim, PROVEN)
            line = f"{name}: {claim}: {verdict} by Z3 in {took:.2f} s, {other} by the command" + f"; {model}" * bool(model)
            if {verdict, other} == {PROVEN, REFUTED}:
                wrong.append(f"{line}\n{text}")
            elif args.verbose or verdict != other or verdict in (UNKNOWN, SKIPPED):
                notes.append(line if others is not None else line.replace(f", {other} by the command", ""))
        sums = [a + b for a, b in zip(sums, row + [0] * 10)]
        print_row(name, row)
    print_row("all", sums[: len(row)])
    print("\n".join(["", *notes, *(f"WRONG: {each}" for each in wrong)]))
    return int(bool(wrong))


def print_row(name, row):
    print(f"| {name} | " + " | ".join(f"{x:.2f}" if isinstance(x, float) else str(x) for x in row) + " |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
