"""The functions to prove: layouts of the pages and of the device tests, graphs of the examples, plans, and random layouts."""
from __future__ import annotations

import json
import pathlib
import random
import re
import subprocess

import graphs
import layouts
from prove import Case

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LANGUAGES = ["c", "cuda", "hip", "opencl", "wgsl", "mlir"]
# Reasons why a language has no text of a function.
LACKS = ("mlir cannot express ", "does not fit 32 bits")
# The bound of numbers, where a language has 32 bits only.
NARROW = 1024

# Layouts beside those of the device tests: of the pages, with facts, with negative strides, with digits of run-time extents.
LAYOUTS = [
    "(64,64):(64,1)", "(8,?{max=64}):(?{max=4096},1)", "(8,?{max=512}):(?{div=4,max=4096},1)", "(?{max=512},64):(1,?{max=4096})",
    "S<3,3,3> o 0 o (64,64):(64,1)", "(8,?):(?,1)", "(24,10):(1,40)", "((2,4),(3,5)):((3,6),(-1,24))", "(?,(8,3)):(?,(-1,7))", "(?,?):(-1,?)",
    "((?,3),5):((?,4),7)", "((?,?),5):((?,?),-7)", "((?{max=100},(?{max=10},4)),5):((?{max=10},(4,5)),7)",
    "((?{min=1,max=40},?{max=50},4),5):((?{max=100},2,1),-7)", "S<3,2,4> o 5 o ((3,5),7):((1,40),200)", "S<3,3,3> o 0 o (64,?):(?{div=64},1)",
    "S<3,3,3> o 0 o (64,?{max=1000}):(?{div=64,max=10000},1)", "(5,8,3):(^3,^1,7)", "(5,(4,4),?{max=9}):(^3,(^16,^64),?{div=1024,max=65536})",
    "zipped_divide((?,?):(?,1),(8,4))", "logical_divide((?,?):(?,1),(8,4))", "zipped_divide((?{max=1000},?{max=500}):(?{max=1000},1),(8,4))",
    "(6,5):(1,7) o 3 o (4,5):(1,4)", "(12,(2,3)):(3,(36,1)) o 0 o ((2,3),4):((6,1),12)",
]

# Queries of the example graphs: file, direction, coordinates of each thread, targets, bound coordinates.
GRAPHS = [
    ("flatten_column", "forward", "i,j", "k", {}), ("flatten_column", "reverse", "k", "i,j", {}),
    ("flatten_row", "forward", "i,j", "k", {}), ("flatten_row", "reverse", "k", "i,j", {}),
    ("tile", "forward", "k", "i,j", {}), ("tile", "reverse", "i,j", "k", {}),
    ("join", "forward", "i,j", "k", {}), ("split", "reverse", "i,j", "k", {}), ("sunder", "reverse", "i,j,s", "f", {}),
    ("im2col", "reverse", "m,k", "x", {}), ("im2col", "reverse", "m,k", "n,h,w,c", {}),
    ("stream_k", "reverse", "stream_group,stream_step", "m,n,k", {"part": 0}),
    ("stream_k", "reverse", "parallel_group,parallel_step", "m,n,k", {"part": 1}),
    ("workgroups", "forward", "wg", "row,col", {}), ("workgroups", "forward", "wg", "strip,strip_col,strip_row", {}),
    ("gemm", "reverse", "block,step,pass,tid,v", "A", {}), ("gemm", "reverse", "block,step,pass,tid,v", "A,lds", {}),
]


def answers(command: str, requests: list[dict]) -> list[dict]:
    """Returns the answer of `batch` to each request: an object with `ok` or `error`."""
    lines = "\n".join(map(json.dumps, requests))
    done = subprocess.run([command, "batch"], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


class Missing(Exception):
    """A function that the command refuses to print, for a reason that no language's limits explain."""


def cases(command: str, asked: list[tuple[str, dict, object, dict | None]]) -> list[Case]:
    """Returns the functions of requests: title, request, definition, and a narrower request for languages of 32 bits."""
    pairs = [(item, language) for item in asked for language in LANGUAGES]
    replies = answers(command, [{**item[1], "to": language, "name": "f"} for item, language in pairs])
    out, again = [], []
    for ((title, request, definition, narrow), language), reply in zip(pairs, replies):
        if "ok" in reply:
            out.append(Case(title, language, reply["ok"]["device"], reply["ok"]["host"], definition))
        elif not any(reason in reply["error"] for reason in LACKS):
            raise Missing(f"{title} in {language}: {reply['error']}")
        elif "does not fit 32 bits" in reply["error"] and narrow:
            again.append((title, language, *narrow))
    replies = answers(command, [{**request, "to": language, "name": "f"} for _, language, request, _ in again])
    for (title, language, request, definition), reply in zip(again, replies):
        if "ok" in reply:
            out.append(Case(f"{title}, narrow", language, reply["ok"]["device"], reply["ok"]["host"], definition))
        elif not any(reason in reply["error"] for reason in LACKS):
            raise Missing(f"{title} in {language}: {reply['error']}")
    return out


def bounded(text: str) -> str:
    """Returns a layout whose run-time numbers have bounds of 32 bits."""
    facts = lambda mark: re.sub(r",?max=\d+", "", mark.group(1) or "").lstrip(",")
    return re.sub(r"\?(?:\{([^}]*)\})?", lambda mark: f"?{{{facts(mark) + ',' if facts(mark) else ''}max={NARROW}}}", text)


def of_layout(text: str, coordinates: str, title: str | None = None) -> tuple[str, dict, object, tuple | None]:
    """Returns the request for a layout and its definition. A layout without run-time numbers may be any expression: it is evaluated first."""
    request = {"op": "emit", "layout": text, "coordinates": coordinates}
    narrow = bounded(text)
    less = ({**request, "layout": narrow}, layouts.Definition(narrow, coordinates)) if "?" in text else None
    return f"{title or text} by {coordinates}", request, layouts.Definition(text, coordinates), less


def listed(command: str, quick: bool) -> list[Case]:
    """Returns the functions of the layouts of the device tests and of the pages. `quick` leaves out linear coordinates and those of leaves."""
    texts = [*(ROOT / "tests/data/device/layouts.txt").read_text().splitlines(), *LAYOUTS]
    asked = []
    for text in texts:
        title = text
        if re.match(r"[a-z_]+\(", text) and "?" not in text:
            text = subprocess.run([command, "eval", text], capture_output=True, text=True, check=True).stdout.strip()
        plain = not re.match(r"[a-z_]+\(", text)
        for coordinates in ("modes", "linear", "leaves") if plain and not quick else ("modes",):
            asked.append(of_layout(text, coordinates, title))
    return cases(command, asked)


def of_graphs(command: str) -> list[Case]:
    """Returns the functions of queries about the example graphs."""
    asked = []
    for file, direction, coordinates, targets, bound in GRAPHS:
        graph = json.loads((ROOT / f"examples/graphs/{file}.json").read_text())
        small = json.loads(json.dumps(graph))
        for parameter in small.get("parameters", []):
            parameter["max"] = min(parameter["max"], 256)
        names, wanted = coordinates.split(","), targets.split(",")
        of = lambda graph: {"op": "emit", "graph": graph, direction: names, "targets": wanted, "bind": bound}
        define = lambda graph: graphs.Definition(graph, direction, names, wanted, bound)
        asked.append((f"{file} {direction} {targets}", of(graph), define(graph), (of(small), define(small))))
    return cases(command, asked)


# Random layouts.


def nested(chance: random.Random, leaves: list[str], choices: list[int]) -> str:
    """Writes leaves as a tuple, in groups where the choices say so."""
    if len(leaves) == 1:
        return leaves[0]
    out, place = [], 0
    for count in choices:
        group = leaves[place : place + count]
        out.append(group[0] if count == 1 else f"({','.join(group)})")
        place += count
    return f"({','.join(out)})"


def groups(chance: random.Random, count: int) -> list[int]:
    """Returns lengths of groups with this sum."""
    out = []
    while count:
        out.append(min(count, chance.choice([1, 1, 1, 2, 3])))
        count -= out[-1]
    return out


def run_time(chance: random.Random, value: int, is_stride: bool) -> str:
    """Returns a run-time number with facts: mostly bounds, sometimes a divisor, sometimes nothing."""
    if chance.random() < 0.25:
        return "?"
    facts = []
    step = chance.choice([1, 1, 2, 4, 8, 3])
    if step > 1:
        facts.append(f"div={step}")
    if not is_stride and chance.random() < 0.4:
        facts.append(f"min={step}")
    facts.append(f"max={step * chance.choice([1, 5, 12, 100])}")
    return f"?{{{','.join(facts)}}}"


def random_layout(chance: random.Random) -> str:
    """Returns a layout: strides in any order with gaps, negative or 0; run-time numbers; a swizzle; XOR strides; a composed layout."""
    kind = chance.choice(["plain"] * 4 + ["run-time"] * 4 + ["swizzle"] * 3 + ["run-time swizzle"] + ["xor"] * 2 + ["composed"])
    rank = chance.randint(1, 6)
    powers = kind in ("swizzle", "xor") and chance.random() < 0.7
    extents = [1 << chance.randint(0, 4) if powers else chance.choice([1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 28, 33]) for _ in range(rank)]
    order = list(range(rank))
    chance.shuffle(order)
    strides, span = [0] * rank, 1
    for place in order:
        strides[place] = span
        span *= extents[place] * chance.choice([1, 1, 1, 2, 3])
    if kind in ("plain", "run-time"):
        for place in range(rank):
            strides[place] *= chance.choice([1] * 8 + [0, -1])
            if chance.random() < 0.1:
                strides[place] = chance.randint(0, 100)
    shape_texts, stride_texts = list(map(str, extents)), list(map(str, strides))
    if kind == "xor":
        # XOR strides of the first modes, and integer strides above their bits.
        shape_texts, stride_texts, low = [], [], 0
        for place in range(rank):
            bits = chance.randint(1, 3)
            if place < 3:
                shape_texts.append(str(1 << bits))
                stride_texts.append(f"^{(1 << low) | (chance.getrandbits(low) if low else 0)}")
                low += bits
            else:
                shape_texts.append(str(extents[place]))
                stride_texts.append(str((1 << low) * chance.randint(0, 9)))
    if kind.startswith("run-time"):
        for place in range(rank):
            if chance.random() < 0.4:
                shape_texts[place] = run_time(chance, extents[place], False)
            if chance.random() < 0.4 and strides[place] >= 0:
                stride_texts[place] = run_time(chance, strides[place], True)
    lengths = groups(chance, rank)
    text = f"{nested(chance, shape_texts, lengths)}:{nested(chance, stride_texts, lengths)}"
    if kind.endswith("swizzle"):
        bits, base = chance.randint(1, 3), chance.randint(0, 3)
        shift = chance.choice([1, 1, -1]) * (bits + chance.randint(0, 2))
        text = f"S<{bits},{base},{shift}> o {chance.choice([0, 0, 0, 5, 16])} o {text}"
    if kind == "composed":
        first = random.Random(chance.random())
        outer = [first.randint(2, 9) for _ in range(first.randint(1, 3))]
        steps = [first.randint(0, 40) for _ in outer]
        one = len(outer) == 1
        left = f"{outer[0]}:{steps[0]}" if one else f"({','.join(map(str, outer))}):({','.join(map(str, steps))})"
        text = f"{left} o {chance.choice([0, 0, 3])} o {text}"
    return text


def randoms(command: str, seed: int, count: int) -> list[Case]:
    """Returns the functions of random layouts. A layout that the algebra refuses is drawn again."""
    chance = random.Random(seed)
    asked = []
    while len(asked) < count:
        drawn = [(random_layout(chance), chance.choice(["modes", "modes", "linear", "leaves"])) for _ in range(count)]
        replies = answers(command, [{"op": "emit", "layout": text, "coordinates": coordinates, "to": "c"} for text, coordinates in drawn])
        asked += [of_layout(*pair) for pair, reply in zip(drawn, replies) if "ok" in reply]
    return cases(command, asked[:count])
