"""OpenCL on PoCL, which runs kernels on this processor."""
import os

import numpy

import host
import text
from tools import HOME, Missing, wheels


class OpenCl:
    name, language = "OpenCL on PoCL", "opencl"

    def __init__(self):
        wheels(["pyopencl", "pocl-binary-distribution", "numpy"], "pyopencl/__init__.py", "pocl_binary_distribution/__init__.py")
        os.environ.setdefault("POCL_CACHE_DIR", str(HOME / "pocl"))
        os.makedirs(os.environ["POCL_CACHE_DIR"], exist_ok=True)
        import pyopencl

        self.cl = pyopencl
        platform = next(platform for platform in pyopencl.get_platforms() if "Portable" in platform.name)
        self.context = pyopencl.Context(platform.get_devices()[:1])
        self.queue = pyopencl.CommandQueue(self.context)
        try:
            self.build("__kernel void nothing() {}")
        except host.Refused as error:
            # For a processor newer than itself, PoCL's compiler selects "generic", and then refuses that.
            if "unknown target CPU" in str(error):
                raise Missing("its compiler does not know this processor") from error

    def build(self, source):
        try:
            return self.cl.Program(self.context, source).build()
        except self.cl.Error as error:
            raise host.Refused(str(error)) from error

    def buffer(self, array):
        flags = self.cl.mem_flags
        return self.cl.Buffer(self.context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=array)

    def function(self, case, source, prepared):
        name = case.name
        results, structure = host.columns(source, name, "opencl")
        valid = text.has(source, f"{name}_is_valid")
        taken = text.parameters(source, name)
        staged = bool(taken) and taken[-1][1] == "launch"
        threads = taken[:-1] if staged else taken
        arguments = ", ".join([f"({ty})row[{k}]" for k, (ty, _) in enumerate(threads)] + (["launch"] if staged else []))
        all_of = results + ([f"{name}_is_valid({arguments})"] if valid else [])
        lines = [f"__global const long *row = in + get_global_id(0) * {len(threads)};", "(void)row;"]
        lines += [f"const {structure or text.returned(source, name)} got = {name}({arguments});"]
        lines += [f"out[get_global_id(0) * {len(all_of)} + {k}] = {value};" for k, value in enumerate(all_of)]
        launch = f", const {name}_launch launch" if staged else ""
        source += f"__kernel void run(__global const long *in, __global long *out{launch}) {{\n" + "".join(f"    {line}\n" for line in lines) + "}\n"
        points = host.table(case, [parameter for _, parameter in threads])
        given = [self.buffer(points if points.size else numpy.zeros(1, dtype=numpy.int64))]
        got = numpy.zeros((len(case.points), len(all_of)), dtype=numpy.int64)
        out = self.buffer(got)
        given.append(out)
        if staged:
            given.append(numpy.frombuffer(host.launch(prepared, f"{name}_prepare", case.launch), dtype=numpy.uint8))
        self.build(source).run(self.queue, (len(case.points),), None, *given)
        self.cl.enqueue_copy(self.queue, got, out)
        return host.compared(case, host.with_valid(case, got, valid))

    def kernels(self, case, source, prepared):
        arrays, kept = host.buffers(case, {}), {}
        program = self.build(source)
        for step, grid in case.steps:
            kernel, given = case.kernel(step), []
            for ty, parameter in text.parameters(source, kernel):
                word = ty.replace("__global", "").replace("const", "").strip(" *")
                if "*" in ty:
                    if parameter not in arrays:
                        arrays[parameter] = host.output(case, parameter, word)
                    if parameter not in kept:
                        kept[parameter] = self.buffer(arrays[parameter])
                    given.append(kept[parameter])
                elif word.endswith("_launch"):
                    made = host.launch(prepared, word.replace("_launch", "_prepare"), named(case, prepared, word))
                    given.append(numpy.frombuffer(made, dtype=numpy.uint8))
                else:
                    given.append(host.NUMBERS[word](case.numbers[host.known_name(parameter, case.numbers)]))
            groups = {None: 3, "groups": 3, "group": 1}[grid]
            getattr(program, kernel)(self.queue, (groups * 256,), (256,), *given)
        for name in case.wanted:
            self.cl.enqueue_copy(self.queue, arrays[name], kept[name])
        return host.arrays_compared(case, arrays)


def named(case, prepared, structure):
    """Returns the numbers of the case by the parameter names of the host's function."""
    return {name: case.numbers[host.known_name(name, case.numbers)] for name in text.names(prepared, structure.replace("_launch", "_prepare"))}
