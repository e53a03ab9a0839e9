"""Texts in C, compiled by `cc` as C11 into a library and called: the C target, and the per-launch numbers of OpenCL and WGSL."""
import ctypes
import os
import pathlib
import shutil
import subprocess
import tempfile

import numpy

import text
from cases import UNTOUCHED
from tools import Missing

FLAGS = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
WORDS = {"u32": numpy.uint32, "i32": numpy.int32, "u64": numpy.uint64, "i64": numpy.int64}
# The same types by their names in C, OpenCL and WGSL.
NUMBERS = WORDS | {f"{'u' if name[0] == 'u' else ''}int{name[1:]}_t": word for name, word in WORDS.items()}
NUMBERS |= {"uint": numpy.uint32, "int": numpy.int32, "ulong": numpy.uint64, "long": numpy.int64}


class Refused(Exception):
    """A text that its compiler rejects, or that gives wrong results."""


def compiler():
    found = shutil.which("cc")
    if not found:
        raise Missing("there is no cc")
    return found


def library(source):
    """Compiles a C text. Returns the loaded library."""
    with tempfile.TemporaryDirectory() as folder:
        file, built = pathlib.Path(folder, "text.c"), pathlib.Path(folder, "text.so")
        file.write_text(source)
        done = subprocess.run([compiler(), *FLAGS, str(file), "-o", str(built)], capture_output=True, text=True)
        if done.returncode != 0:
            raise Refused(done.stderr)
        return ctypes.CDLL(str(built))


def launch(source, function, numbers):
    """Calls `function` of a C text with these numbers. Returns its result as bytes."""
    taken = text.parameters(source, function)
    arguments = ", ".join(f"({ty})in[{k}]" for k, (ty, _) in enumerate(taken))
    structure = text.returned(source, function)
    wrapper = f"int run(const long long *in, void *out);\nint run(const long long *in, void *out) {{\n    (void)in;\n"
    wrapper += f"    const {structure} made = {function}({arguments});\n    __builtin_memcpy(out, &made, sizeof made);\n    return sizeof made;\n}}\n"
    out = ctypes.create_string_buffer(1 << 12)
    given = (ctypes.c_longlong * max(1, len(taken)))(*[numbers[known_name(name, numbers)] for _, name in taken])
    size = library(source + wrapper).run(given, out)
    return out.raw[:size]


def known_name(name, numbers):
    """Returns the name of one of these numbers. Texts add `_2` to a name that is a keyword of the language."""
    return name if name in numbers else name.removesuffix("_2")


def table(case, names):
    """Returns the points of a function, one row each, in the order of its parameters."""
    row = lambda numbers: [numbers[known_name(name, numbers)] for name in names]
    return numpy.array([row(case.launch | point) for point in case.points], dtype=numpy.int64)


def compared(case, got):
    """Returns the number of results. Raises `Refused` if one differs."""
    wanted = numpy.array(case.wanted, dtype=numpy.int64).reshape(got.shape)
    wrong = numpy.argwhere(got != wanted)
    if len(wrong):
        row, column = wrong[0]
        raise Refused(f"result {column} at {case.points[row]} is {got[row, column]}, not {wanted[row, column]}; {len(wrong)} differ")
    return wanted.size


def columns(source, name, language):
    """Returns the expressions of all results of a call whose value is `got`, and the structure if there are several."""
    structure = text.camel(f"{name}_result") if language == "wgsl" else f"{name}_result"
    several = structure in source
    out = [f"got.{field}" for field in text.fields(source, structure)] if several else ["got"]
    return out, structure if several else None


class C:
    """Functions and kernels, run as C loops on this processor."""

    name, language = "C", "c"

    def __init__(self):
        compiler()

    def function(self, case, source, _host):
        name = case.name
        results, structure = columns(source, name, "c")
        valid = text.has(source, f"{name}_is_valid")
        taken = text.parameters(source, name)
        staged = bool(taken) and taken[-1][1] == "launch"
        threads = taken[:-1] if staged else taken
        rows = [parameter for _, parameter in threads]
        known = text.parameters(source, f"{name}_prepare") if staged else []
        of = lambda part, start: ", ".join(f"({ty})row[{start + k}]" for k, (ty, _) in enumerate(part))
        arguments = ", ".join(filter(None, [of(threads, 0), "launch" if staged else ""]))
        width = len(rows) + len(known)
        lines = [f"const long long *row = in + s * {width};", "(void)row;"]
        lines += [f"const {name}_launch launch = {name}_prepare({of(known, len(rows))});"] if staged else []
        lines += [f"const {structure or text.returned(source, name)} got = {name}({arguments});"]
        all_of = results + ([f"{name}_is_valid({arguments})"] if valid else [])
        lines += [f"out[s * {len(all_of)} + {k}] = (long long){value};" for k, value in enumerate(all_of)]
        head = "void run(const long long *in, long long *out, int count)"
        body = "".join(f"        {line}\n" for line in lines)
        built = library(f"{source}{head};\n{head} {{\n    for (int s = 0; s < count; ++s) {{\n{body}    }}\n}}\n")
        points = numpy.ascontiguousarray(table(case, rows + [parameter for _, parameter in known]))
        got = numpy.zeros((len(case.points), len(all_of)), dtype=numpy.int64)
        built.run(points.ctypes.data_as(ctypes.c_void_p), got.ctypes.data_as(ctypes.c_void_p), len(case.points))
        return compared(case, with_valid(case, got, valid))

    def kernels(self, case, source, _host):
        arrays = buffers(case, {})
        steps = [step for step, _ in case.steps if step not in ("scan_totals", "scan_carry")]
        wrappers, calls = "", []
        for k, step in enumerate(steps):
            kernel, shown, given = case.kernel(step), [], []
            for ty, parameter in text.parameters(source, kernel):
                if "*" in ty:
                    shown.append(f"{ty}{parameter}")
                    if parameter not in arrays:
                        arrays[parameter] = output(case, parameter, ty.strip(" *"))
                    given.append((parameter, arrays[parameter].ctypes.data_as(ctypes.c_void_p)))
                elif ty.endswith("_launch"):
                    structure = ty.removeprefix("const ")
                    prepare = structure.replace("_launch", "_prepare")
                    numbers = ", ".join(str(case.numbers[known_name(name, case.numbers)]) for name in text.names(source, prepare))
                    given.append((f"{prepare}({numbers})", None))
                else:
                    given.append((str(case.numbers[known_name(parameter, case.numbers)]), None))
            head = f"void run{k}({', '.join(shown) or 'void'})"
            wrappers += f"{head};\n{head} {{\n    {kernel}({', '.join(value for value, _ in given)});\n}}\n"
            calls.append((f"run{k}", [pointer for _, pointer in given if pointer is not None]))
        built = library(source + wrappers)
        for kernel, pointers in calls:
            getattr(built, kernel)(*pointers)
        return arrays_compared(case, arrays)


def with_valid(case, got, valid):
    """Returns the results with a validity column. It is 1 if the text has no validity function."""
    width = len(case.wanted[0])
    if valid or got.shape[1] == width:
        return got
    return numpy.concatenate([got, numpy.ones((len(got), width - got.shape[1]), dtype=got.dtype)], axis=1)


def buffers(case, words):
    """Returns the arrays of a case. `words` may replace their word types."""
    return {name: numpy.array(values, dtype=words.get(word, WORDS[word])) for name, (word, values) in case.arrays.items()}


def output(case, name, ty):
    """Returns an output array, filled with a number that no kernel writes."""
    word = numpy.uint32 if case.raw else NUMBERS[ty]
    return numpy.full(max(1, len(case.wanted[name]) if name in case.wanted else case.numbers[name]), UNTOUCHED, dtype=word)


def arrays_compared(case, arrays):
    """Returns the number of elements of the written arrays. Raises `Refused` if one differs."""
    for name, wanted in case.wanted.items():
        got = arrays[name][: len(wanted)]
        wrong = numpy.flatnonzero(got != numpy.array(wanted, dtype=got.dtype))
        if len(wrong):
            raise Refused(f"{name}[{wrong[0]}] is {got[wrong[0]]}, not {wanted[wrong[0]]}; {len(wrong)} differ")
    return sum(map(len, case.wanted.values()))
