"""The requests and commands of `crd2idx`, without a process."""

from __future__ import annotations

import json
from typing import Any

from . import _native


class Refused(ValueError):
    """The error of an invalid request. `answer` is the whole answer: the message, and facts such as `kind` or numbers."""

    def __init__(self, answer: dict[str, Any]):
        super().__init__(answer["error"])
        self.answer = answer


def request(op: str, /, **fields: Any) -> Any:
    """Returns the result of an operation of `crd2idx batch`. Raises Refused if the request is invalid.

    Parameters
    ----------
    op
        The name of the operation, such as `plan`, `sparse.build`, `f2.compose` or `ragged.paged`.
    fields
        The fields of the request.

    Examples
    --------
    >>> request("coalesce", args=["(2,4):(1,2)"])
    '8:1'
    """
    answer = json.loads(_native.reply(json.dumps({"op": op, **fields})))
    if "error" in answer:
        raise Refused(answer)
    return answer["ok"]


def command(*arguments: object) -> str:
    """Returns the text that `crd2idx ARGUMENTS` prints. Raises ValueError with the text of its error.

    Parameters
    ----------
    arguments
        The subcommand and its arguments.

    Examples
    --------
    >>> command("eval", "(4,8):(8,1)", "(2,5)")
    '21'
    """
    return _native.answer(*map(str, arguments))


def explain(*arguments: object) -> str:
    """Explains step by step how a result is computed, or why there is none.

    Parameters
    ----------
    arguments
        The arguments of `crd2idx explain`.

    Examples
    --------
    >>> print(explain("coalesce((2,4):(1,2))").splitlines()[0])
    coalesce((2,4):(1,2))
    """
    return command("explain", *arguments)


def emit(expression: object, to: str = "c", **options: object) -> str:
    """Returns the index function of a layout as source text in the language `to`.

    Parameters
    ----------
    expression
        The layout, or its text.
    to
        `c`, `cuda`, `hip`, `opencl`, `wgsl`, `rust` or `mlir`.
    options
        The options of `crd2idx emit`.

    Examples
    --------
    >>> "index" in emit("(8,4):(4,1)", "cuda", name="index")
    True
    """
    flags: list[object] = []
    for key, value in options.items():
        flags += [f"--{key.replace('_', '-')}"] if value is True else [f"--{key.replace('_', '-')}", value]
    return command("emit", expression, "--to", to, *flags)
