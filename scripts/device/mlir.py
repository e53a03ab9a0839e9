"""Affine maps and sets, parsed by Debian's mlir-opt."""
import os
import re
import subprocess

import tools
from host import Refused
from tools import Missing, call


class Mlir:
    name, language = "MLIR by mlir-opt", "mlir"

    def __init__(self):
        listed = re.findall(r"^mlir-(\d+)-tools", call("apt-cache", "search", "^mlir-[0-9]+-tools$"), re.M)
        if not listed:
            raise Missing("Debian has no mlir-tools here")
        version = max(map(int, listed))
        self.program, library = tools.debian("mlir", [f"mlir-{version}-tools"], "bin/mlir-opt", f"libLLVM*.so.{version}*")
        self.libraries = str(library.parent)

    def text(self, source):
        environment = os.environ | {"LD_LIBRARY_PATH": self.libraries}
        done = subprocess.run([self.program], input=source, capture_output=True, text=True, env=environment)
        if done.returncode != 0:
            raise Refused(done.stderr)

    function = lambda self, case, source, prepared: self.text(source) or 0
