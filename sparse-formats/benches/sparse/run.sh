#!/bin/sh
# Conversions and products beside sprs, scipy and PyData sparse, which it installs under target/: sparse-formats/benches/sparse/run.sh [ROUNDS] [PART OF A NAME]
set -e
cd "$(dirname "$0")/../../.."
peers="target/sparse-peers"
[ -x "$peers/bin/python" ] || python3 -m venv "$peers"
"$peers/bin/pip" -q install numpy scipy sparse
export OMP_NUM_THREADS=1 NUMBA_NUM_THREADS=1 SPARSE_PEERS="$PWD/$peers/bin/python"
exec cargo bench -q -p sparse-formats --features parallel,huge-pages --bench sparse -- "$@"
