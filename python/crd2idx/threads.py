"""The number of threads of sparse tensors and their files."""

from __future__ import annotations

from types import TracebackType

from . import _native


class set_threads:
    """Sets the number of threads, for the rest of the program or for a `with` block.

    Parameters
    ----------
    count
        The number. `None` is the default: one thread for each processor.

    Notes
    -----
    The environment variable `CRD2IDX_THREADS` sets the number at the start of a program.

    Examples
    --------
    >>> from crd2idx import get_threads, set_threads
    >>> before = get_threads()
    >>> with set_threads(1):
    ...     print(get_threads())
    1
    >>> get_threads() == before
    True
    """

    def __init__(self, count: int | None):
        self._before = _native.wanted_threads()
        _native.set_threads(count)

    def __enter__(self) -> set_threads:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        _native.set_threads(self._before)
