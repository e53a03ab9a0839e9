"""Coordinates to memory indices: layouts, coordinate graphs, sparse and ragged arrays.

>>> from crd2idx import Layout
>>> layout = Layout("((2,4),(3,5)):((3,6),(1,24))")
>>> layout[1, 12]
99
>>> Layout((32, 16)).zipped_divide((8, 4))
Layout('((8,4),(4,4)):((1,32),(8,128))')
"""

from ._native import Layout, evaluate
from .batch import Refused, command, emit, explain, request
from .layouts import OPERATIONS, svg
from .plans import Transfer, plan
from .ragged import Ragged
from .sparse import Sparse

__all__ = [
    "OPERATIONS",
    "Layout",
    "Ragged",
    "Refused",
    "Sparse",
    "Transfer",
    "command",
    "emit",
    "evaluate",
    "explain",
    "plan",
    "request",
    "svg",
]
