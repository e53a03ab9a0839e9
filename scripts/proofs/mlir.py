"""A strict parser of the affine maps and sets of MLIR. Numbers are of 64 bits."""
from __future__ import annotations

import re
from dataclasses import dataclass

from machine import Machine, Number
from parse import Unknown
from terms import Truth, at_most, equal, less, of

TOKEN = re.compile(r"\s*(\d+|[a-z_]\w*|>=|==|->|[-+*(),\[\]:<>])")


@dataclass
class Map:
    """The operands by their names in the comments, the results, and the constraints: pairs of an expression and a sign."""

    operands: dict[str, str]
    results: list[tuple]
    constraints: list[tuple[tuple, str]] | None
    comments: list[str]


class Parser:
    """Parses one line."""

    def __init__(self, text: str, operands: set[str]):
        self.tokens, place = [], 0
        while text[place:].strip():
            found = TOKEN.match(text, place)
            if not found:
                raise Unknown(f"the text {text[place:]!r}")
            self.tokens.append(found.group(1))
            place = found.end()
        self.at, self.operands = 0, operands

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, token: str) -> bool:
        found = self.peek() == token
        self.at += found
        return found

    def need(self, *tokens: str) -> None:
        for token in tokens:
            if not self.take(token):
                raise Unknown(f"{self.peek()!r} in place of {token!r}")

    def sum(self) -> tuple:
        left = self.product()
        while self.peek() in ("+", "-"):
            sign = self.peek()
            self.at += 1
            left = (sign, left, self.product())
        return left

    def product(self) -> tuple:
        left = self.one()
        while self.peek() in ("*", "floordiv", "ceildiv", "mod"):
            sign = self.peek()
            self.at += 1
            left = (sign, left, self.one())
        return left

    def one(self) -> tuple:
        if self.take("-"):
            return ("-", ("number", 0), self.one())
        if self.take("("):
            inner = self.sum()
            self.need(")")
            return inner
        token = self.peek()
        self.at += 1
        if token.isdigit():
            return ("number", int(token))
        if token not in self.operands:
            raise Unknown(f"the operand {token!r}")
        return ("operand", token)

    def listed(self, end: str) -> list[str]:
        """Parses the names of a list up to its end."""
        out = []
        while not self.take(end):
            out.append(self.peek())
            self.at += 1
            if self.peek() != end:
                self.need(",")
        return out

    def head(self) -> None:
        """Parses the operands, which must be those of the comments."""
        self.need("(")
        names = self.listed(")")
        if self.take("["):
            names += self.listed("]")
        if set(names) != self.operands or len(names) != len(self.operands):
            raise Unknown(f"the operands {names}")


def parse(text: str, name: str) -> Map:
    """Parses a map, and the set of its valid inputs if there is one."""
    comments, operands, results, constraints = [], {}, [], None
    for line in text.splitlines():
        if line.startswith("// "):
            operand, meaning = re.match(r"// ([ds]\d+) = (\w+)", line).groups()
            operands[operand] = meaning
            comments.append(line.split(" = ", 1)[1])
            continue
        found = re.match(rf"#({name}|{name}_is_valid) = affine_(map|set)(<.*>)$", line)
        if not found:
            raise Unknown(f"the line {line!r}")
        parser = Parser(found.group(3), set(operands))
        parser.need("<")
        parser.head()
        if found.group(2) == "map":
            parser.need("->", "(")
            results.append(parser.sum())
            while parser.take(","):
                results.append(parser.sum())
            parser.need(")", ">")
        else:
            parser.need(":", "(")
            constraints = []
            while not parser.take(")"):
                left = parser.sum()
                sign = parser.peek()
                if sign not in (">=", "=="):
                    raise Unknown(f"the constraint {sign!r}")
                parser.at += 1
                parser.need("0")
                constraints.append((left, sign))
                parser.take(",")
            parser.need(">")
        if parser.peek():
            raise Unknown(f"more text in {line!r}")
    return Map(operands, results, constraints, comments)


def value(machine: Machine, tree: tuple, operands: dict[str, Number]) -> Number:
    """Returns the value of an expression."""
    match tree:
        case ("number", number):
            return Number(of(number), "i64")
        case ("operand", name):
            return operands[name]
        case ("+" | "-" | "*" as sign, left, right):
            return machine.arithmetic(sign, value(machine, left, operands), value(machine, right, operands))
        case (sign, left, right):
            a, b = (machine.exact(value(machine, side, operands)).poly for side in (left, right))
            machine.claim(less(of(0), b), f"{b} is positive")
            context = machine.context
            out = {"floordiv": lambda: context.div(a, b), "ceildiv": lambda: -context.div(-a, b), "mod": lambda: context.mod(a, b)}[sign]()
            return Number(out, "i64")
    raise Unknown(f"the expression {tree}")


def holds(machine: Machine, constraints: list[tuple[tuple, str]], operands: dict[str, Number]) -> list[Truth]:
    """Returns the truth of each constraint."""
    values = [(machine.exact(value(machine, tree, operands)).poly, sign) for tree, sign in constraints]
    return [at_most(of(0), p) if sign == ">=" else equal(p, of(0)) for p, sign in values]


