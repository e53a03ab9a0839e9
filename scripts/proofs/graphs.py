"""The definition of a query about a coordinate graph, read from its file, with the meaning of each transform as docs/look-up/graphs.md states it."""
from __future__ import annotations

from terms import Context, Poly, Truth, at_most, both, either, equal, less, negate, of

UNBOUNDED = (1 << 63) - 1


class Definition:
    """A query: the coordinates of each thread, the coordinates to compute, and coordinates with a known number."""

    def __init__(self, graph: dict, direction: str, coordinates: list[str], targets: list[str], bound: dict[str, int]):
        self.graph, self.direction, self.coordinates, self.targets, self.bound = graph, direction, coordinates, targets, bound
        self.level = 0
        self.nodes = {node["name"]: node for node in graph["nodes"]}

    def inputs(self) -> dict[str, tuple[int, int, int]]:
        out = {one["name"]: (one.get("min", 0), one.get("max", UNBOUNDED), one.get("div", 1)) for one in self.graph.get("parameters", [])}
        context = Context(decide=lambda *_: True)
        known = {name: context.declare(name, *ends) for name, ends in out.items()}
        for name in self.coordinates:
            size = self.size(context, known, name)
            high = UNBOUNDED if size is None else context.range(size)[1] - 1
            out[name] = (0, high, 1)
        return out

    def levels(self) -> list[int]:
        """Returns the levels of facts: one, which has the sizes."""
        return [0]

    def unbounded(self) -> bool:
        return any(high == UNBOUNDED for _, high, _ in self.inputs().values())

    def size(self, context: Context, known: dict[str, Poly], name: str) -> Poly | None:
        size = self.nodes[name].get("size")
        return None if size is None else self.expression(context, known, size)

    def expression(self, context: Context, known: dict[str, Poly], tree: object, arguments: list[Poly] | None = None) -> Poly | Truth:
        """Returns a number of the file: an integer, a parameter, or an operation."""
        if isinstance(tree, int):
            return of(tree)
        if isinstance(tree, str):
            return known[tree]
        if "arg" in tree:
            return arguments[tree["arg"]]
        a, b = (self.expression(context, known, part, arguments) for part in tree["args"])
        match tree["op"]:
            case "add":
                return a + b
            case "sub":
                return a - b
            case "mul":
                return a * b
            case "div":
                return context.div(a, b)
            case "rem":
                return context.mod(a, b)
            case "ceil_div":
                return -context.div(-a, b)
            case "lt":
                return less(a, b)
        raise ValueError(f"the operation {tree['op']}")

    def facts(self, context: Context, inputs: dict[str, Poly]) -> list[Truth]:
        """Returns that coordinates are inside their sizes."""
        sizes = {name: self.size(context, inputs, name) for name in self.coordinates}
        return [less(inputs[name], size) for name, size in sizes.items() if size is not None]

    def hints(self, context: Context, inputs: dict[str, Poly]) -> list[Truth]:
        return []

    def fits(self, context: Context, inputs: dict[str, Poly]) -> list[Truth]:
        return []

    def value(self, context: Context, inputs: dict[str, Poly]) -> dict[str, Poly]:
        answer = Answer(self, context, inputs)
        return {name: answer.of(name)[0] for name in self.targets}

    def valid(self, context: Context, inputs: dict[str, Poly]) -> Truth:
        answer = Answer(self, context, inputs)
        return both(*(answer.of(name)[1] for name in self.targets))


class Answer:
    """The coordinates that a query computes, each with whether all coordinates on the way are inside their sizes."""

    def __init__(self, definition: Definition, context: Context, inputs: dict[str, Poly]):
        self.definition, self.context, self.inputs = definition, context, inputs
        self.known: dict[str, tuple[Poly, Truth]] = {}
        for name in definition.coordinates:
            self.known[name] = inputs[name], self.inside(name, inputs[name])
        for name, value in definition.bound.items():
            self.known[name] = of(value), self.inside(name, of(value))

    def number(self, tree: object, arguments: list[Poly] | None = None) -> Poly | Truth:
        return self.definition.expression(self.context, self.inputs, tree, arguments)

    def size(self, name: str) -> Poly | None:
        return self.definition.size(self.context, self.inputs, name)

    def stride(self, name: str) -> Poly:
        return self.number(self.definition.nodes[name]["stride"])

    def inside(self, name: str, x: Poly) -> Truth:
        size = self.size(name)
        return True if size is None else both(at_most(of(0), x), less(x, size))

    def of(self, name: str) -> tuple[Poly, Truth]:
        if name not in self.known:
            value, valid = self.computed(name)
            self.known[name] = value, both(valid, self.inside(name, value))
        return self.known[name]

    def computed(self, name: str) -> tuple[Poly, Truth]:
        """Returns a coordinate by the transform that computes it in the direction of the query."""
        forward = self.definition.direction == "forward"
        for edge in self.definition.graph["edges"]:
            if edge["type"] == "DataFlow":
                continue
            if name in edge["outputs" if forward else "inputs"]:
                sources, results = (edge["inputs"], edge["outputs"]) if forward else (edge["outputs"], edge["inputs"])
                return self.transform(edge, forward, sources, results, results.index(name))
        raise ValueError(f"nothing computes {name}")

    def all(self, names: list[str]) -> tuple[list[Poly], Truth]:
        pairs = [self.of(name) for name in names]
        return [value for value, _ in pairs], both(*(valid for _, valid in pairs))

    def transform(self, edge: dict, forward: bool, sources: list[str], results: list[str], place: int) -> tuple[Poly, Truth]:
        """Returns result number `place` of an edge."""
        kind, params = edge["type"], edge.get("params", {})
        if kind == "Sunder" and not forward:
            return self.sundered(sources)
        if kind == "PiecewiseAffineJoin" and forward:
            return self.pieces(params, sources)
        xs, valid = self.all(sources)
        # Sums by sizes and by strides, and the digits that undo them.
        by_strides = kind in ("Join", "Split") or (kind == "Flatten" and self.flatten_by_strides(edge["inputs"]))
        joins = (kind in ("Flatten", "Join")) == forward
        if kind in ("Flatten", "Join", "Tile", "Split"):
            many = edge["inputs"] if kind in ("Flatten", "Join") else edge["outputs"]
            if joins:
                return self.sum_by_strides(many, xs) if by_strides else self.sum_by_sizes(many, xs), valid
            return self.digits(many, xs[0], by_strides)[place], valid
        [x] = xs if kind != "Embed" else [of(0)]
        match kind, forward:
            case "Pad", True:
                return x + self.number(params["left"]), valid
            case "Pad", False:
                return x - self.number(params["left"]), valid
            case "Slice", True:
                begin, end = self.number(params["begin"]), self.number(params["end"])
                return x - begin, both(valid, at_most(of(0), x - begin), less(x, end))
            case "Slice", False:
                return x + self.number(params["begin"]), valid
            case "Embed", False:
                return sum((u * c for u, c in zip(xs, params["coefficients"], strict=True)), of(0)), valid
        raise ValueError(f"{kind} has no {'forward' if forward else 'reverse'} formula here")

    def flatten_by_strides(self, names: list[str]) -> bool:
        mode = self.definition.graph.get("flatten", "declared")
        if mode != "declared":
            return mode == "strides"
        return all("stride" in self.definition.nodes[name] for name in names)

    def sum_by_sizes(self, names: list[str], xs: list[Poly]) -> Poly:
        out = of(0)
        for name, x in zip(names, xs, strict=True):
            out = x if name == names[0] else out * self.size(name) + x
        return out

    def sum_by_strides(self, names: list[str], xs: list[Poly]) -> Poly:
        return sum((x * self.stride(name) for name, x in zip(names, xs, strict=True)), of(0))

    def digits(self, names: list[str], k: Poly, by_strides: bool) -> list[Poly]:
        """Returns the digits of a number. The slowest takes the whole quotient."""
        order = list(range(len(names)))
        if by_strides:
            # The slowest first. Strides that are no product of the sizes below them have no digits.
            order.sort(key=lambda place: -self.stride(names[place]).value())
            below = 1
            for place in reversed(order):
                assert self.stride(names[place]).value() == below
                below *= self.size(names[place]).value()
        out: dict[int, Poly] = {}
        for place in reversed(order):
            if place == order[0]:
                out[place] = k
                continue
            size = self.size(names[place])
            out[place] = self.context.mod(k, size)
            k = self.context.div(k, size)
        return [out[place] for place in range(len(names))]

    def sundered(self, sources: list[str]) -> tuple[Poly, Truth]:
        """Returns the coordinate of the branch that the last coordinate selects, after the sizes of the branches before it."""
        *branches, switch = sources
        at, valid = self.of(switch)
        before = of(0)
        pieces = []
        for number, branch in enumerate(branches):
            here = equal(at, of(number))
            if here is not False:
                value, inside = self.of(branch)
                pieces.append((here, value + before, inside))
            before += self.size(branch)
        out, holds = pieces[-1][1], pieces[-1][2]
        for here, value, inside in reversed(pieces[:-1]):
            out = self.context.choose(here, value, out)
            holds = either(both(here, inside), both(negate(here), holds))
        return out, both(valid, holds)

    def pieces(self, params: dict, sources: list[str]) -> tuple[Poly, Truth]:
        """Returns one of two sums, by a condition. Only the coordinates of the sum that is taken need to be valid."""
        first, valid_first = self.of(sources[0])
        arguments = [first]
        truth = self.number(params["condition"], arguments)
        sums = []
        for strides, initial in zip(params["strides"], params["initial"], strict=True):
            total, valid = self.number(initial), True
            for stride, name in zip(strides, sources, strict=True):
                if stride != 0:
                    x, inside = self.of(name)
                    total, valid = total + x * self.number(stride), both(valid, inside)
            sums.append((total, valid))
        (a, valid_a), (b, valid_b) = sums
        return self.context.choose(truth, a, b), both(valid_first, either(both(truth, valid_a), both(negate(truth), valid_b)))
