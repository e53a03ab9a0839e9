#!/usr/bin/env python3
"""Writes crd2idx/_native.pyi: the operations on layouts are those of the installed package. `python stubs.py --check` compares instead."""

import keyword
import pathlib
import sys

HEAD = '''"""The native half of the package. Written by `stubs.py`."""

from collections.abc import Sequence
from os import PathLike
from typing import Any, Union

import numpy as np
import numpy.typing as npt

# What stands for a layout, a tuple or an integer: the notation, or nested tuples; `None` and `:` mark what a slice keeps.
Operand = Union["Layout", int, str, None, slice, Sequence["Operand"]]
_Index = npt.NDArray[np.unsignedinteger[Any]]
_Levels = Sequence[_Index | None]
_Parts = tuple[str, list[int], list[_Index | None], list[_Index | None], npt.NDArray[Any]]

def apply(name: str, /, *operands: Operand) -> Any: ...
def evaluate(text: str) -> Any: ...
def operations() -> list[tuple[str, list[str], list[tuple[str, str]]]]: ...
def answer(*arguments: str) -> str: ...
def reply(request: str) -> str: ...
def format_of(name: str, rank: int) -> tuple[str, bool]: ...
def build(
    format: str, shape: Sequence[int], columns: Sequence[_Index], bytes: npt.NDArray[np.uint8], dtype: str, duplicates: str, bits: int | None
) -> _Parts: ...
def convert(
    format: str,
    shape: Sequence[int],
    pointers: _Levels,
    indices: _Levels,
    bytes: npt.NDArray[np.uint8],
    dtype: str,
    to: str,
    duplicates: str,
    bits: int | None,
) -> _Parts: ...
def coordinates(format: str, shape: Sequence[int], pointers: _Levels, indices: _Levels) -> list[_Index]: ...
def multiply(
    format: str, shape: Sequence[int], pointers: _Levels, indices: _Levels, values: npt.NDArray[Any], other: npt.NDArray[Any]
) -> npt.NDArray[Any]: ...
def read(path: str | PathLike[str], kind: str | None, group: str | None) -> tuple[_Parts, str]: ...
def write(
    path: str | PathLike[str],
    format: str,
    shape: Sequence[int],
    pointers: _Levels,
    indices: _Levels,
    bytes: npt.NDArray[np.uint8],
    dtype: str,
    kind: str | None,
    compressed: bool,
) -> None: ...
def ragged_check(offsets: Sequence[npt.NDArray[np.int64]], leaves: int) -> None: ...
def ragged_reduce(
    offsets: Sequence[npt.NDArray[np.int64]], leaves: npt.NDArray[Any], how: str, axis: int
) -> tuple[list[npt.NDArray[np.int64]], npt.NDArray[Any], npt.NDArray[np.bool_] | None]: ...
def ragged_pad(offsets: Sequence[npt.NDArray[np.int64]], leaves: npt.NDArray[Any], fill: Any) -> tuple[list[int], npt.NDArray[Any]]: ...
def ragged_parents(offsets: Sequence[npt.NDArray[np.int64]], leaves: int, q: int) -> npt.NDArray[np.uint64]: ...
def ragged_flatten(
    offsets: Sequence[npt.NDArray[np.int64]], leaves: npt.NDArray[Any], axis: int
) -> tuple[list[npt.NDArray[np.int64]], npt.NDArray[Any]]: ...

class Transfer:
    def __init__(self, source: str, target: str, source_base: int, target_base: int) -> None: ...
    def run(self, source: npt.NDArray[Any], target: npt.NDArray[Any], parallel: bool) -> None: ...

class Layout:
    def __init__(self, shape: Operand, stride: Operand = ...) -> None: ...
    def __getitem__(self, coordinate: Operand, /) -> int: ...
    def __call__(self, coordinate: Operand) -> int: ...
    def __len__(self) -> int: ...
    def __hash__(self) -> int: ...
    @property
    def extents(self) -> list[int]: ...
    @property
    def strides(self) -> list[int]: ...
    @property
    def shape(self) -> Any: ...
    @property
    def stride(self) -> Any: ...
    def indices(self) -> list[int]: ...
    def slice(self, coordinate: Operand) -> tuple[Layout, int]: ...
    def numpy_strides(self, itemsize: int = 1) -> tuple[int, ...]: ...
    def view(self, data: npt.NDArray[Any], offset: int = 0, *, writeable: bool | None = None) -> npt.NDArray[Any]: ...
    @staticmethod
    def from_numpy(array: Any) -> Layout: ...
    def explain(self, coordinate: Operand = None) -> str: ...
    def _repr_svg_(self) -> str | None: ...
'''

TYPES = {"layout": "Layout", "integer": "int"}


def text() -> str:
    from crd2idx import OPERATIONS

    declared = {line.split("def ")[1].split("(")[0] for line in HEAD.split("class Layout")[1].splitlines() if "def " in line}
    lines = []
    for name, (aliases, forms) in OPERATIONS.items():
        results = {form.rsplit("-> ", 1)[1] for form, _ in forms}
        result = TYPES.get(results.pop(), "Any") if len(results) == 1 else "Any"
        for each in [name, *aliases]:
            if each not in declared and each.isidentifier() and not keyword.iskeyword(each):
                lines.append(f"    def {each}(self, *operands: Operand) -> {result}: ...")
                declared.add(each)
    return HEAD + "\n".join(lines) + "\n"


if __name__ == "__main__":
    path = pathlib.Path(__file__).parent / "crd2idx" / "_native.pyi"
    if "--check" in sys.argv:
        if path.read_text() != text():
            sys.exit(f"{path} is not what stubs.py writes")
    else:
        path.write_text(text())
