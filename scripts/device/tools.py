"""What compiles and runs the texts, installed under target/device: wheels in an environment of their own, Debian packages unpacked and not installed."""
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
    """A tool that cannot be had, and why."""


def call(*command, **more):
    """What a command prints; `Missing` where it fails."""
    try:
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=900, **more)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Missing(str(error)) from error
    if done.returncode != 0:
        raise Missing((done.stderr.strip() or done.stdout.strip()).splitlines()[-1])
    return done.stdout


def environment():
    """Goes on in the Python of the environment, so that wheels can be imported."""
    if not PYTHON.exists():
        venv.create(HOME / "venv", with_pip=True)
    if pathlib.Path(sys.prefix) != HOME / "venv":
        # The driver of Vulkan finds what it depends on where it is unpacked; a folder that is not there now is not looked at again.
        libraries = HOME / "mesa/usr/lib" / (sysconfig.get_config_var("MULTIARCH") or "")
        libraries.mkdir(parents=True, exist_ok=True)
        path = ":".join(filter(None, [str(libraries), os.environ.get("LD_LIBRARY_PATH")]))
        os.execve(PYTHON, [str(PYTHON), *sys.argv], os.environ | {"LD_LIBRARY_PATH": path})


def in_wheels(name):
    """The files of this name in the environment."""
    return sorted(glob.glob(str(HOME / "venv/lib/python*/site-packages/**" / name), recursive=True))


@contextlib.contextmanager
def installing():
    """Alone of all processes that install here."""
    with open(HOME / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def wheels(packages, *files):
    """The first of each of these files, after installing the packages that have them."""
    with installing():
        if not all(map(in_wheels, files)):
            call(PYTHON, "-m", "pip", "install", "--quiet", *packages)
    found = [in_wheels(file) for file in files]
    if not all(found):
        raise Missing(f"the wheels {', '.join(packages)} have none for this machine")
    return [paths[0] for paths in found]


def unpack(home, packages):
    """Downloads Debian packages and what they depend on."""
    if not shutil.which("apt-get"):
        raise Missing("there is no apt-get")
    listed = call("apt-get", "install", "-s", "--no-install-recommends", *packages)
    # What is installed here already serves as it is.
    new = [line.split()[1] for line in listed.splitlines() if line.startswith("Inst ") and line.split()[2].startswith("(")]
    home.mkdir(parents=True, exist_ok=True)
    call("apt-get", "download", *(new or packages), cwd=home)
    for package in sorted(home.glob("*.deb")):
        call("dpkg", "-x", package, home)
        package.unlink()


def debian(folder, packages, *files):
    """These files of Debian packages and of what they depend on, unpacked under `folder`."""
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
