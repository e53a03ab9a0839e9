"""Moves of tensors between ranks: the messages of each rank, their execution over MPI or PyTorch, and lists for copy engines."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from operator import index
from typing import Any, NamedTuple

import numpy as np

from ._channels import Channel, channel_of
from ._part import Parts, fault_of, kind_of, of_type, reduction_fault
from .plans import _of_summands, _reshard

__all__ = ["Batch", "Lists", "Move", "MoveError"]


class MoveError(ValueError):
    """The error of a move that some ranks refuse. Every rank raises it before any element moves.

    `faults` has a dictionary for each rank that refuses: `kind` (`ranks`, `plan`, `type`, `shape`, `layout`, `memory`), `message`, and for numbers
    `found` and `needed`.
    """

    def __init__(self, faults: dict[int, dict[str, Any]]):
        super().__init__("; ".join(f"rank {rank}: {fault['message']}" for rank, fault in faults.items()))
        self.faults = faults

    def __reduce__(self) -> Any:
        return MoveError, (self.faults,)


class Lists(NamedTuple):
    """The runs of one device, as arrays of `RUN`: those that stay, and those of the messages to and from each other device.

    Sender and receiver have the same runs in the same order, so packed messages fit. `receive` and `send` are in the order of summands, then devices.
    """

    local: np.ndarray
    send: dict[int, np.ndarray]
    receive: dict[int, np.ndarray]


class Batch(NamedTuple):
    """Copies between addresses, in the order of the arguments of `cudaMemcpyBatchAsync`: targets, sources, and lengths in bytes."""

    dsts: np.ndarray
    srcs: np.ndarray
    sizes: np.ndarray


class Move:
    """A move of a tensor from one placement to another. It is planned once and runs any number of times.

    Parameters
    ----------
    shape, source, target, relabel
        The arguments of `crd2idx.reshard`.

    Attributes
    ----------
    local, moved
        The numbers of elements that stay on their device and that move.
    devices
        The number of devices, which is the number of ranks that run the move.
    summands, reduction
        The number of partial results of each element, and `sum`, `min`, `max` or `mean`; None without partial results.
    source_shapes, target_shapes
        The extents of the part of each device before and after the move. A device without a part has None.
    takers
        With `relabel`, the device that takes each part of the target; otherwise None.

    Examples
    --------
    >>> rows, columns = dict(mesh={"tp": 2}, spec=["tp", None]), dict(mesh={"tp": 2}, spec=[None, "tp"])
    >>> move = Move((4, 6), rows, columns)
    >>> move.local, move.moved, move.source_shapes[0], move.target_shapes[0]
    (12, 12, (2, 6), (4, 3))
    >>> move.lists(0).send[1][["source_offset", "target_offset", "length"]].tolist()
    [(3, 0, 3), (9, 3, 3)]
    """

    def __init__(self, shape: Sequence[int], source: Mapping[str, Any], target: Mapping[str, Any], *, relabel: bool = False):
        answer = _reshard("reshard.plan", shape, source, target, relabel)
        self.local: int = answer["local"]
        self.moved: int = answer["moved"]
        self.takers: list[int] | None = answer.get("takers")
        self.reduction: str | None = answer.get("reduction")
        self._copies: list[list[dict[str, Any]]] = answer["summands"]
        self.summands = len(self._copies)
        before, after = ([None if part is None else tuple(part) for part in answer["shapes"][end]] for end in ("from", "to"))
        self.devices = max(len(before), len(after))
        self.source_shapes: list[tuple[int, ...] | None] = before + [None] * (self.devices - len(before))
        self.target_shapes: list[tuple[int, ...] | None] = after + [None] * (self.devices - len(after))
        self._plan = repr(self), hashlib.blake2b(repr(sorted(answer.items())).encode()).hexdigest()

    def __repr__(self) -> str:
        return f"<Move between {self.devices} devices: {self.local} elements stay, {self.moved} move>"

    def runs(self, *, source: int | None = None, target: int | None = None) -> np.ndarray:
        """Returns the fewest runs: those that touch in the source and in the target are one.

        They are in the order of source, target, and offset in the target. An array has the fields of `crd2idx.reshard`.

        Parameters
        ----------
        source, target
            The device that has the elements, and the device that gets them. None is all.
        """
        source, target = (None if device is None else self._device(device) for device in (source, target))
        chosen = [
            (summand, [copy for copy in copies if source in (None, copy["from"]) and target in (None, copy["to"])])
            for summand, copies in enumerate(self._copies)
        ]
        runs = _of_summands(chosen)
        runs = runs[np.lexsort((runs["target_offset"], runs["summand"], runs["target"], runs["source"]))]
        return _joined(runs)

    def lists(self, rank: int) -> Lists:
        """Returns the runs of one device: those that stay, and those that it sends and receives.

        A target stores the runs of summand 0 and then combines the others with them, in ascending order of the summands.

        Parameters
        ----------
        rank
            The number of the device.
        """
        rank = self._device(rank)
        sent, received = self.runs(source=rank), self.runs(target=rank)
        others = sent[sent["target"] != rank], received[received["source"] != rank]
        send, receive = (_by_peer(runs, peer) for runs, peer in zip(others, ("target", "source"), strict=True))
        return Lists(sent[sent["target"] == rank], send, receive)

    def run(self, communicator: Any, part: Any = None, out: Any = None) -> Any:
        """Moves the elements between the ranks of a communicator, and returns the new part of this rank.

        All ranks call it together with the same plan; rank `k` is device `k`. Before anything moves, they compare their plans and their parts. Sums are
        computed in the type of the parts and in the order of the summands. Every rank needs memory for the messages that it sends and receives.

        Parameters
        ----------
        communicator
            A communicator of `mpi4py`, or a process group of `torch.distributed` with a backend for the CPU. Meanwhile no other receive of
            any tag may wait for messages on it.
        part
            The part of this rank: a NumPy array or a tensor on the CPU, contiguous in C order, flat or with the shape `source_shapes[rank]`. None if the
            rank has no elements. One rank at least gives an array, which says the type.
        out
            The array or tensor for the new part. It shares no memory with `part`.

        Returns
        -------
        numpy.ndarray, torch.Tensor or None
            `out`, or a new array of the shape `target_shapes[rank]`. None if the rank gets no part.

        Raises
        ------
        MoveError
            On every rank, if any rank has an invalid part or another plan, or too little memory.
        TypeError
            If the communicator is neither of the two.
        """
        channel = channel_of(communicator)
        agreed = channel.share((self._fault(channel, part, out), self._plan, _types(part, out)))
        faults = {rank: fault for rank, (fault, _, _) in enumerate(agreed) if fault}
        _raise_if({rank: fault for rank, fault in faults.items() if fault["kind"] == "ranks"})
        # Another plan needs other parts, so it comes before their faults.
        other = {rank: plan[0] for rank, (_, plan, _) in enumerate(agreed) if plan != agreed[0][1]}
        _raise_if({rank: {"kind": "plan", "message": f"its plan {plan} is not the plan {agreed[0][1][0]} of rank 0"} for rank, plan in other.items()})
        _raise_if(faults)
        types = [(rank, dtype) for rank, (_, _, dtypes) in enumerate(agreed) for dtype in dtypes]
        if not types:
            _raise_if({0: {"kind": "type", "message": "no rank has an array that says the type of the elements"}})
        _raise_if({rank: {"kind": "type", "message": f"its elements are {dtype}, and those of rank {types[0][0]} {types[0][1]}"} for rank, dtype in types if not _same(dtype, types[0][1])})
        work = None
        try:
            parts = of_type(types[0][1])
            fault = reduction_fault(parts, self.reduction, self.summands) if self.reduction else None
            if fault is None:
                work = _Work(self, channel, parts, part, out)
        except (MemoryError, RuntimeError) as error:
            fault = {"kind": "memory", "message": f"the memory is too small: {error}"}
        except Exception as error:  # Other ranks wait for the answer of this one.
            fault = {"kind": "type", "message": f"{type(error).__name__}: {error}"}
        _raise_if({rank: fault for rank, fault in enumerate(channel.share(fault)) if fault})
        assert work is not None
        return work.run(channel)

    def batch(
        self, sources: Mapping[int, int] | Sequence[int], targets: Mapping[int, int] | Sequence[int], element_bytes: int,
        *, source: int | None = None, target: int | None = None,
    ) -> Batch:
        """Returns the copies between addresses, as few as possible, for `cudaMemcpyBatchAsync` and the like.

        No two copies write to the same bytes, so any order is valid.

        Parameters
        ----------
        sources, targets
            The address of the first element of each device, by the number of the device. Only addresses of copies are needed.
        element_bytes
            The number of bytes of an element.
        source, target
            Only the copies from this device, and only those to this device. None is all.

        Raises
        ------
        ValueError
            If the source has partial results, which copies do not combine, or if a device has no address.

        Examples
        --------
        >>> move = Move((4,), dict(mesh={"x": 2}, spec=["x"]), dict(mesh={"x": 2}, spec=[None]))
        >>> dsts, srcs, sizes = move.batch({0: 2000, 1: 3000}, {0: 1000}, 4, target=0)
        >>> dsts.tolist(), srcs.tolist(), sizes.tolist()
        ([1000, 1008], [2000, 3000], [8, 8])
        """
        return self._addressed(self.runs(source=source, target=target), sources, targets, element_bytes)

    def descriptors(
        self, sources: Mapping[int, int] | Sequence[int], targets: Mapping[int, int] | Sequence[int], element_bytes: int,
        *, source: int | None = None, target: int | None = None, ids: Mapping[int, int] | Sequence[int] | None = None,
    ) -> dict[tuple[int, int], tuple[np.ndarray, np.ndarray]]:
        """Returns the lists of descriptors of NIXL for each pair of devices `(source, target)`: those of the source, then those of the target.

        Both have the same order. A row is an address, a length in bytes and the number of a device, as `get_xfer_descs` of NIXL takes it. Elements that
        stay on their device are not in the lists: `batch(.., source=k, target=k)` returns these.

        Parameters
        ----------
        sources, targets, element_bytes, source, target
            The arguments of `batch`.
        ids
            The number that NIXL has for the memory of each device. The default is 0 for all, which fits one GPU for each process.

        Raises
        ------
        ValueError
            As `batch` does.
        """
        runs = self.runs(source=source, target=target)
        runs = runs[runs["source"] != runs["target"]]
        dsts, srcs, sizes = self._addressed(runs, sources, targets, element_bytes)
        made = {}
        for rows in _groups(runs, ("source", "target")):
            pair = int(runs["source"][rows.start]), int(runs["target"][rows.start])
            of = [np.uint64(0 if ids is None else _at(ids, device, "number")) for device in pair]
            made[pair] = (
                np.stack([srcs[rows], sizes[rows], np.full(sizes[rows].shape, of[0])], 1),
                np.stack([dsts[rows], sizes[rows], np.full(sizes[rows].shape, of[1])], 1),
            )
        return made

    def _addressed(self, runs: np.ndarray, sources: Any, targets: Any, element_bytes: int) -> Batch:
        """Returns runs as copies between addresses."""
        if self.summands > 1:
            raise ValueError(f"the source has {self.summands} summands, and copies do not combine them; `run` does")
        element_bytes = index(element_bytes)
        if element_bytes < 1:
            raise ValueError(f"an element has {element_bytes} bytes; it needs at least 1")
        ends = []
        for field, bases in (("target", targets), ("source", sources)):
            devices, of = np.unique(runs[field], return_inverse=True)
            first = [_at(bases, int(device), f"{field} address") for device in devices]
            shapes = self.target_shapes if field == "target" else self.source_shapes
            for device, base in zip(devices, first, strict=True):
                if not 0 <= base <= 2**64 - prod(shapes[device] or ()) * element_bytes:
                    raise ValueError(f"the {field} address of device {device} is {base}, and its part does not end below 2^64")
            ends.append(np.array(first, np.uint64)[of] + runs[f"{field}_offset"].astype(np.uint64) * np.uint64(element_bytes))
        return Batch(ends[0], ends[1], runs["length"].astype(np.uint64) * np.uint64(element_bytes))

    def _device(self, rank: int) -> int:
        rank = index(rank)
        if not 0 <= rank < self.devices:
            raise ValueError(f"there is no device {rank}: the move has {self.devices} devices")
        return rank

    def _fault(self, channel: Channel, part: Any, out: Any) -> dict[str, Any] | None:
        """Returns the reason for which this rank refuses to run, or None."""
        if channel.size != self.devices:
            numbers = {"found": channel.size, "needed": self.devices}
            return {"kind": "ranks", "message": f"the communicator has {channel.size} ranks, and the plan {self.devices} devices", **numbers}
        try:
            for name, array, shapes in (("part", part, self.source_shapes), ("out", out, self.target_shapes)):
                shape = shapes[channel.rank]
                needed = 0 if shape is None else prod(shape)
                fault = None
                if array is not None:
                    fault = fault_of(array, (0,) if shape is None else shape)
                elif name == "part" and needed:
                    fault = {"kind": "shape", "message": f"is None, and the plan needs {shape}", "found": 0, "needed": needed}
                if fault:
                    return {**fault, "message": f"{name} {fault['message']}"}
            return None if out is None else _out_fault(part, out)
        except Exception as error:  # Other ranks wait for the answer of this one.
            return {"kind": "type", "message": f"{type(error).__name__}: {error}"}


class _Work:
    """The buffers and copies of one rank, allocated before any rank begins: after that, no rank may fail alone."""

    def __init__(self, move: Move, channel: Channel, parts: Parts, part: Any, out: Any):
        rank = channel.rank
        self.parts, self.reduction, self.summands = parts, move.reduction, move.summands
        shape = move.target_shapes[rank]
        self.out = parts.empty(shape) if out is None and shape is not None else out
        self.target = parts.flat(parts.empty((0,)) if self.out is None else self.out)
        self.source = parts.flat(parts.empty((0,)) if part is None else part)
        # The peer, the memory, its bytes, and the copies that fill it.
        self.sends: list[tuple[int, Any, np.ndarray, list[dict[str, Any]]]] = []
        self.receives: list[tuple[int, np.ndarray]] = []
        # The summand, the memory and the copies of everything that this rank stores or combines.
        self.stores: list[tuple[int, Any, list[dict[str, Any]]]] = []
        for summand, copies in enumerate(move._copies):
            for (source, target), message in _messages(copies, rank):
                if source == target:
                    self.stores.append((summand, None, message))
                    continue
                count = sum(_count(copy) for copy in message)
                if source == rank:
                    first, direct = message[0]["src"], _is_contiguous(message, 1)
                    memory = self.source[first : first + count] if direct else parts.flat(parts.empty((count,)))
                    raw = parts.bytes(memory)
                    raw = raw if raw.flags.writeable or not channel.WRITES else raw.copy()
                    self.sends.append((target, memory, raw, [] if direct else message))
                    continue
                first, direct = message[0]["dst"], summand == 0 and _is_contiguous(message, 2)
                memory = self.target[first : first + count] if direct else parts.flat(parts.empty((count,)))
                self.receives.append((source, parts.bytes(memory)))
                if not direct:
                    self.stores.append((summand, memory, message))

    def run(self, channel: Channel) -> Any:
        """Sends, receives, and combines."""
        parts = self.parts
        for peer, raw in self.receives:
            channel.receive(peer, raw)
        for peer, memory, raw, message in self.sends:
            for packed, copy in _packed(parts, memory, message):
                packed[...] = _end(parts, self.source, copy, "src")
            channel.send(peer, raw)
        channel.wait()
        for summand, memory, message in self.stores:
            both = (
                ((_end(parts, self.source, copy, "src"), copy) for copy in message) if memory is None else _packed(parts, memory, message)
            )
            for value, copy in both:
                into = _end(parts, self.target, copy, "dst")
                if summand == 0:
                    into[...] = value
                else:
                    parts.combine(self.reduction or "sum", into, value)
        if self.reduction == "mean" and self.summands > 1:
            parts.divide(self.target, self.summands)
        return self.out


def _messages(copies: list[dict[str, Any]], rank: int) -> Iterator[tuple[tuple[int, int], list[dict[str, Any]]]]:
    """Returns the copies of each message from or to a device. Both devices get them in the same order."""
    made: dict[tuple[int, int], list[dict[str, Any]]] = {}
    for copy in copies:
        if rank in (copy["from"], copy["to"]):
            made.setdefault((copy["from"], copy["to"]), []).append(copy)
    return iter(made.items())


def _shape(copy: dict[str, Any]) -> list[int]:
    # The first loop is the innermost one.
    return [*(loop[0] for loop in reversed(copy.get("loops", []))), copy["count"]]


def _is_contiguous(message: list[dict[str, Any]], side: int) -> bool:
    """Tests whether the elements of a message follow one another in the source (1) or in the target (2)."""
    length = message[0]["count"]
    for loop in message[0].get("loops", []):
        if loop[side] != length:
            return False
        length *= loop[0]
    return len(message) == 1


def _count(copy: dict[str, Any]) -> int:
    return prod(_shape(copy))


def _end(parts: Parts, flat: Any, copy: dict[str, Any], end: str) -> Any:
    """Returns the view of the elements of a copy in a part."""
    side = 1 if end == "src" else 2
    return parts.view(flat, copy[end], _shape(copy), [*(loop[side] for loop in reversed(copy.get("loops", []))), 1])


def _packed(parts: Parts, memory: Any, message: list[dict[str, Any]]) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yields the view of each copy of a message in its memory, and the copy."""
    first = 0
    for copy in message:
        count = _count(copy)
        yield memory[first : first + count].reshape(_shape(copy)), copy
        first += count


def _types(part: Any, out: Any) -> list[Any]:
    return [array.dtype for array in (part, out) if kind_of(array) is not None]


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and one == other


def _out_fault(part: Any, out: Any) -> dict[str, Any] | None:
    """Returns the reason for which `out` cannot be written, or None."""
    if isinstance(out, np.ndarray) and not out.flags.writeable:
        return {"kind": "layout", "message": "out is read-only"}
    if part is None:
        return None
    ranges = []
    for array in (part, out):
        first = array.ctypes.data if isinstance(array, np.ndarray) else array.data_ptr()
        ranges.append((first, first + prod(array.shape) * array.dtype.itemsize))
    shared = min(stop for _, stop in ranges) - max(start for start, _ in ranges)
    if shared > 0 and all(start < stop for start, stop in ranges):
        return {"kind": "memory", "message": f"out shares {shared} bytes with part", "found": shared, "needed": 0}
    return None


def _raise_if(faults: dict[int, dict[str, Any]]) -> None:
    if faults:
        raise MoveError(faults)


def _at(bases: Mapping[int, int] | Sequence[int], device: int, what: str) -> int:
    """Returns the entry of a device. Raises ValueError if there is none."""
    try:
        return index(bases[device])
    except (KeyError, IndexError, TypeError) as error:
        raise ValueError(f"device {device} has no {what}") from error


def _joined(runs: np.ndarray) -> np.ndarray:
    """Joins each run with the next one if they touch on both sides."""
    if runs.size == 0:
        return runs
    touches = np.ones(runs.size - 1, bool)
    for field in ("source", "target", "summand"):
        touches &= runs[field][1:] == runs[field][:-1]
    for field in ("source_offset", "target_offset"):
        touches &= runs[field][1:] == runs[field][:-1] + runs["length"][:-1]
    starts = np.flatnonzero(np.concatenate([[True], ~touches]))
    made = runs[starts]
    made["length"] = np.add.reduceat(runs["length"], starts)
    return made


def _groups(runs: np.ndarray, fields: Sequence[str]) -> Iterator[slice]:
    """Returns the slices of consecutive runs that have the same numbers in these fields."""
    changes = np.zeros(max(runs.size - 1, 0), bool)
    for field in fields:
        changes |= runs[field][1:] != runs[field][:-1]
    cuts = [0, *(np.flatnonzero(changes) + 1).tolist(), runs.size]
    return (slice(first, last) for first, last in zip(cuts, cuts[1:], strict=False) if first < last)


def _by_peer(runs: np.ndarray, peer: str) -> dict[int, np.ndarray]:
    """Returns runs by their peer, in the order of summands, then peers."""
    groups = [runs[rows] for rows in _groups(runs, ("source", "target"))]
    groups.sort(key=lambda group: (int(group["summand"][0]), int(group[peer][0])))
    return {int(group[peer][0]): group for group in groups}


