"""The proof of one function: its text equals its definition for all inputs, and no operation leaves its type."""
from __future__ import annotations

import random
import re
import time
from dataclasses import dataclass

import lemmas
import mlir
import rust
import terms
from machine import Machine, Number, limits
from parse import File, Function, Unknown, parse
from solver import Prover
from terms import ATOMS, Context, Poly, Split, Truth, Unproven, at_most, both, either, equal, negate, of

UNBOUNDED = (1 << 63) - 1
SAMPLES = 200
# The statements that are proven, with the level of the facts that they need.
PROVEN: dict[tuple, int] = {}


@dataclass
class Case:
    """A function of a text, with its definition."""

    title: str
    language: str
    device: str
    host: str | None
    definition: object
    name: str = "f"


@dataclass
class Result:
    """The verdict: `proven`, `differs` or `unfinished`, with its reason."""

    case: Case
    verdict: str
    seconds: float
    detail: str = ""
    # The level of the facts that the proof needs (`facts` of a definition).
    level: int = 0


class Differs(Exception):
    """An input for which a text is wrong."""


@dataclass
class Text:
    """A parsed text with the meaning of its helper functions."""

    file: File
    host: File
    helpers: dict


def read(case: Case) -> Text | mlir.Map:
    """Parses a text and proves the lemmas of its helper functions."""
    if case.language == "mlir":
        return mlir.parse(case.device, case.name)
    whole = case.language in ("c", "cuda", "hip")
    device = case.device + (case.host or "") if whole else case.device
    file = parse(device, case.language)
    other = parse(device, case.language, "host") if case.language in ("cuda", "hip") else None
    host = file if whole or not case.host else rust.parse(case.host) if case.language == "wgsl" else parse(case.host, "c")
    return Text(file, host, lemmas.helpers(file, host, case.name, case.language, other))


def prove(case: Case, seconds: float) -> Result:
    """Proves a function within a time, or finds an input for which it is wrong."""
    terms.forget()
    case.definition.level = 0
    start, text, verdict, detail = time.monotonic(), None, "unfinished", ""
    try:
        try:
            text = read(case)
            # The lemmas are proven once, and do not count for a function.
            start = time.monotonic()
            prover = Prover(seconds)
            key = statements(case, text)
            if key in PROVEN:
                return Result(case, "proven", time.monotonic() - start, level=PROVEN[key])
            check_comments(case, text)
            for level in case.definition.levels():
                case.definition.level = level
                try:
                    proven(case, text, prover, {})
                    break
                except Unproven:
                    if level == case.definition.levels()[-1]:
                        raise
            verdict = "proven"
            PROVEN[key] = case.definition.level
        except Unproven as error:
            detail = error.claim
            point = text and search(case, text, error.at)
            if point:
                verdict, detail = "differs", point
    except Unknown as error:
        verdict, detail = "differs", f"the parser does not know {error}"
    return Result(case, verdict, time.monotonic() - start, detail, case.definition.level)


def statements(case: Case, text: Text | mlir.Map) -> tuple:
    """Returns the statements of a text and its types. C, CUDA, HIP and OpenCL often have the same, which mean the same."""
    if isinstance(text, mlir.Map):
        return (case.title, "mlir", repr(text))
    # Helper functions are proven to have one meaning.
    both_files = (*text.file.functions.values(), *text.host.functions.values())
    shown = [(one.name, one.returns, one.parameters, one.body) for one in both_files if one.name not in text.helpers]
    structures = [sorted(file.structures.items()) for file in (text.file, text.host)]
    return (case.title, case.language == "wgsl", repr(shown), repr(structures))


def proven(case: Case, text: Text | mlir.Map, prover: Prover, given: dict[str, tuple[int, int]]) -> None:
    """Proves a function where inputs are within the given bounds, case by case where a divisor may be 0."""
    try:
        run(case, text, prover, given)
    except Split as split:
        name = ATOMS[split.args[0]].args[0]
        low, high, step = {**case.definition.inputs(), **{known: (*ends, 1) for known, ends in given.items()}}[name]
        proven(case, text, prover, {**given, name: (0, 0)})
        proven(case, text, prover, {**given, name: (max(step, 1), high)})
        del low


def run(case: Case, text: Text | mlir.Map, prover: Prover, given: dict[str, tuple[int, int]]) -> None:
    """Runs the text and the definition on unknown inputs, and proves that the results are the same. Raises `Unproven` otherwise."""
    definition = case.definition
    context = Context(decide=prover)
    inputs = {}
    for name, (low, high, step) in definition.inputs().items():
        low, high = given.get(name, (low, high))
        inputs[name] = context.declare(name, low, high, step)
    context.facts = definition.facts(context, inputs)
    for hint in definition.hints(context, inputs) if isinstance(prover, Prover) else []:
        # A consequence of the facts, which later claims need.
        if context.proves(hint, quickly="products"):
            context.facts.append(hint)
    wanted = definition.value(context, inputs)
    machine, results, valid = (affine if case.language == "mlir" else called)(case, text, context, inputs)
    if len(results) != len(wanted):
        raise Unproven(f"{len(wanted)} results")
    for (name, p), got in zip(wanted.items(), results):
        same(machine, got, p, name, definition.unbounded())
    truth = definition.valid(context, inputs)
    claim = either(both(valid, truth), both(negate(valid), negate(truth)))
    machine.claim(claim, "the inputs are valid exactly where the definition says so")


def called(case: Case, text: Text, context: Context, inputs: dict[str, Poly]) -> tuple[Machine, list[Number], Truth]:
    """Runs a function, and the function that tells whether its results are meaningful."""
    machine = Machine(text.file, case.language, context, text.helpers)
    launch = None
    function = text.file.functions[case.name]
    if any(name == "launch" for _, name in function.parameters):
        prepare = text.host.functions[f"{case.name}_prepare"]
        host = Machine(text.host, "rust" if case.language == "wgsl" else "c", context, text.helpers)
        host.names = {name: given(host, inputs, name, ty) for ty, name in prepare.parameters}
        launch = host.block(prepare.body)
        typed = dict((name, ty) for ty, name in text.host.structures[prepare.returns])
        here = [field for _, field in text.file.structures[next(ty for ty, name in function.parameters if name == "launch")]]
        if here != list(typed) or set(launch) != set(typed):
            raise Unknown("another structure of the launch")
        launch = {field: value if isinstance(value, lemmas.Magic) else host.convert(value, typed[field]) for field, value in launch.items()}

    def arguments(of: Function) -> list:
        return [launch if name == "launch" else given(machine, inputs, name, ty) for ty, name in of.parameters]

    got = machine.run(function, arguments(function))
    checked = text.file.functions.get(f"{case.name}_is_valid")
    valid: Truth = machine.truth(machine.run(checked, arguments(checked))) if checked else True
    return machine, list(got.values()) if isinstance(got, dict) else [got], valid


def affine(case: Case, text: mlir.Map, context: Context, inputs: dict[str, Poly]) -> tuple[Machine, list[Number], Truth]:
    """Runs an affine map and the set of its valid inputs."""
    machine = Machine(File(), "mlir", context, {})
    operands = {operand: given(machine, inputs, name, "i64") for operand, name in text.operands.items()}
    got = [mlir.value(machine, tree, operands) for tree in text.results]
    return machine, got, both(True, *mlir.holds(machine, text.constraints or [], operands))


def given(machine: Machine, inputs: dict[str, Poly], name: str, ty: str) -> Number:
    """Returns the input of a parameter. A name that a language reserves ends in `_2`."""
    known = name if name in inputs else name.removesuffix("_2")
    if known not in inputs:
        raise Unknown(f"the parameter {name}")
    low, high = limits(ty)
    machine.claim(both(at_most(of(low), inputs[known]), at_most(inputs[known], of(high))), f"{name} fits {ty}")
    return Number(inputs[known], ty)


def same(machine: Machine, got: Number, wanted: Poly, name: str, unbounded: bool) -> None:
    """Proves that a result is what is wanted. A number of 64 bits of unbounded inputs is modulo 2^64, so it is right where it fits."""
    low, high = limits(got.type)
    modular = not got.exact or (unbounded and (got.type == "u64" or machine.language == "mlir"))
    value = (got.poly - wanted).value()
    if modular and value is not None and unbounded:
        if value % (1 << 64) == 0:
            return
    if not machine.context.proves(equal(got.poly, wanted)):
        at = getattr(machine.context.decide, "at", None)
        if got.exact or not machine.context.proves(equal(machine.exact(got).poly, wanted)):
            raise Unproven(f"{name} is {got.poly}, wanted {wanted}", at)
    if not modular or not unbounded:
        machine.claim(both(at_most(of(low), wanted), at_most(wanted, of(high))), f"{name} fits {got.type}")


def check_comments(case: Case, text: Text | mlir.Map) -> None:
    """Checks that the comments above a function allow every input of the definition."""
    comments = text.comments if isinstance(text, mlir.Map) else text.file.functions[case.name].comments
    seen = {}
    for line in comments:
        found = re.match(r"(\w+) (?:in \[(-?\d+), (.*)\)|>= (-?\d+)|is any integer)", line)
        if not found:
            continue
        name, low, below, least = found.groups()
        most = re.search(r", at most (\d+)", line)
        multiple = re.search(r", a multiple of (\d+)", line)
        top = int(most.group(1)) if most else int(below) - 1 if below and below.isdigit() else UNBOUNDED
        seen[name] = (int(low or least or -UNBOUNDED), top, int(multiple.group(1)) if multiple else 1)
    parameters = list(text.operands.values()) if isinstance(text, mlir.Map) else [name for _, name in text.file.functions[case.name].parameters]
    wanted = case.definition.inputs()
    for name in parameters:
        if name == "launch":
            continue
        if name not in seen:
            raise Unknown(f"the parameter {name} without a comment")
        low, high, step = wanted[name if name in wanted else name.removesuffix("_2")]
        least, most, multiple = seen[name]
        if least > low or most < high or step % multiple:
            raise Unknown(f"a comment about {name} that says less than the definition: {seen[name]}, not {(low, high, step)}")


def search(case: Case, text: Text | mlir.Map, at: dict[str, int]) -> str | None:
    """Returns an input for which a text is wrong, with both values: the solver's, or one of a sample."""
    chance = random.Random(case.title)
    inputs = case.definition.inputs()
    points = [{name: at.get(name, 0) * inputs[name][2] for name in inputs}] if at else []
    for place in range(SAMPLES):
        points.append({name: pick(chance, *ends, place) for name, ends in inputs.items()})
    for point in points:
        found = wrong_at(case, text, point)
        if found:
            return found
    return None


def pick(chance: random.Random, low: int, high: int, step: int, place: int) -> int:
    """Returns a number within bounds: an end, a small one or any."""
    low, high = -(-low // step), high // step
    ends = [low, high, low + 1, chance.randint(low, high), low + (1 << chance.randint(0, max(1, (high - low).bit_length() - 1)))]
    ends.append(chance.randint(low, min(high, low + 40)))
    return min(max(chance.choice(ends), low), high) * step


def wrong_at(case: Case, text: Text | mlir.Map, point: dict[str, int]) -> str | None:
    """Returns what is wrong at a point, or None."""
    class Known:
        """Decides truth values without unknowns."""

        at: dict[str, int] = {}

        def __call__(self, context: Context, goal: Truth, quickly: bool | str = False) -> bool:
            raise Unproven(f"{goal} is open")

    context = Context()
    inputs = {name: of(value) for name, value in point.items()}
    facts = case.definition.facts(context, inputs) + case.definition.fits(context, inputs)
    if not all(fact is True for fact in facts):
        return None
    try:
        run(case, text, Known(), {name: (value, value) for name, value in point.items()})
    except Unproven as error:
        return f"at {point}: {error.claim}"
    return None
