"""Lemmas about the helper functions of a text, each proven once: division by magic numbers, and division that rounds down."""
from __future__ import annotations

import re
import time

import z3

import terms

from machine import Machine, Number, bits, limits
from parse import File, Function, Unknown
from solver import Prover
from terms import Context, Poly, Unproven, at_most, both, equal, less, of

SECONDS = 20
# The seconds of each lemma.
PROVEN: dict[tuple, float] = {}


class Magic:
    """A magic number of a divisor: `magic`, `bias` or `shift`."""

    def __init__(self, divisor: Poly, part: str, word: str):
        self.divisor, self.part, self.word = divisor, part, word


def helpers(file: File, host: File, name: str, language: str, other: File | None) -> dict:
    """Returns the meaning of each helper function of a text. Each is proven first. `other` is the same text for the host in CUDA and HIP."""
    out = {"magic": of_rust}
    for source, tongue in ((file, language), (host, "rust" if language == "wgsl" else "c")):
        for suffix in ("floor_div", "floor_mod", "total_div", "total_mod"):
            function = source.functions.get(f"{name}_{suffix}")
            if function:
                once(function, name, tongue, lambda f=function, s=source, t=tongue, x=suffix: rounding(f, s, t, x))
                out[function.name] = rounded(suffix)
        function = source.functions.get(f"{name}_magic")
        if function:
            once(function, name, tongue, lambda f=function: magic(f, name))
            out[function.name] = prepared
    for source in filter(None, (file, other)):
        function = source.functions.get(f"{name}_div")
        if function:
            once(function, name, language, lambda f=function, s=source: high_half(f, s, language))
            out[function.name] = divided
    return out


def once(function: Function, name: str, language: str, prove: object) -> None:
    """Proves a lemma if no function with the same statements had it."""
    body = repr(function.body) if function.body else re.sub(rf"\b{name}_", "f_", function.source)
    key = (function.returns, tuple(function.parameters), body, language == "wgsl")
    if key not in PROVEN:
        start = time.monotonic()
        prove()
        PROVEN[key] = time.monotonic() - start


# What the calls mean.


def rounded(suffix: str) -> object:
    """Returns the meaning of a division that rounds down. Its lemma holds for divisors that are not negative."""

    def call(machine: Machine, arguments: list[tuple]) -> Number:
        a, b = machine.common(*map(machine.value, arguments))
        a, b = machine.exact(a), machine.exact(b)
        least = 1 if suffix.startswith("floor") else 0
        machine.claim(at_most(of(least), b.poly), f"{b.poly} is at least {least}")
        return Number((machine.context.div if suffix.endswith("div") else machine.context.mod)(a.poly, b.poly), a.type)

    return call


def divided(machine: Machine, arguments: list[tuple]) -> Number:
    """Returns the quotient by magic numbers, by the lemmas `magic` and `high_half`."""
    n, *parts = map(machine.value, arguments)
    if [part.part for part in parts] != ["magic", "bias", "shift"] or len({part.divisor for part in parts}) != 1:
        raise Unknown("magic numbers of several divisors")
    by, word = parts[0].divisor, parts[0].word
    n = machine.exact(n)
    machine.claim(both(at_most(of(0), n.poly), at_most(n.poly, of(limits(word)[1]))), f"{n.poly} fits {word}")
    return Number(machine.context.div(n.poly, by), n.type if n.type != "literal" else word)


def prepared(machine: Machine, arguments: list[tuple]) -> None:
    """Sets three fields to the magic numbers of a divisor."""
    word = {name: ty for ty, name in machine.file.functions[next(f for f in machine.file.functions if f.endswith("_magic"))].parameters}["d"]
    divisor = machine.exact(machine.convert(machine.exact(machine.value(arguments[0])), word))
    for part, argument in zip(("magic", "bias", "shift"), arguments[1:], strict=True):
        match argument:
            case ("address", ("field", ("name", base), field)) if field not in machine.names[base]:
                machine.names[base][field] = Magic(divisor.poly, part, word)
            case _:
                raise Unknown(f"the address {argument}")


def of_rust(machine: Machine, word: str, inner: tuple) -> dict[str, Magic]:
    """Returns the magic numbers that `FastDiv32::total` and `FastDiv64::total` of the crate make. The lemmas are about their formula."""
    divisor = machine.exact(machine.value(inner))
    machine.claim(both(at_most(of(0), divisor.poly), at_most(divisor.poly, of(limits(word)[1]))), f"{divisor.poly} fits {word}")
    if divisor.type != word:
        raise Unknown(f"a divisor of type {divisor.type}")
    return {part: Magic(divisor.poly, part, word) for part in ("magic", "bias", "shift")}


# Lemmas of the texts.


def rounding(function: Function, file: File, language: str, suffix: str) -> None:
    """Proves that the text of a division that rounds down is this division, for all dividends and all divisors that are not negative."""
    [(ty, _), _] = function.parameters
    low, high = limits(ty)
    signs = [(low // 2 - 1, -1), (0, high // 2)] if low < 0 else [(0, high // 2)]
    # Divisors of at least 2 and a = q b + r; then the divisors 1 and 0.
    ways = [(ends, 2, rest) for ends in signs for rest in ((0, 0), (1, high))] + [((low, high), 1, (0, 0))]
    ways += [((low, high), 0, (0, 0))] * suffix.startswith("total")
    for ends, least, rest in ways:
        context = Context(decide=Prover(SECONDS))
        q, r = context.declare("q", *ends), context.declare("r", *rest)
        b = context.declare("b", 2, high) if least == 2 else of(least)
        a = q * b + r if least else q
        context.facts = [less(r, b), at_most(of(low), a), at_most(a, of(high))] if least else []
        machine = Machine(file, language, context, {})
        got = machine.exact(machine.run(function, [Number(a, ty), Number(b, ty)]))
        wanted = q if least else of(0)
        wanted = wanted if suffix.endswith("div") else a - wanted * b
        if not context.proves(equal(got.poly, wanted)):
            raise Unproven(f"{function.name} for q in {ends}, r in {rest} and b from {least}", context.decide.at)


def high_half(function: Function, file: File, language: str) -> None:
    """Proves that the text is `(n magic + bias) >> N >> shift` in exact integers, for all numbers of the word of N bits."""
    [(ty, _), (word, _), *_] = function.parameters
    width = bits(word)
    context = Context(decide=Prover(SECONDS))
    if language == "wgsl":
        # Halves of the words, so that the products of the halves have bounds.
        top = (1 << 15) - 1 if ty == "i32" else (1 << 16) - 1
        halves = [context.declare(name, 0, end) for name, end in (("n1", top), ("n0", 65535), ("m1", 65535), ("m0", 65535))]
        n, magic_number = halves[0] * 65536 + halves[1], halves[2] * 65536 + halves[3]
    else:
        n, magic_number = context.declare("n", 0, limits(ty)[1]), context.declare("magic", 0, limits(word)[1])
    bias, shift = context.declare("bias", 0, limits(word)[1]), context.declare("shift", 0, width - 1)
    power = context.declare("power", 1, 1 << (width - 1))
    context.powers = {shift: power}
    machine = Machine(file, language, context, {})
    got = machine.run(function, [Number(n, ty), *(Number(p, word) for p in (magic_number, bias, shift))])
    got = machine.exact(got).poly
    if got == context.div(context.div(n * magic_number + bias, 1 << width), power):
        return
    got = terms.quotient_of(got)
    wanted = context.div(n * magic_number + bias, 1 << width)
    if not got or got[1:] != (power, 0) or not context.proves(equal(got[0], wanted)):
        raise Unproven(f"{function.name} is the high half", context.decide.at)


MAGIC = """static inline void f_magic(WORD d, WORD *magic, WORD *bias, WORD *shift) {
    *magic = *bias = *shift = 0;
    if (d == 0) {
        return;
    }
    while (d >> *shift > 1) {
        ++*shift;
    }
DIVISION    if (rest == 0) {
        *magic = *bias = (WORD)-1;
    } else if (d - rest <= (WORD)1 << *shift) {
        *magic = down + 1;
    } else {
        *magic = *bias = down;
    }
}"""
NARROW = """    const uint64_t power = (uint64_t)1 << 32 << *shift;
    const uint32_t rest = (uint32_t)(power % d);
    const uint32_t down = (uint32_t)(power / d);
"""
WIDE = """    // 2^64 times the power of two below d, divided by d bit by bit
    const uint64_t power = (uint64_t)1 << *shift;
    uint64_t down = 0;
    uint64_t rest = power < d ? power : 0;
    for (int bit = 0; bit < 64; ++bit) {
        const bool carry = rest >> 63;
        rest <<= 1;
        down <<= 1;
        if (carry || rest >= d) {
            rest -= d;
            down |= 1;
        }
    }
"""


def magic(function: Function, name: str) -> None:
    """Checks that the text computes the magic numbers that the lemmas below are about, letter by letter."""
    [(word, _), *_] = function.parameters
    ty, division = {"u32": ("uint32_t", NARROW), "u64": ("uint64_t", WIDE)}[word]
    wanted = MAGIC.replace("DIVISION", division).replace("WORD", ty)
    got = re.sub(rf"\b{name}_magic", "f_magic", function.source)
    if got != wanted:
        raise Unknown(f"another text of the magic numbers:\n{got}")


# Lemmas about numbers. W = 2^N, S = 2^s, P = W S, where 2^s <= d < 2^(s+1), so S <= d < 2 S; r = P mod d.


def theorems() -> list[tuple[str, list, object]]:
    """Returns the lemmas of the division by magic numbers, for every divisor and every width: name, premises, conclusion."""
    n, d, q, t, P, W, S, r, e, m, b, x, a, Q = z3.Ints("n d q t P W S r e m b x a Q")
    lines = [
        # Reading: the magic number is m, the bias b, and x = n m + b.
        ("one of two cases holds", [S >= 1, S <= d, d < 2 * S, 0 <= r, r < d], z3.Or(d - r <= S, r <= S)),
        ("above: n e < P", [0 <= n, n < W, 0 <= e, e <= S, S >= 1], n * e < W * S),
        ("above: d x - n P is in [0, P)", [m * d == P + e, x == n * m, b == 0, 0 <= n * e, n * e < P], z3.And(0 <= d * x - n * P, d * x - n * P < P)),
        ("below: (n + 1) r <= P", [0 <= n, n < W, 0 < r, r <= S], z3.And(0 < (n + 1) * r, (n + 1) * r <= W * S)),
        (
            "below: d x - n P is in [0, P)",
            [m * d == P - r, b == m, x == n * m + b, 0 < (n + 1) * r, (n + 1) * r <= P],
            z3.And(0 <= d * x - n * P, d * x - n * P < P),
        ),
        # d x - n P in [0, P) and n = q d + t give q P <= x < (q + 1) P.
        ("n P is q d P + t P", [n == q * d + t], n * P == q * d * P + t * P),
        ("the sum of t P", [0 <= t, t <= d - 1, P >= 1], z3.And(0 <= t * P, t * P <= d * P - P)),
        ("a multiple of d", [d >= 1, 0 <= d * a, d * a < d * P], z3.And(0 <= a, a < P)),
        ("the quotient by P", [a == x - q * P, 0 <= a, a < P], z3.And(q * P <= x, x < (q + 1) * P)),
        # A power of two: m = b = W - 1.
        ("a power: n W <= x < (n + 1) W", [0 <= n, n < W, x == n * (W - 1) + (W - 1)], z3.And(n * W <= x, x < (n + 1) * W)),
        # The two shifts are one division by P.
        ("nested quotients", [S >= 1, W >= 1, Q == a - S * q, 0 <= Q, Q < S, 0 <= b, b < W, x == W * a + b], z3.And(0 <= x - W * S * q, x - W * S * q < W * S)),
        # The magic number fits its word, where d is no power of two: d > S.
        ("above: the number fits", [m * d == W * S + e, d >= S + 1, 0 <= e, e <= S, S < W, S >= 1], m < W),
        ("below: the number fits", [m * d == W * S - r, d >= S + 1, r > 0, W >= 1, S >= 1], m < W),
    ]
    # The long division of 64 bits: one step keeps `down d + rest = power 2^bit` and `rest < d`.
    u, v, c, B = z3.Ints("down rest carry two_bit")
    top = 1 << 64
    doubled = 2 * v % top
    taken = z3.Or(v >= 1 << 63, doubled >= d)
    rest, down = z3.If(taken, (doubled - d) % top, doubled), z3.If(taken, 2 * u % top + 1, 2 * u % top)
    premises = [1 <= d, d < top, 0 <= v, v < d, 0 <= u, u < 1 << 63]
    lines += [
        ("a step: the rest", premises, z3.And(0 <= rest, rest < d)),
        ("a step: the parts", premises, z3.And(rest == z3.If(taken, 2 * v - d, 2 * v), down == z3.If(taken, 2 * u + 1, 2 * u))),
        ("a step: the sum", [a == d * u, x == a + v, B == z3.If(taken, 2 * a + d, 2 * a), *premises], B + rest == 2 * x),
        ("the sum is that of the parts", [c == z3.If(t >= 1, 2 * u + 1, 2 * u)], d * c == z3.If(t >= 1, 2 * d * u + d, 2 * d * u)),
        ("after `bit` steps, down is below 2^bit", [1 <= d, 0 <= v, u * d + v == P * B, P < d, P >= 1, B >= 1], u < B),
    ]
    # 32 bits: the power fits 64 bits, and the quotient fits unless d is the power.
    lines.append(("32 bits: the quotient fits", [S >= 1, S < d, W >= 1, u * d + r == W * S, 0 <= r], u < W))
    return lines


def prove_theorems() -> int:
    """Proves all lemmas. Returns their number. Fails with the name of one that is not proven."""
    lines = theorems()
    for name, premises, conclusion in lines:
        solver = z3.Solver()
        solver.set("timeout", 20_000)
        solver.add(*premises, z3.Not(conclusion))
        if solver.check() != z3.unsat:
            raise Unproven(f"the lemma `{name}`: {solver.reason_unknown()}")
    return len(lines)
