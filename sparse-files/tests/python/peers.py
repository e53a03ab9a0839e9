"""Round trips of files through Python packages: binsparse, SciPy, sparse, h5py, zarr, pyarrow, anndata.

    cargo build -p crd2idx-cli -p sparse-files --features crd2idx-cli/files,sparse-files/full --bins
    python sparse-files/tests/python/peers.py target/debug [SEED]

Needs `pip install anndata binsparse h5py scipy sparse zarr pyarrow`. The command reads and writes every format and type of each package. The elements, the stored ones
and the fill value must stay the same. The three executables must write the same files as those of the reference implementation, descriptors and types of arrays
included. The public compliance suite (Binsparse/binsparse-tests) compares the same.
"""
import itertools
import json
import shutil
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import anndata
import h5py
import numcodecs
import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import scipy.io
import scipy.sparse as sp
import sparse
import zarr
from binsparse.tensor import _PREDEFINED_LEVELS
from reference_cli import converters

BIN = Path(sys.argv[1]).resolve()
rng = np.random.default_rng(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
FOLDER = Path(tempfile.mkdtemp())
TYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "complex64", "complex128", "bool"]
INDICES = [name for name in TYPES if "int" in name]
counts = {}


def run(name, *arguments):
    done = subprocess.run([BIN / name, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, (name, arguments, done.stderr)


def count(what):
    counts[what] = counts.get(what, 0) + 1


def random(shape, dtype, density=0.4):
    pattern = rng.random(shape) < density
    values = rng.integers(1, 100, shape).astype(dtype)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * rng.integers(-9, 9, shape).astype(dtype)
        values = values.astype(dtype)
    return np.where(pattern, values, np.zeros((), dtype)), pattern


def scipy_files():
    for dtype in TYPES:
        for kind in ["csr", "csc", "coo", "bsr", "dia"]:
            dense, _ = random((6, 4), dtype)
            matrix = getattr(sp, f"{kind}_array")(dense)
            a, b = FOLDER / "a.npz", FOLDER / "b.npz"
            sp.save_npz(a, matrix, compressed=bool(rng.integers(2)))
            for target in ["csr", "csc", "coo", "dia", "bsr:3x2"]:
                run("crd2idx", "convert", a, b, "--to", "scipy", "--scipy", target)
                back = sp.load_npz(b)
                assert back.format == target[:3] and back.dtype == matrix.dtype, (dtype, kind, target, back)
                assert np.array_equal(back.toarray(), dense), (dtype, kind, target)
                count("scipy")
            h5 = FOLDER / "c.h5"
            run("crd2idx", "convert", a, h5)
            reference(h5, dense, None)
    n_d = sp.coo_array(random((3, 4, 5), "float64")[0])
    sp.save_npz(FOLDER / "a.npz", n_d)
    run("crd2idx", "convert", FOLDER / "a.npz", FOLDER / "b.npz", "--to", "scipy", "--scipy", "coo")
    assert np.array_equal(sp.load_npz(FOLDER / "b.npz").toarray(), n_d.toarray())


def matrix_market():
    for dtype in ["int64", "float64", "complex128"]:
        dense, _ = random((6, 6), dtype)
        for symmetry, whole in [
            ("general", dense),
            ("symmetric", np.tril(dense) + np.tril(dense, -1).T),
            ("skew-symmetric", np.tril(dense, -1) - np.tril(dense, -1).T),
        ]:
            for matrix in [sp.coo_array(whole), whole]:
                a, b = FOLDER / "a.mtx", FOLDER / "b.mtx"
                scipy.io.mmwrite(a, matrix, symmetry=symmetry)
                run("crd2idx", "convert", a, b)
                back = scipy.io.mmread(b)
                back = back.toarray() if sp.issparse(back) else back
                assert np.array_equal(back, whole), (dtype, symmetry)
                run("crd2idx", "convert", a, FOLDER / "c.npz")
                run("crd2idx", "convert", FOLDER / "c.npz", b)
                back = scipy.io.mmread(b)
                back = back.toarray() if sp.issparse(back) else back
                assert np.array_equal(back, whole), (dtype, symmetry)
                count("matrix market")


def pydata():
    for dtype in TYPES:
        for rank in [1, 2, 3, 4]:
            shape = tuple(rng.integers(1, 5, rank))
            dense, _ = random(shape, dtype)
            fill = dense.flat[0]
            for tensor in [sparse.COO(dense, fill_value=fill), sparse.GCXS(sparse.COO(dense, fill_value=fill))]:
                a, b = FOLDER / "a.npz", FOLDER / "b.npz"
                sparse.save_npz(a, tensor)
                axes = ["--compressed-axes", "0"] if rank > 1 and rng.integers(2) else []
                run("crd2idx", "convert", a, b, "--to", "pydata", *axes)
                back = sparse.load_npz(b)
                assert back.dtype == tensor.dtype and back.fill_value == fill and back.nnz == tensor.nnz, (dtype, shape)
                assert np.array_equal(back.todense(), dense), (dtype, shape)
                count("pydata")


def reference(path, dense, pattern):
    """Checks that the reference implementation reads these elements and this pattern from a file."""
    out = [FOLDER / f"reference_{what}.npy" for what in ("tensor", "pattern", "fill")]
    assert converters.binsparse_to_npy_main([str(path), *map(str, out)]) == 0
    found = np.load(out[0])
    assert np.array_equal(found, dense) and found.dtype == dense.dtype, path
    assert pattern is None or np.array_equal(np.load(out[1]), pattern), path
    count("read by the reference")


def tree(rank):
    level, left = {"level_desc": "element"}, rank
    while left:
        size = int(rng.integers(1, left + 1))
        level = {"level_desc": ["dense", "sparse"][rng.integers(2)], "rank": size, "level": level}
        left -= size
    return level


def stored(level, shape):
    """Returns a random pattern that the levels can store: dense levels store all coordinates below a stored one."""
    if level["level_desc"] == "element":
        return np.ones((), bool)
    rank = level["rank"]
    out = np.zeros(shape, bool)
    for coordinate in np.ndindex(*shape[:rank]):
        if level["level_desc"] == "dense" or rng.random() < 0.5:
            out[coordinate] = stored(level["level"], shape[rank:])
    return out


def types_of(level, axis=0):
    """Returns the types of the arrays of levels that a descriptor declares, as in the compliance suite."""
    if level["level_desc"] == "element":
        return {}
    out, rank = {}, level["rank"]
    if level["level_desc"] == "sparse":
        out = {f"indices_{k}": str(rng.choice(INDICES)) for k in range(axis, axis + rank)} | ({f"pointers_to_{axis}": str(rng.choice(INDICES))} if axis else {})
    return out | types_of(level["level"], axis + rank)


def contents(path):
    """Returns the descriptor of a container and its arrays, with bools as bools."""
    if path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as archive:
            arrays = dict(archive)
        header = json.loads(arrays.pop("binsparse").item())["binsparse"]
    elif path.suffix == ".h5":
        with h5py.File(path) as file:
            header, arrays = json.loads(file.attrs["binsparse"])["binsparse"], {name: np.asarray(file[name]) for name in file}
    else:
        group = zarr.open_group(path, mode="r")
        header, arrays = group.attrs["binsparse"]["binsparse"], {name: np.asarray(array) for name, array in group.arrays()}
    return header, {name: arrays[name].astype(bool) if "bint8" in of else arrays[name] for name, of in header["data_types"].items()}


def same(path, expected):
    """Checks that a container has the descriptor and the arrays of another, as the compliance suite requires."""
    (header, arrays), (of, those) = contents(path), contents(expected)
    assert header == of, (path, header, of)
    for name, array in those.items():
        assert arrays[name].dtype == array.dtype and arrays[name].shape == array.shape and np.array_equal(arrays[name], array), (path, name)


def compliance(suffixes):
    """Compares the executables with the reference implementation: its formats, random levels, all types, one value for all or one for each."""
    cases = [(name, levels, transpose) for name, (levels, transpose) in _PREDEFINED_LEVELS.items()]
    cases += [("custom", tree(rank), tuple(rng.permutation(rank).tolist()) if rng.integers(2) else None) for rank in [0, 1, 2, 2, 3, 3, 4, 5, 6] for _ in range(3)]
    cases += [("custom", *_PREDEFINED_LEVELS[name]) for name in ["CSR", "COOC"]]
    for number, (name, levels, transpose) in enumerate(cases):
        rank, level = 0, levels
        while level["level_desc"] != "element":
            rank, level = rank + level["rank"], level["level"]
        for k, iso in [(k, iso) for k in range(5) for iso in (False, True)]:
            # Test each format with some of the types. Together, the formats cover all types.
            dtype = TYPES[(number * 5 + 3 * k + int(iso)) % len(TYPES)]
            shape = tuple(int(extent) for extent in rng.integers(0, 5, rank))
            order = tuple(transpose) if transpose is not None else tuple(range(rank))
            pattern = np.asarray(stored(levels, tuple(shape[axis] for axis in order))).transpose(np.argsort(order))
            iso = iso and bool(pattern.any())
            dense, _ = random(shape, dtype, 1.0)
            fill = np.asarray(rng.integers(0, 3)).astype(dtype)
            dense = np.where(pattern, np.broadcast_to(dense.flat[0], shape) if iso else dense, fill).astype(dtype)
            said = {"bool": "bint8", "complex64": "complex[float32]", "complex128": "complex[float64]"}.get(dtype, dtype)
            header = {"format": name, "version": "0.1.0", "shape": list(shape), "number_of_stored_values": int(pattern.sum())}
            header["data_types"] = types_of(levels) | {"values": f"iso[{said}]" if iso else said}
            if rng.integers(2):
                header |= {"fill": True, "data_types": header["data_types"] | {"fill_value": said}}
            if name == "custom":
                header["custom"] = {"level": levels} | ({"transpose": list(transpose)} if transpose is not None else {})
            names = [FOLDER / f"in_{what}" for what in ("tensor.npy", "pattern.npy", "fill.npy", "header.json")]
            for path, array in zip(names, [dense, pattern, fill]):
                np.save(path, array)
            names[3].write_text(json.dumps(header))
            suffix = suffixes[(number + k) % len(suffixes)]
            theirs, ours, again, theirs_again = (FOLDER / f"{what}{suffix}" for what in ("theirs", "ours", "again", "theirs_again"))
            assert converters.npy_to_binsparse_main([*map(str, names), str(theirs)]) == 0
            assert converters.binsparse_to_binsparse_main([str(theirs), str(theirs_again)]) == 0
            run("npy_to_binsparse", *names, ours)
            run("binsparse_to_binsparse", theirs, again)
            same(ours, theirs)
            same(again, theirs_again)
            for path in [ours, again]:
                reference(path, dense, pattern)
            out = [FOLDER / f"out_{what}.npy" for what in ("tensor", "pattern", "fill")]
            run("binsparse_to_npy", theirs, *out)
            for path, array in zip(out, [dense, pattern, fill]):
                found = np.load(path)
                assert found.dtype == array.dtype and np.array_equal(found, array), (name, shape, dtype, path)
            count("compliance" + suffix)


def tables():
    """Reads tables of pyarrow, and lets pyarrow read and write ours."""
    kinds = [
        ("parquet", pq.read_table, lambda table, path: pq.write_table(table, path, compression=str(rng.choice(["none", "snappy", "gzip", "lz4", "zstd"])))),
        ("feather", feather.read_table, lambda table, path: feather.write_feather(table, path, compression=str(rng.choice(["uncompressed", "lz4", "zstd"])))),
    ]
    for dtype in TYPES:
        for rank in [1, 2, 3, 4]:
            shape = tuple(int(extent) for extent in rng.integers(1, 6, rank))
            dense, pattern = random(shape, dtype)
            dense[(-1,) * rank], pattern[(-1,) * rank] = 1, True
            places = np.nonzero(pattern)
            values = dense[places]
            if values.dtype.kind == "c":
                values = pa.StructArray.from_arrays([pa.array(values.real), pa.array(values.imag)], ["re", "im"])
            index = str(rng.choice(["uint8", "int16", "uint32", "int64"]))
            table = pa.table({f"i{axis}": place.astype(index) for axis, place in enumerate(places)} | {"x": values})
            for ending, read, write in kinds:
                a, b, h5 = FOLDER / f"a.{ending}", FOLDER / f"b.{ending}", FOLDER / "c.h5"
                write(table, a)
                run("crd2idx", "convert", a, h5)
                reference(h5, dense, pattern)
                run("crd2idx", "convert", h5, b, *(["--compress"] if rng.integers(2) else []))
                back = read(b)
                found = back["values"].to_pylist()
                found = [complex(value["re"], value["im"]) for value in found] if dense.dtype.kind == "c" else found
                again = np.zeros_like(dense)
                again[tuple(back[f"indices_{axis}"].to_numpy() for axis in range(rank))] = found
                assert np.array_equal(again, dense), (dtype, shape, ending)
                write(back, b)
                run("crd2idx", "convert", b, h5)
                reference(h5, dense, pattern)
                count(ending)


def blosc():
    """Reads Zarr arrays in Blosc with every compression and order of bytes and bits, in one block or several."""
    for number, (dtype, size, cname, shuffle) in enumerate(itertools.product(["int8", "uint16", "float64"], [1, 16, 1000, 70001], ["lz4", "lz4hc", "zlib", "zstd"], [0, 1, 2])):
        path, version = FOLDER / f"blosc{number}.zarr", 2 + number % 2
        group = zarr.open_group(path, mode="w", zarr_format=version)
        values, level = rng.integers(0, 100, size).astype(dtype), int(rng.integers(1, 10))
        v2 = numcodecs.Blosc(cname=cname, clevel=level, shuffle=shuffle)
        v3 = zarr.codecs.BloscCodec(cname=cname, clevel=level, shuffle=["noshuffle", "shuffle", "bitshuffle"][shuffle], typesize=values.itemsize)
        group.create_array("values", data=values, chunks=(int(rng.integers(size // 3 + 1, size + 1)),), compressors=v2 if version == 2 else v3)
        types = {"version": "0.1.0", "format": "DVEC", "shape": [size], "number_of_stored_values": size, "data_types": {"values": dtype}}
        group.attrs["binsparse"] = {"binsparse": types}
        run("crd2idx", "convert", path, FOLDER / "blosc.npy")
        assert np.array_equal(np.load(FOLDER / "blosc.npy"), values), (dtype, size, cname, shuffle)
        count("blosc")


def as_array(path, group, expected):
    """Converts a tensor in a container by the command, and compares it with NumPy."""
    run("crd2idx", "convert", path, FOLDER / "b.npy", *(["--group", group] if group else []))
    found = np.load(FOLDER / "b.npy")
    of = np.dtype({"float16": "float32"}.get(expected.dtype.name, expected.dtype.name))
    assert found.dtype == of and np.array_equal(found, expected), (path, group, found.dtype, expected.dtype)


def experiments():
    """Reads AnnData of every type: sparse rows, sparse columns and dense, in HDF5 and Zarr, compressed or not."""
    for dtype, kind in itertools.product(TYPES + ["float16"], ["csr", "csc", "dense"]):
        shape = tuple(int(extent) for extent in rng.integers(1, 40, 2))
        dense, _ = random(shape, dtype)
        if kind != "dense" and dtype == "float16":
            continue
        whole = dense if kind == "dense" else getattr(sp, f"{kind}_matrix")(dense)
        a = anndata.AnnData(whole, layers={"other": sp.csr_matrix(random(shape, "int32")[0])})
        a.write_h5ad(FOLDER / "a.h5ad", compression=[None, "gzip", "lzf"][rng.integers(3)])
        as_array(FOLDER / "a.h5ad", None, dense)
        as_array(FOLDER / "a.h5ad", "layers/other", a.layers["other"].toarray())
        for version in (2, 3):
            anndata.settings.zarr_write_format = version
            shutil.rmtree(FOLDER / "a.zarr", ignore_errors=True)
            anndata.settings.auto_shard_zarr_v3 = version == 3 and bool(rng.integers(2))
            a.write_zarr(FOLDER / "a.zarr", chunks=tuple(int(extent) for extent in rng.integers(1, 15, 2)) if kind == "dense" and rng.integers(2) else None)
            as_array(FOLDER / "a.zarr", None, dense)
        count("anndata")


def grids():
    """Reads arrays of every type and of several axes, in chunks that need not divide them; some chunks are missing."""
    for dtype, rank in itertools.product(TYPES + ["float16"], [0, 1, 2, 3, 4]):
        shape = tuple(int(extent) for extent in rng.integers(0 if rank and rng.random() < 0.1 else 1, 9, rank))
        chunks = tuple(int(extent) for extent in rng.integers(1, 12, rank))
        dense, _ = random(shape, dtype, 0.1)
        stored = dense.astype(dense.dtype.newbyteorder("<>"[rng.integers(2)]))
        with h5py.File(FOLDER / "a.h5", "w") as out:
            fits = rank and all(0 < chunk <= extent for chunk, extent in zip(chunks, shape))
            options = {"chunks": chunks, "compression": [None, "gzip", "lzf"][rng.integers(3)], "shuffle": bool(rng.integers(2))} if fits else {}
            out.create_dataset("x/y", data=stored, **options)
        as_array(FOLDER / "a.h5", "x/y", dense)
        shutil.rmtree(FOLDER / "a.zarr", ignore_errors=True)
        for version in (2, 3):
            group = zarr.open_group(FOLDER / "a.zarr", mode="w", zarr_format=version)
            separator = "./"[rng.integers(2)]
            keys = {"name": "v2" if version == 2 else "default", "separator": separator}
            settings = {"order": "CF"[rng.integers(2)], "compressors": [None, numcodecs.Zstd(), numcodecs.Blosc("lz4")][rng.integers(3)]} if version == 2 else {}
            if version == 3 and rank and rng.integers(2):
                settings["shards"] = tuple(chunk * int(rng.integers(1, 4)) for chunk in chunks)
            array = group.create_array("x", shape=shape, dtype=stored.dtype if version == 2 else dense.dtype, chunks=chunks, chunk_key_encoding=keys, **settings)
            array[...] = dense
            as_array(FOLDER / "a.zarr", "x", dense)
        count("grids")


with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    experiments()
    grids()
    compliance([".npz", ".h5", ".zarr"])
    scipy_files()
    matrix_market()
    pydata()
    tables()
    blosc()
print(counts)
