"""The text of a kernel as data: coordinates, memories, tables, accesses."""
from __future__ import annotations

import ast
import operator
import re
from dataclasses import dataclass

OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "%", ast.BitXor: "^"}
MARKS = {ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq}

# Expressions are numbers, and tuples of an operator and operands. ("name", text, number) is a parameter, a coordinate or a counter,
# ("entry", table, coordinates) an entry, and ("many", e) the number of passes of a loop, max(e, 0). A loop around an access is
# ("loop", name, extent), and a condition (function, a, b).


@dataclass
class Array:
    """A memory or a table."""

    name: str
    extents: list
    shared: bool
    words: list
    below: object


@dataclass
class Site:
    """An access with the loops and the conditions around it, and its epochs: of the block and of the grid."""

    line: int
    number: int
    kind: str
    memory: Array
    at: list
    around: list
    epochs: list

    def counters(self):
        return [what[1] for what in self.around if what[0] == "loop"]


class Kernel:
    """The text of a kernel, read. Its expressions are expressions of Python, too, with the same precedence."""

    def __init__(self, text):
        self.lines = []
        for number, line in enumerate(text.splitlines(), 1):
            for piece in line.split("#")[0].replace("{", "{\n").replace("}", "\n}\n").splitlines():
                if self.lines and self.lines[-1][1].endswith(","):
                    self.lines[-1] = (self.lines[-1][0], self.lines[-1][1] + piece.rstrip())
                elif piece.strip():
                    self.lines.append((number, piece.strip()))
        self.lines.reverse()
        self.params, self.grid, self.block, self.memories, self.tables = [], [], [], {}, {}
        self.divisors, self.sites, self.reads, self.names, self.scope = [], [], [], 0, {}
        self.name = re.fullmatch(r"kernel\s+(\w+)", self.lines.pop()[1])[1]
        while self.lines and self.declaration(*self.lines[-1][1].partition(" ")[::2]):
            self.lines.pop()
        self.walk(self.statements(), [], [0, 0])

    def new(self, node):
        """A new name."""
        self.names += 1
        self.scope[node.id] = ("name", node.id, self.names)
        return self.scope[node.id]

    def declaration(self, word, rest):
        names, arrays = {"param": self.params, "grid": self.grid, "block": self.block}, ("global", "shared", "table")
        if word == "let":
            self.alias(rest)
        for item in parts(rest) if word in names or word in arrays else []:
            item, *words = re.split(r"\s+(?=given|written|distinct)", item)
            node = python(item)
            node, bound = (node.left, self.expr(node.comparators[0])) if isinstance(node, ast.Compare) else (node, None)
            if word in names:
                names[word].append((self.new(node), bound))
            else:
                array = Array(node.func.id, [self.expr(extent) for extent in node.args], word == "shared", words, bound)
                (self.tables if word == "table" else self.memories)[array.name] = array
        return word == "let" or word in names or word in arrays

    def alias(self, text):
        name, _, value = text.partition("=")
        self.scope[name.strip()] = self.expr(python(value))

    def statements(self):
        out, outer = [], dict(self.scope)
        while self.lines and self.lines[-1][1] != "}":
            line, text = self.lines.pop()
            word, _, rest = text.partition(" ")
            if word == "let":
                self.alias(rest)
            elif word in ("load", "store", "add"):
                node = python(rest)
                out.append((word, line, self.memories[node.value.id], self.coordinates(node)))
            elif word == "barrier" and rest.strip() in ("", "grid"):
                out.append((word, rest.strip() == "grid"))
            elif word in ("loop", "if") and rest.endswith("{"):
                inner, nodes = dict(self.scope), [python(part) for part in parts(rest[:-1])]
                right = [self.expr(node.comparators[0]) for node in nodes]
                if word == "loop":
                    head = [("loop", self.new(nodes[0].left), right[0])]
                else:
                    head = [(MARKS[type(node.ops[0])], self.expr(node.left), b) for node, b in zip(nodes, right)]
                out.append((word, line, head, self.statements()))
                self.lines.pop()
                self.scope = inner
            else:
                raise SyntaxError(f"line {line}: {text}")
        self.scope = outer
        return out

    def coordinates(self, node):
        return [self.expr(x) for x in (node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice])]

    def expr(self, node):
        if isinstance(node, ast.Constant):
            return int(node.value)
        if isinstance(node, ast.Name):
            return self.scope[node.id]
        if isinstance(node, ast.Subscript):
            return ("entry", self.tables[node.value.id], self.coordinates(node))
        if isinstance(node, ast.Call) and node.func.id == "ceil":
            word, a, b = self.expr(node.args[0])
            return (word, ("+", a, ("-", b, 1)), b)
        word, a, b = OPERATORS[type(node.op)], self.expr(node.left), self.expr(node.right)
        if word in "/%":
            self.divisors.append(b)
        return (word, a, b)

    def barriers(self, body, grid):
        """The number of barriers in statements: an expression, or None if there is none here."""
        count = 0
        for word, *rest in body:
            if word == "barrier":
                count = plus(count, int(rest[0] or not grid))
            elif word == "loop":
                count = plus(count, passes(rest[1][0], self.barriers(rest[2], grid)))
        return count

    def walk(self, body, around, epochs):
        """Collects the accesses, and the loops and conditions that read tables."""
        for word, *rest in body:
            if word == "barrier":
                epochs = [plus(epochs[0], 1), plus(epochs[1], int(rest[0]))]
            elif word in ("load", "store", "add"):
                line, memory, at = rest
                self.sites.append(Site(line, len(self.sites), word, memory, at, around, epochs))
            else:
                line, head, inner = rest
                self.reads += [(line, around + head[:k], list(what[1:])) for k, what in enumerate(head) if entries(list(what[1:]))]
                before = epochs
                if word == "loop":
                    each = [self.barriers(inner, grid) for grid in (False, True)]
                    whole = [passes(head[0], count) for count in each]
                    before = [plus(e, None if w is None else times(head[0][1], n)) for e, n, w in zip(epochs, each, whole)]
                    epochs = [plus(e, w) for e, w in zip(epochs, whole)]
                self.walk(inner, around + head, before)


def python(text):
    return ast.parse(text.strip(), mode="eval").body


def parts(text):
    """The parts of a text between commas outside of parentheses and brackets."""
    out, depth = [""], 0
    for sign in text:
        depth += (sign in "([") - (sign in ")]")
        out[-1:] = [out[-1], ""] if sign == "," and depth == 0 else [out[-1] + sign]
    return [part.strip() for part in out]


def plus(a, b):
    return None if a is None or b is None else b if a == 0 else a if b == 0 else ("+", a, b)


def times(a, b):
    return None if b is None else 0 if b == 0 else ("*", a, b)


def passes(loop, each):
    """The number of barriers in a loop. None if a pass has a number that depends on its counter, or if the extent reads a table."""
    _, name, extent = loop
    return None if mentions(each, name) or each != 0 and entries(extent) else times(("many", extent), each)


def mentions(expr, name):
    return expr == name or isinstance(expr, (tuple, list)) and any(mentions(part, name) for part in expr)


def entries(expr):
    """The entries of tables in an expression, or in a list of expressions."""
    if isinstance(expr, int) or expr[0] == "name":
        return []
    operands = expr if isinstance(expr, list) else expr[2] if expr[0] == "entry" else expr[1:]
    inside = [entry for part in operands for entry in entries(part)]
    return [*inside, expr] if expr[0] == "entry" else inside
