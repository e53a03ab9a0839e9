"""Writes the files of `sparse-files/tests/data` with other Python packages: `python samples.py FOLDER`.

Needs `pip install h5py pyarrow zarr binsparse scipy`. Each file has the 4 by 6 matrix with values at (0,1), (0,5), (2,2), (3,0) and (3,4), in this order unless its name says otherwise.
"""
import bz2
import json
import lzma
import shutil
import sys
import zipfile
from pathlib import Path

import h5py
import numcodecs
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.feather as feather
import pyarrow.parquet as pq
import zarr
from binsparse.container import ZarrBinsparseContainer
from binsparse.conversions.scipy import from_scipy
from scipy.sparse import csr_array

folder = Path(sys.argv[1])
rows, columns = np.array([0, 0, 2, 3, 3]), np.array([1, 5, 2, 0, 4])
values = np.array([0.5, -1.5, 4.0, 1024.0, -0.25])


def table(values=values, rows=rows, columns=columns, index="int64"):
    return pa.table({"row": rows.astype(index), "column": columns.astype(index), "value": values})


pq.write_table(table(), folder / "snappy.parquet")
pq.write_table(table(values.astype("float32"), index="uint16"), folder / "zstd_v2_float32.parquet", compression="zstd", data_page_version="2.0", use_dictionary=False)
pq.write_table(table(np.arange(5, dtype="int8"), index="int32"), folder / "delta_gzip_int8.parquet", compression="gzip", use_dictionary=False,
               column_encoding={"row": "DELTA_BINARY_PACKED", "column": "DELTA_BINARY_PACKED", "value": "PLAIN"})
pq.write_table(table(np.array([1, 0, 1, 1, 0], bool)), folder / "lz4_groups_bool.parquet", compression="lz4", row_group_size=2)
pq.write_table(table(pa.array([0.5, None, 4.0, 1.0, 2.0])), folder / "null.parquet")
pq.write_table(pa.table({"row": ["a"], "value": [1.0]}), folder / "text.parquet")
feather.write_feather(table(), folder / "lz4.feather")
feather.write_feather(table(np.arange(5, dtype="uint64") << 60, index="uint8"), folder / "zstd_uint64.feather", compression="zstd")
feather.write_feather(table(pa.array([0.5, None, 4.0, 1.0, 2.0])), folder / "null.feather", compression="uncompressed")
with pa.ipc.new_file(folder / "batches_bool.arrow", table().schema.set(2, pa.field("value", pa.bool_()))) as out:
    whole = table(np.array([1, 0, 1, 1, 0], bool))
    for start in (0, 2):
        out.write_table(whole.slice(start, 2 if start == 0 else 3))
order = np.array([3, 0, 4, 2, 1])
re_im = pa.StructArray.from_arrays([pa.array(values[order]), pa.array(-values[order])], ["re", "im"])
feather.write_feather(pa.table({"values": re_im, "i": rows[order], "j": columns[order]}), folder / "unsorted_complex.feather", compression="uncompressed")


def encoded(column, index="int8"):
    """Returns a column as indices into a dictionary of its values."""
    column = pa.array(column)
    return pa.DictionaryArray.from_arrays(pc.index_in(column, pc.unique(column)).cast(index), pc.unique(column))


# Columns that choose their values from dictionaries. In the stream, the second batch extends one dictionary and
# replaces the other.
chosen = pa.table({"row": encoded(rows), "column": encoded(columns.astype("uint32"), "uint16"), "value": encoded(np.repeat(values[:2], [2, 3]), "int64")})
with pa.ipc.new_file(folder / "dictionaries.arrow", chosen.schema) as out:
    out.write_table(chosen)
feather.write_feather(pa.table({"row": rows, "column": columns, "value": encoded(np.array([1, 0, 1, 1, 0], bool))}), folder / "dictionary_bool.feather", compression="zstd")
pq.write_table(chosen, folder / "dictionaries_brotli.parquet", compression="brotli")
pq.write_table(table(values.astype("float32"), index="uint32"), folder / "brotli_plain.parquet", compression="brotli", use_dictionary=False)
with pa.ipc.new_stream(folder / "batches.arrows", table().schema) as out:
    out.write_table(table().slice(0, 2))
    out.write_table(table().slice(2))
with pa.ipc.new_stream(folder / "zstd.arrows", table().schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as out:
    out.write_table(table())
parts = [pa.DictionaryArray.from_arrays(pa.array(indices, "int8"), pa.array(dictionary, "int64")) for indices, dictionary in [([0, 0], [0, 2]), ([1, 2, 2], [0, 2, 3])]]
others = [pa.DictionaryArray.from_arrays(pa.array(indices, "int8"), pa.array(dictionary)) for indices, dictionary in [([1, 0], [-1.5, 0.5]), ([2, 1, 0], [-0.25, 1024.0, 4.0])]]
fields = pa.schema({"row": parts[0].type, "column": pa.int64(), "value": others[0].type})
with pa.ipc.new_stream(folder / "dictionaries.arrows", fields, options=pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True)) as out:
    for row, column, value in zip(parts, [columns[:2], columns[2:]], others):
        out.write_batch(pa.record_batch([row, pa.array(column), value], schema=fields))

# Compressed text, each with two members.
mtx = "%%MatrixMarket matrix coordinate real general\n4 6 5\n" + "".join(f"{i + 1} {j + 1} {x}\n" for i, j, x in zip(rows, columns, values))
tns = "# extended FROSTT format\n2 5\n4 6\n" + mtx.split("\n", 2)[2]
(folder / "extended.tns").write_text(tns)
for name, text, compress in [
    ("members.mtx.bz2", mtx, bz2.compress), ("members.tns.zst", tns, lambda part: numcodecs.Zstd(3).encode(part)),
    ("members.mtx.xz", mtx, lzma.compress), ("members.tns.bz2", tns, bz2.compress),
]:
    (folder / name).write_bytes(b"".join(compress(part) for part in (text[:60].encode(), text[60:].encode())))


def packed(name, group):
    """Packs the folder of a group that the reference implementation wrote into an archive."""
    with zipfile.ZipFile(folder / name, "w") as out:
        for path in sorted(group.rglob("*")):
            if path.is_file():
                out.writestr(zipfile.ZipInfo(str(path.relative_to(group))), path.read_bytes())


matrix = csr_array((values, (rows, columns)), shape=(4, 6))
for version, name, settings in [
    (3, "v3_zstd", {}), (2, "v2_blosc", {}), (3, "v3_gzip", {"compressors": zarr.codecs.GzipCodec()}),
    (2, "v2_zlib_chunks", {"compressors": numcodecs.Zlib(), "chunks": (3,)}), (2, "v2_zstd", {"compressors": numcodecs.Zstd()}),
    (3, "v3_chunks", {"chunks": (2,), "compressors": None}),
]:
    place = folder / f"{name}.tmp.zarr"
    group = zarr.open_group(place, mode="w", zarr_format=version)
    create = group.create_array
    container = ZarrBinsparseContainer(group)
    container._write_buffer = lambda key, value: group.create_array(key, data=value, **settings)
    from_scipy(matrix).serialize(container)
    packed(f"{name}.zarr.zip", place)
    shutil.rmtree(place)


# A million zeros in each array of a 3 by 3 matrix.
n, names = 1 << 20, ["indices_0", "indices_1", "values"]
about = json.dumps({"binsparse": {"version": "0.1.0", "format": "COO", "shape": [3, 3], "number_of_stored_values": n, "data_types": {name: "int64" for name in names}}})
zeros = np.zeros(n, "int64")
with h5py.File(folder / "zeros.h5", "w") as out:
    out.attrs["binsparse"] = about
    for name in names:
        out.create_dataset(name, data=zeros, chunks=(n,), compression="gzip")
pq.write_table(pa.table({name: zeros for name in names}).replace_schema_metadata({"binsparse": about}), folder / "zeros.parquet", compression="zstd", use_dictionary=False)

# Types nested 2,000 deep.
nested = h5py.h5t.NATIVE_INT8.copy()
for _ in range(2000):
    nested = h5py.h5t.vlen_create(nested)
with h5py.File(folder / "nested_types.h5", "w", libver="latest") as out:
    out.attrs["binsparse"] = json.dumps({"binsparse": {"version": "0.1.0", "format": "CVEC", "shape": [3], "number_of_stored_values": 1, "data_types": {"indices_0": "int64", "values": "int64"}}})
    h5py.h5d.create(out.id, b"indices_0", nested, h5py.h5s.create_simple((1,)))
