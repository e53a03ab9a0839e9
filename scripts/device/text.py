"""Parses emitted text: the parameters of its functions, the fields of its structures, its bindings."""
import re


def parameters(text, function):
    """Returns the parameters of a function as pairs of type and name."""
    found = re.search(rf"\b{function}\(([^{{]*?)\)[^;{{]*\{{", text)
    if not found:
        raise ValueError(f"the text has no function {function}")
    parts = [part.strip() for part in re.sub(r"@\w+\([^)]*\)", "", found.group(1)).split(",")]
    pairs = []
    for part in filter(lambda part: part not in ("", "void"), parts):
        if ":" in part:
            name, ty = part.split(":")
            pairs.append((ty.strip(), name.strip()))
        else:
            ty, name = re.match(r"(.*?)(\w+)$", part).groups()
            pairs.append((ty.strip(), name))
    return pairs


def names(text, function):
    return [name for _, name in parameters(text, function)]


def has(text, function):
    return re.search(rf"\b{function}\(", text) is not None


def returned(text, function):
    """Returns the result type of a function in C, CUDA and OpenCL."""
    return re.search(rf"(\w+) {function}\(", text).group(1)


def fields(text, structure):
    """Returns the names of the fields of a structure."""
    found = re.search(rf"struct {structure} \{{([^}}]*)\}}|typedef struct \{{([^}}]*)\}} {structure};", text)
    lines = [line.split("//")[0].strip() for line in (found.group(1) or found.group(2)).splitlines()]
    name = lambda line: line.split(":")[0] if ":" in line else line.rstrip(";").split()[-1]
    return [name(line) for line in lines if line]


def camel(name):
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def bindings(text):
    """Returns the bindings of WGSL in order: access, name, type."""
    return re.findall(r"@group\(0\) @binding\(\d+\) var<storage, (read|read_write)> (\w+): ([\w<>]+);", text)
