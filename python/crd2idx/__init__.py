"""Coordinates to memory indices: layouts, coordinate graphs, sparse and ragged arrays.

>>> from crd2idx import Layout
>>> layout = Layout("((2,4),(3,5)):((3,6),(1,24))")
>>> layout[1, 12]
99
>>> Layout((32, 16)).zipped_divide((8, 4))
Layout('((8,4),(4,4)):((1,32),(8,128))')
"""

from ._arrange import argwhere, broadcast_to, concatenate, diagonal, expand_dims, flip, kron, moveaxis, stack, tril, triu, where
from ._einsum import einsum, explain_einsum
from ._elementwise import elementwise
from ._kernels import mttkrp, sddmm, spgemm, ttm, ttv
from ._native import Layout, evaluate, get_threads
from .batch import Refused, command, emit, explain, request
from .checkpoints import reshard_checkpoint
from .layouts import OPERATIONS, svg
from .plans import Transfer, placement, plan, reshard, reshard_kv_cache
from .ragged import Ragged
from .sparse import Sparse
from .threads import set_threads
from .tiles import choose_layouts, verify_kernel

__all__ = [
    "OPERATIONS",
    "Layout",
    "Ragged",
    "Refused",
    "Sparse",
    "Transfer",
    "argwhere",
    "broadcast_to",
    "choose_layouts",
    "command",
    "concatenate",
    "diagonal",
    "einsum",
    "elementwise",
    "emit",
    "evaluate",
    "expand_dims",
    "explain",
    "explain_einsum",
    "flip",
    "get_threads",
    "kron",
    "moveaxis",
    "mttkrp",
    "placement",
    "plan",
    "request",
    "reshard",
    "reshard_checkpoint",
    "reshard_kv_cache",
    "sddmm",
    "set_threads",
    "spgemm",
    "stack",
    "svg",
    "tril",
    "triu",
    "ttm",
    "ttv",
    "verify_kernel",
    "where",
]
