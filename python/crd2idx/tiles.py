"""Kernels for devices: verdicts for all sizes, and layouts of tiles chosen by cost."""

from __future__ import annotations

from typing import Any

from .batch import request


def verify_kernel(kernel: str) -> dict[str, Any]:
    """Decides for all sizes whether a kernel has no races, stays in bounds, and writes all elements.

    Raises Refused if the text is not a kernel.

    Parameters
    ----------
    kernel
        The text of the kernel: coordinates, memories, accesses, barriers.

    Returns
    -------
    dict
        `proven` is True if all claims are. Each of `claims` has a `claim` and a `verdict`: `proven`, `false` or `open`. A false claim has a `witness` with
        `sizes`, the `element`, and the `touches` of both threads.

    Examples
    --------
    >>> report = verify_kernel("kernel k\\nblock t < 32\\nshared s (32)\\nstore s[t]\\nload s[31 - t]")
    >>> report["proven"], [touch["thread"] for touch in report["claims"][0]["witness"]["touches"]]
    (False, [{'t': 0}, {'t': 31}])
    """
    return request("verify", kernel=kernel)


def choose_layouts(program: str, *, to: str | None = None) -> dict[str, Any]:
    """Chooses the layouts of the tiles of a program in registers and in shared memory, so that it costs the least.

    Raises Refused if the text is not a tile program, or if threads cannot share its tiles.

    Parameters
    ----------
    program
        The text of the tile program: threads, tensors, copies, expressions, products.
    to
        `"cuda"` adds the kernel as `text`, and so does `"hip"` for a program with a `target` of AMD.

    Returns
    -------
    dict
        `layouts` by tensor in the notation, `statements` with the instructions of each, `cost`, `least` (lower bounds of the cost), and `optimal`: True if no
        other choice costs less.

    Examples
    --------
    >>> found = choose_layouts("tile t\\nthreads 32\\nglobal a f32 (8, 16)\\nregisters x f32 (8, 16)\\nx[i, j] <- a[i, j]")
    >>> found["layouts"]["x"], found["cost"]["sectors"], found["optimal"]
    ('((4,8),4):((32,1),8)', 16, True)
    """
    return request("choose", program=program, **({} if to is None else {"to": to}))
