#!/usr/bin/env bash
# Text read and written beside peers, `fast_matrix_market` of Python in an environment of its own included: `./run.sh [ENTRIES] [ROUNDS]`, 1e7 entries three times if not told otherwise.
# Takes 4 GB of memory, 2 GB of disk, and with 1e7 entries some minutes of a machine that does nothing else.
set -euo pipefail
cd "$(dirname "$0")"
environment=target/python
[ -x "$environment/bin/python" ] || python3 -m venv "$environment"
"$environment/bin/pip" install --quiet --disable-pip-version-check fast_matrix_market numpy scipy
FILES_PEERS=$PWD/$environment/bin/python cargo run --release --quiet -- "$@"
