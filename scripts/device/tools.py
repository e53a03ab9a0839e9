"""The tools that compile and run the texts, under target/device: wheels in a separate environment, Debian packages unpacked but not installed."""
import contextlib
import fcntl
import glob
import json
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HOME = ROOT / "target" / "device"
PYTHON = HOME / "venv/bin/python"


class Missing(Exception):
    """A tool that is not available, with the reason."""


def call(*command, **more):
    """Returns the output of a command. Raises `Missing` if it fails."""
    try:
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=900, **more)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Missing(str(error)) from error
    if done.returncode != 0:
        raise Missing((done.stderr.strip() or done.stdout.strip()).splitlines()[-1])
    return done.stdout


def environment():
    """Restarts this program with the Python of the environment, so that wheels can be imported."""
    if not PYTHON.exists():
        venv.create(HOME / "venv", with_pip=True)
    if pathlib.Path(sys.prefix) != HOME / "venv":
        # The Vulkan driver loads its libraries from this folder. The loader ignores a folder that does not exist when the process starts.
        libraries = HOME / "mesa/usr/lib" / (sysconfig.get_config_var("MULTIARCH") or "")
        libraries.mkdir(parents=True, exist_ok=True)
        path = ":".join(filter(None, [str(libraries), os.environ.get("LD_LIBRARY_PATH")]))
        os.execve(PYTHON, [str(PYTHON), *sys.argv], os.environ | {"LD_LIBRARY_PATH": path})


def in_wheels(name):
    """Returns the files of this name in the environment."""
    return sorted(glob.glob(str(HOME / "venv/lib/python*/site-packages/**" / name), recursive=True))


@contextlib.contextmanager
def installing():
    """Excludes all other processes that install here."""
    with open(HOME / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def wheels(packages, *files):
    """Installs the packages if a file is missing. Returns the first match of each file."""
    with installing():
        if not all(map(in_wheels, files)):
            call(PYTHON, "-m", "pip", "install", "--quiet", *packages)
    found = [in_wheels(file) for file in files]
    if not all(found):
        raise Missing(f"the wheels {', '.join(packages)} have none for this machine")
    return [paths[0] for paths in found]


def unpack(home, packages):
    """Downloads and unpacks Debian packages and their dependencies."""
    if not shutil.which("apt-get"):
        raise Missing("there is no apt-get")
    listed = call("apt-get", "install", "-s", "--no-install-recommends", *packages)
    # Skip packages that are installed already.
    new = [line.split()[1] for line in listed.splitlines() if line.startswith("Inst ") and line.split()[2].startswith("(")]
    home.mkdir(parents=True, exist_ok=True)
    call("apt-get", "download", *(new or packages), cwd=home)
    for package in sorted(home.glob("*.deb")):
        call("dpkg", "-x", package, home)
        package.unlink()


def debian(folder, packages, *files):
    """Unpacks Debian packages with their dependencies under `folder` if a file is missing. Returns the matches of the files."""
    home = HOME / folder
    find = lambda: [sorted(home.glob("**/" + file)) for file in files]
    with installing():
        if not all(find()):
            unpack(home, packages)
    found = find()
    if not all(found):
        raise Missing(f"the packages {', '.join(packages)} have none for this machine")
    return [paths[0] for paths in found]


def vulkan():
    """Makes llvmpipe the Vulkan device of this process."""
    import ctypes

    loader, driver = debian("mesa", ["libvulkan1", "mesa-vulkan-drivers"], "libvulkan.so.1", "libvulkan_lvp.so")
    listed = HOME / "mesa/llvmpipe.json"
    listed.write_text(json.dumps({"file_format_version": "1.0.0", "ICD": {"library_path": str(driver), "api_version": "1.1.0"}}))
    os.environ["VK_ICD_FILENAMES"] = os.environ["VK_DRIVER_FILES"] = str(listed)
    ctypes.CDLL(str(loader), ctypes.RTLD_GLOBAL)
