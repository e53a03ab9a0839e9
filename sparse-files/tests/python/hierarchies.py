"""Writes the containers of groups in `sparse-files/tests/data`, and the files of half precision, with other Python packages: `python hierarchies.py FOLDER`.

Needs `pip install anndata h5py zarr scipy pyarrow`. `hierarchies.json` records each tensor in them as SciPy and NumPy read it: the file, the group (`null` if no path is needed), the
convention, the format, the type, all elements, and which of them are stored.
"""
import json
import shutil
import sys
import warnings
import zipfile
from pathlib import Path

import anndata
import h5py
import numcodecs
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import scipy.sparse as sp
import zarr

warnings.simplefilter("ignore")
folder = Path(sys.argv[1])
records = []
rows, columns = np.array([0, 0, 2, 3, 3]), np.array([1, 5, 2, 0, 4])
values = np.array([0.5, -1.5, 4.0, 1024.0, -0.25])
SHAPE = (4, 6)


def matrix(kind="csr", dtype="float64", values=values, shape=SHAPE):
    coo = sp.coo_array((np.asarray(values).astype(dtype), (rows % shape[0], columns % shape[1])), shape=shape)
    return getattr(coo, f"to{kind}")()


def flat(array):
    array = np.asarray(array).ravel()
    return [array.real.tolist(), array.imag.tolist()] if array.dtype.kind == "c" else array.tolist()


def record(file, group, convention, a):
    """Records the content of a group: a SciPy matrix, or an array with all elements stored."""
    sparse = sp.issparse(a)
    dense = a.toarray() if sparse else np.asarray(a)
    pattern = np.ones(a.shape, bool)
    if sparse:
        ones = a.copy()
        ones.data = np.ones(a.data.shape, "int64")
        pattern = ones.toarray() != 0
    dtype = dense.dtype.newbyteorder("=").name
    records.append({"file": file, "group": group, "convention": convention, "format": {"csr": "C-S-R", "csc": "C-S-C"}[a.format] if sparse else None,
                    "dtype": {"float16": "float32"}.get(dtype, dtype), "shape": list(a.shape), "dense": flat(dense.astype("float32") if dtype == "float16" else dense), "pattern": flat(pattern)})


def packed(name):
    """Packs the files of a folder into an archive."""
    place = folder / f"{name}.tmp"
    with zipfile.ZipFile(folder / f"{name}.zarr.zip", "w") as out:
        for path in sorted(place.rglob("*")):
            if path.is_file():
                out.writestr(zipfile.ZipInfo(str(path.relative_to(place))), path.read_bytes())
    shutil.rmtree(place)


def tables():
    """Returns the tables of observations and of variables."""
    obs = pd.DataFrame({"batch": pd.Categorical(["a", "b", "a", "b"]), "total": np.arange(4.0)}, index=[f"cell{i}" for i in range(4)])
    return {"obs": obs, "var": pd.DataFrame(index=[f"gene{j}" for j in range(6)])}


def experiment(X):
    """Returns an AnnData with every group that can have a matrix."""
    out = anndata.AnnData(X, **tables())
    out.raw = anndata.AnnData(sp.csr_matrix(matrix(dtype="int32", values=[1, 2, 3, 4, 5])), **tables())
    out.layers["counts"] = sp.csc_matrix(matrix("csc", "int64", [7, 0, -9, 11, 2**40]))
    out.layers["dense"] = np.arange(24, dtype="float64").reshape(SHAPE) / 4
    out.obsp["distances"] = sp.csr_matrix(matrix(dtype="float64", shape=(4, 4)))
    return out


def recorded(file, a):
    record(file, None, "AnnData", a.X)
    record(file, "X", "AnnData", a.X)
    record(file, "raw/X", "AnnData", a.raw.X)
    record(file, "layers/counts", "AnnData", a.layers["counts"])
    record(file, "layers/dense", "array", a.layers["dense"])
    record(file, "obsp/distances", "AnnData", a.obsp["distances"])
    record(file, "obs/total", "array", a.obs["total"].to_numpy())


# AnnData of the current version.
a = experiment(sp.csr_matrix(matrix(dtype="float32")))
a.write_h5ad(folder / "anndata.h5")
recorded("anndata.h5", a)
dense = anndata.AnnData(matrix().toarray(), **tables())
dense.write_h5ad(folder / "anndata_dense.h5", compression="gzip")
record("anndata_dense.h5", None, "array", dense.X)
record("anndata_dense.h5", "X", "array", dense.X)
for version in (2, 3):
    name = f"anndata_v{version}"
    anndata.settings.zarr_write_format = version
    a.write_zarr(folder / f"{name}.tmp")
    packed(name)
    recorded(f"{name}.zarr.zip", a)


# AnnData before version 0.7, where a table is one array and attributes have other names.
def old_matrix(place, name, a):
    group = place.create_group(name)
    group.attrs["h5sparse_format"], group.attrs["h5sparse_shape"] = np.bytes_(a.format), np.array(a.shape)
    for array in ("data", "indices", "indptr"):
        group.create_dataset(array, data=getattr(a, array), maxshape=(None,), compression="lzf")


with h5py.File(folder / "anndata_old.h5", "w") as out:
    X, raw = matrix(dtype="float32"), matrix("csc", "uint8", [1, 2, 3, 4, 5])
    old_matrix(out, "X", X)
    old_matrix(out, "raw.X", raw)
    for name, length in (("obs", 4), ("var", 6)):
        out[name] = np.array([(b"cell%d" % i, i / 2) for i in range(length)], [("index", "S8"), ("total", "f8")])
record("anndata_old.h5", None, "AnnData", X)
record("anndata_old.h5", "raw.X", "AnnData", raw)


# Matrices of 10x Genomics: one row per feature, one column per barcode.
def tenx(group, a):
    for name in ("data", "indices", "indptr"):
        group.create_dataset(name, data=getattr(a, name).astype("int32" if name == "data" else "int64"), chunks=(len(getattr(a, name)),), maxshape=(None,), compression="gzip", shuffle=True)
    group["shape"] = np.array(a.shape, "int32")
    group["barcodes"] = np.array([f"ACGT-{i}" for i in range(a.shape[1])], "S18")


counts, few = matrix("csc", "int32", [3, 1, 0, 12, 2]), matrix("csc", "int32", [9, 8, 7, 6, 5], shape=(3, 6))
with h5py.File(folder / "tenx_v3.h5", "w") as out:
    out.attrs["filetype"], out.attrs["chemistry_description"] = "matrix", "none"
    group = out.create_group("matrix")
    tenx(group, counts)
    features = group.create_group("features")
    for name in ("id", "name", "feature_type"):
        features[name] = np.array([f"{name}{i}" for i in range(4)], "S16")
    features["_all_tag_keys"] = np.array([b"genome"])
record("tenx_v3.h5", None, "10x Genomics", counts)
record("tenx_v3.h5", "matrix", "10x Genomics", counts)
for name, genomes in (("tenx_v2.h5", {"GRCh38": counts}), ("tenx_v2_two.h5", {"hg19": counts, "mm10": few})):
    with h5py.File(folder / name, "w") as out:
        for genome, a in genomes.items():
            group = out.create_group(genome)
            tenx(group, a)
            group["genes"] = np.array([f"ENSG{i}" for i in range(a.shape[0])], "S15")
            group["gene_names"] = np.array([f"gene{i}" for i in range(a.shape[0])], "S15")
            record(name, genome, "10x Genomics", a)
record("tenx_v2.h5", None, "10x Genomics", counts)

# Types that h5py adds to HDF5 (complex numbers and bools), and half precision.
halves = np.array([0.5, -1.5, 65504.0, 2.0**-17, -0.25])
with h5py.File(folder / "types.h5", "w") as out:
    for name, a in {
        "c64": matrix(dtype="complex64", values=values + 1j), "c128_big": matrix(dtype="complex128", values=values - 2j), "bool": matrix(dtype="bool", values=[1, 0, 1, 1, 0]),
        "c64_columns": matrix("csc", "complex64", values * 1j),
    }.items():
        group = out.create_group(name)
        group.attrs["encoding-type"], group.attrs["encoding-version"], group.attrs["shape"] = f"{a.format}_matrix", "0.1.0", np.array(a.shape)
        for array in ("data", "indices", "indptr"):
            group[array] = getattr(a, array).astype(">c16") if (name, array) == ("c128_big", "data") else getattr(a, array)
        record("types.h5", name, "AnnData", a)
    for order, name in (("<", "half"), (">", "half_big")):
        out["arrays/" + name] = halves.astype(f"{order}f2")
        record("types.h5", f"arrays/{name}", "array", halves.astype("f2"))
    out["arrays/bools"] = np.array([[True, False], [False, True]])
    record("types.h5", "arrays/bools", "array", out["arrays/bools"][()])
    out["arrays/c128"] = np.array([[[1 + 2j], [3 - 4j]]])
    record("types.h5", "arrays/c128", "array", out["arrays/c128"][()])

# Binsparse with complex values and bools as h5py stores them. It is the only group, so no path is needed.
with h5py.File(folder / "binsparse_compound.h5", "w") as out:
    a = matrix(dtype="complex128", values=values + 3j)
    group = out.create_group("outer/inner")
    types = {"pointers_to_1": "int32", "indices_1": "int32", "values": "complex[float64]"}
    group.attrs["binsparse"] = json.dumps({"binsparse": {"version": "0.1.0", "format": "CSR", "shape": list(SHAPE), "number_of_stored_values": a.nnz, "data_types": types}})
    group["pointers_to_1"], group["indices_1"], group["values"] = a.indptr, a.indices, a.data
record("binsparse_compound.h5", None, "Binsparse", a)
with h5py.File(folder / "binsparse_bools.h5", "w") as out:
    a = matrix(dtype="bool", values=[1, 0, 1, 1, 0])
    types = {"pointers_to_1": "int32", "indices_1": "int32", "values": "bint8"}
    out.attrs["binsparse"] = json.dumps({"binsparse": {"version": "0.1.0", "format": "CSR", "shape": list(SHAPE), "number_of_stored_values": a.nnz, "data_types": types}})
    out["pointers_to_1"], out["indices_1"], out["values"] = a.indptr, a.indices, a.data
record("binsparse_bools.h5", None, "Binsparse", a)

# A tensor in a group with a dangling link.
with h5py.File(folder / "links.h5", "w", libver="earliest") as out:
    a = matrix(dtype="float64")
    types = {"pointers_to_1": "int32", "indices_1": "int32", "values": "float64"}
    group = out.create_group("soft")
    group.attrs["binsparse"] = json.dumps({"binsparse": {"version": "0.1.0", "format": "CSR", "shape": list(SHAPE), "number_of_stored_values": a.nnz, "data_types": types}})
    group["pointers_to_1"], group["indices_1"], group["values"], group["link"] = a.indptr, a.indices, a.data, h5py.SoftLink("/nowhere")

# Arrays of several axes in chunks that do not divide them. Some chunks are missing.
box = np.arange(5 * 7 * 3, dtype="float64").reshape(5, 7, 3) - 20
box[:2, :3] = box[4, 6] = 2.5
for version, name, settings in [
    (2, "v2_axes", {"order": "F", "compressors": numcodecs.Blosc("lz4"), "chunk_key_encoding": {"name": "v2", "separator": "/"}}), (2, "v2_axes_dots", {"compressors": None}),
    (3, "v3_axes", {}), (3, "v3_shards", {"shards": (4, 3, 4)}), (3, "v3_axes_dots", {"chunk_key_encoding": {"name": "default", "separator": "."}, "compressors": zarr.codecs.GzipCodec()}),
]:
    group = zarr.open_group(folder / f"{name}.tmp", mode="w", zarr_format=version)
    for key, a in {"box": box, "half": (box / 8).astype("float16"), "big": box.astype(">i2" if version == 2 else "i2"), "truth": box > 0, "one": np.array(2.5)}.items():
        chunks = {} if a.ndim == 0 else {"chunks": (2, 3, 2)} | settings
        made = group.create_array(key, shape=a.shape, dtype=a.dtype, fill_value=a.dtype.type(a[(0,) * a.ndim]) if key != "truth" else False, config={"write_empty_chunks": False}, **chunks)
        made[...] = a
        record(f"{name}.zarr.zip", key, "array", a)
    packed(name)

# Half precision in other kinds of files.
for order, name in (("<", "half"), (">", "half_big")):
    np.save(folder / f"{name}.npy", np.arange(-6, 6, dtype=f"{order}f2").reshape(3, 4) / 8)
    record(f"{name}.npy", None, None, np.load(folder / f"{name}.npy"))
a = sp.csc_array(matrix("csc", "float32"))
np.savez(folder / "scipy_half.npz", format=b"csc", shape=np.array(a.shape), indices=a.indices, indptr=a.indptr, data=a.data.astype("f2"))
record("scipy_half.npz", None, None, a)
table = pa.table({"row": rows, "column": columns, "value": pa.array(halves.astype("f2"), pa.float16())})
pq.write_table(table, folder / "half.parquet", compression="zstd")
pq.write_table(table, folder / "half_plain.parquet", compression="none", use_dictionary=False)
feather.write_feather(table, folder / "half.feather", compression="lz4")
a = sp.csr_array((halves.astype("f4"), (rows, columns)))
for name in ("half.parquet", "half_plain.parquet", "half.feather"):
    record(name, None, None, a)
    records[-1]["format"] = "S-S-R"

lines = ",\n".join(json.dumps(record) for record in records)
(folder / "hierarchies.json").write_text(f"[\n{lines}\n]\n")
