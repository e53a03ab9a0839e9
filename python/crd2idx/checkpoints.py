"""Checkpoints in files of safetensors, NumPy or HDF5, moved between ranks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from operator import index
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from . import _native
from ._progress import Report, reporter
from .plans import _axes

Spec = Mapping[str, Any] | str | PathLike[str] | None


def reshard_checkpoint(
    source: str | PathLike[str],
    target: str | PathLike[str],
    source_spec: Spec = None,
    target_spec: Spec = None,
    *,
    cast: str | None = None,
    memory: int | None = None,
    threads: int | None = None,
    shard_size: int | None = None,
    dry_run: bool = False,
    fresh: bool = False,
    verify: bool = False,
    progress: bool | Report | None = None,
) -> dict[str, int]:
    """Moves a checkpoint to other ranks, file to file, as the command `crd2idx reshard` does.

    Ctrl-C stops it. The same call then continues where it ended, as after a kill.

    Parameters
    ----------
    source, target
        The folders. The target is another folder than the source, without files of these names.
    source_spec, target_spec
        How the files of all ranks make up the tensors: the path of a specification in TOML or JSON, or a dictionary of its keys `mesh`, `files`, `preset` and
        `tensors`. None stands for whole tensors in the files of Hugging Face.
    cast
        The type of all floating-point tensors in the target: `f64`, `f32`, `f16`, `bf16`, `f8_e4m3` or `f8_e5m2`.
    memory
        The maximum number of bytes of all buffers, by default 1 GiB.
    threads
        The maximum number of threads; the default is that of the package.
    shard_size
        The maximum number of bytes of tensors in a file, if the target has whole tensors.
    dry_run
        If True, nothing is written: only headers are read and checked.
    fresh
        If True, an unfinished run is discarded, and not continued.
    verify
        If True, checksums of all tensors are compared at the end.
    progress
        True shows a bar. A function receives the numbers of bytes read and expected.

    Returns
    -------
    dict
        The numbers `tensors` and `files`, `bytes_read` in `reads`, `bytes_written`, `bytes_moved` in `messages` between ranks, the `memory` of all buffers,
        and with `verify` the number of tensors `compared`.

    Raises
    ------
    ValueError
        If a specification or a file is invalid, or if a tensor does not fit its placement or differs.
    FileNotFoundError
        If a file of the source is missing.
    FileExistsError
        If the target has files that must not be replaced, or an unfinished run of other arguments.
    OSError
        If the system refuses to read or write.

    Examples
    --------
    >>> four = {"mesh": [["tp", 4]], "files": "rank-{rank}.safetensors", "preset": "llama"}
    >>> reshard_checkpoint("nowhere", "whole", four)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    FileNotFoundError: nowhere/rank-0.safetensors: ...
    """
    if dry_run and verify:
        raise ValueError("dry_run and verify exclude each other: a dry run writes nothing that could be compared")
    with reporter(progress, Path(target).name) as report:
        return _native.reshard_checkpoint(
            fspath(source),
            fspath(target),
            _spec(source_spec),
            _spec(target_spec),
            cast,
            _count("memory", memory),
            _count("threads", threads),
            _count("shard_size", shard_size),
            dry_run,
            fresh,
            verify,
            report,
        )


def _spec(spec: Spec) -> str | Path | None:
    """Returns a specification as the native module takes it: text in JSON, or the path of a file."""
    if spec is None:
        return None
    if not isinstance(spec, Mapping):
        return Path(spec)
    return json.dumps({**spec, "mesh": _axes(spec["mesh"])} if "mesh" in spec else {**spec})


def _count(name: str, value: int | None) -> int | None:
    if value is not None and index(value) < 1:
        raise ValueError(f"{name} is {value}; at least 1 is needed")
    return None if value is None else index(value)
