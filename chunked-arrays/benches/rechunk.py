"""Copies an array of Zarr into chunks of columns: rechunk.py rechunker|zarr SOURCE TARGET MEMORY. Needs zarr 2, rechunker and dask."""
import json
import os
import shutil
import sys
import time
from pathlib import Path

# Rechunker needs zarr 2, which reads version 3 only as an experiment. The files of chunks are the same under other names.
import numcodecs
import zarr


def version_2(source):
    """Makes an array of version 2 whose chunks are links to those of version 3."""
    about = json.loads((source / "zarr.json").read_text())
    chunk = about["chunk_grid"]["configuration"]["chunk_shape"]
    names = [codec["name"] for codec in about["codecs"]]
    path = source.parent / "a2.zarr"
    compressor = numcodecs.Zstd(level=1) if "zstd" in names else None
    array = zarr.open_array(str(path), mode="w", shape=about["shape"], chunks=chunk, dtype="f4", compressor=compressor)
    for file in (source / "c").rglob("*"):
        if file.is_file():
            os.symlink(file.resolve(), path / ".".join(file.relative_to(source / "c").parts))
    return array, path


way, source, target, memory = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])
array, path = version_2(source)
chunk = (array.shape[0], 32)
start = time.time()
if way == "rechunker":
    from rechunker import rechunk

    # Dask runs as many tasks at once as there are processors; each has a box.
    temporary = str(target) + ".temporary"
    rechunk(array, chunk, memory // os.cpu_count(), str(target), temp_store=temporary).execute()
    shutil.rmtree(temporary, ignore_errors=True)
else:
    # As many columns as fit into the memory, and every chunk is read for each group of columns.
    out = zarr.open_array(str(target), mode="w", shape=array.shape, chunks=chunk, dtype="f4", compressor=array.compressor)
    width = memory // 2 // (array.shape[0] * 4) // chunk[1] * chunk[1]
    for at in range(0, array.shape[1], width):
        out[:, at : at + width] = array[:, at : at + width]
os.sync()
seconds = time.time() - start
shutil.rmtree(path)
peak = next(int(line.split()[1]) << 10 for line in open("/proc/self/status") if line.startswith("VmHWM"))
print("RESULT", seconds, peak)
