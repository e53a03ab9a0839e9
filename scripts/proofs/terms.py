"""Exact integers: polynomials over atoms. An atom is a variable, a quotient, an exclusive-or or a choice.

A polynomial maps monomials to coefficients, a monomial is a sorted tuple of atoms. Nothing wraps here: the types of a language come in `machine.py`.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from math import gcd

# Truth values: True, False, ("le", p) for p <= 0, ("eq", p) for p == 0, ("not", t), ("and", t, u), ("or", t, u).
Truth = "bool | tuple"


class Poly:
    """A polynomial with integer coefficients."""

    __slots__ = ("terms", "hash")

    def __init__(self, terms: dict[tuple[int, ...], int]):
        self.terms = {mono: factor for mono, factor in terms.items() if factor}
        self.hash = hash(frozenset(self.terms.items()))

    def __hash__(self) -> int:
        return self.hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Poly) and self.terms == other.terms

    def __add__(self, other: Poly | int) -> Poly:
        out = dict(self.terms)
        for mono, factor in of(other).terms.items():
            out[mono] = out.get(mono, 0) + factor
        return Poly(out)

    def __neg__(self) -> Poly:
        return Poly({mono: -factor for mono, factor in self.terms.items()})

    def __sub__(self, other: Poly | int) -> Poly:
        return self + -of(other)

    def __mul__(self, other: Poly | int) -> Poly:
        out: dict[tuple[int, ...], int] = {}
        for left, one in self.terms.items():
            for right, two in of(other).terms.items():
                mono = tuple(sorted(left + right))
                out[mono] = out.get(mono, 0) + one * two
        return Poly(out)

    __radd__, __rmul__ = __add__, __mul__

    def value(self) -> int | None:
        """Returns the number that the polynomial is, or None if it depends on atoms."""
        return self.terms.get((), 0) if set(self.terms) <= {()} else None

    def atoms(self) -> set[int]:
        return {atom for mono in self.terms for atom in mono}

    def __repr__(self) -> str:
        show = lambda mono, factor: "*".join([str(factor)] * (factor != 1 or not mono) + [name(atom) for atom in mono])
        return " + ".join(show(mono, factor) for mono, factor in self.terms.items()) or "0"


@dataclass(frozen=True)
class Atom:
    """A variable, `div` of two polynomials, `xor` of a set of polynomials, or `ite` of a truth value and two polynomials."""

    kind: str
    args: tuple


ATOMS: list[Atom] = []
INDEX: dict[Atom, int] = {}


def atom(kind: str, *args: object) -> Poly:
    """Returns an atom as a polynomial. Equal atoms are one."""
    one = Atom(kind, args)
    if one not in INDEX:
        INDEX[one] = len(ATOMS)
        ATOMS.append(one)
    return Poly({(INDEX[one],): 1})


def of(value: Poly | int) -> Poly:
    return value if isinstance(value, Poly) else Poly({(): value})


def variable(name: str) -> Poly:
    return atom("var", name)


def name(number: int) -> str:
    one = ATOMS[number]
    return str(one.args[0]) if one.kind == "var" else f"{one.kind}({', '.join(map(str, one.args))})"


def less(a: Poly, b: Poly) -> Truth:
    return at_most(a + 1, b)


def at_most(a: Poly, b: Poly) -> Truth:
    value = (a - b).value()
    return ("le", a - b) if value is None else value <= 0


def equal(a: Poly, b: Poly) -> Truth:
    value = (a - b).value()
    return ("eq", a - b) if value is None else value == 0


def negate(truth: Truth) -> Truth:
    if isinstance(truth, bool):
        return not truth
    return truth[1] if truth[0] == "not" else ("not", truth)


def both(*truths: Truth) -> Truth:
    out: Truth = True
    for truth in truths:
        if out is False or truth is False:
            return False
        out = truth if out is True else out if truth is True else ("and", out, truth)
    return out


def either(*truths: Truth) -> Truth:
    return negate(both(*map(negate, truths)))


class Split(Exception):
    """Asks for two proofs: one where a variable is 0, one where it is at least 1."""


class Unproven(Exception):
    """A claim that was not proven: the claim, and values of the variables for which it may be false."""

    def __init__(self, claim: str, at: dict[str, int] | None = None):
        super().__init__(claim)
        self.claim, self.at = claim, at or {}


@dataclass
class Context:
    """What is known: bounds of variables and facts. `decide` proves a truth value of polynomials (see `solver.py`)."""

    bounds: dict[int, tuple[int, int]] = field(default_factory=dict)
    facts: list = field(default_factory=list)
    decide: object = None
    ranges: dict[int, tuple[int | None, int | None]] = field(default_factory=dict)
    quotients: dict = field(default_factory=dict)

    def declare(self, name: str, low: int, high: int, step: int = 1) -> Poly:
        """Returns a variable within these bounds that is a multiple of `step`."""
        if low == high:
            return of(low)
        one = variable(name)
        [number] = one.atoms()
        self.bounds[number] = (-(-low // step), high // step)
        return one * step

    def range_of(self, number: int) -> tuple[int, int]:
        """Returns bounds of an atom."""
        if number not in self.ranges:
            self.ranges[number] = self.bounds[number] if number in self.bounds else self.bound(ATOMS[number])
        return self.ranges[number]

    def bound(self, one: Atom) -> tuple[int, int]:
        if one.kind == "div":
            (low, high), (least, most) = map(self.range, one.args)
            ends = [end // by for end in (low, high) for by in {max(1, least), max(1, most)}]
            return min(ends + [0] * (least <= 0)), max(ends + [0] * (least <= 0))
        if one.kind == "xor":
            ranges = [self.range(part) for part in one.args[0]]
            bits = max(max(low if low >= 0 else -low - 1, high).bit_length() for low, high in ranges)
            return (-(1 << bits) if any(low < 0 for low, _ in ranges) else 0), (1 << bits) - 1
        if one.kind == "ite":
            (a, b), (c, d) = map(self.range, one.args[1:])
            return min(a, c), max(b, d)
        raise KeyError(f"{one} has no bounds")

    def range(self, p: Poly) -> tuple[int, int]:
        """Returns bounds of a polynomial, from the bounds of its atoms."""
        low = high = 0
        for mono, factor in p.terms.items():
            ends = [factor, factor]
            for number in mono:
                a, b = self.range_of(number)
                products = [x * y for x in ends for y in (a, b)]
                ends = [min(products), max(products)]
            low, high = low + ends[0], high + ends[1]
        return low, high

    def proves(self, truth: Truth, quickly: bool | str = False) -> bool:
        """Returns whether a truth value is proven. `quickly` leaves out products of facts, or what comes after these products."""
        if any(fact is False for fact in self.facts):
            return True
        if not isinstance(truth, bool):
            truth = self.quick(truth)
        return truth if isinstance(truth, bool) else self.decide(self, truth, quickly)

    def quick(self, truth: Truth) -> Truth:
        """Returns a truth value that the bounds decide, or the same."""
        if isinstance(truth, bool):
            return truth
        if truth[0] in ("le", "eq"):
            low, high = self.range(truth[1])
            if truth[0] == "le":
                return True if high <= 0 else False if low > 0 else truth
            return True if low == high == 0 else False if low > 0 or high < 0 else truth
        parts = [self.quick(part) for part in truth[1:]]
        return negate(parts[0]) if truth[0] == "not" else (both if truth[0] == "and" else either)(*parts)

    def div(self, p: Poly, by: Poly | int) -> Poly:
        """Returns the quotient, rounded down, for a divisor that is not negative; 0 for the divisor 0.

        The rules below only guess a shorter quotient: the solver proves that the remainder is within the divisor, and a quotient with
        this property is the only one.
        """
        by = of(by)
        # A quotient of a quotient is one quotient, by the lemma `nested quotients`.
        nested = quotient_of(p)
        if nested and self.range(nested[1])[0] >= 1 and self.range(by)[0] >= 1:
            x, a, more = nested
            return self.div(x + a * more, a * by)
        p_value, by_value = p.value(), by.value()
        if by_value == 0:
            return of(0)
        if by_value == 1:
            return p
        if p_value is not None and by_value is not None:
            return of(p_value // by_value)
        key = (p, by)
        if key not in self.quotients:
            least = self.range(by)[0]
            if least < 1:
                self.positive(by)
            guess = self.guess(p, by)
            if guess is not None and guess != atom("div", p, by):
                rest = p - guess * by
                if not self.proves(both(at_most(of(0), rest), less(rest, by))):
                    guess = None
            self.quotients[key] = guess if guess is not None else atom("div", p, by)
        return self.quotients[key]

    def positive(self, by: Poly) -> None:
        """Asks for a split if a variable of a divisor may be 0. Fails if the divisor may be negative, or 0 for another reason."""
        for number in sorted(by.atoms()):
            if ATOMS[number].kind == "var" and self.range_of(number)[0] == 0:
                raise Split(number)
        if not self.proves(at_most(of(0), by)):
            raise Unproven(f"the divisor {by} is not negative")

    def guess(self, p: Poly, by: Poly) -> Poly | None:
        """Returns a quotient without the multiples of the divisor, nested quotients or remainders."""
        if self.range(by)[0] < 1:
            return None
        d = by.value()
        if d is None:
            # Pulls out multiples of a divisor with one term.
            if len(by.terms) != 1:
                return None
            [(mono, factor)] = by.terms.items()
            out, rest = of(0), {}
            for term, count in p.terms.items():
                left = without(term, mono)
                if left is not None and count % factor == 0:
                    out += Poly({left: count // factor})
                else:
                    rest[term] = count
            inner = Poly(rest)
            for more in (0, -1):
                rest = inner - by * more
                if self.proves(both(at_most(of(0), rest), less(rest, by))):
                    return out + more
            return out + (self.div(inner, by) if out.terms else atom("div", inner, by))
        out, rest = of(0), {}
        for term, count in p.terms.items():
            if count % d == 0 or not term:
                out += Poly({term: count // d})
                rest[term] = count % d
            else:
                rest[term] = count
        inner = Poly(rest)
        low, high = self.range(inner)
        if low // d == high // d:
            return out + low // d
        nested = quotient_of(inner)
        if nested and self.range(nested[1])[0] >= 1:
            return out + self.div(inner, d)
        # The terms that a factor of the divisor divides, and the others, if these are below the factor.
        factors = sorted({gcd(count, d) for term, count in inner.terms.items() if term} - {1, d}, reverse=True)
        for factor in factors:
            coarse = {term: count for term, count in inner.terms.items() if term and count % factor == 0}
            fine = Poly({term: count for term, count in inner.terms.items() if term not in coarse})
            low, high = self.range(fine)
            if low // factor == high // factor:
                return out + self.div(Poly({term: count // factor for term, count in coarse.items()}) + low // factor, d // factor)
        return out + (self.div(inner, by) if out.terms else atom("div", inner, by))

    def mod(self, p: Poly, by: Poly | int) -> Poly:
        """Returns the remainder of `div`; `p` for the divisor 0."""
        return p - self.div(p, by) * by

    def xor(self, *parts: Poly) -> Poly:
        """Returns the exclusive-or. Equal parts cancel."""
        known, odd = 0, set()
        for part in parts:
            inner = [part]
            if len(part.terms) == 1:
                [(mono, factor)] = part.terms.items()
                if factor == 1 and len(mono) == 1 and ATOMS[mono[0]].kind == "xor":
                    inner = list(ATOMS[mono[0]].args[0])
            for one in inner:
                value = one.value()
                if value is not None:
                    known ^= value
                else:
                    odd ^= {one}
        if known:
            odd.add(of(known)) if odd else None
        if not odd:
            return of(known)
        return next(iter(odd)) if len(odd) == 1 else atom("xor", frozenset(odd))

    def choose(self, truth: Truth, a: Poly, b: Poly) -> Poly:
        truth = self.quick(truth)
        if isinstance(truth, bool):
            return a if truth else b
        return a if a == b else atom("ite", truth, a, b)


def without(term: tuple[int, ...], mono: tuple[int, ...]) -> tuple[int, ...] | None:
    """Returns a monomial divided by another, or None."""
    left = list(term)
    for number in mono:
        if number not in left:
            return None
        left.remove(number)
    return tuple(left)


def quotient_of(p: Poly) -> tuple[Poly, Poly, int] | None:
    """Returns the operands of a quotient, and the number that is added to it, if `p` is such a sum."""
    terms = [(mono, factor) for mono, factor in p.terms.items() if mono]
    if len(terms) == 1 and terms[0][1] == 1 and len(terms[0][0]) == 1 and ATOMS[terms[0][0][0]].kind == "div":
        return *ATOMS[terms[0][0][0]].args, p.terms.get((), 0)
    return None


def forget() -> None:
    """Forgets all atoms, after a function is done."""
    ATOMS.clear()
    INDEX.clear()
