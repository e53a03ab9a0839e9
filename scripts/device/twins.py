"""Compares instruction counts of emitted CUDA with functions written by hand, `tests/data/device/twins.cu`: none may exceed its twin."""
import json

import text
from cases import Text, levels_of
from host import Refused
from nvidia import Counter
from tools import ROOT, Missing

BOUNDED = "max=4096"
ROWS = [{"kind": "ragged", "word": "u32"}]
DISTANCE = {"op": "max", "args": [{"op": "sub", "args": ["c0", "c1"]}, {"op": "sub", "args": ["c1", "c0"]}]}
GEMM = ["emit", "examples/graphs/gemm.json", "--reverse", "block,step,pass,tid,v", "--target"]
IM2COL = ["emit", "examples/graphs/im2col.json", "--reverse", "m,k", "--target", "x"]

# Functions by the names of their twins, with the arguments of the command.
FUNCTIONS = {
    "padded": ["emit", "(32,32):(33,1)"],
    "nested": ["emit", "((2,4),(3,5)):((3,6),(1,24))"],
    "swizzled": ["emit", "S<3,3,3> o 0 o (8,64):(64,1)"],
    "swizzled_rows": ["emit", "S<5,0,5> o 0 o (32,32):(32,1)"],
    "xor": ["emit", "(32,32):(^33,^1)"],
    "xor_tiles": ["emit", f"(8,8,?{{{BOUNDED}}}):(^9,^1,?{{div=64,{BOUNDED}}})"],
    "columns": ["emit", f"(?{{{BOUNDED}}},64):(1,?{{{BOUNDED}}})"],
    "volume": ["emit", "(?{max=512},?{max=512},?{max=512}):(?{max=512},?{max=262144},1)"],
    "tiles": ["emit", "zipped_divide((32,16):(1,32),(8,4))"],
    "tiles_of_rows": ["emit", f"zipped_divide((?{{div=8,min=8,{BOUNDED}}},?{{div=8,min=8,{BOUNDED}}}):(?{{{BOUNDED}}},1),(8,8))"],
    "linear": ["emit", "(?{max=64},?{max=64},?{max=64}):(1,?{max=64},?{max=4096})", "--coordinates", "linear"],
    "gemm": [*GEMM, "A,lds"],
    "gemm_is_valid": [*GEMM, "A,lds"],
    "im2col": IM2COL,
    "im2col_is_valid": IM2COL,
    "stream_k": ["emit", "examples/graphs/stream_k.json", "--reverse", "stream_group,stream_step", "--bind", "part=0", "--target", "m,n,k"],
}

# Kernels of ragged arrays by the names of their twins: levels, function, further arguments, and the kernel of the text.
KERNELS = {
    "visit": (ROWS, "visit", ["--write", json.dumps(DISTANCE)], "visit"),
    "fill": (ROWS, "parents", [], "fill0"),
    "mark": (ROWS * 2, "leaf_rows", [], "mark0"),
    "begins": (ROWS * 2, "leaf_rows", [], "begins0"),
}


def twins(command):
    """Returns a table, and the number of functions with more instructions than their twins."""
    try:
        counter = Counter()
    except Missing as error:
        return f"instructions of CUDA: skipped, {error}", 0
    by_hand = (ROOT / "tests/data/device/twins.cu").read_text()
    rows = []
    for name, ask in FUNCTIONS.items():
        ours = wrapped(emitted(command, Text(name, f"ours_{name.removesuffix('_is_valid')}", ask)), f"ours_{name}")
        rows.append((name, counter.instructions(ours)[f"run_ours_{name}"]))
    for name, (levels, function, more, kernel) in KERNELS.items():
        ask, given, _ = levels_of(levels, function, *more)
        rows.append((name, counter.instructions(emitted(command, Text(name, f"ours_{name}", ask, given)))[f"ours_{name}_{kernel}"]))
    for name in FUNCTIONS:
        by_hand = wrapped(by_hand, f"hand_{name}")
    hand = counter.instructions(by_hand)
    twin = lambda name: hand[f"run_hand_{name}" if name in FUNCTIONS else f"hand_{name}"]
    above = [name for name, lines in rows if len(lines) > len(twin(name))]
    shown = [f"  {name:16} {len(lines):4}/{len(twin(name))}{'  above its twin' if name in above else ''}" for name, lines in rows]
    for name, lines in rows:
        if name in above:
            print("\n".join([f"{name}:", *lines, "by hand:", *twin(name)]))
    last = f"instructions of CUDA: {len(rows) - len(above)} of {len(rows)} not above their twins, {len(above)} fail"
    return "\n".join(["instructions of CUDA, emitted/by hand:", *shown, last]), len(above)


def emitted(command, asked):
    source, why = asked.of(command, "cuda")
    if source is None:
        raise Refused(f"{asked.title}: {why}")
    return source


def wrapped(source, function):
    """Appends a kernel `run_..` that calls a function. It reads the numbers of a thread from memory; numbers of a launch are parameters."""
    taken = text.parameters(source, function)
    of_threads = [name for _, name in taken if not known_per_launch(name)]
    known = "".join(f", {ty} {name}" for ty, name in taken if known_per_launch(name))
    lines = [f"const int {name} = in[blockDim.x * {k} + threadIdx.x];" for k, name in enumerate(of_threads)]
    structure = f"{function}_result"
    call = f"const auto got = {function}({', '.join(name for _, name in taken)});"
    fields = text.fields(source, structure) if f"}} {structure};" in source or f"struct {structure} {{" in source else None
    results = [f"got.{field}" for field in fields] if fields else ["got"]
    lines += [call] + [f"out[blockDim.x * {k} + threadIdx.x] = {value};" for k, value in enumerate(results)]
    head = f'extern "C" __global__ void run_{function}(const int *__restrict__ in, int *__restrict__ out{known}) {{\n'
    return source + head + "".join(f"    {line}\n" for line in lines) + "}\n"


def known_per_launch(name):
    return name in ("launch", "M", "K", "lda") or name[0] == "d" and name[1:].isdigit()
