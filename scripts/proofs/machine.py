"""Runs a function on polynomials as its language defines it. Each operation must be proven to stay within its type."""
from __future__ import annotations

from dataclasses import dataclass, replace

from parse import File, Function, Unknown
from terms import Context, Poly, Truth, Unproven, at_most, both, either, equal, less, negate, of

SIGNED = {"i32": 32, "i64": 64}
UNSIGNED = {"u32": 32, "u64": 64, "u128": 128}


@dataclass(frozen=True)
class Number:
    """A number of a type. If it is not `exact`, only its remainder by the power of two of the type is known to be `poly`'s."""

    poly: Poly
    type: str
    exact: bool = True


class Machine:
    """Runs the functions of a file. `helpers` maps the names of helper functions, whose lemma is proven, to their meaning."""

    def __init__(self, file: File, language: str, context: Context, helpers: dict):
        self.file, self.language, self.context, self.helpers = file, language, context, helpers
        self.names: dict[str, object] = {}

    def run(self, function: Function, arguments: list) -> object:
        """Returns the result: a truth value, a number, or a dictionary of numbers."""
        if len(arguments) != len(function.parameters):
            raise Unknown(f"{len(arguments)} arguments for {function.name}")
        self.names = {name: value for (_, name), value in zip(function.parameters, arguments)}
        result = self.block(function.body)
        if isinstance(result, dict):
            return {name: self.convert(result[name], ty) for ty, name in self.file.structures[function.returns]}
        return self.convert(result, function.returns)

    # Statements.

    def block(self, statements: list[tuple]) -> object:
        for place, statement in enumerate(statements):
            match statement:
                case ("unused", name):
                    self.names[name]
                case ("return", value):
                    if place != len(statements) - 1:
                        raise Unknown("text after the result")
                    return self.value(value)
                case ("let", ty, name, value):
                    if name in self.names:
                        raise Unknown(f"a second {name}")
                    if value is None:
                        self.names[name] = {} if ty in self.file.structures else ("declared", ty)
                    else:
                        got = self.value(value)
                        self.names[name] = self.convert(got, ty) if ty else self.concrete(got)
                case ("set", ("field", ("name", base), part), value):
                    if part in self.names[base]:
                        raise Unknown(f"{base}.{part} twice")
                    self.names[base][part] = self.value(value)
                case ("set", ("name", name), value):
                    known = self.names[name]
                    ty = known[1] if isinstance(known, tuple) and known[0] == "declared" else self.type_of(known)
                    self.names[name] = self.convert(self.value(value), ty)
                case ("if", truth, then, otherwise):
                    self.branch(self.truth(self.value(truth)), then, otherwise)
                case ("do", ("call", name, arguments)) if name in self.helpers:
                    self.helpers[name](self, arguments)
                case _:
                    raise Unknown(f"the statement {statement}")
        return None

    def branch(self, truth: Truth, then: list[tuple], otherwise: list[tuple]) -> None:
        """Runs both sides of an `if`, and chooses among the values that they set."""
        before, after = dict(self.names), []
        for condition, statements in ((truth, then), (negate(truth), otherwise)):
            self.names = dict(before)
            with_condition(self, condition, lambda statements=statements: self.block(statements))
            after.append(self.names)
        self.names = before
        for name, old in before.items():
            one, two = after[0][name], after[1][name]
            if one is not two:
                self.names[name] = self.choose(truth, one, two)

    # Expressions.

    def value(self, tree: tuple) -> object:
        match tree:
            case ("number", value, suffix):
                return self.literal(value, suffix)
            case ("name", "true" | "false"):
                return tree[1] == "true"
            case ("name", name):
                value = self.names[name]
                if isinstance(value, tuple) and value and value[0] == "declared":
                    raise Unknown(f"{name} before it has a value")
                return value
            case ("paren", inner):
                return self.value(inner)
            case ("field", base, name):
                return self.value(base)[name]
            case ("cast", ty, inner):
                return self.convert(self.value(inner), ty)
            case ("unary", "!", inner):
                return negate(self.truth(self.value(inner)))
            case ("unary", "-", inner):
                if inner[0] == "number" and not self.language == "wgsl":
                    literal = self.literal(inner[1], inner[2])
                    return Number(-literal.poly, literal.type)
                return self.arithmetic("-", Number(of(0), "literal"), self.value(inner))
            case ("choice", truth, then, otherwise):
                truth = self.truth(self.value(truth))
                sides = [with_condition(self, t, lambda e=e: self.value(e)) for t, e in ((truth, then), (negate(truth), otherwise))]
                return self.choose(truth, *sides)
            case ("binary", "&&" | "||", left, right):
                first = self.truth(self.value(left))
                second = with_condition(self, first if tree[1] == "&&" else negate(first), lambda: self.truth(self.value(right)))
                return both(first, second) if tree[1] == "&&" else either(first, second)
            case ("binary", sign, left, right):
                return self.operate(sign, self.value(left), self.value(right))
            case ("structure", fields):
                return {name: self.value(inner) for name, inner in fields}
            case ("magic", word, inner):
                return self.helpers["magic"](self, word, inner)
            case ("call", name, arguments):
                return self.call(name, arguments)
        raise Unknown(f"the expression {tree}")

    def literal(self, value: int, suffix: str) -> Number:
        if self.language in ("wgsl", "rust"):
            return Number(of(value), {"": "literal", "u": "u32", "i": "i32"}[suffix])
        types = {"": ["i32", "i64"], "u": ["u32", "u64"], "ull": ["u64"], "ul": ["u64"], "ll": ["i64"], "l": ["i64"]}[suffix]
        for ty in types:
            if value <= limits(ty)[1]:
                return Number(of(value), ty)
        raise Unknown(f"the number {value}")

    def call(self, name: str, arguments: list[tuple]) -> object:
        if name in self.helpers:
            return self.helpers[name](self, arguments)
        values = [self.value(argument) for argument in arguments]
        wgsl = self.language == "wgsl"
        if wgsl and name in ("u32", "i32") and len(values) == 1:
            return self.convert(values[0], name)
        if wgsl and name in self.file.structures:
            fields = self.file.structures[name]
            if len(fields) != len(values):
                raise Unknown(f"{len(values)} fields of {name}")
            return {field: value for (_, field), value in zip(fields, values)}
        if wgsl and name == "select" and len(values) == 3:
            return self.choose(self.truth(values[2]), values[1], values[0])
        if name in ("min", "max") and len(values) == 2 and self.language in ("wgsl", "opencl"):
            a, b = self.common(*values, overloaded=True)
            a, b = self.exact(a), self.exact(b)
            truth = less(a.poly, b.poly)
            return Number(self.context.choose(truth if name == "min" else negate(truth), a.poly, b.poly), a.type)
        if name in ("__umul64hi", "mul_hi") and len(values) == 2:
            a, b = (self.exact(self.convert(value, "u64")) for value in values)
            if name == "mul_hi" and {value.type for value in values} != {"u64"}:
                raise Unknown("mul_hi of other types")
            return Number(self.context.div(a.poly * b.poly, 1 << 64), "u64")
        raise Unknown(f"the function {name}")

    def truth(self, value: object) -> Truth:
        if isinstance(value, Number):
            raise Unknown("a number as a truth value")
        return value

    def type_of(self, value: object) -> str:
        return value.type if isinstance(value, Number) else "bool"

    def concrete(self, value: object) -> object:
        """Gives a number without a type the type of a declaration of WGSL without one."""
        return self.convert(value, "i32") if isinstance(value, Number) and value.type == "literal" else value

    def choose(self, truth: Truth, a: object, b: object) -> object:
        if isinstance(a, Number) and isinstance(b, Number):
            a, b = self.common(a, b)
            if isinstance(truth, bool):
                return a if truth else b
            a, b = self.exact(a), self.exact(b)
            return Number(self.context.choose(truth, a.poly, b.poly), a.type)
        a, b = self.truth(a), self.truth(b)
        return either(both(truth, a), both(negate(truth), b))

    def common(self, a: Number, b: Number, overloaded: bool = False) -> tuple[Number, Number]:
        """Converts two operands to one type, as the language does."""
        if isinstance(a, bool | tuple) or isinstance(b, bool | tuple):
            if self.language in ("wgsl", "rust"):
                raise Unknown("a truth value as a number")
            a, b = self.convert(a, "i32") if not isinstance(a, Number) else a, self.convert(b, "i32") if not isinstance(b, Number) else b
        if a.type == b.type:
            return a, b
        if "literal" in (a.type, b.type):
            ty = b.type if a.type == "literal" else a.type
        elif self.language in ("wgsl", "rust") or overloaded:
            raise Unknown(f"operands of types {a.type} and {b.type}")
        else:
            ty = max(a.type, b.type, key=lambda ty: (bits(ty), ty in UNSIGNED))
        return self.convert(a, ty), self.convert(b, ty)

    def operate(self, sign: str, a: object, b: object) -> object:
        if sign in ("&", "|", "==", "!=") and not isinstance(a, Number) and not isinstance(b, Number):
            same = either(both(a, b), both(negate(a), negate(b)))
            return {"&": lambda: both(a, b), "|": lambda: either(a, b), "==": lambda: same, "!=": lambda: negate(same)}[sign]()
        if sign in ("<<", ">>"):
            return self.shift(sign, a, b)
        a, b = self.common(a, b)
        if sign in ("<", "<=", ">", ">=", "==", "!="):
            a, b = self.exact(a).poly, self.exact(b).poly
            table = {"<": less(a, b), "<=": at_most(a, b), ">": less(b, a), ">=": at_most(b, a), "==": equal(a, b), "!=": negate(equal(a, b))}
            return table[sign]
        return self.arithmetic(sign, a, b)

    def arithmetic(self, sign: str, a: Number, b: Number) -> Number:
        a, b = self.common(a, b)
        context = self.context
        if sign in ("+", "-", "*"):
            p = a.poly + b.poly if sign == "+" else a.poly - b.poly if sign == "-" else a.poly * b.poly
            return self.fitted(p, a.type, a.exact and b.exact, f"{a.poly} {sign} {b.poly}")
        a, b = self.exact(a), self.exact(b)
        if sign in ("/", "%"):
            self.claim(negate(equal(b.poly, of(0))), f"{b.poly} is not 0")
            quotient = self.quotient(a.poly, b.poly)
            if a.type in SIGNED:
                # The least number by -1 has no quotient.
                self.claim(either(less(of(limits(a.type)[0]), a.poly), at_most(of(0), b.poly)), f"{a.poly} / {b.poly} fits")
            return Number(quotient if sign == "/" else a.poly - quotient * b.poly, a.type)
        if sign == "&" and b.poly.value() is not None and (b.poly.value() + 1) & b.poly.value() == 0:
            # Bits of two's complement, so that this is right for negative numbers too.
            return Number(context.mod(a.poly, b.poly.value() + 1), a.type)
        if sign == "^":
            return Number(context.xor(a.poly, b.poly), a.type)
        if sign == "|" and b.poly.value() == 1 and context.proves(equal(context.mod(a.poly, 2), of(0))):
            return Number(a.poly + 1, a.type)
        raise Unknown(f"{a.poly} {sign} {b.poly}")

    def quotient(self, a: Poly, b: Poly) -> Poly:
        """Returns the quotient, rounded to zero, for a divisor that is not 0."""
        context = self.context
        if context.proves(at_most(of(0), b)):
            if context.proves(at_most(of(0), a)):
                return context.div(a, b)
            if context.proves(less(a, of(0))):
                return -context.div(-a, b)
            return context.choose(less(a, of(0)), -context.div(-a, b), context.div(a, b))
        raise Unproven(f"the divisor {b} is not negative")

    def shift(self, sign: str, a: Number, b: Number) -> Number:
        if isinstance(a, bool | tuple):
            raise Unknown("a shift of a truth value")
        by = self.exact(b).poly
        self.claim(both(at_most(of(0), by), less(by, of(bits(a.type)))), f"the shift {by} is below {bits(a.type)}")
        power = self.power(by)
        if sign == "<<":
            return self.fitted(a.poly * power, a.type, a.exact, f"{a.poly} << {by}")
        return Number(self.context.div(self.exact(a).poly, power), a.type)

    def power(self, by: Poly) -> Poly:
        """Returns 2 to this power. A power that is not known is a variable of its own."""
        if by.value() is not None:
            return of(1 << by.value())
        known = getattr(self.context, "powers", {})
        if by not in known:
            raise Unknown(f"the shift {by}")
        return known[by]

    # Types.

    def claim(self, truth: Truth, claim: str) -> None:
        if not self.context.proves(truth):
            raise Unproven(claim, getattr(self.context.decide, "at", None))

    def fitted(self, p: Poly, ty: str, exact: bool, claim: str) -> Number:
        """Returns a number of a type. A signed one must fit, but not in WGSL, where it wraps, too. A number that may wrap is not exact."""
        if ty == "literal":
            return Number(p, ty)
        low, high = limits(ty)
        if (ty in UNSIGNED and self.language != "rust") or self.language in ("mlir", "wgsl"):
            if not exact:
                return Number(p, ty, False)
            return Number(p, ty, within(self.context, p, low, high))
        self.claim(both(at_most(of(low), p), at_most(p, of(high))), f"{claim} fits {ty}")
        return Number(p, ty)

    def exact(self, a: Number) -> Number:
        """Returns the number itself, which division, comparison and shift need."""
        if a.exact:
            return a
        low, high = limits(a.type)
        if self.context.proves(both(at_most(of(low), a.poly), at_most(a.poly, of(high))), quickly="products"):
            return replace(a, exact=True)
        if self.language == "mlir":
            raise Unproven(f"{a.poly} fits 64 bits", getattr(self.context.decide, "at", None))
        return Number(self.context.mod(a.poly - low, high - low + 1) + low, a.type)

    def convert(self, value: object, ty: str) -> object:
        if ty == "bool":
            return self.truth(value)
        if isinstance(value, dict):
            raise Unknown(f"a structure as {ty}")
        if isinstance(value, bool | tuple):
            return Number(self.context.choose(value, of(1), of(0)), ty)
        if value.type == ty:
            return value
        low, high = limits(ty)
        if not value.exact and bits(ty) > bits(value.type):
            value = self.exact(value)
        if not value.exact:
            if ty in UNSIGNED or self.language == "wgsl":
                return Number(value.poly, ty, False)
            value = self.exact(value)
        if within(self.context, value.poly, low, high):
            return Number(value.poly, ty)
        if (ty in UNSIGNED or self.language == "wgsl") and value.type != "literal":
            return Number(value.poly, ty, False)
        self.claim(both(at_most(of(low), value.poly), at_most(value.poly, of(high))), f"{value.poly} fits {ty}")
        return Number(value.poly, ty)


def limits(ty: str) -> tuple[int, int]:
    if ty in SIGNED:
        return -(1 << (SIGNED[ty] - 1)), (1 << (SIGNED[ty] - 1)) - 1
    return 0, (1 << UNSIGNED[ty]) - 1


def bits(ty: str) -> int:
    return {**SIGNED, **UNSIGNED}[ty]


def within(context: Context, p: Poly, low: int, high: int) -> bool:
    """Returns whether bounds alone show that a number fits. The solver is called only where a number must fit."""
    least, most = context.range(p)
    return low <= least and most <= high


def with_condition(machine: Machine, truth: Truth, run: object) -> object:
    """Runs something where a condition holds."""
    truth = machine.context.quick(truth)
    if truth is True:
        return run()
    before = machine.context
    machine.context = replace(before, facts=[*before.facts, truth], quotients=dict(before.quotients))
    if hasattr(before, "powers"):
        machine.context.powers = before.powers
    try:
        return run()
    finally:
        machine.context = before
