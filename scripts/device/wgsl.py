"""WGSL on llvmpipe, which runs shaders on this processor."""
import os

import numpy

import host
import opencl
import text
from tools import Missing, vulkan, wheels

WORDS = {"u64": numpy.uint32, "i64": numpy.int32}


class Wgsl:
    name, language = "WGSL on llvmpipe", "wgsl"

    def __init__(self):
        wheels(["wgpu", "numpy"], "wgpu/__init__.py")
        vulkan()
        import wgpu

        self.gpu = wgpu
        adapters = [adapter for adapter in wgpu.gpu.enumerate_adapters_sync() if adapter.info["backend_type"] == "Vulkan"]
        adapters = [adapter for adapter in adapters if "llvmpipe" in adapter.info["device"]]
        if not adapters:
            raise Missing("there is no llvmpipe among the adapters")
        self.device = adapters[0].request_device_sync()

    def module(self, source):
        try:
            return self.device.create_shader_module(code=source)
        except self.gpu.GPUError as error:
            raise host.Refused(str(error)) from error

    def buffer(self, array):
        usage = self.gpu.BufferUsage
        return self.device.create_buffer_with_data(data=numpy.ascontiguousarray(array), usage=usage.STORAGE | usage.COPY_SRC)

    def run(self, module, entries, kernels):
        """Runs kernels one after the other. Entries are buffers in the order of the bindings, each with whether it is read-only."""
        kinds = {True: self.gpu.BufferBindingType.read_only_storage, False: self.gpu.BufferBindingType.storage}
        layout = self.device.create_bind_group_layout(entries=[
            {"binding": k, "visibility": self.gpu.ShaderStage.COMPUTE, "buffer": {"type": kinds[read]}} for k, (_, read) in enumerate(entries)
        ])
        group = self.device.create_bind_group(layout=layout, entries=[
            {"binding": k, "resource": {"buffer": buffer, "offset": 0, "size": buffer.size}} for k, (buffer, _) in enumerate(entries)
        ])
        pipelines = self.device.create_pipeline_layout(bind_group_layouts=[layout])
        for kernel, groups in kernels:
            try:
                pipeline = self.device.create_compute_pipeline(layout=pipelines, compute={"module": module, "entry_point": kernel})
            except self.gpu.GPUError as error:
                raise host.Refused(str(error)) from error
            encoder = self.device.create_command_encoder()
            into = encoder.begin_compute_pass()
            into.set_pipeline(pipeline)
            into.set_bind_group(0, group)
            into.dispatch_workgroups(groups)
            into.end()
            self.device.queue.submit([encoder.finish()])

    def read(self, buffer, like):
        return numpy.frombuffer(self.device.queue.read_buffer(buffer), dtype=like.dtype)[: like.size].reshape(like.shape)

    def function(self, case, source, prepared):
        name = case.name
        results, _ = host.columns(source, name, "wgsl")
        valid = text.has(source, f"{name}_is_valid")
        taken = text.parameters(source, name)
        staged = bool(taken) and taken[-1][1] == "launch"
        threads = taken[:-1] if staged else taken
        arguments = ", ".join([f"{ty}(points[s * {len(threads)} + {k}])" for k, (ty, _) in enumerate(threads)] + (["launch"] if staged else []))
        all_of = results + ([f"{name}_is_valid({arguments})"] if valid else [])
        heads = ["var<storage, read> points: array<i32>", "var<storage, read_write> results: array<i32>"]
        heads += [f"var<storage, read> launch: {text.camel(name)}Launch"] if staged else []
        source += "".join(f"@group(0) @binding({k}) {head};\n" for k, head in enumerate(heads))
        lines = ["let s = id.x;", f"if (s >= {len(case.points)}) {{ return; }}", f"let got = {name}({arguments});"]
        lines += [f"results[s * {len(all_of)} + {k}] = i32({value});" for k, value in enumerate(all_of)]
        head = "@compute @workgroup_size(64)\nfn run(@builtin(global_invocation_id) id: vec3<u32>) {\n"
        module = self.module(source + head + "".join(f"    {line}\n" for line in lines) + "}\n")
        points = host.table(case, [parameter for _, parameter in threads]).astype(numpy.int32)
        got = numpy.zeros((len(case.points), len(all_of)), dtype=numpy.int32)
        out = self.buffer(got)
        entries = [(self.buffer(points if points.size else numpy.zeros(1, dtype=numpy.int32)), True), (out, False)]
        if staged:
            made = host.launch(prepared, f"{name}_prepare", case.launch)
            entries.append((self.buffer(numpy.frombuffer(made, dtype=numpy.uint8)), True))
        self.run(module, entries, [("run", -(-len(case.points) // 64))])
        got = self.read(out, got).astype(numpy.int64)
        return host.compared(case, host.with_valid(case, got, valid))

    def kernels(self, case, source, prepared):
        arrays, entries, places = host.buffers(case, WORDS), [], {}
        for access, binding, ty in text.bindings(source):
            name = binding.removeprefix(f"{case.name}_")
            if ty.startswith("array<"):
                if name not in arrays:
                    arrays[name] = host.output(case, name, ty.removeprefix("array<").removesuffix(">"))
                places[name] = len(entries)
                made = arrays[name]
            else:
                made = self.parameters(case, source, ty, prepared)
            entries.append((self.buffer(made), access == "read"))
        grid = {None: 3, "groups": 3, "group": 1}
        self.run(self.module(source), entries, [(case.kernel(step), grid[how]) for step, how in case.steps])
        for name in case.wanted:
            arrays[name] = self.read(entries[places[name]][0], arrays[name])
        return host.arrays_compared(case, arrays)

    def parameters(self, case, source, structure, prepared):
        """Returns the bytes of the parameter structure of kernels. The host's function computes the numbers of a launch."""
        out = b""
        for name in text.fields(source, structure):
            if name.startswith("launch"):
                level = f"{case.name}_split{name.removeprefix('launch')}"
                out += host.launch(prepared, f"{level}_prepare", opencl.named(case, prepared, f"{level}_launch"))
            else:
                out += numpy.uint32(case.numbers[host.known_name(name, case.numbers)]).tobytes()
        return numpy.frombuffer(out, dtype=numpy.uint8)
