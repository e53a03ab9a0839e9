"""The claims about a kernel as formulas of Z3. A claim is false if one of its formulas has a solution.

The formulas follow the runs of kernel-verdicts/src/run.rs:

* An access happens if the loops and conditions around it hold, and if its element and the entries of tables that it reads exist.
* The epoch of an access is the number of barriers before, an expression of the counters of the loops around it.
* Accesses race in different threads of a block if their epochs are equal, and in different blocks if their epochs of the grid are equal.
* A store is before a load of its thread by the order of the text and of the counters, and before one of other threads by its epoch.
* Sizes do not count if a divisor is not positive, or if a table cannot exist.
"""
from __future__ import annotations

import operator

import z3
from kernels import entries

# Quotients and remainders of Z3 round down, as divisors are positive.
VALUES = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "%": operator.mod}


class NotEncoded(Exception):
    """A claim has no formula here."""


class Query:
    """A formula: unknowns for the sizes, and conditions. It has a solution if a claim is false."""

    def __init__(self, kernel):
        self.kernel, self.read = kernel, {}
        self.sizes = {name: z3.Int(name[1]) for name, _ in kernel.params}
        self.asked = [self.sizes[name] >= least for name, least in kernel.params]
        self.of = Thread(self, self.sizes, "")
        self.asked += [self.of.value(divisor) > 0 for divisor in kernel.divisors if not isinstance(divisor, int)]
        self.tables = {name: z3.Function(name, *[z3.IntSort()] * (len(table.extents) + 1)) for name, table in kernel.tables.items()}
        for table in kernel.tables.values():
            extents = [self.of.value(extent) for extent in table.extents]
            count = z3.Product(extents) if "distinct" in table.words else 1
            self.asked.append(z3.Or(*[extent <= 0 for extent in extents], self.of.value(table.below) >= count))

    def entry(self, table, at, bound):
        """The value of an entry. States the facts of its table for the entries that are read, or for all if one is below a quantifier."""
        function = self.tables[table.name]
        known = self.read.setdefault(table.name, [])
        if bound:
            any_two = [[z3.Int(f"{table.name}[{k}]{tag}") for k in range(len(at))] for tag in ("", "'")]
            self.asked.append(z3.ForAll(any_two[0], self.in_table(table, any_two[0])))
            if "distinct" in table.words:
                self.asked.append(z3.ForAll(any_two[0] + any_two[1], self.differ(table, *any_two)))
        else:
            self.asked += [self.in_table(table, at), *[self.differ(table, at, other) for other in known if "distinct" in table.words]]
            known.append(at)
        return function(*at)

    def in_table(self, table, at):
        value = self.tables[table.name](*at)
        return z3.Implies(self.of.inside(at, table.extents), z3.And(0 <= value, value < self.of.value(table.below)))

    def differ(self, table, at, other):
        function, inside = self.tables[table.name], [self.of.inside(each, table.extents) for each in (at, other)]
        return z3.Implies(z3.And(*inside, function(*at) == function(*other)), z3.And(*equal(at, other)))


class Thread:
    """Unknowns for the coordinates of a thread and the counters of its loops. Names of `known` have a value already."""

    def __init__(self, query, known, tag, bound=False):
        self.query, self.names, self.tag, self.bound, self.unknowns = query, dict(known), tag, bound, []

    def below(self, name, extent):
        """Conditions: the name is an unknown from 0 to below the extent."""
        if name not in self.names:
            self.names[name] = z3.Int(f"{name[1]}.{name[2]}{self.tag}")
            self.unknowns.append(self.names[name])
        return [*self.exist([extent]), 0 <= self.names[name], self.names[name] < self.value(extent)]

    def reach(self, around):
        """Conditions: the thread exists, and reaches what is inside of `around`."""
        out = [each for coordinate in self.query.kernel.grid + self.query.kernel.block for each in self.below(*coordinate)]
        for mark, a, b in around:
            out += self.below(a, b) if mark == "loop" else [*self.exist([a, b]), mark(self.value(a), self.value(b))]
        return out

    def event(self, site):
        """The conditions of an access, and the values of its coordinates."""
        conditions, at = self.reach(site.around), [self.value(x) for x in site.at]
        return conditions + self.exist(site.at) + [self.inside(at, site.memory.extents)], at

    def exist(self, exprs):
        return [self.inside([self.value(x) for x in at], table.extents) for _, table, at in entries(exprs)]

    def inside(self, at, extents):
        return z3.And(*[z3.And(0 <= x, x < self.value(extent)) for x, extent in zip(at, extents)])

    def epoch(self, site, of_grid):
        if site.epochs[of_grid] is None:
            raise NotEncoded("the number of barriers depends on passes, or on a table")
        return self.value(site.epochs[of_grid])

    def value(self, expr):
        if isinstance(expr, int):
            return z3.IntVal(expr)
        word, *rest = expr
        if word == "name":
            return self.names[expr]
        if word == "entry":
            return self.query.entry(rest[0], [self.value(x) for x in rest[1]], self.bound)
        values = [self.value(x) for x in rest]
        if word == "many":
            return z3.If(values[0] > 0, values[0], 0)
        if word == "^":
            digits = [[value / 2**k % 2 for value in values] for k in range(max(map(self.bits, rest)))]
            return z3.Sum([z3.If(a == b, 0, 2**k) for k, (a, b) in enumerate(digits)])
        return VALUES[word](*values)

    def bits(self, expr):
        """The number of bits of an operand of `^`."""
        kernel, extent = self.query.kernel, None
        loops = [what[1:] for site in kernel.sites for what in site.around if what[0] == "loop"]
        if isinstance(expr, int):
            extent = expr + 1
        elif expr[0] in ("name", "%"):
            extent = expr[2] if expr[0] == "%" else dict([*kernel.grid, *kernel.block, *loops]).get(expr)
        if not isinstance(extent, int):
            raise NotEncoded("an operand of `^` has no constant bound")
        return (extent - 1).bit_length()


def equal(at, other):
    return [a == b for a, b in zip(at, other)]


def claims(kernel):
    """Yields each claim as text, with a function that returns its formulas."""
    for memory in kernel.memories.values():
        if any(site.memory is memory for site in kernel.sites):
            yield f"`{memory.name}` has no races", lambda memory=memory: list(races(kernel, memory))
    for site in kernel.sites:
        yield f"line {site.line} is in bounds", lambda site=site: [outside(kernel, site.around, site.at, site)]
        if site.kind != "store" and "given" not in site.memory.words:
            yield f"line {site.line} reads what was stored", lambda site=site: [not_stored(kernel, site)]
    for line in sorted({line for line, *_ in kernel.reads}):
        yield f"line {line} is in bounds", lambda line=line: [outside(kernel, *rest) for at, *rest in kernel.reads if at == line]
    for memory in kernel.memories.values():
        if "written" in memory.words:
            yield f"`{memory.name}` is written as a whole", lambda memory=memory: [not_written(kernel, memory)]


def races(kernel, memory):
    """Formulas for each two accesses: two threads of a block race, and threads of two blocks."""
    sites = [site for site in kernel.sites if site.memory is memory]
    for a, b in [(a, b) for k, a in enumerate(sites) for b in sites[k:] if (a.kind, b.kind) not in (("load", "load"), ("add", "add"))]:
        for blocks in (False,) if memory.shared else (False, True):
            query = Query(kernel)
            first = Thread(query, query.sizes, "")
            conditions, at = first.event(a)
            same = {} if blocks else {name: first.names[name] for name, _ in kernel.grid}
            second = Thread(query, {**query.sizes, **same}, "'")
            more, other = second.event(b)
            differ = z3.Or(*[first.names[name] != second.names[name] for name, _ in (kernel.grid if blocks else kernel.block)])
            yield [*query.asked, *conditions, *more, differ, first.epoch(a, blocks) == second.epoch(b, blocks), *equal(at, other)]


def outside(kernel, around, exprs, site=None):
    """A formula: an entry does not exist or, with `site`, the element of the access."""
    query = Query(kernel)
    thread = Thread(query, query.sizes, "")
    conditions, exist = thread.reach(around), thread.exist(exprs)
    if site:
        exist.append(thread.inside([thread.value(x) for x in exprs], site.memory.extents))
    return [*query.asked, *conditions, z3.Not(z3.And(*exist))]


def none(thread, conditions):
    """A condition: no values of the thread's unknowns fulfil the conditions."""
    inner = z3.Not(z3.And(*conditions))
    return z3.ForAll(thread.unknowns, inner) if thread.unknowns else inner


def not_stored(kernel, load):
    """A formula: the load reads an element, and no store of it was before."""
    query, asked = Query(kernel), []
    reader = Thread(query, query.sizes, "")
    conditions, at = reader.event(load)
    for site in [site for site in kernel.sites if site.memory is load.memory and site.kind != "load"]:
        # In the same thread, in the same block, and in any block. A lesser epoch is before in the same thread, too.
        for reach, shared in enumerate([kernel.grid + kernel.block, kernel.grid, []][: 2 if load.memory.shared else 3]):
            writer = Thread(query, {**query.sizes, **{name: reader.names[name] for name, _ in shared}}, "'", bound=True)
            stored, element = writer.event(site)
            if reach > 0:
                before = writer.epoch(site, reach - 1) < reader.epoch(load, reach - 1)
            else:
                common = [a for a, b in zip(site.counters(), load.counters()) if a == b]
                pairs = [(writer.names[name], reader.names[name]) for name in common]
                same = [a == b for a, b in pairs]
                before = z3.Or(*[z3.And(*same[:k], a < b) for k, (a, b) in enumerate(pairs)], z3.And(*same, site.number < load.number))
            asked.append(none(writer, [*stored, before, *equal(element, at)]))
    return [*query.asked, *conditions, *asked]


def not_written(kernel, memory):
    """A formula: there is an element, and no store of it."""
    query, asked = Query(kernel), []
    target = [z3.Int(f"element[{k}]") for k in range(len(memory.extents))]
    for site in [site for site in kernel.sites if site.memory is memory and site.kind != "load"]:
        writer = Thread(query, query.sizes, "'", bound=True)
        stored, element = writer.event(site)
        asked.append(none(writer, [*stored, *equal(element, target)]))
    return [*query.asked, query.of.inside(target, memory.extents), *asked]
