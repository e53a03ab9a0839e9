#!/bin/sh
# MTTKRP and products of matrices, these beside scipy, NumPy and MKL, which it installs under target/: sparse-formats/benches/products/run.sh [ROUNDS] [PART OF A NAME]
set -e
cd "$(dirname "$0")/../../.."
peers="target/products-peers"
[ -x "$peers/bin/python" ] || python3 -m venv "$peers"
"$peers/bin/pip" -q install numpy scipy mkl sparse_dot_mkl
export LD_LIBRARY_PATH="$PWD/$peers/lib:$LD_LIBRARY_PATH" OMP_NUM_THREADS=1 MKL_NUM_THREADS=1 PRODUCTS_PEERS="$PWD/$peers/bin/python"
exec cargo bench -q -p sparse-formats --features parallel,huge-pages --bench products -- "$@"
