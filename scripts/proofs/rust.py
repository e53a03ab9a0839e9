"""A strict parser of the host function in Rust that belongs to a text in WGSL."""
from __future__ import annotations

import re

from parse import LEVELS, File, Function, Parser, Unknown

TYPES = {"u32": "u32", "i32": "i32", "u64": "u64", "i64": "i64", "bool": "bool"}
DIVISORS = {"FastDiv32": "u32", "FastDiv64": "u64"}
# The binary operators, the loosest first: comparisons are looser than masks.
RUST_LEVELS = [["||"], ["&&"], ["==", "!=", "<", ">", "<=", ">="], ["|"], ["^"], ["&"], ["<<", ">>"], ["+", "-"], ["*", "/", "%"]]
assert sorted(sum(RUST_LEVELS, [])) == sorted(sum(LEVELS, []))


class RustParser(Parser):
    """Parses structures, and functions of `let` and one expression."""

    def __init__(self, text: str):
        # A literal with a type needs no type: the operand beside it has the same one.
        text = re.sub(r"\b(\d+)_[ui](?:32|64)\b", r"\1", text)
        super().__init__(text, "wgsl", "device")
        self.types = dict(TYPES)

    def file(self) -> File:
        out = File()
        while self.tokens[self.at][0] != "end":
            if self.take("#", "["):
                while self.next() != "]":
                    pass
            elif self.take("pub", "struct"):
                name = self.word()
                self.need("{")
                fields = []
                while not self.take("}"):
                    self.need("pub")
                    field = self.word()
                    self.need(":")
                    fields.append((self.type(), field))
                    self.need(",")
                out.structures[name] = fields
                self.types[name] = name
            else:
                self.need("pub", "const")
                function = self.function()
                out.functions[function.name] = function
        return out

    def function(self) -> Function:
        self.need("fn")
        name = self.word()
        parameters = self.named_parameters()
        self.need("-", ">") if self.peek() == "-" else self.need("->")
        returns = self.type()
        self.need("{")
        body = []
        while self.take("let"):
            variable = self.word()
            self.need("=")
            body.append(("let", None, variable, self.expression()))
            self.need(";")
        body.append(("return", self.expression()))
        self.need("}")
        return Function(name, returns, parameters, body)

    def binary(self, level: int) -> tuple:
        if level == len(RUST_LEVELS):
            return self.converted()
        left = self.binary(level + 1)
        while self.tokens[self.at][0] == "sign" and self.peek() in RUST_LEVELS[level]:
            sign = self.next()
            left = ("binary", sign, left, self.binary(level + 1))
        return left

    def converted(self) -> tuple:
        out = self.unary()
        while self.take("as"):
            out = ("cast", self.type(), out)
        return out

    def unary(self) -> tuple:
        if self.take("crd2idx", ":", ":"):
            name = self.word()
            self.need(":", ":", "total", "(")
            inner = self.expression()
            self.need(")")
            return ("magic", DIVISORS[name], inner)
        if self.take("if"):
            truth = self.expression()
            self.need("{")
            then = self.expression()
            self.need("}", "else")
            if self.peek() == "if":
                return ("choice", truth, then, self.unary())
            self.need("{")
            otherwise = self.expression()
            self.need("}")
            return ("choice", truth, then, otherwise)
        if self.tokens[self.at][0] == "word" and self.peek() in self.types and self.peek(1) == "{":
            return self.literal()
        out = super().unary()
        # A call of a magic number has no arguments.
        if out[0] == "field" and self.take("(", ")"):
            if out[2] not in ("magic", "bias", "shift"):
                raise Unknown(f"the method {out[2]}")
        return out

    def literal(self) -> tuple:
        """Parses the value of a structure."""
        self.word()
        self.need("{")
        fields = []
        while not self.take("}"):
            name = self.word()
            fields.append((name, self.expression() if self.take(":") else ("name", name)))
            if self.peek() != "}":
                self.need(",")
        return ("structure", fields)


def parse(text: str) -> File:
    """Parses a file of Rust."""
    return RustParser(text).file()
