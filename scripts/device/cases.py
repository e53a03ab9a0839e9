"""The texts, their inputs, and the expected results, which the command itself computes."""
import json
import math
import random
import re
import subprocess
from dataclasses import dataclass, field

from tools import ROOT

# Layouts: affine, nested, padded, coordinates from a tuple, swizzled, XOR strides, run-time leaves, facts, divided.
LAYOUTS = (ROOT / "tests/data/device/layouts.txt").read_text().splitlines()

# Queries of the example graphs: file, direction, thread coordinates with extents, targets, numbers per launch, and bound numbers.
GRAPHS = [
    ("flatten_column", "forward", {"i": 2, "j": 3}, "k", {}, {}),
    ("flatten_column", "reverse", {"k": 6}, "i,j", {}, {}),
    ("flatten_row", "forward", {"i": 2, "j": 3}, "k", {}, {}),
    ("flatten_row", "reverse", {"k": 6}, "i,j", {}, {}),
    ("tile", "forward", {"k": 6}, "i,j", {}, {}),
    ("tile", "reverse", {"i": 2, "j": 3}, "k", {}, {}),
    ("join", "forward", {"i": 4, "j": 6}, "k", {}, {}),
    ("split", "reverse", {"i": 4, "j": 6}, "k", {}, {}),
    ("sunder", "reverse", {"i": 5, "j": 7, "s": 2}, "f", {}, {}),
    ("im2col", "reverse", {"m": 6272, "k": 576}, "x", {}, {}),
    ("stream_k", "reverse", {"stream_group": 32, "stream_step": 896}, "m,n,k", {}, {"part": 0}),
    ("stream_k", "reverse", {"parallel_group": 32, "parallel_step": 1024}, "m,n,k", {}, {"part": 1}),
    ("workgroups", "forward", {"wg": 91}, "row,col", {"rows": 13, "cols": 7, "group": 4}, {}),
    ("gemm", "reverse", {"block": 2, "step": 3, "pass": 4, "tid": 256, "v": 4}, "A", {"M": 200, "K": 72, "lda": 76}, {}),
    ("gemm", "reverse", {"block": 2, "step": 3, "pass": 4, "tid": 256, "v": 4}, "A,lds", {"M": 200, "K": 72, "lda": 76}, {}),
]

# The levels of ragged arrays, the lengths of their rows, and the known numbers.
LEVELS = {
    "rows": [{"kind": "ragged", "word": "u32"}],
    "ragged": [{"kind": "regular", "size": 3}, {"kind": "ragged", "word": "u32"}],
    "deep": [{"kind": "ragged", "word": "u32"}, {"kind": "ragged", "word": "i64"}],
    "block": [{"kind": "ragged", "word": "u32"}, {"kind": "block", "layout": "(2,4):(4,1)"}],
    "known": [{"kind": "regular", "size": "n"}, {"kind": "ragged", "word": "u32"}, {"kind": "regular", "size": "k"}],
}
LENGTHS = [3, 0, 0, 5, 1, 40, 0, 2, 7, 0]
OUTER, KNOWN = 5, {"n": 3, "k": 4}

# Plans of copies: source, target, bytes of an element, alignment of the arrays, and further options.
PLANS = [
    ("(300,200):(1,300)", "(300,200):(200,1)", 4, 4, []),
    ("(24,10):(1,40)", "(24,10):(1,24)", 4, 16, []),
    ("(64,33):(33,1)", "(64,33):(1,64)", 8, 8, []),
    ("((4,4),6):((1,24),4)", "((2,2,4),6):((6,12,24),1)", 4, 4, []),
    ("(8,(3,5)):(15,(1,3))", "(8,(3,5)):(1,(8,24))", 4, 4, []),
    ("(13,8):(8,1)", "(13,8):(1,16)", 4, 4, []),
    ("(128,6):(1,128)", "(128,6):(1,256)", 4, 8, []),
    ("16:1", "((4,4)):((2,9))", 4, 4, ["--extent", "13"]),
]

# The maximum number of points of a function, and the bound of numbers per launch if all numbers must fit 32 bits.
POINTS, GREATEST = 600, 1024

# The content of arrays before kernels write to them.
UNTOUCHED = 77


@dataclass
class Text:
    """A text, with the arguments and the input of the command that emits it."""

    title: str
    name: str
    ask: list
    given: str = None
    # Arguments and input with bounds so that all numbers fit 32 bits.
    narrow: tuple = None

    def of(self, command, language, host=False, like=None):
        """Returns the text and None, or None and the error. Its numbers are as wide as in the language `like`."""
        ask, given = self.narrow if self.narrow and "wgsl" in (language, like) else (self.ask, self.given)
        to = ["--to", language, "--name", self.name, *(["--host"] if host else [])]
        done = subprocess.run([command, *ask, *to], input=given, capture_output=True, text=True)
        return (done.stdout, None) if done.returncode == 0 else (None, done.stderr.strip().removeprefix("crd2idx: "))


    def may_lack(self, language, why):
        """Whether a language need not have this text: maps of MLIR are affine, and have no memory."""
        return language == "mlir" and why.startswith("mlir cannot express ")


@dataclass
class Function(Text):
    """A function of integers."""

    kind = "function"
    launch: dict = field(default_factory=dict)
    points: list = field(default_factory=list)
    wanted: list = field(default_factory=list)


@dataclass
class Kernels(Text):
    """Kernels over arrays: arrays of 32-bit or 64-bit words by name, the expected final content of written arrays, and numbers."""

    kind = "kernels"
    arrays: dict = field(default_factory=dict)
    wanted: dict = field(default_factory=dict)
    numbers: dict = field(default_factory=dict)
    steps: list = field(default_factory=list)
    # True if all arrays are 32-bit words, whatever type the kernels use.
    raw: bool = False

    def kernel(self, step):
        return f"{self.name}_{step}" if step else self.name


def every(command):
    return [*layouts(command), *graphs(command), *ragged(command), *plans(command)]


def answers(command, requests):
    """Returns the answer of `batch` to each request."""
    lines = "\n".join(map(json.dumps, requests))
    done = subprocess.run([command, "batch"], input=lines, capture_output=True, text=True, check=True)
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    for request, reply in zip(requests, replies):
        if "ok" not in reply:
            raise ValueError(f"{json.dumps(request)[:300]}: {reply}")
    return [reply["ok"] for reply in replies]


def leaves(tree):
    return [leaf for part in tree for leaf in leaves(part)] if isinstance(tree, tuple) else [tree]


def tree(text):
    """Parses a tuple of the notation. XOR strides become plain numbers."""
    return eval(text.replace("^", ""), {"__builtins__": {}})


def thinned(extents):
    """Returns all coordinates below these extents, or a sample of `POINTS` of them."""
    total = math.prod(extents)
    picked = range(total) if total <= POINTS else sorted(random.Random(total).sample(range(total), POINTS))
    out = []
    for k in picked:
        point = []
        for extent in extents:
            k, digit = divmod(k, extent)
            point.append(digit)
        out.append(point)
    return out


def layouts(command):
    for k, text in enumerate(LAYOUTS):
        marks = re.findall(r"\?(?:\{div=(\d+)\})?", text)
        numbers = [int(div or 1) * (3 + place) for place, div in enumerate(marks)]
        stream = iter(numbers)
        known = re.sub(r"\?(\{[^}]*\})?", lambda _: str(next(stream)), text)
        value = subprocess.run([command, "eval", known], capture_output=True, text=True, check=True).stdout.strip()
        shape, stride = map(tree, value.split(" o ")[-1].split(":"))
        names = {f"p{place}": number for place, number in enumerate(numbers)}
        for stem, part in (("n", leaves(shape)), ("d", leaves(stride))):
            names |= {f"{stem}{place}": number for place, number in enumerate(part)} | ({stem: part[0]} if len(part) == 1 else {})
        modes = [math.prod(leaves(mode)) for mode in shape] if isinstance(shape, tuple) else [shape]
        coordinates = ["i"] if len(modes) == 1 and not isinstance(shape, tuple) else [f"i{mode}" for mode in range(len(modes))]
        points = thinned(modes)
        at = [f"({','.join(map(str, point))})" if isinstance(shape, tuple) else str(point[0]) for point in points]
        wanted = answers(command, [{"op": "crd2idx", "args": [value, coordinate]} for coordinate in at])
        bound = lambda mark: f"?{{{(mark.group(1) + ',') if mark.group(1) else ''}max={GREATEST}}}"
        narrow = re.sub(r"\?(?:\{([^}]*)\})?", bound, text)
        yield Function(
            text, f"layout{k}", ["emit", text], narrow=(["emit", narrow], None), launch=names,
            points=[dict(zip(coordinates, point)) for point in points], wanted=[[index] for index in wanted],
        )


def graphs(command):
    for k, (file, direction, extents, targets, launch, bound) in enumerate(GRAPHS):
        graph = json.loads((ROOT / f"examples/graphs/{file}.json").read_text())
        small = json.loads(json.dumps(graph))
        for parameter in small.get("parameters", []):
            parameter["max"] = min(parameter["max"], 256)
        binds = [part for name, value in bound.items() for part in ("--bind", f"{name}={value}")]
        ask = ["emit", "-", f"--{direction}", ",".join(extents), "--target", targets, *binds]
        points = [dict(zip(extents, point)) for point in thinned(list(extents.values()))]
        query = lambda op, point: {"op": "graph", "graph": graph, "query": {"op": op, "bind": {**point, **launch, **bound}, "targets": targets.split(",")}}
        asked = [query(op, point) for point in points for op in (direction, f"{direction}_valid")]
        replies = answers(command, asked)
        value = lambda reply: [reply[name] for name in targets.split(",")]
        yield Function(
            f"{file} {direction} {targets}", f"graph{k}", ask, json.dumps(graph), (ask, json.dumps(small)), launch=launch, points=points,
            wanted=[value(reply) + [int(valid)] for reply, valid in zip(replies[::2], replies[1::2])],
        )


def ragged(command):
    for name, levels in LEVELS.items():
        arrays, numbers, counts, shapes, known = {}, {}, [OUTER], [], []
        for q, level in enumerate(levels):
            rows = counts[-1]
            numbers[f"rows{q}"] = rows
            if level["kind"] == "ragged":
                offsets = [0]
                for row in range(rows):
                    offsets.append(offsets[-1] + LENGTHS[(row + 3 * q) % len(LENGTHS)])
                arrays[f"offsets{q}"] = (level["word"], offsets)
                known.append({"kind": "ragged", "offsets": offsets})
                shapes.append(None)
                counts.append(offsets[-1])
            else:
                shape = tree(level["layout"].split(":")[0]) if level["kind"] == "block" else KNOWN.get(level["size"], level["size"])
                shapes.append((leaves(shape), leaves(tree(level["layout"].split(":")[1]))) if level["kind"] == "block" else None)
                size = math.prod(leaves(shape))
                known.append({"kind": "regular", "size": size})
                counts.append(rows * size)
        want = ["coords", "parent", "parent_start", "leaf_row", "leaf_start"]
        [array] = answers(command, [{"op": "ragged.mixed", "outer": OUTER, "levels": known, "data": [0] * counts[-1], "want": want}])
        coordinates = [in_blocks(at, shapes) for at in array["coords"]]
        yield visit(name, levels, arrays, numbers, coordinates)
        for what, stem, rows, starts in (("parents", "p", "parent", "parent_start"), ("leaf_rows", "l", "leaf_row", "leaf_start")):
            for q in range(len(levels)):
                yield from row_kernels(name, levels, arrays, numbers, q, (what, stem), (array[rows][q], array[starts][q]))


def in_blocks(at, shapes):
    """Splits the coordinates of blocks leaf by leaf."""
    out = [at[0]]
    for index, block in zip(at[1:], shapes):
        out += [index] if block is None else [index // stride % extent for extent, stride in zip(*block)]
    return out


def levels_of(levels, function, *more):
    """Returns arguments and input for these levels, and the same with 32-bit offsets for languages without 64-bit numbers."""
    ask = ["ragged", "emit", "-", "--function", function, *more]
    given = json.dumps({"levels": levels})
    return ask, given, (ask, given.replace("64", "32"))


def visit(name, levels, arrays, numbers, coordinates):
    """Returns kernels that write all coordinates of every leaf into one number."""
    axes = len(coordinates[0])
    # Coordinates modulo 64 fit 32 bits together.
    digit = lambda axis: {"op": "rem", "args": [f"c{axis}", 64]}
    value = digit(0)
    for axis in range(1, axes):
        value = {"op": "add", "args": [{"op": "mul", "args": [value, 64]}, digit(axis)]}
    number = lambda at: sum(x * 64 ** (axes - 1 - axis) for axis, x in enumerate(at))
    ask, given, narrow = levels_of(levels, "visit", "--write", json.dumps(value))
    return Kernels(
        f"visit of {name}", f"v_{name}", ask, given, narrow, arrays=arrays, wanted={"data": [number(at) for at in coordinates]},
        numbers={**numbers, **KNOWN, "begin": 0, "end": len(coordinates)}, steps=[("visit", None)],
    )


def row_kernels(name, levels, arrays, numbers, q, what, wanted):
    """Yields kernels for the rows of the positions of one level, by filling runs and by a scan."""
    (function, stem), (rows, starts) = what, wanted
    ask, given, narrow = levels_of(levels, function)
    scan = [("clear", None), (f"mark{q}", None), ("scan", "groups"), ("scan_totals", "group"), ("scan_carry", None), (f"begins{q}", None)]
    for way, steps in (("fill", [(f"fill{q}", None)]), ("scan", scan)):
        yield Kernels(
            f"{function} of level {q} of {name}, {way}", f"{stem}_{name}", ask, given, narrow, arrays=arrays, steps=steps,
            wanted={"parents": rows, "starts": starts}, numbers={**numbers, **KNOWN, "count": len(rows), "totals": -(-len(rows) // 1024)},
        )


def plans(command):
    """Yields plans that copy arrays of consecutive numbers. Elements of several words are numbered word by word."""
    for k, (source, target, size, aligned, more) in enumerate(PLANS):
        asked = [command, "plan", source, target, *more, "--json"]
        copies = json.loads(subprocess.run(asked, capture_output=True, text=True, check=True).stdout)["copies"]
        pairs = [pair for copy in copies for pair in offsets(copy)]
        words = size // 4
        from_end, to_end = (max(pair[side] for pair in pairs) + 1 for side in (0, 1))
        wanted = [UNTOUCHED] * (to_end * words)
        for here, there in pairs:
            wanted[there * words : (there + 1) * words] = range(here * words, (here + 1) * words)
        ask = ["plan", source, target, *more, "--bytes", str(size), "--aligned", str(aligned)]
        yield Kernels(
            f"plan from {source} to {target}", f"plan{k}", ask, arrays={"source": ("u32", list(range(from_end * words)))},
            wanted={"target": wanted}, steps=[("", None)], raw=True,
        )


def offsets(copy):
    """Returns the offsets of every element in the source and in the target."""
    out = [(copy["src"] + k, copy["dst"] + k) for k in range(copy["count"])]
    for count, source, target in copy.get("loops", []):
        out = [(here + k * source, there + k * target) for k in range(count) for here, there in out]
    return out
