"""CUDA compiled without nvcc: NVRTC makes PTX, ptxas makes machine code, and nvdisasm lists its instructions. Needs no GPU."""
import ctypes
import pathlib
import re
import subprocess
import tempfile

import tools
from host import Refused

ARCHITECTURE = "90"


class Cuda:
    """CUDA, compiled to machine code."""

    name, language, shim = "CUDA by NVRTC and ptxas", "cuda", ""

    def __init__(self):
        library, self.ptxas = tools.wheels(["nvidia-cuda-nvrtc", "nvidia-cuda-nvcc"], "libnvrtc.so.*", "ptxas")
        self.nvrtc = ctypes.CDLL(library)

    def ptx(self, source, more=()):
        program, size = ctypes.c_void_p(), ctypes.c_size_t()
        self.nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"text.cu", 0, None, None)
        options = [f"--gpu-architecture=compute_{ARCHITECTURE}".encode(), b"--std=c++17", *(option.encode() for option in more)]
        status = self.nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
        log = "nvrtcGetProgramLog" if status else "nvrtcGetPTX"
        getattr(self.nvrtc, f"{log}Size")(program, ctypes.byref(size))
        out = ctypes.create_string_buffer(size.value)
        getattr(self.nvrtc, log)(program, out)
        self.nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
        if status:
            raise Refused(out.value.decode())
        return out.value

    def machine_code(self, source, folder):
        """Compiles a source to machine code. Returns the file."""
        ptx, code = pathlib.Path(folder, "text.ptx"), pathlib.Path(folder, "text.cubin")
        ptx.write_bytes(self.ptx(source))
        done = subprocess.run([self.ptxas, f"-arch=sm_{ARCHITECTURE}", ptx, "-o", code], capture_output=True, text=True)
        if done.returncode != 0:
            raise Refused(done.stderr)
        return code

    def text(self, source):
        with tempfile.TemporaryDirectory() as folder:
            self.machine_code(self.shim + source, folder)

    function = kernels = lambda self, case, source, prepared: self.text(source) or 0


class Hip(Cuda):
    """HIP, compiled as CUDA with the names that the HIP compiler defines."""

    name, language, shim = "HIP by NVRTC and ptxas", "hip", "#define __HIPCC_RTC__ 1\n#define __HIP_DEVICE_COMPILE__ 1\n"


class Counter:
    """Lists the instructions of kernels."""

    def __init__(self):
        self.cuda = Cuda()
        [self.nvdisasm] = tools.wheels(["nvidia-cuda-nvdisasm"], "nvdisasm")

    def instructions(self, source):
        """Returns the instructions of each kernel by name, without the padding at the end of the last cache line."""
        with tempfile.TemporaryDirectory() as folder:
            code = self.cuda.machine_code(source, folder)
            listing = tools.call(self.nvdisasm, "-c", code)
        found = {}
        for part in listing.split(".section\t.text.")[1:]:
            lines = re.findall(r"^\s+/\*[0-9a-f]{4,}\*/\s+(.*?)\s*;", part, re.M)
            while lines and (lines[-1] == "NOP" or lines[-1].startswith("BRA `(.L_x") and "EXIT" in lines[-2]):
                lines.pop()
            found[re.match(r"[\w$]+", part).group()] = lines
        return found
