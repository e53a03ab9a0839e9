#!/usr/bin/env python3
"""Writes the operations on layouts at the end of crd2idx/_native.pyi as the installed package has them. `python stubs.py --check` compares instead."""

import keyword
import pathlib
import sys

PATH = pathlib.Path(__file__).parent / "crd2idx" / "_native.pyi"
MARK = "    # The operations, as `stubs.py` writes them.\n"
TYPES = {"layout": "Layout", "integer": "int"}


def text() -> str:
    from crd2idx import OPERATIONS

    head = PATH.read_text().split(MARK)[0] + MARK
    declared = {line.split("def ")[1].split("(")[0] for line in head.split("class Layout")[1].splitlines() if "def " in line}
    lines = []
    for name, (aliases, forms) in OPERATIONS.items():
        results = {form.rsplit("-> ", 1)[1] for form, _ in forms}
        result = TYPES.get(results.pop(), "Any") if len(results) == 1 else "Any"
        for each in [name, *aliases]:
            if each not in declared and each.isidentifier() and not keyword.iskeyword(each):
                lines.append(f"    def {each}(self, *operands: Operand) -> {result}: ...")
                declared.add(each)
    return head + "\n".join(lines) + "\n"


if __name__ == "__main__":
    if "--check" in sys.argv:
        if PATH.read_text() != text():
            sys.exit(f"{PATH} is not what stubs.py writes")
    else:
        PATH.write_text(text())
