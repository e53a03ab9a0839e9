#!/bin/sh
# Ragged arrays beside awkward, NumPy and PyArrow, which it installs under target/: sparse-formats/benches/ragged/run.sh [ROUNDS] [PART OF A NAME]
set -e
cd "$(dirname "$0")/../../.."
peers="target/ragged-peers"
[ -x "$peers/bin/python" ] || python3 -m venv "$peers"
"$peers/bin/pip" -q install awkward numpy pyarrow
# NumPy alone would ask for huge pages, and whether it gets them differs from run to run: pages of one size for all.
export NUMPY_MADVISE_HUGEPAGE=0
export OMP_NUM_THREADS=1 ARROW_IO_THREADS=1 RAGGED_PEERS="$PWD/$peers/bin/python"
exec cargo bench -q -p sparse-formats --features parallel --bench ragged_peers -- "$@"
