from collections.abc import Sequence
from typing import Any, Literal, overload

class Refused(ValueError):
    """The error of an invalid request. `answer` is the whole answer: the message, and facts such as `kind` or numbers."""

    answer: dict[str, Any]
    def __init__(self, answer: dict[str, Any]) -> None: ...

def command(*arguments: object) -> str: ...
def explain(*arguments: object) -> str: ...
def emit(expression: object, to: str = "c", **options: object) -> str: ...

# `stubs.py` writes the rest.
@overload
def request(op: Literal['analyze'], /, *, layout: Any = ..., element_bits: Any = ..., vector: Any = ..., cycles: Any = ...) -> Any:
    """Analyzes all indices of a layout: aliases, holes, runs, vectors, the cycles of the permutation, bank conflicts and lines."""
@overload
def request(op: Literal['from_table'], /, *, indices: Any = ..., shape: Any = ...) -> Any:
    """Returns the layout whose index at linear coordinate `k` is entry `k` of `indices`: strides, a swizzle of these, or XOR strides."""
@overload
def request(op: Literal['choose'], /, *, program: Any = ..., to: Any = ...) -> Any:
    """Chooses the layouts of the tiles of a program in registers and in shared memory."""
@overload
def request(op: Literal['emit'], /, *, layout: Any = ..., coordinates: Any = ..., graph: Any = ..., flatten: Any = ..., forward: Any = ..., reverse: Any = ..., targets: Any = ..., launch: Any = ..., bind: Any = ..., domain: Any = ..., to: Any = ..., name: Any = ..., names: Any = ..., width: Any = ..., fast_division: Any = ..., expression: Any = ..., unsimplified: Any = ...) -> Any:
    """Prints the index function of a layout, or of a question about a graph, as source text."""
@overload
def request(op: Literal['equal_functions'], /, *, args: Any = ...) -> Any:
    """Compares two layouts as functions, and returns the least coordinate at which they differ, with both indices."""
@overload
def request(op: Literal['injective'], /, *, args: Any = ...) -> Any:
    """Returns whether no two coordinates of a layout share an index, or two that do."""
@overload
def request(op: Literal['disjoint'], /, *, args: Any = ...) -> Any:
    """Returns whether two layouts have no index in common, or a coordinate of each with the same index."""
@overload
def request(op: Literal['covers'], /, *, args: Any = ...) -> Any:
    """Returns whether every index of the second layout is an index of the first, or a coordinate whose index is not."""
@overload
def request(op: Literal['in_bounds'], /, *, args: Any = ...) -> Any:
    """Returns whether all indices of a layout are from 0 to `n - 1`, or a coordinate with an index outside."""
@overload
def request(op: Literal['f2.apply'], /, *, layout: Any = ..., at: Any = ...) -> Any:
    """Returns the outputs at each of a list of inputs."""
@overload
def request(op: Literal['f2.compose'], /, *, inner: Any = ..., outer: Any = ...) -> Any:
    """Returns the layout that maps each input to the outer outputs of its inner outputs."""
@overload
def request(op: Literal['f2.product'], /, *, left: Any = ..., right: Any = ...) -> Any:
    """Returns the layout with `left` on the low bits of each name, and `right` on the bits above."""
@overload
def request(op: Literal['f2.divide_left'], /, *, layout: Any = ..., by: Any = ...) -> Any:
    """Returns `C` with `layout = by * C`, where `*` is `f2.product`. Fails if there is none."""
@overload
def request(op: Literal['f2.divide_right'], /, *, layout: Any = ..., by: Any = ...) -> Any:
    """Returns `C` with `layout = C * by`, where `*` is `f2.product`. Fails if there is none."""
@overload
def request(op: Literal['f2.invert'], /, *, layout: Any = ...) -> Any:
    """Returns the inverse of a bijection."""
@overload
def request(op: Literal['f2.pseudoinvert'], /, *, layout: Any = ...) -> Any:
    """Returns the least `P` with `layout(P(y)) = y`."""
@overload
def request(op: Literal['f2.invert_and_compose'], /, *, layout: Any = ..., other: Any = ...) -> Any:
    """Returns the least `C` with `layout(x) = other(C(x))`."""
@overload
def request(op: Literal['f2.sublayout'], /, *, layout: Any = ..., out: Any = ..., **fields: Any) -> Any:
    """Returns the layout from the chosen inputs (the others are 0) to the chosen outputs."""
@overload
def request(op: Literal['f2.quotient'], /, *, layout: Any = ..., dims: Any = ...) -> Any:
    """Removes dimensions that the layout maps to themselves by the identity."""
@overload
def request(op: Literal['f2.reshape_in'], /, *, layout: Any = ..., dims: Any = ...) -> Any:
    """Cuts the inputs of the layout into other dimensions."""
@overload
def request(op: Literal['f2.reshape_out'], /, *, layout: Any = ..., dims: Any = ...) -> Any:
    """Cuts the outputs of the layout into other dimensions."""
@overload
def request(op: Literal['f2.free_masks'], /, *, layout: Any = ...) -> Any:
    """Returns for each input the bits whose bases are sums of earlier bases."""
@overload
def request(op: Literal['f2.rank'], /, *, layout: Any = ...) -> Any:
    """Returns the rank of the matrix."""
@overload
def request(op: Literal['f2.consecutive'], /, *, layout: Any = ...) -> Any:
    """Returns the number of elements of the first input that are consecutive and aligned in the first output."""
@overload
def request(op: Literal['f2.is_injective'], /, *, layout: Any = ...) -> Any:
    """Returns 1 if no two inputs have the same outputs, else 0."""
@overload
def request(op: Literal['f2.is_surjective'], /, *, layout: Any = ...) -> Any:
    """Returns 1 if all outputs occur, else 0."""
@overload
def request(op: Literal['f2.is_invertible'], /, *, layout: Any = ...) -> Any:
    """Returns 1 if the layout is a bijection, else 0."""
@overload
def request(op: Literal['f2.from_layout'], /, *, layout: Any = ...) -> Any:
    """Returns the matrix of a layout in the notation, and the index of coordinate 0 as `offset` if it is not 0."""
@overload
def request(op: Literal['f2.to_layout'], /, *, layout: Any = ...) -> Any:
    """Returns the layout in the notation, with strides that add."""
@overload
def request(op: Literal['f2.to_xor'], /, *, layout: Any = ...) -> Any:
    """Returns the layout in the notation, with XOR strides, which add without carries."""
@overload
def request(op: Literal['graph'], /, *, graph: Any = ..., flatten: Any = ..., query: Any = ...) -> Any:
    """Answers a question about a coordinate graph."""
@overload
def request(op: Literal['verify'], /, *, kernel: Any = ...) -> Any:
    """Decides for all sizes whether a kernel has no races, stays in bounds, and writes all elements."""
@overload
def request(op: Literal['bank_conflicts'], /, *, layout: Any = ..., threads: Any = ..., element_bits: Any = ..., vector: Any = ..., banks: Any = ..., bank_bytes: Any = ..., warp: Any = ...) -> Any:
    """Counts the wavefronts of accesses to shared memory."""
@overload
def request(op: Literal['coalescing'], /, *, layout: Any = ..., threads: Any = ..., element_bits: Any = ..., vector: Any = ..., warp: Any = ..., sector_bytes: Any = ..., line_bytes: Any = ..., base: Any = ...) -> Any:
    """Counts the sectors and lines of accesses to global memory."""
@overload
def request(op: Literal['swizzle_search'], /, *, shape: Any = ..., element_bits: Any = ..., accesses: Any = ..., banks: Any = ..., bank_bytes: Any = ..., warp: Any = ...) -> Any:
    """Finds the layout of a shape with the fewest bank conflicts."""
@overload
def request(op: Literal['tensor_map'], /, *, layout: Any = ..., box: Any = ..., element_bits: Any = ..., element_strides: Any = ..., swizzle: Any = ..., address: Any = ..., at: Any = ...) -> Any:
    """Returns the arguments of `cuTensorMapEncodeTiled` for a layout and a box, and the layout of the box in shared memory."""
@overload
def request(op: Literal['placement'], /, *, mesh: Any = ..., shape: Any = ..., splits: Any = ..., spec: Any = ..., dtensor: Any = ..., hpf: Any = ..., partial: Any = ...) -> Any:
    """Returns the ranges of a tensor that each device of a mesh has."""
@overload
def request(op: Literal['reshard'], /, *, shape: Any = ..., to: Any = ..., relabel: Any = ..., **fields: Any) -> Any:
    """Returns the number of elements that stay on their device, and that move, from one placement to another."""
@overload
def request(op: Literal['reshard.plan'], /, *, shape: Any = ..., to: Any = ..., relabel: Any = ..., **fields: Any) -> Any:
    """Returns the copies that bring a tensor from one placement to another, a list for each summand, and the shapes of the parts."""
@overload
def request(op: Literal['kv_cache.plan'], /, *, layers: Any = ..., tokens: Any = ..., heads: Any = ..., head_dim: Any = ..., to: Any = ..., max_loops: Any = ..., limit: Any = ..., **fields: Any) -> Any:
    """Returns the copies that bring the cache of keys and values of a sequence from the pages of one engine to those of another."""
@overload
def request(op: Literal['plan'], /, *, to: Any = ..., extent: Any = ..., max_loops: Any = ..., limit: Any = ..., element_bytes: Any = ..., **fields: Any) -> Any:
    """Plans the copies that bring every element from one layout to another."""
@overload
def request(op: Literal['plan.stats'], /, *, to: Any = ..., extent: Any = ..., max_loops: Any = ..., limit: Any = ..., element_bytes: Any = ..., **fields: Any) -> Any:
    """Plans copies, and returns the sums of the plan and of its messages."""
@overload
def request(op: Literal['ragged'], /, *, lists: Any = ..., data: Any = ..., offsets: Any = ..., starts: Any = ..., sizes: Any = ..., outer: Any = ..., levels: Any = ..., want: Any = ..., fill: Any = ...) -> Any:
    """Returns the fields of an array with offsets: all, or those in `want`."""
@overload
def request(op: Literal['ragged.mixed'], /, *, lists: Any = ..., data: Any = ..., offsets: Any = ..., starts: Any = ..., sizes: Any = ..., outer: Any = ..., levels: Any = ..., want: Any = ..., fill: Any = ...) -> Any:
    """Returns the fields of an array of levels: all, or those in `want`."""
@overload
def request(op: Literal['ragged.pack'], /, *, lists: Any = ..., data: Any = ..., offsets: Any = ..., starts: Any = ..., sizes: Any = ..., outer: Any = ..., levels: Any = ...) -> Any:
    """Packs an array, so that its lists are consecutive."""
@overload
def request(op: Literal['ragged.broadcast_add'], /, *, lists: Any = ..., data: Any = ..., offsets: Any = ..., starts: Any = ..., sizes: Any = ..., outer: Any = ..., levels: Any = ..., level: Any = ..., vec: Any = ...) -> Any:
    """Adds to each leaf the entry of `vec` for its element of axis `level`."""
@overload
def request(op: Literal['ragged.views'], /, *, lists: Any = ..., data: Any = ..., offsets: Any = ..., starts: Any = ..., sizes: Any = ..., outer: Any = ..., levels: Any = ...) -> Any:
    """Packs lists at arbitrary positions, and tests whether they touch or overlap."""
@overload
def request(op: Literal['ragged.encode'], /, *, nrows: Any = ..., row_lengths: Any = ..., row_splits: Any = ..., value_rowids: Any = ...) -> Any:
    """Returns all encodings of rows from one of them."""
@overload
def request(op: Literal['ragged.split'], /, *, offsets: Any = ..., items_per_part: Any = ...) -> Any:
    """Cuts rows and leaves into parts of `items_per_part` items."""
@overload
def request(op: Literal['ragged.from_offsets'], /, *, lists: Any = ..., data: Any = ..., offsets: Any = ..., starts: Any = ..., sizes: Any = ..., outer: Any = ..., levels: Any = ..., data_len: Any = ...) -> Any:
    """Counts the elements of each axis of an array by offsets."""
@overload
def request(op: Literal['ragged.from_views'], /, *, lists: Any = ..., data: Any = ..., offsets: Any = ..., starts: Any = ..., sizes: Any = ..., outer: Any = ..., levels: Any = ..., data_len: Any = ...) -> Any:
    """Counts the elements of each axis of an array by starts and sizes."""
@overload
def request(op: Literal['ragged.from_row_lengths'], /, *, row_lengths: Any = ..., data_len: Any = ...) -> Any:
    """Counts the elements of each axis of rows by their lengths."""
@overload
def request(op: Literal['ragged.from_value_rowids'], /, *, value_rowids: Any = ..., nrows: Any = ..., data_len: Any = ...) -> Any:
    """Counts the elements of each axis of rows by the row of each element."""
@overload
def request(op: Literal['ragged.from_regular'], /, *, size: Any = ..., data_len: Any = ...) -> Any:
    """Counts the elements of each axis of rows of one size."""
@overload
def request(op: Literal['ragged.index'], /, *, lists: Any = ..., data: Any = ..., offsets: Any = ..., starts: Any = ..., sizes: Any = ..., outer: Any = ..., levels: Any = ..., data_len: Any = ..., at: Any = ..., axis: Any = ..., index: Any = ...) -> Any:
    """Returns the leaf at some coordinates, and its number; or element `index` of every list of `axis`, without the axis."""
@overload
def request(op: Literal['ragged.decompose'], /, *, lists: Any = ..., data: Any = ..., offsets: Any = ..., starts: Any = ..., sizes: Any = ..., outer: Any = ..., levels: Any = ..., data_len: Any = ..., k: Any = ...) -> Any:
    """Returns the coordinates of a leaf."""
@overload
def request(op: Literal['ragged.to_regular'], /, *, lists: Any = ..., data: Any = ..., offsets: Any = ..., starts: Any = ..., sizes: Any = ..., outer: Any = ..., levels: Any = ..., data_len: Any = ...) -> Any:
    """Returns the shape of an array whose lists have one length per axis."""
@overload
def request(op: Literal['ragged.narrow_offsets'], /, *, lists: Any = ..., data: Any = ..., offsets: Any = ..., starts: Any = ..., sizes: Any = ..., outer: Any = ..., levels: Any = ..., data_len: Any = ..., word: Any = ...) -> Any:
    """Returns the packed offsets of every level as numbers of a type."""
@overload
def request(op: Literal['ragged.flatten'], /, *, lists: Any = ..., data: Any = ..., offsets: Any = ..., starts: Any = ..., sizes: Any = ..., outer: Any = ..., levels: Any = ..., axis: Any = ...) -> Any:
    """Joins an axis with the axis before it."""
@overload
def request(op: Literal['ragged.unflatten'], /, *, lists: Any = ..., data: Any = ..., offsets: Any = ..., starts: Any = ..., sizes: Any = ..., outer: Any = ..., levels: Any = ..., axis: Any = ...) -> Any:
    """Cuts an axis into lists of these sizes."""
@overload
def request(op: Literal['ragged.reduce'], /, *, lists: Any = ..., data: Any = ..., offsets: Any = ..., starts: Any = ..., sizes: Any = ..., outer: Any = ..., levels: Any = ..., axis: Any = ..., op2: Any = ...) -> Any:
    """Reduces an axis to sums, maxima, minima or counts."""
@overload
def request(op: Literal['ragged.paged'], /, *, page: Any = ..., pages: Any = ..., lengths: Any = ..., block_table: Any = ..., pad: Any = ..., indptr: Any = ..., indices: Any = ..., last_page_len: Any = ..., want: Any = ..., write: Any = ..., pool: Any = ..., heads: Any = ..., dim: Any = ..., layout: Any = ..., q_lengths: Any = ..., split: Any = ...) -> Any:
    """Returns the properties in `want` of tokens of sequences in pages."""
@overload
def request(op: Literal['ragged.slice'], /, *, lists: Any = ..., data: Any = ..., offsets: Any = ..., starts: Any = ..., sizes: Any = ..., outer: Any = ..., levels: Any = ..., axis: Any = ..., start: Any = ..., stop: Any = ..., step: Any = ...) -> Any:
    """Returns the elements `start` to `stop` in steps of `step` of every list of an axis."""
@overload
def request(op: Literal['ragged.take'], /, *, lists: Any = ..., data: Any = ..., offsets: Any = ..., starts: Any = ..., sizes: Any = ..., outer: Any = ..., levels: Any = ..., rows: Any = ..., axis: Any = ...) -> Any:
    """Returns the elements with these numbers of every list of an axis, by default of the outer rows."""
@overload
def request(op: Literal['ragged.gather'], /, *, lists: Any = ..., data: Any = ..., offsets: Any = ..., starts: Any = ..., sizes: Any = ..., outer: Any = ..., levels: Any = ..., ix: Any = ..., ix_offsets: Any = ...) -> Any:
    """Returns, for each list of the indices, the elements with these indices of the corresponding list. The leaf of a null is null."""
@overload
def request(op: Literal['ragged.filter'], /, *, lists: Any = ..., data: Any = ..., offsets: Any = ..., starts: Any = ..., sizes: Any = ..., outer: Any = ..., levels: Any = ..., mask: Any = ..., mask_offsets: Any = ...) -> Any:
    """Keeps the elements for which a mask is true. The leaf of a null is null."""
@overload
def request(op: Literal['ragged.pad_to'], /, *, lists: Any = ..., data: Any = ..., offsets: Any = ..., starts: Any = ..., sizes: Any = ..., outer: Any = ..., levels: Any = ..., target: Any = ..., clip: Any = ..., axis: Any = ...) -> Any:
    """Lengthens the lists of an axis, by default 1, to `target` elements, and with `clip` cuts longer ones. New leaves are null."""
@overload
def request(op: Literal['ragged.combinations'], /, *, lists: Any = ..., data: Any = ..., offsets: Any = ..., starts: Any = ..., sizes: Any = ..., outer: Any = ..., levels: Any = ..., n: Any = ..., replacement: Any = ..., axis: Any = ...) -> Any:
    """Returns all combinations of `n` elements of every list of an axis, by default 1."""
@overload
def request(op: Literal['ragged.cartesian'], /, *, arrays: Any = ..., axis: Any = ...) -> Any:
    """Returns the Cartesian product of corresponding lists of an axis, as one array for each operand."""
@overload
def request(op: Literal['ragged.concatenate'], /, *, arrays: Any = ..., axis: Any = ...) -> Any:
    """Joins corresponding lists of an axis."""
@overload
def request(op: Literal['ragged.sort'], /, *, lists: Any = ..., data: Any = ..., offsets: Any = ..., starts: Any = ..., sizes: Any = ..., outer: Any = ..., levels: Any = ..., axis: Any = ..., descending: Any = ...) -> Any:
    """Sorts along an axis, and returns for each leaf its source, and the index of the source on the axis."""
@overload
def request(op: Literal['ragged.unique'], /, *, lists: Any = ..., data: Any = ..., offsets: Any = ..., starts: Any = ..., sizes: Any = ..., outer: Any = ..., levels: Any = ...) -> Any:
    """Returns the distinct leaves of every list of the last axis, in ascending order."""
@overload
def request(op: Literal['ragged.run_lengths'], /, *, lists: Any = ..., data: Any = ..., offsets: Any = ..., starts: Any = ..., sizes: Any = ..., outer: Any = ..., levels: Any = ...) -> Any:
    """Returns the runs of equal leaves of every list of the last axis, and their lengths."""
@overload
def request(op: Literal['sparse.build'], /, *, shape: Any = ..., axis_order: Any = ..., structure: Any = ..., multigraph: Any = ..., unsorted: Any = ..., max_children: Any = ..., balanced_level: Any = ..., coords: Any = ..., values: Any = ..., duplicates: Any = ..., fill: Any = ...) -> Any:
    """Builds the arrays of a tensor in a format from coordinates and values."""
@overload
def request(op: Literal['sparse.decode'], /, *, shape: Any = ..., axis_order: Any = ..., structure: Any = ..., multigraph: Any = ..., unsorted: Any = ..., max_children: Any = ..., balanced_level: Any = ..., indices: Any = ..., pointers: Any = ..., values: Any = ..., iso: Any = ..., fill: Any = ..., name: Any = ..., stored: Any = ...) -> Any:
    """Returns the coordinates and values of a tensor from its arrays."""
@overload
def request(op: Literal['sparse.custom'], /, *, shape: Any = ..., axis_order: Any = ..., structure: Any = ..., multigraph: Any = ..., unsorted: Any = ..., max_children: Any = ..., balanced_level: Any = ..., coords: Any = ..., values: Any = ..., duplicates: Any = ..., fill: Any = ..., levels: Any = ...) -> Any:
    """Builds the arrays of a tensor under the names of custom binary sparse files."""
@overload
def request(op: Literal['sparse.mlir'], /, *, shape: Any = ..., axis_order: Any = ..., structure: Any = ..., multigraph: Any = ..., unsorted: Any = ..., max_children: Any = ..., balanced_level: Any = ..., coords: Any = ..., values: Any = ..., duplicates: Any = ..., fill: Any = ..., levels: Any = ...) -> Any:
    """Builds the arrays of a tensor under the names of MLIR, and its encoding there."""
@overload
def request(op: Literal['sparse.gcs'], /, *, shape: Any = ..., axis_order: Any = ..., split: Any = ..., dense: Any = ..., gcs: Any = ...) -> Any:
    """Converts coordinates of axes into coordinates of groups of axes, or back."""
@overload
def request(op: Literal['sparse.gcxs'], /, *, shape: Any = ..., compressed_axes: Any = ..., coords: Any = ..., values: Any = ..., duplicates: Any = ..., fill: Any = ...) -> Any:
    """Builds the compressed rows of a tensor whose axes form two groups."""
@overload
def request(op: Literal['sparse.validate'], /, *, kind: Any = ..., input: Any = ..., header: Any = ..., header_text: Any = ..., arrays: Any = ...) -> Any:
    """Checks arrays, and names the first wrong number."""
@overload
def request(op: Literal['sparse.blocked'], /, *, format: Any = ..., shape: Any = ..., bits: Any = ..., super_bits: Any = ..., order: Any = ..., block: Any = ..., axis_order: Any = ..., structure: Any = ..., max_fiber: Any = ..., orders: Any = ..., partitions: Any = ..., coords: Any = ..., values: Any = ..., duplicates: Any = ..., fill: Any = ...) -> Any:
    """Builds the arrays of a tensor in a blocked, hybrid or linearised format, under their names in papers."""
@overload
def request(op: Literal['sparse.unblock'], /, *, format: Any = ..., shape: Any = ..., bits: Any = ..., super_bits: Any = ..., order: Any = ..., block: Any = ..., axis_order: Any = ..., structure: Any = ..., max_fiber: Any = ..., orders: Any = ..., partitions: Any = ..., arrays: Any = ...) -> Any:
    """Returns the coordinates and values of a tensor from the arrays of a blocked, hybrid or linearised format."""
@overload
def request(op: Literal['sparse.kernel'], /, *, kernel: Any = ..., format: Any = ..., parameters: Any = ..., shape: Any = ..., coords: Any = ..., values: Any = ..., duplicates: Any = ..., fill: Any = ..., mode: Any = ..., modes: Any = ..., rank: Any = ..., factors: Any = ..., matrix: Any = ..., vectors: Any = ..., vector: Any = ..., transpose: Any = ..., order: Any = ..., columns: Any = ..., dense: Any = ..., inner: Any = ..., left: Any = ..., right: Any = ..., other: Any = ..., op2: Any = ..., axes: Any = ..., all: Any = ...) -> Any:
    """Computes a product or a reduction of a tensor in a format."""
@overload
def request(op: Literal['sparse.contract'], /, *, subscripts: Any = ..., operands: Any = ..., result: Any = ..., semiring: Any = ...) -> Any:
    """Contracts sparse tensors and dense arrays by subscripts."""
@overload
def request(op: str, /, *, args: Sequence[str | int]) -> Any:
    """Returns the result of an operation on layouts, one of `OPERATIONS`."""
