"""Proofs by Z3: claims over exact integers, as linear arithmetic or as bit vectors that are wide enough to never wrap."""
from __future__ import annotations

import itertools
import time
from dataclasses import replace

import z3

from terms import ATOMS, Atom, Context, Poly, Truth, Unproven, at_most, negate, of


# Megabytes of the solver.
z3.set_param("memory_max_size", 2000)


class Clock:
    """The time that is left for a function."""

    def __init__(self, seconds: float):
        self.end = time.monotonic() + seconds

    def left(self) -> int:
        """Returns the milliseconds that are left. Fails if there are none."""
        left = int(1000 * (self.end - time.monotonic()))
        if left <= 0:
            raise Unproven("the time is over")
        return left


def truths(truth: Truth):
    """Yields the polynomials of a truth value."""
    if isinstance(truth, bool):
        return
    if truth[0] in ("le", "eq"):
        yield truth[1]
    else:
        for part in truth[1:]:
            yield from truths(part)


def reached(context: Context, roots: list[Truth]) -> list[int]:
    """Returns the atoms that these truth values depend on, and the facts about them: operands first."""
    seen: dict[int, None] = {}

    def visit(p: Poly) -> None:
        for number in sorted(p.atoms()):
            if number in seen:
                continue
            for part in operands(ATOMS[number]):
                visit(part)
            seen[number] = None

    for root in roots:
        for p in truths(root):
            visit(p)
    return list(seen)


def operands(one: Atom) -> list[Poly]:
    if one.kind == "div":
        return list(one.args)
    if one.kind == "xor":
        return list(one.args[0])
    if one.kind == "ite":
        return [*truths(one.args[0]), *one.args[1:]]
    return []


def has_xor(context: Context, goal: Truth) -> bool:
    return any(ATOMS[number].kind == "xor" for number in reached(context, [goal]))


class Theory:
    """Numbers of the solver, in which claims are stated. A subclass says what the number of a polynomial is."""

    def of(self, p: Poly) -> z3.ExprRef:
        raise NotImplementedError

    def truth(self, truth: Truth) -> z3.BoolRef:
        if isinstance(truth, bool):
            return z3.BoolVal(truth)
        if truth[0] == "le":
            return self.of(truth[1]) <= 0
        if truth[0] == "eq":
            return self.of(truth[1]) == 0
        parts = [self.truth(part) for part in truth[1:]]
        return z3.Not(parts[0]) if truth[0] == "not" else (z3.And if truth[0] == "and" else z3.Or)(parts)


class Integers(Theory):
    """A claim in linear arithmetic. A product of atoms is an unknown with the bounds that follow from its factors."""

    def __init__(self, context: Context, exact: bool = False):
        self.context, self.exact = context, exact
        self.solver = z3.Solver() if exact else z3.SimpleSolver()
        self.atoms: dict[int, z3.ArithRef] = {}
        self.products: dict[tuple[int, ...], z3.ArithRef] = {}
        # Polynomials that are not negative.
        self.known: list[Poly] = []

    def of(self, p: Poly) -> z3.ArithRef:
        return z3.Sum([factor * self.mono(mono) for mono, factor in p.terms.items()] or [z3.IntVal(0)])

    def mono(self, mono: tuple[int, ...]) -> z3.ArithRef:
        if not mono:
            return z3.IntVal(1)
        if len(mono) == 1:
            return self.atoms[mono[0]]
        if mono not in self.products:
            if self.exact:
                self.products[mono] = z3.Product([self.atoms[number] for number in mono])
            else:
                one = self.products[mono] = z3.Int("*".join(map(str, mono)))
                low, high = self.context.range(Poly({mono: 1}))
                self.solver.add(low <= one, one <= high)
        return self.products[mono]

    def define(self, number: int) -> None:
        one = ATOMS[number]
        x = self.atoms[number] = z3.Int(f"a{number}")
        low, high = self.context.range_of(number)
        self.solver.add(low <= x, x <= high)
        here = Poly({(number,): 1})
        self.known += [here - low, of(high) - here]
        if one.kind == "div":
            p, by = one.args
            rest = p - here * by
            if self.context.range(by)[0] >= 1:
                self.solver.add(self.of(rest) >= 0, self.of(rest) < self.of(by))
                self.known += [rest, by - 1 - rest, by - 1]
            else:
                zero = self.of(by) == 0
                self.solver.add(z3.If(zero, x == 0, z3.And(self.of(rest) >= 0, self.of(rest) < self.of(by))))
        elif one.kind == "ite":
            truth, a, b = one.args
            self.solver.add(z3.If(self.truth(truth), x == self.of(a), x == self.of(b)))
        elif one.kind == "xor":
            # A sum or a difference of naturals bounds their exclusive-or.
            parts = list(one.args[0])
            if all(self.context.range(part)[0] >= 0 for part in parts):
                self.solver.add(x <= z3.Sum([self.of(part) for part in parts]))

    def load(self, goal: Truth) -> z3.BoolRef:
        """Adds what is known about the atoms of the goal. Returns the negated goal."""
        facts = self.context.facts
        for number in reached(self.context, [goal, *facts]):
            self.define(number)
        for fact in facts:
            self.solver.add(self.truth(fact))
            if not isinstance(fact, bool) and fact[0] == "le":
                self.known.append(-fact[1])
        return self.truth(negate(goal))

    def multiply(self, goal: Truth) -> None:
        """Adds products of pairs of facts, as far as their monomials occur already or are of degree 2."""
        present = set(self.products)
        # The claim is wrong here: `p <= 0` is `p - 1 >= 0`.
        known = ([goal[1] - 1] if not isinstance(goal, bool) and goal[0] == "le" else []) + self.known
        known = list(dict.fromkeys(p for p in known if p.value() is None))
        if len(known) > 60:
            known = known[:60]
        for a, b in itertools.combinations_with_replacement(known, 2):
            p = a * b
            nonlinear = {mono for mono in p.terms if len(mono) > 1}
            if nonlinear and (nonlinear & present) and len(nonlinear - present) <= 1:
                self.solver.add(self.of(p) >= 0)


class Bits(Theory):
    """A claim in bit vectors. They are so wide that no operation wraps."""

    def __init__(self, context: Context):
        self.context = context
        self.solver = z3.SolverFor("QF_BV")
        self.atoms: dict[int, z3.BitVecRef] = {}
        self.products: dict[tuple[int, ...], z3.BitVecRef] = {}
        self.width = 8

    def widen(self, numbers: list[int], goals: list[Truth]) -> None:
        """Chooses the width for all polynomials of these atoms and truth values."""
        ends = []
        polys = [p for number in numbers for p in operands(ATOMS[number])] + [p for goal in goals for p in truths(goal)]
        for p in polys:
            total = 0
            for mono, factor in p.terms.items():
                low, high = self.context.range(Poly({mono: 1}))
                total += abs(factor) * max(abs(low), abs(high))
            ends.append(total)
        for number in numbers:
            ends += map(abs, self.context.range_of(number))
            if ATOMS[number].kind == "div":
                (low, high), (least, most) = map(self.context.range, ATOMS[number].args)
                ends.append((max(abs(low), abs(high)) + max(abs(least), abs(most))) * 2)
        self.width = max(ends, default=0).bit_length() + 3

    def number(self, value: int) -> z3.BitVecRef:
        return z3.BitVecVal(value, self.width)

    def of(self, p: Poly) -> z3.BitVecRef:
        out = self.number(p.terms.get((), 0))
        for mono, factor in p.terms.items():
            if mono:
                out = out + (self.mono(mono) if factor == 1 else self.mono(mono) * self.number(factor))
        return out

    def mono(self, mono: tuple[int, ...]) -> z3.BitVecRef:
        if len(mono) == 1:
            return self.atoms[mono[0]]
        if mono not in self.products:
            # A product is any number within its bounds: both sides of the claim have the same one.
            self.products[mono] = self.bounded("*".join(map(str, mono)), *self.context.range(Poly({mono: 1})))
        return self.products[mono]

    def bounded(self, name: str, low: int, high: int) -> z3.BitVecRef:
        if low >= 0:
            # Few free bits and zeros before them.
            bits = max(1, high.bit_length())
            x = z3.ZeroExt(self.width - bits, z3.BitVec(name, bits))
        else:
            x = z3.BitVec(name, self.width)
        self.solver.add(self.number(low) <= x, x <= self.number(high))
        return x

    def define(self, number: int) -> None:
        one = ATOMS[number]
        low, high = self.context.range_of(number)
        if one.kind == "xor":
            parts = [self.of(part) for part in sorted(one.args[0], key=repr)]
            out = parts[0]
            for part in parts[1:]:
                out = out ^ part
            self.atoms[number] = out
            return
        if one.kind == "ite":
            truth, a, b = one.args
            self.atoms[number] = z3.If(self.truth(truth), self.of(a), self.of(b))
            return
        if one.kind == "div":
            p, by = one.args
            d = by.value()
            if d is not None and d & (d - 1) == 0:
                self.atoms[number] = self.of(p) >> self.number(d.bit_length() - 1)
                return
            self.atoms[number] = self.bounded(f"a{number}", low, high)
            rest = self.of(p - Poly({(number,): 1}) * by)
            below = z3.And(rest >= 0, rest < self.of(by))
            self.solver.add(below if self.context.range(by)[0] >= 1 else z3.If(self.of(by) == 0, self.atoms[number] == 0, below))
            return
        self.atoms[number] = self.bounded(f"a{number}", low, high)

    def load(self, goal: Truth) -> z3.BoolRef:
        numbers = reached(self.context, [goal, *self.context.facts])
        self.widen(numbers, [goal, *self.context.facts])
        for number in numbers:
            self.define(number)
        for fact in self.context.facts:
            self.solver.add(self.truth(fact))
        return self.truth(negate(goal))


class Prover:
    """Decides claims, within a time, and counts the calls of the solver."""

    def __init__(self, seconds: float):
        self.clock, self.calls = Clock(seconds), 0
        self.at: dict[str, int] = {}

    def __call__(self, context: Context, goal: Truth, quickly: bool | str = False) -> bool:
        """Returns whether the claim is proven. Otherwise `at` has values of the variables for which it may be false."""
        self.at = {}
        if not isinstance(goal, bool) and goal[0] == "and":
            # Each part alone has fewer unknowns.
            return all(self(context, part, quickly) for part in goal[1:])
        if self.bounds_xor(context, goal):
            return True
        if has_xor(context, goal) and self.check(Integers(context), goal, 2000) == z3.unsat:
            return True
        if has_xor(context, goal):
            # The operands that are not negative, where bounds alone do not say so.
            parts = {p for number in reached(context, [goal]) if ATOMS[number].kind == "xor" for p in ATOMS[number].args[0]}
            found = [at_most(of(0), p) for p in sorted(parts, key=repr) if context.range(p)[0] < 0]
            found = [fact for fact in found if not has_xor(context, fact) and self(context, fact, "products")]
            return self.check(Bits(replace(context, facts=[*context.facts, *found])), goal, None) == z3.unsat
        first = self.check(Integers(context), goal, 3000)
        if first == z3.unsat:
            return True
        if quickly is True or not any(len(mono) > 1 for p in self.polys(context, goal) for mono in p.terms):
            return False
        if not isinstance(goal, bool) and goal[0] == "eq":
            return all(self(context, ("le", part), quickly) for part in (goal[1], -goal[1]))
        if self.check(Integers(context), goal, 4000, products=True) == z3.unsat:
            return True
        return not quickly and self.check(Integers(context, exact=True), goal, 2000) == z3.unsat

    def bounds_xor(self, context: Context, goal: Truth) -> bool:
        """Returns whether the goal bounds one exclusive-or, and its operands have the bound: naturals below 2^k have one below 2^k."""
        if isinstance(goal, bool) or goal[0] != "le":
            return False
        terms = [(mono, factor) for mono, factor in goal[1].terms.items() if mono]
        if len(terms) != 1 or len(terms[0][0]) != 1 or abs(terms[0][1]) != 1 or ATOMS[terms[0][0][0]].kind != "xor":
            return False
        end = goal[1].terms.get((), 0)
        parts = sorted(ATOMS[terms[0][0][0]].args[0], key=repr)
        natural = lambda part: context.range(part)[0] >= 0 or self(context, at_most(of(0), part), "products")
        if terms[0][1] == -1:
            return end <= 0 and all(map(natural, parts))
        top = (1 << ((1 - end).bit_length() - 1)) - 1 if end <= 0 else -1
        below = lambda part: context.range(part)[1] <= top or self(context, at_most(part, of(top)), "products")
        return all(natural(part) and below(part) for part in parts)

    def polys(self, context: Context, goal: Truth):
        yield from truths(goal)
        for number in reached(context, [goal, *context.facts]):
            yield from operands(ATOMS[number])
            if ATOMS[number].kind == "div" and ATOMS[number].args[1].value() is None:
                yield ATOMS[number].args[0] - Poly({(number,): 1}) * ATOMS[number].args[1]

    def check(self, theory: Integers | Bits, goal: Truth, most: int | None, products: bool = False) -> z3.CheckSatResult:
        self.calls += 1
        negated = theory.load(goal)
        if products:
            theory.multiply(goal)
        left = self.clock.left()
        theory.solver.set("timeout", left if most is None else min(left, most))
        theory.solver.add(negated)
        try:
            answer = theory.solver.check()
        except z3.Z3Exception:
            # Too much memory.
            answer = z3.unknown
        if answer == z3.sat:
            model = theory.solver.model()
            for number, x in theory.atoms.items():
                if ATOMS[number].kind == "var":
                    value = model.eval(x, model_completion=True)
                    self.at[ATOMS[number].args[0]] = value.as_signed_long() if isinstance(theory, Bits) else value.as_long()
        return answer
