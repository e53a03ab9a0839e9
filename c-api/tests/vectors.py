"""Requests of recorded cases, and lines of operands and results for `typed.c`.

usage: vectors.py requests FOLDER > REQUESTS        of tests/data
       vectors.py typed COMMAND FOLDER > LINES      with the answers of `COMMAND batch`
"""
import json
import subprocess
import sys
from pathlib import Path


def read(path):
    return json.loads(path.read_text())


def layouts(folder):
    """The operations on layouts, as requests."""
    for path in [folder / "seed.json", *sorted((folder / "cute").glob("*.json"))]:
        for record in read(path):
            if "op" in record and record.get("args"):
                yield {"op": record["op"], "args": record["args"]}
            elif "A" in record and "B" in record:
                yield {"op": "composition", "args": [record["A"], record["B"]]}


def comparisons(folder):
    for record in read(folder / "equality.json"):
        yield {"op": "equal_functions", "args": record["args"]}


def others(folder):
    """Requests of other families: copies, graphs, ragged arrays, matrices over F2, sparse kernels, and lines that are no requests."""
    yield from (case["request"] for case in read(folder / "plan/cases.json")["cases"])
    yield from (case["request"] for case in read(folder / "sparse/kernels.json")["cases"] if "request" in case)
    for case in read(folder / "coordgraph.json")["cases"]:
        for query in case.get("queries", []):
            yield {"op": "graph", "graph": case["graph"], "flatten": case.get("profile", "any"), "query": query}
    for record in [*read(folder / "f2/f2.json"), *read(folder / "f2/bank_conflicts.json")]:
        yield {key: value for key, value in record.items() if key not in ("oracles", "result", "tags", "note")}
    for case in read(folder / "ragged/ragged.json")["cases"]:
        yield {"op": "ragged", "offsets": case["offsets"], "data": case["data"], "want": ["parent", "num", "sum"]}


def answers(command, requests):
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    done = subprocess.run([command, "batch"], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def nested(text):
    """Reads an integer or a nested tuple of integers. Returns `None` for other texts, as with `_`."""
    try:
        return json.loads(text.replace("(", "[").replace(")", "]"))
    except ValueError:
        return None


def flattened(value):
    return [value] if isinstance(value, int) else [leaf for part in value for leaf in flattened(part)]


def alike(a, b):
    """Tests whether two nested tuples have the same structure."""
    if isinstance(a, int) or isinstance(b, int):
        return isinstance(a, int) and isinstance(b, int)
    return len(a) == len(b) and all(map(alike, a, b))


def words(numbers):
    return " ".join(map(str, numbers))


def typed(command, folder):
    """Yields the fields of each line."""
    requests = list(layouts(folder))
    found = list(zip(requests, answers(command, requests)))
    inverse = []
    for request, answer in found:
        op, args = request["op"], [str(arg) for arg in request["args"]]
        if op == "composed_eval":
            if len(args) == 1 and "ok" in answer:
                yield "all", args[0], words(answer["ok"])
            continue
        expression = f"{op}({', '.join(args)})"
        if "\t" in expression or "\n" in expression:
            continue
        if "ok" not in answer:
            yield "refused", expression
            continue
        yield "eval", expression, str(answer["ok"])
        known = "?" not in expression and "_" not in "".join(args) and not args[0].startswith("[")
        if not known or ":" not in args[0]:
            continue
        if op in ("size", "cosize", "rank") and len(args) == 1:
            yield "number", args[0], op, str(answer["ok"])
        elif isinstance(answer["ok"], str) and ":" in answer["ok"] and "o" not in answer["ok"] and len(args) <= 2:
            yield "apply", args[0], op, args[1] if len(args) == 2 else "", answer["ok"]
        elif op == "crd2idx" and len(args) == 2 and isinstance(answer["ok"], int) and " o " not in args[0]:
            shape, coordinate = nested(args[0].split(":")[0]), nested(args[1])
            if shape is None or coordinate is None or not flattened(shape):
                continue
            if isinstance(coordinate, int):
                yield "index", args[0], str(coordinate), str(answer["ok"])
            elif isinstance(shape, list) and len(coordinate) == len(shape) > 1 and all(isinstance(part, int) for part in coordinate):
                yield "index", args[0], words(coordinate), str(answer["ok"])
            elif alike(shape, coordinate) and len(flattened(shape)) > 1 and len(flattened(shape)) != len(shape):
                yield "index", args[0], words(flattened(coordinate)), str(answer["ok"])
            inverse.append({"op": "preimage", "args": [args[0], answer["ok"]]})
    for request, answer in zip(inverse, answers(command, inverse)):
        result = nested(str(answer["ok"])) if "ok" in answer else None
        yield "coordinate", request["args"][0], str(request["args"][1]), "none" if result is None else words(flattened(result))
    compared = [request for request in comparisons(folder) if "?" not in str(request["args"])]
    for request, answer in zip(compared, answers(command, compared)):
        a, b = map(str, request["args"])
        if ":" not in a or ":" not in b:
            continue
        result = answer.get("ok")
        if result and not result["equal"] and any(isinstance(result[side], str) for side in ("left", "right")):
            continue
        sides = ["-" if result.get(side) is None else str(result[side]) for side in ("left", "right")] if result and not result["equal"] else []
        yield "equal", a, b, "refused" if result is None else "equal" if result["equal"] else words([result["at"], *sides])


def main():
    if sys.argv[1] == "requests":
        folder = Path(sys.argv[2])
        for request in [*layouts(folder), *comparisons(folder), *others(folder)]:
            print(json.dumps(request))
        print('{"op": "coalesce"', '{"op": 1}', "[]", '{"op": "size", "args": ["8:1"], "id": [1, "\u00e9"]}', sep="\n")
    else:
        for fields in typed(sys.argv[2], Path(sys.argv[3])):
            print("\t".join(fields))


main()
