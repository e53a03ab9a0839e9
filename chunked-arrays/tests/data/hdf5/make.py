#!/usr/bin/env python3
"""Writes the HDF5 files of this folder with h5py: `make.py FOLDER`."""
import ctypes
import glob
import os
import sys

import h5py
import numpy as np

TYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]


def elements(shape, dtype):
    """Returns an array of small numbers: element `i` in C order is `(7 * i + 3) % 101`, a bool is its last bit, and the imaginary part of a
    complex number is its negative."""
    numbers = (7 * np.arange(int(np.prod(shape, dtype=int))) + 3) % 101
    numbers = numbers % 2 if np.dtype(dtype).kind == "b" else numbers
    numbers = numbers - 1j * numbers if np.dtype(dtype).kind == "c" else numbers
    return numbers.reshape(shape).astype(dtype)


def partial_edges_unfiltered(properties):
    """Sets the flag by which the last chunks have no filters. h5py has no function for it."""
    library = ctypes.CDLL(glob.glob(os.path.join(os.path.dirname(h5py.__file__), "..", "h5py.libs", "libhdf5-*.so*"))[0])
    library.H5Pset_chunk_opts.argtypes = [ctypes.c_int64, ctypes.c_uint]
    assert library.H5Pset_chunk_opts(properties.id, 2) == 0


def with_flag(file, name, data, chunks, filters):
    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    properties.set_chunk(chunks)
    for number, values in filters:
        properties.set_filter(number, h5py.h5z.FLAG_OPTIONAL, values)
    partial_edges_unfiltered(properties)
    space = h5py.h5s.create_simple(data.shape)
    dataset = h5py.h5d.create(file.id, name, h5py.h5t.py_create(data.dtype), space, properties)
    dataset.write(h5py.h5s.ALL, h5py.h5s.ALL, np.ascontiguousarray(data))


def types(file):
    """Every type in both orders of bytes, contiguous and in compressed chunks."""
    for code in TYPES:
        for name, order in [("little", "<"), ("big", ">")]:
            data = elements((4, 5), np.dtype(order + code))
            name = f"{name}/{np.dtype(code).name}"
            file.create_dataset("flat/" + name, data=data)
            file.create_dataset("chunked/" + name, data=data, chunks=(3, 2), compression="gzip", shuffle=True)


def write(folder):
    with h5py.File(os.path.join(folder, "old.h5"), "w") as file:
        file.create_dataset("checked", data=elements((7, 3), "<i4"), chunks=(2, 2), shuffle=True, compression="gzip", fletcher32=True)
        file.create_dataset("shuffled", data=elements((7, 3), "<i4"), chunks=(2, 2), shuffle=True)
        file.create_dataset("sums", data=elements((7, 3), "<u1"), chunks=(3, 3), fletcher32=True)
        file.create_dataset("plain", data=elements((7, 3), ">i2"), chunks=(2, 2))
        holes = file.create_dataset("holes", (7, 3), ">f4", chunks=(2, 2), fillvalue=-1.5, compression="gzip")
        holes[2:4, :2] = elements((2, 2), "<f4")
        file.create_dataset("unwritten", (2, 3), "<i2", fillvalue=-7)
        file.create_dataset("unwritten_complex", (2, 3), "<c8", fillvalue=1 + 2j)
        grown = file.create_dataset("grown", data=elements((2, 3), "<i4"), chunks=(4, 4), maxshape=(None, None))
        grown.resize((3, 5))
        compact = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        compact.set_layout(h5py.h5d.COMPACT)
        data = elements((2, 3), ">i4")
        space = h5py.h5s.create_simple(data.shape)
        h5py.h5d.create(file.id, b"compact", h5py.h5t.STD_I32BE, space, compact).write(h5py.h5s.ALL, h5py.h5s.ALL, data.astype("=i4"), mtype=h5py.h5t.NATIVE_INT32)
        file["empty"] = h5py.Empty("f4")
        file["text"] = "a text"
        file.create_dataset("lzf", data=elements((7, 3), "<i4"), chunks=(2, 2), compression="lzf")
        file.create_dataset("lzf_runs", data=np.repeat(np.array([5, -1], "<i4"), 300), chunks=(450,), compression="lzf", shuffle=True, fletcher32=True)
        file.create_dataset("scaled", data=elements((7, 3), "<i4"), chunks=(2, 2), scaleoffset=7)
        file.create_dataset("external", (2, 3), "<i4", external=[("other.bin", 0, h5py.h5f.UNLIMITED)])
        layout = h5py.VirtualLayout((7, 3), "<i4")
        layout[:] = h5py.VirtualSource("old.h5", "checked", (7, 3))
        file.create_virtual_dataset("virtual", layout)
        file["soft"] = h5py.SoftLink("/checked")
        file["soft_group"] = h5py.SoftLink("/a/group")
        file["other_file"] = h5py.ExternalLink("new.h5", "/checked")
        file["hard"] = file["checked"]
        file.create_dataset("a/group/dataset", data=elements((2, 3), "<f8"))
        file.create_group("a/nothing")
    with h5py.File(os.path.join(folder, "new.h5"), "w", libver=("v110", "v110")) as file:
        types(file)
        # The index of chunks depends on the number of unlimited axes.
        for name, most in [("fixed", (7, 3)), ("extensible", (None, 3)), ("several", (None, None))]:
            file.create_dataset(f"index/{name}", data=elements((7, 3), "<i4"), chunks=(2, 2), maxshape=most, compression="gzip")
        file.create_dataset("index/single", data=elements((7, 3), "<i4"), chunks=(7, 3), compression="gzip")
        file.create_dataset("index/single_plain", data=elements((7, 3), "<i4"), chunks=(7, 3))
        file.create_dataset("index/plain", data=elements((7, 3), "<i4"), chunks=(2, 2), maxshape=(None, 3))
        file.create_dataset("shuffled", data=elements((7, 3), "<i4"), chunks=(2, 2), shuffle=True)
        file.create_dataset("shuffled_whole", data=elements((6, 4), "<i4"), chunks=(2, 2), shuffle=True)
        file.create_group("edges")
        with_flag(file, b"edges/deflated", elements((7, 3), "<i4"), (2, 2), [(1, (6,))])
        with_flag(file, b"edges/checked", elements((7, 3), "<i4"), (2, 2), [(2, ()), (3, ())])
        file["soft"] = h5py.SoftLink("/shuffled")
    with h5py.File(os.path.join(folder, "latest.h5"), "w", libver="latest") as file:
        file.create_dataset("flat", data=elements((7, 3), "<i4"))
        file.create_dataset("chunked", data=elements((7, 3), "<i4"), chunks=(2, 2), compression="gzip")
    with h5py.File(os.path.join(folder, "tangled.h5"), "w", libver=("v110", "v110")) as file:
        group = file
        for _ in range(30):
            group["b"] = group.create_group("a")
            group = group["a"]
        group["array"] = elements((2, 3), "<i4")


if __name__ == "__main__":
    write(sys.argv[1])
