#!/bin/sh
# Measures ragged arrays beside awkward, NumPy and PyArrow, which it installs under target/.
# usage: ragged-arrays/benches/ragged/run.sh [ROUNDS] [PART OF A NAME]
set -e
cd "$(dirname "$0")/../../.."
peers="target/ragged-peers"
[ -x "$peers/bin/python" ] || python3 -m venv "$peers"
"$peers/bin/pip" -q install awkward numpy pyarrow
export OMP_NUM_THREADS=1 ARROW_IO_THREADS=1 RAGGED_PEERS="$PWD/$peers/bin/python"
exec cargo bench -q -p ragged-arrays --features parallel,huge-pages --bench ragged_peers -- "$@"
