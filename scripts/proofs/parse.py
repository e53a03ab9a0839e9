"""A strict parser of emitted text in C, CUDA, HIP, OpenCL and WGSL. A construct that it does not know is an error."""
from __future__ import annotations

import re
from dataclasses import dataclass, field

TOKEN = re.compile(r"\s*(?:(0x[0-9a-f]+|\d+)(ull|ul|ll|u|l|i)?(?![\w.])|([A-Za-z_]\w*)|(<<=|>>=|&&|\|\||<<|>>|<=|>=|==|!=|->|\+\+|\+=|-=|\*=|\|=|[-+*/%<>&|^!~?:;,.(){}\[\]=@#]))")
# The binary operators, the loosest first.
LEVELS = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", ">", "<=", ">="], ["<<", ">>"], ["+", "-"], ["*", "/", "%"]]
C_TYPES = {
    "uint32_t": "u32", "int32_t": "i32", "uint64_t": "u64", "int64_t": "i64", "bool": "bool", "int": "i32", "uint": "u32", "ulong": "u64", "long": "i64",
}
WGSL_TYPES = {"u32": "u32", "i32": "i32", "bool": "bool"}

# The first lines of a CUDA or HIP file, which define the types of integers.
CUDA_TYPES = """#if defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
#define UINT32_MAX 0xffffffffu
#define UINT64_MAX 0xffffffffffffffffull
#else
#include <cstdint>
#endif
"""
C_INCLUDES = "#include <stdbool.h>\n#include <stdint.h>\n"
# The macro that is defined where a compiler builds the side of the device.
SIDES = {"cuda": "__CUDA_ARCH__", "hip": "__HIP_DEVICE_COMPILE__"}
HOST_GUARD = "#if !defined(__CUDACC_RTC__) && !defined(__HIPCC_RTC__)\n"


class Unknown(Exception):
    """A construct that the parser does not know."""


@dataclass
class Function:
    """A function: the name of its result type, its parameters as pairs of type and name, its statements and the comments above it."""

    name: str
    returns: str
    parameters: list[tuple[str, str]]
    body: list[tuple]
    comments: list[str] = field(default_factory=list)
    source: str = ""


@dataclass
class File:
    functions: dict[str, Function] = field(default_factory=dict)
    # The fields of each structure, as pairs of type and name.
    structures: dict[str, list[tuple[str, str]]] = field(default_factory=dict)


def without_directives(text: str, language: str, side: str) -> str:
    """Removes the preprocessor's lines that every file has, and the text of the other side. Any other line stays and is an error later."""
    if language in ("cuda", "hip"):
        keep = r"\1" if side == "device" else r"\2"
        text = re.sub(rf"#ifdef {SIDES[language]}\n((?:[^#].*\n)*)#else\n((?:[^#].*\n)*)#endif\n", keep, text)
        if text.startswith(CUDA_TYPES):
            text = text.removeprefix(CUDA_TYPES)
        if HOST_GUARD in text:
            before, after = text.split(HOST_GUARD)
            if not after.endswith("#endif\n"):
                raise Unknown("a guard without an end")
            text = before + after.removesuffix("#endif\n")
    return text.removeprefix(C_INCLUDES)


class Parser:
    """Parses one file."""

    def __init__(self, text: str, language: str, side: str):
        self.wgsl = language == "wgsl"
        self.text = without_directives(text, language, side)
        self.types = dict(WGSL_TYPES if self.wgsl else C_TYPES)
        self.tokens: list[tuple[str, object, int]] = []
        self.comments: dict[int, list[str]] = {}
        self.at = 0
        self.scan()

    def scan(self) -> None:
        place, comments = 0, []
        while True:
            blank = re.compile(r"\s*").match(self.text, place)
            place = blank.end()
            if place == len(self.text):
                break
            if self.text.startswith("//", place):
                end = self.text.index("\n", place)
                comments.append(self.text[place + 2 : end].strip())
                place = end
                continue
            found = TOKEN.match(self.text, place)
            if not found:
                raise Unknown(f"the text {self.text[place:place + 30]!r}")
            if comments:
                self.comments[len(self.tokens)] = comments
                comments = []
            number, suffix, word, sign = found.groups()
            if number:
                self.tokens.append(("number", (int(number, 0), suffix or ""), place))
            else:
                self.tokens.append(("word", word, place) if word else ("sign", sign, place))
            place = found.end()
        self.tokens.append(("end", None, place))

    def peek(self, ahead: int = 0) -> object:
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][1]

    def next(self) -> object:
        self.at += 1
        return self.tokens[self.at - 1][1]

    def take(self, *signs: str) -> bool:
        """Takes these tokens if they come next."""
        if all(self.peek(ahead) == sign for ahead, sign in enumerate(signs)):
            self.at += len(signs)
            return True
        return False

    def need(self, *signs: str) -> None:
        for sign in signs:
            if not self.take(sign):
                raise Unknown(f"{self.peek()!r} in place of {sign!r}: {self.text[self.tokens[self.at][2]:][:60]!r}")

    def word(self) -> str:
        if self.tokens[self.at][0] != "word":
            raise Unknown(f"{self.peek()!r} in place of a name")
        return self.next()

    # Declarations.

    def file(self) -> File:
        out = File()
        while self.tokens[self.at][0] != "end":
            comments = self.comments.get(self.at, [])
            if self.take("typedef", "struct", "{") or (self.wgsl and self.peek() == "struct"):
                self.structure(out)
            else:
                start = self.tokens[self.at][2]
                one = self.function()
                one.comments = comments
                one.source = self.text[start : self.tokens[self.at - 1][2] + 1]
                if one.name in out.functions:
                    raise Unknown(f"two functions {one.name}")
                out.functions[one.name] = one
        return out

    def structure(self, out: File) -> None:
        fields = []
        if self.wgsl:
            self.need("struct")
            name = self.word()
            self.need("{")
            while not self.take("}"):
                field_name = self.word()
                self.need(":")
                fields.append((self.type(), field_name))
                self.need(",")
        else:
            while not self.take("}"):
                ty = self.type()
                fields.append((ty, self.word()))
                self.need(";")
            name = self.word()
            self.need(";")
        out.structures[name] = fields
        self.types[name] = name

    def type(self) -> str:
        self.take("const")
        if self.take("unsigned", "__int128"):
            return "u128"
        name = self.word()
        if name not in self.types:
            raise Unknown(f"the type {name}")
        return self.types[name] + ("*" if self.take("*") else "")

    def named_parameters(self) -> list[tuple[str, str]]:
        """Parses parameters whose names come before their types."""
        self.need("(")
        parameters = []
        while not self.take(")"):
            parameter = self.word()
            self.need(":")
            parameters.append((self.type(), parameter))
            if self.peek() != ")":
                self.need(",")
        return parameters

    def function(self) -> Function:
        if self.wgsl:
            self.need("fn")
            name = self.word()
            parameters = self.named_parameters()
            self.need("->")
            returns = self.type()
        else:
            if not (self.take("__host__", "__device__", "__forceinline__") or self.take("static", "inline")):
                raise Unknown(f"the declaration {self.text[self.tokens[self.at][2]:][:60]!r}")
            returns = "void" if self.take("void") else self.type()
            name = self.word()
            self.need("(")
            parameters = []
            if not self.take("void", ")"):
                while not self.take(")"):
                    ty = self.type()
                    parameters.append((ty, self.word()))
                    if self.peek() != ")":
                        self.need(",")
        if name.endswith("_magic"):
            # It has loops. Its text is compared letter by letter.
            self.skip()
            return Function(name, returns, parameters, [])
        return Function(name, returns, parameters, self.block())

    def skip(self) -> None:
        """Skips a block."""
        self.need("{")
        depth = 1
        while depth:
            depth += {"{": 1, "}": -1}.get(self.next(), 0)

    # Statements.

    def block(self) -> list[tuple]:
        self.need("{")
        out = []
        while not self.take("}"):
            out.append(self.statement())
        return out

    def is_type(self) -> bool:
        return self.peek() == "const" or (self.peek() in self.types and self.tokens[self.at + 1][0] == "word")

    def statement(self) -> tuple:
        if not self.wgsl and self.take("(", "void", ")"):
            name = self.word()
            self.need(";")
            return ("unused", name)
        if self.take("return"):
            value = None if self.peek() == ";" else self.expression()
            self.need(";")
            return ("return", value)
        if self.take("if"):
            self.need("(")
            truth = self.expression()
            self.need(")")
            then = self.block()
            otherwise = ([self.statement()] if self.peek() == "if" else self.block()) if self.take("else") else []
            return ("if", truth, then, otherwise)
        if self.wgsl and self.take("let"):
            name = self.word()
            self.need("=")
            value = self.expression()
            self.need(";")
            return ("let", None, name, value)
        if not self.wgsl and self.is_type():
            ty, name = self.type(), self.word()
            value = self.expression() if self.take("=") else None
            self.need(";")
            return ("let", ty, name, value)
        target = self.expression()
        if self.peek() in ("=", "<<=", "-=", "|="):
            sign = self.next()
            value = self.expression()
            self.need(";")
            return ("set", target, value if sign == "=" else ("binary", sign[:-1], target, value))
        self.need(";")
        if target[0] != "call":
            raise Unknown(f"the statement {target}")
        return ("do", target)

    # Expressions.

    def expression(self) -> tuple:
        truth = self.binary(0)
        if not self.wgsl and self.take("?"):
            then = self.expression()
            self.need(":")
            return ("choice", truth, then, self.expression())
        return truth

    def binary(self, level: int) -> tuple:
        if level == len(LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.tokens[self.at][0] == "sign" and self.peek() in LEVELS[level]:
            sign = self.next()
            right = self.binary(level + 1)
            if self.wgsl:
                self.check_mixed(sign, left, right)
            left = ("binary", sign, left, right)
        return left

    def check_mixed(self, sign: str, left: tuple, right: tuple) -> None:
        """Refuses mixtures of operators that WGSL has no precedence for."""
        loose = {"&", "|", "^", "<<", ">>"}
        for side in (left, right):
            if side[0] != "binary" or (side is left and side[1] == sign and sign in ("&", "|", "^", "&&", "||")):
                continue
            if sign in loose or side[1] in loose or {sign, side[1]} == {"&&", "||"}:
                raise Unknown(f"{side[1]} beside {sign} without parentheses")

    def unary(self) -> tuple:
        if self.peek() in ("-", "!", "~"):
            return ("unary", self.next(), self.unary())
        if not self.wgsl and self.take("&"):
            return ("address", self.unary())
        if not self.wgsl and self.take("*"):
            return ("target", self.unary())
        if not self.wgsl and self.peek() == "(" and (self.peek(1) in self.types or self.peek(1) == "unsigned"):
            self.need("(")
            ty = self.type()
            self.need(")")
            return ("cast", ty, self.unary())
        return self.postfix()

    def postfix(self) -> tuple:
        kind, value, _ = self.tokens[self.at]
        self.at += 1
        if kind == "number":
            return ("number", *value)
        if value == "(":
            inner = self.expression()
            self.need(")")
            return ("paren", inner)
        if kind != "word":
            raise Unknown(f"{value!r} in an expression")
        out: tuple = ("name", value)
        if self.take("("):
            arguments = []
            while not self.take(")"):
                arguments.append(self.expression())
                if self.peek() != ")":
                    self.need(",")
            out = ("call", value, arguments)
        while self.take("."):
            out = ("field", out, self.word())
        return out


def parse(text: str, language: str, side: str = "device") -> File:
    """Parses a file of a language, as a compiler of one side reads it."""
    return Parser(text, language, side).file()
