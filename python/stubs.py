#!/usr/bin/env python3
"""Writes the generated ends of the stubs: the operations on layouts to `_native.pyi`, the requests to `batch.pyi`.

The installed package lists both. `python stubs.py --check` only checks that the stubs are up to date.
"""

import keyword
import pathlib
import sys
from collections.abc import Iterator

FOLDER = pathlib.Path(__file__).parent / "crd2idx"
MARK = "# `stubs.py` writes the rest.\n"
TYPES = {"layout": "Layout", "integer": "int"}


def operations(head: str) -> Iterator[str]:
    from crd2idx import OPERATIONS

    declared = {line.split("def ")[1].split("(")[0] for line in head.split("class Layout")[1].splitlines() if "def " in line}
    for name, (aliases, forms) in OPERATIONS.items():
        results = {form.rsplit("-> ", 1)[1] for form, _ in forms}
        result = TYPES.get(results.pop(), "Any") if len(results) == 1 else "Any"
        for each in [name, *aliases]:
            if each not in declared and each.isidentifier() and not keyword.iskeyword(each):
                yield f"    def {each}(self, *operands: Operand) -> {result}: ..."
                declared.add(each)


def requests(_: str) -> Iterator[str]:
    from crd2idx import _native

    for name, keys, about in _native.requests():
        # A keyword of Python cannot be the name of an argument; such a key comes by `**`.
        fields = [f"{key}: Any = ..." for key in keys if not keyword.iskeyword(key)]
        rest = ["**fields: Any"] if len(fields) < len(keys) else []
        yield "@overload"
        yield f"def request({', '.join([f'op: Literal[{name!r}]', '/', *(['*'] if fields else []), *fields, *rest])}) -> Any:"
        yield f'    """{about}"""'
    yield "@overload"
    yield "def request(op: str, /, *, args: Sequence[str | int]) -> Any:"
    yield '    """Returns the result of an operation on layouts, one of `OPERATIONS`."""'


if __name__ == "__main__":
    for name, lines in [("_native.pyi", operations), ("batch.pyi", requests)]:
        path = FOLDER / name
        head, mark = path.read_text().split(MARK)[0], MARK
        text = head + mark + "\n".join(lines(head)) + "\n"
        if "--check" not in sys.argv:
            path.write_text(text)
        elif path.read_text() != text:
            sys.exit(f"{path} is out of date: run python stubs.py")
