"""The messages of a move over MPI or `torch.distributed`: bytes between two ranks, and small objects shared by all."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np

# The maximum number of bytes of one message: MPI counts in `int`.
MOST_BYTES = 1 << 30

# The tag of the messages of a move over MPI.
TAG = 25443


class Channel(Protocol):
    """The messages of one rank."""

    rank: int
    size: int
    # True if the memory of messages that are sent must not be read-only.
    WRITES: bool

    def share(self, value: Any) -> list[Any]:
        """Returns the values of all ranks, which all call this."""

    def send(self, peer: int, memory: np.ndarray) -> None:
        """Begins to send bytes to another rank."""

    def receive(self, peer: int, memory: np.ndarray) -> None:
        """Begins to receive bytes from another rank."""

    def wait(self) -> None:
        """Waits until all messages have arrived."""


class MpiChannel:
    """Messages over a communicator of `mpi4py`."""

    WRITES = False

    def __init__(self, comm: Any):
        self.comm, self.byte = comm, sys.modules["mpi4py.MPI"].BYTE
        self.rank, self.size = comm.Get_rank(), comm.Get_size()
        self.requests: list[Any] = []

    def share(self, value: Any) -> list[Any]:
        """Returns the values of all ranks, which all call this."""
        return self.comm.allgather(value)

    def send(self, peer: int, memory: np.ndarray) -> None:
        """Begins to send bytes to another rank."""
        self.requests += [self.comm.Isend([piece, self.byte], peer, TAG) for piece in pieces(memory)]

    def receive(self, peer: int, memory: np.ndarray) -> None:
        """Begins to receive bytes from another rank."""
        self.requests += [self.comm.Irecv([piece, self.byte], peer, TAG) for piece in pieces(memory)]

    def wait(self) -> None:
        """Waits until all messages have arrived."""
        sys.modules["mpi4py.MPI"].Request.Waitall(self.requests)
        self.requests = []


class TorchChannel:
    """Messages over a process group of `torch.distributed` for memory of the CPU, such as one of Gloo."""

    # A tensor cannot be read-only.
    WRITES = True

    def __init__(self, group: Any):
        self.torch, self.dist, self.group = sys.modules["torch"], sys.modules["torch.distributed"], group
        self.rank, self.size = self.dist.get_rank(group), self.dist.get_world_size(group)
        self.requests: list[Any] = []
        # The memory of the requests.
        self.held: list[Any] = []

    def share(self, value: Any) -> list[Any]:
        """Returns the values of all ranks, which all call this."""
        values: list[Any] = [None] * self.size
        self.dist.all_gather_object(values, value, group=self.group)
        return values

    def send(self, peer: int, memory: np.ndarray) -> None:
        """Begins to send bytes to another rank."""
        self._post(self.dist.isend, peer, memory)

    def receive(self, peer: int, memory: np.ndarray) -> None:
        """Begins to receive bytes from another rank."""
        self._post(self.dist.irecv, peer, memory)

    def _post(self, operation: Any, peer: int, memory: np.ndarray) -> None:
        peer = self.dist.get_global_rank(self.group, peer)
        for tag, piece in enumerate(pieces(memory)):
            tensor = self.torch.from_numpy(piece)
            self.held.append(tensor)
            self.requests.append(operation(tensor, peer, group=self.group, tag=tag))

    def wait(self) -> None:
        """Waits until all messages have arrived."""
        for request in self.requests:
            request.wait()
        self.requests, self.held = [], []


def pieces(memory: np.ndarray) -> Iterator[np.ndarray]:
    """Divides bytes into messages. Both ranks get the same ones, and messages between two ranks arrive in order."""
    return (memory[first : first + MOST_BYTES] for first in range(0, memory.size, MOST_BYTES))


def channel_of(communicator: Any) -> Channel:
    """Returns the messages of a communicator. Raises TypeError for other objects."""
    mpi, dist = sys.modules.get("mpi4py.MPI"), sys.modules.get("torch.distributed")
    if mpi is not None and isinstance(communicator, mpi.Intracomm):
        return MpiChannel(communicator)
    if dist is not None and dist.is_available() and isinstance(communicator, dist.ProcessGroup):
        if dist.get_backend(communicator) == "nccl":
            raise TypeError("the process group has only NCCL, and a move needs one for the memory of the CPU: `new_group(backend='gloo')` makes it")
        return TorchChannel(communicator)
    raise TypeError(f"the communicator is a {type(communicator).__name__}; it must be an Intracomm of mpi4py or a ProcessGroup of torch.distributed")
