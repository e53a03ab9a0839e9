#!/usr/bin/env bash
# Reads and writes text and compares with other libraries: `./run.sh [ENTRIES] [ROUNDS]`. The defaults are 1e7
# entries and three rounds. The Python library `fast_matrix_market` gets its own environment. 1e7 entries take 4 GB
# of memory, 2 GB of disk, and some minutes; run nothing else on the machine meanwhile.
set -euo pipefail
cd "$(dirname "$0")"
environment=target/python
[ -x "$environment/bin/python" ] || python3 -m venv "$environment"
"$environment/bin/pip" install --quiet --disable-pip-version-check fast_matrix_market numpy scipy
FILES_PEERS=$PWD/$environment/bin/python cargo run --release --quiet -- "$@"
