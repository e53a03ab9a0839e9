"""The definition of a layout's index function, read from its notation and from nothing else."""
from __future__ import annotations

import re
from dataclasses import dataclass, field
from math import lcm

from terms import Context, Poly, Truth, at_most, less, of

UNBOUNDED = (1 << 63) - 1
# The greatest size and the greatest index of layouts with unbounded numbers, where signed numbers must not overflow.
SPAN = (1 << 62) - 1
TOKEN = re.compile(r"\s*(S<\d+,\d+,-?\d+>|\?(?:\{[^}]*\})?|\^?-?\d+| o |[(),:]|[a-z_]+)")


@dataclass(frozen=True)
class Leaf:
    """An extent or a stride: a number, or number `place` of the run-time numbers, with its bounds and its divisor."""

    value: int | None
    place: int = -1
    low: int = 0
    high: int = UNBOUNDED
    step: int = 1
    # True for a stride that multiplies without carries.
    xor: bool = False


@dataclass
class Layout:
    """A shape and strides: a leaf, or a tuple of them. `steps` are applied to the index, the first one first."""

    shape: Leaf | tuple
    stride: Leaf | tuple
    steps: list = field(default_factory=list)


class Notation:
    """Parses the notation."""

    def __init__(self, text: str):
        self.tokens = []
        place = 0
        while place < len(text):
            found = TOKEN.match(text, place)
            if not found:
                raise ValueError(f"the notation {text[place:]!r}")
            self.tokens.append(found.group(1).strip() if found.group(1) != " o " else "o")
            place = found.end()
        self.at, self.places = 0, 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def next(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def need(self, token: str) -> None:
        if self.next() != token:
            raise ValueError(f"{self.tokens[self.at - 1]} in place of {token}")

    def tree(self) -> Leaf | tuple:
        if self.peek() == "(":
            self.need("(")
            parts = []
            while self.peek() != ")":
                parts.append(self.tree())
                if self.peek() == ",":
                    self.need(",")
            self.need(")")
            return tuple(parts)
        token = self.next()
        if token.startswith("?"):
            facts = dict(part.split("=") for part in token[2:-1].split(",")) if "{" in token else {}
            self.places += 1
            return Leaf(None, self.places - 1, int(facts.get("min", 0)), int(facts.get("max", UNBOUNDED)), int(facts.get("div", 1)))
        return Leaf(int(token.lstrip("^")), xor=token.startswith("^"))

    def plain(self) -> Layout:
        shape = self.tree()
        self.need(":")
        return Layout(shape, self.tree())

    def layout(self) -> Layout:
        """Parses `inner o offset o layout`, where the inner function is a swizzle or a layout."""
        if self.peek().startswith("S<"):
            inner: object = tuple(map(int, self.next()[2:-1].split(",")))
        else:
            inner = self.plain()
            if self.peek() != "o":
                return inner
        self.need("o")
        offset = self.tree()
        self.need("o")
        outer = self.plain()
        outer.steps = [("add", offset), ("swizzle", inner) if isinstance(inner, tuple) else ("layout", inner)]
        return outer

    def expression(self) -> tuple[Layout, str | None, tuple]:
        """Parses a layout, or a divide of a layout by a tuple of numbers. Returns the layout, the operation and the tile."""
        if self.peek() in ("zipped_divide", "logical_divide"):
            operation = self.next()
            self.need("(")
            layout = self.layout()
            self.need(",")
            tile = self.tree()
            self.need(")")
            out = layout, operation, tile
        else:
            out = self.layout(), None, ()
        if self.at != len(self.tokens):
            raise ValueError(f"more text: {self.tokens[self.at:]}")
        return out


def leaves(tree: Leaf | tuple) -> list[Leaf]:
    return [leaf for part in tree for leaf in leaves(part)] if isinstance(tree, tuple) else [tree]


class Definition:
    """The index function of a layout: its inputs with their bounds, and its value at these inputs."""

    def __init__(self, text: str, coordinates: str = "modes"):
        self.layout, self.operation, self.tile = Notation(text).expression()
        self.coordinates, self.level = coordinates, 0
        layout = self.layout
        numbered = {}
        shapes, strides = leaves(layout.shape), leaves(layout.stride)
        single = len(shapes) == 1
        if self.operation is None:
            for stem, part in (("n", shapes), ("d", strides)):
                numbered |= {stem if single else f"{stem}{k}": leaf for k, leaf in enumerate(part) if leaf.value is None}
        else:
            # A divide splits each extent, so that the extent is not a leaf of the result; the tile has the stride of the mode.
            tiles = leaves(self.tile)
            numbered |= {f"d{k}": leaf for k, leaf in enumerate(strides) if leaf.value is None}
            for leaf, tile in zip(shapes, tiles, strict=True):
                if leaf.value is None:
                    numbered[f"p{leaf.place}"] = Leaf(None, leaf.place, leaf.low, leaf.high, lcm(leaf.step, tile.value))
        self.numbers: dict[str, Leaf] = numbered
        self.names = self.names_of_coordinates()

    def names_of_coordinates(self) -> list[str]:
        shape = self.layout.shape
        if self.operation is not None:
            return ["i0", "i1"] if self.operation == "zipped_divide" or isinstance(shape, Leaf) else [f"i{k}" for k in range(len(leaves(shape)))]
        if self.coordinates == "linear" or isinstance(shape, Leaf):
            return ["i"]
        return [f"i{k}" for k in range(len(shape) if self.coordinates == "modes" else len(leaves(shape)))]

    def parts(self) -> list[Leaf | tuple]:
        """Returns the part of the shape that each coordinate belongs to."""
        shape = self.layout.shape
        if self.coordinates == "linear" or isinstance(shape, Leaf):
            return [shape]
        return list(shape) if self.coordinates == "modes" else leaves(shape)

    def inputs(self) -> dict[str, tuple[int, int, int]]:
        """Returns the least and the greatest value of each input, and its divisor."""
        out = {name: (leaf.low, leaf.high, leaf.step) for name, leaf in self.numbers.items()}
        most = lambda leaf: leaf.high if leaf.value is None else leaf.value
        if self.operation is None:
            sizes = [[most(leaf) for leaf in leaves(part)] for part in self.parts()]
        else:
            tiles = [leaf.value for leaf in leaves(self.tile)]
            extents = [most(leaf) for leaf in leaves(self.layout.shape)]
            rests = [extent if extent == UNBOUNDED else extent // tile for extent, tile in zip(extents, tiles)]
            joined = self.operation == "logical_divide" and not isinstance(self.layout.shape, Leaf)
            sizes = [[extent] for extent in extents] if joined else [tiles, rests]
        for name, extents in zip(self.names, sizes):
            size = 1
            for extent in extents:
                size *= extent
            unbounded = UNBOUNDED in extents
            # A layout without elements has no coordinates: its text is right for any.
            out[name] = (0, UNBOUNDED if unbounded or size < 1 or size > UNBOUNDED else size - 1, 1)
        return out

    def extents(self, inputs: dict[str, Poly]) -> dict[str, Poly]:
        """Returns the size of the part that each coordinate belongs to. Only layouts without an operation have it."""
        out = {}
        for name, part in zip(self.names, self.parts()):
            size = of(1)
            for leaf in leaves(part):
                size *= self.number(leaf, inputs)
            out[name] = size
        return out

    def number(self, leaf: Leaf, inputs: dict[str, Poly]) -> Poly:
        if leaf.value is not None:
            return of(leaf.value)
        return next(inputs[name] for name, known in self.numbers.items() if known.place == leaf.place)

    def value(self, context: Context, inputs: dict[str, Poly]) -> dict[str, Poly]:
        """Returns the index, as the exact integer."""
        layout, at = self.layout, [inputs[name] for name in self.names]
        number = lambda leaf: self.number(leaf, inputs)
        if self.operation is not None:
            at = self.undivided(context, inputs, at)
            pairs = list(zip(at, leaves(layout.stride)))
        else:
            pairs = []
            strides = leaves(layout.stride)
            for x, part in zip(at, self.parts()):
                extents = [number(leaf) for leaf in leaves(part)]
                mine, strides = strides[: len(extents)], strides[len(extents) :]
                pairs += list(zip(unravelled(context, x, extents), mine))
        total, crossed = of(0), []
        for x, stride in pairs:
            if stride.xor:
                crossed += [x * (1 << bit) for bit in range(stride.value.bit_length()) if stride.value >> bit & 1]
            else:
                total += x * number(stride)
        index = total + context.xor(*crossed) if crossed else total
        for kind, step in layout.steps:
            if kind == "add":
                index += number(step)
            elif kind == "swizzle":
                index = swizzled(context, index, *step)
            else:
                extents, strides = leaves(step.shape), leaves(step.stride)
                digits = unravelled(context, index, [number(leaf) for leaf in extents])
                index = sum((x * number(stride) for x, stride in zip(digits, strides)), of(0))
        return {"index": index}

    def levels(self) -> list[int]:
        """Returns the levels of facts, the fewest facts first. Level 1 needs run-time numbers, level 2 unbounded ones."""
        if self.operation is not None or not self.numbers and not self.unbounded():
            return [0]
        return [0, 1, 2] if self.unbounded() else [0, 1]

    def unbounded(self) -> bool:
        """Returns whether an input has no bound, so that the index need not fit 64 bits."""
        return any(high == UNBOUNDED for _, high, _ in self.inputs().values())

    def facts(self, context: Context, inputs: dict[str, Poly]) -> list[Truth]:
        """Returns what relates the inputs: nothing, as the formula of a layout continues outside its shape.

        From level 1, coordinates are inside the shape, and the size and every index of the layout are at most `SPAN`. At level 2, so is the size
        times the sum of all strides: signed text may compute a multiple of a whole coordinate on the way.
        """
        if not self.level or self.operation is not None:
            return []
        out, size = [], of(1)
        for name, extent in self.extents(inputs).items():
            out.append(less(inputs[name], extent))
            size *= extent
        least, most, strides = of(0), of(0), of(0)
        for extent, stride in zip(leaves(self.layout.shape), leaves(self.layout.stride)):
            span = (self.number(extent, inputs) - 1) * self.number(stride, inputs)
            strides += of(abs(stride.value)) if stride.value is not None else self.number(stride, inputs)
            if stride.value is not None and stride.value < 0:
                least += span
            else:
                most += span
        # Every extent is at least 1 where there is a coordinate.
        out += [less(of(0), self.number(leaf, inputs)) for leaf in leaves(self.layout.shape)]
        if self.level == 2:
            out.append(at_most(size * strides, of(SPAN)))
        return [*out, at_most(size, of(SPAN)), at_most(most, of(SPAN)), at_most(of(-SPAN), least)]

    def hints(self, context: Context, inputs: dict[str, Poly]) -> list[Truth]:
        """Returns that the digits of each coordinate are inside their extents, where a number is not known. The last digit may be outside."""
        if self.operation is not None:
            return []
        out = []
        for name, part in zip(self.names, self.parts()):
            extents = [self.number(leaf, inputs) for leaf in leaves(part)]
            if not self.numbers or len(extents) == 1 and not self.level:
                continue
            digits = unravelled(context, inputs[name], extents)
            for place, (digit, extent) in enumerate(zip(digits, extents)):
                out.append(at_most(of(0), digit))
                if self.level or place + 1 < len(digits):
                    out.append(less(digit, extent))
        return [hint for hint in out if not isinstance(hint, bool)]

    def valid(self, context: Context, inputs: dict[str, Poly]) -> Truth:
        return True

    def fits(self, context: Context, inputs: dict[str, Poly]) -> list[Truth]:
        """Returns that the index fits 64 bits, as for every layout that can be made."""
        [index] = self.value(context, inputs).values()
        return [at_most(of(-UNBOUNDED), index), at_most(index, of(UNBOUNDED))]

    def undivided(self, context: Context, inputs: dict[str, Poly], at: list[Poly]) -> list[Poly]:
        """Returns the coordinate of each mode before the divide."""
        if self.operation == "logical_divide" and not isinstance(self.layout.shape, Leaf):
            # A mode keeps its coordinate: tile and rest are its digits.
            return at
        tiles = [of(leaf.value) for leaf in leaves(self.tile)]
        rests = [context.div(self.number(leaf, inputs), tile) for leaf, tile in zip(leaves(self.layout.shape), tiles)]
        inside, outside = unravelled(context, at[0], tiles), unravelled(context, at[1], rests)
        return [a + tile * b for a, b, tile in zip(inside, outside, tiles)]


def unravelled(context: Context, x: Poly, extents: list[Poly]) -> list[Poly]:
    """Returns the digits of a coordinate, the first mode fastest. The last takes the whole quotient."""
    out = []
    for extent in extents[:-1]:
        quotient = context.div(x, extent)
        out.append(x - quotient * extent)
        x = quotient
    return [*out, x]


def swizzled(context: Context, x: Poly, bits: int, base: int, shift: int) -> Poly:
    """Returns `x xor ((x and Y) >> S)`; a negative shift moves the lower field up."""
    low = base + max(shift, 0)
    field = context.mod(context.div(x, 1 << low), 1 << bits)
    return context.xor(x, field * (1 << (base + max(-shift, 0))))
