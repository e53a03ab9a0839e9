"""Progress bars of reading and writing files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

# A function that receives the number of bytes done and the number expected, which is 0 if it is not known.
Report = Callable[[int, int], Any]


@contextmanager
def reporter(progress: bool | Report | None, title: str) -> Iterator[Report | None]:
    """Gives the function that reports progress: the one given, a bar of tqdm, or without tqdm a line on standard error.

    Raises TypeError if `progress` is neither a bool nor a function.
    """
    if progress is None or progress is False:
        yield None
    elif callable(progress):
        yield progress
    elif progress is not True:
        raise TypeError(f"progress is True, False or a function of the bytes done and expected, not {progress!r}")
    else:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            yield _line(title)
            print(file=sys.stderr)
            return
        with tqdm(desc=title, unit="B", unit_scale=True) as bar:

            def report(done: int, total: int) -> None:
                bar.total = total or None
                bar.update(done - bar.n)

            yield report


def _line(title: str) -> Report:
    """Returns a function that writes a line on standard error, over the line before."""

    def report(done: int, total: int) -> None:
        of = f" of {total / 1e6:.1f}" if total else ""
        print(f"\r{title}: {done / 1e6:.1f}{of} MB", end="", file=sys.stderr, flush=True)

    return report
