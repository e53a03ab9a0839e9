"""Mutants of emitted texts: one number or operator is changed. A mutant that gives another result must not be proven."""
from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import replace

import prove
import terms
from parse import Unknown

# What an operator is changed to.
SWAPS = {
    "+": ["-"], "-": ["+"], "*": ["+"], "/": ["%"], "%": ["/"], ">>": ["<<"], "&": ["^"], "^": ["&", "+"], "<": ["<="], ">=": [">"], "!=": ["=="],
    "floordiv": ["mod"], "mod": ["floordiv"],
}
PLACES = re.compile(r"(?<![\w.])(\d+)(?![\w.])| (\+|-|\*|/|%|>>|&|\^|<|>=|!=|floordiv|mod) ")

# Faults of a simplifier: the title and the language of a function, a part of its text, and what a wrong rule would make of it.
FAULTS = [
    ("((2,4),(3,5)):((3,6),(-1,24)) by modes", "c", "i1 / 3 * 27 - i1", "i1 / 3 * 24 - i1"),
    ("stream_k reverse m,n,k", "wgsl", "(t0 >> 9) % 12", "t0 >> 9"),
    ("im2col reverse x", "opencl", "t0 - 3648", "t0"),
    ("gemm reverse A,lds", "wgsl", " && v + (tid & 7) * 4 + step * 32 < K", ""),
    ("S<3,3,3> o 0 o (64,64):(64,1) by modes", "cuda", "(i0 & 7) * 8", "i0 * 8"),
]


def body(case: prove.Case) -> tuple[int, int]:
    """Returns where the statements of the function, or the results of the map, begin and end."""
    if case.language == "mlir":
        start = case.device.index(f"#{case.name} = ")
        start = case.device.index("-> (", start) + 4
        return start, case.device.index("\n", start)
    start = re.search(rf"\b{case.name}\([^{{]*\{{\n", case.device).end()
    return start, case.device.index("\n}", start)


def mutated(case: prove.Case, chance: random.Random) -> tuple[prove.Case, str] | None:
    """Returns a function with one change, and the change."""
    start, end = body(case)
    found = list(PLACES.finditer(case.device, start, end))
    if not found:
        return None
    place = chance.choice(found)
    if place.group(1):
        number = int(place.group(1))
        new = str(chance.choice([number + 1, number - 1] if number else [1]))
        at = place.span(1)
    else:
        new = chance.choice(SWAPS[place.group(2)])
        at = place.span(2)
    change = f"{place.group().strip()} becomes {new}"
    return replace(case, device=case.device[: at[0]] + new + case.device[at[1] :]), change


def judge(task: tuple) -> tuple[str, str]:
    """Proves a mutant. Returns the verdict: `refuted` with an input, `refused`, `equivalent` or `missed`."""
    case, change, seconds = task
    title = f"{case.title} in {case.language}, {change}"
    result = prove.prove(case, seconds)
    if result.verdict == "differs":
        return ("refused" if "the parser" in result.detail else "refuted"), title
    if result.verdict == "unfinished":
        return "refused", title
    # It is proven, so no input may tell it from the definition.
    terms.forget()
    case.definition.level = case.definition.levels()[-1]
    try:
        return ("missed" if prove.search(case, prove.read(case), {}) else "equivalent"), title
    except Unknown:
        return "missed", title


def run(functions: list, count: int, seed: int, seconds: float, pool: object) -> int:
    """Judges mutants of functions drawn by chance. Returns the exit status."""
    chance = random.Random(seed)
    tasks = []
    while len(tasks) < count:
        changed = mutated(chance.choice(functions), chance)
        if changed:
            tasks.append((*changed, seconds))
    for title, language, right, wrong in FAULTS:
        for case in functions:
            if (case.title, case.language) == (title, language) and right in case.device:
                tasks.append((replace(case, device=case.device.replace(right, wrong)), f"a wrong rule for {right}", seconds))
    faults = len(tasks) - count
    verdicts = list(pool.map(judge, tasks, chunksize=4))
    refuted = sum(verdict == "refuted" for verdict, _ in verdicts[count:])
    print(f"{refuted} of {faults} faults of a simplifier are refuted")
    counts = Counter(verdict for verdict, _ in verdicts)
    for verdict, title in verdicts:
        if verdict in ("missed", "equivalent"):
            print(f"{verdict}: {title}")
    print(
        f"{len(tasks)} mutants: {counts['refuted']} refuted by an input, {counts['refused']} refused without one, "
        f"{counts['equivalent']} proven equivalent, {counts['missed']} missed"
    )
    return 1 if counts["missed"] or refuted < faults or not faults else 0
